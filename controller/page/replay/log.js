// What happened, in words, newest first.

import { h } from "../elements/dom.js";
import { clauseButton } from "../scene/lookup.js";
import { mark } from "../scene/marks.js";
import { inPictures } from "../scene/pictured.js";

const KEPT = 60;
const ABOUT_PX = 4;
const GLIDE_MS = 250;

/** Returns `add(store, event)`; screen readers hear new lines politely. `add.recall` puts in what this page has not heard. */
export function createLog(list) {
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  let kept = [];
  let coming = []; // Lines that wait for those before them to have come in.
  let glides = false;

  function add(store, event) {
    kept = [...kept, event].slice(-KEPT);
    coming.push(line(store, event));
    if (!glides) comeIn();
  }
  function comeIn() {
    const lines = coming.splice(0).slice(-KEPT).reverse();
    const box = list.closest(".log");
    const reads = box && box.scrollTop > ABOUT_PX; // Whoever reads what was before keeps their place; all others see the newest.
    const height = list.scrollHeight;
    list.prepend(...lines);
    const more = list.scrollHeight - height;
    if (box) box.scrollTop = reads ? box.scrollTop + more : 0;
    while (list.childElementCount > KEPT) list.lastElementChild.remove();
    if (!reads && !still.matches) glide(more);
  }
  /** What was there before does not jump: the eye follows it down as new lines come in. */
  async function glide(px) {
    glides = true;
    await list.animate({ transform: [`translateY(${-px}px)`, "none"] }, { duration: GLIDE_MS, easing: "ease-out" }).finished;
    await new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go))); // A frame at rest: browsers count what begins in the frame of an end as a jump.
    glides = false;
    if (coming.length) comeIn();
  }
  /** Put in the table's last events, the oldest first: those before this page came, and those that it has missed. */
  add.recall = (store, events) => {
    const games = [...new Set(events.map((event) => event.game))]; // What is from another game is older.
    const all = new Map([...kept, ...events].map((event) => [keyOf(event), event]));
    if (all.size === kept.length) return;
    kept = [...all.values()].sort((a, b) => games.indexOf(a.game) - games.indexOf(b.game) || a.seq - b.seq).slice(-KEPT);
    coming = [];
    list.replaceChildren(...kept.map((event) => line(store, event)).reverse());
  };
  add.forget = () => {
    kept = [];
    coming = [];
    list.replaceChildren();
  };
  return add;
}

function keyOf({ game, seq, kind, text }) {
  return JSON.stringify([game, seq, kind, text]);
}

function line(store, event) {
  return h(
    "li",
    { "data-kind": event.kind },
    event.seat ? mark(store, event.seat) : h("span", { class: "dot", "aria-hidden": "true" }),
    h("span", {}, inPictures(event.text), event.clause ? [" ", clauseButton(event.clause)] : null),
  );
}
