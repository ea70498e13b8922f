"""Reads a circuit board as KiCad has it: parts, nets, copper. It knows nothing of what wrote the file."""

import itertools
import math
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

__all__ = ["BOARDS", "Board", "Copper", "Pad", "read_board"]

BOARDS: Final = Path(__file__).parents[2] / "hardware" / "boards"
_TOKEN: Final = re.compile(r'"((?:[^"\\]|\\.)*)"|([()])|([^\s()"]+)')
_OHM_SQUARE: Final = 0.000_5
"""Of copper 35 um thick."""

Spot = tuple[str, float, float]
"""Layer (F or B), and place in mm."""
Tree = list["str | Tree"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pad:
    """A pad: its pin as ``U1.2``, its net (empty: none), its layers, middle and size in mm as it lies."""

    pin: str
    net: str
    layers: str
    x_mm: float
    y_mm: float
    wide_mm: float
    high_mm: float
    drill_mm: float

    def covers(self, spot: Spot) -> bool:
        """Whether a place is on this pad."""
        near_x, near_y = abs(spot[1] - self.x_mm), abs(spot[2] - self.y_mm)
        return spot[0] in self.layers and near_x <= self.wide_mm / 2 and near_y <= self.high_mm / 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Copper:
    """A straight track; ``width_mm`` is 0 for a via, which joins both layers."""

    net: str
    start: Spot
    end: Spot
    width_mm: float


@dataclass(frozen=True, slots=True)
class Board:
    """A board: each part's value by its name, all pads, all tracks and vias."""

    values: Mapping[str, str]
    pads: tuple[Pad, ...]
    copper: tuple[Copper, ...]

    @property
    def nets(self) -> dict[str, set[str]]:
        """The pins of each net."""
        found: dict[str, set[str]] = defaultdict(set)
        for pad in self.pads:
            if pad.net:
                found[pad.net].add(pad.pin)
        return dict(found)

    def net_of(self, pin: str) -> str:
        """Return the net of a pin such as ``U1.2``; empty if it has none."""
        return next((pad.net for pad in self.pads if pad.pin == pin), "")

    def resistances(self, net: str) -> Iterator[tuple[str, str, float]]:
        """Yield a net's tracks, not what is poured, as resistors (node, node, ohms); a pad is its pin."""
        pieces = [one for one in self.copper if one.net == net]
        spots = {spot for one in pieces for spot in (one.start, one.end)}
        pads = [pad for pad in self.pads if pad.net == net]
        names = {spot: next((pad.pin for pad in pads if pad.covers(spot)), _named(spot)) for spot in spots}
        for one in pieces:
            if not one.width_mm:
                yield names[one.start], names[one.end], 0.001
                continue
            along = sorted(
                (math.dist(one.start[1:], spot[1:]), names[spot]) for spot in spots if _lies_on(spot, one)
            )
            for (near, name), (far, other) in itertools.pairwise(along):
                if name != other:
                    yield name, other, max((far - near) / one.width_mm * _OHM_SQUARE, 1e-6)


def _named(spot: Spot) -> str:
    return f"{spot[0]}{round(spot[1] * 1000)}_{round(spot[2] * 1000)}"


def _lies_on(spot: Spot, track: Copper) -> bool:
    if spot[0] != track.start[0]:
        return False
    whole = math.dist(track.start[1:], track.end[1:])
    return math.dist(track.start[1:], spot[1:]) + math.dist(spot[1:], track.end[1:]) < whole + 1e-6


def read_board(name: str) -> Board:
    """Read a board by the name of its folder in ``hardware/boards``."""
    tree = _tree((BOARDS / name / f"{name}.kicad_pcb").read_text("utf-8"))
    nets = {str(one[1]): str(one[2]) for one in _all(tree, "net")}
    values, pads = {}, []
    for footprint in _all(tree, "footprint"):
        properties = {str(one[1]): str(one[2]) for one in _all(footprint, "property")}
        values[properties["Reference"]] = properties["Value"]
        pads += [_pad(properties["Reference"], footprint, pad) for pad in _all(footprint, "pad")]
    copper = [
        Copper(net=nets[_word(one, "net")], start=(at, *_spot(one, "start")), end=(at, *_spot(one, "end")),
               width_mm=float(_word(one, "width")))
        for one in _all(tree, "segment")
        for at in (_word(one, "layer")[0],)
    ]  # fmt: skip
    copper += [
        Copper(
            net=nets[_word(one, "net")],
            start=("F", *_spot(one, "at")),
            end=("B", *_spot(one, "at")),
            width_mm=0.0,
        )
        for one in _all(tree, "via")
    ]
    return Board(values, tuple(pads), tuple(copper))


def _pad(ref: str, footprint: Tree, pad: Tree) -> Pad:
    at = _numbers(footprint, "at")
    turn = math.radians(at[2] if len(at) > 2 else 0.0)
    x, y = _spot(pad, "at")
    wide, high = _spot(pad, "size")
    if round(math.degrees(turn) / 90) % 2:
        wide, high = high, wide
    nets, drills = list(_all(pad, "net")), list(_all(pad, "drill"))
    layers = "".join(str(one)[0] for one in next(_all(pad, "layers"))[1:] if str(one).endswith(".Cu"))
    return Pad(
        pin=f"{ref}.{pad[1]}",
        net=str(nets[0][2]) if nets else "",
        layers="FB" if layers == "*" else layers,
        x_mm=at[0] + x * math.cos(turn) + y * math.sin(turn),
        y_mm=at[1] - x * math.sin(turn) + y * math.cos(turn),
        wide_mm=wide,
        high_mm=high,
        drill_mm=float(str(drills[0][1])) if drills else 0.0,
    )


def _tree(text: str) -> Tree:
    """Return KiCad's brackets as lists of words."""
    stack: list[Tree] = [[]]
    for quoted, bracket, word in _TOKEN.findall(text):
        if bracket == "(":
            stack.append([])
        elif bracket == ")":
            last = stack.pop()
            stack[-1].append(last)
        else:
            stack[-1].append(word or quoted)
    whole = stack[0][0]
    if not isinstance(whole, list):
        raise TypeError("want a list in brackets")
    return whole


def _all(tree: Tree, head: str) -> Iterator[Tree]:
    return (one for one in tree if isinstance(one, list) and one and one[0] == head)


def _word(tree: Tree, head: str) -> str:
    return str(next(_all(tree, head))[1])


def _numbers(tree: Tree, head: str) -> list[float]:
    return [float(str(one)) for one in next(_all(tree, head))[1:]]


def _spot(tree: Tree, head: str) -> tuple[float, float]:
    x, y = _numbers(tree, head)[:2]
    return x, y
