// The odds of the next ball: how likely it comes into an end zone from each ramp, and where it goes most likely. Who may read
// them is the broker's affair: mostly whoever only watches, in a demonstration everybody.

import { byId, h, memo } from "../elements/dom.js";
import { publicView } from "../scene/model.js";

const SAYS = {
  title: "Odds of the next ball: into an end zone",
  percent: (share) => (share > 0 && share < 0.01 ? "< 1 %" : `${Math.round(share * 100)} %`),
  mostly: (words, share) => `${Math.round(share * 100)} % ${words}`,
  slot: (name) => `stops on ${name}`,
  ramp: (name) => `stays on ramp ${name}`,
  zone: (name) => `into end zone ${name}`,
  hole: (name) => `falls through ${name}`,
  side: () => "leaves the board",
  lost: () => "not known",
  guessed: (words) => `${words} (a guess)`,
};

/** How likely a ball from this ramp comes into an end zone, to be drawn beside it: empty while a ball moves, or where no way leads there yet. */
export function oddsAt(store, ramp) {
  const told = store.odds?.game === store.state?.game ? (store.odds?.ramps ?? []) : [];
  const moves = publicView(store)?.balls?.some((ball) => ball.moving);
  if (moves || store.table?.phase !== "playing" || !told.some(({ zone }) => zone)) return "";
  return SAYS.percent(told.find((one) => one.ramp === ramp)?.zone ?? 0);
}

/** What is told of each ramp, or null while nothing is: `{ramp, zone, mostly, never}` each. */
export function oddsOf(store) {
  const told = store.odds;
  if (!told?.ramps?.length || told.game !== store.state?.game || !publicView(store)) return null;
  return told.ramps.map(({ ramp, zone, ends, guessed }) => {
    const [end, share] = Object.entries(ends)[0] ?? ["lost", 1];
    const [kind, place] = end.split(".");
    const words = SAYS.mostly(SAYS[kind]?.(place) ?? end, share);
    return { ramp, zone: SAYS.percent(zone), never: zone === 0, mostly: guessed ? SAYS.guessed(words) : words };
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
  const line = ({ ramp, zone, never, mostly }) =>
    h("li", {}, h("span", { class: "odds-ramp" }, ramp), h("span", { class: never ? "odds-zone never" : "odds-zone" }, zone), h("span", { class: "odds-else" }, mostly));
  return [h("h2", {}, SAYS.title), h("ul", { class: "odds" }, odds.map(line))];
}
