// How Hex'el is played, in six pictures of 240 by 150: cards as on the board, so that people know them again.

import { s } from "../../elements/dom.js";
import { hexagon } from "../../elements/shapes.js";
import { cardOf } from "./card.js";

const PITCH = 50;
const OVER_2 = { x: 43.3, y: -25 };

const at = (x, y, ...content) => s("g", { transform: `translate(${x},${y})` }, ...content);
const card = (x, y, symbols, size = 1) => s("g", { transform: `translate(${x},${y}) scale(${size})` }, cardOf(symbols, PITCH));
const well = (x, y) => at(x, y, s("polygon", { class: "well", points: hexagon(27) }));
const bright = (x, y) => at(x, y, s("polygon", { class: "field-target", points: hexagon(26) }));
const words = (x, y, text, more = "") => s("text", { class: `howto-words ${more}`, x, y }, text);
const arrow = (d) => s("path", { class: "howto-arrow", d });
const slab = () => s("rect", { class: "howto-slab", x: 4, y: 4, width: 232, height: 142, rx: 12 });
const finger = (x, y) => at(x, y, s("circle", { class: "howto-tap", r: 9 }), s("circle", { class: "howto-tap-dot", r: 3.5 }));
const chips = (x, y, count) => Array.from({ length: count }, (_, i) => s("ellipse", { class: "hexel-chip", cx: x, cy: y - i * 5, rx: 13, ry: 5 }));

/** @type {{title: string, text: string, draw: () => any[]}[]} */
export const HOW_TO = [
  {
    title: "Cards with six symbols",
    text: "Each edge of a card has a symbol: a red disc, a blue square or a yellow triangle. A card has one kind or two, never all three.",
    draw: () => [card(70, 74, "RRBRBB", 1.7), card(172, 74, "YYBBBB", 1.7)],
  },
  {
    title: "Touching edges are equal",
    text: "Lay one card of your hand beside others, turned as you like. Every edge that touches another card must show the same symbol.",
    draw: () => [slab(), card(100, 50, "BBRRBR"), card(100, 100, "RBBRBB"), card(100 + OVER_2.x, 75, "BBBBBR"), arrow("M205,75H182")],
  },
  {
    title: "Count the edges that touch",
    text: "One is called Hexba, two Hexel, three Hexla, four Hexven. The next player should match at least as many.",
    draw: () => [slab(), ...["Hexba", "Hexel", "Hexla", "Hexven"].flatMap((call, i) => [words(38 + i * 55, 72, String(i + 1), "howto-big"), words(38 + i * 55, 100, call)])],
  },
  {
    title: "Fewer? Then pay",
    text: "Before a round you put chips aside: your hedge. For each edge you miss, your hedge pays the stake to the player before you. If it cannot, you are out.",
    draw: () => [slab(), chips(62, 92, 3), words(62, 124, "your hedge"), arrow("M86,78H150"), chips(178, 92, 6), words(178, 124, "their stock")],
  },
  {
    title: "A Hoxla wins",
    text: "Where three cards meet there are three edges. If all three show one symbol, whoever laid the last card wins at once, and takes all hedges.",
    draw: () => [slab(), card(98, 100, "YYBBBB"), card(98, 50, "BBYYBB"), card(98 + OVER_2.x, 75, "RRRRYY"), s("circle", { class: "hexel-meet", cx: 98 + OVER_2.x / 3, cy: 75, r: 19 })],
  },
  {
    title: "On this phone",
    text: "Only you see your cards. Tap one: the cells where it fits turn bright. Tap a cell, turn the card, lay it. A real board's lamps tell nothing before you show a card.",
    draw: () => [slab(), well(78, 50), bright(78, 50), card(78, 100, "RBBRBB"), card(78 + OVER_2.x, 75, "RRBRRB"), finger(78, 50), card(196, 74, "BBBRBR", 0.9)],
  },
];
