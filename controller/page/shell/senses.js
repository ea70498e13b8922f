// What a game sounds and feels like on this phone: balls that roll and touch, one's turn, the end. One switch in the page's head.

import { button, byId, h, setLabel } from "../elements/dom.js";
import { game } from "../scene/games.js";
import { ourTurn, publicView } from "../scene/model.js";
import { higher, openMouth, sound, startRolling } from "./sounds.js";

const KEY = "hextraction.sounds";
/** What is heard when the table tells of it, by the kind of the event. */
const HEARD = { touch: "touch", fell: "fall", off: "fall", zone: "goal", five: "goal", win: "win", over: "over" };
/** What is felt with it: milliseconds of buzzing and of rest, in turn. */
const FELT = { touch: [14], bell: [30, 40, 30], fall: [90], goal: [40, 50, 40, 50, 120], turn: [70, 50, 70], win: [60, 60, 60, 60, 200], over: [150] };
const APART_S = 0.09;
const LATEST_S = 0.7;
const GESTURES = ["click", "keydown"]; // after one of these a browser lets a page be heard

/** What plays sounds, once somebody has touched the page: browsers want it so, and say so in their log. */
function createVoice() {
  let mouth = null;
  let stop = null;
  let free = 0;

  return {
    /** Be ready; after a gesture only. */
    wake() {
      if (!globalThis.AudioContext) return;
      try {
        mouth ??= openMouth(new AudioContext());
      } catch {
        return; // A device without a loudspeaker; the game goes on without.
      }
      if (mouth.context.state === "suspended") mouth.context.resume().catch(() => {});
    },
    /** What comes at once is heard one after the other; what would come too late is left out. */
    say(name, pitch) {
      if (!mouth) return;
      const now = mouth.context.currentTime;
      const at = Math.max(now, free);
      if (at - now > LATEST_S) return;
      free = at + APART_S;
      sound(mouth, name, at, pitch);
    },
    roll(on) {
      if (on && mouth) stop ??= startRolling(mouth);
      else if (stop) {
        stop();
        stop = null;
      }
    },
    /** Go on after a sleep; nothing is begun. */
    again() {
      if (mouth) this.wake();
    },
    sleep() {
      this.roll(false);
      mouth?.context.suspend();
    },
  };
}

/** A buzz, where there is one: only after a gesture, or the browser complains. */
function buzz(name) {
  if (FELT[name] && navigator.userActivation?.hasBeenActive !== false) navigator.vibrate?.(FELT[name]);
}

/**
 * Whether this phone is heard, as its owner has chosen: `on`, `off`, or nothing yet. `room` keeps that apart for the big screen.
 */
function createChoice(room) {
  const key = room ? `${KEY}.${room}` : KEY;
  let made = "";
  try {
    made = localStorage.getItem(key) ?? "";
  } catch {
    // Storage can be denied; then it holds as long as the page.
  }
  return {
    get made() {
      return made;
    },
    make(on) {
      made = on ? "on" : "off";
      try {
        localStorage.setItem(key, made);
      } catch {
        // As above.
      }
    },
  };
}

/**
 * Wire up the switch. `hear(event)` gets what the table tells, `update(store)` what it shows, `turn(on)` switches.
 * Whoever has not chosen hears nothing, and is only called by a buzz when it is their turn; whoever wants no motion
 * feels only that.
 */
export function createSenses({ room = "" } = {}) {
  const choice = createChoice(room);
  const voice = createVoice();
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const toggle = byId("sounds");
  const question = byId("sounds-ask");
  let touches = 0;
  let rolls = false;
  let called = false;

  function show() {
    if (!toggle) return;
    const on = choice.made === "on";
    toggle.setAttribute("aria-pressed", String(on));
    setLabel(toggle, "Sounds");
  }

  function turn(on) {
    choice.make(on);
    show();
    if (!on) return voice.sleep();
    voice.wake();
    voice.say("goal");
    if (rolls) voice.roll(true);
  }

  function sense(name, pitch = 1) {
    if (choice.made !== "on") return;
    voice.say(name, pitch);
    if (!calm.matches) buzz(name);
  }

  function hear(event) {
    const name = HEARD[event.kind] ?? game().sounds?.[event.kind];
    if (!name || document.visibilityState === "hidden") return;
    if (name === "touch") touches += 1;
    sense(name, name === "touch" ? higher(touches) : 1);
  }

  function update(store) {
    const view = publicView(store);
    const moves = store.link === "connected" && !store.table?.paused && Boolean(view?.balls?.some((ball) => ball.moving));
    if (moves && !rolls) touches = 0;
    rolls = moves;
    voice.roll(moves && choice.made === "on" && document.visibilityState !== "hidden");
    const ours = ourTurn(store);
    if (ours && !called) call();
    called = ours;
    ask(store);
  }

  function call() {
    if (choice.made === "on") voice.say("turn");
    if (choice.made !== "off") buzz("turn");
  }

  /** Ask once, whoever has a seat: below what is played with, so that nothing moves and nobody has to answer. */
  function ask(store) {
    if (!question) return;
    const open = Boolean(store.seat) && !choice.made && Boolean(globalThis.AudioContext);
    if (question.hidden === !open) return;
    question.hidden = !open;
    question.replaceChildren(...(open ? drawQuestion() : []));
  }

  function drawQuestion() {
    const { heard, sounds = {} } = game();
    const sample = () => {
      voice.wake();
      if (heard) for (const touch of [1, 2, 3]) voice.say("touch", higher(touch));
      else for (const name of new Set(Object.values(sounds))) voice.say(name);
      voice.say(heard ? "goal" : "turn");
    };
    return [
      h("p", { class: "strong" }, "Sound on?"),
      h("p", { class: "hint" }, heard ?? "You hear what happens on the board, and when it is your turn."),
      h("div", { class: "buttons" }, button("Hear it", sample), button("Sound on", () => answer(true)), button("No sound", () => answer(false), { kind: "quiet" })),
    ];
  }

  function answer(on) {
    turn(on);
    question.hidden = true;
    question.replaceChildren();
  }

  toggle?.addEventListener("click", () => {
    turn(choice.made !== "on");
    if (question) question.hidden = true;
  });
  for (const one of GESTURES) addEventListener(one, () => choice.made === "on" && voice.wake());
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") voice.sleep();
    else if (choice.made === "on") voice.again();
  });
  show();
  return { hear, update, turn: () => turn(choice.made !== "on") };
}
