// Every piece that was shown to this phone: one that is being laid is neither in the hand nor on the board.

import { pieceAt, privateView, publicView } from "./model.js";

const seen = new Map();

/** Forget all: another game has other numbers. */
export function forgetPieces() {
  seen.clear();
}

/** Remember what the hand and the board show now. */
export function rememberPieces(store) {
  const pieces = [...(privateView(store)?.hand ?? []), ...(publicView(store)?.places ?? []).map((place) => place.piece)];
  for (const piece of pieces) if (piece) seen.set(piece.id, piece);
}

/** The piece with this number, if it was ever shown. */
export function pieceById(id) {
  return seen.get(id);
}

/**
 * The piece that an option is about, by its number or its slot; or null.
 * @param {Store} store
 * @param {Option} option
 */
export function pieceOf(store, option) {
  return seen.get(option.shows ?? option.tile) ?? (option.slot ? pieceAt(store, option.slot) : null);
}
