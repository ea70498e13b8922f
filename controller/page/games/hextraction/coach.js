// What a player does next, in one sentence: each state of the turn, with what is owed and what was chosen, has its own.

import { about, isGrave } from "../../scene/groups.js";
import { askedOf, nameOf, placesOf, privateView, publicView } from "../../scene/model.js";
import { pieceById } from "../../scene/seen.js";
import { pickedOptions, slotFirst, spatial } from "../../scene/targets.js";
import { weObject } from "./disputes.js";
import { choosesAtOnce, playsFolded } from "./groups.js";

const VOTES = { keep: "KEEP or DESTROY", forbidden: "ENABLE or DISABLE" };

/**
 * The sentences, by name: the first that fits is said. `now` is what `look` has found.
 * @type {Record<string, {fits: (now: any) => any, say: (now: any) => string}>}
 */
export const SENTENCES = {
  sure: { fits: (now) => now.ui.sure, say: (now) => (isGrave(now.ui.sure) ? "You cannot undo this. Confirm it below, or cancel." : "Are you sure? Confirm it below, or cancel.") },
  forAnother: { fits: (now) => now.whose, say: (now) => `You answer for ${now.whose}: choose below.` },
  answer: { fits: (now) => now.prompt && now.picked, say: (now) => `Tap “${now.picked.label}” to answer so, or cancel.` },
  asked: {
    fits: (now) => now.prompt,
    say: (now) => {
      if (now.prompt.options.some(spatial)) return "A question to you: tap the place on the board, or an answer below.";
      if (now.prompt.options.length === 1) return "You have a task: see below.";
      return now.tells("still") ? "A question to you: tap an answer below, or go on tapping what the ball does." : "A question to you: tap an answer below.";
    },
  },
  place: { fits: (now) => now.there.length && now.turning, say: (now) => (now.turning.turns.length > 1 ? `Turn ${now.title} with ↺ and ↻ if you like, then tap “${now.turning.label}”.` : `Tap “${now.turning.label}”.`) },
  counting: { fits: (now) => now.there.length && now.ownPick, say: () => "Set with − and + what you saw, then ask the others." },
  chosenPlace: { fits: (now) => now.there.length, say: (now) => (now.there.length === 1 ? `Tap “${now.there[0].label}”, or cancel.` : "Tap below what you mean, or cancel.") },
  group: { fits: (now) => now.ui.group && about(now.ui.group).hint, say: (now) => about(now.ui.group).hint },
  vote: { fits: (now) => now.vote && now.has("ballot"), say: (now) => `You vote on ${now.vote.title}: tap ${now.choices}.` },
  lift: { fits: (now) => now.has("lifted"), say: (now) => `Lift the tile out of ${now.first("lifted").slot}, then tap “${now.first("lifted").label}”.` },
  voteOfOthers: { fits: (now) => now.vote, say: (now) => `${now.voter} votes on ${now.vote.title}. You wait.` },
  lay: { fits: (now) => now.has("laid"), say: (now) => `Lay ${now.title} on the board and let go, then tap “${now.first("laid").label}”.` },
  places: { fits: (now) => now.has("place"), say: (now) => (now.few ? `Tap the slot where ${now.title} lies.` : `Tap a bright slot on the board for ${now.title}.`) },
  loop: { fits: (now) => now.has("break_loop"), say: () => "A tile was touched three times: tap “Break the Loop” if the ball is caught there." },
  weObject: { fits: (now) => now.weObject, say: (now) => (now.has("contend_now") && !now.score ? "What is not right? Tap where the ball really is, or say it below." : "What is not right? Say it below.") },
  objected: { fits: (now) => now.objector, say: (now) => (now.has("undo") ? `${now.objector} says: that is not right. If so, tap “Undo my last tap”.` : `${now.objector} says: that is not right. Talk about it.`) },
  goal: {
    fits: (now) => now.few && now.phase === "settling" && now.has("agree") && now.goal,
    say: (now) => (now.ours ? "Goal! You win unless somebody objects: tap “All fine”." : `Goal for ${now.acting}! Is that right? Then tap “All fine”.`),
  },
  goalTold: { fits: (now) => now.few && now.phase === "settling" && now.goal, say: (now) => (now.ours ? "Goal! You win, unless somebody says that is not right." : `Goal for ${now.acting}, unless somebody says that is not right.`) },
  goOn: { fits: (now) => now.phase === "settling" && now.ours && now.tells("released"), say: () => "Your turn: let a ball go, and tap its ramp on the board." },
  object: {
    fits: (now) => now.phase === "settling" && now.has("agree"),
    say: (now) => (now.rolled ? "The roll is over. Is all as it should be? Tap “All fine”." : "Is all as it should be? Tap “All fine”."),
  },
  settling: { fits: (now) => now.phase === "settling", say: (now) => (now.rolled ? "The roll is over. The others can still say that something is wrong." : "The others can still say that something is wrong. You wait.") },
  call: { fits: (now) => now.phase === "placing" && now.has("play"), say: (now) => (now.folded ? "Which tile do you play? Tap “Play a tile…” and choose it." : "Which tile do you play? Choose it below.") },
  chosen: { fits: (now) => now.chosen("play"), say: (now) => `Tap “${now.chosen("play").label}” to lay it.` },
  chosenEffect: { fits: (now) => now.chosen("activate"), say: (now) => `Tap “${now.chosen("activate").label}”.` },
  letGoHere: { fits: (now) => now.phase === "releasing" && now.awaited && now.ours && now.tells("released"), say: (now) => `Let a ball go on ramp ${now.awaited}, then tap the ramp on the board.` },
  release: { fits: (now) => now.phase === "releasing" && now.awaited && now.ours, say: (now) => (now.simulated ? "Your ball is rolling." : `Your ball comes from ramp ${now.awaited}. No gate there? Let it go by hand.`) },
  slotFirst: { fits: (now) => now.slot && !now.folded, say: (now) => `Which tile do you lay at ${now.slot}? Choose it below.` },
  rollOrPlay: {
    fits: (now) => now.has("roll") && now.has("play"),
    say: (now) => `Your turn: tap a bright ramp to roll, or ${now.handWords} to play.`,
  },
  roll: { fits: (now) => now.has("roll"), say: () => "Your turn: tap a bright ramp to roll." },
  layOrRoll: { fits: (now) => now.has("play") && !now.folded && now.tells("released"), say: () => "Your turn: pick a tile below, or roll a ball and tap its ramp." },
  play: { fits: (now) => now.has("play"), say: (now) => `Your turn: tap ${now.handWords} to play.` },
  letGo: { fits: (now) => now.tells("released") && now.ours, say: () => "Your turn: let a ball go, and tap its ramp on the board." },
  score: { fits: (now) => now.tells("nothing"), say: (now) => (now.ours ? "Your turn: let a ball go, then tap the result." : `${now.acting} rolls. You can tap the result, too.`) },
  ended: { fits: (now) => now.few && !now.askedSeat && (now.tells("rests") || now.tells("fell")), say: () => "Tap where the ball ended: a hole, a tile or an end zone." },
  tell: { fits: (now) => now.tells("still"), say: () => "Tap each slot that the ball touches, in order, until nothing rolls any longer." },
  end: { fits: (now) => now.has("end"), say: () => "All done? Tap “End the turn”." },
  ownRoll: { fits: (now) => now.phase === "rolling" && now.ours, say: () => "Your ball is rolling." },
  rollOfOthers: { fits: (now) => now.phase === "rolling", say: (now) => `${now.acting}'s ball is rolling.` },
  othersAsked: { fits: (now) => now.askedSeat, say: (now) => `${now.askedSeat} answers a question. You wait.` },
  resolving: { fits: (now) => now.phase === "resolving", say: (now) => (now.effect ? `${now.effect} takes effect. You wait.` : "A tile takes effect. You wait.") },
  othersRelease: { fits: (now) => now.phase === "releasing", say: (now) => `${now.acting} lets a ball go. You watch.` },
  ownPlace: { fits: (now) => (now.phase === "placing" || now.phase === "seating") && now.ours, say: () => "Your tile comes onto the board. Wait a moment." },
  othersPlace: { fits: (now) => now.phase === "placing" || now.phase === "seating", say: (now) => `${now.acting} lays a tile. You wait.` },
  tidying: { fits: (now) => now.phase === "tidying", say: () => "The board is not tidy yet. You wait." },
  discarding: { fits: (now) => now.phase === "discarding", say: (now) => (now.ours ? "Choose a tile to discard." : `${now.acting} discards a tile. You wait.`) },
  activate: { fits: (now) => now.ours && now.has("activate"), say: () => "Your turn: you can activate one of your tiles. Choose it below." },
  out: { fits: (now) => now.out, say: () => "You are out of this game. You can keep watching." },
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
function picked(live, there) {
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
  const there = pickedOptions(live, ui);
  const held = new Set(mine.hand.map((one) => one.id));
  const plays = live.options.filter((option) => option.group === "play");
  const folded = !choosesAtOnce(store) && playsFolded(plays.filter((option) => !held.has(option.tile)));
  const [asked] = askedOf(store).filter(([seat]) => seat !== store.seat);
  const acting = view.acting ?? view.active;
  const settles = view.detail?.phase === "settling";
  const objector = (view.detail?.objected ?? []).find((seat) => seat !== store.seat);
  return {
    ui,
    phase: view.detail?.phase ?? "",
    prompt: live.prompt,
    there,
    slot: slotFirst(store, live, ui),
    turning: there.find((option) => option.turns?.length),
    ownPick: there[0] && there[0].group === ui.group && about(ui.group).pick,
    picked: picked(live, there),
    whose: live.whose ? nameOf(store, live.whose) : "",
    vote,
    choices: vote?.kind === "ballot" || vote?.kind === "forbidden" ? VOTES.forbidden : VOTES.keep,
    voter: vote?.awaited ? nameOf(store, vote.awaited) : "Somebody",
    first,
    has: (group) => Boolean(first(group)),
    chosen: (group) => (ui.tile === null ? undefined : live.options.find((option) => option.group === group && option.tile === ui.tile)),
    tells: (word) => live.options.some((option) => option.group === "told" && option.tells?.startsWith(word)),
    title: piece?.title || "the tile",
    few: Boolean(view.detail?.depth),
    folded,
    handWords: plays.some((option) => held.has(option.tile)) ? "a tile in your hand" : folded ? "“Play a tile…”" : "a tile below",
    ours: acting === store.seat,
    acting: nameOf(store, acting),
    askedSeat: asked ? nameOf(store, asked[0]) : "",
    awaited: placesOf(store, "ramp").find((one) => one.wants === "release")?.name ?? "",
    weObject: settles && weObject(store),
    objector: settles && objector ? nameOf(store, objector) : "",
    score: view.detail?.depth === "score",
    simulated: Boolean(store.info?.simulated), // Its gates let balls go at once.
    goal: placesOf(store, "zone").some((one) => one.balls),
    rolled: view.seats.some((one) => one.note === "rolls"),
    effect: view.detail?.waiting?.[0]?.title ?? "",
    out: Boolean(view.seats.find((one) => one.seat === store.seat)?.out),
  };
}
