// What a player does next, in one sentence: each state of the turn, with what is owed and what was chosen, has its own.

import { about, isGrave } from "../../groups.js";
import { nameOf, privateView, publicView } from "../../model.js";
import { pieceById } from "../../seen.js";
import { spatial } from "../../targets.js";

const VOTES = { keep: "KEEP or DESTROY", forbidden: "ENABLE or DISABLE" };

/**
 * The sentences, by name: the first that fits is said. `now` is what `look` has found.
 * @type {Record<string, {fits: (now: any) => any, say: (now: any) => string}>}
 */
export const SENTENCES = {
  sure: { fits: (now) => now.ui.sure, say: (now) => (isGrave(now.ui.sure) ? "This cannot be undone: confirm it below, or tap “Cancel”." : "Are you sure? Confirm it below, or cancel.") },
  forAnother: { fits: (now) => now.whose, say: (now) => `You answer for ${now.whose}: choose below.` },
  answer: { fits: (now) => now.prompt && now.picked, say: (now) => `Tap “${now.picked.label}” to answer so, or another place.` },
  asked: {
    fits: (now) => now.prompt,
    say: (now) => (now.prompt.options.some(spatial) ? "A question to you: tap the place on the board, or an answer below." : "A question to you: tap an answer below."),
  },
  vote: { fits: (now) => now.vote && now.has("ballot"), say: (now) => `You vote on ${now.vote.title}: tap ${now.choices}.` },
  voteOfOthers: { fits: (now) => now.vote, say: (now) => `${now.voter} votes on ${now.vote.title}. You wait.` },
  lift: { fits: (now) => now.has("lifted"), say: (now) => `Lift the tile out of ${now.first("lifted").slot}, then tap “${now.first("lifted").label}”.` },
  lay: { fits: (now) => now.has("laid"), say: (now) => `Lay ${now.title} on the board and let go, then tap “${now.first("laid").label}”.` },
  turn: {
    fits: (now) => now.has("place") && now.marked("place", now.ui.slot),
    say: (now) => `Turn ${now.title} with ↺ and ↻ if you like, then tap “Lay ${now.title} at ${now.ui.slot}”.`,
  },
  place: { fits: (now) => now.has("place"), say: (now) => `Tap a marked slot on the board for ${now.title}.` },
  loop: { fits: (now) => now.has("break_loop"), say: () => "A tile was touched three times: tap “Break the Loop” if the ball is caught there." },
  object: { fits: (now) => now.phase === "settling" && now.has("agree"), say: () => "The roll is over: tap “No objection”, or say under More what is wrong." },
  settling: { fits: (now) => now.phase === "settling", say: () => "The roll is over: the others may still object." },
  group: { fits: (now) => now.ui.group && about(now.ui.group).hint, say: (now) => about(now.ui.group).hint },
  call: { fits: (now) => now.phase === "placing" && now.has("play"), say: () => "Which tile do you play? Tap “Play a tile…” and choose it." },
  chosen: { fits: (now) => now.chosen("play"), say: (now) => `Tap “${now.chosen("play").label}” to lay it.` },
  chosenEffect: { fits: (now) => now.chosen("activate"), say: (now) => `Tap “${now.chosen("activate").label}”.` },
  release: { fits: (now) => now.phase === "releasing" && now.ours, say: (now) => (now.gates ? "The gate opens: watch your ball." : "Let a ball go on your ramp.") },
  rollOrPlay: {
    fits: (now) => now.has("roll") && now.has("play"),
    say: (now) => `Your turn: tap a bright ramp to roll, or ${now.handWords} to play.`,
  },
  roll: { fits: (now) => now.has("roll"), say: () => "Your turn: tap a bright ramp to roll." },
  play: { fits: (now) => now.has("play"), say: (now) => `Your turn: tap ${now.handWords} to play.` },
  letGo: { fits: (now) => now.tells("released") && now.ours, say: () => "Your turn: let a ball go, and tap its ramp on the board." },
  tell: { fits: (now) => now.tells("still"), say: () => "Tap each slot that the ball touches, in order; at the end say that all lies still." },
  end: { fits: (now) => now.has("end"), say: () => "You have done what you owe: tap “End the turn”." },
  ownRoll: { fits: (now) => now.phase === "rolling" && now.ours, say: () => "Your ball is rolling." },
  rollOfOthers: { fits: (now) => now.phase === "rolling", say: (now) => `${now.acting}'s ball is rolling.` },
  resolving: { fits: (now) => now.phase === "resolving", say: () => "Effects are being carried out. You wait." },
  othersAsked: { fits: (now) => now.askedSeat, say: (now) => `${now.askedSeat} is asked a question. You wait.` },
  othersRelease: { fits: (now) => now.phase === "releasing", say: (now) => `${now.acting} lets a ball go. You watch.` },
  ownPlace: { fits: (now) => (now.phase === "placing" || now.phase === "seating") && now.ours, say: () => "Your tile is being laid. Wait a moment." },
  othersPlace: { fits: (now) => now.phase === "placing" || now.phase === "seating", say: (now) => `${now.acting} lays a tile. You wait.` },
  tidying: { fits: (now) => now.phase === "tidying", say: () => "The board is tidied up. You wait." },
  discarding: { fits: (now) => now.phase === "discarding", say: (now) => (now.ours ? "Choose a tile to discard." : `${now.acting} discards a tile. You wait.`) },
  out: { fits: (now) => now.out, say: () => "You are out of this game; you may go on watching." },
  othersTurn: { fits: (now) => now.phase === "choosing" && !now.ours, say: (now) => `${now.acting}'s turn. You wait.` },
};

/** The name of the sentence for our seat, and the sentence; both empty for a watcher and when the game is over. */
export function named(store, live, ui) {
  const now = look(store, live, ui);
  const name = now && Object.keys(SENTENCES).find((one) => SENTENCES[one].fits(now));
  return name ? [name, SENTENCES[name].say(now)] : ["", ""];
}

/** One sentence for our seat: what to do next. */
export function coach(store, live, ui) {
  return named(store, live, ui)[1];
}

/** The answer that belongs to the place that was tapped, if one button stands for it. */
function picked(live, ui) {
  const there = (ui.slot ? live.slots.get(ui.slot) : ui.zone ? live.zones.get(ui.zone) : ui.ramp ? live.ramps.get(ui.ramp) : null) ?? [];
  return live.prompt && there.length === 1 && live.prompt.options.includes(there[0]) ? there[0] : null;
}

/** What the sentences depend on. */
function look(store, live, ui) {
  const view = publicView(store);
  const mine = privateView(store);
  if (!view || !mine || view.outcome || store.table?.phase !== "playing") return null;
  const first = (group) => live.options.find((option) => option.group === group);
  const vote = view.detail?.vote ?? null;
  const piece = pieceById(first("place")?.tile ?? ui.tile) ?? null;
  const [asked] = (view.asked ?? []).filter(([seat]) => seat !== store.seat);
  const acting = view.acting ?? view.active;
  return {
    ui,
    phase: view.detail?.phase ?? "",
    prompt: live.prompt,
    picked: picked(live, ui),
    whose: live.whose ? nameOf(store, live.whose) : "",
    vote,
    choices: vote?.kind === "ballot" || vote?.kind === "forbidden" ? VOTES.forbidden : VOTES.keep,
    voter: vote?.awaited ? nameOf(store, vote.awaited) : "Somebody",
    first,
    has: (group) => Boolean(first(group)),
    marked: (group, slot) => Boolean(slot) && live.options.some((option) => option.group === group && option.slot === slot),
    chosen: (group) => (ui.tile === null ? undefined : live.options.find((option) => option.group === group && option.tile === ui.tile)),
    tells: (word) => live.options.some((option) => option.group === "told" && option.tells?.startsWith(word)),
    title: piece?.title || "the tile",
    handWords: mine.hand.some((one) => one.name) ? "a tile in your hand" : "“Play a tile…”",
    ours: acting === store.seat,
    acting: nameOf(store, acting),
    askedSeat: asked ? nameOf(store, asked[0]) : "",
    gates: !live.options.some((option) => option.group === "told"),
    out: Boolean(view.seats.find((one) => one.seat === store.seat)?.out),
  };
}
