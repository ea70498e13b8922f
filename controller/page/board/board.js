// The live drawing of the board. Each slot is drawn anew only when something about it changes.

import { createBalls } from "./balls.js";
import { showRoll } from "./rolled.js";
import { drawChutes, drawSlab, drawZones, layOut } from "./frame.js";
import { memo, s, setLabel, write } from "../elements/dom.js";
import { game } from "../scene/games.js";
import { handledAt } from "./hands.js";
import { ballsOn, count, describe, nameAt, paint, pieceAt, placeOf, placesOf, publicView, slotOf } from "../scene/model.js";
import { drawBody, drawOwner, drawPiece } from "../scene/pieces.js";
import { oddsAt } from "./odds.js";
import { createPointer } from "./pointer.js";
import { hexagon, ring, round } from "../elements/shapes.js";
import { badge, createSpots, pressed, spotModels } from "./spots.js";

/** Fill `svg` with a board; `onSlot(name)`, `onRamp(name)` and `onZone(name)` are taps. Returns `update(store, live, ui)`. */
export function createBoard(svg, { onSlot, onRamp, onZone }) {
  let parts = null;
  let built = "";

  const update = function update(store, live, ui) {
    if (!store.info) return;
    const wanted = JSON.stringify(store.info);
    if (wanted !== built) {
      built = wanted;
      parts = build(svg, store.info, { onSlot, onRamp, onZone });
    }
    const view = publicView(store);
    svg.dataset.paint = view?.active ? paint(store, view.active) : "none";
    svg.classList.toggle("dark-board", view ? !view.power : false);
    const marked = new Set([...(view?.last_roll?.asked ?? []), ...((view && !view.poster && game().asked?.(view)) || [])]);
    for (const [name, draw] of parts.slots) draw(slotModel(store, live, ui, name, marked), ui.slot === name ? ui.preview : null);
    for (const [name, draw] of parts.ramps) draw(rampModel(store, live, name));
    parts.zones(placesOf(store, "zone").map((zone) => zoneModel(store, live, zone, marked)));
    parts.links(placesOf(store, "slot"));
    parts.over(view, view ? Object.fromEntries(view.seats.map(({ seat }) => [seat, paint(store, seat)])) : {});
    parts.spots(spotModels(store, live, ui));
    parts.balls(view?.balls ?? []);
    parts.pointer(store.table?.check?.place ?? "");
  };
  /** Show a roll that is over; null takes it away again. Returns what moves it. */
  update.show = (roll) => {
    svg.classList.toggle("replaying", Boolean(roll && !roll.still));
    return parts ? showRoll(parts.replay, parts.layout, roll) : null;
  };
  return update;
}

/** An end zone; the one in which a ball has won stays marked in the winner's colour. */
function zoneModel(store, live, zone, marked) {
  const view = publicView(store);
  const winner = view?.outcome && zone.balls ? view.winners[0] : "";
  return { ...zone, paint: paintOf(store, winner || zone.owner), won: Boolean(winner), option: live.zones.get(zone.name)?.[0].label ?? null, asked: marked.has(zone.name) };
}

function paintOf(store, seat) {
  return seat ? paint(store, seat) : "";
}

function slotModel(store, live, ui, name, marked) {
  const slot = slotOf(store, name);
  const options = live.slots.get(name) ?? [];
  const piece = pieceAt(store, name);
  return {
    ...slot,
    whole: piece,
    drawn: (publicView(store)?.balls ?? []).filter((ball) => ball.place === slot.place).length,
    lying: ballsOn(store, name),
    paint: paintOf(store, slot.owner),
    piecePaint: paintOf(store, piece?.owner),
    says: options.length ? `${describe(store, name)}. ${options[0].label}` : describe(store, name),
    target: options.length > 0,
    tell: options.length > 0 && options.every((option) => option.group === "told"),
    picked: ui.slot === name,
    last: ui.last?.slot === name,
    asked: live.prompt?.slot === name || marked.has(name),
    handled: handledAt(name),
  };
}

function rampModel(store, live, name) {
  const ramp = placeOf(store, `ramp.${name}`);
  return { ...ramp, paint: paintOf(store, ramp.owner), option: live.ramps.get(name)?.[0].label ?? null, odds: oddsAt(store, name) };
}

function build(svg, info, { onSlot, onRamp, onZone }) {
  const layout = layOut(info);
  svg.setAttribute("viewBox", [layout.left, layout.top - 13, layout.right - layout.left, layout.bottom - layout.top + 13].map(round).join(" "));
  const links = s("g", { class: "links" });
  const trails = s("g", { class: "trails" });
  const over = s("g", { class: "over", "aria-hidden": "true" });
  const balls = s("g", { class: "balls" });
  const replay = s("g", { class: "replay" });
  const zones = drawZones(layout);
  const pointer = createPointer(layout);
  const spots = createSpots(layout, onSlot);
  listenToZones(zones, onZone);
  const slots = keyed([...layout.slots.keys()], (name) => slotParts(layout, name, onSlot));
  const ramps = keyed([...layout.ramps.keys()], (name) => rampParts(layout.ramps.get(name), onRamp));
  svg.replaceChildren(
    gradients(), drawSlab(layout, info), drawChutes(layout), links,
    s("g", { class: "slots" }, slots.map(([, one]) => one.node)), zones, over, spots.node, trails,
    s("g", { class: "ramps" }, ramps.map(([, one]) => one.node)), balls, replay, pointer.node,
  );
  return {
    layout,
    replay,
    slots: slots.map(([name, one]) => [name, one.draw]),
    ramps: ramps.map(([name, one]) => [name, one.draw]),
    zones: memo((views) => views.forEach((view) => showZone(zones, view))),
    links: memo((views) => links.replaceChildren(...views.flatMap((view) => drawLink(layout, view)))),
    balls: createBalls(balls, trails, layout),
    over: memo((view, paints) => over.replaceChildren(...((view && !view.poster && game().drawOver?.(view, (slot) => layout.slots.get(slot), layout.pitch, paints)) || []))),
    spots: spots.draw,
    pointer: pointer.draw,
  };
}

function keyed(names, make) {
  return names.map((name) => [name, make(name)]);
}

function gradients() {
  const stops = [["0", "steel-a"], ["0.45", "steel-b"], ["1", "steel-c"]];
  return s("defs", {}, s("radialGradient", { id: "steel", cx: "0.36", cy: "0.3", r: "0.75" },
    stops.map(([offset, cls]) => s("stop", { offset, class: cls }))));
}

function slotParts(layout, name, onSlot) {
  const at = layout.slots.get(name);
  const picture = s("g", { "aria-hidden": "true" });
  const hit = s("polygon", { class: "hit", role: "button", points: hexagon(layout.radius) });
  const node = s("g", { class: "slot", "data-slot": name, transform: `translate(${round(at.x)},${round(at.y)})` }, picture, hit);
  hit.addEventListener("click", () => onSlot(name));
  hit.addEventListener("keydown", (event) => pressed(event) && onSlot(name));
  return { node, draw: memo((model, preview) => drawSlot({ node, picture, hit }, layout, model, preview)) };
}

function drawSlot({ node, picture, hit }, layout, model, preview) {
  setLabel(hit, model.says);
  hit.setAttribute("tabindex", model.target ? "0" : "-1");
  for (const state of ["target", "tell", "picked", "asked", "last"]) node.classList.toggle(state, Boolean(model[state]));
  for (const wish of ["lift", "put"]) node.classList.toggle(wish, model.wants === wish);
  node.classList.toggle("hot", model.count >= 3);
  node.dataset.touches = model.count;
  const content = [];
  if (preview) content.push(s("g", { class: "preview" }, drawPiece(preview.piece, layout.pitch, preview.turns)));
  else if (model.piece) content.push(drawPiece(model.piece, layout.pitch, model.piece.turns ?? 0, { paint: model.paint, own: model.piecePaint }));
  else if (model.whole) content.push(drawBody(layout.pitch));
  else if (!model.label) content.push(s("text", { class: "slot-name", y: 3.2, "text-anchor": "middle" }, model.name));
  picture.replaceChildren(...content, ...marks(layout, model));
}

function marks(layout, model) {
  const made = [];
  if (model.owner && !model.piece) made.push(drawOwner(layout.pitch, model.paint));
  if (model.label) made.push(label(model, model.whole ? -0.6 : 3.4));
  if (model.count) made.push(touchRing(layout, model.count), pips(model.count));
  if (model.badge) made.push(badge(17, -2, model.badge, "sign"));
  if (model.lying > model.drawn) made.push(badge(-17, -2, String(model.lying), "count"));
  if (model.handled) made.push(handMark(model.handled));
  if (model.wants === "lift") made.push(arrow("lift", -1));
  if (model.wants === "put") made.push(arrow("put", 1));
  if (model.shut) made.push(s("path", { class: "ban", d: "M-14,14L14,-14" }));
  if (model.target || model.picked || model.asked) {
    made.push(s("polygon", { class: "target-back", points: hexagon(layout.radius - 2.4) }), s("polygon", { class: "target-ring", points: hexagon(layout.radius - 2.4) }));
  }
  return made;
}

function label(model, y) {
  return s("text", { class: model.whole ? "place-label on-piece" : "place-label", y, "text-anchor": "middle" }, model.label);
}

/** One third of the ring for each touch, up to three. */
function touchRing(layout, touches) {
  return s("path", { class: "touch-ring", d: ring(layout.radius - 3.1), pathLength: 3, "stroke-dasharray": `${Math.min(3, touches)} 3` });
}

function pips(touches) {
  if (touches > 3) return badge(0, -16.5, String(touches), "touch-count");
  const all = [0, 1, 2].map((i) => s("circle", { class: i < touches ? "pip on" : "pip", cx: (i - 1) * 7, cy: -16.6, r: 2.7 }));
  return s("g", { class: "pips" }, s("rect", { class: "pip-bed", x: -12, y: -21, width: 24, height: 8.8, rx: 4.4 }), all);
}

function arrow(kind, way) {
  const tip = 9 * way;
  return s("g", { class: `arrow ${kind}` }, s("circle", { r: 12 }), s("path", { d: `M0,${-tip}V${tip}M-6,${tip - 6 * way}L0,${tip}L6,${tip - 6 * way}` }));
}

/** Something that hands have to do here: take a ball off, or bring a tile. */
function handMark(kind) {
  return kind === "lift" ? arrow("lift ball-off", -1) : arrow("put moved-here", 1);
}

function drawLink(layout, view) {
  const from = layout.slots.get(view.name);
  return (view.piece?.covers ?? []).map(nameAt).flatMap((name) => {
    const to = layout.slots.get(name);
    return to && name !== view.name ? [s("path", { class: "link", d: `M${round(from.x)},${round(from.y)}L${round(to.x)},${round(to.y)}` })] : [];
  });
}

function rampParts(ramp, onRamp) {
  const node = s("g", { class: "ramp", "data-ramp": ramp.name, transform: `translate(${round(ramp.head.x)},${round(ramp.head.y)})` });
  node.addEventListener("click", () => onRamp(ramp.name));
  node.addEventListener("keydown", (event) => pressed(event) && onRamp(ramp.name));
  const width = Math.min(44, ramp.step);
  return { node, draw: memo((model) => drawRamp(node, width, model)) };
}

function drawRamp(node, width, model) {
  const shown = model.label || model.name;
  setLabel(node, model.option ? named(shown, model.option) : [`Ramp ${model.name}`, ...rampWords(model)].join(", "));
  node.setAttribute("role", model.option ? "button" : "img");
  node.setAttribute("tabindex", model.option ? "0" : "-1");
  node.classList.toggle("target", Boolean(model.option));
  node.classList.toggle("open", model.wants === "release");
  node.classList.toggle("shut", model.shut);
  node.classList.toggle("owned", Boolean(model.owner));
  node.dataset.paint = model.paint;
  node.replaceChildren(
    s("rect", { class: "hit", x: -width / 2, y: -13, width, height: 44 }),
    s("circle", { class: "ramp-head", r: 10.5 }),
    ...(model.shut ? [s("path", { class: "ban", d: "M-7.4,7.4L7.4,-7.4" })] : []),
    s("text", { class: "ramp-name", y: 2.9, "text-anchor": "middle", "aria-hidden": "true" }, shown),
    ...(model.odds ? [s("text", { class: "ramp-odds", y: 20.5, "text-anchor": "middle", "aria-hidden": "true" }, model.odds)] : []),
    ...(model.badge ? [badge(9, -7, model.badge, "sign")] : []),
    ...(model.count ? [badge(-9, -7, String(model.count), "touch-count")] : []),
  );
}

/** What is read aloud has the words that are seen. */
function named(seen, option) {
  return option.includes(seen) ? option : `${seen}. ${option}`;
}

/** What is to be said of a ramp beside its name. */
export function rampWords({ note, label: mark, shut, wants, balls }) {
  return [note || mark, shut && !note && "closed", wants === "release" && "waits for a release", balls && `${count(balls, "ball")} stuck`].filter(Boolean);
}

function listenToZones(zones, onZone) {
  for (const node of zones.querySelectorAll(".zone")) {
    node.addEventListener("click", () => onZone(node.dataset.zone));
    node.addEventListener("keydown", (event) => pressed(event) && onZone(node.dataset.zone));
  }
}

function showZone(zones, view) {
  const node = zones.querySelector(`[data-zone="${CSS.escape(view.name)}"]`);
  if (!node) return;
  const title = [view.title || view.name, view.label, view.badge, view.count || null].filter(Boolean).join(" · ");
  const words = view.balls ? `${title}: ${view.balls}` : title;
  write(node.querySelector("text"), words);
  node.classList.toggle("target", Boolean(view.option));
  node.classList.toggle("asked", Boolean(view.asked));
  node.classList.toggle("owned", Boolean(view.owner));
  node.classList.toggle("won", view.won);
  node.dataset.paint = view.paint;
  node.setAttribute("role", view.option ? "button" : "img");
  setLabel(node, view.option ? named(words, view.option) : [words, view.note].filter(Boolean).join(", "));
  node.setAttribute("tabindex", view.option ? "0" : "-1");
}
