"""A real build: its wiring, matched with the board it is for. Every mistake of the file at once."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from hextraction.board.instruments import SETS, instruments
from hextraction.board.profile import STANDARD, Board, board_names, load_board
from hextraction.controller.rig import Rig, match_rig
from hextraction.hal.wiring import Wiring, read_wiring
from hextraction.settings import Document, Problem, Section, SettingsError

__all__ = ["PARTIAL", "read_build"]

PARTIAL: Final = "partial"
"""What a wiring says whose sensors are no whole set: nothing is missing then."""
_MOST_TOLD: Final = 6


def read_build(path: Path, wanted: str | None = None) -> tuple[Wiring, Board, Rig]:
    """Read a wiring and match its names with its board's instruments; ``wanted`` is the board it must be for.

    Raises:
        SettingsError: with every mistake in it.
    """
    document = Document.from_path(path)
    wiring, found = _read_wiring(path)
    section = document.root.table("board")
    name, which = section.raw("profile", STANDARD), section.raw("instruments", "rich")
    board = load_board(name) if name in board_names() else None
    if board is None:
        section.complain("profile", f"want one of {', '.join(board_names())}, found {name!r}")
    elif wanted not in {None, name}:
        section.complain("profile", f"want {wanted}, as the configuration says, found {name}")
    if which not in {*SETS, PARTIAL}:
        section.complain("instruments", f"want one of {', '.join(SETS)}, {PARTIAL}, found {which!r}")
    rig = _match(document, board) if board is not None else None
    if board is not None and which in SETS:
        _check_complete(section, board, which, _names(document.root.tables("sensor")))
    problems = sorted((*found, *document.problems), key=lambda problem: problem.line)
    if problems or wiring is None or board is None or rig is None:
        raise SettingsError(problems)
    return wiring, board, rig


def _check_complete(section: Section, board: Board, which: str, wired: Sequence[str]) -> None:
    """Note the sensors of the set that hang nowhere, unless the file says so on purpose."""
    without = section.texts("without", ())
    wanted = [each.name for each in instruments(board, which)]
    absent = [name for name in wanted if name not in wired and name not in without]
    if absent:
        remedy = f"wire them, name them in board.without, or write {PARTIAL!r}"
        message = f"the set {which} has {len(absent)} more sensors; {remedy}: {_first(absent)}"
        section.complain("instruments", message)
    for name in without:
        if name in wired:
            section.complain("without", f"{name!r} is not left out: it is wired")
        elif name not in wanted:
            section.complain("without", f"{name!r} is no sensor of the set {which}")


def _first(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST_TOLD} more" if len(names) > _MOST_TOLD else ""
    return ", ".join(names[:_MOST_TOLD]) + more


def _read_wiring(path: Path) -> tuple[Wiring | None, Sequence[Problem]]:
    """Read the wiring as such; its mistakes are told together with those against the board."""
    try:
        return read_wiring(path), ()
    except SettingsError as error:
        return None, error.problems


def _match(document: Document, board: Board) -> Rig:
    """Match the names in the file with the board's instruments and note those that it does not have."""
    sensors, coils = document.root.tables("sensor"), document.root.tables("solenoid")
    rig, problems = match_rig(board, _names(sensors), _names(coils))
    for section in (*sensors, *coils):
        _complain(section, problems)
    return rig


def _names(sections: Sequence[Section]) -> list[str]:
    written = [section.raw("name") for section in sections]
    return [name for name in written if isinstance(name, str)]


def _complain(section: Section, problems: dict[str, str]) -> None:
    name = section.raw("name")
    if name in problems:
        section.complain("name", problems[name])
