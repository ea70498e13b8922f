// Whole MQTT packets out of a websocket's frames: one frame may bring several packets, or a piece of one
// (MQTT 5.0, MQTT-6.0.0-2).

const MOST_LENGTH_BYTES = 4;

/**
 * A reader of one connection: give it the bytes of each frame, it returns all packets that are complete by now, one after
 * the other, and keeps what is left for the next frame; null if that cannot be MQTT.
 */
export function packetReader() {
  let kept = new Uint8Array();
  return (bytes) => {
    const all = new Uint8Array(kept.length + bytes.length);
    all.set(kept);
    all.set(bytes, kept.length);
    let end = 0;
    let size = packetSize(all, end);
    for (; size; size = packetSize(all, end)) end += size;
    kept = all.subarray(end);
    return size === null ? null : all.subarray(0, end);
  };
}

/** The bytes of the packet that begins there, 0 while it is not all there, or null if it has no such length. */
function packetSize(bytes, start) {
  let body = 0;
  for (let place = 1; place <= MOST_LENGTH_BYTES; place += 1) {
    const byte = bytes[start + place];
    if (byte === undefined) return 0;
    body += (byte & 0x7f) * 0x80 ** (place - 1);
    if (byte < 0x80) return start + 1 + place + body <= bytes.length ? 1 + place + body : 0;
  }
  return null;
}
