"""A soak: games at speed while eight phones come and go and somebody is a nuisance; is everything flat?

Memory, open files, threads and waiting times of the program and its broker, sixth by sixth of the time.
"""

import asyncio
import contextlib
import json
import os
import random
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.attacks import ATTACKERS
from bench.tables import percentile, show

__all__ = ["run"]

_PARTS = 6
_PHONES = 8
_SPEED = 10.0
_VISIT_S, _NUISANCE_S, _PAUSE_S = 8.0, 3.0, 20.0
_NUISANCES = (
    "sessions that outlive their phones",
    "a seat's phone sends flat out",
    "QR codes and pages without end",
)


@dataclass(slots=True)
class _Part:
    """One sixth of the time: the most of each, and every wait in milliseconds."""

    mib: float = 0.0
    broker_mib: float = 0.0
    files: int = 0
    threads: int = 0
    waits: list[float] = field(default_factory=list)


def run(folder: Path, *, minutes: float) -> None:
    """Let it run for so long, and print what it took."""
    parts, note = asyncio.run(_soak(folder, minutes * 60))
    rows = [
        (
            f"{number * minutes / _PARTS:.0f} to {(number + 1) * minutes / _PARTS:.0f} min",
            f"{part.mib:.1f}",
            f"{part.broker_mib:.1f}",
            str(part.files),
            str(part.threads),
            str(len(part.waits)),
            f"{percentile(part.waits or [0.0], 50):.0f}",
            f"{percentile(part.waits or [0.0], 95):.0f}",
        )
        for number, part in enumerate(parts)
    ]
    headings = ("when", "MiB", "broker MiB", "open files", "threads", "answers", "p50 ms", "p95 ms")
    show(f"{minutes:g} minutes of games at {_SPEED:g} times the speed of life", headings, rows, note)


async def _soak(folder: Path, seconds: float) -> tuple[list[_Part], str]:
    from helpers.faults.evening import Evening

    chance = random.Random(1)  # when phones come and go
    parts = [_Part() for _each in range(_PARTS)]
    async with Evening(folder, chance, kind="demo", people=1, speed=_SPEED) as table:
        began_s = time.monotonic()

        def part() -> _Part:
            return parts[min(_PARTS - 1, int((time.monotonic() - began_s) / seconds * _PARTS))]

        works = [
            asyncio.create_task(each)
            for each in (
                _look(table, part),
                _play(table, part),
                _annoy(table, chance),
                *(_come_and_go(table, chance) for _each in range(_PHONES - 1)),
            )
        ]
        done, _waiting = await asyncio.wait(works, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
        for work in works:
            work.cancel()
        await asyncio.gather(*works, return_exceptions=True)
        for work in done:
            work.result()
        acts, words = table.count(), table.program.words
    games, tracebacks = words.count("wins"), words.count("Traceback")
    return (
        parts,
        f"{games} games ended, {acts} acts of phones were acknowledged; tracebacks in the log: {tracebacks}.",
    )


async def _look(table: Any, part: Any) -> None:
    """Look at the processes twice a second."""
    while True:
        pid, now = table.program.child.pid, part()
        now.mib = max(now.mib, _status(pid, "VmRSS") / 1024)
        now.threads = max(now.threads, _status(pid, "Threads"))
        now.files = max(now.files, len(os.listdir(f"/proc/{pid}/fd")))  # noqa: PTH208 - nothing but their number
        with contextlib.suppress(StopIteration, OSError):
            now.broker_mib = max(now.broker_mib, _status(table.program.broker, "VmRSS") / 1024)
        await asyncio.sleep(0.5)


def _status(pid: int, word: str) -> int:
    told = Path(f"/proc/{pid}/status").read_text()
    return next(int(line.split()[1]) for line in told.splitlines() if line.startswith(word))


async def _play(table: Any, part: Any) -> None:
    """One phone stays, plays, and asks something every half second."""
    person = table.people[0]
    while True:
        person.move()
        asked = person.say(hello=True)
        until_s = time.monotonic() + 10
        while asked.reply is None and time.monotonic() < until_s:  # noqa: ASYNC110 - it comes in another thread
            await asyncio.sleep(0.005)
        part().waits.append((time.monotonic() - asked.sent_s) * 1000)
        for old in list(person.asked)[:-200]:
            del person.asked[old]
        person.heard.events.clear()
        await asyncio.sleep(0.5)


async def _come_and_go(table: Any, chance: random.Random) -> None:
    """Watch for a while, go with a word or without, and come again."""
    from helpers.companion_table import ask
    from helpers.faults.people import Watcher

    while True:
        await asyncio.sleep(chance.uniform(0, _VISIT_S))
        with contextlib.suppress(OSError):
            _status_code, login = await asyncio.to_thread(ask, table.port, "GET", "/session")
            phone = Watcher(table.port, login, f"w{chance.getrandbits(40)}")
            await asyncio.sleep(chance.uniform(1, _VISIT_S))
            await asyncio.to_thread(phone.vanish if chance.random() < 0.5 else phone.close)
            await asyncio.to_thread(phone.close)


async def _annoy(table: Any, chance: random.Random) -> None:
    """Every now and then somebody does their worst for some seconds."""
    while True:
        await asyncio.sleep(chance.uniform(0, _PAUSE_S))
        known = json.dumps({**table.people[0].login, "code": table.program.code})
        name = chance.choice(_NUISANCES)
        command = [sys.executable, str(ATTACKERS), name, str(table.port), known]
        nuisance = subprocess.Popen(command, start_new_session=True)  # noqa: ASYNC220 - it has started in a moment
        try:
            await asyncio.sleep(_NUISANCE_S)
        finally:
            nuisance.kill()
            nuisance.wait()
