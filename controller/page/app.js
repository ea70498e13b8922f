// Joins the parts: what the link brings goes into `store`, what the player picks into `ui`, and one frame draws both.

import { actOf, amountsOf } from "./scene/amounts.js";
import { createAnother } from "./seats/another.js";
import { createBanner } from "./shell/banner.js";
import { createCheck } from "./shell/check.js";
import { createCheer } from "./shell/cheer.js";
import { createCoils } from "./shell/coils.js";
import { readEvening } from "./link/evening.js";
import { learn, learnBoot, startCountdowns } from "./elements/clock.js";
import { byId } from "./elements/dom.js";
import { game, gameIsKnown, useGame, wholeGame } from "./scene/games.js";
import { consequence } from "./scene/groups.js";
import { createHold, createResting } from "./elements/hold.js";
import { createHowTo } from "./shell/howto.js";
import { openLink } from "./link/link.js";
import { createLobby } from "./seats/lobby.js";
import { forgetHands, noteHands } from "./board/hands.js";
import { createLog } from "./replay/log.js";
import { createLookup } from "./scene/lookup.js";
import { ourTurn, privateView, publicView } from "./scene/model.js";
import { createNames } from "./shell/names.js";
import { createOdds } from "./board/odds.js";
import { createOutcome, winningRoll } from "./replay/outcome.js";
import { createAwake, createHome, plays } from "./shell/phone.js";
import { createReplay } from "./replay/replay.js";
import { createDragging, createRoaming } from "./board/roam.js";
import { forgetPieces, rememberPieces } from "./scene/seen.js";
import { speak } from "./seats/speaking.js";
import { createSenses } from "./shell/senses.js";
import { createSeats } from "./seats/seats.js";
import { createSensors } from "./shell/sensors.js";
import { createSheet, hush, showGame, showLink, toast } from "./shell/shell.js";
import { atOnce, liveOptions, playedFirst } from "./scene/targets.js";
import { bringIntoView } from "./board/spotlight.js";
import { createText } from "./board/text.js";
import { createCalm } from "./tray/calm.js";
import { createLaying, preview } from "./tray/laying.js";
import { createTray } from "./tray/tray.js";
import { createTrouble } from "./shell/trouble.js";
import { board, glance, tapped } from "./board/glance.js";
import { codeFromAddress } from "./link/key.js";
import { translated } from "./words/sentences.js";

// The connection takes a while, and so does the rest of the game: what comes before that is here waits.
const waiting = [];
let hear = (go) => void waiting.push(go);
const code = codeFromAddress();
const link = openLink({
  onMessage: (topic, payload) => hear(() => onMessage(topic, payload)),
  onLink: (state, seat, why) => hear(() => onLink(state, seat, why)),
  onForgotten: () => hear(onForgotten),
  invited: Boolean(code),
  session: glance.session,
});
await wholeGame();

/** @type {Store} */
const store = { status: null, info: null, table: null, odds: null, state: null, view: null, views: null, told: null, own: null, seat: null, shared: false, called: null, link: "connecting", why: "", forgotten: false };
const NOTHING = { group: null, slot: null, ramp: null, zone: null, tile: null, turn: 0, prompt: 0, sure: null, own: null, pass: null, list: false, amounts: null };
const ui = { ...NOTHING, preview: null, shownTurns: 0, more: false, uncovered: null, last: null }; // `last`: what somebody did last, {slot, text}
const FLASH_MS = 900;
const LATER_MS = 1500;
const calm = createCalm();
const laying = createLaying(ui, act);
let frame = 0;
let unanswered = 0;
let line = Promise.resolve();

const taps = { onSlot: tapSlot, onRamp: tapRamp, onZone: tapZone };
const text = createText(byId("text"), taps);
const seats = createSeats(byId("seats"), byId("headline"), byId("facts"), byId("score"));
const held = createHold("#dock, .side, .spots", draw);
const settle = createResting(byId("dock"));
const addLine = createLog(byId("log"));
const say = (table, seat = store.own) => send({ table, game: store.table?.game ?? "" }, seat);
const tray = createTray(byId("tray"), { act, choose, say });
const lobby = createLobby({
  say,
  join: link.join,
  leave: link.leave,
  retryNow: link.retryNow,
  another: createAnother(say),
  complain: toast,
  hush,
  code,
});
const trouble = createTrouble(link, toast);
const replay = createReplay(board.show);
const senses = createSenses();
const panels = [createSensors(say), createBanner(say, () => winningRoll(store) || (ui.last?.text ?? "")), createCoils(say), createCheck(say), createOutcome(byId("outcome")), createHowTo(), createCheer(), createOdds(), createAwake(plays), senses.update];
let sheets = [];
const early = [];

function onMessage(topic, payload) {
  if (topic === "event") return happened(payload);
  if (topic === "status" && payload.boot !== store.status?.boot) {
    learnBoot(payload.boot);
    if (store.status) link.greet();
  }
  if (topic === "state") gotState(payload);
  if (topic === "view") store.views = payload;
  else if (topic in store) store[topic] = payload;
  if (store.table) useGame(store.table.kind || store.info?.game, gotGame);
  draw();
}

/** Another game is played at this table: it brings its own sheets and words. */
function gotGame(played) {
  byId("game").replaceChildren();
  Object.assign(ui, NOTHING);
  sheets = (played.sheets ?? []).map((sheet) => sheet.make({ say, act: enter, tell: toast })).filter(Boolean);
  showGame(played);
  for (const event of early.splice(0)) happened(event);
  catchUp();
  draw();
}

/** Ask what happened in this game before this phone came, or while it was away: the board comes first. */
async function catchUp() {
  await new Promise((go) => setTimeout(go, LATER_MS));
  const evening = await readEvening();
  const game = store.state?.game;
  if (gameIsKnown()) addLine.recall(store, (evening?.events ?? []).filter((event) => event.game === game));
}

function gotState(payload) {
  learn(payload.at_us);
  const other = store.state && store.state.game !== payload.game;
  if (!other) return;
  Object.assign(ui, NOTHING);
  addLine.forget();
  ui.last = store.told = null;
  forgetPieces();
  forgetHands();
  if (store.views?.game !== payload.game) link.greet();
}

function happened(event) {
  learn(event.at_us);
  if (!gameIsKnown()) return void early.push(event);
  addLine(store, event);
  senses.hear(event);
  store.told = event;
  if (!store.info?.simulated) noteHands(event, toast, draw); // A simulated board has hands of its own.
  if (event.seat && event.slot) ui.last = event; // It stays marked on the board, and is told at the end.
  if (ui.last === event || game().tells) draw();
  const node = event.slot ? document.querySelector(`#board [data-slot="${CSS.escape(event.slot)}"]`) : null;
  if (!node) return;
  node.classList.add("flash");
  setTimeout(() => node.classList.remove("flash"), FLASH_MS);
}

/** The key of our seat opens nothing any more: the way back is to sit down again. */
function onForgotten() {
  store.forgotten = true;
}

function onLink(state, seat, why) {
  store.link = state;
  store.why = why;
  if (seat) store.forgotten = false;
  if (seat !== store.own) store.views = null;
  if (state === "connected" && gameIsKnown()) catchUp();
  store.own = seat;
  draw();
}

function draw() {
  frame ||= requestAnimationFrame(drawNow);
}

function drawNow() {
  frame = 0;
  speak(store);
  if (ui.uncovered !== store.seat) ui.uncovered = null; // Somebody else has the phone now.
  showLink(store);
  trouble(store);
  if (held()) return;
  if (store.table && !gameIsKnown()) return; // The game's file is on its way.
  const live = gameIsKnown() ? liveOptions(store, ui) : null;
  seats(store, live, ui);
  lobby(store);
  if (!live) return;
  rememberPieces(store);
  laying.see(live);
  preview(live, ui);
  board(store, live, ui);
  text(store, live);
  tray(store, live, ui);
  calm.see(publicView(store), live.options);
  bringIntoView(live, store.table?.check?.place);
  replay.update(store);
  for (const keep of [...panels, ...sheets]) keep(store);
  settle();
  call();
}

/** Tell the player that the game waits for them, by the title; what is heard and felt then is the senses'. */
function call() {
  const ours = ourTurn(store);
  const title = game().title ?? "Hextraction";
  document.title = translated(ours ? `● Your turn · ${title}` : title);
  document.body.classList.toggle("our-turn", ours);
}

function tapSlot(slot) {
  const live = liveOptions(store, ui);
  const options = live.slots.get(slot) ?? [];
  if (atOnce(options)) return act(options[0]);
  const first = playedFirst(store, live, ui, slot);
  if (first) act(first);
  if (ui.slot === slot) choose(options.some((one) => one.turns?.length) ? { turn: ui.turn + 1 } : { slot: null });
  else choose({ slot, ramp: null, zone: null, turn: 0 });
}

function tapRamp(ramp) {
  const live = liveOptions(store, ui);
  const options = live.ramps.get(ramp) ?? [];
  const answers = live.prompt?.options.includes(options[0]);
  if (options.length === 1 && !answers && !consequence(options[0]) && !options[0].amounts?.length) act(options[0]);
  else if (options.length) choose({ ramp, slot: null, zone: null });
}

function tapZone(zone) {
  const options = liveOptions(store, ui).zones.get(zone) ?? [];
  if (atOnce(options)) act(options[0]);
  else if (options.length) choose({ zone, slot: null, ramp: null });
}

function choose(change) {
  replay.close(); // What was rolled lies over the board; now its places are wanted.
  Object.assign(ui, change);
  draw();
}

/** Send an option; what was chosen meanwhile stays chosen. */
async function act(option, turns = 0) {
  if (!calm.takes(option)) return;
  const was = { ...ui };
  laying.begin(option, store, liveOptions(store, ui));
  const done = await send({ act: actOf(option, turns, amountsOf(option, ui)), game: store.view?.game ?? "" }, option.as ?? store.seat);
  calm.answered(option, done);
  if (done) choose(Object.fromEntries(Object.entries(NOTHING).filter(([key]) => ui[key] === was[key] && !(key === "slot" && laying.waits))));
}

/** Send an act that no option has word for word. */
function enter(position) {
  return send({ act: position, game: store.view?.game ?? "" }, store.seat);
}

/** Send one command after the other for a seat, so that no tap is lost and their order stays. What is stale the table refuses. */
function send(body, seat) {
  busy(1);
  const reply = line.then(() => ask(seat === store.own ? body : { ...body, seat }));
  line = reply.then(() => busy(-1));
  return reply;
}

/** Say that answers are awaited, as long as one is. */
function busy(more) {
  unanswered += more;
  if (unanswered) byId("tray").setAttribute("aria-busy", "true");
  else byId("tray").removeAttribute("aria-busy");
}

/** Send a command and wait for its answer; says why if it is refused. */
async function ask(body) {
  try {
    const reply = await link.command(body);
    if (!reply.ok) toast(reply.reason || `Refused: ${reply.code}.`, reply.clause);
    else hush();
    return reply.ok ? reply : false;
  } catch (error) {
    toast(error.message);
    return false;
  }
}

createSheet();
createLookup();
createHome();
createRoaming(byId("board"));
createNames(byId("board"), byId("names"));
createDragging(byId("board"), (from) => game().drags?.(privateView(store)?.options ?? [], from, publicView(store)) ?? [], act);
startCountdowns();
tapped(taps);
for (const topic of ["status", "info", "table", "state"]) if (glance[topic]) onMessage(topic, glance[topic]);
if (gameIsKnown()) gotGame(game());
hear = (go) => go();
for (const go of waiting.splice(0)) go();
