"""Faults in an order by chance, one after the other, each followed by the three promises; and a report.

The same seed brings the same faults in the same order; when exactly each one strikes, the machine decides.
"""

import asyncio
import collections
import contextlib
import errno
import os
import random
import signal
import time
from dataclasses import dataclass, field
from pathlib import Path

from helpers.faults.evening import ON_HUBS, BrokenPromiseError, Evening
from helpers.faults.machine import AFTER, BEFORE, HALF

__all__ = ["FAULTS", "Report", "storm"]

MAY_PASS = 75
_HOUR_S = 3600
_SAID_WITHIN_S = 15.0


@dataclass(slots=True)
class Report:
    """What was tried, and what came of it."""

    seed: int
    tried: collections.Counter = field(default_factory=collections.Counter)
    slowest_s: dict[str, float] = field(default_factory=dict)
    """The longest time from the end of a fault until an act was taken, by fault."""
    acts: int = 0
    starts: int = 0
    seconds: float = 0.0
    broken: str = ""

    def lines(self):
        """Return the report as lines of text."""
        yield f"seed {self.seed}: {self.tried.total()} faults in {self.seconds:.0f} s, {self.starts} starts, {self.acts} acknowledged acts"
        yield f"  {'fault':<42} {'times':>5}  {'playable again after, at most':>8}"
        for name, times in sorted(self.tried.items()):
            yield f"  {name:<42} {times:>5}  {self.slowest_s.get(name, 0):>8.1f} s"
        yield f"  BROKEN: {self.broken}" if self.broken else "  all promises held"


# --- the faults: each does its harm and takes it back ---


async def _dies_at_a_write(table: Evening):
    how = table.chance.choice((BEFORE, HALF, AFTER))
    before = table.machine.deaths
    table.machine.die_at_write(table.chance.randrange(1, 25), how)
    await table.play(10, lambda: table.machine.deaths > before)
    table.machine.die_at_write(0, BEFORE)


async def _dies_while_it_starts(table: Evening):
    await table.end(signal.SIGKILL)
    table.machine.die_at_write(table.chance.randrange(1, 12), table.chance.choice((BEFORE, HALF, AFTER)))
    await table.start()
    table.machine.die_at_write(0, BEFORE)


async def _is_killed(table: Evening):
    await table.play(table.chance.random())
    await table.end(signal.SIGKILL)


async def _is_asked_to_stop(table: Evening):
    await table.play(table.chance.random())
    number = table.chance.choice((signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT))
    status = await table.end(number)
    if status:
        raise BrokenPromiseError(f"ended by {number.name} with status {status}\n{table.log}")


async def _stands_still(table: Evening):
    """The whole program hangs for longer than phones wait."""
    table.program.child.send_signal(signal.SIGSTOP)
    await table.play(3.0)
    table.program.child.send_signal(signal.SIGCONT)


async def _broker_dies(table: Evening):
    with contextlib.suppress(ProcessLookupError, StopIteration):
        os.kill(table.program.broker, signal.SIGKILL)
    await table.play(table.chance.random())


async def _broker_stands_still(table: Evening):
    """For longer than the link waits for an acknowledgement."""
    broker = table.program.broker
    os.kill(broker, signal.SIGSTOP)
    await table.play(table.chance.choice((1.0, 9.0)))
    with contextlib.suppress(ProcessLookupError):
        os.kill(broker, signal.SIGCONT)


async def _broker_is_slow(table: Evening):
    """It runs for a tenth of the time."""
    broker = table.program.broker
    for _turn in range(30):
        with contextlib.suppress(ProcessLookupError):
            os.kill(broker, signal.SIGSTOP)
            await table.play(0.09)
            os.kill(broker, signal.SIGCONT)
        await table.play(0.01)


def _disk_fails(error):
    async def harm(table: Evening):
        table.machine.fail(error)
        await table.play(table.chance.uniform(0.5, 2.0))
        if table.program.child.poll() is not None:
            await _cannot_open(table, error)
        table.machine.fail()

    return harm


async def _cannot_open(table: Evening, error):
    """While the disk fails a start ends with the status of what may pass, or the table is open all the same."""
    status = await table.ended()
    if status not in {1, MAY_PASS}:
        raise BrokenPromiseError(f"{os.strerror(error)}: ended with status {status}\n{table.log}")
    status = await table.tries_to_open()
    if status not in {None, 1, MAY_PASS}:
        raise BrokenPromiseError(f"{os.strerror(error)}: started with status {status}\n{table.log}")


async def _opens_on_a_bad_disk(table: Evening):
    error = table.chance.choice((errno.ENOSPC, errno.EROFS, errno.EIO))
    await table.end(signal.SIGKILL)
    table.machine.fail(error)
    status = await table.tries_to_open()
    table.machine.fail()
    if status not in {None, 1, MAY_PASS}:
        raise BrokenPromiseError(f"{os.strerror(error)}: started with status {status}\n{table.log}")


async def _disk_is_slow(table: Evening):
    table.machine.slow_down(table.chance.choice((2_000, 20_000)))
    await table.play(2.0)
    table.machine.slow_down()


async def _clock_jumps(table: Evening):
    """An hour, a day or twenty years, ahead or back, as a Pi does that finds its time in the network."""
    table.machine.set_clock(
        table.chance.choice((-1, 1)) * table.chance.choice((1, 24, 24 * 365 * 20)) * _HOUR_S
    )
    await table.play(1.0)
    if table.chance.random() < 0.5:
        await table.end(signal.SIGKILL)
        await table.start()
    table.machine.set_clock()


async def _a_phone_sleeps(table: Evening):
    sleeper = table.chance.choice(table.people)
    await asyncio.to_thread(sleeper.vanish)
    await table.play(table.chance.uniform(0.2, 2.0))
    sleeper.wake()


async def _all_phones_sleep(table: Evening):
    await asyncio.gather(*(asyncio.to_thread(one.vanish) for one in table.people))
    if table.chance.random() < 0.5:
        await table.end(signal.SIGKILL)
    for one in table.people:
        one.wake()


async def _hub_is_unplugged(table: Evening):
    """Somebody stumbles over its cable in the middle of a game, and puts it in again, or a while later."""
    await _are_unplugged(table, [table.chance.choice([*ON_HUBS])])


async def _all_hubs_are_unplugged(table: Evening):
    """The USB distributor has lost its supply."""
    await _are_unplugged(table, [*ON_HUBS])


async def _are_unplugged(table: Evening, names):
    blind, of = (sum(len(ON_HUBS[name]) for name in which) for which in (names, ON_HUBS))
    silent = f"{blind} of {of} sensors do not answer"
    for name in names:
        await asyncio.to_thread(table.hubs[name].unplug_now)
    await _says(table, lambda problems: any(each.startswith(silent) for each in problems), "a hub is away")
    await table.play(table.chance.uniform(0.2, 2.0))
    if table.chance.random() < 0.5:
        await table.is_playable()  # without it
    if table.chance.random() < 0.3:
        await table.end(signal.SIGKILL)
        await table.start()
    for name in names:
        await asyncio.to_thread(table.hubs[name].plug_now)
    await _says(table, lambda problems: not any("sensors" in each for each in problems), "the hub is back")


async def _says(table, holds, what):
    """See that /health comes to say something."""
    until_s = time.monotonic() + _SAID_WITHIN_S
    while not holds((await table.health()).get("problems", [""])):
        await table.play(0.2)
        if time.monotonic() > until_s:
            raise BrokenPromiseError(f"not said: {what}\n{await table.health()}\n{table.log}")


ONLY_WITH_A_HUB = {"one of two hubs is unplugged", "all hubs are unplugged"}
FAULTS = {
    "the program dies at a write": _dies_at_a_write,
    "the program dies at a write of its start": _dies_while_it_starts,
    "the program is killed": _is_killed,
    "the program is asked to stop": _is_asked_to_stop,
    "the program stands still": _stands_still,
    "the broker dies": _broker_dies,
    "the broker stands still": _broker_stands_still,
    "the broker is slow": _broker_is_slow,
    "the disk is full": _disk_fails(errno.ENOSPC),
    "the disk is read-only": _disk_fails(errno.EROFS),
    "the disk fails": _disk_fails(errno.EIO),
    "the table opens on a bad disk": _opens_on_a_bad_disk,
    "the disk is slow": _disk_is_slow,
    "the clock jumps": _clock_jumps,
    "a phone sleeps": _a_phone_sleeps,
    "all phones sleep": _all_phones_sleep,
    "one of two hubs is unplugged": _hub_is_unplugged,
    "all hubs are unplugged": _all_hubs_are_unplugged,
}


async def storm(folder: Path, seed: int, seconds: float, *, tell=lambda _line: None) -> Report:
    """Let one fault after the other happen for so long; stop at the first promise that is broken."""
    chance, report = random.Random(seed), Report(seed)
    began_s = time.monotonic()
    table = None
    try:
        for number, kind in enumerate(_kinds(chance)):
            name = f"{number}-{kind}"
            async with Evening(folder / name, chance, kind=kind) as table:
                possible = [fault for fault in FAULTS if kind == "hub" or fault not in ONLY_WITH_A_HUB]
                for fault in chance.sample(possible, len(possible)):
                    await _strike(table, fault, report)
                    tell(f"{kind}: {fault}")
                    if time.monotonic() - began_s > seconds:
                        break
            report.acts += table.acknowledged
            report.starts += table.starts
            if time.monotonic() - began_s > seconds:
                break
    except BrokenPromiseError as error:
        report.broken = str(error)
    report.seconds = time.monotonic() - began_s
    return report


def _kinds(chance):
    while True:
        yield from chance.sample(("demo", "ordinary", "hub"), 3)


async def _strike(table, fault, report):
    report.tried[fault] += 1
    try:
        await table.play(table.chance.uniform(0.1, 0.6))
        await FAULTS[fault](table)
        took_s = await table.is_playable()
        table.keeps_everything()
        table.tells_nothing_twice()
    except BrokenPromiseError as error:
        raise BrokenPromiseError(f"{table.kind}, {fault}: {error}") from error
    report.slowest_s[fault] = max(report.slowest_s.get(fault, 0.0), took_s)
