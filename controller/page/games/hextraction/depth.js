// How closely a table without sensors follows the game: three depths, chosen before it begins. Each says what it sees.

import { h } from "../../elements/dom.js";

/** @type {[string, string, string][]} */
const DEPTHS = [
  ["score", "Score only", "who rolled, who won. One tap a turn."],
  ["light", "Light", "where tiles lie and balls end. Four taps a turn."],
  ["full", "Full", "every touch, and all rules. A dozen taps a turn."],
];

/** What the lobby asks: nothing where the board sees balls by itself. */
export function lobby(table, { say }) {
  const chosen = table.detail?.depth;
  if (!chosen) return [];
  const choice = ([depth, title, sees]) =>
    h("label", { class: "depth" },
      h("input", { type: "radio", name: "depth", value: depth, checked: depth === chosen, onchange: () => say({ do: "setup", set: { depth } }) }),
      h("span", {}, h("strong", {}, title), " ", h("small", {}, sees)));
  return [h("fieldset", { class: "depths" }, h("legend", {}, "How much do you want to tap in?"), DEPTHS.map(choice))];
}
