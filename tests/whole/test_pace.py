"""How much of a bot's turn is ball, how soon a newcomer may do something, and how soon the next game begins after one."""

import contextlib
import json
import statistics

from helpers.page.browser import KNOWS_THE_GAME, NEEDS
from helpers.page.steady import Thumb
from helpers.program import moves, process
from helpers.stranger import PHONE, strangers
from helpers.tiers import nightly

pytestmark = NEEDS

TURNS = 9
LEAST_BALL = 0.6
MOST_DEAD_MS = 1_000
SOON_MS = 20_000
AGAIN_MS = 5_000
TABLE = ("--seed", 3)
WATCH = """(() => {
  const pace = { turns: 0, ms: 0, ball: 0, dead: [] };
  globalThis.pace = pace;
  let whose = null;
  let turn = null;
  let before = 0;
  let at = new Map();
  let moved = 0; // when a ball was last seen to move in the roll that is on
  const where = () => new Map([...document.querySelectorAll("#board .ball")].map((ball) => [ball.dataset.ball, ball.getBoundingClientRect()]));
  const look = (now) => {
    requestAnimationFrame(look);
    const playing = document.body?.dataset.phase === "playing";
    const seat = playing ? (document.querySelector(".seat.active")?.dataset.seat ?? "") : "";
    if (!playing) turn = whose = null; // Between two games it is nobody's turn.
    if (seat && whose && seat !== whose) {
      if (turn) {
        pace.turns += 1;
        pace.ms += turn.ms;
        pace.ball += turn.ball;
      }
      turn = { ms: 0, ball: 0 };
    }
    whose = seat || whose;
    const drawn = where();
    const moves = [...drawn].some(([ball, { x, y }]) => at.has(ball) && Math.hypot(x - at.get(ball).x, y - at.get(ball).y) > 0.05);
    at = drawn;
    if (turn) turn.ms += now - before;
    if (turn && moves) turn.ball += now - before;
    const rolling = document.querySelector("#headline")?.textContent.includes("is rolling");
    if (rolling && moves) moved = now;
    if (!rolling && moved) {
      pace.dead.push(now - moved);
      moved = 0;
    }
    before = now;
  };
  requestAnimationFrame(look);
})()"""
"""Counts whole turns: how long they are, and how much of that a drawn ball is seen to move; and how long after its last
motion in a roll the headline says something else."""


REMATCH = """(() => {
  const again = { over: 0, taps: [], took: 0 };
  globalThis.again = again;
  const look = (now) => {
    requestAnimationFrame(look);
    const phase = document.querySelector("#seats .you") ? document.body.dataset.phase : "";
    if (phase === "over") again.over ||= now;
    if (phase === "playing" && again.over) again.took ||= now - again.over;
  };
  requestAnimationFrame(look);
  const label = (event) => event.target.closest("button")?.textContent ?? "nothing";
  addEventListener("click", (event) => again.over && !again.took && again.taps.push(label(event)), true);
})()"""
"""Of whoever plays a game to its end: how long it takes from there to the next one, and what is tapped meanwhile."""


def table_of_bots(folder, *more):
    """Open a demonstration in real time."""
    address = ["--port", 0, "--host", "127.0.0.1", "--journal", folder / "games.db"]
    return process("demo", "--games", 0, *TABLE, *more, *address)


def say(capsys, words):
    """Print a figure that people ask for."""
    with capsys.disabled():
        print(f"\n{words}")  # noqa: T201


@nightly(
    "in real time a busy machine thinks longer than a ball rolls",
    meanwhile="test_whoever_comes_by_the_code_plays_soon",
)
def test_most_of_a_bots_turn_is_ball(browser, tmp_path, capsys):
    """Watched in real time: a ball is seen to move for six tenths of it at least; then one is soon told what came of it."""
    with table_of_bots(tmp_path) as table, contextlib.closing(browser.new_context(viewport=PHONE)) as context:
        context.add_init_script(KNOWS_THE_GAME)
        context.add_init_script(WATCH)
        page = context.new_page()
        page.goto(table.url)
        page.wait_for_function(f"() => pace.turns >= {TURNS}", timeout=300_000)
        pace = page.evaluate("() => pace")
    share = pace["ball"] / pace["ms"]
    dead_ms = statistics.median(pace["dead"])
    say(
        capsys,
        f"a bot's turn: {pace['ms'] / pace['turns'] / 1000:.1f} s, a ball moves in {share:.0%} of it; "
        f"from its last motion to what came of it: {dead_ms / 1000:.2f} s",
    )
    assert share >= LEAST_BALL
    assert dead_ms <= MOST_DEAD_MS


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


def test_the_next_game_is_one_tap_away(browser, tmp_path, capsys):
    """From the end of a game to the beginning of the next: *One more game*, as nobody but bots has to be asked."""
    small = ("--board", "small-18", "--laid", 15, "--players", 2, "--speed", 6)
    with (
        table_of_bots(tmp_path, *small) as table,
        strangers(browser, table, ["Kim"], script=f"{KNOWS_THE_GAME};{REMATCH}") as (kim,),
    ):
        kim.until(lambda: kim.page.evaluate("() => globalThis.again?.took > 0"))
        again = kim.page.evaluate("() => again")
    say(
        capsys,
        f"from the end to a rematch: {again['took'] / 1000:.1f} s, taps: {json.dumps(again['taps'])}",
    )
    assert set(again["taps"]) == {"One more game"}
    assert again["took"] <= AGAIN_MS
