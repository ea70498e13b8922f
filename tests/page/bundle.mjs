// Bundle the page into controller/page/built: fewer and smaller files, with the names that the page asks for. Run by
// `make page`; the gate takes them only while `built.json` tells of the very sources that lie beside them.

import { createHash } from "node:crypto";
import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const PAGE = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "controller", "page");
const BUILT = join(PAGE, "built");
const SHOWN = /^games\/[^/]+\.(js|css)$/; // what the page fetches for a game
const PHONES = "index.html";
const OTHERS = "beside";
const BLOCKING = "theme.js"; // a classic script, which runs before anything is painted

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
const entries = [...new Set([...named(PHONES), ...shown])];
// Pages beside the phones' have bundles of their own below OTHERS, with their own copies of what both need: what all
// share would else be cut into many small parts, and phones would ask for each.
const others = [...new Set(readdirSync(PAGE).filter((name) => name.endsWith(".html")).flatMap(named))].filter((name) => !entries.includes(name));
rmSync(BUILT, { recursive: true, force: true });
const common = { absWorkingDir: PAGE, outdir: BUILT, outbase: PAGE, minify: true, legalComments: "none", target: ["es2022", "safari16"], logLevel: "warning" };
const { metafile } = await build({ ...common, entryPoints: entries.filter((name) => name !== BLOCKING), bundle: true, splitting: true, format: "esm", chunkNames: "shared-[hash]", metafile: true });
await build({ ...common, entryPoints: [BLOCKING, ...others.filter((name) => name.endsWith(".css"))] });
const scripts = others.filter((name) => name.endsWith(".js"));
await build({ ...common, outdir: join(BUILT, OTHERS), entryPoints: [...scripts, ...shown.filter((name) => name.endsWith(".js"))], bundle: true, splitting: true, format: "esm", chunkNames: "shared-[hash]" });
for (const name of scripts) writeFileSync(join(BUILT, name), `import"./${OTHERS}/${name}";\n`);
// One game in a file of its own: everything that draws it stands in the HTML, and nothing may be fetched.
const kinds = shown.filter((name) => name.endsWith(".js")).map((name) => name.slice("games/".length, -".js".length));
const put = kinds.map((kind, i) => `import game${i} from "./games/${kind}.js";`).join("") + `import { showAlone } from "./alone.js"; showAlone({ ${kinds.map((kind, i) => `${JSON.stringify(kind)}: game${i}`).join(", ")} });`;
const whole = { ...common, outdir: undefined, outbase: undefined, bundle: true, write: false };
const code = (await build({ ...whole, stdin: { contents: put, resolveDir: PAGE }, format: "iife" })).outputFiles[0].text;
const theme = (await build({ ...whole, entryPoints: [BLOCKING], bundle: false })).outputFiles[0].text;
const styles = ["style.css", "history.css", ...shown.filter((name) => name.endsWith(".css"))];
const looks = await Promise.all(styles.map(async (name) => (await build({ ...whole, entryPoints: [name], bundle: false })).outputFiles[0].text));
const safe = (text) => text.replaceAll("</", "<\\/");
writeFileSync(join(BUILT, "alone.html"), `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:">
<title>A game</title><script>${safe(theme)}</script><style>${looks.join("")}</style></head>
<body class="past"><header class="past-top"><h1 id="past-title"></h1></header><main id="past"></main>
<script type="application/json" id="chronicle">@CHRONICLE@</script><script>${safe(code)}</script></body></html>
`);
// What app.js imports at once is fetched with it, instead of after it.
const beside = metafile.outputs["built/app.js"].imports.filter((one) => one.kind === "import-statement").map((one) => relative("built", one.path)).sort();
writeFileSync(join(BUILT, "built.json"), `${JSON.stringify({ sources: digest(names), beside }, null, 2)}\n`);
