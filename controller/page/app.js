// Joins the parts: what the link brings goes into `store`, what the player picks into `ui`, and one frame draws both.

import { createBoard } from "./board.js";
import { learn, learnBoot, startCountdowns } from "./clock.js";
import { byId } from "./dom.js";
import { openLink } from "./link.js";
import { createLobby } from "./lobby.js";
import { createLog } from "./log.js";
import { createLookup } from "./lookup.js";
import { ourTurn, privateView } from "./model.js";
import { turnsOf } from "./options.js";
import { createSeats } from "./seats.js";
import { createSheet, showLink, toast } from "./shell.js";
import { actOf, atOnce, liveOptions } from "./targets.js";
import { createText } from "./text.js";
import { createTray } from "./tray.js";

const store = { status: null, info: null, table: null, state: null, view: null, seat: null, link: "connecting" };
const ui = { group: null, slot: null, ramp: null, tile: null, turn: 0, prompt: 0, preview: null, shownTurns: 0, more: false };
const FLASH_MS = 900;
const seenTiles = new Map();
let frame = 0;
let calledUs = false;
let pending = false;
let told = Promise.resolve();

const taps = { onSlot: tapSlot, onRamp: tapRamp, onZone: tapZone };
const board = createBoard(byId("board"), taps);
const text = createText(byId("text"), taps);
const seats = createSeats(byId("seats"), byId("headline"), byId("facts"));
const tray = createTray(byId("tray"), { act, choose });
const addLine = createLog(byId("log"));
const link = openLink({ onMessage, onLink });
const lobby = createLobby({
  say: (table) => send({ table, game: store.table?.game ?? "" }),
  join: link.join,
  leave: link.leave,
  retryKey: link.retryKey,
  complain: toast,
});

function onMessage(topic, payload) {
  if (topic === "event") return happened(payload);
  if (topic === "status" && payload.boot !== store.status?.boot) {
    learnBoot(payload.boot);
    if (store.status) link.greet();
  }
  if (topic === "state") gotState(payload);
  if (topic in store) store[topic] = payload;
  draw();
}

function gotState(payload) {
  learn(payload.at_us);
  const other = store.state && store.state.game !== payload.game;
  if (!other) return;
  Object.assign(ui, { group: null, slot: null, ramp: null, tile: null, prompt: 0 });
  byId("log").replaceChildren();
  seenTiles.clear();
  if (store.view?.game !== payload.game) link.greet();
}

function happened(event) {
  learn(event.at_us);
  addLine(store, event);
  const node = event.slot ? document.querySelector(`#board [data-slot="${CSS.escape(event.slot)}"]`) : null;
  if (!node) return;
  node.classList.add("flash");
  setTimeout(() => node.classList.remove("flash"), FLASH_MS);
}

function onLink(state, seat) {
  store.link = state;
  if (seat !== store.seat) store.view = null;
  store.seat = seat;
  draw();
}

function draw() {
  frame ||= requestAnimationFrame(drawNow);
}

function drawNow() {
  frame = 0;
  const live = liveOptions(store, ui);
  remember();
  preview(live);
  showLink(store);
  seats(store);
  board(store, live, ui);
  text(store, live);
  tray(store, live, ui);
  lobby(store);
  call();
}

/** Remember every tile that was shown to us: one that is being laid is neither in the hand nor on the board. */
function remember() {
  const tiles = [...(privateView(store)?.hand ?? []), ...(store.state?.view.slots ?? []).map((slot) => slot.tile)];
  for (const tile of tiles) if (tile) seenTiles.set(tile.id, tile);
}

/** The tile in hand that would lie on the tapped slot, with the turns chosen so far. */
function preview(live) {
  const option = (live.slots.get(ui.slot) ?? []).find((one) => one.turns?.length);
  ui.preview = null;
  ui.shownTurns = 0;
  if (!option) return;
  const tile = seenTiles.get(option.tile);
  ui.shownTurns = turnsOf(option, ui.turn);
  ui.preview = { tile: tile ?? { title: "This tile", channels: [[1]] }, turns: ui.shownTurns };
}

/** Tell the player that the game waits for them: by the title, and once by a buzz. */
function call() {
  const ours = ourTurn(store);
  document.title = ours ? "● Your turn · Hextraction" : "Hextraction";
  document.body.classList.toggle("our-turn", ours);
  if (ours && !calledUs && navigator.userActivation?.hasBeenActive !== false) navigator.vibrate?.([70, 50, 70]);
  calledUs = ours;
}

function tapSlot(slot) {
  const options = liveOptions(store, ui).slots.get(slot) ?? [];
  if (atOnce(options)) return tell(options[0]);
  if (ui.slot === slot) choose(options.length ? { turn: ui.turn + 1 } : { slot: null });
  else choose({ slot, ramp: null, turn: 0 });
}

function tapRamp(ramp) {
  const options = liveOptions(store, ui).ramps.get(ramp) ?? [];
  if (options.length === 1) tell(options[0]);
  else if (options.length) choose({ ramp, slot: null });
}

function tapZone(zone) {
  const options = liveOptions(store, ui).zones.get(zone) ?? [];
  if (options.length) tell(options[0]);
}

/** Say what a ball did: several quick taps wait for each other, so that none is lost and their order stays. */
function tell(option) {
  told = told.then(() => act(option));
  return told;
}

function choose(change) {
  Object.assign(ui, change);
  draw();
}

async function act(option, turns = 0) {
  const done = await send({ act: actOf(option, turns), game: store.view?.game ?? "" });
  if (done) choose({ group: null, slot: null, ramp: null, tile: null, turn: 0, prompt: 0 });
}

/** Send one command at a time; says why if it is refused. */
async function send(body) {
  if (pending) return false;
  pending = true;
  byId("tray").setAttribute("aria-busy", "true");
  try {
    const reply = await link.command(body);
    if (!reply.ok) toast(reply.reason || `Refused: ${reply.code}.`, reply.clause);
    return reply.ok ? reply : false;
  } catch (error) {
    toast(error.message);
    return false;
  } finally {
    pending = false;
    byId("tray").removeAttribute("aria-busy");
  }
}

createSheet();
createLookup();
startCountdowns();
