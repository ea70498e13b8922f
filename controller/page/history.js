// What was played at this table: the games, each to be watched again and given away, the ladder, players and tiles.

import { button, byId, forgetDrawn, h, sayPage, write } from "./elements/dom.js";
import { createNames } from "./shell/names.js";
import { importGames } from "./scene/games.js";
import { count } from "./scene/model.js";
import { save as saveFile } from "./replay/picture.js";
import { createViewer, whenOf, winnersOf } from "./replay/viewer.js";
import { markedName, translated, wordsSoFar } from "./words/sentences.js";
import { language, learnWords } from "./words/words.js";

const SAYS = {
  title: "Games of this table",
  games: "Games",
  ladder: "Standings",
  players: "Players",
  tiles: "Tiles",
  none: "No game has been finished yet.",
  away: "The table cannot be reached now.",
  gone: "This game is no longer kept here.",
  watch: (title) => `Watch: ${title}`,
  link: "Link to this moment",
  share: "Share this moment",
  copied: "Link copied",
  save: "Save as one file that opens anywhere",
  saving: "Saving…",
  rating: (one) => `${one.rating} ± ${2 * one.deviation}`,
  record: (one) => `${one.wins} of ${one.games} won`,
  rolled: (one) => `${count(one.balls, "ball")}, ${one.zone} into an end zone, ${count(one.touches, "touch", "touches")}`,
  lucky: (tile) => `Luckiest tile: ${markedName(tile.title)} (${tile.zone} of ${count(tile.balls, "ball")} came into an end zone)`,
  tile: (one) => `${count(one.balls, "ball")}: ${one.zone} into an end zone, ${one.fell} fell through`,
  ladderHint: "A rating changes after each day of play. The smaller the number after ±, the surer it is (Glicko-2).",
  tilesHint: "Most goals first: how often a ball that crossed the tile ended in an end zone.",
};
const PLACES = { language: "@LANGUAGE@", words: "@WORDS@", chronicle: "@CHRONICLE@" };
const SOON_MS = 1200;
let viewer = null;

importGames({ bring: (path) => import(path), learn: learnWords, forget: forgetDrawn });
await learnWords();
sayPage(language());

/** Fetch JSON of the table, or null. */
async function read(path) {
  try {
    const answer = await fetch(path);
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

/** What the address asks for: `#GAME`, which opens where it was won, or `#GAME/12`. */
function asked() {
  const [game, moment] = decodeURIComponent(location.hash.slice(1)).split("/");
  return { game, moment: moment ? Number(moment) || 0 : null };
}

/** A game that has just ended takes a moment until it is told. */
async function chronicleOf(game) {
  for (const wait of [SOON_MS, SOON_MS, 0]) {
    const chronicle = await read(`history/${encodeURIComponent(game)}.json`);
    if (chronicle || !wait) return chronicle;
    await new Promise((go) => setTimeout(go, wait));
  }
  return null;
}

async function showAsked() {
  viewer?.stop();
  viewer = null;
  const { game, moment } = asked();
  byId("past-all").hidden = !game;
  if (game) await showGame(game, moment);
  else await showAll();
}

async function showGame(game, moment) {
  const chronicle = await chronicleOf(game);
  if (asked().game !== game) return;
  const root = byId("past");
  if (!chronicle) return void root.replaceChildren(h("p", { class: "hint" }, SAYS.gone));
  write(byId("past-title"), winnersOf(chronicle.summary.players) || chronicle.summary.outcome);
  const stage = h("div", { class: "past-game" });
  const link = h("input", { type: "text", readonly: true, "aria-label": SAYS.link });
  link.addEventListener("focus", () => link.select());
  const share = button(SAYS.share, () => give(chronicle, link, share));
  const save = button(SAYS.save, () => keep(chronicle, save));
  root.replaceChildren(stage, h("section", { class: "past-share" }, h("label", {}, SAYS.link, link), save));
  const moved = (index) => (link.value = `${location.origin}${location.pathname}#${game}/${index}`);
  viewer = createViewer(stage, chronicle, { at: moment, moved });
  stage.querySelector(".past-give").append(share);
  createNames(stage.querySelector("#board"), Object.assign(h("input"), { type: "checkbox" }));
}

/** Hand the link to the phone's share sheet; without one it is copied, as far as the origin may. */
async function give(chronicle, link, from) {
  const title = winnersOf(chronicle.summary.players) || chronicle.summary.outcome;
  if (navigator.share) {
    await navigator.share({ title: translated(title), url: link.value }).catch(() => {}); // whoever changes their mind is no mistake
    return;
  }
  link.select();
  if (document.execCommand("copy")) write(from, SAYS.copied);
}

/** Save a game as one HTML file: made here, of the same page and the same game. */
async function keep(chronicle, from) {
  write(from, SAYS.saving);
  try {
    const answer = await fetch("alone.html");
    if (!answer.ok) throw new Error(SAYS.away);
    const inside = (told) => JSON.stringify(told).replaceAll("<", "\\u003c");
    const [before, after] = (await answer.text()).split(PLACES.chronicle);
    const [head, tail] = before.replace(PLACES.language, language()).split(PLACES.words);
    const whole = [head, inside(wordsSoFar()), tail, inside(chronicle), after].join("");
    saveFile(new File([whole], `${chronicle.summary.game}.html`, { type: "text/html" }));
    write(from, SAYS.save);
  } catch (error) {
    write(from, error.message);
  }
}

async function showAll() {
  const index = await read("history/index.json");
  const root = byId("past");
  write(byId("past-title"), SAYS.title);
  if (!index?.games.length) return void root.replaceChildren(h("p", { class: "hint" }, SAYS.none));
  await Promise.all(index.games.map((one) => learnWords(`games/${one.kind}/words`)));
  const tabs = { games: () => gamesOf(index), ladder: () => ladderOf(index), players: () => playersOf(index), tiles: () => tilesOf(index) };
  const stage = h("div", { class: "past-stage" });
  const bar = h("div", { class: "past-tabs", role: "tablist" }, Object.keys(tabs).map((name) =>
    button(SAYS[name], () => choose(name), { role: "tab", "data-tab": name })));
  const choose = (name) => {
    for (const tab of bar.children) tab.setAttribute("aria-selected", String(tab.dataset.tab === name));
    stage.replaceChildren(...tabs[name]());
  };
  root.replaceChildren(bar, stage);
  choose("games");
}

function gamesOf({ games }) {
  const row = (one) => {
    const title = winnersOf(one.players) || one.outcome;
    const words = [h("strong", {}, title), h("span", {}, one.players.map((player) => markedName(player.name, player.seat)).join(", ")), h("span", { class: "hint" }, `${markedName(one.title)} · ${whenOf(one)}`)];
    return h("li", {}, one.replay ? h("a", { class: "past-row", href: `#${one.game}`, "aria-label": SAYS.watch(`${title}, ${whenOf(one)}`) }, words) : h("div", { class: "past-row" }, words));
  };
  return [h("ul", { class: "past-rows" }, games.map(row))];
}

function ladderOf({ ladders }) {
  const row = (one) => h("li", { class: "past-row" }, h("strong", {}, markedName(one.name)), h("span", {}, SAYS.rating(one)), h("span", { class: "hint" }, SAYS.record(one)));
  const one = ({ title, rungs }) => [ladders.length > 1 ? h("h2", {}, markedName(title)) : null, h("ol", { class: "past-rows past-ladder" }, rungs.map(row))];
  return [h("p", { class: "hint" }, SAYS.ladderHint), ...ladders.flatMap(one).filter(Boolean)];
}

function playersOf({ players }) {
  const row = (one) => h("li", { class: "past-row" }, h("strong", {}, markedName(one.name)), h("span", {}, SAYS.record(one)), one.balls ? h("span", { class: "hint" }, SAYS.rolled(one)) : null, one.luckiest ? h("span", { class: "hint" }, SAYS.lucky(one.luckiest)) : null);
  return [h("ul", { class: "past-rows" }, players.map(row))];
}

function tilesOf({ tiles }) {
  const row = (one) => h("li", { class: "past-row" }, h("strong", {}, markedName(one.title)), h("span", { class: "hint" }, SAYS.tile(one)));
  return [h("p", { class: "hint" }, SAYS.tilesHint), h("ul", { class: "past-rows" }, tiles.map(row))];
}

addEventListener("hashchange", showAsked);
showAsked();
