"""A board that stays: strangers on four screens play one game, and nothing goes away from where they look or press."""

import pytest
from helpers.page.browser import NEEDS
from helpers.page.steady import SIZES, WATCH, Thumb, stillness
from helpers.program import process
from helpers.stranger import strangers

pytestmark = NEEDS

MOST_SHIFT = 0.1
"""Of all layout shifts together, over a whole game; what people call good is that much in five seconds."""
TABLE = ("--board", "small-18", "--laid", 12, "--players", 5, "--seed", 3, "--speed", 6)
PHASES = """(() => {
  globalThis.over = false;
  let played = false;
  new MutationObserver(() => {
    const { phase } = document.body?.dataset ?? {};
    played ||= phase === "playing" && Boolean(document.querySelector("#seats .you"));
    globalThis.over ||= played && phase === "over";
  }).observe(document, { subtree: true, childList: true, attributes: true });
})()"""


def show(capsys, lines):
    """Print figures that people ask for."""
    with capsys.disabled():
        print("", *lines, sep="\n")  # noqa: T201


def test_nothing_moves_while_a_game_is_played(browser, tmp_path, capsys):
    """On each of four screens somebody plays from their first turn to the end, one seat is a bot's."""
    address = ["--port", 0, "--host", "127.0.0.1", "--journal", tmp_path / "games.db"]
    with (
        process("demo", "--games", 0, *TABLE, *address) as table,
        strangers(browser, table, list(SIZES), who=Thumb, script=f"{WATCH};{PHASES}") as players,
    ):
        for player, size in zip(players, SIZES.values(), strict=True):
            player.page.set_viewport_size(size)
        first, *others = players
        first.until(lambda: all(one.page.evaluate("over") for one in players), *others)
        found = {player.name: stillness(player.page) for player in players}
    show(
        capsys,
        [
            f"{name}: shifts {one.shift:.3f}, board {one.board}, tray {one.tray}, under a finger {one.finger} of {one.presses}"
            f" presses, {one.frames} frames [{one.why}]"
            for name, one in found.items()
        ],
    )
    assert all(one.shift <= MOST_SHIFT for one in found.values())
    assert all((one.board, one.tray, one.finger) == (0, 0, 0) for one in found.values())
    assert all(one.presses for one in found.values())
