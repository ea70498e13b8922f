// Who was likely to win when: a line for each player over the moments of a game, with a tick for each roll. A tap or a finger
// drawn over it goes to the moment that lies there.

import { h, s } from "../elements/dom.js";
import { round } from "../elements/shapes.js";
import { paint } from "../scene/model.js";

const WIDE = 300;
const HIGH = 84;
const MARGIN = 4;
const TICK = 6;
const SAYS = {
  title: "Who was likely to win",
  hint: "Worked out from how the tiles lay. Tap the graph to jump there.",
};

/** Draw the graph of these moments; `won` is that of the winning roll, or null, and `go(index)` is a tap. Returns `{node, at(index)}`, or null for a game that has no odds. */
export function createGraph(moments, players, store, { won, go }) {
  if (moments.length < 2 || !moments.some((one) => one.chances)) return null;
  const x = (index) => round((index * WIDE) / (moments.length - 1));
  const y = (share) => round(HIGH - TICK - MARGIN - share * (HIGH - TICK - 2 * MARGIN));
  const now = s("line", { class: "graph-now", y1: 0, y2: HIGH });
  const ticks = moments.flatMap(({ roll }, i) => (roll && i ? [`M${x(i)},${HIGH}V${HIGH - TICK}`] : []));
  const drawing = s("svg", { class: "graph", viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none", role: "img", "aria-label": SAYS.title },
    won === null ? null : s("line", { class: "graph-won", x1: x(won), x2: x(won), y1: 0, y2: HIGH }),
    s("path", { class: "graph-next", d: `${path(moments, x, y, (one) => one.nextBall)}V${HIGH - TICK}H0Z` }),
    s("path", { class: "graph-rolls", d: ticks.join("") }),
    players.map(({ seat }) => {
      const d = path(moments, x, y, (one) => one.chances?.[seat] ?? 0);
      return s("g", { "data-paint": paint(store, seat) }, s("path", { class: "graph-back", d }), s("path", { class: "graph-line", d }));
    }), now);
  drawing.addEventListener("pointerdown", (event) => {
    drawing.setPointerCapture(event.pointerId);
    to(event);
  });
  drawing.addEventListener("pointermove", (event) => event.buttons && to(event));
  const to = ({ clientX }) => {
    const { left, width } = drawing.getBoundingClientRect();
    go(Math.round((Math.min(Math.max(0, clientX - left), width) / width) * (moments.length - 1)));
  };
  return {
    node: h("figure", { class: "past-graph", title: SAYS.hint }, h("figcaption", {}, SAYS.title), drawing),
    at(index) {
      now.setAttribute("x1", String(x(index)));
      now.setAttribute("x2", String(x(index)));
    },
  };
}

/** Steps, for a chance stays until something changes. */
function path(moments, x, y, share) {
  const values = moments.map(share);
  return values.map((value, i) => (i ? (value === values[i - 1] ? "" : `H${x(i)}V${y(value)}`) : `M0,${y(value)}`)).join("") + `H${WIDE}`;
}
