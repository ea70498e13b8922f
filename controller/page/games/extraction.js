// Extraction on the phone: the map with discs and tokens, roads and buildings at edges and corners. See `Game` in `../games.js`.

import { button } from "../elements/dom.js";
import { count } from "../scene/model.js";
import { drawGround } from "./extraction/ground.js";
import { HOW_TO } from "./extraction/howto.js";
import { createOffer } from "./extraction/offer.js";
import { createReference, lookup } from "./extraction/reference.js";
import { createSetup } from "./extraction/setup.js";

const GOODS = ["wood", "brick", "wool", "grain", "ore"];

/** The bank, the bonus tiles, the discs that lie face up, and each player's stock. */
function facts(view) {
  const { bank, supply, holdings, seats, route, army, dice, fight, on_board: onBoard, note } = view.detail;
  const name = (seat) => view.seats.find((one) => one.seat === seat)?.name ?? "nobody";
  const lines = [`Bank: ${GOODS.map((good, i) => `${bank[i]} ${good}`).join(" · ")}`];
  if (dice.length) lines.push(`Dice: ${dice.join(" + ")}`);
  if (supply.length) lines.push(`Discs in the supply: ${supply.join(", ")}`);
  lines.push(`Longest Route: ${route ? name(route) : "nobody"} · Largest Army: ${army ? name(army) : "nobody"}`);
  if (fight) lines.push(`${name(fight.by)} has staked ${count(fight.stake, "card")}${fight.thrown ? ` and thrown ${fight.thrown}` : ""}`);
  for (const [i, one] of holdings.entries()) {
    const [settlements, cities, roads] = one.stock;
    const left = [count(settlements, "settlement"), count(cities, "city", "cities"), count(roads, "road")].join(", ");
    lines.push(`${name(seats[i])}: route ${one.route} · ${count(one.knights, "knight")} · still has ${left}`);
  }
  if (!onBoard) lines.push(note);
  return lines;
}

/** Shorter words for buttons that stand in a row. */
function label({ group, act }) {
  if (group === "number") return { label: String(act.disc) };
  if (group === "total") return { label: String(act.total) };
  return {};
}

/** All of them in sight, however many there are. */
function inRow(list, { one }) {
  return list.map(one);
}

/** One button for all offers: they are put together on a sheet. */
function offers() {
  return [button("Offer a trade…", undefined, { "data-open": "extraction-offer" })];
}

/** @type {import("../scene/games.js").Game} */
export default {
  title: "Extraction",
  style: "extraction.css",
  help: [
    "Settle where hexes meet, collect what they give, and have the most points when the land is used up.",
    "Your turn: throw the dice; hexes with that number give cards and lose a token. Then build, trade, attack, and end your turn.",
    "Tap a button, then a bright edge or corner of the map. Your cards are at the bottom; only you see them. Tap a development card to play it.",
    "On a seven you swap two number discs: tap a hex, then another one, or choose a disc of the supply.",
    "The open book tells all rules. So does a tap on a rule's number.",
  ],
  howTo: HOW_TO,
  groups: {
    roll: { order: 1, primary: true },
    total: { order: 1, primary: true, draw: inRow },
    settle: { order: 1, board: "only", once: true, hint: "Tap a bright corner to settle there." },
    place_road: { order: 1, board: "only", once: true, hint: "Tap a bright edge for your road." },
    collect: { order: 1, primary: true, once: true },
    number: { order: 1, primary: true, draw: inRow },
    disc: { order: 2, board: "only", once: true, hint: "Tap the hex where the disc goes." },
    pick: { order: 1, board: "only", once: true, hint: "Tap a hex whose disc you want to swap." },
    swap: { order: 2, board: "only", once: true, hint: "Tap the other hex, or choose a disc of the supply." },
    supply: { order: 3 },
    unpick: { order: 4 },
    settlement: { order: 2, board: "asked", once: true, label: "Build a settlement…", hint: "Tap a bright corner." },
    city: { order: 3, board: "asked", once: true, label: "Build a city…", hint: "Tap one of your settlements." },
    road: { order: 4, board: "asked", once: true, label: "Build a road…", hint: "Tap a bright edge." },
    buy: { order: 5 },
    attack: { order: 6, board: "asked", label: "Attack…", hint: "Tap the building that you attack, then choose your stake." },
    bank: { order: 7, label: "Trade with the bank…" },
    offer: { order: 8, draw: offers },
    withdraw: { order: 8 },
    done: { order: 9 },
    end: { order: 10, primary: true },
  },
  button: label,
  facts,
  asked: ({ detail }) => (detail.picked in detail.slots ? [detail.slots[detail.picked]] : []),
  drawPiece: drawGround,
  sheets: [
    { name: "extraction-setup", button: "How it is played here…", when: "start", make: createSetup },
    { name: "extraction-offer", make: createOffer },
    { name: "extraction-reference", make: createReference },
  ],
  lookup,
};
