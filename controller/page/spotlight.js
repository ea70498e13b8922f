// A question about a few places of the board: they are scrolled out from under the tray, once for each question.

const MOST = 6;
const SPACE = 10;
let shown = "";

/** Bring the places of the question that has just come into view; `live` says what it is and where its answers lie. */
export function bringIntoView(live) {
  const id = live.prompt?.id ?? "";
  if (id === shown) return;
  shown = id;
  const places = [...document.querySelectorAll("#board .slot.asked, #board .slot.target, #board .zone.asked, #board .zone.target")];
  if (!id || !places.length || places.length > MOST) return;
  const boxes = places.map((node) => (node.querySelector(".hit, .zone-bed") ?? node).getBoundingClientRect());
  const top = Math.min(...boxes.map((box) => box.top));
  const bottom = Math.max(...boxes.map((box) => box.bottom));
  const dock = document.getElementById("dock");
  const free = getComputedStyle(dock).position === "sticky" ? dock.getBoundingClientRect().top : innerHeight;
  if (bottom > free - SPACE) scrollBy({ top: Math.min(bottom - free + SPACE, top - SPACE) });
}
