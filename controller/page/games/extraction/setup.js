// Before a game: which dice, how attacks are decided, how long it should be, trades.

import { byId, h, memo, write } from "../../elements/dom.js";
import { addSheet, createSheetFor } from "../../elements/sheet.js";

/** Make the sheet; `say` sends a word to the table. */
export function createSetup({ say }) {
  addSheet({ name: "extraction-setup", title: "House rules", close: "Close the settings" }, h("div", { class: "sheet-body" },
    h("p", { class: "hint", id: "extraction-note" }),
    h("div", { id: "extraction-choices" })));
  createSheetFor("extraction-setup", () => {});
  const draw = memo((detail) => {
    write(byId("extraction-note"), detail.note);
    byId("extraction-choices").replaceChildren(...Object.entries(detail.choices).map(([what, [title, told]]) => group(what, title, told, detail.chosen[what], say)));
  });
  return (store) => store.table?.detail?.game === "extraction" && draw(store.table.detail);
}

function group(what, title, told, now, say) {
  return h("fieldset", { class: "choice" }, h("legend", {}, title),
    Object.entries(told).map(([choice, words]) => h("label", { class: "reading" },
      h("input", { type: "radio", name: `extraction-${what}`, value: choice, checked: choice === now, onchange: () => say({ do: "extraction", what, choice }) }),
      h("span", {}, words))));
}
