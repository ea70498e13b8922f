"""A real build: its wiring, matched with the board it is for. Every mistake of the file at once."""

from pathlib import Path

from hextraction.board.profile import Board, board_names, load_board
from hextraction.controller.rig import Rig, match_rig
from hextraction.hal.wiring import Wiring, read_wiring
from hextraction.settings import Document, Section, SettingsError

__all__ = ["read_build"]


def read_build(path: Path, wanted: str | None = None) -> tuple[Wiring, Board, Rig]:
    """Read a wiring and match its names with its board's instruments; ``wanted`` is the board it must be for.

    Raises:
        SettingsError: with every mistake in it.
    """
    wiring = read_wiring(path)
    document = Document.from_path(path)
    names = board_names()
    if wiring.profile not in names:
        document.root.table("board").complain(
            "profile", f"want one of {', '.join(names)}, found {wiring.profile!r}"
        )
        raise SettingsError(document.problems)
    board = load_board(wiring.profile)
    if wanted not in {None, board.name}:
        document.root.table("board").complain(
            "profile", f"want {wanted}, as the configuration says, found {board.name}"
        )
    rig, problems = match_rig(
        board, [sensor.name for sensor in wiring.sensors], [coil.name for coil in wiring.coils]
    )
    for section in (*document.root.tables("sensor"), *document.root.tables("solenoid")):
        _complain(section, problems)
    if document.problems:
        raise SettingsError(document.problems)
    return wiring, board, rig


def _complain(section: Section, problems: dict[str, str]) -> None:
    name = section.raw("name")
    if name in problems:
        section.complain("name", problems[name])
