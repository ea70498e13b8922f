"""How much of a bot's turn is ball, and how soon somebody who points a camera at the square code may do something."""

import contextlib
import json

from helpers.page.browser import KNOWS_THE_GAME, NEEDS
from helpers.page.steady import Thumb
from helpers.program import moves, process
from helpers.stranger import PHONE, strangers

pytestmark = NEEDS

TURNS = 9
LEAST_BALL = 0.6
SOON_MS = 20_000
TABLE = ("--seed", 3)
WATCH = """(() => {
  const pace = { turns: 0, ms: 0, ball: 0 };
  globalThis.pace = pace;
  let whose = "";
  let turn = null;
  let before = 0;
  const look = (now) => {
    requestAnimationFrame(look);
    const seat = document.querySelector(".seat.active")?.dataset.seat ?? "";
    if (seat && whose && seat !== whose) {
      if (turn) {
        pace.turns += 1;
        pace.ms += turn.ms;
        pace.ball += turn.ball;
      }
      turn = { ms: 0, ball: 0 };
    }
    whose = seat || whose;
    const balls = [...document.querySelectorAll("#board .ball")];
    const rolls = balls.some((ball) => ball.classList.contains("moving") || ball.getAnimations().some((one) => one.playState === "running"));
    if (turn) turn.ms += now - before;
    if (turn && rolls) turn.ball += now - before;
    before = now;
  };
  requestAnimationFrame(look);
})()"""
"""Counts whole turns: how long they are, and how much of that a ball moves on the drawing."""


def table_of_bots(folder, *more):
    """Open a demonstration in real time."""
    address = ["--port", 0, "--host", "127.0.0.1", "--journal", folder / "games.db"]
    return process("demo", "--games", 0, *TABLE, *more, *address)


def say(capsys, words):
    """Print a figure that people ask for."""
    with capsys.disabled():
        print(f"\n{words}")  # noqa: T201


def test_most_of_a_bots_turn_is_ball(browser, tmp_path, capsys):
    """Watched in real time: a ball moves for six tenths of it at least."""
    with table_of_bots(tmp_path) as table, contextlib.closing(browser.new_context(viewport=PHONE)) as context:
        context.add_init_script(KNOWS_THE_GAME)
        context.add_init_script(WATCH)
        page = context.new_page()
        page.goto(table.url)
        page.wait_for_function(f"() => pace.turns >= {TURNS}", timeout=300_000)
        pace = page.evaluate("() => pace")
    share = pace["ball"] / pace["ms"]
    say(capsys, f"a bot's turn: {pace['ms'] / pace['turns'] / 1000:.1f} s, a ball moves in {share:.0%} of it")
    assert share >= LEAST_BALL


def test_whoever_comes_by_the_code_plays_soon(browser, tmp_path, capsys):
    """From the address to the first act that the table takes: pictures skipped, a name written, a place tapped."""
    with (
        table_of_bots(tmp_path, "--players", 2) as table,
        strangers(browser, table, ["Kim"], who=Thumb, script=KNOWS_THE_GAME) as (kim,),
    ):
        kim.until(lambda: moves(tmp_path / "games.db"))
        took_ms = kim.page.evaluate("() => performance.now()")
    say(
        capsys,
        f"from the code to the first act: {took_ms / 1000:.1f} s, {len(kim.taps)} taps ({json.dumps(kim.taps[:5])})",
    )
    assert took_ms <= SOON_MS
