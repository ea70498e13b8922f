// What does not change while a board runs: the slab, the wells of the slots, ramps and end zones.

import { s } from "../elements/dom.js";
import { edgeLine, hexagon, over, pair, round } from "../elements/shapes.js";

const HEAD_GAP = 22;
const MARGIN = 5;
const THUMB = 44; // a thumb on the lowest phone that we know
const HEAD = 10.8;
const ZONE = 34; // below the lowest slot: with what a thumb may take of that slot's lower end it is as high as a thumb

/** Work out the whole drawing from `info`: places of slots, ramps and zones, and the view box. */
export function layOut(info) {
  const pitch = info.pitch_mm;
  const radius = pitch / Math.sqrt(3);
  const slots = new Map(info.slots.map((slot) => [slot.slot, { ...slot, x: slot.x_mm, y: slot.y_mm }]));
  const xs = info.slots.map((slot) => slot.x_mm);
  const ys = info.slots.map((slot) => slot.y_mm);
  const left = Math.min(...xs) - radius - MARGIN;
  const right = Math.max(...xs) + radius + MARGIN;
  const top = Math.min(...ys) - pitch / 2 - HEAD_GAP;
  const layout = { pitch, radius, slots, left, right, top, ramps: new Map(), zones: new Map() };
  placeRamps(layout, info);
  placeZones(layout, info);
  layout.bottom = Math.max(...ys) + pitch / 2 + (layout.zones.size ? ZONE : 10);
  return layout;
}

function edgesOf(info, kind) {
  return info.slots.flatMap((slot) =>
    slot.edges.flatMap((edge, i) => (edge[kind] ? [{ name: edge[kind], slot, edge: i + 1 }] : [])),
  );
}

function placeRamps(layout, info) {
  const inlets = edgesOf(info, "ramp").map((one) => {
    const middle = { x: one.slot.x_mm, y: one.slot.y_mm };
    return { ...one, inlet: over(one.edge, layout.pitch / 2, middle), mouth: over(one.edge, layout.pitch / 2 + 9, middle) };
  });
  inlets.sort((a, b) => a.inlet.x - b.inlet.x);
  const wide = layout.right - layout.left;
  const between = Math.max(1, inlets.length - 1);
  const step = Math.max(wide / Math.max(1, inlets.length), Math.min(THUMB, (wide - 2 * HEAD) / between));
  inlets.forEach((one, i) => {
    const head = { x: layout.left + wide / 2 + step * (i - (inlets.length - 1) / 2), y: layout.top };
    layout.ramps.set(one.name, { ...one, head, slot: one.slot.slot, step });
  });
}

function placeZones(layout, info) {
  for (const one of edgesOf(info, "zone")) {
    const middle = { x: one.slot.x_mm, y: one.slot.y_mm };
    const [a, b] = edgeLine(layout.radius, one.edge, 8, 2.5).map((p) => ({ x: p.x + middle.x, y: p.y + middle.y }));
    const zone = layout.zones.get(one.name) ?? { d: "", reach: "", last: null, basin: { x: 0, y: -Infinity } };
    const bar = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
    const joined = zone.last?.slot === one.slot && zone.last.edge === one.edge - 1;
    zone.d += `${joined ? "L" : "M"}${pair(a)}L${pair(b)}`;
    zone.last = one;
    if (bar.y > zone.basin.y) {
      zone.basin = bar;
      zone.reach = reach(layout, one, middle);
    }
    layout.zones.set(one.name, zone);
  }
}

/** A band below the lowest edge of an end zone, as wide as a slot: with a stroke of fixed width it is a target for a thumb. */
function reach({ radius }, { edge }, middle) {
  const along = (out) => edgeLine(radius, edge, out, -radius / 2).map(({ x, y }) => pair({ x: middle.x + x, y: middle.y + y }));
  return `M${[...along(9), ...along(13).reverse()].join("L")}Z`;
}

/** Draw the slab and the wells. */
export function drawSlab(layout, info) {
  const each = (cls, radius) =>
    info.slots.map((slot) =>
      s("polygon", { class: cls, points: hexagon(radius), transform: `translate(${round(slot.x_mm)},${round(slot.y_mm)})` }),
    );
  return s("g", { class: "frame" }, each("rim", layout.radius), each("slab", layout.radius), each("well", layout.radius - 1.6), rails(layout, info));
}

/** Edges beyond which a ball has left the board. */
function rails(layout, info) {
  const off = info.slots.flatMap((slot) =>
    slot.edges.flatMap((edge, i) => (edge.slot || edge.ramp || edge.zone ? [] : [{ slot, edge: i + 1 }])),
  );
  return off.map(({ slot, edge }) => {
    const [a, b] = edgeLine(layout.radius, edge, 2.2, 3).map((p) => ({ x: p.x + slot.x_mm, y: p.y + slot.y_mm }));
    return s("path", { class: "off-board", d: `M${pair(a)}L${pair(b)}` });
  });
}

/** Draw the ramps' chutes; their heads are drawn by the board, since they change. */
export function drawChutes(layout) {
  const chutes = [...layout.ramps.values()].map((ramp) => chute(ramp));
  return s("g", { class: "chutes" }, chutes.map((d) => s("path", { class: "chute", d })), chutes.map((d) => s("path", { class: "chute-bed", d })));
}

function chute({ head, mouth, inlet }) {
  return `M${pair(head)}C${round(head.x)},${round((head.y + mouth.y) / 2 + 6)} ${pair(mouth)} ${pair(inlet)}`;
}

/** Draw the end zones' basins. */
export function drawZones(layout) {
  return s(
    "g",
    { class: "zones" },
    [...layout.zones.entries()].map(([name, zone]) =>
      s(
        "g",
        { class: "zone", "data-zone": name },
        s("path", { class: "zone-wall", d: zone.d }),
        s("path", { class: "zone-bed", d: zone.d }),
        s("path", { class: "zone-hit", d: zone.reach }),
        s("text", { class: "zone-title", x: round(zone.basin.x), y: round(zone.basin.y + 14.5), "text-anchor": "middle" }, name),
      ),
    ),
  );
}
