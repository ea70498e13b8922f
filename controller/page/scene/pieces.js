// Drawing one piece: its body, what the game's file draws on it, and its title. Used on the board, in the hand and for previews.

import { s } from "../elements/dom.js";
import { game } from "./games.js";
import { translated } from "../words/sentences.js";
import { hexagon, lines, over, pair, turned } from "../elements/shapes.js";

const TITLE_MM = 6.2;
/** Where a title begins if it has one line or two, and how many letters fit. */
const LOW = { one: 17.3, two: 11.8, width: 11 };
const INSIDE = { one: 13, two: 8, width: 8 };
const MIDDLE = { one: 3.6, two: -0.8, width: 9, step: 8.8 };

/**
 * Draw a piece around 0,0. `turns` is how it lies; a bare piece has no title. `paint` is the colour of the place's
 * owner, `own` of the piece's, which is drawn unless the game draws the piece. An `untold` piece has its name in its middle.
 * @param {Partial<Piece>} piece
 * @param {number} pitch
 * @param {number} turns
 * @param {{bare?: boolean, paint?: string, own?: string}} [how]
 */
export function drawPiece(piece, pitch, turns, { bare = false, paint = "", own = "" } = {}) {
  const drawn = game().drawPiece?.(piece, pitch, turns);
  const ring = paint || (drawn ? "" : own);
  return s(
    "g",
    { class: "tile", "data-paint": own || undefined },
    drawBody(pitch),
    drawn ?? plain(piece, pitch, turns, bare),
    ring ? drawOwner(pitch, ring) : null,
    bare ? null : title(piece, piece.untold ? MIDDLE : drawn && !ring ? LOW : INSIDE, Boolean(drawn) && !piece.untold),
  );
}

/** The body of a piece, or of a part of a larger one. */
export function drawBody(pitch) {
  return s("polygon", { class: "tile-body", points: hexagon(pitch / Math.sqrt(3) - 1.1) });
}

/** A ring in the colour of an owner, inside of all other rings; a wider one below shows it on a piece of nearly that colour. */
export function drawOwner(pitch, paint) {
  const points = hexagon(pitch / Math.sqrt(3) - 7.4);
  return s("g", {}, s("polygon", { class: "owner-back", points }), s("polygon", { class: "owner-ring", "data-paint": paint, points }));
}

/** A piece that no file draws: a line at its top edge shows how it lies, its initials what it is. */
function plain(piece, pitch, turns, bare) {
  const edge = turned(1, turns);
  const line = s("path", { class: "tile-top", d: `M${pair(over(edge, pitch / 2 - 11))}L${pair(over(edge, pitch / 2 - 4.6))}` });
  const initials = translated(piece.title || piece.name || "").split(/\s+/).map((word) => word.charAt(0)).slice(0, 3).join("");
  return [line, bare ? s("text", { class: "tile-initials", y: 5.4, "text-anchor": "middle" }, initials) : null];
}

function title(piece, { one, two, width, step = TITLE_MM }, over) {
  const rows = lines(translated(piece.title ?? piece.name ?? ""), width); // as a whole: a line of a title is no word of the page
  const top = rows.length === 1 ? one : two;
  return s(
    "text",
    { class: over ? "tile-title over" : piece.untold ? "tile-title middle" : "tile-title", "text-anchor": "middle" },
    rows.map((row, i) => s("tspan", { x: 0, y: top + i * step }, document.createTextNode(row))),
  );
}

/** A small picture of a piece for lists. */
export function piecePicture(piece, turns = 0) {
  return s(
    "svg",
    { class: "tile-picture", viewBox: "-30 -27 60 54", "aria-hidden": "true" },
    drawPiece(piece, 50, turns, { bare: true }),
  );
}

/** One line that says what is special about a piece; empty if nothing is. */
export function pieceFacts(piece) {
  return game().pieceFacts?.(piece) ?? "";
}
