// A simulated table has hands of its own, which lay and lift in a moment what the game waits for. Nobody is asked for that
// unless it takes long: a request that comes and goes within a blink only startles.

const PATIENCE_MS = 2000;
const BY_HAND = new Set(["lifted", "laid", "unfit"]);
let wanted = "";
let since = 0;

/** How many ms the table's own hands still have for what is to be done now; 0 where people's hands do it. */
export function patience(store) {
  const now = store.info?.simulated ? wants(store) : "";
  if (now !== wanted) since = performance.now();
  wanted = now;
  return wanted ? Math.max(0, since + PATIENCE_MS - performance.now()) : 0;
}

/** Whether an option tells what hands did with a piece. */
export function byHand(option) {
  return BY_HAND.has((option.tells ?? "").split(" ")[0]);
}

function wants(store) {
  const told = (store.view?.view.options ?? []).filter(byHand).map((option) => option.tells);
  return [...(store.state?.view.places ?? []).filter((one) => one.wants && one.place.startsWith("slot.")).map((one) => `${one.wants} ${one.place}`), ...told].join();
}
