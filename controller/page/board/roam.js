// Going over the drawing with the arrow keys: of its own because a slot is then read, too, when there is nothing to choose.

const WAYS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
const PLACES = ".slot > .hit, .ramp, .zone, .spot.target";
const FIRST = ".slot > .hit";
/** How much a step aside counts against one straight on. */
const ASIDE = 1.5;

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
