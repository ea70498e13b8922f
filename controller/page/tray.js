// The tray at the hand's reach: what is asked, what may be done, the hand; for watchers the slot they tapped.

import { h } from "./dom.js";
import { drawHand, drawInspect } from "./hand.js";
import { describe, nameOf, privateView, publicView, slotOf } from "./model.js";
import { drawOptions, drawPick } from "./options.js";
import { drawPrompt, drawVote } from "./prompts.js";
import { showCountdown } from "./clock.js";

/** Keep the tray up to date; `act(option, turns)` sends, `choose(change)` changes what is chosen. */
export function createTray(root, { act, choose }) {
  let last = "";
  return function update(store, live, ui) {
    const key = JSON.stringify(relevant(store, ui));
    if (key === last) return;
    last = key;
    keepPlace(root, () => root.replaceChildren(...sections(store, live, ui, { act, choose }).flat().filter(Boolean)));
    root.hidden = root.childElementCount === 0;
  };
}

/** What the tray depends on. Not the whole snapshot: ten redraws a second would take the button from under a finger. */
function relevant(store, ui) {
  const { vote, waiting, deadline_us, phase } = publicView(store) ?? {};
  const tapped = ui.slot ? [describe(store, ui.slot), slotOf(store, ui.slot).tile] : null;
  return [store.seat, privateView(store), vote, waiting, deadline_us, phase, ui, tapped, store.table];
}

function sections(store, live, ui, { act, choose }) {
  const view = publicView(store);
  const mine = privateView(store);
  const picked = (ui.slot ? live.slots.get(ui.slot) : live.ramps.get(ui.ramp)) ?? [];
  const tools = { ui, act, choose };
  return [
    picked.length ? drawPick({ place: ui.slot ?? `ramp ${ui.ramp}`, options: picked, tile: ui.slot ? tileAt(store, ui.slot) : null, ...tools }) : inspect(store, ui, choose),
    view?.vote ? drawVote(view.vote, (seat) => nameOf(store, seat)) : null,
    settling(view),
    live.prompt && !picked.length ? drawPrompt({ prompt: live.prompt, prompts: live.prompts, ...tools }) : null,
    waiting(view),
    mine && !live.prompt && !picked.length ? drawOptions({ options: live.options, hand: mine.hand, ...tools }) : null,
    mine?.owed.length ? h("p", { class: "hint" }, `You still owe: ${mine.owed.join(", ")}.`) : null,
    mine?.hand.length ? drawHand({ hand: mine.hand, options: live.options, ...tools }) : null,
  ];
}

function inspect(store, ui, choose) {
  if (!ui.slot) return null;
  const tile = tileAt(store, ui.slot);
  const owner = tile?.owner ? nameOf(store, tile.owner) : null;
  return drawInspect({ text: describe(store, ui.slot), tile, owner, close: () => choose({ slot: null }) });
}

/** The tile that lies on a slot, be it only a part of it. */
function tileAt(store, name) {
  const slot = slotOf(store, name);
  return slot.tile ?? (slot.part_of ? slotOf(store, slot.part_of).tile : null);
}

/** A time that runs for everybody. While the board settles, anybody may still speak up. */
function settling(view) {
  if (view?.deadline_us === undefined || view?.deadline_us === null) return null;
  const node = h("span", { class: "countdown", role: "timer", "data-deadline": view.deadline_us });
  showCountdown(node);
  return h("p", { class: "settling" }, h("span", {}, view.phase === "settling" ? "Settling. Speak up now if something is wrong." : "Time left"), node);
}

function waiting(view) {
  if (!view?.waiting.length) return null;
  return h(
    "section",
    { class: "waiting", "aria-label": "Waiting effects" },
    h("ul", {}, view.waiting.map((one) => h("li", {}, h("strong", {}, `${one.title} (${one.slot})`), ` ${one.text}`))),
  );
}

/** Redraw, then give the focus and the scrolled hand back. */
function keepPlace(root, draw) {
  const focused = root.contains(document.activeElement) ? document.activeElement : null;
  const label = focused?.getAttribute("aria-label") ?? focused?.textContent;
  const scrolled = root.querySelector(".cards")?.scrollLeft ?? 0;
  draw();
  const cards = root.querySelector(".cards");
  if (cards) cards.scrollLeft = scrolled;
  if (!focused) return;
  if (focused.isConnected) return void focused.focus({ preventScroll: true });
  const again = [...root.querySelectorAll("button, summary")].find((one) => (one.getAttribute("aria-label") ?? one.textContent) === label);
  (again ?? root.querySelector("button") ?? root).focus({ preventScroll: true });
}
