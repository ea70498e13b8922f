// Questions to our seat: one at a time, with its exact answers, the time that is left and the rule on demand.

import { button, h } from "./dom.js";
import { clauseButton } from "./lookup.js";
import { gistOf } from "./reference.js";
import { spatial, actOf } from "./targets.js";
import { showCountdown } from "./clock.js";

/** Draw one question. */
export function drawPrompt({ prompt, prompts, ui, act, choose }) {
  const direct = prompt.options.filter((option) => !option.turns?.length);
  const onBoard = prompt.options.filter((option) => spatial(option) && option.turns?.length);
  return h(
    "section",
    { class: "prompt", "aria-labelledby": "question" },
    h("div", { class: "prompt-top" }, progress(prompts, ui, choose), countdown(prompt)),
    h("h2", { id: "question", class: "question" }, prompt.text),
    prompt.options.some(spatial) ? h("p", { class: "hint" }, "You can tap the board, too.") : null,
    h(
      "div",
      { class: "buttons" },
      direct.map((option) => button(option.label, () => act(option), { kind: style(option, direct), "data-answer": JSON.stringify(actOf(option, 0)) })),
      onBoard.map((option) => button(option.label, () => choose({ slot: option.slot, turn: 0 }))),
    ),
    silence(prompt),
    prompt.clause ? clause(prompt.clause) : null,
  );
}

function style(option, options) {
  if (/^destroy\b/i.test(option.label) && options.length === 2) return "danger";
  return options.length <= 3 ? "primary" : "plain";
}

function progress(prompts, ui, choose) {
  if (prompts.length < 2) return h("span", { class: "eyebrow" }, "A question to you");
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
  return fallback ? h("p", { class: "hint" }, `Without an answer: ${fallback.label}.`) : null;
}

/** The rule behind something, shown on demand. */
export function clause(id) {
  const says = h("span", {});
  const box = h("details", { class: "clause" }, h("summary", {}, "Why?"), h("p", {}, says, " ", clauseButton(id, `Rule ${id}`)));
  box.addEventListener("toggle", async () => (says.textContent = await gistOf(id)), { once: true });
  return box;
}

/** Draw an open vote or ballot for everybody: the question, who has said what, whose word is awaited. */
export function drawVote(vote, name) {
  const [yea, nay] = vote.kind === "ballot" || vote.kind === "forbidden" ? ["ENABLE", "DISABLE"] : ["KEEP", "DESTROY"];
  const cast = Object.entries(vote.ballots ?? {});
  return h(
    "section",
    { class: "vote", "aria-label": "Vote" },
    h("h3", {}, yea === "KEEP" ? `Does ${vote.title} stay?` : `Enable ${vote.title}?`),
    h("ul", {}, cast.map(([seat, yes]) => h("li", { class: yes ? "yea" : "nay" }, `${name(seat)}: ${yes ? yea : nay}`))),
    vote.awaited ? h("p", { class: "hint" }, `Waiting for ${name(vote.awaited).replace("You", "you")}.`) : null,
  );
}
