"""``python -m hardware.printed BOARD --out FOLDER``: every part as STL and STEP, and the list of them."""

import argparse
import sys
from pathlib import Path

from hextraction.board.design import load_design
from hextraction.board.profile import STANDARD, board_names, load_board

from .table import PARTS, counts, foot_heights_mm, leg_height_mm


def main() -> int:
    """Write the files; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("board", nargs="?", default=STANDARD, choices=board_names())
    parser.add_argument("--out", type=Path, default=Path("build/printed"))
    options = parser.parse_args()
    try:
        from build123d import export_step, export_stl  # noqa: PLC0415 - a gigabyte that only drawing needs
    except ModuleNotFoundError:
        print('build123d is missing: pip install "build123d>=0.13,<0.14" (a gigabyte)', file=sys.stderr)
        return 1
    board, prints = load_board(options.board), load_design().printed
    options.out.mkdir(parents=True, exist_ok=True)
    front, rear = foot_heights_mm(board)
    for part in PARTS:
        made = {part.name: lambda part=part: part.drawn()}
        if part.name == "foot":
            made = {
                f"foot-{end}-{side}": lambda part=part, high=high, side=side: part.drawn(
                    board.tilt_deg, high, left=side == "left"
                )
                for end, high in (("front", front), ("rear", rear))
                for side in ("left", "right")
            }
        elif part.name == "leg":
            made = {"leg": lambda part=part: part.drawn(board.tilt_deg, leg_height_mm(board))}
        for name, draw in made.items():
            solid = draw()
            export_stl(solid, str(options.out / f"{name}.stl"), tolerance=0.05, angular_tolerance=0.3)
            export_step(solid, str(options.out / f"{name}.step"))
            cm3 = solid.volume / 1_000
            many = 1 if part.name == "foot" else counts(board)[part.name]
            print(
                f"{many:3} {name:18} about {cm3 * prints.g_cm3:4.0f} g, "
                f"{cm3 / prints.cm3_h * 60:4.0f} min each; {part.needs}"
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
