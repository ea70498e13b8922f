// The game that this table plays: its file, `games/KIND.js`, is fetched when the kind is known. The page knows no
// game. Without a file a game is shown from its scene and its options alone.

const RETRY_MS = 3000;
const MOST_TRIES = 20;
const KIND = /^[a-z][a-z0-9_-]*$/;

/**
 * How the page shows a group of options, that is all options with the same `group`.
 * @typedef {object} Group
 * @property {number} [order] where its buttons stand among those of other groups; 8 if it is not told
 * @property {"ask" | "wrong" | "last"} [part] the part of *More* it stands in; without one it is in sight
 * @property {string} [label] the button that opens the group
 * @property {string} [hint] what to do when its places are bright on the board
 * @property {boolean} [primary] whether its buttons are the ones to press
 * @property {"only" | "asked" | "off"} [board] `only`: given by a tap on the board, there are no buttons; `asked`:
 *   its places are bright once its button was pressed; `off`: never bright. Otherwise bright, with buttons as well
 * @property {boolean} [once] a tap on its place is enough, if nothing else can be done there
 * @property {boolean} [stays] whether its buttons stay in sight while a tapped place asks what to do there
 * @property {boolean} [lays] whether a tap on an open slot means it too, for the piece that is chosen in the hand
 * @property {boolean} [pictures] also list the choices with their pieces drawn
 * @property {string | ((option: Option) => string | null)} [sure] what follows, if it is asked about once more
 * @property {boolean} [grave] whether the way back is closed; so it is in the part `last`
 * @property {string} [really] the words that confirm it
 * @property {(list: Option[], store: Store, ui: any) => Option[]} [places] what taps on the board mean while it is open
 * @property {(list: Option[], tools: any) => any[]} [draw] its own buttons
 * @property {(tools: any) => any} [pick] the choice at a tapped place while it is open, or `only` there
 */

/**
 * A sheet of the game's own: `make` builds it and may return what keeps it up to date. A button with `data-open` and
 * its name opens it; `button` puts one into the list of the table: at the `start`, or `always`.
 * @typedef {object} Sheet
 * @property {string} name
 * @property {string} [button]
 * @property {"start" | "always"} [when]
 * @property {(tools: {say: (words: object) => Promise<any>, act: (act: object) => Promise<any>, tell: (words: string) => void}) => ((store: Store) => void) | void} make
 */

/** @typedef {{title: string, text: string, draw: () => any[]}} Step */

/**
 * What a game lets people look up. A tap on whatever has `data-clause` or `data-card` opens it.
 * @typedef {object} Lookup
 * @property {() => void} search
 * @property {(id: string) => void} clause
 * @property {(name: string, title?: string) => void} card
 * @property {(id: string) => Promise<string>} gist one sentence about a clause
 * @property {(id: string) => string} [called] what people call a clause that they know by a name, not by its number
 */

/**
 * What a game's file exports as `default`. Every member may be left out. `view` is the scene, `view.detail` what only
 * this game shows, `store` all that the page knows, `option` and `prompt` come from the private view.
 * @typedef {object} Game
 * @property {string} [title] what stands at the top of the page
 * @property {string} [style] a style sheet, beside the game's file
 * @property {string} [rest] another file, beside the game's, with all members that it does not take to draw the board
 * @property {string[]} [help] lines for the help sheet
 * @property {Step[] | ((store: Store) => Step[])} [howTo] how it is played, for newcomers: a few pictures of 240 by 150
 * @property {Record<string, Group>} [groups] how its groups of options are shown
 * @property {(options: Option[], store: Store) => Option[]} [options] our seat's options, with others added, left out, or
 *   placed by `slot`, `ramp`, `zone`; `shows` is the number of a piece to draw
 * @property {(prompt: Prompt, store: Store) => Prompt} [prompt] a question with its answers placed or put into words; the
 *   piece in `picture` is drawn beside it, and none beside an answer that is `bare`
 * @property {(option: Option, among: Option[]) => {label?: any, kind?: string}} [button] another label or style
 * @property {(view: Scene, store: Store) => (string | {words: string, since: number, until?: number})[]} [facts] instead of the
 *   scene's counters; a time that runs is told by when it began, on the table's clock
 * @property {(view: Scene) => any[]} [watched] what stands beside the board besides the seats' counters while a game is watched again
 * @property {(counter: Counter) => any} [counter] how a seat's counter is drawn in the strip of seats; else it is said in words
 * @property {(view: Scene, store: Store) => any} [score] a table of points, kept in sight beside the board, and at the end with the result
 * @property {(view: Scene) => string[]} [asked] slots that are marked for everybody
 * @property {(store: Store, live: any, ui: any) => string} [coach] one sentence for our seat: what to do next
 * @property {(view: Scene) => string} [deadline] what to call the time that runs
 * @property {(store: Store, live: any, tools: {told: any, say: (words: object) => Promise<any>}) => {before?: any[], after?: any[], below?: any[]}} [tray] what
 *   stands before and after questions, and below the hand; `told` is the event that was told last
 * @property {boolean} [tells] whether that is drawn anew with each event
 * @property {string} [heard] what one hears with the sound on, in a sentence, if a ball rolls in this game
 * @property {Record<string, string>} [sounds] what is heard at kinds of events that only this game has: names of `shell/sounds.js`
 * @property {string} [lift] what hands do with a piece that is to be lifted, if it is not taken off
 * @property {Record<string, "lift" | "put" | "">} [hands] kinds of events that ask for hands, and how to mark the slot
 * @property {(piece: Partial<Piece>, pitch: number, turns: number) => any[]} [drawPiece] what is on a piece, around 0,0
 * @property {(spot: any) => any[] | null} [drawSpot] what stands at an edge or corner, around 0,0; null for a plain dot or bar
 * @property {(view: Scene, at: (slot: string) => {x: number, y: number} | undefined, pitch: number, paints: Record<string, string>) => any[]} [drawOver]
 *   what lies over the slots: the last move, what belongs together; it takes no taps. `paints` are the seats' colours
 * @property {(options: Option[], from: string, view: Scene) => Option[]} [drags] what may be done by drawing a piece from a slot to the
 *   `slot` of an option
 * @property {(number: number, at: {way: [number, number] | null, edges: number[], seats: string[]}) => {piece: any, owner?: string}} [poster] what lies
 *   on a slot in the picture before a game: its `number`-th piece, over which a ball runs by the edges in `way`; `edges` has a number
 *   for each edge, the same on both sides of it
 * @property {(prompt: Prompt, store: Store) => any} [asks] a picture below a question
 * @property {(text: string) => any[]} [pictured] a sentence with what it names drawn in it: text and pictures that have a name
 * @property {(store: Store, slot: string) => string[]} [ways] where what lies on a slot leads, for the board as text
 * @property {(store: Store, ramp: string) => string} [course] the way of a ball from a ramp, as far as the board shows it
 * @property {(piece: Piece) => string} [pieceFacts] one line about a piece
 * @property {string} [blank] what to say of a held piece that has no summary
 * @property {(table: any, tools: {say: (words: object) => Promise<any>}) => any[]} [lobby] what the lobby asks before a game
 * @property {Sheet[]} [sheets]
 * @property {Lookup} [lookup]
 */

/** @type {Game} */
const NONE = {};
let current = NONE;
let wanted = null;
let ready = ""; // the kind whose file is here
let told = (_game) => {};
/** @type {Tools} */
let tools = { bring: async () => ({}), learn: async () => {}, forget() {} };
/** @type {Record<string, Game>} */
let given = {};
let whole = false; // whether more is wanted than it takes to draw the board

/** The game's file, or an object without members. */
export function game() {
  return current;
}

/** How the game is played, as this table plays it, picture by picture. */
export function howToPlay(store) {
  const { howTo = [] } = current;
  return typeof howTo === "function" ? howTo(store) : howTo;
}

/** The kind of game that the table plays; empty before that is known. */
export function gameKind() {
  return wanted ?? "";
}

/** Whether the page may be drawn: the game's file was fetched, or there is none. */
export function gameIsKnown() {
  return Boolean(ready) && ready === wanted; // Another game's scene is not for this file.
}

/** Fetch the file of this kind of game, if it is not the one that is shown; who asked last is told: `changed(game)`. */
export function useGame(kind, changed) {
  told = changed;
  if (!kind || kind === wanted) return;
  wanted = kind;
  fetchGame(kind);
}

/**
 * What the first module of a page gives: how a game's file is imported, for the path leads from there; how its words are
 * learnt; what draws anew that things look otherwise now.
 * @typedef {{bring: (path: string) => Promise<{default?: Game}>, learn: (folder: string) => Promise<void>, forget: () => void}} Tools
 * @param {Tools} given
 */
export function importGames(given) {
  tools = given;
}

/** From now on games are wanted with their rest; resolves once the one that is here has it, rejects if that cannot be had. */
export async function wholeGame() {
  whole = true;
  current = await withRest(current);
}

/** Games' files that need not be fetched, by kind: a file of its own has them in it, with their styles. */
export function giveGames(games) {
  given = games;
}

async function fetchGame(kind, tries = 1) {
  const found = given[kind] ?? (KIND.test(kind) ? await load(kind, tries) : NONE);
  if (!given[kind] && found !== NONE) await tools.learn(`games/${kind}/words`);
  if (kind !== wanted || (ready === kind && found === current)) return;
  document.querySelector("#game-style")?.remove();
  if (found.style && !given[kind]) await wear(found.style);
  if (kind !== wanted) return;
  current = found;
  ready = kind;
  tools.forget();
  told(current);
}

/** The file's game. A file that cannot be had now is tried again; one that is not there is not. */
async function load(kind, tries) {
  const file = `./games/${kind}.js`;
  try {
    return await withRest((await tools.bring(file)).default ?? NONE);
  } catch (error) {
    const answer = await fetch(file, { method: "HEAD" }).catch(() => null);
    if (answer?.status === 404) return NONE;
    if (tries < MOST_TRIES) setTimeout(() => kind === wanted && fetchGame(kind, tries + 1), RETRY_MS);
    else console.error(error);
    return NONE;
  }
}

async function withRest(found) {
  return whole && found.rest ? { ...found, ...(await tools.bring(`./games/${found.rest}`)).default } : found;
}

/** Put on the game's style sheet; resolves when it is there, or cannot be had. */
function wear(style) {
  return new Promise((done) => {
    const link = document.createElement("link");
    link.id = "game-style";
    link.rel = "stylesheet";
    link.href = `games/${style}`;
    link.addEventListener("load", done);
    link.addEventListener("error", done);
    document.head.append(link);
  });
}
