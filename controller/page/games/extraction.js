// Extraction on the phone: the map with discs and tokens, roads and buildings at edges and corners. See `Game` in `../games.js`.

import { button, h } from "../elements/dom.js";
import { amountsOf } from "../scene/amounts.js";
import { count, counted, privateView, publicView } from "../scene/model.js";
import { drawThrow } from "./extraction/dice.js";
import { drawGround } from "./extraction/ground.js";
import { GOODS } from "./extraction/cards.js";
import { HOW_TO } from "./extraction/howto.js";
import { createOffer, drawOffers, offerPicture, offersOf } from "./extraction/offer.js";
import { drawBuilding } from "./extraction/pieces.js";
import { createReference, lookup } from "./extraction/reference.js";
import { drawScore } from "./extraction/score.js";
import { createSetup } from "./extraction/setup.js";


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

/** What comes after a button that ends in …. */
const NEXT = {
  settlement: "Tap a bright corner for your settlement",
  city: "Tap the settlement that becomes a city",
  road: "Tap a bright edge for your road",
  attack: "Tap the building that you attack",
};

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

/** One button for all trades: they are put together on a sheet. */
function trades(list, { options }) {
  const second = list[0].group === "bank" && options.some((option) => option.group === "offer");
  return second ? [] : [button("Trade…", undefined, { "data-open": "extraction-offer" })];
}

const LANDS = ["wood", "grain", "brick", "wool", "ore"];
const DISCS = [8, 3, 10, 5, 11, 6, 4, 9];
/** What was told and is drawn as well. */
const DRAWN = new Set(["throw", "offer", "declined"]);
const SIGNS = { points: "★", cards: "▮", "development cards": "◆" };

/** In the strip of seats: points, cards in hand, development cards, each by a sign. */
function counter(one) {
  return h("span", { class: "counter", role: "img", "aria-label": counted(one), title: counted(one) }, h("span", {}, SIGNS[one.label] ?? ""), String(one.count));
}

/** Before questions: the dice with what they brought and, while a bot plays, a way on; what others did last; and the offers. */
function tray(store, live, { told, say }) {
  const view = publicView(store);
  if (!view || store.table?.phase === "lobby") return {};
  const theirs = store.table?.phase === "playing" && Boolean(store.seat) && view.acting !== store.seat;
  const bot = theirs && store.table.seats.some((one) => one.seat === view.acting && one.kind === "bot");
  const faster = bot ? button("Faster", () => say({ do: "hurry" }), { kind: "quiet" }) : null;
  return {
    before: [drawThrow(store, view, faster), theirs && told?.seat && !DRAWN.has(told.kind) ? h("p", { class: "done-last" }, told.text) : null, drawOffers(offersOf(store))],
  };
}

/** What to do next with what our seat has chosen: a button of the tray, then a place. */
function coach(store, live, ui) {
  if (live.prompt || store.table?.phase !== "playing") return "";
  const staked = live.options.find((option) => option.group === "attack" && option.slot === ui.slot);
  if (!staked) return live.options.some((option) => option.group === ui.group) ? NEXT[ui.group] ?? "" : "";
  const enough = amountsOf(staked, ui).reduce((all, one) => all + one, 0) >= (staked.fewest ?? 0);
  return enough ? `Tap “${staked.label}”` : "Which cards do you stake?";
}

/** The cards of the offer that a question is about. */
function asks(prompt, store) {
  const offer = publicView(store)?.detail.offers.find((one) => `offer-${one.number}` === prompt.id);
  return offer ? offerPicture(offer) : null;
}

function score(view, store) {
  const mine = (privateView(store)?.hand ?? []).find((piece) => piece.name === "point")?.count ?? 0;
  return drawScore(view, store, view.detail.phase === "over" ? 0 : mine);
}

/** @type {import("../scene/games.js").Game} */
export default {
  title: "Extraction",
  style: "extraction.css",
  help: [
    "Settle where hexes meet, and collect what they give. When the land is used up, the most points win.",
    "Your turn: throw the dice; hexes with that number give cards and lose a token. Then build, trade, attack, and end your turn.",
    "Tap a button, then a bright edge or corner of the map. Your cards are at the bottom; only you see them. Tap a development card to play it.",
    "On a seven you swap two number discs: tap a hex, then another one, or choose a disc of the supply.",
    "Beside each name: ★ points, ▮ cards in the hand, ◆ development cards.",
    "The open book tells all rules. So does a tap on a rule's number.",
  ],
  howTo: HOW_TO,
  groups: {
    roll: { order: 1, primary: true },
    total: { order: 1, primary: true, draw: inRow },
    settle: { order: 1, board: "only", once: true },
    place_road: { order: 1, board: "only", once: true },
    collect: { order: 1, primary: true, once: true },
    number: { order: 1, primary: true, draw: inRow },
    disc: { order: 2, board: "only", once: true },
    pick: { order: 1, board: "only", once: true },
    swap: { order: 2, board: "only", once: true },
    supply: { order: 3 },
    unpick: { order: 4 },
    settlement: { order: 2, board: "asked", once: true, label: "Build a settlement…" },
    city: { order: 3, board: "asked", once: true, label: "Build a city…" },
    road: { order: 4, board: "asked", once: true, label: "Build a road…" },
    buy: { order: 5 },
    attack: { order: 6, board: "asked", label: "Attack…" },
    bank: { order: 7, draw: trades },
    offer: { order: 8, draw: trades },
    withdraw: { order: 8 },
    done: { order: 9 },
    end: { order: 10, primary: true },
  },
  button: label,
  facts,
  counter,
  score,
  tray,
  tells: true,
  coach,
  asks,
  drawSpot: drawBuilding,
  sounds: { throw: "dice", road: "knock", settlement: "knock", city: "knock", taken: "knock" },
  asked: ({ detail }) => (detail.picked in detail.slots ? [detail.slots[detail.picked]] : []),
  drawPiece: drawGround,
  poster: (number) => ({ piece: { title: "", name: LANDS[number % LANDS.length], disc: DISCS[number % DISCS.length] } }),
  sheets: [
    { name: "extraction-setup", button: "House rules…", when: "start", make: createSetup },
    { name: "extraction-offer", make: createOffer },
    { name: "extraction-reference", make: createReference },
  ],
  lookup,
};
