// Numbers that go with an option: how many chips, which cards. Steps for a thumb, and a field for who knows the number.

import { button, h } from "../elements/dom.js";
import { inPictures } from "./pictured.js";

/** What is chosen for each amount of an option, in their order: what the player set, else the usual; always what is allowed. */
export function amountsOf(option, ui) {
  const set = ui.amounts?.[keyOf(option)] ?? {};
  const found = (option.amounts ?? []).map((one) => allowed(one, set[one.into] ?? one.usual ?? 0));
  const missing = (option.fewest ?? 0) - sum(found);
  if (missing > 0 && found.length === 1) found[0] = allowed(option.amounts[0], found[0] + missing);
  return found;
}

/** A button for an option; with amounts, the steps above it, and the button waits until they are enough. */
export function taking(option, { label = option.label, kind, ui, choose, confirm }) {
  const props = { kind, "data-group": option.group };
  if (!option.amounts?.length) return button(typeof label === "string" ? inPictures(label) : label, () => confirm(option), props);
  const chosen = amountsOf(option, ui);
  const few = sum(chosen) < (option.fewest ?? 0);
  return h("div", { class: "amounts", role: "group", "aria-label": label },
    option.amounts.map((one, at) => row(one, chosen[at], (number) => setAmount(option, one, number, { ui, choose }))),
    few ? h("p", { class: "hint" }, `At least ${option.fewest} in all.`) : null,
    button(label, () => confirm(option), { ...props, disabled: few }));
}

/** Choose a number for one amount of an option; one that is not allowed becomes the one below. */
export function setAmount(option, one, number, { ui, choose }) {
  choose({ amounts: { ...ui.amounts, [keyOf(option)]: { ...ui.amounts?.[keyOf(option)], [one.into]: allowed(one, number) } } });
}

/** What to send for an option: `act` as it is, with the chosen turns and amounts where there are any to be chosen. */
export function actOf(option, turns, chosen = []) {
  const act = option.turns?.length ? { ...option.act, turns } : { ...option.act };
  for (const [at, { into }] of (option.amounts ?? []).entries()) {
    const [name, inner] = into.split(".");
    act[name] = inner ? { ...act[name], [inner]: chosen[at] } : chosen[at];
  }
  return act;
}

function row({ label, step, most, least = 0 }, now, set) {
  const field = h("input", { type: "number", inputmode: "numeric", min: String(least), max: String(most), step: String(step), value: String(now), "aria-label": `How many: ${label}`, onchange: () => set(Number(field.value)) });
  return h("div", { class: "amount" },
    h("span", { class: "amount-label" }, label),
    button("−", () => set(now - step), { "aria-label": `${label}: fewer`, disabled: now <= least }),
    field,
    button("+", () => set(now + step), { "aria-label": `${label}: more`, disabled: now >= most }),
    button("All", () => set(most), { "aria-label": `${label}: all`, disabled: now >= most, kind: "quiet" }));
}

/** The nearest number that is allowed, not above the one that was wanted. */
function allowed({ step, most, least = 0 }, wanted) {
  const number = Number.isFinite(wanted) ? Math.min(most, Math.max(least, Math.trunc(wanted))) : least;
  return number - ((number - least) % step);
}

const keyOf = (option) => JSON.stringify(option.act);
const sum = (numbers) => numbers.reduce((all, one) => all + one, 0);
