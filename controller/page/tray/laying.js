// A piece on its way to a slot: as it would lie there, and a slot that was tapped before its piece.

import { about } from "../scene/groups.js";
import { pieceById } from "../scene/seen.js";
import { atOnce, slotFirst } from "../scene/targets.js";
import { turnsOf } from "./options.js";

/** The piece in hand that would lie on the tapped slot, with the turns chosen so far. */
export function preview(live, ui) {
  const option = (live.slots.get(ui.slot) ?? []).find((one) => one.turns?.length);
  ui.preview = null;
  ui.shownTurns = 0;
  if (!option) return;
  ui.shownTurns = turnsOf(option, ui.turn);
  ui.preview = { piece: pieceById(option.tile) ?? { title: "This tile", unseen: true }, turns: ui.shownTurns };
}

/** What was chosen for a slot that was tapped first lies there as soon as it may: `act(option)` sends. */
export function createLaying(ui, act) {
  /** The slot that waits for a piece; null for none. */
  let slot = null;
  return {
    /** An option goes out: if it takes a piece in hand, the slot that was tapped before waits for it. */
    begin(option, store, live) {
      slot = about(option.group).lays ? slotFirst(store, live, ui) : null;
    },
    /** Whether a slot waits, and so stays chosen although something was answered. */
    get waits() {
      return slot !== null;
    },
    /** Look what may be done now. */
    see(live) {
      if (slot === null || live.options.some((option) => about(option.group).lays)) return;
      const there = live.slots.get(slot) ?? [];
      if (!there.length && ui.slot === slot) ui.slot = null; // It may not lie there: others are bright.
      slot = null;
      if (atOnce(there)) act(there[0]);
    },
  };
}
