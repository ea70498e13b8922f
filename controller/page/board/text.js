// The board as text: a table of slots, for screen readers and for those who like lists. Choices are buttons here, too.

import { button, h, memo } from "../elements/dom.js";
import { rampWords } from "./board.js";
import { game } from "../scene/games.js";
import { oddsOf } from "./odds.js";
import { spotModels } from "./spots.js";
import { ballsOn, count, nameAt, placesOf, publicView, slotOf } from "../scene/model.js";

const SPOTS = [["edge", "Edges"], ["corner", "Corners"]];

/** Keep the text view up to date; the rest are the same taps as on the drawing. */
export function createText(root, { onSlot, onRamp, onZone }) {
  const draw = memo((slots, ramps, zones, spots, balls) => {
    root.replaceChildren(
      table("Slots", ["Slot", "What lies there", "Now"], slots.map((row) => slotRow(row, onSlot))),
      table("Ramps", ["Ramp", "Leads to", "Now"], ramps.map((ramp) => rampRow(ramp, onRamp))),
      table("End zones", ["End zone", "Balls", "Now"], zones.map((zone) => zoneRow(zone, onZone))),
      ...SPOTS.flatMap(([kind, title]) => spotTable(title, spots.filter((spot) => spot.place.startsWith(`${kind}.`)), onSlot)),
      h("p", {}, balls.length ? `Balls in this roll: ${balls.map(ballWords).join("; ")}.` : "No ball has rolled yet."),
    );
  });
  return function update(store, live) {
    const view = publicView(store);
    if (!store.info || !view) return;
    const label = (options) => options?.[0].label ?? null;
    const odds = oddsOf(store);
    const slots = store.info.slots.map(({ slot }) => ({ ...slotOf(store, slot), lying: ballsOn(store, slot), ways: game().ways?.(store, slot) ?? [], option: label(live.slots.get(slot)) }));
    const ramps = placesOf(store, "ramp").map((ramp) => ({
      ...ramp,
      leads: below(store.info, ramp.name),
      course: game().course?.(store, ramp.name) ?? "",
      odds: odds?.find((one) => one.ramp === ramp.name) ?? null,
      option: label(live.ramps.get(ramp.name)),
    }));
    const zones = placesOf(store, "zone").map((zone) => ({ ...zone, option: label(live.zones.get(zone.name)) }));
    const spots = spotModels(store, live, { slot: null });
    draw(slots, ramps, zones, spots, view.balls);
  };
}

/** The slot that a ramp leads to. */
function below(info, ramp) {
  return info.slots.find((slot) => slot.edges.some((edge) => edge.ramp === ramp))?.slot ?? "";
}

function table(caption, heads, rows) {
  return h("table", {}, h("caption", {}, caption), h("thead", {}, h("tr", {}, heads.map((head) => h("th", { scope: "col" }, head)))), h("tbody", {}, rows));
}

/** What the marks at a place say. */
function marks({ label, note, badge, count }) {
  return [label, note || badge || (count ? String(count) : "")].filter(Boolean).join(", ");
}

function slotRow(row, onSlot) {
  const now = [row.wants === "lift" && (game().lift ?? "take it off"), row.wants === "put" && "put it here", row.shut && "closed"].filter(Boolean);
  const said = [marks(row), row.lying ? count(row.lying, "ball") : ""].filter(Boolean);
  const piece = row.piece ? row.piece.title : row.part_of ? `part of ${nameAt(row.part_of)}` : row.title || "–";
  return h(
    "tr",
    { "data-slot": row.name },
    h("th", { scope: "row" }, row.name),
    h("td", {}, piece, row.piece?.turns ? ` (turned ${row.piece.turns}/6)` : "", said.map((line) => h("p", { class: "hint" }, line)),
      row.ways.map((way) => h("p", { class: "hint way" }, way))),
    h("td", {}, now.join(", "), row.option ? button("Choose", () => onSlot(row.name), { "aria-label": `Choose: ${row.option}` }) : null,
      row.option || !(row.piece || row.part_of) ? null : button("Read", () => onSlot(row.name), { kind: "quiet", "aria-label": `Read about what lies on ${row.name}` })),
  );
}

function rampRow(ramp, onRamp) {
  return h(
    "tr",
    { "data-ramp": ramp.name },
    h("th", { scope: "row" }, ramp.name),
    h("td", {}, ramp.leads, ramp.course ? h("p", { class: "hint" }, ramp.course) : null,
      ramp.odds ? [h("p", { class: "hint" }, `Into an end zone: ${ramp.odds.zone}.`), h("p", { class: "hint" }, `Most likely: ${ramp.odds.mostly}.`)] : null),
    h("td", {}, rampWords(ramp).join(", "), ramp.option ? button(ramp.option, () => onRamp(ramp.name)) : null),
  );
}

function zoneRow(zone, onZone) {
  return h(
    "tr",
    { "data-zone": zone.name },
    h("th", { scope: "row" }, zone.title || zone.name),
    h("td", {}, String(zone.balls)),
    h("td", {}, marks(zone), zone.option ? button(zone.option, () => onZone(zone.name)) : null),
  );
}

/** Edges or corners, if the game uses any. */
function spotTable(title, spots, onSpot) {
  if (!spots.length) return [];
  const row = (spot) => h("tr", { "data-spot": spot.place }, h("th", { scope: "row" }, spot.name), h("td", {}, [spot.title || spot.piece?.title, marks(spot)].filter(Boolean).join(", ")),
    h("td", {}, spot.option ? button(spot.option, () => onSpot(spot.place)) : null));
  return [table(title, ["Where", "What", "Now"], spots.map(row))];
}

function ballWords(ball) {
  const [kind, name] = ball.place.split(".");
  const where = { slot: `on ${name}`, ramp: `on ramp ${name}`, zone: `in end zone ${name}`, gone: "off the board" }[kind] ?? ball.place;
  const trail = (ball.trail ?? []).join(", ");
  return `ball ${ball.ball} ${where}${trail ? `, over ${trail}` : ""}`;
}
