// One more phone for our seat, or for a player whom this phone plays: its code as a square to point a camera at, as an address to copy, and in letters.

import { byId, h, put, setLabel, write } from "../elements/dom.js";
import { createSheetFor } from "../elements/sheet.js";

const SVG = "image/svg+xml";

/** Wire up the sheet; returns what fetches a code with `say(words)` and shows it. */
export function createAnother(say) {
  const sheet = createSheetFor("another", () => {});
  const address = /** @type {any} */ (byId("another-address"));
  const copy = byId("another-copy");
  copy.addEventListener("click", () => {
    write(copy, copied(address) ? "Copied" : "Press and hold the address to copy it");
  });
  return async function show(seat) {
    const reply = await say({ do: "phone" }, seat);
    if (!reply) return;
    const drawn = reply.picture ? new DOMParser().parseFromString(reply.picture, SVG).documentElement : null;
    byId("another-picture").replaceChildren(...(drawn?.tagName === "svg" ? [drawing(drawn)] : []));
    put(byId("another-code"), "Code: ", h("strong", {}, reply.reason));
    address.value = reply.address ?? "";
    write(copy, "Copy the address");
    sheet.showModal();
  };
}

function drawing(svg) {
  const [width, height] = [svg.getAttribute("width"), svg.getAttribute("height")];
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("role", "img");
  setLabel(svg, "QR code of the address");
  return document.importNode(svg, true);
}

/** The clipboard is there for safe origins only; on plain http the selection is copied. */
function copied(field) {
  field.select();
  return document.execCommand("copy");
}
