// The end of a game is celebrated: winners' pieces rain for some seconds. What is heard then is in `senses.js`.

import { byId, h, s } from "../elements/dom.js";
import { paint, publicView } from "../scene/model.js";
import { hexagon } from "../elements/shapes.js";

const PIECES = 28;
const RAIN_MS = 5000;

/** The result celebrates when the store says that a game was won while somebody watched. */
export function createCheer() {
  let watched = "";
  return function update(store) {
    const view = publicView(store);
    const game = store.state?.game ?? "";
    if (!view || !game) return;
    if (!view.outcome) watched = game;
    else if (watched === game) {
      watched = "";
      if (view.winners?.length) celebrate(store, view.winners);
    }
  };
}

function celebrate(store, winners) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const piece = (_none, i) => h("i", { "data-paint": paint(store, winners[i % winners.length]) },
    s("svg", { viewBox: "-10 -10 20 20" }, s("polygon", { points: hexagon(9) })));
  const rain = byId("cheer");
  rain.replaceChildren(...Array.from({ length: PIECES }, piece));
  rain.hidden = false;
  setTimeout(() => {
    rain.hidden = true;
    rain.replaceChildren();
  }, RAIN_MS);
}
