// The end of a game is celebrated: winners' pieces rain for some seconds, and a fanfare sounds if this phone has sounds on.

import { byId, h, s } from "../elements/dom.js";
import { paint } from "../scene/marks.js";
import { publicView } from "../scene/model.js";
import { hexagon } from "../elements/shapes.js";

const KEY = "hextraction.sounds";
const PIECES = 28;
const RAIN_MS = 5000;
const NOTES = [523.25, 659.25, 783.99, 1046.5];
const NOTE_S = 0.16;

/** Wire up the setting; the result celebrates when the store says that a game was won while somebody watched. */
export function createCheer() {
  const wanted = byId("sounds");
  wanted.checked = kept();
  wanted.addEventListener("change", () => {
    keep(wanted.checked);
    if (wanted.checked) fanfare();
  });
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
  if (byId("sounds").checked) fanfare();
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

/** Four notes upwards; a browser that was not touched yet stays silent. */
function fanfare() {
  const Sound = globalThis.AudioContext;
  if (!Sound) return;
  const sound = new Sound();
  NOTES.forEach((hertz, number) => {
    const from = sound.currentTime + number * NOTE_S;
    const tone = new OscillatorNode(sound, { frequency: hertz, type: "triangle" });
    const volume = new GainNode(sound, { gain: 0.15 });
    volume.gain.setValueAtTime(0.15, from);
    volume.gain.exponentialRampToValueAtTime(0.001, from + 3 * NOTE_S);
    tone.connect(volume).connect(sound.destination);
    tone.start(from);
    tone.stop(from + 3 * NOTE_S);
  });
  setTimeout(() => sound.close(), 2000);
}

function kept() {
  try {
    return localStorage.getItem(KEY) === "on";
  } catch {
    return false;
  }
}

function keep(on) {
  try {
    localStorage.setItem(KEY, on ? "on" : "off");
  } catch {
    // Storage can be denied; then it holds as long as the page.
  }
}
