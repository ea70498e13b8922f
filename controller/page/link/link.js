// The connection: MQTT over a websocket on the page's own host. Watching needs no seat; a seat's key opens its topics.
// States told to `onLink(state, seat, why)`: connecting, connected, reconnecting (`why` in words), taken (somebody else
// has our seat), elsewhere (the seat was opened in another window). A key that opens nothing any more is dropped at once.

import { forget, load, randomId, save } from "./key.js";
import { openWire } from "./wire.js";

const PUBLIC = ["status", "info", "table", "state", "event"];
const RETRY_MS = 1000;
const REPLY_MS = 8000;
const LATE_MS = 5000;
const STALE_MS = 15000;
const ANSWER_MS = 3000;
const BEAT_MS = 500;
const QUIET_MS = 900;
const DEAD_MS = 2400;
const NO_NETWORK = "This phone has no network now.";
const UNREACHABLE = "This phone does not reach the board. Is it in the board's Wi-Fi, and is the board on?";
const BROKEN_OFF = "The connection to the board broke off.";
const NOT_KNOWN_YET = "The board is starting and does not know this phone yet.";
const NOT_ALLOWED = new Set([4, 5, 0x86, 0x87]);
const TAKEN_OVER = 0x8e;
const PHONE = randomId();

/**
 * Open the link; `onMessage(topic, payload)` gets topics without their prefix, `onForgotten()` is told that the seat's
 * key was dropped. With a code in the address (`invited`) the key of an earlier table is looked at first; who only `watches`
 * has none, whatever this browser keeps. A watcher's `session` that came with the page need not be asked for.
 */
export function openLink({ onMessage, onLink, onForgotten = () => {}, invited = false, watches = false, session = null }) {
  let wire = null;
  let key = watches ? null : load();
  let prefix = "";
  let retry = 0;
  let heard = 0;
  let beaten = 0;
  let pinged = 0;
  let hiddenAt = 0;
  let round = 0;
  const waiting = new Map();

  /** Connect anew; `ask` whether the table still knows our key, and if not, why. */
  async function open({ ask = false } = {}) {
    clearTimeout(retry);
    close();
    const mine = ++round;
    let login;
    try {
      login = await credentials(ask);
    } catch (error) {
      if (mine === round) again(error.message);
      return;
    }
    if (mine !== round) return;
    if (!login) return tell("taken");
    prefix = login.prefix.replace(/\/+$/, "");
    connect(login);
  }

  /** What to log in with, or null if somebody else has our seat; fails with the reason why nobody comes in now. */
  async function credentials(ask) {
    if (!key) {
      const given = session;
      session = null;
      return given ?? request("session");
    }
    if (!ask) return key;
    const { state } = await request("key", { user: key.user, password: key.password });
    if (state === "yours") return key;
    if (state === "taken") return null;
    forget(key);
    key = load();
    if (key) return key;
    onForgotten();
    return request("session");
  }

  function connect(login) {
    const ours = (act) => (...input) => mine === wire && act(...input);
    const mine = openWire({
      name: `page-${randomId()}`,
      user: login.user,
      password: login.password,
      will: key ? { topic: own("here"), payload: here(false), qos: 1, retain: true } : undefined,
      patienceMs: ANSWER_MS,
      onUp: ours(arrived),
      onMessage: ours(received),
      onHeard: ours(() => (heard = performance.now())),
      onDown: ours((reason) => (reason === TAKEN_OVER ? takenOver() : NOT_ALLOWED.has(reason) ? refused() : again(BROKEN_OFF))),
    });
    wire = mine;
  }

  async function arrived() {
    const mine = wire;
    const topics = [...PUBLIC, "odds"].map((name) => `${prefix}/${name}`);
    onMessage("odds", null); // Whether this connection may read them is the broker's affair.
    if (key) topics.push(own("view"), own("reply"));
    await mine.subscribe(topics);
    if (mine !== wire || !mine.up) return;
    tell("connected");
    if (!key) return;
    for (const one of waiting.values()) one.again();
    greet();
  }

  /** Say that this phone is here and ask for the seat's view: after connecting, and when the controller has started anew. */
  function greet() {
    if (!key || !wire?.up) return;
    wire.publish(own("here"), here(true), { retain: true });
    command({ hello: true }).catch(() => {});
  }

  function received(topic, bytes) {
    let payload;
    try {
      payload = JSON.parse(new TextDecoder().decode(bytes));
    } catch {
      return;
    }
    if (key && topic === own("reply")) settle(payload);
    else if (key && topic === own("view")) onMessage("view", payload);
    else onMessage(topic.slice(prefix.length + 1), payload);
  }

  /** The broker turned us off: after a restart it may not know the seats yet, and a watcher's password may be new. */
  function refused() {
    if (!key) return again(NOT_KNOWN_YET);
    close();
    tell("connecting");
    const mine = round;
    request("key", { user: key.user, password: key.password })
      .then(({ state }) => mine === round && (state === "yours" ? again(NOT_KNOWN_YET) : open({ ask: true })))
      .catch((error) => mine === round && again(error.message));
  }

  function takenOver() {
    close();
    tell("elsewhere");
  }

  /** Say why there is no connection, and try again in a second. */
  function again(why) {
    close();
    tell("reconnecting", navigator.onLine === false ? NO_NETWORK : why);
    clearTimeout(retry);
    retry = setTimeout(() => open({ ask: true }), RETRY_MS);
  }

  function close() {
    const old = wire;
    wire = null;
    old?.close();
  }

  /** What was said for a seat that is no longer ours is not said again. */
  function drop() {
    for (const { fail } of waiting.values()) fail(new Error("The connection was lost."));
    waiting.clear();
  }

  function tell(state, why = "") {
    onLink(state, key?.seat ?? null, why);
  }

  /** Notice within three seconds that nothing comes any more: whatever the network says of itself. */
  function beat() {
    const now = performance.now();
    const asleep = now - beaten > 2 * BEAT_MS;
    beaten = now;
    if (asleep || document.visibilityState === "hidden" || !wire?.up) heard = now;
    else if (now - heard > DEAD_MS) again(BROKEN_OFF);
    else if (now - heard > QUIET_MS && now - pinged > QUIET_MS) {
      pinged = now;
      wire.ping();
    }
  }

  function own(name) {
    return `${prefix}/player/${key.seat}/${name}`;
  }

  /** Send a command of our seat; resolves with the reply, fails when there is none. */
  function command(body) {
    if (!key || !wire?.up) return Promise.reject(new Error("Not connected."));
    const id = randomId();
    const from = performance.now();
    const publish = () => wire?.publish(own("cmd"), JSON.stringify({ id, v: 1, ...body }), { expiresS: LATE_MS / 1000 });
    return new Promise((resolve, fail) => {
      const late = setTimeout(() => {
        waiting.delete(id);
        fail(new Error("The board did not answer."));
      }, REPLY_MS);
      const once = (act) => (value) => {
        clearTimeout(late);
        act(value);
      };
      // After a break it is said once more: the table answers a command that it has carried out with the same answer.
      const again = () => performance.now() - from < LATE_MS && publish();
      waiting.set(id, { resolve: once(resolve), fail: once(fail), again });
      publish();
    });
  }

  function settle(reply) {
    waiting.get(reply.id)?.resolve(reply);
    waiting.delete(reply.id);
  }

  /** Ask the gate for a seat; fails with the gate's reason. Asked again by the same phone, it gives the same seat. */
  async function join(code, name, seat) {
    await enter(await request("join", { code, name, phone: PHONE, ...(seat ? { seat } : {}) }));
  }

  /** Ask for our seat back, which somebody else has taken meanwhile; fails with the gate's reason. */
  async function takeBack() {
    await enter(await request("take-back", { user: key?.user ?? "", password: key?.password ?? "" }));
  }

  async function enter(given) {
    drop();
    key = given;
    save(key);
    await open();
  }

  /** Give up the seat's key and go on watching. */
  function leave() {
    if (key) wire?.publish(own("here"), here(false), { retain: true });
    forget(key);
    drop();
    key = null;
    open();
  }

  /** Try at once, with the same key. */
  function retryNow() {
    open({ ask: true });
  }

  function shown() {
    if (document.visibilityState === "hidden") {
      hiddenAt = performance.now();
      return;
    }
    const away = performance.now() - hiddenAt;
    if (!wire?.up || away > STALE_MS) open();
  }

  document.addEventListener("visibilitychange", shown);
  addEventListener("online", () => !wire?.up && open());
  addEventListener("pagehide", () => key && wire?.publish(own("here"), here(false), { retain: true }));
  addEventListener("pageshow", (event) => event.persisted && open());
  setInterval(beat, BEAT_MS);
  tell("connecting");
  open({ ask: invited });
  return { command, greet, join, leave, retryNow, takeBack };
}

/** Ask the gate, with a body or without; fails with the gate's reason, or with ours if it cannot be reached. */
async function request(path, body) {
  const stop = new AbortController();
  const late = setTimeout(() => stop.abort(), ANSWER_MS);
  const how = body ? { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) } : {};
  let answer;
  try {
    answer = await fetch(path, { cache: "no-store", signal: stop.signal, ...how });
  } catch {
    throw new Error(UNREACHABLE);
  } finally {
    clearTimeout(late);
  }
  const said = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(said.reason || `The board answered with an error (${answer.status}).`);
  return said;
}

function here(present) {
  return JSON.stringify({ here: present, phone: PHONE, v: 1 });
}
