// How Hex'el is played here, in our own words, by the numbers that the table uses. The game is by Michael Corry.

import { byId, h } from "../../elements/dom.js";
import { addSheet, createSheetFor } from "../../elements/sheet.js";

const RULES = [
  ["3.1", "Cards and chips", "Each card has six symbols, one at each edge, of one kind or two. Everybody has chips in a stock. What you put aside for a game is your hedge. A player who leaves throws the hand away, and the hedge stays for whoever wins."],
  ["3.2", "Decks", "There are 39 cards that differ by more than a turn. The usual deck of 46 has seven of them twice, so that each symbol is there equally often. The table may choose a smaller one, or bring its own."],
  ["3.3", "The opening line", "The dealer shuffles and lays three cards in a line. Touching symbols are equal, and nobody can win with the first card. The dealer may lay the three in another way that is as good."],
  ["3.4", "A round", "Everybody gets three cards and lays them one by one, turn by turn, beginning with the dealer."],
  ["3.4.1", "Dealing", "Three cards each, for every round. Only you see yours."],
  ["3.4.2", "The stake", "The dealer says once for the whole game what a missing edge costs."],
  ["3.4.3", "Hedging", "Clockwise from the dealer's left, openly: move chips from your stock to your hedge, a multiple of the stake or nothing. Before each later round you may add more."],
  ["3.4.4", "Laying a card", "Lay it on an empty cell beside others, turned as you like. Every edge that touches must show the same symbol. What counts is how many touch: Hexba is one, Hexel two, Hexla three, Hexven four. If you can lay a card, you must."],
  ["3.4.5", "Hoxla", "Where three cards meet there are three edges. If all of them show one symbol, whoever laid the last of the three wins at once, whatever the card would have cost."],
  ["3.4.6", "Insurance", "If you match fewer edges than the player before you, your hedge pays the stake for each missing one into that player's stock. The first card of a round costs nothing."],
  ["3.4.7", "Out", "You may not lay what your hedge cannot pay for, and your stock never pays. If there is nothing you can pay for, you are out: the rest of your hedge goes to the player before you. If no card of yours fits anywhere, that counts as no edge: pay, and throw a card away."],
  ["3.4.8", "The next round", "When all have laid three cards, three new ones are dealt, and the cards on the table stay."],
  ["3.5", "The end", "A Hoxla takes all hedges. So does the last player still in. If the deck is too short for another round, or the field is full, whoever laid the last card takes them. Alone you play without chips: a Hoxla wins, and otherwise the cards you laid are your score."],
  ["3.6", "Board and phones", "You lay cards on the phone. A board with sensors sees that a cell is taken, but not by which card. It waits until the board looks right, and asks if a card moves that nobody mentioned. Show a card to everybody, and the board's lamps tell where it fits."],
];

/** @type {import("../../scene/games.js").Lookup} */
export const lookup = {
  search: () => open(""),
  clause: (id) => open(id),
  card: () => open("3.1"),
  gist: (id) => Promise.resolve(RULES.find(([known]) => known === id)?.[2].split(". ")[0] ?? ""),
};

/** Make the sheet. */
export function createReference() {
  addSheet({ name: "hexel-reference", title: "How Hex'el is played", close: "Close reference" }, h("div", { class: "sheet-body" },
    RULES.map(([id, title, words]) => h("section", { "data-rule": id }, h("h3", { tabindex: "-1" }, `${id} · ${title}`), h("p", {}, words))),
    h("p", { class: "hint" }, "Hex'el is by Michael Corry, with Brian H. Wilson, Cole Thronhill, Adrian Berger and Rick Scott (CC BY-NC-ND). These are our words and drawings; their rules are at www.gamesofthegalaxy.com/hexelqr.")));
  createSheetFor("hexel-reference", () => {});
}

function open(id) {
  const sheet = /** @type {HTMLDialogElement} */ (byId("hexel-reference"));
  if (!sheet.open) sheet.showModal();
  if (id) sheet.querySelector(`[data-rule="${CSS.escape(id)}"] h3`)?.focus();
}
