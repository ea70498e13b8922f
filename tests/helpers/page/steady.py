"""How still a page stands while a game is played on it: all that shifts, and what goes away from under a finger."""

from typing import Any, NamedTuple

from helpers.stranger import Stranger

__all__ = ["ONLOOKER", "SIZES", "WATCH", "Stillness", "Thumb", "stillness"]

SIZES = {
    "small phone": {"width": 360, "height": 640},
    "phone": {"width": 390, "height": 844},
    "tablet": {"width": 820, "height": 1180},
    "desktop": {"width": 1440, "height": 900},
}
PRESS_MS = 120
"""So long a thumb is down for a tap."""

WATCH = """(() => {
  let still = null;
  let at = {};
  let under = null;
  let began = 0;
  let sat = "";
  const seated = () => document.querySelector("#seats .you") && document.body?.dataset.phase === "playing";
  const anew = () => {
    at = {};
    began = performance.now() + 200; // A game begins with a new board; from then on it stays.
    still = { shift: 0, worst: {}, board: 0, tray: 0, finger: [], presses: 0, frames: 0, moves: [] };
  };
  anew();

  /** A game counts from its beginning to its end; of one that somebody else began nothing is kept. */
  function follow() {
    const now = document.querySelector("#seats .you") ? document.body.dataset.phase : "";
    if (now === sat) return;
    if (now === "playing") anew();
    if (sat === "playing" && now === "over" && still.whole) globalThis.still ??= still;
    still.whole ||= now === "playing" && sat !== "";
    sat = now;
  }
  const boxOf = (node) => {
    const box = node?.getClientRects().length ? node.getBoundingClientRect() : null;
    return box && [box.x + scrollX, box.y + scrollY, box.width, box.height];
  };
  const apart = (one, other) => one.some((value, i) => Math.abs(value - other[i]) > 1);
  const name = (node) => node ? node.id || node.className?.baseVal || node.className || node.nodeName : "gone";

  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (!seated() || entry.startTime < began) continue;
      still.shift += entry.value;
      for (const { node } of entry.sources) still.worst[name(node)] = (still.worst[name(node)] ?? 0) + entry.value;
    }
  }).observe({ type: "layout-shift", buffered: true });

  function look() {
    requestAnimationFrame(look);
    if (!document.body) return;
    follow();
    if (under) {
      const now = under.node.isConnected ? under.node.getBoundingClientRect() : null;
      if (!now || apart([now.x, now.y], under.box)) {
        still.finger.push(under.name);
        under = null;
      }
    }
    if (!seated() || performance.now() < began) return;
    still.frames += 1;
    for (const part of ["board", "tray"]) {
      const box = boxOf(document.getElementById(part));
      if (box && at[part] && apart(box, at[part])) {
        still[part] += 1;
        still.moves.push([part, at[part].map(Math.round).join(" "), box.map(Math.round).join(" ")].join(": "));
      }
      if (box) at[part] = box;
    }
  }
  requestAnimationFrame(look);

  addEventListener("pointerdown", (event) => {
    const node = event.target.closest?.("button, summary, input, a, .slot, .ramp, .zone, .spot");
    if (!node) return;
    const box = node.getBoundingClientRect();
    still.presses += 1;
    under = { node, box: [box.x, box.y], name: name(node) };
  }, true);
  for (const kind of ["pointerup", "pointercancel"]) addEventListener(kind, () => (under = null), true);
})()"""
"""Of the first game that this phone has a seat in from beginning to end: layout shifts, those after a tap as well, summed up;
how often the boxes of board and tray change; and presses whose target moved or went before the finger did."""

ONLOOKER = """(() => {
  const seen = { shift: 0, worst: {}, ends: 0, begun: 0 };
  globalThis.seen = seen;
  const name = (node) => node ? node.id || node.className?.baseVal || node.className || node.nodeName : "gone";
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      seen.shift += entry.value;
      for (const { node } of entry.sources) seen.worst[name(node)] = (seen.worst[name(node)] ?? 0) + entry.value;
    }
  }).observe({ type: "layout-shift", buffered: true });
  let phase = "";
  const look = () => {
    requestAnimationFrame(look);
    const now = document.body?.dataset.phase ?? "";
    if (now === phase) return;
    if (now === "over") seen.ends += 1;
    if (now === "playing" && seen.ends) seen.begun += 1;
    phase = now;
  };
  requestAnimationFrame(look);
})()"""
"""Of somebody who never sits down, from the first picture on: all layout shifts summed up, and how many games have ended and
begun meanwhile."""


class Stillness(NamedTuple):
    """What ``WATCH`` has counted: ``shift`` without unit, as CLS; the rest in times."""

    shift: float
    board: int
    tray: int
    finger: int
    presses: int
    frames: int
    why: str
    """What shifted most, and where to."""

    @property
    def words(self) -> str:
        """What was counted, for people."""
        return (
            f"shifts {self.shift:.3f}, board {self.board} times, tray {self.tray} times, under a finger {self.finger}"
            f" of {self.presses} presses, in {self.frames} frames ({self.why or 'nothing moved'})"
        )


def stillness(page: Any) -> Stillness:
    """Return how still a page that ran ``WATCH`` has been."""
    found = page.evaluate("() => still")
    worst = sorted(found["worst"].items(), key=lambda one: -one[1])[:6]
    words = [f"{name} {shift:.3f}" for name, shift in worst]
    return Stillness(
        found["shift"],
        found["board"],
        found["tray"],
        len(found["finger"]),
        found["presses"],
        found["frames"],
        "; ".join([*words, *found["moves"][:4], *map(str, found["finger"][:4])]),
    )


class Thumb(Stranger):
    """A stranger whose thumb stays down for as long as people's do."""

    def _tap(self, seen):
        self.page.mouse.move(*seen["point"])
        self.page.mouse.down()
        self.page.wait_for_timeout(PRESS_MS)
        self.page.mouse.up()
