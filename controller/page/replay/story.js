// What happened in a finished game, by its turns: each line leads to its moment.

import { h } from "../elements/dom.js";
import { mark } from "../scene/marks.js";
import { markedName } from "../words/sentences.js";

/** The moments at which something was told, by the turn in which it was done: that of the moment before, unless whose turn it is now did it. */
function byTurn(moments) {
  const turns = [];
  for (const [index, { told }] of moments.entries()) {
    if (!told.length) continue;
    const { scene } = moments[index];
    const { turn, active } = told[0].seat === scene.active || !index ? scene : moments[index - 1].scene;
    if (turns.at(-1)?.turn !== turn) turns.push({ turn, active, lines: [] });
    turns.at(-1).lines.push(index);
  }
  return turns;
}

/** The list of all that was told; `says` holds the words around it. */
export function drawStory(summary, moments, seats, says) {
  const line = (moment, index) => moment.told.map((one, part) =>
    h("li", {}, h("button", { type: "button", class: "past-line", "data-moment": part ? undefined : index, onclick: undefined },
      one.seat ? mark(seats, one.seat) : h("span", { class: "dot", "aria-hidden": "true" }), h("span", { class: "past-said" }, one.text))));
  const named = (seat) => markedName(summary.players.find((one) => one.seat === seat)?.name, seat);
  const list = h("ol", { class: "past-list", tabindex: 0, "aria-label": says.story }, byTurn(moments).map(({ turn, active, lines }) =>
    h("li", {}, h("h3", { class: "past-turn" }, says.turn(turn, named(active))), h("ol", {}, lines.map((index) => line(moments[index], index))))));
  for (const own of list.querySelectorAll("ol li:not(:has([data-moment]))")) {
    const first = own.previousElementSibling?.querySelector("button");
    own.querySelector("button").dataset.moment = first?.dataset.moment ?? "0";
  }
  return list;
}
