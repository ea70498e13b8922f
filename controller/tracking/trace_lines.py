"""One line of a trace: a JSON object in which no key stands twice, told from other lines by its keys."""

import json
import re
from typing import Any, TypeVar

import msgspec

__all__ = ["LineError", "begins_trace", "is_release", "is_truth", "read_line"]

T = TypeVar("T")


class LineError(ValueError):
    """A line is not what was wanted; the message says why."""


def read_line(line: str, kind: type[T]) -> T:
    """Read a line as an object of a kind.

    Raises:
        LineError: it is no such object, or a key stands in it twice.
    """
    try:
        found = msgspec.json.decode(line, type=kind)
        # msgspec takes the last of two equal keys without a word.
        json.loads(line, object_pairs_hook=_once)
    except RecursionError:
        raise LineError("brackets are nested too deeply") from None
    except (msgspec.DecodeError, ValueError) as error:
        raise LineError(str(error)) from None
    return found


def begins_trace(line: str) -> bool:
    """Whether a line is the first of a trace."""
    return _has(line, "trace")


def is_truth(line: str) -> bool:
    """Whether a line says what really happened."""
    return _has(line, "truth") and not begins_trace(line)


def is_release(line: str) -> bool:
    """Whether a line announces a release."""
    return _has(line, "release")


def _has(line: str, key: str) -> bool:
    """Whether a line has this key. One that begins with it is meant so, even if the rest is broken."""
    if f'"{key}"' not in line:
        return False
    if re.match(rf'\s*\{{\s*"{key}"\s*:', line):
        return True
    try:
        return key in msgspec.json.decode(line, type=dict[str, msgspec.Raw])
    except (msgspec.DecodeError, RecursionError):
        return False


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _value in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise LineError(f"want each key once, found {twice!r} twice")
    return found
