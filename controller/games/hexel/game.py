"""Hex'el as a table asks for it: how it is set up, what it waits for, and what everybody sees."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar

import msgspec
from hextraction.board.tiles import TileShape
from hextraction.controller.games.hexagon.game import HexagonGame
from hextraction.controller.games.hexel import rules, views
from hextraction.controller.games.hexel.cards import DECKS, can_begin, deck_named
from hextraction.controller.games.hexel.house import HouseRules, LobbyDetail, Preparing, read_house
from hextraction.controller.games.hexel.position import DEALT
from hextraction.controller.games.hexel.state import FIELDS, Setup, State
from hextraction.controller.games.hexel.strategy import Player
from hextraction.controller.games.protocol import Seated, Step, WorldEvent
from hextraction.controller.games.scene import Glow, PrivateView, Scene
from hextraction.controller.games.strategy import Luck, Strength
from hextraction.settings import Section

__all__ = ["Hexel"]


class Hexel(HexagonGame[Setup, State, HouseRules]):
    """Hex'el on one board. Holds no state of a game."""

    kind: ClassVar[str] = "hexel"
    title: ClassVar[str] = "Hex'el"
    seats: ClassVar[range] = range(1, 7)
    details: ClassVar[Sequence[type[msgspec.Struct]]] = (views.Detail, LobbyDetail)
    piece: ClassVar[TileShape] = TileShape(name="card", title="Card", channels=())
    setup_type = Setup
    house_type = HouseRules

    # --- before a game ---

    @classmethod
    def read_rules(cls, section: Section, folder: Path) -> HouseRules:
        """Read the house rules."""
        return read_house(section, folder)

    def preparation(self, keep: Path | None) -> Preparing:  # noqa: ARG002
        """Return what hears people before a game."""
        return Preparing(self.board.name, self.house, self.field.note)

    def problems(self, wanted: Setup) -> list[tuple[str, str]]:
        """Return why a game cannot be played so."""
        found = []
        count, cards = len(wanted.seats), len(wanted.deck.faces)
        if count not in self.seats or len({one.seat for one in wanted.seats}) < count:
            found.append((f"one to six can play Hex'el, there are {count}", "3.1"))
        if wanted.field not in FIELDS:
            found.append((f"want one of {', '.join(FIELDS)}, found {wanted.field!r}", "3.5"))
        if len(wanted.stocks) != count or any(chips < 0 for chips in wanted.stocks):
            found.append((f"want chips for {count}, found {list(wanted.stocks)}", "3.1"))
        if cards < DEALT + DEALT * count:
            found.append((f"{cards} cards are too few for {count} players and the opening line", "3.2"))
        if wanted.order and sorted(wanted.order) != list(range(1, cards + 1)):
            found.append((f"the order of the deck wants each card from 1 to {cards} once", "3.2"))
        if not can_begin(wanted.deck.faces):
            found.append(("no three cards of the deck can be laid as the opening line", "3.3"))
        return found

    def start(self, wanted: Setup) -> State:
        """Return the beginning."""
        return rules.start(self.field, wanted)

    # --- a running game ---

    def step(self, state: State, event: WorldEvent) -> Step[State]:
        """Apply one event."""
        return rules.step(self.field, state, event)

    def lies(self, state: State) -> tuple[str, ...]:
        """Return the slots in which cards should lie."""
        return rules.taken_slots(self.field, state)

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
        """Return a set-up drawn at random; some boards see their cards, and some fields have no end."""
        return Setup(
            board=self.board.name,
            seats=tuple(seats),
            deck=deck_named(luck.choice(DECKS)),
            stocks=tuple(luck.choice((12, 30)) for _seat in seats),
            field=FIELDS[luck.random() < 0.3],
            dealer=luck.randrange(len(seats)),
            sees=luck.random() < 0.5,
        )

    def strategy(self, strength: Strength = "strong") -> Player:
        """Return how bots choose."""
        return Player(strength)
