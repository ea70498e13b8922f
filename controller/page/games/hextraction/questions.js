// Questions of Hextraction: their answers stand at places of the board, and what people saw of a roll is said in words.

import { pieceAt, placesOf } from "../../scene/model.js";

/** A question with its answers at slots, ramps and end zones, as far as they name some. */
export function placed(prompt, store) {
  if (prompt.kind === "witness") return witness(prompt, store);
  return { ...prompt, options: prompt.options.map(atPlace) };
}

function atPlace(option) {
  const choice = String(option.act.choice ?? "");
  const [kind, place] = choice.split(".");
  if (kind === "ramp" && place) return { ...option, ramp: place };
  if (kind === "zone" && place) return { ...option, zone: place };
  return typeof option.act.choice === "string" && /^\d+$/.test(choice) ? { ...option, shows: Number(choice) } : option;
}

/** What people saw of a roll: one place stands on the board; several, and several balls at one, are words. */
function witness(prompt, store) {
  const options = prompt.options.map((option) => seen(option, store));
  const placeless = !options.some((option) => option.slot || option.ramp || option.zone);
  return { ...prompt, options, picture: placeless && prompt.slot ? pieceAt(store, prompt.slot) : null };
}

function seen(option, store) {
  const places = String(option.act.choice ?? "").split("+");
  const zones = placesOf(store, "zone");
  const zone = (name) => zones.find((one) => one.name === name);
  const slots = new Set(placesOf(store, "slot").map((one) => one.name));
  if (!places.every((name) => zone(name) || slots.has(name))) return { ...option, bare: true };
  const often = new Map();
  for (const name of places) often.set(name, (often.get(name) ?? 0) + 1);
  const title = (name) => zone(name)?.title ?? name;
  const words = [...often].map(([name, balls]) => (balls > 1 ? `${balls} at ${title(name)}` : title(name)));
  const said = { ...option, label: upper(words.join(" and ")) };
  if (places.length > 1) return { ...said, slot: undefined };
  return zone(places[0]) ? { ...said, zone: places[0] } : { ...said, slot: places[0] };
}

function upper(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
