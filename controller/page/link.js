// The connection: MQTT over a websocket on the page's own host. Watching needs no seat; a seat's key opens its topics.
// States told to `onLink`: connecting, connected, reconnecting, refused (the key is not accepted), elsewhere
// (the seat was opened in another window).

import { forget, load, randomId, save } from "./key.js";

const PUBLIC = ["status", "info", "table", "state", "event"];
const RETRY_MS = 1000;
const REPLY_MS = 8000;
const STALE_MS = 15000;
const REFUSALS_BEFORE_GIVING_UP = 6;
const NOT_ALLOWED = new Set([4, 5, 0x86, 0x87]);
const TAKEN_OVER = 0x8e;
const PHONE = randomId();

/** Open the link; `onMessage(topic, payload)` gets topics without their prefix. */
export function openLink({ onMessage, onLink }) {
  let client = null;
  let key = load();
  let prefix = "";
  let refusals = 0;
  let retry = 0;
  let hiddenAt = 0;
  let round = 0;
  const waiting = new Map();

  async function open() {
    clearTimeout(retry);
    close();
    const mine = ++round;
    const login = await credentials();
    if (mine !== round) return;
    if (!login) return again();
    prefix = login.prefix.replace(/\/+$/, "");
    connect(login);
  }

  async function credentials() {
    if (key) return key;
    try {
      const answer = await fetch("session", { cache: "no-store" });
      return answer.ok ? await answer.json() : null;
    } catch {
      return null;
    }
  }

  function connect(login) {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const mine = mqtt.connect(`${scheme}://${location.host}/mqtt`, options(login));
    client = mine;
    const ours = (act) => (...input) => mine === client && act(...input);
    mine.on("connect", ours(arrived));
    mine.on("message", ours(received));
    mine.on("close", ours(() => tell("reconnecting")));
    mine.on("error", ours((error) => NOT_ALLOWED.has(error.code) && refused()));
    mine.on("disconnect", ours((packet) => packet.reasonCode === TAKEN_OVER && takenOver()));
  }

  function options(login) {
    const will = key && { topic: own("here"), payload: here(false), qos: 1, retain: true };
    return {
      protocolVersion: 5,
      clientId: `page-${randomId()}`,
      username: login.user,
      password: login.password,
      clean: true,
      keepalive: 15,
      reconnectPeriod: RETRY_MS,
      connectTimeout: 5000,
      timerVariant: "native", // The worker timers of the library need a blob: worker, which the policy forbids.
      ...(will ? { will } : {}),
    };
  }

  function arrived() {
    refusals = 0;
    const topics = PUBLIC.map((name) => `${prefix}/${name}`);
    if (key) topics.push(own("view"), own("reply"));
    const mine = client;
    mine.subscribe(topics, { qos: 1 }, () => {
      if (mine !== client || !mine.connected) return;
      tell("connected");
      if (!key) return;
      greet();
    });
  }

  /** Say that this phone is here and ask for the seat's view: after connecting, and when the controller has started anew. */
  function greet() {
    if (!key || !client?.connected) return;
    client.publish(own("here"), here(true), { qos: 1, retain: true });
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

  function refused() {
    refusals += 1;
    if (key && refusals >= REFUSALS_BEFORE_GIVING_UP) {
      close();
      return tell("refused");
    }
    again(); // After a restart the broker may not know the seats yet, and a watcher's password may be new.
  }

  function takenOver() {
    close();
    tell("elsewhere");
  }

  function again() {
    close();
    tell("reconnecting");
    retry = setTimeout(open, RETRY_MS);
  }

  function close() {
    const old = client;
    client = null;
    if (old) old.end(true);
    for (const { fail } of waiting.values()) fail(new Error("The connection was lost."));
    waiting.clear();
  }

  function tell(state) {
    onLink(state, key?.seat ?? null);
  }

  function own(name) {
    return `${prefix}/player/${key.seat}/${name}`;
  }

  /** Send a command of our seat; resolves with the reply, fails when there is none. */
  function command(body) {
    if (!key || !client?.connected) return Promise.reject(new Error("Not connected."));
    const id = randomId();
    const sent = { qos: 1, properties: { messageExpiryInterval: 5 } };
    return new Promise((resolve, fail) => {
      const late = setTimeout(() => {
        waiting.delete(id);
        fail(new Error("The controller did not answer."));
      }, REPLY_MS);
      const once = (act) => (value) => {
        clearTimeout(late);
        act(value);
      };
      waiting.set(id, { resolve: once(resolve), fail: once(fail) });
      client.publish(own("cmd"), JSON.stringify({ id, v: 1, ...body }), sent);
    });
  }

  function settle(reply) {
    waiting.get(reply.id)?.resolve(reply);
    waiting.delete(reply.id);
  }

  /** Ask the gate for a seat; fails with the gate's reason. */
  async function join(code, name, seat) {
    const answer = await fetch("join", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(seat ? { code, name, seat } : { code, name }),
    });
    const said = await answer.json().catch(() => ({}));
    if (!answer.ok) throw new Error(said.reason || "The table did not let you in.");
    key = said;
    save(key);
    await open();
  }

  /** Ask for our seat back, which somebody else has taken meanwhile; fails with the gate's reason. */
  async function takeBack() {
    const answer = await fetch("take-back", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ user: key?.user ?? "", password: key?.password ?? "" }),
    });
    const said = await answer.json().catch(() => ({}));
    if (!answer.ok) throw new Error(said.reason || "The table did not give the seat back.");
    key = said;
    save(key);
    refusals = 0;
    await open();
  }

  /** Give up the seat's key and go on watching. */
  function leave() {
    if (key && client?.connected) client.publish(own("here"), here(false), { qos: 1, retain: true });
    forget();
    key = null;
    refusals = 0;
    open();
  }

  /** Try the same key again. */
  function retryKey() {
    refusals = 0;
    open();
  }

  function shown() {
    if (document.visibilityState === "hidden") {
      hiddenAt = performance.now();
      return;
    }
    const away = performance.now() - hiddenAt;
    if (!client?.connected || away > STALE_MS) open();
  }

  document.addEventListener("visibilitychange", shown);
  addEventListener("online", () => !client?.connected && open());
  addEventListener("pagehide", () => key && client?.connected && client.publish(own("here"), here(false), { qos: 1, retain: true }));
  addEventListener("pageshow", (event) => event.persisted && open());
  tell("connecting");
  open();
  return { command, greet, join, leave, retryKey, takeBack };
}

function here(present) {
  return JSON.stringify({ here: present, phone: PHONE, v: 1 });
}
