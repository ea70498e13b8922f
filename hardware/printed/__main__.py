"""``python -m hardware.printed BOARD --out FOLDER``: every part as STL and STEP, plates as 3MF, and the list of both."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hextraction.board.design import load_design
from hextraction.board.profile import STANDARD, board_names, load_board

from .plates import Laid, Solid, laid_out, rectangles, write_3mf
from .table import Piece, pieces

_BORE_MM, _BORE_RAD = 0.05, 0.3
"""How exactly curves are taken apart into triangles."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the files; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m hardware.printed", description=__doc__)
    parser.add_argument("board", nargs="?", default=STANDARD, choices=board_names())
    parser.add_argument("--out", type=Path, default=Path("build/printed"))
    build = parser.add_mutually_exclusive_group()
    build.add_argument("--by-hand", dest="where", action="store_const", const="hand", help="for a build without circuit boards")  # fmt: skip
    build.add_argument("--starter", dest="where", action="store_const", const="starter", help="only the holders of its beams")  # fmt: skip
    parser.set_defaults(where="kit")
    options = parser.parse_args(arguments)
    try:
        import build123d  # noqa: F401, PLC0415 - a gigabyte that only drawing needs
    except ModuleNotFoundError:
        print('build123d is missing: pip install "build123d>=0.13,<0.14" (a gigabyte)', file=sys.stderr)
        return 1
    options.out.mkdir(parents=True, exist_ok=True)
    wanted = tuple(pieces(load_board(options.board), options.where))
    drawn = {piece.name: piece.drawn() for piece in wanted}
    _write_parts(options.out, wanted, drawn)
    _write_plates(options.out, wanted, drawn)
    return 0


def _write_parts(folder: Path, wanted: Sequence[Piece], drawn: dict[str, Any]) -> None:
    from build123d import export_step, export_stl  # noqa: PLC0415 - as above

    for piece in wanted:
        solid = drawn[piece.name]
        export_stl(solid, str(folder / f"{piece.name}.stl"), tolerance=_BORE_MM, angular_tolerance=_BORE_RAD)
        export_step(solid, str(folder / f"{piece.name}.step"))
        grams, hours = _filament(solid.volume)
        print(
            f"{piece.many:3} {piece.name:18} about {grams:4.0f} g, {hours * 60:4.0f} min each; {piece.part.needs}"
        )


def _write_plates(folder: Path, wanted: Sequence[Piece], drawn: dict[str, Any]) -> None:
    solids = {piece.name: _lying(piece, drawn[piece.name]) for piece in wanted}
    many = {piece.name: piece.many for piece in wanted}
    plates = laid_out(list(rectangles(solids, many)), load_design().printed.bed_mm)
    for number, plate in enumerate(plates, start=1):
        path = folder / f"plate-{number:02}.3mf"
        write_3mf(path, solids, plate)
        grams, hours = _filament(sum(drawn[laid.name].volume for laid in plate))
        print(f"{path.name}: {_told(plate)}; about {grams:.0f} g, {hours:.0f} h")
    grams, hours = _filament(sum(drawn[piece.name].volume * piece.many for piece in wanted))
    print(f"together {len(plates)} plates, about {grams / 1_000:.1f} kg and {hours:.0f} h")


def _lying(piece: Piece, solid: Any) -> Solid:
    """Return a part as it lies on the plate, its least corner at 0."""
    corners, triangles = solid.tessellate(_BORE_MM, _BORE_RAD)
    over = -1.0 if piece.part.lies == "down" else 1.0
    points = [(corner.X, over * corner.Y, over * corner.Z) for corner in corners]
    least = [min(point[axis] for point in points) for axis in range(3)]
    return Solid([(x - least[0], y - least[1], z - least[2]) for x, y, z in points], triangles)


def _told(plate: Sequence[Laid]) -> str:
    names = [laid.name for laid in plate]
    return ", ".join(f"{names.count(name)} {name}" for name in dict.fromkeys(names))


def _filament(mm3: float) -> tuple[float, float]:
    """Return the grams and hours of a volume, as if it were solid."""
    prints = load_design().printed
    return mm3 / 1_000 * prints.g_cm3, mm3 / 1_000 / prints.cm3_h


if __name__ == "__main__":
    sys.exit(main())
