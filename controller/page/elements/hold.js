// What a finger is on stays where it is until the finger has gone.

/** So long what comes up where one has just tapped takes no second tap. */
export const UNTOUCHED_MS = 800;

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
