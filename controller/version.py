"""The program's version, and how to install more of it: every room may ask, and none load another for it."""

import shlex
import sys
from typing import Final

__all__ = ["VERSION", "how_to_install", "software"]

VERSION: Final = "1.0.0"
"""That of pyproject.toml, which a test compares: the installed package's metadata takes 15 ms to ask."""


def software() -> str:
    """Return the product's name and version."""
    return f"hextraction {VERSION}"


def how_to_install(extra: str) -> str:
    """Return the command that brings an extra to the Python that runs; ``pip`` alone may be another's."""
    return shlex.join([sys.executable, "-m", "pip", "install", f"hextraction[{extra}]"])
