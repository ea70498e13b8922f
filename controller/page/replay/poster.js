// The picture of a game that has not begun, for the big screen: its pieces come one after the other, and where there are
// ramps and end zones a ball then runs over them. Each game says how its pieces look (`poster`), all else is the board's.

import { game, gameKind } from "../scene/games.js";
import { createPlayer } from "./replay.js";

const PIECE_MS = 900;
const REST_MS = 1600;
const WHOLE_MS = 7000;
const STEP_MS = 400;
const DOWNHILL = [5, 3, 4];
const UI = { slot: null, preview: null };
const NO_CHOICE = { prompt: null, prompts: [], options: [], slots: new Map(), ramps: new Map(), zones: new Map() };

/**
 * A way of a ball from a ramp to an end zone.
 * @typedef {{ramp: string, zone: string, stops: {slot: string, way: [number, number]}[]}} Route
 */

/**
 * Ways from ramps to end zones by gravity, of which no two share a slot: the same each time.
 * @param {any} info
 * @returns {Route[]}
 */
export function routesOf(info) {
  const slots = new Map(info.slots.map((slot) => [slot.slot, slot]));
  const ramps = info.slots.flatMap(({ slot, edges }) => edges.flatMap(({ ramp }, i) => (ramp ? [{ ramp, slot, edge: i + 1 }] : [])));
  const used = new Set();
  const found = [];
  for (const [number, { ramp, slot, edge }] of [...ramps.filter((_, i) => i % 2), ...ramps.filter((_, i) => i % 2 === 0)].entries()) {
    const way = lead(slots, slot, edge, used, number);
    if (!way) continue;
    found.push({ ramp, ...way });
    for (const stop of way.stops) used.add(stop.slot);
  }
  return found;
}

/** From a slot down to an end zone; bends now and then, so that it is worth watching. Null if there is no way. */
function lead(slots, slot, from, used, number) {
  if (used.has(slot)) return null;
  for (const to of [...DOWNHILL.slice(number % 3), ...DOWNHILL.slice(0, number % 3)]) {
    const { slot: next, zone } = slots.get(slot).edges[to - 1];
    const stop = { slot, way: /** @type {[number, number]} */ ([from, to]) };
    if (zone) return { zone, stops: [stop] };
    const rest = next ? lead(slots, next, to > 3 ? to - 3 : to + 3, new Set([...used, slot]), number + 1) : null;
    if (rest) return { zone: rest.zone, stops: [stop, ...rest.stops] };
  }
  return null;
}

/** A number for each edge of a slot, the same from both sides: what touches there may be drawn alike. */
function edgeNumbers({ slot, edges }) {
  const sum = (text) => [...text].reduce((number, letter) => (number * 31 + letter.charCodeAt(0)) % 9973, 7);
  return edges.map((edge, i) => sum(edge.slot ? [slot, edge.slot].sort().join(" ") : `${slot} ${i}`));
}

/** All slots in an order that jumps over the board. */
function scattered(slots) {
  const step = [7, 11, 5, 3, 1].find((one) => slots.length % one) ?? 1;
  return slots.map((_, i) => slots[(i * step) % slots.length]);
}

/** What comes, one after the other: pieces on their slots, and balls over them. */
function planOf(info) {
  const routes = routesOf(info);
  if (!routes.length) return scattered(info.slots).map(({ slot }) => ({ slot, way: null }));
  return routes.flatMap((route) => [...route.stops, { route }]);
}

/** Keep the picture on `board` while there is a lobby. Returns `update(store)`, which says whether it draws. */
export function createPoster(board) {
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const player = createPlayer();
  let key = "";
  let plan = [];
  let done = 0;
  let timer = 0;
  /** @type {any} */
  let shown = null;

  player.watch({ moved() {}, paced() {}, reached() {}, playing: (on, over) => !on && over && next(REST_MS) });

  function draw(balls = []) {
    const lying = plan.slice(0, done).filter((one) => one.slot);
    const seats = shown.table.seats.filter((one) => one.kind !== "open").map((one) => one.seat);
    const slots = new Map(shown.info.slots.map((slot) => [slot.slot, edgeNumbers(slot)]));
    const pieces = lying.map(({ slot, way }, number) => ({
      place: `slot.${slot}`,
      ...game().poster?.(number, { way, edges: slots.get(slot) ?? [], seats: seats.length ? seats : ["red", "blue"] }),
    }));
    const kept = (shown.state?.view.places ?? []).filter((one) => one.place.startsWith("zone.")).map(({ place, title }) => ({ place, title }));
    const view = { kind: gameKind(), poster: true, seats: [], winners: [], places: [...pieces, ...kept], balls, active: "", power: true };
    board({ ...shown, state: { game: "", view } }, NO_CHOICE, UI);
  }

  function next(wait) {
    clearTimeout(timer);
    timer = setTimeout(step, wait);
  }

  function step() {
    if (done === plan.length) done = 0;
    board.show(null);
    const { route } = plan[done] ?? {};
    done += 1;
    draw();
    if (!route) return next(done === plan.length ? WHOLE_MS : PIECE_MS);
    const stops = route.stops.map(({ slot }, i) => ({ slot, at_ms: (i + 1) * STEP_MS }));
    player.load(board.show({ balls: [{ ball: 1, ramp: route.ramp, stops, fate: `zone.${route.zone}`, end_ms: (stops.length + 1) * STEP_MS }] }));
  }

  function stop() {
    if (!key) return false;
    key = "";
    clearTimeout(timer);
    player.stop();
    board.show(null);
    return false;
  }

  return function update(store) {
    const wanted = store.table?.phase === "lobby" && store.info && game().poster;
    if (!wanted) return stop();
    shown = store;
    const now = JSON.stringify([gameKind(), store.info.slots]);
    if (now !== key) {
      stop();
      key = now;
      plan = planOf(store.info);
      done = still.matches ? plan.length : 0;
      if (!still.matches) step();
    }
    draw(still.matches ? lastBalls(plan) : []);
    return true;
  };
}

/** Where the balls lie in the end, for a picture that stands still. */
function lastBalls(plan) {
  return plan.filter((one) => one.route).map(({ route }, i) => ({ ball: i + 1, place: `zone.${route.zone}` }));
}
