// What happened, in words, newest first.

import { h } from "./dom.js";
import { clauseButton } from "./lookup.js";
import { mark } from "./marks.js";

const KEPT = 60;

/** Returns `add(store, event)`; screen readers hear new lines politely. */
export function createLog(list) {
  return function add(store, event) {
    const line = h(
      "li",
      { "data-kind": event.kind },
      event.seat ? mark(store, event.seat) : h("span", { class: "dot", "aria-hidden": "true" }),
      h("span", {}, event.text, event.clause ? [" ", clauseButton(event.clause)] : null),
    );
    list.prepend(line);
    while (list.childElementCount > KEPT) list.lastElementChild.remove();
  };
}
