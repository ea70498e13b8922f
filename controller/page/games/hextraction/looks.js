// What one sees of a tile at a glance, to look for it by: where its routes lead, what is on it, how many edges are open.

import { h, s } from "../../elements/dom.js";
import { piecePicture } from "../../scene/pieces.js";

const EDGES = [2, 3, 4, 5, 6];

/**
 * Each look by its name: what it is called, and a little picture of it. The routes are named as the reference names them.
 * @type {Record<string, {words: string, picture: () => Element}>}
 */
export const LOOKS = {
  straight: { words: "Straight", picture: () => route([1, 4]) },
  curve: { words: "Curve", picture: () => route([1, 3]) },
  corner: { words: "Sharp corner", picture: () => route([1, 2]) },
  fork: { words: "Fork", picture: () => route([1, 3, 5]) },
  crossing: { words: "Crossing", picture: () => route([1, 2, 4, 5]) },
  trap: { words: "Trap or dead end", picture: () => route([1], s("circle", { class: "look-ball", cy: 1, r: 7 })) },
  hole: { words: "Hole", picture: () => route([], s("circle", { class: "look-hole", r: 11 })) },
  trigger: { words: "Trigger", picture: () => piecePicture({ channels: [], trigger: "area" }) },
  star: { words: "Star", picture: () => h("span", { class: "look-star" }, "★") },
  ...Object.fromEntries(EDGES.map((number) => [`edges-${number}`, { words: `${number} open edges`, picture: () => route([], s("text", { class: "look-number", y: 8, "text-anchor": "middle" }, String(number))) }])),
};

function route(channel, ...more) {
  const picture = piecePicture({ channels: channel.length ? [channel] : [] });
  picture.append(...more);
  return picture;
}

/** The looks of a card, by their names; none of one that nobody has drawn. */
export function looksOf(card) {
  const found = new Set(card?.glance);
  if (card?.trigger && card.trigger !== "none") found.add("trigger");
  if (card?.starred) found.add("star");
  const open = new Set((card?.channels ?? []).flat()).size;
  if (open) found.add(`edges-${open}`);
  return found;
}
