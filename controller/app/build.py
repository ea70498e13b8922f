"""A real build: its wiring, matched with the board it is for. Every mistake of the file at once."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hextraction.board.instruments import SETS
from hextraction.board.profile import STANDARD, Board, board_names, load_board
from hextraction.controller.app.build_checks import (
    PARTIAL,
    check_complete,
    check_currents,
    check_lamps,
    check_parts,
    names_of,
)
from hextraction.controller.rig import Rig, match_rig
from hextraction.hal.wires import Wiring
from hextraction.hal.wiring import draft_wiring
from hextraction.settings import Document, Section, SettingsError

__all__ = ["PARTIAL", "read_build"]


def read_build(path: Path, wanted: str | None = None) -> tuple[Wiring, Board, Rig]:
    """Read a wiring and match its names with its board's instruments; ``wanted`` is the board it must be for.

    Raises:
        SettingsError: with every mistake in it.
    """
    document = Document.from_path(path)
    wiring, found = draft_wiring(path)
    section = document.root.table("board")
    board = _board(section, wanted)
    which = section.raw("instruments", "rich")
    if which not in {*SETS, PARTIAL}:
        section.complain("instruments", f"want one of {', '.join(SETS)}, {PARTIAL}, found {which!r}")
    rig = None if board is None else _match(document, board, which)
    check_currents(document, wiring)
    problems = sorted({*found, *document.problems}, key=lambda problem: (problem.line, problem.message))
    if problems or board is None or rig is None:
        raise SettingsError(problems)
    return wiring, board, rig


def _board(section: Section, wanted: str | None) -> Board | None:
    name = section.raw("profile", STANDARD)
    if name not in board_names():
        section.complain("profile", f"want one of {', '.join(board_names())}, found {name!r}")
        return None
    if wanted not in {None, name}:
        section.complain("profile", f"want {wanted}, as the configuration says, found {name}")
    return load_board(name)


def _match(document: Document, board: Board, which: Any) -> Rig:
    """Match what the file names with what the board has, and note what does not fit."""
    root = document.root
    sensors, coils = root.tables("sensor"), root.tables("solenoid")
    rig, problems = match_rig(board, names_of(sensors), names_of(coils))
    _complain((*sensors, *coils), problems)
    check_lamps(board, root.tables("lamp"))
    check_parts(board, sensors)
    if which in SETS:
        check_complete(root.table("board"), board, which, names_of(sensors))
    return rig


def _complain(sections: Sequence[Section], problems: dict[str, str]) -> None:
    for section in sections:
        name = section.raw("name")
        if isinstance(name, str) and name in problems:
            section.complain("name", problems[name])
