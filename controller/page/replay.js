// The last roll, kept by this phone from the snapshots it saw, and shown again on demand.

import { button, byId, h } from "./dom.js";
import { count, publicView, nameOf } from "./model.js";

const LOST = /^Where did the ball go|did the ball/i;

/** Wire up the strip under the board; `show(roll, told)` draws on the board. Returns `update(store)`. */
export function createReplay(show) {
  const strip = byId("replay");
  let last = null;
  let open = null;
  let seats = null;
  let ramp = null;

  function close() {
    show(null);
    strip.replaceChildren();
    strip.hidden = true;
  }

  function start() {
    strip.hidden = false;
    const says = h("p", { class: "replay-says", role: "status" });
    const title = last ? `${nameOf(seats, last.roller)} rolled${last.unsure ? " (dashed: not sure)" : ""}` : "No roll was seen on this phone yet.";
    strip.replaceChildren(
      h("h2", {}, title),
      says,
      h("div", { class: "buttons" }, last ? button("Again", start) : null, button("Close", close, { kind: "quiet" })),
    );
    if (!last) return;
    show(last, (ball, slot, touches, unsure) => (says.textContent = `Ball ${ball.ball}: ${slot}, ${count(touches, "touch", "touches")}${unsure ? ", not sure" : ""}`));
    byId("board").scrollIntoView({ block: "nearest" });
  }

  document.addEventListener("click", (event) => {
    if (event.target instanceof Element && event.target.closest('[data-open="replay"]')) start();
  });
  return function update(store) {
    seats = store;
    const view = publicView(store);
    if (!view) return;
    ramp = view.ramps.find((one) => one.open)?.ramp ?? ramp;
    if (open && (open.game !== store.state.game || (!view.roller && open.balls.length))) open = null;
    if (!view.roller) return void (byId("replay-open").hidden = !last);
    open = follow(open, store, view, ramp);
    if (open.balls.length) last = open;
    byId("replay-open").hidden = !last;
  };
}

/** The roll so far: its balls with their ways. Another roller, or a shorter way, is another roll. */
function follow(open, store, view, ramp) {
  const balls = view.balls.filter((ball) => ball.trail?.length);
  const fresh = !open || open.roller !== view.roller || open.turn !== view.turn;
  const asked = (view.asked ?? []).some(([, text]) => LOST.test(text));
  const before = new Map((fresh ? [] : open.balls).map((ball) => [ball.ball, ball]));
  for (const ball of balls) {
    const doubtful = before.get(ball.ball)?.doubtful || (asked && Boolean(ball.moving)) || ball.doubtful;
    before.set(ball.ball, { ball: ball.ball, trail: ball.trail, place: ball.place, ramp: before.get(ball.ball)?.ramp ?? ramp, doubtful });
  }
  const kept = [...before.values()];
  return { game: store.state.game, roller: view.roller, turn: view.turn, balls: kept, unsure: kept.some((ball) => ball.doubtful) };
}
