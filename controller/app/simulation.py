"""A table on the simulated board. Simulated time is the only clock; wall time only paces it.

The simulation advances in steps that end at the next ten milliseconds or at the next time that the game asked
for. What happens in a step depends only on the step before, so the same seed gives the same game at any
speed.
"""

import asyncio
import math
import random
import secrets
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from hextraction.board.instruments import lamps
from hextraction.board.profile import Board
from hextraction.controller.app.hands import Hands
from hextraction.controller.app.process import senses_of
from hextraction.controller.bots.players import Bot
from hextraction.controller.config import PageConfig
from hextraction.controller.games.protocol import Game
from hextraction.controller.games.scene import Prompt
from hextraction.controller.games.strategy import Strength
from hextraction.controller.play.journal import Header, Journal
from hextraction.controller.play.performer import Lights, Performer
from hextraction.controller.play.referee import Referee
from hextraction.controller.play.runtime import Runtime
from hextraction.controller.rig import match_rig, reflexes
from hextraction.controller.table.host import Host, Plan
from hextraction.controller.table.lobby import Lobby
from hextraction.controller.table.showing import SHOW_EVERY_US
from hextraction.simulator.backend import SimulatedBoard
from hextraction.simulator.noise import Noise

__all__ = ["Simulation", "SimulationSettings"]

STEP_US: Final = 10_000
_BLINK_US: Final = 500_000
_MOMENT_US: Final = 300_000
"""How long balls must lie still until everybody sees that the roll is over."""
_SLOW_MOTION: Final = 1 / 10
"""So fast time passes while a ball gets on: a steel ball crosses a board too fast to be followed."""
_FOLLOWED_US: Final = 800_000
"""Most rolls are over after this time. Longer ones get faster, as much again in each half of it."""
_DAWDLING: Final = 3
"""So many times as fast is what a ball does that stays about one place, as among pins."""
_HURRY: Final = 4
"""So fast time passes while the balls of a roll only rock where they lie: nobody can use that."""
_STEADY: Final = (120_000, 12.0)
"""A ball that gets on comes at least so many millimetres far in so many microseconds,"""
_ROCKING: Final = (40_000, 3.0)
"""and one that only rocks not even so far."""
_GATHERING_S: Final = 180
"""Seconds of people's time that a table waits for phones that are away; then it goes on by itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulationSettings:
    """The settings of a simulated table. ``speed`` 0 means as fast as possible.

    ``patient``: a roll is over when its sensors have been quiet for as long as at a real table.
    """

    seed: int
    speed: float = 1.0
    which: str = "rich"
    noise: Noise | None = None
    software: str = ""
    bots: Strength = "strong"
    patient: bool = False


class _Progress:
    """How fast time passes for people, by what the balls do that they watch."""

    def __init__(self) -> None:
        self._seen: deque[tuple[int, dict[int, tuple[float, float]]]] = deque()
        self._began_us = 0

    def look(self, places: Iterable[tuple[int, float, float]], now_us: int, *, rolling: bool) -> float:
        """Take where the balls are now, as ``(ball, x_mm, y_mm)``; return how fast time passes."""
        while self._seen and self._seen[0][0] < now_us - _STEADY[0]:
            self._seen.popleft()
        self._seen.append((now_us, {ball: (x_mm, y_mm) for ball, x_mm, y_mm in places}))
        if not rolling:
            self._began_us = now_us
        if not self._come(*_ROCKING):
            return _HURRY if rolling else 1.0
        longer = max(0, now_us - self._began_us - _FOLLOWED_US) / (_FOLLOWED_US / 2)
        speed = _SLOW_MOTION * (1 + longer)
        return min(1.0, speed if self._come(*_STEADY) else speed * _DAWDLING)

    def _come(self, within_us: int, least_mm: float) -> bool:
        """Whether any ball has come so far within this time, or is new on the board."""
        now_us, now = self._seen[-1]
        before = next(places for at_us, places in self._seen if at_us >= now_us - within_us)
        return any(
            ball not in before or math.dist(before[ball], place) > least_mm for ball, place in now.items()
        )


class Simulation:
    """A simulated board, the hands of its players, and the host.

    ``games`` makes each game that the table may choose, by its kind.
    """

    def __init__(
        self,
        game: Game[Any, Any],
        journal: Journal,
        lobby: Lobby,
        settings: SimulationSettings,
        games: Mapping[str, Callable[[], Game[Any, Any]]] | None = None,
    ) -> None:
        board = game.board
        self.settings = settings
        self.devices = SimulatedBoard(board, which=settings.which, seed=settings.seed, noise=settings.noise)
        self.rig, _problems = match_rig(board, self.devices.inputs.names, self.devices.solenoids.names)
        self.hands = Hands(self.devices.world)
        self._chance = random.Random(settings.seed)  # noqa: S311 - seeded on purpose: the same seed, the same game
        self._games = 0
        self._laid: Runtime | None = None
        """The game whose tiles the simulated hands have laid out: a phone may have started another one."""
        self._moved_us, self._told_still = 0, False
        self._progress = _Progress()
        self.haste = 1.0
        """How fast time passes now for people, beside the speed that was asked for."""
        self._waits_for_quiet = settings.patient or settings.noise is not None
        lights = Lights(_lamp_map(board), self.devices.pixels.count)
        performer = Performer(
            self.devices.pixels, self.devices.solenoids, lights, reflexes(board, self.rig.sensors)
        )
        plan = Plan(
            header=self._header,
            luck=self._chance,
            answer_for_after_s=PageConfig().answer_for_after_s,
            senses=senses_of(self.rig),
            bot=self._bot,
            easy_bot=lambda seat: self._bot(seat, "weak"),
            own_hands=settings.noise is None,
            games=games or {},
        )
        self.host = Host(game=game, journal=journal, performer=performer, lobby=lobby, plan=plan)
        self.devices.inputs.listen(self.host.edge)
        self.devices.power.listen(self.host.power)
        self.on_turn: Callable[[], None] = lambda: None
        """Called each time round, so that somebody sees that the table is not stuck."""
        self._blink = False
        self._anchor = (0, 0.0)
        self._paced = settings.speed
        self._rested = 0.0

    # --- games ---

    def _header(self, setup: Any) -> Header:
        self._games += 1
        wall = time.strftime("%Y-%m-%dT%H:%M:%S%z")
        name = f"demo-{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(2)}"
        return Header(
            game=name,
            boot="simulated",
            wall=wall,
            software=self.settings.software,
            setup=setup,
            sensors=self.rig.sensors,
        )

    def _bot(self, seat: str, strength: Strength | None = None) -> Bot:
        seed = self.settings.seed * 1000 + self._games
        running = self.host.runtime
        game = self.host.game if running is None else running.referee.game
        strategy = game.strategy(strength or self.settings.bots)
        return Bot(seat, seed, strategy=strategy, knows=self._knows)

    def _knows(self, prompt: Prompt) -> str | None:
        return self.hands.knows(prompt)

    def begin(self) -> list[tuple[str, str]]:
        """Start a game on a cleared board; return the objections to it, if any."""
        self.clear()
        problems = self.host.start(self.devices.clock.now_us())
        if self.host.runtime is not None and not problems:
            self._lay_out(self.host.runtime)
        return problems

    def _lay_out(self, runtime: Runtime) -> None:
        """Lay on a cleared board what a game begins with; what its sensors see meanwhile is no news."""
        self._laid = runtime
        self.devices.inputs.listen(lambda _edge: None)
        self.clear()
        self.hands.prepare(runtime.referee)
        self.devices.advance(self.devices.clock.now_us() + STEP_US)
        self.devices.inputs.listen(self.host.edge)

    def clear(self) -> None:
        """Take everything off the board."""
        for slot in self.host.game.board.slot_names:
            self.devices.world.lift(slot)
        for balls in tuple(self.devices.world.contents.zones.values()):
            for ball in balls:
                self.devices.world.take_ball(ball)

    def resume(self, game: str) -> None:
        """Resume an interrupted game, laying out its tiles and resting balls.

        Balls that were moving are gone with the simulated board; the players will be asked about them.

        Raises:
            JournalError: the game cannot be read.
        """
        inputs = self.devices.inputs
        inputs.listen(lambda _edge: None)
        self.host.recall(game)
        runtime = self._laid = self.host.runtime
        if runtime is not None:
            self.devices.advance(runtime.referee.at_us + STEP_US)
            self.hands.prepare(runtime.referee)
        self.devices.advance(self.devices.clock.now_us() + STEP_US)
        inputs.listen(self.host.edge)
        self.host.resume(dict(inputs.levels()), self.devices.clock.now_us(), boot="simulated")

    # --- time ---

    def step(self) -> None:
        """Advance simulated time by one step."""
        host, clock = self.host, self.devices.clock
        now_us = clock.now_us()
        host.bots_act(now_us)
        runtime = host.runtime
        if runtime is not None and not host.lobby.paused:
            self.hands.work(runtime.referee, now_us)
            self._watch(runtime.referee, now_us)
        end_us = (now_us // STEP_US + 1) * STEP_US
        wake_us = runtime.wake_at_us if runtime is not None and not host.lobby.paused else None
        if wake_us is not None:
            end_us = min(end_us, max(now_us + 1, wake_us))
        if not host.lobby.paused:
            self.devices.advance(end_us)
        host.advance(clock.now_us())
        host.witness(clock.now_us(), self._knows)

    def _watch(self, referee: Referee, now_us: int) -> None:
        """Let a roll be over a moment after its balls lie still, as everybody sees it; noise has its time."""
        awaited = referee.game.awaited(referee.state)
        rolling = awaited.balls and not awaited.decision and not self._waits_for_quiet
        self.haste = self._hasten(now_us, rolling=rolling)
        if not rolling or self.devices.world.moving:
            self._moved_us, self._told_still = now_us, False
        elif not self._told_still and now_us >= self._moved_us + _MOMENT_US:
            self._told_still = True
            referee.balls_lie_still(now_us)

    def _hasten(self, now_us: int, *, rolling: bool) -> float:
        """Return how fast time passes: slowly while a ball gets on, fast once all of a roll only rock.

        Whoever is in a hurry anyway sees all of it at their own speed.
        """
        if not 0 < self.settings.speed <= 1:
            return 1.0
        return self._progress.look(self.devices.world.positions(), now_us, rolling=rolling)

    def show(self) -> None:
        """Light the board and show phones what changed: at once, but not too often; and let lamps blink."""
        now_us = self.devices.clock.now_us()
        every_us = int(SHOW_EVERY_US * min(1.0, self.haste))  # phones live in people's time
        due_us, blink = self.host.show_at_us(every_us), now_us // _BLINK_US % 2 == 0
        over = self.host.runtime is not None and self.host.runtime.over
        due = due_us is not None and (due_us <= now_us or self.host.lobby.paused)  # on a break no time passes
        if over or blink is not self._blink or due:
            self._blink = blink
            self.host.refresh(now_us, blink=blink)

    async def pace(self) -> None:
        """Wait until the wall clock catches up with the simulated one, and let phones be heard."""
        now, now_us = time.monotonic(), self.devices.clock.now_us()
        if self.settings.speed <= 0:
            if now - self._rested > 0.02:
                self._rested = now
                await asyncio.sleep(0)
            return
        speed = self.settings.speed * self.haste
        if speed != self._paced:
            self._anchor, self._paced = (now_us, now), speed
        start_us, start = self._anchor
        ahead_s = (now_us - start_us) / 1e6 / speed - (now - start)
        if ahead_s < -0.5 or not start:
            self._anchor = (now_us, now)
        if ahead_s > 0.002 or now - self._rested > 0.02:
            self._rested = now
            await asyncio.sleep(max(0.0, ahead_s))

    async def until(self, done: asyncio.Event) -> None:
        """Run until the game is over or ``done`` is set; if no game is running, wait for one."""
        while not done.is_set():
            self.on_turn()
            runtime = self.host.runtime
            if runtime is not None and runtime.over:
                self.show()
                return
            if runtime is not None and runtime is not self._laid:
                self._lay_out(runtime)
            if runtime is None or self.host.lobby.paused:
                self.show()
                await asyncio.sleep(0.05)
                self._anchor = (self.devices.clock.now_us(), time.monotonic())
                continue
            self.step()
            self.show()
            await self.pace()

    async def rest(self, seconds: float, done: asyncio.Event) -> None:
        """Show the end of a game for so many simulated seconds, and say for how long.

        While somebody who sits at the table is there, nothing begins without them.
        """
        self.haste = 1.0
        self._anchor = (0, 0.0)
        speed, until_us, waits_s = self.settings.speed or 1.0, 0, 0.0
        while not done.is_set() and self.host.playing is None:
            now_us = self.devices.clock.now_us()
            wanted_s = _GATHERING_S * speed if self.host.seated else seconds
            if self.host.attended or wanted_s != waits_s:
                waits_s = 0 if self.host.attended else wanted_s
                until_us = now_us + int(waits_s * 1_000_000)
            left_s = math.ceil((until_us - now_us) / (speed * 1_000_000)) if waits_s else None
            self.host.notify(next_s=left_s or None)
            if left_s == 0:
                return
            self.devices.advance(now_us + STEP_US)
            self.show()
            await self.pace()

    def close(self) -> None:
        """Switch everything off."""
        self.devices.close()


def _lamp_map(board: Board) -> dict[str, range]:
    places: dict[str, range] = {}
    first = 0
    for name, count in lamps(board):
        places[name] = range(first, first + count)
        first += count
    return places
