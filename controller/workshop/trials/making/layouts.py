"""Sensor layouts and noise levels by name: the conditions under which rolls are made and judged."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

from hextraction.board.instruments import SETS, Kind, instruments
from hextraction.board.profile import Board
from hextraction.controller.workshop.trials.making.three_halls import further_halls
from hextraction.simulator.noise import Noise

__all__ = ["LAYOUTS", "NOISES", "THREE_HALLS", "NoiseLevel", "layout_sensors", "part_count"]

_NO_HALLS: Final = frozenset({Kind.BALL, Kind.REST, Kind.TILE})


def _edges_only(board: Board) -> tuple[str, ...]:
    """No ball Halls: beams over every edge, on the ramps, under the holes and across the end zones."""
    return tuple(found.name for found in instruments(board, "rich") if found.kind not in _NO_HALLS)


def _perimeter(board: Board) -> tuple[str, ...]:
    """The sensors of *lean*, with three ball Halls in each slot (:mod:`.three_halls`)."""
    lean = tuple(found.name for found in instruments(board, "lean") if found.kind is not Kind.TILE)
    return (*lean, *further_halls(board))


THREE_HALLS: Final = "three-halls"
_OTHER_LAYOUTS: Final[Mapping[str, Callable[[Board], tuple[str, ...]]]] = MappingProxyType(
    {"edges": _edges_only, THREE_HALLS: _perimeter}
)
LAYOUTS: Final = (*SETS, *_OTHER_LAYOUTS)
"""The named layouts; a wiring file can describe any other."""


def layout_sensors(layout: str, board: Board) -> tuple[str, ...]:
    """Return the names of a layout's ball sensors; it is one of :data:`LAYOUTS` or a wiring file.

    Raises:
        SettingsError: the wiring file has mistakes.
        ValueError: there is no such layout or file.
    """
    if layout in _OTHER_LAYOUTS:
        return _OTHER_LAYOUTS[layout](board)
    if layout in SETS:
        return tuple(found.name for found in instruments(board, layout) if found.kind is not Kind.TILE)
    if not Path(layout).is_file():
        raise ValueError(f"layout: want {', '.join(LAYOUTS)} or a wiring file, found {layout!r}")
    from hextraction.controller.workshop.plans.build import read_build  # noqa: PLC0415 - only for wiring files

    _wiring, _board, rig = read_build(Path(layout), board.name)
    return tuple(name for name in rig.sensors if not name.startswith("tile."))


@dataclass(frozen=True, slots=True, kw_only=True)
class NoiseLevel:
    """How bad the sensors are: the simulator's noise, and up to ``ghosts`` false pulses per roll."""

    noise: Noise
    ghosts: int


def part_count(layout: str, board: Board) -> int:
    """Return how many parts detect balls in a layout."""
    return len(layout_sensors(layout, board))


NOISES: Final[Mapping[str, NoiseLevel]] = MappingProxyType(
    {
        "none": NoiseLevel(noise=Noise(), ghosts=0),
        "light": NoiseLevel(noise=Noise(miss=0.01, bounce=0.03, jitter_us=1_000), ghosts=2),
        "standard": NoiseLevel(noise=Noise(miss=0.03, bounce=0.03, jitter_us=1_000), ghosts=2),
        "poor": NoiseLevel(noise=Noise(miss=0.05, bounce=0.05, jitter_us=1_500), ghosts=2),
        "heavy": NoiseLevel(noise=Noise(miss=0.10, bounce=0.05, jitter_us=2_000), ghosts=4),
    }
)
"""Misses of 0, 1, 3, 5 and 10 %; *standard* is the one for which we promise results."""
