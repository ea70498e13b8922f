// A hex of the map and a card in the hand: its colour, a sign of what it gives, its number disc, and the tokens that are left: as
// a bar, for dots mean how often a number is thrown.

import { s } from "../../elements/dom.js";
import { hexagon } from "../../elements/shapes.js";

const SIGNS = {
  wood: "M0,-7L5,0H2.2L6,5H1.2V8H-1.2V5H-6L-2.2,0H-5Z",
  brick: "M-7,-5H-1V-1H-7ZM1,-5H7V-1H1ZM-7,1H-4V5H-7ZM-2,1H4V5H-2ZM6,1H7V5H6Z",
  wool: "M-6,-1A3.4,3.4 0 0 1 -1,-5A4,4 0 0 1 5,-3A3.2,3.2 0 0 1 5.4,3H3.4V7H1.8V3H-2V7H-3.6V3A3.6,3.6 0 0 1 -6,-1Z",
  grain: "M-0.8,8V-2L-5,-5V-1L-0.8,2V3L-5,0V4L-0.8,7M0.8,8V-2L5,-5V-1L0.8,2V3L5,0V4L0.8,7M0,-8L2,-4L0,-2L-2,-4Z",
  ore: "M-8,6L-3,-5L0,0L3,-7L8,6Z",
};
const LETTERS = { knight: "K", point: "1", roads: "R", plenty: "P", monopoly: "M" };
const RADIUS = 26.6;
const PART = 4.6;

/** Draw a hex of the map, or a card, around 0,0. */
export function drawGround(piece) {
  const { name, disc = 0, tokens = 0, start = 0, spent = false, count = 0 } = piece;
  const ground = s("polygon", { class: `ground ground-${spent ? "spent" : name}`, points: hexagon(RADIUS) });
  if (name in LETTERS) return [ground, s("text", { class: "card-letter", y: 6, "text-anchor": "middle" }, LETTERS[name])];
  const sign = SIGNS[name] ? s("path", { class: "sign", d: SIGNS[name], transform: disc ? "translate(-16.5,-3.5) scale(0.72)" : "translate(0,-6) scale(1.25)" }) : null;
  return [ground, sign, disc ? drawNumber(disc) : null, start && !spent ? bar(tokens, start) : null, count ? s("text", { class: "card-count", x: 12, y: -6, "text-anchor": "middle" }, String(count)) : null];
}

/** A number disc, where it lies on a hex or `moved` otherwise. */
export function drawNumber(disc, moved = "translate(0,-6.5)") {
  const often = disc === 6 || disc === 8;
  return s("g", { class: often ? "disc often" : "disc", transform: moved },
    s("circle", { r: 9.4 }), s("text", { y: 3.8, "text-anchor": "middle" }, String(disc)));
}

/** A bar with a part for each token that the hex began with; those that are left are filled, and their number stands before it. */
function bar(tokens, start) {
  const from = (7 - start * PART) / 2;
  const all = Array.from({ length: start }, (_, i) => s("rect", { class: i < tokens ? "stock left" : "stock", x: from + i * PART, y: 5.4, width: PART, height: 5.2 }));
  return s("g", {}, s("text", { class: "stock-count", x: from - 1.8, y: 10.9, "text-anchor": "end" }, String(tokens)), all);
}
