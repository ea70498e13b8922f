// The big screen: the board as large as it goes, whose turn it is, what a roll did, what happened, who won tonight, how to join.
// It watches: it has no seat, whatever this browser keeps, and nothing on it waits for a tap.

import { createBoard } from "./board/board.js";
import { learn, learnBoot, showCountdown, startCountdowns } from "./elements/clock.js";
import { byId, forgetDrawn, h, memo, put, sayPage, write } from "./elements/dom.js";
import { readEvening } from "./link/evening.js";
import { game, gameIsKnown, howToPlay, importGames, useGame, wholeGame } from "./scene/games.js";
import { openLink } from "./link/link.js";
import { createLog } from "./replay/log.js";
import { mark } from "./scene/marks.js";
import { inPictures } from "./scene/pictured.js";
import { count, outcomeWords, publicView } from "./scene/model.js";
import { createOdds } from "./board/odds.js";
import { drawOutcome, outcomeOf } from "./replay/outcome.js";
import { createPoster } from "./replay/poster.js";
import { createAwake } from "./shell/phone.js";
import { createSenses } from "./shell/senses.js";
import { forgetPieces, rememberPieces } from "./scene/seen.js";
import { createSeats } from "./seats/seats.js";
import { liveOptions } from "./scene/targets.js";
import { troubleOf } from "./shell/trouble.js";
import { markedName, translated } from "./words/sentences.js";
import { language, learnWords } from "./words/words.js";

const SAYS = {
  invites: { lobby: "Join with your phone", playing: "Watch, or join", over: "Join the next game" },
  code: (code) => code.replace(/^(.{4})(.{4})$/, "$1 $2"),
  hidden: "The code is at the table.",
  address: (address) => address.replace(/^https?:\/\//, "").replace(/\/$/, ""),
  plays: (title) => `We play ${title}`,
  free: (number) => (number ? count(number, "free seat") : ""),
  time: "Time left",
  welcome: (names) => `Welcome, ${names.join(" and ")}!`,
  next: (seconds) => `Next game in ${seconds} s`,
  link: {
    connecting: "Connecting…",
    connected: "",
    reconnecting: "Not connected: trying again",
    stopped: "The board's program has stopped",
    fault: "Something in the board's program has failed",
  },
};
const SOON_MS = 700;
const WELCOME_MS = 6000;
const LESSON_MS = 12000;
const UI = { group: null, slot: null, ramp: null, zone: null, tile: null, turn: 0, prompt: 0, pass: null, preview: null, shownTurns: 0 };

importGames({ bring: (path) => import(path), learn: learnWords, forget: forgetDrawn });
await Promise.all([learnWords(), wholeGame()]);
sayPage(language());

/** @type {Store} */
const store = { status: null, info: null, table: null, odds: null, state: null, view: null, told: null, seat: null, link: "connecting", why: "", forgotten: false };
const code = new URLSearchParams(location.hash.slice(1)).get("j") ?? "";
const nothing = () => {};
const board = createBoard(byId("board"), { onSlot: nothing, onRamp: nothing, onZone: nothing });
const poster = createPoster(board);
const still = matchMedia("(prefers-reduced-motion: reduce)");
const seats = createSeats(byId("seats"), byId("headline"), byId("facts"), byId("score"), { atEnd: true });
const log = createLog(byId("log"));
const early = [];
let games = []; // of this evening
const earlier = []; // what happened before this screen came, while the game's words are not there yet
let phase = "";
let frame = 0;
let here = null; // the names of people at the table, by seat, as this screen saw them last
let lesson = 0; // the picture of how the game is played that a lobby shows now

const drawOutcomeCard = memo((outcome) => {
  byId("outcome").hidden = !outcome;
  byId("outcome").replaceChildren(...(outcome ? [drawOutcome(store, outcome)] : []));
});
const odds = createOdds();
const stayAwake = createAwake(() => true);
const senses = createSenses({ room: "tv" });
const KEYS = { c: globalThis.hextractionTheme.next, s: senses.turn };
const drawTime = memo((deadline, words, next) => {
  byId("tv-time").hidden = deadline === null && next === null;
  if (deadline === null) return void (next === null || write(byId("tv-time"), SAYS.next(next)));
  const left = h("span", { class: "countdown", role: "timer", "data-deadline": deadline });
  showCountdown(left);
  put(byId("tv-time"), h("span", {}, words), " ", left);
});
/** Who has won, and with what. */
const drawWinners = memo((winners, words) => {
  document.body.classList.toggle("won", winners.length > 0);
  if (winners.length) put(byId("headline"), ...winners.map((seat) => mark(store, seat)), ...[inPictures(words)].flat());
});
const drawLobby = memo((title, free) => {
  byId("tv-free").hidden = title === null || !free;
  if (title === null) return;
  write(byId("headline"), SAYS.plays(markedName(title)));
  write(byId("tv-free"), SAYS.free(free));
});
const drawLesson = memo((kind, number) => {
  const lessons = howToPlay(store);
  byId("tv-lesson").hidden = !kind || !lessons.length;
  if (byId("tv-lesson").hidden) return;
  const { title, text } = lessons[number % lessons.length]; // Without its picture: one board in motion is enough to look at.
  write(byId("tv-lesson-title"), title);
  write(byId("tv-lesson-text"), text);
});
/** Say who has come, for some seconds, where it is said how one does. */
const drawWelcome = memo((people) => {
  const fresh = here && people.filter(([seat, name]) => here.get(seat) !== name).map(([seat, name]) => markedName(name, seat));
  here = new Map(people);
  if (!fresh?.length) return;
  write(byId("tv-welcome"), SAYS.welcome(fresh));
  byId("tv-welcome").hidden = false;
  setTimeout(() => (byId("tv-welcome").hidden = true), WELCOME_MS);
});
const drawLink = memo((words, link) => {
  write(byId("link"), words);
  byId("link").dataset.state = link;
  byId("link").hidden = !words;
});

openLink({ onMessage, onLink, watches: true });

function onMessage(topic, payload) {
  if (topic === "event") return happened(payload);
  if (topic === "status") learnBoot(payload.boot);
  if (topic === "state") {
    learn(payload.at_us);
    if (store.state && store.state.game !== payload.game) forgetPieces();
  }
  if (topic in store) store[topic] = payload;
  if (store.table) useGame(store.table.kind || store.info?.game, gotGame);
  draw();
}

function gotGame() {
  log.recall(store, earlier.splice(0));
  for (const event of early.splice(0)) happened(event);
  showGames();
  draw();
}

function happened(event) {
  learn(event.at_us);
  if (!gameIsKnown()) return void early.push(event);
  log(store, event);
  senses.hear(event);
}

function onLink(state, _seat, why) {
  store.link = state;
  store.why = why;
  if (state === "connected") tellEvening();
  draw();
}

/** Ask what happened before this screen came, and how to join: after connecting, and when a game has ended. */
async function tellEvening() {
  const evening = await readEvening();
  if (gameIsKnown()) log.recall(store, evening?.events ?? []);
  else earlier.splice(0, Infinity, ...(evening?.events ?? []));
  games = evening?.games ?? [];
  showGames();
  showJoin(evening ?? {});
}

/** Who won what this evening, the newest first; each game has its own words. That of the only one stands above, at its end. */
async function showGames() {
  await Promise.all(games.map((one) => learnWords(`games/${one.kind}/words`)));
  byId("tv-evening").hidden = games.length < (store.table?.phase === "over" ? 2 : 1);
  const several = new Set(games.map((one) => one.kind)).size > 1;
  const line = (one) => h("li", {}, h("span", { class: "tv-when" }, one.wall.slice(11, 16) || "–"), h("span", {}, several ? `${markedName(one.title)}: ${one.outcome}` : one.outcome));
  byId("tv-games").replaceChildren(...[...games].reverse().map(line));
}

async function showJoin({ address = "", code: open = "" }) {
  const shown = code || open;
  const answer = await fetch("qr.svg", { cache: "no-store", headers: code ? { authorization: `Code ${code}` } : {} }).catch(() => null);
  const good = answer?.ok ? answer : await fetch("qr.svg", { cache: "no-store" }).catch(() => null);
  if (good?.ok) byId("tv-qr").src = `data:image/svg+xml,${encodeURIComponent(await good.text())}`;
  byId("tv-qr").hidden = !good?.ok;
  write(byId("tv-code"), shown && answer?.ok ? SAYS.code(shown) : SAYS.hidden);
  byId("tv-code").classList.toggle("told", Boolean(shown && answer?.ok));
  write(byId("tv-address"), SAYS.address(address || location.origin));
}

function draw() {
  frame ||= requestAnimationFrame(drawNow);
}

function drawNow() {
  frame = 0;
  drawLink(SAYS.link[troubleOf(store) || store.link] ?? "", store.link);
  if (!store.table || !gameIsKnown()) return;
  const live = liveOptions(store, UI);
  const view = publicView(store);
  const over = store.table.phase === "over";
  const playing = store.table.phase !== "lobby" && view;
  document.body.dataset.phase = store.table.phase;
  document.title = translated(game().title ?? "Hextraction");
  drawWelcome(store.table.seats.filter((one) => one.kind === "person").map((one) => [one.seat, one.name]));
  write(byId("tv-invites"), SAYS.invites[store.table.phase] ?? SAYS.invites.playing);
  rememberPieces(store);
  seats(store, live, UI);
  const lobby = store.table.phase === "lobby";
  if (lobby) drawLobby(game().title ?? store.table.kind, store.table.seats.filter((one) => one.kind === "open").length);
  else drawLobby(null);
  drawLesson(lobby ? store.table.kind : "", lesson);
  drawWinners(over && view ? view.winners : [], outcomeWords(store));
  if (!poster(store)) board(store, live, UI);
  const box = byId("board").viewBox.baseVal;
  document.documentElement.style.setProperty("--board-ratio", String(box.width / box.height));
  odds(store);
  stayAwake(store);
  senses.update(store);
  drawOutcomeCard(playing ? outcomeOf(store) : null);
  const running = playing && !over && !store.table.paused ? (view.deadline_us ?? null) : null;
  drawTime(outcomeOf(store)?.deadline_us ? null : running, SAYS.time, store.table.phase === "playing" ? null : store.table.next_s ?? null);
  if (phase !== store.table.phase && phase) setTimeout(tellEvening, SOON_MS);
  phase = store.table.phase;
}

document.addEventListener("keydown", (event) => KEYS[event.key]?.());
startCountdowns();
if (!still.matches) setInterval(() => { lesson += 1; if (store.table?.phase === "lobby") draw(); }, LESSON_MS);
