"""Read a real build: its wiring, matched with its board. All mistakes in the file are reported at once."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from hextraction.board.instruments import EVERY_SET
from hextraction.board.profile import STANDARD, Board, board_names, load_board
from hextraction.controller.rig import Rig, match_rig
from hextraction.controller.workshop.plans.build_checks import (
    PARTIAL,
    check_branches,
    check_coils,
    check_complete,
    check_currents,
    check_lamps,
    check_parts,
    check_rails,
    check_without,
    name_of,
    names_of,
)
from hextraction.hal.wiring.file import draft_wiring
from hextraction.hal.wiring.wires import Wiring
from hextraction.settings import Document, Section, SettingsError

__all__ = ["PARTIAL", "SHIPPED", "build_file", "read_build"]

SHIPPED: Final = Path(__file__).parents[3] / "wiring"
"""The builds that come with the program: in the checkout, and beside the program in an installation."""


def build_file(name: str) -> Path:
    """Return the wiring file of a build: a shipped one is known by its bare name, any other is a path."""
    shipped = SHIPPED / f"{name}.toml"
    return shipped if shipped.is_file() and not Path(name).is_file() else Path(name)


def read_build(path: Path, wanted: str | None = None) -> tuple[Wiring, Board, Rig]:
    """Read a wiring and match its names with its board's instruments; ``wanted`` is the required board.

    Raises:
        SettingsError: with every mistake in it.
    """
    document = Document.from_path(path)
    wiring, found = draft_wiring(path)
    board = _board(document.root, wanted)
    rig = _match(document, board, wiring)
    check_currents(document, wiring)
    check_branches(document, wiring)
    check_rails(document, wiring)
    problems = sorted({*found, *document.problems}, key=lambda problem: (problem.line, problem.message))
    if problems:
        raise SettingsError(problems)
    return wiring, board, rig


def _board(root: Section, wanted: str | None) -> Board:
    """Return the board that the file names, or else the board that fits its sensors best."""
    section = root.table("board")
    name = section.raw("profile")
    if name in board_names():
        if wanted not in {None, name}:
            section.complain("profile", f"want {wanted}, as the configuration says, found {name}")
        return load_board(name)
    if isinstance(name, str) and name:  # other mistakes are reported by the wiring itself
        section.complain("profile", f"want one of {', '.join(board_names())}, found {name!r}")
    sensors = names_of(root.tables("sensor"))
    boards = [load_board(STANDARD), *map(load_board, board_names())]
    return min(boards, key=lambda board: len(match_rig(board, sensors, ())[1]))


def _match(document: Document, board: Board, wiring: Wiring) -> Rig:
    """Match the names in the file with the board's instruments, and note those that do not fit."""
    root = document.root
    section, sensors, coils = root.table("board"), root.tables("sensor"), root.tables("solenoid")
    _complain(sensors, match_rig(board, names_of(sensors), ())[1])
    _complain(coils, match_rig(board, (), names_of(coils))[1])
    check_lamps(board, root.tables("lamp"))
    check_parts(board, sensors, wiring)
    check_coils(board, coils, wiring)
    which = wiring.instruments
    if which not in {*EVERY_SET, PARTIAL, ""}:
        section.complain("instruments", f"want one of {', '.join(EVERY_SET)}, {PARTIAL}, found {which!r}")
    if section.raw("profile") == board.name:
        check_without(section, board, which, names_of(sensors))
        check_complete(section, board, which, names_of(sensors))
    return match_rig(board, names_of(sensors), names_of(coils))[0]


def _complain(sections: Sequence[Section], problems: dict[str, str]) -> None:
    for section in sections:
        name = name_of(section)
        if name in problems:
            section.complain("name", problems[name])
