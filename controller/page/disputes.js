// What anybody may say is wrong although no option lists it word for word: a count of touches, the place of a ball.
// The controller decides as ever: what is not legal is refused with its clause.

import { button, h } from "./dom.js";
import { ballsOn, count, publicView, slotOf } from "./model.js";

const MOST = 99;
export const FATES = new Set(["off", "fell"]);

/** Options that the page offers beyond the listed ones, while the balls of a roll are in play. */
export function furtherOptions(store, options) {
  const view = publicView(store);
  if (!view?.roller || !options.length) return [];
  const tiles = view.slots.filter((slot) => slot.tile);
  return tiles.map(({ slot }) => ({ group: "correct", label: `Touches on ${slot}`, act: { do: "correct", slot }, slot, clause: "R-14" }));
}

/** The places where the chosen ball may really be: what is listed, and every slot. */
export function ballPlaces(store, options, ball) {
  const listed = options.filter((option) => option.group === "contend");
  const balls = [...new Set(listed.map((option) => option.act.ball))];
  const chosen = balls.includes(ball) ? ball : balls[0];
  const slots = (store.info?.slots ?? []).map(({ slot }) => ({
    group: "contend",
    label: `Ball ${chosen} is on ${slot}`,
    act: { do: "contend", ball: chosen, place: slot },
    slot,
    clause: "R-14",
  }));
  return { balls, chosen, places: chosen === undefined ? [] : [...listed.filter((option) => option.act.ball === chosen), ...slots] };
}

/** Which ball is meant, and what has no place on the board. */
export function drawBalls({ balls, chosen, places }, { choose, confirm }) {
  return h(
    "div",
    { class: "dispute" },
    balls.length > 1
      ? h("div", { class: "buttons", role: "group", "aria-label": "Which ball?" },
        balls.map((ball) => button(`Ball ${ball}`, () => choose({ ball }), { "aria-pressed": String(ball === chosen) })))
      : null,
    h("div", { class: "buttons" }, places.filter((option) => FATES.has(option.act.place)).map((option) => button(option.label, () => confirm(option)))),
  );
}

/** How often a tile was touched: counted up and down, then proposed to the table. */
export function drawCount({ store, slot, ui, choose, act }) {
  const shown = slotOf(store, slot);
  const now = ui.count ?? shown.touches;
  const step = (by) => choose({ count: Math.min(MOST, Math.max(0, now + by)) });
  const balls = ballsOn(store, slot);
  return h(
    "section",
    { class: "pick", "aria-label": `Touches on ${slot}` },
    h("h3", {}, `${shown.tile?.title ?? slot} on ${slot}`),
    h("p", { class: "hint" }, `Counted: ${count(shown.touches, "touch", "touches")}${balls ? `, ${count(balls, "ball")} on it` : ""}. What did you see?`),
    h(
      "div",
      { class: "stepper", role: "group", "aria-label": "Touches" },
      button("−", () => step(-1), { "aria-label": "One less", disabled: now === 0 }),
      h("output", { "aria-live": "polite" }, String(now)),
      button("+", () => step(1), { "aria-label": "One more" }),
    ),
    h(
      "div",
      { class: "buttons" },
      button(`Propose ${count(now, "touch", "touches")}`, () => act({ act: { do: "correct", slot, touches: now } }), { kind: "primary", disabled: now === shown.touches }),
      button("Cancel", () => choose({ slot: null, count: null }), { kind: "quiet" }),
    ),
  );
}
