// The board that stands there first, and what it is drawn from: what everybody may see came with the page. Of its own
// because `start.js` draws it and `app.js` goes on with it.

import { createBoard } from "./board.js";
import { byId } from "../elements/dom.js";

/** @type {Record<"onSlot" | "onRamp" | "onZone", (name: string) => void>} */
const taps = { onSlot() {}, onRamp() {}, onZone() {} };

/** What everybody may see, as the gate put it into the HTML: {session, status, info, table, state}; empty without a gate. */
export const glance = JSON.parse(byId("glance").textContent.trim() || "{}");

/** The drawing of the board, see `createBoard`. */
export const board = createBoard(byId("board"), {
  onSlot: (name) => taps.onSlot(name),
  onRamp: (name) => taps.onRamp(name),
  onZone: (name) => taps.onZone(name),
});

/** From now on taps on the board go there: `{onSlot(name), onRamp(name), onZone(name)}`. */
export function tapped(given) {
  Object.assign(taps, given);
}
