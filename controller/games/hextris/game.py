"""Hextris as a table asks for it: how it is set up, what it waits for, and what everybody sees."""

import functools
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Final

import msgspec
from hextraction.board.profile import Board
from hextraction.board.tiles import TileShape
from hextraction.controller.games.hexagon.field import field_on
from hextraction.controller.games.hextris import rules, views
from hextraction.controller.games.hextris.house import HouseRules, LobbyDetail, Preparing, read_house
from hextraction.controller.games.hextris.position import READINGS, new, perft
from hextraction.controller.games.hextris.state import Setup, State
from hextraction.controller.games.hextris.strategy import Player
from hextraction.controller.games.hextris.written import FIXTURES, read_position
from hextraction.controller.games.hextris.written import fixture as fixture_named
from hextraction.controller.games.protocol import (
    Awaited,
    Game,
    Laying,
    NoRolls,
    Physical,
    Seated,
    Standing,
    Step,
    WorldEvent,
)
from hextraction.controller.games.scene import Glow, PrivateView, Scene
from hextraction.controller.games.strategy import Luck, Strength
from hextraction.settings import Section

__all__ = ["Hextris"]

_PIECE: Final = TileShape(name="piece", title="Piece", channels=())
_CONTACT_US: Final = 80_000


class Hextris(Game[Setup, State]):
    """Hextris on one board. Holds no state of a game."""

    kind: ClassVar[str] = "hextris"
    title: ClassVar[str] = "Hextris"
    seats: ClassVar[range] = range(2, 4)
    usual_board: ClassVar[str] = "large-27"
    leaving: ClassVar[Mapping[str, Any]] = {"do": "leave"}
    details: ClassVar[Sequence[type[msgspec.Struct]]] = (views.Detail, LobbyDetail)
    setup_type = Setup

    def __init__(self, board: Board, house: HouseRules | None = None) -> None:
        self.board = board
        self.house = house or HouseRules()
        self.field = field_on(board)

    @property
    def drawn(self) -> Board:
        """The hexagon alone."""
        return self.field.drawn

    # --- before a game ---

    @classmethod
    def read_rules(cls, section: Section, folder: Path) -> HouseRules:  # noqa: ARG003 - as the protocol says
        """Read the house rules."""
        return read_house(section)

    @classmethod
    def demo_rules(cls, laid: int, own: Path | None = None) -> HouseRules:  # noqa: ARG003
        """Return the usual rules: the board is empty at first, and there are no pieces of one's own."""
        return HouseRules()

    @classmethod
    def on(cls, board: Board, rules: HouseRules | None = None) -> "Hextris":
        """Return the game on a board."""
        return cls(board, rules)

    def preparation(self, keep: Path | None) -> Preparing:  # noqa: ARG002
        """Return what hears people before a game."""
        return Preparing(self.board.name, self.house, self.field.note)

    def problems(self, wanted: Setup) -> list[tuple[str, str]]:
        """Return why a game cannot be played so."""
        found = []
        seats = {one.seat for one in wanted.seats}
        if len(wanted.seats) not in self.seats or len(seats) < len(wanted.seats):
            found.append((f"two or three can play Hextris, there are {len(wanted.seats)}", "2.1"))
        if wanted.reading not in READINGS:
            found.append((f"want one of {', '.join(READINGS)}, found {wanted.reading!r}", "2.3"))
        return found

    def start(self, wanted: Setup) -> State:
        """Return the beginning."""
        return rules.start(self.field, wanted)

    def contact_us(self, wanted: Setup) -> int:  # noqa: ARG002
        """Return the usual time; no ball rolls here."""
        return _CONTACT_US

    # --- a running game ---

    def step(self, state: State, event: WorldEvent) -> Step[State]:
        """Apply one event."""
        return rules.step(self.field, state, event)

    def wake_at_us(self, state: State) -> int | None:  # noqa: ARG002
        """Return None: nothing happens by itself."""
        return None

    def standing(self, state: State) -> Standing:
        """Return how the game stands."""
        return Standing(
            over=state.over,
            players=state.players,
            active=state.active.seat,
            outcome=state.outcome,
            turn=state.turn,
            power=state.power,
            paused=state.paused,
        )

    def physical(self, state: State) -> Physical:
        """Return the pieces that lie on the board."""
        return Physical(tiles=_lying(rules.taken_slots(self.field, state) if self.field.on_board else ()))

    def awaited(self, state: State) -> Awaited:
        """Return whose turn it is, and what hands should do."""
        if state.over or state.paused:
            return Awaited()
        lies = rules.taken_slots(self.field, state)
        put, waits = state.watch.put(lies), rules.must_answer(state)
        return Awaited(
            seat=waits[0] if waits else state.active.seat,
            lift=state.watch.lift(lies),
            lay=Laying(put[0], _PIECE, 0) if put else None,
            tiles_seen=state.watch.sees and state.power,
            decision=state.ask is not None,
        )

    def roll_watcher(self) -> NoRolls:
        """Return nobody: no ball rolls here."""
        return NoRolls()

    # --- what is shown ---

    def scene(self, state: State) -> Scene:
        """Return what everybody may see."""
        return views.scene(self.field, state)

    def private(self, state: State, seat: str) -> PrivateView:
        """Return what a seat may do."""
        return views.private(self.field, state, seat)

    def lamps(self, scene: Scene) -> Mapping[str, Glow]:
        """Return the lamps of the hexagon; the rest of the board is dark."""
        return views.lamps(self.field, scene)

    # --- bots and studies ---

    @classmethod
    def files(cls) -> Sequence[str]:
        """Return nothing: there is one kind of piece."""
        return ()

    def draw(self, seats: Sequence[Seated], luck: Luck, files: Sequence[str], laid: int) -> Setup:  # noqa: ARG002
        """Return a set-up drawn at random; some boards see their pieces, others do not."""
        return Setup(
            board=self.board.name,
            seats=tuple(seats),
            first=luck.randrange(len(seats)),
            sees=luck.random() < 0.5,
        )

    def strategy(self, strength: Strength = "strong") -> Player:
        """Return how bots choose."""
        return Player(strength)

    @classmethod
    def perft(
        cls, *, depth: int, players: int, reading: str, fixture: str | None, position: str | None
    ) -> Iterator[int]:
        """Yield how many lines of plies there are, from depth 1 on.

        They begin at the position that JSON describes, at a fixture, or at the empty board.

        Raises:
            ValueError: there is no such fixture, or that is no position; with everything that is wrong.
        """
        if fixture is not None and fixture not in FIXTURES:
            raise ValueError(f"want one of {', '.join(FIXTURES)}")
        begin = new(players) if fixture is None else fixture_named(fixture)
        if position is not None:
            begin = read_position(position)
        for deep in range(1, depth + 1):
            yield perft(begin, reading, deep)

    def ending(self, state: State, clause: str) -> str:  # noqa: ARG002
        """Return how a game ended."""
        return state.ended


@functools.lru_cache(maxsize=64)
def _lying(slots: tuple[str, ...]) -> Mapping[str, tuple[TileShape, int]]:
    """Return pieces in these slots; the same object for the same slots, as tables want it."""
    return dict.fromkeys(slots, (_PIECE, 0))
