"""What Extraction shows: lamps, the map, own cards, words for small boards, settings with all mistakes at once."""

import random
import re

import msgspec
import pytest
from hextraction.board.profile import load_board
from hextraction.controller.config import read_config
from hextraction.controller.games.extraction import Extraction
from hextraction.controller.games.extraction.land.corners import CORNER_CELLS
from hextraction.controller.games.extraction.land.goods import RESOURCES
from hextraction.controller.games.extraction.land.house import CHOICES, HouseRules, Preparing, set_up
from hextraction.controller.games.extraction.land.names import at_corner
from hextraction.controller.games.extraction.land.state import Ask
from hextraction.controller.games.extraction.scenario.language import LANGUAGE
from hextraction.controller.games.extraction.shown.lamps import COLOURS
from hextraction.controller.games.protocol import (
    Acted,
    Flash,
    Occasion,
    PowerSet,
    Seated,
    Senses,
    TileSeen,
    Told,
    Woke,
)
from hextraction.controller.games.scene import without_hands
from hextraction.settings import SettingsError
from msgspec.structs import replace

SEATS = (Seated("red", "Ann"), Seated("blue", "Bo"), Seated("green", "Cy"))
MAP = "hex c3 ore 8 5\nhex d2 wood 3 1\nhex b2 desert\nsettlement Red c3.12\nhand Red 1 wood 1 brick\n"


def at(text, board="large-27"):
    """Return a game and its state in the middle, as a scenario sets it up."""
    (script,) = LANGUAGE.read(f"game extraction\nboard {board}\n{MAP}{text}", "x")
    table = LANGUAGE.table(script.case)
    return table.game, table.state


def does(game, state, seat, chance=0, **act):
    """Let a seat act; it must be heard."""
    step = game.step(state, Acted(at_us=1, seat=seat, act=act, chance=chance))
    assert step.state != state
    return step.state


def shining(game, state):
    """Return the lamps by cell."""
    slots = {slot: cell for cell, slot in game.field.slots.items()}
    return {slots[place.partition(".")[2]]: glow for place, glow in game.lamps(game.scene(state)).items()}


def test_lamps_show_what_hexes_give_and_how_much_is_left():
    """Full hexes in their colour, fewer tokens dimmer, used up one amber lamp, the desert dark, nothing else lit."""
    game, state = at("")
    glows = shining(game, state)
    assert len(glows) == 19
    assert glows["c3"].colour == COLOURS["ore"]
    hexes = list(state.hexes)
    index = list(game.field.slots).index("c3")
    hexes[index] = replace(hexes[index], tokens=1)
    dimmed = shining(game, replace(state, hexes=tuple(hexes)))["c3"].colour
    assert 0 < sum(dimmed) < sum(COLOURS["ore"]) / 3
    assert (glows["a1"].lit, glows["a1"].colour[0] > glows["a1"].colour[2]) == (1, True)
    assert glows["b2"].colour == (0, 0, 0)


def test_on_a_seven_live_hexes_pulse_and_the_chosen_one_blinks():
    """The chosen one goes dark in between, the others only dim."""
    game, state = at("before the throw")
    state = does(game, state, "red", chance=0 + 6 * 5, do="roll")
    assert state.phase == "swap"
    glows = shining(game, does(game, state, "red", do="pick", at="c3"))
    assert {cell for cell, glow in glows.items() if glow.blink} == {"c3", "d2"}
    assert (glows["c3"].rest, sum(glows["d2"].rest) > 0) == ((0, 0, 0), True)


def test_a_hex_that_gives_flashes():
    """White, at once, before anything else is shown."""
    game, state = at("before the throw")
    step = game.step(state, Acted(at_us=1, seat="red", act={"do": "roll"}, chance=1 + 6 * 5))
    assert [one.place for one in step.effects if isinstance(one, Flash)] == [f"slot.{game.field.slots['c3']}"]


def test_where_a_disc_may_go_glows_only_once_it_was_chosen():
    """Before that no lamp blinks."""
    game = Extraction(load_board("large-27"))
    setup = set_up(HouseRules(roll_first=False), "large-27", SEATS, random.Random(1))
    state = replace(game.start(setup), phase="discs")
    assert not any(glow.blink for glow in shining(game, state).values())
    state = does(game, state, "red", do="pick", disc=8)
    assert sum(glow.blink for glow in shining(game, state).values()) == 18
    assert not any(glow.blink for glow in shining(game, does(game, state, "red", do="unpick")).values())


def test_a_hex_that_is_used_up_blinks_until_it_is_turned_over():
    """Its lamp calls hands, and is quiet when the sensor has seen them."""
    game, state = at("sensors\nbefore the throw\nsettlement Red d2.12")
    state = does(game, state, "red", chance=0 + 6 * 1, do="roll")
    slot = game.field.slots["d2"]
    assert shining(game, state)["d2"].blink
    assert game.awaited(state).lift == (slot,)
    state = game.step(state, TileSeen(at_us=2, slot=slot, present=False)).state
    assert not shining(game, state)["d2"].blink


def test_at_first_the_phones_say_which_hex_goes_where():
    """A board that sees hexes waits for all 18 of them; the throws for the first turn may come meanwhile."""
    game = Extraction(load_board("large-27"))
    state = game.start(set_up(HouseRules(roll_first=False), "large-27", SEATS, random.Random(1), sees=True))
    assert game.scene(state).hands == "Lay the hexes as the phones show them."
    assert game.private(state, "red").headline == "Place a settlement: tap a bright corner"
    assert without_hands(game.scene(state)).hands == ""
    assert [one.group for one in game.private(state, "red").options] == ["laid"]
    for _hex in range(18):
        state = game.step(state, TileSeen(at_us=1, slot=game.awaited(state).lay.slot, present=True)).state
    assert game.awaited(state).lay is None
    assert {one.group for one in game.private(state, "red").options} == {"settle", "by_chance"}


@pytest.mark.parametrize("board", ["small-18", "standard-22"])
def test_on_a_board_without_a_hexagon_phones_show_it_and_lamps_are_dark(board):
    """Nineteen slots are drawn, no lamp is lit, no sensor is asked, and people are told why."""
    game, state = at("sensors", board)
    assert len(game.drawn.slots) == 19
    assert game.lamps(game.scene(state)) == {}
    assert "Play on the phones" in game.scene(state).detail.note
    assert not state.watch.sees
    assert game.physical(state).tiles == {}


def test_a_switched_off_board_has_no_light():
    """The scene says so as well."""
    game, state = at("")
    state = game.step(state, PowerSet(at_us=1, on=False)).state
    assert game.lamps(game.scene(state)) == {}
    assert not game.scene(state).power


def test_a_hand_is_its_owners_alone():
    """Cards with their number in the own view, counts in the scene, no word of kinds anywhere else."""
    game, state = at("cards Red knight knight\nhand Blue 2 wool")
    assert [one.title for one in game.private(state, "red").hand] == ["1 wood", "1 brick", "2 Knight cards"]
    assert [one.title for one in game.private(state, "blue").hand] == ["2 wool"]
    assert [one.hand for one in game.scene(state).detail.holdings] == [2, 2, 0]
    assert "Knight" not in msgspec.json.encode(game.private(state, "blue")).decode()
    assert game.private(state, "white").hand == ()


def test_no_answer_to_an_offer_tells_who_could_have_paid():
    """With the card or without it: what everybody sees and hears is the same, after a no, and after silence."""

    def public(blue, green):
        game, state = at(f"hand Blue 1 {blue}\nhand Green 1 {green}\n")
        offer = {"do": "offer", "give": {"wood": 1}, "want": {"ore": 1}}
        no = {"do": "answer", "prompt": "offer-1", "choice": "no"}
        acts = (Acted(at_us=1, seat="red", act=offer), Acted(at_us=2, seat="green", act=no))
        seen = []
        for event in (*acts, Acted(at_us=3, seat="blue", act=no)), (*acts, Woke(at_us=31_000_000)):
            now = state
            for one in event:
                step = game.step(now, one)
                now = step.state
                seen.append((game.scene(now), [told.text for told in step.effects]))
        return seen, game.private(game.step(state, acts[0]).state, "blue").prompts

    (rich, asked), (poor, only_told) = public("ore", "wool"), public("wool", "ore")
    assert rich == poor
    assert [len(one.options) for one in (*asked, *only_told)] == [2, 1]
    assert rich[-1][0].detail.refused.no == ("green", "blue")


def test_places_are_called_by_what_meets_there():
    """By two or three hexes, or one on the rim, each by what it gives and its number; never by a cell or a slot."""
    game, state = at("")
    for corner, cells in enumerate(CORNER_CELLS):
        title, met = at_corner(state.hexes, corner), [state.hexes[cell] for cell in cells]
        assert title.count("desert") == sum(not one.live for one in met)
        assert ("ore 8" in title) is any(one.disc == 8 for one in met)
        assert ("wood 3" in title) is any(one.disc == 3 for one in met)
        assert title.endswith("on the rim") is (len(met) < 3)
    assert "Road between ore 8 and wood 3" in [one.label for one in game.private(state, "red").options]


def test_what_is_offered_stands_at_its_place():
    """Roads at edges, settlements at corners, in the names of this board's slots."""
    game, state = at("")
    roads = [one.slot for one in game.private(state, "red").options if one.group == "road"]
    assert len(roads) == 3
    assert all(place.startswith("edge.") for place in roads)
    corners = [one.place for one in game.scene(state).places if one.place.startswith("corner.")]
    assert corners == [f"corner.{game.field.slots['c2']}.3"]


@pytest.mark.parametrize(
    ("more", "hand", "said"),
    [
        ("", (1, 1, 0, 0, 0), "Your turn: build, trade, or end it"),
        ("", (0, 0, 0, 0, 1), "Your turn: trade, or end it"),
        ("", (0, 0, 0, 0, 0), "Nothing left to do: tap “End your turn”"),
        ("cards Red knight", (0, 0, 0, 0, 0), "Your turn: play a card, or end it"),
        (
            "settlement Blue c3.56\nroads Red c3:1 c3:6",
            (0, 0, 0, 0, 1),
            "Your turn: trade, attack, or end it",
        ),
    ],
)
def test_a_turn_is_told_with_what_it_offers_and_nothing_else(more, hand, said):
    """Who can attack nobody does not read of attacks; who can do nothing is told which button ends it."""
    game, state = at(more)
    red, *others = state.players
    state = replace(state, players=(replace(red, hand=hand), *others))
    assert game.private(state, "red").headline == said


def test_what_the_dice_gave_is_known_to_all_until_the_next_turn():
    """Cards by seat, for those who got any."""
    game, state = at("settlement Blue d2.12\n")
    thrown = does(game, replace(state, phase="before"), "red", chance=2 + 6 * 4, do="roll")
    assert game.scene(thrown).detail.dice == (3, 5)
    assert game.scene(thrown).detail.gains == {"red": (0, 0, 0, 0, 1)}
    assert game.scene(does(game, thrown, "red", do="end")).detail.gains == {}


# --- before a game ---


def test_a_table_chooses_how_it_plays_on_a_phone():
    """Every choice is shown in words; what is chosen is played, and not changed during a game."""
    preparing = Preparing("fx-19", HouseRules(), "A board.")
    occasion = Occasion(SEATS, Senses(tiles=True), random.Random(1), 5)
    say = preparing.words["extraction"]
    for what, (_title, told) in CHOICES.items():
        for choice in told:
            assert say(Told("red", {"what": what, "choice": choice}, ("red",))) == ""
            assert preparing.shown(occasion).chosen[what] == choice
    assert preparing.set_up(occasion).attack == "stake_bonus"
    assert preparing.set_up(occasion).sees
    assert "you can choose" in say(Told("red", {"what": "dice", "choice": "none"}, ("red",)))
    assert "You can choose" in say(Told("red", {"what": "weather"}, ("red",)))
    assert "before the game" in say(Told("red", {"what": "dice", "choice": "phone"}, ("red",), playing=True))
    assert preparing.shown(None) is None


def test_an_option_to_settle_names_the_resource_of_each_hex_around_by_one_word():
    """The page counts these words for the cards that it shows (settle.js): so many as hexes give that resource."""
    game = Extraction(load_board("fx-19"))
    setup = set_up(HouseRules(roll_first=False), "fx-19", SEATS, random.Random(2))
    state = game.start(setup)
    options = [one for one in game.private(state, "red").options if one.group == "settle"]
    assert len(options) == len(CORNER_CELLS)
    for corner, option in enumerate(options):
        around = [state.hexes[cell].resource for cell in CORNER_CELLS[corner]]
        words = re.split("[ ,]+", option.label)
        assert {good: words.count(good) for good in RESOURCES} == {
            good: around.count(good) for good in RESOURCES
        }


def test_the_house_rules_are_read(tmp_path):
    """What a configuration says is what is played, also when another game comes first."""
    path = tmp_path / "table.toml"
    path.write_text(
        '[extraction]\ndice = "table"\nfirst = "seat"\nattack = "two_tests"\ndiscs = "catan18"\nleftover = "box"\n'
        'disc_order = "snake"\novertake = true\npost_depletion_rounds = 2\nstill_rounds = 9\nmost_tokens = 1\n'
        "offers_a_turn = 0\noffer_s = 30\nkeep_in = true\n"
    )
    assert read_config(path).house_rules["extraction"] == HouseRules(
        real_dice=True,
        roll_first=False,
        attack="two_tests",
        discs="catan18",
        leftover="box",
        disc_order="snake",
        overtake=True,
        post_depletion_rounds=2,
        still_rounds=9,
        most_tokens=1,
        offers_a_turn=0,
        offer_s=30,
        keep_in=True,
    )


def test_all_mistakes_in_the_house_rules_are_told_at_once(tmp_path):
    """Each with its line."""
    path = tmp_path / "table.toml"
    path.write_text(
        '[extraction]\ndice = "sand"\nattack = "fists"\nmost_tokens = 9\noffer_s = 1\nkeep_in = 3\nrobber = true\n'
    )
    with pytest.raises(SettingsError) as caught:
        read_config(path)
    assert [str(problem).split(":")[1] for problem in caught.value.problems] == ["2", "3", "4", "5", "6", "7"]


def test_a_set_up_that_cannot_be_played_is_refused():
    """Too few players, hexes or cards that are not those of the game, settings that are not there."""
    game = Extraction(load_board("fx-19"))
    setup = set_up(HouseRules(), "fx-19", SEATS, random.Random(1))
    assert game.problems(setup) == []
    wrong = replace(setup, seats=SEATS[:2], terrain=("wood",) * 19, deck=(), attack="fists", discs="twenty")
    assert len(game.problems(wrong)) == 5


def test_the_question_about_chance_says_which_discs_it_would_lay():
    """All of them, or those that do not lie yet."""
    game, state = at("")
    asked = replace(state, ask=Ask(kind="deal", number=1, about=0))
    bare = replace(asked, hexes=tuple(replace(one, disc=0) for one in asked.hexes))
    assert game.scene(asked).headline == "Red asks: shall chance lay the other number discs?"
    assert game.scene(bare).headline == "Red asks: shall chance lay all number discs?"
