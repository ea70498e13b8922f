// Sheets that open over the page: a button with `data-open` opens one by its name, its own button closes it.

import { byId } from "./dom.js";

/** Wire up the sheet `name`; `opened()` runs each time before it is shown. */
export function createSheetFor(name, opened) {
  const sheet = byId(name);
  document.addEventListener("click", (event) => {
    const asked = event.target instanceof Element ? event.target.closest(`[data-open="${name}"]`) : null;
    if (!asked) return;
    opened(asked);
    sheet.showModal();
  });
  sheet.querySelector("[data-close]").addEventListener("click", () => sheet.close());
  return sheet;
}
