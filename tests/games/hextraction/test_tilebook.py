"""The tile catalogue: what ships, how own tiles are checked, and how a tile is found by its name."""

import re
import textwrap

import pytest
from helpers.places import ROOT
from helpers.strategies import TURNS, plain_tiles, shipped_tiles, spell_effect, spell_tile
from hextraction.board.grid import turned
from hextraction.board.profile import load_board
from hextraction.controller.games.hextraction.cards import tilebook
from hextraction.controller.games.hextraction.cards.tilebook import (
    Doer,
    doer,
    load_catalogue,
    load_tiles,
    read_tiles,
)
from hextraction.controller.games.hextraction.cards.tiles import (
    UNKNOWN,
    Effect,
    Keyword,
    Tile,
    Trigger,
    When,
    Who,
    ban,
    tile_named,
)
from hextraction.controller.games.hextraction.cards.vocabulary import deed_named
from hextraction.settings import SettingsError
from hypothesis import given, settings
from hypothesis import strategies as st

from docs.tiles_page import tiles_page

ALL_SIX = ((1, 2, 3, 4, 5, 6),)
GOOD = textwrap.dedent("""\
    [[tile]]
    name = "mine"
    title = "Mine"
    channels = [[1, 4], [2, 3]]
    trigger = "area"
    [[tile.effect]]
    when = "trigger"
    deed = "draw"
    text = "Draw a tile."
    """)


# What ships.


def test_the_catalogue_holds_the_basic_set_and_many_known_tiles():
    """At least 35 real tiles, at least 25 of them with channels or effects, beside the test tiles."""
    real = [one for one in load_tiles().values() if one.creator]
    known = [one for one in real if one.channels is not None or one.effects]
    assert len(real) >= 35
    assert len(known) >= 25
    assert sum(one.channels is not None for one in real) >= 25
    assert sum(one.official for one in real) >= 25


def test_every_real_tile_is_credited():
    """Whoever made a tile is named with an address."""
    fixture = read_tiles([ROOT / "board" / "catalogue" / "fixture.toml"])
    for name, one in load_tiles().items():
        assert (name in fixture) == (not one.creator), name
        assert bool(one.creator) == one.source.startswith("https://"), name


@pytest.mark.parametrize(
    ("name", "channels", "turns"),
    [
        ("dc", ((1, 3), (4, 6)), (0, 1, 3, 4)),
        ("dic", ((1, 4), (2, 3), (5, 6)), (0, 3)),
        ("j", ((1, 3),), (0, 1, 2, 3, 4, 5)),
        ("x", ((1, 2, 4, 5),), (0, 1, 2, 3, 4, 5)),
        ("asterisk", ALL_SIX, (0, 1, 2, 3, 4, 5)),
        ("peace", ((1, 2, 4, 6),), (0, 2, 3, 4)),
        ("s", ((2, 3, 5, 6),), (0, 1, 2, 3, 4, 5)),
        ("z", ((2, 3, 5, 6),), (0, 1, 2, 3, 4, 5)),
        ("double-trap", ((1, 3),), (0, 1, 2, 3, 4, 5)),
        ("triple-trap", ((1, 3, 5),), (0, 1, 2, 3, 4, 5)),
        ("pachinko", ALL_SIX, (0, 1, 2, 3, 4, 5)),
        ("flip-flop", ((1, 3, 5),), (0, 1, 2, 3, 4, 5)),
        ("xc", ((2, 3), (1, 4, 5, 6)), (0, 1, 2, 3, 4, 5)),
        ("steak", ((1, 3, 5),), (0,)),
        ("void", None, (0, 1, 2, 3, 4, 5)),
    ],
)
def test_the_channels_and_turns_of_known_tiles(name, channels, turns):
    """Measured channels, and the turns that the notches allow."""
    one = load_tiles()[name]
    assert one.channels == channels
    assert one.turns == turns


def test_what_the_mechanisms_of_the_basic_set_do():
    """Traps hold, pegs scatter, a flipper alternates."""
    tiles = load_tiles()
    assert (tiles["double-trap"].holds, tiles["triple-trap"].holds) == (1, 1)
    assert tiles["pachinko"].scatters
    assert tiles["flip-flop"].alternates == (3, 5)


@pytest.mark.parametrize(
    ("name", "when", "deed", "who"),
    [
        ("tile-with-nothing", When.ON_PLAY, "discard_hand", Who.SELF),
        ("void", When.LIMIT, "not_after_roll", Who.SELF),
        ("void", When.ONGOING, "hole_costs_tile", Who.SELF),
        ("rewind", When.TRIGGER, "roll_again_here", Who.SELF),
        ("gear", When.TRIGGER, "turn_neighbour", Who.SELF),
        ("cartoon-bomb", When.ON_DESTROY, "destroy_neighbours", Who.SELF),
        ("wurst", When.TRIGGER, "no_win", Who.SELF),
        ("pinata", When.ON_DESTROY, "draw", Who.ALL),
        ("cherries", When.ON_DESTROY, "extra_turn", Who.SELF),
        ("blue-shell", When.LIMIT, "must_overwrite", Who.SELF),
        ("blue-shell", When.ON_PLAY, "destroy_neighbours", Who.SELF),
        ("blue-shell", When.TRIGGER, "destroy_this", Who.SELF),
        ("detonate", When.ON_PLAY, "destroy_under_balls", Who.SELF),
        ("contagion", When.LIMIT, "not_top_row", Who.SELF),
        ("clone", When.TRIGGER, "release_here", Who.SELF),
        ("echo", When.PLAYED, "chime", Who.SELF),
        ("bell", When.TRIGGER, "chime", Who.SELF),
        ("hammer", When.TRIGGER, "destroy_other", Who.SELF),
        ("skull", When.TRIGGER, "lose", Who.SELF),
        ("crown", When.TRIGGER, "win", Who.NEXT),
        ("encore", When.TRIGGER, "roll_now", Who.SELF),
        ("kick", When.TRIGGER, "kick", Who.SELF),
        ("gift", When.ON_PLAY, "extra_roll", Who.SELF),
        ("taboo", When.ON_PLAY, "discard", Who.OTHERS),
        ("taboo", When.ON_PLAY, "chime", Who.SELF),
        ("fence", When.LIMIT, "only_bottom_row", Who.SELF),
        ("maker", When.ON_PLAY, "create", Who.SELF),
        ("duty", When.ACTIVATED, "chime", Who.SELF),
        ("trade", When.ACTIVATED, "draw", Who.SELF),
        ("drip", When.TRIGGER, "draw", Who.SELF),
        ("guest", When.ON_PLAY, "roll_now", Who.NEXT),
        ("wake", When.ONGOING, "lose_when_destroyed", Who.SELF),
    ],
)
def test_the_effects_of_known_tiles(name, when, deed, who):
    """What a card says is there in the words that the rules execute."""
    found = [(one.when, one.deed.word, one.who, one.amount) for one in load_tiles()[name].effects]
    assert (when, deed, who, 1) in found


def test_the_test_tiles_are_as_the_scenarios_want_them():
    """All edges joined; keywords, parts and special conditions of the test tiles."""
    tiles = read_tiles([ROOT / "board" / "catalogue" / "fixture.toml"])
    assert set(tiles) == {
        "plain", "bell", "spike", "hammer", "skull", "crown", "encore", "kick", "odbell", "offbell", "gift", "odgift",
        "offgift", "taboo", "fence", "star", "vseed", "vstar", "maker", "pair", "pair-l", "pair-r", "vduo", "vduo-1",
        "vduo-2", "vmate", "wide", "duty", "trade", "drip", "guest", "fuse", "wake", "echo",
    }  # fmt: skip
    assert all(one.channels == ALL_SIX and one.turns == (0, 1, 2, 3, 4, 5) for one in tiles.values())
    assert tiles["star"].keywords == {Keyword.UNIQUE}
    assert tiles["vstar"].keywords == {Keyword.UNIQUE, Keyword.VIRTUAL}
    assert tiles["pair"].parts == ("pair-l", "pair-r")
    assert (tiles["vduo"].parts, tiles["vduo"].counterparts) == (("vduo-1", "vduo-2"), ("vmate",))
    assert Keyword.VIRTUAL in tiles["vmate"].keywords
    assert len(tiles["wide"].covers) == 1
    assert (tiles["bell"].trigger, tiles["spike"].trigger) == (Trigger.WHOLE, Trigger.AREA)
    assert [one.forbidden for one in tiles["taboo"].effects] == [True, False]
    assert tiles["taboo"].forbidden
    assert not tiles["gift"].forbidden
    assert (tiles["odbell"].effects[0].overdrive, tiles["offbell"].effects[0].offline) == (True, True)
    assert (tiles["odgift"].effects[0].overdrive, tiles["offgift"].effects[0].offline) == (True, True)
    duty, trade = tiles["duty"].effects[0], tiles["trade"].effects[0]
    assert (duty.mandatory, duty.once_per_turn) == (True, True)
    assert (trade.from_hand, trade.discard_this) == (True, True)
    assert (tiles["maker"].effects[0].tile, tiles["wake"].effects[0].tile) == ("vseed", "fuse")
    assert [tiles[name].starred for name in ("plain", "fuse", "star", "bell")] == [False, False, True, True]


def test_every_word_of_the_vocabulary_has_a_meaning_for_some_tile_or_ban():
    """Words for keywords and triggers that no tile uses would be dead."""
    tiles = load_tiles().values()
    assert {word for one in tiles for word in one.keywords} == set(Keyword)
    assert {one.trigger for one in tiles} == set(Trigger)
    assert {each.when for one in tiles for each in one.effects} == set(When)


@pytest.mark.slow
@pytest.mark.mutants
@settings(max_examples=50)
@given(one=shipped_tiles() | plain_tiles(), turns=TURNS)
def test_a_turned_tile_has_its_channels_turned(one, turns):
    """Each edge of each channel goes round by as many sixths; unknown channels stay unknown."""
    found = one.channels_at(turns)
    if one.channels is None:
        assert found is None
    else:
        assert [set(group) for group in found] == [
            {turned(edge, turns) for edge in group} for group in one.channels
        ]
        assert all(list(group) == sorted(group) for group in found)


def test_effects_can_be_asked_by_their_occasion():
    """The order of the card is kept."""
    taboo = load_tiles()["taboo"]
    assert [one.deed.word for one in taboo.effects_when(When.ON_PLAY)] == ["discard", "chime"]
    assert taboo.effects_when(When.TRIGGER) == ()


def test_the_page_of_tiles_is_up_to_date():
    """What the docs list is what ships; the module prints it."""
    page = (ROOT / "docs" / "tiles.md").read_text(encoding="utf-8")
    assert page.startswith(tiles_page(tilebook.load_tiles()))
    assert (
        "| ![DC](images/tiles/dc.svg) | **DC**<br>`dc`<br>by [ZackFreedman](https://than.gs/m/856511) | 1-3 4-6<br>turns 0 1 3 4<br>through "
        in page
    )


KNOWN = {
    "executed": (
        "an-tile-kythera", "angel-down", "angel-up", "ascent", "backrooms", "balls-stored-in-the-p", "battleship",
        "blue-shell", "cartoon-bomb", "cherries", "claw-hammer", "clone", "clone-army", "contagion", "countdown",
        "detonate", "fortune-cookie", "gear", "ghost", "gravity-storm", "heads-or-tails", "holographic-frame",
        "kill-switch", "king", "landslide", "pac-man", "pinata", "revolver", "rewind", "seek", "skybridge",
        "sniper", "spooky", "summon", "sushi", "tactical-discard", "teleport", "tile-with-nothing", "twister",
        "ufo", "void", "worm-hole", "wurst",
    ),
    "attested": (
        "chain-reactor", "contraption", "decree", "dispenser", "matrix", "pendulum", "recursion", "riptide",
        "secret-trigger", "shahrazad", "shrink-ray", "sozu", "take-the-tilepill", "tile-built-for-two",
    ),
    "nothing to do": (
        "angry-crab", "asterisk", "beta-forbidden-voidstar-lab", "curving-tile-hidden-magnet", "dc", "dic",
        "double-trap", "flip-flop", "j", "loop-de-loop", "newtons-cradle", "pachinko", "peace", "quad-trap", "s",
        "skullzu", "sportsball", "title-card-logo", "turnstile", "uwu", "vortex", "x", "xc", "z", "zoidberg",
    ),
}  # fmt: skip
"""The 82 tiles whose cards are known (Double and Triple Trap are one of them), by who does what they say."""


@pytest.mark.parametrize(
    ("sort", "name"), [(sort, name) for sort, names in KNOWN.items() for name in names if sort != "executed"]
)
def test_what_people_have_to_do_is_said_to_be_so(sort, name):
    """A card that the rules do not execute is attested with words, or has no rule at all."""
    wanted = {"attested": Doer.PEOPLE, "nothing to do": Doer.NOBODY}[sort]

    assert doer(load_tiles()[name]) is wanted


@pytest.mark.parametrize("name", KNOWN["executed"])
def test_the_rules_execute_more_than_forty_of_the_known_cards(name):
    """Each of these has at least one deed that the rules do, itself or in a part of its Combo."""
    tiles = load_tiles()
    cards = [tiles[name], *(tiles[part] for part in tiles[name].parts)]

    assert any(not one.deed.in_words for card in cards for one in card.effects)
    assert len(KNOWN["executed"]) == 43
    assert sum(map(len, KNOWN.values())) == 82


def test_every_executed_card_has_a_scenario():
    """The name of the tile stands in a scenario, which says what its card does."""
    folder = ROOT / "tests" / "scenarios"
    text = "\n".join(path.read_text(encoding="utf-8") for path in folder.glob("*.scenario"))

    assert [name for name in KNOWN["executed"] if not re.search(rf"\b{name.upper()}\b", text)] == []


def test_the_page_counts_who_does_what_cards_say():
    """Executed, attested and none, over the tiles of real creators."""
    effect = Effect(when=When.TRIGGER, deed=deed_named("chime"), text="Ring.")
    told = Effect(when=When.TRIGGER, deed=deed_named("attested"), text="Sing.")
    cards = [(), (effect,), (told,), (effect, told)]
    tiles = {f"t{n}": Tile(name=f"t{n}", title="T", creator="X", effects=one) for n, one in enumerate(cards)}

    text = tiles_page(tiles)

    assert "Of the 4 real tiles listed here the rules execute 2, 1 of them" in text
    assert "for 1 people are told" in text
    assert "\n1 have no rule" in text


def test_a_page_tells_what_is_not_known():
    """Unknown channels, no channels at all and a creator without an address each have their spelling."""
    tiles = {
        "a": Tile(name="a", title="A", creator="Somebody"),
        "b": Tile(name="b", title="B", channels=()),
    }
    assert tiles_page(tiles).splitlines()[-2:] == [
        "| ![A](images/tiles/not-known.svg) | **A**<br>`a`<br>by Somebody | not known<br>any turn |  |",
        "| ![B](images/tiles/b.svg) | **B**<br>`b` | none<br>any turn |  |",
    ]


# Finding a tile by name.


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("dc", "dc"),
        ("DC", "dc"),
        (" PAIR-L ", "pair-l"),
        ("Tile With Nothing", "tile-with-nothing"),
        ("double_trap", "double-trap"),
        ("unknown", "unknown"),
        ("Unknown", "unknown"),
    ],
)
def test_a_tile_is_found_however_people_write_its_name(written, name):
    """Capitals, spaces and underscores do not matter."""
    assert tile_named(load_tiles(), written).name == name


@given(one=shipped_tiles())
def test_every_tile_is_found_by_its_own_name(one):
    """The name in a journal leads back to the tile."""
    assert tile_named(load_tiles(), one.name) is one


def test_a_tile_that_is_in_no_catalogue_is_refused_with_a_hint():
    """The nearest name is told, if one is near."""
    with pytest.raises(KeyError, match="no tile is called 'pachinco'; did you mean 'pachinko'"):
        tile_named(load_tiles(), "pachinco")
    with pytest.raises(KeyError, match=r"no tile is called '12345'.$"):
        tile_named(load_tiles(), "12345")


@pytest.mark.parametrize("written", ["aardvark", "unknow", "unknowns", "zzz"])
def test_only_the_unknown_tile_is_called_so(written):
    """A slip of the pen is no tile that nobody knows."""
    with pytest.raises(KeyError, match=f"no tile is called '{written}'"):
        tile_named(load_tiles(), written)


@pytest.mark.parametrize("written", ["ban-a-b-c", "BAN(a,b,c)", "ban(a, b, c)", "Ban-a-b-c"])
def test_a_ban_is_made_from_its_name(written):
    """The ramps that nobody may roll on are in the name itself."""
    banned = tile_named(load_tiles(), written)
    assert banned == ban(("a", "b", "c"))
    assert banned.name == "ban-a-b-c"
    assert banned.channels == ALL_SIX
    (only,) = banned.effects
    assert (only.when, only.deed.word, only.ramps) == (When.ONGOING, "ban_ramps", ("a", "b", "c"))


@given(ramps=st.lists(st.sampled_from([ramp.name for ramp in load_board().ramps]), min_size=1, unique=True))
def test_a_ban_is_found_again_by_its_name(ramps):
    """Ramps of the standard board keep their capitals."""
    assert tile_named({}, ban(ramps).name) == ban(ramps)


def test_an_unknown_tile_may_do_anything_physical():
    """Nothing is known of its channels, so the tracker excludes nothing."""
    assert (UNKNOWN.channels, UNKNOWN.effects, UNKNOWN.turns) == (None, (), (0, 1, 2, 3, 4, 5))


# Own tiles in several files.


def test_own_tiles_lie_over_the_shipped_ones(tmp_path):
    """A folder of own files adds tiles, may refer to shipped ones and may replace them."""
    (tmp_path / "b.toml").write_text(GOOD, encoding="utf-8")
    (tmp_path / "a.toml").write_text(
        spell_tile(name='"dc"', title='"My DC"')
        + spell_tile(name='"seeder"')
        + spell_effect(deed='"create"', tile='"vseed"'),
        encoding="utf-8",
    )
    (tmp_path / "notes.txt").write_text("no tiles here", encoding="utf-8")
    catalogue = load_catalogue(tmp_path)
    assert catalogue["dc"].title == "My DC"
    assert load_tiles()["dc"].title == "DC"
    assert set(catalogue) - set(load_tiles()) == {"mine", "seeder"}


def test_without_own_tiles_the_catalogue_is_the_shipped_one():
    """Nothing to add, nothing to copy."""
    assert load_catalogue() is load_tiles()


def test_an_empty_folder_adds_nothing(tmp_path):
    """A player who has no own tiles yet may have the folder already."""
    assert load_catalogue(tmp_path) == load_tiles()


def test_a_file_named_twice_is_read_once(tmp_path):
    """A folder and a file in it may both be given."""
    (tmp_path / "own.toml").write_text(GOOD, encoding="utf-8")
    assert set(read_tiles([tmp_path, tmp_path / "own.toml"])) == {"mine"}


def test_mistakes_in_all_files_are_told_at_once(tmp_path):
    """One report for a whole folder: broken files, wrong tiles, and names used twice across files."""
    (tmp_path / "a.toml").write_text(GOOD, encoding="utf-8")
    (tmp_path / "b.toml").write_text(GOOD.replace("draw", "drow"), encoding="utf-8")
    (tmp_path / "c.toml").write_text("[[tile]\n", encoding="utf-8")
    with pytest.raises(SettingsError) as refusal:
        read_tiles([tmp_path, tmp_path / "d.toml"])
    told = str(refusal.value).replace(f"{tmp_path}/", "").splitlines()
    assert [line.partition(": ")[0] for line in told] == ["c.toml:1", "d.toml:1", "b.toml:2", "b.toml:8"]
    assert told[0].startswith("c.toml:1: this is not TOML")
    assert told[1] == "d.toml:1: cannot read this file: No such file or directory"
    assert told[2] == "b.toml:2: tile[1].name: 'mine' is already at a.toml:1"
    assert "found 'drow'; did you mean 'draw'?" in told[3]


def test_references_are_not_judged_while_a_file_is_unreadable(tmp_path):
    """The tile that is referred to may be in the file that could not be read."""
    (tmp_path / "a.toml").write_text(spell_tile(keywords='["combo"]', parts='["half"]'), encoding="utf-8")
    (tmp_path / "b.toml").write_text("[[tile]\n", encoding="utf-8")
    with pytest.raises(SettingsError) as refusal:
        read_tiles([tmp_path])
    assert len(refusal.value.problems) == 1
