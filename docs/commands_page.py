"""Every command of the command line as a page: what it is for, an example, its options."""

import argparse
import importlib
from collections.abc import Iterator, Mapping
from typing import Any, Final

from hextraction.controller.app.command_line import command_parser
from hextraction.controller.app.options.commands import GROUPS, inner_parsers
from hextraction.controller.workshop import documents
from msgspec import inspect

__all__ = ["EXAMPLES", "commands_page"]

EXAMPLES: Final[Mapping[str, tuple[str, str]]] = {
    "setup": (
        "setup --folder my-board",
        "a page asks what you built; the settings come into that folder",
    ),
    "demo": ("demo --games 1 --speed 0 --seed 7", "one game by bots as fast as it goes, and how it ended"),
    "run": ("run --no-electronics", "a table for an ordinary board; Ctrl-C ends it"),
    "host": ("host players", "who is at the table that runs on this machine"),
    "poster": ("poster --config club.toml --output poster.svg", "a page for the wall, with the table's code"),
    "history": ("history", "the games that were played here"),
    "games": ("games", "the games that can be played"),
    "tiles": ("tiles seek", "the card of one tile"),
    "install": ("install --build hub-lean --dry-run", "every step that would be taken, and nothing done"),
    "rollback": ("rollback --dry-run", "how the version before would come back"),
    "uninstall": ("uninstall --dry-run", "what would be taken away"),
    "backup": ("backup --output monday.tar.gz", "one file with all that this board knows"),
    "restore": ("restore monday.tar.gz", "the same games, settings, tiles and keys on another machine"),
    "doctor": ("doctor", "one line for everything that a board needs"),
    "check": ("check club.toml", "every mistake in a file at once"),
    "wiring": ("wiring wiring/hub-lean.toml --out plans", "pin tables, harness, parts and checklist"),
    "template": ("template --a4 --out pages", "what you will drill, on A4 pages"),
    "check-board": (
        "check-board --simulated --only ramp --pace 0 --no-page",
        "the walk over a board, without one",
    ),
    "calibrate": ("calibrate wiring/hub-lean.toml rolls.jsonl", "better times for the sensors of a wiring"),
    "hub": ("hub info", "version, state and counters of the sensor hub"),
    "hotspot": ("hotspot status", "whether the Pi is its own Wi-Fi now"),
    "boards": ("boards standard-22", "a board as text, with its ramps and end zones"),
    "export": ("export", "the games of the journal; with a name, that game as JSON Lines"),
    "replay": ("replay game.jsonl", "how an exported game stands at its end"),
    "scenario": ("scenario tests/scenarios/turns.scenario", "rules tried as text"),
    "study": ("study --games 20", "bots play twenty games: lengths, winners, endings"),
    "perft": ("perft hextris --depth 2", "in how many ways a game can begin"),
    "record": ("record rolls.jsonl --rolls 3", "the sensors' edges of three simulated rolls"),
    "track": ("track rolls.jsonl", "what the tracker makes of them, a fact a line"),
    "evaluate": ("evaluate labelled.jsonl", "how often the tracker was right about labelled rolls"),
    "dataset": ("dataset labelled.jsonl --rolls 5", "five simulated rolls, with what truly happened"),
    "plot": ("plot rolls.jsonl", "each roll as a picture beside the trace"),
    "completion": ("completion bash", "what a shell has to read to complete commands with the Tab key"),
    "routes": ("routes --check", "whether the tables of all tiles are there and fresh"),
}
"""Of each command: what to type after `hextraction`, and what comes of it."""
_HEAD: Final = """\
# Commands

Made by `make docs` from the program itself. Everything is one program, `hextraction COMMAND`: in a checkout
`.venv/bin/hextraction`. `hextraction COMMAND --help` says the same as this page. A mistake of yours ends with
a sentence and status 2; what may pass by itself, such as a full disk, with 75.

With `--json` a command that prints facts prints them as one JSON document instead, whatever it finds; its
exit status is the same, and what goes to standard error stays for people. Fields may be added; none goes or
changes its meaning before the first number of the version does.

Colours are for terminals, and so are the bars that say how far a long work is. Every command takes
`--color always` and `--color never`; without, `NO_COLOR` is respected.

The Tab key completes commands, options and names once the installer was there (`hextraction install`).
Without it:

    hextraction completion bash >~/.local/share/bash-completion/completions/hextraction
    hextraction completion zsh >~/.local/share/zsh/site-functions/_hextraction
    hextraction completion fish >~/.config/fish/completions/hextraction.fish
"""
_MANY: Final = 8
"""A document with a tagged part of more kinds than that shows its tag alone."""


def commands_page() -> str:
    """Return the page."""
    parsers = command_parser()[1].parsers
    return "\n".join([_HEAD, *(line for group in GROUPS for line in _group(group, parsers))])


def _group(group: str, parsers: Mapping[str, argparse.ArgumentParser]) -> Iterator[str]:
    yield f"## {group}\n"
    for name in GROUPS[group]:
        yield f"### {name}\n"
        yield from _command(name, parsers[name])


def _command(name: str, parser: argparse.ArgumentParser) -> Iterator[str]:
    yield f"{_text(parser.description or '')}\n"
    example, what = EXAMPLES[name]
    yield f"    hextraction {example}\n"
    yield f"{what[0].upper()}{what[1:]}.\n"
    rows = list(_rows(parser))
    if rows:
        yield "| argument | what it is |\n|---|---|"
        yield "\n".join(rows) + "\n"
    for document in (name, *(f"{name} {inner}" for inner in inner_parsers(parser))):
        if document in documents.DOCUMENTS:
            yield from _document(document)


def _document(command: str) -> Iterator[str]:
    """Yield what a command prints with ``--json``."""
    module, _, name = documents.DOCUMENTS[command].rpartition(":")
    found: Any = getattr(importlib.import_module(module) if module else documents, name)
    told = getattr(found, "__args__", (found,))[-1].__doc__ or ""
    yield f"`hextraction {command} --json`: {_text(told.partition(chr(10) * 2)[0].replace('``', '`'))}\n"
    yield f"```text\n{_shape(inspect.type_info(found), '')}\n```\n"


def _shape(kind: inspect.Type, margin: str) -> str:
    """Return what JSON of a type looks like, with words where values stand."""
    match kind:
        case inspect.StructType(fields=fields) | inspect.DataclassType(fields=fields):
            tagged = getattr(kind, "tag_field", None)
            inner = [f'{margin}  "{tagged}": "{getattr(kind, "tag", "")}"'] if tagged else []
            inner += [f'{margin}  "{one.encode_name}": {_shape(one.type, margin + "  ")}' for one in fields]
            return "{\n" + ",\n".join(inner) + f"\n{margin}}}"
        case inspect.ListType(item_type=item) | inspect.VarTupleType(item_type=item):
            return f"[{_shape(item, margin)}, …]"
        case inspect.TupleType(item_types=items):
            return f"[{', '.join(_shape(item, margin) for item in items)}]"
        case inspect.DictType(value_type=value):
            return f'{{"…": {_shape(value, margin)}, …}}'
        case inspect.UnionType(types=types):
            return _one_of(types, margin)
        case inspect.LiteralType(values=values):
            return " or ".join(f'"{value}"' for value in values)
        case inspect.EnumType(cls=values):
            return " or ".join(f'"{one.value}"' for one in values)
    return _WORDS[type(kind)]


def _one_of(types: tuple[inspect.Type, ...], margin: str) -> str:
    if len(types) > _MANY and all(isinstance(one, inspect.StructType) for one in types):
        tags = [f'"{one.tag}"' for one in types if isinstance(one, inspect.StructType)]
        field = next(one.tag_field for one in types if isinstance(one, inspect.StructType))
        return f'{{"{field}": {" or ".join(tags)}, …}}'
    return " or ".join(_shape(one, margin) for one in types)


_WORDS: Final[Mapping[type[inspect.Type], str]] = {
    inspect.AnyType: "anything",
    inspect.BoolType: "true or false",
    inspect.FloatType: "number",
    inspect.IntType: "whole number",
    inspect.NoneType: "null",
    inspect.StrType: "text",
}


def _rows(parser: argparse.ArgumentParser) -> Iterator[str]:
    for action in parser._actions:  # noqa: SLF001 - argparse has no other way to list them
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001
            for choice in action._choices_actions:  # noqa: SLF001
                yield f"| `{choice.dest}` | {_text(choice.help or '')} |"
        elif not isinstance(action, argparse._HelpAction) and action.dest != "color":  # noqa: SLF001
            yield f"| {_spelled(action)} | {_text(action.help or '')} |"


def _spelled(action: argparse.Action) -> str:
    """Return how an argument is written, with what it takes."""
    many = " …" if action.nargs in {"+", "*"} else ""
    if action.choices is not None and not action.metavar:
        takes = "{" + ",".join(map(str, action.choices)) + "}"
    else:
        takes = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    if not action.option_strings:
        return f"`{takes}{many}`".replace("|", "\\|")
    value = "" if action.nargs == 0 else f" {takes}{many}"
    return ", ".join(f"`{word}{value}`" for word in action.option_strings)


def _text(told: str) -> str:
    return " ".join(told.replace("%%", "%").replace("|", "\\|").replace("<", "&lt;").split())
