// The rules of Hextris in our own words, by the numbers that the table uses. The game is by David J. Bush.

import { byId, h } from "../../elements/dom.js";
import { addSheet, createSheetFor } from "../../elements/sheet.js";

const RULES = [
  ["2.1", "Board and pieces", "Nineteen cells: twelve round the rim, seven inside. Each player has five small, five medium and five large pieces of one colour, in sight of everybody. The board is empty at first. A player who leaves takes all their pieces along."],
  ["2.2", "Your turn", "Do one thing: drop a piece from your hand on an empty cell of the rim, slide one of your pieces in a straight line over empty cells (small one cell, medium up to two, large any number), or swap. You must do something if you can; if you cannot, the turn is lost. Five of one colour that are connected count for their owner and leave the board for good. No more than five may ever connect, of any colour: such a move is not allowed."],
  ["2.3", "Swapping", "Two pieces beside each other change places. Usually one of them is yours and the other anybody's, and your piece decides: large with medium, medium with small, small with large. Two of your own may swap if their sizes differ. There are five ways to play this rule; choose one before the game."],
  ["2.4", "The end", "Your third group of five wins; it stays on the board. A swap may complete a group for somebody else. If two have their third group at once, the one who moved wins. If nobody can move, it is a draw. When a position comes up for the third time, the table offers a draw; everybody has to agree. Anybody may offer one."],
  ["2.6", "Board and phones", "Tap on the phone what you do. A board with sensors sees whether a cell is taken or empty, but not by which piece. It waits until the board looks right, and asks if a piece moves that nobody mentioned. It cannot see a swap. Whoever moved last may ask to take it back, if the others agree."],
];

/** @type {import("../../scene/games.js").Lookup} */
export const lookup = {
  search: () => open(""),
  clause: (id) => open(id),
  card: () => open("2.1"),
  gist: (id) => Promise.resolve(RULES.find(([known]) => known === id)?.[2].split(". ")[0] ?? ""),
};

/** Make the sheet. */
export function createReference() {
  addSheet({ name: "hextris-reference", title: "How Hextris is played", close: "Close reference" }, h("div", { class: "sheet-body" },
    RULES.map(([id, title, words]) => h("section", { id: `hextris-${id}` }, h("h3", { tabindex: "-1" }, `${id} · ${title}`), h("p", {}, words))),
    h("p", { class: "hint" }, "Hextris is by David J. Bush (2005). These are our words; the original rules are in the Looney Pyramid Games Wiki.")));
  createSheetFor("hextris-reference", () => {});
}

function open(id) {
  const sheet = /** @type {HTMLDialogElement} */ (byId("hextris-reference"));
  if (!sheet.open) sheet.showModal();
  if (id) document.getElementById(`hextris-${id}`)?.querySelector("h3")?.focus();
}
