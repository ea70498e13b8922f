// Sheets that open over the page: a button with `data-open` opens one by its name, its own button closes it.

import { byId, h, s } from "./dom.js";

/** Wire up the sheet `name`; `opened()` runs each time before it is shown. */
export function createSheetFor(name, opened) {
  const sheet = byId(name);
  document.addEventListener("click", (event) => {
    const asked = event.target instanceof Element ? event.target.closest(`[data-open="${name}"]`) : null;
    if (!asked || !sheet.isConnected) return;
    opened(asked);
    sheet.showModal();
  });
  sheet.querySelector("[data-close]").addEventListener("click", () => sheet.close());
  return sheet;
}

/** The cross that closes something. */
export function closeButton(label, more = {}) {
  return h("button", { type: "button", class: "tool", "aria-label": label, ...more }, s("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, s("path", { d: "M6 6l12 12M18 6L6 18" })));
}

/** Put a sheet of a game into the page: its heading, what stands beside it, and what is below. Then wire it up. */
export function addSheet({ name, title, titleId = `${name}-title`, close, beside = null }, ...content) {
  const heading = h("h2", { id: titleId, tabindex: "-1" }, title);
  byId("game").append(h("dialog", { id: name, class: "sheet", "aria-labelledby": titleId },
    h("div", { class: "sheet-top" }, heading, beside, closeButton(close, { "data-close": true })), ...content));
}
