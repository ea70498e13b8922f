"""``hextraction completion``: what bash, zsh and fish read to complete commands, options and names.

The scripts are made by shtab when the documentation is (``docs/completions.py``) and shipped as they are: so
the Tab key starts no Python, which takes a Raspberry Pi half a second.
"""

import argparse
from importlib.resources import files

__all__ = ["run", "script"]


def run(options: argparse.Namespace) -> int:
    """Print the script of a shell."""
    print(script(options.shell), end="")
    return 0


def script(shell: str) -> str:
    """Return the script of ``bash``, ``zsh`` or ``fish``."""
    return (
        files("hextraction.controller.app").joinpath("completions", f"hextraction.{shell}").read_text("utf-8")
    )
