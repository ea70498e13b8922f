"""Logs: one line per event, as text or JSON, to standard error. A log line never names a hidden tile.

A file of its own because what a log may say is a rule for all rooms; benchmarks set up logs like the service.
"""

import json
import logging
import sys
from typing import Any, Final

__all__ = ["set_up_logs"]

_PLAIN: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


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


def set_up_logs(level: str, form: str) -> None:
    """Send logs of ``level`` and above to standard error, as ``text`` or ``json``."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        _JsonLines()
        if form == "json"
        else logging.Formatter("%(asctime)s %(levelname)-7s %(message)s", "%H:%M:%S")
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    logging.getLogger("websockets").setLevel("WARNING")
    logging.getLogger("asyncio").setLevel("WARNING")
