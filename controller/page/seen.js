// Every tile that was shown to this phone: one that is being laid is neither in the hand nor on the board.

import { privateView, slotOf } from "./model.js";

const seen = new Map();

/** Forget all: another game has other numbers. */
export function forgetTiles() {
  seen.clear();
}

/** Remember what the hand and the board show now. */
export function rememberTiles(store) {
  const tiles = [...(privateView(store)?.hand ?? []), ...(store.state?.view.slots ?? []).map((slot) => slot.tile)];
  for (const tile of tiles) if (tile) seen.set(tile.id, tile);
}

/** The tile with this number, if it was ever shown. */
export function tileById(id) {
  return seen.get(id);
}

/** The tile that lies on a slot, be it only a part of it. */
export function tileAt(store, name) {
  const slot = slotOf(store, name);
  return slot.tile ?? (slot.part_of ? slotOf(store, slot.part_of).tile : null);
}

/** The tile that an option is about, or null: by its number, by its slot, or an answer that is a tile's number. */
export function tileOf(store, option) {
  const id = option.tile ?? option.act.tile ?? numbered(option);
  const known = id === undefined ? null : seen.get(id);
  return known ?? (option.slot ? tileAt(store, option.slot) : null);
}

function numbered({ act }) {
  return act.do === "answer" && /^\d+$/.test(String(act.choice)) && typeof act.choice === "string" ? Number(act.choice) : undefined;
}
