// The key of our seat, kept in this browser, and random ids. The key is the seat's MQTT password.

const KEY = "hextraction.seat";
let kept = null;

/** The key that this browser keeps: {seat, user, password, prefix}, or null. */
export function load() {
  try {
    kept = JSON.parse(localStorage.getItem(KEY)) ?? kept;
  } catch {
    // Storage can be denied or hold rubbish; then the key lasts as long as the page.
  }
  return kept?.seat && kept.user && kept.prefix ? kept : null;
}

/** The join code in the address (`#j=…`), which is taken out of it; the empty text if there is none. */
export function codeFromAddress() {
  const code = new URLSearchParams(location.hash.slice(1)).get("j") ?? "";
  if (code) history.replaceState(null, "", location.pathname);
  return code;
}

/** Keep a key. */
export function save(key) {
  kept = key;
  try {
    localStorage.setItem(KEY, JSON.stringify(key));
  } catch {
    // As above.
  }
}

/** Forget this key: its seat is given up. One that another window of this browser has got meanwhile stays. */
export function forget(key) {
  if (load()?.user !== key?.user) return;
  kept = null;
  try {
    localStorage.removeItem(KEY);
  } catch {
    // As above.
  }
}

/** 96 random bits as text. Plain http has no crypto.randomUUID. */
export function randomId() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
