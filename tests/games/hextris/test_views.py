"""What Hextris shows: lamps, places, words for small boards, and house rules with all mistakes at once."""

import random
from pathlib import Path

import pytest
from hextraction.board.profile import load_board
from hextraction.controller.config import read_config
from hextraction.controller.games.hextris import Hextris
from hextraction.controller.games.hextris.house import TELLS, HouseRules, Preparing
from hextraction.controller.games.hextris.position import READINGS
from hextraction.controller.games.hextris.state import Setup
from hextraction.controller.games.hextris.written import fixture
from hextraction.controller.games.protocol import Acted, Occasion, PowerSet, Seated, Senses, TileSeen, Told
from hextraction.settings import SettingsError
from msgspec.structs import replace

SEATS = (Seated("red", "Ann"), Seated("blue", "Bo"))


def game_at(name, board="large-27", *, sees=True):
    """Return a game at a fixture, on a board that sees what lies there."""
    game = Hextris(load_board(board))
    state = game.start(Setup(board=board, seats=SEATS, sees=sees))
    state = replace(state, position=fixture(name))
    for cell, slot in game.field.slots.items():
        if sees and state.position.piece(cell) is not None:
            state = game.step(state, TileSeen(at_us=0, slot=slot, present=True)).state
    return game, state


def does(game, state, seat, **act):
    """Let a seat act; it must be heard."""
    step = game.step(state, Acted(at_us=1, seat=seat, act=act))
    assert step.state != state
    return step.state


def shining(game, state):
    """Return the lamps."""
    return game.lamps(game.scene(state))


def test_lamps_show_owners_and_sizes_and_leave_the_rest_of_the_board_dark():
    """Red's large piece is brightest; the eight slots outside of the hexagon have no light."""
    game, state = game_at("F1")
    glows = shining(game, state)
    red = {
        size: glows[f"slot.{game.field.slots[cell]}"].colour[0]
        for size, cell in (("S", "c1"), ("M", "c2"), ("L", "c3"))
    }
    assert 0 < red["S"] < red["M"] < red["L"] == 255
    assert glows["slot.B3"].colour[2] > glows["slot.B3"].colour[0]
    assert len(glows) == 19
    assert {"slot.A1", "slot.A5", "slot.B1", "slot.B6", "slot.D1", "slot.D6", "slot.E1", "slot.E5"} & set(
        glows
    ) == set()


def test_where_a_picked_piece_may_go_glows():
    """Targets are brighter than empty cells, and dark again once another piece moved."""
    game, state = game_at("F1")
    before = shining(game, state)
    state = does(game, state, "red", do="pick", at="c3")
    glows = shining(game, state)
    targets = {slot for slot in glows if glows[slot] != before[slot]}
    assert {f"slot.{game.field.slots[cell]}" for cell in game.scene(state).detail.targets} == targets
    assert "slot.D3" in targets
    assert shining(game, does(game, state, "red", do="unpick")) == before


def test_a_five_blinks_until_its_pieces_are_off_the_board():
    """Each lamp goes out as its piece is lifted, and then the next player may go on."""
    game, state = game_at("F1")
    state = does(game, state, "red", do="drop", size="S", to="c5")
    blinking = {slot for slot, glow in shining(game, state).items() if glow.blink}
    assert blinking == {"slot.C1", "slot.C2", "slot.C3", "slot.C4"}
    for slot in ("C1", "C2", "C3", "C4"):
        state = game.step(state, TileSeen(at_us=2, slot=slot, present=False)).state
        assert not shining(game, state)[f"slot.{slot}"].blink
    assert game.private(state, "blue").headline == "Your turn: drop, slide or swap"


def test_the_last_five_stays_and_blinks():
    """When the game is over the groups with which it ended are shown."""
    game, state = game_at("F5")
    state = does(game, state, "red", do="swap", at="b3", to="c4")
    scene = game.scene(state)
    assert (scene.winners, len(scene.detail.fives)) == (("red",), 10)
    assert {slot for slot, glow in game.lamps(scene).items() if glow.blink} == {
        f"slot.{one}" for one in scene.detail.fives
    }


@pytest.mark.parametrize("board", ["small-18", "standard-22"])
def test_on_a_board_without_a_hexagon_phones_show_it_and_lamps_are_dark(board):
    """Nineteen slots are drawn, no lamp is lit, no sensor is asked, and people are told why."""
    game, state = game_at("F1", board, sees=False)
    assert len(game.drawn.slots) == 19
    assert shining(game, state) == {}
    assert "Play on the phones" in game.scene(state).detail.note
    assert not game.scene(state).detail.on_board
    assert not game.start(Setup(board=board, seats=SEATS, sees=True)).watch.sees


def test_a_switched_off_board_has_no_light():
    """The scene says so as well."""
    game, state = game_at("F1")
    state = game.step(state, PowerSet(at_us=1, on=False)).state
    assert shining(game, state) == {}
    assert not game.scene(state).power


def test_a_watcher_and_whoever_left_can_do_nothing():
    """Neither has options."""
    game, state = game_at("F1")
    assert game.private(state, "white").options == ()
    state = game.start(Setup(board="fx-19", seats=(*SEATS, Seated("green", "Cy"))))
    state = does(game, state, "green", do="leave")
    assert game.private(state, "green").options == ()


# --- before a game ---


def test_a_table_chooses_its_reading_on_a_phone():
    """Every reading has its sentence; what is chosen is played, and not changed during a game."""
    preparing = Preparing("fx-19", HouseRules(), "A board.")
    occasion = Occasion(SEATS, Senses(tiles=True), random.Random(1), 5)
    assert set(TELLS) == set(READINGS)
    assert preparing.words["reading"](Told("red", {"reading": "R3"}, ("red",))) == ""
    assert preparing.shown(occasion).reading == preparing.set_up(occasion).reading == "R3"
    assert "You can choose R0" in preparing.words["reading"](Told("red", {"reading": "R9"}, ("red",)))
    assert "before the game" in preparing.words["reading"](
        Told("red", {"reading": "R1"}, ("red",), playing=True)
    )
    assert preparing.shown(None) is None


def test_who_begins_is_drawn_or_the_first_seat():
    """By lot everybody begins now and then."""
    lots = {
        Preparing("fx-19", HouseRules(), "").set_up(Occasion(SEATS, Senses(), random.Random(n), 0)).first
        for n in range(20)
    }
    seat = {
        Preparing("fx-19", HouseRules(lot=False), "")
        .set_up(Occasion(SEATS, Senses(), random.Random(n), 0))
        .first
        for n in range(20)
    }
    assert (lots, seat) == ({0, 1}, {0})


def test_the_house_rules_are_read(tmp_path):
    """What a configuration says is what is played, also when another game comes first."""
    path = tmp_path / "table.toml"
    path.write_text(
        '[hextris]\nswap_reading = "R2"\nfirst = "seat"\ndraw_offer_after = 5\ntake_back = false\n'
    )
    rules = read_config(path).house_rules["hextris"]
    assert rules == HouseRules(reading="R2", lot=False, offer_after=5, take_back=False)
    path.write_text('[table]\ngame = "hextris"\n')
    assert read_config(path).rules is None


def test_all_mistakes_in_the_house_rules_are_told_at_once(tmp_path):
    """Each with its line, what was expected and what was found."""
    path = Path(tmp_path / "table.toml")
    path.write_text(
        '[table]\ngame = "hextriss"\n[hextris]\nswap_reading = "R7"\nfirst = "me"\ndraw_offer_after = 1\ntake_back = 3\nlamps = 1\n'
    )
    with pytest.raises(SettingsError) as caught:
        read_config(path)
    told = [str(problem) for problem in caught.value.problems]
    assert [line.split(":")[1] for line in told] == ["2", "4", "5", "6", "7", "8"]
    assert "did you mean 'hextris'" in told[0]


def test_a_set_up_that_cannot_be_played_is_refused():
    """Too many players, the same seat twice, a reading that is not there."""
    game = Hextris(load_board("fx-19"))
    many = tuple(Seated(seat, seat) for seat in ("red", "blue", "green", "yellow"))
    assert len(game.problems(Setup(board="fx-19", seats=many, reading="R8"))) == 2
    assert game.problems(Setup(board="fx-19", seats=(SEATS[0], SEATS[0])))
    assert game.problems(Setup(board="fx-19", seats=SEATS)) == []
