// The winning roll as a picture: drawn once more beside the page, written down with its looks, and made a PNG by the browser.

import { createBoard } from "../board/board.js";
import { h, s } from "../elements/dom.js";
import { liveOptions } from "../scene/targets.js";
import { translated } from "../words/sentences.js";

const WIDE = 1080;
const MARGIN = 48;
const TITLE = 64;
const FONT_SIZE = "64px";
const LOOKS = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "stroke-dasharray", "stroke-opacity", "opacity", "visibility", "display",
  "paint-order", "font-family", "font-size", "font-weight", "letter-spacing", "text-anchor", "stop-color"];
/** @type {(...any: any[]) => void} */
const nothing = () => {};

/** The moment whose roll brought a ball into an end zone and so ended the game, or null. */
export function winningMoment(moments) {
  const found = moments.findLastIndex(({ roll }) => roll?.balls.some((ball) => ball.fate?.startsWith("zone.")));
  return found > 0 && moments.at(-1).scene.winners?.length ? found : null;
}

/** Draw the way of a roll over the board of `store`, with `title` above it. Returns a PNG. */
export async function pictureOf(store, ui, roll, title) {
  const stage = s("svg", { class: "board aside", viewBox: "0 0 240 310", "aria-hidden": "true" });
  document.body.append(stage);
  try {
    const board = createBoard(stage, { onSlot: nothing, onRamp: nothing, onZone: nothing });
    board(store, liveOptions(store, ui), ui);
    const shown = board.show(roll);
    shown?.at(shown.end);
    return await paintOn(written(stage), stage, title);
  } finally {
    stage.remove();
  }
}

/** The drawing as a file that needs no style sheet. */
function written(drawing) {
  const copy = /** @type {SVGElement} */ (drawing.cloneNode(true));
  const all = [drawing, ...drawing.querySelectorAll("*")];
  const bare = [copy, ...copy.querySelectorAll("*")];
  all.forEach((node, i) => {
    const looks = getComputedStyle(node);
    for (const name of LOOKS) bare[i].setAttribute(name, looks.getPropertyValue(name)); // The page's policy takes no style attribute.
  });
  const { width, height } = drawing.viewBox.baseVal;
  copy.setAttribute("width", String(WIDE - 2 * MARGIN));
  copy.setAttribute("height", String(((WIDE - 2 * MARGIN) * height) / width));
  return new XMLSerializer().serializeToString(copy);
}

async function paintOn(text, drawing, title) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const looks = getComputedStyle(document.body);
  const canvas = document.createElement("canvas");
  const top = MARGIN + TITLE + MARGIN / 2;
  canvas.width = WIDE;
  canvas.height = Math.round(top + image.height + MARGIN);
  const pen = canvas.getContext("2d");
  pen.fillStyle = looks.backgroundColor;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.fillStyle = looks.color;
  pen.font = [800, FONT_SIZE, looks.fontFamily].join(" ");
  pen.fillText(translated(title), MARGIN, MARGIN + TITLE * 0.8, WIDE - 2 * MARGIN);
  pen.drawImage(image, MARGIN, top);
  return new Promise((done, fail) => canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error())), "image/png"));
}

/** Save a file that the page has made. */
export function save(file) {
  const address = URL.createObjectURL(file);
  h("a", { href: address, download: file.name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
