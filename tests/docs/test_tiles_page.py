"""The odds on the page of tiles are those of the route tables."""

import pytest
from hextraction.controller.games.hextraction.cards.tilebook import load_tiles

from docs.tiles_page import odds

TILES = load_tiles()


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("dc", "through 100%"),
        ("pinata", "back 8%, stays 92%"),
        ("apple", "through 33%, falls 67%"),
        ("gravity-storm", ""),
    ],
)
def test_odds_are_told_where_they_are_known(name, told):
    """Two curves lead on, six dead ends keep nearly all, two holes of three take theirs; no channels, no odds."""
    assert odds(TILES[name]) == told


def test_what_becomes_of_a_ball_is_all_that_can_become_of_it():
    """The shares of a tile make a hundred, but for what rounding leaves out."""
    for tile in TILES.values():
        shares = [int(word.rstrip("%,")) for word in odds(tile).split() if word[0].isdigit()]
        assert not shares or 98 <= sum(shares) <= 102, tile.name
