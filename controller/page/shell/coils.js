// Coils that do not fire now: the emergency stop, the question about hands after it, or a fault.

import { button, byId, h, memo } from "../elements/dom.js";

const WORDS = { clear: "All hands are clear" };

/** Keep what the table is told of its coils over the tray; `say(words)` tells the table. */
export function createCoils(say) {
  const root = byId("coils");
  const draw = memo((coils, seat) => {
    root.hidden = !coils;
    root.replaceChildren(...(coils ? parts(coils, seat, say) : []));
  });
  return function update(store) {
    draw(store.table?.coils ?? null, store.seat);
  };
}

function parts(coils, seat, say) {
  const words = coils.says ?? [];
  return [
    h("p", { class: "strong", role: "status" }, coils.say),
    words.length && !seat ? h("p", { class: "hint" }, "Take a seat to answer.") : null,
    words.length && seat
      ? h("div", { class: "buttons" }, words.map((word) => button(WORDS[word] ?? word, () => say({ do: "coils", say: word }), { kind: "primary" })))
      : null,
  ].filter(Boolean);
}
