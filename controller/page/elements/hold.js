// What a finger is on stays where it is until the finger has gone, and what comes up below it takes no tap meant for what was there.

/** So long what comes up where one has just tapped takes no second tap. */
export const UNTOUCHED_MS = 800;
/** So long a button takes no tap where something else could be tapped a moment ago. */
const SETTLE_MS = 400;
const TOUCHABLE = ["button", "summary", "a", "input", "select"].join();
const TOUCHING_PX = 2;

/** Let what has just come up where somebody may be tapping take no tap yet. */
export function untouched(root) {
  root.inert = true;
  setTimeout(() => (root.inert = false), UNTOUCHED_MS);
}

/**
 * Tell whether something inside of what `parts` selects is being pressed; `again` is called once it is no more, after the
 * click that came of it.
 * @param {string} parts
 * @param {() => void} again
 */
export function createHold(parts, again) {
  let pressed = false;
  const release = () => {
    if (!pressed) return;
    pressed = false;
    setTimeout(again);
  };
  addEventListener("pointerdown", ({ target }) => (pressed = target instanceof Element && Boolean(target.closest(parts))), true);
  for (const end of ["pointerup", "pointercancel", "blur"]) addEventListener(end, release);
  return () => pressed;
}

/**
 * Keep watch over what can be tapped inside of `root`: a button that stands where another one, or a card, stood a moment ago
 * takes no tap at first. The function is to be called after each drawing. A phone that is busy shows later what was drawn,
 * and hears later of a finger: what counts is when the eye could see the button, and when the finger came.
 * @param {Element} root
 */
export function createResting(root) {
  /** @type {Standing[]} */
  let before = [];
  root.addEventListener("click", (event) => {
    const { target, timeStamp, detail } = /** @type {MouseEvent} */ (event);
    const tapped = before.find(({ node }) => target instanceof Node && node.contains(target));
    if (detail && tapped?.rest && timeStamp < tapped.rest.until) event.stopPropagation();
  }, true);
  return function settle() {
    const now = performance.now();
    const stood = before.filter((one) => one.left === 0);
    for (const one of stood) one.left = now;
    const recent = before.filter((one) => now - one.left < SETTLE_MS);
    const here = [...root.querySelectorAll(TOUCHABLE)].map(standing).filter(({ box }) => box.width && box.height);
    for (const one of here) {
      const same = stood.find((other) => other.name === one.name && meet(other, one));
      if (same) one.rest = same.rest?.over ? null : same.rest;
      else if (recent.some((other) => meet(other, one))) one.rest = begun(now);
      if (one.rest) rest(one.node, one.rest);
    }
    before = [...here, ...recent];
  };
}

/**
 * @typedef {object} Standing something that can be tapped, and where
 * @property {Element} node
 * @property {string} name what it is for: the same after it was drawn anew
 * @property {DOMRect} box on the page, however far that is scrolled
 * @property {Rest | null} rest
 * @property {number} left when it went; 0 as long as it stands there
 *
 * @typedef {{ until: number, nodes: Element[], over: boolean }} Rest that of a button, which may be drawn anew meanwhile
 */

/** @returns {Standing} */
function standing(node) {
  const { x, y, width, height } = node.getBoundingClientRect();
  const name = node.dataset.tile ?? node.dataset.answer ?? node.getAttribute("aria-label") ?? node.textContent;
  return { node, name, box: new DOMRect(x + scrollX, y + scrollY, width, height), rest: null, left: 0 };
}

function meet({ box: one }, { box: other }) {
  const over = (a, b, c, d) => Math.min(b, d) - Math.max(a, c) > TOUCHING_PX;
  return over(one.left, one.right, other.left, other.right) && over(one.top, one.bottom, other.top, other.bottom);
}

/** @returns {Rest} one that counts from when its button is seen: after the frame that is drawn next */
function begun(now) {
  /** @type {Rest} */
  const rest = { until: now + SETTLE_MS, nodes: [], over: false };
  requestAnimationFrame(() => requestAnimationFrame(() => {
    rest.until = performance.now() + SETTLE_MS;
    setTimeout(() => {
      rest.over = true;
      for (const node of rest.nodes) node.classList.remove("resting");
    }, SETTLE_MS);
  }));
  return rest;
}

/** It takes no finger; a keyboard's focus stays on it. */
function rest(node, its) {
  its.nodes.push(node);
  node.classList.add("resting");
}
