// Sentences with pictures in them: a game may draw what a sentence names. Of its own because the headline, the log, questions, buttons
// and replays all say such sentences.

import { translated } from "../words/sentences.js";
import { game } from "./games.js";

/** A text in the language of this phone, with the game's pictures where it names something that has one. */
export function inPictures(text) {
  const said = translated(text);
  return game().pictured?.(said).map((part) => (typeof part === "string" ? document.createTextNode(part) : part)) ?? text;
}
