// What phones show only in this game. The page needs none of it: without this file it plays from scene and options.
// Served as games/ring.js, so the page's own modules are one folder up; scene/games.js there says what may be exported.

import { s } from "../elements/dom.js";

/** A token is a disc with its number; a plain tile has three straight ways. */
function drawPiece(piece, pitch) {
  if (piece.name.startsWith("token-")) {
    return [
      s("circle", { class: "tile-way", r: 11, fill: "none", stroke: "currentColor", "stroke-width": 1.5 }),
      s("text", { y: 4.5, "text-anchor": "middle", "font-size": 13, fill: "currentColor" }, piece.name.slice("token-".length)),
    ];
  }
  const far = pitch / 2 - 3;
  return [0, 60, 120].map((angle) => s("path", { d: `M0 ${-far}V${far}`, transform: `rotate(${angle})`, stroke: "currentColor", "stroke-width": 1.2 }));
}

export default {
  title: "Light the ring",
  help: [
    "Two dark slots of the ring glow. Take one, lay a plain tile in it, and choose the token that lights it.",
    "A light takes the lights beside it that have a lower token. Whoever has most when all six shine wins.",
  ],
  groups: {
    take: { order: 1, primary: true, hint: "Tap one of the two bright slots." },
    pass: { order: 20, label: "Pass…", sure: "Your lowest token is out of the game.", really: "Pass" },
  },
  deadline: () => "Until the turn passes by itself",
  drawPiece,
};
