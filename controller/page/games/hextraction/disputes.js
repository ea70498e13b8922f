// What anybody may say is wrong although no option lists it word for word: a count of touches, the place of a ball.
// The controller decides as ever: what is not legal is refused with its clause.

import { button, h } from "../../elements/dom.js";
import { ballsOn, count, placesOf, publicView, slotOf } from "../../scene/model.js";

const MOST = 99;
const FATES = new Set(["off", "fell"]);

/** What whoever has said that something is wrong needs now, not below *More*; all that is asked is where the ball is. */
const NOW = new Set(["contend", "correct", "flick"]);

/** Our seat's options, placed, and those that no list has: counts of touches, while the balls of a roll are in play. */
export function moreOptions(options, store) {
  const own = fewTaps(rollOnly(options, store), store).map(atPlace);
  if (!own.length || !isRollOn(store)) return own;
  const laid = publicView(store)?.detail?.depth ? [] : placesOf(store, "slot").filter((slot) => slot.piece);
  const all = [...own, ...laid.map(({ name }) => ({ group: "correct", label: `Touches on ${name}`, act: { do: "correct", slot: name }, slot: name, clause: "R-14" }))];
  return weObject(store) ? disputed(all, store) : all;
}

/** Whether our seat has said that something is wrong, and not yet what. */
export function weObject(store) {
  return (publicView(store)?.detail?.objected ?? []).includes(store.seat);
}

/** What may be said against a roll, at hand: of one ball by a tap on its place, of several as ever. */
function disputed(options, store) {
  const { balls, places } = ballPlaces(store, options, {});
  const all = balls.length === 1 ? [...options.filter((option) => option.group !== "contend"), ...places] : options;
  return all.map((option) => (NOW.has(option.group) && (option.group !== "contend" || balls.length === 1) ? { ...option, group: `${option.group}_now` } : option));
}

/** While balls of a roll are in play, somebody rolls. */
function isRollOn(store) {
  return Boolean(publicView(store)?.seats.some((seat) => seat.note === "rolls"));
}

/** Without electronics the tap that says a ball left a ramp is the roll, so there is nothing to ask for before. */
function rollOnly(options, store) {
  const told = store.info?.electronics === false && options.some((option) => option.tells?.startsWith("released "));
  return told ? options.filter((option) => option.group !== "roll") : options;
}

/** Where taps are few, one lays the tile: how it is turned is seen on the board, and not asked. */
function fewTaps(options, store) {
  if (!publicView(store)?.detail?.depth) return options;
  return options.map((one) => (one.group === "place" ? { ...one, act: { ...one.act, turns: one.turns?.[0] ?? 0 }, turns: undefined, once: true } : one));
}

function atPlace(option) {
  const shown = option.act.tile === undefined ? option : { ...option, shows: option.act.tile };
  const { place } = option.act;
  return option.group === "contend" && !option.slot && !FATES.has(place) ? { ...shown, zone: place } : shown;
}

/** The places where the chosen ball may really be: what is listed, and every slot. */
export function ballPlaces(store, options, ui) {
  const listed = options.filter((option) => option.group === "contend");
  const balls = [...new Set(listed.map((option) => option.act.ball))];
  const chosen = balls.includes(ui.own?.ball) ? ui.own.ball : balls[0];
  const slots = (publicView(store)?.detail?.depth === "score" ? [] : store.info?.slots ?? []).map(({ slot }) => ({
    group: "contend",
    label: balls.length > 1 ? `Ball ${chosen} is on ${slot}` : `The ball is on ${slot}`,
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
        balls.map((ball) => button(`Ball ${ball}`, () => choose({ own: { ball } }), { "aria-pressed": String(ball === chosen) })))
      : null,
    h("div", { class: "buttons" }, places.filter((option) => FATES.has(option.act.place)).map((option) => button(option.label, () => confirm(option)))),
  );
}

/** How often a tile was touched: counted up and down, then proposed to the table. */
export function drawCount({ store, slot, ui, choose, act }) {
  const { count: touches, piece } = slotOf(store, slot);
  const now = ui.own?.slot === slot ? ui.own.count : touches;
  const step = (by) => choose({ own: { slot, count: Math.min(MOST, Math.max(0, now + by)) } });
  const balls = ballsOn(store, slot);
  return h(
    "section",
    { class: "pick", "aria-label": `Touches on ${slot}` },
    h("h2", {}, `${piece?.title ?? slot} on ${slot}`),
    h("p", { class: "hint" }, `Counted: ${count(touches, "touch", "touches")}${balls ? `, ${count(balls, "ball")} on it` : ""}. What did you see?`),
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
      button(`Ask the others: ${count(now, "touch", "touches")}`, () => act({ act: { do: "correct", slot, touches: now } }), { kind: "primary", disabled: now === touches }),
      button("Cancel", () => choose({ slot: null, own: null }), { kind: "quiet" }),
    ),
  );
}
