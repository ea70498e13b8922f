"""One game of a study: bots at the table, random balls, hands that lay and lift, a clock that jumps.

Everything goes through the same ``step`` as in a real game, as the same events, and people do only what their
private view offers. One thing happens at a time; a game in which nothing can happen is stuck.
"""

import random
import traceback
from collections import Counter
from collections.abc import Iterable
from typing import Any, Final

from hextraction.board.facts import Fact
from hextraction.board.profile import load_board
from hextraction.controller.bots.insight import Insight
from hextraction.controller.bots.players import Bot, Temper
from hextraction.controller.games.hextraction import Hextraction, Phase, Setup, State
from hextraction.controller.games.hextraction.lost_balls import BallMissing
from hextraction.controller.games.hextraction.state import Play
from hextraction.controller.games.hextraction.tilebook import load_tiles
from hextraction.controller.games.hextraction.views import layout_of, resting_of
from hextraction.controller.games.protocol import (
    Acted,
    Effect,
    KickBalls,
    PowerSet,
    PrivateView,
    Prompt,
    Refused,
    Said,
    TileSeen,
    Woke,
    WorldEvent,
)
from hextraction.controller.study.balls import Balls, attested_as

__all__ = ["StudyTable", "Tally"]

# --- Counts kept while a game runs ---

_ENDS = frozenset({"win", "over"})


class Tally:
    """The counts of one game."""

    def __init__(self, laid: Iterable[str]) -> None:
        self.laid = Counter(laid)
        self.clauses: Counter[str] = Counter()
        self.rolls = 0
        self.refusals: list[str] = []
        self.failures: dict[int, str] = {}
        """The evidence for each event whose rule failed, by the event's number."""
        self.end: Said | None = None

    def count(self, before: State, after: State, effects: Iterable[Effect]) -> None:
        """Count the consequences of one event."""
        if after.laid is not before.laid:
            known = {laid.copy for laid in before.laid}
            self.laid.update(after.copies[one.copy].name for one in after.laid if one.copy not in known)
        for effect in effects:
            if isinstance(effect, Said):
                self._hear(effect)
            elif isinstance(effect, Refused):
                self.refusals.append(f"{effect.reason} ({effect.clause})")

    def _hear(self, said: Said) -> None:
        self.clauses[said.clause or ""] += 1
        self.rolls += said.kind == "release"
        if said.kind in _ENDS:
            self.end = said


TEMPER: Final = Temper(whim=0.3, talk=0.02, kindness=0.75, looks_at=4)
_MUSES: Final = 0.01
"""How often somebody at the table says something out of turn."""
_LIFE: Final = 0.002
"""How often the switch is flipped, a tile comes loose or balls run on for very long."""
_ON_AGAIN: Final = 0.03
_LOST: Final = 0.3
"""How often the controller itself lost power too."""
_MISFITS: Final = 0.02
_HITS: Final = 0.6
_IMPATIENT: Final = 0.2
_THINKS_US, _RUNS_US, _LONG_US = (300_000, 900_000), (40_000, 160_000), 25_000_000


class StudyTable:
    """A game and everybody who takes part in it. ``events`` is every event given to ``step``, in order."""

    def __init__(self, setup: Setup, rng: random.Random) -> None:
        self.board = load_board(setup.board)
        self._tiles = load_tiles()
        self.game = Hextraction(self.board, self._tiles)
        self.setup = setup
        self.state: State = self.game.start(setup)
        self._rng = rng
        insight = Insight(self.board, self._tiles)
        self._balls = Balls(self.board, self._tiles, insight, rng)
        salt = rng.getrandbits(64)
        self._bots = {
            seat.seat: Bot(
                seat.seat, salt, insight=insight, tiles=self._tiles, knows=self._knows, temper=TEMPER
            )
            for seat in setup.seats
        }
        self._at_us = 0
        self.events: list[WorldEvent] = []
        self.tally = Tally(name for _slot, name, _turns in setup.laid)

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.state.phase is Phase.OVER

    # --- what happens next ---

    def go_on(self) -> bool:
        """Let one thing happen; return False if nothing can, because the game is stuck."""
        moving = self.state.phase is Phase.ROLLING
        if self._wait(self._rng.randint(*(_RUNS_US if moving else _THINKS_US))):
            return True
        life = self._rng.random()
        if life < _LIFE and self._life_happens():
            return True
        if life > 1 - _MUSES and self._somebody_talks():
            return True
        if not self.state.power and life > 1 - _MUSES - _ON_AGAIN:
            self._tell(PowerSet(at_us=self._at_us, on=True, lost=self._rng.random() < _LOST))
        return self._hands() or self._people() or self._balls_run() or self._time() or self._anybody()

    def _life_happens(self) -> bool:
        """Flip the switch, lose a tile, or let balls run for so long that somebody is asked (R-31)."""
        luck = self._rng.randrange(3)
        if luck == 0:
            self._tell(PowerSet(at_us=self._at_us, on=not self.state.power))
        elif luck == 1 and self.state.laid and self._sees_tiles():
            slot = self._rng.choice(self.state.laid).slots[0]
            self._tell(TileSeen(at_us=self._at_us, slot=slot, present=False))
        else:
            return self._wait(_LONG_US)
        return True

    def _wait(self, us: int) -> bool:
        """Let time pass; return whether the game was woken meanwhile, so that plans must be reconsidered."""
        until_us = self._at_us + us
        wake_us = self.game.wake_at_us(self.state)
        if wake_us is None or wake_us > until_us:
            self._at_us = until_us
            return False
        return self._time()

    def _time(self) -> bool:
        """Jump to the time at which the game asked to be woken."""
        wake_us = self.game.wake_at_us(self.state)
        if wake_us is None:
            return False
        self._at_us = max(self._at_us, wake_us)
        self._tell(Woke(at_us=self._at_us))
        return True

    # --- hands ---

    def _hands(self) -> bool:
        """Lift destroyed tiles, lay played tiles and release requested balls."""
        state = self.state
        if state.to_lift:
            return self._lift(state.to_lift[0])
        if state.vote is not None or state.asks:
            return False
        if state.phase is Phase.SEATING and state.play is not None and not state.play.bottomed:
            return self._lay(state.play)
        if state.phase is Phase.RELEASING and state.intent is not None and state.intent[1]:
            return self._release(*state.intent)
        return False

    def _lift(self, slot: str) -> bool:
        if not self._sees_tiles():
            return self._says({"do": "lifted", "slot": slot})
        self._tell(TileSeen(at_us=self._at_us, slot=slot, present=False))
        return True

    def _lay(self, play: Play) -> bool:
        if self._rng.random() < _MISFITS:
            return self._says({"do": "no_fit"}, play.seat)
        if not self._sees_tiles():
            return self._says({"do": "seated"}, play.seat)
        self._tell(TileSeen(at_us=self._at_us, slot=play.slots[0], present=True))
        return True

    def _release(self, seat: str, ramp: str) -> bool:
        now = self.state.rest if self.state.roll is None else self.state.roll.record
        gone = [*now.fell, *(ball for ball, _copy in now.lost)]
        ball = max([*now.on, *now.ramps, *now.zones, *now.trails, *gone], default=0) + 1
        self._look()
        seen = self._balls.release(ball, ramp)
        if self._attested():
            return self._says({"do": "attest", "saw": "released", "place": ramp}, seat)
        self._tell(seen)
        return True

    def _sees_tiles(self) -> bool:
        return self.state.config.tile_sensors and self.state.power

    def _attested(self) -> bool:
        return not self.state.config.sensors or not self.state.power or self.state.attesting

    # --- balls ---

    def _look(self) -> None:
        self._balls.look(layout_of(self.state), resting_of(self.state), self._at_us)

    def _balls_run(self) -> bool:
        if self.state.phase is not Phase.ROLLING and not self._balls.moving:
            return False
        self._look()
        told = self._attested()
        seen = self._balls.step(hiding=not told)
        if told:
            self._attest(seen)
        elif seen is not None:
            self._tell(seen)
        else:
            self._tell(self._balls.settle())
        return True

    def _attest(self, seen: Fact | None) -> None:
        """Let people report what they saw, if there is a button for it."""
        words = {"saw": "still"} if seen is None else attested_as(seen, layout_of(self.state))
        said = bool(words) and self._says({"do": "attest", **words}, self.state.active)
        if seen is None:
            account = self._balls.settle()
            if not said:
                self._tell(account)

    def _knows(self, prompt: Prompt) -> str | None:
        """Answer as somebody who watched would: where a ball went, what was hit, whether a claim is true."""
        match prompt.kind:
            case "missing":
                ask = next((ask for ask in self.state.asks if ask.id == prompt.id), None)
                missing = ask.about if ask is not None else None
                return self._balls.fates.get(missing.ball) if isinstance(missing, BallMissing) else None
            case "contend" | "correct":
                return "no"  # bots claim at random, so hardly any claim is true
            case "area":
                return "yes" if self._rng.random() < _HITS else "no"
            case _:
                return str(self._rng.choice(prompt.options).act["choice"])

    # --- people ---

    def _people(self) -> bool:
        """Let whoever is asked, or whose turn it is, act."""
        state = self.state
        if state.phase is Phase.ROLLING and not state.asks and state.vote is None:
            return self._breaks_loop()
        seat = self._expected()
        act = self._bots[seat].choose(self._view(seat), lambda: layout_of(self.state))
        if act is None:
            return False
        self._act(seat, act)
        return True

    def _expected(self) -> str:
        """Return the seat that the game is waiting for."""
        state = self.state
        if state.vote is not None:
            return next(seat for seat in state.vote.order if seat not in state.vote.ballots)
        if state.asks:
            return state.asks[0].seat
        if state.play is not None and not state.play.seated:
            return state.play.seat
        return state.intent[0] if state.intent is not None else state.active

    def _breaks_loop(self) -> bool:
        roll = self.state.roll
        looped = roll is not None and any(count >= 3 for count in roll.record.touches.values())
        if roll is None or not looped or self._rng.random() >= _IMPATIENT:
            return False
        return self._says({"do": "break_loop"}, roll.roller)

    def _somebody_talks(self) -> bool:
        seat = self._rng.choice(self.setup.seats).seat
        act = self._bots[seat].talk(self._view(seat))
        if act is None:
            return False
        self._act(seat, act)
        return True

    def _anybody(self) -> bool:
        """Let anybody act who can move the game forward; return whether somebody did."""
        for seat, bot in self._bots.items():
            act = bot.move(self._view(seat), lambda: layout_of(self.state))
            if act is not None:
                self._act(seat, act)
                return True
        return False

    def _view(self, seat: str) -> PrivateView:
        return self.game.private(self.state, seat)

    def _says(self, act: dict[str, Any], seat: str | None = None) -> bool:
        """Let a seat, or else anybody, do exactly this if it is offered; return whether it was."""
        for one in [seat] if seat is not None else self._bots:
            if any(option.act == act for option in self._view(one).options):
                self._act(one, act)
                return True
        return False

    def _act(self, seat: str, act: dict[str, Any]) -> None:
        self._tell(Acted(at_us=self._at_us, seat=seat, act=act, chance=self._rng.getrandbits(64)))

    # --- the game ---

    def _tell(self, event: WorldEvent) -> None:
        before = self.state
        self.events.append(event)
        try:
            step = self.game.step(before, event)
        except Exception:  # noqa: BLE001 - a mistake of ours is what a study looks for; the event is skipped
            self.tally.failures[len(self.events)] = traceback.format_exc()
            return
        self.state = step.state
        self.tally.count(before, step.state, step.effects)
        for effect in step.effects:
            if isinstance(effect, KickBalls):
                self._look()
                self._balls.stir(effect.slot)
