// List every text that the page may show, as JSON on standard output: `[[module, text], …]`. A part that is put
// in stands as `{name}`; a choice between two fixed texts inside a text gives both. `docs/words.py` reads this.

import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const PAGE = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "controller", "page");
const TOLD = new Set(["aria-label", "title", "placeholder", "alt", "ariaLabel", "label", "text", "words", "textContent"]);
const SILENT = new Set(["class", "className", "id", "type", "role", "kind", "d", "href", "src", "rel", "viewBox", "transform", "points", "style", "name", "for", "autocomplete", "inputmode", "mode", "cache", "behavior", "block", "target", "method", "fill", "stroke", "width", "height", "tag", "icon"]);
const LOOKS = new Set(["byId", "querySelector", "querySelectorAll", "closest", "matches", "addEventListener", "removeEventListener", "dispatchEvent", "getAttribute", "hasAttribute", "removeAttribute", "toggleAttribute", "matchMedia", "getItem", "removeItem", "setItem", "add", "remove", "toggle", "contains", "startsWith", "endsWith", "includes", "split", "join", "replace", "replaceAll", "getElementById", "createElement", "createElementNS", "RegExp", "fetch", "getContext", "get", "has", "set", "getPropertyValue", "setProperty", "Worker", "URL", "subscribe", "publish", "insertAdjacentHTML", "assert", "indexOf", "createLink", "request", "animate", "URLSearchParams", "resolve"]);
const ONE_WORD = /^\s*[a-zé]+\s*$/u;
const NO_TEXT = /^(?:[^\p{L}]*|[a-z0-9]+(?:[-_./:#][\w-]+)+|[a-z]+[A-Z]\w*|[#.[].*|(?:https?|wss?):.*|[MLHVCSQTAZmlhvcsqtaz][\d.,{}-].*|(?:translate|rotate|scale)\(.*)$/u;

/** The name of what is put into a text. */
function nameOf(node) {
  if (ts.isIdentifier(node)) return node.text;
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  if (ts.isCallExpression(node)) return nameOf(node.expression);
  if (ts.isElementAccessExpression(node)) return nameOf(node.expression);
  if (ts.isNonNullExpression(node) || ts.isParenthesizedExpression(node)) return nameOf(node.expression);
  return "it";
}

/** Whether an expression is one of some fixed texts, and which. */
function fixed(node) {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isParenthesizedExpression(node)) return fixed(node.expression);
  if (ts.isConditionalExpression(node)) {
    const [yes, no] = [fixed(node.whenTrue), fixed(node.whenFalse)];
    return yes && no ? [...yes, ...no] : null;
  }
  return null;
}

/** What a choice between two texts counts, as it is written: `left` of `left === 1 ? "card" : "cards"`; else nothing. */
function whatCounts(node) {
  if (ts.isParenthesizedExpression(node)) return whatCounts(node.expression);
  const test = ts.isConditionalExpression(node) ? node.condition : null;
  const isOne = test && ts.isBinaryExpression(test) && test.operatorToken.kind === ts.SyntaxKind.EqualsEqualsEqualsToken && test.right.getText() === "1";
  return isOne ? test.left.getText() : null;
}

/** The texts that a template gives. What is counted is called `{n}`, and singular and plural are one entry, as gettext writes it. */
function texts(template) {
  const counts = template.templateSpans.map((span) => whatCounts(span.expression)).filter(Boolean);
  const said = template.templateSpans.find((span) => counts.includes(span.expression.getText()));
  const found = ways(template, said?.expression.getText() ?? null);
  return said && found.length === 2 ? [found.join("\0")] : found;
}

function ways(template, counted) {
  let found = [[template.head.text, []]];
  for (const span of template.templateSpans) {
    const choice = fixed(span.expression);
    found = found.flatMap(([text, names]) => {
      if (choice) return choice.map((one) => [text + one + span.literal.text, names]);
      let name = span.expression.getText() === counted ? "n" : nameOf(span.expression).toLowerCase();
      while (names.includes(name)) name += "_";
      return [[`${text}{${name}}${span.literal.text}`, [...names, name]]];
    });
  }
  return found.map(([text]) => text);
}

/** Whether what stands here is for the program, not for people. */
function silent(node) {
  const parent = node.parent;
  if (ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent) || ts.isImportSpecifier(parent)) return true;
  if (ts.isCallExpression(parent) && parent.expression.kind === ts.SyntaxKind.ImportKeyword) return true;
  if (ts.isExpressionStatement(parent) || ts.isLiteralTypeNode(parent) || ts.isCaseClause(parent)) return true;
  if (ts.isPropertyAssignment(parent)) {
    if (parent.name === node) return true;
    const key = ts.isIdentifier(parent.name) || ts.isStringLiteral(parent.name) ? parent.name.text : "";
    return !TOLD.has(key) && (SILENT.has(key) || key.startsWith("data-") || key.startsWith("aria-") || key.includes("-"));
  }
  if (ts.isElementAccessExpression(parent) && parent.argumentExpression === node) return true;
  if (ts.isBinaryExpression(parent)) {
    const kind = parent.operatorToken.kind;
    if ([ts.SyntaxKind.EqualsEqualsEqualsToken, ts.SyntaxKind.ExclamationEqualsEqualsToken, ts.SyntaxKind.InKeyword].includes(kind)) return true;
  }
  if (ts.isCallExpression(parent) || ts.isNewExpression(parent)) {
    const name = nameOf(parent.expression);
    const at = (parent.arguments ?? []).indexOf(node);
    if ((name === "h" || name === "s") && at === 0) return true;
    if (name === "setAttribute") return at === 0 || !TOLD.has(parent.arguments[0].text);
    return LOOKS.has(name);
  }
  if (ts.isConditionalExpression(parent) || ts.isParenthesizedExpression(parent)) return silent(parent);
  if (ts.isBinaryExpression(parent) || ts.isTemplateSpan(parent) || ts.isTemplateExpression(parent)) return false;
  return false;
}

/** Whether a single small word stands where an element's text is: it may also be the name of something. */
function isChild(node) {
  let [child, parent] = [node, node.parent];
  while (ts.isConditionalExpression(parent) || ts.isParenthesizedExpression(parent) || ts.isArrayLiteralExpression(parent)) [child, parent] = [parent, parent.parent];
  if (!ts.isCallExpression(parent)) return false;
  const at = parent.arguments.indexOf(child);
  const name = nameOf(parent.expression);
  return name === "button" ? at === 0 : ["h", "s"].includes(name) && at > 1;
}

/** What `count` of model.js says: `count(number, "touch", "touches")`. */
function counted(node) {
  if (!ts.isCallExpression(node) || nameOf(node.expression) !== "count") return [];
  const [, one, many] = node.arguments;
  if (!one || !ts.isStringLiteralLike(one)) return [];
  return [`{n} ${one.text}\0{n} ${many && ts.isStringLiteralLike(many) ? many.text : `${one.text}s`}`];
}

/** The texts of a module. */
function ofModule(name) {
  const source = ts.createSourceFile(name, readFileSync(join(PAGE, name), "utf8"), ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = (node) => {
    const here = ts.isStringLiteralLike(node) ? [node.text] : ts.isTemplateExpression(node) ? texts(node) : [];
    if (here.length && !silent(node)) {
      found.push(...here.filter((text) => !NO_TEXT.test(text.replace(/\{\w+\}/g, "")) && (!ONE_WORD.test(text) || isChild(node))));
    }
    found.push(...counted(node));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found.map((text) => [name, text]);
}

/** The texts of an HTML file: between tags, and in the attributes that are read out or shown. */
function ofHtml(name) {
  const html = readFileSync(join(PAGE, name), "utf8").replace(/<(script|style)[^>]*>[\s\S]*?<\/\1>/g, "");
  const found = [];
  for (const match of html.matchAll(/>([^<]*\p{L}[^<]*)<|(?:aria-label|title|placeholder|alt)="([^"]*\p{L}[^"]*)"/gu)) {
    found.push([name, (match[1] ?? match[2]).trim()]);
  }
  return found;
}

const names = readdirSync(PAGE, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.(js|html)$/.test(entry.name) && !/^(minisearch|u8-mqtt)/.test(entry.name))
  .map((entry) => relative(PAGE, join(entry.parentPath, entry.name)))
  .filter((name) => !name.startsWith("built/"))
  .sort();
process.stdout.write(JSON.stringify(names.flatMap((name) => (name.endsWith(".html") ? ofHtml(name) : ofModule(name)))));
