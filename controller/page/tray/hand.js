// Our hand: a row of cards; the chosen card shows what the piece does and what may be done with it.

import { taking } from "../scene/amounts.js";
import { button, h } from "../elements/dom.js";
import { game } from "../scene/games.js";
import { consequence } from "../scene/groups.js";
import { cardButton } from "../scene/lookup.js";
import { inPictures } from "../scene/pictured.js";
import { pieceFacts, piecePicture } from "../scene/pieces.js";
import { spatial } from "../scene/targets.js";

/** The pieces of a hand that the board knows. Of a real hand it knows only how many there are. */
const known = (hand) => hand.filter((piece) => piece.name);

/** The card that is chosen in the hand, if there is one. */
function chosenOf(hand, ui) {
  return known(hand).find((piece) => piece.id === ui.tile);
}

/** Draw the hand: a row of cards, in its place whatever is chosen. */
export function drawHand({ hand, ui, choose }) {
  if (known(hand).length === 0) return null;
  return h(
    "section",
    { class: "hand", "aria-label": "Your hand" },
    h("ul", { class: "cards" }, known(hand).map((piece) => card(piece, ui, choose))),
  );
}

/** The buttons of the chosen card: what may be done with it, and its text. */
export function chosenButtons({ hand, options, ui, act, choose }) {
  const chosen = chosenOf(hand, ui);
  if (!chosen) return [];
  const confirm = (option) => (consequence(option) ? choose({ sure: option }) : act(option));
  const direct = options.filter((option) => option.tile === chosen.id && !spatial(option));
  const shown = (option) => ({ kind: "primary", ...game().button?.(option, direct), ui, choose, confirm });
  return [...direct.map((option) => taking(option, shown(option))), cardButton(chosen)].filter(Boolean);
}

/** What the chosen card does, in words. */
export function drawDetails({ hand, options, ui }) {
  const chosen = chosenOf(hand, ui);
  if (!chosen) return null;
  const text = chosen.summary || game().blank;
  const places = options.some((option) => option.tile === chosen.id && spatial(option));
  return h(
    "div",
    { class: "details" },
    text ? h("p", {}, text) : null,
    pieceFacts(chosen) ? h("p", { class: "hint" }, pieceFacts(chosen)) : null,
    places ? h("p", { class: "hint" }, "Tap a bright slot to put it there.") : null,
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
