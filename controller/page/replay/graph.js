// Who was likely to win when: a line for each player over the moments of a game. A tap goes to the moment that lies there.

import { h, s, setLabel, write } from "../elements/dom.js";
import { round } from "../elements/shapes.js";
import { paint } from "../scene/model.js";
import { markedName } from "../words/sentences.js";

const WIDE = 300;
const HIGH = 72;
const MARGIN = 4;
const SAYS = {
  title: "Who was likely to win",
  share: (name, share) => `${name} ${Math.round(share * 100)} %`,
  next: (share) => `Next ball: ${Math.round(share * 100)} %`,
  hint: "Worked out from how the tiles lay. Tap the graph to jump there.",
};

/** Draw the graph of these moments; `go(index)` is a tap. Returns `{node, at(index)}`, or null for a game that has no odds. */
export function createGraph(moments, players, store, go) {
  if (moments.length < 2 || !moments.some((one) => one.chances)) return null;
  const x = (index) => round((index * WIDE) / (moments.length - 1));
  const y = (share) => round(HIGH - MARGIN - share * (HIGH - 2 * MARGIN));
  const now = s("line", { class: "graph-now", y1: 0, y2: HIGH });
  const drawing = s("svg", { class: "graph", viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none", role: "img" },
    s("path", { class: "graph-next", d: `${path(moments, x, y, (one) => one.nextBall)}V${HIGH}H0Z` }),
    players.map(({ seat }) => {
      const d = path(moments, x, y, (one) => one.chances?.[seat] ?? 0);
      return s("g", { "data-paint": paint(store, seat) }, s("path", { class: "graph-back", d }), s("path", { class: "graph-line", d }));
    }), now);
  const words = h("p", { class: "graph-words" });
  const node = h("section", { class: "past-graph" }, h("h2", {}, SAYS.title), drawing, words, h("p", { class: "hint" }, SAYS.hint));
  drawing.addEventListener("click", (event) => {
    const box = drawing.getBoundingClientRect();
    go(Math.round(((event.clientX - box.left) / box.width) * (moments.length - 1)));
  });
  return {
    node,
    at(index) {
      const { chances, nextBall } = moments[index];
      now.setAttribute("x1", String(x(index)));
      now.setAttribute("x2", String(x(index)));
      const shares = players.filter(({ seat }) => chances?.[seat] !== undefined).map(({ seat, name }) => SAYS.share(markedName(name, seat), chances[seat]));
      write(words, [...shares, SAYS.next(nextBall)].join(" · "));
      setLabel(drawing, SAYS.title);
    },
  };
}

/** Steps, for a chance stays until something changes. */
function path(moments, x, y, share) {
  const values = moments.map(share);
  return values.map((value, i) => (i ? (value === values[i - 1] ? "" : `H${x(i)}V${y(value)}`) : `M0,${y(value)}`)).join("") + `H${WIDE}`;
}
