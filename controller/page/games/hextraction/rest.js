// What Hextraction has beside its board: its words, groups of options, the coach, votes, and its sheets.

import { createAnew } from "./anew.js";
import { createAuthor } from "./author.js";
import { coach } from "./coach.js";
import { lobby } from "./depth.js";
import { moreOptions } from "./disputes.js";
import { GROUPS, styled } from "./groups.js";
import { howTo } from "./howto.js";
import { createReference, lookup } from "./lookup.js";
import { placed } from "./questions.js";
import { createSetup } from "./setup.js";
import { sections } from "./table.js";
import { course, ways } from "./ways.js";

/** A phone or tablet without a mouse has no key to press either. */
const HAS_KEYS = matchMedia("(any-hover: hover)").matches;

/** @type {import("../../scene/games.js").Game} */
export default {
  help: [
    "You see the board from the players' side: ramps at the top, end zones at the bottom.",
    HAS_KEYS ? "Keep a finger on the board, or press N, to read the names of all tiles." : "Keep a finger on the board to read the names of all tiles.",
    "An ordinary board sees no balls, so you tell it where they went. Anybody can do that, and one phone is enough.",
    "Dots on a tile count touches in this roll. Three is enough to Break the Loop.",
    "A spiky mark is a trigger. An arrow says which tile to lift, or where to put one.",
    "In a vote you answer whether a tile stays: KEEP or DESTROY. A tie destroys.",
    "A Forbidden effect works only if everybody says ENABLE.",
    "The open book looks up tiles and rules. So does a tap on a rule's number, or on Card.",
    "In a demonstration the upper half of the board is laid from the start, and everybody sees the odds at the ramps.",
  ],
  howTo,
  groups: GROUPS,
  options: moreOptions,
  prompt: placed,
  button: styled,
  coach,
  deadline: ({ detail }) => (detail?.phase !== "settling" ? "" : detail.objected?.length ? "Time to say what is wrong" : "Anything wrong? Say so now."),
  tray: sections,
  heard: "You hear the ball roll and touch, and when it is your turn.",
  sounds: { trigger: "bell" },
  hands: { lift: "lift", moved: "put", turned: "" },
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
