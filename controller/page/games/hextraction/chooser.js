// One of very many tiles, by its picture: what this table has comes first, then the basic set, which is in every box, then all
// others; fewer with each letter that is typed and with each look that is tapped, and always "unknown". The order stays as it was
// when the choice opened: a finger aims at what it has seen.

import { allCards, cardOf, fetchCards, ownNames } from "./reference.js";
import { LOOKS, looksOf } from "./looks.js";
import { button, h, write } from "../../elements/dom.js";
import { publicView } from "../../scene/model.js";
import { piecePicture } from "../../scene/pieces.js";

const UNKNOWN = "unknown";
const open = new Map();
/** The kinds that this table has played, the last one first. */
let played = [];

/** Draw the choice; the same element comes back each time, so what was typed stays. `lead` begins every label. */
export function drawChooser({ group, lead, list, act, store }) {
  played = publicView(store)?.detail?.played ?? [];
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
  const field = h("input", { type: "search", autocomplete: "off", autocapitalize: "off", spellcheck: "false", "aria-label": label, placeholder: "Name…" });
  const row = h("div", { class: "looks", role: "group", "aria-label": "What does it look like?" });
  const found = h("div", { class: "chooser-found" });
  const says = h("p", { class: "hint", role: "status" });
  const chosen = new Set();
  let all = [];
  let here = []; // the names that come first
  let looked = false; // whether it is known what tiles look like, or that this cannot be had
  /** @type {(option: any) => void} */
  let choose = () => {};

  function pick(option) {
    field.value = "";
    chosen.clear();
    choose(option);
    show();
  }

  function look(name) {
    if (!chosen.delete(name)) chosen.add(name);
    show();
  }

  function show() {
    if (!looked) return; // Names alone would be sorted otherwise.
    const { rows, words } = search(all, { lead, here }, field.value.trim(), chosen);
    write(says, words);
    showLooks(row, all, chosen, look);
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
  fetchCards(() => {
    looked = true;
    show();
  });
  const node = h("div", { class: "chooser" }, h("div", { class: "chooser-head" }, field, row), says, found);
  return {
    node,
    offer(list, act) {
      if (!node.isConnected) here = [...new Set([...played, ...ownNames()])];
      all = list;
      choose = act;
      show();
    },
  };
}

/** What tiles on offer look like, to tap: of what all of them have, or none, nothing is to be chosen. */
function showLooks(row, all, chosen, look) {
  const cards = all.map((option) => cardOf(option.act.name)).filter(Boolean);
  const shown = Object.keys(LOOKS).filter((name) => {
    const having = cards.filter((card) => looksOf(card).has(name)).length;
    return chosen.has(name) || (having > 0 && having < cards.length);
  });
  const left = row.scrollLeft;
  const focused = row.contains(document.activeElement) ? document.activeElement.dataset.look : "";
  row.replaceChildren(...shown.map((name) => button(pictureOf(LOOKS[name]), () => look(name), {
    kind: "plain look", "aria-label": LOOKS[name].words, title: LOOKS[name].words, "aria-pressed": String(chosen.has(name)), "data-look": name,
  })));
  row.scrollLeft = left;
  if (focused) row.querySelector(`[data-look="${focused}"]`)?.focus({ preventScroll: true });
}

/**
 * The little picture of a look.
 * @param {{route?: number[], trigger?: string, more?: () => Element, sign?: string}} look
 */
function pictureOf({ route, trigger, more, sign }) {
  if (sign) return h("span", { class: "look-star" }, sign);
  const picture = piecePicture({ channels: route ? [route] : [], trigger });
  if (more) picture.append(more());
  return picture;
}

/** A picture to tap, with its name below; what nobody has drawn is its name alone. */
function choice(option, { group, lead, pick }) {
  const card = cardOf(option.act.name);
  const name = h("span", { class: "tile-name" }, short(option, lead));
  return button(card ? [piecePicture(card), name] : name, () => pick(option), { kind: card ? "plain pictured" : "plain", "data-group": group, "aria-label": option.label });
}

/** What to show: of those that look as chosen, matches at a word's beginning first; without a word the table's own, the basic set, and all others by their names. */
function search(all, { lead, here }, typed, chosen) {
  const rest = all.filter((option) => option.act.name === UNKNOWN);
  const fits = (option) => !chosen.size || [...chosen].every((name) => looksOf(cardOf(option.act.name)).has(name));
  const named = all.filter((option) => option.act.name !== UNKNOWN && fits(option));
  if (!typed) return named.length || !chosen.size ? { rows: shelves(named, rest, { lead, here }), words: "" } : { rows: [{ title: "", list: rest }], words: "No known tile looks like that. You can play it as an unknown one." };
  const scored = (chosen.size ? named : all).map((option) => [score(short(option, lead), typed), option]).filter(([value]) => value > 0);
  scored.sort(([a, one], [b, other]) => b - a || short(one, lead).localeCompare(short(other, lead)));
  if (scored.length === 0) return { rows: [{ title: "", list: rest }], words: "No known tile has that name. You can play it as an unknown one." };
  return { rows: [{ title: "", list: scored.map(([, option]) => option) }], words: "" };
}

/** All that may be chosen, by how likely it is at hand. */
function shelves(named, rest, { lead, here }) {
  const ours = here.map((name) => named.find((option) => option.act.name === name)).filter(Boolean);
  const byName = named.filter((option) => !ours.includes(option)).sort((a, b) => short(a, lead).localeCompare(short(b, lead)));
  const basic = byName.filter((option) => cardOf(option.act.name)?.basic);
  const others = byName.filter((option) => !basic.includes(option));
  (basic.length ? basic : others).push(...rest);
  return [
    { title: ours.length ? "At this table:" : "", list: ours },
    { title: basic.length ? "Basic tiles:" : "", list: basic },
    { title: !others.length ? "" : basic.length || ours.length ? "Other tiles:" : "All tiles:", list: others },
  ];
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
