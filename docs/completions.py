"""Completion scripts for shells, made by shtab from the program's own parser."""

import argparse
import copy
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import shtab
from hextraction.board.profile import board_names
from hextraction.controller.app.command_line import command_parser
from hextraction.controller.app.options.commands import GROUPS, inner_parsers
from hextraction.controller.games.hextraction.cards.tilebook import load_tiles
from hextraction.controller.games.registry import comes_from, kinds

__all__ = ["SHELLS", "completions"]

SHELLS: Final = ("bash", "zsh", "fish")
_FOLDER: Final = Path(__file__).parents[1] / "controller" / "app" / "completions"
_FOLDERS: Final = frozenset({"DIR", "FOLDER"})


def completions() -> Mapping[Path, str]:
    """Return the script of each shell by the file that it is shipped in."""
    return {_FOLDER / f"hextraction.{shell}": _script(shell) for shell in SHELLS}


def _script(shell: str) -> str:
    parser, commands = copy.deepcopy(command_parser())  # of our own: what fits is said to it below
    names = [name for group in GROUPS.values() for name in group]
    _list_all(parser, {name: commands.parsers[name].description or "" for name in names})
    for each in _every(parser):
        for action in each._actions:  # noqa: SLF001 - argparse has no other way to list them
            _say_what_fits(each, action)
    made: str = shtab.complete(parser, shell)
    return made


def _list_all(parser: argparse.ArgumentParser, told: Mapping[str, str]) -> None:
    """Let argparse list the commands, which we otherwise list in groups of our own."""
    for action in parser._actions:  # noqa: SLF001
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001
            action.help = "what to do"
            for name, help_ in told.items():
                listed = action._ChoicesPseudoAction(name, (), help_)  # noqa: SLF001
                action._choices_actions.append(listed)  # noqa: SLF001


def _every(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    yield parser
    for inner in inner_parsers(parser).values():
        yield from _every(inner)


def _say_what_fits(parser: argparse.ArgumentParser, action: argparse.Action) -> None:
    """Let a shell offer files, folders, or the names of boards, games and tiles that are shipped."""
    if action.choices is not None or action.nargs == 0:
        return
    word, command = str(action.metavar or action.dest), parser.prog.split()[-1]
    if "--board" in action.option_strings or word == "BOARD" or (command == "boards" and word == "NAME"):
        action.choices = board_names()
    elif word == "KIND":
        action.choices = tuple(kind for kind in kinds() if not comes_from(kind))
    elif command == "tiles" and word == "NAME":
        action.choices = sorted(name for name, tile in load_tiles().items() if tile.creator)
    elif action.type is Path:
        action.complete = shtab.DIRECTORY if word in _FOLDERS else shtab.FILE  # type: ignore[attr-defined]
