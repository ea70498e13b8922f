// Trades by tapping cards: a sheet on which a trade is put together, for the bank or for the others, and the open offers that everybody sees.

import { button, byId, h, memo, put } from "../../elements/dom.js";
import { addSheet, createSheetFor } from "../../elements/sheet.js";
import { nameOf, privateView, publicView } from "../../scene/model.js";
import { piecePicture } from "../../scene/pieces.js";
import { GOODS, cardsPicture, handOf, inWords } from "./cards.js";

const MOST = 4;
const RATE = 3;

/** What is being put together on the sheet, and the question that it answers as well: an offer of somebody else's. */
const chosen = { give: counts(), want: counts(), instead: null };

/** Begin with the terms of somebody's offer, seen from our side; an offer of ours says no to theirs. */
export function terms({ give, want }, instead) {
  Object.assign(chosen, { give: [...want], want: [...give], instead });
}

/** Make the sheet; `act` sends the trade. */
export function createOffer({ act }) {
  let [hand, bank, may, open] = [counts(), counts(), { bank: false, offer: false }, []];
  addSheet({ name: "extraction-offer", title: "Trade", close: "Close the trade" }, h("div", { class: "sheet-body" },
    h("div", { id: "extraction-offers" }),
    h("div", { id: "extraction-trade" }),
    h("div", { class: "buttons trade-buttons" }, button("", () => send("offer"), { kind: "primary", id: "extraction-offer-send" }), button("", () => send("bank"), { kind: "primary", id: "extraction-bank-send" })),
    h("p", { class: "hint" }, "In your turn you ask everybody. In somebody else's turn you ask only them. Whoever accepts first gets the trade at once.")));
  createSheetFor("extraction-offer", show);

  async function send(kind) {
    const done = await act({ do: kind, give: named(chosen.give), want: named(chosen.want) });
    if (!done) return;
    const no = open.includes(chosen.instead?.id) ? chosen.instead.options.find((option) => option.act.choice === "no") : null;
    if (no) await act(no.act);
    Object.assign(chosen, { give: counts(), want: counts(), instead: null });
    byId("extraction-offer").close();
    show();
  }
  function more(side, at, by) {
    chosen[side][at] += by;
    if (by > 0) chosen[side === "give" ? "want" : "give"][at] = 0;
    show();
  }
  function show() {
    chosen.give = chosen.give.map((count, at) => Math.min(count, hand[at]));
    const focused = document.activeElement?.getAttribute("data-trade");
    put(byId("extraction-trade"), shelf("give", "You give", chosen, hand, more), shelf("want", "You get", chosen, counts(MOST), more));
    if (focused) focusOn(focused);
    const [given, wanted] = [total(chosen.give), total(chosen.want)];
    const byBank = given === RATE && Math.max(...chosen.give) === RATE && wanted === 1 && bank.some((stock, at) => stock > 0 && chosen.want[at] > 0);
    ready("extraction-offer-send", "Offer it", may.offer && given > 0 && wanted > 0);
    ready("extraction-bank-send", "Trade with the bank", may.bank && byBank);
  }
  const draw = memo(() => show());
  const drawOpen = memo((offers) => put(byId("extraction-offers"), ...[drawOffers(offers)].filter(Boolean)));
  return (store) => {
    const view = publicView(store);
    if (view?.kind !== "extraction") return;
    const mine = privateView(store);
    hand = handOf(mine) ?? counts();
    bank = view.detail.bank;
    const has = (group) => Boolean(mine?.options.some((option) => option.group === group));
    may = { bank: has("bank"), offer: has("offer") };
    open = (mine?.prompts ?? []).map(({ id }) => id);
    draw(hand, bank, may);
    drawOpen(offersOf(store));
  };
}

function counts(count = 0) {
  return GOODS.map(() => count);
}

const total = (some) => some.reduce((all, one) => all + one, 0);

/** What is more than nothing, by its name. */
function named(some) {
  return Object.fromEntries(GOODS.flatMap((good, at) => (some[at] ? [[good, some[at]]] : [])));
}

function ready(id, words, can) {
  const node = byId(id);
  put(node, words);
  node.disabled = !can;
}

/** Give the focus back to a card that was drawn anew; if it cannot be tapped any more, to the one that it was chosen as, or came from. */
function focusOn(name) {
  const other = name.endsWith("-less") ? name.slice(0, -5) : `${name}-less`;
  const found = [name, other].map((one) => document.querySelector(`[data-trade="${one}"]:enabled`)).find(Boolean);
  if (found instanceof HTMLElement) found.focus();
}

/** One side of the trade: a card for each resource to tap, and below it those that were tapped, to tap them away. */
function shelf(side, title, chosen, most, more) {
  const left = (at) => most[at] - chosen.give[at];
  return h("section", { class: "shelf", "aria-label": title },
    h("h3", {}, title),
    h("ul", { class: "trade-cards" }, GOODS.map((name, at) => h("li", {},
      button([piecePicture({ name }), h("span", {}, name), side === "give" ? [" ", h("span", { class: "left" }, String(left(at)))] : null], () => more(side, at, 1),
        { kind: "trade-card", "data-trade": `${side}-${name}`, "aria-label": side === "give" ? `Give one ${name}, ${left(at)} left` : `Take one ${name}`, disabled: chosen[side][at] >= most[at] })))),
    h("p", { class: "said", role: "status" }, total(chosen[side]) ? inWords(chosen[side]) : "Tap cards."),
    h("ul", { class: "trade-chosen" }, GOODS.flatMap((name, at) => (chosen[side][at] ? [h("li", {},
      button([piecePicture({ name, count: chosen[side][at] }), h("span", { "aria-hidden": "true" }, "−")], () => more(side, at, -1), { kind: "trade-card", "data-trade": `${side}-${name}-less`, "aria-label": `${chosen[side][at]} ${name}: one less` }))] : []))));
}

/** The cards of an offer: what is given, and what for. */
function offerPicture({ give, want }) {
  return h("p", { class: "offer-cards" }, cardsPicture(give), h("span", { class: "offer-for" }, "for"), cardsPicture(want));
}

/**
 * The same for whoever is asked: what they get and what they give, pale where they lack it. Who cannot pay is told so, and that
 * nobody else will know: a no and silence look alike from the others' side, whoever could have paid.
 */
export function askedPicture({ give, want }, hand) {
  const poor = want.some((count, at) => count > hand[at]);
  return [
    h("div", { class: "offer-asked" },
      h("p", {}, h("span", { class: "hint" }, "You get"), cardsPicture(give)),
      h("p", {}, h("span", { class: "hint" }, "You give"), cardsPicture(want, { hand }))),
    poor ? h("p", { class: "hint" }, "You lack these cards. A no and silence look alike to the others.") : null,
  ];
}

/**
 * The offers that everybody sees, but those that we are asked about; after them the last one that everybody declined. `answers` are
 * the names of those who were asked, and whether they said no.
 */
export function offersOf(store) {
  const { offers = [], refused = null } = publicView(store)?.detail ?? {};
  const asked = new Set((privateView(store)?.prompts ?? []).map((prompt) => prompt.id));
  const shown = [...offers.filter((one) => !asked.has(`offer-${one.number}`)), ...(refused ? [refused] : [])];
  const answers = ({ no, to }) => [...no.map((seat) => [nameOf(store, seat), true]), ...to.map((seat) => [nameOf(store, seat), false])];
  return shown.map((one) => ({ by: nameOf(store, one.by), give: one.give, want: one.want, over: !one.to.length, answers: answers(one) }));
}

/** Draw them: who offers what, and who has said no. */
export function drawOffers(offers) {
  if (!offers.length) return null;
  return h("ul", { class: "offers", "aria-label": "Offers" }, offers.map((one) => h("li", { class: one.over ? "over" : undefined },
    h("strong", {}, one.by), offerPicture(one),
    h("span", { class: "answers" }, one.answers.map(([name, no]) => h("span", { class: no ? "no" : "waits" }, name, ": ", no ? "no" : "…"))))));
}
