// What is on a tile: its grooves, its trigger, its moving part, and whether its effects work.

import { s } from "../../elements/dom.js";
import { burst, grooves } from "../../elements/shapes.js";

/** Draw what is on a tile around 0,0. `turns` is how it lies; one that was never shown has a groove at its top. */
export function drawTile(tile, pitch, turns) {
  if (tile.untold) return untold(tile, pitch);
  const known = tile.unseen ? [[1]] : tile.channels;
  return [
    known ? channels(known, turns, pitch) : dish(pitch),
    trigger(tile),
    part(tile),
    tile.silenced ? silenced() : null,
  ];
}

/** What it looks like, pale behind its name, and too small to reach its edges: nobody has told where it leads. */
function untold(tile, pitch) {
  const looks = tile.channels ? channels(tile.channels, 0, pitch) : dish(pitch);
  return [
    s("g", { class: "untold", transform: "scale(0.74)" }, looks),
    s("g", { transform: "translate(0,-11.5) scale(0.8)" }, trigger(tile)),
  ];
}

/** A tile over which a ball runs from one edge to another; its other edges are joined as well. */
export function posterTile(way) {
  const rest = [1, 2, 3, 4, 5, 6].filter((edge) => !way.includes(edge));
  return { title: "", channels: [way, rest.slice(0, 2), rest.slice(2)] };
}

function channels(list, turns, pitch) {
  const paths = grooves(list, turns, pitch - 2.4);
  return [
    ...paths.map((d) => s("path", { class: "groove-edge", d })),
    ...paths.map((d) => s("path", { class: "groove", d })),
    list.some((channel) => channel.length > 2) ? s("circle", { class: "hub", r: 5 }) : null,
  ];
}

/** A tile whose channels nobody knows: a round dish. */
function dish(pitch) {
  return [
    s("circle", { class: "dish", r: pitch * 0.3 }),
    s("circle", { class: "dish-ring", r: pitch * 0.2 }),
  ];
}

function trigger(tile) {
  const kind = tile.trigger;
  if (!kind || kind === "none") return null; // A card of the reference says "none".
  const size = kind === "whole" ? 11.5 : 8.5;
  return s("polygon", { class: tile.disabled?.length ? "trigger mute" : "trigger", points: burst(size, size * 0.66, kind === "whole" ? 14 : 10) });
}

/** How its moving part stands, if an effect has turned it: a pointer, upright when nothing has. */
function part(tile) {
  if (!tile.part) return null;
  return s("g", { class: "part", transform: `rotate(${tile.part * 60})` }, s("circle", { r: 7 }), s("path", { d: "M0,6V-7M-3.6,-3.2L0,-7.4L3.6,-3.2" }));
}

/** Nothing on this tile works now: a crossed-out circle. */
function silenced() {
  return s("g", { class: "silenced", transform: "translate(-17,-2)" }, s("circle", { r: 6 }), s("path", { d: "M-3.6,3.6L3.6,-3.6" }));
}

/** One line that says what is special about a tile. */
export function tileFacts(tile) {
  const facts = [...(tile.keywords ?? [])];
  if (tile.trigger === "whole") facts.push("all of it triggers");
  if (tile.trigger === "area") facts.push("has a trigger area");
  if (tile.starred) facts.push("★");
  if (tile.untold) facts.push("how it is turned you see on the board");
  else if (!tile.channels) facts.push("channels unknown");
  if (tile.part) facts.push(`moving part turned ${tile.part}/6`);
  if (tile.silenced) facts.push(tile.silenced);
  for (const effect of tile.disabled ?? []) facts.push(`switched off: ${effect}`);
  return facts.join(" · ");
}
