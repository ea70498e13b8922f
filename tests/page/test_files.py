"""The page's files as they are shipped: nothing inline, nothing foreign, nothing missing."""

import hashlib
import json
import re
import shutil
import subprocess
from html.parser import HTMLParser

import pytest
from helpers.page.states import STATES
from helpers.places import ROOT, TESTS
from hextraction.controller.games.registry import SHIPPED
from hextraction.controller.phones.page_files import Page, bundled

PAGE = ROOT / "controller" / "page"
VENDORED = {"u8-mqtt.min.js", "minisearch.js"}
BUNDLE = PAGE / "built"
SCRIPTS = sorted(
    path for path in PAGE.rglob("*.js") if path.name not in VENDORED and BUNDLE not in path.parents
)
STYLES = sorted(path for path in PAGE.rglob("*.css") if BUNDLE not in path.parents)
GAMES = PAGE / "games"
OF_HEXTRACTION = re.compile(
    r"""
    \b(choosing|releasing|rolling|resolving|placing|seating|settling|tidying|discarding)\b
    | \b(overdrive|virtual|chime|trigger|triggers|keywords?|forbidden|starred|silenced|combo|pachinko|witness)\b
    | \b(break_loop|ballots?|votes?|concede|overrule|contend|flick|jammed|flag|(?<!-)adjust|reclaim|reenter|arrange)\b
    | \b(agree|undo|activate|attest|seated|no_fit)\b | ["'.](rules|offline)\b | \brules:
    | (?-i:\b(Offline|Pool|KEEP|DESTROY|ENABLE|DISABLE)\b) | break.the.loop
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""Words for what only Hextraction has: phases, cards, groups of options."""
FORBIDDEN = (
    "innerHTML",
    "outerHTML",
    "insertAdjacentHTML",
    "document.write",
    "eval(",
    "new Function",
    "randomUUID()",
    "serviceWorker",
    "navigator.clipboard",
    "wakeLock",
    "http://",
    "https://",
)


class Markup(HTMLParser):
    """Collects what a policy would refuse, ids and references."""

    def __init__(self) -> None:
        super().__init__()
        self.inline: list[str] = []
        self.ids: list[str] = []
        self.files: list[str] = []
        self._open = ""

    def handle_starttag(self, tag, attrs):
        """Note inline handlers and styles, ids, and files."""
        self._open = tag
        for key, value in attrs:
            if key.startswith("on") or key == "style":
                self.inline.append(f"{tag} {key}")
            if key == "id":
                self.ids.append(value)
            if key in {"src", "href"}:
                self.files.append(value)

    def handle_data(self, data):
        """Note scripts and styles that are written into the page."""
        if self._open in {"script", "style"} and data.strip():
            self.inline.append(self._open)

    def handle_endtag(self, tag):
        """Forget the open tag."""
        self._open = ""


ENTRIES = {"index.html": "start.js"}
PAGES = sorted(PAGE.glob("*.html"))


@pytest.fixture(scope="module")
def markups():
    """Read the phone page and the pages beside it."""
    found = {}
    for page in PAGES:
        found[page.name] = Markup()
        found[page.name].feed(page.read_text())
    return found


@pytest.fixture(scope="module")
def markup(markups):
    """Return the phone page."""
    return markups["index.html"]


def test_nothing_is_inline(markups):
    """Every page runs under a policy without 'unsafe-inline'."""
    assert {name: markup.inline for name, markup in markups.items() if markup.inline} == {}


def test_every_file_that_a_page_names_is_there(markups):
    """Scripts, styles and icons come from the page's own folder."""
    for markup in markups.values():
        assert {name for name in markup.files if not (PAGE / name).is_file()} == set()
        assert len(markup.files) >= 4


def called(path):
    """Return a file's path below the page, for the ids of tests."""
    return path.relative_to(PAGE).as_posix()


def imported(script):
    """Return the files that a module imports."""
    names = re.findall(r'(?:from |import\()"([^"]+)"', script.read_text())
    return [(script.parent / name).resolve() for name in names]


@pytest.mark.parametrize("script", SCRIPTS, ids=called)
def test_every_module_imports_files_that_are_there(script):
    """Modules name their neighbours with a relative path and an extension."""
    names = re.findall(r'from "([^"]+)"', script.read_text())

    assert [name for name in names if not name.startswith(("./", "../"))] == []
    assert [file for file in imported(script) if not (file.is_file() and file.is_relative_to(PAGE))] == []


@pytest.mark.parametrize("script", SCRIPTS, ids=called)
def test_a_module_stays_small_and_uses_nothing_that_plain_http_lacks(script):
    """Text never becomes markup, no other host is named, and no module has 300 lines."""
    text = (
        script.read_text()
        .replace("Plain http has no crypto.randomUUID", "")
        .replace("http://www.w3.org/2000/svg", "")
    )

    guarded = {"wakeLock"} if "isSecureContext &&" in text else set()

    assert [word for word in FORBIDDEN if word in text and word not in guarded] == []
    assert 'setAttribute("style"' not in text
    assert len(text.splitlines()) < 300


def test_every_module_is_used(markups):
    """No file is shipped that nothing refers to; a game's own file is named by its kind and names its rest, ``alone.js`` by the bundler."""
    named = {file for script in SCRIPTS for file in imported(script)}
    files = [name for markup in markups.values() for name in markup.files]
    rests = [name for game in GAMES.glob("*.js") for name in re.findall(r'rest: "([^"]+)"', game.read_text())]
    begun = {
        *(PAGE / name for name in files),
        *GAMES.glob("*.js"),
        *(GAMES / name for name in rests),
        PAGE / "alone.js",
    }

    assert set(SCRIPTS) - named - begun == set()


@pytest.mark.parametrize("kind", SHIPPED)
def test_the_first_picture_is_light(kind):
    """All that a phone waits for until a board is drawn is 40 KB, so that it is there in 2 s on slow 3G, with a margin."""
    page = Page.installed()
    names = ("", "style.css", "theme.js", "start.js", f"games/{kind}.js", f"games/{kind}.css")
    assert sum(len(page.find(f"/{name}").packed) for name in names) <= 40_000


def test_the_page_knows_no_game():
    """Nothing outside a game's file and folder is imported from there, or speaks of what only Hextraction has."""
    ours = [*SCRIPTS, *STYLES, *PAGES]
    pages = [file for file in ours if not file.is_relative_to(GAMES)]
    found = [
        f"{called(file)}: {word[0]}" for file in pages for word in OF_HEXTRACTION.finditer(file.read_text())
    ]

    assert len(pages) >= 40
    assert [
        file for page in pages if page.suffix == ".js" for file in imported(page) if GAMES in file.parents
    ] == []
    assert found == []
    assert [
        file.name
        for file in GAMES.rglob("*")
        if file.is_file() and not called(file).startswith(tuple(f"games/{kind}" for kind in SHIPPED))
    ] == []


def test_every_page_has_the_elements_that_its_own_module_asks_for(markups):
    """The big screen has all that its module looks for by id, and gives no id twice."""
    for name, markup in markups.items():
        own = PAGE / ENTRIES.get(name, name.replace(".html", ".js"))
        assert own.name in markup.files
        asked = set(re.findall(r'byId\("([^"]+)"\)', own.read_text()))
        assert asked - set(markup.ids) == set()
        assert len(markup.ids) == len(set(markup.ids))


def test_every_element_that_a_module_asks_for_is_in_the_page(markups):
    """``byId`` never gets nothing, and no id is given twice; a game's sheets make their own elements."""
    markup = markups["index.html"]
    others = {*((PAGE / name).with_suffix(".js") for name in markups), PAGE / "alone.js"}
    phones = [script for script in SCRIPTS if script not in others]
    asked = {name for script in phones for name in re.findall(r'byId\("([^"]+)"\)', script.read_text())}
    texts = [script.read_text() for script in SCRIPTS if script.is_relative_to(GAMES)]
    made = {name for text in texts for name in re.findall(r'\bid: "([^"]+)"', text)}
    for name in [name for text in texts for name in re.findall(r'addSheet\(\{ name: "([^"]+)"', text)]:
        made |= {name, f"{name}-title"}

    assert asked - set(markup.ids) - made == set()
    assert made & set(markup.ids) == set()
    assert len(markup.ids) == len(set(markup.ids))


@pytest.mark.parametrize("sheet", STYLES, ids=called)
def test_a_style_sheet_loads_nothing(sheet):
    """No font or picture comes from elsewhere."""
    style = sheet.read_text()

    assert set(re.findall(r"url\(([^)]*)\)", style)) <= {'"#steel"'}
    assert "@import" not in style


@pytest.mark.parametrize("folder", [PAGE / "vendored", TESTS / "vendor"], ids=["page", "tests"])
def test_vendored_files_are_the_ones_that_were_published(folder):
    """Each vendored file has its version, its licence and the hash of the published file, but for changes that are told."""
    entries = json.loads((folder / "vendor.json").read_text())

    assert entries
    for name, entry in entries.items():
        published = (folder / name).read_bytes().decode()
        for change in entry.get("changes", ()):
            assert published.count(change["ours"]) == 1, "a change can be taken back"
            assert change["why"]
            published = published.replace(change["ours"], change["published"])
        assert hashlib.sha512(published.encode()).hexdigest() == entry["sha512"]
        assert (folder / entry["license_file"]).stat().st_size > 500
        assert re.fullmatch(r"\d+\.\d+\.\d+", entry["version"])


DENIED = re.compile(
    r"sessionStorage|indexedDB|document\.cookie|cookieStore|\bcaches\.|localStorage|randomUUID\(|crypto\.subtle"
    r"|WebAssembly|BroadcastChannel|SharedArrayBuffer|navigator\.(?:clipboard|storage|locks|serviceWorker)|\bNotification\b"
)
"""What a browser may deny: blocked site data, plain http, a private window."""


@pytest.mark.parametrize("name", sorted(VENDORED))
def test_a_vendored_file_asks_for_nothing_that_a_browser_may_deny(name):
    """Own modules ask with care, and files of others, which nobody here wrote, do not ask at all."""
    assert DENIED.findall((PAGE / "vendored" / name).read_text()) == []


@pytest.mark.slow
def test_the_bundle_is_made_of_these_sources():
    """Phones are served bundled files: `make page` was run after the last change of a script or style sheet."""
    files = {
        path.relative_to(PAGE).as_posix(): path.read_bytes() for path in PAGE.rglob("*") if path.is_file()
    }
    assert "app.js" in bundled(files), "make page"


def test_the_states_that_are_looked_at_are_listed():
    """``docs/page.md`` has every state in which axe, thumbs and large letters are tried, and no other."""
    told = (ROOT / "docs" / "page.md").read_text()
    listed = told.split("| state | what is seen |\n|---|---|\n")[1].split("\n\n")[0]
    assert listed.splitlines() == [f"| {state.name} | {state.words} |" for state in STATES]
    assert len({state.name for state in STATES}) == len(STATES) >= 30


def test_the_page_can_be_put_on_the_home_screen():
    """The manifest names pictures that are there, in the sizes that it says, and one that may be cut round."""
    manifest = json.loads((PAGE / "manifest.webmanifest").read_text())
    for icon in manifest["icons"]:
        data = (PAGE / icon["src"]).read_bytes()
        if icon["sizes"] != "any":
            assert data.startswith(b"\x89PNG")
            assert "x".join(str(int.from_bytes(data[at : at + 4])) for at in (16, 20)) == icon["sizes"]
        assert len(data) < 20_000
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in manifest["icons"]}
    assert [icon["src"] for icon in manifest["icons"] if icon.get("purpose") == "maskable"] == [
        "icon-mask-512.png"
    ]
    served = Page.installed()
    assert served.find("/manifest.webmanifest").kind == "application/manifest+json"
    assert served.find("/icon-180.png").kind == "image/png"


PARSE = """
const { SourceTextModule, Script } = require("node:vm");
const { readFileSync } = require("node:fs");
for (const path of JSON.parse(readFileSync(0))) {
  try {
    const text = readFileSync(path, "utf8");
    if (path.endsWith("theme.js")) new Script(text);
    else new SourceTextModule(text);
  } catch (error) {
    console.log(`${path}: ${error}`);
  }
}"""


@pytest.mark.skipif(shutil.which("node") is None, reason="node parses the modules; it is not installed")
def test_every_script_parses():
    """Each script is good JavaScript."""
    done = subprocess.run(
        ["node", "--experimental-vm-modules", "--no-warnings", "--eval", PARSE],
        input=json.dumps([str(script) for script in SCRIPTS]).encode(),
        capture_output=True,
        check=True,
    )
    assert done.stdout.decode() == ""
