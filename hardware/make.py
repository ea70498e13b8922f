"""Writes everything that is ordered: ``python -m hardware.make`` (``--check``: says what is not as it would be written).

Without KiCad, circuits, boards and lists are written; with it also gerbers and pictures, and every board is judged.
"""

import argparse
import csv
import io
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from hardware import kicad
from hardware.drawing import placement_drawing
from hardware.pcb import LIBRARY, footprint_file, pcb_file
from hardware.router import CLEARANCE_MM, VIA_DRILL_MM, VIA_MM, routed
from hardware.schematic import schematic_file, symbol_library
from hardware.table import BoardTable, all_boards, load_board

__all__ = ["BOARDS", "bill", "main", "placement", "texts"]

BOARDS: Final = Path(__file__).parent / "boards"
_RULES: Final = {
    "min_clearance": CLEARANCE_MM,
    "min_copper_edge_clearance": 0.3,
    "min_hole_clearance": 0.25,
    "min_hole_to_hole": 0.3,
    "min_through_hole_diameter": VIA_DRILL_MM,
    "min_track_width": 0.2,
    "min_via_diameter": VIA_MM,
    "min_via_annular_width": 0.13,
    "min_text_height": 0.7,
    "min_text_thickness": 0.1,
    "min_silk_clearance": 0.0,
}


def _csv(rows: Sequence[Sequence[object]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


_BILL: Final = (
    *("Designator", "Comment", "Footprint", "Quantity", "LCSC Part #", "Manufacturer"),
    *("Manufacturer Part Number", "Seen in", "Second source", "Second source seen in"),
)
"""The first five are what houses look for in a parts list that is sent up."""


def bill(table: BoardTable) -> list[list[str]]:
    """Return the parts list: one row for each kind, with maker's number, package and second source."""
    rows = [list(_BILL)]
    for name in sorted({place.part.part for place in table.places}):
        of_kind = [place for place in table.places if place.part.part == name]
        kind = of_kind[0].kind
        refs = ",".join(place.part.ref for place in of_kind)
        bought = (kind.lcsc, kind.maker, kind.number, kind.seen, kind.second, kind.second_seen)
        rows.append([refs, kind.use, kind.package, str(len(of_kind)), *bought])
    return rows


def placement(table: BoardTable) -> list[list[str]]:
    """Return where each part sits, in mm from the board's middle, y upwards as assemblers count."""
    rows = [["Designator", "Val", "Package", "Mid X", "Mid Y", "Rotation", "Layer"]]
    for place in table.places:
        part = place.part
        x_mm, y_mm = part.at_mm
        side = "bottom" if place.layer == "B" else "top"
        turned = part.turned_deg % 360
        rows.append(
            [
                part.ref,
                part.part,
                place.kind.footprint,
                f"{x_mm:.3f}",
                f"{-y_mm + 0:.3f}",
                f"{turned:g}",
                side,
            ]
        )
    return rows


def _project(table: BoardTable) -> str:
    classes = [
        {
            "name": "Default", "clearance": CLEARANCE_MM, "track_width": 0.2, "via_diameter": VIA_MM,
            "via_drill": VIA_DRILL_MM,
        }
    ]  # fmt: skip
    return (
        json.dumps(
            {
                "board": {"design_settings": {"rules": _RULES}},
                "meta": {"filename": f"{table.name}.kicad_pro", "version": 3},
                "net_settings": {"classes": classes, "meta": {"version": 4}},
            },
            indent=1,
        )
        + "\n"
    )


def _library_table(kind: str, file: str) -> str:
    uri = "${KIPRJMOD}/../" + file
    return f'({kind}\n  (version 7)\n  (lib (name "{LIBRARY}") (type "KiCad") (uri "{uri}") (options "") (descr ""))\n)\n'


def texts(names: Sequence[str]) -> dict[str, str]:
    """Return every file that needs no KiCad, by its path below ``hardware/boards``."""
    tables = [load_board(name) for name in names]
    files = {f"{LIBRARY}.kicad_sym": symbol_library(tables)}
    for table in tables:
        for place in table.places:
            name = place.kind.footprint
            files[f"{LIBRARY}.pretty/{name}.kicad_mod"] = footprint_file(name, place.footprint)
        files |= {
            f"{table.name}/{table.name}.kicad_pro": _project(table),
            f"{table.name}/{table.name}.kicad_sch": schematic_file(table),
            f"{table.name}/{table.name}.kicad_pcb": pcb_file(table, routed(table)),
            f"{table.name}/sym-lib-table": _library_table("sym_lib_table", f"{LIBRARY}.kicad_sym"),
            f"{table.name}/fp-lib-table": _library_table("fp_lib_table", f"{LIBRARY}.pretty"),
            f"{table.name}/bom.csv": _csv(bill(table)),
            f"{table.name}/placement.csv": _csv(placement(table)),
            f"{table.name}/placement.svg": placement_drawing(table),
        }
    return files


def _with_kicad(folder: Path, names: Sequence[str]) -> list[str]:
    """Add gerbers and pictures, and return what KiCad has against a board."""
    wrong = []
    for name in names:
        with kicad.sent(folder / name) as work:
            wrong += [f"{name}: {each}" for each in kicad.judged(work)]
            kicad.zipped(kicad.gerbers(work), folder / name / f"{name}-gerbers.zip")
            for side in ("top", "bottom"):
                picture = kicad.picture(work, side, square=_is_square(name))
                (folder / name / f"{side}.png").write_bytes(picture)
    return wrong


def _is_square(name: str) -> bool:
    xs, ys = zip(*load_board(name).outline_mm, strict=True)
    slender: bool = max(ys) - min(ys) <= 0.7 * (max(xs) - min(xs))
    return not slender


def _different(made: Path, kept: Path) -> list[str]:
    """Return the files that are not the same; pictures are as a processor draws them, and are not compared."""
    found = []
    for path in sorted(one for one in made.rglob("*") if one.is_file() and one.suffix != ".png"):
        name = path.relative_to(made)
        other = kept / name
        if not other.exists() or other.read_bytes() != path.read_bytes():
            found.append(f"hardware/boards/{name}: is not what `make hardware` writes")
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Write or check; return 1 if something is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, say what differs")
    chosen = parser.parse_args(arguments)
    names = all_boards()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made) if chosen.check else BOARDS
        for name, text in texts(names).items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, "utf-8")
        wrong = _with_kicad(folder, names) if kicad.is_there() else []
        if chosen.check:
            wrong += _different(folder, BOARDS)
    if not kicad.is_there():
        print("KiCad is not here (`make hardware` gets it): no gerbers were made, and nothing was judged")
    for each in wrong:
        print(each)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
