"""Notify systemd of the service's state: ready, alive, stopping, and one line of status.

systemd names a datagram socket in ``NOTIFY_SOCKET`` and the watchdog's period in ``WATCHDOG_USEC``
(sd_notify(3)). Without them, on a terminal or under another supervisor, nothing is sent. A dead socket never
stops the table. A file of its own because it alone speaks systemd's protocol.
"""

import contextlib
import os
import socket
from collections.abc import Mapping, MutableMapping

__all__ = ["Supervisor"]

_BEATS_IN_A_PERIOD = 4
_NAMES = ("NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID")


class Supervisor:
    """The supervisor that started the service; tests pass their own ``environment``.

    Its variables are removed from the environment: a child such as Mosquitto would report that *it* is ready.
    """

    def __init__(self, environment: MutableMapping[str, str] = os.environ) -> None:
        told = {name: environment.pop(name, "") for name in _NAMES}
        self._address = _address(told["NOTIFY_SOCKET"])
        self._beat_us = _period_us(told) // _BEATS_IN_A_PERIOD
        self._next_us = 0

    def ready(self, status: str) -> None:
        """Report that the service is up; ``status`` is shown by ``systemctl status``."""
        self._send(f"READY=1\nSTATUS={' '.join(status.split())}")  # a line's end would begin another word

    def alive(self, now_us: int) -> None:
        """Report that the loop is running. May be called often: it sends four times per watchdog period."""
        if self._beat_us and now_us >= self._next_us:
            self._next_us = now_us + self._beat_us
            self._send("WATCHDOG=1")

    def stopping(self) -> None:
        """Report that the service is stopping."""
        self._send("STOPPING=1\nSTATUS=Stopping: outputs off.")

    def _send(self, words: str) -> None:
        if not self._address:
            return
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as out:
            out.settimeout(0)
            out.sendto(words.encode(), self._address)


def _address(named: str) -> str:
    """Return the socket's address; a leading ``@`` marks a Linux abstract name."""
    return f"\0{named[1:]}" if named.startswith("@") else named


def _period_us(environment: Mapping[str, str]) -> int:
    """Return the watchdog period, 0 for none; a period meant for another process is ignored."""
    period, owner = environment["WATCHDOG_USEC"], environment["WATCHDOG_PID"]
    meant_for_us = not owner or owner == str(os.getpid())
    return int(period) if period.isdecimal() and meant_for_us else 0
