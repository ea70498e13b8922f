"""Kills: the program is killed again and again, at writes of its journal, at its start and at any moment.

Two people with real phones and a bot play on the simulated board. After each kill everything that was
acknowledged has to be in the journal, in order; after forty kills the game is played to its end by bots.
"""

import asyncio
import contextlib
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

from bench.tables import show

__all__ = ["run"]

_OF_A_GAME = 40
_WRITES, _OF_A_START = 40, 28
_FINISH_S = 600


def run(folder: Path, *, kills: int, seed: int = 0) -> None:
    """Kill so often, and print what came of it."""
    count = asyncio.run(_kill(folder, kills, random.Random(seed)))
    rows = [(name, str(count[name])) for name in ("at a write", "at a write of a start", "at any moment")]
    show(
        "Kills",
        ("the program is killed", "times"),
        rows,
        f"{count['acts']} acts were acknowledged to phones; lost: {count['lost']}.",
        f"Journals that could not be read: {count['unreadable']}. "
        f"Games: {count['games']}, played to their end afterwards: {count['finished']}.",
        f"It took {count['seconds']} s.",
    )


async def _kill(folder: Path, kills: int, chance: random.Random) -> Counter[str]:
    from helpers.faults.evening import BrokenPromiseError, Evening

    count: Counter[str] = Counter()
    began_s = time.monotonic()
    while count["killed"] < kills:
        count["games"] += 1
        place = folder / f"kills-{count['games']}"
        try:
            async with Evening(place, chance, warm=True) as table:
                for _kill in range(min(_OF_A_GAME, kills - count["killed"])):
                    await _once(table, chance, count)
                    table.keeps_everything()
                table.tells_nothing_twice()
                count["acts"] += table.acknowledged
        except BrokenPromiseError as error:
            count["lost" if "lost" in str(error) else "unreadable"] += 1
            print(error, file=sys.stderr)
        except sqlite3.DatabaseError as error:
            count["unreadable"] += 1
            print(error, file=sys.stderr)
        count["finished"] += _finishes(place / "table" / "games.db")
        print(
            f"  {count['killed']} kills, {count['acts']} acts, {time.monotonic() - began_s:.0f} s", flush=True
        )
    count["seconds"] = int(time.monotonic() - began_s)
    return count


async def _once(table: Any, chance: random.Random, count: Counter[str]) -> None:
    machine, before = table.machine, table.machine.deaths
    how = chance.randrange(3)
    kind = chance.choice(("at a write", "at a write", "at a write of a start", "at any moment"))
    if kind == "at a write":
        machine.die_at_write(chance.randrange(1, _WRITES), how)
        await table.play(5, lambda: machine.deaths > before)
    elif kind == "at any moment":
        await table.play(chance.random())
    if machine.deaths == before and kind != "at a write of a start":
        kind = "at any moment"
        table.program.child.send_signal(signal.SIGKILL)
    elif kind == "at a write of a start":
        with contextlib.suppress(ProcessLookupError):
            table.program.child.send_signal(signal.SIGTERM)
    await table.ended()
    machine.die_at_write(chance.randrange(1, _OF_A_START) if kind == "at a write of a start" else 0, how)
    await table.start()
    machine.die_at_write(0, how)
    died = machine.deaths > before or kind == "at any moment"
    count["killed"] += died
    count[kind] += died


def _finishes(journal: Path) -> bool:
    """Let bots play the game to its end; return whether they could."""
    words = ["demo", "--resume", "--games", "1", "--speed", "0", "--no-page", "--journal", str(journal)]
    start = "import sys; from hextraction.controller.app import main; sys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-c", start, *words], capture_output=True, text=True, timeout=_FINISH_S, check=False
    )
    if done.returncode or "Traceback" in done.stderr:
        print(done.stdout, done.stderr, file=sys.stderr)
    return not done.returncode and "journal:" in done.stdout
