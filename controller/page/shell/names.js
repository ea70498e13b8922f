// Names of tiles lie over channels, trails and lamps, so they are shown on demand: while a finger stays on the board,
// by a key, or always, as this phone remembers it.

const KEY = "hextraction.names";
const LONG_MS = 450;
const FAR_PX = 10;

/** Show names on the drawing `svg` when somebody wants them; `shown` is the switch in the help. */
export function createNames(svg, shown) {
  let timer = 0;
  let from = null;
  let peeking = false;
  const show = () => svg.classList.toggle("named", shown.checked || peeking);
  const keep = () => {
    remember(shown.checked);
    show();
  };
  const peek = (on) => {
    peeking = on;
    show();
  };

  function down(event) {
    from = { x: event.clientX, y: event.clientY };
    timer = setTimeout(() => peek(true), LONG_MS);
  }
  function moved(event) {
    if (from && Math.hypot(event.clientX - from.x, event.clientY - from.y) > FAR_PX) up();
  }
  function up() {
    clearTimeout(timer);
    from = null;
    if (!peeking) return;
    addEventListener("click", swallow, { capture: true, once: true }); // The finger looked; it chose nothing.
    setTimeout(() => {
      removeEventListener("click", swallow, true);
      peek(false);
    });
  }

  shown.checked = remembered();
  shown.addEventListener("change", keep);
  svg.addEventListener("pointerdown", down);
  svg.addEventListener("contextmenu", (event) => event.preventDefault());
  addEventListener("pointermove", moved);
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, up);
  addEventListener("keydown", (event) => {
    if (event.key !== "n" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof Element && event.target.closest("input, select, textarea")) return;
    shown.checked = !shown.checked;
    keep();
  });
  show();
}

function swallow(event) {
  event.stopPropagation();
  event.preventDefault();
}

function remembered() {
  try {
    return localStorage.getItem(KEY) === "on";
  } catch {
    return false; // Storage can be denied.
  }
}

function remember(on) {
  try {
    localStorage.setItem(KEY, on ? "on" : "off");
  } catch {
    // As above: then it lasts as long as the page.
  }
}
