"""Extraction as a table asks for it: how it is set up, what it waits for, and what everybody sees."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import ClassVar, Final

import msgspec
from hextraction.board.profile import load_board
from hextraction.board.tiles import TileShape
from hextraction.controller.games.extraction.bots.strategy import Player
from hextraction.controller.games.extraction.land.goods import DECK, DISCS, NOBODY, TERRAIN
from hextraction.controller.games.extraction.land.house import (
    HouseRules,
    LobbyDetail,
    Preparing,
    drawn,
    read_house,
    set_up,
)
from hextraction.controller.games.extraction.land.standing import lies, must_answer, thrower
from hextraction.controller.games.extraction.land.state import ATTACKS, Setup, State
from hextraction.controller.games.extraction.shown import lamps, options, views
from hextraction.controller.games.extraction.turn import rules
from hextraction.controller.games.extraction.turn.setting_up import begin
from hextraction.controller.games.hexagon.field import field_on
from hextraction.controller.games.hexagon.game import HexagonGame
from hextraction.controller.games.protocol import Seated, Step, WorldEvent
from hextraction.controller.games.scene import Glow, PrivateView, Scene
from hextraction.controller.games.strategy import Luck, Strength
from hextraction.settings import Section

__all__ = ["Extraction"]

_BRISK: Final = 3
"""The most tokens of a hex in a demonstration."""
_BARE: Final = "fx-19"
"""The board on which bots imagine a game: no hands, no sensors."""


class Extraction(HexagonGame[Setup, State, HouseRules]):
    """Extraction on one board. Holds no state of a game."""

    kind: ClassVar[str] = "extraction"
    title: ClassVar[str] = "Extraction"
    seats: ClassVar[range] = range(3, 5)
    details: ClassVar[Sequence[type[msgspec.Struct]]] = (views.Detail, LobbyDetail)
    piece: ClassVar[TileShape] = TileShape(name="hex", title="Hex", channels=())
    setup_type = Setup
    house_type = HouseRules

    # --- before a game ---

    @classmethod
    def read_rules(cls, section: Section, folder: Path) -> HouseRules:  # noqa: ARG003 - as the protocol says
        """Read the house rules."""
        return read_house(section)

    @classmethod
    def demo_rules(cls, laid: int | None, own: Path | None = None) -> HouseRules:  # noqa: ARG003
        """Return rules for a shorter game that is built rather than fought: three tokens on a hex at most."""
        return HouseRules(most_tokens=_BRISK, attack="two_more")

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
            ("disc_order", wanted.disc_order, ("clockwise", "snake", "dealt"), "1.3"),
        )
        for name, value, among, section in choices:
            if value not in among:
                found.append((f"{name}: want one of {', '.join(among)}, found {value!r}", section))
        return found

    def start(self, wanted: Setup) -> State:
        """Return the beginning."""
        return begin(self.field, wanted)

    # --- a running game ---

    def step(self, state: State, event: WorldEvent) -> Step[State]:
        """Apply one event."""
        return rules.step(self.field, state, event)

    def lies(self, state: State) -> tuple[str, ...]:
        """Return the slots whose hexes lie with their resource up."""
        return lies(self.field, state)

    def decides(self, state: State) -> str:
        """Return the first seat that is asked something, that throws, or whose turn it is."""
        waits, throws = must_answer(state), thrower(state)
        seat = waits[0] if waits else throws if throws != NOBODY else state.mover
        return state.players[seat].seat

    def asks(self, state: State) -> bool:
        """Whether the table is asked to keep somebody in."""
        return state.ask is not None

    def wake_at_us(self, state: State) -> int | None:
        """Return when an open offer lapses, or silence answers what the table is asked."""
        return rules.wake_at_us(state)

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

    def draw(self, seats: Sequence[Seated], luck: Luck, files: Sequence[str], laid: int) -> Setup:  # noqa: ARG002
        """Return a set-up drawn at random, settings included; some boards see their hexes, others do not."""
        house = drawn(self.house, luck)
        return set_up(house, self.board.name, tuple(seats), luck, sees=luck.random() < 0.5)

    def strategy(self, strength: Strength = "strong") -> Player:
        """Return how bots choose."""
        return Player(partial(rules.step, field_on(load_board(_BARE))), strength)


def _counted(wanted: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in wanted.items())
