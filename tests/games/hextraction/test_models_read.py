"""What our reader finds in printable models that are published says what the catalogue says of their tiles.

The models belong to their makers and are not here: only what was measured. The first is the digest of the
file that ``hextraction routes --from`` says; then joined edges, notches, and holes (x, y and radius in mm).
"""

import pytest
from hextraction.board.grid import turned
from hextraction.controller.games.hextraction.cards.tilebook import load_tiles

KEY = 4
FILLED_BY_ANOTHER_PART = {"skullzu"}
"""The hole in its base is where its seesaw hangs."""

READ = {
    "pac-man": ("a6203cd48a14", ((2, 3),), (1, 2, 3, 4, 5, 6), ((0.0, 0.0, 5.49),)),
    "skullzu": ("b41413933830", ((2, 4, 6),), (4,), ((-0.1, -2.5, 16.07),)),
    "pinata": ("d21c157c1009", ((1,), (2,), (3,), (4,), (5,), (6,)), (1, 2, 3, 4, 5, 6), ()),
    "apple": (
        "d205a1e18275",
        ((1, 4), (2, 3), (5, 6)),
        (1, 2, 3, 4, 5, 6),
        ((-13.0, 0.0, 6.23), (13.0, 0.0, 6.23)),
    ),
    "interchange-a": ("b3fa7bf117bf", ((2, 3), (5, 6)), (1, 2, 3, 4, 5, 6), ()),
    "interchange-b": ("5d166dbcf901", ((1, 4, 5, 6),), (1, 2, 3, 4, 5, 6), ()),
    "interchange-c": ("bc188c57dda4", ((2, 3, 4, 6),), (1, 2, 3, 4, 5, 6), ()),
    "dc": ("2a283ba80210", ((1, 3), (4, 6)), (1, 3, 4, 6), ()),
    "dic": ("f486d3b86ad5", ((1, 4), (2, 3), (5, 6)), (1, 4), ()),
    "j": ("b2e9c63a4a02", ((1, 3),), (1, 2, 3, 4, 5, 6), ()),
    "x": ("5601d886c42d", ((1, 2, 4, 5),), (1, 2, 3, 4, 5, 6), ()),
    "asterisk": ("a04084e294ad", ((1, 2, 3, 4, 5, 6),), (1, 2, 3, 4, 5, 6), ()),
    "peace": ("51617118787a", ((1, 2, 4, 6),), (1, 2, 4, 6), ()),
    "pachinko": ("1bc5ca8e7cf3", ((1, 2, 3, 4, 5, 6),), (1, 2, 3, 4, 5, 6), ()),
    "decree": ("02c05956fe73", ((2, 3, 5, 6),), (4,), ()),
    "fortune-cookie": ("60f06256eaaf", ((3, 5),), (1, 2, 3, 4, 5, 6), ()),
    "ghost": ("25f448b15b8c", ((2, 3, 5, 6),), (4,), ()),
    "cherries": ("777c4009de25", ((2, 3), (5, 6)), (1, 2, 3, 4, 5, 6), ()),
    "skybridge-dc": ("558d63c59cbf", ((1, 3), (4, 6)), (1, 4), ()),
    "skybridge-ic": ("6589a92dd285", ((3, 6), (4, 5)), (1, 4), ()),
    "skybridge-k": ("ec473211973e", ((3, 4, 5, 6),), (1, 4), ()),
    "skybridge-merge": ("0b169bace593", ((1, 3, 5, 6),), (1, 4), ()),
    "skybridge-x": ("a965fbbd43b4", ((1, 3, 4, 6),), (1, 4), ()),
}


@pytest.mark.parametrize("name", READ)
def test_the_catalogue_says_of_a_tile_what_its_model_says(name):
    """Which edges are joined, how it may be turned, and where a ball falls."""
    _digest, joins, notches, holes = READ[name]
    tile = load_tiles()[name]
    assert tuple(sorted(tuple(sorted(group)) for group in tile.channels)) == joins
    assert tile.turns == tuple(turns for turns in range(6) if turned(KEY, -turns) in notches)
    known = sorted(tile.holes_at(0))
    if name not in FILLED_BY_ANOTHER_PART:
        assert [(x, y) for x, y, _radius in known] == [(x, y) for x, y, _radius in sorted(holes)]


def test_s_and_z_are_each_others_mirror_image():
    """Their diagonals cross: S leads from 6 to 3, Z from 2 to 5; the side paths are alike."""
    tiles = load_tiles()
    lines = {name: set(tiles[name].lines) for name in ("s", "z")}
    swapped = {2: 6, 3: 5, 5: 3, 6: 2}

    def mirrored(line):
        return tuple(swapped[one] if isinstance(one, int) else (-one[0], one[1]) for one in line)

    assert lines["s"] != lines["z"]
    plain = {frozenset(line) for line in lines["z"]}
    assert {frozenset(mirrored(line)) for line in lines["s"]} == plain
