// What a text is called in another language: a sentence is looked up by its shape, and the parts put into it by
// themselves, so “Ada rolls from ramp L2.” is found as “{name} rolls from {where}.” with “ramp {ramp}” in it.
// Without a catalogue everything stays as it is.

const PART = /\{\w+\}/g;
const MOST = 4000;
const MOST_WAYS = 60;
const MARKS = [/( · |\n)/, /(; | – )/, /(: )/, /(, | \(|\))/, /( and | or )/];
/** Names stand between these: see `names.py` of the games. */
const BEGINS = "\u2068";
const ENDS = "\u2069";
const ISOLATES = /[\u2066-\u2069]/g;
const MARKED = /\u2068([^\u2066-\u2069]*)\u2069/g;
const ATOM = 0xe000; // private use: no letter, so it is known as it is, and nothing is looked for within it
const ATOMS = /[\ue000-\uf8ff]/g;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;
const OR = "\0"; // between singular and plural of what is counted, as in gettext's compiled files
const STRONG = 5; // letters of a shape that is looked for before a text is cut at its marks

/** @type {Map<string, string>} */
const whole = new Map();
/**
 * Shapes by the longest word that is in them, or by "" if there is none, so that only a few are tried for a text.
 * @typedef {{fixed: string[], said: Record<string, (string | number)[]>, counted: number, weight: number}} Shape
 * @type {Map<string, Shape[]>}
 */
const shapes = new Map();
/** @type {Map<string, string>} */
let turned = new Map();
/** @type {Record<string, any>} */
const loaded = {};
let kinds = new Intl.PluralRules("en");

/**
 * Add texts and what they are called in this phone's language, which stands under the empty text. What is counted is
 * called in one way for each kind of number that the language knows.
 * @param {Record<string, any>} given
 */
export function addWords(given) {
  Object.assign(loaded, given);
  const { "": head, ...texts } = given;
  if (head) kinds = new Intl.PluralRules(head.language);
  for (const [text, said] of Object.entries(texts)) {
    if (typeof said !== "string") {
      for (const form of text.split(OR)) addShape(form, said);
      continue;
    }
    add(text, said);
    // What is added to a sentence is also looked up by itself, where a sentence was cut at its marks.
    if (/^[,;:] /.test(text) && /^[,;:] /.test(said)) add(text.slice(2), said.slice(2));
    if (/^\(.*\)$/.test(text) && /^\(.*\)$/.test(said)) add(text.slice(1, -1), said.slice(1, -1));
  }
  turned = new Map();
}

function add(text, said) {
  if (!/\{\w+\}/.test(text)) return void whole.set(text, said);
  addShape(text, { other: said });
}

function addShape(text, said) {
  const key = wordsOf(text.replace(/\w*\{\w+\}\w*/g, " ")).reduce((best, word) => (word.length > best.length ? word : best), "");
  shapes.set(key, [...(shapes.get(key) ?? []), shapeOf(text, said)]);
}

/** The whole words in a text, in small letters. */
function wordsOf(text) {
  return text.toLowerCase().match(/\p{L}+/gu) ?? [];
}

/** The shapes that a text may have, those that say most first. */
function shapesFor(text) {
  return ["", ...new Set(wordsOf(text))].flatMap((word) => shapes.get(word) ?? []).sort((a, b) => b.weight - a.weight || a.fixed.length - b.fixed.length);
}

function shapeOf(text, said) {
  const fixed = text.split(PART);
  const parts = text.match(PART) ?? [];
  const pieces = (form) => form.split(/(\{\w+\})/).map((piece) => (parts.includes(piece) ? parts.indexOf(piece) : piece));
  const forms = Object.fromEntries(Object.entries(said).map(([kind, form]) => [kind, pieces(form)]));
  return { fixed, said: forms, counted: parts.indexOf("{n}"), weight: fixed.join("").length };
}

/** All texts that were loaded, and what they are called: for a page in a file of its own. */
export function wordsSoFar() {
  return loaded;
}

/**
 * A name that somebody gave themselves or a tile, marked: no sentence that it is put into is taken apart within it. Who is called as
 * the seat's colour gave none.
 * @param {string | undefined} name
 * @param {string} seat
 */
export function markedName(name, seat = "") {
  const bare = bareName(name ?? "");
  return !bare || bare.toLowerCase() === seat ? bare : `${BEGINS}${bare}${ENDS}`;
}

/** A text without such marks: to be kept, or compared with what was kept. */
export function bareName(text) {
  return text.replace(ISOLATES, "");
}

/**
 * What a text is called in the language of this phone.
 * @template T
 * @param {T} text anything but a string is given back as it is
 * @returns {T}
 */
export function translated(text) {
  if (typeof text !== "string") return text;
  if (!text.includes(BEGINS)) return /** @type {any} */ (said(text));
  /** @type {string[]} */
  const kept = [];
  const bare = text.replace(MARKED, (_all, name) => String.fromCharCode(ATOM + kept.push(name) - 1));
  return /** @type {any} */ (said(bare).replace(ATOMS, (atom) => shownName(kept[atom.charCodeAt(0) - ATOM] ?? atom)));
}

/** A name as it is shown: only one that is written from right to left needs its marks, lest it turn its neighbours around. */
function shownName(name) {
  return RIGHT_TO_LEFT.test(name) ? `${BEGINS}${name}${ENDS}` : name;
}

/** What a text is called whose names are single characters that no catalogue has. */
function said(text) {
  if (whole.size + shapes.size === 0) return text;
  const known = turned.get(text);
  if (known !== undefined) return known;
  const core = /^\s*\((.*)\)\s*$/s.exec(text)?.[1] ?? text.trim();
  const at = text.indexOf(core);
  const made = core ? text.slice(0, at) + turn(core) + text.slice(at + core.length) : text;
  if (turned.size >= MOST) turned = new Map();
  turned.set(text, made);
  return made;
}

function turn(text) {
  if (!/\p{L}{2}/u.test(text)) return text;
  const known = asItIs(text);
  if (known !== undefined) return known;
  const like = shapesFor(text);
  const strong = like.filter((one) => one.weight >= STRONG);
  const readings = [
    () => byShape(text, like, SURE),
    () => byShape(text, strong, WITHIN),
    () => bySentence(text),
    () => byShape(text, strong, ACROSS),
    () => withoutMark(text),
    () => byMarks(text),
    () => afterNumber(text),
    () => byShape(text, like, ACROSS),
    () => byWords(text),
  ];
  let [found, least] = [text, Infinity];
  for (const read of readings) {
    const said = read();
    const left = said === undefined ? Infinity : leftIn(text, said);
    if (left < least) [found, least] = [said ?? text, left];
    if (least === 0) break;
  }
  return found;
}

/** How many words of a text are left as they were; names and titles are none. */
function leftIn(text, said) {
  const words = smallWords(said);
  return smallWords(text).filter((word) => words.includes(word)).length;
}

function smallWords(text) {
  return (text.match(/\p{L}{3,}/gu) ?? []).filter((word) => /^\p{Ll}/u.test(word));
}

/** A text of the catalogue, also with a capital letter or a mark at its end. */
function asItIs(text) {
  const said = whole.get(text);
  if (said !== undefined) return said;
  const small = text[0].toLowerCase() + text.slice(1);
  if (small !== text && whole.has(small)) return large(whole.get(small) ?? "");
  const mark = /[.:!?…]$/.exec(text)?.[0];
  return mark && text.length > 1 && text !== `${text[0]}${mark}` ? ending(asItIs(text.slice(0, -1)), mark) : undefined;
}

function ending(said, mark) {
  return said === undefined ? undefined : said + mark;
}

function large(text) {
  return text[0].toUpperCase() + text.slice(1);
}

/** A sentence with parts put in, of one of these shapes, as long as all of its parts `suit`. */
function byShape(text, among, suit) {
  const small = text[0].toLowerCase() + text.slice(1);
  for (const { fixed, said, counted } of among) {
    const fits = counted < 0 ? suit : (parts) => /^\d+$/.test(parts[counted]) && suit(parts);
    const asWritten = best(text, fixed, fits, suit === SURE);
    const parts = asWritten ?? (small === text ? null : best(small, fixed, fits, suit === SURE));
    if (!parts) continue;
    const kind = counted < 0 ? "other" : kinds.select(Number(parts[counted]));
    const made = (said[kind] ?? said.other).map((piece) => (typeof piece === "number" ? translated(parts[piece]) : piece)).join("");
    return asWritten ? made : large(made);
  }
  return undefined;
}

/** The way to read a sentence in which most of its parts is known by itself: “{who} {does}” can be cut anywhere. */
function best(text, fixed, suit, isSure) {
  let [found, most, tries] = [null, -1, 0];
  for (const parts of ways(text, fixed, 0, 0)) {
    if ((tries += 1) > MOST_WAYS) break;
    if (!suit(parts) || isCut(parts, fixed)) continue;
    const worth = parts.reduce((sum, part) => sum + part.length * (isKnown(part) ? 1.1 : !isSure && isTurned(part) ? 1 : 0), 0);
    if (worth > most) [found, most] = [parts, worth];
    if (parts.every(isKnown)) break;
  }
  return found;
}

/** Whether parts may be put into a sentence: each known by itself, each within a sentence, or any. */
const SURE = (parts) => parts.every(isKnown);
const WITHIN = (parts) => !parts.some((part) => /[.!?] \S/.test(part));
const ACROSS = () => true;

/** Whether a sentence would begin before the end of another one: a list of sentences stands at the end or after a “:”. */
function isCut(parts, fixed) {
  const within = (i) => !fixed[i].endsWith(": ") && (fixed[i + 1] !== "" || i + 1 < parts.length);
  return parts.some((part, i) => within(i) && (/[,;]$/.test(part) || (/; | · /.test(part) && !isKnown(part))));
}

function isKnown(part) {
  return !/\p{L}{2}/u.test(part) || asItIs(part.trim()) !== undefined;
}

/** Whether nothing of a part would be left in English. */
function isTurned(part) {
  const said = translated(part);
  return said !== part && leftIn(part, said) === 0;
}

/** All ways to put parts between the fixed pieces of a sentence, the shortest first. */
function* ways(text, fixed, at, from) {
  if (at === 0 && !text.startsWith(fixed[0])) return;
  const start = at === 0 ? fixed[0].length : from;
  const next = fixed[at + 1];
  if (at + 2 === fixed.length) {
    const end = text.length - next.length;
    if (end >= start && text.endsWith(next)) yield [text.slice(start, end)];
    return;
  }
  for (let end = text.indexOf(next, start); end >= 0; end = text.indexOf(next, end + 1)) {
    const inWord = !next && /[\p{L}\d]{2}/u.test(text.slice(Math.max(start, end - 1), end + 1)) && end > start;
    if (!inWord) for (const rest of ways(text, fixed, at + 1, end + next.length)) yield [text.slice(start, end), ...rest];
    if (end >= text.length) return;
  }
}

/** Several sentences, one after the other; some are known only together. */
function bySentence(text) {
  const pieces = (text.match(/.+?(?:[.!?](?=\s)|$)/gs) ?? []).map((piece) => piece.trim()).filter(Boolean);
  if (pieces.length < 2) return undefined;
  const said = [];
  for (let at = 0; at < pieces.length; ) {
    let end = pieces.length - (at === 0 ? 1 : 0);
    while (end > at + 1 && !whole.has(pieces.slice(at, end).join(" "))) end -= 1;
    said.push(translated(pieces.slice(at, end).join(" ")));
    at = end;
  }
  return said.join(" ");
}

function withoutMark(text) {
  const bare = text.replace(/[.:!?…]$/, "");
  const said = bare === text || !bare ? bare : turn(bare);
  return said === bare ? undefined : said + text.slice(bare.length);
}

/** A list, or a text with something added: what stands between its strongest marks, each by itself. */
function byMarks(text) {
  const marks = MARKS.find((mark) => mark.test(text));
  return marks && text.split(marks).map((piece, i) => (i % 2 ? between(piece) : piece && translated(piece))).join("");
}

/** A number or a share, and what it is of. */
function afterNumber(text) {
  const [, number, rest] = /^(\d[\d.,]* ?%?) (.+)$/s.exec(text) ?? [];
  return rest && `${number} ${translated(rest)}`;
}

/** Words that are known one by one, like a colour and a number. */
function byWords(text) {
  const pieces = text.split(" ");
  return pieces.length > 1 && pieces.every(isKnown) ? pieces.map((piece) => translated(piece)).join(" ") : undefined;
}

function between(mark) {
  return /^ \w+ $/.test(mark) ? ` ${whole.get(mark.trim()) ?? mark.trim()} ` : mark;
}
