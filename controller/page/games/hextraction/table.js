// What everybody sees of Hextraction in the tray: an open vote, effects that wait.

import { h } from "../../elements/dom.js";
import { nameOf, publicView, seatsOf } from "../../scene/model.js";
import { anewButton } from "./groups.js";

/** What stands in the tray before a question, after it, and below the hand. */
export function sections(store, live) {
  const detail = publicView(store)?.detail;
  const anew = live.prompt && live.options.some((option) => option.group === "reenter");
  return {
    before: [detail?.vote ? drawVote(detail.vote, seatsOf(store).map((one) => one.seat), (seat) => nameOf(store, seat)) : null],
    after: [anew ? h("div", { class: "buttons" }, anewButton()) : null],
    below: [waiting(store.seat ? detail?.waiting ?? [] : [])],
  };
}

function waiting(list) {
  if (!list.length) return null;
  return h(
    "section",
    { class: "waiting", "aria-label": "Waiting effects" },
    h("ul", {}, list.map((one) => h("li", {}, h("strong", {}, `${one.title} (${one.slot})`), ` ${one.text}`))),
  );
}

/** Draw an open vote or ballot for everybody: the question, who has said what, as they sit, whose word is awaited. */
function drawVote(vote, seats, name) {
  const [yea, nay] = vote.kind === "ballot" || vote.kind === "forbidden" ? ["ENABLE", "DISABLE"] : ["KEEP", "DESTROY"];
  const place = (seat) => (seats.includes(seat) ? seats.indexOf(seat) : seats.length);
  const cast = Object.entries(vote.ballots ?? {}).sort(([a], [b]) => place(a) - place(b));
  return h(
    "section",
    { class: "vote", "aria-label": "Vote" },
    h("h2", {}, yea === "KEEP" ? `Does ${vote.title} stay?` : `Enable ${vote.title}?`),
    h("ul", {}, cast.map(([seat, yes]) => h("li", { class: yes ? "yea" : "nay" }, `${name(seat)}: ${yes ? yea : nay}`))),
    vote.awaited ? h("p", { class: "hint" }, `Waiting for ${name(vote.awaited).replace("You", "you")}.`) : null,
  );
}
