// The mark of a seat: colour, shape and number, so that nobody needs to tell colours apart.

import { s } from "../elements/dom.js";
import { burst } from "../elements/shapes.js";
import { paint, seatIndex } from "./model.js";

const SHAPES = [
  () => s("circle", { r: 10 }),
  () => s("rect", { x: -9, y: -9, width: 18, height: 18, rx: 2 }),
  () => s("path", { d: "M0,-11.5L11.5,9H-11.5Z" }),
  () => s("path", { d: "M0,-12L12,0L0,12L-12,0Z" }),
  () => s("polygon", { points: burst(11, 9.2, 3) }),
  () => s("polygon", { points: burst(12, 7.5, 5) }),
];

/** Draw a seat's mark, 24 by 24. */
export function mark(store, seat) {
  const index = seatIndex(store, seat);
  const low = index % SHAPES.length === 2 ? 3 : 0;
  return s(
    "svg",
    { class: "mark", "data-paint": paint(store, seat), viewBox: "-12 -12 24 24", "aria-hidden": "true" },
    SHAPES[index % SHAPES.length](),
    s("text", { y: 4.4 + low, "text-anchor": "middle" }, String(index + 1)),
  );
}
