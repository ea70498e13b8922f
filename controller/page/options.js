// What our seat may do, as buttons; and the choice at a tapped slot, with the tile's turns.

import { anewButton } from "./anew.js";
import { drawChooser } from "./chooser.js";
import { ballPlaces, drawBalls } from "./disputes.js";
import { button, h } from "./dom.js";
import { ON_BOARD_ONLY, ON_RAMPS_ONLY, PARTS, PRIMARY, about, consequence, isGrave, partOf, words } from "./groups.js";
import { cardButton } from "./lookup.js";
import { clause } from "./prompts.js";
import { tileOf } from "./seen.js";
import { spatial, zoneOf } from "./targets.js";
import { tilePicture } from "./tiles.js";

const MANY = 6;
const TILE_GROUPS = new Set(["rules", "vote", "jammed", "overrule", "flag", "activate", "reclaim"]);

/** The options as groups in the order of the page; those that belong to a tile in the hand are left to the hand. */
function grouped(options, hand) {
  const held = new Set(hand.map((tile) => tile.id));
  const groups = new Map();
  for (const option of options) {
    if (option.tile !== undefined && held.has(option.tile) && !spatial(option)) continue;
    groups.set(option.group, [...(groups.get(option.group) ?? []), option]);
  }
  return [...groups].sort(([a], [b]) => about(a).order - about(b).order);
}

/** Draw all options; `ui` is what the player has chosen so far, `act(option)` sends, `choose(change)` changes `ui`. */
export function drawOptions({ store, options, hand, ui, act, choose }) {
  const groups = grouped(options, hand);
  const confirm = (option) => (consequence(option) ? choose({ sure: option }) : act(option));
  const tools = { store, options, ui, act, choose, confirm };
  const parts = new Map(["now", ...PARTS.map(([part]) => part)].map((part) => [part, groups.filter(([group]) => partOf(group) === part)]));
  const hints = groups.map(([group, list]) => hint(group, list, ui)).filter(Boolean);
  const buttons = parts.get("now").flatMap(([group, list]) => groupButtons(group, list, tools));
  const rest = PARTS.filter(([part]) => parts.get(part).length || part === "wrong");
  return [
    hints.length ? h("p", { class: "hint" }, hints.join(" ")) : null,
    buttons.length || groups.length ? h("div", { class: "buttons" }, buttons, more(rest, parts, tools)) : null,
  ];
}

function hint(group, list, ui) {
  if (group === "attest") return attestHint(list);
  if (group === "contend") return ui.group === group ? about(group).hint : null;
  if (!list.some((option) => option.slot || option.ramp)) return null;
  return ON_BOARD_ONLY.has(group) || ui.group === group ? about(group).hint : null;
}

/** What people tell of a ball, in the order of a roll. */
function attestHint(list) {
  if (list.some((option) => option.act.saw === "released")) return "To roll, let a ball go and tap its ramp on the board.";
  if (!list.some((option) => option.act.saw === "still")) return "If a ball moves again, tap where it goes.";
  return "Tap each slot on the board that the ball touches, in order. One phone is enough.";
}

function groupButtons(group, list, tools) {
  const kind = PRIMARY.has(group) ? "primary" : "plain";
  if (group === "attest") return attestButtons(list, tools);
  if (group === "reenter") return [anewButton()];
  if (group === "contend") return [groupSwitch(group, tools), tools.ui.group === group ? drawBalls(ballPlaces(tools.store, list, tools.ui.ball), tools) : null];
  const onRamps = list.filter((option) => option.ramp);
  const onSlots = list.filter((option) => option.slot);
  const rest = list.filter((option) => !spatial(option));
  const direct = rest.length > MANY ? [] : rest;
  const few = group === "lifted" || (onSlots.length === 1 && !onSlots[0].turns?.length && !ON_BOARD_ONLY.has(group) && group !== "correct");
  const open = tools.ui.group === group;
  return [
    onRamps.length && !ON_RAMPS_ONLY.has(group) ? rampRow(onRamps, kind, tools) : null,
    [...direct, ...(few ? onSlots : [])].map((option) => optionButton(option, kind, tools)),
    needsSwitch(group, { rest, onSlots, few }) ? groupSwitch(group, tools) : null,
    rest.length > MANY && open ? drawChooser({ group, lead: about(group).lead ?? "", list: rest, act: tools.act }) : null,
    open && !few && TILE_GROUPS.has(group) ? tileRows(onSlots, tools) : null,
  ].flat().filter(Boolean);
}

function needsSwitch(group, { rest, onSlots, few }) {
  if (rest.length > MANY || group === "told_release") return true;
  return onSlots.length > 0 && !few && !ON_BOARD_ONLY.has(group);
}

/** The same choice as on the board, as a list with the tiles drawn. */
function tileRows(list, tools) {
  const rows = list.map((option) => {
    const tile = tileOf(tools.store, option);
    return h(
      "li",
      {},
      h("button", { type: "button", class: "tile-row", "data-group": option.group, "aria-label": option.label, onclick: () => tools.confirm(option) },
        tile ? tilePicture(tile, tile.turns ?? 0) : null,
        h("span", {}, h("strong", {}, option.slot), ` ${tile?.title ?? option.label}`)),
    );
  });
  return h("ul", { class: "tile-rows" }, rows);
}

/** What has no place on the board; that everything lies still comes first, for it ends the roll. */
function attestButtons(list, tools) {
  const rest = list.filter((option) => !option.slot && !(option.ramp && option.act.saw === "released") && !zoneOf(option));
  rest.sort((a, b) => Number(b.act.saw === "still") - Number(a.act.saw === "still"));
  return rest.map((option) => optionButton(option, option.act.saw === "still" ? "primary" : "plain", tools));
}

/** Ramps in one row: what the labels have in common leads it, each button carries its ramp. */
function rampRow(list, kind, { confirm }) {
  const lead = list[0].label.replace(list[0].ramp, "").trim();
  return h(
    "div",
    { class: "ramps-row", role: "group", "aria-label": lead },
    h("span", { class: "lead", "aria-hidden": "true" }, `${lead} …`),
    list.map((option) => button(option.ramp, () => confirm(option), { kind, "aria-label": option.label, "data-group": option.group })),
  );
}

function groupSwitch(group, { ui, choose }) {
  const on = ui.group === group;
  return button(on ? "Never mind" : about(group).label ?? words(group), () => choose({ group: on ? null : group, slot: null, ball: null, count: null }), {
    "aria-pressed": String(on),
  });
}

function optionButton(option, kind, { confirm }) {
  const proxy = option.group === "ballot" && option.act.seat !== undefined;
  const danger = isGrave(option) || (option.group === "ballot" && option.act.yea === false);
  const ours = option.group === "agree" && option.act.seat !== undefined ? "plain" : kind;
  return button(ballotLabel(option), () => confirm(option), { kind: proxy ? "plain" : danger ? "danger" : ours, "data-group": option.group });
}

/** A vote says KEEP or DESTROY, a ballot ENABLE or DISABLE: "yes" to what is never the question. */
function ballotLabel(option) {
  if (option.group !== "ballot") return option.label;
  return option.label.replace(/^(Keep|Destroy)( it)?|^(Enable|Disable)/i, (word) => word.split(" ")[0].toUpperCase());
}

function more(rest, parts, tools) {
  const open = tools.ui.more || rest.some(([part]) => parts.get(part).some(([group]) => group === tools.ui.group));
  const box = h(
    "details",
    { class: "more", open },
    h("summary", {}, "More"),
    rest.map(([part, title]) => h(
      "section",
      { class: `part ${part}`, "aria-label": title },
      h("h3", {}, title),
      h("div", { class: "buttons" }, parts.get(part).flatMap(([group, list]) => groupButtons(group, list, tools)),
        part === "wrong" && tools.store.info?.sensors?.length ? button("A sensor is wrong…", undefined, { "data-open": "sensors" }) : null,
        part === "wrong" ? button("Show the last roll", undefined, { "data-open": "replay" }) : null),
    )),
  );
  box.addEventListener("toggle", () => (tools.ui.more = box.open));
  return box;
}

/** Ask once more before something grave: the tile, what follows, the rule on demand. */
export function drawSure({ store, option, act, choose }) {
  const tile = tileOf(store, option);
  const cancel = button("Cancel", () => choose({ sure: null }), { kind: "quiet" });
  const words = option.group === "flag" ? "Really propose it" : isGrave(option) ? `Really? ${option.label}` : "Yes, propose it";
  return h(
    "section",
    { class: isGrave(option) ? "sure-box grave" : "sure-box", "aria-labelledby": "sure" },
    h("div", { class: "sure-head" }, tile ? tilePicture(tile, tile.turns ?? 0) : null,
      h("div", {}, h("h3", { id: "sure" }, option.label), h("p", {}, consequence(option)))),
    h("div", { class: "buttons" }, button(words, () => act(option), { kind: isGrave(option) ? "danger sure" : "primary", "data-group": option.group }), cancel),
    option.clause ? clause(option.clause) : null,
  );
}

/** Draw the choice at a tapped slot: its turns if there are any, and one button for each thing to do there. */
export function drawPick({ place, options, tile, ui, act, choose }) {
  const turning = options.some((option) => option.turns?.length);
  const confirm = (option) => (consequence(option) ? choose({ sure: option }) : act(option, turnsOf(option, ui.turn)));
  return h(
    "section",
    { class: "pick", "aria-label": `Choice on ${place}` },
    h("h3", {}, turning ? `On ${place}: turn it, then lay it` : `On ${place}`),
    h(
      "div",
      { class: "buttons" },
      turning && options[0].turns?.length > 1
        ? [
            button("↺", () => choose({ turn: ui.turn - 1 }), { "aria-label": "Turn left" }),
            button("↻", () => choose({ turn: ui.turn + 1 }), { "aria-label": "Turn right" }),
          ]
        : null,
      options.map((option) => button(option.label, () => confirm(option), { kind: isGrave(option) ? "danger" : "primary", "data-group": option.group })),
      cardButton(tile),
      button("Cancel", () => choose({ slot: null, ramp: null, zone: null }), { kind: "quiet" }),
    ),
  );
}

/** The legal turns that were reached after so many taps. */
export function turnsOf(option, taps) {
  const legal = option.turns ?? [];
  return legal.length ? legal[((taps % legal.length) + legal.length) % legal.length] : 0;
}
