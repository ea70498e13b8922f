"""Hextris as a table asks for it: how it is set up, what it waits for, and what everybody sees."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import ClassVar

import msgspec
from hextraction.board.tiles import TileShape
from hextraction.controller.games.hexagon.game import HexagonGame
from hextraction.controller.games.hextris import rules, views
from hextraction.controller.games.hextris.house import HouseRules, LobbyDetail, Preparing, read_house
from hextraction.controller.games.hextris.position import READINGS, new, perft
from hextraction.controller.games.hextris.state import Setup, State
from hextraction.controller.games.hextris.strategy import Player
from hextraction.controller.games.hextris.written import FIXTURES, read_position
from hextraction.controller.games.hextris.written import fixture as fixture_named
from hextraction.controller.games.protocol import Seated, Step, WorldEvent
from hextraction.controller.games.scene import Glow, PrivateView, Scene
from hextraction.controller.games.strategy import Luck, Strength
from hextraction.settings import Section

__all__ = ["Hextris"]


class Hextris(HexagonGame[Setup, State, HouseRules]):
    """Hextris on one board. Holds no state of a game."""

    kind: ClassVar[str] = "hextris"
    title: ClassVar[str] = "Hextris"
    seats: ClassVar[range] = range(2, 4)
    details: ClassVar[Sequence[type[msgspec.Struct]]] = (views.Detail, LobbyDetail)
    piece: ClassVar[TileShape] = TileShape(name="piece", title="Piece", channels=())
    setup_type = Setup
    house_type = HouseRules

    # --- before a game ---

    @classmethod
    def read_rules(cls, section: Section, folder: Path) -> HouseRules:  # noqa: ARG003 - as the protocol says
        """Read the house rules."""
        return read_house(section)

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

    # --- a running game ---

    def step(self, state: State, event: WorldEvent) -> Step[State]:
        """Apply one event."""
        return rules.step(self.field, state, event)

    def lies(self, state: State) -> tuple[str, ...]:
        """Return the slots in which pieces should lie."""
        return rules.taken_slots(self.field, state)

    def decides(self, state: State) -> str:
        """Return the first seat whose consent is missing, or whose turn it is."""
        return next(iter(rules.must_answer(state)), state.active.seat)

    def asks(self, state: State) -> bool:
        """Whether the players are asked something."""
        return state.ask is not None

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
