// The strip of seats: who plays, whose turn it is, who is out, who is there.

import { showSince } from "../elements/clock.js";
import { h, memo, put } from "../elements/dom.js";
import { game } from "../scene/games.js";
import { askedOf, counted, nameOf, ourTurn, outcomeWords, paint, privateView, publicView, seatsOf } from "../scene/model.js";
import { inPictures } from "../scene/pictured.js";
import { mark } from "../scene/marks.js";
import { markedName } from "../words/sentences.js";

/** More letters than two lines of a narrow phone hold. */
const LONG = 68;
/** What others do is in sight for so long at least, or is not said at all: bots are faster than one reads. */
const STAYS_MS = 900;

/** Keep the strip in `list`, the headline in `headline`, and what may be counted in `facts` and `score` up to date; `atEnd` if nothing else shows the score then. */
export function createSeats(list, headline, facts, score = null, { atEnd = false } = {}) {
  const strip = memo((seats, store) => {
    list.dataset.counters = String(Math.min(4, Math.max(0, ...seats.map((seat) => seat.counters?.length ?? 0))));
    list.replaceChildren(...seats.map((seat) => chip(store, seat)));
  });
  const words = memo((whose, colour, text) => {
    put(headline, whose ? h("span", { class: "whose", "data-paint": colour }, whose, ":") : "", ...[inPictures(text)].flat());
    headline.classList.toggle("long", headline.textContent.length > LONG);
  });
  const extra = memo((items) => facts.replaceChildren(...items.map((item) => h("li", {}, item.since === undefined ? inPictures(item) : [item.words, " ", ticking(item)]))));
  const table = memo((view) => score?.replaceChildren(...[view ? game().score?.(view, last) : null].filter(Boolean)));
  /** @type {any} */
  let last = null;
  let shown = { words: "", others: false, since: 0 };
  let timer = 0;
  /** Say it, or once what is said of others has been in sight for long enough, what is to be said then. */
  function say(store, live, ui) {
    clearTimeout(timer);
    const next = [store.called ? nameOf(store, store.called) : "", store.called ? paint(store, store.called) : "", headlineOf(store, live, ui) || (store.table?.phase === "lobby" && !store.seat ? "Take a seat to play." : "Waiting for the table…")];
    const [now, others] = [next.join("\n"), ofOthers(store)];
    const left = others && shown.others && now !== shown.words ? shown.since + STAYS_MS - performance.now() : 0;
    if (left > 0) return void (timer = setTimeout(() => say(store, live, ui), left));
    if (now !== shown.words) shown = { words: now, others, since: performance.now() };
    words(...next);
  }
  return function update(store, live, ui) {
    last = store;
    strip(seatModels(store), { state: { view: { seats: publicView(store)?.seats ?? [] } }, table: store.table, seat: store.seat, shared: store.shared });
    say(store, live, ui);
    const won = store.table?.phase === "over" && Boolean(publicView(store)?.winners.includes(store.seat));
    headline.classList.toggle("won", won);
    if (won) headline.dataset.paint = paint(store, store.seat);
    else delete headline.dataset.paint;
    extra(factsOf(publicView(store), store));
    table((atEnd ? ["lobby"] : ["lobby", "over"]).includes(store.table?.phase ?? "") ? null : publicView(store), store.seat, privateView(store)?.hand); // At the end it stands with the result.
  };
}

/** Whether the headline only tells what others do in a game that goes on. */
function ofOthers(store) {
  return store.table?.phase === "playing" && !store.table.paused && store.status?.state === "online" && Boolean(publicView(store)) && !outcomeWords(store) && !ourTurn(store);
}

function seatModels(store) {
  const view = publicView(store);
  const asked = new Map(askedOf(store));
  return seatsOf(store).filter((seat) => seat.kind !== "open").map((seat) => ({
    ...seat,
    ...(store.table?.seats.find((one) => one.seat === seat.seat) ?? {}),
    active: view?.active === seat.seat && store.table?.phase === "playing",
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
    h("span", { class: "seat-name", title: markedName(seat.name, seat.seat) || undefined }, markedName(seat.name, seat.seat) || "Open seat"),
    h("span", { class: "seat-note" }, seat.seat === store.seat && !store.shared ? h("span", { class: "you" }, "you") : null, doingAndHaving(seat)),
  );
}

/** A time that runs, as a fact: it began at `since`, and has ended if there is an `until`. */
function ticking({ since, until }) {
  const node = h("span", { "data-since": since, "data-until": until });
  showSince(node);
  return node;
}

/** What a seat does, and what it has: its counters stay in sight in its own turn, and at the end. */
function doingAndHaving(seat) {
  const having = seat.out || seat.leaving ? [] : (seat.counters ?? []).map((one) => game().counter?.(one) ?? counted(one));
  const does = doing(seat, having);
  return [does ? h("span", {}, does) : null, having.map((one) => h("span", { class: "having" }, one))];
}

function doing(seat, having) {
  if (seat.won) return "won";
  if (seat.out) return "out";
  if (seat.leaving) return "leaving";
  if (seat.asked) return "is asked";
  if (seat.active && having.length) return ""; // its frame says so, and the headline
  if (seat.note) return seat.note;
  if (seat.active) return "plays";
  if (seat.kind === "open") return "free";
  if (seat.kind === "person" && seat.here === false) return "away";
  return seat.kind === "bot" && !having.length ? "bot" : "";
}

/** What to do next, for whoever plays; for all others what the table waits for. */
function headlineOf(store, live, ui) {
  const over = outcomeWords(store);
  if (over && store.table?.phase === "over") return over;
  if (store.status && store.status.state !== "online" && !over) return "The board is not there.";
  if (store.table?.paused) return "Paused.";
  const playing = store.table?.phase === "playing";
  const hands = playing ? publicView(store)?.hands : ""; // Before them the game does not go on.
  const ours = playing && privateView(store)?.headline;
  const next = live && game().coach?.(store, live, ui);
  return next || (ours && hands) || ours || beginning(store) || (store.table?.phase !== "lobby" && waitsFor(publicView(store), hands)) || store.table?.say;
}

function waitsFor(view, hands) {
  return hands && view ? `${hands} Then: ${view.headline}` : view?.headline;
}

/** Before a game: how it begins, for whoever sits at the table. */
function beginning({ table, seat }) {
  if (!seat || table?.phase !== "lobby") return "";
  return table.can_start ? "Is everybody here? Then tap “Start”." : "You sit at the table. More players are needed to start.";
}

function factsOf(view, store) {
  if (!view || store.table?.phase === "lobby") return [];
  return [
    ...(view.power ? [] : ["Board switched off"]),
    ...(game().facts?.(view, store) ?? view.counters.map(counted)),
    ...askedOf(store).map(([seat, question]) => `${nameOf(store, seat)}: ${question}`),
  ];
}
