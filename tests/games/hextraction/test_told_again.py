"""A game told again from its journal ends as it ended, whichever tiles the program that tells it knows."""

import msgspec
from helpers.tabletop import setup
from hextraction.board.profile import load_board
from hextraction.controller.games.hextraction.state.state import Depth, Share
from hextraction.controller.games.protocol import Acted
from hextraction.controller.games.registry import demo_game, open_game

TURN = (
    {"do": "attest", "saw": "released", "place": "L3"},
    {"do": "attest", "saw": "fell", "place": "C1"},
    {"do": "play", "name": "double-trap"},
    {"do": "place", "slot": "C3", "turns": 0},
)


def bag(**more):
    """Return the set-up of a light table with a bag of tiles that nobody has counted."""
    made = setup("standard-22", sensors=False, tile_sensors=False, depth=Depth.LIGHT, **more)
    return msgspec.structs.replace(made, pool=(Share(name="", count=80),), virtual=())


def test_a_light_turn_ends_by_itself_whichever_tiles_are_known():
    """A table knows the tiles of a real bag; what tells its game again knows those of scenarios, too."""
    board = load_board("standard-22")
    with_a_bag = bag()
    ended = []
    for game in (open_game("hextraction", board), demo_game("hextraction", board, 0, None)):
        state = game.start(with_a_bag)
        for at_us, act in enumerate(TURN, start=1):
            state = game.step(state, Acted(at_us=at_us, seat="red", act=act, chance=7)).state
        ended.append(state)
    assert ended[0].active == "blue"
    assert ended[0] == ended[1]


def test_nobody_can_say_that_all_lies_still_before_it_is_told_where_the_ball_went():
    """With an old ball on the board, light, that would leave the new one stuck on its ramp; where it ended is told."""
    game = demo_game("hextraction", load_board("standard-22"), 0, None)
    state = game.start(bag(laid=(("C1", "plain", 0),)))
    acts = (
        {"do": "attest", "saw": "released", "place": "L3"},
        {"do": "attest", "saw": "rests", "place": "C1"},
        *TURN[2:],
        {"do": "attest", "saw": "released", "place": "R1"},
    )
    for at_us, act in enumerate(acts, start=1):
        state = game.step(state, Acted(at_us=at_us, seat=state.active, act=act, chance=7)).state
    assert state.active == "blue"
    told = {option.tells for option in game.private(state, "red").options}
    assert "rests C3" in told
    assert "still" not in told
