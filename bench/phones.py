"""Phones at a table: how soon six that come at once are seated, and whether eight play without an error.

A demo with six seats, in a process of its own, and a real Chromium. Six people who know nothing but what the
page tells them first come by the address with the code and type a name; they play as they are told, two more
watch.
"""

import shutil
import tempfile
import time
from pathlib import Path

from bench.tables import show

__all__ = ["run"]

SEATS = 6
WATCHERS = 2
_PATIENCE_S = 120
_SEAT = "() => JSON.parse(localStorage.getItem('hextraction.seat'))?.seat"


def run(*, seconds: float) -> None:
    """Measure and print; without Chromium or Mosquitto say so instead."""
    missing = [name for name in ("chromium", "mosquitto") if shutil.which(name) is None]
    if missing:
        print(f"\nPhones at a table: not measured, {' and '.join(missing)} missing.\n")
        return
    from helpers.page.browser import chromium
    from helpers.program import process
    from helpers.stranger import strangers

    words = ["--players", SEATS, "--port", 0, "--host", "127.0.0.1", "--games", 0, "--seed", 3, "--speed", 3]
    names = [f"Player {number + 1}" for number in range(SEATS)]
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        journal = Path(folder) / "games.db"
        with process("demo", *words, "--journal", journal) as table:
            began = time.monotonic()
            with strangers(browser, table, names) as phones:
                until = began + _PATIENCE_S
                waiting = list(phones)
                while waiting and time.monotonic() < until:
                    for phone in waiting:
                        phone.step()
                    waiting = [phone for phone in waiting if not phone.page.evaluate(_SEAT)]
                seated_s = time.monotonic() - began
                with strangers(browser, table, ["Watcher"] * WATCHERS):
                    until = time.monotonic() + seconds
                    while time.monotonic() < until:
                        for phone in phones:
                            phone.step()
                taps = sum(len(phone.taps) for phone in phones)
    show(
        "Phones at a table",
        ("what", "came out"),
        [
            (f"{SEATS} phones that come at once are seated after", f"{seated_s:.1f} s"),
            (f"taps of {SEATS} players beside {WATCHERS} watchers, {seconds:g} s", str(taps)),
            ("errors of scripts", "0"),
        ],
        "An error of a script ends the run with what it said.",
    )
