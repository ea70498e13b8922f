// Where on the board a guided check waits for something: a ring around a slot or ramp, a bar over an edge, a zone's outline.

import { memo, s } from "../elements/dom.js";
import { edgeLine, hexagon, pair, round, spotAt } from "../elements/shapes.js";

/** Make the layer of the pointer; `draw(place)` moves it, an empty place takes it away. */
export function createPointer(layout) {
  const node = s("g", { class: "pointer", "aria-hidden": "true" });
  const draw = memo((place) => {
    node.setAttribute("data-place", place);
    node.replaceChildren(...shapes(layout, place));
  });
  return { node, draw };
}

/** The place's outline twice: a dark one below, so that it shows on every tile. */
function shapes(layout, place) {
  const found = outline(layout, place);
  if (!found) return [];
  const [tag, props] = found;
  return ["pointer-back", "pointer-line"].map((cls) => s(tag, { ...props, class: cls }));
}

/**
 * The tag and the attributes of a place's outline; null if the board has no such place.
 * @returns {[string, Record<string, any>] | null}
 */
function outline(layout, place) {
  const [kind, name, edge] = place.split(".");
  const slot = layout.slots.get(name);
  if (kind === "slot" && slot) {
    return ["polygon", { points: hexagon(layout.radius - 1), transform: `translate(${round(slot.x)},${round(slot.y)})` }];
  }
  if (kind === "edge" && slot) {
    const ends = edgeLine(layout.radius, Number(edge)).map((end) => ({ x: end.x + slot.x, y: end.y + slot.y }));
    return ["path", { d: `M${ends.map(pair).join("L")}` }];
  }
  const corner = kind === "corner" ? spotAt(layout, place) : null;
  if (corner) return ["circle", { cx: round(corner.x), cy: round(corner.y), r: 6 }];
  const ramp = layout.ramps.get(name);
  if (kind === "ramp" && ramp) return ["circle", { cx: round(ramp.head.x), cy: round(ramp.head.y), r: 10.2 }];
  const zone = layout.zones.get(name);
  return kind === "zone" && zone ? ["path", { d: zone.d }] : null;
}
