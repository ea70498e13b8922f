// Balls: where they lie, the trail each has left in this roll, and their glide to a new place.

import { s } from "../elements/dom.js";
import { curve, pair, round } from "../elements/shapes.js";

const STEPS = 6;
const MS_PER_SLOT = 190;
const SLOWEST_MS = 700;
const LONGEST_MS = 1400;
const FAN = [[0, 0], [9, -6], [-9, -6], [9, 7], [-9, 7], [0, 12], [0, -13]];

/** Keep the balls of a board drawn; returns `update(balls)`. */
export function createBalls(layer, trails, layout) {
  const shown = new Map();
  const still = matchMedia("(prefers-reduced-motion: reduce)");

  function update(balls) {
    const crowd = new Map();
    const seen = new Set();
    for (const ball of balls) {
      seen.add(ball.ball);
      const rank = crowd.get(ball.place) ?? 0;
      crowd.set(ball.place, rank + 1);
      move(ball, rank);
    }
    for (const [id, one] of shown) if (!seen.has(id)) drop(id, one);
    drawTrails(balls);
  }

  function drop(id, one) {
    one.node.remove();
    shown.delete(id);
  }

  function move(ball, rank) {
    const trail = ball.trail ?? [];
    const target = spot(layout, ball, trail, rank);
    const one = shown.get(ball.ball) ?? appear(ball, trail, target);
    one.node.classList.toggle("moving", Boolean(ball.moving));
    one.node.classList.toggle("gone", ball.place === "gone");
    if (one.at.x === target.x && one.at.y === target.y) return;
    const path = [...route(layout, one, trail, target)];
    const from = whereNow(one);
    one.at = target;
    one.trail = trail;
    one.place = ball.place;
    place(one.node, target);
    const now = performance.now();
    const pace = Math.min(SLOWEST_MS, Math.max(MS_PER_SLOT, now - one.since)); // as long as it took to come here
    one.since = now;
    if (!still.matches && path.length) glide(one, [from, ...path], pace);
  }

  function appear(ball, trail, target) {
    const start = trail.length === 0 ? target : (layout.slots.get(trail[0]) ?? target);
    const node = s("g", { class: "ball", "data-ball": ball.ball },
      s("circle", { class: "ball-shade", r: 7, cy: 1.4 }), s("circle", { class: "ball-body", r: 6.6 }));
    layer.append(node);
    const at = ball.moving ? { x: start.x, y: start.y } : target;
    place(node, at);
    const one = { node, at, trail: ball.moving ? trail.slice(0, 1) : trail, place: ball.place, run: null, points: [at], since: performance.now() };
    shown.set(ball.ball, one);
    return one;
  }

  function drawTrails(balls) {
    trails.replaceChildren(...balls.flatMap((ball) => {
      const points = (ball.trail ?? []).map((slot) => layout.slots.get(slot)).filter(Boolean);
      if (points.length === 0) return [];
      const d = trailPath(points, finish(layout, ball));
      return [s("path", { class: "trail-back", d }), s("path", { class: "trail", d })]; // seen on dark and on bright channels
    }));
  }

  return update;
}

function place(node, point) {
  node.setAttribute("transform", `translate(${round(point.x)},${round(point.y)})`);
}

/** Where a ball lies: slots by their middle, ramps by their head, zones by their basin, gone by its last slot. */
function spot(layout, ball, trail, rank) {
  const [dx, dy] = FAN[rank % FAN.length];
  const base = finish(layout, ball) ?? layout.slots.get(trail[trail.length - 1]) ?? { x: layout.right, y: layout.bottom };
  const flat = ball.place.startsWith("zone.");
  return { x: base.x + (flat ? (rank % 2 ? -1 : 1) * Math.ceil(rank / 2) * 13 : dx), y: base.y + (flat ? 0 : dy) };
}

function finish(layout, ball) {
  const [kind, name] = ball.place.split(".");
  if (kind === "slot") return layout.slots.get(name);
  if (kind === "ramp") return belowHead(layout.ramps.get(name));
  if (kind === "zone") return layout.zones.get(name)?.basin;
  return undefined;
}

/** A ball on a ramp lies in its chute, so that the ramp's name stays readable. */
function belowHead(ramp) {
  return ramp && { x: ramp.head.x + (ramp.mouth.x - ramp.head.x) * 0.3, y: ramp.head.y + 16 };
}

/** The points from where a ball was to its target, through the middles of the edges that it crossed. */
function route(layout, one, trail, target) {
  const known = trail.length >= one.trail.length && one.trail.every((slot, i) => slot === trail[i]);
  if (!known) return [target];
  const slots = trail.slice(Math.max(0, one.trail.length - 1)).map((slot) => layout.slots.get(slot)).filter(Boolean);
  let at = whereNow(one);
  const points = [];
  slots.forEach((slot, i) => {
    const next = slots[i + 1];
    const end = next ? { x: (slot.x + next.x) / 2, y: (slot.y + next.y) / 2 } : target;
    points.push(...curve(at, slot, end, STEPS));
    at = end;
  });
  return points.length ? points : [target];
}

function whereNow(one) {
  if (!one.run || one.run.playState === "finished") return one.at;
  const part = one.run.effect.getComputedTiming().progress ?? 1;
  return one.points[Math.min(one.points.length - 1, Math.round(part * (one.points.length - 1)))];
}

function glide(one, points, pace) {
  one.run?.cancel();
  one.points = points;
  const frames = points.map((p) => ({ transform: `translate(${round(p.x)}px,${round(p.y)}px)` }));
  const duration = Math.min(LONGEST_MS, Math.max(1, points.length / STEPS) * pace);
  one.run = one.node.animate(frames, { duration, easing: "linear" });
}

function trailPath(points, end) {
  const last = points[points.length - 1];
  const stops = end && (end.x !== last.x || end.y !== last.y) ? [...points, end] : points;
  if (stops.length === 1) return `M${pair(last)}h0.1`;
  let d = `M${pair(stops[0])}`;
  for (let i = 1; i < stops.length; i += 1) {
    const middle = { x: (stops[i - 1].x + stops[i].x) / 2, y: (stops[i - 1].y + stops[i].y) / 2 };
    d += i === 1 ? `L${pair(middle)}` : `Q${pair(stops[i - 1])} ${pair(middle)}`;
  }
  return `${d}L${pair(stops[stops.length - 1])}`;
}
