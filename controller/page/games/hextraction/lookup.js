// The reference sheet: a search over tiles and clauses, a tile's card, a clause's gist.

import { button, byId, h, put, write } from "../../elements/dom.js";
import { clauseButton } from "../../scene/lookup.js";
import { piecePicture } from "../../scene/pieces.js";
import { markedName } from "../../words/sentences.js";
import { closeButton } from "../../elements/sheet.js";
import { gistOf, loadReference, rulingsOn, searchReference } from "./reference.js";

const KEPT = {
  adjudicated: "The board sees to this.",
  sensed: "The board sees to this by its sensors, or by what you tell it.",
  attested: "You see to this. The board asks you, or you tell it.",
  advisory: "The board does not act on this.",
};
const START = "Type a tile's name, a word, or the number of a clause.";

/** @type {import("../../scene/games.js").Lookup} */
export const lookup = {
  search: () => open(showSearch),
  clause: (id) => open((known) => showClause(known, id)),
  card: (name, title) => open((known) => showCard(known, { card: name, title })),
  gist: gistOf,
  called,
};

/** The words of the glossary have their names in their ids: `3.BreakTheLoop.2` is about Break the Loop. */
function called(id) {
  const [, name] = /^3\.([A-Z]\w+)/.exec(id) ?? [];
  return name ? name.replace(/([a-z])([A-Z])/g, "$1 $2").replace(" The ", " the ") : id;
}

/** Make the sheet. */
export function createReference() {
  byId("game").append(h("dialog", { id: "reference", "aria-labelledby": "reference-title" },
    h("div", { class: "sheet-top" }, h("h2", { id: "reference-title" }, "Reference"), closeButton("Close reference", { onclick: () => byId("reference").close() })),
    h("p", { class: "hint" }, "This does not replace the rules card: the rules want one to hold in your hand (0.3.1.4)."),
    h("input", { type: "search", id: "reference-search", "aria-label": "Tile, word or clause", placeholder: "Tile, word or clause", autocomplete: "off", autocapitalize: "off", spellcheck: "false", oninput: () => open(showSearch) }),
    h("p", { id: "reference-says", class: "hint", role: "status" }),
    h("div", { id: "reference-found" })));
}

async function open(show) {
  if (!byId("reference").open) byId("reference").showModal();
  try {
    show(await loadReference());
  } catch {
    tell("The reference cannot be reached now. Try again in a moment.");
  }
}

function tell(words, ...content) {
  write(byId("reference-says"), words);
  put(byId("reference-found"), ...content.flat().filter(Boolean));
  byId("reference-found").scrollTop = 0;
  byId("reference-found").querySelector("h3")?.focus({ preventScroll: true });
}

function showSearch(known) {
  const typed = byId("reference-search").value.trim();
  if (!typed) return tell(START);
  const { found, more } = searchReference(known, typed);
  const words = found.length ? (more ? `${more} more: type on.` : "") : "Nothing has that name. Ask the owner of the tile.";
  return tell(words, h("ul", { class: "found" }, found.map((one) => h("li", {}, one.card ? cardRow(one.card) : clauseRow(one.clause)))));
}

function cardRow(card) {
  return h("button", { type: "button", class: "found-row", "data-card": card.name }, piecePicture(card), h("span", {}, h("strong", {}, card.title), " ", card.summary ?? ""));
}

function clauseRow(clause) {
  return h("button", { type: "button", class: "found-row", "data-clause": clause.id }, h("span", { class: "number" }, called(clause.id) === clause.title ? "" : called(clause.id)), h("span", {}, clause.title));
}

function back() {
  return button("Search", () => open(showSearch), { kind: "quiet" });
}

function showClause(known, id) {
  const clause = known.clauses.get(id);
  const under = [...known.clauses.values()].filter((one) => one.id.startsWith(`${id}.`));
  if (!clause && !under.length) return tell(`No clause has the number ${id}.`, back());
  return tell(
    "",
    h("h3", { tabindex: "-1" }, clause ? (called(id) === clause.title ? clause.title : `${called(id)} · ${clause.title}`) : `Chapter ${id}`),
    clause ? h("p", { class: "gist" }, clause.gist) : null,
    clause ? h("p", { class: "hint" }, KEPT[clause.enforced]) : null,
    clause?.setting ? h("p", { class: "hint" }, `This table can set it: ${clause.setting}.`) : null,
    rows("How we read it", rulingsOn(known, id)),
    rows("It is about", (clause?.clauses ?? []).map((one) => known.clauses.get(one))),
    rows(clause ? "Under it" : "In it", under),
    back(),
  );
}

function rows(title, clauses) {
  if (!clauses.length) return null;
  return h("section", {}, h("h4", {}, title), h("ul", { class: "found" }, clauses.map((one) => h("li", {}, clauseRow(one)))));
}

function showCard(known, { card: name, title }) {
  const card = known.tiles.get(name);
  if (!card) return tell("", h("h3", { tabindex: "-1" }, title ?? markedName(name)), h("p", { class: "gist" }, "No known tile: its owner has the card."), back());
  const keywords = card.keywords ?? [];
  return tell(
    "",
    h("div", { class: "card-head" }, piecePicture(card), h("div", {}, h("h3", { tabindex: "-1" }, card.title, card.starred ? " ★" : ""), card.creator ? h("p", { class: "hint" }, `by ${card.creator}`) : null)),
    card.summary ? h("p", { class: "gist" }, card.summary) : null,
    h("ul", { class: "effects" }, (card.effects ?? []).map((effect) => h("li", {}, h("strong", {}, [effect.when, ...(effect.traits ?? [])].join(", "), ": "), effect.text))),
    card.effects || keywords.length ? null : h("p", {}, "It has no effect."),
    keywords.length ? h("p", {}, "Keywords: ", keywords.map((word) => clauseButton(`3.${word.charAt(0).toUpperCase()}${word.slice(1)}`, word))) : null,
    card.trigger === "area" ? h("p", { class: "hint" }, "Only the marked area triggers it.") : null,
    card.channels === null ? h("p", { class: "hint" }, "Nobody has published its channels.") : null,
    card.source ? h("p", {}, h("a", { class: "source", href: card.source, target: "_blank", rel: "noopener noreferrer" }, "Where it comes from")) : null,
    back(),
  );
}
