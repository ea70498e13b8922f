// The table of points: a column for each thing that gives them, and their sum. What has just changed lights up; at the end the columns
// come one after the other, and the sums grow with them.

import { h, s, write } from "../../elements/dom.js";
import { mark } from "../../scene/marks.js";
import { CITY, HOUSE } from "./pieces.js";

const SOURCES = [
  ["settlements", HOUSE],
  ["cities", CITY],
  ["Longest Route", "M-11,6L-4,-4L3,3L10,-7"],
  ["Largest Army", "M-8,-8L8,8M8,-8L-8,8M-9,4L-4,9M9,4L4,9"],
  ["victory point cards", "M-6,-9H6V9H-6ZM0,-4V4M-3,0H3"],
];
const STEP_MS = 700;
let before = {};
let phase = "";
let endedAt = -Infinity;

/** Draw the table; `mine` are the points of our own cards that nobody else knows yet. */
export function drawScore(view, store, mine = 0) {
  const { seats, holdings } = view.detail;
  const now = Object.fromEntries(holdings.map((one, i) => [seats[i], [...one.sources, one.points]]));
  const changed = (seat, at) => Boolean(before[seat]) && before[seat][at] !== now[seat][at];
  const row = (seat) => h("tr", { "data-paint": seat.seat, class: view.winners.includes(seat.seat) ? "won" : undefined },
    h("th", { scope: "row" }, mark(store, seat.seat), h("span", {}, seat.name)),
    now[seat.seat].map((points, at) => h("td", { class: [at === SOURCES.length && "sum", changed(seat.seat, at) && "changed", !points && "none"].filter(Boolean).join(" ") || undefined }, String(points))));
  if (view.detail.phase === "over" && !["", "over"].includes(phase)) endedAt = performance.now();
  phase = view.detail.phase;
  const table = h("table", { class: "score" },
    h("caption", {}, "Points"),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Player"), SOURCES.map(([words, d]) => h("th", { scope: "col" }, sign(words, d))), h("th", { scope: "col" }, "sum"))),
    h("tbody", {}, view.seats.map(row)));
  before = now;
  if (phase === "over" && !matchMedia("(prefers-reduced-motion: reduce)").matches) addUp([...table.querySelectorAll("tbody tr")]);
  return h("section", { class: "score-box" }, table, mine ? h("p", { class: "hint" }, `And ${mine} in your hand that nobody sees yet.`) : null);
}

/** Bring in one column after the other, but those in which nobody has anything; a table that is drawn anew goes on where it was. */
function addUp(rows) {
  const cells = rows.map((row) => [...row.querySelectorAll("td")]);
  const points = cells.map((row) => row.slice(0, -1).map((cell) => Number(cell.textContent)));
  const columns = SOURCES.map((_source, at) => at).filter((at) => points.some((row) => row[at]));
  const show = (count) => {
    const seen = columns.slice(0, count);
    cells.forEach((row, i) => {
      columns.forEach((at) => row[at].classList.toggle("coming", !seen.includes(at)));
      write(row[SOURCES.length], String(seen.reduce((sum, at) => sum + points[i][at], 0)));
    });
  };
  const passed = Math.floor((performance.now() - endedAt) / STEP_MS);
  if (passed >= columns.length) return;
  show(passed);
  for (let count = passed + 1; count <= columns.length; count += 1) setTimeout(() => show(count), endedAt + count * STEP_MS - performance.now());
}

function sign(words, d) {
  return s("svg", { class: "score-sign", viewBox: "-13 -16 26 28", role: "img", "aria-label": words }, s("title", {}, words), s("path", { d }));
}
