// The rules of Extraction in our own words, by the numbers that the table uses.

import { byId, h } from "../../elements/dom.js";
import { addSheet, createSheetFor } from "../../elements/sheet.js";

const COSTS = "Road: wood, brick. Settlement: wood, brick, wool, grain. City: 3 ore, 2 grain, on a settlement of yours. Development card: wool, grain, ore.";
const RULES = [
  ["1.1", "Map, cards and pieces", `Nineteen hexes: wood, grain, wool (four each), brick, ore (three each), one desert. Nineteen cards of each resource in the bank, 25 development cards, 19 number discs. Each player has 5 settlements, 4 cities, 15 roads. ${COSTS}`],
  ["1.2", "Points", "Settlement 1, city 2, Longest Route 2, Largest Army 2, a victory point card 1, shown at the end."],
  ["1.3", "Setting up", "The highest throw begins. Everybody places a settlement and a road beside it, then once more in the reverse order. Each takes one card for every resource hex at one of the two settlements. Only then the number discs: one each in turn, on any resource hex without one. Each hex gets a token for every dot of its disc."],
  ["1.4", "Your turn", "Throw the dice. Each hex with that number and a building gives its owners one card a settlement, two a city, and loses one token. Without tokens it is used up: it is turned over, and its disc goes into the supply. If the bank cannot pay everybody a resource, nobody gets any; a single player gets what is left. On a seven you swap the disc of a hex with that of another, or with one of the supply. Then do whatever you like, as often as you like: build, buy, trade (three equal cards for one with the bank, or offers to others, four of yours open at a time), attack. Roads join your roads and buildings. Settlements touch a road of yours, two edges from others' buildings; one edge from your own if your road is between. Five continuous roads take the Longest Route, three knights the Largest Army. One development card a turn, not in the turn in which it was bought; a knight may be played before the throw and swaps two discs."],
  ["1.5", "Attacks", "Your road has to end at the building. Stake one card or more. Usually both throw two dice, and you need more: then your stake comes back, and a building of yours replaces theirs for free. If not, they get the stake. You can attack each building once a turn. A building with its owner's roads on all sides cannot be attacked. The table can choose other ways to attack; in the milder one you stake two cards or more, and have to throw two more."],
  ["1.6", "The end", "Who can do nothing at the start of a turn is out: no hex that could give, nothing to build or buy even by trades with the bank, no trade with the bank, no card to play, nothing to attack. Buildings stay, count, and can be attacked. The game ends when all are out; or when for some rounds no hex could give anything, or nothing happened; or when no hex can give and nobody did anything for a round, if nobody who is asked wants to play on. The most points win; a tie is shared. Who leaves gives all cards back."],
  ["1.8", "Board and phones", "Tap on the phone what you do. Lamps show what a hex gives, the brighter the more tokens it has. A board with sensors sees whether a hex lies with its resource up: turn over one that is used up before the next throw. If a hex moves that nobody mentioned, the board asks. Your cards are only on your phone."],
];

/** @type {import("../../scene/games.js").Lookup} */
export const lookup = {
  search: () => open(""),
  clause: (id) => open(id),
  card: () => open("1.4"),
  gist: (id) => Promise.resolve(RULES.find(([known]) => known === id)?.[2].split(". ")[0] ?? ""),
};

/** Make the sheet. */
export function createReference() {
  addSheet({ name: "extraction-reference", title: "How Extraction is played", close: "Close reference" }, h("div", { class: "sheet-body" },
    RULES.map(([id, title, words]) => h("section", { id: `extraction-${id}` }, h("h3", { tabindex: "-1" }, `${id} · ${title}`), h("p", {}, words))),
    h("p", { class: "hint" }, "These are our words. Where the rules leave something open, we had to choose.")));
  createSheetFor("extraction-reference", () => {});
}

function open(id) {
  const sheet = /** @type {HTMLDialogElement} */ (byId("extraction-reference"));
  if (!sheet.open) sheet.showModal();
  if (id) document.getElementById(`extraction-${id}`)?.querySelector("h3")?.focus();
}
