// A pyramid seen from above: the larger, the more steps, so that sizes can be told apart without their number.

import { s } from "../../elements/dom.js";

const STEPS = { small: [6.6], medium: [9.8, 5.4], large: [13, 8.6, 4.2] };
const PAINTS = { violet: "purple" };

/** Draw a piece around 0,0. */
export function drawPyramid(piece) {
  const paint = PAINTS[piece.owner] ?? piece.owner ?? "none";
  return [s("g", { class: "pyramid", "data-paint": paint }, STEPS[piece.name]?.map((far) => s("path", { class: "pyramid-step", d: square(far) })), corner(STEPS[piece.name]?.[0] ?? 0))];
}

function square(far) {
  return `M${-far},${-far}H${far}V${far}H${-far}Z`;
}

/** The edges that run up to the tip. */
function corner(far) {
  return s("path", { class: "pyramid-edge", d: `M${-far},${-far}L${far},${far}M${far},${-far}L${-far},${far}` });
}
