// Before a game: by which reading two pieces may change places.

import { byId, h, memo, write } from "../../elements/dom.js";
import { addSheet, createSheetFor } from "../../elements/sheet.js";

/** Make the sheet; `say` sends a word to the table. */
export function createSetup({ say }) {
  addSheet({ name: "hextris-setup", title: "How swaps work", close: "Close the swaps" }, h("div", { class: "sheet-body" },
    h("p", { class: "hint", id: "hextris-note" }),
    h("div", { id: "hextris-readings", role: "radiogroup", "aria-label": "Swaps" })));
  createSheetFor("hextris-setup", () => {});
  const draw = memo((detail) => {
    write(byId("hextris-note"), detail.note);
    byId("hextris-readings").replaceChildren(...Object.entries(detail.readings).map(([reading, words]) => choice(reading, words, detail.reading, say)));
  });
  return (store) => store.table?.detail?.game === "hextris" && draw(store.table.detail);
}

function choice(reading, words, now, say) {
  return h("label", { class: "reading" },
    h("input", { type: "radio", name: "reading", value: reading, checked: reading === now, onchange: () => say({ do: "reading", reading }) }),
    h("span", {}, h("strong", {}, reading, reading === "R0" ? " (usual)" : ""), ` ${words}`));
}
