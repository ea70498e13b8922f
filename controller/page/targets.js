// What our seat may do now, sorted for the board: which options a tap on a slot or a ramp means.

import { privateView } from "./model.js";

const AT_ONCE = new Set(["roll", "place", "answer", "attest"]);

/** Sort the options of our seat: {prompt, prompts, options, slots, ramps}, empty for a watcher. */
export function liveOptions(store, ui) {
  const view = privateView(store);
  const prompts = view?.prompts ?? [];
  const prompt = prompts[Math.min(ui.prompt, prompts.length - 1)] ?? null;
  const asked = new Set(prompts.flatMap((one) => one.options.map((option) => JSON.stringify(option.act))));
  const options = (view?.options ?? []).filter((option) => !asked.has(JSON.stringify(option.act)));
  const onBoard = prompt ? prompt.options : options.filter((option) => live(option, ui));
  return { prompt, prompts, options, ...byPlace(onBoard) };
}

function live(option, ui) {
  if (option.tile !== undefined && ui.tile !== null && option.tile !== ui.tile) return false;
  return AT_ONCE.has(option.group) || option.group === ui.group || (ui.tile !== null && option.tile === ui.tile);
}

function byPlace(options) {
  const slots = new Map();
  const ramps = new Map();
  for (const option of options) {
    if (option.slot) slots.set(option.slot, [...(slots.get(option.slot) ?? []), option]);
    else if (option.ramp) ramps.set(option.ramp, [...(ramps.get(option.ramp) ?? []), option]);
  }
  return { slots, ramps };
}

/** Whether an option is given by a tap on the board. */
export function spatial(option) {
  return Boolean(option.slot || option.ramp);
}

/** What to send for an option: `act` as it is, with the chosen turns where turns are to be chosen. */
export function actOf(option, turns) {
  return option.turns?.length ? { ...option.act, turns } : option.act;
}
