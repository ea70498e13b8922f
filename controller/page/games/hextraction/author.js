// Describing a tile of one's own: channels drawn by tapping two edges, a hole, a trigger, a name, the effect in words.

import { button, byId, h, s, write } from "../../elements/dom.js";
import { drawPiece } from "../../scene/pieces.js";
import { markedName } from "../../words/sentences.js";
import { hexagon, over, pair, round } from "../../elements/shapes.js";
import { addSheet, createSheetFor } from "../../elements/sheet.js";
import { pressed } from "../../board/spots.js";

const PITCH = 50;
const KEY = "hextraction.draft";
const EDGES = [1, 2, 3, 4, 5, 6];
const EMPTY = { title: "", channels: [], hole: false, trigger: "none", when: "on_play", deed: "attested", text: "" };
/** Effects that the board can do by itself, as far as they need nothing but a number. */
const DEEDS = [
  ["attested", "We do what the words say"],
  ["roll_again_here", "The board: roll again on this ramp"],
  ["extra_roll", "The board: one roll more"],
  ["extra_play", "The board: one play more"],
  ["draw", "The board: draw a tile"],
  ["destroy_other", "The board: destroy another tile"],
  ["destroy_this", "The board: destroy this tile"],
  ["destroy_neighbours", "The board: destroy the neighbours"],
  ["lose", "The board: the player loses"],
  ["chime", "The board: the chime rings"],
];
const TRIGGERS = [["none", "No trigger"], ["whole", "The whole tile"], ["area", "A marked area"]];

/** Join two edges: a new channel, or one that grows; the same two again are parted. */
export function joined(channels, a, b) {
  const of = (edge) => channels.find((group) => group.includes(edge));
  const [ga, gb] = [of(a), of(b)];
  if (ga && ga === gb) {
    const rest = ga.length === 2 ? [] : ga.filter((edge) => edge !== b);
    return sorted([...channels.filter((group) => group !== ga), ...(rest.length ? [rest] : [])]);
  }
  const merged = [...new Set([...(ga ?? [a]), ...(gb ?? [b])])];
  return sorted([...channels.filter((group) => group !== ga && group !== gb), merged]);
}

function sorted(channels) {
  return channels.map((group) => [...group].sort((a, b) => a - b)).sort((a, b) => a[0] - b[0]);
}

/** Make the sheet; `say(words)` sends it to the table. Returns `update(store)`. */
export function createAuthor({ say, tell }) {
  addSheet({ name: "author", title: "A tile of your own", titleId: "author-heading", close: "Close the tile" },
    h("form", { id: "author-form", class: "sheet-body" },
      h("p", { id: "author-says", class: "hint", role: "status" }),
      s("svg", { id: "author-drawing", role: "group", "aria-label": "Drawing of the tile", viewBox: "-40 -40 80 80" }),
      h("label", {}, "Name", h("input", { id: "author-title", type: "text", maxlength: 40, required: true, autocomplete: "off" })),
      h("div", { id: "author-choices" }),
      h("label", {}, "What it does, in words", h("textarea", { id: "author-text", maxlength: 300, rows: 3 })),
      h("p", { id: "author-seat", class: "hint" }, "Take a seat to give it to the table."),
      h("button", { type: "submit", id: "author-save", class: "button primary" }, "Give it to the table")));
  let draft = load();
  let from = null;
  const sheet = createSheetFor("author", draw);

  function change(more) {
    draft = { ...draft, ...more };
    keep(draft);
    draw();
  }

  function tap(edge) {
    if (from === null) from = edge;
    else if (from === edge) from = null;
    else {
      const channels = joined(draft.channels, from, edge);
      from = null;
      return change({ channels });
    }
    draw();
  }

  function draw() {
    const focused = document.activeElement?.dataset?.edge;
    byId("author-drawing").replaceChildren(...drawing(draft, from, tap));
    write(byId("author-says"), from === null ? "Tap two edges to join them. Tap them again to part them." : `Edge ${from}: now tap the other edge.`);
    byId("author-choices").replaceChildren(...choices(draft, change));
    byId("author-save").disabled = !draft.title.trim() || (draft.trigger !== "none" && !draft.text.trim());
    if (focused) byId("author-drawing").querySelector(`[data-edge="${focused}"]`)?.focus();
  }

  for (const [id, key] of [["author-title", "title"], ["author-text", "text"]]) {
    byId(id).value = draft[key];
    byId(id).addEventListener("input", () => change({ [key]: byId(id).value }));
  }
  byId("author-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    if (!(await say({ do: "tile", tile: described(draft) }))) return;
    tell(`This table knows ${markedName(draft.title.trim())} now.`);
    change({ ...EMPTY });
    byId("author-title").value = byId("author-text").value = "";
    sheet.close();
  });
  return function update(store) {
    byId("author-save").hidden = !store.seat;
    byId("author-seat").hidden = Boolean(store.seat);
  };
}

/** The description as the table takes it. */
export function described({ title, channels, hole, trigger, when, deed, text }) {
  const words = text.trim();
  const acts = trigger === "none" ? when : "trigger";
  const effect = { when: acts, deed: acts === "ongoing" ? "attested" : deed, text: words };
  return { title: title.trim(), channels, hole, trigger: words ? trigger : "none", effects: words ? [effect] : [] };
}

function drawing(draft, from, tap) {
  const radius = PITCH / Math.sqrt(3);
  const tile = { title: "", channels: draft.channels.length ? draft.channels : [], trigger: draft.trigger };
  const holes = draft.hole ? [s("circle", { class: "author-hole", r: 5.5 })] : [];
  return [drawPiece(tile, PITCH, 0, { bare: true }), ...holes, s("polygon", { class: "author-rim", points: hexagon(radius) }), ...EDGES.map((edge) => edgeKnob(edge, edge === from, tap))];
}

function edgeKnob(edge, on, tap) {
  const at = over(edge, PITCH / 2 + 1);
  const node = s("g", { class: on ? "knob on" : "knob", role: "button", tabindex: "0", "data-edge": edge, "aria-pressed": String(on), "aria-label": `Edge ${edge}`, transform: `translate(${pair(at)})` },
    s("circle", { class: "knob-hit", r: 11 }), s("circle", { class: "knob-dot", r: round(6.5) }), s("text", { y: 2.6, "text-anchor": "middle", "aria-hidden": "true" }, String(edge)));
  node.addEventListener("click", () => tap(edge));
  node.addEventListener("keydown", (event) => pressed(event) && tap(edge));
  return node;
}

function choices(draft, change) {
  const row = (label, key, list) => h("div", { class: "chips", role: "group", "aria-label": label }, h("span", { class: "lead" }, label),
    list.map(([value, words]) => button(words, () => change({ [key]: value }), { "aria-pressed": String(draft[key] === value) })));
  return [
    h("div", { class: "chips" }, button("A hole in the middle", () => change({ hole: !draft.hole }), { "aria-pressed": String(draft.hole) })),
    row("What triggers it?", "trigger", TRIGGERS),
    draft.trigger === "none" ? row("When does it act?", "when", [["on_play", "When it is played"], ["ongoing", "All the time"]]) : null,
    draft.when === "ongoing" && draft.trigger === "none" ? null : deedField(draft, change),
  ].filter(Boolean);
}

function deedField(draft, change) {
  const select = h("select", { onchange: () => change({ deed: select.value }) }, DEEDS.map(([value, words]) => h("option", { value, selected: draft.deed === value }, words)));
  return h("label", {}, "Who does it?", select);
}

function load() {
  try {
    return { ...EMPTY, ...JSON.parse(localStorage.getItem(KEY)) };
  } catch {
    return { ...EMPTY };
  }
}

function keep(draft) {
  try {
    localStorage.setItem(KEY, JSON.stringify(draft));
  } catch {
    // Storage can be forbidden; then the draft lasts as long as the page.
  }
}
