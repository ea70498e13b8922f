"""A board that stays: a stranger plays a game with bots, and nothing goes away from where they look or press."""

import contextlib

import pytest
from helpers.page.browser import KNOWS_THE_GAME, NEEDS
from helpers.page.steady import ONLOOKER, SIZES, WATCH, Thumb, stillness
from helpers.program import process
from helpers.stranger import strangers
from helpers.tiers import first_by_day, nightly

pytestmark = NEEDS

MOST_SHIFT = 0.1
"""Of all layout shifts together, over a whole game; what people call good is that much in five seconds."""
TABLE = ("--board", "small-18", "--laid", 15, "--players", 3, "--seed", 3, "--speed", 6)


def plays_a_game(browser, folder, size):
    """Somebody sits down among bots, and plays to the end; return how still their page was."""
    address = ["--port", 0, "--host", "127.0.0.1", "--journal", folder / "games.db"]
    with (
        process("demo", "--games", 0, *TABLE, *address) as table,
        strangers(browser, table, ["Kim"], who=Thumb, script=WATCH) as (kim,),
    ):
        kim.page.set_viewport_size(SIZES[size])
        kim.until(lambda: kim.page.evaluate("() => 'still' in globalThis"))
        return stillness(kim.page)


@nightly("a whole game on each screen", meanwhile="test_nothing_moves_for_who_only_watches")
@pytest.mark.parametrize("size", SIZES)
def test_nothing_moves_while_a_game_is_played(browser, tmp_path, capsys, size):
    """From one's first turn to the end board and tray stay where they are, and nothing goes away under a finger."""
    still = plays_a_game(browser, tmp_path, size)
    with capsys.disabled():
        print(f"\n{size}: {still.words}")  # noqa: T201 - figures that people ask for
    assert still.presses
    assert (still.board, still.tray, still.finger) == (0, 0, 0)
    assert still.shift <= MOST_SHIFT


@pytest.mark.parametrize("size", first_by_day(SIZES, "a whole game on each screen"))
def test_nothing_moves_for_who_only_watches(browser, tmp_path, capsys, size):
    """From the first picture over the end of a game into the next one, as somebody sees it who never sits down."""
    address = ["--port", 0, "--host", "127.0.0.1", "--journal", tmp_path / "games.db"]
    with (
        process("demo", "--games", 0, *TABLE, *address) as table,
        contextlib.closing(browser.new_context(viewport=SIZES[size])) as context,
    ):
        context.add_init_script(f"{KNOWS_THE_GAME};{ONLOOKER}")
        page = context.new_page()
        page.goto(table.url)
        page.wait_for_function("() => seen.begun", timeout=120_000)
        seen = page.evaluate("() => seen")
    with capsys.disabled():
        print(f"\n{size}, watching: shifts {seen['shift']:.3f} ({seen['worst']})")  # noqa: T201 - as above
    assert seen["shift"] <= MOST_SHIFT
