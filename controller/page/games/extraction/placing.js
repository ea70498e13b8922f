// A place of the map that was tapped to build there: what one would get there, before it is done for good.

import { button, h } from "../../elements/dom.js";
import { GOODS, cardsPicture } from "./cards.js";

const SETTLE = { here: "Settle here", next: "Tap “Settle here”, or another bright corner" };
const CITY = { here: "Build the city", next: "Tap “Build the city”, or another bright settlement" };
const ROAD = { here: "Build the road", next: "Tap “Build the road”, or another bright edge" };
/** What is built by the options of a group: what its button says, and what to do next. */
const BUILT = { settle: SETTLE, settlement: SETTLE, city: CITY, road: ROAD, place_road: ROAD };

/** The option of a place that was tapped to build there; undefined if there is none. */
function placed(options, slot) {
  return options.find((option) => BUILT[option.group] && option.slot === slot);
}

/** What to do next with the place that was tapped; empty if nothing is built there. */
export function placing(options, slot) {
  const option = placed(options, slot);
  return option ? BUILT[option.group].next : "";
}

/** How many hexes of each resource meet at the corner that an option names. */
function around({ label }) {
  const words = label.split(/[ ,]+/);
  return GOODS.map((good) => words.filter((word) => word === good).length);
}

/** The place that was tapped: at a corner a card for each hex around it, and the button that builds there. */
export function drawPlacing({ slot, options, act, choose }) {
  const option = placed(options, slot);
  if (!option) return null;
  const { here } = BUILT[option.group];
  return h("section", { class: "pick", "aria-label": here },
    h("h2", {}, option.label),
    BUILT[option.group] === SETTLE ? yields(around(option)) : null,
    h("div", { class: "buttons" },
      button(here, () => act(option), { kind: "primary", "data-group": option.group }),
      button("Cancel", () => choose({ slot: null }), { kind: "quiet" })));
}

function yields(cards) {
  if (!cards.some(Boolean)) return h("p", { class: "hint" }, "Nothing grows here.");
  return h("p", { class: "settling" }, h("span", { class: "hint" }, "Each throw of a hex’s number gives you its card:"), cardsPicture(cards));
}
