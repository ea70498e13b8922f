"""Facts about which files the gate serves: bundled ones while their sources are the ones that they were made of."""

import json

import pytest
from helpers.places import ROOT
from hextraction.controller.phones.page_files import BUILT, Page, bundled, sources_digest

SOURCES = {
    "app.js": b"import './dom.js'",
    "dom.js": b"export {}",
    "style.css": b"p { margin: 0 }",
    "index.html": b"<p>",
}


NOTHING: dict[str, bytes] = {}


def built_of(sources):
    """Return what a bundler leaves of these sources."""
    told = json.dumps({"sources": sources_digest(sources)}).encode()
    return {f"{BUILT}app.js": b"export{}", f"{BUILT}shared-A.js": b"1", f"{BUILT}built.json": told}


def test_a_bundle_of_these_sources_takes_their_names():
    """What is asked for by the name of a module comes bundled; parts that only the bundle has are there as well."""
    whole = {**SOURCES, **built_of(SOURCES)}
    assert bundled(whole) == {"app.js": b"export{}", "shared-A.js": b"1"}


@pytest.mark.parametrize("name", ["app.js", "dom.js", "style.css"])
def test_whoever_edits_a_file_sees_it_at_once(name):
    """With one changed byte in a script or style sheet, all sources are served as they are."""
    edited = {**SOURCES, **built_of(SOURCES), name: SOURCES[name] + b" "}
    assert bundled(edited) == NOTHING


def test_the_page_needs_no_bundle():
    """Without one, or with one that is damaged, the modules are served."""
    assert bundled(SOURCES) == NOTHING
    assert bundled({**SOURCES, **built_of(SOURCES), f"{BUILT}built.json": b"{}"}) == NOTHING


def test_an_added_game_shares_its_modules_with_the_page(tmp_path):
    """With files of an added game the page's modules are served, so that both have the same ones."""
    (tmp_path / "ring.js").write_text('import { s } from "../dom.js";')
    page = Page.installed([tmp_path])
    assert page.find("/games/ring.js") is not None
    assert page.find("/app.js").plain == (ROOT / "controller" / "page" / "app.js").read_bytes()


def test_what_was_bundled_is_asked_for_by_its_own_name_only():
    """The folder of the bundle itself is not served."""
    assert Page.installed().find(f"/{BUILT}app.js") is None
