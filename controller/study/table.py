"""One game of a study: bots at the table, random balls, hands that lay and lift, a clock that jumps.

Everything goes through the same ``step`` as in a real game, as the same events, and people do only what their
private view offers. One thing happens at a time; a game in which nothing can happen is stuck. Which game it
is, nobody here knows.
"""

import random
import traceback
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final

from hextraction.board.facts import Fact
from hextraction.board.tiles import Layout
from hextraction.controller.bots.players import Bot
from hextraction.controller.games.protocol import (
    Acted,
    Effect,
    Game,
    KickBalls,
    Laying,
    Physical,
    PowerSet,
    Refused,
    Said,
    TileSeen,
    Woke,
    WorldEvent,
)
from hextraction.controller.games.scene import PrivateView, Prompt
from hextraction.controller.games.strategy import Sight, Strength, Temper
from hextraction.controller.study.balls import Balls, told_as

__all__ = ["StudyTable", "Tally"]

# --- Counts kept while a game runs ---

_ENDS: Final = frozenset({"win", "over"})
"""What is told when a game ends is of one of these kinds (:class:`Said`)."""


class Tally:
    """The counts of one game."""

    def __init__(self, laid: Iterable[str]) -> None:
        self.laid = Counter(laid)
        self.clauses: Counter[str] = Counter()
        self.rolls = 0
        self.choices: list[int] = []
        """Among how many things somebody could choose, each time."""
        self.refusals: list[str] = []
        self.failures: dict[int, str] = {}
        """The evidence for each event whose rule failed, by the event's number."""
        self.last_clause = ""
        """The clause under which the end of the game was told."""

    def count(self, effects: Iterable[Effect]) -> None:
        """Count the consequences of one event."""
        for effect in effects:
            if isinstance(effect, Said):
                self.clauses[effect.clause or ""] += 1
                if effect.kind in _ENDS:
                    self.last_clause = effect.clause or ""
            elif isinstance(effect, Refused):
                self.refusals.append(f"{effect.reason} ({effect.clause})")


TEMPER: Final = Temper(whim=0.3, talk=0.02, kindness=0.75, looks_at=4)
_MUSES: Final = 0.01
"""How often somebody at the table says something out of turn."""
_LIFE: Final = 0.002
"""How often the switch is flipped, a tile comes loose or balls run on for very long."""
_ON_AGAIN: Final = 0.03
_LOST: Final = 0.3
"""How often the controller itself lost power too."""
_MISFITS: Final = 0.02
_IMPATIENT: Final = 0.2
_THINKS_US, _RUNS_US, _LONG_US = (300_000, 900_000), (40_000, 160_000), 25_000_000


class StudyTable:
    """A game and everybody who takes part in it. ``events`` is every event given to ``step``, in order.

    ``strengths`` are those of the bots, seat by seat, and from the beginning again if they are fewer.
    """

    def __init__(
        self,
        game: Game[Any, Any],
        setup: Any,
        rng: random.Random,
        strengths: Sequence[Strength] = ("strong",),
        temper: Temper = TEMPER,
    ) -> None:
        self.game = game
        self.setup = setup
        self.state: Any = game.start(setup)
        self._rng = rng
        self._balls = Balls(game.board, rng)
        salt, strategies = rng.getrandbits(64), [game.strategy(one) for one in strengths]
        self._bots = {
            player.seat: Bot(
                player.seat,
                salt,
                strategy=strategies[at % len(strategies)],
                knows=self._knows,
                temper=temper,
            )
            for at, player in enumerate(game.standing(self.state).players)
        }
        self._sight = Sight(self._tiles, lambda: self.game.scene(self.state))
        self._at_us = 0
        self.events: list[WorldEvent] = []
        pieces = (place.piece for place in game.scene(self.state).places)
        self.tally = Tally(piece.name for piece in pieces if piece is not None)

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.game.standing(self.state).over

    @property
    def _power(self) -> bool:
        return self.game.standing(self.state).power

    def _lies(self) -> Physical:
        return self.game.physical(self.state)

    def _tiles(self) -> Layout:
        return self._lies().tiles

    # --- what happens next ---

    def go_on(self) -> bool:
        """Let one thing happen; return False if nothing can, because the game is stuck."""
        moving = self.game.awaited(self.state).balls
        if self._wait(self._rng.randint(*(_RUNS_US if moving else _THINKS_US))):
            return True
        life = self._rng.random()
        if life < _LIFE and self._life_happens():
            return True
        if life > 1 - _MUSES and self._somebody_talks():
            return True
        if not self._power and life > 1 - _MUSES - _ON_AGAIN:
            self._tell(PowerSet(at_us=self._at_us, on=True, lost=self._rng.random() < _LOST))
        return self._hands() or self._people() or self._balls_run() or self._time() or self._anybody()

    def _life_happens(self) -> bool:
        """Flip the switch, lose a tile, or let balls run for so long that somebody is asked (R-31)."""
        luck, tiles = self._rng.randrange(3), self._lies().tiles
        if luck == 0:
            self._tell(PowerSet(at_us=self._at_us, on=not self._power))
        elif luck == 1 and tiles and self.game.awaited(self.state).tiles_seen:
            self._tell(TileSeen(at_us=self._at_us, slot=self._rng.choice(list(tiles)), present=False))
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
        """Lift tiles, lay them and let balls go, as the game waits for it."""
        awaited = self.game.awaited(self.state)
        if awaited.lift:
            return self._lift(awaited.lift[0], seen=awaited.tiles_seen)
        if awaited.decision:
            return False
        if awaited.lay is not None:
            return self._lay(awaited.lay, awaited.seat, seen=awaited.tiles_seen)
        if awaited.release is not None:
            return self._release(*awaited.release)
        return False

    def _lift(self, slot: str, *, seen: bool) -> bool:
        if not seen:
            return self._says(f"lifted {slot}")
        self._tell(TileSeen(at_us=self._at_us, slot=slot, present=False))
        return True

    def _lay(self, what: Laying, seat: str, *, seen: bool) -> bool:
        if self._rng.random() < _MISFITS and self._says("unfit", seat):
            return True
        self.tally.laid[what.shape.name] += 1
        if not seen:
            return self._says("laid", seat)
        self._tell(TileSeen(at_us=self._at_us, slot=what.slot, present=True))
        return True

    def _release(self, seat: str, ramp: str) -> bool:
        self._look()
        self.tally.rolls += 1
        used = [ball.ball for ball in self.game.scene(self.state).balls]
        seen = self._balls.release(max(used, default=0) + 1, ramp)
        if self._told():
            return self._says(f"released {ramp}", seat)
        self._tell(seen)
        return True

    def _told(self) -> bool:
        """Whether people tell what balls do."""
        lies = self._lies()
        return lies.told or not lies.senses

    # --- balls ---

    def _look(self) -> None:
        lies = self._lies()
        self._balls.look(lies.tiles, lies.resting, self._at_us)

    def _balls_run(self) -> bool:
        if not self.game.awaited(self.state).balls and not self._balls.moving:
            return False
        self._look()
        told = self._told()
        seen = self._balls.step(hiding=not told)
        if told:
            self._report(seen)
        elif seen is not None:
            self._tell(seen)
        else:
            self._tell(self._balls.settle())
        return True

    def _report(self, seen: Fact | None) -> None:
        """Let people report what they saw, if there is a button for it."""
        tells = "still" if seen is None else told_as(seen, self._lies().tiles)
        said = bool(tells) and self._says(tells, self.game.standing(self.state).active)
        if seen is None:
            account = self._balls.settle()
            if not said:
                self._tell(account)

    def _knows(self, prompt: Prompt) -> str | None:
        """Answer as somebody who watched would: where a ball went, and whether a claim is true."""
        if prompt.ball is not None:
            return self._balls.fates.get(prompt.ball)
        if prompt.claim:
            return "no"  # bots claim at random, so hardly any claim is true
        answer = self._rng.choice(prompt.options).act.get("choice")
        return None if answer is None else str(answer)

    # --- people ---

    def _people(self) -> bool:
        """Let whoever is asked, or whose turn it is, act."""
        awaited = self.game.awaited(self.state)
        if awaited.balls and not awaited.decision:
            return self._ends_long_roll(awaited.long_roll)
        if not awaited.seat:
            return False
        bot = self._bots[awaited.seat]
        act = bot.choose(self._view(awaited.seat), self._sight)
        if act is None:
            return False
        self.tally.choices.append(bot.offered)
        self._act(awaited.seat, act)
        return True

    def _ends_long_roll(self, seat: str) -> bool:
        if not seat or self._rng.random() >= _IMPATIENT:
            return False
        return self._says("enough", seat)

    def _somebody_talks(self) -> bool:
        seat = self._rng.choice(list(self._bots))
        act = self._bots[seat].talk(self._view(seat))
        if act is None:
            return False
        self._act(seat, act)
        return True

    def _anybody(self) -> bool:
        """Let anybody act who can move the game forward; return whether somebody did."""
        for seat, bot in self._bots.items():
            act = bot.move(self._view(seat), self._sight)
            if act is not None:
                self._act(seat, act)
                return True
        return False

    def _view(self, seat: str) -> PrivateView:
        return self.game.private(self.state, seat)

    def _says(self, tells: str, seat: str | None = None) -> bool:
        """Let a seat, or else anybody, report this if they are offered to; return whether they were."""
        for one in [seat] if seat is not None else self._bots:
            for option in self._view(one).options:
                if option.tells == tells:
                    self._act(one, dict(option.act))
                    return True
        return False

    def _act(self, seat: str, act: dict[str, Any]) -> None:
        self._tell(Acted(at_us=self._at_us, seat=seat, act=act, chance=self._rng.getrandbits(64)))

    # --- the game ---

    def _tell(self, event: WorldEvent) -> None:
        self.events.append(event)
        try:
            step = self.game.step(self.state, event)
        except Exception:  # noqa: BLE001 - a mistake of ours is what a study looks for; the event is skipped
            self.tally.failures[len(self.events)] = traceback.format_exc()
            return
        self.state = step.state
        self.tally.count(step.effects)
        for effect in step.effects:
            if isinstance(effect, KickBalls):
                self._look()
                self._balls.stir(effect.slot)
