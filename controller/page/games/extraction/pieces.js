// What stands at corners and edges: houses, cities and roads. Each has the number of its owner's seat, or as many bars, beside the colour.

import { s } from "../../elements/dom.js";

export const HOUSE = "M-7,7V-2.5L0,-9.5L7,-2.5V7Z";
export const CITY = "M-11,8V-1.5H-2.5V-8L3.5,-14L9.5,-8V8Z";
const ROAD = { x: -10, y: -3.4, width: 20, height: 6.8, rx: 2 };

/** Draw what stands at a place; null where nothing does. */
export function drawBuilding({ place, owner, label, mark, picked }) {
  const [kind, , number] = place.split(".");
  if (!owner) return picked && kind === "corner" ? [s("path", { class: "spot-dot building", d: HOUSE })] : null; // where one would settle
  if (kind === "edge") return [drawRoad(mark, (Number(number) - 1) * 60)];
  return [s("path", { class: "spot-dot building", d: label === "C" ? CITY : HOUSE }), s("text", { y: label === "C" ? 5.4 : 5, "text-anchor": "middle", "aria-hidden": "true" }, String(mark))];
}

/** A road, with a bar across it for each number up to its seat's. */
function drawRoad(mark, turn) {
  const bars = Array.from({ length: mark }, (_, i) => s("path", { class: "road-bar", d: `M${(i - (mark - 1) / 2) * 3.4},-2V2` }));
  return s("g", { transform: `rotate(${turn})` }, s("rect", { class: "spot-dot building", ...ROAD }), bars);
}
