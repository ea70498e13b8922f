// Reading payloads: the server leaves out what has its default value, so every reader goes through here.

/** The seat's number from 0, by its place at the table. */
export function seatIndex(store, seat) {
  const seats = seatsOf(store);
  return Math.max(0, seats.findIndex((one) => one.seat === seat));
}

/** Everybody at the table: from the game while there is one, else from the lobby. */
export function seatsOf(store) {
  const playing = store.state?.view.seats ?? [];
  return playing.length && store.table?.phase !== "lobby" ? playing : (store.table?.seats ?? []);
}

/** What to call a seat. */
export function nameOf(store, seat) {
  if (seat && seat === store.seat) return "You";
  return seatsOf(store).find((one) => one.seat === seat)?.name || seat || "nobody";
}

/** The public view, or null before the first snapshot. */
export function publicView(store) {
  return store.state?.view ?? null;
}

/** The private view of our seat if it belongs to the game that is on, else null. */
export function privateView(store) {
  if (!store.seat || !store.view || store.table?.phase === "lobby") return null;
  if (store.state && store.view.game !== store.state.game) return null;
  return store.view.view;
}

/** The slot's public view by its name, with all defaults. */
export function slotOf(store, slot) {
  const found = publicView(store)?.slots.find((one) => one.slot === slot) ?? { slot };
  return { touches: 0, balls: 0, waiting: 0, lift: false, put: false, tile: null, part_of: null, ...found };
}

/** Balls that lie on a slot. */
export function ballsOn(store, slot) {
  const balls = publicView(store)?.balls ?? [];
  const seen = balls.filter((ball) => ball.place === `slot.${slot}`).length;
  return Math.max(seen, slotOf(store, slot).balls);
}

/** A sentence about a slot. */
export function describe(store, name) {
  const slot = slotOf(store, name);
  const parts = [slot.tile?.title ?? (slot.part_of ? `part of the tile on ${slot.part_of}` : "open")];
  if (slot.touches) parts.push(count(slot.touches, "touch", "touches"));
  const balls = ballsOn(store, name);
  if (balls) parts.push(count(balls, "ball"));
  if (slot.waiting) parts.push(count(slot.waiting, "effect waits", "effects wait"));
  if (slot.tile?.silenced) parts.push(slot.tile.silenced);
  if (slot.tile?.part) parts.push(`moving part turned ${slot.tile.part}/6`);
  if (slot.lift) parts.push("lift this tile");
  if (slot.put) parts.push("put the tile here");
  return `${name}: ${parts.join(", ")}`;
}

/** "1 ball", "2 balls". */
export function count(number, one, many = `${one}s`) {
  return `${number} ${number === 1 ? one : many}`;
}

/** Whether the game waits for our seat. */
export function ourTurn(store) {
  const view = privateView(store);
  if (!view || store.table?.phase === "over") return false;
  const shown = publicView(store);
  return view.prompts.length > 0 || (shown?.roller ?? shown?.active) === store.seat;
}
