// What a roll did, as a card: where each ball went, its touches, how sure the board is, and until when it may be objected to.
// Made of what everybody may see, for phones and for the big screen alike.

import { h } from "../elements/dom.js";
import { game } from "../scene/games.js";
import { mark } from "../scene/marks.js";
import { count, nameOf, placesOf, publicView } from "../scene/model.js";
import { showCountdown } from "../elements/clock.js";

const SHOWN_MS = 7000;
export const SURE = 0.95; // From here on nobody is told how sure the board is: it is, practically.
const SAYS = {
  ball: (number) => `Ball ${number}`,
  unknown: "nobody knows where it went",
  slot: (name) => `lies on ${name}`,
  ramp: (name) => `stuck on ramp ${name}`,
  zone: (name) => `in end zone ${name}`,
  titled: (title) => `in the ${title}`,
  hole: (name) => `fell through ${name}`,
  side: (name) => (name ? `left the board after ${name}` : "left the board"),
  touches: (number) => count(number, "touch", "touches"),
  sure: (percent) => `${percent} % sure`,
  told: "reported by you",
  simulated: "as the simulation saw it",
  toldBy: (name) => (name ? `reported by ${name}` : "reported by somebody"),
  settles: "final in ",
  own: (ramp, title) => `your ball${ramp ? ` from ramp ${ramp}` : ""} into the ${title}`,
  won: (name, ramp, title) => `${name}'s ball${ramp ? ` from ramp ${ramp}` : ""} into the ${title}`,
};

/** Who rolled, by the name that `nameOf` gives them. */
export function whoRolled(name) {
  return name === "You" ? "You rolled" : `${name} rolled`;
}

/** Where a ball went, in words: the `fate` of a rolled ball. */
export function fateWords(fate) {
  if (!fate) return SAYS.unknown;
  const [kind, name] = fate.split(".");
  return SAYS[kind]?.(name ?? (kind === "side" ? "" : "a slot")) ?? fate;
}

/** Who says so, in words. */
function toldBy(store, teller) {
  if (store.info?.simulated) return SAYS.simulated; // Nobody watched real balls.
  return teller && teller === store.seat ? SAYS.told : SAYS.toldBy(teller ? nameOf(store, teller) : "");
}

/**
 * What the last roll did, or null while none is over: `{number, roller, balls, touches, sure, told, deadline_us}`. Each
 * ball has `says`, `touches`, whether it is `unsure`, and whether it `won` its way into an end zone.
 * @param {Store} store
 */
export function outcomeOf(store) {
  const view = publicView(store);
  const roll = view?.last_roll;
  if (!roll || view.balls?.some((ball) => ball.moving)) return null;
  const zones = new Map(placesOf(store, "zone").map((zone) => [zone.place, zone.title]));
  const balls = (roll.balls ?? []).map((ball) => {
    const title = zones.get(ball.fate);
    return {
      ball: ball.ball,
      says: title ? SAYS.titled(title) : fateWords(ball.fate),
      touches: (ball.stops ?? []).filter((stop) => stop.touch).length,
      unsure: Boolean(ball.unsure),
      won: Boolean(ball.fate?.startsWith("zone.")),
    };
  });
  return {
    number: roll.number,
    roller: roll.roller,
    balls,
    touches: Object.values(roll.touches ?? {}).reduce((sum, one) => sum + one, 0),
    sure: roll.probability < SURE ? Math.floor(roll.probability * 100) : 100,
    told: roll.told ? toldBy(store, roll.teller) : "",
    deadline_us: roll.turn === view.turn && roll.roller === view.acting && game().deadline?.(view) ? (view.deadline_us ?? null) : null,
  };
}

/** The roll that won the game that is over, in words; empty if none did. */
export function winningRoll(store) {
  const view = publicView(store);
  const roll = view?.last_roll;
  const goals = (roll?.balls ?? []).filter((one) => one.fate?.startsWith("zone."));
  const ball = goals.find((one) => one.ramp) ?? goals[0]; // Rather the one that was let go than one that it struck.
  if (!ball || roll.turn !== view.turn || !view.winners?.includes(roll.roller)) return "";
  const zone = placesOf(store, "zone").find((one) => one.place === ball.fate);
  const title = zone?.title ?? "end zone";
  return roll.roller === store.seat ? SAYS.own(ball.ramp, title) : SAYS.won(nameOf(store, roll.roller), ball.ramp, title);
}

/**
 * Keep the card of the last roll beside the board in `root`: for some seconds, or as long as somebody may still object to
 * the roll. A tap takes it away; what was over before this phone came is not shown.
 */
export function createOutcome(root) {
  let shown = null;
  let until = 0;
  let gone = null;
  let number = 0;
  root.addEventListener("click", () => hide());

  function hide() {
    gone = shown;
    root.hidden = true;
  }

  return function update(store) {
    const made = outcomeOf(store);
    const key = made && `${store.state?.game} ${made.number} ${made.balls.map((ball) => ball.says)}`; // A roll may be told otherwise.
    const earlier = made && made.number < number; // A later one was taken back: this one has been shown.
    if (shown === null || earlier) shown = gone = key ?? "";
    number = made?.number ?? 0;
    if (!key) gone = shown; // A ball rolls: the card of the roll before is over.
    if (!key || key === gone) return void (root.hidden = true);
    if (key !== shown) {
      shown = key;
      until = performance.now() + SHOWN_MS;
      setTimeout(() => update(store), SHOWN_MS + 50);
    }
    if (made.deadline_us === null && performance.now() > until) return hide();
    root.hidden = false;
    root.replaceChildren(drawOutcome(store, made));
  };
}

/** Draw an outcome, as `outcomeOf` made it, as a card. */
export function drawOutcome(store, { roller, balls, sure, told, deadline_us: deadline }) {
  const several = balls.length > 1;
  const line = (ball) =>
    h("li", { class: ball.won ? "outcome-ball won" : "outcome-ball" },
      several ? h("span", { class: "outcome-number" }, SAYS.ball(ball.ball)) : null,
      h("strong", { class: "outcome-fate" }, ball.says),
      ball.touches ? h("span", { class: "outcome-touches" }, SAYS.touches(ball.touches)) : null);
  const notes = [told || (sure < 100 ? SAYS.sure(sure) : "")].filter(Boolean);
  return h("div", { class: several ? "outcome-card several" : "outcome-card" },
    h("p", { class: "outcome-who" }, mark(store, roller), h("span", {}, whoRolled(nameOf(store, roller)))),
    h("ul", {}, balls.map(line)),
    notes.length || deadline !== null ? h("p", { class: "outcome-notes" }, h("span", {}, notes.join(" · ")), deadline === null ? null : settles(deadline)) : null);
}

function settles(deadline) {
  const time = h("span", { class: "countdown", role: "timer", "data-deadline": deadline });
  showCountdown(time);
  return h("span", { class: "outcome-settles" }, SAYS.settles, time);
}
