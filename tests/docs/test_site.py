"""The site: every page has its place in it, every link of it leads somewhere, and it asks no other host for anything.

It is built without a network and opened as files, as somebody has it who got it on a stick.
"""

import fnmatch
import os
import re
import shutil
import subprocess
import sys
from urllib.parse import unquote, urlsplit

import pytest
from helpers.page.browser import DESKTOP, PHONE, chromium, expect, too_wide, violations
from helpers.pages import PAGES
from helpers.places import ROOT
from helpers.tiers import nightly
from lxml import html

from docs.site import gather, navigation, reached

DOORS = ("docs/play.html", "docs/building.html", "docs/hack.html")
MAIN = (
    "index.html",
    *DOORS,
    "docs/tiles.html",
    "docs/build.html",
    "docs/builds/hub-lean.html",
    "docs/commands.html",
    "docs/config.html",
    "docs/api.html",
    "docs/payloads.html",
)
"""The pages that are looked at on a phone and on a desktop, by day and in the dark."""
LOOKS = [
    pytest.param(size, theme, id=f"{name}-{theme}")
    for name, size in (("phone", PHONE), ("desktop", DESKTOP))
    for theme in ("light", "dark")
]


def test_every_page_has_its_place():
    """It stands in the navigation, or among those that a page beside it leads to; none is there that is no page."""
    waiting = (ROOT / "mkdocs.yml").read_text("utf-8").split("not_in_nav: |\n")[1].split("nav:")[0].split()
    listed = navigation()
    assert len(listed) == len(set(listed))
    pages = {str(page.relative_to(ROOT)) for page in PAGES}
    assert set(listed) <= pages
    lost = {page for page in pages if not any(fnmatch.fnmatch(f"/{page}", one) for one in waiting)}
    assert lost == set(listed)


def test_every_page_is_led_to():
    """From README.md and the navigation a link leads to each page of the repository."""
    assert set(PAGES) <= reached()


pytestmark_of_the_built_site = [
    pytest.mark.slow,
    pytest.mark.browser,
    nightly("the site takes half a minute to build", meanwhile="test_every_page_has_its_place"),
]


def at_night(test):
    """Mark a test of the built site."""
    for mark in pytestmark_of_the_built_site:
        test = mark(test)
    return test


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Build the site as `make docs-site` does; what is only a warning there is a mistake."""
    folder = tmp_path_factory.mktemp("site")
    gather(folder / "source")
    offline = {"http_proxy": "http://127.0.0.1:9", "https_proxy": "http://127.0.0.1:9"}
    places = {"SITE_SOURCE": str(folder / "source"), "SITE": str(folder / "site")}
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict"],
        cwd=ROOT,
        env={**os.environ, **offline, **places, "PYTHONPATH": ".", "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return folder / "site"


@pytest.fixture(scope="module")
def read(site):
    """Every page of the site, read, by its place in it."""
    return {str(page.relative_to(site)): html.parse(page).getroot() for page in site.rglob("*.html")}


def leads_to(place, link):
    """Return which file of the site a link leads to, and which part of it."""
    there, _, part = link.partition("#")
    whole = os.path.normpath(os.path.join(os.path.dirname(place), unquote(there))) if there else place  # noqa: PTH118, PTH120
    return whole, unquote(part)


def links(place, page):
    """Yield the links, pictures, scripts and styles of a page that stay on the site."""
    for node in page.iter("a", "img", "script", "link", "source"):
        link = node.get("href") or node.get("src")
        if link and not urlsplit(link).scheme and place != "404.html":
            yield link


@at_night
def test_every_link_of_the_site_leads_somewhere(site, read):
    """To a file that is there, and to a part that the page has."""
    parts = {
        place: {node.get("id") for node in page.iter() if node.get("id")} for place, page in read.items()
    }
    lost = set()
    for place, page in read.items():
        for link in links(place, page):
            there, part = leads_to(place, link.partition("?")[0])
            there = f"{there}/index.html" if (site / there).is_dir() else there
            if not (site / there).exists() or (
                part and there in parts and part not in {*parts[there], "__toc"}
            ):
                lost.add((place, link))
    assert lost == set()
    assert sum(len(list(links(place, page))) for place, page in read.items()) > 2_000


@at_night
def test_every_page_is_two_clicks_from_a_door(read):
    """Play, Build and Hack lead to each page, at most through one between."""
    near = {place: {leads_to(place, link)[0] for link in links(place, page)} for place, page in read.items()}
    once = set().union(*(near[door] for door in DOORS))
    twice = once.union(*(near[place] for place in once if place in near))
    assert set(DOORS) <= near["index.html"]
    assert set(read) - twice - {"404.html"} == set()


@at_night
def test_the_site_has_what_people_look_for(read):
    """Tiles with pictures and odds, builds with pictures, commands with examples, payloads, settings, the library."""

    def shown(place):
        return read[place].text_content()

    assert len(read["docs/tiles.html"].findall(".//td/img")) > 100
    assert shown("docs/tiles.html").count("through ") > 50
    builds = [place for place in read if place.startswith("docs/builds/")]
    assert len(builds) >= 6
    assert all(read[place].findall(".//img") for place in builds)
    assert shown("docs/commands.html").count("hextraction ") > 30
    assert "asyncapi" in html.tostring(read["docs/payloads.html"]).decode().lower()
    assert "[broker]" in shown("docs/config.html")
    assert read["docs/api.html"].get_element_by_id("hextraction.api.outlook") is not None


@pytest.fixture(scope="module")
def browser():
    """A browser of this module's own."""
    if shutil.which("chromium") is None:
        pytest.skip("needs chromium")
    with chromium() as started:
        yield started


@at_night
@pytest.mark.parametrize(("size", "theme"), LOOKS)
def test_main_pages_are_well_and_ask_nobody(size, theme, site, browser):
    """Nothing is found by axe, none scrolls sideways, and nothing is asked for but files of the site."""
    context = browser.new_context(viewport=size, color_scheme=theme, bypass_csp=True)
    asked, wrong = set(), {}
    context.on("request", lambda request: asked.add(request.url))
    for place in MAIN:
        page = context.new_page()
        page.goto((site / place).as_uri())
        found = violations(page)
        wide = too_wide(page)
        if found or wide:
            wrong[place] = [*found, *([f"{wide} px too wide"] if wide else [])]
        page.close()
    context.close()
    assert wrong == {}
    assert [url for url in asked if not url.startswith((site.as_uri(), "data:", "blob:", "about:"))] == []


@at_night
@pytest.mark.parametrize(("size", "theme"), LOOKS)
def test_the_doors_stand_on_the_first_screen(size, theme, site, browser):
    """Whoever opens the site sees where to go on without scrolling."""
    page = browser.new_page(viewport=size, color_scheme=theme)
    page.goto((site / "index.html").as_uri())
    for door in ("Play", "Build", "Hack"):
        box = page.locator("article").get_by_role("link", name=door, exact=True).bounding_box()
        assert box["y"] + box["height"] < size["height"], door
    page.close()


@at_night
def test_search_works_without_a_server(site, browser):
    """A word that only one command has leads to it, where the site is opened as files."""
    page = browser.new_page(viewport=DESKTOP)
    page.goto((site / "index.html").as_uri())
    asked = page.get_by_role("textbox", name="Search")
    asked.click()
    expect(page.locator(".md-search-result__meta")).not_to_contain_text("Initializing")
    asked.press_sequentially("hotspot")
    results = page.locator(".md-search-result__link")
    expect(results.filter(has_text=re.compile("hotspot", re.IGNORECASE)).first).to_be_attached()
    assert any("commands.html" in one.get_attribute("href") for one in results.all())
    page.close()
