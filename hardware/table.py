"""The tables of the boards as frozen values, checked when they are read."""

import math
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

__all__ = [
    "BoardTable",
    "Footprint",
    "Kind",
    "Pad",
    "PadShape",
    "Part",
    "Place",
    "Text",
    "all_boards",
    "load_board",
]

_HERE: Final = Path(__file__).parent
_LAYERS: Final = {"above": "F", "below": "B"}

Point = tuple[float, float]


class PadShape(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """One pad of a footprint: middle, size and drill (0: none) in mm."""

    number: str
    x_mm: float
    y_mm: float
    wide_mm: float
    high_mm: float
    drill_mm: float = 0.0


class Footprint(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Pads, body and window as seen from the side that the part sits on; bare pads are not ``pasted``."""

    library: str
    body: tuple[float, float, float, float]
    height_mm: float
    pads: tuple[PadShape, ...]
    window: tuple[float, float, float, float] | None = None
    window_radius: float = 0.0
    mark: Point | None = None
    pasted: bool = True


class Kind(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A kind of part that one orders: pins are (number, name, KiCad's electrical type).

    ``seen`` and ``second_seen`` say where its number, and its second source's, were found beside what ``use`` and
    ``package`` say; empty: nowhere. ``lcsc`` is an order number that others' lists have beside it, or empty.
    """

    footprint: str
    package: str
    use: str
    maker: str
    number: str
    second: str
    pins: tuple[tuple[str, str, str], ...]
    seen: str = ""
    second_seen: str = ""
    lcsc: str = ""


class Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One part of a board: its place, and its turn in degrees as KiCad counts them."""

    ref: str
    part: str
    at_mm: Point
    turned_deg: float = 0.0


class Text(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Words printed on a board, on the side of its parts unless ``above``."""

    text: str
    at_mm: Point
    size_mm: float = 0.8
    above: bool = False
    turned_deg: float = 0.0


class _Parts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A board's own file: where parts sit, what is joined, and how it is routed."""

    side: str
    parts: tuple[Part, ...]
    nets: Mapping[str, tuple[str, ...]]
    current_ma: Mapping[str, float]
    texts: tuple[Text, ...] = ()
    grid_mm: float = 0.1
    poured: str = ""


class _Outline(msgspec.Struct, frozen=True, kw_only=True):
    """What ``boards.toml`` says of a board to everybody; its other keys are for printed parts and wiring."""

    title: str
    made: bool
    thick_mm: float
    outline_mm: tuple[Point, ...]
    holes_mm: tuple[tuple[float, float, float], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pad:
    """One pad on the board: whose, which net (empty: none), middle and half extents in mm, layers F and B."""

    ref: str
    number: str
    net: str
    x_mm: float
    y_mm: float
    half_x_mm: float
    half_y_mm: float
    layers: str
    drill_mm: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A part with all that is known of it, and how its own coordinates become the board's."""

    part: Part
    kind: Kind
    footprint: Footprint
    layer: str

    def on_board(self, x_mm: float, y_mm: float) -> Point:
        """Return a point of the footprint on the board; below, a part is seen through the board."""
        seen_y = -y_mm if self.layer == "B" else y_mm
        turn = math.radians(self.part.turned_deg)
        return (
            self.part.at_mm[0] + x_mm * math.cos(turn) + seen_y * math.sin(turn),
            self.part.at_mm[1] - x_mm * math.sin(turn) + seen_y * math.cos(turn),
        )

    def extents(self, wide_mm: float, high_mm: float) -> Point:
        """Return half of a rectangle's size on the board; parts stand in quarters of a turn."""
        is_turned = round(self.part.turned_deg / 90) % 2 == 1
        return (high_mm / 2, wide_mm / 2) if is_turned else (wide_mm / 2, high_mm / 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardTable:
    """A whole board. Places are millimetres from its middle, x to the right and y downhill, seen from above.

    Tracks run on a grid of ``grid_mm``; the net ``poured`` (empty: none) fills what is left on both sides.
    """

    name: str
    title: str
    thick_mm: float
    outline_mm: tuple[Point, ...]
    holes_mm: tuple[tuple[float, float, float], ...]
    places: tuple[Place, ...]
    nets: Mapping[str, tuple[str, ...]]
    current_ma: Mapping[str, float]
    texts: tuple[Text, ...]
    layer: str
    grid_mm: float = 0.1
    poured: str = ""

    def pads(self) -> Iterator[Pad]:
        """Yield every pad."""
        net_of = {pin: net for net, pins in self.nets.items() for pin in pins}
        for place in self.places:
            for shape in place.footprint.pads:
                at, half = place.on_board(shape.x_mm, shape.y_mm), place.extents(shape.wide_mm, shape.high_mm)
                yield Pad(
                    ref=place.part.ref,
                    number=shape.number,
                    net=net_of.get(f"{place.part.ref}.{shape.number}", ""),
                    x_mm=at[0],
                    y_mm=at[1],
                    half_x_mm=half[0],
                    half_y_mm=half[1],
                    layers="FB" if shape.drill_mm else place.layer,
                    drill_mm=shape.drill_mm,
                )

    def windows(self) -> Iterator[tuple[float, float, float, float]]:
        """Yield the openings under lamps as (left, top, right, bottom)."""
        for place in self.places:
            if place.footprint.window is not None:
                left, top, right, bottom = place.footprint.window
                half = place.extents(right - left, bottom - top)
                x_mm, y_mm = place.on_board((left + right) / 2, (top + bottom) / 2)
                yield x_mm - half[0], y_mm - half[1], x_mm + half[0], y_mm + half[1]


def _problems(table: BoardTable) -> Iterator[str]:
    pins = {f"{place.part.ref}.{pin[0]}" for place in table.places for pin in place.kind.pins}
    named = [pin for pins_of in table.nets.values() for pin in pins_of]
    yield from (f"{pin}: no part has this pin" for pin in sorted(set(named) - pins))
    yield from (
        f"{pin}: joined to two nets" for pin in sorted({pin for pin in named if named.count(pin) > 1})
    )
    yield from (
        f"{net}: a current of a net that is none" for net in table.current_ma if net not in table.nets
    )
    refs = [place.part.ref for place in table.places]
    yield from (f"{ref}: two parts" for ref in sorted({ref for ref in refs if refs.count(ref) > 1}))
    for place in table.places:
        numbers = {pad.number for pad in place.footprint.pads}
        lost = {pin[0] for pin in place.kind.pins} - numbers
        if lost:
            yield f"{place.part.ref}: pins without a pad: {', '.join(sorted(lost))}"


def _outlines() -> dict[str, _Outline]:
    return msgspec.convert(tomllib.loads((_HERE / "boards.toml").read_text("utf-8")), dict[str, _Outline])


def all_boards() -> tuple[str, ...]:
    """Return the names of the boards that can be made."""
    return tuple(name for name, outline in _outlines().items() if outline.made)


def load_board(name: str) -> BoardTable:
    """Return a board by its name in ``boards.toml``.

    Raises:
        ValueError: its table contradicts itself; every mistake is told.
        msgspec.ValidationError: a table lacks a key, or has one too many.
    """
    outline = _outlines()[name]
    footprints = msgspec.convert(
        tomllib.loads((_HERE / "footprints.toml").read_text("utf-8")), dict[str, Footprint]
    )
    kinds = msgspec.convert(tomllib.loads((_HERE / "parts.toml").read_text("utf-8")), dict[str, Kind])
    own = msgspec.convert(tomllib.loads((_HERE / f"{name}.toml").read_text("utf-8")), _Parts)
    layer = _LAYERS[own.side]
    table = BoardTable(
        name=name,
        title=outline.title,
        thick_mm=outline.thick_mm,
        outline_mm=outline.outline_mm,
        holes_mm=outline.holes_mm,
        places=tuple(
            Place(
                part=part,
                kind=kinds[part.part],
                footprint=footprints[kinds[part.part].footprint],
                layer=layer,
            )
            for part in own.parts
        ),
        nets=own.nets,
        current_ma=own.current_ma,
        texts=own.texts,
        layer=layer,
        grid_mm=own.grid_mm,
        poured=own.poured,
    )
    problems = tuple(_problems(table))
    if problems:
        raise ValueError(f"hardware/{name}.toml:\n  " + "\n  ".join(problems))
    return table
