// One of very many tiles: a search field, the ones this phone chose last, tiles drawn, and always "unknown".

import { allCards, cardOf, fetchCards } from "./cards.js";
import { button, h } from "../../dom.js";
import { piecePicture } from "../../pieces.js";

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
  const box = open.get(group) ?? makeChooser({ group, lead, label: "Which tile?" });
  open.set(group, box);
  box.offer(list, act);
  return box.node;
}

/**
 * Choose one of all kinds of tiles by name, or an empty name for one that stays secret: `pick(name)`.
 * @param {{key: string, label: string, secret?: string, pick: (name: string) => void}} told
 */
export function drawPicker({ key, label, secret, pick }) {
  const box = open.get(key) ?? makeChooser({ group: key, lead: "", label });
  open.set(key, box);
  const offer = () => box.offer(
    [...allCards().map(({ name, title }) => ({ label: title, act: { name } })), ...(secret ? [{ label: secret, act: { name: UNKNOWN } }] : [])],
    (option) => pick(option.act.name === UNKNOWN ? "" : option.act.name),
  );
  offer();
  fetchCards(offer);
  return box.node;
}

function makeChooser({ group, lead, label }) {
  const field = h("input", { type: "search", autocomplete: "off", autocapitalize: "off", spellcheck: "false", "aria-label": label, placeholder: `${label} Type a few letters` });
  const found = h("div", { class: "buttons" });
  const says = h("p", { class: "hint", role: "status" });
  let all = [];
  /** @type {(option: any) => void} */
  let choose = () => {};

  function pick(option) {
    keep(option.label);
    field.value = "";
    choose(option);
    show();
  }

  function show() {
    const { shown, words } = search(all, lead, field.value.trim());
    says.textContent = words;
    found.replaceChildren(...shown.map((option) => choice(option, { group, lead, pick })));
  }

  field.addEventListener("input", show);
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    if (found.childElementCount === 1) found.firstElementChild.click();
  });
  fetchCards(show);
  return {
    node: h("div", { class: "chooser" }, field, says, found),
    offer(list, act) {
      all = list;
      choose = act;
      show();
    },
  };
}

function choice(option, { group, lead, pick }) {
  const card = cardOf(option.act.name);
  const label = card ? [piecePicture(card), h("span", {}, short(option, lead))] : short(option, lead);
  return button(label, () => pick(option), { kind: card ? "plain with-tile" : "plain", "data-group": group, "aria-label": option.label });
}

/** What to show for a search: matches at a word's beginning first, or the recent ones; unknown ones can be played, too. */
function search(all, lead, typed) {
  const rest = all.filter((option) => option.act.name === UNKNOWN);
  const named = all.filter((option) => option.act.name !== UNKNOWN);
  if (!typed) {
    const known = recent.map((label) => named.find((option) => option.label === label)).filter(Boolean).slice(0, MOST_SHOWN);
    return { shown: [...known, ...rest], words: known.length ? "Chosen last:" : "" };
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
