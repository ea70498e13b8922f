"""The people and the balls of a scenario: they feed events to ``step``, with increasing times.

Sensors are ideal: what a ball does is fed as a fact. If the board is off, or has no sensors, a player attests
it instead, as at a real table.
"""

import re
import unicodedata
from collections.abc import Iterable
from typing import Any, Final

from hextraction.board.facts import Doubt, Fact
from hextraction.controller.games.hextraction import State
from hextraction.controller.games.hextraction.scenario.language import Case
from hextraction.controller.games.hextraction.scenario.position import Table
from hextraction.controller.games.hextraction.state.state import Ask
from hextraction.controller.games.protocol import Acted, Effect, Paused, Refused, Said, WorldEvent

__all__ = ["Driver", "Unmet", "choice_of", "choices_of"]

_STEP_US: Final = 10_000


class Unmet(Exception):  # noqa: N818 - a scenario that fails; not a bug
    """A scenario's expectation was not met: what was expected, and what was found."""

    def __init__(self, expected: str, found: str) -> None:
        super().__init__(f"expected {expected}, found {found}")
        self.expected = expected
        self.found = found


class Driver:
    """The people and the balls of one scenario."""

    def __init__(self, case: Case, table: Table) -> None:
        self.case = case
        self.game = table.game
        self.problems = table.problems
        self.advice = table.advice
        self.state: State = table.state
        self.at_us = 0
        self.effects: list[Effect] = []
        self.doing = 0
        """The line of the last DO."""
        self.events: list[WorldEvent] = []
        self.facts: list[Fact] = []
        self.missing: list[Doubt] = []
        self.unsure: tuple[int, tuple[str, ...]] | None = None
        self.destroyed: list[str] = []
        self.shown: list[str] = []
        """What SHOW lines have shown so far."""
        self.ball = max([*table.state.rest.on, *table.state.rest.zones], default=0)
        self.newest = self.ball

    # --- events ---

    def feed(self, event: WorldEvent) -> list[Effect]:
        """Feed one event to the game."""
        before = self.state
        step = self.game.step(before, event)
        self.events.append(event)
        self.state = step.state
        self._note_destroyed(before, step.effects)
        self.effects += step.effects
        return list(step.effects)

    def _note_destroyed(self, before: State, effects: tuple[Effect, ...]) -> None:
        """Remember which tiles were destroyed: those that the table was told of, and any others."""
        told: set[int] = set()  # a tile that moved may be destroyed where another one was before
        for effect in effects:
            if not isinstance(effect, Said) or effect.kind != "destroy":
                continue
            fresh = [grave for grave in self.state.graves if grave not in before.graves]
            places = (*before.laid, *fresh, *self.state.laid)
            laid = [one for one in places if effect.slot in one.slots and one.copy not in told]
            copy = laid[0].copy if laid else before.play.copy if before.play is not None else 0
            if copy in self.state.copies:
                told.add(copy)
                if not laid and before.play is not None and not before.play.done:
                    copy = self.state.copies[copy].whole or copy  # a Combo of which nothing lay
                self.destroyed.append(self.game.rules.tile(self.state.copies[copy]).name)
        told |= {self.state.copies[copy].whole for copy in told}
        if before.play is not None and before.play.home == "destroyed":
            told.add(before.play.copy)  # it stays what it was before it was to be played anew
        for copy in self.state.destroyed:  # out of a hand, for want of a rules card
            if copy not in before.destroyed and copy not in told:
                self.destroyed.append(self.game.rules.tile(self.state.copies[copy]).name)

    def now(self) -> int:
        """Return the time for the next event."""
        self.at_us += _STEP_US
        return self.at_us

    def act(self, who: str, **act: Any) -> None:
        """Let a person do something, which must be legal."""
        refused = self.try_to(who, **act)
        if refused is not None:
            raise Unmet("this to be legal", f"refused: {refused.reason} ({refused.clause})")

    def try_to(self, who: str, **act: Any) -> Refused | None:
        """Let a person try something; return the refusal, if it is refused."""
        event = Acted(at_us=self.now(), seat=who.lower(), act=act, chance=self.at_us)
        return next((effect for effect in self.feed(event) if isinstance(effect, Refused)), None)

    def rest(self, *, begins: bool) -> None:
        """Begin or end a break of the table."""
        self.feed(Paused(at_us=self.now(), on=begins))

    # --- places ---

    def slot(self, name: str) -> str:
        """Return a slot as the board spells it."""
        return next((slot for slot in self.case.board.slot_names if slot.lower() == name.lower()), name)

    def ramp(self, name: str) -> str:
        """Return a ramp as the board spells it."""
        return next((ramp.name for ramp in self.case.board.ramps if ramp.name.lower() == name.lower()), name)

    def zone(self, name: str) -> str:
        """Return an end zone as the board spells it."""
        return next((zone.name for zone in self.case.board.zones if zone.name.lower() == name.lower()), name)

    def place(self, name: str) -> str:
        """Return a slot, ramp or end zone as the board spells it."""
        board = self.case.board
        known = [
            *board.slot_names,
            *(ramp.name for ramp in board.ramps),
            *(zone.name for zone in board.zones),
        ]
        return next((place for place in known if place.lower() == name.lower()), name)

    # --- what people mean ---

    def gone(self, name: str) -> int:
        """Return a destroyed tile of that name: one that lay on the board, or another; 0 if there is none."""
        graves = [grave.copy for grave in (*self.state.graves, *self.state.old_graves)]
        return self._first_of(name, (*graves, *self.state.destroyed))

    def turns(self, fields: dict[str, str]) -> int:
        """Return a tile's turns: as stated, else as printed or, if that does not fit, the first that fit."""
        if "N" in fields:
            return int(fields["N"])
        options = self.game.private(self.state, fields["WHO"].lower()).options
        slot = self.slot(fields["SLOT"])
        fitting = next((one.turns for one in options if one.group == "place" and one.slot == slot), ())
        return 0 if 0 in fitting or not fitting else fitting[0]

    def owned(self, who: str, name: str, slot: str | None) -> int:
        """Return a tile of that name on the board (there) or in a hand; 0 if there is none."""
        hand = next(player.hand for player in self.state.players if player.seat == who.lower())
        laid = [one.copy for one in self.state.laid if slot is None or self.slot(slot) in one.slots]
        return self._first_of(name, (*laid, *(hand if slot is None else ())))

    def _first_of(self, name: str, copies: Iterable[int]) -> int:
        wanted = self.game.rules.named(name).name
        found = (copy for copy in copies if self.game.rules.tile(self.state.copies[copy]).name == wanted)
        return next(found, 0)

    def held(self, who: str, name: str) -> dict[str, Any]:
        """Return the act of revealing a tile: one of the hand, or an unseen tile that turns out to be it."""
        wanted = self.game.rules.named(name).name
        player = next(player for player in self.state.players if player.seat == who.lower())
        for copy in player.hand:
            if self.state.copies[copy].name and self.game.rules.tile(self.state.copies[copy]).name == wanted:
                return {"do": "play", "tile": copy}
        return {"do": "play", "name": wanted}

    def usable(self, who: str, name: str, slot: str | None) -> dict[str, Any]:
        """Return the act of activating a tile, installed or in the hand."""
        wanted = self.game.rules.named(name).name
        hand = next(player.hand for player in self.state.players if player.seat == who.lower())
        laid = [one.copy for one in self.state.laid if slot is None or self.slot(slot) in one.slots]
        for copy in (*laid, *(hand if slot is None else ())):
            if self.game.rules.tile(self.state.copies[copy]).name == wanted:
                effects = self.game.rules.named(name).effects
                number = next((i for i, effect in enumerate(effects) if effect.when.value == "activated"), 0)
                return {"do": "activate", "tile": copy, "effect": number}
        if slot is None and any(not self.state.copies[copy].name for copy in hand):
            effects = self.game.rules.named(name).effects
            number = next((i for i, effect in enumerate(effects) if effect.from_hand), 0)
            return {"do": "activate", "name": wanted, "effect": number}
        return {"do": "activate", "tile": 0, "effect": 0}

    def answer(self, who: str, text: str) -> dict[str, Any]:
        """Return an answer to a question that a player, or else anybody, was asked."""
        asks = sorted(self.state.asks, key=lambda ask: ask.seat != who.lower())
        for ask in asks:
            choice = choice_of(ask, text)
            if choice is not None:
                return {"do": "answer", "prompt": ask.id, "choice": choice}
        return {"do": "answer", "prompt": asks[0].id if asks else "none", "choice": text}

    def attests(self) -> bool:
        """Whether people say what balls do, because the board does not see it."""
        return not self.state.config.sensors or not self.state.power or self.state.attesting

    def teller(self) -> str:
        """Return who reports what the balls did."""
        return self.state.roll.roller if self.state.roll is not None else self.state.active

    def fact(self, seen: Fact, saw: str = "", place: str = "") -> None:
        """Let a ball do something: a sensor sees it, or people report it."""
        if self.attests() and saw:
            self.act(self.teller(), do="attest", saw=saw, place=place, ball=seen.ball)
            return
        self.facts.append(seen)
        self.feed(seen)

    def number(self, fields: dict[str, str]) -> int:
        """Return the ball that a sentence is about: the one it names, or the one named last."""
        if "N" in fields:
            self.ball = int(fields["N"])
            self.newest = max(self.newest, self.ball)
        return self.ball

    def named_ball(self, fields: dict[str, str]) -> int:
        """Return the ball that a sentence names, which is there already."""
        return int(fields["N"])

    def new_ball(self, fields: dict[str, str]) -> int:
        """Return the number of a ball that is released."""
        if "N" not in fields:
            self.newest += 1
            self.ball = self.newest
        return self.number(fields)


def choice_of(ask: Ask, text: str) -> str | None:
    """Return the choice that a text means: by its word, its label, or the beginning of its label."""
    return next(iter(choices_of(ask, text)), None)


def choices_of(ask: Ask, text: str) -> list[str]:
    """Return all choices that a text may mean, the likeliest first.

    A tile is named as anywhere else: ``KILL-SWITCH`` means the choice ``Kill Switch at A1``, ``BAN(a,b)`` the
    choice ``Ban a, b``.
    """
    wanted = text.strip().strip('"').lower()
    words = [(word.lower(), label.lower(), word) for word, label in ask.choices]
    found = [word for short, label, word in words if wanted in {short, label, short.rpartition(".")[2]}]
    names = [word for _short, label, word in words if _as_names(label) == _as_names(wanted)]
    begun = [word for _short, label, word in words if re.match(rf"{re.escape(wanted)}(\W|$)", label)]
    more = " at " in wanted or ":" in wanted  # than names of tiles: which slot, or which effect
    return list(dict.fromkeys([*found, *begun, *names] if more else [*found, *names, *begun]))


def _as_names(label: str) -> list[str]:
    """Return the tiles that a label names, written as in a list: without their slots and texts."""
    plain = unicodedata.normalize("NFKD", label).encode("ascii", "ignore").decode()  # "Piñata" is PINATA
    titles = re.sub(r" at \w+", "", plain.partition(": ")[0]).split(" and ")
    return [re.sub(r"[^a-z0-9]+", "-", title.replace("'", "")).strip("-") for title in titles]
