// What an effect asks of people's hands: the rules say it once, the board shows it for a while.

import { toast } from "./shell.js";

const SHOWN_MS = 9000;
const KINDS = new Set(["lift", "moved", "turned"]);
const marked = new Map();

/** Take what happened; `redraw()` is called when marks come or go. */
export function noteHands(event, redraw) {
  if (!KINDS.has(event.kind)) return;
  toast(event.text, event.clause, { more: true });
  if (!event.slot || event.kind === "turned") return;
  clearTimeout(marked.get(event.slot)?.timer);
  const timer = setTimeout(() => {
    marked.delete(event.slot);
    redraw();
  }, SHOWN_MS);
  marked.set(event.slot, { kind: event.kind, timer });
  redraw();
}

/** What is to be done with hands at a slot: "lift" its ball, a tile "moved" here, or null. */
export function handledAt(slot) {
  return marked.get(slot)?.kind ?? null;
}

/** Another game: forget the marks. */
export function forgetHands() {
  for (const { timer } of marked.values()) clearTimeout(timer);
  marked.clear();
}
