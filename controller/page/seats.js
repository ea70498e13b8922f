// The strip of seats: who plays, whose turn it is, who is out, who is there.

import { h, memo } from "./dom.js";
import { count, nameOf, publicView, seatsOf } from "./model.js";
import { mark, paint } from "./marks.js";

/** Keep the strip in `list` and the headline in `headline` up to date. */
export function createSeats(list, headline, facts) {
  const strip = memo((seats, store) => list.replaceChildren(...seats.map((seat) => chip(store, seat))));
  const words = memo((text) => (headline.textContent = text));
  const extra = memo((items) => facts.replaceChildren(...items.map((item) => h("li", {}, item))));
  return function update(store) {
    strip(seatModels(store), { state: { view: { seats: publicView(store)?.seats ?? [] } }, table: store.table, seat: store.seat });
    words(headlineOf(store));
    extra(factsOf(publicView(store), store));
  };
}

function seatModels(store) {
  const view = publicView(store);
  const asked = new Map(view?.asked ?? []);
  return seatsOf(store).filter((seat) => seat.kind !== "open").map((seat) => ({
    ...seat,
    ...(store.table?.seats.find((one) => one.seat === seat.seat) ?? {}),
    hand: seat.hand,
    active: view?.active === seat.seat && store.table?.phase !== "over",
    roller: view?.roller === seat.seat,
    asked: asked.get(seat.seat) ?? null,
    won: view?.winners.includes(seat.seat) ?? false,
  }));
}

function chip(store, seat) {
  const classes = ["seat", seat.active && "active", (seat.out || seat.kind === "open") && "out"].filter(Boolean).join(" ");
  return h(
    "li",
    { class: classes, "data-seat": seat.seat, "data-paint": paint(store, seat.seat), "aria-current": seat.active ? "true" : undefined },
    mark(store, seat.seat),
    h("span", { class: "seat-name" }, seat.name || "Open seat", seat.seat === store.seat ? h("span", { class: "you" }, "you") : null),
    h("span", { class: "seat-note" }, note(seat)),
  );
}

function note(seat) {
  if (seat.won) return "won";
  if (seat.out) return "out";
  if (seat.leaving) return "leaving";
  if (seat.asked) return "is asked";
  if (seat.roller) return "rolls";
  if (seat.active) return "plays";
  if (seat.kind === "open") return "free";
  if (seat.kind === "person" && seat.here === false) return "away";
  if (seat.hand !== undefined) return count(seat.hand, "tile");
  return seat.kind === "bot" ? "bot" : "";
}

function headlineOf(store) {
  const over = publicView(store)?.outcome;
  if (store.status && store.status.state !== "online" && !over) return "The controller is not there.";
  if (store.table?.paused) return "Paused.";
  if (ownMove(store)) return "Your turn";
  return (store.table?.phase !== "lobby" && publicView(store)?.headline) || store.table?.say || "Waiting for the table…";
}

/** Whether nothing but our own next move is waited for. */
function ownMove(store) {
  const view = publicView(store);
  return view?.active === store.seat && view?.phase === "choosing" && store.table?.phase === "playing" && !view.vote && view.asked.length === 0;
}

function factsOf(view, store) {
  if (!view || store.table?.phase === "lobby") return [];
  const facts = [];
  if (!view.power) facts.push("Board switched off");
  if (view.offline) facts.push("Offline");
  if (view.overdrive) facts.push("Overdrive");
  if (view.rolls_owed) facts.push(`${count(view.rolls_owed, "roll")} owed`);
  if (view.plays_owed) facts.push(`${count(view.plays_owed, "play")} owed`);
  facts.push(`Pool ${view.pool}`);
  if (view.virtual_pool) facts.push(`Virtual Pool ${view.virtual_pool}`);
  if (view.destroyed) facts.push(`Destroyed ${view.destroyed}`);
  if (view.chime) facts.push(`Chime ${view.chime}`);
  for (const [seat, question] of view.asked) facts.push(`${nameOf(store, seat)}: ${question}`);
  return facts;
}
