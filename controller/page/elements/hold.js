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
 * takes no tap at first. The function is to be called after each drawing.
 * @param {Element} root
 */
export function createResting(root) {
  /** @type {Standing[]} */
  let before = [];
  return function settle() {
    const now = performance.now();
    const stood = before.filter((one) => one.left === 0);
    for (const one of stood) one.left = now;
    const recent = before.filter((one) => now - one.left < SETTLE_MS);
    const here = [...root.querySelectorAll(TOUCHABLE)].map(standing).filter(({ box }) => box.width && box.height);
    for (const one of here) {
      const same = stood.find((other) => other.name === one.name && meet(other, one));
      const until = same ? same.until : recent.some((other) => meet(other, one)) ? now + SETTLE_MS : 0;
      if (until > now) rest(one, until, now);
    }
    before = [...here, ...recent];
  };
}

/**
 * @typedef {object} Standing something that can be tapped, and where
 * @property {Element} node
 * @property {string} name what it is for: the same after it was drawn anew
 * @property {DOMRect} box on the page, however far that is scrolled
 * @property {number} until when it takes taps again; 0 if it does
 * @property {number} left when it went; 0 as long as it stands there
 */

/** @returns {Standing} */
function standing(node) {
  const { x, y, width, height } = node.getBoundingClientRect();
  const name = node.dataset.tile ?? node.dataset.answer ?? node.getAttribute("aria-label") ?? node.textContent;
  return { node, name, box: new DOMRect(x + scrollX, y + scrollY, width, height), until: 0, left: 0 };
}

function meet({ box: one }, { box: other }) {
  const over = (a, b, c, d) => Math.min(b, d) - Math.max(a, c) > TOUCHING_PX;
  return over(one.left, one.right, other.left, other.right) && over(one.top, one.bottom, other.top, other.bottom);
}

/** It takes no finger; a keyboard's focus stays on it. */
function rest(one, until, now) {
  one.until = until;
  one.node.classList.add("resting");
  setTimeout(() => one.node.classList.remove("resting"), until - now);
}
