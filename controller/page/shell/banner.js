// What holds for the whole table, where everybody looks: a break, the end of the game, a seat that waits for its phone.

import { button, byId, h, memo } from "../elements/dom.js";
import { outcomeWords } from "../scene/model.js";

/** Keep the banner over the tray up to date; `say(words)` tells the table. */
export function createBanner(say) {
  const root = byId("pause");
  const draw = memo((phase, paused, words, seat, rolled) => {
    root.hidden = !paused && phase !== "over";
    if (root.hidden) return void root.replaceChildren();
    const tell = (word) => () => say({ do: word });
    root.replaceChildren(
      h("p", { class: "strong" }, words),
      h("div", { class: "buttons" },
        seat && paused ? button("Go on", tell("resume"), { kind: "primary" }) : null,
        seat && !paused ? button("Rematch", tell("rematch"), { kind: "primary" }) : null,
        paused || !rolled ? null : button("Show the last roll", undefined, { "data-open": "replay" })),
    );
  });
  return function update(store) {
    const paused = Boolean(store.table?.paused);
    const words = paused ? store.table.say || "Paused." : outcomeWords(store) || "The game is over.";
    draw(store.table?.phase ?? "", paused, words, store.seat, Boolean(store.state?.view.last_roll));
  };
}
