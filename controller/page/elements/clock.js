// The controller's clock, guessed from its payloads: `at_us` is never later than now, so the smallest difference
// that was seen is the best guess. A retained snapshot may be old; the first live message puts that right.

import { write } from "./dom.js";

let offset = Infinity;
let boot = "";

/** Learn from a payload that was made at `atUs`. */
export function learn(atUs) {
  offset = Math.min(offset, performance.now() * 1000 - atUs);
}

/** Another start of the controller has another clock. */
export function learnBoot(name) {
  if (name !== boot) offset = Infinity;
  boot = name;
}

/** Whole seconds until a deadline, never negative; null without one. */
export function secondsUntil(deadlineUs) {
  if (deadlineUs === undefined || deadlineUs === null || offset === Infinity) return null;
  return Math.max(0, Math.ceil((deadlineUs - (performance.now() * 1000 - offset)) / 1e6));
}

/** Keep every element with `data-deadline` or `data-since` up to date, four times a second. */
export function startCountdowns() {
  setInterval(() => {
    document.querySelectorAll("[data-deadline]").forEach(showCountdown);
    document.querySelectorAll("[data-since]").forEach(showSince);
  }, 250);
}

/** Write how long something has been on into an element with `data-since`, as minutes and seconds; it ended at `data-until`. */
export function showSince(element) {
  const { since, until } = element.dataset;
  if (offset === Infinity) return;
  const now = until === undefined ? performance.now() * 1000 - offset : Number(until);
  const passed = Math.max(0, Math.floor((now - Number(since)) / 1e6));
  write(element, `${Math.floor(passed / 60)}:${String(passed % 60).padStart(2, "0")}`);
}

/** Write the seconds that are left into an element with `data-deadline`. */
export function showCountdown(element) {
  const left = secondsUntil(Number(element.dataset.deadline));
  write(element, left === null ? "" : `${left} s`);
}
