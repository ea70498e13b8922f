"""Reads one model from its file, rolls balls over it and says everything that was found."""

import hashlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
from hextraction.board.tiles import Line
from hextraction.simulator.models.anatomy import Anatomy, mouths_in, read_anatomy
from hextraction.simulator.models.lines import lines_of
from hextraction.simulator.models.mesh import Model, ModelError, read_model, ways_up
from hextraction.simulator.models.space import Space, solid_cells
from hextraction.simulator.models.tabling import BALLS, Ways, make_table

__all__ = ["Study", "study_model"]

_EVERY: Final = (1, 2, 3, 4, 5, 6)


@dataclass(frozen=True, slots=True, eq=False)
class Study:
    """What is known of a model: its digest, what it is made of, its centre lines, where balls went."""

    digest: str
    anatomy: Anatomy
    lines: tuple[Line, ...]
    ways: Ways
    space: Space
    warnings: tuple[str, ...]


def study_model(
    path: Path,
    *,
    parts: tuple[tuple[Path, float], ...] = (),
    turns: int = 0,
    tilt_deg: float = 15.0,
    balls: int = BALLS,
    seed: int = 0,
    name: str = "",
) -> Study:
    """Study the model in a file; ``parts`` lie so many mm above its underside, ``turns`` is as it lies then.

    ``name`` is what its table calls the tile; the file's by default.

    Raises:
        ModelError: the file cannot be used.
    """
    model = read_model(path, parts)
    digest = _digest(path, parts, turns)
    space, anatomy, warnings = _upright(_turned(model, turns), path.name)
    called = name or path.stem.lower()
    ways = make_table(space, anatomy, name=called, digest=digest, tilt_deg=tilt_deg, balls=balls, seed=seed)
    lines = lines_of(anatomy, space, ways.table)
    return Study(digest, anatomy, lines, ways, space, (*warnings, *anatomy.warnings()))


def _upright(model: Model, name: str) -> tuple[Space, Anatomy, tuple[str, ...]]:
    """Return the space around a model as it is drawn, or turned over if no ball gets in then."""
    for candidate, more in ways_up(model):
        solid, low, _ = solid_cells(candidate.triangles)
        space = Space.around(candidate.triangles, solid, low, _EVERY)
        if mouths_in(space):
            anatomy = read_anatomy(space, solid, low)
            space.step(anatomy.steps, candidate.triangles)
            space.shut(set(_EVERY) - set(anatomy.mouths))
            return space, anatomy, (*model.warnings, *more)
    raise ModelError(
        f"{name}: no edge lets a ball in: no channel there is 10 mm wide at the height of other tiles'"
        + "".join(f"; {warning}" for warning in model.warnings)
    )


def _turned(model: Model, turns: int) -> Model:
    angle = np.radians(60.0 * turns)
    # Clockwise, with y downhill.
    spin = np.array([[np.cos(angle), np.sin(angle), 0], [-np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
    return replace(model, triangles=np.ascontiguousarray(model.triangles @ spin))


def _digest(path: Path, parts: tuple[tuple[Path, float], ...], turns: int) -> str:
    whole = hashlib.sha256(path.read_bytes())
    for part, height_mm in parts:
        whole.update(part.read_bytes() + repr(height_mm).encode())
    whole.update(str(turns % 6).encode() if turns % 6 else b"")
    return whole.hexdigest()[:12]
