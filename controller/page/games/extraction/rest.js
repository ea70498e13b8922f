// What Extraction has beside its map: its words, groups of options, dice and offers, and its sheets.

import { button, h } from "../../elements/dom.js";
import { amountsOf } from "../../scene/amounts.js";
import { nameOf, privateView, publicView } from "../../scene/model.js";
import { GOODS, cardsPicture, handOf } from "./cards.js";
import { costPicture, createCosts } from "./costs.js";
import { drawThrow } from "./dice.js";
import { discsOfSupply, discsToLay } from "./discs.js";
import { HOW_TO } from "./howto.js";
import { pictured } from "./inline.js";
import { askedPicture, createOffer, drawOffers, offersOf, terms } from "./offer.js";
import { createReference, lookup } from "./reference.js";
import { drawPlacing, placing } from "./placing.js";
import { createSetup } from "./setup.js";

/** What comes after a button that ends in …. */
const NEXT = {
  settlement: "Tap a bright corner for your settlement",
  city: "Tap the settlement that becomes a city",
  road: "Tap a bright edge for your road",
  attack: "Tap the building that you attack",
};

/** Shorter words for buttons that stand in a row; what a card brings is drawn. */
function label({ group, act, label: called }) {
  if (group === "total") return { label: String(act.total) };
  if (group === "buy") return { label: "Buy a card" };
  const brings = act.take ?? (act.resource ? { [act.resource]: 1 } : null);
  return brings ? { kind: "plain brings", label: [cardsPicture(GOODS.map((good) => brings[good] ?? 0), { called })] } : {};
}

/** All of them in sight, however many there are. */
function inRow(list, { one }) {
  return list.map(one);
}

/** The button that opens a way to build, with what it costs. */
function priced(list, { open, toggle, store }) {
  const node = toggle();
  if (!open) node.append(costPicture(list[0].group, handOf(privateView(store))));
  return [node];
}

/** A development card is bought at once. */
function buying(list, { one, store }) {
  const node = one(list[0]);
  node.append(costPicture("buy", handOf(privateView(store))));
  return [node];
}

/** Where only one building can be attacked, the button means that one; its stake is put together under its name. */
function attacks(list, { open, toggle, choose }) {
  return [open || list.length > 1 ? toggle() : button("Attack…", () => choose({ group: "attack", slot: list[0].slot }))];
}

/** One button for all trades: they are put together on a sheet. */
function trades(list, { options }) {
  const second = list[0].group === "bank" && options.some((option) => option.group === "offer");
  return second ? [] : [button("Trade…", undefined, { "data-open": "extraction-offer" })];
}

/** What was told and is drawn as well. */
const DRAWN = new Set(["throw", "offer", "declined"]);
/** Before questions: the dice with what they brought and, while a bot plays, a way on; what others did last; and the offers. */
function tray(store, live, { told, say }) {
  const view = publicView(store);
  if (!view || store.table?.phase === "lobby") return {};
  const theirs = store.table?.phase === "playing" && Boolean(store.seat) && view.acting !== store.seat;
  const bot = theirs && store.table.seats.some((one) => one.seat === view.acting && one.kind === "bot");
  const ways = h("span", { class: "throw-ways" }, button("Costs", undefined, { kind: "quiet", "data-open": "extraction-costs" }), bot ? button("Faster", () => say({ do: "hurry" }), { kind: "quiet" }) : null);
  return {
    before: [drawThrow(store, view, ways), (theirs || told?.kind === "trade") && told?.seat && !DRAWN.has(told.kind) ? h("p", { class: "done-last" }, told.text) : null, drawOffers(offersOf(store))],
  };
}

/** What to do next with what our seat has chosen: a button of the tray, then a place. */
function coach(store, live, ui) {
  if (live.prompt || store.table?.phase !== "playing") return "";
  const builds = ui.sure ? "" : placing(live.options, ui.slot);
  if (builds) return builds;
  const staked = live.options.find((option) => option.group === "attack" && option.slot === ui.slot);
  if (!staked) return live.options.some((option) => option.group === ui.group) ? NEXT[ui.group] ?? "" : "";
  const enough = amountsOf(staked, ui).reduce((all, one) => all + one, 0) >= (staked.fewest ?? 0);
  return enough ? `Tap “${staked.label}”` : "Which cards do you stake?";
}

/** An offer's cards are drawn below the question, so that it need not name them. */
function prompt(asked, store) {
  const offer = asked.kind === "offer" ? offerOf(asked, store) : null;
  return offer ? { ...asked, text: `${nameOf(store, offer.by)} offers you a trade.` } : asked;
}

function offerOf({ id }, store) {
  return publicView(store)?.detail.offers.find((one) => `offer-${one.number}` === id);
}

/** The cards of the offer that a question is about, and a way to ask for others. */
function asks(asked, store) {
  const [offer, mine] = [offerOf(asked, store), privateView(store)];
  if (!offer) return null;
  const counters = Boolean(mine?.options.some((option) => option.group === "offer"));
  return [askedPicture(offer, handOf(mine) ?? offer.want), counters ? button("Offer something else…", () => terms(offer, asked), { "data-open": "extraction-offer" }) : null];
}

/** @type {import("../../scene/games.js").Game} */
export default {
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
    settle: { order: 1, board: "only", pick: drawPlacing },
    place_road: { order: 1, board: "only", pick: drawPlacing },
    collect: { order: 1, primary: true, once: true },
    number: { order: 1, draw: discsToLay },
    deal: { order: 3, primary: true },
    by_chance: { order: 9, sure: "Chance does all that is left of your set-up, each time it is your turn. There is no way back.", really: "Leave it to chance" },
    disc: { order: 2, board: "only", once: true },
    pick: { order: 1, board: "only", once: true },
    swap: { order: 2, board: "only", once: true },
    supply: { order: 3, draw: discsOfSupply },
    unpick: { order: 4 },
    settlement: { order: 2, board: "asked", label: "Settlement…", draw: priced, pick: drawPlacing },
    city: { order: 3, board: "asked", label: "City…", draw: priced, pick: drawPlacing },
    road: { order: 4, board: "asked", label: "Road…", draw: priced, pick: drawPlacing },
    buy: { order: 5, draw: buying },
    attack: { order: 6, board: "asked", label: "Attack…", draw: attacks },
    bank: { order: 7, draw: trades },
    offer: { order: 8, draw: trades },
    withdraw: { order: 8 },
    done: { order: 9 },
    end: { order: 10, primary: true },
  },
  button: label,
  tray,
  tells: true,
  coach,
  prompt,
  asks,
  pictured,
  sounds: { throw: "dice", road: "knock", settlement: "knock", city: "knock", taken: "knock" },
  sheets: [
    { name: "extraction-setup", button: "House rules…", when: "start", make: createSetup },
    { name: "extraction-offer", make: createOffer },
    { name: "extraction-costs", make: createCosts },
    { name: "extraction-reference", make: createReference },
  ],
  lookup,
};
