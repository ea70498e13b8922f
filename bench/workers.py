"""Workers: each side runs in a process of its own and plays a pass when it is told.

Rules of this room: they take turns, pass by pass; one line a question, one JSON object a line as answer;
standard error goes to a file, as a service's does; a worker silent for two minutes has failed.
"""

import json
import select
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from bench.mpf_machine import write_machine

__all__ = ["MPF_PYTHON", "Worker", "mpf_present", "mpf_worker", "our_worker"]

ROOT = Path(__file__).resolve().parents[1]
BENCH = ROOT / "bench"
MPF_PYTHON = ROOT / ".bench-venv" / "bin" / "python"
_PATIENCE_S = 120


class Worker:
    """One side of a comparison. Use as a context manager."""

    def __init__(self, command: Sequence[str | Path], log: Path) -> None:
        self._log = log
        self._errors = log.open("w")
        self._process = subprocess.Popen(
            [str(part) for part in command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            cwd=ROOT,
        )
        self.hello = self._answer()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._errors.close()

    def ask(self, question: str) -> dict[str, list[float]]:
        """Let it play one pass; return its samples.

        Raises:
            RuntimeError: it died or hung; the message has the end of its log.
        """
        if self._process.stdin is not None:
            self._process.stdin.write(f"{question}\n")
            self._process.stdin.flush()
        return self._answer()

    def _answer(self) -> dict[str, Any]:
        out, line = self._process.stdout, ""
        if out is not None and select.select([out], [], [], _PATIENCE_S)[0]:
            line = out.readline()
            if line.startswith("{"):
                answer: dict[str, Any] = json.loads(line)
                return answer
        self._process.kill()
        raise RuntimeError(f"a worker failed, having said {line!r}:\n{self._log.read_text()[-2000:]}")


def our_worker(folder: Path, recordings: Path) -> Worker:
    """Start our side on a journal of its own."""
    return Worker(
        [sys.executable, "-m", "bench.our_worker", folder / "journal.db", recordings], folder / "ours.log"
    )


def mpf_present() -> bool:
    """Whether Mission Pinball Framework is installed where `make bench` puts it."""
    return MPF_PYTHON.exists()


def mpf_worker(folder: Path, mode: str, *, counters: bool = False) -> Worker:
    """Start Mission Pinball Framework on a machine of its own; ``mode`` is ``default`` or ``production``."""
    name = f"mpf-{mode}{'-counters' if counters else ''}"
    machine = write_machine(folder / name, counters=counters)
    command: list[str | Path] = [
        MPF_PYTHON,
        BENCH / "mpf_worker.py",
        machine,
        folder / f"{name}-file.log",
        mode,
    ]
    return Worker(command, folder / f"{name}.log")
