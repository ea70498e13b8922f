"""Hypothesis strategies for the things the whole project talks about: boards, tiles and ball facts."""

from hextraction.board import facts as ball_facts
from hextraction.board.grid import EDGES
from hextraction.board.instruments import instruments
from hextraction.board.profile import Board, board_names, load_board
from hextraction.controller.games.hextraction.cards.tilebook import load_tiles
from hextraction.controller.games.hextraction.cards.tiles import Tile
from hypothesis import strategies as st

MICROSECONDS = st.integers(0, 10**15)
BALLS = st.integers(0, 99)
TURNS = st.integers(0, 5)
EDGE = st.sampled_from(EDGES)


def boards() -> st.SearchStrategy[Board]:
    """Any board that ships."""
    return st.sampled_from(board_names()).map(load_board)


def slots(board: Board) -> st.SearchStrategy[str]:
    """Any slot name of a board."""
    return st.sampled_from(board.slot_names)


def boards_and_slots() -> st.SearchStrategy[tuple[Board, str]]:
    """Any board with one of its slots."""
    return boards().flatmap(lambda board: st.tuples(st.just(board), slots(board)))


def boards_and_instruments() -> st.SearchStrategy[tuple[Board, object]]:
    """Any board with one of its instruments."""
    return boards().flatmap(lambda board: st.tuples(st.just(board), st.sampled_from(instruments(board))))


def shipped_tiles() -> st.SearchStrategy[Tile]:
    """Any tile of the shipped catalogue."""
    return st.sampled_from(sorted(load_tiles())).map(lambda name: load_tiles()[name])


@st.composite
def channels(draw: st.DrawFn) -> tuple[tuple[int, ...], ...]:
    """Any way to join some of the six edges in groups."""
    group_of = draw(st.lists(st.integers(0, 5), min_size=6, max_size=6))
    groups = (tuple(edge for edge in EDGES if group_of[edge - 1] == number) for number in range(1, 6))
    return tuple(group for group in groups if group)


def plain_tiles() -> st.SearchStrategy[Tile]:
    """Tiles without effects, with any channels (or unknown ones) and any legal turns."""
    return st.builds(
        Tile,
        name=st.from_regex(r"[a-z][a-z0-9]{0,8}", fullmatch=True).map(lambda name: f"own-{name}"),
        title=st.text("abcdefghijklmnopqrstuvwxyz ", min_size=1, max_size=12),
        channels=st.none() | channels(),
        turns=st.lists(TURNS, min_size=1, max_size=6, unique=True).map(lambda turns: tuple(sorted(turns))),
        holds=st.integers(0, 3),
        scatters=st.booleans(),
        hole=st.booleans(),
    )


def facts(board: Board) -> st.SearchStrategy[ball_facts.Fact]:
    """Any single ball fact on a board."""
    slot = slots(board)
    ramp = st.sampled_from([ramp.name for ramp in board.ramps])
    zone = st.sampled_from([zone.name for zone in board.zones])
    common = {"at_us": MICROSECONDS, "ball": BALLS}
    return st.one_of(
        *(
            st.builds(kind, ramp=ramp, **common)
            for kind in (ball_facts.BallReleased, ball_facts.BallStuckOnRamp)
        ),
        *(
            st.builds(kind, slot=slot, **common)
            for kind in (ball_facts.BallEntered, ball_facts.BallLeft, ball_facts.BallFell)
        ),
        *(st.builds(kind, zone=zone, **common) for kind in (ball_facts.BallInZone, ball_facts.BallLeftZone)),
        st.builds(ball_facts.BallOffBoard, slot=st.none() | slot, **common),
    )


def settlements(board: Board) -> st.SearchStrategy[ball_facts.RollSettled]:
    """Any account of a whole roll on a board."""
    doubt = st.builds(ball_facts.Doubt, ball=BALLS, slot=st.none() | slots(board))
    return st.builds(
        ball_facts.RollSettled,
        at_us=MICROSECONDS,
        facts=st.lists(facts(board), max_size=8).map(tuple),
        missing=st.lists(doubt, max_size=3).map(tuple),
        probability=st.floats(0, 1),
    )


def spell_tile(**keys):
    """Spell one tile in TOML."""
    lines = [f"{key} = {value}" for key, value in ({"name": '"mine"', "title": '"Mine"'} | keys).items()]
    return "[[tile]]\n" + "\n".join(lines) + "\n"


def spell_effect(**keys):
    """Spell one effect in TOML."""
    spelled = {"when": '"on_play"', "deed": '"draw"', "text": '"Draw."'} | keys
    return "[[tile.effect]]\n" + "\n".join(f"{key} = {value}" for key, value in spelled.items()) + "\n"
