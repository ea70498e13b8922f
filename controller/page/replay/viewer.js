// Watching a finished game again, moment by moment, with its balls: on the page of what was played, and in a file of its own.
// It opens at the roll that won, whose way stands there; Play lets the balls run from the moment that is shown.

import { createBoard } from "../board/board.js";
import { momentsOf, stepsOf } from "./chronicle.js";
import { button, forgetDrawn, h, put, s, write } from "../elements/dom.js";
import { game, gameIsKnown, gameKind, useGame } from "../scene/games.js";
import { createGraph } from "./graph.js";
import { pictureOf, save, winningMoment } from "./picture.js";
import { mark } from "../scene/marks.js";
import { count, counted, nameOf } from "../scene/model.js";
import { drawOutcome, outcomeOf, whoRolled } from "./outcome.js";
import { inPictures } from "../scene/pictured.js";
import { createPlayer } from "./replay.js";
import { drawStory } from "./story.js";
import { forgetPieces } from "../scene/seen.js";
import { markedName, translated } from "../words/sentences.js";
import { liveOptions } from "../scene/targets.js";

const SAYS = {
  play: "Play",
  pause: "Pause",
  again: "Again",
  start: "To the beginning",
  whole: "Watch from the start",
  turn: (number, name) => (name ? `Turn ${number}: ${name}` : `Turn ${number}`),
  nextRoll: "Next roll",
  lastRoll: "Previous roll",
  nextTurn: "Next turn",
  lastTurn: "Previous turn",
  picture: "Picture of the winning roll",
  noPicture: "This browser cannot make the picture.",
  speed: "Speed",
  times: (number) => `${number}×`,
  where: "Moment of the game",
  story: "What happened: tap a line to go there",
  won: (names) => `${names.join(" and ")} won`,
  share: (share) => `${Math.round(share * 100)} %`,
  next: (share) => `Next ball: ${Math.round(share * 100)} %`,
  unknown: "date unknown",
  when: (wall) => `${wall.slice(0, 10)}, ${wall.slice(11, 16)}`,
  long: (minutes, turns) => `${count(Math.max(1, Math.round(minutes)), "minute")}, ${count(turns, "turn")}`,
  clock: (ms) => `${Math.floor(ms / 60000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, "0")}`,
};
const ICONS = {
  start: "M6 5v14M19 5l-9 7 9 7z",
  last: "M20 5l-8 7 8 7zM11 5l-8 7 8 7z",
  next: "M4 5l8 7-8 7zM13 5l8 7-8 7z",
};
const UI = { group: null, slot: null, ramp: null, zone: null, tile: null, turn: 0, prompt: 0, pass: null, preview: null, shownTurns: 0 };
const MOMENT_MS = 1500;
const SPEEDS = [0.5, 1, 2, 4];
/** @type {(...any: any[]) => void} */
const nothing = () => {};

/** The names of those who won, in one sentence; empty for nobody. */
export function winnersOf(players) {
  const names = players.filter((one) => one.won).map((one) => markedName(one.name, one.seat));
  return names.length ? SAYS.won(names) : "";
}

/** When a game began, if the table's clock had been set, and how long it took. */
export function whenOf({ wall, dated = true, minutes, turns }) {
  return `${dated && wall ? SAYS.when(wall) : SAYS.unknown} · ${SAYS.long(minutes, turns)}`;
}

/**
 * Build the viewer of a chronicle in `root`; `at` is the moment to begin with, null the winning roll, or the end if there
 * is none; `moved(index)` hears which one is shown. Returns `{stop}`.
 */
export function createViewer(root, chronicle, { at = null, moved = nothing } = {}) {
  const moments = momentsOf(chronicle);
  const { summary, info } = chronicle;
  const last = moments.length - 1;
  /** @type {any} */
  const store = { status: null, info, table: { phase: "playing", kind: summary.kind, seats: [] }, odds: null, state: null, view: null, seat: null, link: "connected", why: "", forgotten: false };
  const drawing = s("svg", { id: "board", class: "board", role: "group", "aria-label": "Drawing of the board", viewBox: "0 0 240 310" });
  const board = createBoard(drawing, { onSlot: nothing, onRamp: nothing, onZone: nothing });
  const player = createPlayer();
  const won = winningMoment(moments);
  const graph = createGraph(moments, summary.players, { table: { seats: summary.players }, state: null }, { won, go: (to) => go(to) });
  const { rolls, steps } = stepsOf(moments);
  const parts = layOutPage(root, summary, moments, { drawing, graph, won, rolls });
  let index = Math.min(Math.max(0, at ?? won ?? last), last);
  let playing = false;
  let timer = 0;
  let speed = 1;

  /** Show a moment. The roll that came to rest there is run if it shall; else its whole way stands there. */
  function show(next, { runs = false } = {}) {
    clearTimeout(timer);
    player.stop();
    index = next;
    const { roll, scene } = moments[index];
    const before = index > 0 && roll ? moments[index - 1].scene : null;
    look(before && runs ? { ...before, balls: [] } : scene);
    const drawn = board.show(before ? roll : null);
    tell(Boolean(before && runs));
    if (before && runs) return run(drawn, scene);
    drawn?.at(drawn.end);
    goOn(MOMENT_MS);
  }

  /** Let the balls of a drawn roll run; what came of it is told when they have. */
  function run(drawn, scene) {
    let done = false;
    player.watch({
      moved: nothing,
      paced: nothing,
      reached: nothing,
      playing: (on, over) => {
        if (on || !over || done) return;
        done = true;
        look(scene);
        tell(false);
        goOn(MOMENT_MS);
      },
    });
    player.load(drawn);
  }

  function look(view) {
    store.state = { game: summary.game, seq: 0, at_us: 0, view };
    board(store, liveOptions(store, UI), UI);
  }

  function goOn(ms) {
    if (playing && index < last) timer = setTimeout(() => show(index + 1, { runs: true }), ms / speed);
    else if (playing) halt();
  }

  /** Say what this moment is: while its balls run, only who rolled. */
  function tell(runs) {
    const { at_ms: ms, told, scene, roll } = moments[index];
    const known = runs ? moments[index - 1] : moments[index];
    parts.where.value = String(index);
    write(parts.clock, SAYS.clock(ms));
    store.state = { game: summary.game, seq: 0, at_us: 0, view: scene };
    const outcome = roll && !runs ? outcomeOf(store) : null;
    parts.outcome.replaceChildren(...(outcome ? [drawOutcome(store, outcome)] : []));
    if (runs) write(parts.headline, whoRolled(nameOf(store, roll.roller)));
    else if (scene.outcome || !told.length) write(parts.headline, scene.outcome ?? scene.headline);
    else put(parts.headline, ...told.flatMap((one, i) => [i ? " " : "", inPictures(one.text)].flat()));
    holdings(known.scene);
    for (const [seat, node] of parts.shares) write(node, known.chances?.[seat] === undefined ? "" : SAYS.share(known.chances[seat]));
    if (graph) write(parts.nextBall, known.scene.outcome ? "" : SAYS.next(known.nextBall));
    graph?.at(runs ? index - 1 : index);
    current(index);
    moved(index);
  }

  /** What everybody saw of each player then, as in the strip of seats, and what the game shows besides. */
  function holdings(scene) {
    for (const { seat, counters = [] } of scene.seats ?? []) {
      const node = parts.has.get(seat);
      if (node) put(node, ...counters.map((one) => h("span", { class: "having" }, game().counter?.(one) ?? counted(one))));
    }
    const lines = game().watched?.(scene) ?? [];
    parts.facts.hidden = !lines.length;
    put(parts.facts, ...lines.map((line) => h("li", {}, line)));
  }

  function current(at) {
    parts.list.querySelectorAll("[aria-current]").forEach((node) => node.removeAttribute("aria-current"));
    const line = parts.list.querySelector(`[data-moment="${at}"]`);
    line?.setAttribute("aria-current", "true");
    if (line) parts.list.scrollTop = line.offsetTop - parts.list.offsetTop - parts.list.clientHeight / 2;
  }

  /** Make the picture of the winning roll, and give it to the share sheet, or save it where there is none. */
  async function picture() {
    const before = { ...store, state: { game: summary.game, seq: 0, at_us: 0, view: { ...moments[won - 1].scene, balls: [] } } };
    const title = winnersOf(summary.players) || summary.outcome;
    try {
      const file = new File([await pictureOf(before, UI, moments[won].roll, title)], `${summary.game}.png`, { type: "image/png" });
      if (navigator.canShare?.({ files: [file] })) await navigator.share({ files: [file], title: translated(title) }).catch(nothing);
      else save(file);
    } catch {
      write(parts.picture, SAYS.noPicture);
    }
  }

  function sayPlay() {
    const words = playing ? SAYS.pause : index === last ? SAYS.again : SAYS.play;
    write(parts.play.lastElementChild, words);
    parts.play.classList.toggle("on", playing);
  }

  function halt() {
    playing = false;
    clearTimeout(timer);
    player.stop();
    sayPlay();
  }

  function go(next, how) {
    if (playing) halt();
    show(Math.min(Math.max(0, next), last), how);
    sayPlay();
  }

  /** Run on from here: a roll that stands there is run itself; after the end it is the winning one again. */
  function play() {
    if (playing) return halt();
    playing = true;
    sayPlay();
    const from = index === last ? won ?? 0 : index;
    show(moments[from].roll || from === last ? from : from + 1, { runs: true });
  }

  /** Go to the nearest roll, or turn, after or before this moment, if there is one. */
  function jump(way) {
    const there = way > 0 ? steps.find((number) => number > index) : steps.findLast((number) => number < index);
    if (there !== undefined) go(there, { runs: true });
  }

  function key(event) {
    if (!root.isConnected) return document.removeEventListener("keydown", key);
    if (event.target instanceof Element && event.target.closest("input, select, button, a, [tabindex]")) return;
    const act = { ArrowLeft: () => go(index - 1), ArrowRight: () => go(index + 1), Home: () => go(0), End: () => go(last), " ": play }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  parts.play.addEventListener("click", play);
  parts.picture.addEventListener("click", picture);
  parts.start.addEventListener("click", () => go(0));
  parts.whole.addEventListener("click", () => {
    go(0);
    play();
  });
  parts.next.addEventListener("click", () => jump(1));
  parts.last.addEventListener("click", () => jump(-1));
  parts.speed.addEventListener("change", () => {
    speed = Number(parts.speed.value);
    player.pace(speed);
  });
  parts.where.addEventListener("input", () => go(Number(parts.where.value)));
  parts.list.addEventListener("click", (event) => {
    const line = event.target instanceof Element ? event.target.closest("[data-moment]") : null;
    if (line) go(Number(line.dataset.moment), { runs: true });
  });
  document.addEventListener("keydown", key);
  const begin = () => {
    forgetPieces();
    forgetDrawn();
    root.inert = false;
    const told = moments.flatMap((moment) => moment.told);
    parts.list.querySelectorAll(".past-said").forEach((line, at) => put(line, ...[inPictures(told[at].text)].flat()));
    go(index);
  };
  root.inert = true; // Until the game's file is there, nothing would be drawn as it is.
  if (gameIsKnown() && gameKind() === summary.kind) begin();
  else useGame(summary.kind, begin);
  return {
    stop() {
      halt();
      document.removeEventListener("keydown", key);
    },
  };
}

function icon(d) {
  return s("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, s("path", { d }));
}

function layOutPage(root, summary, moments, { drawing, graph, won, rolls }) {
  const headline = h("p", { class: "past-headline", role: "status" });
  const outcome = h("div", { class: "past-outcome" });
  const play = button([h("span", { class: "past-play", "aria-hidden": "true" }), h("span", {}, SAYS.play)], nothing, { kind: "primary" });
  const step = (name, says) => button(icon(ICONS[name]), nothing, { "aria-label": says });
  const start = step("start", SAYS.start);
  const last = step("last", rolls ? SAYS.lastRoll : SAYS.lastTurn);
  const next = step("next", rolls ? SAYS.nextRoll : SAYS.nextTurn);
  const speed = h("select", { "aria-label": SAYS.speed }, SPEEDS.map((one) => h("option", { value: one, selected: one === 1 }, SAYS.times(one))));
  const picture = button(SAYS.picture, nothing, { hidden: won === null });
  const clock = h("span", { class: "past-clock" });
  const where = h("input", { type: "range", min: 0, max: moments.length - 1, value: 0, "aria-label": SAYS.where });
  const seats = { table: { seats: summary.players }, state: null };
  const shares = summary.players.map((one) => [one.seat, h("span", { class: "past-part" })]);
  const has = new Map(summary.players.map((one) => [one.seat, h("span", { class: "past-has" })]));
  const who = summary.players.map((one, i) => h("li", { class: one.won ? "won" : "" }, mark(seats, one.seat), markedName(one.name, one.seat), shares[i][1], has.get(one.seat)));
  const facts = h("ul", { class: "past-facts", hidden: true });
  const whole = button(SAYS.whole, nothing);
  const nextBall = h("li", { class: "past-next" });
  const list = drawStory(summary, moments, seats, SAYS);
  const now = h("section", { class: "past-now" },
    h("div", { class: "past-what" }, headline, outcome),
    h("div", { class: "past-controls" }, start, last, play, next, speed),
    h("div", { class: "past-time" }, graph?.node, h("div", { class: "past-where" }, where, clock)),
    h("ul", { class: "past-players" }, who, graph ? nextBall : null),
    facts,
    h("div", { class: "past-give" }, whole, picture));
  root.replaceChildren(h("div", { class: "past-board" }, drawing), now,
    h("section", { class: "past-story" }, h("p", { class: "past-when" }, whenOf(summary)), h("h2", {}, SAYS.story), list));
  return { headline, outcome, has, facts, whole, play, start, clock, where, list, last, next, speed, picture, shares, nextBall };
}
