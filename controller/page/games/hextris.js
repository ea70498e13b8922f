// Hextris on the phone: a tap picks a piece, its targets glow here and on the board, a second tap moves it. See `Game` in `../games.js`.

import { HOW_TO } from "./hextris/howto.js";
import { createReference, lookup } from "./hextris/reference.js";
import { createSetup } from "./hextris/setup.js";
import { drawPyramid } from "./hextris/pyramid.js";

const SIZES = ["small", "medium", "large"];
const NAMES = { S: "Small", M: "Medium", L: "Large" };
const PLIES = new Set(["drop", "slide", "swap"]);

/** Only the plies of what has been picked; before that, what may be picked. */
function ofPicked(options, store) {
  const { picked } = store.state?.view.detail ?? {};
  return options.filter((option) => !PLIES.has(option.group) || (picked && concerns(option.act, picked)));
}

function concerns(act, picked) {
  if (act.do === "drop") return act.size === picked;
  return act.at === picked || (act.do === "swap" && act.to === picked);
}

/** One line for each player: groups at home, and the hand. */
function facts(view) {
  const { position, seats, picked, reading, on_board: onBoard, note } = view.detail;
  const lines = view.seats.filter((one) => !one.out).map((one) => {
    const number = seats.indexOf(one.seat);
    const hand = SIZES.map((size, i) => `${position.hands[number][i]} ${size.charAt(0).toUpperCase()}`).join(" ");
    return `${one.name}: ${position.home[number]} of 3 groups · ${hand}`;
  });
  if (reading !== "R0") lines.push(`Swaps: ${reading}`);
  if (picked) lines.push("A piece is picked");
  if (!onBoard) lines.push(note);
  return lines;
}

/** What to do next, for the one whose turn it is. */
function coach(store, live) {
  const { picked } = store.state?.view.detail ?? {};
  const may = (group) => live.options.some((option) => option.group === group);
  if (store.table?.phase !== "playing" || live.prompt) return "";
  if (picked) return ["drop", "slide", "swap"].some(may) ? "Now tap a bright cell: your piece goes there." : "";
  if (may("hand") && may("pick")) return "Your turn: tap a size below to drop a new piece, or one of your pieces on the board.";
  if (may("hand")) return "Your turn: tap a size below to drop a new piece.";
  return may("pick") ? "Your turn: tap one of your bright pieces on the board." : "";
}

/** @type {import("../scene/games.js").Game} */
export default {
  title: "Hextris",
  style: "hextris.css",
  help: [
    "Connect five of your pieces, three times. Each five leaves the board; the third one wins.",
    "Your turn: drop a piece on the rim, slide one of yours, or swap two beside each other.",
    "Small slides one cell, medium two, large as far as it is free. More than five may never connect.",
    "Tap a piece of yours, or choose a size of your hand; then tap where it goes. Bright cells are possible.",
    "The open book tells all rules. So does a tap on a rule's number.",
  ],
  howTo: HOW_TO,
  groups: {
    hand: { order: 1, primary: true },
    pick: { order: 2, board: "only", once: true, hint: "Choose a size of your hand, or tap a piece of yours." },
    drop: { order: 3, board: "only", once: true, hint: "Tap where it goes." },
    slide: { order: 3, board: "only", once: true, hint: "Tap where it goes." },
    swap: { order: 3, board: "only", once: true, hint: "Tap where it goes." },
    unpick: { order: 4 },
    draw: { order: 20, part: "ask", sure: "If everybody agrees, the game ends and nobody wins.", really: "Offer it" },
    take_back: { order: 21, part: "ask" },
  },
  options: ofPicked,
  button: ({ group, act, label }) => (group === "hand" ? { label: `${NAMES[act.size]} (${label.match(/\d+/)?.[0] ?? ""})` } : {}),
  facts,
  coach,
  asked: ({ detail }) => (detail.picked in detail.slots ? [detail.slots[detail.picked]] : []),
  drawPiece: drawPyramid,
  sheets: [
    { name: "hextris-setup", button: "How swaps are read…", when: "start", make: createSetup },
    { name: "hextris-reference", make: createReference },
  ],
  lookup,
};
