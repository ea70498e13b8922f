"""Extraction as a table asks for it: how it is set up, what it waits for, and what everybody sees."""

import functools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Final

import msgspec
from hextraction.board.profile import Board
from hextraction.board.tiles import TileShape
from hextraction.controller.games.extraction import lamps, options, rules, views
from hextraction.controller.games.extraction.flow import lies, thrower
from hextraction.controller.games.extraction.goods import DECK, DISCS, TERRAIN
from hextraction.controller.games.extraction.house import (
    HouseRules,
    LobbyDetail,
    Preparing,
    read_house,
    set_up,
)
from hextraction.controller.games.extraction.setting_up import begin
from hextraction.controller.games.extraction.state import ATTACKS, NOBODY, Setup, State
from hextraction.controller.games.extraction.strategy import Player
from hextraction.controller.games.hexagon.field import field_on
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

__all__ = ["Extraction"]

_HEX: Final = TileShape(name="hex", title="Hex", channels=())
_CONTACT_US: Final = 80_000
_BRISK: Final = 2
"""The most tokens of a hex in a demonstration."""


class Extraction(Game[Setup, State]):
    """Extraction on one board. Holds no state of a game."""

    kind: ClassVar[str] = "extraction"
    title: ClassVar[str] = "Extraction"
    seats: ClassVar[range] = range(3, 5)
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
        """Return rules for a shorter game: two tokens on a hex at most."""
        return HouseRules(most_tokens=_BRISK)

    @classmethod
    def on(cls, board: Board, rules: HouseRules | None = None) -> "Extraction":
        """Return the game on a board."""
        return cls(board, rules)

    def preparation(self, keep: Path | None) -> Preparing:  # noqa: ARG002
        """Return what hears people before a game."""
        return Preparing(self.board.name, self.house, self.field.note)

    def problems(self, wanted: Setup) -> list[tuple[str, str]]:
        """Return why a game cannot be played so, with every reason."""
        found = []
        if len(wanted.seats) not in self.seats or len({one.seat for one in wanted.seats}) < len(wanted.seats):
            found.append((f"three or four can play Extraction, there are {len(wanted.seats)}", "1.1"))
        if {name: wanted.terrain.count(name) for name in {*TERRAIN, *wanted.terrain}} != TERRAIN:
            found.append((f"want 19 hexes: {_counted(TERRAIN)}", "1.1"))
        if {name: wanted.deck.count(name) for name in {*DECK, *wanted.deck}} != DECK:
            found.append((f"want 25 development cards: {_counted(DECK)}", "1.1"))
        choices = (
            ("attack", wanted.attack, ATTACKS, "1.5"),
            ("discs", wanted.discs, tuple(DISCS), "1.1"),
            ("leftover", wanted.leftover, ("supply", "box"), "1.3"),
            ("disc_order", wanted.disc_order, ("clockwise", "snake"), "1.3"),
        )
        for name, value, among, section in choices:
            if value not in among:
                found.append((f"{name}: want one of {', '.join(among)}, found {value!r}", section))
        return found

    def start(self, wanted: Setup) -> State:
        """Return the beginning."""
        return begin(self.field, wanted)

    def contact_us(self, wanted: Setup) -> int:  # noqa: ARG002
        """Return the usual time; no ball rolls here."""
        return _CONTACT_US

    # --- a running game ---

    def step(self, state: State, event: WorldEvent) -> Step[State]:
        """Apply one event."""
        return rules.step(self.field, state, event)

    def wake_at_us(self, state: State) -> int | None:
        """Return when an open offer lapses."""
        return rules.wake_at_us(state)

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
        """Return the hexes that lie with their resource up."""
        return Physical(tiles=_lying(lies(self.field, state) if self.field.on_board else ()))

    def awaited(self, state: State) -> Awaited:
        """Return who has to do something, and what hands should do."""
        if state.over or state.paused:
            return Awaited()
        lying = lies(self.field, state)
        put, waits, throws = state.watch.put(lying), rules.must_answer(state), thrower(state)
        seat = waits[0] if waits else throws if throws != NOBODY else state.mover
        return Awaited(
            seat=state.players[seat].seat,
            lift=state.watch.lift(lying),
            lay=Laying(put[0], _HEX, 0) if put else None,
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
        """Return what a seat may know and do."""
        return options.private(self.field, state, seat)

    def lamps(self, scene: Scene) -> Mapping[str, Glow]:
        """Return the lamps of the hexagon; the rest of the board is dark."""
        return lamps.lamps(self.field, scene)

    # --- bots and studies ---

    @classmethod
    def files(cls) -> Sequence[str]:
        """Return nothing: hexes and cards are always the same."""
        return ()

    def draw(self, seats: Sequence[Seated], luck: Luck, files: Sequence[str], laid: int) -> Setup:  # noqa: ARG002
        """Return a set-up drawn at random; some boards see their hexes, others do not."""
        return set_up(self.house, self.board.name, tuple(seats), luck, sees=luck.random() < 0.5)

    def strategy(self, strength: Strength = "strong") -> Player:
        """Return how bots choose."""
        return Player(strength)

    def ending(self, state: State, clause: str) -> str:  # noqa: ARG002
        """Return how a game ended."""
        return state.ended


def _counted(wanted: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in wanted.items())


@functools.lru_cache(maxsize=64)
def _lying(slots: tuple[str, ...]) -> Mapping[str, tuple[TileShape, int]]:
    """Return hexes in these slots; the same object for the same slots, as tables want it."""
    return dict.fromkeys(slots, (_HEX, 0))
