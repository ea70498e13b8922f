// Making elements. Text goes in as text nodes only, so a player's name can never become markup; and here all of it is
// said in the language of the phone.

import { translated } from "../words/sentences.js";

const SVG = "http://www.w3.org/2000/svg";
const SPOKEN = new Set(["aria-label", "title", "placeholder", "alt"]); // attributes that people see or hear

function fill(element, props, children) {
  for (const [key, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : SPOKEN.has(key) ? translated(String(value)) : String(value));
  }
  element.append(...children.flat(Infinity).filter(isThere).map(translated));
  return element;
}

/**
 * Make an HTML element: `on…` keys are listeners, the rest attributes, children nodes or text.
 * @param {string} tag
 * @param {Record<string, any>} props
 * @param {...any} children
 * @returns {any} the element, of the kind that its tag says
 */
export function h(tag, props = {}, ...children) {
  return fill(document.createElement(tag), props, children);
}

/**
 * Make an SVG element.
 * @param {string} tag
 * @param {Record<string, any>} props
 * @param {...any} children
 * @returns {any}
 */
export function s(tag, props = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), props, children);
}

/**
 * Make a button that calls `act`; `kind` is a style: primary, plain, danger, quiet.
 * @param {any} label text or nodes
 * @param {(event: Event) => any} act
 * @param {{kind?: string, [attribute: string]: any}} [more]
 */
export function button(label, act, { kind = "plain", ...props } = {}) {
  return h("button", { type: "button", class: `button ${kind}`, onclick: act, ...props }, label);
}

/** Write a text into an element instead of what stands there; nothing happens if it stands there already. */
export function write(element, text) {
  const said = translated(text ?? "");
  if (element.textContent !== said) element.textContent = said;
}

const isThere = (child) => child !== null && child !== undefined && child !== false;

/** Put these into an element instead of what it holds: nodes and text. */
export function put(element, ...children) {
  element.replaceChildren(...children.filter(isThere).map(translated));
}

/** Name an element for those who do not see it. */
export function setLabel(element, text) {
  element.setAttribute("aria-label", translated(text));
}

let drawing = 0;

/** Draw everything anew in the next frame: how things look has changed, not what they are. */
export function forgetDrawn() {
  drawing += 1;
}

/** What `input` says and how it is drawn, as a key to compare. */
export function drawnKey(input) {
  return `${drawing} ${JSON.stringify(input)}`;
}

/** Run `draw` again only if what it depends on has changed: keeps the focus and the frame rate. */
export function memo(draw) {
  let last;
  return (...input) => {
    const key = drawnKey(input);
    if (key === last) return;
    last = key;
    draw(...input);
  };
}

/**
 * The element of the page with this id.
 * @param {string} id
 * @returns {any} an element of the kind that the page has there
 */
export function byId(id) {
  return document.getElementById(id);
}

/** Say what stands in the page's HTML, before anything is drawn, in the language with this code. */
export function sayPage(code) {
  document.documentElement.lang = code;
  const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node instanceof Text) {
      const parent = node.parentElement?.tagName;
      if (parent !== "SCRIPT" && parent !== "STYLE" && node.data.trim()) node.data = translated(node.data.replace(/\s+/g, " "));
    } else if (node instanceof Element) {
      for (const attribute of SPOKEN) {
        const value = node.getAttribute(attribute);
        if (value) node.setAttribute(attribute, translated(value));
      }
    }
  }
}
