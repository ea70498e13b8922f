// Reading payloads: the server leaves out what has its default value, so every reader goes through here.

import { game, gameKind } from "./games.js";
import { markedName } from "../words/sentences.js";

const NAMED = new Set(["red", "orange", "yellow", "green", "teal", "blue", "purple", "pink", "white", "grey"]);
const ALIASES = { cyan: "teal", violet: "purple", magenta: "pink", gold: "yellow", gray: "grey", amber: "orange" };
const FALLBACK = ["red", "blue", "green", "yellow", "purple", "orange", "teal", "pink"];

/** The seat's number from 0, by its place at the table. */
export function seatIndex(store, seat) {
  const seats = seatsOf(store);
  return Math.max(0, seats.findIndex((one) => one.seat === seat));
}

/** Everybody at the table: from the game while there is one, else from the lobby. */
export function seatsOf(store) {
  const playing = publicView(store)?.seats ?? [];
  return playing.length && store.table?.phase !== "lobby" ? playing : (store.table?.seats ?? []);
}

/** The name of the seat's colour in the style sheet. */
export function paint(store, seat) {
  const index = seatIndex(store, seat);
  const colour = String(seatsOf(store)[index]?.colour ?? "").toLowerCase();
  const known = ALIASES[colour] ?? colour;
  return NAMED.has(known) ? known : FALLBACK[index % FALLBACK.length];
}

/** What to call a seat; a phone that plays for several calls each by their name. */
export function nameOf(store, seat) {
  if (seat && seat === store.seat && !store.shared) return "You";
  return markedName(seatsOf(store).find((one) => one.seat === seat)?.name, seat) || seat || "nobody";
}

/**
 * What everybody may see; null before the first snapshot, and while it is still another game's.
 * @param {Store} store
 */
export function publicView(store) {
  const view = store.state?.view;
  return view && view.kind === gameKind() ? view : null;
}

/**
 * The private view of our seat if it belongs to the game that is on, else null.
 * @param {Store} store
 */
export function privateView(store) {
  if (!store.seat || !store.view || store.table?.phase === "lobby") return null;
  if (store.state && (store.view.game !== store.state.game || !publicView(store))) return null;
  return store.view.view;
}

/** @type {Omit<Place, "place" | "name">} */
const BARE = { title: "", piece: null, part_of: "", owner: "", label: "", badge: "", count: 0, balls: 0, wants: "", shut: false, note: "" };

/** What a place is called on the drawing: `B2` of `slot.B2`. */
export function nameAt(place) {
  return place.slice(place.indexOf(".") + 1);
}

/**
 * A place as everybody sees it, with all defaults and its `name`.
 * @param {Store} store
 * @param {string} place
 * @returns {Place}
 */
export function placeOf(store, place) {
  return { ...BARE, place, name: nameAt(place), ...publicView(store)?.places.find((one) => one.place === place) };
}

/**
 * All places of a kind (`slot`, `ramp`, `zone`, `edge`, `corner`), with all defaults.
 * @param {Store} store
 * @param {string} kind
 * @returns {Place[]}
 */
export function placesOf(store, kind) {
  const found = (publicView(store)?.places ?? []).filter((one) => one.place.startsWith(`${kind}.`));
  return found.map((one) => ({ ...BARE, name: nameAt(one.place), ...one }));
}

/** The slot by its name, with all defaults. */
export function slotOf(store, name) {
  return placeOf(store, `slot.${name}`);
}

/** The piece that lies on a slot, be it only a part of it. */
export function pieceAt(store, name) {
  const slot = slotOf(store, name);
  return slot.piece ?? (slot.part_of ? placeOf(store, slot.part_of).piece : null);
}

/** Balls that lie on a slot. */
export function ballsOn(store, name) {
  const balls = publicView(store)?.balls ?? [];
  const seen = balls.filter((ball) => ball.place === `slot.${name}`).length;
  return Math.max(seen, slotOf(store, name).balls);
}

/** A sentence about a slot; of an edge or a corner what stands there, nothing if nothing does. */
export function describe(store, name) {
  if (name.includes(".")) return placeOf(store, name).title;
  const slot = slotOf(store, name);
  const parts = [slot.piece?.title ?? (slot.part_of ? `part of the tile on ${nameAt(slot.part_of)}` : slot.title || "open")];
  if (slot.label) parts.push(slot.label);
  if (slot.note) parts.push(slot.note);
  else if (slot.count) parts.push(String(slot.count));
  const balls = ballsOn(store, name);
  if (balls) parts.push(count(balls, "ball"));
  if (slot.wants === "lift") parts.push(game().lift ?? "take it off");
  if (slot.wants === "put") parts.push("put it here");
  return `${name}: ${parts.join(", ")}`;
}

/** How the game has ended, to whom it is told: those who played read of themselves. Empty while it is on. */
export function outcomeWords(store) {
  const view = publicView(store);
  const played = !store.shared && view?.seats.some((one) => one.seat === store.seat);
  if (!view?.outcome || !played || !view.winners?.length) return view?.outcome ?? "";
  if (!view.winners.includes(store.seat)) return `You were beaten by ${view.winners.map((seat) => nameOf(store, seat)).join(" and ")}.`;
  const others = view.winners.filter((seat) => seat !== store.seat).map((seat) => nameOf(store, seat));
  if (others.length > 1) return `You win, and so do ${others.join(" and ")}.`;
  return others.length ? `You win, and so does ${others[0]}.` : "You win!";
}

/** Those who are asked something and take their time over it: a bot's answer is there before anybody has read the question. */
export function askedOf(store) {
  const bots = new Set((store.table?.seats ?? []).filter((one) => one.kind === "bot").map((one) => one.seat));
  return (publicView(store)?.asked ?? []).filter(([seat]) => !bots.has(seat));
}

/** Something that is counted, in words. */
export function counted({ label, count: number, one }) {
  return count(number, one || label, label);
}

/** "1 ball", "2 balls". */
export function count(number, one, many = `${one}s`) {
  return `${number} ${number === 1 ? one : many}`;
}

/** Whether our seat is the one that acts now. */
export function weAct(store) {
  return Boolean(store.seat) && publicView(store)?.acting === store.seat;
}

/** Whether the game waits for our seat. */
export function ourTurn(store) {
  const view = privateView(store);
  if (!view || store.table?.phase === "over") return false;
  return view.prompts.length > 0 || weAct(store);
}
