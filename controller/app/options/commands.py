"""The commands in three groups, and what was meant by a word that is none of them.

A file of its own because argparse lists commands in one heap and only says what it does not know.
"""

import argparse
import difflib
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

__all__ = [
    "GROUPS",
    "NO_FACTS",
    "Commands",
    "Parser",
    "add_json",
    "inner_parsers",
    "meant",
    "named",
    "unknown",
]

GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "Play": ("demo", "run", "host", "poster", "history", "games", "tiles"),
    "Build": (
        "setup", "install", "rollback", "uninstall", "backup", "restore", "doctor", "check", "wiring",
        "template", "check-board", "calibrate", "hub", "hotspot", "boards", "completion",
    ),
    "Hack": (
        "export", "replay", "scenario", "study", "perft", "record", "track", "evaluate", "dataset", "plot",
        "routes",
    ),
}  # fmt: skip
NO_FACTS: Final[Mapping[str, str]] = {
    "demo": "its games are in a journal: export, history and replay tell of them",
    "run": "it goes on until it is stopped; /health and /metrics say how it is",
    "poster": "it draws a picture",
    "setup": "it asks people; what they say is in the files that it writes",
    "install": "it says each step as it is done; doctor says how the machine is then",
    "rollback": "as install",
    "uninstall": "as install",
    "template": "it draws a picture",
    "check-board": "it asks people; its --report is JSON",
    "completion": "it prints a script for a shell",
    "hub log": "it shows what comes as it comes",
    "hub flash": "it says each step as it is done; hub info says how the hub is then",
    "record": "its trace is JSON Lines",
    "plot": "it draws a picture",
}
"""The commands without ``--json``, and why."""
_NUMBERS: Final[Mapping[Any, str]] = {int: "a whole number", float: "a number"}
_COLUMN: Final = 17
_WIDTH: Final = 100


class Parser(argparse.ArgumentParser):
    """Reads a command line, and says what was wanted in the place of a word that cannot be taken."""

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        try:
            return super()._get_value(action, arg_string)
        except argparse.ArgumentError as error:
            if action.type in _NUMBERS:
                error.message = f"want {_NUMBERS[action.type]}, found {arg_string!r}"
            raise

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        try:
            super()._check_value(action, value)
        except argparse.ArgumentError as error:
            error.message += meant(str(value), map(str, action.choices or ()))
            raise


class Commands:
    """Adds commands to a parser, and knows what each is for."""

    def __init__(self, parser: argparse.ArgumentParser) -> None:
        self._added = parser.add_subparsers(
            dest="command", metavar="COMMAND", prog=parser.prog, help=argparse.SUPPRESS
        )
        parser.usage = "%(prog)s COMMAND [OPTION …]"
        self._for: dict[str, str] = {}

    def add_parser(self, name: str, *, help: str, **how: Any) -> argparse.ArgumentParser:  # noqa: A002 - as argparse
        """Add a command; ``help`` is its line in the list."""
        self._for[name] = help
        told = how.pop("description", f"{help[0].upper()}{help[1:]}.")
        parser = self._added.add_parser(name, description=told, **how)
        parser.add_argument(
            "--color",
            choices=("auto", "always", "never"),
            default="auto",
            help="colours: on a terminal (auto, unless NO_COLOR is set), always or never",
        )
        return parser

    @property
    def parsers(self) -> Mapping[str, argparse.ArgumentParser]:
        """The parser of each command."""
        return self._added.choices

    @property
    def listed(self) -> str:
        """All commands by group, as the help shows them."""
        return "\n".join(f"{group}:\n{self._lines(names)}" for group, names in GROUPS.items())

    def _lines(self, names: Iterable[str]) -> str:
        return "".join(f"{self._line(name)}\n" for name in names)

    def _line(self, name: str) -> str:
        begins, below = f"    {name} ".ljust(_COLUMN), " " * _COLUMN
        return textwrap.fill(self._for[name], _WIDTH, initial_indent=begins, subsequent_indent=below)


def add_json(parser: argparse.ArgumentParser) -> None:
    """Let a command print its facts as one JSON document (``workshop/documents.py``)."""
    parser.add_argument(
        "--json", action="store_true", help="one JSON document for programs instead of text for people"
    )


def meant(word: str, known: Iterable[str]) -> str:
    """Return a question about what was meant, or nothing if no known word is near.

    >>> meant("dmeo", ("demo", "run"))
    '; did you mean demo?'
    >>> meant("xyz", ("demo", "run"))
    ''
    """
    near = difflib.get_close_matches(word, list(known), n=2)
    return f"; did you mean {' or '.join(near)}?" if near else ""


def unknown(parser: argparse.ArgumentParser, left: Sequence[str]) -> str:
    """Return what to say about words that nobody has taken."""
    option = next((word.partition("=")[0] for word in left if word.startswith("-")), "")
    told = meant(option, _options(parser)) if option else ""
    return f"want nothing of this: {' '.join(left)}{told}"


def named(parser: argparse.ArgumentParser, words: Sequence[str]) -> argparse.ArgumentParser:
    """Return the parser of the innermost command that is named: of ``hub flash x`` that of ``flash``."""
    inner = inner_parsers(parser)
    at = next((at for at, word in enumerate(words) if word in inner), None)
    return parser if at is None else named(inner[words[at]], words[at + 1 :])


def inner_parsers(parser: argparse.ArgumentParser) -> Mapping[str, argparse.ArgumentParser]:
    """Return the commands of a command by their names; those of most are none."""
    for action in parser._actions:  # noqa: SLF001 - argparse has no other way to list them
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001
            return dict(action.choices)
    return {}


def _options(parser: argparse.ArgumentParser) -> tuple[str, ...]:
    """Return the long options of a command, as its own help spells them."""
    words = parser.format_help().replace(",", " ").replace("[", " ").split()
    return tuple(dict.fromkeys(word for word in words if word.startswith("--")))
