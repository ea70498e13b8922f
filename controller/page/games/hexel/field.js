// The whole field, drawn small, for fields that go on beyond the board's drawing: its cells can be tapped, too.

import { h, s } from "../../elements/dom.js";
import { hexagon, round } from "../../elements/shapes.js";
import { cardOf, inWords } from "./card.js";

const PITCH = 50;
const COLUMNS = "abcde";

/** Whether the field may go on beyond the drawing. */
export function isWide(detail) {
  return detail.field === "open";
}

/** The coordinates of a cell: c3 is 0,0; one column on is one to the right. */
export function axial(cell) {
  const found = /^(-?\d+),(-?\d+)$/.exec(cell);
  if (found) return { across: Number(found[1]), down: Number(found[2]) };
  const across = COLUMNS.indexOf(cell.charAt(0)) - 2;
  return { across, down: Number(cell.slice(1)) - 1 + Math.max(-2, -2 - across) };
}

function middle(cell) {
  const { across, down } = axial(cell);
  return { x: (across * PITCH * Math.sqrt(3)) / 2, y: (down + across / 2) * PITCH };
}

/** Draw all cards; `options` are the cells of the picked card, `tap(slot)` is a tap on one. Null while there is nothing. */
export function drawField(detail, options, tap) {
  const targets = new Map(options.map((option) => [option.act.to, option]));
  const all = [...detail.cards.map((card) => card.cell), ...targets.keys()].map(middle);
  if (!all.length) return null;
  const left = Math.min(...all.map(({ x }) => x)) - PITCH * 0.62;
  const top = Math.min(...all.map(({ y }) => y)) - PITCH * 0.55;
  const width = Math.max(...all.map(({ x }) => x)) + PITCH * 0.62 - left;
  const height = Math.max(...all.map(({ y }) => y)) + PITCH * 0.55 - top;
  const cards = detail.cards.map((card, i) => drawn(card, i === detail.cards.length - 1 && Boolean(card.by)));
  const cells = [...targets].map(([cell, option]) => target(cell, option, tap));
  return h("section", { class: "whole-field", "aria-label": "The whole field" },
    h("h2", {}, "The whole field"),
    s("svg", { viewBox: [left, top, width, height].map(round).join(" "), role: "group", "aria-label": "Cards" }, cards, cells));
}

function place(cell) {
  const { x, y } = middle(cell);
  return `translate(${round(x)},${round(y)})`;
}

function drawn(card, last) {
  return s("g", { class: last ? "field-card last" : "field-card", transform: place(card.cell), role: "img", "aria-label": `${card.cell}: ${inWords(card.symbols)}` }, cardOf(card.symbols, PITCH));
}

function target(cell, option, tap) {
  const pressed = (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    tap(option.slot);
  };
  return s("polygon", { class: "field-target", points: hexagon(PITCH / Math.sqrt(3) - 2), transform: place(cell), role: "button", tabindex: "0", "aria-label": option.label, onclick: () => tap(option.slot), onkeydown: pressed });
}
