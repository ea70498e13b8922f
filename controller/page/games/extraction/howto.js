// How Extraction is played, in six pictures of 240 by 150: hexes as on the map, so that people know them again.

import { s } from "../../elements/dom.js";
import { drawGround } from "./ground.js";

const at = (x, y, ...content) => s("g", { transform: `translate(${x},${y})` }, ...content);
const hex = (x, y, name, more = {}) => at(x, y, drawGround({ name, ...more }));
const card = (x, y, name) => s("g", { transform: `translate(${x},${y}) scale(0.6)` }, drawGround({ name }));
const words = (x, y, text, more = "") => s("text", { class: `howto-words ${more}`, x, y }, text);
const arrow = (d) => s("path", { class: "howto-arrow", d });
const slab = () => s("rect", { class: "howto-slab", x: 4, y: 4, width: 232, height: 142, rx: 12 });
const finger = (x, y) => at(x, y, s("circle", { class: "howto-tap", r: 9 }), s("circle", { class: "howto-tap-dot", r: 3.5 }));
const painted = (paint, ...content) => s("g", { "data-paint": paint }, ...content);
const house = (x, y, paint) => painted(paint, s("path", { class: "howto-piece", d: `M${x - 7},${y + 7}V${y - 2}L${x},${y - 9}L${x + 7},${y - 2}V${y + 7}Z` }));
const city = (x, y, paint) => painted(paint, s("path", { class: "howto-piece", d: `M${x - 11},${y + 8}V${y - 1}H${x - 2}V${y - 7}L${x + 4},${y - 13}L${x + 10},${y - 7}V${y + 8}Z` }));
const road = (x, y, to, paint) => painted(paint, s("line", { class: "howto-road", x1: x, y1: y, x2: to.x, y2: to.y }));
const die = (x, y, dots) => at(x, y, s("rect", { class: "howto-die", x: -15, y: -15, width: 30, height: 30, rx: 6 }), dots.map(([dx, dy]) => s("circle", { class: "howto-dot", cx: dx * 8, cy: dy * 8, r: 2.8 })));
const cross = (x, y) => s("path", { class: "howto-cross", d: `M${x - 9},${y - 9}L${x + 9},${y + 9}M${x + 9},${y - 9}L${x - 9},${y + 9}` });

// Three hexes that meet in one corner, and that corner.
const MEET = { x: 106, y: 75 };
const three = (grain = {}, ore = {}, wool = {}) => [
  hex(MEET.x - 28.9, MEET.y, "grain", grain), hex(MEET.x + 14.4, MEET.y - 25, "ore", ore), hex(MEET.x + 14.4, MEET.y + 25, "wool", wool),
];

/** @type {{title: string, text: string, draw: () => any[]}[]} */
export const HOW_TO = [
  {
    title: "A land that runs out",
    text: "Nineteen hexes give wood, brick, wool, grain and ore. Each has a number, and its tokens show how often it can still give. When the land is used up, the most points win.",
    draw: () => [slab(), ...three({ disc: 6, tokens: 4, start: 5 }, { disc: 9, tokens: 2, start: 4 }, { disc: 4, tokens: 3, start: 3 }), hex(197, 75, "wood", { spent: true })],
  },
  {
    title: "Settle where hexes meet",
    text: "Everybody begins with two settlements and two roads. A settlement earns from each hex around it, a city earns double.",
    draw: () => [slab(), ...three(), road(MEET.x, MEET.y, { x: 134.9, y: MEET.y }, "blue"), house(MEET.x, MEET.y, "blue"), city(184, 75, "blue"), words(184, 108, "2 points")],
  },
  {
    title: "Throw, and collect",
    text: "Two dice: each hex with that number gives one card to every settlement beside it, two to a city, and loses a token. On a seven you swap two numbers.",
    draw: () => [slab(), die(40, 52, [[-1, -1], [0, 0], [1, 1]]), die(40, 98, [[-1, -1], [0, 0], [1, 1]]), arrow("M64,75H88"), hex(124, 75, "ore", { disc: 6, tokens: 3, start: 5 }), house(152.9, 75, "blue"), arrow("M166,75H186"), card(206, 75, "ore")],
  },
  {
    title: "Build and trade",
    text: "Pay with cards: roads, settlements, cities, development cards. Do you lack a card? The bank gives it for three equal ones. Or offer the others a trade.",
    draw: () => [slab(), card(46, 50, "wood"), card(46, 100, "brick"), arrow("M68,75H96"), ...[0, 1].map((i) => road(112 + i * 28, 90 - i * 16, { x: 140 + i * 28, y: 74 - i * 16 }, "blue")), house(196, 46, "blue"), words(150, 122, "a road, then a settlement")],
  },
  {
    title: "Attack what is beside your road",
    text: "If your road ends at a building of somebody else, stake cards and throw dice: win, and it is yours. Lose, and they get the stake.",
    draw: () => [slab(), road(40, 92, { x: 84, y: 75 }, "blue"), road(84, 75, { x: 122, y: 75 }, "blue"), house(130, 75, "red"), cross(130, 75), arrow("M150,75H182"), house(200, 75, "blue")],
  },
  {
    title: "On this phone",
    text: "Only you see your cards. Tap a button, then a bright edge or corner of the map. The line at the top always says what you can do; the open book tells all rules.",
    draw: () => [slab(), ...three(), s("circle", { class: "howto-zone", cx: MEET.x, cy: MEET.y, r: 11 }), finger(MEET.x, MEET.y), card(196, 48, "grain"), card(196, 100, "ore")],
  },
];
