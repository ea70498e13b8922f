"""When each sensor was on, as bars over time, coloured by the ball that explains them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from hextraction.board.facts import RollSettled
from hextraction.controller.workshop.drawing import INK, TILE, Point, line, rect
from hextraction.controller.workshop.trials.pictures.board_picture import text
from hextraction.controller.workshop.trials.pictures.ways import Pulse, Step, Way

__all__ = ["timeline"]

_ROW_MM: Final = 4.6
_TOP_MM: Final = 12.0
_NAMES_MM: Final = 26.0
_LEAST_MM: Final = 0.8
_LEAD_US: Final = 100_000
_NOBODY: Final = "#a39b8a"
_STEPS_S: Final = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
_MOST_LABELS: Final = 10


def timeline(
    pulses: Sequence[Pulse],
    settled: RollSettled,
    ways: Sequence[Way],
    colours: Mapping[int, str],
    place: tuple[float, float, float],
) -> tuple[list[str], float]:
    """Return the elements and their total height; ``place`` is left, top and width."""
    left, top, width = place
    began_us = min((fact.at_us for fact in settled.facts), default=0) - _LEAD_US
    shown = [pulse for pulse in pulses if pulse.off_us >= began_us]
    if not shown:
        return [], 4.0
    sensors = list(dict.fromkeys(pulse.sensor for pulse in shown))
    until_us = max(pulse.off_us for pulse in shown) + _LEAD_US
    across = (width - _NAMES_MM - 8) / max(1, until_us - began_us)

    def x_mm(at_us: int) -> float:
        return left + _NAMES_MM + (max(at_us, began_us) - began_us) * across

    rows = {sensor: top + _TOP_MM + index * _ROW_MM for index, sensor in enumerate(sensors)}
    bottom = top + _TOP_MM + len(sensors) * _ROW_MM
    found = list(_axis(began_us, until_us, x_mm(began_us), across, (top + _TOP_MM - 3, bottom)))
    for sensor, y in rows.items():
        name = text((left + _NAMES_MM - 3, y), sensor, size=3.3, anchor="end")
        found.append(name)
    for pulse in shown:
        start, end = x_mm(pulse.on_us), x_mm(pulse.off_us)
        box = (start, rows[pulse.sensor] - 1.5, max(_LEAST_MM, end - start))
        found.append(_bar(box, _explained(pulse, ways, colours)))
    return found, bottom - top + 8


def _bar(box: tuple[float, float, float], colour: str) -> str:
    x, y, wide = box
    return rect((x, y), wide, 3, corner=0.6, fill=colour)


def _axis(
    began_us: int, until_us: int, left: float, across: float, rows: tuple[float, float]
) -> Iterator[str]:
    """Draw a line at each round number of seconds since the roll began."""
    span_s = (until_us - began_us) / 1e6
    step_s = next((step for step in _STEPS_S if span_s / step <= _MOST_LABELS), span_s)
    for index in range(int(span_s / step_s) + 1):
        x = left + index * step_s * 1e6 * across
        yield line((x, rows[0]), (x, rows[1]), stroke=TILE, stroke_width=0.4)
        at: Point = (x, rows[0] - 3)
        yield text(at, f"{index * step_s:g} s", size=3.4, colour=INK)


def _explained(pulse: Pulse, ways: Sequence[Way], colours: Mapping[int, str]) -> str:
    """Return the colour of the ball that was there then, or the colour for none."""
    near = [
        (abs(step.at_us - pulse.on_us), way.ball)
        for way in ways
        for step, until_us in _spans(way)
        if step.slot in pulse.slots and _within(pulse, step.at_us, until_us)
    ]
    return colours[min(near)[1]] if near else _NOBODY


def _spans(way: Way) -> Iterator[tuple[Step, int | None]]:
    """Return the steps of a way, each with when the next one begins."""
    for index, step in enumerate(way.steps, 1):
        yield step, way.steps[index].at_us if index < len(way.steps) else None


def _within(pulse: Pulse, from_us: int, until_us: int | None) -> bool:
    return pulse.near(from_us) or (pulse.off_us >= from_us and (until_us is None or pulse.on_us <= until_us))
