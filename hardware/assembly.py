"""Pages to fit parts by: ``python -m hardware.assembly --out FOLDER`` writes one of InteractiveHtmlBom for each board.

A part that one points at is shown in the list, and one of the list on the board; each is ticked off when it sits.
Of its own because only who fits boards at home wants them; `make assembly` installs the program and calls this.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from hardware.table import BoardTable, Pad, Place, all_boards, load_board

__all__ = ["board_data", "main"]

_PROGRAM: Final = "InteractiveHtmlBom"
_ORDERED: Final = "Maker's number"
_LINE_MM: Final = 0.15
_ALONE: Final = {"INTERACTIVE_HTML_BOM_CLI_MODE": "1", "INTERACTIVE_HTML_BOM_NO_DISPLAY": "1"}
"""Its settings for use without KiCad and without a screen."""


def board_data(table: BoardTable) -> dict[str, Any]:
    """Return a board in InteractiveHtmlBom's own format, version 1: outline, holes, pads with nets, parts. In mm."""
    xs, ys = zip(*table.outline_mm, strict=True)
    bodies = [line for place in table.places for line in _body(place)]
    return {
        "spec_version": 1,
        "pcbdata": {
            "edges_bbox": {"minx": min(xs), "miny": min(ys), "maxx": max(xs), "maxy": max(ys)},
            "edges": [*_edges(table)],
            "drawings": {
                "silkscreen": {layer: bodies if layer == table.layer else [] for layer in "FB"},
                "fabrication": {"F": [], "B": []},
            },
            "footprints": [_footprint(place, table) for place in table.places],
            "metadata": {"title": table.title, "revision": "1", "company": "", "date": ""},
            "nets": sorted({pad.net for pad in table.pads()}),
        },
        "components": [_component(place) for place in table.places],
    }


def _edges(table: BoardTable) -> Iterator[dict[str, Any]]:
    corners = table.outline_mm
    for start, end in zip(corners, (*corners[1:], corners[0]), strict=True):
        yield _segment(start, end)
    for x, y, wide in table.holes_mm:
        yield {"type": "circle", "start": [x, y], "radius": wide / 2, "width": _LINE_MM, "filled": 0}
    for left, top, right, bottom in table.windows():
        yield _rectangle((left, top), (right, bottom))


def _segment(start: Sequence[float], end: Sequence[float]) -> dict[str, Any]:
    return {"type": "segment", "start": [*start], "end": [*end], "width": _LINE_MM}


def _rectangle(start: Sequence[float], end: Sequence[float]) -> dict[str, Any]:
    return {"type": "rect", "start": [*start], "end": [*end], "width": _LINE_MM}


def _box(place: Place) -> tuple[float, float, float, float]:
    """Return where a part's body lies on the board: left, top, right, bottom."""
    left, top, right, bottom = place.footprint.body
    x, y = place.on_board((left + right) / 2, (top + bottom) / 2)
    half_x, half_y = place.extents(right - left, bottom - top)
    return x - half_x, y - half_y, x + half_x, y + half_y


def _body(place: Place) -> Iterator[dict[str, Any]]:
    left, top, right, bottom = _box(place)
    yield _rectangle((left, top), (right, bottom))


def _footprint(place: Place, table: BoardTable) -> dict[str, Any]:
    left, top, right, bottom = _box(place)
    pads = [pad for pad in table.pads() if pad.ref == place.part.ref]
    return {
        "ref": place.part.ref,
        "center": [(left + right) / 2, (top + bottom) / 2],
        "bbox": {"pos": [left, top], "relpos": [0, 0], "size": [right - left, bottom - top], "angle": 0},
        "pads": [
            _pad(pad) | ({"pin1": 1} if index == 0 < len(pads) - 1 else {}) for index, pad in enumerate(pads)
        ],
        "drawings": [],
        "layer": place.layer,
    }


def _pad(pad: Pad) -> dict[str, Any]:
    drilled = {"type": "th", "drillshape": "circle", "drillsize": [pad.drill_mm, pad.drill_mm]}
    return {
        "layers": [*pad.layers],
        "pos": [pad.x_mm, pad.y_mm],
        "size": [2 * pad.half_x_mm, 2 * pad.half_y_mm],
        "angle": 0,
        "shape": "rect",
        "net": pad.net,
        **(drilled if pad.drill_mm else {"type": "smd"}),
    }


def _component(place: Place) -> dict[str, Any]:
    kind = place.kind
    return {
        "ref": place.part.ref,
        "val": place.part.part,
        "footprint": kind.package,
        "layer": place.layer,
        "extra_fields": {_ORDERED: f"{kind.maker} {kind.number}"},
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the pages; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m hardware.assembly", description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("build/assembly"))
    folder = parser.parse_args(arguments).out.resolve()
    if find_spec(_PROGRAM) is None:
        print(
            f"{_PROGRAM} is missing: `make assembly` installs it (without KiCad and wxPython)",
            file=sys.stderr,
        )
        return 1
    folder.mkdir(parents=True, exist_ok=True)
    for name in all_boards():
        _page(load_board(name), folder)
        print(folder / f"{name}.html")
    return 0


def _page(table: BoardTable, folder: Path) -> None:
    with tempfile.TemporaryDirectory() as work:
        data = Path(work) / f"{table.name}.json"
        data.write_text(json.dumps(board_data(table)), "utf-8")
        wanted = ["--no-browser", "--dest-dir", str(folder), "--name-format", "%f"]
        shown = ["--extra-data-file", str(data), "--show-fields", f"Value,Footprint,{_ORDERED}"]
        subprocess.run(
            [sys.executable, "-m", f"{_PROGRAM}.generate_interactive_bom", *wanted, *shown, str(data)],
            check=True, env=os.environ | _ALONE, stdout=subprocess.DEVNULL,
        )  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
