// What our seat may do, as buttons; and the choice at a tapped slot, with the tile's turns.

import { drawChooser } from "./chooser.js";
import { button, h } from "./dom.js";
import { cardButton } from "./lookup.js";
import { spatial, zoneOf } from "./targets.js";

const GROUPS = {
  ballot: { order: 0 },
  lifted: { order: 1 },
  seated: { order: 1 },
  no_fit: { order: 2 },
  roll: { order: 3, hint: "To roll, tap a bright ramp on the board." },
  place: { order: 4, hint: "Tap a marked slot." },
  attest: { order: 5 },
  play: { order: 6, label: "Play a tile…", lead: "Play " },
  break_loop: { order: 7 },
  activate: { order: 8, label: "Activate a tile…", hint: "Tap a tile to activate." },
  end: { order: 9 },
  vote: { order: 10, label: "Call a vote…", hint: "Which tile goes to the vote? Tap it." },
  told_release: { order: 11, label: "Tell somebody's release…", hint: "Tap the ramp that the ball left." },
  concede: { order: 12 },
};
const PRIMARY = new Set(["end", "break_loop", "roll", "answer", "ballot", "lifted", "seated"]);
const QUIET = new Set(["vote", "told_release", "concede"]);
const ON_BOARD_ONLY = new Set(["place", "roll"]);
const ON_RAMPS_ONLY = new Set(["roll", "told_release"]);
const MANY = 6;

function about(group) {
  return GROUPS[group] ?? { order: 8, label: `${words(group)}…`, hint: "Tap the place on the board." };
}

function words(group) {
  const text = group.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

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
export function drawOptions({ options, hand, ui, act, choose }) {
  const groups = grouped(options, hand);
  const main = groups.filter(([group]) => !QUIET.has(group));
  const quiet = groups.filter(([group]) => QUIET.has(group));
  const hints = [...main, ...quiet].map(([group, list]) => hint(group, list, ui)).filter(Boolean);
  const tools = { ui, act, choose };
  const buttons = main.flatMap(([group, list]) => groupButtons(group, list, tools));
  return [
    hints.length ? h("p", { class: "hint" }, hints.join(" ")) : null,
    buttons.length || quiet.length ? h("div", { class: "buttons" }, buttons, quiet.length ? more(quiet, tools) : null) : null,
  ];
}

function hint(group, list, ui) {
  if (group === "attest") return attestHint(list);
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
  const onRamps = list.filter((option) => option.ramp);
  const onSlots = list.filter((option) => option.slot);
  const rest = list.filter((option) => !spatial(option));
  const direct = rest.length > MANY ? [] : rest;
  const few = group === "lifted" || (onSlots.length === 1 && !onSlots[0].turns?.length && !ON_BOARD_ONLY.has(group));
  return [
    onRamps.length && !ON_RAMPS_ONLY.has(group) ? rampRow(onRamps, kind, tools.act) : null,
    [...direct, ...(few ? onSlots : [])].map((option) => optionButton(option, kind, tools)),
    needsSwitch(group, { rest, onSlots, few }) ? groupSwitch(group, tools) : null,
    rest.length > MANY && tools.ui.group === group ? drawChooser({ group, lead: about(group).lead ?? "", list: rest, act: tools.act }) : null,
  ].flat().filter(Boolean);
}

function needsSwitch(group, { rest, onSlots, few }) {
  if (rest.length > MANY || group === "told_release") return true;
  return onSlots.length > 0 && !few && !ON_BOARD_ONLY.has(group);
}

/** What has no place on the board; that everything lies still comes first, for it ends the roll. */
function attestButtons(list, tools) {
  const rest = list.filter((option) => !option.slot && !(option.ramp && option.act.saw === "released") && !zoneOf(option));
  rest.sort((a, b) => (b.act.saw === "still") - (a.act.saw === "still"));
  return rest.map((option) => optionButton(option, option.act.saw === "still" ? "primary" : "plain", tools));
}

/** Ramps in one row: what the labels have in common leads it, each button carries its ramp. */
function rampRow(list, kind, act) {
  const lead = list[0].label.replace(list[0].ramp, "").trim();
  return h(
    "div",
    { class: "ramps-row", role: "group", "aria-label": lead },
    h("span", { class: "lead", "aria-hidden": "true" }, `${lead} …`),
    list.map((option) => button(option.ramp, () => act(option), { kind, "aria-label": option.label, "data-group": option.group })),
  );
}

function groupSwitch(group, { ui, choose }) {
  const on = ui.group === group;
  return button(on ? "Never mind" : about(group).label ?? words(group), () => choose({ group: on ? null : group, slot: null }), {
    "aria-pressed": String(on),
  });
}

function optionButton(option, kind, { ui, act, choose }) {
  if (option.group === "concede") return concede(option, { ui, act, choose });
  const proxy = option.group === "ballot" && option.act.seat !== undefined;
  const danger = option.group === "ballot" && option.act.yea === false;
  return button(ballotLabel(option), () => act(option), { kind: proxy ? "plain" : danger ? "danger" : kind, "data-group": option.group });
}

/** A vote says KEEP or DESTROY, a ballot ENABLE or DISABLE: "yes" to what is never the question. */
function ballotLabel(option) {
  if (option.group !== "ballot") return option.label;
  return option.label.replace(/^(Keep|Destroy)( it)?|^(Enable|Disable)/i, (word) => word.split(" ")[0].toUpperCase());
}

/** Conceding takes two taps. */
function concede(option, { ui, act, choose }) {
  if (ui.group !== "concede") return button(option.label, () => choose({ group: "concede" }), { kind: "danger" });
  return button(`Really? ${option.label}`, () => act(option), { kind: "danger sure", "data-group": "concede" });
}

function more(groups, tools) {
  const open = tools.ui.more || groups.some(([group]) => group === tools.ui.group);
  const box = h(
    "details",
    { class: "more", open },
    h("summary", {}, "More"),
    h("div", { class: "buttons" }, groups.flatMap(([group, list]) => groupButtons(group, list, tools))),
  );
  box.addEventListener("toggle", () => (tools.ui.more = box.open));
  return box;
}

/** Draw the choice at a tapped slot: its turns if there are any, and one button for each thing to do there. */
export function drawPick({ place, options, tile, ui, act, choose }) {
  const turning = options.some((option) => option.turns?.length);
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
      options.map((option) => button(option.label, () => act(option, turnsOf(option, ui.turn)), { kind: "primary", "data-group": option.group })),
      cardButton(tile),
      button("Cancel", () => choose({ slot: null, ramp: null }), { kind: "quiet" }),
    ),
  );
}

/** The legal turns that were reached after so many taps. */
export function turnsOf(option, taps) {
  const legal = option.turns ?? [];
  return legal.length ? legal[((taps % legal.length) + legal.length) % legal.length] : 0;
}
