// Balls: where they lie, the trail each has left in this roll, and their glide to a new place.

import { s } from "../elements/dom.js";
import { curve, pair, round } from "../elements/shapes.js";
import { createFollow, standing } from "../elements/follow.js";

const STEPS = 6;
const FAN = [[0, 0], [9, -6], [-9, -6], [9, 7], [-9, 7], [0, 12], [0, -13]];
const AT_THE_MOUTH = 0.8; // so far down its chute a ball lies that is on a ramp

/** Keep the balls of a board drawn; returns `update(balls)`. */
export function createBalls(layer, trails, layout) {
  const shown = new Map();
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const follow = createFollow((id, point) => place(shown.get(id).node, point), arrived);

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

  /** A ball that counts no more is drawn to where it went, and then no more. */
  function drop(id, one) {
    one.leaving = true;
    if (!follow.end(id)) arrived(id);
  }

  function arrived(id) {
    const one = shown.get(id);
    if (one.leaving) {
      one.node.remove();
      shown.delete(id);
    }
  }

  function move(ball, rank) {
    const trail = ball.trail ?? [];
    const target = spot(layout, ball, trail, rank);
    const one = shown.get(ball.ball) ?? appear(ball, trail, target);
    one.leaving = false;
    one.node.classList.toggle("moving", Boolean(ball.moving));
    one.node.classList.toggle("gone", ball.place === "gone");
    if (one.at.x !== target.x || one.at.y !== target.y) go(ball.ball, one, trail, target);
    if (!ball.moving && trail.length) follow.end(ball.ball);
  }

  function go(id, one, trail, target) {
    const path = route(layout, one, trail, target);
    one.at = target;
    one.trail = trail;
    if (still.matches) {
      one.run.now = target;
      place(one.node, target);
    } else follow.lead(id, one.run, path);
  }

  function appear(ball, trail, target) {
    const node = s("g", { class: "ball", "data-ball": ball.ball },
      s("circle", { class: "ball-shade", r: 7, cy: 1.4 }), s("circle", { class: "ball-body", r: 6.6 }));
    layer.append(node);
    const at = comesFrom(layout, ball, trail) ?? target;
    place(node, at);
    const one = { node, at, trail: [], run: standing(at), leaving: false };
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

/** A ball on a ramp lies in its chute, at the gate, so that the ramp's name stays readable. */
function belowHead(ramp) {
  return ramp && along(ramp, AT_THE_MOUTH);
}

/** A point of a ramp's chute, as it is drawn: 0 is its head, 1 where it opens. */
function along({ head, mouth, inlet }, part) {
  const bend = { x: head.x, y: (head.y + mouth.y) / 2 + 6 };
  const u = 1 - part;
  const mix = (a, b, c, d) => u * u * u * a + 3 * u * u * part * b + 3 * u * part * part * c + part * part * part * d;
  return { x: mix(head.x, bend.x, mouth.x, inlet.x), y: mix(head.y, bend.y, mouth.y, inlet.y) };
}

/** Where a ball begins that is drawn for the first time: one that rolls, at the ramp that it came from; null where it lies. */
function comesFrom(layout, ball, trail) {
  const [kind, name] = ball.place.split(".");
  if (kind === "ramp") return layout.ramps.has(name) ? along(layout.ramps.get(name), 0.3) : null;
  if (!ball.moving || !trail.length) return null;
  const ramp = trail.length === 1 ? [...layout.ramps.values()].find((one) => one.slot === trail[0]) : null;
  return ramp ? along(ramp, 0.3) : (layout.slots.get(trail[0]) ?? null);
}

/** The points from where a ball is drawn to its target, through the middles of the edges that it has crossed since. */
function route(layout, one, trail, target) {
  const from = drawnIn(layout, one, trail);
  if (from < 0) return [target];
  const slots = trail.slice(from).map((slot) => layout.slots.get(slot)).filter(Boolean);
  let at = one.run.now;
  const points = [];
  slots.forEach((slot, i) => {
    const next = slots[i + 1];
    const end = next ? { x: (slot.x + next.x) / 2, y: (slot.y + next.y) / 2 } : target;
    points.push(...curve(at, slot, end, STEPS).map((point) => ({ ...point, leg: from + i })));
    at = end;
  });
  return points.length ? points : [target];
}

/** Which slot of its trail a ball is drawn in, a moment behind; -1 if it is drawn nowhere near it. */
function drawnIn(layout, { run, trail: before }, trail) {
  const differs = trail.findIndex((slot, i) => slot !== before[i]);
  const same = differs < 0 ? trail.length : differs;
  if (same) return Math.min(run.now.leg ?? 0, same - 1);
  const first = layout.slots.get(trail[0]);
  return first && Math.hypot(first.x - run.now.x, first.y - run.now.y) < 2 * layout.pitch ? 0 : -1;
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
