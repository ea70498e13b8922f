"""Claiming a journal for one process: two tables that write into one would mix their games."""

import fcntl
from pathlib import Path
from typing import TextIO

__all__ = ["TakenError", "claim"]


class TakenError(Exception):
    """Another process holds the claim."""


def claim(path: str) -> TextIO:
    """Claim a file until the returned one is closed or the process ends, however it ends.

    Raises:
        TakenError: another process plays on it.
    """
    held = Path(f"{path}.lock").open("w", encoding="ascii")  # noqa: SIM115 - held until the caller closes it
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        held.close()
        raise TakenError(f"{path}: another table plays on this journal") from None
    return held
