// Sensors that are not well, and what the board does about each; declared broken, or working again, place by place.

import { button, byId, h, memo, write } from "../elements/dom.js";
import { createSheetFor } from "../elements/sheet.js";

const KINDS = { tile: "tile", ball: "ball", drain: "hole", ramp: "ramp", zone: "end zone", edge: "edge" };
const DEVICES = { gate: "gate", kicker: "kicker" };

/** Wire up the sheet of sensors; returns `update(store)`. */
export function createSensors(say) {
  const found = byId("sensors-found");
  const field = byId("sensors-search");
  let drawn = () => {};
  createSheetFor("sensors", () => drawn());
  field.addEventListener("input", () => drawn());
  const draw = memo((sensors, broken, health, slots, typed) => {
    const trouble = new Map(health.map((one) => [one.sensor, one]));
    const shown = sensors.filter((name) => typed ? name.toLowerCase().includes(typed) : broken.includes(name) || trouble.has(name));
    write(byId("sensors-says"), typed
      ? shown.length ? "" : "This board has no sensor there."
      : shown.length || health.length ? "Not working now:" : "All sensors work. Type a slot, ramp or end zone to find its own.");
    const devices = typed ? [] : health.filter((one) => !sensors.includes(one.sensor));
    found.replaceChildren(...devices.map(deviceRow), ...shown.slice(0, 24).map((name) => row(name, broken.includes(name), trouble.get(name), say)));
  });
  return function update(store) {
    drawn = () => draw(store.info?.sensors ?? [], store.table?.broken ?? [], store.table?.health ?? [], store.info?.slots.length ?? 0, field.value.trim().toLowerCase());
    if (byId("sensors").open) drawn();
  };
}

/** A coil or a meter that is not well: nobody at the table can change what is believed of it. */
function deviceRow({ sensor, state, why, does }) {
  const [kind, place] = sensor.split(/\.(.*)/);
  const name = place ? [place, h("span", { class: "row-note" }, `${DEVICES[kind] ?? kind} · ${state}`)] : [sensor, h("span", { class: "row-note" }, state)];
  return h("li", { class: "row" }, h("span", { class: "row-name" }, name, h("span", { class: "row-note" }, `${why}. ${does}`)));
}

function row(name, broken, trouble, say) {
  const [kind, place] = name.split(/\.(.*)/);
  const state = broken ? "broken" : trouble?.state;
  const told = trouble && trouble.state === state ? `${trouble.why}. ${trouble.does}` : "";
  return h(
    "li",
    { class: "row" },
    h("span", { class: "row-name" }, place, h("span", { class: "row-note" }, `${KINDS[kind] ?? kind} sensor${state ? ` · ${state}` : ""}`),
      told ? h("span", { class: "row-note" }, told) : null),
    button(broken ? "It works" : "Broken", () => say({ do: broken ? "working" : "broken", sensor: name }), {
      kind: broken ? "plain" : "danger",
      "aria-label": `${name}: ${broken ? "it works again" : "it is broken"}`,
    }),
  );
}
