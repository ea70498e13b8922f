// What can be looked up: cards of tiles and gists of clauses. One file, fetched when somebody first asks. And all kinds of
// tiles that can be named: those of the file, and those that people here have described.

import { markedName, translated } from "../../words/sentences.js";
import { learnWords } from "../../words/words.js";

const MOST_SHOWN = 24;
let loading = null;
let known = new Map();
let own = [];

/** Return {clauses, tiles}, both Maps, and `search` over both; rejects while the file cannot be had, and then tries again next time. */
export function loadReference() {
  loading ??= Promise.all([fetch("games/hextraction/reference.json"), learnWords("games/hextraction/reference")])
    .then(([answer]) => read(answer))
    .catch((error) => {
      loading = null;
      throw error;
    });
  return loading;
}

async function read(response) {
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  const { clauses, tiles } = await response.json();
  const { createSearch } = await import("../../scene/search.js"); // fetched with the file, not with the page
  return {
    clauses: new Map(clauses.map((one) => [one.id, one])),
    tiles: new Map(tiles.map((one) => [one.name, { ...one, title: markedName(one.title), creator: markedName(one.creator) }])),
    search: createSearch(entries(clauses, tiles)),
  };
}

/** Note the tiles that people at this table have described. */
export function learnOwn(tiles) {
  own = tiles ?? [];
}

/** The names of the tiles that people at this table have described. */
export function ownNames() {
  return own.map((card) => card.name);
}

/** A kind of tile by its name, as far as it has been fetched. */
export function cardOf(name) {
  return own.find((card) => card.name === name) ?? known.get(name);
}

/** All kinds, by title. */
export function allCards() {
  return [...known.values(), ...own].sort((a, b) => a.title.localeCompare(b.title));
}

/** Fetch the reference once, then call `done`; if it cannot be had there are names only. */
export async function fetchCards(done) {
  known = await loadReference().then(({ tiles }) => tiles, () => known);
  done();
}

/** The clause's gist, or nothing if it is not known. */
export async function gistOf(id) {
  try {
    return (await loadReference()).clauses.get(id)?.gist ?? "";
  } catch {
    return "";
  }
}

/** What people call things that the rules call otherwise, by the clause that answers. */
const ASKED = {
  "0.5.1": "vote object disagree illegal",
  "1.0.9": "who goes first begins starts beginning",
  "1.2.2": "draw tiles hand",
  "2.0.1": "turn what can do options",
  "2.1.1": "roll ball let go release",
  "2.1.3": "stuck ball ramp",
  "2.10.1": "draw tie nobody wins bag empty end game",
  "2.11.1": "ball falls off board table floor",
  "2.2.1": "play lay place put tile",
  "2.6.1": "trigger fire effect",
  "2.8.1": "lose loses lost losing loser",
  "2.9.1": "win wins won winner victory goal end game over",
  "2.9.1.1": "end zone win goal",
};

/** Entries that fit what was typed, best first, and how many more there are. */
export function searchReference({ clauses, tiles, search }, typed) {
  const numbered = [...clauses.values()].map((clause) => ({ clause, fits: number(clause.id, typed) })).filter((one) => one.fits);
  const found = numbered.length ? numbered.sort((a, b) => b.fits - a.fits) : search(typed).map(entry);
  return { found: found.slice(0, MOST_SHOWN), more: Math.max(0, found.length - MOST_SHOWN) };

  function entry(id) {
    return id.startsWith("tile ") ? { card: tiles.get(id.slice(5)) } : { clause: clauses.get(id) };
  }
}

function entries(clauses, tiles) {
  const depth = (id) => id.split(".").length;
  return [
    ...tiles.map((card) => ({ id: `tile ${card.name}`, title: card.title, words: `${card.name} ${(card.keywords ?? []).join(" ")}`, text: wordsOf(card), weight: 1.2 })),
    ...clauses.map((clause) => ({ id: clause.id, title: translated(clause.title), words: translated(ASKED[clause.id] ?? ""), text: translated(clause.gist), weight: clause.id.startsWith("R-") ? 0.8 : 1.3 - 0.1 * depth(clause.id) })),
  ];
}

function wordsOf(card) {
  return [card.creator, ...[card.summary, ...(card.effects ?? []).flatMap((effect) => [effect.when, effect.text])].filter(Boolean).map(translated)].join(" ");
}

/** A number is looked up as it is written: the clause itself first, then what stands under it. */
function number(id, typed) {
  const wanted = typed.trim().toLowerCase();
  if (!/^(r-?\d|\d)/.test(wanted)) return 0;
  const at = id.toLowerCase();
  if (at === wanted) return 9;
  return at.startsWith(wanted) ? 8 : 0;
}

/** Rulings that settle something about a clause. */
export function rulingsOn({ clauses }, id) {
  return [...clauses.values()].filter((one) => one.clauses?.includes(id));
}
