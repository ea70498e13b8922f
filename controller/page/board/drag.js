// Drawing a piece to another place: one gesture instead of two taps, where a game knows what it means. Taps and keys stay as they are.

import { s } from "../elements/dom.js";

const FAR = 14; // pixels: less is a tap

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
