"""Many phones at one table: all get a seat, all play, and no script fails on any of them."""

import itertools
import time

from helpers.page.browser import NEEDS
from helpers.program import process
from helpers.stranger import strangers
from helpers.tiers import nightly

pytestmark = NEEDS

PLAYERS = ("Ada", "Bo", "Cy", "Di", "Ed", "Flo")
WATCHERS = ("Gus", "Hal")
TAPS = 12
"""So often each taps a place, a card or a button on average, unless the game is over before."""
OVER = "() => / wins? | win\\b| is drawn/.test(document.querySelector('#headline').textContent)"
PATIENCE_S = 600


def all_seated(phones):
    """Seat everybody who has come, each looking at the phone in turn; return their seats."""
    seat = "() => JSON.parse(localStorage.getItem('hextraction.seat'))?.seat"
    until = time.monotonic() + PATIENCE_S
    while not all(seats := [phone.page.evaluate(seat) for phone in phones]):
        assert time.monotonic() < until, seats
        for phone, has in zip(phones, seats, strict=True):
            if not has:
                phone.step()
    return seats


@nightly(
    "eight browsers at a table",
    meanwhile="tests/whole/test_end_to_end.py::test_a_second_phone_never_gets_the_first_ones_hand",
)
def test_six_players_and_two_watchers_have_a_sound_page_each(browser, tmp_path):
    """Six come at once and get a seat each; with two who watch they play for a while; no page reports an error."""
    words = ["--players", 6, "--port", 0, "--host", "127.0.0.1", "--games", 0, "--seed", 3, "--speed", 10]
    with (
        process("demo", *words, "--journal", tmp_path / "games.db") as table,
        strangers(browser, table, [*PLAYERS, *WATCHERS]) as phones,
    ):
        playing, watching = phones[: len(PLAYERS)], phones[len(PLAYERS) :]
        assert len(set(all_seated(playing))) == len(PLAYERS)
        until = time.monotonic() + PATIENCE_S
        for phone in itertools.cycle(playing):
            assert time.monotonic() < until, [one.taps for one in playing]
            phone.step()
            if sum(len(one.taps) for one in playing) >= TAPS * len(PLAYERS) or phone.page.evaluate(OVER):
                break
        assert all(phone.taps for phone in playing)
        headline = "document.querySelector('#headline').textContent"
        for phone in watching:
            phone.page.wait_for_function(f"() => {headline} && document.querySelector('#board .slot')")
