// Hextris on the phone: a tap picks a piece, its targets glow here and on the board, a second tap moves it. See `Game` in `../games.js`.

import { HOW_TO } from "./hextris/howto.js";
import { createReference, lookup } from "./hextris/reference.js";
import { createSetup } from "./hextris/setup.js";
import { drawOver, drawPyramid, sizePicture } from "./hextris/pyramid.js";
import { h } from "../elements/dom.js";
import { counted } from "../scene/model.js";

const NAMES = { S: "Small", M: "Medium", L: "Large" };
const WORDS = { S: "small", M: "medium", L: "large" };
const PLIES = new Set(["drop", "slide", "swap"]);

/** Only the plies of what has been picked; before that, what may be picked. Where it can go, nothing else is picked. */
function ofPicked(options, store) {
  const { picked } = store.state?.view.detail ?? {};
  const plies = options.filter((option) => PLIES.has(option.group) && picked && concerns(option.act, picked));
  const taken = new Set(plies.map((option) => option.slot));
  return options.filter((option) => plies.includes(option) || (!PLIES.has(option.group) && !(option.group === "pick" && taken.has(option.slot))));
}

function concerns(act, picked) {
  if (act.do === "drop") return act.size === picked;
  return act.at === picked || (act.do === "swap" && act.to === picked);
}

/** How swaps are read, and how this board is used. */
function facts(view) {
  const { picked, reading, on_board: onBoard, note } = view.detail;
  const lines = [];
  if (reading !== "R0") lines.push(`Swaps: ${reading}`);
  if (picked) lines.push("A piece is picked");
  if (!onBoard) lines.push(note);
  return lines;
}

/** In the strip of seats: a hand by its shapes, and a bead for each group of the three. */
function counter(one) {
  const size = WORDS[one.label];
  if (size) return h("span", { class: "sized", role: "img", "aria-label": `${one.count} ${size}`, title: `${one.count} ${size}` }, sizePicture(size), String(one.count));
  return h("span", { class: "sized", role: "img", "aria-label": counted(one), title: counted(one) }, Array.from({ length: 3 }, (_, i) => h("span", { class: i < one.count ? "bead full" : "bead" })));
}

/** Where a piece may be drawn to: it slides to an empty cell, and swaps with a piece. */
function drags(options, from, view) {
  const { slots } = view.detail;
  return options.filter(({ group }) => group === "slide" || group === "swap").flatMap((option) => {
    const [at, to] = [slots[option.act.at], slots[option.act.to]];
    if (at === from) return [{ ...option, slot: to }];
    return to === from && option.group === "swap" ? [{ ...option, slot: at }] : [];
  });
}

/** What to do next, for the one whose turn it is. */
function coach(store, live) {
  const { picked } = store.state?.view.detail ?? {};
  const may = (group) => live.options.some((option) => option.group === group);
  if (store.table?.phase !== "playing" || live.prompt) return "";
  if (picked) return ["drop", "slide", "swap"].some(may) ? "Now tap a bright cell: your piece goes there." : "";
  if (may("hand") && may("pick")) return "Your turn: tap a size below, or one of your pieces on the board.";
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
    "A small piece slides one cell, a medium one two, a large one as far as it is free. More than five may never connect.",
    "Beside each name: a bead for each five, then the small (round), medium (square) and large (six sides) pieces in the hand.",
    "Drag a piece of yours to where it goes, or onto another piece to swap. Or tap it, or a size of your hand, and then a bright cell.",
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
  button: ({ group, act, label }) => (group === "hand" ? { label: [sizePicture(WORDS[act.size]), h("span", {}, `${NAMES[act.size]} (${label.match(/\d+/)?.[0] ?? ""})`)], kind: "primary sized" } : {}),
  facts,
  counter,
  drags,
  drawOver,
  coach,
  asked: ({ detail }) => (detail.picked in detail.slots ? [detail.slots[detail.picked]] : []),
  drawPiece: drawPyramid,
  poster: (number, { seats }) => ({ piece: { title: "", name: Object.values(WORDS)[number % 3], owner: seats[number % seats.length] } }),
  sheets: [
    { name: "hextris-setup", button: "How swaps work…", when: "start", make: createSetup },
    { name: "hextris-reference", make: createReference },
  ],
  lookup,
};
