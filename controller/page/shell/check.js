// A guided check of the board: what to do now, what came of the last step, and the words one may say.

import { button, byId, h, memo } from "../elements/dom.js";

const WORDS = { yes: "Yes", no: "No", fire: "Fire", again: "Again", back: "Back", skip: "Skip", stop: "Stop" };

/** Keep the check over the tray up to date; `say(words)` tells the table. */
export function createCheck(say) {
  const root = byId("check");
  const draw = memo((check, seat) => {
    root.hidden = !check;
    root.replaceChildren(...(check ? parts(check, seat, say) : []));
  });
  return function update(store) {
    draw(store.table?.check ?? null, store.seat);
  };
}

function parts(check, seat, say) {
  const done = !check.says?.length;
  return [
    h("p", { class: "hint" }, done ? "The board is checked." : `Step ${check.number + 1} of ${check.steps}`),
    check.last ? h("p", { class: check.good === false ? "strong" : "hint" }, check.last) : null,
    h("p", { class: "strong", role: "status" }, check.ask ?? ""),
    check.hint ? h("p", { class: "hint" }, check.hint) : null,
    done ? h("ul", {}, (check.report ?? []).map((line) => h("li", {}, line))) : null,
    seat || done ? null : h("p", { class: "hint" }, "Take a seat to answer."),
    seat && !done ? h("div", { class: "buttons" }, check.says.map((word) => wordButton(word, say))) : null,
  ].filter(Boolean);
}

function wordButton(word, say) {
  const kind = word === "yes" || word === "fire" ? "primary" : "plain";
  return button(WORDS[word] ?? word, () => say({ do: "check", say: word }), { kind });
}
