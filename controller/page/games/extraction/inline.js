// Sentences with their cards and hexes drawn in them: "2 wood" is two cards, "wood 6" the hex with that number.

import { h, s } from "../../elements/dom.js";
import { translated } from "../../words/sentences.js";
import { GOODS } from "./cards.js";
import { drawGround } from "./ground.js";

const NOT_IN_WORD = ["(?<![\\p{L}\\d])", "(?![\\p{L}\\d])"];

/** A sentence of this phone's language, as text and pictures that are called by its words. */
export function pictured(text) {
  const names = new Map(GOODS.map((good) => [translated(good).toLowerCase(), good]));
  const any = [...names.keys()].join("|");
  const [before, after] = NOT_IN_WORD;
  const parts = text.split(new RegExp(`(${before}(?:\\d+ (?:${any})|(?:${any}) \\d+)${after})`, "giu"));
  return parts.map((part, at) => (at % 2 ? picture(part, names) : part)).filter(Boolean);
}

function picture(words, names) {
  const [one, other] = words.toLowerCase().split(" ");
  const hex = names.has(one);
  const number = Number(hex ? other : one);
  const ground = s("svg", { class: "good-in-line", viewBox: "-27 -24 54 48" }, drawGround({ name: names.get(hex ? one : other) }));
  const often = number === 6 || number === 8;
  const disc = hex ? h("span", { class: often ? "disc-in-line often" : "disc-in-line" }, String(number)) : null;
  return h("span", { class: "in-line", role: "img", "aria-label": words }, !hex && number > 1 ? String(number) : null, ground, disc);
}
