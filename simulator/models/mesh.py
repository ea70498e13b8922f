"""Reads the model of a tile from a file, and lays it as it lies in a slot."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import trimesh
from hextraction.simulator.models.space import CELL_MM, solid_cells
from numpy.typing import NDArray

__all__ = ["FOOTPRINT_MM", "UNDERSIDE_MM", "Model", "ModelError", "flipped", "read_model"]

FOOTPRINT_MM: Final = (56.5, 50.0)
UNDERSIDE_MM: Final = -5.0
"""How deep the base of a tile reaches below its body."""
_SUFFIXES: Final = (".stl", ".glb", ".gltf", ".obj", ".ply", ".3mf", ".off")
_BODY_MM: Final = 12.0
_OFF_MM: Final = 1.0
_UNITS: Final = ((1.0, ""), (1000.0, "metres"), (25.4, "inches"), (10.0, "centimetres"))
_LARGEST: Final = 400_000
_ASTRAY: Final = 0.002
_DIFFERS: Final = 0.03


class ModelError(ValueError):
    """A model cannot be used; the message says why in a sentence."""


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """A tile's surface as corners of triangles, shape (n, 3, 3), anticlockwise seen from outside."""

    triangles: NDArray[np.float64]
    warnings: tuple[str, ...] = ()


def read_model(path: Path, parts: tuple[tuple[Path, float], ...] = ()) -> Model:
    """Read a model, and further parts by how high above its underside each is put.

    Raises:
        ModelError: a file cannot be read, or is not the closed surface of a body.
    """
    mesh = _mesh(path)
    warnings: list[str] = []
    corners = _sized(mesh, warnings)
    corners = _centred(corners, warnings)
    _check_closed(corners, path)
    if mesh.body_count > 1:
        warnings.append(f"it has {mesh.body_count} separate parts, which are taken to lie as they are drawn")
    low = corners[..., 2].min()
    whole = [corners]
    for part, height_mm in parts:
        more = np.asarray(_mesh(part).triangles, dtype=np.float64)
        _check_closed(more, part)
        more = more - [*_middle(more), more[..., 2].min() - low - height_mm]
        whole.append(more)
    # Models have y up the page, the board has it downhill: mirrored, with the triangles the other way round.
    triangles = np.concatenate(whole)[:, ::-1] * [1.0, -1.0, 1.0]
    return Model(np.ascontiguousarray(_lowered(triangles)), tuple(warnings))


def flipped(model: Model) -> Model:
    """Return a model turned over, about the line from its left to its right corner."""
    triangles = model.triangles * [1.0, -1.0, -1.0]
    return Model(_lowered(triangles), model.warnings)


def _lowered(triangles: NDArray[np.float64]) -> NDArray[np.float64]:
    """Put a tile's base at its depth; what is not even as tall as a body has none."""
    low, high = triangles[..., 2].min(), triangles[..., 2].max()
    triangles[..., 2] += (UNDERSIDE_MM if high - low > _BODY_MM else 0.0) - low
    return triangles


def _mesh(path: Path) -> Any:
    if path.suffix.lower() in {".step", ".stp"}:
        raise ModelError(f"{path.name}: STEP holds no triangles; export the tile as STL or GLB")
    if path.suffix.lower() not in _SUFFIXES:
        raise ModelError(f"{path.name}: want a model as STL or GLB, found {path.suffix or 'no ending'}")
    try:
        mesh = trimesh.load_mesh(path)
        mesh.merge_vertices()
    except OSError:
        raise
    except Exception as error:
        raise ModelError(
            f"{path.name}: is no {path.suffix[1:].upper()} file that can be read ({error})"
        ) from error
    if not len(getattr(mesh, "faces", ())):
        raise ModelError(f"{path.name}: there is no surface in it")
    if len(mesh.faces) > _LARGEST:
        raise ModelError(
            f"{path.name}: {len(mesh.faces)} triangles are more than {_LARGEST}; export it coarser"
        )
    if not np.isfinite(mesh.vertices).all():
        raise ModelError(f"{path.name}: some of its corners are nowhere; repair the mesh")
    if mesh.volume < 0:
        mesh.invert()
    return mesh


def _check_closed(corners: NDArray[np.float64], path: Path) -> None:
    """Refuse a surface without an inside; gaps that matter to no ball are common, and are let pass."""
    solid, _, astray = solid_cells(corners)
    filled = float(solid.sum()) * CELL_MM**3
    volume = abs(float(np.einsum("ij,ij->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2]))) / 6)
    if astray > _ASTRAY or abs(volume - filled) > _DIFFERS * volume:
        raise ModelError(
            f"{path.name}: its surface has gaps or folds, so there is no inside; repair it in the program "
            "that drew it"
        )


def _sized(mesh: Any, warnings: list[str]) -> NDArray[np.float64]:
    """Return the corners in millimetres with z up: GLB files have y up and often metres."""
    corners = np.asarray(mesh.triangles, dtype=np.float64)
    extents = np.ptp(corners.reshape(-1, 3), axis=0)
    thin = int(np.argmin(extents))
    if thin == 0:
        raise ModelError("the model stands on its side; lay it flat, with its channels up")
    if thin == 1:
        corners = corners[..., [0, 2, 1]] * [1.0, -1.0, 1.0]
        extents = extents[[0, 2, 1]]
    for scale, unit in _UNITS:
        if abs(max(extents[:2]) * scale - FOOTPRINT_MM[0]) < 5:
            if unit:
                warnings.append(f"its size says that it is drawn in {unit}; taken so")
            return corners * scale
    return corners


def _middle(corners: NDArray[np.float64]) -> NDArray[np.float64]:
    flat = corners.reshape(-1, 3)[:, :2]
    return np.asarray((flat.min(axis=0) + flat.max(axis=0)) / 2)


def _centred(corners: NDArray[np.float64], warnings: list[str]) -> NDArray[np.float64]:
    across, along = np.ptp(corners.reshape(-1, 3)[:, :2], axis=0)
    if abs(across - FOOTPRINT_MM[1]) < _OFF_MM and abs(along - FOOTPRINT_MM[0]) < 2 * _OFF_MM:
        warnings.append("it is drawn with a corner at the top; turned so that its left side is the top edge")
        corners = corners[..., [1, 0, 2]] * [1.0, -1.0, 1.0]
    elif abs(across - FOOTPRINT_MM[0]) > 2 * _OFF_MM or abs(along - FOOTPRINT_MM[1]) > _OFF_MM:
        warnings.append(
            f"its footprint is {across:.1f} x {along:.1f} mm; "
            f"a tile's is {FOOTPRINT_MM[0]} x {FOOTPRINT_MM[1]} mm"
        )
    return np.asarray(corners - np.array([*_middle(corners), 0.0]))
