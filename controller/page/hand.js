// Our hand: a row of cards; the chosen card shows what the tile does and what may be done with it.

import { button, h } from "./dom.js";
import { cardButton } from "./lookup.js";
import { spatial } from "./targets.js";
import { tileFacts, tilePicture } from "./tiles.js";

/** Draw the hand: the tiles that the board knows. Of a real hand it knows only how many there are. */
export function drawHand({ hand, options, ui, act, choose }) {
  const known = hand.filter((tile) => tile.name);
  if (known.length === 0) return null;
  const chosen = known.find((tile) => tile.id === ui.tile);
  return h(
    "section",
    { class: "hand", "aria-label": "Your hand" },
    h("ul", { class: "cards" }, known.map((tile) => card(tile, ui, choose))),
    chosen ? details(chosen, options.filter((option) => option.tile === chosen.id), act) : null,
  );
}

function card(tile, ui, choose) {
  const on = ui.tile === tile.id;
  return h(
    "li",
    {},
    h(
      "button",
      { type: "button", class: "card", "aria-pressed": String(on), "data-tile": tile.id, onclick: () => choose({ tile: on ? null : tile.id, slot: null }) },
      tilePicture(tile, ui.tile === tile.id ? ui.shownTurns : 0),
      h("span", { class: "card-title" }, tile.title),
    ),
  );
}

function details(tile, options, act) {
  const direct = options.filter((option) => !spatial(option));
  return h(
    "div",
    { class: "details" },
    h("p", {}, tile.summary || "No effect."),
    tileFacts(tile) ? h("p", { class: "hint" }, tileFacts(tile)) : null,
    options.some((option) => spatial(option)) ? h("p", { class: "hint" }, "Tap a marked slot to put it there.") : null,
    h("div", { class: "buttons" }, direct.map((option) => button(option.label, () => act(option), { kind: "primary", "data-group": option.group })), cardButton(tile)),
  );
}

/** Draw what everybody may know about a slot that was tapped. */
export function drawInspect({ text, tile, owner, close }) {
  return h(
    "section",
    { class: "inspect", "aria-label": "Slot" },
    tile ? tilePicture(tile, tile.turns ?? 0) : null,
    h("div", { class: "inspect-text" },
      h("p", { class: "strong" }, text),
      tile?.summary ? h("p", {}, tile.summary) : null,
      tile && tileFacts(tile) ? h("p", { class: "hint" }, tileFacts(tile)) : null,
      owner ? h("p", { class: "hint" }, `Belongs to ${owner}.`) : null),
    h("div", { class: "inspect-tools" }, cardButton(tile), button("Close", close, { kind: "quiet" })),
  );
}
