// Edges and corners of slots that a game uses: a mark of its owner, a few letters, a number, and a tap if it is ours to choose.

import { memo, s } from "../elements/dom.js";
import { game } from "../scene/games.js";
import { paint, placeOf, placesOf, seatIndex } from "../scene/model.js";
import { pair, spotAt } from "../elements/shapes.js";

const KINDS = ["edge", "corner"];
const THUMB = 20; // 44 pixels wide on a phone; neighbours are 25 apart at least, so their middles stay free
const SMALL = 6;

/** Make the layer of the spots; `draw(models)` keeps it up to date, `onSpot(place)` is a tap. */
export function createSpots(layout, onSpot) {
  const node = s("g", { class: "spots" });
  const draw = memo((models) => {
    const focused = node.contains(document.activeElement) ? document.activeElement.dataset.spot : null;
    node.replaceChildren(...models.flatMap((model) => drawSpot(layout, model, onSpot)));
    if (focused) node.querySelector(`[data-spot="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  });
  return { node, draw };
}

/** What there is to draw at edges and corners: what the scene shows there, and what our seat may choose. */
export function spotModels(store, live, ui) {
  const chosen = [...live.slots.keys()].filter((name) => KINDS.includes(name.split(".")[0]));
  const shown = KINDS.flatMap((kind) => placesOf(store, kind));
  const all = new Map([...chosen.map((name) => placeOf(store, name)), ...shown].map((one) => [one.place, one]));
  return [...all.values()].map((one) => ({
    ...one,
    paint: one.owner || one.piece?.owner ? paint(store, one.owner || one.piece.owner) : "none",
    mark: one.owner ? seatIndex(store, one.owner) + 1 : 0,
    option: live.slots.get(one.place)?.[0].label ?? null,
    picked: ui.slot === one.place,
    last: ui.last?.slot === one.place,
  }));
}

function drawSpot(layout, model, onSpot) {
  const at = spotAt(layout, model.place);
  if (!at) return [];
  const text = model.label || model.badge || (model.count ? String(model.count) : "");
  const own = game().drawSpot?.(model);
  const what = [model.title || model.piece?.title || `${model.place.split(".")[0]} ${model.name}`, model.note || text, own && model.mark].filter(Boolean).join(", ");
  const full = Boolean(model.owner || model.piece || text);
  const classes = ["spot", model.option && "target", model.picked && "picked", model.last && "last", model.wants, full && "full"].filter(Boolean).join(" ");
  const node = s("g", { class: classes, "data-spot": model.place, "data-paint": model.paint, role: model.option ? "button" : "img", tabindex: model.option ? "0" : "-1", "aria-label": model.option ? `${what}. ${model.option}` : what, transform: `translate(${pair(at)})` },
    s("circle", { class: "hit", r: model.option ? THUMB : SMALL }), own ?? plain(model.place, text), model.last ? s("circle", { class: "last-ring", r: 14 }) : null);
  if (model.option) {
    node.addEventListener("click", (event) => onSpot(nearest(node, event) ?? model.place));
    node.addEventListener("keydown", (event) => pressed(event) && onSpot(model.place));
  }
  return [node];
}

/** The place whose middle is nearest to a tap: what a thumb may hit overlaps with that of its neighbours. */
function nearest(node, { clientX, clientY, detail }) {
  if (!detail) return null; // no finger: a click by a program that reads the page aloud
  const far = (one) => {
    const box = one.querySelector(".hit").getBoundingClientRect();
    return Math.hypot(box.x + box.width / 2 - clientX, box.y + box.height / 2 - clientY);
  };
  const targets = [...node.parentNode.querySelectorAll(".spot.target")];
  return targets.sort((a, b) => far(a) - far(b))[0]?.dataset.spot;
}

function plain(place, text) {
  return [shapeOf(place, text), text ? s("text", { y: 2.6, "text-anchor": "middle", "aria-hidden": "true" }, text) : null];
}

/** A dot; a bar along an edge, if nothing is written on it. */
function shapeOf(place, text) {
  const [kind, , number] = place.split(".");
  if (kind !== "edge" || text) return s("circle", { class: "spot-dot", r: text ? 6 : 4.6 });
  return s("rect", { class: "spot-dot", x: -9, y: -2.7, width: 18, height: 5.4, rx: 2.7, transform: `rotate(${(Number(number) - 1) * 60})` });
}

/** Whether a key presses what has the focus. */
export function pressed(event) {
  if (event.key !== "Enter" && event.key !== " ") return false;
  event.preventDefault();
  return true;
}

/** A small round sign. */
export function badge(x, y, text, kind) {
  return s("g", { class: `badge ${kind}`, transform: `translate(${x},${y})` }, s("circle", { r: 6 }), s("text", { y: 2.9, "text-anchor": "middle" }, text));
}
