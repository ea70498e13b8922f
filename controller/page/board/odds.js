// The odds of the next ball: how likely it comes into an end zone from each ramp, and where it goes most likely. Who may read
// them is the broker's affair: mostly whoever only watches, in a demonstration everybody.

import { byId, h, memo } from "../elements/dom.js";
import { publicView } from "../scene/model.js";

/** A smaller chance is none that anybody would roll for. */
const WORTH = 0.01;
const SAYS = {
  title: "Odds of the next ball: into an end zone",
  none: "From no ramp does a ball get into an end zone now.",
  percent: (share) => (share > 0 && share < WORTH ? "< 1 %" : `${Math.round(share * 100)} %`),
  mostly: (words, share) => `${Math.round(share * 100)} % ${words}`,
  slot: (name) => `stops on ${name}`,
  ramp: (name) => `stays on ramp ${name}`,
  zone: (name) => `into end zone ${name}`,
  hole: (name) => `falls through ${name}`,
  side: () => "leaves the board",
  lost: () => "not known",
  guessed: (words) => `${words} (a guess)`,
};

/** How likely a ball from this ramp comes into an end zone, to be drawn beside it: empty while a ball moves, or where that is hopeless. */
export function oddsAt(store, ramp) {
  const told = store.odds?.game === store.state?.game ? (store.odds?.ramps ?? []) : [];
  const moves = publicView(store)?.balls?.some((ball) => ball.moving);
  const zone = told.find((one) => one.ramp === ramp)?.zone ?? 0;
  return moves || store.table?.phase !== "playing" || zone < WORTH ? "" : SAYS.percent(zone);
}

/** What is told of each ramp, or null while nothing is: `{ramp, zone, mostly, never}` each. */
export function oddsOf(store) {
  const told = store.odds;
  if (!told?.ramps?.length || told.game !== store.state?.game || !publicView(store)) return null;
  return told.ramps.map(({ ramp, zone, ends, guessed }) => {
    const [end, share] = Object.entries(ends)[0] ?? ["lost", 1];
    const [kind, place] = end.split(".");
    const words = SAYS.mostly(SAYS[kind]?.(place) ?? end, share);
    return { ramp, zone: SAYS.percent(zone), never: zone < WORTH, mostly: guessed ? SAYS.guessed(words) : words };
  });
}

/** Keep the odds on the page, for whoever only watches a game. Returns `update(store)`. */
export function createOdds() {
  const draw = memo((odds) => {
    byId("odds").hidden = !odds;
    byId("odds").replaceChildren(...(odds ? drawOdds(odds) : []));
  });
  return (store) => draw(store.seat || store.table?.phase !== "playing" ? null : oddsOf(store));
}

function drawOdds(odds) {
  const hopeless = odds.every(({ never }) => never);
  const line = ({ ramp, zone, never, mostly }) =>
    h("li", {}, h("span", { class: "odds-ramp" }, ramp), h("span", { class: never ? "odds-zone never" : "odds-zone" }, hopeless ? "" : zone), h("span", { class: "odds-else" }, mostly));
  return [h("h2", {}, SAYS.title), hopeless ? h("p", { class: "hint" }, SAYS.none) : null, h("ul", { class: "odds" }, odds.map(line))].filter(Boolean);
}
