// What our seat may do now, sorted for the board: which options a tap on a slot, a ramp or an end zone means.

import { game } from "./games.js";
import { about, groupOf, tale } from "./groups.js";
import { nameOf, pieceAt, privateView, weAct } from "./model.js";

/** What may be said for other seats, as a question to each of them. */
function spoken(options) {
  const seats = new Set(options.map((option) => option.speaks_for).filter(Boolean));
  const of = (seat) => options.filter((option) => option.speaks_for === seat);
  return [...seats].map((seat) => ({ id: `for ${seat}`, seat, text: "has not answered yet.", options: of(seat) }));
}

/** What one says for somebody else is asked about once more. */
function forAnother(prompt, whose) {
  return { ...prompt, options: prompt.options.map((option) => ({ ...option, whose })) };
}

/**
 * Sort the options of our seat: {prompt, prompts, others, beside, whose, options, slots, ramps, zones}, empty for a watcher.
 * `beside` are those that answer the prompt as well, by leaving nothing to ask.
 * `slots` has edges and corners, too, by their whole name.
 * @param {Store} store
 */
export function liveOptions(store, ui) {
  const view = privateView(store);
  const ask = (prompt) => answered(game().prompt?.(prompt, store) ?? prompt);
  const prompts = (view?.prompts ?? []).map(ask);
  const others = [...(view?.others ?? []), ...spoken(view?.options ?? [])];
  const passed = others.find((one) => one.id === ui.pass);
  const prompt = passed ? forAnother(ask(passed), nameOf(store, passed.seat)) : prompts[Math.min(ui.prompt, prompts.length - 1)] ?? null;
  const asked = new Set(prompts.flatMap((one) => one.options.map((option) => JSON.stringify(option.act))));
  const offered = (view?.options ?? []).filter((option) => !option.speaks_for && !asked.has(JSON.stringify(option.act)));
  const options = (game().options?.(offered, store) ?? offered).map((option) => sorted(option, store));
  const beside = prompt && !passed ? besides(prompt, options) : [];
  return { prompt, prompts, others, beside, whose: passed ? passed.seat : null, options, ...byPlace(onBoard(store, ui, prompt, options, beside)) };
}

function onBoard(store, ui, prompt, options, beside) {
  const places = ui.group ? about(ui.group).places : null;
  if (places) return places(options, store, ui);
  const narrowed = ui.tile !== null && options.some((option) => option.tile === ui.tile && spatial(option));
  const free = (prompt ? beside : options).filter((option) => live(option, ui, narrowed));
  return prompt ? [...prompt.options, ...free] : free;
}

/** The options that stay in reach beside a question: what ends it, and what people tell of balls, unless its answers are places. */
function besides(prompt, options) {
  const told = prompt.options.some(spatial) ? [] : toldOf(options);
  return options.filter((option) => prompt.ended_by?.includes(option.act.do) || told.includes(option) || about(option.group).stays);
}

/** What people tell of balls. */
function toldOf(options) {
  return options.filter((option) => option.group === "told");
}

/** What the tapped place offers. */
export function pickedOptions(live, ui) {
  const found = ui.slot ? live.slots.get(ui.slot) : ui.zone ? live.zones.get(ui.zone) : live.ramps.get(ui.ramp);
  return found ?? [];
}

/** What a tap on an open slot begins with if a piece of the hand is chosen: it is played, and then to lie there. */
export function playedFirst(store, live, ui, slot) {
  if (ui.tile === null || live.slots.has(slot) || pieceAt(store, slot)) return undefined;
  return live.options.find((option) => option.tile === ui.tile && about(option.group).lays);
}

/** The open slot that was tapped before its piece, if one may be chosen now. */
export function slotFirst(store, live, ui) {
  if (!ui.slot || ui.slot.includes(".") || live.slots.has(ui.slot) || pieceAt(store, ui.slot)) return null;
  return live.options.some((option) => about(option.group).lays) ? ui.slot : null;
}

function answered(prompt) {
  return { ...prompt, options: prompt.options.map(atPlace) };
}

/** An option may name its place in full: `slot.B2`, `ramp.L1`, `zone.L`; edges and corners are always named so. */
function atPlace(option) {
  const [kind, name] = (option.slot ?? "").split(".");
  return name && ["slot", "ramp", "zone"].includes(kind) ? { ...option, slot: undefined, [kind]: name } : option;
}

/**
 * Put what people tell into the page's own groups, and at its end zone. That a ball was let go is told by whoever
 * acts; for somebody else it is kept apart, lest a stray tap begins their roll.
 */
function sorted(given, store) {
  const option = atPlace(given);
  const { saw, place } = tale(option);
  if (saw === "released" && !weAct(store)) return { ...option, group: "told_release" };
  const group = groupOf(option);
  return saw === "zone" ? { ...option, group, zone: place } : { ...option, group };
}

/** Whether an option is bright; of a piece in the hand that was chosen only its own places, if it has any. */
function live(option, ui, narrowed) {
  if (narrowed && option.tile !== undefined && option.tile !== ui.tile) return false;
  if (option.group === ui.group || (ui.tile !== null && option.tile === ui.tile)) return true;
  if (option.group === "told") return !ui.group;
  const { board } = about(option.group);
  return board === "only" || (board === undefined && !ui.group);
}

function byPlace(options) {
  const places = { slots: new Map(), ramps: new Map(), zones: new Map() };
  const put = (map, name, option) => map.set(name, [...(map.get(name) ?? []), option]);
  for (const option of options) {
    if (option.slot) put(places.slots, option.slot, option);
    else if (option.ramp) put(places.ramps, option.ramp, option);
    else if (option.zone) put(places.zones, option.zone, option);
  }
  return places;
}

/**
 * Whether an option is given by a tap on the board.
 * @param {Option} option
 */
export function spatial(option) {
  return Boolean(option.slot || option.ramp || option.zone);
}

/** Whether a tap is enough: what people tell of a ball must keep up with the ball, and a game may want it so. */
export function atOnce(options) {
  return options.length === 1 && !options[0].amounts?.length && (options[0].group === "told" || Boolean(options[0].once || about(options[0].group).once));
}
