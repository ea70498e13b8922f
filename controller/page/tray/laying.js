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
  let slot = null;
  return {
    /** An option goes out; returns what is to stay chosen although it is answered. */
    chosen(option, store, live) {
      slot = about(option.group).lays ? slotFirst(store, live, ui) : null;
      return slot ? { slot: null } : {};
    },
    /** Look what may be done now. */
    see(live) {
      const waits = slot === null || live.options.some((option) => about(option.group).lays);
      if (waits) return;
      const there = live.slots.get(slot) ?? [];
      if (!there.length && ui.slot === slot) ui.slot = null; // It may not lie there: others are bright.
      slot = null;
      if (atOnce(there)) act(there[0]);
    },
  };
}
