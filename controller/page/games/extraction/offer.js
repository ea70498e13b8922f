// A trade is put together here: how many cards of each resource are given, and how many are wanted.

import { button, byId, h, memo } from "../../elements/dom.js";
import { privateView, publicView } from "../../scene/model.js";
import { addSheet, createSheetFor } from "../../elements/sheet.js";

const GOODS = ["wood", "brick", "wool", "grain", "ore"];
const MOST = 4;

/** Make the sheet; `act` sends the offer. */
export function createOffer({ act }) {
  const chosen = { give: {}, want: {} };
  let view = null;
  addSheet({ name: "extraction-offer", title: "Offer a trade", close: "Close offers" }, h("div", { class: "sheet-body" },
    h("p", { class: "hint" }, "In your turn everybody is asked; in somebody else's turn only they are. The first who accepts trades at once."),
    h("div", { id: "extraction-offer-goods" }),
    h("div", { class: "buttons" }, button("Offer it", send, { kind: "primary", id: "extraction-offer-send" }))));
  createSheetFor("extraction-offer", () => {});

  async function send() {
    const done = await act({ do: "offer", give: counted(chosen.give), want: counted(chosen.want) });
    if (!done) return;
    Object.assign(chosen, { give: {}, want: {} });
    sheet().close();
    show();
  }
  const show = () => byId("extraction-offer-goods").replaceChildren(...GOODS.map((good) => row(good, held(view, good), chosen, show)));
  const draw = memo(() => show());
  return (store) => {
    if (publicView(store)?.kind !== "extraction") return;
    view = privateView(store);
    draw(GOODS.map((good) => held(view, good)));
  };
}

function sheet() {
  return /** @type {HTMLDialogElement} */ (byId("extraction-offer"));
}

function held(view, good) {
  return view?.hand.find((piece) => piece.name === good)?.count ?? 0;
}

/** What is more than nothing. */
function counted(counts) {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}

function row(good, have, chosen, show) {
  const step = (side, most, words) => {
    const now = Math.min(chosen[side][good] ?? 0, most);
    const set = (count) => {
      chosen[side][good] = count;
      if (count) chosen[side === "give" ? "want" : "give"][good] = 0;
      show();
    };
    return h("span", { class: "stepper", role: "group", "aria-label": `${words} ${good}` },
      button("−", () => set(Math.max(0, now - 1)), { "aria-label": `${words} one ${good} less` }),
      h("span", { class: "stepper-count" }, `${words} ${now}`),
      button("+", () => set(Math.min(most, now + 1)), { "aria-label": `${words} one ${good} more` }));
  };
  return h("div", { class: "offer-row" }, h("strong", {}, `${good} (you have ${have})`), step("give", have, "give"), step("want", MOST, "want"));
}
