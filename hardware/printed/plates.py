"""Printer's plates: which parts lie beside each other on one bed, and the 3MF file of each.

Parts are laid in rows by the rectangles around them. A file has each kind of part once, and says where it lies how
often. Nothing of build123d is needed to lay them; lib3mf, which comes with it, writes.
"""

import importlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

__all__ = ["Laid", "Rectangle", "Solid", "laid_out", "rectangles", "write_3mf"]

GAP_MM: Final = 4.0
"""Between parts, and to the edge of the bed."""


@dataclass(frozen=True, slots=True)
class Rectangle:
    """How much of the bed ``many`` parts of a name want, each, mm."""

    name: str
    wide_mm: float
    deep_mm: float
    many: int


@dataclass(frozen=True, slots=True)
class Laid:
    """A part on a plate: its left front corner."""

    name: str
    x_mm: float
    y_mm: float


@dataclass(frozen=True, slots=True)
class Solid:
    """A part as triangles, as it lies: its least x, y and z are 0."""

    corners: Sequence[tuple[float, float, float]]
    triangles: Sequence[tuple[int, int, int]]


def laid_out(parts: Sequence[Rectangle], bed_mm: tuple[float, float]) -> list[list[Laid]]:
    """Return plates, each with the parts on it: rows from the front, the deepest parts first.

    Raises:
        ValueError: a part is larger than the bed; it is named.
    """
    for part in parts:
        if part.wide_mm + 2 * GAP_MM > bed_mm[0] or part.deep_mm + 2 * GAP_MM > bed_mm[1]:
            raise ValueError(
                f"{part.name}: {part.wide_mm:.0f} x {part.deep_mm:.0f} mm with {GAP_MM:g} mm around it does not "
                f"lie on a bed of {bed_mm[0]:g} x {bed_mm[1]:g} mm; want a larger one"
            )
    plates: list[list[_Row]] = []
    for part in sorted(parts, key=lambda part: (-part.deep_mm, part.name)):
        for _each in range(part.many):
            _row_for(part, plates, bed_mm).take(part)
    return [[laid for row in rows for laid in row.laid] for rows in plates]


@dataclass(slots=True)
class _Row:
    """Parts side by side; the first is the deepest."""

    y_mm: float
    deep_mm: float
    bed_wide_mm: float
    end_mm: float
    laid: list[Laid]

    def take(self, part: Rectangle) -> None:
        self.laid.append(Laid(part.name, self.end_mm, self.y_mm))
        self.end_mm += part.wide_mm + GAP_MM

    def has_room(self, part: Rectangle) -> bool:
        return self.end_mm + part.wide_mm + GAP_MM <= self.bed_wide_mm and part.deep_mm <= self.deep_mm


def _row_for(part: Rectangle, plates: list[list[_Row]], bed_mm: tuple[float, float]) -> _Row:
    """Return the first row with room for a part; a new one where a plate has room for it, or on a new plate."""
    for rows in plates:
        for row in rows:
            if row.has_room(part):
                return row
        behind = rows[-1].y_mm + rows[-1].deep_mm + GAP_MM
        if behind + part.deep_mm + GAP_MM <= bed_mm[1]:
            rows.append(_Row(behind, part.deep_mm, bed_mm[0], GAP_MM, []))
            return rows[-1]
    plates.append([_Row(GAP_MM, part.deep_mm, bed_mm[0], GAP_MM, [])])
    return plates[-1][-1]


def write_3mf(path: Path, solids: Mapping[str, Solid], plate: Sequence[Laid]) -> None:
    """Write one plate.

    Raises:
        ModuleNotFoundError: lib3mf is not installed.
    """
    lib3mf: Any = importlib.import_module("lib3mf")
    model = lib3mf.get_wrapper().CreateModel()
    model.SetUnit(lib3mf.ModelUnit.MilliMeter)
    made = {
        name: _object(lib3mf, model, name, solids[name]) for name in dict.fromkeys(one.name for one in plate)
    }
    for laid in plate:
        fields = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (laid.x_mm, laid.y_mm, 0.0))
        model.AddBuildItem(made[laid.name], _transform(lib3mf, fields))
    model.QueryWriter("3mf").WriteToFile(str(path))


def _object(lib3mf: Any, model: Any, name: str, solid: Solid) -> Any:
    made = model.AddMeshObject()
    made.SetName(name)
    made.SetGeometry(
        [_filled(lib3mf.Position(), "Coordinates", corner) for corner in solid.corners],
        [_filled(lib3mf.Triangle(), "Indices", indices) for indices in solid.triangles],
    )
    return made


def _filled(record: Any, field: str, values: Sequence[float]) -> Any:
    """Return a record of lib3mf with its one array filled."""
    for index, value in enumerate(values):
        getattr(record, field)[index] = value
    return record


def _transform(lib3mf: Any, rows: Sequence[Sequence[float]]) -> Any:
    made = lib3mf.Transform()
    for row, values in enumerate(rows):
        for column, value in enumerate(values):
            made.Fields[row][column] = value
    return made


def rectangles(solids: Mapping[str, Solid], many: Mapping[str, int]) -> Iterator[Rectangle]:
    """Yield what each solid wants of the bed."""
    for name, solid in solids.items():
        wide, deep = (max(corner[axis] for corner in solid.corners) for axis in (0, 1))
        yield Rectangle(name, wide, deep, many[name])
