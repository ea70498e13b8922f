// How groups of options are shown: what the game's file says of them, and what the page knows for every game.

import { game } from "./games.js";

/**
 * Groups that the page makes itself of options that tell what balls and hands did.
 * @type {Record<string, import("./games.js").Group>}
 */
const TOLD = {
  lifted: { order: 1, primary: true, board: "off" },
  laid: { order: 1, primary: true },
  unfit: { order: 2 },
  told: { order: 5 },
  told_release: { order: 22, part: "ask", board: "asked", label: "Somebody else rolled…", hint: "Tap the ramp that the ball left." },
};
const BALLS = new Set(["released", "touched", "fell", "zone", "off", "stuck", "still", "rests", "nothing"]);

/** The parts of *More*, in their order, and their titles. */
export const PARTS = [
  ["ask", "Ask the table"],
  ["wrong", "Something is wrong"],
  ["last", "Cannot be undone"],
];

/** What an option tells, as words: what was seen, and where. */
export function tale(option) {
  const [saw, place] = (option.tells ?? "").split(" ");
  return { saw, place: place ?? "" };
}

/** The page's own group of an option that only tells something; else the game's. */
export function groupOf(option) {
  const { saw } = tale(option);
  if (BALLS.has(saw)) return "told";
  return saw in TOLD ? saw : option.group;
}

/**
 * What is known about a group; one that nobody has described gets plain buttons.
 * @returns {import("./games.js").Group}
 */
export function about(group) {
  return { order: 8, label: `${words(group)}…`, hint: "Tap a bright place on the board.", ...(TOLD[group] ?? game().groups?.[group]) };
}

/** The part of *More* that a group belongs to, or `now`. */
export function partOf(group) {
  return about(group).part ?? "now";
}

/** A group's name as a word on a button. */
function words(group = "") {
  const text = group.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What an option leads to, if it is grave enough to be asked about once more; else null. */
export function consequence(option) {
  if (option.whose) return `You answer for ${option.whose}, whose phone is away. Everybody can see that.`;
  const { sure } = about(option.group);
  return (typeof sure === "function" ? sure(option) : sure) ?? null;
}

/** Whether the way back is closed. */
export function isGrave(option) {
  return partOf(option.group) === "last" || Boolean(about(option.group).grave && consequence(option));
}
