"""Attacks: what honest people notice while one hostile client does its worst.

The table is ``hextraction run`` with the lean build: the hub is the firmware's logic behind a
pseudo-terminal, the broker a real Mosquitto, the honest phone a real MQTT client over the gate. An edge is
taken at the hub's input; it has arrived when the journal begins to be written. Each attack has a quiet time
before it, in the same run: quote the ratio. The attacker is a process of its own with four threads, and runs
after table and honest people where that may be asked for (as root): a real one sits at another machine. The
row without an attack says how far that worked.
"""

import asyncio
import contextlib
import itertools
import json
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.tables import percentile, show

__all__ = ["HubTable", "attacked", "run"]

ROOT = Path(__file__).resolve().parents[1]
ATTACKERS = ROOT / "tests" / "helpers" / "faults" / "attackers.py"
HEADINGS = (
    "attack",
    "edge p95 ms: quiet",
    "attacked",
    "ratio",
    "edge max ms",
    "answer p95 ms: quiet",
    "attacked",
    "max ms",
    "peak MiB",
    "back after s",
)
_ASK_S, _EDGE_S, _LOST_S = 0.25, 0.04, 5.0
_INPUTS = "drain."
"""Inputs that change in turn: of one alone, so many changes are chatter, which the table mutes."""


@dataclass(slots=True)
class Noticed:
    """What honest people noticed for a while, in milliseconds; memory in MiB."""

    edges: list[float] = field(default_factory=list)
    answers: list[float] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)


def run(folder: Path, *, seconds: float) -> None:
    """Measure and print; each attack lasts so long, and as long again it is quiet before."""
    _first()
    rows = asyncio.run(_all(folder, seconds))
    show(
        "What one hostile client costs honest people",
        HEADINGS,
        rows,
        "Aims: ratio <= 2, edge max <= 100 ms, answer max <= 2000 ms, controller and broker <= 200 MiB,",
        "back within 5 s. An edge has arrived when its journal entry begins to be written, its debounce",
        "included; an answer is a phone's.",
    )


class HubTable:
    """A real table over a hub, with one honest phone."""

    def __init__(self, folder: Path) -> None:
        from helpers.faults.machine import Machine
        from helpers.hub.host import compile_host_hub
        from helpers.hub.line import HubOnLine
        from hextraction.hal.wiring.file import read_wiring

        self._folder = folder
        self.table = folder / "table"
        self.table.mkdir(parents=True)
        self.machine = Machine(folder / "tools", self.table)
        self.hub = HubOnLine(compile_host_hub(folder), folder)
        wiring = ROOT / "wiring" / "hub-lean.toml"
        self._inputs = {each.name: each for each in read_wiring(wiring).hub_inputs}
        self._turn = itertools.cycle([one for name, one in self._inputs.items() if name.startswith(_INPUTS)])
        text = wiring.read_text().replace('port = "auto"', f'port = "{self.hub.path}"')
        (folder / "wiring.toml").write_text(text.replace('"lgpio"', '"mock"'))
        (folder / "table.toml").write_text(
            f'[table]\nwiring = "wiring.toml"\njournal = "{self.table / "games.db"}"\n[game]\ngrace_s = 0\n'
        )
        self.process: Any = None
        self.person: Any = None
        self.login: dict[str, str] = {}
        self.port = 0
        self._on: set[str] = set()

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Open the table, let two people sit down and start a game."""
        from helpers.companion_table import ask
        from helpers.faults.evening import GAME
        from helpers.faults.people import Person
        from helpers.ports import free_port
        from helpers.program import Process
        from helpers.waiting import happens

        self.port = free_port()
        words = ["run", "--config", self._folder / "table.toml", "--host", "127.0.0.1", "--port", self.port]
        with self.hub:
            for one in self._inputs.values():
                self.hub.do(lambda one=one: self.hub.set_input(one.number, not one.active_high))
            self.process = await asyncio.to_thread(Process, *words, env=self.machine.env)
            people = []
            try:
                for name in ("Anna", "Ben"):
                    body = {"code": self.process.code, "name": name}
                    status, said = await asyncio.to_thread(ask, self.port, "POST", "/join", body)
                    if status != 200:
                        raise RuntimeError(f"nobody can sit down: {said!r}")
                    self.login = said
                    chance = random.Random(1)  # nobody plays
                    people.append(Person(self.port, self.login, chance, GAME.strategy()))
                self.person = people[0]
                await happens(lambda: all(one.up.is_set() for one in people), 30)
                started = self.person.say(table={"do": "start"})
                await happens(lambda: started.reply is not None, 30)
                await asyncio.to_thread(people.pop().close)  # from here on that seat is the attacker's
                yield
            finally:
                for one in people:
                    await asyncio.to_thread(one.close)
                await asyncio.to_thread(self.process.stop)
                self.log = self.process.words

    async def edge(self) -> float:
        """Change the next input of the hub; return the milliseconds until the journal is written to."""
        before, rows, at_ns = self.machine.writes, self._edges(), [0]
        one = next(self._turn)
        on = one.name not in self._on
        self._on ^= {one.name}

        def change() -> None:
            at_ns[0] = time.monotonic_ns()
            self.hub.set_input(one.number, on == one.active_high)

        self.hub.do(change)
        until_s = time.monotonic() + _LOST_S
        while time.monotonic() < until_s:
            if self.machine.writes > before and self._edges() > rows:
                return float(self.machine.write_began_ns(before + 1) - at_ns[0]) / 1e6
            await asyncio.sleep(0.001)
        return _LOST_S * 1000

    def _edges(self) -> int:
        path = self.table / "games.db"
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=10)) as db:
            (count,) = db.execute("SELECT count(*) FROM entry WHERE kind = 'EdgeEntry'").fetchone()
            return int(count)

    async def answer(self) -> float:
        """Let the honest phone say hello; return the milliseconds until its answer."""
        asked = self.person.say(hello=True)
        until_s = time.monotonic() + _LOST_S
        while asked.reply is None and time.monotonic() < until_s:  # noqa: ASYNC110 - it comes in another thread
            await asyncio.sleep(0.002)
        return float(asked.waited_s * 1000) if asked.reply is not None else _LOST_S * 1000

    def memory_mib(self) -> float:
        """Return what controller and broker hold together."""
        pids = [self.process.child.pid]
        with contextlib.suppress(StopIteration, OSError):
            pids.append(self.process.broker)
        return sum(map(_rss_mib, pids))

    async def notice(self, seconds: float) -> Noticed:
        """Notice for so long what honest people do."""
        noticed, end_s = Noticed(), time.monotonic() + seconds

        async def repeat(measure: Callable[[], Any], into: list[float], pause_s: float) -> None:
            while time.monotonic() < end_s:
                into.append(await measure())
                await asyncio.sleep(pause_s)

        async def memory() -> float:
            return self.memory_mib()

        await asyncio.gather(
            repeat(self.edge, noticed.edges, _EDGE_S),
            repeat(self.answer, noticed.answers, _ASK_S),
            repeat(memory, noticed.memory, 0.2),
        )
        return noticed


def _first() -> None:
    """Let table and honest people run before others: a real attacker sits at a machine of his own."""
    with contextlib.suppress(PermissionError):
        os.setpriority(os.PRIO_PROCESS, 0, -10)


def _rss_mib(pid: int) -> float:
    told = Path(f"/proc/{pid}/status").read_text()
    return next(int(line.split()[1]) for line in told.splitlines() if line.startswith("VmRSS")) / 1024


async def _all(folder: Path, seconds: float) -> list[tuple[str, ...]]:
    from helpers.faults.attackers import ATTACKS

    table = HubTable(folder)
    rows = []
    async with table.open():
        await table.notice(2.0)  # warms up
        for name in ATTACKS:
            quiet = await table.notice(seconds)
            noticed, back_s, said = await attacked(table, name, seconds)
            rows.append(_row(name, quiet, noticed, back_s))
            if said:
                print(f"  {name}: {said}", file=sys.stderr)
    if "Traceback" in table.log:
        print(f"a traceback in the log:\n{table.log[-3000:]}", file=sys.stderr)
    return rows


async def attacked(table: HubTable, name: str, seconds: float) -> tuple[Noticed, float, str]:
    """Let somebody attack for so long; return what was noticed, after how long all was well, what it said."""
    known = {**table.login, "code": table.process.code}
    with tempfile.TemporaryFile("w+") as said:
        command = [sys.executable, str(ATTACKERS), name, str(table.port), json.dumps(known)]
        attacker = subprocess.Popen(command, stdout=said, start_new_session=True)  # noqa: ASYNC220 - it has started in a moment
        try:
            noticed = await table.notice(seconds)
        finally:
            attacker.kill()
            attacker.wait()
        ended_s = time.monotonic()
        while await table.answer() > 100 or await table.edge() > 100:
            if time.monotonic() - ended_s > 60:
                break
        back_s = time.monotonic() - ended_s
        said.seek(0)
        return noticed, back_s, said.read(500)


def _row(name: str, quiet: Noticed, attacked: Noticed, back_s: float) -> tuple[str, ...]:
    before, during = percentile(quiet.edges, 95), percentile(attacked.edges, 95)
    return (
        name,
        f"{before:.1f}",
        f"{during:.1f}",
        f"{during / before:.2f}",
        f"{max(attacked.edges):.0f}",
        f"{percentile(quiet.answers, 95):.0f}",
        f"{percentile(attacked.answers, 95):.0f}",
        f"{max(attacked.answers):.0f}",
        f"{max(attacked.memory):.0f}",
        f"{back_s:.1f}",
    )
