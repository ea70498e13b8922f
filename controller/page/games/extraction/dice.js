// The two dice in the tray: they roll when they were thrown, unless the phone asks for less motion. Their room is always there.
// Beside them stands what they brought, and to whom.

import { h, s } from "../../elements/dom.js";
import { mark } from "../../scene/marks.js";
import { nameOf } from "../../scene/model.js";
import { cardsPicture, inWords } from "./cards.js";

const PIPS = [[], [[0, 0]], [[-1, -1], [1, 1]], [[-1, -1], [0, 0], [1, 1]], [[-1, -1], [1, -1], [-1, 1], [1, 1]], [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]], [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]]];
let shown = "";

/** Draw the last throw of a scene, and who got which cards by it; `more` stands at the end of the row. */
export function drawThrow(store, { detail, turn }, more = null) {
  const got = Object.entries(detail.gains);
  return h("div", { class: "throw" }, drawDice(detail.dice, turn), got.length ? h("ul", { class: "gains", "aria-label": "What the dice gave" },
    got.map(([seat, cards]) => h("li", { title: nameOf(store, seat) }, mark(store, seat), cardsPicture(cards, `${nameOf(store, seat)}: ${inWords(cards)}`)))) : null, more);
}

/** Draw what was thrown last; `turn` tells the same throw in two turns apart. Blank dice before the first. */
function drawDice(dice, turn) {
  const now = JSON.stringify([dice, turn]);
  const rolls = shown !== "" && now !== shown && dice.length > 0;
  shown = now;
  const words = dice.length ? `Dice: ${dice.join(" + ")}` : "Nobody has thrown yet";
  const sum = dice.reduce((all, one) => all + one, 0);
  return h("p", { class: rolls ? "dice rolls" : "dice", role: "img", "aria-label": words },
    (dice.length ? dice : [0, 0]).map(die), h("strong", {}, dice.length > 1 ? `= ${sum}` : ""));
}

function die(number) {
  return s("svg", { class: "die", viewBox: "-15 -15 30 30" }, s("rect", { x: -13.5, y: -13.5, width: 27, height: 27, rx: 6 }),
    (PIPS[number] ?? []).map(([x, y]) => s("circle", { cx: x * 7, cy: y * 7, r: 2.8 })),
    number > 6 ? s("text", { y: 5, "text-anchor": "middle" }, String(number)) : null);
}
