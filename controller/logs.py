"""Logs: one line per event, as text or JSON, to standard error. A log line never names a hidden tile.

Where standard error is systemd's journal, each line begins with its priority (sd-daemon(3)), so that
``journalctl --priority warning`` shows what went wrong and nothing else.
A file of its own because what a log may say is a rule for all rooms; benchmarks set up logs like the service.
"""

import json
import logging
import os
import re
import sys
from collections.abc import Mapping
from typing import Any, Final, TextIO

__all__ = ["mark_errors", "set_up_logs"]

_PLAIN: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}
_PRIORITIES: Final = ((logging.CRITICAL, 2), (logging.ERROR, 3), (logging.WARNING, 4), (logging.INFO, 6))
_DEBUG: Final = 7
_MARKED: Final = re.compile("<[0-7]>")


class _JsonLines(logging.Formatter):
    """Formats a record as one JSON object: time, level, logger, message, and any extra fields."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        line |= {key: value for key, value in vars(record).items() if key not in _PLAIN}
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


class _WithPriorities(logging.Formatter):
    """Puts a record's priority before each of its lines, as to the journal each is an entry of its own."""

    def __init__(self, inner: logging.Formatter) -> None:
        super().__init__()
        self._inner = inner

    def format(self, record: logging.LogRecord) -> str:
        priority = next((number for level, number in _PRIORITIES if record.levelno >= level), _DEBUG)
        return "\n".join(f"<{priority}>{line}" for line in self._inner.format(record).splitlines())


class _Errors:
    """A stream whose lines are errors unless they begin with a priority: a traceback, or wrong settings."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._begins = True

    def write(self, text: str) -> int:
        for line in text.splitlines(keepends=True):
            if self._begins and not _MARKED.match(line):
                self._stream.write("<3>")
            self._stream.write(line)
            self._begins = line.endswith("\n")
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def mark_errors(environment: Mapping[str, str] = os.environ) -> None:
    """Where standard error is systemd's journal, let what is no log line be an error there."""
    if _is_journal(sys.stderr, environment):
        sys.stderr = _Errors(sys.stderr)  # type: ignore[assignment]


def _is_journal(stream: TextIO, environment: Mapping[str, str]) -> bool:
    """Whether a stream is the one that systemd has named as the journal's, by device and inode."""
    told = environment.get("JOURNAL_STREAM")
    if not told:
        return False
    try:
        found = os.fstat(stream.fileno())
    except (OSError, ValueError):  # closed, or no file at all
        return False
    return told == f"{found.st_dev}:{found.st_ino}"


def set_up_logs(level: str, form: str, environment: Mapping[str, str] = os.environ) -> None:
    """Send logs of ``level`` and above to standard error, as ``text`` or ``json``."""
    handler = logging.StreamHandler(sys.stderr)
    formatter = (
        _JsonLines()
        if form == "json"
        else logging.Formatter("%(asctime)s %(levelname)-7s %(message)s", "%H:%M:%S")
    )
    handler.setFormatter(_WithPriorities(formatter) if _is_journal(sys.stderr, environment) else formatter)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    logging.getLogger("websockets").setLevel("WARNING")
    logging.getLogger("asyncio").setLevel("WARNING")
