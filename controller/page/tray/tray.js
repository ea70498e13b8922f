// The tray at the hand's reach: what is asked, what may be done, the hand; for watchers the slot they tapped.

import { button, drawnKey, h } from "../elements/dom.js";
import { game } from "../scene/games.js";
import { about } from "../scene/groups.js";
import { chosenButtons, drawDetails, drawHand, drawInspect } from "./hand.js";
import { describe, nameOf, pieceAt, placeOf, privateView, publicView, weAct } from "../scene/model.js";
import { drawOptions, drawPick, drawStaying, drawSure } from "./options.js";
import { drawOthers, drawPrompt } from "./prompts.js";
import { pickedOptions } from "../scene/targets.js";
import { showCountdown } from "../elements/clock.js";

/** Keep the tray up to date; `act(option, turns)` sends, `choose(change)` changes what is chosen, `say(words)` tells the table. */
export function createTray(root, { act, choose, say }) {
  let last = "";
  let place = "";
  return function update(store, live, ui) {
    const key = drawnKey(relevant(store, live, ui));
    if (key === last) return;
    last = key;
    const now = JSON.stringify([ui.sure, ui.slot, ui.ramp, ui.zone, live.prompt?.id ?? null, weAct(store) ? publicView(store)?.headline : null]);
    keepPlace(root, () => root.replaceChildren(...sections(store, live, ui, { act, choose, say }).flat(3).filter(Boolean)));
    root.hidden = root.childElementCount === 0;
    if (now !== place) root.scrollTop = 0; // What is new stands at the top.
    place = now;
  };
}

/** What the tray depends on. Not the whole snapshot: ten redraws a second would take the button from under a finger. */
function relevant(store, live, ui) {
  const view = publicView(store);
  const tapped = ui.slot ? [describe(store, ui.slot), pieceAt(store, ui.slot)] : null;
  return [store.seat, store.shared, privateView(store), live.options, live.prompts, live.others, view?.detail, view?.acting, view?.deadline_us, ui, tapped, store.table, view?.asked, Boolean(view?.last_roll), store.info?.sensors?.length, game().tells ? store.told : null];
}

/** With a hand in sight, hand and buttons stay where they are through a turn; else what is asked stands at the top. */
function sections(store, live, ui, { act, choose, say }) {
  const tools = { store, ui, act, choose, told: Boolean(game().coach?.(store, live, ui)) };
  if (ui.sure) return [drawSure({ option: ui.sure, ...tools })];
  const parts = partsOf(live, pickedOptions(live, ui), tools, say);
  const drawn = parts.cards && !parts.prompt ? withHand(parts, ui) : withoutHand(parts);
  return [...drawn, parts.details, parts.below, parts.else];
}

function withHand({ before, absent, others, after, choice, staying, owed, read, cards, left, hints }, ui) {
  const acts = h("div", { class: "acts" }, choice, staying || ui.tile !== null ? null : owed);
  return [before, absent, others, after, acts, read, cards, staying, left, hints];
}

function withoutHand({ before, absent, prompt, others, after, choice, staying, owed, read, cards, left, hints }) {
  const top = staying ? [choice, staying] : [read];
  return [...top, before, absent, left, prompt, others, after, staying ? null : choice, hints, owed, cards];
}

/** Draw all that a tray may have, each null or empty where there is nothing; `staying` is there when a place was picked. */
function partsOf(live, picked, tools, say) {
  const { store, ui, choose } = tools;
  const view = publicView(store);
  const mine = privateView(store);
  const name = (seat) => nameOf(store, seat);
  const going = !store.table?.paused;
  const asked = live.prompt && !picked.length;
  const unasked = live.others.filter((one) => one.id !== ui.pass);
  const own = game().tray?.(store, live, { told: store.told, say }) ?? {};
  const free = live.prompt ? live.beside : live.options;
  const covered = isCovered(mine?.hand ?? [], tools);
  const held = { hand: covered ? [] : mine?.hand ?? [], options: live.options, ...tools };
  const options = mine && !picked.length ? drawOptions({ ...tools, hand: mine.hand, options: free }) : null;
  const buttons = picked.length ? [] : [...chosenButtons(held), ...(options?.buttons ?? [])];
  return {
    before: own.before ?? null,
    absent: going ? absent(store, say) : null,
    after: own.after ?? null,
    below: own.below ?? null,
    prompt: asked ? drawPrompt({ prompt: live.prompt, prompts: live.prompts, whose: live.whose ? name(live.whose) : null, ...tools }) : null,
    others: unasked.length && !asked && !picked.length && going ? drawOthers({ others: unasked, name, choose }) : null,
    choice: picked.length ? pick(picked, tools) : buttons.length ? h("div", { class: "buttons" }, buttons) : null,
    staying: picked.length ? [drawStaying(free, tools)] : null,
    owed: mine?.owed.length && going && !saysOwed(mine.owed, live, tools) ? h("p", { class: "hint" }, `Still to do: ${mine.owed.join(", ")}.`) : null,
    read: picked.length ? null : inspect(store, ui, choose),
    cards: store.table?.phase === "over" ? null : covered ? uncover(name(store.seat), tools) : drawHand(held),
    left: store.seat ? timeLeft(view) : null,
    hints: options?.hints ?? null,
    details: drawDetails(held),
    else: options?.else ?? null,
  };
}

/** Whether the headline says all that our seat still has to do, for it can be done now. */
function saysOwed(owed, live, { told }) {
  return told && owed.length === 1 && live.options.some((option) => about(option.group).primary || about(option.group).lays);
}

/** Whether our hand is covered: on a phone that plays for several it stays so until its owner has the phone. */
function isCovered(hand, { store, ui }) {
  return store.shared && ui.uncovered !== store.seat && hand.some((piece) => piece.name);
}

function uncover(name, { store, choose }) {
  return button(`Show the hand of ${name}`, () => choose({ uncovered: store.seat }));
}

function pick(options, tools) {
  const { store, ui } = tools;
  const { board, pick: drawn } = about(options[0].group);
  const own = board === "only" || options[0].group === ui.group ? drawn : null;
  if (own) return own({ slot: ui.slot, options, ...tools });
  const place = ui.slot ?? (ui.zone ? `end zone ${ui.zone}` : `ramp ${ui.ramp}`);
  const title = ui.slot?.includes(".") ? placeOf(store, ui.slot).title : "";
  return drawPick({ place, title, options, piece: ui.slot ? pieceAt(store, ui.slot) : null, ...tools });
}

function inspect(store, ui, choose) {
  const text = ui.slot ? describe(store, ui.slot) : "";
  if (!text) return null;
  const piece = pieceAt(store, ui.slot);
  const owner = piece?.owner ? nameOf(store, piece.owner) : null;
  return drawInspect({ text, piece, owner, close: () => choose({ slot: null }) });
}

/** While it is the turn of somebody whose phone is away, whoever sits there may let a bot go on for them. */
function absent(store, say) {
  const seat = publicView(store)?.active;
  const chair = store.table?.seats.find((one) => one.seat === seat);
  if (!store.seat || seat === store.seat || store.table?.phase !== "playing" || !store.info?.simulated) return null;
  if (chair?.kind !== "person" || chair.here) return null;
  return button(`Let a bot play for ${nameOf(store, seat)}`, () => say({ do: "remove", seat }));
}

/** A time that runs for everybody; who only watches can do nothing about it, and the board stays where it is. */
function timeLeft(view) {
  if (view?.deadline_us === undefined || view?.deadline_us === null) return null;
  const node = h("span", { class: "countdown", role: "timer", "data-deadline": view.deadline_us });
  showCountdown(node);
  return h("p", { class: "time-left" }, h("span", {}, game().deadline?.(view) || "Time left"), node);
}

/** Redraw, then give the focus back. */
function keepPlace(root, draw) {
  const focused = root.contains(document.activeElement) ? document.activeElement : null;
  const label = focused?.getAttribute("aria-label") ?? focused?.textContent;
  draw();
  if (!focused) return;
  if (focused.isConnected) return void focused.focus({ preventScroll: true });
  const again = [...root.querySelectorAll("button, summary, input")].find((one) => (one.getAttribute("aria-label") ?? one.textContent) === label);
  (again ?? root.querySelector("button") ?? root).focus({ preventScroll: true });
}
