"""Reads the model of a tile from a file, and lays it as it lies in a slot."""

import io
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import trimesh
from hextraction.board.grid import EDGES, edge_middle_mm
from hextraction.settings.plain import read_plain
from hextraction.simulator.models.space import CELL_MM, windings
from numpy.typing import NDArray

__all__ = [
    "FOOTPRINT_MM",
    "UNDERSIDE_MM",
    "Model",
    "ModelError",
    "flipped",
    "read_model",
    "ways_up",
]

FOOTPRINT_MM: Final = (56.5, 50.0)
UNDERSIDE_MM: Final = -5.0
"""How deep the base of a tile reaches below its body."""
_SUFFIXES: Final = (".stl", ".glb", ".gltf", ".obj", ".ply", ".3mf", ".off")
_BODY_MM: Final = 12.0
_LEAST_BASE_MM: Final = 0.75
_BASE_MM: Final = (_LEAST_BASE_MM, 8.0)
_BASE_REACH_MM: Final = (18.0, 24.0)
"""How far a base reaches from the middle to its sides; a body reaches 25 mm, a figure on it less."""
_TO_EDGES: Final = np.array([edge_middle_mm(edge, 2.0) for edge in EDGES])
_OFF_MM: Final = 1.0
_UNITS: Final = ((1.0, ""), (1000.0, "metres"), (25.4, "inches"), (10.0, "centimetres"))
_LARGEST: Final = 200_000
_MOST_BYTES: Final = 100_000_000
_MOST_FOLDS: Final = 300
_ASTRAY: Final = 0.002
_DIFFERS: Final = 0.03
_ASTRAY_MM: Final = 1e6
_TALLEST_MM: Final = 120.0
_MISFIT: Final = 1.2
_IN_METRES: Final = {".glb", ".gltf"}


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
    drawn = _how_drawn(np.asarray(mesh.vertices), path)
    warnings = [f"its size says that it is drawn in {drawn.unit}; taken so"] if drawn.unit else []
    corners = _centred(_closed(drawn.laid(mesh.triangles), path), warnings)
    if mesh.body_count > 1:
        warnings.append(f"it has {mesh.body_count} separate parts, which are taken to lie as they are drawn")
    low = corners[..., 2].min()
    whole = [corners]
    for part, height_mm in parts:
        more = _closed(_part_drawn(part, path, drawn).laid(_mesh(part).triangles), part)
        more = more - [*_middle(more), more[..., 2].min() - low - height_mm]
        whole.append(more)
    # Models have y up the page, the board has it downhill: mirrored, with the triangles the other way round.
    triangles = np.concatenate(whole)[:, ::-1] * [1.0, -1.0, 1.0]
    if np.ptp(triangles[..., 2]) > _TALLEST_MM:
        raise ModelError(f"{path.name}: with its parts it is taller than {_TALLEST_MM:g} mm")
    return Model(np.ascontiguousarray(_lowered(triangles)), tuple(warnings))


def flipped(model: Model) -> Model:
    """Return a model turned over, about the line from its left to its right corner."""
    triangles = model.triangles * [1.0, -1.0, -1.0]
    return Model(_lowered(triangles), model.warnings)


def _lowered(triangles: NDArray[np.float64]) -> NDArray[np.float64]:
    """Put a tile's base at its depth, and the underside of what has none at zero."""
    triangles[..., 2] += (UNDERSIDE_MM if _has_base(triangles) else 0.0) - triangles[..., 2].min()
    return triangles


def ways_up(model: Model) -> tuple[tuple[Model, tuple[str, ...]], ...]:
    """Return how a model may lie, the likeliest first, each with what to say of it.

    Its base is down; what stands on a tile is no base, being narrower or taller. Without a base it may lie
    either way, if nothing stands on it.
    """
    turned = flipped(model)
    down = (turned, ("it is drawn upside down; turned over",))
    if _is_base(*_below_body(model.triangles)):
        return ((model, ()),)
    if _is_base(*_below_body(turned.triangles)):
        return (down, (model, ()))
    stands_on_it = _below_body(turned.triangles)[0] >= _LEAST_BASE_MM
    return ((model, ()),) if stands_on_it else ((model, ()), down)


def _has_base(triangles: NDArray[np.float64]) -> bool:
    """Whether a model has a base: something narrower below, or a body that is taller than bodies are."""
    above, _reach = _below_body(triangles * [1.0, 1.0, -1.0])
    tall = float(np.ptp(triangles[..., 2])) - above
    return _is_base(*_below_body(triangles)) or tall > _BODY_MM


def _is_base(deep_mm: float, reach_mm: float) -> bool:
    lowest, deepest = _BASE_MM
    return lowest <= deep_mm <= deepest and _BASE_REACH_MM[0] <= reach_mm <= _BASE_REACH_MM[1]


def _below_body(triangles: NDArray[np.float64]) -> tuple[float, float]:
    """Return how deep a model reaches below its widest part, and how far to the sides it reaches there."""
    towards = (triangles[..., :2] @ _TO_EDGES.T).max(axis=2)
    outer = towards.max() - _OFF_MM
    beyond = triangles[..., 2][towards >= outer].min()
    for one, other in ((0, 1), (1, 2), (2, 0)):
        # Where a side of a triangle passes from within to beyond.
        before, after = towards[:, one] - outer, towards[:, other] - outer
        passes = before * after < 0
        share = before[passes] / (before[passes] - after[passes])
        heights = triangles[passes, one, 2] * (1 - share) + triangles[passes, other, 2] * share
        beyond = min(beyond, heights.min(initial=math.inf))
    low = triangles[..., 2].min()
    under = towards[triangles[..., 2] < beyond - _LEAST_BASE_MM / 2]
    return float(beyond - low), float(under.max(initial=0.0))


def _mesh(path: Path) -> Any:
    if path.suffix.lower() in {".step", ".stp"}:
        raise ModelError(f"{path.name}: STEP holds no triangles; export the tile as STL or GLB")
    if path.suffix.lower() not in _SUFFIXES:
        raise ModelError(f"{path.name}: want a model as STL or GLB, found {path.suffix or 'no ending'}")
    try:
        mesh = _loaded(path)
    except OSError:
        raise
    except ImportError as error:
        kind = path.suffix[1:].upper()
        raise ModelError(
            f"{path.name}: reading {kind} needs {error.name or 'more'}; pip install 'hextraction[models]', "
            "or export it as STL"
        ) from error
    except Exception as error:
        # What the library says of it is about its own insides.
        kind = path.suffix[1:].upper()
        raise ModelError(
            f"{path.name}: is no {kind} file that can be read; export the tile again, as STL or GLB"
        ) from error
    if not len(getattr(mesh, "faces", ())):
        raise ModelError(f"{path.name}: there is no surface in it")
    if len(mesh.faces) > _LARGEST:
        raise ModelError(
            f"{path.name}: {len(mesh.faces)} triangles are more than {_LARGEST}; export it coarser"
        )
    if not (np.abs(mesh.vertices) < _ASTRAY_MM).all():
        raise ModelError(f"{path.name}: some of its corners are nowhere; repair the mesh")
    _check_size(np.asarray(mesh.triangles), path)
    mesh.merge_vertices()
    return mesh


def _loaded(path: Path) -> Any:
    """Load a file with the library; it takes text for UTF-8, which a name inside it need not be."""
    kind = path.suffix[1:].lower()
    size = path.stat().st_size
    if size > _MOST_BYTES:
        raise ModelError(
            f"{path.name}: holds {size / 1e6:.0f} MB, want at most {_MOST_BYTES / 1e6:.0f}; export it coarser"
        )
    if kind == "stl":
        data = read_plain(path, _MOST_BYTES)
        many = int.from_bytes(data[80:84], "little")
        if len(data) != 84 + 50 * many:
            if not data.lstrip().startswith(b"solid"):
                raise ValueError("it is no text, and not as long as it says")
            plain = bytes(letter if letter < 128 else ord("?") for letter in data)
            return trimesh.load_mesh(io.BytesIO(plain), file_type=kind, process=False)
    return trimesh.load_mesh(path, process=False)


def _check_size(triangles: NDArray[np.float64], path: Path) -> None:
    """Refuse a surface whose study would never end: triangles many times over, or folds without end."""
    kinds = np.unique(triangles.reshape(len(triangles), 9), axis=0)
    if len(kinds) < len(triangles) / 2:
        raise ModelError(
            f"{path.name}: of its {len(triangles)} triangles only {len(kinds)} differ; repair it in the "
            "program that drew it"
        )
    sizes = np.ptp(triangles, axis=1)
    across = [float((sizes[:, one] * sizes[:, other]).sum()) for one, other in ((0, 1), (0, 2), (1, 2))]
    whole = np.ptp(triangles.reshape(-1, 3), axis=0)
    if min(across) > _MOST_FOLDS * max(
        float(whole[one] * whole[other]) for one, other in ((0, 1), (0, 2), (1, 2))
    ):
        raise ModelError(
            f"{path.name}: its triangles would cover it more than {_MOST_FOLDS} times; export it without "
            "what is inside"
        )


def _closed(corners: NDArray[np.float64], path: Path) -> NDArray[np.float64]:
    """Return a surface with its outside out; refuse one without an inside.

    Gaps that matter to no ball are common, and are let pass; so are bodies that reach into each other.
    """
    size = np.ptp(corners.reshape(-1, 3), axis=0)
    if size.max() > _TALLEST_MM:
        raise ModelError(f"{path.name}: is {size.max():.0f} mm long, and no tile is; look at its scale")
    volume = float(np.einsum("ij,ij->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2]))) / 6
    if volume < 0:
        corners, volume = corners[:, ::-1], -volume
    wound, _, astray = windings(corners)
    filled = float(np.maximum(wound, 0).sum()) * CELL_MM**3
    if volume == 0 or astray > _ASTRAY or abs(volume - filled) > _DIFFERS * volume:
        raise ModelError(
            f"{path.name}: its surface has gaps or folds, so there is no inside; repair it in the program "
            "that drew it"
        )
    return corners


@dataclass(frozen=True, slots=True)
class _Drawn:
    """How a file is drawn: whether y is up in it, how many mm its unit is, and what that is called."""

    y_up: bool
    scale: float
    unit: str = ""

    def laid(self, corners: Any) -> NDArray[np.float64]:
        """Return corners in millimetres with z up."""
        given = np.asarray(corners, dtype=np.float64)
        return (given[..., [0, 2, 1]] * [1.0, -1.0, 1.0] if self.y_up else given) * self.scale


def _how_drawn(corners: NDArray[np.float64], path: Path) -> _Drawn:
    """Say how a tile is drawn, by what makes its footprint most like a tile's."""
    across, along, high = (max(float(size), 1e-9) for size in np.ptp(corners, axis=0))
    fits = [
        (_misfit(across * scale, (high if y_up else along) * scale), y_up, scale, unit)
        for y_up in (False, True)
        for scale, unit in _UNITS
    ]
    misfit, y_up, scale, unit = min(fits)
    if misfit <= _MISFIT:
        return _Drawn(y_up, scale, unit)
    if min(_misfit(along * scale, high * scale) for scale, _ in _UNITS) <= _MISFIT:
        raise ModelError(f"{path.name}: the model stands on its side; lay it flat, with its channels up")
    raise ModelError(
        f"{path.name}: its size is {across:.4g} x {along:.4g} x {high:.4g}, a tile's footprint is "
        f"{FOOTPRINT_MM[0]:g} x {FOOTPRINT_MM[1]:g} mm; scale it, or save it without what lies beside it"
    )


def _misfit(across_mm: float, along_mm: float) -> float:
    """Return by what factor a footprint is too large or too small, either way round; 1.0 fits."""
    sizes = zip(sorted((across_mm, along_mm)), sorted(FOOTPRINT_MM), strict=True)
    return max(max(has / wanted, wanted / has) for has, wanted in sizes)


def _part_drawn(part: Path, model: Path, drawn: _Drawn) -> _Drawn:
    """Say how a part is drawn, whose size says nothing: as its model, or as files of its kind usually are."""
    if part.suffix.lower() == model.suffix.lower():
        return drawn
    in_metres = part.suffix.lower() in _IN_METRES
    return _Drawn(y_up=in_metres, scale=1000.0 if in_metres else 1.0)


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
