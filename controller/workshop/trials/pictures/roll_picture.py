"""One roll as one SVG: the board with the balls' ways above, the sensors' timeline below."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from hextraction.board.facts import BallEntered, RollSettled
from hextraction.controller.tracking.trace import Trace, TraceEdge
from hextraction.controller.workshop.drawing import FAINT, INK, PAPER, Point, circle, path, svg
from hextraction.controller.workshop.trials.pictures.board_picture import (
    board_lines,
    bounds,
    edge_point,
    middle,
    text,
)
from hextraction.controller.workshop.trials.pictures.timeline import timeline
from hextraction.controller.workshop.trials.pictures.ways import Step, Way, pulses_of, ways_of

__all__ = ["COLOURS", "roll_picture"]

COLOURS: Final = ("#c8452f", "#2f6fb7", "#8a4fa3", "#c98a16", "#2f8f7a", "#6b5b4b")
"""The balls' colours, by number; chosen to be distinguishable for colour-blind people too."""
_HEAD_MM: Final = 22.0
_ASIDE_MM: Final = 2.2
_RAMP_MM: Final = 13.0
_HALO: Final = {"stroke": PAPER, "stroke_width": "1.2", "paint_order": "stroke"}
_KINDS: Final = {
    "third": "third touch",
    "touches": "touches",
    "rests": "balls",
    "lost": "lost",
    "zone": "won",
}


def roll_picture(
    trace: Trace, settled: RollSettled, edges: Sequence[TraceEdge], balls: Mapping[int, str], name: str
) -> str:
    """Return the picture of a roll as the text of an SVG file."""
    pulses = pulses_of(edges, trace.board)
    ways = list(ways_of(settled.facts, balls, pulses, trace.board))
    colours = {way.ball: COLOURS[index % len(COLOURS)] for index, way in enumerate(ways)}
    left, top, width, height = bounds(trace.board)
    below, depth = timeline(pulses, settled, ways, colours, (left, top + height, width))
    body = [
        *board_lines(trace.board, trace.tiles),
        *_resting(trace, balls, ways),
        *(line for index, way in enumerate(ways) for line in _way(trace, way, colours[way.ball], index)),
        *_touches(trace, settled),
        *_missing(trace, settled),
        *_asked(trace, settled),
        *below,
    ]
    whole = (left, top - _HEAD_MM, width, height + _HEAD_MM + depth)
    head = _head(settled, name, (left + 6, top - _HEAD_MM + 9))
    return svg(whole, [*head, *body], size=(whole[2] * 3.4, whole[3] * 3.4))


def _head(settled: RollSettled, name: str, at: Point) -> Iterator[str]:
    yield text(at, f"{name[0].upper()}{name[1:]}", size=7, anchor="start", bold=True)
    sure = f"{100 * settled.probability:.0f} % sure"
    touched = sum(isinstance(fact, BallEntered) for fact in settled.facts)
    words = f"{sure} · {touched} {'touch' if touched == 1 else 'touches'} · dashed: concluded, no sensor told"
    yield text((at[0], at[1] + 7), words, size=4.2, colour=FAINT, anchor="start")


def _resting(trace: Trace, balls: Mapping[int, str], ways: Sequence[Way]) -> Iterator[str]:
    moved = {way.ball for way in ways}
    for index, (ball, slot) in enumerate(balls.items()):
        if ball not in moved and slot in trace.board.by_name:
            x, y = middle(trace.board, slot)
            yield _ball((x + (index % 3 - 1) * 4, y + 4), "#9a9384")


def _ball(at: Point, colour: str) -> str:
    return circle(at, 4, fill=colour, stroke="white", stroke_width=0.9)


def _way(trace: Trace, way: Way, colour: str, index: int) -> Iterator[str]:
    aside = ((index + 1) // 2) * (_ASIDE_MM if index % 2 else -_ASIDE_MM)
    for step in way.steps:
        seen = step.seen and (step is not way.steps[-1] or way.end == "rest" or way.end_seen)
        yield _curve(trace, step, colour, aside, dashed=not seen)
    if way.ramp:
        ramp = trace.board.ramp_by_name[way.ramp]
        start = edge_point(trace.board, ramp.slot, ramp.edge, _RAMP_MM)
        end = edge_point(trace.board, ramp.slot, ramp.edge)
        yield _stroke([start, end], colour, aside, dashed=False)
        yield _ball(start, colour) if way.end == "stuck" else _dot((start[0] + aside, start[1]), colour)
    if way.steps:
        yield from _end(trace, way, colour, aside)


def _curve(trace: Trace, step: Step, colour: str, aside: float, *, dashed: bool) -> str:
    board, centre = trace.board, middle(trace.board, step.slot)
    start = edge_point(board, step.slot, step.came) if step.came else centre
    end = edge_point(board, step.slot, step.went) if step.went else centre
    points = [start, end] if centre in {start, end} else [start, centre, end]
    if step.came == step.went and step.came:
        points = [start, (centre[0] + 5, centre[1]), start]
    return _stroke(points, colour, aside, dashed=dashed)


def _stroke(points: Sequence[Point], colour: str, aside: float, *, dashed: bool) -> str:
    (sx, sy), *rest = [(x + aside, y) for x, y in points]
    bend = "Q" if len(rest) == 2 else "L"
    way = f"M{sx:.1f},{sy:.1f} {bend}" + " ".join(f"{x:.1f},{y:.1f}" for x, y in rest)
    dash = "2.6 2.2" if dashed else None
    return path(
        way, fill="none", stroke=colour, stroke_width=1.9, stroke_opacity=0.9, stroke_linecap="round",
        stroke_dasharray=dash,
    )  # fmt: skip


def _dot(at: Point, colour: str) -> str:
    return circle(at, 1.6, fill=colour)


def _end(trace: Trace, way: Way, colour: str, aside: float) -> Iterator[str]:
    last = way.steps[-1]
    x, y = middle(trace.board, last.slot)
    if way.end == "rest":
        yield _ball((x + aside, y), colour)
    elif way.end == "fell":
        yield circle((x + aside, y), 3.6, fill="none", stroke=colour, stroke_width=1.4)
        yield _dot((x + aside, y), colour)
    elif last.went:
        edge, out = (edge_point(trace.board, last.slot, last.went, far) for far in (0.0, 9.0))
        yield _stroke([edge, out], colour, aside, dashed=not way.end_seen)
        yield _ball((out[0] + aside, out[1]), colour)


def _touches(trace: Trace, settled: RollSettled) -> Iterator[str]:
    """Show how often each tile was touched; three or more stand out, as they break the loop."""
    counts = Counter(fact.slot for fact in settled.facts if isinstance(fact, BallEntered))
    for slot, many in counts.items():
        if slot in trace.tiles:
            x, y = middle(trace.board, slot)
            at = (x + trace.board.pitch_mm * 0.36, y)
            fill, ink = ("#c8452f", "white") if many >= 3 else ("white", INK)
            yield circle(at, 3.7, fill=fill, stroke=INK, stroke_width=0.4)
            yield text(at, str(many), size=4.6, colour=ink, bold=True)


def _missing(trace: Trace, settled: RollSettled) -> Iterator[str]:
    for doubt in settled.missing:
        if doubt.slot is not None:
            x, y = middle(trace.board, doubt.slot)
            yield text((x, y - 9), "where to?", size=4.6, colour="#c8452f", bold=True)


def _asked(trace: Trace, settled: RollSettled) -> Iterator[str]:
    """Mark the slots of the tracker's question, with the count there under each answer."""
    question = settled.question
    for index, slot in enumerate(question.slots if question is not None else ()):
        if question is not None and slot in trace.board.by_name:
            x, y = middle(trace.board, slot)
            counts = " or ".join(dict.fromkeys(str(answer.counts[index]) for answer in question.answers))
            yield text(
                (x, y - trace.board.pitch_mm * 0.33),
                f"? {_KINDS[question.kind]} {counts}",
                size=4.2,
                colour="#c8452f",
                bold=True,
                **_HALO,
            )
