// Watching a finished game again, moment by moment, with its balls: on the page of what was played, and in a file of its own.

import { createBoard } from "../board/board.js";
import { momentsOf } from "./chronicle.js";
import { button, forgetDrawn, h, put, s, write } from "../elements/dom.js";
import { gameIsKnown, gameKind, useGame } from "../scene/games.js";
import { createGraph } from "./graph.js";
import { pictureOf, winningMoment } from "./picture.js";
import { mark } from "../scene/marks.js";
import { count } from "../scene/model.js";
import { drawOutcome, outcomeOf } from "./outcome.js";
import { inPictures } from "../scene/pictured.js";
import { createPlayer } from "./replay.js";
import { forgetPieces } from "../scene/seen.js";
import { markedName, translated } from "../words/sentences.js";
import { liveOptions } from "../scene/targets.js";

const SAYS = {
  play: "Play",
  pause: "Pause",
  again: "Play again",
  back: "One step back",
  on: "One step on",
  nextRoll: "Next roll",
  lastRoll: "Previous roll",
  picture: "Picture of the winning roll",
  noPicture: "This browser cannot make the picture.",
  speed: "Speed",
  times: (number) => `${number}×`,
  where: "Moment of the game",
  story: "What happened: tap a line to go there",
  won: (names) => `${names.join(" and ")} won`,
  unknown: "date unknown",
  when: (wall) => `${wall.slice(0, 10)}, ${wall.slice(11, 16)}`,
  long: (minutes, turns) => `${count(Math.max(1, Math.round(minutes)), "minute")}, ${count(turns, "turn")}`,
  clock: (ms) => `${Math.floor(ms / 60000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, "0")}`,
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
 * Build the viewer of a chronicle in `root`; `at` is the moment to begin with, `moved(index)` hears which one is shown.
 * Returns `{stop}`.
 */
export function createViewer(root, chronicle, { at = 0, moved = nothing } = {}) {
  const moments = momentsOf(chronicle);
  const { summary, info } = chronicle;
  /** @type {any} */
  const store = { status: null, info, table: { phase: "playing", kind: summary.kind, seats: [] }, odds: null, state: null, view: null, seat: null, link: "connected", why: "", forgotten: false };
  const drawing = s("svg", { id: "board", class: "board", role: "group", "aria-label": "Drawing of the board", viewBox: "0 0 240 310" });
  const board = createBoard(drawing, { onSlot: nothing, onRamp: nothing, onZone: nothing });
  const player = createPlayer();
  const parts = layOutPage(root, summary, moments, drawing);
  const graph = createGraph(moments, summary.players, { table: { seats: summary.players }, state: null }, (to) => go(to));
  if (graph) parts.now.append(graph.node);
  const won = winningMoment(moments);
  parts.picture.hidden = won === null;
  let index = Math.min(Math.max(0, at), moments.length - 1);
  let playing = false;
  let timer = 0;
  let speed = 1;

  /** Draw a moment: the roll that came to rest there first, if its balls shall be seen. */
  function show(next, { rolled = false } = {}) {
    clearTimeout(timer);
    player.stop();
    index = next;
    const moment = moments[index];
    if (moment.roll && !rolled && index > 0) return roll(moment);
    store.state = { game: summary.game, seq: 0, at_us: 0, view: moment.scene };
    board(store, liveOptions(store, UI), UI);
    board.show(null);
    write(parts.headline, moment.scene.outcome ?? moment.scene.headline);
    tell();
    if (playing && index < moments.length - 1) timer = setTimeout(() => show(index + 1), MOMENT_MS / speed);
    else if (playing) halt();
  }

  function roll(moment) {
    const before = moments[index - 1].scene;
    store.state = { game: summary.game, seq: 0, at_us: 0, view: { ...before, balls: [] } };
    board(store, liveOptions(store, UI), UI);
    tell();
    let done = false;
    player.watch({
      moved: nothing,
      paced: nothing,
      reached: nothing,
      playing: (on, over) => {
        if (on || !over || done) return;
        done = true;
        timer = setTimeout(() => show(index, { rolled: true }), MOMENT_MS / 2 / speed);
      },
    });
    player.load(board.show(moment.roll));
  }

  function tell() {
    const moment = moments[index];
    parts.where.value = String(index);
    write(parts.clock, SAYS.clock(moment.at_ms));
    parts.told.replaceChildren(...moment.told.map((one) => h("p", {}, inPictures(one.text))));
    parts.list.querySelectorAll("[aria-current]").forEach((node) => node.removeAttribute("aria-current"));
    const line = parts.list.querySelector(`[data-moment="${index}"]`);
    line?.setAttribute("aria-current", "true");
    if (line) parts.list.scrollTop = line.offsetTop - parts.list.offsetTop - parts.list.clientHeight / 2;
    store.state = { game: summary.game, seq: 0, at_us: 0, view: moment.scene };
    const outcome = moment.roll ? outcomeOf(store) : null;
    parts.outcome.replaceChildren(...(outcome ? [drawOutcome(store, outcome)] : []));
    graph?.at(index);
    moved(index);
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

  function halt() {
    playing = false;
    clearTimeout(timer);
    write(parts.play, index === moments.length - 1 ? SAYS.again : SAYS.play);
  }

  function go(next, how) {
    halt();
    show(Math.min(Math.max(0, next), moments.length - 1), how);
    write(parts.play, index === moments.length - 1 ? SAYS.again : SAYS.play);
  }

  parts.play.addEventListener("click", () => {
    if (playing) return halt();
    playing = true;
    write(parts.play, SAYS.pause);
    show(index === moments.length - 1 ? 0 : index + 1);
  });
  /** Go to the nearest roll after or before this moment, if there is one. */
  function jump(way) {
    const rolls = moments.flatMap((moment, number) => (number && moment.roll && (number - index) * way > 0 ? [number] : []));
    if (rolls.length) go(way > 0 ? rolls[0] : rolls.at(-1));
  }

  parts.picture.addEventListener("click", picture);
  parts.nextRoll.addEventListener("click", () => jump(1));
  parts.lastRoll.addEventListener("click", () => jump(-1));
  parts.speed.addEventListener("change", () => {
    speed = Number(parts.speed.value);
    player.pace(speed);
  });
  parts.back.addEventListener("click", () => go(index - 1, { rolled: true }));
  parts.on.addEventListener("click", () => go(index + 1));
  parts.where.addEventListener("input", () => go(Number(parts.where.value), { rolled: true }));
  parts.list.addEventListener("click", (event) => {
    const line = event.target instanceof Element ? event.target.closest("[data-moment]") : null;
    if (line) go(Number(line.dataset.moment));
  });
  const begin = () => {
    forgetPieces();
    forgetDrawn();
    root.inert = false;
    const told = moments.flatMap((moment) => moment.told);
    parts.list.querySelectorAll(".past-said").forEach((line, at) => put(line, ...[inPictures(told[at].text)].flat()));
    go(index, { rolled: true });
  };
  root.inert = true; // Until the game's file is there, nothing would be drawn as it is.
  if (gameIsKnown() && gameKind() === summary.kind) begin();
  else useGame(summary.kind, begin);
  return {
    stop() {
      halt();
      player.stop();
    },
  };
}

/** Save a file that the page has made. */
export function save(file) {
  const address = URL.createObjectURL(file);
  h("a", { href: address, download: file.name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

function layOutPage(root, summary, moments, drawing) {
  const headline = h("p", { class: "past-headline", role: "status" });
  const told = h("div", { class: "past-told" });
  const outcome = h("div", { class: "past-outcome" });
  const play = button(SAYS.play, nothing, { kind: "primary" });
  const back = button("‹", nothing, { "aria-label": SAYS.back });
  const on = button("›", nothing, { "aria-label": SAYS.on });
  const lastRoll = button(SAYS.lastRoll, nothing);
  const nextRoll = button(SAYS.nextRoll, nothing);
  const speed = h("select", { "aria-label": SAYS.speed }, SPEEDS.map((one) => h("option", { value: one, selected: one === 1 }, SAYS.times(one))));
  const picture = button(SAYS.picture, nothing);
  const clock = h("span", { class: "past-clock" });
  const where = h("input", { type: "range", min: 0, max: moments.length - 1, value: 0, "aria-label": SAYS.where });
  const seats = { table: { seats: summary.players }, state: null };
  const who = h("ul", { class: "past-players" }, summary.players.map((one) => h("li", { class: one.won ? "won" : "" }, mark(seats, one.seat), markedName(one.name, one.seat))));
  const line = (moment, index) => moment.told.map((one, part) =>
    h("li", {}, h("button", { type: "button", class: "past-line", "data-moment": part ? undefined : index, onclick: undefined },
      one.seat ? mark(seats, one.seat) : h("span", { class: "dot", "aria-hidden": "true" }), h("span", { class: "past-said" }, one.text))));
  const list = h("ol", { class: "past-list", tabindex: 0, "aria-label": SAYS.story }, moments.map(line));
  for (const own of list.querySelectorAll("li:not(:has([data-moment]))")) {
    const first = own.previousElementSibling?.querySelector("button");
    own.querySelector("button").dataset.moment = first?.dataset.moment ?? "0";
  }
  const now = h("section", { class: "past-now" },
    h("p", { class: "past-when" }, whenOf(summary)), who, headline,
    h("div", { class: "past-controls" }, back, play, on, clock), where, h("div", { class: "past-jumps" }, lastRoll, nextRoll, speed, picture), told, outcome);
  root.replaceChildren(h("div", { class: "past-board" }, drawing), now, h("section", { class: "past-story" }, h("h2", {}, SAYS.story), list));
  return { headline, told, outcome, play, back, on, clock, where, list, lastRoll, nextRoll, speed, picture, now };
}
