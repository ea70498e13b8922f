// Sensors that people do not believe: declared broken, or working again, place by place.

import { button, byId, h, memo } from "./dom.js";
import { createSheetFor } from "./sheet.js";

const KINDS = { tile: "tile", ball: "ball", drain: "hole", ramp: "ramp", zone: "end zone", edge: "edge" };

/** Wire up the sheet of sensors; returns `update(store)`. */
export function createSensors(say) {
  const found = byId("sensors-found");
  const field = byId("sensors-search");
  let drawn = () => {};
  createSheetFor("sensors", () => drawn());
  field.addEventListener("input", () => drawn());
  const draw = memo((sensors, broken, slots, typed) => {
    const shown = sensors.filter((name) => typed ? name.toLowerCase().includes(typed) : broken.includes(name));
    byId("sensors-says").textContent = typed
      ? shown.length ? "" : "This board has no sensor there."
      : broken.length ? "Not believed now:" : "All are believed. Type a slot, ramp or end zone to find its sensors.";
    found.replaceChildren(...shown.slice(0, 24).map((name) => row(name, broken.includes(name), say)));
  });
  return function update(store) {
    drawn = () => draw(store.info?.sensors ?? [], store.table?.broken ?? [], store.info?.slots.length ?? 0, field.value.trim().toLowerCase());
    if (byId("sensors").open) drawn();
  };
}

function row(name, broken, say) {
  const [kind, place] = name.split(/\.(.*)/);
  return h(
    "li",
    { class: "row" },
    h("span", { class: "row-name" }, place, h("span", { class: "row-note" }, `${KINDS[kind] ?? kind} sensor${broken ? " · broken" : ""}`)),
    button(broken ? "It works" : "Broken", () => say({ do: broken ? "working" : "broken", sensor: name }), {
      kind: broken ? "plain" : "danger",
      "aria-label": `${name}: ${broken ? "it works again" : "it is broken"}`,
    }),
  );
}
