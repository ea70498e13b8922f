// A stake or a hedge in chips: the numbers that one usually wants are a tap away, any other by steps. What it is good for stands beside it.

import { button, h, s } from "../../elements/dom.js";
import { amountsOf, setAmount, taking } from "../../scene/amounts.js";

const EDGES = [0, 1, 2, 3, 5];
const STAKES = [1, 2, 3, 5, 10];
const MOST_DRAWN = 12;

/** Draw the control for the options of a group; see `draw` in `../../scene/games.js`. */
export function drawChips(list, tools) {
  return list.map((option) => {
    const [amount] = option.amounts ?? [];
    if (!amount) return tools.one(option);
    const [now] = amountsOf(option, tools.ui);
    const edges = Math.trunc(now / amount.step);
    const hedge = option.group === "hedge";
    const usual = (hedge ? EDGES.map((edge) => edge * amount.step) : STAKES).filter((chips) => chips >= (amount.least ?? 0) && chips <= amount.most);
    return h("div", { class: "chips" },
      h("div", { class: "chips-now" }, pile(now), h("p", { role: "status" }, hedge ? paysFor(edges) : `Each missing edge will cost ${now} ${now === 1 ? "chip" : "chips"}.`)),
      h("div", { class: "chips-usual", role: "group", "aria-label": "Usual numbers" }, usual.map((chips) =>
        button(chips ? String(chips) : "none", () => setAmount(option, amount, chips, tools), { "aria-pressed": String(chips === now), "aria-label": chips ? `${chips} ${chips === 1 ? "chip" : "chips"}` : "none" }))),
      taking(option, { ...tools, kind: "primary" }));
  });
}

function paysFor(edges) {
  if (!edges) return "Without a hedge you can pay for no missing edge.";
  return `Pays for ${edges} missing ${edges === 1 ? "edge" : "edges"}.`;
}

/** As many chips as can be drawn on each other. */
function pile(chips) {
  const drawn = Math.min(chips, MOST_DRAWN);
  return s("svg", { class: "pile", viewBox: "0 0 40 52", "aria-hidden": "true" },
    Array.from({ length: drawn }, (_, i) => s("ellipse", { class: "hexel-chip", cx: 20, cy: 43 - i * 3.2, rx: 15, ry: 6 })));
}
