// What our seat may do now, sorted for the board: which options a tap on a slot, a ramp or an end zone means.

import { FATES, ballPlaces, furtherOptions } from "./disputes.js";
import { privateView, publicView } from "./model.js";

const AT_ONCE = new Set(["roll", "place", "answer"]);

/** Sort the options of our seat: {prompt, prompts, whose, options, slots, ramps, zones}, empty for a watcher. */
export function liveOptions(store, ui) {
  const view = privateView(store);
  const prompts = (view?.prompts ?? []).map((one) => placed(one, store));
  const passed = (view?.others ?? []).find((one) => one.id === ui.pass);
  const prompt = passed ? placed(passed, store) : prompts[Math.min(ui.prompt, prompts.length - 1)] ?? null;
  const asked = new Set(prompts.flatMap((one) => one.options.map((option) => JSON.stringify(option.act))));
  const offered = (view?.options ?? []).filter((option) => !asked.has(JSON.stringify(option.act)));
  const own = ownReleases(store, offered);
  const options = [...own, ...furtherOptions(store, own)];
  return { prompt, prompts, whose: passed ? passed.seat : null, options, ...byPlace(onBoard(store, ui, prompt, options)) };
}

function onBoard(store, ui, prompt, options) {
  if (ui.group === "contend") return ballPlaces(store, options, ui.ball).places;
  return prompt ? prompt.options : options.filter((option) => live(option, ui));
}

/** An answer that names a ramp or an end zone stands at that place of the board. */
function placed(prompt, store) {
  const options = prompt.options.map((option) => {
    if (prompt.kind === "witness") return witnessed(option, store);
    const [kind, place] = String(option.act.choice ?? "").split(".");
    if (kind === "ramp" && place) return { ...option, ramp: place };
    return kind === "zone" && place ? { ...option, zone: place } : option;
  });
  return { ...prompt, options };
}

/** What people saw of a roll: one place stands on the board; several, and several balls at one, are words. */
function witnessed(option, store) {
  const places = String(option.act.choice ?? "").split("+");
  const zones = publicView(store)?.zones ?? [];
  const title = (place) => zones.find((zone) => zone.zone === place)?.title ?? place;
  if (!places.every((place) => isPlace(store, place, zones))) return { ...option, bare: true };
  const often = new Map();
  for (const place of places) often.set(place, (often.get(place) ?? 0) + 1);
  const words = [...often].map(([place, balls]) => (balls > 1 ? `${balls} at ${title(place)}` : title(place)));
  const said = { ...option, label: upper(words.join(" and ")) };
  if (places.length > 1) return { ...said, slot: undefined };
  return zones.some((zone) => zone.zone === places[0]) ? { ...said, zone: places[0] } : { ...said, slot: places[0] };
}

function upper(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function isPlace(store, place, zones) {
  return zones.some((zone) => zone.zone === place) || Boolean(publicView(store)?.slots.some((slot) => slot.slot === place));
}

/**
 * Without electronics the tap that says a ball left a ramp is the roll, so there is nothing to ask for before.
 * Telling it for somebody else is kept apart (`told_release`), lest a stray tap begins their roll.
 */
function ownReleases(store, options) {
  const bare = store.info?.electronics === false;
  const released = options.some(isRelease);
  const shown = bare && released ? options.filter((option) => option.group !== "roll") : options;
  if (rollsNow(store)) return shown;
  return shown.map((option) => (isRelease(option) ? { ...option, group: "told_release" } : option));
}

/** Whether it is for our seat to let a ball go. */
function rollsNow(store) {
  const view = publicView(store);
  return (view?.roller ?? view?.active) === store.seat;
}

function isRelease(option) {
  return option.act.do === "attest" && option.act.saw === "released";
}

function live(option, ui) {
  if (option.tile !== undefined && ui.tile !== null && option.tile !== ui.tile) return false;
  if (AT_ONCE.has(option.group) || option.group === ui.group || (option.group === "attest" && !ui.group)) return true;
  return ui.tile !== null && option.tile === ui.tile;
}

function byPlace(options) {
  const places = { slots: new Map(), ramps: new Map(), zones: new Map() };
  const put = (map, name, option) => map.set(name, [...(map.get(name) ?? []), option]);
  for (const option of options) {
    if (option.slot) put(places.slots, option.slot, option);
    else if (option.ramp) put(places.ramps, option.ramp, option);
    else if (zoneOf(option)) put(places.zones, zoneOf(option), option);
  }
  return places;
}

/** The end zone that an option is about, or null. */
export function zoneOf(option) {
  if (option.zone) return option.zone;
  if (option.act.do === "contend" && !option.slot && !FATES.has(option.act.place)) return option.act.place;
  return option.act.do === "attest" && option.act.saw === "zone" ? option.act.place : null;
}

/** Whether an option is given by a tap on the board. */
export function spatial(option) {
  return Boolean(option.slot || option.ramp || zoneOf(option));
}

/** Whether a tap is enough: what people tell of a ball must keep up with the ball. */
export function atOnce(options) {
  return options.length === 1 && options[0].group === "attest";
}

/** What to send for an option: `act` as it is, with the chosen turns where turns are to be chosen. */
export function actOf(option, turns) {
  return option.turns?.length ? { ...option.act, turns } : option.act;
}
