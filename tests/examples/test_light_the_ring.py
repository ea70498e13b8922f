"""A game of somebody else's, installed from its wheel beside the product's: it plays, on phones and after a crash too."""

import contextlib
import re
import signal
import sqlite3
import zipfile

import pytest
from helpers.end_to_end_table import SLOW_MS, phone
from helpers.installed_example import ROOM
from helpers.page.browser import NEEDS, expect
from helpers.places import ROOT
from helpers.ports import free_port
from helpers.tiers import nightly
from helpers.wheels import InstalledProcess, install, runs, wheel_of
from hextraction.controller.games.marked_names import plain

pytestmark = NEEDS

LISTED = """
from pathlib import Path
from hextraction.controller import page
folder = Path(page.__file__).parent
print(*(path.relative_to(folder) for path in folder.rglob("*")), sep=chr(10))
"""
YOUR_TURN = "Your turn: choose a glowing slot"


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    """Return the ``hextraction`` of a clean environment with both wheels."""
    return install(tmp_path_factory.mktemp("installed"))


@pytest.fixture
def journal(tmp_path):
    """Return where the games are kept."""
    return tmp_path / "games.db"


def games(journal):
    """Return every game in a journal with its outcome, oldest first."""
    with contextlib.closing(sqlite3.connect(f"file:{journal}?mode=ro", uri=True)) as reader:
        return reader.execute("SELECT id, outcome FROM game ORDER BY number").fetchall()


def entries(journal, game):
    """Return the entries of a game, as they lie on the disk."""
    with contextlib.closing(sqlite3.connect(f"file:{journal}?mode=ro", uri=True)) as reader:
        return [
            body for (body,) in reader.execute("SELECT body FROM entry WHERE game = ? ORDER BY seq", [game])
        ]


# --- a person at the page ---


class WithoutItsFile:
    """A browser that does not get the game's own page file."""

    def __init__(self, browser):
        self.browser = browser

    def new_context(self, **more):
        context = self.browser.new_context(**more)
        context.route("**/games/ring.js", lambda asked: asked.fulfill(status=404))
        return context


def waits_for_their_turn(player):
    """Wait until it is a player's turn."""
    expect(player.headline).to_have_text(YOUR_TURN, timeout=SLOW_MS)


def glowing(player):
    """Return the slots that a player may take."""
    takes = player.tray.get_by_role("button", name=re.compile(r"^Take \w+$"))
    expect(takes.first).to_be_visible(timeout=SLOW_MS)
    return [words.removeprefix("Take ") for words in takes.all_inner_texts()]


def lights(player, slot):
    """Choose the first token for a slot once it is asked for; return the token's number."""
    player.waits_for(f"Which token lights {slot}?")
    token = player.cards.first.inner_text()
    player.tray.locator(".prompt").get_by_role("button", name=token, exact=True).click()
    number = token.removeprefix("Token ")
    expect(player.slot(slot)).to_contain_text(number, timeout=SLOW_MS)
    return number


def plays(player):
    """Play a turn with the buttons; return the slot and the token."""
    waits_for_their_turn(player)
    slot = glowing(player)[0]
    player.press(f"Take {slot}")
    return slot, lights(player, slot)


def plays_on_the_board(player):
    """Play a turn by tapping the board; return the slot and the token."""
    waits_for_their_turn(player)
    slot = glowing(player)[-1]
    player.tap_slot(slot)
    player.page.locator(".pick").get_by_role("button", name=f"Take {slot}", exact=True).click()
    return slot, lights(player, slot)


def hand(player):
    """Return the tokens that a player sees in their own hand."""
    return [title.removeprefix("Token ") for title in player.cards.all_inner_texts()]


def waits_in_any_game(player, said):
    """Wait until the headline says so; where the game that is on ends before that, begin the next one."""
    again = player.page.get_by_role("button", name="One more game")
    expect(player.headline.filter(has_text=said).or_(again).first).to_be_visible(timeout=SLOW_MS)
    if again.is_visible():
        again.click()
        expect(player.headline).to_have_text(said, timeout=SLOW_MS)


def waits_for_a_game_from_its_beginning(player):
    """Play the game that is on to its end, if some of it is over; return the hand of the next one.

    The bot whose seat this was may have chosen its slot already: then only the token is left to choose.
    """
    asked = re.compile(r"Choose a token for (\w+)")
    waits_in_any_game(player, re.compile(f"{asked.pattern}|{YOUR_TURN}"))
    begun = asked.fullmatch(player.headline.inner_text())
    if begun:
        lights(player, begun[1])
    waits_in_any_game(player, re.compile(YOUR_TURN))
    while len(hand(player)) < 3:
        plays(player)
        waits_in_any_game(player, re.compile(YOUR_TURN))
    return hand(player)


# --- installed ---


def test_the_wheel_brings_the_game_and_its_page_file(tmp_path):
    """The package, its types and what phones get; nothing else."""
    names = set(zipfile.ZipFile(wheel_of(ROOM, tmp_path)).namelist())
    code = {name for name in names if ".dist-info/" not in name}
    own = {
        str(path.relative_to(ROOM))
        for path in (ROOM / "light_the_ring").rglob("*.*")
        if path.suffix != ".pyc"
    }
    assert code == own
    assert "light_the_ring/page/ring.js" in code


def test_the_products_wheel_brings_every_file_of_the_page(program):
    """Those that only one game has, in folders of their own, too; what is translated in `.po` phones load as JSON."""
    said = runs(program.parent / "python", "-c", LISTED)
    pages = ROOT / "controller" / "page"
    ours = {
        str(path.relative_to(pages))
        for path in pages.rglob("*")
        if path.is_file() and path.suffix not in {".py", ".pyc", ".po"}
    }
    assert ours <= set(said.splitlines())


def test_bots_play_it_to_its_end(program, journal):
    """One game as fast as it goes; it is told and journalled who won."""
    said = runs(program, "demo", "--game", "ring", "--games", 1, "--speed", 0, "--seed", 7, "--no-page", "--journal", journal)  # fmt: skip
    ((game, outcome),) = games(journal)
    assert re.fullmatch(r"\w+( and \w+)* (wins with|share the ring with) \d.*\.", plain(outcome))
    assert f"Game {game}: {plain(outcome)}" in said


@nightly("thirty games", meanwhile="test_bots_play_it_to_its_end")
def test_a_study_of_it_finds_no_game_stuck(program):
    """Bots under the full rules, by as many players as may play."""
    said = runs(program, "study", "--game", "ring", "--games", 30, "--jobs", 1)
    assert "stuck: 0" in said
    assert "failed: 0" in said


# --- on phones ---


def test_a_phone_plays_in_the_demo_and_goes_on_after_a_crash(browser, program, journal):
    """Somebody plays two turns against a bot; killed during a break, the table is in the same turn of the same game."""
    words = ["demo", "--game", "ring", "--players", 2, "--seed", 7, "--journal", journal]
    words += ["--host", "127.0.0.1", "--port", free_port()]
    with InstalledProcess(program, *words) as table, phone(browser, f"{table.url}#j={table.code}") as ada:
        ada.sit("Ada")
        expect(ada.page).to_have_title(re.compile(r"Light the ring$"))
        dealt = waits_for_a_game_from_its_beginning(ada)
        lit = [plays(ada), plays_on_the_board(ada)]
        waits_for_their_turn(ada)
        held = hand(ada)
        glow = glowing(ada)
        ada.page.locator("#lobby > summary").click()
        ada.page.locator("#lobby").get_by_role("button", name="Pause", exact=True).click()
        expect(ada.page.get_by_role("button", name="Go on")).to_be_visible(timeout=SLOW_MS)
        table.stop(signal.SIGKILL)
        on = games(journal)[-1]
        known = entries(journal, on[0])
        with (
            InstalledProcess(program, *words, "--resume") as again,
            phone(browser, f"{again.url}#j={again.code}") as bea,
        ):
            bea.sit("Bea")
            expect(bea.page.get_by_role("button", name="Go on")).to_be_visible(timeout=SLOW_MS)
            assert entries(journal, on[0])[: len(known)] == known
            for slot, number in lit:
                expect(bea.slot(slot)).to_contain_text(number, timeout=SLOW_MS)
            bea.page.get_by_role("button", name="Go on").click()
            waits_for_their_turn(bea)
            assert (hand(bea), glowing(bea)) == (held, glow)
            lit.append(plays(bea))
            expect(bea.headline).to_contain_text(
                re.compile("the ring|You win|You were beaten"), timeout=SLOW_MS
            )
            status = again.stop()

    assert sorted(dealt) == sorted(number for _slot, number in lit)
    assert on[1] is None
    assert dict(games(journal))[on[0]] is not None
    assert status == 0


@nightly(
    "a second whole game by phones",
    meanwhile="test_a_phone_plays_in_the_demo_and_goes_on_after_a_crash",
)
def test_two_phones_play_on_an_ordinary_board_and_go_on_after_a_crash(browser, program, journal, tmp_path):
    """Where no board sees tiles people tell; after ``kill -9`` the phones come back by themselves to the same question.

    One of them has not got the game's own page file: it plays from scene and options.
    """
    config = tmp_path / "table.toml"
    config.write_text('[table]\ngame = "ring"\n[page]\nhost = "127.0.0.1"\n[ring]\nturn_s = 600\n')
    words = ["run", "--no-electronics", "--config", config, "--port", free_port(), "--journal", journal]
    with (
        InstalledProcess(program, *words) as table,
        phone(browser, f"{table.url}#j={table.code}") as ada,
        phone(WithoutItsFile(browser), f"{table.url}#j={table.code}") as bo,
    ):
        ada.sit("Ada")
        bo.sit("Bo")
        expect(bo.page).not_to_have_title(re.compile("Light the ring"))
        ada.page.get_by_role("button", name="Start").click()
        waits_for_their_turn(ada)
        slot = glowing(ada)[0]
        ada.press(f"Take {slot}")
        bo.press(f"The tile lies in {slot}")
        number = lights(ada, slot)
        expect(bo.slot(slot)).to_contain_text(number, timeout=SLOW_MS)
        waits_for_their_turn(bo)
        other = glowing(bo)[0]
        bo.press(f"Take {other}")
        ada.press(f"The tile lies in {other}")
        bo.waits_for(f"Which token lights {other}?")
        held = hand(bo)
        table.stop(signal.SIGKILL)
        for player in (ada, bo):
            expect(player.page.locator("#link")).to_have_text("Reconnecting…", timeout=SLOW_MS)
        with InstalledProcess(program, *words) as again:
            for player in (ada, bo):
                expect(player.page.locator("#link")).to_have_text("Connected", timeout=SLOW_MS)
                expect(player.slot(slot)).to_contain_text(number, timeout=SLOW_MS)
            bo.waits_for(f"Which token lights {other}?")
            assert hand(bo) == held
            lights(bo, other)
            waits_for_their_turn(ada)
            status = again.stop()

    assert len(games(journal)) == 1
    assert status == 0
