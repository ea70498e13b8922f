// Before a game: with which deck, on which field, and with how many chips.

import { button, byId, h, memo, write } from "../../elements/dom.js";
import { addSheet, createSheetFor } from "../../elements/sheet.js";

/** Make the sheet; `say` sends a word to the table. */
export function createSetup({ say }) {
  const chips = h("input", { id: "hexel-stock", type: "number", min: "0", max: "1000", inputmode: "numeric", onchange: () => say({ do: "stock", stock: Number(chips.value) }) });
  addSheet({ name: "hexel-setup", title: "Deck, field and chips", close: "Close the choice" }, h("div", { class: "sheet-body" },
    h("p", { class: "hint", id: "hexel-note" }),
    h("fieldset", { id: "hexel-decks" }), h("fieldset", { id: "hexel-fields" }),
    h("p", {}, h("label", { for: "hexel-stock" }, "Chips for everybody "), chips),
    h("p", { id: "hexel-kept" })));
  createSheetFor("hexel-setup", () => {});
  const draw = memo((detail, seats) => {
    write(byId("hexel-note"), detail.note);
    byId("hexel-decks").replaceChildren(h("legend", {}, "Deck"), ...choices("deck", detail.decks, detail.deck, say));
    byId("hexel-fields").replaceChildren(h("legend", {}, "Field"), ...choices("field", detail.fields, detail.field, say));
    chips.value = String(detail.stock);
    byId("hexel-kept").replaceChildren(...kept(detail, seats, say));
  });
  return (store) => store.table?.detail?.game === "hexel" && draw(store.table.detail, store.table.seats ?? []);
}

function choices(name, all, now, say) {
  return Object.entries(all).map(([value, words]) => h("label", { class: "hexel-choice" },
    h("input", { type: "radio", name: `hexel-${name}`, value, checked: value === now, onchange: () => say({ do: name, [name]: value }) }),
    h("span", {}, h("strong", {}, value), ` ${words}`)));
}

/** Stocks may be kept from the game before. */
function kept(detail, seats, say) {
  const names = Object.entries(detail.kept).map(([seat, chips]) => `${seats.find((one) => one.seat === seat)?.name || seat} ${chips}`);
  if (names.length) return [`Kept from the last game: ${names.join(", ")}. `, button("Everybody starts fresh", () => say({ do: "stocks", keep: false }))];
  return [button("Keep the stocks of the last game", () => say({ do: "stocks", keep: true }))];
}
