// A question about a few places of the board: they are scrolled out from under the tray, once for each question.

const MOST = 6;
const SPACE = 10;
let shown = "";

/** Bring the places of what has just been asked into view: the question of `live`, or the `place` a check waits for. */
export function bringIntoView(live, place = "") {
  const id = live.prompt?.id ?? place;
  if (id === shown) return;
  shown = id;
  const places = [...document.querySelectorAll("#board .slot.asked, #board .slot.target, #board .zone.asked, #board .zone.target, #board .spot.target, #board .pointer-line")];
  if (!id || !places.length || places.length > MOST) return;
  const boxes = places.map((node) => (node.querySelector(".hit, .zone-bed") ?? node).getBoundingClientRect());
  const top = Math.min(...boxes.map((box) => box.top));
  const bottom = Math.max(...boxes.map((box) => box.bottom));
  const dock = document.getElementById("dock");
  const free = getComputedStyle(dock).position === "sticky" ? dock.getBoundingClientRect().top : innerHeight;
  if (bottom > free - SPACE) scrollBy({ top: Math.min(bottom - free + SPACE, top - SPACE) });
  else if (top < SPACE) scrollBy({ top: top - SPACE });
}
