// How Hextraction is played, in pictures of 240 by 150: drawn like the board, so that people know it again. A table that wants few
// taps is told no more than it asks.

import { s } from "../../elements/dom.js";
import { hexagon } from "../../elements/shapes.js";
import { game } from "../../scene/games.js";

const PITCH = 50;
const BELL = { channels: [[1, 4]], trigger: "whole" };
const CURVE = { channels: [[1, 3], [4, 6]] };
const STRAIGHT = { channels: [[1, 4], [2, 3], [5, 6]] };
const CROSS = { channels: [[1, 4], [2, 5]] };

const at = (x, y, ...content) => s("g", { transform: `translate(${x},${y})` }, ...content);
const scaled = (x, y, size, ...content) => s("g", { transform: `translate(${x},${y}) scale(${size})` }, ...content);
const tile = (x, y, piece, turns = 0) => at(x, y, s("polygon", { class: "tile", points: hexagon(27) }), game().drawPiece(piece, PITCH, turns));
const well = (x, y, more = "") => at(x, y, s("polygon", { class: `well ${more}`, points: hexagon(27) }));
const ball = (x, y) => at(x, y, s("circle", { class: "howto-ball", r: 6 }));
const arrow = (d) => s("path", { class: "howto-arrow", d });
const finger = (x, y) => at(x, y, s("circle", { class: "howto-tap", r: 9 }), s("circle", { class: "howto-tap-dot", r: 3.5 }));
const words = (x, y, text, more = "") => s("text", { class: `howto-words ${more}`, x, y }, text);
const slab = () => s("rect", { class: "howto-slab", x: 4, y: 4, width: 232, height: 142, rx: 12 });
const ramp = (x) => s("path", { class: "howto-ramp", d: `M${x - 8},10h16l-3,22h-10z` });

/** Three columns of tiles under their ramps, with an end zone below. */
function board() {
  return [
    slab(), ramp(72), ramp(120), ramp(168),
    scaled(72, 62, 0.82, tile(0, 0, CURVE)), scaled(120, 52, 0.82, tile(0, 0, STRAIGHT)), scaled(168, 62, 0.82, tile(0, 0, CROSS)),
    scaled(72, 104, 0.82, well(0, 0)), scaled(120, 94, 0.82, tile(0, 0, BELL)), scaled(168, 104, 0.82, tile(0, 0, CURVE, 1)),
    s("rect", { class: "howto-zone", x: 92, y: 122, width: 56, height: 18, rx: 9 }),
  ];
}

/** @typedef {{title: string, text: string, draw: () => any[]}} Step */

/** @param {Store} store @returns {Step[]} */
export function howTo(store) {
  const depth = store.table?.phase === "playing" ? store.state?.view.detail?.depth : store.table?.detail?.depth;
  return OF_A_DEPTH[depth] ?? ALL;
}

/** @type {Step[]} */
const ALL = [
  {
    title: "Get a ball to the end zone",
    text: "The board leans. Balls run from the ramps at the top, along the channels of the tiles, down to the end zones. If a ball gets into one during your roll, you win.",
    draw: () => [...board(), arrow("M120,36V118"), ball(120, 131)],
  },
  {
    title: "Your tiles are a secret",
    text: "You hold three tiles, of plastic in your hand or on this phone. Nobody but you gets to see them.",
    draw: () => [
      s("rect", { class: "howto-phone", x: 42, y: 12, width: 156, height: 126, rx: 14 }),
      scaled(78, 74, 0.75, tile(0, 0, CURVE)), scaled(120, 74, 0.75, tile(0, 0, BELL)), scaled(162, 74, 0.75, tile(0, 0, CROSS)),
      words(120, 122, "only you see them"),
    ],
  },
  {
    title: "Each turn: one roll and one tile",
    text: "On your turn, roll a ball and lay a tile, in either order. Then end your turn.",
    draw: () => [
      ball(66, 60), arrow("M66,72V104"), words(66, 128, "roll"),
      words(120, 84, "+", "howto-big"),
      scaled(176, 72, 0.95, tile(0, 0, STRAIGHT)), words(176, 128, "lay a tile"),
    ],
  },
  {
    title: "Lay a tile",
    text: "Tap a tile and “Play”, then a bright slot: you see how it would lie, and may turn it. Lay it on the board just so; its channels decide where balls go from now on.",
    draw: () => [
      slab(), scaled(64, 76, 0.95, tile(0, 0, CURVE)), finger(64, 92),
      arrow("M96,76H138"), scaled(176, 76, 0.95, well(0, 0, "howto-target")), finger(176, 92),
    ],
  },
  {
    title: "Roll a ball",
    text: "Tap a bright ramp. The gate opens. No gate? Then let the ball go yourself. The ball may fall through an open slot, come to rest, or set off a tile with a spiky mark. Then that tile does what its card says.",
    draw: () => [slab(), ramp(76), finger(76, 20), scaled(76, 64, 0.95, tile(0, 0, BELL)), arrow("M76,36V62"), ball(76, 64), scaled(168, 64, 0.95, well(0, 0)), arrow("M124,38C150,34 164,40 168,58"), words(168, 128, "an open slot"), words(76, 128, "a trigger")],
  },
  {
    title: "The line at the top says what to do",
    text: "Only what you may do is bright. If you think that a tile is unfair, put it to the vote: KEEP or DESTROY. The open book answers questions.",
    draw: () => [
      s("rect", { class: "howto-line", x: 20, y: 18, width: 200, height: 34, rx: 10 }),
      words(120, 40, "Your turn: roll a ball."),
      s("rect", { class: "howto-button", x: 34, y: 84, width: 80, height: 34, rx: 17 }), words(74, 106, "KEEP", "howto-on"),
      s("rect", { class: "howto-button howto-no", x: 126, y: 84, width: 80, height: 34, rx: 17 }), words(166, 106, "DESTROY", "howto-on"),
    ],
  },
];

const SLIP = {
  title: "A slip of the thumb?",
  text: "Whoever tapped wrongly takes the last tap back, for a minute.",
  draw: () => [
    s("rect", { class: "howto-line", x: 20, y: 22, width: 200, height: 34, rx: 10 }), words(120, 44, "Goal!"),
    s("rect", { class: "howto-button", x: 30, y: 86, width: 180, height: 34, rx: 17 }), words(120, 108, "Undo my last tap", "howto-on"),
  ],
};

/** @type {Record<string, Step[]>} */
const OF_A_DEPTH = {
  score: [
    { title: "Get a ball to the end zone", text: "The board leans: let a ball go on a ramp, and in an end zone it wins.", draw: () => [...board(), arrow("M120,36V118"), ball(120, 131)] },
    {
      title: "One tap a turn",
      text: "After your roll tap what came of it; one phone is enough for all.",
      draw: () => [
        s("rect", { class: "howto-button howto-no", x: 50, y: 34, width: 140, height: 34, rx: 17 }), words(120, 56, "No goal", "howto-on"),
        s("rect", { class: "howto-button", x: 50, y: 82, width: 140, height: 34, rx: 17 }), words(120, 104, "Goal!", "howto-on"),
      ],
    },
    SLIP,
  ],
  light: [
    { title: "Get a ball to the end zone", text: "The board leans: a ball that you roll into an end zone wins.", draw: () => [...board(), arrow("M120,36V118"), ball(120, 131)] },
    {
      title: "Each turn: one tile and one roll",
      text: "Lay a tile of your hand and roll a ball, in either order.",
      draw: () => [scaled(64, 72, 0.95, tile(0, 0, STRAIGHT)), words(64, 128, "lay a tile"), words(120, 84, "+", "howto-big"), ball(174, 60), arrow("M174,72V104"), words(174, 128, "roll")],
    },
    {
      title: "Four taps tell it",
      text: "Tap your tile and its slot, then the ramp and where the ball ended.",
      draw: () => [
        slab(), scaled(48, 84, 0.7, tile(0, 0, CURVE)), finger(48, 96), arrow("M72,84H84"), scaled(108, 84, 0.7, well(0, 0, "howto-target")), finger(108, 96),
        ramp(166), finger(166, 24), arrow("M172,40C186,52 190,58 194,66"), scaled(196, 92, 0.7, well(0, 0, "howto-target")), finger(196, 104),
      ],
    },
    SLIP,
  ],
};
