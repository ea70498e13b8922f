"""The worker of Mission Pinball Framework: runs in a venv of its own, where nothing of ours is installed.

    .bench-venv/bin/python bench/mpf_worker.py MACHINE LOG default|production

One line a question on standard input, as ``light 1000``: what a hit shall do and how many switch changes
there are. One JSON object a line on standard output. Logging is that of ``mpf game``: level 15, to a file,
through a queue and a thread; the console's handler is the silent one that goes with its text screen.
"""

import asyncio
import json
import logging
import sys
import time
from logging.handlers import QueueHandler, QueueListener
from queue import Queue
from typing import Any

from mpf._version import __version__
from mpf.core.config_loader import YamlMultifileConfigLoader
from mpf.core.machine import MachineController
from mpf.platforms.virtual import VirtualDriver, VirtualLight

SLOTS = 22
COILS = 6
OPTIONS = {
    "force_platform": "virtual",
    "bcp": False,
    "text_ui": False,
    "platform_integration_test": False,
    "force_assets_load": False,
    "no_load_cache": True,
    "create_config_cache": False,
    "pause": False,
    "jsonlogging": False,
    "configfile": ["config.yaml"],
    "loglevel": 15,
}


class Stamp:
    """When a light or a coil of the platform was last told something."""

    ns = 0


def stamp_platform() -> None:
    """Let the virtual light and coil note when they had been called."""
    set_fade, pulse = VirtualLight.set_fade, VirtualDriver.pulse

    def faded(self: Any, *what: Any) -> None:
        set_fade(self, *what)
        Stamp.ns = time.perf_counter_ns()

    def pulsed(self: Any, settings: Any) -> None:
        pulse(self, settings)
        Stamp.ns = time.perf_counter_ns()

    VirtualLight.set_fade, VirtualDriver.pulse = faded, pulsed


def set_up_logging(path: str) -> Queue[Any]:
    """Log as ``mpf game`` does by default; return the queue."""
    handler = logging.FileHandler(path)
    handler.setFormatter(logging.Formatter("%(asctime)s : %(levelname)s : %(name)s : %(message)s"))
    to_file: Queue[Any] = Queue()
    to_console: Queue[Any] = Queue()
    for queue, last in ((to_file, handler), (to_console, logging.NullHandler())):
        listener = QueueListener(queue, last)
        listener.start()
        logging.getLogger().addHandler(QueueHandler(queue))
    logging.getLogger().setLevel(15)
    return to_file


class Player:
    """Hits switches one at a time and waits for what comes of it."""

    def __init__(self, machine: Any, queue: Queue[Any]) -> None:
        self.machine = machine
        self.queue = queue
        self.doing = "light"
        self.done_ns = 0
        self.cycles = 0
        self.lit = False
        self.answered = False
        for slot in range(1, SLOTS + 1):
            machine.events.add_handler(f"s_{slot}_active", self.hit, slot=slot)
            if "touches_1" in machine.counters:
                machine.events.add_handler(f"touched_{slot}", self.counted)

    def hit(self, slot: int, **kwargs: Any) -> None:  # noqa: ARG002 - the framework wants this very name
        """Do to the hit slot what is asked for, by its light and coil objects."""
        if self.doing == "light":
            self.machine.lights[f"l_{slot}"].color("red" if self.lit else "white")
        elif self.doing == "coil":
            self.machine.coils[f"c_{slot % COILS + 1}"].pulse(30)
        else:
            return
        self.done_ns = Stamp.ns
        self.answered = True

    def counted(self, **kwargs: Any) -> None:  # noqa: ARG002
        """Note that a counter has counted."""
        if self.doing == "rules":
            self.done_ns = time.perf_counter_ns()
            self.answered = True

    async def play(self, doing: str, changes: int) -> dict[str, list[float]]:
        """Return how long each hit took, and CPU per change, log thread included."""
        self.doing = doing
        taken = []
        began_cpu = time.process_time()
        for number in range(changes):
            if number % (2 * SLOTS) == 0:  # a colour that a light has already is not sent again
                self.cycles += 1
                self.lit = self.cycles % 2 == 0
            took = await self.change(number % SLOTS + 1, 1 - number // SLOTS % 2)
            if took is not None:
                taken.append(took)
        if changes // SLOTS % 2 or changes % SLOTS:
            raise ValueError("want every switch open again at the end")
        while self.queue.qsize():  # noqa: ASYNC110 - a thread empties it
            await asyncio.sleep(0.001)
        return {"hit_us": taken, "cpu_us": [(time.process_time() - began_cpu) / changes * 1e6]}

    async def change(self, slot: int, state: int) -> float | None:
        """Change one switch and let the loop run until its handler has run."""
        controller, platform = self.machine.switch_controller, self.machine.default_platform
        self.answered = False
        began_ns = time.perf_counter_ns()
        controller.process_switch_by_num(str(slot), state, platform)
        for _turn in range(20 if state else 2):
            if self.answered:
                break
            await asyncio.sleep(0)
        if not state:
            return None
        if not self.answered:
            raise RuntimeError("a hit came to nothing")
        return (self.done_ns - began_ns) / 1_000


class Machine(MachineController):  # type: ignore[misc]  # it lives in the bench's own environment
    """A machine that answers questions once it runs."""

    def _run_loop(self) -> None:
        self.serving = self.clock.loop.create_task(serve(self, self.queue))
        self.serving.add_done_callback(lambda task: self.stop(task.exception() or "done"))
        super()._run_loop()
        self.serving.result()


async def serve(machine: Any, queue: Queue[Any]) -> None:
    """Answer questions until standard input ends."""
    player = Player(machine, queue)
    loop = asyncio.get_running_loop()
    print(json.dumps({"ready": True, "version": __version__}), flush=True)
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        doing, changes = line.split()
        print(json.dumps(await player.play(doing, int(changes))), flush=True)


def main() -> None:
    """Run the machine."""
    folder, log, mode = sys.argv[1:]
    queue = set_up_logging(log)
    stamp_platform()
    config = YamlMultifileConfigLoader(folder, ["config.yaml"], False, False).load_mpf_config()  # noqa: FBT003
    machine = Machine({**OPTIONS, "production": mode == "production"}, config)
    machine.queue = queue
    machine.run()


if __name__ == "__main__":
    main()
