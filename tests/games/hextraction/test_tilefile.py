"""One tile in a file: what can be said of it, and where each mistake in it is told."""

import re

import pytest
from helpers.strategies import plain_tiles, spell_effect, spell_tile
from hextraction.controller.games.hextraction.cards.tilebook import load_tiles, read_tiles, tiles_of_text
from hextraction.controller.games.hextraction.cards.tilefile import tiles_text
from hextraction.controller.games.hextraction.cards.tiles import (
    Effect,
    Keyword,
    Tile,
    Trigger,
    When,
    Who,
)
from hextraction.controller.games.hextraction.cards.vocabulary import deed_named
from hextraction.settings import SettingsError
from hypothesis import given, settings
from hypothesis import strategies as st

LINES_WANTED = (
    "own.toml:5: tile[1].lines: want centre lines, each of edges at its ends and points [x, y] within 29 mm of the middle, "
    "such as [[1, 5], [3, [0, 6.5]]]"
)


@pytest.fixture
def own(tmp_path):
    """Return a function that writes text to a file and reads the tiles in it."""

    def read(text, known=None):
        (tmp_path / "own.toml").write_text(text, encoding="utf-8")
        return read_tiles([tmp_path / "own.toml"], known)

    return read


@pytest.fixture
def refused(own, tmp_path):
    """Return a function that gives the complaints about a file, without the folder's name."""

    def complaints(text, known=None):
        with pytest.raises(SettingsError) as refusal:
            own(text, known)
        return [str(problem).replace(f"{tmp_path}/", "") for problem in refusal.value.problems]

    return complaints


def test_an_own_tile_is_read_whole(own):
    """Every key that a file may have ends up in the tile."""
    text = spell_tile(
        creator='"Ada"', source='"https://example.org/t"', official="true", channels="[[1, 3], [2, 5]]", notches="[1, 4]",
        holds="2", alternates="[3, 5]", scatters="true", hole="true", covers="[3, 4]", lines="[[1, [2, -3.5], 3]]", holes="[[13, 0, 6.25]]", keywords='["unique"]',
        trigger='"whole"', summary='"Odd."',
    ) + spell_effect(when='"trigger"', deed='"roll_now"', amount="2", who='"next"', ramps='["L1"]', offline="true", overdrive="true") + spell_effect(
        when='"activated"', deed='"draw"', forbidden="true", mandatory="true", once_per_turn="true", from_hand="true", discard_this="true"
    )  # fmt: skip
    assert own(text)["mine"] == Tile(
        name="mine", title="Mine", creator="Ada", source="https://example.org/t", official=True,
        channels=((1, 3), (2, 5)), turns=(0, 3), holds=2, alternates=(3, 5), scatters=True, hole=True, covers=(3, 4),
        lines=((1, (2.0, -3.5), 3),), holes=((13.0, 0.0, 6.25),),
        keywords=frozenset({Keyword.UNIQUE}), trigger=Trigger.WHOLE, summary="Odd.",
        effects=(
            Effect(when=When.TRIGGER, deed=deed_named("roll_now"), text="Draw.", amount=2, who=Who.NEXT, ramps=("L1",), offline=True, overdrive=True),
            Effect(
                when=When.ACTIVATED, deed=deed_named("draw"), text="Draw.", forbidden=True, mandatory=True, once_per_turn=True,
                from_hand=True, discard_this=True,
            ),
        ),
    )  # fmt: skip


def test_an_own_tile_needs_little(own):
    """A name and a title are enough: nothing else is known then."""
    assert own(spell_tile()) == {"mine": Tile(name="mine", title="Mine")}


@settings(max_examples=30)
@given(tiles=st.lists(plain_tiles(), max_size=4, unique_by=lambda one: one.name))
def test_what_is_written_is_read(tiles):
    """Any tiles without effects come out of a file as they were written to it."""
    assert tiles_of_text(tiles_text(tiles), "own", {}) == {one.name: one for one in tiles}


def test_the_whole_catalogue_is_written_and_read():
    """Effects, keywords, lines, parts: each tile that ships is the same afterwards."""
    assert tiles_of_text(tiles_text(load_tiles().values()), "all", {}) == load_tiles()


@pytest.mark.parametrize("words", ['"quoted" \\ back', "two\nlines\ttab", "\x7f \u2603 \U0001f3b2"])
def test_any_words_of_a_card_are_written_and_read(words):
    """Also those that TOML wants spelled otherwise."""
    tile = Tile(name="mine", title="Mine", summary=words)
    assert tiles_of_text(tiles_text([tile]), "own", {}) == {"mine": tile}


@pytest.mark.parametrize(
    ("notches", "turns"),
    [("[4]", (0,)), ("[1]", (3,)), ("[3]", (1,)), ("[6]", (4,)), ("[1, 3, 4, 6]", (0, 1, 3, 4))],
)
def test_a_notch_must_come_to_lie_on_the_key(own, notches, turns):
    """The slot's key is at edge 4: those turns are legal that bring a notch there."""
    one = own(spell_tile(notches=notches))["mine"]
    assert one.turns == turns


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (spell_tile(name='"Mine"'), "own.toml:2: tile[1].name: want small letters, digits and hyphens, found 'Mine'"),
        (spell_tile(name='""'), "own.toml:2: tile[1].name: want small letters, digits and hyphens, found ''"),
        (spell_tile(name='"unknown"'), "own.toml:2: tile[1].name: 'unknown' is made by the product itself; want another name"),
        (spell_tile(name='"ban-a"'), "own.toml:2: tile[1].name: 'ban-a' is made by the product itself; want another name"),
        (spell_tile(title='""'), "own.toml:3: tile[1].title: want what people call it, found ''"),
        (spell_tile(source='"my shed"'), "own.toml:4: tile[1].source: want a web address, found 'my shed'"),
        (spell_tile(chanels="[[1]]"), "own.toml:4: tile[1].chanels: unknown key; did you mean 'channels'?"),
        (spell_tile(channels="[[1, 7]]"), "own.toml:4: tile[1].channels: want edges 1..6, found 7"),
        (spell_tile(channels='[[true, 0, 1.0, "a"]]'), "own.toml:4: tile[1].channels: want edges 1..6, found True, 0, 1.0, a"),
        (spell_tile(channels="[[1, 2], [2, 3, 3]]"), "own.toml:4: tile[1].channels: want each edge once, found 2, 3 again"),
        (spell_tile(channels="[1, 2]"), "own.toml:4: tile[1].channels: want groups of joined edges, such as [[1, 3], [4, 6]]"),
        (spell_tile(channels="[[1], []]"), "own.toml:4: tile[1].channels: want groups of joined edges, such as [[1, 3], [4, 6]]"),
        (spell_tile(channels='"all"'), "own.toml:4: tile[1].channels: want groups of joined edges, such as [[1, 3], [4, 6]]"),
        (spell_tile(channels="[[1, 3, 5]]", lines="[[1, 3]]"), "own.toml:5: tile[1].lines: of the channel [1, 3, 5] no line reaches 5"),
        (spell_tile(channels="[[1, 3]]", lines="[[1, 3, [0, 0]]]"), LINES_WANTED),
        (spell_tile(channels="[[1, 3]]", lines="[[[0, 0], [1, 1]]]"), LINES_WANTED),
        (spell_tile(channels="[[1, 3]]", lines="[[1, [0, 40]]]"), LINES_WANTED),
        (spell_tile(channels="[[1, 3]]", lines="[[1, 1]]"), LINES_WANTED),
        (spell_tile(holes="[[13, 0]]"), "own.toml:4: tile[1].holes: want holes as [x, y, radius] in mm around the middle, such as [[13, 0, 6.25]]"),
        (spell_tile(holes="[[13, 0, 0]]"), "own.toml:4: tile[1].holes: want holes as [x, y, radius] in mm around the middle, such as [[13, 0, 6.25]]"),
        (spell_tile(turns="[]"), "own.toml:4: tile[1].turns: want at least one turn 0..5, each once"),
        (spell_tile(turns="[1, 1]"), "own.toml:4: tile[1].turns: want at least one turn 0..5, each once"),
        (spell_tile(turns="[6]"), "own.toml:4: tile[1].turns: want a list of whole numbers 0..5, found [6]"),
        (spell_tile(notches="[]"), "own.toml:4: tile[1].notches: want at least one edge"),
        (spell_tile(notches="[4, 4]"), "own.toml:4: tile[1].notches: want each edge once, found 4 again"),
        (spell_tile(notches="[4]", turns="[0]"), "own.toml:5: tile[1].turns: follow from notches; want only one of the two"),
        (spell_tile(holds="-1"), "own.toml:4: tile[1].holds: want a whole number 0..20, found -1"),
        (spell_tile(covers="[3, 3]"), "own.toml:4: tile[1].covers: want each edge once, found 3 again"),
        (spell_tile(covers="[0]"), "own.toml:4: tile[1].covers: want a list of whole numbers 1..6, found [0]"),
        (spell_tile(channels="[[1, 3]]", alternates="[3, 5]"), "own.toml:5: tile[1].alternates: want edges that are in the channels"),
        (spell_tile(alternates="[3]"), "own.toml:4: tile[1].alternates: want edges that are in the channels"),
        (spell_tile(keywords='["unique", "vrtual"]'), "own.toml:4: tile[1].keywords: want some of unique, virtual, combo, found 'vrtual'"),
        (spell_tile(keywords='["combo"]'), "own.toml:1: tile[1].parts: want parts exactly if combo is among the keywords"),
        (spell_tile(parts='["mine"]'), "own.toml:4: tile[1].parts: want parts exactly if combo is among the keywords"),
        (spell_tile(keywords='["combo"]', parts='["minde"]'), "own.toml:5: tile[1].parts: no tile is called 'minde'; did you mean 'mine'?"),
        (spell_tile(counterparts='["mine"]', keywords='["virtual"]'), "own.toml:4: tile[1].counterparts: only a tile that is virtual and combo has them"),
        (spell_tile(trigger='"whole"'), "own.toml:4: tile[1].trigger: want whole or area exactly if an effect is triggered"),
        (spell_tile() + spell_effect(when='"trigger"'), "own.toml:1: tile[1].trigger: want whole or area exactly if an effect is triggered"),
        (spell_tile(trigger='"al"'), "own.toml:4: tile[1].trigger: want one of none, whole, area, found 'al'"),
        (spell_tile() + spell_effect(when='"onplay"'), "own.toml:5: tile[1].effect[1].when: want one of trigger, on_play, on_destroy, ongoing, activated, limit, setup, played, picked, found 'onplay'; did you mean 'on_play'?"),
        (spell_tile() + spell_effect(who='"me"'), "own.toml:8: tile[1].effect[1].who: want one of self, next, others, all, owner, found 'me'"),
        (spell_tile() + spell_effect(text='" "'), "own.toml:7: tile[1].effect[1].text: want what happens, in words, found ' '"),
        (spell_tile() + spell_effect(amount="0"), "own.toml:8: tile[1].effect[1].amount: want a whole number 1..20, found 0"),
        (spell_tile() + spell_effect(forbidden='"yes"'), "own.toml:8: tile[1].effect[1].forbidden: want true or false, found 'yes'"),
        (spell_tile() + spell_effect(tile='"mine"'), "own.toml:8: tile[1].effect[1].tile: draw names no tile"),
        (spell_tile() + spell_effect(deed='"create"'), "own.toml:4: tile[1].effect[1].tile: create must name a tile"),
        (spell_tile() + spell_effect(deed='"create"', tile='"mine"'), "own.toml:8: tile[1].effect[1].tile: want a virtual tile, and 'mine' is none"),
        (spell_tile() + spell_effect(deed='"create"', tile='"other"'), "own.toml:8: tile[1].effect[1].tile: no tile is called 'other'"),
        (spell_tile() + spell_effect(deed='"nothing"', amount="3"), "own.toml:8: tile[1].effect[1].amount: nothing takes no amount"),
        (spell_tile() + spell_effect(ramps='["L1"]'), "own.toml:8: tile[1].effect[1].ramps: draw takes no ramps"),
        (spell_tile() + spell_effect(mandatory="true"), "own.toml:8: tile[1].effect[1].mandatory: only an activated effect can be that"),
        (spell_tile() + spell_effect(deed='"must_overwrite"'), "own.toml:5: tile[1].effect[1].when: must_overwrite is a limit, found 'on_play'"),
        (spell_tile() + spell_effect(deed='"ban_ramps"', ramps='["a"]'), "own.toml:5: tile[1].effect[1].when: ban_ramps is ongoing, found 'on_play'"),
        (spell_tile() + spell_effect(deed='"shift_all"'), "own.toml:4: tile[1].effect[1].edge: shift_all must have an edge"),
        (spell_tile() + spell_effect(edge="2"), "own.toml:8: tile[1].effect[1].edge: draw takes no edge"),
        (spell_tile() + spell_effect(turn="3"), "own.toml:8: tile[1].effect[1].turn: draw does not step"),
        (spell_tile() + spell_effect(eats='["mine"]'), "own.toml:8: tile[1].effect[1].eats: draw does not step"),
        (spell_tile() + spell_effect(deed='"step"', eats='["other"]'), "own.toml:8: tile[1].effect[1].eats: no tile is called 'other'"),
        (spell_tile() + spell_effect(deed='"instead_to_hand"'), "own.toml:5: tile[1].effect[1].when: instead_to_hand is for on_destroy, found 'on_play'"),
        (spell_tile() + spell_effect(deed='"pick"'), "own.toml:4: tile[1].effect: want picked effects exactly if one of the effects is a pick"),
        (spell_tile() + spell_effect(when='"limit"'), "own.toml:6: tile[1].effect[1].deed: draw cannot limit where or when a tile is played"),
        (spell_tile() + spell_effect(when='"ongoing"', deed='"hole_costs_tile"'), "own.toml:1: tile[1].hole: an effect is about this tile's hole; want true"),
        (spell_tile() + spell_tile(), "own.toml:5: tile[2].name: 'mine' is already at own.toml:1"),
        ("[tile]\nname = 1\n", "own.toml:1: tile: want tables, each written as [[tile]]"),
        ("[[tiles]]\n", "own.toml:1: tiles: unknown key; did you mean 'tile'?"),
    ],
)  # fmt: skip
def test_a_wrong_tile_is_refused_where_it_is_wrong(refused, text, complaint):
    """Each mistake is told with its line; nothing but what follows from it is told beside."""
    assert refused(text) == [complaint]


def test_an_unknown_deed_is_one_mistake(refused):
    """Its keys are judged once it is known: nothing is said of a word that nobody wrote."""
    (complaint,) = refused(spell_tile() + spell_effect(deed='"fly"', edge="2"))
    assert re.search(r"\.deed: want one of the \d+ deeds in docs/effects.md, found 'fly'", complaint)


def test_a_word_whose_package_is_missing_is_told_as_such(refused):
    """A journal, or a tile of somebody else, may have it: what is near is named, what may be missing, too."""
    (complaint,) = refused(spell_tile() + spell_effect(deed='"swap_neighbour"'))
    assert "found 'swap_neighbour'; did you mean 'lower_neighbour'?" in complaint
    assert "that package is not installed" in complaint
    (complaint,) = refused(spell_tile() + spell_effect(deed="3"))
    assert ".deed: want one of " in complaint


def test_a_line_between_edges_that_are_not_joined_is_told(refused):
    """And so is the edge that it does not reach."""
    assert refused(spell_tile(channels="[[1, 3]]", lines="[[1, 4]]")) == [
        "own.toml:5: tile[1].lines: [1, 4] are not joined by the channels",
        "own.toml:5: tile[1].lines: of the channel [1, 3] no line reaches 3",
    ]


def test_a_tile_is_complete_or_every_gap_is_told(refused):
    """Missing keys of a tile and its effect are told together."""
    assert refused("[[tile]]\n[[tile.effect]]\n") == [
        "own.toml:1: tile[1]: the key 'name' is missing",
        "own.toml:1: tile[1]: the key 'title' is missing",
        "own.toml:2: tile[1].effect[1]: the key 'when' is missing",
        "own.toml:2: tile[1].effect[1]: the key 'deed' is missing",
        "own.toml:2: tile[1].effect[1]: the key 'text' is missing",
    ]


def test_a_counterpart_must_be_virtual(refused):
    """What a Virtual Combo brings along can be created."""
    text = spell_tile(
        keywords='["virtual", "combo"]', parts='["half"]', counterparts='["half"]'
    ) + spell_tile(name='"half"')
    assert refused(text) == ["own.toml:6: tile[1].counterparts: want a virtual tile, and 'half' is none"]


def test_a_replaced_virtual_tile_stays_virtual(refused):
    """Shipped tiles create it, so an own one of that name must be creatable."""
    assert refused(spell_tile(name='"vseed"'), load_tiles()) == [
        "own.toml:1: tile[1].keywords: the shipped tile 'vseed' is virtual and others rely on it"
    ]


def test_a_virtual_tile_may_be_replaced_by_a_virtual_one(own):
    """What stays virtual can still be created, whatever else is changed."""
    assert own(spell_tile(name='"vseed"', keywords='["virtual"]'), load_tiles())["vseed"].title == "Mine"
