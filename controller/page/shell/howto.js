// How the game is played, in a few pictures: once, before a newcomer sees the table, and again whenever somebody asks. At a
// demonstration the board comes first: there it is only offered, beside the way in, and told before a newcomer's own first game.

import { button, byId, s, write } from "../elements/dom.js";
import { game, gameKind, howToPlay } from "../scene/games.js";

const KEY = "hextraction.howto";
const EVERY = "all";

/** Wire up the sheet; the result keeps it up to date with the store. */
export function createHowTo() {
  const sheet = byId("howto");
  const open = byId("howto-open");
  const hint = byId("howto-hint");
  let steps = [];
  let at = 0;
  let offered = "";
  let store = null;
  let watched; // the game that was on when this phone came, or as long as it had no seat

  sheet.addEventListener("close", () => remember(gameKind()));
  open.addEventListener("click", () => {
    byId("help").close();
    show(0);
  });
  hint.addEventListener("click", () => show(0));

  function show(number) {
    steps = howToPlay(store);
    at = number;
    const { title, text, draw } = steps[at];
    const last = at === steps.length - 1;
    write(byId("howto-count"), `How to play ${game().title ?? ""} · ${at + 1} of ${steps.length}`);
    byId("howto-picture").replaceChildren(s("svg", { viewBox: "0 0 240 150", role: "img", "aria-label": title }, draw()));
    write(byId("howto-title"), title);
    write(byId("howto-text"), text);
    const buttons = [
      at ? button("Back", () => show(at - 1)) : null,
      button(last ? "To the table" : "Next", () => (last ? sheet.close() : show(at + 1)), { kind: "primary" }),
      last ? null : button("Skip", () => sheet.close(), { kind: "quiet" }), // where three do not fit, this one goes below
    ];
    byId("howto-buttons").replaceChildren(...buttons.filter(Boolean));
    if (!sheet.open) sheet.showModal();
    byId("howto-title").focus({ preventScroll: true });
  }

  return function update(now) {
    store = now;
    if (!store.info) return;
    open.hidden = !game().howTo;
    const kind = gameKind();
    const unread = game().howTo && !seen().some((one) => one === kind || one === EVERY);
    const isNew = unread && !store.seat;
    if (!store.seat || watched === undefined) watched = store.state?.game;
    if (unread && store.info.simulated && !sheet.open && watched !== store.state?.game) {
      watched = store.state?.game;
      show(0);
    }
    hint.hidden = !isNew || !store.info.simulated;
    if (kind === offered) return;
    offered = kind;
    if (isNew && !store.info.simulated) show(0);
  };
}

function seen() {
  try {
    return (localStorage.getItem(KEY) ?? "").split(" ");
  } catch {
    return [EVERY]; // Storage can be denied; then nobody is bothered each time.
  }
}

function remember(kind) {
  try {
    localStorage.setItem(KEY, [...new Set([...seen(), kind])].join(" ").trim());
  } catch {
    // See above.
  }
}
