// What a throw gave flies from its hexes to whoever gets it: to their names, and to one's own hand.

import { byId, h } from "../../elements/dom.js";
import { piecePicture } from "../../scene/pieces.js";
import { GOODS } from "./cards.js";

const EACH_MS = 900;
const APART_MS = 110;
const MOST = 4; // of one resource for one seat: more of them would only be a swarm

/** Let the cards of this throw fly. */
export function flyGains({ detail }) {
  flights(detail).forEach((one, at) => fly(one, at * APART_MS));
}

/** One flight for each card: what it is, and between which elements. */
function flights(detail) {
  const thrown = detail.dice.reduce((all, one) => all + one, 0);
  return Object.entries(detail.gains).flatMap(([seat, cards]) => GOODS.flatMap((name, at) => {
    const [from, to] = [hexOf(detail, name, thrown), goalOf(detail, seat, at)];
    return from && to ? Array.from({ length: Math.min(MOST, cards[at]) }, () => ({ name, from, to })) : [];
  }));
}

/** The hex of that resource that gave; the last card of a hex takes its number along. */
function hexOf({ hexes, slots }, good, thrown) {
  const cells = Object.entries(hexes).filter(([, [resource]]) => resource === good);
  const [cell] = cells.find(([, [, disc]]) => disc === thrown) ?? cells.find(([, [, , tokens, start]]) => start && !tokens) ?? [];
  return cell ? byId("board").querySelector(`[data-slot="${slots[cell]}"]`) : null;
}

/** Our own card in the hand, if there is one yet; else the seat's mark beside its name. */
function goalOf({ seats }, seat, at) {
  const mine = byId("tray").querySelector(`.hand [data-tile="${100 * (seats.indexOf(seat) + 1) + at}"]`);
  return mine ?? byId("seats").querySelector(`[data-seat="${seat}"] .mark`);
}

function fly({ name, from, to }, delay) {
  const [a, b] = [from, to].map(middle);
  const node = h("div", { class: "flying", "aria-hidden": "true" }, piecePicture({ name }));
  document.body.append(node);
  const at = ({ x, y }, size) => `translate(${x}px, ${y}px) scale(${size})`;
  const way = [
    { transform: at(a, 0.5), opacity: 0 },
    { transform: at(a, 1.25), opacity: 1, offset: 0.25 },
    { transform: at(b, 0.7), opacity: 1, offset: 0.9 },
    { transform: at(b, 0.5), opacity: 0 },
  ];
  node.animate(way, { duration: EACH_MS, delay, easing: "ease-in-out", fill: "both" }).finished.finally(() => node.remove());
}

function middle(element) {
  const box = element.getBoundingClientRect();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
