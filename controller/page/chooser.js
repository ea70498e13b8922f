// One of very many: a search field, the ones this phone chose last, and a button for each match.

import { button, h } from "./dom.js";

const KEY = "hextraction.recent";
const MOST_SHOWN = 6;
const MOST_KEPT = 12;
const UNKNOWN = "unknown";
const open = new Map();
let recent = [];
try {
  recent = JSON.parse(localStorage.getItem(KEY)) ?? [];
} catch {
  // Storage can be forbidden or hold rubbish; then nothing is recent.
}

/** Draw the choice; the same element comes back each time, so what was typed stays. `lead` begins every label. */
export function drawChooser({ group, lead, list, act }) {
  const box = open.get(group) ?? make(group, lead);
  open.set(group, box);
  box.offer(list, act);
  return box.node;
}

function make(group, lead) {
  const field = h("input", { type: "search", autocomplete: "off", autocapitalize: "off", spellcheck: "false", "aria-label": "Which tile?", placeholder: "Which tile? Type a few letters" });
  const found = h("div", { class: "buttons" });
  const says = h("p", { class: "hint", role: "status" });
  let all = [];
  let choose = () => {};

  function pick(option) {
    keep(option.label);
    field.value = "";
    choose(option);
  }

  function show() {
    const { shown, words } = search(all, lead, field.value.trim());
    says.textContent = words;
    found.replaceChildren(...shown.map((option) => button(short(option, lead), () => pick(option), { "data-group": group, "aria-label": option.label })));
  }

  field.addEventListener("input", show);
  field.addEventListener("keydown", (event) => event.key === "Enter" && found.childElementCount === 1 && found.firstElementChild.click());
  return {
    node: h("div", { class: "chooser" }, field, says, found),
    offer(list, act) {
      all = list;
      choose = act;
      show();
    },
  };
}

/** What to show for a search: matches at a word's beginning first, or the recent ones; unknown ones can be played, too. */
function search(all, lead, typed) {
  const rest = all.filter((option) => option.act.name === UNKNOWN);
  if (!typed) {
    const known = recent.map((label) => all.find((option) => option.label === label)).filter(Boolean).slice(0, MOST_SHOWN);
    return { shown: known, words: known.length ? "Chosen last:" : "" };
  }
  const scored = all.map((option) => [score(short(option, lead), typed), option]).filter(([value]) => value > 0);
  scored.sort(([a], [b]) => b - a);
  const shown = scored.slice(0, MOST_SHOWN).map(([, option]) => option);
  if (shown.length === 0) return { shown: rest, words: "No known tile is called so. It can be played as an unknown one." };
  const hidden = scored.length - shown.length;
  return { shown, words: hidden ? `${hidden} more: type on.` : "" };
}

function score(title, typed) {
  const text = plain(title);
  const at = text.indexOf(plain(typed));
  if (at < 0) return 0;
  if (text.length === plain(typed).length) return 4;
  if (at === 0) return 3;
  return text[at - 1] === " " ? 2 : 1;
}

function plain(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").replace(/[^\p{L}\p{N}]+/gu, " ").trim().toLowerCase();
}

function short(option, lead) {
  return option.label.startsWith(lead) ? option.label.slice(lead.length) : option.label;
}

function keep(label) {
  recent = [label, ...recent.filter((one) => one !== label)].slice(0, MOST_KEPT);
  try {
    localStorage.setItem(KEY, JSON.stringify(recent));
  } catch {
    // As above.
  }
}
