// What one sees of a tile at a glance, to look for it by: where its routes lead, what is on it, how many edges are open.

import { s } from "../../elements/dom.js";

const EDGES = [2, 3, 4, 5, 6];

/**
 * Each look by its name: what it is called, and what its little picture is: a tile with this route and what else is drawn
 * on it, or a sign. The routes are named as the reference names them.
 * @type {Record<string, {words: string, route?: number[], trigger?: string, more?: () => Element, sign?: string}>}
 */
export const LOOKS = {
  straight: { words: "Straight", route: [1, 4] },
  curve: { words: "Curve", route: [1, 3] },
  corner: { words: "Sharp corner", route: [1, 2] },
  fork: { words: "Fork", route: [1, 3, 5] },
  crossing: { words: "Crossing", route: [1, 2, 4, 5] },
  trap: { words: "Trap or dead end", route: [1], more: () => s("circle", { class: "look-ball", cy: 1, r: 7 }) },
  hole: { words: "Hole", more: () => s("circle", { class: "look-hole", r: 11 }) },
  trigger: { words: "Trigger", trigger: "area" },
  star: { words: "Star", sign: "★" },
  ...Object.fromEntries(EDGES.map((number) => [`edges-${number}`, { words: `${number} open edges`, more: () => s("text", { class: "look-number", y: 8, "text-anchor": "middle" }, String(number)) }])),
};

/** The looks of a card, by their names; none of one that nobody has drawn. */
export function looksOf(card) {
  const found = new Set(card?.glance);
  if (card?.trigger && card.trigger !== "none") found.add("trigger");
  if (card?.starred) found.add("star");
  const open = new Set((card?.channels ?? []).flat()).size;
  if (open) found.add(`edges-${open}`);
  return found;
}
