// The last roll, as the table keeps it for everybody: shown again on demand, with the doubts that are being asked about.

import { button, byId, h, put, write } from "../elements/dom.js";
import { count, nameOf, placesOf, publicView } from "../scene/model.js";
import { SURE, fateWords, whoRolled } from "./outcome.js";

const SLOW = 0.4;

/** Wire up the strip under the board; `show(roll)` draws on the board and returns what moves it. Returns `{update(store), close()}`. */
export function createReplay(show) {
  const strip = byId("replay");
  const player = createPlayer();
  let store = null;
  let drawn = "";

  function close() {
    if (strip.hidden) return;
    player.stop();
    strip.replaceChildren();
    strip.hidden = true;
    drawn = null;
    doubts();
  }

  function start() {
    const roll = publicView(store)?.last_roll;
    if (!roll) return;
    drawn = JSON.stringify(roll);
    strip.hidden = false;
    fill(strip, { store, roll, player, close });
    player.load(show(roll));
    scrollTo({ top: 0 }); // There the board is, and the strip below it.
  }

  /** While the table is asked where the account is open, the legs in doubt are drawn, standing still. */
  function doubts() {
    const roll = publicView(store)?.last_roll;
    const open = roll?.asked?.length ? roll : null;
    const key = open ? JSON.stringify(open) : "";
    if (!strip.hidden || key === drawn) return;
    drawn = key;
    show(open && { ...open, still: true, balls: (open.balls ?? []).map(onlyDoubts) });
  }

  document.addEventListener("click", (event) => {
    if (event.target instanceof Element && event.target.closest('[data-open="replay"]')) start();
  });
  function update(now) {
    store = now;
    const { last_roll: roll, balls } = publicView(store) ?? {};
    byId("replay-open").hidden = !roll || Boolean(balls?.some((ball) => ball.moving));
    if (strip.hidden) doubts();
    else if (!roll) close();
    else if (JSON.stringify(roll) !== drawn) start();
  }
  return { update, close };
}

/** A ball from the last stop that is sure on. */
function onlyDoubts(ball) {
  const stops = ball.stops ?? [];
  const first = stops.findIndex((stop) => stop.unsure);
  if (first < 0) return ball.unsure ? { ...ball, ramp: null, stops: stops.slice(-1) } : { ...ball, stops: [], fate: null };
  return first ? { ...ball, ramp: null, stops: stops.slice(first - 1) } : ball;
}

function fill(strip, { store, roll, player, close }) {
  const says = h("p", { class: "replay-says", role: "status" });
  const dashed = (roll.balls ?? []).some((ball) => ball.unsure || (ball.stops ?? []).some((stop) => stop.unsure));
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const play = button("Pause", () => player.toggle(), { kind: "primary" });
  const slower = button("Slower", () => player.slower(), { "aria-pressed": "false" });
  const where = h("input", { type: "range", min: 0, max: 1000, value: 0, "aria-label": "Moment of the roll", class: "replay-where" });
  where.addEventListener("input", () => player.seek(Number(where.value) / 1000));
  player.watch({
    moved: (part) => (where.value = String(Math.round(part * 1000))),
    playing: (on, over) => write(play, on ? "Pause" : over ? "Again" : "Play"),
    paced: (slow) => slower.setAttribute("aria-pressed", String(slow)),
    reached: (step) => write(says, step ? stepWords(step) : ""),
  });
  put(strip,
    h("h2", {}, whoRolled(nameOf(store, roll.roller))),
    dashed || roll.probability < SURE ? h("p", { class: "hint" }, h("span", {}, surely(store, roll)), dashed ? [" ", h("span", {}, "Dashed: not sure.")] : null) : null,
    says,
    where,
    h("div", { class: "buttons" }, calm ? null : [play, slower], button("Close", close, { kind: "quiet" })),
    h("details", { class: "more" }, h("summary", {}, "As text"), h("ul", { class: "replay-text" }, (roll.balls ?? []).map((ball) => h("li", {}, ballWords(store, ball))))),
  );
}

/** How sure the board is, or who says so. */
function surely(store, roll) {
  if (!roll.told) return `The board is ${Math.floor(roll.probability * 100)} % sure.`;
  if (store.info?.simulated) return "As the simulation saw it.";
  if (!roll.teller) return "Reported by somebody.";
  return roll.teller === store.seat ? "Reported by you." : `Reported by ${nameOf(store, roll.teller)}.`;
}

function stepWords({ ball, slot, touch, unsure }) {
  const doubt = unsure ? ", not sure" : "";
  if (!slot) return `Ball ${ball.ball}: ${fateWords(ball.fate)}${doubt}`;
  return `Ball ${ball.ball}: ${slot}${touch ? `, ${count(touch, "touch", "touches")}` : ""}${doubt}`;
}

/** The whole way of a ball as a sentence. */
export function ballWords(store, ball) {
  const stops = (ball.stops ?? []).map((stop) => {
    const notes = [stop.touch ? count(stop.touch, "touch", "touches") : "", stop.unsure ? "not sure" : ""].filter(Boolean);
    return notes.length ? `${stop.slot} (${notes.join(", ")})` : stop.slot;
  });
  const zone = placesOf(store, "zone").find((one) => one.place === ball.fate);
  const fate = zone?.title ? `in the ${zone.title}` : fateWords(ball.fate);
  const over = stops.length ? `over ${stops.join(", ")}` : "over no slot";
  return `Ball ${ball.ball}${ball.ramp ? ` from ramp ${ball.ramp}` : ""}: ${over}; ${fate}${ball.unsure ? ", not sure" : ""}.`;
}

/** Runs through a drawn roll by the screen's clock; with reduced motion the whole way stands there at once. */
export function createPlayer() {
  let shown = null;
  let tell = null;
  let frame = 0;
  let before = 0;
  let ms = 0;
  let slow = false;
  let speed = 1;
  const calm = matchMedia("(prefers-reduced-motion: reduce)");

  function draw() {
    if (!shown) return;
    tell.reached(shown.at(ms));
    tell.moved(shown.end ? ms / shown.end : 1);
    tell.playing(Boolean(frame), ms >= shown.end);
  }

  function tick(now) {
    ms = Math.min(shown.end, ms + (now - before) * (slow ? SLOW : speed));
    before = now;
    frame = ms < shown.end ? requestAnimationFrame(tick) : 0;
    draw();
  }

  function run() {
    if (ms >= shown.end) ms = 0;
    before = performance.now();
    frame = requestAnimationFrame(tick);
    draw();
  }

  function halt() {
    cancelAnimationFrame(frame);
    frame = 0;
  }

  return {
    watch: (listener) => (tell = listener),
    load(roll) {
      halt();
      shown = roll;
      if (!shown) return;
      ms = calm.matches ? shown.end : 0;
      tell.paced(slow);
      if (calm.matches) draw();
      else run();
    },
    toggle() {
      if (frame) halt();
      else if (shown) return run();
      draw();
    },
    slower() {
      slow = !slow;
      tell.paced(slow);
    },
    /** Run so many times as fast as usual. */
    pace(times) {
      speed = times;
    },
    seek(part) {
      halt();
      ms = part * (shown?.end ?? 0);
      draw();
    },
    stop() {
      halt();
      shown = null;
    },
  };
}
