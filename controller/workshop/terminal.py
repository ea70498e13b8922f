"""What commands give a terminal besides sentences: one JSON document, colours, and bars for long works.

A file of its own because commands of two rooms do so. Bars and colours are for people who look on: no pipe
and no file ever gets any.
"""

import argparse
import json
import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import contextmanager
from typing import Any, Final, Literal, TextIO, TypeVar

import msgspec

__all__ = ["Colour", "Ink", "progress", "remark", "tell", "working"]

T = TypeVar("T")
Colour = Literal["auto", "always", "never"]
_AFTER_S: Final = 2.0
"""What is done by then needs no bar."""
_GOOD, _BAD, _FAINT = "32", "31", "2"


def tell(document: object) -> None:
    """Print facts as the one JSON document of a run; in ASCII, so that it is the same in any locale."""
    print(json.dumps(json.loads(msgspec.json.encode(document)), indent=1))


class Ink:
    """Colours for one stream, if ``--color`` and the environment want any there (https://no-color.org)."""

    def __init__(self, options: argparse.Namespace, stream: TextIO) -> None:
        wanted: Colour = getattr(options, "color", "auto")
        plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
        self._on = wanted == "always" or (wanted == "auto" and not plain and stream.isatty())

    def good(self, text: str) -> str:
        """Return what is well, in green."""
        return self._in(_GOOD, text)

    def bad(self, text: str) -> str:
        """Return what is wrong, in red."""
        return self._in(_BAD, text)

    def faint(self, text: str) -> str:
        """Return what matters less."""
        return self._in(_FAINT, text)

    def _in(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self._on and text else text


@contextmanager
def working(
    total: float | None, unit: str, *, stream: TextIO | None = None, after_s: float | None = None
) -> Iterator[Callable[[float], Any]]:
    """Show while the block runs how much of a work is done, and how long the rest will take.

    The block says by the function that it gets how much more is done; ``total`` is all of it, if known.
    Only on a terminal, and only once the work has taken two seconds (``after_s``).
    """
    out = sys.stderr if stream is None else stream
    if not out.isatty():
        yield lambda _more: None
        return
    from tqdm import tqdm  # noqa: PLC0415 - a fifth of a second that only those who look on have to wait

    tqdm.monitor_interval = 0  # no thread of its own: what we do says often enough how far it is
    tqdm.set_lock(
        threading.RLock()
    )  # its own is one between processes, which a pool of workers would inherit
    scale = unit == "B"
    delay_s = _AFTER_S if after_s is None else after_s
    with tqdm(
        total=total, unit=unit if scale else f" {unit}", unit_scale=scale, unit_divisor=1024, delay=delay_s,
        file=out, leave=False, dynamic_ncols=True, mininterval=0.2,
    ) as bar:  # fmt: skip
        yield bar.update


def progress(work: Iterable[T], unit: str, *, total: int | None = None) -> Iterator[T]:
    """Yield each part of a long work, and show how far it is; ``total`` is how many parts there are."""
    many = len(work) if total is None and isinstance(work, Sized) else total
    with working(many, unit) as done:
        for part in work:
            yield part
            done(1)


def remark(text: str) -> None:
    """Say a line on standard error in the middle of a work, above its bar."""
    if not sys.stderr.isatty():
        print(text, file=sys.stderr, flush=True)
        return
    from tqdm import tqdm  # noqa: PLC0415 - as above

    tqdm.write(text, file=sys.stderr)
