// What our seat may do, as buttons; and the choice at a tapped place, with the piece's turns.

import { taking } from "../scene/amounts.js";
import { button, h } from "../elements/dom.js";
import { game } from "../scene/games.js";
import { PARTS, about, consequence, isGrave, partOf, tale } from "../scene/groups.js";
import { cardButton, clause } from "../scene/lookup.js";
import { inPictures } from "../scene/pictured.js";
import { publicView, weAct } from "../scene/model.js";
import { piecePicture } from "../scene/pieces.js";
import { pieceOf } from "../scene/seen.js";
import { spatial } from "../scene/targets.js";

const MANY = 6;

/** The options as groups in the order of the page; those that belong to a piece in the hand are left to the hand. */
function grouped(options, hand) {
  const held = new Set(hand.map((piece) => piece.id));
  const groups = new Map();
  for (const option of options) {
    if (option.tile !== undefined && held.has(option.tile) && !spatial(option)) continue;
    groups.set(option.group, [...(groups.get(option.group) ?? []), option]);
  }
  return [...groups].sort(([a], [b]) => about(a).order - about(b).order);
}

/**
 * Draw all options: the `buttons` for what may be done now, `hints` to them, and what `else` there is (null if nothing): that
 * opens, so nothing should stand below it. `ui` is what the player has chosen so far, `act(option)` sends, `choose(change)`
 * changes `ui`; `told` says that the headline says what to do.
 */
export function drawOptions({ store, options, hand, ui, act, choose, told = false }) {
  const groups = grouped(options, hand);
  const confirm = (option) => (consequence(option) ? choose({ sure: option }) : act(option));
  const tools = { store, options, ui, act, choose, confirm };
  const parts = new Map(["now", ...PARTS.map(([part]) => part)].map((part) => [part, groups.filter(([group]) => partOf(group) === part)]));
  const hints = new Set(groups.map(([group, list]) => hint(group, list, ui, told)).filter(Boolean));
  const rest = PARTS.filter(([part]) => parts.get(part).length || (part === "wrong" && (store.info?.sensors?.length || rolled(store))));
  return {
    buttons: longLast(parts.get("now").flatMap(([group, list]) => groupButtons(group, list, tools))),
    hints: hints.size ? h("p", { class: "hint" }, [...hints].join(" ")) : null,
    else: groups.length && rest.length ? more(rest, parts, tools) : null,
  };
}

/** What was opened may be many screens long: no button stands below it. */
function longLast(nodes) {
  const drawn = nodes.filter(Boolean);
  const long = (node) => node.matches(".chooser, .tile-rows");
  return [...drawn.filter((node) => !long(node)), ...drawn.filter(long)];
}

/** Draw the options that stay in reach while a tapped place asks what to do there. */
export function drawStaying(options, tools) {
  const { buttons } = drawOptions({ options: options.filter((option) => about(option.group).stays), hand: [], ...tools });
  return buttons.length ? h("div", { class: "buttons" }, buttons) : null;
}

/** Whether there is a roll to be watched again. */
function rolled(store) {
  return Boolean(publicView(store)?.last_roll);
}

/** What to do on the board, unless the headline says so. */
function hint(group, list, ui, told) {
  if (group === "told") return toldHint(list, told);
  const { board, places, hint: words } = about(group);
  if (told) return null;
  if (places) return ui.group === group ? words : null;
  if (!list.some(spatial) || board === "off") return null;
  return board !== "asked" || ui.group === group ? words : null;
}

/** What people tell of a ball, in the order of a roll. */
function toldHint(list, told) {
  const says = (word) => list.some((option) => tale(option).saw === word);
  if (says("nothing")) return null;
  if (says("released")) return told ? null : "To roll, let a ball go and tap its ramp on the board.";
  if (says("rests")) return "One phone is enough.";
  if (!says("still")) return "If a ball moves again, tap where it goes.";
  return told ? "One phone is enough." : "Tap each slot on the board that the ball touches, in order. One phone is enough.";
}

function groupButtons(group, list, tools) {
  const { board, draw, pick, primary } = about(group);
  const kind = primary ? "primary" : "plain";
  const open = tools.ui.group === group;
  if (group === "told") return toldButtons(list, tools);
  const toggle = () => groupSwitch(group, tools);
  if (draw) return draw(list, { ...tools, open, toggle, one: (option) => optionButton(option, kind, tools) });
  if (board === "only") return list.filter((option) => !spatial(option)).map((option) => optionButton(option, kind, tools));
  const onRamps = list.filter((option) => option.ramp);
  const onSlots = list.filter((option) => !option.ramp && spatial(option));
  const rest = list.filter((option) => !spatial(option));
  const asked = board === "asked";
  const turned = onSlots.some((option) => option.turns?.length);
  const few = board === "off" || (!turned && !pick && onSlots.length <= (asked ? 1 : MANY));
  const spread = !few && (asked || (!turned && onSlots.length > MANY));
  const folded = rest.length > MANY || (asked && onRamps.length > 0) || spread;
  return [
    onRamps.length && !asked ? rampRow(onRamps, kind, tools) : null,
    [...(rest.length > MANY ? [] : rest), ...(few ? onSlots : [])].map((option) => optionButton(option, kind, tools)),
    folded ? toggle() : null,
    open && rest.length > MANY ? rest.map((option) => optionButton(option, kind, tools)) : null,
    open && !few && !turned && (!asked || about(group).pictures) ? pieceRows(onSlots, tools) : null,
  ].flat().filter(Boolean);
}

/** The same choice as on the board, as a list with the pieces drawn. */
function pieceRows(list, tools) {
  const inOrder = [...list].sort((a, b) => (a.slot ?? "").localeCompare(b.slot ?? ""));
  const rows = inOrder.map((option) => {
    const piece = pieceOf(tools.store, option);
    return h(
      "li",
      {},
      h("button", { type: "button", class: "tile-row", "data-group": option.group, "aria-label": `${option.slot ?? option.zone} ${piece?.title ?? option.label}: ${option.label}`, onclick: () => tools.confirm(option) },
        piece ? piecePicture(piece, piece.turns ?? 0) : null,
        h("span", {}, h("strong", {}, option.slot ?? option.zone), ` ${piece?.title ?? option.label}`)),
    );
  });
  return h("ul", { class: "tile-rows" }, rows);
}

/** What has no place on the board; that everything lies still comes first, for it ends the roll. */
function toldButtons(list, tools) {
  const still = (option) => tale(option).saw === "still";
  const score = list.some((option) => tale(option).saw === "nothing");
  const rest = list.filter((option) => score || !spatial(option));
  rest.sort((a, b) => Number(still(b)) - Number(still(a)));
  const loud = (option) => (score ? weAct(tools.store) : still(option)); // for whoever waits, results are quiet
  return rest.map((option) => optionButton(option, loud(option) ? "primary" : "plain", tools));
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
  return button(on ? "Never mind" : about(group).label, () => choose({ group: on ? null : group, slot: null, own: null }), {
    "aria-pressed": String(on),
  });
}

function optionButton(option, usual, { options, ui, choose, confirm }) {
  const { label = option.label, kind = isGrave(option) ? "danger" : usual } = game().button?.(option, options) ?? {};
  return taking(option, { label, kind, ui, choose, confirm });
}

function more(rest, parts, tools) {
  const open = tools.ui.more || rest.some(([part]) => parts.get(part).some(([group]) => group === tools.ui.group));
  const box = h(
    "details",
    { class: "more", open },
    h("summary", { onclick: () => setTimeout(() => showWhole(box)) }, "More"),
    rest.map(([part, title]) => h(
      "section",
      { class: `part ${part}`, "aria-label": title },
      h("h2", {}, title),
      h("div", { class: "buttons" }, parts.get(part).flatMap(([group, list]) => groupButtons(group, list, tools)),
        part === "wrong" && tools.store.info?.sensors?.length ? button("A sensor is wrong…", undefined, { "data-open": "sensors" }) : null,
        part === "wrong" && rolled(tools.store) ? button("Show the last roll", undefined, { "data-open": "replay" }) : null),
    )),
  );
  box.addEventListener("toggle", () => (tools.ui.more = box.open));
  return box;
}

/** What has been opened at the end of the tray comes to its top. */
function showWhole(box) {
  const tray = box.closest("#tray");
  if (tray && box.open) tray.scrollTop += box.getBoundingClientRect().top - tray.getBoundingClientRect().top;
}

/** Ask once more before something grave: the piece, what follows, the rule on demand. */
export function drawSure({ store, option, act, choose }) {
  const piece = pieceOf(store, option);
  const cancel = button("Cancel", () => choose({ sure: null }), { kind: "quiet" });
  const words = option.whose ? `Yes, for ${option.whose}` : about(option.group).really ?? (isGrave(option) ? `Really? ${option.label}` : "Yes");
  return h(
    "section",
    { class: isGrave(option) ? "sure-box grave" : "sure-box", "aria-labelledby": "sure" },
    h("div", { class: "sure-head" }, piece ? piecePicture(piece, piece.turns ?? 0) : null,
      h("div", {}, h("h2", { id: "sure" }, inPictures(option.label)), h("p", {}, consequence(option)))),
    h("div", { class: "buttons" }, button(words, () => act(option), { kind: isGrave(option) ? "danger sure" : "primary", "data-group": option.group }), cancel),
    option.clause ? clause(option.clause) : null,
  );
}

/** Draw the choice at a tapped place: its turns if there are any, and one button for each thing to do there. */
export function drawPick({ place, title = "", told = false, options, piece, ui, act, choose }) {
  const turning = options.some((option) => option.turns?.length);
  const confirm = (option) => (consequence(option) ? choose({ sure: option }) : act(option, turnsOf(option, ui.turn)));
  const heading = title ? inPictures(title) : told ? null : turning ? `On ${place}: turn it, then lay it` : `On ${place}`;
  return h(
    "section",
    { class: "pick", "aria-label": `Choice on ${place}` },
    heading ? h("h2", {}, heading) : null,
    h(
      "div",
      { class: "buttons" },
      turning && options.some((option) => option.turns?.length > 1)
        ? [
            button("↺", () => choose({ turn: ui.turn - 1 }), { "aria-label": "Turn left" }),
            button("↻", () => choose({ turn: ui.turn + 1 }), { "aria-label": "Turn right" }),
          ]
        : null,
      options.map((option) => taking(option, { kind: isGrave(option) ? "danger" : "primary", ui, choose, confirm })),
      cardButton(piece),
      button("Cancel", () => choose({ slot: null, ramp: null, zone: null }), { kind: "quiet" }),
    ),
  );
}

/** The legal turns that were reached after so many taps. */
export function turnsOf(option, taps) {
  const legal = option.turns ?? [];
  return legal.length ? legal[((taps % legal.length) + legal.length) % legal.length] : 0;
}
