// The board as text: a table of slots, for screen readers and for those who like lists. Choices are buttons here, too.

import { button, h, memo } from "./dom.js";
import { ballsOn, count, slotOf } from "./model.js";

/** Keep the text view up to date; the rest are the same taps as on the drawing. */
export function createText(root, { onSlot, onRamp, onZone }) {
  const draw = memo((rows, ramps, zones, balls) => {
    root.replaceChildren(
      table("Slots", ["Slot", "Tile", "Touches", "Balls", "Now"], rows.map((row) => slotRow(row, onSlot))),
      table("Ramps", ["Ramp", "Leads to", "Now"], ramps.map((ramp) => rampRow(ramp, onRamp))),
      table("End zones", ["End zone", "Balls", "Now"], zones.map((zone) => zoneRow(zone, onZone))),
      h("p", {}, balls.length ? `Balls in this roll: ${balls.map(ballWords).join("; ")}.` : "No ball has been rolled."),
    );
  });
  return function update(store, live) {
    if (!store.info || !store.state) return;
    const view = store.state.view;
    const rows = store.info.slots.map(({ slot }) => ({ ...slotOf(store, slot), count: ballsOn(store, slot), label: live.slots.get(slot)?.[0].label ?? null }));
    const ramps = view.ramps.map((ramp) => ({ ...ramp, label: live.ramps.get(ramp.ramp)?.[0].label ?? null }));
    const zones = view.zones.map((zone) => ({ ...zone, label: live.zones.get(zone.zone)?.[0].label ?? null }));
    draw(rows, ramps, zones, view.balls);
  };
}

function table(caption, heads, rows) {
  return h("table", {}, h("caption", {}, caption), h("thead", {}, h("tr", {}, heads.map((head) => h("th", { scope: "col" }, head)))), h("tbody", {}, rows));
}

function slotRow(row, onSlot) {
  const now = [row.lift && "lift the tile", row.put && "put the tile here", row.waiting && count(row.waiting, "effect waits", "effects wait")].filter(Boolean);
  const tile = row.tile ? row.tile.title : row.part_of ? `part of ${row.part_of}` : "–";
  return h(
    "tr",
    { "data-slot": row.slot },
    h("th", { scope: "row" }, row.slot),
    h("td", {}, tile, row.tile?.turns ? ` (turned ${row.tile.turns}/6)` : "", row.tile?.part ? `, part ${row.tile.part}/6` : "", row.tile?.silenced ? `, ${row.tile.silenced}` : ""),
    h("td", {}, String(row.touches)),
    h("td", {}, String(row.count)),
    h("td", {}, now.join(", "), row.label ? button("Choose", () => onSlot(row.slot), { "aria-label": row.label }) : null),
  );
}

function rampRow(ramp, onRamp) {
  const now = [ramp.banned && "banned", ramp.open && "waits for a release", ramp.stuck && `${count(ramp.stuck, "ball")} stuck`].filter(Boolean);
  return h(
    "tr",
    { "data-ramp": ramp.ramp },
    h("th", { scope: "row" }, ramp.ramp),
    h("td", {}, ramp.slot),
    h("td", {}, now.join(", "), ramp.label ? button(ramp.label, () => onRamp(ramp.ramp)) : null),
  );
}

function zoneRow(zone, onZone) {
  return h(
    "tr",
    { "data-zone": zone.zone },
    h("th", { scope: "row" }, zone.title),
    h("td", {}, String(zone.balls ?? 0)),
    h("td", {}, zone.label ? button(zone.label, () => onZone(zone.zone)) : null),
  );
}

function ballWords(ball) {
  const [kind, name] = ball.place.split(".");
  const where = { slot: `on ${name}`, ramp: `on ramp ${name}`, zone: `in end zone ${name}`, gone: "off the board" }[kind] ?? ball.place;
  const trail = (ball.trail ?? []).join(", ");
  return `ball ${ball.ball} ${where}${trail ? `, over ${trail}` : ""}`;
}
