// Hex'el on the phone: a tap picks a card of the hand, its cells are bright, a second tap turns it, a button lays it. See `Game` in `../games.js`.

import { h } from "../elements/dom.js";
import { counted } from "../scene/model.js";
import { drawCard, pictured, symbolsOf } from "./hexel/card.js";
import { drawChips } from "./hexel/chips.js";
import { drawField, isWide } from "./hexel/field.js";
import { HOW_TO } from "./hexel/howto.js";
import { createReference, lookup } from "./hexel/reference.js";
import { createSetup } from "./hexel/setup.js";

const SIGNS = { "in stock": "stock", "in the hedge": "hedge", cards: "held" };

/** In the strip of seats: chips in stock and in the hedge, and cards, each with its sign. */
function counter(one) {
  return h("span", { class: "counter", role: "img", "aria-label": counted(one), title: counted(one) }, h("span", { class: `chip-${SIGNS[one.label] ?? "none"}` }), String(one.count));
}

/** A card that may be shown belongs to *More*, whichever card is chosen: nobody does so without wanting it. */
function withoutShowing(options) {
  return options.map((option) => (option.group === "announce" ? { ...option, shows: option.tile, tile: undefined } : option));
}

/** What the table stands at: round, stake, deck, what is to be matched. */
function facts(view) {
  const { round, stake, left, last, phase, field, announced, thrown = [], on_board: onBoard, note } = view.detail;
  const lines = [];
  if (round) lines.push(`Round ${round}`);
  if (stake) lines.push(`Stake ${stake} an edge`);
  lines.push(`${left} ${left === 1 ? "card" : "cards"} in the deck`);
  if (phase === "place" && last > 0) lines.push(`To match: ${last} ${last === 1 ? "edge" : "edges"}`);
  if (announced) lines.push(`Shown: ${announced}`);
  if (thrown.length) lines.push(`Thrown away: ${thrown.join(", ")}`);
  if (field === "open") lines.push("The field has no end");
  if (!onBoard) lines.push(note);
  return lines;
}

/** Slots that are marked for everybody: where three cards meet in a Hoxla, and where a shown card may go. */
function asked({ detail }) {
  return [...(detail.meet ?? []), ...(detail.targets ?? []).map((cell) => detail.slots[cell]).filter(Boolean)];
}

/** On a field without end all of it, wherever our seat cannot tap it anyway. */
function tray(store, live) {
  const view = store.state?.view;
  if (!view?.detail || view.kind !== "hexel" || !isWide(view.detail)) return {};
  return live.options.some((option) => option.group === "place") ? {} : { after: drawField(view.detail, [], null) };
}

/** The same with cells to tap, once a card is picked. */
function placing(list, { store, ui, choose }) {
  const detail = store.state?.view.detail;
  if (!detail || !isWide(detail)) return [];
  const of = list.filter((option) => ui.tile === null || option.tile === ui.tile);
  return [drawField(detail, ui.tile === null ? [] : of, (slot) => choose({ slot, ramp: null, zone: null, turn: 0 }))].filter(Boolean);
}

/** One sentence for our seat: what to do next with the hand. */
function coach(store, live, ui) {
  const places = live.options.filter((option) => option.group === "place");
  if (!places.length || ui.tile === null) return "";
  const [there] = places.filter((option) => option.tile === ui.tile && option.slot === ui.slot);
  if (ui.slot && there) return there.turns?.length > 1 ? `Turn it with ↺ and ↻ if you like, then tap “${there.label}”.` : `Tap “${there.label}”.`;
  if (ui.slot) return "";
  if (!places.some((option) => option.tile === ui.tile)) return "That card fits nowhere now. Tap another one.";
  return "Tap a bright cell. Another tap turns the card.";
}

/** @type {import("../scene/games.js").Game} */
export default {
  title: "Hex'el",
  style: "hexel.css",
  help: [
    "Lay a card beside others. All edges that touch must show the same symbol.",
    "Match as many edges as the player before you, or your hedge pays the stake for each missing edge.",
    "Where three cards meet, three edges meet too. If all three show one symbol, that is a Hoxla: it wins and takes all hedges.",
    "Tap a card of your hand, tap a bright cell, turn it with the arrows, then lay it.",
    "Beside each name: chips in stock (a full disc), chips in the hedge (a dashed ring), cards in the hand (a hexagon).",
    "The open book tells all rules. So does a tap on a rule's number.",
  ],
  howTo: HOW_TO,
  groups: {
    shuffle: { order: 1, primary: true },
    deal: { order: 1, primary: true },
    another: { order: 2 },
    announce: { order: 1, part: "ask" },
    stake: { order: 1, primary: true, draw: drawChips },
    hedge: { order: 1, primary: true, draw: drawChips },
    place: { order: 3, board: "asked", draw: placing },
    keep: { order: 4 },
  },
  facts,
  counter,
  pictured,
  options: withoutShowing,
  asked,
  coach,
  tray,
  drawPiece: drawCard,
  poster: (_number, { edges }) => ({ piece: { title: "", name: symbolsOf(edges) } }),
  sheets: [
    { name: "hexel-setup", button: "Deck, field and chips…", when: "start", make: createSetup },
    { name: "hexel-reference", make: createReference },
  ],
  lookup,
};
