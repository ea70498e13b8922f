// Moving over the drawing, beside taps: with the arrow keys, and by drawing a piece to another slot. Of its own because a slot is
// then read, too, when there is nothing to choose, and because a game says what a drag means.

import { s } from "../elements/dom.js";

const WAYS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
const PLACES = ".slot > .hit, .ramp, .zone, .spot.target";
const FIRST = ".slot > .hit";
/** How much a step aside counts against one straight on. */
const ASIDE = 1.5;
const FAR = 14; // pixels: a drag is no tap

/** Let the arrow keys go from place to place on a drawing that has the focus; Enter is a tap, as everywhere. */
export function createRoaming(svg) {
  svg.setAttribute("tabindex", "0");
  svg.addEventListener("keydown", (event) => {
    const way = WAYS[event.key];
    if (!way || event.altKey || event.ctrlKey || event.metaKey) return;
    const places = [...svg.querySelectorAll(PLACES)];
    const here = places.find((place) => place === document.activeElement);
    const next = here ? nearest(middle(here), places.filter((place) => place !== here), way) : svg.querySelector(FIRST);
    if (!next) return;
    event.preventDefault();
    next.focus();
  });
}

function middle(place) {
  const box = place.getBoundingClientRect();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

const UPPER = 0.01; // Of two that are as near, the upper one.

/** The place that lies most nearly in this direction; null at the border. */
function nearest(from, places, [right, down]) {
  const far = places.map((place) => {
    const { x, y } = middle(place);
    const on = (x - from.x) * right + (y - from.y) * down;
    const aside = Math.abs((x - from.x) * down) + Math.abs((y - from.y) * right);
    return { place, on, cost: on + ASIDE * aside + UPPER * y };
  });
  const ahead = far.filter(({ on }) => on > 1).sort((a, b) => a.cost - b.cost);
  return ahead[0]?.place ?? null;
}

/** `reach(slot)` are the options that a drag from there may end with, each at its `slot`; `act(option)` does it. */
export function createDragging(svg, reach, act) {
  let going = null;

  svg.addEventListener("pointerdown", (event) => {
    const from = slotOf(event.target);
    const options = event.isPrimary && event.button === 0 && from ? reach(from) : [];
    if (options.length) going = { from, options, x: event.clientX, y: event.clientY, line: null };
  });
  svg.addEventListener("pointermove", (event) => {
    if (!going) return;
    if (!going.line && Math.hypot(event.clientX - going.x, event.clientY - going.y) < FAR) return;
    going.line ??= begin(svg, going);
    const { x, y } = inside(svg, event);
    going.line.setAttribute("x2", x);
    going.line.setAttribute("y2", y);
  });
  svg.addEventListener("pointerup", (event) => {
    const done = end();
    if (!done?.line) return;
    const to = slotOf(document.elementFromPoint(event.clientX, event.clientY));
    const option = done.options.find((one) => one.slot === to);
    if (option) act(option);
  });
  addEventListener("pointercancel", end);

  function end() {
    const was = going;
    going?.line?.remove();
    for (const node of svg.querySelectorAll(".can-take")) node.classList.remove("can-take");
    going = null;
    return was;
  }
}

function begin(svg, { options, x, y }) {
  for (const { slot } of options) svg.querySelector(`.slot[data-slot="${CSS.escape(slot)}"]`)?.classList.add("can-take");
  const at = inside(svg, { clientX: x, clientY: y });
  const line = s("line", { class: "drag-line", x1: at.x, y1: at.y, x2: at.x, y2: at.y });
  svg.append(line);
  return line;
}

/** Where the pointer is, in the measures of the drawing. */
function inside(svg, { clientX, clientY }) {
  return new DOMPoint(clientX, clientY).matrixTransform(svg.getScreenCTM().inverse());
}

function slotOf(node) {
  return node instanceof Element ? node.closest("[data-slot]")?.dataset.slot ?? "" : "";
}
