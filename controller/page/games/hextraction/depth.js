// How closely a table without sensors follows the game: three depths, chosen before it begins.

import { h } from "../../elements/dom.js";

/** @type {[string, string, string][]} */
const DEPTHS = [
  ["score", "Score only", "One tap a turn: was it a goal? Tiles, cards and effects are up to you."],
  ["light", "Light", "Four taps a turn: tile, slot, ramp, and where the ball ended. Nobody counts touches, so you watch for loops yourselves."],
  ["full", "Full", "A dozen taps a turn: you tap every touch, and all rules count."],
];

/** What the lobby asks: nothing where the board sees balls by itself. */
export function lobby(table, { say }) {
  const chosen = table.detail?.depth;
  if (!chosen) return [];
  const choice = (depth, title) =>
    h("label", { class: "depth" },
      h("input", { type: "radio", name: "depth", value: depth, checked: depth === chosen, onchange: () => say({ do: "setup", set: { depth } }) }),
      h("span", {}, title));
  const [, , what] = DEPTHS.find(([depth]) => depth === chosen);
  return [h("fieldset", { class: "depths" }, h("legend", {}, "What do you tap?"), DEPTHS.map(([depth, title]) => choice(depth, title)), h("p", { class: "hint", "aria-live": "polite" }, what))];
}
