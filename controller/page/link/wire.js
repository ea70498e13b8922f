// MQTT over a websocket on the page's own host: one connection, from its login to its end, which comes once.

import { packetReader } from "./packets.js";
import { MQTTClient } from "../vendored/u8-mqtt.min.js";

const KEEP_ALIVE_S = 15;

/**
 * Connect. `login` has user, password and perhaps a will; who is told: `onUp()` when the broker has let us in,
 * `onMessage(topic, bytes)`, `onHeard()` whenever anything arrives, and once `onDown(reason)` with the code of the broker's
 * refusal or farewell, or null if the connection just broke off or took longer than `patienceMs`.
 */
export function openWire({ name, user, password, will, patienceMs, onUp, onMessage, onHeard, onDown }) {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const socket = new WebSocket(`${scheme}://${location.host}/mqtt`, ["mqtt"]);
  let state = "opening";
  const client = new MQTTClient({
    on_mqtt_type: {
      mqtt_publish(packet) {
        if (packet.qos) quietly(client.puback(packet));
        onMessage(packet.topic, packet.payload);
      },
      mqtt_disconnect: (packet) => end(Number(packet.reason ?? 0)),
    },
    log_conn() {},
    on_error: () => end(null),
  });
  const late = setTimeout(() => end(null), patienceMs);
  socket.addEventListener("message", onHeard);
  socket.addEventListener("close", () => end(null));
  client.with_websock(inPackets(socket, () => end(null))).connect({ client_id: name, username: user, password, will, keep_alive: KEEP_ALIVE_S, flags: { clean_start: true } })
    .then(up, (error) => end(typeof error?.reason === "object" ? Number(error.reason) : null));

  function up() {
    if (state !== "opening") return;
    clearTimeout(late);
    state = "up";
    onUp();
  }

  /** The end, once: a socket that is closed without a farewell lets the broker tell our will. */
  function end(reason) {
    if (!close()) return;
    onDown(reason);
  }

  function close() {
    if (state === "over") return false;
    state = "over";
    clearTimeout(late);
    socket.close();
    return true;
  }

  return {
    get up() {
      return state === "up";
    },
    /** Hear these topics; resolves when the broker has agreed. */
    subscribe: (topics) => client.subscribe({ topics, qos: 1 }),
    publish(topic, payload, { retain = false, expiresS = 0 } = {}) {
      if (state === "up") quietly(client.pub({ topic, payload, qos: 1, retain }, expiresS ? { props: { message_expiry_interval: expiresS } } : undefined));
    },
    ping: () => state === "up" && quietly(client.ping()),
    close,
  };
}

/**
 * The same socket, with whole packets in each message: after a packet that came in pieces, u8-mqtt 0.6.7 goes on waiting
 * for as many bytes as that one had, so that the phone would show the table as it was some messages ago.
 */
function inPackets(socket, onNonsense) {
  const read = packetReader();
  const line = {
    onopen: null, onmessage: null, onerror: null, onclose: null,
    get readyState() {
      return socket.readyState;
    },
    send: (bytes) => socket.readyState < WebSocket.CLOSING && socket.send(bytes), // The client may still be answering.
  };
  socket.binaryType = "arraybuffer";
  for (const kind of ["open", "error", "close"]) socket.addEventListener(kind, (event) => line[`on${kind}`]?.(event));
  socket.addEventListener("message", ({ data }) => {
    const packets = read(new Uint8Array(data));
    if (packets === null) onNonsense();
    else if (packets.length) line.onmessage?.({ data: packets });
  });
  return line;
}

/** What is lost with the connection is told by the connection's end. */
function quietly(promise) {
  promise.catch(() => {});
}
