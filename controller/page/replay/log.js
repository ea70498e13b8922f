// What happened, in words, newest first.

import { h } from "../elements/dom.js";
import { clauseButton } from "../scene/lookup.js";
import { mark } from "../scene/marks.js";
import { inPictures } from "../scene/pictured.js";

const KEPT = 60;
const ABOUT_PX = 4;

/** Returns `add(store, event)`; screen readers hear new lines politely. `add.recall` puts in what this page has not heard. */
export function createLog(list) {
  let kept = [];

  function add(store, event) {
    kept = [...kept, event].slice(-KEPT);
    const box = list.closest(".log");
    const reads = box && box.scrollTop > ABOUT_PX; // Whoever reads what was before keeps their place; all others see the newest.
    const height = list.scrollHeight;
    list.prepend(line(store, event));
    if (box) box.scrollTop = reads ? box.scrollTop + list.scrollHeight - height : 0;
    while (list.childElementCount > KEPT) list.lastElementChild.remove();
  }
  /** Put in the table's last events, the oldest first: those before this page came, and those that it has missed. */
  add.recall = (store, events) => {
    const games = [...new Set(events.map((event) => event.game))]; // What is from another game is older.
    const all = new Map([...kept, ...events].map((event) => [keyOf(event), event]));
    if (all.size === kept.length) return;
    kept = [...all.values()].sort((a, b) => games.indexOf(a.game) - games.indexOf(b.game) || a.seq - b.seq).slice(-KEPT);
    list.replaceChildren(...kept.map((event) => line(store, event)).reverse());
  };
  add.forget = () => {
    kept = [];
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
