// A game's file as another package may have it: what `Game` in `controller/page/scene/games.js` says, and no more than it needs.

import { byId, h, s } from "../elements/dom.js";
import { addSheet, createSheetFor } from "../elements/sheet.js";
import { hexagon } from "../elements/shapes.js";

function createWool() {
  addSheet({ name: "wool", title: "Wool", close: "Close the wool" }, h("p", { id: "wool-says", class: "sheet-body" }));
  createSheetFor("wool", () => {});
  return (store) => (byId("wool-says").textContent = `There are ${store.state?.view.detail?.wool ?? 0}.`);
}

/** @type {import("../scene/games.js").Game} */
export default {
  title: "Marbles",
  style: "marbles.css",
  help: ["A fleece is a sheep."],
  groups: {
    call_home: { order: 1, board: "asked", label: "Call home…", hint: "Whom? Tap the slot." },
    whistle: { order: 2, primary: true, sure: "They all come.", grave: true },
  },
  facts: ({ detail }) => [`Wool ${detail.wool}`],
  drawPiece: (piece, pitch) => [s("polygon", { class: "fleece", points: hexagon(pitch / 4) })],
  pieceFacts: (piece) => (piece.turns ? "It looks away." : ""),
  sheets: [{ name: "wool", button: "Count the wool…", when: "always", make: createWool }],
};
