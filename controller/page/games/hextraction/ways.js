// Where the channels of a tile lead, in words: for whoever cannot see the drawing. Only what is printed on the tiles is told,
// so it is no secret: how likely a ball takes a way is told in the odds, and to watchers only.

import { pieceAt, placesOf, publicView, slotOf } from "../../scene/model.js";
import { turned } from "../../elements/shapes.js";

/** How high an edge of a slot is: a ball rolls from the top edge, 1, to the one at the bottom, 4. */
const HEIGHT = { 1: 3, 2: 2, 6: 2, 3: 1, 5: 1, 4: 0 };
const MOST = 22;
const SAYS = {
  rim: "the edge of the board",
  ramp: (name) => `ramp ${name}`,
  down: (from, to) => `From ${from} to ${to}.`,
  level: (from, to) => `Between ${from} and ${to}.`,
  joins: (places) => `Joins ${places}.`,
  ends: (from) => `Ends here, from ${from}.`,
  unknown: "Its channels are unknown.",
  goes: (slots, end) => `Along the channels: ${slots}, then ${end}.`,
  stops: (end) => `At once: ${end}.`,
  off: "off the board",
  open: (name) => `open slot ${name}`,
  fork: (name) => `a fork on ${name}`,
  uphill: (name) => `uphill on ${name}`,
  wall: (name) => `no channel on ${name}`,
  strange: (name) => `unknown channels on ${name}`,
  round: "round and round",
};

/** The channels of the tile as it lies, each as the edges that it joins, the highest first; null if nobody knows them. */
function channelsOf(tile) {
  const turns = tile.turns ?? 0;
  return tile.channels?.map((edges) => edges.map((edge) => turned(edge, turns)).sort((a, b) => HEIGHT[b] - HEIGHT[a] || a - b)) ?? null;
}

/** What lies beyond an edge of a slot: {slot}, {ramp}, {zone}, or nothing. */
function beyond(store, name, edge) {
  return store.info.slots.find((one) => one.slot === name)?.edges[edge - 1] ?? {};
}

function placeWords(store, { slot, ramp, zone }) {
  if (zone) return placesOf(store, "zone").find((one) => one.name === zone)?.title || zone;
  return slot ?? (ramp ? SAYS.ramp(ramp) : SAYS.rim);
}

/** Where each channel of the tile on a slot leads, as sentences; none for a slot without a tile of its own. */
export function ways(store, name) {
  const tile = slotOf(store, name).piece;
  if (!tile || tile.untold || tile.covers?.length > 1) return [];
  const found = channelsOf(tile);
  if (!found) return [SAYS.unknown];
  return found.map((edges) => {
    const places = edges.map((edge) => placeWords(store, beyond(store, name, edge)));
    if (edges.length === 1) return SAYS.ends(places[0]);
    if (edges.length > 2) return SAYS.joins(places.join(", "));
    return HEIGHT[edges[0]] > HEIGHT[edges[1]] ? SAYS.down(places[0], places[1]) : SAYS.level(places[0], places[1]);
  });
}

/** The way of a ball from a ramp, as far as channels alone tell it; nothing where nobody has told how the tiles lie. */
export function course(store, ramp) {
  if (publicView(store)?.detail?.depth) return "";
  const first = store.info.slots.find((slot) => slot.edges.some((edge) => edge.ramp === ramp));
  if (!first) return "";
  const over = [];
  let name = first.slot;
  let edge = first.edges.findIndex((one) => one.ramp === ramp) + 1;
  for (let step = 0; step < MOST; step += 1) {
    const tile = pieceAt(store, name);
    if (!tile) return told(over, SAYS.open(name));
    const channel = tile.covers?.length > 1 ? undefined : channelsOf(tile)?.find((edges) => edges.includes(edge));
    if (!channel) return told(over, tile.channels && !(tile.covers?.length > 1) ? SAYS.wall(name) : SAYS.strange(name));
    if (channel.length > 2) return told(over, SAYS.fork(name));
    const [to] = channel.filter((one) => one !== edge);
    if (to === undefined || HEIGHT[to] > HEIGHT[edge] || HEIGHT[to] === 2) return told(over, SAYS.uphill(name));
    over.push(name);
    const next = beyond(store, name, to);
    if (!next.slot) return told(over, next.zone || next.ramp ? placeWords(store, next) : SAYS.off);
    name = next.slot;
    edge = ((to + 2) % 6) + 1;
  }
  return told(over, SAYS.round);
}

function told(over, end) {
  return over.length ? SAYS.goes(over.join(", "), end) : SAYS.stops(end);
}
