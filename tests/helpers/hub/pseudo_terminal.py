"""The emulated sensor hub as a serial port: in a thread of its own, on a pseudo-terminal.

What opens :attr:`HubOnPty.path` sets DTR, what closes it (or dies) lets DTR fall, as the kernel does with a
real USB serial port. The path is a link, like those below ``/dev/serial/by-id``: it is gone while the hub is
unplugged or restarts, and then leads to another terminal.

Emulated time never runs ahead of the wall clock, and usually far behind: take times from :attr:`HubOnPty.clock`.
"""

import contextlib
import os
import queue
import select
import threading
import time
import tty
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

from helpers.hub.emulator import EmulatedClock, HubEmulator

__all__ = ["HubOnPty"]

STEP_US = 500


class HubOnPty:
    """Runs a hub until it is closed; use it with ``with``. ``folder`` is where the link is put.

    A hub that is ``led`` by another has no thread of its own: it lives a step whenever the other has, in the same
    time. The one that leads may not be unplugged.
    """

    def __init__(
        self,
        folder: Path,
        emulator: HubEmulator | None = None,
        *,
        name: str = "hub",
        leads: "tuple[HubOnPty, ...]" = (),
        is_led: bool = False,
    ) -> None:
        self.hub = HubEmulator() if emulator is None else emulator
        """Touch it only inside :meth:`do` while the thread runs."""
        self.path = folder / name
        self._leads, self._is_led = leads, is_led
        self.clock = EmulatedClock(self.hub)
        self.failure: BaseException | None = None
        """What ended the thread, if it was not :meth:`close`."""
        self._master = -1
        self._plugged = True
        self._pulled = False
        self._starts = self.hub.starts
        self._wishes: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="emulated hub", daemon=True)

    def __enter__(self) -> Self:
        self.hub.plug_in()
        self.hub.set_dtr(False)
        self._open()
        if not self._is_led:
            self._thread.start()
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop the thread and take the port away."""
        self._ended.set()
        if not self._is_led:
            self._thread.join(timeout=30)
        self._hang_up()

    def do(self, act: Callable[[], Any], *, timeout_s: float = 600) -> Any:
        """Do something to the hub between two steps, from any thread, and return what it returns."""
        done = threading.Event()
        result: list[Any] = []

        def wish() -> None:
            result.append(act())
            done.set()

        self._wishes.put(wish)
        assert done.wait(timeout_s), f"the emulated hub does not answer: {self.failure!r}"
        return result[0]

    def set_input(self, number: int, active: bool) -> None:
        """Make a digital sensor active or not."""
        self.do(lambda: self.hub.set_input(number, active))

    def unplug(self) -> None:
        """Pull the cable: the port goes, and so does the hub's power."""
        self.do(self._unplug)

    def pull(self) -> None:
        """Pull the cable of a hub that has its power elsewhere; only inside :meth:`do`.

        It notices nothing but silence, and nobody hears it any more.
        """
        self._pulled = True
        self.hub.set_reading(False)
        self._hang_up()

    def plug(self) -> None:
        """Put the cable in again."""
        self.do(self._plug)

    # --- the thread ---

    def _run(self) -> None:
        try:
            while not self._ended.is_set():
                began_s = time.monotonic()
                self._step()
                for each in self._leads:
                    each._step()
                time.sleep(max(0.0, STEP_US / 1e6 - (time.monotonic() - began_s)))
        except Exception as error:
            self.failure = error
            raise

    def _step(self) -> None:
        while not self._wishes.empty():
            self._wishes.get()()
        if not self._plugged:
            return
        if not self._pulled:
            self._pass_on()
        self.hub.run_us(STEP_US)
        if self.hub.starts != self._starts:
            self._come_back()

    def _pass_on(self) -> None:
        poll = select.poll()
        poll.register(self._master, select.POLLIN)
        events = dict(poll.poll(0)).get(self._master, 0)
        is_open = not events & select.POLLHUP
        if is_open != self.hub.cdc.dtr:
            self.hub.set_dtr(is_open)
        if events & select.POLLIN:
            with contextlib.suppress(OSError):
                self.hub.send(os.read(self._master, 4096))
        said = self.hub.take()
        if is_open and said:
            self._write(said)

    def _write(self, said: bytes) -> None:
        """A host that does not read lets the terminal fill; then the hub's words wait."""
        with contextlib.suppress(BlockingIOError):
            said = said[os.write(self._master, said) :]
        self.hub.heard[:0] = said

    def _come_back(self) -> None:
        """The hub has restarted by itself: on a real machine the port goes and comes."""
        self._hang_up()
        self.hub.plug_in()
        self.hub.set_dtr(False)
        self._open()

    def _unplug(self) -> None:
        self._plugged = False
        self.hub.restart(power=True)  # it does nothing until it is run again
        self._hang_up()

    def _plug(self) -> None:
        self._come_back()
        self._plugged = True

    def _open(self) -> None:
        self._starts = self.hub.starts
        self._master, slave = os.openpty()
        os.set_blocking(self._master, False)
        tty.setraw(slave)
        self.path.symlink_to(os.ttyname(slave))
        os.close(slave)

    def _hang_up(self) -> None:
        self.path.unlink(missing_ok=True)
        if self._master >= 0:
            os.close(self._master)
            self._master = -1
        self.hub.heard.clear()
