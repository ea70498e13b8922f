// How Hextraction's groups of options are shown: names, places, what is asked about once more, words that cannot be mistaken.

import { drawChooser } from "./chooser.js";
import { button } from "../../elements/dom.js";
import { publicView } from "../../scene/model.js";
import { ballPlaces, drawBalls, drawCount } from "./disputes.js";

const MANY = 6;
const TOUCHES = "The touches are wrong…";
const WHOSE_TOUCHES = "Which tile's touches? Tap it.";
const PUSHED = "If another player agrees, this roll does not count.";
const PARTING = {
  tiles: "Your tiles leave the board and the pool at once.",
  draw: "The game is over for everybody. Nobody wins.",
};

/** @type {Record<string, import("../../scene/games.js").Group>} */
export const GROUPS = {
  ballot: { order: 0, primary: true },
  adjust: { order: 1 },
  agree: { order: 2, primary: true },
  object: { order: 2.5 },
  contend_now: { order: 3, board: "only", hint: "Where is the ball really? Tap the place." },
  correct_now: { order: 4, board: "asked", label: TOUCHES, hint: WHOSE_TOUCHES, pick: drawCount },
  flick_now: { order: 5, sure: PUSHED, really: "Yes, ask them" },
  roll: { order: 3, primary: true, board: "only", hint: "To roll, tap a bright ramp on the board." },
  place: { order: 4, board: "only", hint: "Tap a bright slot." },
  which: { order: 6 },
  play: { order: 6, lays: true, label: "Play a tile…", hint: "Which tile do you play? Choose it below.", draw: drawPlays },
  break_loop: { order: 7, primary: true },
  activate: { order: 8, board: "asked", pictures: true, label: "Activate a tile…", hint: "Tap a tile to activate." },
  end: { order: 9, primary: true },
  undo: { order: 10, stays: true },
  reclaim: { order: 11, board: "asked", pictures: true, label: "Take a ball back…", hint: "Which ball? Tap its tile.", sure: (option) => PARTING[option.act.what] ?? null, grave: true },
  rules: { order: 20, part: "ask", board: "asked", pictures: true, label: "Ask for a card…", hint: "Whose card? Tap the tile." },
  vote: { order: 21, part: "ask", board: "asked", pictures: true, label: "Call a vote…", hint: "Which tile goes to the vote? Tap it." },
  correct: { order: 30, part: "wrong", board: "asked", label: TOUCHES, hint: WHOSE_TOUCHES, pick: drawCount },
  contend: { order: 31, part: "wrong", board: "asked", label: "A ball is elsewhere…", hint: "Where is it really? Tap the place.", places: (list, store, ui) => ballPlaces(store, list, ui).places, draw: drawContend },
  flick: { order: 32, part: "wrong", sure: PUSHED, really: "Yes, ask them" },
  jammed: { order: 33, part: "wrong", board: "asked", pictures: true, label: "A tile is stuck…", hint: "Which slot? Tap it.", sure: "If another player agrees, nothing can be laid there until the tile is out.", really: "Yes, ask them" },
  fallen: { order: 33, part: "wrong", board: "asked", pictures: true, label: "A tile fell out…", hint: "Which tile is out of its slot? Tap it." },
  overrule: { order: 34, part: "wrong", board: "asked", pictures: true, label: "Bring a tile back…", hint: "Where does it belong? Tap the slot.", sure: "If the table agrees, the tile lies there again.", really: "Yes, ask them" },
  reenter: { order: 35, part: "wrong", draw: () => [anewButton()] },
  arrange: { order: 36, part: "wrong", draw: () => [anewButton("arrange")] },
  flag: { order: 40, part: "last", board: "asked", pictures: true, label: "Switch off a tile's effects…", hint: "Which tile does harm? Tap it.", sure: "If another player agrees, this kind of tile does nothing for the rest of the game.", really: "Really ask them" },
  concede: { order: 41, part: "last", sure: "You lose the game. You cannot take that back." },
};

/** The groups of options that start from a whole position: after the dark, and at any other time. */
export const ANEW = ["reenter", "arrange"];

/** The button that opens the sheet. */
export function anewButton(group = "reenter") {
  const label = group === "arrange" ? "Correct the board…" : "Enter the whole board again…";
  return button(label, undefined, { "data-open": "anew" });
}

/** Whether so many tiles can be played by their names that one button opens a choice of them. */
export function playsFolded(list) {
  return list.length > MANY;
}

/** Whether the choice of a tile stands open: where people tell what balls do, each tap saved counts. */
export function choosesAtOnce(store) {
  return Boolean(publicView(store)?.detail?.depth) || store.info?.electronics === false;
}

/** Tiles that are played: by name, if the board does not know the hand, they are looked for. */
function drawPlays(list, { store, open, toggle, one, act }) {
  if (!playsFolded(list)) return list.map(one);
  const atOnce = choosesAtOnce(store);
  return [atOnce ? null : toggle(), open || atOnce ? drawChooser({ group: "play", lead: "Play ", list, act, store }) : null];
}

function drawContend(list, { open, toggle, store, ui, choose, confirm }) {
  return [toggle(), open ? drawBalls(ballPlaces(store, list, ui), { choose, confirm }) : null];
}

/** A vote says KEEP or DESTROY, a ballot ENABLE or DISABLE: "yes" to what is never the question. */
export function styled(option, among) {
  const { group, label, act } = option;
  if (group === "ballot") {
    const loud = label.replace(/^(Keep|Destroy)( it)?|^(Enable|Disable)/i, (word) => word.split(" ")[0].toUpperCase());
    return { label: loud, kind: act.seat !== undefined ? "plain" : act.yea === false ? "danger" : "primary" };
  }
  if (group === "agree" && act.seat !== undefined) return { kind: "plain" };
  if (group === "answer" && /^destroy\b/i.test(label) && among.length === 2) return { kind: "danger" };
  return {};
}
