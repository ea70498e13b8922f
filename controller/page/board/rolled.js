// Drawing a roll that is over: the way of each ball over the tiles, touches counted as it goes, what is unsure dashed.

import { s } from "../elements/dom.js";
import { curve, pair, round } from "../elements/shapes.js";

const POINTS = 8;
const MEAN_LEG_MS = 520;
const TOLD_LEG_MS = 620;
const SHORTEST_MS = 120;
const LONGEST_MS = 1400;
const FALLEN = 0.5; // A ball below the board is drawn so much smaller.

/** Draw `roll` in the layer, all of it faint (or, if it is `still`, plain); null clears the layer. Returns what moves it, or null. */
export function showRoll(layer, layout, roll) {
  layer.replaceChildren();
  if (!roll) return null;
  const runs = (roll.balls ?? []).map((ball) => lay(layer, layout, ball, roll));
  const steps = timed(runs.flatMap(({ legs, dot, ball }) => legs.map((leg) => ({ ...leg, dot, ball }))), roll.told);
  return { steps, end: Math.max(0, ...steps.map((step) => step.to)), at: (ms) => at(layer, layout, steps, ms) };
}

/** The legs of a ball's way, all drawn faintly at once. */
function lay(layer, layout, ball, roll) {
  const legs = legsOf(layout, ball);
  const name = roll.still ? "leg gone-over" : "leg";
  for (const leg of legs) {
    const d = `M${pair(leg.points[0])}${leg.points.slice(1).map((point) => `L${pair(point)}`).join("")}`;
    leg.path = s("path", { class: leg.unsure ? `${name} unsure` : name, d });
    leg.back = s("path", { class: name.replace("leg", "leg-back"), d });
    layer.append(leg.back, leg.path);
  }
  const dot = s("circle", { class: "leg-ball", r: 6, visibility: "hidden" });
  layer.append(dot);
  return { legs, ball, dot };
}

/**
 * @typedef {object} Leg a stretch of a ball's way; `path` and `back` are how it is drawn
 * @property {string | null} slot
 * @property {number} [touch]
 * @property {number} at_ms
 * @property {{x: number, y: number}[]} points
 * @property {boolean} unsure
 * @property {boolean} [falls] whether the ball falls through the board at its end
 * @property {any} [path]
 * @property {any} [back]
 */

/**
 * One leg through each stop of a ball, and one to where it ended; a ball that stayed there ends where it is.
 * @param {any} layout
 * @param {any} ball
 * @returns {Leg[]}
 */
export function legsOf(layout, { stops = [], ramp, fate, unsure, end_ms: endMs = 0 }) {
  const seen = stops.map((stop) => ({ at_ms: 0, touch: 0, ...stop, at: layout.slots.get(stop.slot) })).filter((stop) => stop.at);
  const start = layout.ramps.get(ramp);
  let from = start ? start.inlet : seen[0]?.at;
  /** @type {Leg[]} */
  const legs = seen.map((stop, i) => {
    const next = seen[i + 1];
    const end = next && next.slot !== stop.slot ? middle(stop.at, next.at) : stop.at;
    const points = [from, ...curve(from, stop.at, end, POINTS)];
    from = end;
    return { slot: stop.slot, touch: stop.touch, at_ms: stop.at_ms, points, unsure: Boolean(stop.unsure) };
  });
  const end = from && fate ? (endOf(layout, fate, seen) ?? from) : undefined;
  const stays = !end || (end.x === from.x && end.y === from.y);
  if (stays && unsure && legs.length) legs.at(-1).unsure = true;
  if (!end) return legs;
  const at = Math.max(endMs, ...legs.map((leg) => leg.at_ms)); // Nothing is told of a ball after its end.
  return [...legs, { slot: null, at_ms: at, points: [from, end], unsure: Boolean(unsure), falls: fate.startsWith("hole") }];
}

function middle(a, b) {
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}

/** Where a ball went from the last slot of its way; undefined if it stayed there. */
function endOf(layout, fate, seen) {
  const [kind, name] = (fate ?? "").split(".");
  if (kind === "zone") return layout.zones.get(name)?.basin;
  if ((kind === "slot" || kind === "hole") && name !== seen.at(-1)?.slot) return layout.slots.get(name);
  if (kind === "side" && seen.length) return overTheSide(seen.at(-1).at, layout);
  return undefined;
}

/** A ball that left the board is drawn beyond an edge of its last slot that leads nowhere, the lowest one. */
function overTheSide(slot, layout) {
  const open = slot.edges.flatMap((edge, i) => (edge.slot || edge.ramp || edge.zone ? [] : [i]));
  const low = open.sort((a, b) => Math.abs(a - 3) - Math.abs(b - 3))[0];
  if (low === undefined) return undefined;
  const angle = (low * Math.PI) / 3;
  return { x: slot.x + Math.sin(angle) * layout.pitch * 0.66, y: slot.y - Math.cos(angle) * layout.pitch * 0.66 };
}

/** Give each step its time on the screen: as it was, but slow enough to be seen, and without long waits. */
function timed(steps, told) {
  const order = [...steps.keys()].sort((a, b) => steps[a].at_ms - steps[b].at_ms || a - b);
  const span = steps.length ? Math.max(...steps.map((step) => step.at_ms)) : 0;
  const stretch = span ? Math.max(1, (MEAN_LEG_MS * steps.length) / span) : 1;
  const free = new Map();
  let now = 0;
  let before = 0;
  const made = [];
  for (const i of order) {
    const step = steps[i];
    const gap = Math.min(LONGEST_MS, (step.at_ms - before) * stretch);
    before = step.at_ms;
    now = told ? now + TOLD_LEG_MS : now + gap;
    const from = free.get(step.ball.ball) ?? Math.max(0, now - LONGEST_MS / 2);
    const to = Math.max(from + SHORTEST_MS, now);
    free.set(step.ball.ball, to);
    made.push({ ...step, from: Math.max(from, to - LONGEST_MS), to });
  }
  return made;
}

/** Draw the moment `ms`: who is where, and what has been counted by then. Returns the step that came last, or null. */
function at(layer, layout, steps, ms) {
  let last = null;
  const counts = new Map();
  const places = new Map();
  for (const step of steps) {
    const over = ms >= step.to;
    step.path.classList.toggle("gone-over", over);
    step.back.classList.toggle("gone-over", over);
    if (over) last = step;
    if (over && step.touch) counts.set(step.slot, Math.max(step.touch, counts.get(step.slot) ?? 0));
    if (ms >= step.from) places.set(step.dot, along(step, ms));
    else if (!places.has(step.dot)) places.set(step.dot, null);
  }
  for (const [dot, point] of places) stand(dot, point);
  count(layer, layout, counts);
  return last;
}

function along(step, ms) {
  const part = Math.min(1, (ms - step.from) / (step.to - step.from));
  const point = step.points[Math.round(part * (step.points.length - 1))];
  return step.falls ? { ...point, size: 1 - part * (1 - FALLEN) } : point;
}

function stand(dot, point) {
  dot.setAttribute("visibility", point ? "visible" : "hidden");
  if (point) dot.setAttribute("transform", `translate(${round(point.x)},${round(point.y)})${point.size ? ` scale(${round(point.size)})` : ""}`);
}

function count(layer, layout, counts) {
  const key = JSON.stringify([...counts]);
  if (layer.dataset.counts === key && layer.querySelector("[data-counted]")) return;
  layer.dataset.counts = key;
  layer.querySelectorAll("[data-counted]").forEach((node) => node.remove());
  for (const [slot, touches] of counts) {
    const place = layout.slots.get(slot);
    layer.append(s("g", { class: "badge touch-count", "data-counted": slot, transform: `translate(${round(place.x)},${round(place.y - 16.5)})` },
      s("circle", { r: 6 }), s("text", { y: 2.9, "text-anchor": "middle" }, String(touches))));
  }
}
