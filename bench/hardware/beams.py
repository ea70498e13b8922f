"""The light beams: photocurrent of the poorest grades over the way that the template drills.

Light falls off with the square of the way; levels are those of a 74HC14 at 3.3 V (data sheet, worst case).
"""

import math
from collections.abc import Iterator
from typing import Final

from hextraction.board.design import Design
from hextraction.board.instruments import Kind, find_instrument
from hextraction.board.profile import load_board
from hextraction.controller.workshop.bring_up.template_holes import holes

from bench.hardware.claim import Chapter, Claim

__all__ = ["beam_claims", "beam_ways_mm"]

_claim: Final = Chapter("Beams", "inverse square, worst grades").claim
_SUPPLY_V: Final = 3.3
_SURELY_LOW_V: Final = 0.7
"""Below this a 74HC14 at 3.3 V has surely switched: its lowest falling threshold is 0.9 V at 3.0 V."""
_SURELY_HIGH_V: Final = 2.4
"""Above its highest rising threshold, 2.3 V."""
_NAMES: Final = {Kind.DRAIN: "drain", Kind.RAMP: "ramp", Kind.EDGE: "rim", Kind.ZONE: "end zone"}
_COLLECTOR_NF: Final = 6.8
"""Of a phototransistor, as its rise time says: 15 us at 1 kΩ are 2.2 R C."""
_SHORTEST_MS: Final = 2.3
"""How long a quick ball covers a beam at worst."""


def beam_ways_mm(board_name: str = "standard-22") -> dict[Kind, float]:
    """Return the longest way of each kind of beam on a board, from emitter to receiver."""
    board = load_board(board_name)
    ends: dict[str, list[tuple[float, float]]] = {}
    for hole in holes(board, "lean"):
        if hole.fitting == "beam":
            ends.setdefault(hole.owner, []).append((hole.x_mm, hole.y_mm))
    ways: dict[Kind, float] = {}
    for name, (one, other) in ends.items():
        kind = find_instrument(board, name).kind
        ways[kind] = max(ways.get(kind, 0.0), math.dist(one, other))
    return ways


def beam_claims(design: Design) -> Iterator[Claim]:
    """Yield what each kind of beam must do."""
    beam = design.beam
    need_ua = (_SUPPLY_V - _SURELY_LOW_V) / beam.pull_up_kohm * 1e3
    bear_ua = (_SUPPLY_V - _SURELY_HIGH_V) / beam.pull_up_kohm * 1e3
    for kind, way_mm in beam_ways_mm().items():
        text = f"photocurrent of a clear {_NAMES[kind]} beam over {way_mm:.0f} mm"
        yield _claim(text, beam.received_ua(way_mm) * 0.9, need_ua * 1.05, "µA", at_least=True)
        ma = beam.emitter_ma(way_mm, 5.25)
        yield _claim(f"current of the emitter of a {_NAMES[kind]} beam", ma, 50, "mA")
    yield _claim("what a covered receiver may still draw", beam.leak_ua, bear_ua, "µA")
    slow = math.log(_SUPPLY_V / (_SUPPLY_V - _SURELY_HIGH_V))
    rise_ms = slow * beam.pull_up_kohm * _COLLECTOR_NF * 1e-3
    yield _claim("a covered receiver is high after", rise_ms, _SHORTEST_MS / 4, "ms")
