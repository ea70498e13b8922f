// Hextraction on the phone: all that this game has and others have not. See `Game` in `../games.js`; parts are in `hextraction/`.

import { createAnew } from "./hextraction/anew.js";
import { createAuthor } from "./hextraction/author.js";
import { coach } from "./hextraction/coach.js";
import { lobby } from "./hextraction/depth.js";
import { moreOptions } from "./hextraction/disputes.js";
import { GROUPS, styled } from "./hextraction/groups.js";
import { HOW_TO } from "./hextraction/howto.js";
import { createReference, lookup } from "./hextraction/lookup.js";
import { placed } from "./hextraction/questions.js";
import { createSetup } from "./hextraction/setup.js";
import { facts, sections } from "./hextraction/table.js";
import { drawTile, posterTile, tileFacts } from "./hextraction/tiles.js";
import { course, ways } from "./hextraction/ways.js";

/** @type {import("../scene/games.js").Game} */
export default {
  title: "Hextraction",
  style: "hextraction.css",
  help: [
    "Dots on a tile count touches in this roll. Three is enough to Break the Loop.",
    "A spiky mark is a trigger. An arrow says which tile to lift, or where to put one.",
    "In a vote you answer whether a tile stays: KEEP or DESTROY. A tie destroys.",
    "A Forbidden effect works only if everybody says ENABLE.",
    "The open book looks up tiles and rules. So does a tap on a rule's number, or on Card.",
  ],
  howTo: HOW_TO,
  groups: GROUPS,
  options: moreOptions,
  prompt: placed,
  button: styled,
  facts,
  asked: ({ detail }) => (detail?.vote?.slot ? [detail.vote.slot] : []),
  coach,
  deadline: ({ detail }) => (detail?.phase === "settling" ? "Anything wrong? Say so now." : ""),
  tray: sections,
  sounds: { trigger: "bell" },
  hands: { lift: "lift", moved: "put", turned: "" },
  drawPiece: drawTile,
  poster: (_number, { way }) => ({ piece: posterTile(way) }),
  pieceFacts: tileFacts,
  ways,
  course,
  blank: "No effect.",
  sheets: [
    { name: "setup", button: "Set up…", when: "start", make: createSetup },
    { name: "author", button: "Describe a tile…", when: "always", make: createAuthor },
    { name: "anew", make: createAnew },
    { name: "reference", make: createReference },
  ],
  lobby,
  lookup,
};
