// What the groups of options are called, where they stand, and which of them are asked about once more.

/** Where a group stands: `now` for buttons in sight; `ask`, `wrong` and `last` are parts of *More*. */
export const GROUPS = {
  ballot: { order: 0 },
  lifted: { order: 1 },
  seated: { order: 1 },
  adjust: { order: 1 },
  no_fit: { order: 2 },
  agree: { order: 2 },
  roll: { order: 3, hint: "To roll, tap a bright ramp on the board." },
  place: { order: 4, hint: "Tap a marked slot." },
  attest: { order: 5 },
  which: { order: 6 },
  play: { order: 6, label: "Play a tile…", lead: "Play " },
  break_loop: { order: 7 },
  activate: { order: 8, label: "Activate a tile…", hint: "Tap a tile to activate." },
  end: { order: 9 },
  undo: { order: 10 },
  reclaim: { order: 11, label: "Take a ball back…", hint: "Which ball? Tap its tile." },
  rules: { order: 20, part: "ask", label: "Ask for a card…", hint: "Whose card? Tap the tile." },
  vote: { order: 21, part: "ask", label: "Call a vote…", hint: "Which tile goes to the vote? Tap it." },
  told_release: { order: 22, part: "ask", label: "Tell somebody's release…", hint: "Tap the ramp that the ball left." },
  correct: { order: 30, part: "wrong", label: "A count is wrong…", hint: "Which tile's touches? Tap it." },
  contend: { order: 31, part: "wrong", label: "A ball is elsewhere…", hint: "Where is it really? Tap the place." },
  flick: { order: 32, part: "wrong" },
  jammed: { order: 33, part: "wrong", label: "A tile is stuck…", hint: "Which slot? Tap it." },
  overrule: { order: 34, part: "wrong", label: "Bring a tile back…", hint: "Where shall it lie again? Tap the slot." },
  reenter: { order: 35, part: "wrong" },
  flag: { order: 40, part: "last", label: "Strike a tile's effects…", hint: "Which tile does harm? Tap it." },
  concede: { order: 41, part: "last" },
};

/** The parts of *More*, in their order, and their titles. */
export const PARTS = [
  ["ask", "Ask the table"],
  ["wrong", "Something is wrong"],
  ["last", "Cannot be undone"],
];

export const PRIMARY = new Set(["end", "break_loop", "roll", "answer", "ballot", "lifted", "seated", "agree"]);
export const ON_BOARD_ONLY = new Set(["place", "roll"]);
export const ON_RAMPS_ONLY = new Set(["roll", "told_release"]);

/** What is known about a group; one that nobody has heard of gets a plain button. */
export function about(group) {
  return GROUPS[group] ?? { order: 8, label: `${words(group)}…`, hint: "Tap the place on the board." };
}

/** The part of *More* that a group belongs to, or `now`. */
export function partOf(group) {
  return about(group).part ?? "now";
}

/** A group's name as a word on a button. */
export function words(group) {
  const text = group.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const SURE = {
  concede: "You lose the game. Nobody can take that back.",
  flag: "If another player agrees, this kind of tile does nothing for the rest of the game.",
  flick: "If another player agrees, this roll has no effect.",
  jammed: "If another player agrees, nothing can be laid there until the tile is out.",
  overrule: "If the table agrees, the tile lies there again.",
};
const PARTING = {
  tiles: "Your tiles leave the board and the pool at once.",
  draw: "The game is over for everybody. Nobody wins.",
};

/** What an option leads to, if it is grave enough to be asked about once more; else null. */
export function consequence(option) {
  if (option.group === "reclaim") return PARTING[option.act.what] ?? null;
  return SURE[option.group] ?? null;
}

/** Whether the way back is closed. */
export function isGrave(option) {
  return partOf(option.group) === "last" || Boolean(PARTING[option.act.what]);
}
