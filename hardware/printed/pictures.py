"""``python -m hardware.printed.pictures``: line drawings for the guide, ``docs/printed/*.svg``."""

import sys
from pathlib import Path

from build123d import Compound, ExportSVG, Pos, Rot
from hextraction.board.design import load_design

from .bar_seat import zone_seat
from .carrier import carrier
from .funnel import funnel
from .gate import fork, housing, rocker
from .zone import zone_gutter

_FOLDER = Path(__file__).parents[2] / "docs" / "printed"
_REST_MM = load_design().beam_places.rest_down_mm
_EYE = (-120, -160, 110)


def main() -> int:
    """Draw a slot's two parts, a gate's four and an end zone's two, pulled apart; return the exit status."""
    scenes = {
        "slot": [Pos(0, 0, 25) * carrier(), funnel()],
        "gate": [Pos(0, 0, 30) * fork(), Pos(0, 9.9, 30) * fork(), Pos(30, 5, -13) * rocker(), housing()],
        "zone": [zone_gutter(), Pos(0, -_REST_MM, -20) * Rot(0, 0, 180) * zone_seat()],
    }
    for name, parts in scenes.items():
        seen, _hidden = Compound(children=parts).project_to_viewport(_EYE)
        drawing = ExportSVG(scale=2.0, line_weight=0.3, precision=2)
        drawing.add_shape(seen)
        drawing.write(str(_FOLDER / f"{name}.svg"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
