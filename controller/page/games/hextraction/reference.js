// What can be looked up: cards of tiles and gists of clauses. One file, fetched when somebody first asks.

const MOST_SHOWN = 24;
let loading = null;

/** Return {clauses, tiles}, both Maps; rejects while the file cannot be had, and then tries again next time. */
export function loadReference() {
  loading ??= fetch("games/hextraction/reference.json").then(read).catch((error) => {
    loading = null;
    throw error;
  });
  return loading;
}

async function read(response) {
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  const { clauses, tiles } = await response.json();
  return { clauses: new Map(clauses.map((one) => [one.id, one])), tiles: new Map(tiles.map((one) => [one.name, one])) };
}

/** The clause's gist, or nothing if it is not known. */
export async function gistOf(id) {
  try {
    return (await loadReference()).clauses.get(id)?.gist ?? "";
  } catch {
    return "";
  }
}

/** Entries that fit what was typed, best first: {tiles, clauses, more}. */
export function searchReference({ clauses, tiles }, typed) {
  const words = plain(typed).split(" ").filter(Boolean);
  const scored = /** @type {[number, {card?: any, clause?: any}][]} */ ([
    ...[...tiles.values()].map((card) => [score(words, plain(`${card.title} ${card.name}`), plain(wordsOf(card))), { card }]),
    ...[...clauses.values()].map((clause) => [number(clause.id, typed) || score(words, plain(clause.title), plain(clause.gist)), { clause }]),
  ]);
  const fitting = scored.filter(([value]) => value > 0);
  fitting.sort(([a], [b]) => b - a);
  return { found: fitting.slice(0, MOST_SHOWN).map(([, one]) => one), more: Math.max(0, fitting.length - MOST_SHOWN) };
}

/** Rulings that settle something about a clause. */
export function rulingsOn({ clauses }, id) {
  return [...clauses.values()].filter((one) => one.clauses?.includes(id));
}

function wordsOf(card) {
  return [card.summary, card.creator, ...(card.keywords ?? []), ...(card.effects ?? []).map((effect) => `${effect.when} ${effect.text}`)].filter(Boolean).join(" ");
}

/** A number is looked up as it is written: the clause itself first, then what stands under it. */
function number(id, typed) {
  const wanted = typed.trim().toLowerCase();
  if (!/^(r-?\d|\d)/.test(wanted)) return 0;
  const at = id.toLowerCase();
  if (at === wanted) return 9;
  return at.startsWith(wanted) ? 8 : 0;
}

function score(words, title, rest) {
  if (words.length === 0 || !words.every((word) => title.includes(word) || rest.includes(word))) return 0;
  if (title === words.join(" ")) return 7;
  if (title.startsWith(words[0])) return 5;
  return words.every((word) => title.includes(word)) ? 3 : 1;
}

function plain(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").replace(/[^\p{L}\p{N}.]+/gu, " ").trim().toLowerCase();
}
