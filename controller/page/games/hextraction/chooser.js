// One of very many tiles, by its picture: those of the basic set, which are in every box, the ones this phone chose last, then
// all others, fewer with each letter that is typed, and always "unknown".

import { allCards, cardOf, fetchCards } from "./reference.js";
import { button, h, write } from "../../elements/dom.js";
import { piecePicture } from "../../scene/pieces.js";
import { bareName } from "../../words/sentences.js";

const KEY = "hextraction.recent";
const MOST_RECENT = 6;
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
  const found = h("div", { class: "chooser-found" });
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
    const { rows, words } = search(all, lead, field.value.trim());
    write(says, words);
    found.replaceChildren(...rows.flatMap(({ title, list }) => [
      title ? h("p", { class: "hint" }, title) : null,
      h("div", { class: "tile-grid" }, list.map((option) => choice(option, { group, lead, pick }))),
    ]).filter(Boolean));
  }

  field.addEventListener("input", show);
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    const left = found.querySelectorAll("button");
    if (left.length === 1) left[0].click();
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

/** A picture to tap, with its name below; what nobody has drawn is its name alone. */
function choice(option, { group, lead, pick }) {
  const card = cardOf(option.act.name);
  const name = h("span", { class: "tile-name" }, short(option, lead));
  return button(card ? [piecePicture(card), name] : name, () => pick(option), { kind: card ? "plain pictured" : "plain", "data-group": group, "aria-label": option.label });
}

/** What to show for a search: matches at a word's beginning first. Without one, the basic set, those chosen last, and all others by their names. */
function search(all, lead, typed) {
  const rest = all.filter((option) => option.act.name === UNKNOWN);
  const named = all.filter((option) => option.act.name !== UNKNOWN);
  if (!typed) {
    const byName = named.sort((a, b) => short(a, lead).localeCompare(short(b, lead)));
    const basic = byName.filter((option) => cardOf(option.act.name)?.basic);
    const less = byName.filter((option) => !basic.includes(option));
    const known = recent.map((label) => less.find((option) => bareName(option.label) === label)).filter(Boolean).slice(0, MOST_RECENT);
    const others = less.filter((option) => !known.includes(option));
    return {
      rows: [
        { title: basic.length ? "Basic tiles:" : "", list: [...basic, ...rest] },
        { title: known.length ? "Chosen last:" : "", list: known },
        { title: !others.length ? "" : basic.length || known.length ? "Other tiles:" : "All tiles:", list: others },
      ],
      words: "",
    };
  }
  const scored = all.map((option) => [score(short(option, lead), typed), option]).filter(([value]) => value > 0);
  scored.sort(([a, one], [b, other]) => b - a || short(one, lead).localeCompare(short(other, lead)));
  if (scored.length === 0) return { rows: [{ title: "", list: rest }], words: "No known tile has that name. You can play it as an unknown one." };
  return { rows: [{ title: "", list: scored.map(([, option]) => option) }], words: "" };
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

function keep(called) {
  const label = bareName(called);
  recent = [label, ...recent.filter((one) => one !== label)].slice(0, MOST_KEPT);
  try {
    localStorage.setItem(KEY, JSON.stringify(recent));
  } catch {
    // As above.
  }
}
