// What holds for the whole table, where everybody looks: a break, the end of the game, a seat that waits for its phone.

import { button, byId, h, memo } from "../elements/dom.js";
import { mark } from "../scene/marks.js";
import { inPictures } from "../scene/pictured.js";
import { counted, nameOf, outcomeWords, publicView } from "../scene/model.js";

/** Keep the banner over the tray up to date; `say(words)` tells the table, `lastMove()` returns what was done last. */
export function createBanner(say, lastMove) {
  const root = byId("pause");
  const draw = memo((phase, paused, words, seat, rolled, why, scores, last, store) => {
    root.hidden = !paused && phase !== "over";
    if (root.hidden) return void root.replaceChildren();
    const tell = (word) => () => say({ do: word });
    root.replaceChildren(...[
      words ? h("p", { class: "strong" }, words) : null,
      why ? h("p", { class: "hint" }, why) : null,
      scores.length ? h("table", { class: "scores" }, h("tbody", {}, scores.map((one) => scoreRow(store, one)))) : null,
      last ? h("p", { class: "hint" }, "Last move: ", h("span", {}, inPictures(last))) : null,
      h("div", { class: "buttons" },
        seat && paused ? button("Go on", tell("resume"), { kind: "primary" }) : null,
        seat && !paused ? button("Rematch", tell("rematch"), { kind: "primary" }) : null,
        paused || !rolled ? null : button("Show the last roll", undefined, { "data-open": "replay" })),
      ].filter(Boolean));
  });
  return function update(store) {
    const paused = Boolean(store.table?.paused);
    const words = paused ? store.table.say || "Paused." : outcomeWords(store) ? "" : "The game is over."; // Who won is the headline.
    const over = !paused && store.table?.phase === "over" ? publicView(store) : null;
    const shown = { state: { view: { seats: over?.seats ?? [] } }, table: store.table, seat: store.seat };
    draw(store.table?.phase ?? "", paused, words, store.seat, Boolean(store.state?.view.last_roll), over && outcomeWords(store) !== over.outcome && !over.winners?.includes(store.seat) ? over.outcome : "", over ? scoresOf(over) : [], over ? lastMove() : "", shown);
  };
}

/** Everybody with what they have at the end, the winners first. */
function scoresOf({ seats, winners = [] }) {
  const rows = seats.map((one) => ({ seat: one.seat, name: one.name, won: winners.includes(one.seat), has: (one.counters ?? []).map(counted) }));
  return rows.sort((a, b) => Number(b.won) - Number(a.won));
}

function scoreRow(store, { seat, won, has }) {
  return h("tr", { class: won ? "won" : undefined }, h("th", { scope: "row" }, mark(store, seat), " ", h("span", {}, nameOf(store, seat))), h("td", {}, won ? "won" : ""), has.map((one) => h("td", {}, one)));
}
