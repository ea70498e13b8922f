// Extraction on the phone: the map with discs and tokens, roads and buildings at edges and corners. All that it does not take
// to draw them is in `extraction/rest.js`. See `Game` in `../scene/games.js`.

import { h } from "../elements/dom.js";
import { count, counted, privateView } from "../scene/model.js";
import { GOODS } from "./extraction/cards.js";
import { drawGround } from "./extraction/ground.js";
import { drawBuilding } from "./extraction/pieces.js";
import { drawScore } from "./extraction/score.js";

/** The bank, the bonus tiles, the discs that lie face up, and each player's stock. */
function facts(view) {
  const { bank, supply, holdings, seats, route, army, dice, fight, on_board: onBoard, note } = view.detail;
  const name = (seat) => view.seats.find((one) => one.seat === seat)?.name ?? "nobody";
  const lines = [`Bank: ${GOODS.map((good, i) => `${bank[i]} ${good}`).join(" · ")}`];
  if (document.body.classList.contains("tv")) { // The big screen has no tray with dice.
    if (dice.length) lines.push(`Dice: ${dice.join(" + ")}`);
    lines.push(`Longest Route: ${route ? name(route) : "nobody"} · Largest Army: ${army ? name(army) : "nobody"}`);
  }
  if (supply.length) lines.push(`Discs in the supply: ${supply.join(", ")}`);
  if (fight) lines.push(`${name(fight.by)} has staked ${count(fight.stake, "card")}${fight.thrown ? ` and thrown ${fight.thrown}` : ""}`);
  for (const [i, one] of holdings.entries()) {
    const [settlements, cities, roads] = one.stock;
    const left = [count(settlements, "settlement"), count(cities, "city", "cities"), count(roads, "road")].join(", ");
    lines.push(`${name(seats[i])}: route ${one.route} · ${count(one.knights, "knight")} · still has ${left}`);
  }
  if (!onBoard) lines.push(note);
  return lines;
}

const LANDS = ["wood", "grain", "brick", "wool", "ore"];
const DISCS = [8, 3, 10, 5, 11, 6, 4, 9];
const SIGNS = { points: "★", cards: "▮", "development cards": "◆" };

/** In the strip of seats: points, cards in hand, development cards, each by a sign. */
function counter(one) {
  return h("span", { class: "counter", role: "img", "aria-label": counted(one), title: counted(one) }, h("span", {}, SIGNS[one.label] ?? ""), String(one.count));
}

function score(view, store) {
  const mine = (privateView(store)?.hand ?? []).find((piece) => piece.name === "point")?.count ?? 0;
  return drawScore(view, store, view.detail.phase === "over" ? 0 : mine);
}

/** @type {import("../scene/games.js").Game} */
export default {
  title: "Extraction",
  style: "extraction.css",
  rest: "extraction/rest.js",
  facts,
  counter,
  score,
  lift: "turn it over",
  drawSpot: drawBuilding,
  asked: ({ detail }) => (detail.picked in detail.slots ? [detail.slots[detail.picked]] : []),
  drawPiece: drawGround,
  poster: (number) => ({ piece: { title: "", name: LANDS[number % LANDS.length], disc: DISCS[number % DISCS.length] } }),
};
