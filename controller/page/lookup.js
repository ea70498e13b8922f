// The reference sheet: a search over tiles and clauses, a tile's card, a clause's gist.
// Whatever carries `data-clause` or `data-card` opens it, wherever on the page it stands.

import { button, byId, h } from "./dom.js";
import { loadReference, rulingsOn, searchReference } from "./reference.js";
import { tilePicture } from "./tiles.js";

const KEPT = {
  adjudicated: "The board sees to this.",
  sensed: "The board sees to this by its sensors, or by what you tell it.",
  attested: "You see to this; the board asks or is told.",
  advisory: "The board does not act on this.",
};
const START = "Type a tile's name, a word, or the number of a clause.";

/** Wire up the sheet. */
export function createLookup() {
  byId("reference-open").addEventListener("click", () => open(showSearch));
  byId("reference-close").addEventListener("click", () => byId("reference").close());
  byId("reference-search").addEventListener("input", () => open(showSearch));
  document.addEventListener("click", (event) => {
    const asked = event.target instanceof Element ? event.target.closest("[data-clause], [data-card]") : null;
    if (asked) open((known) => (asked.dataset.clause ? showClause(known, asked.dataset.clause) : showCard(known, { card: asked.dataset.card, title: asked.dataset.title })));
  });
}

/** A button that opens a clause. */
export function clauseButton(id, label = id) {
  return h("button", { type: "button", class: "rule", "data-clause": id, "aria-label": `Rule ${id}` }, label);
}

/** A button that opens the card of a tile, or nothing for a tile that only its owner knows. */
export function cardButton(tile) {
  return tile?.name ? button("Card", undefined, { kind: "quiet", "data-card": tile.name, "data-title": tile.title, "aria-label": `Card of ${tile.title}` }) : null;
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
  byId("reference-says").textContent = words;
  byId("reference-found").replaceChildren(...content.flat().filter(Boolean));
  byId("reference-found").scrollTop = 0;
  byId("reference-found").querySelector("h3")?.focus({ preventScroll: true });
}

function showSearch(known) {
  const typed = byId("reference-search").value.trim();
  if (!typed) return tell(START);
  const { found, more } = searchReference(known, typed);
  const words = found.length ? (more ? `${more} more: type on.` : "") : "Nothing is called so. Ask the owner of the tile.";
  return tell(words, h("ul", { class: "found" }, found.map((one) => h("li", {}, one.card ? cardRow(one.card) : clauseRow(one.clause)))));
}

function cardRow(card) {
  return h("button", { type: "button", class: "found-row", "data-card": card.name }, tilePicture(card), h("span", {}, h("strong", {}, card.title), " ", card.summary ?? ""));
}

function clauseRow(clause) {
  return h("button", { type: "button", class: "found-row", "data-clause": clause.id }, h("span", { class: "number" }, clause.id), h("span", {}, clause.title));
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
    h("h3", { tabindex: "-1" }, clause ? `${id} · ${clause.title}` : `Chapter ${id}`),
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
  if (!card) return tell("", h("h3", { tabindex: "-1" }, title ?? name), h("p", { class: "gist" }, "No known tile: its owner has the card."), back());
  const keywords = card.keywords ?? [];
  return tell(
    "",
    h("div", { class: "card-head" }, tilePicture(card), h("div", {}, h("h3", { tabindex: "-1" }, card.title, card.starred ? " ★" : ""), card.creator ? h("p", { class: "hint" }, `by ${card.creator}`) : null)),
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
