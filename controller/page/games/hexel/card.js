// A card: a symbol at each edge, told apart by colour and by shape. Discs are red, squares blue, triangles yellow.

import { s } from "../../elements/dom.js";
import { hexagon, over, round } from "../../elements/shapes.js";

const WORDS = { R: "red", B: "blue", Y: "yellow" };

/** A symbol for each number: the same one for the same number. */
export function symbolsOf(numbers) {
  const all = Object.keys(WORDS);
  return numbers.map((one) => all[one % all.length]).join("");
}

/** The symbols in words, clockwise. */
export function inWords(symbols) {
  return [...symbols].map((symbol) => WORDS[symbol] ?? symbol).join(", ");
}

/** The symbols of a card that lies turned by so many sixths. */
export function turnedSymbols(face, turns) {
  const by = ((turns % 6) + 6) % 6;
  return face.slice(6 - by) + face.slice(0, 6 - by);
}

/** How many edges of one symbol follow on each other, clockwise: few words for a card. */
export function inRuns(symbols) {
  const begin = Math.max(0, [...symbols].findIndex((symbol, at) => symbol !== symbols.at(at - 1)));
  const runs = (symbols.slice(begin) + symbols.slice(0, begin)).match(/R+|B+|Y+/g) ?? [];
  return runs.map((run) => `${run.length} ${WORDS[run.charAt(0)]}`).join(", ");
}

/** A small picture of a card for a sentence, called by its words. */
export function cardPicture(symbols) {
  return s("svg", { class: "card-in-line", viewBox: "-30 -27 60 54", role: "img", "aria-label": inRuns(symbols) }, cardOf(symbols, 50));
}

/** A sentence with its cards drawn in it. */
export function pictured(text) {
  return text.split(/\b([RBY]{6})\b/).map((part, at) => (at % 2 ? cardPicture(part) : part)).filter(Boolean);
}

/** Draw a card around 0,0. */
export function drawCard(piece, pitch, turns) {
  return cardOf(turnedSymbols(piece.name ?? "", turns), pitch);
}

/** Draw the symbols of a card as it lies. */
export function cardOf(symbols, pitch) {
  const far = pitch / 2;
  return [
    s("polygon", { class: "card-face", points: hexagon(pitch / Math.sqrt(3) - 1.1) }),
    [...symbols].map((symbol, i) => {
      const at = over(i + 1, far * 0.64);
      return s("g", { class: `symbol ${WORDS[symbol]}`, transform: `translate(${round(at.x)},${round(at.y)})` }, shape(symbol, far * 0.17));
    }),
  ];
}

function shape(symbol, size) {
  if (symbol === "R") return s("circle", { r: round(size) });
  if (symbol === "B") return s("rect", { x: round(-size * 0.9), y: round(-size * 0.9), width: round(size * 1.8), height: round(size * 1.8) });
  return s("path", { d: `M0,${round(-size * 1.15)}L${round(size * 1.1)},${round(size * 0.8)}H${round(-size * 1.1)}Z` });
}
