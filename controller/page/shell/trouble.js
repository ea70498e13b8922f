// While taps cannot work, one banner says so, why, and what to do: of its own because it belongs to no game and no phase.

import { button, byId, h, memo } from "../elements/dom.js";

const TROUBLES = {
  reconnecting: { words: "Not connected: taps do nothing now.", label: "Try now", act: "retryNow" },
  taken: { words: "Somebody else has your seat now.", why: "You can take it back. The other phone will notice.", label: "Take the seat back", act: "takeBack" },
  elsewhere: { words: "Your seat is open in another window.", label: "Use it here", act: "retryNow" },
  stopped: {
    words: "The board's program has stopped: taps do nothing now.",
    why: "Once somebody starts it again, this page goes on by itself.",
    label: "Try now",
    act: "retryNow",
  },
  fault: {
    words: "Something in the board's program has failed: taps may do nothing.",
    why: "Start it again at the board; the game is kept.",
    label: "Try now",
    act: "retryNow",
  },
};

/** What keeps taps from working: one of the troubles, or the empty text. */
export function troubleOf(store) {
  if (store.link in TROUBLES) return store.link;
  const state = store.status?.state ?? "online";
  return store.link === "connected" && state !== "online" ? (state === "fault" ? "fault" : "stopped") : "";
}

/** Keep the banner under the page's head up to date; `link` has what its button does, `complain` says why that failed. */
export function createTrouble(link, complain) {
  const root = byId("trouble");
  const draw = memo((name, why) => {
    document.body.classList.toggle("stale", Boolean(name));
    byId("tray").inert = Boolean(name);
    root.hidden = !name;
    if (!name) return void root.replaceChildren();
    const trouble = TROUBLES[name];
    const act = async () => {
      try {
        await link[trouble.act]();
      } catch (error) {
        complain(error.message);
      }
    };
    root.replaceChildren(
      h("div", {}, h("p", { class: "strong" }, trouble.words), h("p", {}, why || trouble.why || "")),
      button(trouble.label, act, { kind: "primary" }),
    );
  });
  return function update(store) {
    draw(troubleOf(store), store.why ?? "");
  };
}
