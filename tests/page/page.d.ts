// What the page finds in its window beside its own modules, and what the table sends it.

interface Element {
  // A page draws what it then looks for: elements found by a selector are of the kind that was drawn.
  dataset: DOMStringMap;
  focus(options?: FocusOptions): void;
}

// --- the scene and the private view, see controller/games/scene.py; what has its default is left out ---

interface Counter {
  label: string;
  count: number;
  one?: string;
}

interface SeatView {
  seat: string;
  name: string;
  colour: string;
  counters?: Counter[];
  out?: boolean;
  leaving?: boolean;
  note?: string;
}

interface Piece {
  id: number;
  name: string;
  title: string;
  owner?: string | null;
  turns?: number;
  untold?: boolean;
  covers?: string[];
  summary?: string;
  /** Whatever a game adds, for its own file to draw. */
  [own: string]: any;
}

interface PlaceView {
  place: string;
  title?: string;
  piece?: Piece | null;
  part_of?: string;
  owner?: string;
  label?: string;
  badge?: string;
  count?: number;
  balls?: number;
  wants?: "" | "lift" | "put" | "release";
  shut?: boolean;
  note?: string;
}

/** A place with all defaults, and what it is called on the drawing: `B2` of `slot.B2`. */
type Place = Required<PlaceView> & { name: string };

interface BallView {
  ball: number;
  place: string;
  trail?: string[];
  moving?: boolean;
}

interface Scene {
  /** Only in the picture before a game, which the page makes itself. */
  poster?: boolean;
  kind: string;
  headline: string;
  hands?: string;
  turn: number;
  active: string;
  acting: string;
  seats: SeatView[];
  places: PlaceView[];
  balls: BallView[];
  counters: Counter[];
  asked: [string, string][];
  power: boolean;
  paused: boolean;
  deadline_us: number | null;
  winners: string[];
  losers: string[];
  outcome: string | null;
  last_roll: any;
  /** What only this game shows, for its own file. */
  detail: any;
}

interface Amount {
  into: string;
  label: string;
  most: number;
  step: number;
  least?: number;
  usual?: number;
}

interface Option {
  group: string;
  label: string;
  act: Record<string, any>;
  ramp?: string | null;
  slot?: string | null;
  tile?: number;
  turns?: number[];
  amounts?: Amount[];
  fewest?: number;
  clause?: string | null;
  tells?: string;
  speaks_for?: string;
  by_button?: boolean;
  /** Added by the page: the name of the other player for whom this speaks. */
  whose?: string;
  /** Added by the page: the seat of another player on this phone, whose option this is. */
  as?: string;
  /** Added by the page or the game's file: an end zone, a piece to draw, and that none is to be drawn. */
  zone?: string;
  shows?: number;
  bare?: boolean;
}

interface Prompt {
  id: string;
  seat: string;
  kind: string;
  text: string;
  clause: string;
  options: Option[];
  default?: number | null;
  deadline_us?: number | null;
  slot?: string | null;
  ball?: number | null;
  claim?: boolean;
  /** Acts that leave nothing to ask: they stay in reach beside the question. */
  ended_by?: string[];
  /** Added by the game's file: a piece to draw beside the question. */
  picture?: Piece | null;
}

interface PrivateView {
  seat: string;
  hand: Piece[];
  options: Option[];
  prompts: Prompt[];
  owed: string[];
  others: Prompt[];
  headline: string;
}

/** All that the page knows: the latest payloads by topic, our seat, and how the connection is. */
interface Store {
  status: any;
  info: any;
  table: any;
  /** The odds of the board, for watchers. */
  odds: any;
  state: { game: string; seq: number; at_us: number; view: Scene } | null;
  /** What the seat that speaks now was shown. */
  view: { game: string; seq: number; view: PrivateView } | null;
  /** What our own seat was shown, and players without a phone whom it has brought. */
  views?: { game: string; seq: number; view: PrivateView; guests?: PrivateView[] } | null;
  /** The event that was told last in this game. */
  told: any;
  /** Our own seat. */
  own?: string | null;
  /** The seat that this phone speaks for now: our own, or that of a player whom it has brought. */
  seat: string | null;
  /** Whether this phone plays for several. */
  shared?: boolean;
  /** Who of them has something to do. */
  called?: string | null;
  link: string;
  /** Why there is no connection, in words. */
  why: string;
  /** Whether the table has forgotten the seat that this phone had. */
  forgotten: boolean;
}
