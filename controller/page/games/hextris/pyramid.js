// Pieces seen from above. Their sizes differ in shape as well: small is round, medium is square, large has six sides.

import { s } from "../../elements/dom.js";
import { hexagon, round } from "../../elements/shapes.js";

const PAINTS = { violet: "purple" };
const circle = (r) => s("circle", { class: "pyramid-step", r });
const square = (far) => s("path", { class: "pyramid-step", d: `M${-far},${-far}H${far}V${far}H${-far}Z` });
const six = (far) => s("polygon", { class: "pyramid-step", points: hexagon(far) });
const STEPS = {
  small: () => [circle(8.4)],
  medium: () => [square(11), square(7)],
  large: () => [six(18.5), six(14), six(9.5)],
};

/** Draw a piece around 0,0. */
export function drawPyramid(piece) {
  return [drawSize(piece.name, PAINTS[piece.owner] ?? piece.owner ?? "none", piece.lit)];
}

/** Draw a size in a colour. */
export function drawSize(size, paint, lit = false) {
  return s("g", { class: lit ? "pyramid lit" : "pyramid", "data-paint": paint }, STEPS[size]?.() ?? []);
}

/** A small picture of a size, for lines of text: its name is said elsewhere. */
export function sizePicture(size) {
  return s("svg", { class: "size-picture", viewBox: "-20 -20 40 40", "aria-hidden": "true" }, STEPS[size]?.()[0]);
}

/**
 * What lies over the slots: bars between pieces that are connected, how many they are, fives that light up, and the last move.
 * @param {any} view
 * @param {(slot: string) => {x: number, y: number} | undefined} at
 * @param {number} pitch
 * @param {Record<string, string>} paints
 */
export function drawOver(view, at, pitch, paints) {
  const { last, fives = [] } = view.detail;
  const pieces = view.places.filter((one) => one.piece && at(nameAt(one))).map((one) => ({ ...one, ...at(nameAt(one)) }));
  const near = (a, b) => Math.hypot(a.x - b.x, a.y - b.y) < pitch * 1.1;
  const pairs = pieces.flatMap((a, i) => pieces.slice(i + 1).filter((b) => a.owner === b.owner && near(a, b)).map((b) => [a, b]));
  return [
    ...pairs.map(([a, b]) => bar(a, b, paints[a.owner])),
    ...fives.map(at).filter(Boolean).map(({ x, y }) => s("polygon", { class: "five-glow", points: hexagon(pitch * 0.53), transform: `translate(${round(x)},${round(y)})` })),
    ...(last ? lastMove(last, at, pitch) : []),
    ...groupsOf(pieces, pairs).filter((group) => group.length > 1).map(size),
  ];
}

const nameAt = ({ place }) => place.slice(place.indexOf(".") + 1);

/** The bridge between two neighbours, over the gap between their bodies only. */
function bar(a, b, paint) {
  const part = (share) => [round(a.x + (b.x - a.x) * share), round(a.y + (b.y - a.y) * share)];
  const [[x1, y1], [x2, y2]] = [part(0.4), part(0.6)];
  return s("g", { class: a.piece.lit ? "bridge lit" : "bridge", "data-paint": paint }, s("line", { class: "bridge-back", x1, y1, x2, y2 }), s("line", { x1, y1, x2, y2 }));
}

/** The pieces that are connected, each group once. */
function groupsOf(pieces, pairs) {
  const groups = new Map(pieces.map((one) => [one, [one]]));
  for (const [a, b] of pairs) {
    const [into, from] = [groups.get(a), groups.get(b)];
    if (into === from) continue;
    into.push(...from);
    for (const one of from) groups.set(one, into);
  }
  return [...new Set(groups.values())];
}

/** How many there are of the five, at the topmost piece. */
function size(group) {
  const top = group.reduce((best, one) => (one.y < best.y || (one.y === best.y && one.x < best.x) ? one : best));
  return s("g", { class: "group-size", transform: `translate(${round(top.x + 15)},${round(top.y - 13)})` },
    s("circle", { r: 7.4 }), s("text", { y: 3.4, "text-anchor": "middle" }, String(group.length)));
}

function lastMove({ kind, to, at: from }, at, pitch) {
  const [there, here] = [at(to), from ? at(from) : null];
  const ring = (point) => s("polygon", { class: "last-move", points: hexagon(pitch * 0.545), transform: `translate(${round(point.x)},${round(point.y)})` });
  const rings = [there, kind === "swap" ? here : null].filter(Boolean).map(ring);
  if (!here || !there) return rings;
  const part = (share) => `${round(here.x + (there.x - here.x) * share)},${round(here.y + (there.y - here.y) * share)}`;
  return kind === "slide" ? [...rings, s("path", { class: "last-way", d: `M${part(0)}L${part(0.8)}` }), s("circle", { class: "last-from", cx: round(here.x), cy: round(here.y), r: 4 })] : rings;
}
