"""Our side of the edge benchmarks: a whole table over recorded devices, fed with a recorded game.

Host, runtime, referee, SQLite journal on disk, performer, lights and solenoid guard are the product's own,
with its default logging to standard error (a file here). Only the far ends are ours: lamps and coils that
note when they were called.
"""

import random
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter_ns, process_time_ns

from hextraction.board.instruments import lamps
from hextraction.board.profile import STANDARD, load_board
from hextraction.controller.games.hextraction import Hextraction
from hextraction.controller.games.protocol import Acted, NoPreparation, Woke
from hextraction.controller.play.journal import EdgeEntry, Journal
from hextraction.controller.play.performer import Lights, Performer
from hextraction.controller.play.referee import Referee
from hextraction.controller.rig import reflexes
from hextraction.controller.table.health import Health
from hextraction.controller.table.host import Host, Plan
from hextraction.controller.table.lobby import SEATS, Lobby
from hextraction.hal.guard import SolenoidGuard
from hextraction.hal.mock import ManualClock, MockPixels, MockSolenoidDriver
from hextraction.hal.ports import Colour, Edge
from hextraction.hal.wiring.coil_limits import CoilLimits

from bench.recorded import Game, renamed

__all__ = ["Passes", "Table", "open_table", "rules_of_the_game", "wake"]

Samples = dict[str, list[float]]


class _StampedPixels(MockPixels):
    """Lamps that note when a frame had been taken over."""

    def __init__(self, count: int) -> None:
        super().__init__(count)
        self._shown_ns: int | None = None

    def watch(self) -> None:
        """Forget what was shown so far."""
        self._shown_ns = None

    def shown_since(self) -> int | None:
        """Return when the first frame since then was taken over, or None."""
        return self._shown_ns

    def show(self, frame: Sequence[Colour]) -> None:
        """Take a frame as every backend does, and note the time of the first since somebody asked."""
        super().show(frame)
        if self._shown_ns is None:
            self._shown_ns = perf_counter_ns()


class _StampedCoils(MockSolenoidDriver):
    """Raw coils that note when one was switched on."""

    fired_ns = 0

    def energise(self, name: str) -> None:
        """Switch a coil on, and note the time."""
        super().energise(name)
        self.fired_ns = perf_counter_ns()


class _Devices:
    """The recorded far ends of one table."""

    def __init__(self) -> None:
        self.board = load_board(STANDARD)
        counts = dict(lamps(self.board))
        self.clock = ManualClock()
        self.pixels = _StampedPixels(sum(counts.values()))
        self.coils = _StampedCoils(self.clock)
        names = [f"gate.{ramp}" for ramp in self.board.ramp_by_name]
        names += [f"kicker.{slot}" for slot in self.board.slot_names]
        self.guard = SolenoidGuard(
            self.coils, {name: CoilLimits() for name in names}, clock=self.clock, scheduler=self.clock
        )
        self.lamps: dict[str, range] = {}
        for name, count in counts.items():
            first = sum(map(len, self.lamps.values()))
            self.lamps[name] = range(first, first + count)

    def performer(self, sensors: Sequence[str]) -> Performer:
        """Return what carries out effects on them."""
        lights = Lights(self.lamps, self.pixels.count)
        return Performer(self.pixels, self.guard, lights, reflexes(self.board, sensors))


class Passes:
    """Plays games again on one journal file; each pass gives samples in microseconds."""

    def __init__(self, games: list[Game], journal: Path) -> None:
        self._games = games
        self._journal = Journal(journal)
        self._number = 0

    def edges(self) -> Samples:
        """Play all games through the whole table once."""
        samples: Samples = {name: [] for name in ("light_us", "gate_us", "edge_us", "wake_us", "cpu_us")}
        for game in self._games:
            self._number += 1
            named = renamed(game, f"pass-{self._number}")
            play(named, open_table(named, self._journal), samples)
        return samples

    def rules(self) -> Samples:
        """Play all games through tracker and rules alone."""
        samples: Samples = {name: [] for name in ("fact_us", "edge_us", "cpu_us")}
        for game in self._games:
            play_rules_only(game, Referee(rules_of_the_game(), game.header), samples)
        return samples


class Table:
    """A table with what ``hextraction run`` does for each edge, and between edges."""

    def __init__(self, host: Host, devices: _Devices, health: Health) -> None:
        self.host = host
        self.devices = devices
        self.health = health

    def edge(self, what: EdgeEntry) -> None:
        """Take a clean edge."""
        self.host.edge(Edge(what.sensor, what.active, what.at_us))
        self.health.edge(what.sensor, what.active, what.at_us)

    def pass_time(self, now_us: int) -> None:
        """Set the clock of the devices, which rest coils by it."""
        self.devices.clock.advance(max(0, now_us - self.devices.clock.now_us()))

    def show(self, now_us: int) -> None:
        """Show what changed, when a live table does."""
        due_us = self.host.show_at_us()
        if due_us is not None and due_us <= now_us:
            self.host.refresh(now_us, blink=now_us // 500_000 % 2 == 0)


def rules_of_the_game() -> Hextraction:
    """Return the rules that games are recorded with."""
    return Hextraction.on(load_board(STANDARD), Hextraction.demo_rules(0))


def open_table(game: Game, journal: Journal) -> Table:
    """Start a recorded game at a table of recorded devices."""
    devices = _Devices()
    host = Host(
        game=rules_of_the_game(),
        journal=journal,
        performer=devices.performer(game.header.sensors),
        lobby=Lobby(SEATS[:3]),
        plan=Plan(header=lambda _setup: game.header, luck=random.Random(0), answer_for_after_s=20.0),
    )
    host.preparation = NoPreparation(lambda _occasion: game.header.setup)
    problems = host.start(0)
    if problems:
        raise RuntimeError(f"the recorded game does not start: {problems}")
    return Table(host, devices, Health(game.header.sensors))


def play(game: Game, table: Table, samples: Samples) -> None:
    """Feed a table with a recorded game and note what its answers took."""
    for what in game.inputs:
        table.pass_time(what.at_us)
        table.show(what.at_us)
        if isinstance(what, EdgeEntry):
            _edge(table, what, samples)
        elif isinstance(what, Acted):
            _act(table, what, samples)
        else:
            began_ns = perf_counter_ns()
            table.host.advance(what.at_us)
            samples["wake_us"].append((perf_counter_ns() - began_ns) / 1_000)
    runtime = table.host.runtime
    if runtime is None or runtime.referee.seq != game.seq:
        raise RuntimeError("the recorded game came out differently")
    table.devices.guard.close()


def _edge(table: Table, what: EdgeEntry, samples: Samples) -> None:
    table.devices.pixels.watch()
    began_cpu_ns = process_time_ns()
    began_ns = perf_counter_ns()
    table.edge(what)
    ended_ns = perf_counter_ns()
    samples["cpu_us"].append((process_time_ns() - began_cpu_ns) / 1_000)
    samples["edge_us"].append((ended_ns - began_ns) / 1_000)
    shown_ns: int | None = table.devices.pixels.shown_since()
    if shown_ns is not None:
        samples["light_us"].append((shown_ns - began_ns) / 1_000)


def _act(table: Table, what: Acted, samples: Samples) -> None:
    began_ns = perf_counter_ns()
    if table.host.runtime is not None:
        table.host.runtime.act(what)
    fired_ns = table.devices.coils.fired_ns
    if fired_ns > began_ns:
        samples["gate_us"].append((fired_ns - began_ns) / 1_000)


def play_rules_only(game: Game, referee: Referee, samples: Samples) -> None:
    """Feed tracker and rules alone, without journal, log, lamps or coils; woken as the runtime does."""
    for what in game.inputs:
        wake(referee, what.at_us)
        if isinstance(what, Woke):
            continue
        began_cpu_ns = process_time_ns()
        began_ns = perf_counter_ns()
        entries = referee.hear(what)
        for entry in entries:
            referee.apply(entry)
        ended_ns = perf_counter_ns()
        if isinstance(what, EdgeEntry):
            samples["cpu_us"].append((process_time_ns() - began_cpu_ns) / 1_000)
            samples["edge_us"].append((ended_ns - began_ns) / 1_000)
            if len(entries) > 1:
                samples["fact_us"].append((ended_ns - began_ns) / 1_000)


def wake(referee: Referee, now_us: int) -> None:
    """Let tracker and rules do what was due until now."""
    while (wake_at_us := referee.wake_at_us) is not None and wake_at_us <= now_us:
        for entry in referee.hear(Woke(at_us=max(wake_at_us, referee.at_us))):
            referee.apply(entry)
