// What holds for the whole table, where everybody looks: a break, the end of the game, a seat that waits for its phone.

import { button, byId, h, memo, write } from "../elements/dom.js";
import { untouched } from "../elements/hold.js";
import { game } from "../scene/games.js";
import { mark } from "../scene/marks.js";
import { inPictures } from "../scene/pictured.js";
import { counted, nameOf, outcomeWords, publicView } from "../scene/model.js";

/** Keep the banner over the tray up to date; `say(words)` tells the table, `lastMove()` returns what was done last. */
export function createBanner(say, lastMove) {
  const root = byId("pause");
  const next = h("p", { class: "hint", hidden: true }); // Its seconds run; the buttons beside it stay the same.
  const draw = memo((phase, paused, words, seat, free, rolled, why, over, last, alone, played, store) => {
    const before = root.hidden;
    root.hidden = !paused && phase !== "over";
    if (root.hidden) return void root.replaceChildren();
    if (before) untouched(root); // A game may end under the thumb of whoever plays it.
    const tell = (word) => () => say({ do: word });
    root.replaceChildren(...[
      words ? h("p", { class: "strong" }, words) : null,
      why ? h("p", { class: "hint" }, why) : null,
      over ? game().score?.(over, store) ?? scores(store, over) : null,
      last ? h("p", { class: "hint" }, "Last move: ", h("span", {}, inPictures(last))) : null,
      next,
      h("div", { class: "buttons" },
        seat && paused ? button("Go on", tell("resume"), { kind: "primary" }) : null,
        seat && !paused && alone ? button("One more game", tell("start"), { kind: "primary" }) : null,
        seat && !paused ? button(alone ? "Change who plays" : "Rematch", tell("rematch"), alone ? {} : { kind: "primary" }) : null,
        free ? button("Join", () => byId("come").click(), { kind: "primary come-too" }) : null,
        paused || !rolled ? null : button(rolled, undefined, { "data-open": "replay" }),
        paused ? null : h("a", { class: "button plain", href: `history.html#${played}`, target: "_blank", rel: "noopener" }, "The whole game")),
      ].filter(Boolean));
  });
  return function update(store) {
    const paused = Boolean(store.table?.paused);
    const words = paused ? store.table.say || "Paused." : outcomeWords(store) ? "" : "The game is over."; // Who won is the headline.
    const over = !paused && store.table?.phase === "over" ? publicView(store) : null;
    const shown = { state: { view: { seats: over?.seats ?? [] } }, table: store.table, seat: store.seat };
    draw(store.table?.phase ?? "", paused, words, store.seat, !byId("come").hidden, rolledWords(store), over && outcomeWords(store) !== over.outcome && !over.winners?.includes(store.seat) ? over.outcome : "", over, over ? lastMove() : "", store.info?.simulated === true && alone(store), store.state?.game ?? "", shown);
    const seconds = store.table?.phase === "playing" ? null : store.table?.next_s ?? null;
    next.hidden = seconds === null;
    if (seconds !== null) write(next, store.seat ? `The next game begins in ${seconds} s.` : `The next game begins in ${seconds} s. If you sit down, it waits for you.`);
  };
}

/** What shows the last roll again; empty while there is none. */
function rolledWords(store) {
  const view = publicView(store);
  if (!view?.last_roll) return "";
  const won = view.winners?.length && view.last_roll.balls?.some((ball) => ball.fate?.startsWith("zone."));
  return won ? "The winning roll" : "Show the last roll";
}

/** Whether everybody else who plays is a bot: nobody has to be asked before a game begins again. */
function alone({ table, seat }) {
  return !table?.seats.some((one) => one.kind === "person" && one.seat !== seat);
}

/** Everybody with what they have at the end, the winners first; a game's own table of points says it better. */
function scores(store, { seats, winners = [] }) {
  const rows = seats.map((one) => ({ seat: one.seat, name: one.name, won: winners.includes(one.seat), has: (one.counters ?? []).map(counted) }));
  rows.sort((a, b) => Number(b.won) - Number(a.won));
  return rows.length ? h("table", { class: "scores" }, h("tbody", {}, rows.map((one) => scoreRow(store, one)))) : null;
}

function scoreRow(store, { seat, won, has }) {
  return h("tr", { class: won ? "won" : undefined }, h("th", { scope: "row" }, mark(store, seat), " ", h("span", {}, nameOf(store, seat))), h("td", {}, won ? "won" : ""), has.map((one) => h("td", {}, one)));
}
