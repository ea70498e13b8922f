// Bundle the page into controller/page/built: fewer and smaller files, with the names that the page asks for. Run by
// `make page`; the gate takes them only while `built.json` tells of the very sources that lie beside them.
//
// `start.js` has in it what it needs to draw a board and whatever games share with the page: with a game's file it is
// all that a phone waits for. `app.js`, which it fetches then, and the games import that from it.

import { createHash } from "node:crypto";
import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const PAGE = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "controller", "page");
const BUILT = join(PAGE, "built");
const SHOWN = /^games\/[^/]+\.(js|css)$/; // what the page fetches for a game
const RESTS = /^games\/[^/]+\/rest\.js$/; // and once the board stands there
const PHONES = "index.html";
const FIRST = "start.js";
const REST = "app.js";
const OTHERS = "beside";
const BLOCKING = "theme.js"; // a classic script, which runs before anything is painted
const isScript = (name) => name.endsWith(".js");

/** All scripts and style sheets by name, as the gate lists them: see `page_files.py`. */
function sources() {
  return readdirSync(PAGE, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(js|css)$/.test(entry.name))
    .map((entry) => relative(PAGE, join(entry.parentPath, entry.name)))
    .filter((name) => !name.startsWith("built/"))
    .sort();
}

function digest(names) {
  const whole = createHash("sha256");
  for (const name of names) whole.update(`${name} ${createHash("sha256").update(readFileSync(join(PAGE, name))).digest("hex")}\n`);
  return whole.digest("hex");
}

/** The modules and style sheets that a page's HTML names. */
function named(page) {
  return [...readFileSync(join(PAGE, page), "utf8").matchAll(/(?:src|href)="([\w/]+\.(?:js|css))"/g)].map((found) => found[1]);
}

const names = sources();
const shown = names.filter((name) => SHOWN.test(name));
const games = shown.filter(isScript);
const rests = names.filter((name) => RESTS.test(name));
rmSync(BUILT, { recursive: true, force: true });
const common = { absWorkingDir: PAGE, outdir: BUILT, outbase: PAGE, minify: true, legalComments: "none", target: ["es2022", "safari16"], logLevel: "warning" };
const modules = { ...common, bundle: true, splitting: true, format: "esm", chunkNames: "shared-[hash]" };

// --- what phones fetch -----------------------------------------------------------------------------------------

/** The page's own modules that these import, directly or not, unless they are fetched when first needed. */
async function imported(entryPoints) {
  const { metafile } = await build({ ...modules, entryPoints, write: false, metafile: true });
  const found = new Set();
  const look = (name) => {
    if (found.has(name)) return;
    found.add(name);
    metafile.inputs[name].imports.filter((one) => one.kind === "import-statement").forEach((one) => look(one.path));
  };
  entryPoints.forEach(look);
  return [...found].filter((name) => !name.startsWith("games/"));
}

const core = await imported([FIRST, ...games, ...rests]);
const exporting = new Map();
for (const name of core) {
  for (const [, what] of readFileSync(join(PAGE, name), "utf8").matchAll(/^export (?:async )?(?:function|const|let|class) (\w+)/gm)) {
    if (exporting.has(what)) throw new Error(`${name} and ${exporting.get(what)} both export ${what}: one of them needs another name`);
    exporting.set(what, name);
  }
}

/** Leave what `start.js` has in it to be imported from there; `way` leads to it. */
const fromStart = (way) => ({
  name: "from start",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\./ }, ({ path, resolveDir, kind }) =>
      kind !== "entry-point" && core.includes(relative(PAGE, resolve(resolveDir, path))) ? { path: way, external: true } : undefined),
});

const all = core.map((name) => `export * from "./${name}";`).join("");
await build({ ...modules, entryPoints: undefined, stdin: { contents: all, resolveDir: PAGE, sourcefile: "all.js" }, entryNames: "start", external: [`./${REST}`] });
await build({ ...modules, entryPoints: [REST], plugins: [fromStart(`./${FIRST}`)] });
await build({ ...modules, entryPoints: games, plugins: [fromStart(`../${FIRST}`)] });
await build({ ...modules, entryPoints: rests, plugins: [fromStart(`../../${FIRST}`)] });
await build({ ...common, entryPoints: [BLOCKING, ...named(PHONES).filter((name) => !isScript(name)), ...shown.filter((name) => !isScript(name))] });

// --- other pages -----------------------------------------------------------------------------------------------

// They have bundles of their own below OTHERS, with their own copies of what all need.
const others = [...new Set(readdirSync(PAGE).filter((name) => name.endsWith(".html") && name !== PHONES).flatMap(named))].filter((name) => !named(PHONES).includes(name));
await build({ ...common, entryPoints: others.filter((name) => !isScript(name)) });
const scripts = others.filter(isScript);
await build({ ...modules, outdir: join(BUILT, OTHERS), entryPoints: [...scripts, ...games, ...rests] });
for (const name of scripts) writeFileSync(join(BUILT, name), `import"./${OTHERS}/${name}";\n`);

// --- one game in a file of its own: everything that draws it stands in the HTML, and nothing may be fetched -------

const kinds = games.map((name) => name.slice("games/".length, -".js".length));
const put = kinds.map((kind, i) => `import game${i} from "./games/${kind}.js";`).join("") + `import { showAlone } from "./alone.js"; showAlone({ ${kinds.map((kind, i) => `${JSON.stringify(kind)}: game${i}`).join(", ")} });`;
const alone = { ...common, outdir: undefined, outbase: undefined, bundle: true, write: false };
const code = (await build({ ...alone, stdin: { contents: put, resolveDir: PAGE }, format: "iife" })).outputFiles[0].text;
const theme = (await build({ ...alone, entryPoints: [BLOCKING], bundle: false })).outputFiles[0].text;
const styles = ["style.css", "history.css", ...shown.filter((name) => !isScript(name))];
const looks = await Promise.all(styles.map(async (name) => (await build({ ...alone, entryPoints: [name], bundle: false })).outputFiles[0].text));
const safe = (text) => text.replaceAll("</", "<\\/");
writeFileSync(join(BUILT, "alone.html"), `<!doctype html>
<html lang="@LANGUAGE@"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:">
<title>A game</title><script>${safe(theme)}</script><style>${looks.join("")}</style></head>
<body class="past"><header class="past-top"><h1 id="past-title"></h1></header><main id="past"></main>
<script type="application/json" id="words">@WORDS@</script><script type="application/json" id="chronicle">@CHRONICLE@</script><script>${safe(code)}</script></body></html>
`);
writeFileSync(join(BUILT, "built.json"), `${JSON.stringify({ sources: digest(names) }, null, 2)}\n`);
