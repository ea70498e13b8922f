"""The program's version: a file of its own, as every room may say it and none should load another for it."""

from typing import Final

__all__ = ["VERSION", "software"]

VERSION: Final = "1.0.0"
"""That of pyproject.toml, which a test compares: the installed package's metadata takes 15 ms to ask."""


def software() -> str:
    """Return the product's name and version."""
    return f"hextraction {VERSION}"
