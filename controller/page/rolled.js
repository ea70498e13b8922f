// Drawing a roll that is over: the way of each ball over the tiles, touches counted as it goes, what is unsure dashed.

import { s } from "./dom.js";
import { curve, pair, round } from "./shapes.js";

const STEP_MS = 620;
const POINTS = 8;
const FIRST_MS = 250;

/** Show `roll` in the layer and tell each step; null clears the layer. Returns how long it takes, in milliseconds. */
export function showRoll(layer, layout, roll, told = () => {}) {
  for (const animation of layer.getAnimations?.({ subtree: true }) ?? []) animation.cancel();
  clearTimeout(Number(layer.dataset.timer));
  layer.replaceChildren();
  if (!roll) return 0;
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const runs = roll.balls.map((ball) => lay(layer, layout, ball));
  const steps = runs.flatMap(({ legs, ball, dot }) => legs.map((leg) => ({ leg, ball, dot })));
  if (calm) {
    steps.forEach((step) => arrive(layer, layout, step, new Map(), told));
    return 0;
  }
  play(layer, layout, steps, told);
  return FIRST_MS + steps.length * STEP_MS;
}

/** The legs of a ball's way, all drawn faintly at once. */
function lay(layer, layout, ball) {
  const legs = legsOf(layout, ball);
  for (const leg of legs) {
    const d = `M${pair(leg.points[0])}${leg.points.slice(1).map((point) => `L${pair(point)}`).join("")}`;
    leg.path = s("path", { class: leg.unsure ? "leg unsure" : "leg", d });
    layer.append(leg.path);
  }
  const dot = s("circle", { class: "leg-ball", r: 6, cx: 0, cy: 0, visibility: "hidden" });
  layer.append(dot);
  return { legs, ball, dot };
}

/** One leg through each tile of the trail, and one to where the ball came to rest. */
export function legsOf(layout, { trail, place, ramp, doubtful }) {
  const stops = trail.map((slot) => ({ slot, at: layout.slots.get(slot) })).filter((stop) => stop.at);
  const start = layout.ramps.get(ramp);
  const began = start?.slot === stops[0]?.slot;
  let from = began ? start.inlet : stops[0]?.at;
  const legs = stops.map((stop, i) => {
    const [before, next] = [stops[i - 1], stops[i + 1]];
    const unsure = before ? !neighbours(before.at, stop.slot) : Boolean(start) && !began;
    const end = next ? middle(stop.at, next.at) : stop.at;
    const points = [from, ...curve(from, stop.at, end, POINTS)];
    from = end;
    return { slot: stop.slot, points, unsure: unsure || (Boolean(doubtful) && !next) };
  });
  const end = endOf(layout, place, stops);
  if (end) legs.push({ slot: null, points: [from, end], unsure: Boolean(doubtful) });
  return legs;
}

function middle(a, b) {
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}

function neighbours(at, slot) {
  return at.edges.some((edge) => edge.slot === slot);
}

function endOf(layout, place, stops) {
  const [kind, name] = place.split(".");
  if (kind === "zone") return layout.zones.get(name)?.basin;
  if (kind === "slot" && name !== stops.at(-1)?.slot) return layout.slots.get(name);
  return undefined;
}

function play(layer, layout, steps, told) {
  const counts = new Map();
  let next = 0;
  const go = () => {
    const step = steps[next];
    next += 1;
    if (!step) return;
    run(step);
    layer.dataset.timer = String(setTimeout(() => {
      arrive(layer, layout, step, counts, told);
      go();
    }, STEP_MS));
  };
  layer.dataset.timer = String(setTimeout(go, FIRST_MS));
}

function run({ leg, dot }) {
  dot.setAttribute("visibility", "visible");
  const frames = leg.points.map((point) => ({ transform: `translate(${round(point.x)}px,${round(point.y)}px)` }));
  dot.animate(frames, { duration: STEP_MS, easing: "linear", fill: "forwards" });
}

function arrive(layer, layout, { leg, ball, dot }, counts, told) {
  leg.path.classList.add("gone-over");
  const end = leg.points.at(-1);
  dot.setAttribute("transform", `translate(${round(end.x)},${round(end.y)})`);
  dot.setAttribute("visibility", "visible");
  if (!leg.slot) return;
  const count = (counts.get(leg.slot) ?? 0) + 1;
  counts.set(leg.slot, count);
  layer.querySelector(`[data-counted="${CSS.escape(leg.slot)}"]`)?.remove();
  const at = layout.slots.get(leg.slot);
  layer.append(s("g", { class: "badge touch-count", "data-counted": leg.slot, transform: `translate(${round(at.x)},${round(at.y - 16.5)})` },
    s("circle", { r: 6 }), s("text", { y: 2.9, "text-anchor": "middle" }, String(count))));
  told(ball, leg.slot, count, leg.unsure);
}
