// What the game asks of people's hands in passing: it is said once, and the board shows it for a while.

import { game } from "../scene/games.js";

const SHOWN_MS = 9000;
const marked = new Map();

/** Take what happened; `tell(words, clause, how)` says it, and `redraw()` is called when marks come or go. */
export function noteHands(event, tell, redraw) {
  const wants = game().hands?.[event.kind];
  if (wants === undefined) return;
  tell(event.text, event.clause, { more: true });
  if (!event.slot || !wants) return;
  clearTimeout(marked.get(event.slot)?.timer);
  const timer = setTimeout(() => {
    marked.delete(event.slot);
    redraw();
  }, SHOWN_MS);
  marked.set(event.slot, { wants, timer });
  redraw();
}

/** What is to be done with hands at a slot: "lift" what is there, "put" something there, or null. */
export function handledAt(slot) {
  return marked.get(slot)?.wants ?? null;
}

/** Another game: forget the marks. */
export function forgetHands() {
  for (const { timer } of marked.values()) clearTimeout(timer);
  marked.clear();
}
