"""The program itself: the command line in a process of its own, started, read, stopped or killed."""

import contextlib
import os
import re
import signal
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

__all__ = ["Process", "asked", "entries", "moves", "process"]

START = "import sys; from hextraction.controller.app import main; sys.exit(main())"
READY_S = 90
SLOW_S = 60


class Process:
    """``hextraction`` as a child process: started, read, stopped or killed."""

    def __init__(self, *words, env=None):
        self.begin([sys.executable, "-c", START, *map(str, words)], {**os.environ, **(env or {})})
        assert self.ready.wait(READY_S), self.words

    def begin(self, command, env):
        """Start it, and read what it says."""
        self.child = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**env, "PYTHONUNBUFFERED": "1"},
        )
        self.said = []
        self.ready = threading.Event()
        """Set when the table is open, and when it has ended."""
        self.readers = [
            threading.Thread(target=self._read, args=(stream,), daemon=True)
            for stream in (self.child.stdout, self.child.stderr)
        ]
        for reader in self.readers:
            reader.start()

    def _read(self, stream):
        for line in stream:
            self.said.append(line)
            if "Everybody may watch" in line:
                self.ready.set()
        self.ready.set()

    @property
    def words(self):
        """Everything that it has printed."""
        return "".join(self.said)

    @property
    def is_open(self):
        """Whether its table is open, as it says."""
        return "Everybody may watch" in self.words and self.child.poll() is None

    @property
    def url(self):
        """The page's address, as it says."""
        return re.search(r"open at\s+(\S+)", self.words)[1]

    @property
    def code(self):
        """The code for new players, as it says."""
        return re.search(r"take a seat:\s+(\S+)", self.words)[1]

    @property
    def broker(self):
        """The process number of its Mosquitto."""
        own = self.child.pid
        children = Path(f"/proc/{own}/task/{own}/children").read_text().split()
        names = {int(pid): Path(f"/proc/{pid}/comm").read_text().strip() for pid in children}
        return next(pid for pid, name in names.items() if name == "mosquitto")

    def wait(self):
        """Wait until it ends by itself; return its status."""
        status = self.child.wait(SLOW_S)
        self._close()
        return status

    def stop(self, number=signal.SIGTERM):
        """Stop it; return its status."""
        if self.child.poll() is None:
            self.child.send_signal(number)
        try:
            return self.wait()
        except subprocess.TimeoutExpired:
            self.child.kill()
            raise

    def _close(self):
        for reader in self.readers:
            reader.join(5)
        self.child.stdout.close()
        self.child.stderr.close()


@contextlib.contextmanager
def process(*words):
    """Run ``hextraction`` for as long as the block runs."""
    running = Process(*words)
    try:
        yield running
    finally:
        running.stop()
    assert "Traceback" not in running.words, running.words


def entries(journal):
    """Return how many entries a journal holds."""
    return asked(journal, "SELECT count(*) FROM entry")[0][0]


def asked(journal, question, *values):
    """Ask a journal that is being written."""
    with contextlib.closing(sqlite3.connect(f"file:{journal}?mode=ro", uri=True, timeout=30)) as reader:
        return reader.execute(question, values).fetchall()


def moves(journal):
    """Return what phones have done in the game: bots have none."""
    acts = "SELECT DISTINCT json_extract(body, '$.act.do') FROM entry WHERE json_extract(body, '$.command') != ''"
    return {act for (act,) in asked(journal, acts)}
