// A finished game in a file of its own, which needs no table and no network. The bundler puts the games' files in.

import { byId, write } from "./elements/dom.js";
import { giveGames } from "./scene/games.js";
import { createViewer, winnersOf } from "./replay/viewer.js";
import { addWords, translated } from "./words/sentences.js";

/** Show the chronicle that stands in the file; `games` are the games' files by kind. */
export function showAlone(games) {
  addWords(JSON.parse(byId("words").textContent));
  giveGames(games);
  const chronicle = JSON.parse(byId("chronicle").textContent);
  const title = winnersOf(chronicle.summary.players) || chronicle.summary.outcome;
  document.title = translated(title);
  write(byId("past-title"), title);
  const moment = location.hash.slice(1) ? Number(location.hash.slice(1)) || 0 : null;
  createViewer(byId("past"), chronicle, { at: moment, moved: (index) => history.replaceState(null, "", `#${index}`) });
}
