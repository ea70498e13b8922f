// What a road, a settlement, a city and a development card cost: a sheet that is one tap away, and small cards on the buttons that build.

import { byId, h, memo, put, s } from "../../elements/dom.js";
import { addSheet, createSheetFor } from "../../elements/sheet.js";
import { privateView, publicView } from "../../scene/model.js";
import { piecePicture } from "../../scene/pieces.js";
import { cardsPicture, handOf, inWords } from "./cards.js";
import { CITY, HOUSE } from "./pieces.js";

/** What each group of options costs, in the order of resources. */
export const COSTS = { road: [1, 1, 0, 0, 0], settlement: [1, 1, 1, 1, 0], city: [0, 0, 0, 2, 3], buy: [0, 0, 1, 1, 1] };
const drawn = (d) => s("svg", { class: "cost-piece", viewBox: "-14 -16 28 28", "aria-hidden": "true" }, s("path", { d }));
/**
 * The group, what it is called, its picture, what it is worth, and where in a player's stock it is counted.
 * @type {[string, string, () => any, string, number][]}
 */
const ROWS = [
  ["road", "Road", () => drawn("M-12,-3.4H12V3.4H-12Z"), "leads to new corners", 2],
  ["settlement", "Settlement", () => drawn(HOUSE), "1 point, one card a throw", 0],
  ["city", "City", () => drawn(CITY), "2 points, two cards a throw", 1],
  ["buy", "Development card", () => piecePicture({ name: "knight" }), "a knight, a point, or a surprise", -1],
];

/** What a group costs, in cards; pale is what our hand lacks. */
export function costPicture(group, hand) {
  return cardsPicture(COSTS[group], { hand: hand ?? COSTS[group] });
}

/** Make the sheet. */
export function createCosts() {
  addSheet({ name: "extraction-costs", title: "What things cost", close: "Close the costs" }, h("div", { class: "sheet-body" }, h("ul", { id: "extraction-costs-list" })));
  createSheetFor("extraction-costs", () => {});
  const draw = memo((hand, stock, deck) => put(byId("extraction-costs-list"), ...ROWS.map((one) => row(one, hand, stock, deck))));
  return (store) => {
    const view = publicView(store);
    if (view?.kind !== "extraction") return;
    const at = view.detail.seats.indexOf(store.seat);
    draw(handOf(privateView(store)), view.detail.holdings[at]?.stock ?? null, view.detail.deck);
  };
}

function row([group, title, picture, gives, at], hand, stock, deck) {
  const left = at < 0 ? deck : stock?.[at] ?? null;
  const missing = hand ? COSTS[group].map((cost, i) => Math.max(0, cost - hand[i])) : [];
  const poor = missing.some(Boolean) || left === 0;
  return h("li", { class: poor ? "cost poor" : "cost" }, picture(),
    h("div", { class: "cost-words" }, h("strong", {}, title), h("span", { class: "hint" }, gives),
      left === null ? null : h("span", { class: "hint" }, left ? `${left} left` : "none left")),
    h("div", { class: "cost-cards" }, costPicture(group, hand), hand && left !== 0 ? h("span", { class: "hint" }, poor ? `You lack ${inWords(missing)}` : "You can pay that") : null));
}
