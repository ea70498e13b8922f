"""A refusal says why: what it is that is in the way, in words that a person at the table can act on."""

import pytest
from helpers.places import TESTS
from hextraction.controller.games.hextraction.cards.tilebook import load_catalogue
from hextraction.controller.games.hextraction.scenario.language import speaking
from hextraction.controller.games.hextraction.state.actions import read_action

TILES = load_catalogue(TESTS / "scenarios" / "tiles.toml")

PLAYED = "hand Red {0}, 2 PLAIN\n{1}\nDO Red plays {0}"
REFUSALS = [
    ("hand Red FENCE, 2 PLAIN\nDO Red plays FENCE", {"do": "place", "slot": "A1"},
     "A1 is not legal for FENCE: Only in the lowest slot of a column.", "3.Legal 3.Limit"),
    ("slot a3 BELL\nhand Red FENCE, 2 PLAIN\nDO Red plays FENCE", {"do": "place", "slot": "A3"},
     "A3 is not legal for FENCE: BELL lies there.", "3.Legal 2.2.1"),
    ("slot a1 BELL\nDO Red plays PLAIN", {"do": "place", "slot": "A1"},
     "A1 is not legal for PLAIN: BELL lies there.", "3.Legal 2.2.1"),
    ("DO Red plays PLAIN", {"do": "place", "slot": "Z9"},
     "Z9 is not legal for PLAIN: The board has no such slot.", "3.Legal R-70"),
    ("slot c3 STAR\nhand Red STAR, 2 PLAIN\nDO Red plays STAR", {"do": "place", "slot": "A1"},
     "A1 is not legal for STAR: It must go on top of the Unique tile with the same name.", "3.Legal 3.Unique.1"),
    ("hand Red CAP, 2 PLAIN\nslot c1 PLAIN\nDO Red plays CAP", {"do": "place", "slot": "A1"},
     "A1 is not legal for CAP: ", "3.Legal 3.Limit"),
    ("rest PLAIN\nslot a1 open\nslot c1 open\nslot c2 open\nhand Red WIDE, 2 PLAIN\nDO Red plays WIDE",
     {"do": "place", "slot": "A1"},
     "A1 is not legal for WIDE: It needs two open slots beside each other.", "3.Legal 2.2.1"),
    ("rest PLAIN\nslot a1 open\nhand Red PAIR, 2 BELL", {"do": "play", "tile": "PAIR"},
     "PAIR has no legal slot: It needs two open slots. Play another tile of your hand first.", "2.2.2 2.2.1.1"),
    ("rest PLAIN\nslot a1 open\nhand Red FENCE, 2 BELL", {"do": "play", "tile": "FENCE"},
     "FENCE has no legal slot: Only in the lowest slot of a column. Play another tile of your hand first.",
     "2.2.2 3.Limit"),
    ("hand Red STEAK, 2 PLAIN\nDO Red plays STEAK", {"do": "place", "slot": "A1", "turns": 2},
     "Steak lies flat at A1 only the right way up.", "2.2.4.1"),
    ("hand Red DIC, 2 PLAIN\nDO Red plays DIC", {"do": "place", "slot": "A1", "turns": 1},
     "DIC lies flat at A1 only the right way up, or turned 3 sixths clockwise.", "2.2.4.1"),
    ("slot c1 BELL\nDO Red rolls on c; ball enters c1", {"do": "roll", "ramp": "a"},
     "A ball is moving. Wait until it lies still.", "2.3.2"),
    ("slot c1 BELL\nDO Red rolls on c; ball enters c1", {"do": "end"},
     "A ball is moving. Wait until it lies still.", "2.3.2"),
    ("DO Red plays PLAIN", {"do": "roll", "ramp": "a"},
     "Red is playing a tile: that comes first.", "2.2.1.3"),
    ("DO Red picks ramp a", {"do": "play", "tile": "PLAIN"},
     "Red has to let a ball go first.", "2.3.2"),
    ("slot c1 BELL\nslot c2 DRIP\nDO Red rolls on c; ball runs c1 c2; quiet", {"do": "roll", "ramp": "a"},
     "Red is asked something: the answer comes first.", "2.3.2"),
    ("DO Red rolls on c; ball through c1; quiet", {"do": "roll", "ramp": "a"},
     "Not yet: somebody may still say that something is wrong.", "2.3.2"),
    ("players Red, Blue\nDO Blue concedes; commit", {"do": "roll", "ramp": "a"}, "The game is over.", "2.9.1"),
    ("slot d2 BAN(b)", {"do": "roll", "ramp": "b"}, "Ramp b is banned by Ban b at D2.", "2.1.2"),
    ("", {"do": "end"}, "Before you end the turn, in any order: roll one ball and play one tile.",
     "2.0.2 2.0.3 2.0.1.1"),
    ("slot d2 DUTY", {"do": "end"},
     "Before you end the turn, in any order: roll one ball, play one tile and activate DUTY at D2.",
     "2.0.2 2.0.3 2.7.4.4 2.0.1.1"),
    ("rolled", {"do": "end"}, "Before you end the turn: play one tile.", "2.0.3 2.0.1.1"),
    ("slot c1 BELL owner Blue\nmark BELL printed", {"do": "rules", "tile": "BELL"},
     "The rules of BELL are printed on it, so it needs no card.", "2.5.1"),
    ("slot c1 PLAIN owner Blue", {"do": "rules", "tile": "PLAIN"},
     "PLAIN has no effect, so it needs no rules card.", "2.5.1"),
]  # fmt: skip


def refused(text, act):
    """Return what Red is told who tries this after a scenario."""
    language = speaking(TILES)
    driver, failure = language.played(*language.read(f"SCENARIO x\n{text}\n", "refusals"))
    assert failure is None, failure
    if "tile" in act:
        held = driver.held("Red", act["tile"]) if act["do"] == "play" else {"tile": driver.state.laid[0].copy}
        act = {**act, **held}
    read_action(act)
    return driver.act("Red", act)


@pytest.mark.parametrize(("text", "act", "said", "clauses"), REFUSALS)
def test_a_refusal_says_what_is_in_the_way(text, act, said, clauses):
    """The sentence names the Limit, the tile, the room, the ball or what is owed, each with its clause."""
    found = refused(text, act)
    assert found is not None
    assert found.reason.startswith(said)
    assert " ".join((found.clause, *found.also)) == clauses
