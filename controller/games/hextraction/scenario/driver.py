"""The people and the balls of a scenario: they feed events to ``step``, with increasing times.

Sensors are ideal: what a ball does is fed as a fact. If the board is off, or has no sensors, a player attests
it instead, as at a real table.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any, Final

from hextraction.board.facts import Answer, BallEntered, BallLeft, Doubt, Fact, Question, RollSettled
from hextraction.controller.games.hextraction import Hextraction, Phase, State
from hextraction.controller.games.hextraction.scenario.case import Case, counted
from hextraction.controller.games.hextraction.scenario.position import Laid, lay_table
from hextraction.controller.games.hextraction.state.state import Ask
from hextraction.controller.games.protocol import Acted, Effect, Refused, Said, Woke, WorldEvent
from hextraction.controller.games.sentences import Line, Table, Unmet

__all__ = ["AT_ONCE", "HELD", "OUTSIDE_A_ROLL", "WHEN_STILL", "Driver", "choice_of", "choices_of"]

AT_ONCE: Final = "at once"
"""What people do at once, while a lone effect still waits for its moment; all else comes after it."""
OUTSIDE_A_ROLL: Final = "at once outside a roll"
"""What they do at once if nobody rolls: a vote in a roll makes it void anyway."""
WHEN_STILL: Final = "when all lies still"
"""What waits until balls lie still that moved though nobody rolled."""
HELD: Final = "before the moment"
"""What looks at effects that wait."""
_STEP_US: Final = 10_000
_SECOND_US: Final = 1_000_000
_MOST_MOMENTS: Final = 50


class Driver(Table[State]):
    """The people and the balls of one scenario."""

    game: Hextraction

    def __init__(self, case: Case, laid: Laid | None = None) -> None:
        super().__init__()
        self.case = case
        laid = laid or lay_table(case)
        self.game, self.state = laid.game, laid.state
        self.problems, self.advice = laid.problems, laid.advice
        self.doing = 0
        """The line of the last DO."""
        self.seen_early = 0
        """The line that looks at what waits, before its moment passes."""
        self.events: list[WorldEvent] = []
        self.facts: list[Fact] = []
        self.missing: list[Doubt] = []
        self.unsure: tuple[int, tuple[str, ...]] | None = None
        self.destroyed: list[str] = []
        self.ball = max([*self.state.rest.on, *self.state.rest.zones], default=0)
        self.newest = self.ball

    # --- before and after a line ---

    def ready(self, line: Line) -> None:
        """Let pass what a line waits for; a new DO line begins a new account of what was told."""
        mark = line.sentence.mark if line.sentence is not None else ""
        if line.word == "EXPECT":
            if mark == HELD and not line.negated:
                self.seen_early = line.number
            if line.number != self.seen_early:
                self.let_moment_pass()
        elif line.word == "REFUSED":
            self.let_moment_pass()
        elif line.word == "DO":
            if mark != AT_ONCE and not (mark == OUTSIDE_A_ROLL and self.state.roll is None):
                self.let_moment_pass()
            if self.state.adrift and mark == WHEN_STILL:
                self.quiet()
            if line.number != self.doing:
                self.effects, self.doing = [], line.number

    def moves_on(self) -> bool:
        """Let a lone effect's moment pass; what waits may be looked at before or after it."""
        before = self.state
        self.let_moment_pass()
        return self.state is not before

    def stands(self) -> str:
        """Return the phase, and whose turn it is."""
        return f"phase {self.state.phase.value}, {self.state.active}'s turn"

    # --- events ---

    def step(self, event: WorldEvent) -> Refused | None:
        """Apply an event."""
        before, told = self.state, len(self.effects)
        refused = super().step(event)
        self.events.append(event)
        self._note_destroyed(before, tuple(self.effects[told:]))
        return refused

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
        return self.later(_STEP_US)

    def act(self, seat: str, act: Mapping[str, Any], chance: int = 0) -> Refused | None:
        """Let a person try something; return the refusal, if it is refused."""
        at_us = self.now()
        return self.step(Acted(at_us=at_us, seat=seat.lower(), act=dict(act), chance=chance or at_us))

    def attest(self, saw: str, place: str = "", ball: int | None = None) -> None:
        """Let who tells what balls do say it, which must be legal."""
        said = {"do": "attest", "saw": saw} | ({} if ball is None else {"place": place, "ball": ball})
        refused = self.act(self.teller(), said)
        if refused is not None:
            raise Unmet(f"refused: {refused.reason} ({refused.clause})", "this to be legal")

    # --- time: the balls lie still, the grace passes, the game is woken ---

    def quiet(self) -> None:
        """Let all balls lie still: feed the account of everything since the last quiet, or people's word."""
        question = self._question()
        facts, missing = tuple(self.facts), tuple(self.missing)
        self.facts, self.missing = [], []
        if self.attests() and self.state.roll is not None:
            self.attest("still")
        else:
            self.step(RollSettled(at_us=self.now(), facts=facts, missing=missing, question=question))

    def _question(self) -> Question | None:
        """Return the board's question about a ball that lies on one of several slots."""
        if self.unsure is None or self.state.roll is None:
            return None
        (ball, slots), self.unsure = self.unsure, None
        on = self.state.roll.record.on.get(ball, ())
        answers = []
        for slot in slots:
            left = [BallLeft(at_us=self.now(), ball=ball, slot=old) for old in on if slot not in on]
            entered = [] if slot in on else [BallEntered(at_us=self.now(), ball=ball, slot=slot)]
            counts = tuple(int(other == slot) for other in slots)
            facts = (*self.facts, *left, *entered)
            answers.append(Answer(counts=counts, facts=facts, likelihood=1 / len(slots), probability=1.0))
        return Question(kind="rests", slots=slots, answers=tuple(answers))

    def commit(self) -> None:
        """Let the grace pass, if the game is settling.

        Raises:
            Unmet: something moves, waits or is asked.
        """
        state = self.state
        asked = state.vote is not None or bool(state.asks)
        if state.phase in {Phase.CHOOSING, Phase.OVER} and not asked:
            return  # all is committed already
        if state.phase is not Phase.SETTLING or asked:
            asks = "".join(f", {ask.seat} is asked {ask.kind}" for ask in state.asks)
            vote = ", a vote is open" if state.vote else ""
            raise Unmet(f"phase {state.phase.value}{vote}{asks}", "the game to be settling")
        self.at_us = max(self.now(), state.deadline_us or 0)
        self.step(Woke(at_us=self.at_us))

    def wait(self, seconds: float) -> None:
        """Let time pass; the game is woken whenever it asked to be."""
        until = self.at_us + round(seconds * _SECOND_US)
        wake = self.game.wake_at_us(self.state)
        while wake is not None and wake <= until:
            self.at_us = max(self.at_us, wake)
            before = self.state
            self.step(Woke(at_us=self.at_us))
            wake = self.game.wake_at_us(self.state)
            if self.state == before:
                break
        self.at_us = until

    def let_moment_pass(self) -> None:
        """Let the moment pass that a lone effect waits, or a hand needs to get away from a kicker (0.5.1)."""
        for _moment in range(_MOST_MOMENTS):
            state = self.state
            waits = state.phase in {Phase.RESOLVING, Phase.TIDYING} and state.deadline_us is not None
            if not waits or state.asks or state.vote is not None or state.paused_us is not None:
                return
            self.at_us = max(self.now(), state.deadline_us or 0)
            self.step(Woke(at_us=self.at_us))

    # --- places ---

    def slot(self, name: str) -> str:
        """Return a slot as the board spells it."""
        return self.case.slot(name)

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

    def turns(self, who: str, slot: str) -> int:
        """Return how a tile is turned if nobody says it: as printed, or else the first way that fits."""
        options = self.game.private(self.state, who.lower()).options
        there = self.slot(slot)
        fitting = next((one.turns for one in options if one.group == "place" and one.slot == there), ())
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

    def answer(self, who: str, answer: str) -> dict[str, Any]:
        """Return an answer to a question that a player, or else anybody, was asked."""
        asks = sorted(self.state.asks, key=lambda ask: ask.seat != who.lower())
        for ask in asks:
            choice = choice_of(ask, answer)
            if choice is not None:
                return {"do": "answer", "prompt": ask.id, "choice": choice}
        return {"do": "answer", "prompt": asks[0].id if asks else "none", "choice": answer}

    def attests(self) -> bool:
        """Whether people say what balls do, because the board does not see it."""
        return not self.state.config.sensors or not self.state.power or self.state.attesting

    def teller(self) -> str:
        """Return who reports what the balls did."""
        return self.state.roll.roller if self.state.roll is not None else self.state.active

    def fact(self, seen: Fact, saw: str = "", place: str = "") -> None:
        """Let a ball do something: a sensor sees it, or people report it."""
        if self.attests() and saw:
            self.attest(saw, place, seen.ball)
            return
        self.facts.append(seen)
        self.step(seen)

    def number(self, n: int | None = None) -> int:
        """Return the ball that a sentence is about: the one it names, or the one named last."""
        if n is not None:
            self.ball = n
            self.newest = max(self.newest, self.ball)
        return self.ball

    def named_ball(self, n: int) -> int:
        """Return the ball that a sentence names, which is there already."""
        return n

    def new_ball(self, n: int | None) -> int:
        """Return the number of a ball that is released."""
        if n is None:
            self.newest += 1
            self.ball = self.newest
        return self.number(n)

    # --- kinds of tiles ---

    def named(self, copies: Iterable[int]) -> list[str]:
        """Return the names of the copies' kinds of tile."""
        return [self.game.rules.tile(self.state.copies[copy]).name for copy in copies]

    def kinds(self, text: str) -> list[str]:
        """Return the kinds of tile that a list names."""
        return [self.game.rules.named(name).name for name in counted(text)]


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
