// The table of points: a column for each thing that gives them, and their sum. What has just changed lights up.

import { h, s } from "../../elements/dom.js";
import { mark } from "../../scene/marks.js";
import { CITY, HOUSE } from "./pieces.js";

const SOURCES = [
  ["settlements", HOUSE],
  ["cities", CITY],
  ["Longest Route", "M-11,6L-4,-4L3,3L10,-7"],
  ["Largest Army", "M-8,-8L8,8M8,-8L-8,8M-9,4L-4,9M9,4L4,9"],
  ["victory point cards", "M-6,-9H6V9H-6ZM0,-4V4M-3,0H3"],
];
let before = {};

/** Draw the table; `mine` are the points of our own cards that nobody else knows yet. */
export function drawScore(view, store, mine = 0) {
  const { seats, holdings } = view.detail;
  const now = Object.fromEntries(holdings.map((one, i) => [seats[i], [...one.sources, one.points]]));
  const changed = (seat, at) => Boolean(before[seat]) && before[seat][at] !== now[seat][at];
  const row = (seat) => h("tr", { "data-paint": seat.seat },
    h("th", { scope: "row" }, mark(store, seat.seat), h("span", {}, seat.name)),
    now[seat.seat].map((points, at) => h("td", { class: [at === SOURCES.length && "sum", changed(seat.seat, at) && "changed", !points && "none"].filter(Boolean).join(" ") || undefined }, String(points))));
  const table = h("table", { class: "score" },
    h("caption", {}, "Points"),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Player"), SOURCES.map(([words, d]) => h("th", { scope: "col" }, sign(words, d))), h("th", { scope: "col" }, "sum"))),
    h("tbody", {}, view.seats.map(row)));
  before = now;
  return h("section", { class: "score-box" }, table, mine ? h("p", { class: "hint" }, `And ${mine} in your hand that nobody sees yet.`) : null);
}

function sign(words, d) {
  return s("svg", { class: "score-sign", viewBox: "-13 -16 26 28", role: "img", "aria-label": words }, s("title", {}, words), s("path", { d }));
}
