// Resource cards as pictures, one for each card or one with its number, with their words for whoever does not see them.

import { h } from "../../elements/dom.js";
import { piecePicture } from "../../scene/pieces.js";

export const GOODS = ["wood", "brick", "wool", "grain", "ore"];
const MOST = 4;

/** "2 wood, 1 ore" for counts in the order of resources. */
export function inWords(counts) {
  return GOODS.flatMap((good, i) => (counts[i] ? [`${counts[i]} ${good}`] : [])).join(", ");
}

/** These cards in a row, as one picture that is called by its words, or by others. */
export function cardsPicture(counts, called = inWords(counts)) {
  const some = (count, name) => (count > MOST ? [piecePicture({ name, count })] : Array.from({ length: count }, () => piecePicture({ name })));
  return h("span", { class: "goods", role: "img", "aria-label": called }, GOODS.flatMap((good, i) => some(counts[i], good)));
}
