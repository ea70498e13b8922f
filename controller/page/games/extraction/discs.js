// Number discs to choose from: round, as they lie on the hexes, with a dot for each of the 36 throws that shows them.

import { button, h, s } from "../../elements/dom.js";
import { publicView } from "../../scene/model.js";
import { drawNumber } from "./ground.js";

/** How many of the 36 throws of two dice show that number. */
const often = (disc) => 6 - Math.abs(7 - disc);

function discPicture(disc, called) {
  const dots = Array.from({ length: often(disc) }, (_, i) => s("circle", { class: "chance", cx: (i - (often(disc) - 1) / 2) * 4, cy: 15, r: 1.4 }));
  return s("svg", { class: "disc-picture", viewBox: "-12 -12 24 30", role: "img", "aria-label": called }, drawNumber(disc, ""), dots);
}

function discButton({ disc, count = 1, called, ...props }, tap) {
  return h("li", {}, button([discPicture(disc, called), count > 1 ? h("span", { class: "disc-count" }, `×${count}`) : null], tap, { kind: "disc-button", ...props }));
}

function row(called, items) {
  return h("ul", { class: "disc-row", "aria-label": called }, items);
}

/** The discs that are still to be laid: a tap takes one in hand, the next one on a hex lays it. */
export function discsToLay(list, { store, confirm }) {
  const { unplaced, picked } = publicView(store)?.detail ?? { unplaced: [], picked: "" };
  return [row("Number discs", [...new Set(unplaced)].map((disc) => {
    const option = list.find((one) => one.act.disc === disc);
    const held = picked === String(disc);
    const count = unplaced.filter((one) => one === disc).length;
    return discButton({ disc, count, called: `Disc ${disc}`, "aria-pressed": String(held), "data-group": "number" }, () => option && confirm(option));
  }))];
}

/** The discs of the supply, for one of which the chosen hex gives its own. */
export function discsOfSupply(list, { confirm }) {
  return [row("Discs in the supply", list.map((option) => discButton({ disc: option.act.disc, called: option.label, "data-group": "supply" }, () => confirm(option))))];
}
