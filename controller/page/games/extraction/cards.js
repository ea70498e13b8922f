// Resource cards as pictures, one for each card or one with its number, with their words for whoever does not see them.

import { h } from "../../elements/dom.js";
import { piecePicture } from "../../scene/pieces.js";

export const GOODS = ["wood", "brick", "wool", "grain", "ore"];
const MOST = 4;

/** "2 wood, 1 ore" for counts in the order of resources. */
export function inWords(counts) {
  return GOODS.flatMap((good, i) => (counts[i] ? [`${counts[i]} ${good}`] : [])).join(", ");
}

/** These cards in a row, as one picture that is called by its words, or by others; pale from the card on that `hand` lacks. */
export function cardsPicture(counts, { called = inWords(counts), hand = counts } = {}) {
  const some = (count, name, has) => (count > MOST
    ? [piecePicture({ name, count })]
    : Array.from({ length: count }, (_, at) => h("span", { class: at < has ? "good" : "good lacking" }, piecePicture({ name }))));
  return h("span", { class: "goods", role: "img", "aria-label": called }, GOODS.flatMap((good, i) => some(counts[i], good, hand[i])));
}

/** How many cards of each resource a view of our seat has in the hand; null without one. */
export function handOf(mine) {
  return mine && GOODS.map((good) => mine.hand.find((piece) => piece.name === good)?.count ?? 0);
}
