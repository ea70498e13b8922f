"""Every page of the repository can be read in one go, and its links lead somewhere."""

import re
from urllib.parse import unquote, urlsplit

import pytest
from helpers.pages import PAGES, anchors, links
from helpers.places import ROOT

MOST_BYTES = 40_000
CATALOGUE = "tiles.md"
"""The one page that is a catalogue: people search in it, nobody reads it through."""
ELSEWHERE = re.compile(r"https://[a-z0-9-]+(\.[a-z0-9-]+)+(/[^\s<>\"]*)?")


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_the_links_of_a_page_lead_somewhere(page):
    """Each file that it links to is there, with the heading that it names; what leads elsewhere is spelled well."""
    for link in links(page):
        if urlsplit(link).scheme:
            assert ELSEWHERE.fullmatch(link), link
            continue
        name, _, anchor = link.partition("#")
        there = (page.parent / unquote(name)).resolve() if name else page
        assert there.exists(), link
        assert there.is_relative_to(ROOT), link
        assert not anchor or unquote(anchor) in anchors(there), link


def test_links_are_found_and_a_lost_one_is_noticed():
    """There are hundreds; a heading that is not there is none."""
    assert sum(len(links(page)) for page in PAGES) > 500
    assert "tests" in anchors(ROOT / "CONTRIBUTING.md")
    assert "no-such-heading" not in anchors(ROOT / "CONTRIBUTING.md")


def test_no_page_is_too_long_to_read():
    """A page has at most 40 KB, but for the catalogue of tiles."""
    long = [page.name for page in PAGES if page.stat().st_size > MOST_BYTES]
    assert set(long) <= {CATALOGUE}
