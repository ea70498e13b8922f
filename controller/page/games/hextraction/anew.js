// The whole board entered anew: after the dark, or after a card that people carried out. Starts from what the table
// believes, goes out as one position.

import { cardOf, fetchCards } from "./reference.js";
import { drawPicker } from "./chooser.js";
import { button, byId, h, s, write } from "../../elements/dom.js";
import { drawSlab, drawZones, layOut } from "../../board/frame.js";
import { mark } from "../../scene/marks.js";
import { count, nameAt, nameOf, placeOf, placesOf, privateView, publicView, seatsOf, slotOf } from "../../scene/model.js";
import { drawBody, drawPiece } from "../../scene/pieces.js";
import { markedName } from "../../words/sentences.js";
import { hexagon, round } from "../../elements/shapes.js";
import { addSheet, createSheetFor } from "../../elements/sheet.js";
import { pressed } from "../../board/spots.js";
import { ANEW } from "./groups.js";
import { chips, stepper } from "./setup.js";

const MOST = 20;
const SIXTHS = 6;

/** Make the sheet; `act(position)` sends it to the table. Returns `update(store)`. */
export function createAnew({ act }) {
  addSheet({ name: "anew", title: "The whole board again", close: "Close without asking" },
    h("div", { class: "sheet-body" },
      h("p", { class: "hint" }, "This is how the table thinks the board looks. Tap a slot or an end zone to say what lies there now."),
      s("svg", { id: "anew-board", class: "board", role: "group", "aria-label": "Drawing of the board to enter", viewBox: "0 0 240 310" }),
      h("div", { id: "anew-place" }), h("div", { id: "anew-turn" })),
    h("div", { class: "sheet-end" },
      button("Start over", startOver, { id: "anew-reset" }), button("Ask the others", ask, { id: "anew-send", kind: "primary" })));
  let store = null;
  let from = "";
  let draft = null;
  let place = null;
  let other = false;
  const sheet = createSheetFor("anew", () => {
    const start = JSON.stringify(offered(store)?.act ?? null);
    if (start !== from) begin(start);
    fetchCards(draw);
    draw();
  });

  function begin(start) {
    from = start;
    draft = { balls: [], ...JSON.parse(start) };
    place = null;
    other = false;
  }

  function tap(name) {
    place = name;
    other = false;
    draw();
    const again = [...byId("anew-board").querySelectorAll("[data-place]")].find((/** @type {HTMLElement} */ one) => one.dataset.place === name);
    again?.focus({ preventScroll: true });
    byId("anew-place").scrollIntoView({ block: "nearest" });
  }

  function change(more) {
    draft = { ...draft, ...more };
    other = false;
    draw();
  }

  function draw() {
    if (!draft?.tiles || !store?.info) return;
    const tools = { store, draft, place, other, change, another: () => { other = true; draw(); } };
    keepFocus(byId("anew-place"), () => byId("anew-place").replaceChildren(...atPlace(tools).filter(Boolean)));
    keepFocus(byId("anew-turn"), () => byId("anew-turn").replaceChildren(...(draft.active ? [whoseTurn(tools)] : whereabouts(tools, JSON.parse(from)))));
    drawBoard(byId("anew-board"), tools, tap);
  }

  function startOver() {
    begin(JSON.stringify(offered(store)?.act ?? null));
    draw();
  }

  async function ask() {
    if (await act(draft.active ? draft : { ...draft, gone: stillGone(draft, JSON.parse(from)) })) sheet.close();
  }

  return function update(now) {
    store = now;
    if (sheet.open && !offered(now)) sheet.close();
  };
}

/** The option that the table lists while a position may be entered. */
function offered(store) {
  return privateView(store)?.options.find((option) => ANEW.includes(option.group));
}

/** Redraw; the button that had the focus has it again. */
function keepFocus(root, draw) {
  const focused = root.contains(document.activeElement) ? document.activeElement : null;
  const label = focused?.getAttribute("aria-label") ?? focused?.textContent;
  draw();
  if (!focused || focused.isConnected) return;
  [...root.querySelectorAll("button")].find((one) => (one.getAttribute("aria-label") ?? one.textContent) === label)?.focus({ preventScroll: true });
}

/** How a kind of tile looks: as one that lies on the board now, or as its card. */
function looks(store, name) {
  return placesOf(store, "slot").find((slot) => slot.piece?.name === name)?.piece ?? cardOf(name) ?? { title: markedName(name) };
}

/** A tile as it lies in the draft. */
function lying({ store, draft }, slot) {
  const [name, turns] = draft.tiles[slot];
  const { title, channels, trigger, untold, legal_turns: ways } = looks(store, name);
  return { title, channels, trigger, turns, untold: untold || (Boolean(publicView(store)?.detail?.depth) && ways?.length > 1) };
}

/** The first slot of the larger tile that covers this one, as long as it lies as it lay; else null. */
function headOf({ store, draft }, name) {
  const place = slotOf(store, name).part_of;
  const tile = place ? placeOf(store, place).piece : null;
  if (!tile || draft.tiles[name]) return null;
  const head = nameAt(place);
  const [kind, turns] = draft.tiles[head] ?? [];
  return kind === tile.name && (tile.untold || turns === (tile.turns ?? 0)) ? head : null;
}

function ballsAt(draft, name) {
  return draft.balls.filter((one) => one === name).length;
}

// --- the drawing ----------------------------------------------------------------------------------------------

function drawBoard(svg, tools, tap) {
  const layout = layOut(tools.store.info);
  const top = layout.top + 14;
  svg.setAttribute("viewBox", [layout.left, top, layout.right - layout.left, layout.bottom - top].map(round).join(" "));
  const zones = drawZones(layout);
  for (const node of zones.querySelectorAll(".zone")) showZone(node, tools, tap);
  svg.replaceChildren(drawSlab(layout, tools.store.info), zones, ...[...layout.slots.values()].map((at) => drawSlot(layout, at, tools, tap)));
}

function drawSlot(layout, at, tools, tap) {
  const { draft, place } = tools;
  const head = headOf(tools, at.slot);
  const tile = draft.tiles[at.slot] ? lying(tools, at.slot) : null;
  const balls = ballsAt(draft, at.slot);
  const says = `${at.slot}: ${[tile?.title ?? (head ? `part of the tile on ${head}` : "open"), balls ? count(balls, "ball") : null].filter(Boolean).join(", ")}`;
  const hit = s("polygon", { class: "hit", points: hexagon(layout.radius), ...pressable(at.slot, says) });
  listen(hit, () => tap(at.slot));
  return s(
    "g",
    { class: at.slot === place ? "slot picked" : "slot", transform: `translate(${round(at.x)},${round(at.y)})` },
    s("g", { "aria-hidden": "true" },
      tile ? drawPiece(tile, layout.pitch, tile.turns) : head ? drawBody(layout.pitch) : s("text", { class: "slot-name", y: 3.2, "text-anchor": "middle" }, at.slot),
      balls ? s("g", { class: "badge count", transform: "translate(-17,-2)" }, s("circle", { r: 7 }), s("text", { y: 2.9, "text-anchor": "middle" }, String(balls))) : null,
      at.slot === place ? [s("polygon", { class: "target-back", points: hexagon(layout.radius - 2.4) }), s("polygon", { class: "target-ring", points: hexagon(layout.radius - 2.4) })] : null),
    hit,
  );
}

function showZone(node, { store, draft, place }, tap) {
  const name = node.dataset.zone;
  const balls = ballsAt(draft, name);
  const title = zoneTitle(store, name);
  write(node.querySelector("text"), balls ? `${title}: ${balls}` : title);
  for (const [key, value] of Object.entries(pressable(name, `${title}: ${count(balls, "ball")}`))) node.setAttribute(key, value);
  node.classList.toggle("target", name === place);
  listen(node, () => tap(name));
}

function zoneTitle(store, name) {
  return placesOf(store, "zone").find((zone) => zone.name === name)?.title || name;
}

function pressable(name, label) {
  return { role: "button", tabindex: "0", "data-place": name, "aria-label": label };
}

function listen(node, act) {
  node.addEventListener("click", act);
  node.addEventListener("keydown", (event) => pressed(event) && act());
}

// --- what lies at the tapped place ----------------------------------------------------------------------------

function atPlace(tools) {
  const { store, place } = tools;
  if (!place) return [];
  if (!store.info.slots.some((slot) => slot.slot === place)) return [h("h3", {}, zoneTitle(store, place)), ballsRow(tools)];
  const head = headOf(tools, place);
  const at = head ?? place;
  const title = tools.draft.tiles[at] ? lying(tools, at).title : "open";
  return [h("h3", {}, head ? `On ${place}: part of ${title} on ${head}` : `On ${place}: ${title}`), ...tileRow(tools, at), ballsRow(tools)];
}

function tileRow(tools, slot) {
  const { draft, other, change, another } = tools;
  const lies = draft.tiles[slot];
  const put = (name, turns = 0) => change({ tiles: { ...draft.tiles, [slot]: [name, turns] } });
  const take = () => change({ tiles: Object.fromEntries(Object.entries(draft.tiles).filter(([key]) => key !== slot)) });
  if (!lies || other) return [drawPicker({ key: "anew", label: "Which tile?", pick: (name) => put(name) })];
  return [h("div", { class: "buttons" },
    lying(tools, slot).untold ? null : button("Turn it", () => put(lies[0], (lies[1] + 1) % SIXTHS)),
    button("Another tile…", another),
    button("Take it away", take))];
}

function ballsRow({ draft, place, change }) {
  const rest = draft.balls.filter((one) => one !== place);
  return stepper(`Balls on ${place}`, ballsAt(draft, place), (number) => change({ balls: [...rest, ...Array(number).fill(place)] }), { most: MOST });
}

function whoseTurn({ store, draft, change }) {
  const seats = seatsOf(store).filter((one) => !one.out).map((one) => [one.seat, nameOf(store, one.seat), mark(store, one.seat)]);
  return chips("Whose turn is it?", seats, draft.active, (active) => change({ active }));
}

// --- where tiles are that no longer lie on the board --------------------------------------------------------------

/** The slots whose tile of the start lies nowhere in the draft: as many of a kind as are missing. */
function missing(draft, start) {
  const left = Object.entries(draft.tiles).map(([slot, [name]]) => ({ slot, name }));
  const take = (fits) => {
    const at = left.findIndex(fits);
    return at >= 0 && left.splice(at, 1).length > 0;
  };
  return Object.entries(start.tiles)
    .filter(([slot, [name]]) => !take((one) => one.slot === slot && one.name === name))
    .filter(([, [name]]) => !take((one) => one.name === name));
}

function stillGone(draft, start) {
  const slots = missing(draft, start).map(([slot]) => slot);
  return Object.fromEntries(Object.entries(draft.gone ?? {}).filter(([slot]) => slots.includes(slot)));
}

function whereabouts(tools, start) {
  const { store, draft, change } = tools;
  const seats = seatsOf(store).filter((one) => !one.out).map((one) => [`hand.${one.seat}`, nameOf(store, one.seat), mark(store, one.seat)]);
  const places = [["destroyed", "Destroyed"], ["pool", "In the pool"], ["away", "On another board"], ...seats];
  const asked = missing(draft, start).map(([slot, [name]]) =>
    chips(`Where is ${looks(store, name).title} of ${slot}?`, places, draft.gone?.[slot] ?? "destroyed", (where) => change({ gone: { ...draft.gone, [slot]: where } })));
  const away = draft.away ?? [];
  return [
    ...asked,
    chips("Has everybody drawn up to three?", [["no", "No"], ["yes", "Yes"]], draft.draw ? "yes" : "no", (answer) => change({ draw: answer === "yes" })),
    stepper("Tiles of hands on another board", away.length, (number) => change({ away: away.slice(0, number) }), { most: away.length }),
    ...away.map((name) => h("p", { class: "hint" }, looks(store, name).title)),
    drawPicker({ key: "away", label: "Which tile lies on another board?", pick: (name) => change({ away: [...away, name] }) }),
  ];
}
