// How Hextris is played, in six pictures of 240 by 150.

import { s } from "../../elements/dom.js";
import { hexagon } from "../../elements/shapes.js";
import { drawSize } from "./pyramid.js";

const STEP = 36;
const at = (x, y, ...content) => s("g", { transform: `translate(${x},${y})` }, ...content);
const cell = (q, r, more = "") => at(...spot(q, r), s("polygon", { class: `well ${more}`, points: hexagon(18) }));
const piece = (q, r, size, paint = "red") => s("g", { transform: `translate(${spot(q, r)}) scale(0.78)` }, drawSize(["small", "medium", "large"][size], paint));
const arrow = (d) => s("path", { class: "howto-arrow", d });
const words = (x, y, text) => s("text", { class: "howto-words", x, y }, text);

/** Where a cell is drawn, from the middle: columns to the right, cells downwards. */
function spot(q, r) {
  return [120 + q * STEP * 0.87, 74 + (r + q / 2) * STEP];
}

const field = (...cells) => cells.map(([q, r]) => cell(q, r));
const ROW = [[-3, 1], [-2, 1], [-1, 0], [0, 0], [1, 0], [2, -1], [3, -1]];

/** @type {{title: string, text: string, draw: () => any[]}[]} */
export const HOW_TO = [
  {
    title: "Connect five, three times",
    text: "Five pieces of your colour that touch each other count for you and leave the board. Your third five wins.",
    draw: () => [...field(...ROW), ...[[-2, 1], [-1, 0], [0, 0], [1, 0], [2, -1]].map(([q, r], i) => piece(q, r, i % 3))],
  },
  {
    title: "Small, medium, large",
    text: "Everybody has five round small pieces, five square medium ones and five large ones with six sides. All can see what you still hold: there are no secrets and no dice.",
    draw: () => [...field([-2, 1], [0, 0], [2, -1]), piece(-2, 1, 0), piece(0, 0, 1), piece(2, -1, 2), words(57, 138, "small"), words(120, 138, "medium"), words(183, 138, "large")],
  },
  {
    title: "Drop a piece on the rim",
    text: "In your turn you do one of three things. The first: choose a size of your hand and put it on an empty cell of the rim.",
    draw: () => [...field(...ROW), piece(3, -1, 1), arrow("M214,20V34")],
  },
  {
    title: "Or slide one",
    text: "The second: one of your pieces moves in a straight line over empty cells. Small one cell, medium up to two, large as far as it is free.",
    draw: () => [...field(...ROW), piece(-2, 1, 2), arrow("M76,78H164")],
  },
  {
    title: "Or swap two",
    text: "The third: two pieces beside each other change places. Usually one is yours, and its size decides which ones it may swap with. Drag one onto the other.",
    draw: () => [...field(...ROW), piece(0, 0, 2), piece(1, 0, 1, "blue"), arrow("M122,50C132,34 148,40 152,64"), arrow("M150,118C140,132 126,122 121,104")],
  },
  {
    title: "Never six",
    text: "More than five may never connect. What is allowed glows; tap a piece or a size, then a bright cell. The open book answers questions.",
    draw: () => [...field(...ROW), ...[[-2, 1], [-1, 0], [0, 0], [1, 0]].map(([q, r], i) => piece(q, r, i % 3)), cell(2, -1, "howto-target"), s("path", { class: "howto-cross", d: "M206,44l24,24m0,-24l-24,24" })],
  },
];
