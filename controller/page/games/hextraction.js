// Hextraction on the phone: what it takes to draw the board. All else that this game has is in `hextraction/rest.js`, which is
// fetched once the board stands there. See `Game` in `../scene/games.js`.

import { drawTile, posterTile, tileFacts } from "./hextraction/tiles.js";
import { count } from "../scene/model.js";

/** @type {import("../scene/games.js").Game} */
export default {
  title: "Hextraction",
  style: "hextraction.css",
  rest: "hextraction/rest.js",
  facts,
  asked: ({ detail }) => (detail?.vote?.slot ? [detail.vote.slot] : []),
  drawPiece: drawTile,
  poster: (_number, { way }) => ({ piece: posterTile(way) }),
  pieceFacts: tileFacts,
};

/** The counters of the table. */
function facts({ detail, outcome, paused }, store) {
  if (!detail) return [];
  if (detail.depth === "score") return paused ? [] : clock(detail, outcome ? store.state?.at_us : undefined);
  const made = [];
  if (detail.offline) made.push("Offline");
  if (detail.overdrive) made.push("Overdrive");
  if (detail.rolls_owed) made.push(`${count(detail.rolls_owed, "roll")} to go`);
  if (detail.plays_owed) made.push(`${count(detail.plays_owed, "play")} to go`);
  made.push(`Pool ${detail.pool}`);
  if (detail.virtual_pool) made.push(`Virtual Pool ${detail.virtual_pool}`);
  if (detail.destroyed) made.push(`Destroyed ${detail.destroyed}`);
  if (detail.chime) made.push(`Chime ${detail.chime}`);
  return made;
}

/** How long the game and this turn have been on; when it is over, only how long it was. */
function clock({ began_us: began, turn_us: turn }, until) {
  const game = { words: "Game", since: began ?? 0, until };
  return until === undefined ? [game, { words: "This turn", since: turn ?? 0 }] : [game];
}
