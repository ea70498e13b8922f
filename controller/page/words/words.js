// Says the English of the page and of the table in the language of this phone. The catalogue has whole sentences with
// parts put in (see `sentences.js`), and no module and no game has to know of languages: `dom.js` asks for whatever
// becomes text on the page. What has no translation stays English. `docs/languages.md` tells where the catalogue lies and how it grows.

import { addWords } from "./sentences.js";

const KEY = "hextraction.language";
const LANGUAGES = { en: "English", de: "Deutsch" };

/** @type {Map<string, Promise<void>>} */
const learnt = new Map();

/** The languages that the page can speak: code and own name. */
export function languages() {
  return Object.entries(LANGUAGES);
}

/** The code of the language of this phone: as chosen here, else the first that its browser asks for and the page speaks. */
export function language() {
  if (typeof document === "undefined") return "en";
  const asked = [new URLSearchParams(location.search).get("lang"), stored(), ...navigator.languages.map((one) => one.slice(0, 2))];
  return asked.find((one) => one && one in LANGUAGES) ?? "en";
}

/** Speak another language from now on, on this phone: the page is loaded anew. */
export function speak(code) {
  try {
    localStorage.setItem(KEY, code);
  } catch {
    // Storage can be denied; then the address has to say it.
  }
  const address = new URL(location.href);
  if (code === language()) address.searchParams.delete("lang");
  else address.searchParams.set("lang", code);
  if (address.href === location.href) location.reload();
  else location.href = address.href;
}

function stored() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/**
 * Load a part of the catalogue, once; a part that is missing leaves its texts in English.
 * @param {string} folder where its files lie, below the page
 */
export function learnWords(folder = "words") {
  const code = language();
  if (code === "en") return Promise.resolve();
  if (!learnt.has(folder)) learnt.set(folder, load(`${folder}/${code}.json`).catch(() => void learnt.delete(folder)));
  return learnt.get(folder);
}

async function load(path) {
  const answer = await fetch(path);
  if (answer.ok) addWords(await answer.json());
  else if (answer.status !== 404) throw new Error(`HTTP ${answer.status}`);
}
