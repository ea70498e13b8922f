// The two dice in the tray: they tumble when they were thrown, and what they gave flies to whoever gets it, unless the phone asks for less
// motion. Their room is always there. Beside them stands what they brought, and to whom.

import { h, s } from "../../elements/dom.js";
import { mark } from "../../scene/marks.js";
import { nameOf } from "../../scene/model.js";
import { cardsPicture, inWords } from "./cards.js";
import { flyGains } from "./flight.js";

const PIPS = [[], [[0, 0]], [[-1, -1], [1, 1]], [[-1, -1], [0, 0], [1, 1]], [[-1, -1], [1, -1], [-1, 1], [1, 1]], [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]], [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]]];
const ROLL_MS = 650;
const TUMBLE_MS = 90;
let last = { key: "", thrown: "", drawn: [] };

/**
 * Draw the last throw of a scene, and who got which cards by it; `more` stands at the end of the row. What moves stays the same
 * element, however often the tray is drawn anew meanwhile.
 */
export function drawThrow(store, view, more = null) {
  const { dice, gains } = view.detail;
  const got = Object.entries(gains).map(([seat, cards]) => ({ seat, cards, name: nameOf(store, seat) }));
  const thrown = JSON.stringify([dice, view.turn]);
  const key = JSON.stringify([thrown, got, document.documentElement.lang]);
  if (key !== last.key) {
    const rolls = last.thrown !== "" && last.thrown !== thrown && dice.length > 0 && !matchMedia("(prefers-reduced-motion: reduce)").matches;
    last = { key, thrown, drawn: [drawDice(dice, rolls), got.length ? drawGains(store, got, rolls) : null] };
    if (rolls) setTimeout(() => flyGains(view), ROLL_MS);
  }
  return h("div", { class: "throw" }, last.drawn, more);
}

function drawGains(store, got, rolls) {
  const list = h("ul", { class: "gains", "aria-label": "What the dice gave" },
    got.map(({ seat, cards, name }) => h("li", { title: name }, mark(store, seat), cardsPicture(cards, { called: `${name}: ${inWords(cards)}` }))));
  if (rolls) appear(list);
  return list;
}

/** Draw what was thrown last. Blank dice before the first. */
function drawDice(dice, rolls) {
  const words = dice.length ? `Dice: ${dice.join(" + ")}` : "Nobody has thrown yet";
  const sum = h("strong", {}, dice.length > 1 ? `= ${dice.reduce((all, one) => all + one, 0)}` : "");
  const drawn = (dice.length ? dice : [0, 0]).map(die);
  if (rolls) {
    drawn.forEach((node, at) => roll(node, dice[at], at));
    appear(sum);
  }
  return h("p", { class: "dice", role: "img", "aria-label": words }, drawn, sum);
}

function die(number) {
  return s("svg", { class: "die", viewBox: "-15 -15 30 30" }, face(number));
}

function face(number) {
  return [s("rect", { x: -13.5, y: -13.5, width: 27, height: 27, rx: 6 }),
    ...(PIPS[number] ?? []).map(([x, y]) => s("circle", { cx: x * 7, cy: y * 7, r: 2.8 })),
    ...(number > 6 ? [s("text", { y: 5, "text-anchor": "middle" }, String(number))] : [])];
}

/** Come in tumbling, the second die a little longer, and lie as it was thrown. */
function roll(node, number, at) {
  const duration = ROLL_MS * (1 + 0.25 * at);
  node.animate([{ transform: `translate(${90 - 20 * at}px, -16px) rotate(${460 + 90 * at}deg)`, opacity: 0.3 }, { transform: "none", opacity: 1 }], { duration, easing: "cubic-bezier(0.2, 0.8, 0.3, 1)" });
  if (number > 6) return;
  const timer = setInterval(() => node.replaceChildren(...face(1 + Math.floor(Math.random() * 6))), TUMBLE_MS);
  setTimeout(() => {
    clearInterval(timer);
    node.replaceChildren(...face(number));
  }, duration - TUMBLE_MS);
}

/** Be seen once the dice lie. */
function appear(node) {
  node.animate([{ opacity: 0, transform: "scale(0.7)" }, { opacity: 1, transform: "none" }], { duration: 350, delay: ROLL_MS, fill: "backwards" });
}
