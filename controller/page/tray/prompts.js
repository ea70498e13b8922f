// Questions, one at a time: their exact answers with the pieces drawn, the time that is left, the rule on demand.

import { button, h } from "../elements/dom.js";
import { actOf } from "../scene/amounts.js";
import { game } from "../scene/games.js";
import { consequence } from "../scene/groups.js";
import { clause } from "../scene/lookup.js";
import { piecePicture } from "../scene/pieces.js";
import { inPictures } from "../scene/pictured.js";
import { pieceOf } from "../scene/seen.js";
import { spatial } from "../scene/targets.js";
import { showCountdown } from "../elements/clock.js";

const MANY = 6;

/** Draw one question; `whose` is the name of somebody else who was asked it. */
export function drawPrompt({ store, prompt, prompts, whose, ui, act, choose }) {
  const places = prompt.options.filter(spatial);
  const listed = places.length > MANY ? prompt.options.filter((option) => !spatial(option)) : prompt.options;
  const answers = (list) => list.map((option) => answer(store, option, prompt, { act, choose }));
  const about = prompt.picture;
  return h(
    "section",
    { class: whose ? "prompt passed" : "prompt", "aria-labelledby": "question" },
    h("div", { class: "prompt-top" }, whose ? passed(whose, choose) : progress(prompts, ui, choose), countdown(prompt)),
    h("h2", { id: "question", class: "question" }, about ? piecePicture(about, about.turns ?? 0) : null, inPictures(prompt.text)),
    game().asks?.(prompt, store) ?? null,
    places.length ? h("p", { class: "hint" }, places.length > MANY ? "Tap the place on the board." : "You can tap the board, too.") : null,
    h("div", { class: "buttons" }, answers(listed)),
    places.length > MANY ? asList(answers(places), ui, choose) : null,
    silence(prompt),
    prompt.clause ? clause(prompt.clause) : null,
  );
}

function answer(store, option, prompt, { act, choose }) {
  const piece = option.bare ? null : pieceOf(store, option);
  const { label: words = option.label, kind = prompt.options.length <= 3 ? "primary" : "plain" } = game().button?.(option, prompt.options) ?? {};
  const props = { kind: piece ? "plain with-tile" : kind, "data-answer": JSON.stringify(actOf(option, 0)), "data-default": isDefault(option, prompt) };
  const label = piece ? [piecePicture(piece, piece.turns ?? 0), h("span", {}, words)] : inPictures(words);
  if (option.turns?.length) return button(label, () => choose({ slot: option.slot, turn: 0 }), { kind: props.kind });
  return button(label, () => (consequence(option) ? choose({ sure: option }) : act(option)), props);
}

/** Whether this answer holds if nobody answers in time. */
function isDefault(option, prompt) {
  return typeof prompt.default === "number" && prompt.options[prompt.default] === option;
}

function asList(buttons, ui, choose) {
  const box = h("details", { class: "more", open: Boolean(ui.list) }, h("summary", {}, "As a list"), h("div", { class: "buttons" }, buttons));
  box.addEventListener("toggle", () => box.open !== Boolean(ui.list) && choose({ list: box.open }));
  return box;
}

function passed(whose, choose) {
  return h("span", { class: "eyebrow" }, `You answer for ${whose}`, button("Give it back", () => choose({ pass: null, slot: null }), { kind: "quiet" }));
}

function progress(prompts, ui, choose) {
  if (prompts.length < 2) return h("span", { class: "eyebrow" }, prompts[0]?.options.length === 1 && !isDefault(prompts[0].options[0], prompts[0]) ? "You have a task" : "A question to you");
  const at = Math.min(ui.prompt, prompts.length - 1);
  return h(
    "span",
    { class: "eyebrow" },
    `Question ${at + 1} of ${prompts.length}`,
    button("Next question", () => choose({ prompt: (at + 1) % prompts.length, slot: null }), { kind: "quiet" }),
  );
}

function countdown(prompt) {
  if (prompt.deadline_us === undefined || prompt.deadline_us === null) return null;
  const node = h("span", { class: "countdown", role: "timer", "data-deadline": prompt.deadline_us });
  showCountdown(node);
  return node;
}

/** What happens if nobody answers. */
function silence(prompt) {
  const fallback = prompt.options[prompt.default ?? -1];
  return fallback ? h("p", { class: "hint silence" }, inPictures(`If nobody answers: ${fallback.label}.`)) : null;
}

/** What others are asked and this phone may answer, too ("pass the phone"). */
export function drawOthers({ others, name, choose }) {
  return h(
    "section",
    { class: "others", "aria-label": "Questions to others" },
    others.map((prompt) => h("p", { class: "other" }, h("span", {}, h("strong", {}, `${name(prompt.seat)}: `), inPictures(prompt.text)),
      button(`Answer for ${name(prompt.seat)}…`, () => choose({ pass: prompt.id, slot: null }), { kind: "quiet" }))),
  );
}
