"""``hextraction`` as a process that may be killed, again and again, without importing everything each time.

Run as a program it imports what the demo needs, and then, for each line on standard input, forks a process that
runs the words of that line. :class:`WarmStart` is the test's side of it.
"""

import json
import os
import select
import signal
import subprocess
import sys
from pathlib import Path

__all__ = ["Child", "WarmStart"]


class WarmStart:
    """Starts processes one after the other; use it with ``with``. What they say goes into ``folder``."""

    def __init__(self, folder: Path, env: dict[str, str] | None = None) -> None:
        self.folder = folder
        self.program = subprocess.Popen(
            [sys.executable, __file__, str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            env={**os.environ, **(env or {}), "PYTHONUNBUFFERED": "1"},
        )

    def __enter__(self):
        return self

    def __exit__(self, *_exc):
        self.program.stdin.close()
        self.program.wait(30)
        self.program.stdout.close()

    def start(self, *words):
        """Start ``hextraction`` with these words; the one before must have ended."""
        for name in ("out", "err"):
            (self.folder / name).write_text("")
        self.program.stdin.write(json.dumps([str(word) for word in words]).encode() + b"\n")
        return Child(self, int(self.program.stdout.readline()))


class Child:
    """One process."""

    def __init__(self, start: WarmStart, pid: int) -> None:
        self.start, self.pid = start, pid
        self.status = None
        """Its exit status once it has ended; the negative number of a signal that ended it."""

    def ends(self, within_s):
        """Let so much time pass, or less if it ends; return whether it has ended."""
        said = self.start.program.stdout
        if self.status is None and select.select([said], [], [], within_s)[0]:
            self.status = int(said.readline())
        return self.status is not None

    def kill(self):
        """Kill it for good, and wait until it is gone."""
        if not self.ends(0):
            os.kill(self.pid, signal.SIGKILL)
        assert self.ends(30)

    @property
    def words(self):
        """What it has said, on standard output and on standard error."""
        return tuple((self.start.folder / name).read_text() for name in ("out", "err"))


def main():
    """Fork a process for each line, say its number, and its status when it has ended."""
    folder = Path(sys.argv[1])
    from hextraction.controller.app import demo, page  # noqa: F401, PLC0415 - this is what shall be warm

    for line in sys.stdin:
        pid = os.fork()
        if not pid:
            sys.exit(run(json.loads(line), folder))
        tell(pid)
        tell(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))


def tell(number):
    """Write a number to the test."""
    sys.stdout.write(f"{number}\n")
    sys.stdout.flush()


def run(words, folder):
    """Be ``hextraction``; return the exit status."""
    from hextraction.controller.app import main as hextraction  # noqa: PLC0415 - only the program needs it

    for number, name in enumerate((os.devnull, folder / "out", folder / "err")):
        os.dup2(os.open(name, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600), number)
    return hextraction(words)


if __name__ == "__main__":
    main()
