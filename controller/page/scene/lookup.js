// Looking things up, as far as the game's file has something to look up: clauses by their number, cards by their name.
// Whatever carries `data-clause` or `data-card` opens them, wherever on the page it stands.

import { button, byId, h, write } from "../elements/dom.js";
import { game } from "./games.js";

/** Wire up the book in the page's head, and all that names a clause or a card. */
export function createLookup() {
  byId("reference-open").addEventListener("click", () => game().lookup?.search());
  document.addEventListener("click", (event) => {
    const asked = event.target instanceof Element ? event.target.closest("[data-clause], [data-card]") : null;
    if (!asked) return;
    if (asked.dataset.clause) game().lookup?.clause(asked.dataset.clause);
    else game().lookup?.card(asked.dataset.card, asked.dataset.title);
  });
}

/** A button that opens a clause; only its number in a game that has nothing to look up. */
export function clauseButton(id, label = clauseName(id)) {
  if (!game().lookup) return h("span", { class: "clause-number" }, label);
  return h("button", { type: "button", class: "rule", "data-clause": id, "aria-label": `Rule ${clauseName(id)}` }, label);
}

/** What people call a clause: its number, or the name that it is known by. */
export function clauseName(id) {
  return game().lookup?.called?.(id) ?? id;
}

/** A button that opens a piece's card, or nothing for one that has none. */
export function cardButton(piece) {
  if (!game().lookup || !piece?.name) return null;
  return button("Card", undefined, { kind: "quiet", "data-card": piece.name, "data-title": piece.title, "aria-label": `Card of ${piece.title}` });
}

/** The rule behind something, shown on demand. */
export function clause(id) {
  if (!game().lookup) return null;
  const says = h("span", {});
  const box = h("details", { class: "clause" }, h("summary", {}, "Why?"), h("p", {}, says, " ", clauseButton(id, `Rule ${clauseName(id)}`)));
  box.addEventListener("toggle", async () => write(says, (await game().lookup?.gist(id)) ?? ""), { once: true });
  return box;
}
