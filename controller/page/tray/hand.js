// Our hand: a row of cards; the chosen card shows what the piece does and what may be done with it.

import { taking } from "../scene/amounts.js";
import { button, h } from "../elements/dom.js";
import { game } from "../scene/games.js";
import { consequence } from "../scene/groups.js";
import { cardButton } from "../scene/lookup.js";
import { inPictures } from "../scene/pictured.js";
import { pieceFacts, piecePicture } from "../scene/pieces.js";
import { spatial } from "../scene/targets.js";

/** Draw the hand: the pieces that the board knows. Of a real hand it knows only how many there are. */
export function drawHand({ hand, options, ui, act, choose }) {
  const known = hand.filter((piece) => piece.name);
  if (known.length === 0) return null;
  const chosen = known.find((piece) => piece.id === ui.tile);
  return h(
    "section",
    { class: "hand", "aria-label": "Your hand" },
    h("ul", { class: "cards" }, known.map((piece) => card(piece, ui, choose))),
    chosen ? details(chosen, options.filter((option) => option.tile === chosen.id), { ui, choose, confirm: (option) => (consequence(option) ? choose({ sure: option }) : act(option)) }) : null,
  );
}

function card(piece, ui, choose) {
  const on = ui.tile === piece.id;
  return h(
    "li",
    {},
    h(
      "button",
      { type: "button", class: "card", "aria-pressed": String(on), "data-tile": piece.id, onclick: () => choose({ tile: on ? null : piece.id, slot: null }) },
      piecePicture(piece, ui.tile === piece.id ? ui.shownTurns : 0),
      h("span", { class: "card-title" }, piece.title),
    ),
  );
}

function details(piece, options, tools) {
  const direct = options.filter((option) => !spatial(option));
  const text = piece.summary || game().blank;
  return h(
    "div",
    { class: "details" },
    h("div", { class: "buttons" }, direct.map((option) => taking(option, { kind: "primary", ...tools })), cardButton(piece)), // In reach, however much it says below.
    text ? h("p", {}, text) : null,
    pieceFacts(piece) ? h("p", { class: "hint" }, pieceFacts(piece)) : null,
    options.some((option) => spatial(option)) ? h("p", { class: "hint" }, "Tap a bright slot to put it there.") : null,
  );
}

/** Draw what everybody may know about a slot that was tapped. */
export function drawInspect({ text, piece, owner, close }) {
  return h(
    "section",
    { class: "inspect", role: "status", "aria-label": "Slot" },
    piece ? piecePicture(piece, piece.turns ?? 0) : null,
    h("div", { class: "inspect-text" },
      h("p", { class: "strong" }, inPictures(text)),
      piece?.summary ? h("p", {}, piece.summary) : null,
      piece && pieceFacts(piece) ? h("p", { class: "hint" }, pieceFacts(piece)) : null,
      owner ? h("p", { class: "hint" }, `Belongs to ${owner}.`) : null),
    h("div", { class: "inspect-tools" }, cardButton(piece), button("Close", close, { kind: "quiet" })),
  );
}
