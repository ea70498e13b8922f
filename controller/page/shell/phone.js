// What a phone does for the page where its browser allows it: its screen stays on while somebody plays, and the page can be
// put on the home screen. On plain http most browsers offer neither; then nothing happens, and the help says what to do.

import { byId } from "../elements/dom.js";

/** Whether this browser lets a page keep the screen on: in a secure context only. */
const CAN_STAY_AWAKE = globalThis.isSecureContext && "wakeLock" in navigator;

/** Keep the screen on while `wanted(store)`, and the page is in sight. Returns `update(store)`. */
export function createAwake(wanted) {
  let useful = false;
  let lock = null;
  let asking = false;

  async function see() {
    if (!CAN_STAY_AWAKE || asking) return;
    if (!useful) return void lock?.release();
    if (lock || document.visibilityState !== "visible") return;
    asking = true;
    try {
      lock = await navigator.wakeLock.request("screen");
      lock.addEventListener("release", () => (lock = null));
    } catch {
      lock = null; // The phone may say no, when its battery is low.
    }
    asking = false;
    if (!useful) lock?.release();
  }

  document.addEventListener("visibilitychange", see);
  return function update(store) {
    if (wanted(store) === useful) return;
    useful = !useful;
    see();
  };
}

/** Somebody who plays looks at the screen more than they touch it. */
export function plays(store) {
  return Boolean(store.seat) && store.table?.phase === "playing" && !store.table.paused;
}

/** Say in the help what this browser can do, and offer the home screen when the browser does. */
export function createHome() {
  byId("help-sleeps").hidden = CAN_STAY_AWAKE;
  byId("help-awake").hidden = !CAN_STAY_AWAKE;
  let offer = null;
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    offer = event;
    byId("home-add").hidden = false;
  });
  byId("home-add").addEventListener("click", () => {
    offer?.prompt();
    offer = null;
    byId("home-add").hidden = true;
  });
}
