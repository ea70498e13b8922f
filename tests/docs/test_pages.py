"""Every page of the documentation can be read in one go, and its links lead somewhere."""

import re

import pytest
from helpers.places import ROOT

PAGES = [
    *sorted((ROOT / "docs").rglob("*.md")),
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
]
MOST_BYTES = 40_000
CATALOGUE = "tiles.md"
"""The one page that is a catalogue: people search in it, nobody reads it through."""


def links(page):
    """Return the links and pictures of a page that lead to files, without what is shown as code."""
    text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text("utf-8"), flags=re.DOTALL)
    return [link for link in re.findall(r"\]\(([^)\s]+)\)", text) if ":" not in link]


def headings(page):
    """Return the anchors of a page's headings, as GitHub spells them."""
    found = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in found}


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_the_links_of_a_page_lead_somewhere(page):
    """Each file that it links to is there, with the heading that it names."""
    for link in links(page):
        name, _, anchor = link.partition("#")
        there = (page.parent / name).resolve() if name else page
        assert there.exists(), link
        assert not anchor or anchor in headings(there), link


def test_no_page_is_too_long_to_read():
    """A page has at most 40 KB, but for the catalogue of tiles."""
    long = [page.name for page in PAGES if page.stat().st_size > MOST_BYTES]
    assert set(long) <= {CATALOGUE}
