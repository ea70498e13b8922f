// All kinds of tiles that can be named: those of the reference and those that people here have described.

import { loadReference } from "./reference.js";

let known = new Map();
let own = [];
let asked = null;

/** Note the tiles that people at this table have described. */
export function learnOwn(tiles) {
  own = tiles ?? [];
}

/** A kind of tile by its name, as far as it has been fetched. */
export function cardOf(name) {
  return own.find((card) => card.name === name) ?? known.get(name);
}

/** All kinds, by title. */
export function allCards() {
  return [...known.values(), ...own].sort((a, b) => a.title.localeCompare(b.title));
}

/** Fetch the reference once, then call `done`; without it there are names only. */
export async function fetchCards(done) {
  asked ??= loadReference();
  try {
    known = (await asked).tiles;
  } catch {
    asked = null;
    return;
  }
  done();
}
