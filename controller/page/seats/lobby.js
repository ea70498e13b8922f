// The table: join with a name, choose a free seat, add bots, start, pause, who is here. To go on is the banner's.

import { untouched } from "../elements/hold.js";
import { button, byId, h, memo, write } from "../elements/dom.js";
import { codeFromAddress } from "../link/key.js";
import { game } from "../scene/games.js";
import { mark } from "../scene/marks.js";
import { paint, publicView } from "../scene/model.js";
import { markedName } from "../words/sentences.js";

const CODE = "hextraction.code";
const NAME = "hextraction.name";

/** A command of the lobby: its word, and what belongs to it. */
export function tableWord(word, more = {}) {
  return { do: word, ...more };
}

/** Keep the lobby up to date; `say(body)` sends a lobby command, `join`, `leave` and `retryNow` are the link's, `another` adds a phone; `complain` says what is wrong and `hush` takes that away; `code` came in the address. */
export function createLobby({ say, join, leave, retryNow, another, complain, hush, code: given }) {
  const form = byId("join");
  const name = byId("join-name");
  const code = byId("join-code");
  let invited = false;
  let forgotten = false;
  let satDown = false;
  let asks = false;
  let fresh = false; // whether a new game is wanted as soon as the seat is ours
  let again = () => {};
  name.value = kept(NAME);
  invite(given);

  /** Somebody came with a code: only the name is left to ask. */
  function invite(fresh) {
    if (!fresh) return;
    code.value = fresh;
    invited = true;
    byId("join-code-row").hidden = true;
  }
  addEventListener("hashchange", () => {
    const fresh = codeFromAddress();
    invite(fresh);
    if (fresh) retryNow(); // Is the key that this phone has still worth anything at this table?
  });

  async function sit(seat) {
    if (!form.reportValidity()) return false;
    try {
      await join(code.value.trim(), name.value.trim(), seat);
      keep(CODE, code.value.trim());
      keep(NAME, name.value.trim());
      hush(); // What was wrong with an earlier try is over.
      return true;
    } catch (error) {
      byId("join-code-row").hidden = false;
      complain(error.message);
      return false;
    }
  }
  /** Take another seat: leave this one, come in again with the same code and name. */
  async function move(one, from) {
    if (!code.value) code.value = kept(CODE);
    name.value = from.name;
    if (!(await say(tableWord("leave")))) return;
    if (code.value && (await sit(one.seat))) return;
    leave();
    if (!code.value) complain("Type the code shown at the table to sit down again.");
  }

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const anew = event.submitter?.id === "join-fresh";
    if (await sit(null)) fresh = anew;
  });
  /** Whoever came without a code asks to come in: one screen for code, name and seat. */
  function come(wanted) {
    asks = wanted;
    again();
    if (wanted) code.focus();
  }
  byId("come").addEventListener("click", () => come(true));
  byId("join-not").addEventListener("click", () => come(false));

  const draw = memo((table, seat, link, bots, dealt) => {
    const tools = { table, seat, link, bots, dealt, say, sit, move, leave, another };
    byId("lobby").dataset.phase = table?.phase ?? "";
    write(byId("lobby-say"), ["lobby", "over"].includes(table?.phase) ? "" : table?.say ?? ""); // Then the headline says it.
    showBeginning(beginning(tools));
    byId("lobby-seats").replaceChildren(...(table?.seats ?? []).map((one) => seatRow(one, tools)));
    byId("lobby-actions").replaceChildren(...actions(tools));
    form.hidden = Boolean(seat) || link === "elsewhere";
    byId("watching").hidden = Boolean(seat);
    write(byId("watching"), watching(table, bots, dealt));
  });
  let before = "";
  const unfold = memo((phase, open) => {
    byId("lobby").open = open;
    if (phase === "playing" && before && before !== phase) scrollTo({ top: 0 }); // It begins: the board is what matters now.
    before = phase;
  });
  const hasRoom = (store) => !["taken", "elsewhere"].includes(store.link) && store.table.seats.some((one) => canSit(one, { table: store.table, bots: store.info?.simulated === true, dealt: (publicView(store)?.seats ?? []).map((seat) => seat.seat) }));
  return function update(store) {
    again = () => update(store);
    if (store.seat && !satDown) scrollTo({ top: 0 }); // In the same moment as all else changes: no finger is aimed at it yet.
    satDown = Boolean(store.seat);
    if (store.seat) asks = false;
    if (fresh && store.seat && store.link === "connected") {
      fresh = false;
      say(tableWord("fresh"));
    }
    const joining = (invited || asks || store.forgotten) && !store.seat;
    const among = store.table?.phase === "playing" && store.info?.simulated === true && !store.table.seats.some((one) => one.kind === "person");
    byId("come").hidden = Boolean(store.seat) || joining || !store.table || !hasRoom(store);
    byId("join-fresh").hidden = !among;
    byId("join-not").hidden = !asks;
    if (forgotten !== store.forgotten) {
      forgotten = store.forgotten;
      byId("join-again").hidden = !forgotten;
      if (forgotten && !invited) code.value = kept(CODE);
    }
    document.body.classList.toggle("joining", joining);
    draw(store.table, store.own, store.link, store.info?.simulated === true, (publicView(store)?.seats ?? []).map((one) => one.seat));
    const phase = store.table?.phase ?? null;
    unfold(phase, joining || (phase !== "playing" && !(phase === "over" && !store.seat))); // To who only watches nothing moves at the end.
  };
}

/** Keep what let this phone in, to sit down again without typing it again. */
function keep(what, text) {
  try {
    localStorage.setItem(what, text);
  } catch {
    // Storage can be denied; then it is typed again.
  }
}

function kept(what) {
  try {
    return localStorage.getItem(what) ?? "";
  } catch {
    return "";
  }
}

/** What somebody without a seat can do now. */
function watching(table, bots, dealt) {
  if (!table) return "";
  const free = table.seats.some((one) => canSit(one, { table, bots, dealt }));
  if (table.phase !== "playing") return free ? "You are watching. Sit down to play." : "You are watching. Every seat is taken.";
  if (bots && table.seats.some((one) => one.kind === "bot")) return "You are watching. You may take over from a bot.";
  const later = table.seats.some((one) => one.kind === "open" && !dealt.includes(one.seat));
  return later ? "You are watching. Sit down now to play from the next game on." : "You are watching. You can sit down when the game is over.";
}

function seatRow(one, { table, seat, bots, dealt, say, sit, move, another }) {
  const store = { table };
  const called = markedName(one.name, one.seat);
  const bringer = table.seats.find((other) => other.seat === one.by);
  const with_ = bringer && (one.by === seat ? "on this phone" : `on ${markedName(bringer.name, bringer.seat)}'s phone`);
  const kind = { open: "free seat", bot: "bot", person: with_ || (one.here ? "here" : "away") }[one.kind] ?? one.kind;
  const lobby = table.phase !== "playing" && seat;
  return h(
    "li",
    { class: `row ${one.kind}`, "data-seat": one.seat, "data-paint": paint(store, one.seat) },
    mark(store, one.seat),
    h("span", { class: "row-name" }, called || "Open seat", h("span", { class: "row-note" }, [one.seat === seat ? "you" : kind, one.joins_next && "plays from the next game on"].filter(Boolean).join(" · "))),
    !seat && canSit(one, { table, bots, dealt }) ? button(one.kind === "person" ? "That is me" : "Sit here", () => sit(one.seat), { "aria-label": `${one.kind === "person" ? "That is me" : "Sit here"}: ${called || "open seat"}` }) : null,
    lobby && one.kind === "open" && !table.seats.some((other) => other.by === seat) ? button("Move here", () => move(one, table.seats.find((other) => other.seat === seat)), { "aria-label": `Move here: ${called || one.colour}` }) : null,
    lobby && bots && one.kind === "open" ? button("Add a bot", () => say(tableWord("bot", { seat: one.seat }))) : null,
    lobby && one.kind === "bot" ? button("Free the seat", () => say(tableWord("open", { seat: one.seat }))) : null,
    seat && one.kind === "person" && one.seat !== seat ? (one.by === seat ? aboutGuest(one, { table, say, another }) : about(one, say)) : null,
  );
}

/** The seat about which more is shown: the rows are drawn anew whenever somebody comes or goes. */
let unfolded = "";

/** What this phone may do for a player without one: let them have one, or leave. */
function aboutGuest(one, { table, say, another }) {
  const called = markedName(one.name, one.seat);
  return folded(one, called,
    button(`A phone for ${called}`, () => another(one.seat)),
    button(`${called} leaves`, () => say(tableWord("leave"), one.seat), { kind: "danger" }),
    table.phase === "playing" && !one.joins_next ? h("p", { class: "hint" }, "Whoever leaves gives up the game.") : null);
}

/** What the table may decide about somebody else: let their seat be taken while they are away, or make them leave. */
function about(one, say) {
  const called = markedName(one.name, one.seat);
  const free = button(`Let somebody else take ${called}'s seat`, () => say(tableWord("free", { seat: one.seat })));
  const gone = button(`${called} should leave`, () => say(tableWord("remove", { seat: one.seat })), { kind: "danger" });
  return folded(one, called, one.here ? null : free, gone,
    h("p", { class: "hint" }, one.here ? "" : "Their phone is away. It can take the seat back. ", "Somebody has to leave if more than half of the others want it, and at least two."));
}

/** More about a seat, which stays open while rows are drawn anew. */
function folded(one, called, ...content) {
  const box = h("details", { class: "about", open: unfolded === one.seat },
    h("summary", { "aria-label": `Seat of ${called}` }, "Seat"),
    ...content);
  box.addEventListener("toggle", () => {
    if (box.open) unfolded = one.seat;
    else if (box.isConnected && unfolded === one.seat) unfolded = "";
  });
  return box;
}

/** Whether the table would let somebody sit down there: see the lobby of the controller. */
function canSit(one, { table, bots, dealt }) {
  if (one.kind === "person") return !one.here;
  if (one.kind === "bot") return bots;
  return table.phase !== "playing" || !dealt.includes(one.seat);
}

/** Whether this phone sits at the table, and nothing stands in its way. */
function atTable({ table, seat, link }) {
  return Boolean(seat && table) && link !== "taken" && link !== "elsewhere";
}

/** Show what it takes to begin. It comes up where the form has been: a second tap on *Take a seat* must choose nothing. */
function showBeginning(made) {
  const root = byId("lobby-begin");
  const fresh = !root.childElementCount && made.length > 0;
  root.replaceChildren(...made);
  if (fresh) untouched(root);
}

/** What it takes to begin, above the seats: what is played, how, *Start*, and a player for whom this phone plays, too. */
function beginning({ table, seat, link, say }) {
  if (!atTable({ table, seat, link }) || table.phase === "playing") return [];
  const made = [];
  if ((table.games?.length ?? 0) > 1) made.push(chooser(table, say));
  made.push(...(game().lobby?.(table, { say }) ?? []));
  if (table.phase === "lobby") made.push(button("Start", () => say(tableWord("start")), { kind: "primary wide", disabled: !table.can_start }));
  if (table.phase === "lobby" && !table.can_start) made.push(h("p", { class: "hint" }, "More players are needed to start."));
  if (table.seats.some((one) => one.kind === "open")) made.push(named("Player without a phone", "Add", (name) => say(tableWord("guest", { name }))));
  return made;
}

function actions({ table, seat, link, bots, say, leave, another }) {
  if (link === "taken" || link === "elsewhere") return [button("Watch instead", leave)]; // The rest is the banner's.
  if (!seat || !table) return [];
  const made = [];
  if (table.phase !== "playing") made.push(...sheetButtons("start"));
  if (table.phase === "playing" && !table.paused) made.push(button("Pause", () => say(tableWord("pause"))));
  if (table.phase !== "playing") made.push(named("New name", "Rename", (name) => say(tableWord("name", { name }))));
  made.push(...sheetButtons("always"));
  made.push(button("Use another phone", () => another(seat)));
  made.push(leaving(table, table.seats.find((one) => one.seat === seat), { bots, say, leave }));
  return made;
}

/** Which game comes next: anybody who sits at the table may choose. */
function chooser(table, say) {
  const select = h("select", { id: "choose-game", onchange: () => say(tableWord("game", { kind: select.value })) },
    table.games.map((one) => h("option", { value: one.kind, selected: one.kind === table.kind }, markedName(one.title))));
  return h("label", { class: "choose-game" }, "Game ", select);
}

/** Buttons that open sheets of the game. */
function sheetButtons(when) {
  const shown = (game().sheets ?? []).filter((sheet) => sheet.button && sheet.when === when);
  return shown.map((sheet) => button(sheet.button, undefined, { "data-open": sheet.name }));
}

/** Leaving a game that is on means losing it, or leaving it to a bot: that is asked once more. */
function leaving(table, own, { bots, say, leave }) {
  const go = () => say(tableWord("leave")).then((done) => done && leave());
  if (table.phase !== "playing" || own?.joins_next) return button("Leave the table", go, { kind: "danger" });
  const box = h("details", { class: "leaving" }, h("summary", {}, "Leave the table…"));
  box.append(h("p", { class: "hint" }, bots ? "A bot plays on in your place." : "You give up the game and your seat.", table.seats.some((one) => one.by && one.by === own?.seat) ? " Whoever plays on this phone leaves, too." : ""), button("Really leave", go, { kind: "danger sure" }));
  return box;
}

/** A field for a name with its button; `tell(name)` is what the button does. */
function named(what, does, tell) {
  const input = h("input", { type: "text", maxlength: 24, required: true, autocomplete: "off", placeholder: what, "aria-label": what });
  const form = h("form", { class: "rename" }, input, h("button", { type: "submit", class: "button plain" }, does));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    tell(input.value.trim());
  });
  return form;
}
