// The tray at the hand's reach: what is asked, what may be done, the hand; for watchers the slot they tapped.

import { anewButton } from "./anew.js";
import { h } from "./dom.js";
import { drawCount } from "./disputes.js";
import { drawHand, drawInspect } from "./hand.js";
import { describe, nameOf, privateView, publicView, slotOf } from "./model.js";
import { drawOptions, drawPick, drawSure } from "./options.js";
import { drawOthers, drawPrompt, drawVote } from "./prompts.js";
import { tileAt } from "./seen.js";
import { showCountdown } from "./clock.js";

/** Keep the tray up to date; `act(option, turns)` sends, `choose(change)` changes what is chosen. */
export function createTray(root, { act, choose }) {
  let last = "";
  let place = "";
  return function update(store, live, ui) {
    const key = JSON.stringify(relevant(store, ui));
    if (key === last) return;
    last = key;
    const now = JSON.stringify([ui.sure, ui.slot, ui.ramp, ui.zone, live.prompt?.id ?? null]);
    keepPlace(root, () => root.replaceChildren(...sections(store, live, ui, { act, choose }).flat().filter(Boolean)));
    root.hidden = root.childElementCount === 0;
    if (now !== place) root.scrollTop = 0; // What is new stands at the top.
    place = now;
  };
}

/** What the tray depends on. Not the whole snapshot: ten redraws a second would take the button from under a finger. */
function relevant(store, ui) {
  const view = publicView(store);
  const { vote, waiting, deadline_us, phase } = view ?? {};
  const tapped = ui.slot ? [describe(store, ui.slot), slotOf(store, ui.slot).tile] : null;
  return [store.seat, privateView(store), vote, waiting, deadline_us, phase, ui, tapped, store.table, view?.asked, rolledSlot(store, ui), store.info?.sensors?.length];
}

/** Whether balls of a roll are in play, and the balls there are to dispute. */
function rolledSlot(store, ui) {
  const view = publicView(store);
  return [Boolean(view?.roller), ui.group === "contend" ? view?.balls : null];
}

function sections(store, live, ui, { act, choose }) {
  const view = publicView(store);
  const mine = privateView(store);
  const picked = pickedOptions(live, ui);
  const tools = { store, ui, act, choose };
  if (ui.sure) return [drawSure({ option: ui.sure, ...tools })];
  const name = (seat) => nameOf(store, seat);
  const asked = live.prompt && !picked.length;
  const others = (mine?.others ?? []).filter((one) => one.id !== ui.pass);
  return [
    picked.length ? pick(picked, tools) : inspect(store, ui, choose),
    view?.vote ? drawVote(view.vote, (seat) => nameOf(store, seat)) : null,
    settling(view),
    asked ? drawPrompt({ prompt: live.prompt, prompts: live.prompts, whose: live.whose ? name(live.whose) : null, ...tools }) : null,
    asked && live.options.some((option) => option.group === "reenter") ? h("div", { class: "buttons" }, anewButton()) : null,
    others.length && !asked && !picked.length ? drawOthers({ others, name, choose }) : null,
    waiting(view),
    mine && !live.prompt && !picked.length ? drawOptions({ options: live.options, hand: mine.hand, ...tools }) : null,
    mine?.owed.length ? h("p", { class: "hint" }, `You still owe: ${mine.owed.join(", ")}.`) : null,
    mine?.hand.length ? drawHand({ hand: mine.hand, options: live.options, ...tools }) : null,
  ];
}

function pickedOptions(live, ui) {
  const found = ui.slot ? live.slots.get(ui.slot) : ui.zone ? live.zones.get(ui.zone) : live.ramps.get(ui.ramp);
  return found ?? [];
}

function pick(options, tools) {
  const { store, ui } = tools;
  if (options[0].group === "correct" && ui.group === "correct") return drawCount({ slot: ui.slot, ...tools });
  const place = ui.slot ?? (ui.zone ? `end zone ${ui.zone}` : `ramp ${ui.ramp}`);
  return drawPick({ place, options, tile: ui.slot ? tileAt(store, ui.slot) : null, ...tools });
}

function inspect(store, ui, choose) {
  if (!ui.slot) return null;
  const tile = tileAt(store, ui.slot);
  const owner = tile?.owner ? nameOf(store, tile.owner) : null;
  return drawInspect({ text: describe(store, ui.slot), tile, owner, close: () => choose({ slot: null }) });
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
