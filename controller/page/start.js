// What runs first: draws the board and the headline that came with the page, before any connection is there, then fetches
// all the rest. So whoever comes over a slow network sees the game while the page is still on its way.

import { byId, forgetDrawn, sayPage, write } from "./elements/dom.js";
import { load } from "./link/key.js";
import { importGames, useGame, wholeGame } from "./scene/games.js";
import { board, glance } from "./board/glance.js";
import { createSeats } from "./seats/seats.js";
import { language, learnWords } from "./words/words.js";

const NO_CHOICE = { prompt: null, prompts: [], options: [], slots: new Map(), ramps: new Map(), zones: new Map() };
const NOT_WHOLE = "Part of the page is missing. Load it again.";

function draw() {
  document.body.classList.toggle("watching", !load()); // A tray without choices leaves its room to the board.
  const store = { odds: null, view: null, seat: null, link: "connecting", why: "", forgotten: false, ...glance };
  board(store, NO_CHOICE, { slot: null, preview: null });
  createSeats(byId("seats"), byId("headline"), byId("facts"), byId("score"))(store, null, {});
}

/** Once the words of the phone's language and the game's file are here. */
async function begin() {
  await learnWords();
  sayPage(language());
  if (playing) draw();
  Promise.all([wholeGame(), import("./app.js")]).catch(() => write(byId("headline"), NOT_WHOLE));
}

importGames({ bring: (path) => import(path), learn: learnWords, forget: forgetDrawn });
const playing = Boolean(glance.table?.kind && glance.state);
learnWords();
if (playing) useGame(glance.table.kind, begin);
else begin();
