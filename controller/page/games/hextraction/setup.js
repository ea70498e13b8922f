// Setting up a game by the book: five short steps, every one of which may be left as it is.

import { allCards, cardOf, fetchCards, learnOwn } from "./reference.js";
import { drawPicker } from "./chooser.js";
import { button, byId, h, memo, write } from "../../elements/dom.js";
import { clauseButton, clauseName } from "../../scene/lookup.js";
import { mark } from "../../scene/marks.js";
import { piecePicture } from "../../scene/pieces.js";
import { markedName } from "../../words/sentences.js";
import { addSheet, createSheetFor } from "../../elements/sheet.js";

/** @type {[string, (tools: any, chosen: any) => any[]][]} */
const STEPS = [["Who begins?", players], ["Board and balls", things], ["Tiles", tiles], ["Your opening hand", hand], ["Ready?", check]];
const SIZES = ["10 mm", "3/8 in", "another size"];
const HAND = 3;
const SECRET = "A tile I keep to myself";

/** Make the sheet; `say(words)` tells the table. Returns `update(store)`. */
export function createSetup({ say }) {
  addSheet({ name: "setup", title: "Set up", close: "Close set-up", beside: h("span", { id: "setup-step", class: "hint" }) },
    h("div", { id: "setup-body", class: "sheet-body" }),
    h("div", { class: "sheet-end" },
      button("Back", () => go(-1), { id: "setup-back" }), button("Next", () => go(1), { id: "setup-next", kind: "primary" }),
      button("Start the game", start, { id: "setup-start", kind: "primary", hidden: true })));
  let step = 0;
  let picked = [];
  let store = null;
  const sheet = createSheetFor("setup", () => {
    step = 0;
    set({});
    fetchCards(refresh);
    refresh();
  });
  const set = (change) => say({ do: "setup", set: change });
  const tools = {
    set,
    say,
    hand: () => picked,
    async pick(names) {
      picked = names;
      refresh();
      if (names.length === 0 || names.length === HAND) await say({ do: "hand", tiles: names });
    },
  };
  const draw = memo((at, table, seat, chosen, _known) => {
    const [title, make] = STEPS[at];
    write(byId("setup-title"), title);
    write(byId("setup-step"), `${at + 1} of ${STEPS.length}`);
    byId("setup-body").replaceChildren(...make({ table, seat, setup: table.setup ?? {}, players: sitting(table), ...tools }, chosen).filter(Boolean));
    byId("setup-back").disabled = at === 0;
    byId("setup-next").hidden = at === STEPS.length - 1;
    byId("setup-start").hidden = at !== STEPS.length - 1;
    byId("setup-start").disabled = !table.can_start || stops(table.setup).length > 0;
  });

  function refresh() {
    if (!store?.table) return;
    draw(step, { seats: store.table.seats, setup: store.table.detail?.setup ?? null, can_start: store.table.can_start }, store.seat, picked, allCards().length);
  }

  function go(by) {
    step = Math.min(STEPS.length - 1, Math.max(0, step + by));
    refresh();
    byId("setup-title").focus({ preventScroll: true });
    byId("setup-body").scrollTop = 0;
  }
  async function start() {
    if (await say({ do: store.table.phase === "over" ? "rematch" : "start" })) sheet.close();
  }
  return function update(now) {
    store = now;
    learnOwn(now.table?.detail?.tiles);
    if (now.table?.phase === "playing") {
      picked = [];
      if (sheet.open) sheet.close();
    }
    if (sheet.open) refresh();
  };
}

function sitting(table) {
  return table.seats.filter((one) => one.kind !== "open");
}

function stops(setup) {
  return (setup?.remarks ?? []).filter((one) => one.stops);
}

/** A row of choices of which one is taken: `list` has [value, words, picture]. */
export function chips(label, list, chosen, choose) {
  return h("div", { class: "chips", role: "group", "aria-label": label }, label ? h("span", { class: "lead" }, label) : null,
    list.map(([value, words, picture]) => button([picture, words].filter(Boolean), () => choose(value), { "aria-pressed": String(value === chosen), kind: picture ? "plain with-mark" : "plain" })));
}

function seatChips(label, { table, players }, nobody, chosen, choose) {
  const list = players.map((one) => [one.seat, markedName(one.name, one.seat), mark({ table: { ...table, phase: "lobby" } }, one.seat)]);
  return chips(label, [[null, nobody], ...list], chosen ?? null, choose);
}

/** A number that goes up and down, with its name. */
export function stepper(label, value, change, { picture = null, most = 99 } = {}) {
  return h(
    "div",
    { class: "count-row" },
    picture,
    h("span", { class: "row-name" }, label),
    h("span", { class: "stepper", role: "group", "aria-label": label },
      button("−", () => change(Math.max(0, value - 1)), { "aria-label": `${label}: one less`, disabled: value === 0 }),
      h("output", {}, String(value)),
      button("+", () => change(Math.min(most, value + 1)), { "aria-label": `${label}: one more` })),
  );
}

function sentence(text) {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}

function players(tools) {
  const { setup, set } = tools;
  return [
    seatChips("", tools, "By chance", setup.first, (first) => set({ first })),
    h("p", { class: "hint" }, "Your seat is your colour. To take another one, choose it in the table's list."),
  ];
}

function things(tools) {
  const { table, setup, set, players: all } = tools;
  const balls = setup.balls ?? {};
  return [
    seatChips("Whose board is it?", tools, "It does not matter", setup.board_owner, (board_owner) => set({ board_owner })),
    h("h3", {}, "Balls that each player brought"),
    ...all.map((one) => stepper(markedName(one.name, one.seat), balls[one.seat] ?? 0, (count) => set({ balls: { ...balls, [one.seat]: count } }), { picture: mark({ table: { ...table, phase: "lobby" } }, one.seat), most: 20 })),
    chips("How large are they?", SIZES.map((size) => [size, size]), setup.ball_size ?? SIZES[0], (ball_size) => set({ ball_size })),
    chips("Does a magnet hold them?", [[true, "Yes"], [false, "No"]], setup.magnetic ?? true, (magnetic) => set({ magnetic })),
  ];
}

function tiles(tools) {
  const { table, setup, set, players: all } = tools;
  const own = setup.tiles ?? {};
  const virtual = setup.virtual ?? [];
  const pool = setup.pool === undefined || setup.pool === null ? null : h("p", { class: "hint" }, `Main Pool: ${setup.pool} tiles.`);
  return [
    pool,
    ...(setup.hidden ? [
      stepper("From the box", setup.box ?? Math.max(0, (setup.pool ?? 0) - sum(own)), (box) => set({ box })),
      ...all.map((one) => stepper(markedName(one.name, one.seat), own[one.seat] ?? 0, (count) => set({ tiles: { ...own, [one.seat]: count } }), { picture: mark({ table: { ...table, phase: "lobby" } }, one.seat) })),
    ] : [h("p", { class: "hint" }, "The board knows its own bag of tiles.")]),
    h("h3", {}, "Virtual Pool"),
    h("ul", { class: "tile-rows" }, virtual.map((share, i) => tileRow(share.name, () => set({ virtual: virtual.filter((_one, at) => at !== i) })))),
    drawPicker({ key: "virtual", label: "Add which tile?", pick: (name) => set({ virtual: [...virtual, { name, seat: tools.seat }] }) }),
    button("Describe a tile of your own…", undefined, { "data-open": "author" }),
  ];
}

function sum(counts) {
  return Object.values(counts).reduce((all, one) => all + one, 0);
}

function tileRow(name, remove) {
  const card = cardOf(name);
  const title = card?.title ?? (markedName(name) || SECRET);
  return h("li", { class: "row" }, card ? piecePicture(card) : null, h("span", { class: "row-name" }, title), button("Take out", remove, { kind: "quiet", "aria-label": `Take out ${title}` }));
}

function hand({ pick, setup, players: all }, chosen) {
  const others = all.filter((one) => (setup.picked ?? []).includes(one.seat)).map((one) => markedName(one.name, one.seat));
  return [
    h("p", { class: "hint" }, "Brought tiles of your own? Pick three different ones. Or draw three unseen. Only this phone shows what you pick."),
    h("ul", { class: "tile-rows" }, chosen.map((name, i) => tileRow(name, () => pick(chosen.filter((_one, at) => at !== i))))),
    chosen.length < HAND ? drawPicker({ key: "hand", label: `Tile ${chosen.length + 1} of ${HAND}?`, secret: SECRET, pick: (name) => (name && chosen.includes(name) ? null : pick([...chosen, name])) }) : null,
    chosen.length ? button("Draw unseen instead", () => pick([])) : h("p", { class: "strong" }, "You draw three unseen."),
    others.length ? h("p", { class: "hint" }, `Picked: ${others.join(", ")}.`) : null,
  ];
}

function check({ setup, players: all }) {
  const against = stops(setup);
  const hints = (setup.remarks ?? []).filter((one) => !one.stops);
  const list = (remarks, kind) => h("ul", { class: `remarks ${kind}` }, remarks.map((one) => h("li", {}, `${sentence(one.text)} `, clauseButton(one.clause, `(${clauseName(one.clause)})`))));
  return [
    h("p", { class: "strong" }, against.length ? "Not yet:" : `${all.length} players. Everything is ready.`),
    against.length ? list(against, "stops") : null,
    hints.length ? h("h3", {}, "Good to know") : null,
    hints.length ? list(hints, "hints") : null,
  ];
}
