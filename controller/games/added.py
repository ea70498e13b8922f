"""What packages of anybody's own add by entry points: found without importing, and imported with care."""

import functools
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["BrokenPackageError", "imported", "package_of", "points"]


class BrokenPackageError(ImportError):
    """What an entry point names cannot be imported; the message says why."""


def points(group: str) -> "Iterable[EntryPoint]":
    """Return all entry points of a group in other packages, as they were when somebody first looked."""
    return _points(group, tuple(sys.path))


@functools.lru_cache(maxsize=32)
def _points(group: str, _where: tuple[str, ...]) -> "Iterable[EntryPoint]":
    """Look for them once in these folders: reading what every installed package says takes a while."""
    from importlib.metadata import entry_points  # noqa: PLC0415 - slow, and few tables need it

    return entry_points(group=group)


def package_of(point: "EntryPoint") -> str:
    """Return the package that brings an entry point, as ``light-the-ring 0.1.0``."""
    return f"{point.dist.name} {point.dist.version}" if point.dist is not None else point.value


def imported(point: "EntryPoint") -> object:
    """Return what an entry point names: whatever its package does then is its own mistake, and not ours.

    Raises:
        BrokenPackageError: it cannot be imported.
    """
    try:
        found: object = point.load()
    except (Exception, SystemExit) as error:
        raise BrokenPackageError(f"it cannot be imported: {type(error).__name__}: {error}") from error
    return found
