// The first settlements: what one would get there, before it is settled for good.

import { button, h } from "../../elements/dom.js";
import { GOODS, cardsPicture } from "./cards.js";

const HERE = "Settle here";

/** What to do next with a chosen corner. */
export const settling = `Tap “${HERE}”, or another bright corner`;

/** How many hexes of each resource meet at the corner that an option names. */
function around({ label }) {
  const words = label.split(/[ ,]+/);
  return GOODS.map((good) => words.filter((word) => word === good).length);
}

/** The corner that was tapped: a card for each hex around it, and the button that settles there. */
export function drawSettling({ slot, options, act, choose }) {
  const option = options.find((one) => one.group === "settle" && one.slot === slot);
  if (!option) return null;
  const cards = around(option);
  return h("section", { class: "pick", "aria-label": HERE },
    h("h2", {}, option.label),
    cards.some(Boolean)
      ? h("p", { class: "settling" }, h("span", { class: "hint" }, "Each throw of a hex’s number gives you its card:"), cardsPicture(cards))
      : h("p", { class: "hint" }, "Nothing grows here."),
    h("div", { class: "buttons" },
      button(HERE, () => act(option), { kind: "primary", "data-group": "settle" }),
      button("Cancel", () => choose({ slot: null }), { kind: "quiet" })));
}
