"""The program as a fork of one that has imported everything: a thousand starts cost little.

Of its own because only who starts it hundreds of times wants it: what is imported once is not what a start does.
"""

import os
import signal
import time

from helpers.program import READY_S, SLOW_S, Process
from helpers.warm_start import WarmStart

__all__ = ["WarmProcess"]


class _Forked:
    """As much of ``subprocess.Popen`` as is needed of a process that somebody else has forked."""

    def __init__(self, child) -> None:
        self.forked, self.pid = child, child.pid

    def poll(self):
        """Return the exit status, or None."""
        self.forked.ends(0)
        return self.forked.status

    def wait(self, within_s):
        """Wait until it has ended; return its status."""
        if not self.forked.ends(within_s):
            raise TimeoutError
        return self.forked.status

    def send_signal(self, number):
        """Send it a signal, if it lives."""
        if self.poll() is None:
            os.kill(self.pid, number)


class WarmProcess(Process):
    """``hextraction`` as :class:`Process` has it."""

    def __init__(self, warm: WarmStart, *words) -> None:
        self.child = _Forked(warm.start(*words))
        until_s = time.monotonic() + READY_S
        while not (self.is_open or self.child.poll() is not None):
            assert time.monotonic() < until_s, self.words
            time.sleep(0.005)

    @property
    def words(self):
        """Everything that it has printed."""
        return "".join(self.child.forked.words)

    def wait(self):
        """Wait until it ends by itself; return its status."""
        return self.child.wait(SLOW_S)

    def stop(self, number=signal.SIGTERM):
        """Stop it; return its status."""
        self.child.send_signal(number)
        return self.wait()
