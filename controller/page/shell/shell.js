// The page around the game: state of the connection, short messages, help, light and dark, text view.

import { byId, h, put, setLabel, write } from "../elements/dom.js";
import { load } from "../link/key.js";
import { clauseButton, clauseName } from "../scene/lookup.js";
import { inPictures } from "../scene/pictured.js";
import { troubleOf } from "./trouble.js";
import { language, languages, speak } from "../words/words.js";

const TOAST_MS = 6000;
const WORDS = {
  connecting: "Connecting…",
  connected: "Connected",
  reconnecting: "Reconnecting…",
  taken: "Seat taken",
  elsewhere: "Open elsewhere",
  stopped: "Program stopped",
  fault: "Program fault",
};
let toastTimer = 0;

/** Say plainly how the connection is: ours to the board, and the controller's own. */
export function showLink(store) {
  const chip = byId("link");
  const trouble = troubleOf(store);
  const words = WORDS[trouble] ?? WORDS[store.link];
  write(chip, words);
  chip.dataset.state = trouble === "stopped" || trouble === "fault" ? "gone" : store.link;
  document.body.classList.toggle("watching", !load());
  // Whoever walks through a check looks at the board; the lobby comes below it, as in a game.
  document.body.dataset.phase = store.table?.check?.says?.length ? "checking" : store.table?.phase ?? "";
  if (store.info) write(byId("board-title"), boardTitle(store.info));
}

/** Show what the game's file brings to the page's head and to its help. */
export function showGame({ title = "Hextraction", help = [], lookup = null }) {
  write(byId("title"), title);
  byId("reference-open").hidden = !lookup;
  document.querySelectorAll("#help .of-game").forEach((line) => line.remove());
  byId("help-hand").before(...help.map((line) => h("li", { class: "of-game" }, line)));
}

/** What kind of board this is. */
export function boardTitle(info) {
  const traits = [info.simulated && "simulated", !info.electronics && "no electronics"].filter(Boolean);
  return [info.title, ...traits].join(" · ");
}

/** Show a short message for some seconds; `more` keeps the one that is still shown. */
export function toast(text, clause, { more = false } = {}) {
  const node = byId("toast");
  const kept = more && !node.hidden ? [...node.childNodes, document.createElement("br")] : [];
  put(node, ...kept, ...[inPictures(text)].flat(), ...(clause ? [" ", clauseButton(clause, `(${clauseName(clause)})`)] : []));
  node.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => (node.hidden = true), TOAST_MS);
}

/** Take the message away: what it complained of has been done since. */
export function hush() {
  clearTimeout(toastTimer);
  byId("toast").hidden = true;
}

/** Wire up the buttons in the page's head. */
export function createSheet() {
  const theme = globalThis.hextractionTheme;
  const label = () => setLabel(byId("theme"), `Colours: ${theme.choice()}`);
  byId("theme").addEventListener("click", () => {
    theme.next();
    label();
  });
  label();
  byId("help-open").addEventListener("click", () => byId("help").showModal());
  byId("help-close").addEventListener("click", () => byId("help").close());
  byId("text-toggle").addEventListener("click", toggleText);
  const chosen = languages().map(([code, name]) => h("option", { value: code, lang: code, selected: code === language() }, name));
  byId("language").append(...chosen);
  byId("language").addEventListener("change", () => speak(byId("language").value));
  document.addEventListener("keydown", (event) => {
    if (event.key === "?" && !(event.target instanceof HTMLInputElement)) byId("help").showModal();
  });
}

function toggleText() {
  const on = byId("text").hidden;
  byId("text").hidden = !on;
  byId("board").classList.toggle("away", on);
  byId("text-toggle").setAttribute("aria-pressed", String(on));
}
