"""A stranger comes with the address from the square code, and plays: nothing is known but what the page says."""

import contextlib
import itertools
import re

import pytest
from helpers.page.browser import NEEDS
from helpers.ports import free_port
from helpers.program import asked, moves, process
from helpers.stranger import PHONE, WithKeys, WithoutSight, strangers
from helpers.tiers import first_by_day, nightly

pytestmark = NEEDS

FIRST_MOVES_MS = 60_000
SPEED = 20
"""Bots think and balls roll so much faster than at a table; the stranger does not."""
GAMES = {
    "hextraction": (["--board", "small-18", "--laid", 15, "--players", 2], {"roll", "place"}),
    "hextris": (["--players", 2, "--bots", "weak"], {"drop"}),
    "hexel": (["--players", 2, "--bots", "weak"], {"place"}),
    "extraction": (["--players", 3, "--bots", "weak"], {"roll", "end"}),
}
"""For each game: a table, and what the journal calls the first moves."""
ORDINARY = {
    "hextraction": (["Kim", "Lou"], '[game]\ngrace_s = 1\ndepth = "full"\n', {"play", "place", "attest"}),
    "hextris": (["Kim", "Lou"], "", {"drop"}),
    "hexel": (["Kim", "Lou"], "", {"place"}),
    "extraction": (["Kim", "Lou", "Mia"], "[extraction]\nmost_tokens = 1\n", {"roll", "end"}),
}
"""For each game on a board without electronics: who comes, its settings, and some of what they do."""
ROLLS = (("slot", "still"), ("slot", "slot", "still"))
WINS = ("zone", "still")
"""What balls do on an ordinary board: two fall through, all others run into an end zone."""
LANGUAGES = ("en", "de")
BY_DAY = [("hextraction", "en"), ("hexel", "de")]
SITTING_DOWN = first_by_day(
    sorted(itertools.product(GAMES, LANGUAGES), key=lambda pair: pair not in BY_DAY),
    "a whole game each, and those of Extraction are long",
    by_day=len(BY_DAY),
)
PLAYS = """(() => {
  globalThis.phases = [];
  const look = () => {
    const { phase } = document.querySelector("#lobby")?.dataset ?? {};
    if (phase && phases.at(-1) !== phase) phases.push(phase);
  };
  new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true });
  localStorage.setItem("hextraction.sounds", "on");
  globalThis.heard = 0;
  for (const source of [OscillatorNode, AudioBufferSourceNode]) {
    const { start } = AudioScheduledSourceNode.prototype;
    source.prototype.start = function (...when) {
      heard += 1;
      return start.apply(this, when);
    };
  }
})()"""
"""Remembers how far the table was, however short; and the sound is on, and counted."""


def heard_it(*players):
    """Return whether every phone made sounds."""
    return all(one.page.evaluate("() => heard") > 0 for one in players)


def saw_the_end(stranger):
    """Return whether their page said that the game they played is over."""
    phases = stranger.page.evaluate("() => phases")
    return "playing" in phases and "over" in phases[phases.index("playing") :]


@contextlib.contextmanager
def comes_to_bots(browser, tmp_path, kind, **stranger):
    """Somebody comes to a simulated table where bots play one game after the other: the journal, and Kim."""
    options, _wanted = GAMES[kind]
    journal = tmp_path / "games.db"
    address = ["--port", 0, "--host", "127.0.0.1", "--journal", journal]
    play = ["demo", "--game", kind, "--games", 0, "--seed", 3, "--speed", SPEED, *options]
    with (
        process(*play, *address) as table,
        strangers(browser, table, ["Kim"], script=PLAYS, **stranger) as (kim,),
    ):
        yield journal, kim


def plays_to_the_end(kim, kind, journal):
    """They make their first moves, and then see the end of a game that they played."""
    _options, wanted = GAMES[kind]
    kim.until(lambda: wanted <= moves(journal))
    first_moves_ms = kim.page.evaluate("() => performance.now()")
    kim.page.evaluate("() => { globalThis.phases = []; }")
    kim.until(lambda: saw_the_end(kim))
    assert heard_it(kim)
    return first_moves_ms


@pytest.mark.parametrize(("kind", "language"), SITTING_DOWN)
def test_a_stranger_sits_down_and_plays_to_the_end(browser, tmp_path, kind, language):
    """Told only by the first sentence: a seat, a name, first legal moves within a minute, and on to somebody's victory."""
    with comes_to_bots(browser, tmp_path, kind, languages=[language]) as (journal, kim):
        assert plays_to_the_end(kim, kind, journal) < FIRST_MOVES_MS


@nightly("a whole game each", meanwhile="tests/page/test_states.py::test_a_state_is_sound")
@pytest.mark.parametrize("kind", GAMES)
def test_a_whole_game_is_played_from_the_board_as_text(browser, tmp_path, kind):
    """The drawing is hidden from the first move to the last."""
    with comes_to_bots(browser, tmp_path, kind, who=WithoutSight) as (journal, kim):
        plays_to_the_end(kim, kind, journal)
    assert any(tap.startswith("text ") for tap in kim.taps)


@pytest.mark.parametrize(
    ("kind", "languages"),
    first_by_day(
        [
            ("hextraction", ("de", "en")),
            ("hextris", ("en", "de")),
            ("hexel", ("de", "en")),
            ("extraction", ("en", "de")),
        ],
        "a whole game of several phones each",
    ),
)
def test_strangers_play_to_the_end_on_an_ordinary_board(browser, tmp_path, kind, languages):
    """Bots have no hands to lay tiles with. Phones differ in language, and whoever has the first tells where balls go."""
    names, more, wanted = ORDINARY[kind]
    config, journal = tmp_path / "table.toml", tmp_path / "games.db"
    config.write_text(f'[page]\nhost = "127.0.0.1"\n[table]\ngame = "{kind}"\n[games]\nhexel = true\n{more}')
    table = ["run", "--no-electronics", "--config", config, "--port", free_port(), "--journal", journal]
    ball = itertools.chain(*ROLLS, itertools.cycle(WINS))
    with (
        process(*table) as table,
        strangers(browser, table, names, languages=languages, script=PLAYS, ball=ball) as (kim, *others),
    ):
        kim.until(lambda: all(saw_the_end(one) for one in (kim, *others)), *others)
        assert heard_it(kim, *others)
        assert wanted <= moves(journal)
        (outcome,) = asked(journal, "SELECT outcome FROM game ORDER BY number")[0]
        assert outcome


@pytest.mark.parametrize("languages", first_by_day([(("en", "de"),), (("de", "en"),)], "the other language"))
def test_strangers_play_light_to_the_end(browser, tmp_path, languages):
    """Where only results are told, one tap ends a roll, and usually the turn."""
    config, journal = tmp_path / "table.toml", tmp_path / "games.db"
    config.write_text('[page]\nhost = "127.0.0.1"\n[game]\ngrace_s = 1\n')
    table = ["run", "--no-electronics", "--config", config, "--port", free_port(), "--journal", journal]
    ball = itertools.chain(["slot"] * 3, itertools.cycle(["zone"]))
    with (
        process(*table) as table,
        strangers(
            browser, table, ["Kim", "Lou"], languages=languages, script=PLAYS, ball=([end] for end in ball)
        ) as (kim, lou),
    ):
        kim.until(lambda: all(saw_the_end(one) for one in (kim, lou)), lou)
        assert heard_it(kim, lou)
        assert {"play", "place", "attest"} <= moves(journal)
        (outcome,) = asked(journal, "SELECT outcome FROM game ORDER BY number")[0]
        assert outcome


@pytest.fixture
def at_cards(browser, tmp_path):
    """Return a way to sit down at a table of Hex'el with a bot, whose games are short."""
    with process(
        "demo", "--game", "hexel", "--port", 0, "--host", "127.0.0.1", "--games", 0, "--seed", 3,
        "--journal", tmp_path / "games.db", "--speed", 4, *GAMES["hexel"][0],
    ) as table:  # fmt: skip
        context = browser.new_context(viewport=PHONE, has_touch=True)
        page = context.new_page()
        page.goto(f"{table.url}#j={table.code}")
        yield page
        context.close()


@nightly(
    "every key is pressed in a real game",
    meanwhile="tests/page/test_drawing.py::test_arrow_keys_read_every_slot",
)
def test_a_whole_turn_is_played_with_keys_alone(at_cards):
    """Name, seat, card, cell, the end of the turn: Tab and Enter reach all of it, and never through hundreds of stops."""
    player = WithKeys(at_cards, "Kim")
    told = at_cards.locator("#log")
    player.until(lambda: re.search("Kim lays a card", told.inner_text()), patience_s=600)
    player.until(lambda: not at_cards.evaluate("() => document.body.classList.contains('our-turn')"))
    assert 0 < player.tabs < 100
