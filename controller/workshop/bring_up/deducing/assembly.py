"""Where everything hangs: the connector, chip and pin that each sensor's signal passes. Pure.

A kit says so in ``[[plug]]``: boards, cables and connectors. In a build that is wired by hand each wire is a
plug of its own, whose connector is the pin of a chip. Column boards are alike, so what one of them shows
about a connector holds for the same connector of the others, also where nothing is plugged in.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from hextraction.controller.workshop.bring_up.walk import SPARE
from hextraction.hal.wiring.plugs import HUB_BOARD
from hextraction.hal.wiring.wires import HubInput, HubLinear, HubWire, PlugWire, Wiring

__all__ = ["COLUMN", "WIRE", "Assembly", "At", "Spot", "with_spares"]

COLUMN: Final = "column"
WIRE: Final = "wire"
_ON_A_CHIP: Final = 8
_ON_A_MULTIPLEXER: Final = 16
_FITS: Final = {COLUMN: COLUMN, "bar": "bar", "beam": "beam", "button": "beam", WIRE: WIRE}
"""Plugs of one size fit into each other's connectors: a beam's and a button's are alike."""
_DATA_PINS: Final = (11, 12, 13, 14, 3, 4, 5, 6)
"""The pins of a 74HC165 for D0 to D7."""
_CHANNEL_PINS: Final = (9, 8, 7, 6, 5, 4, 3, 2, 23, 22, 21, 20, 19, 18, 17, 16)
"""The pins of a CD74HC4067 for C0 to C15."""
_SPARE_SCANS: Final = 15


@dataclass(frozen=True, slots=True, order=True)
class Spot:
    """A numbered place of a hub: an input, or the channel of a linear Hall."""

    hub: str
    is_linear: bool
    number: int

    @property
    def chip(self) -> int:
        """The chip that reads it: a shift register, or for a linear Hall a multiplexer."""
        return self.number // (_ON_A_MULTIPLEXER if self.is_linear else _ON_A_CHIP)


@dataclass(frozen=True, slots=True, order=True)
class At:
    """A connector: the board that it is on, and its mark there."""

    board: str
    mark: str


def with_spares(wiring: Wiring, *, but: Iterable[int] = ()) -> Wiring:
    """Return a wiring that also watches inputs on which nothing hangs: a plug may be there by mistake.

    They are named ``spare.66``. Those ``but`` keep changing by themselves and are left out.
    """
    return replace(wiring, hubs=tuple(_watching(hub, frozenset(but)) for hub in wiring.hubs))


def _watching(hub: HubWire, but: frozenset[int]) -> HubWire:
    used = {each.number for each in hub.inputs} | but
    spares = tuple(
        HubInput(
            name=_spare(Spot(hub.name, is_linear=False, number=number)),
            number=number,
            active_high=True,
            debounce_scans=_SPARE_SCANS,
            hub=hub.name,
        )
        for number in range(hub.chips * _ON_A_CHIP)
        if number not in used
    )
    return replace(hub, inputs=(*hub.inputs, *spares))


def _spare(spot: Spot) -> str:
    return f"{SPARE}.{spot.hub}.{spot.number}" if spot.hub else f"{SPARE}.{spot.number}"


class Assembly:
    """A build as it should be. ``sensors`` are those on its hubs; others hang on the Pi, and are not told of.

    Attributes:
        plugs: every plug by the name of its board; of a build by hand, of its sensor.
        wires: the sensors' wires by name.
    """

    def __init__(self, wiring: Wiring) -> None:
        self.wiring = wiring
        self.is_kit = bool(wiring.plugs)
        self.wires: dict[str, HubInput | HubLinear] = {
            **{each.name: each for each in wiring.hub_inputs},
            **{each.name: each for each in wiring.hub_linears},
        }
        self._spots = {name: _spot_of(wire) for name, wire in self.wires.items()}
        self._names = {spot: name for name, spot in self._spots.items()}
        plugs = wiring.plugs or tuple(map(self._wire_plug, self.wires))
        self.plugs: dict[str, PlugWire] = {plug.name: plug for plug in plugs}
        self._carriers = {name: plug for plug in plugs for name in (*plug.sensors, *map(_lamp, plug.lamps))}
        self._occupants = {At(plug.into, plug.at): plug for plug in plugs}
        self._inside: dict[str, tuple[PlugWire, ...]] = {}
        for plug in plugs:
            self._inside[plug.into] = (*self._inside.get(plug.into, ()), plug)
        self._layout = dict(self._learned()) if self.is_kit else {}

    # --- sensors and spots ---

    @property
    def sensors(self) -> tuple[str, ...]:
        """The sensors on the build's hubs."""
        return tuple(self._spots)

    def spot(self, sensor: str) -> Spot:
        """Return where a sensor is read."""
        return self._spots[sensor]

    def name(self, spot: Spot) -> str:
        """Return the sensor that is read there, or the name of an input on which nothing hangs."""
        return self._names.get(spot, _spare(spot))

    def is_beam(self, sensor: str) -> bool:
        """Whether light is what a sensor sees."""
        wire = self.wires[sensor]
        kind = sensor.partition(".")[0]
        return isinstance(wire, HubInput) and (wire.part == "beam" or not (wire.part or kind == "tile"))

    # --- plugs ---

    def carrier(self, sensor: str) -> PlugWire:
        """Return the plug that a sensor is on."""
        return self._carriers[sensor]

    def lamp_carrier(self, lamp: str) -> PlugWire | None:
        """Return the plug that a lamp is on, ``None`` if it is wired by hand."""
        return self._carriers.get(_lamp(lamp))

    def occupant(self, at: At) -> PlugWire | None:
        """Return what should be in a connector."""
        return self._occupants.get(at)

    def inside(self, board: str) -> tuple[PlugWire, ...]:
        """Return the plugs that should be in a board's connectors."""
        return self._inside.get(board, ())

    def below(self, plug: PlugWire) -> tuple[str, ...]:
        """Return the sensors on a plug and on all that hangs on it."""
        further = (name for each in self.inside(plug.name) for name in self.below(each))
        return (*plug.sensors, *further)

    def lamps_below(self, plug: PlugWire) -> tuple[str, ...]:
        """Return the lamps on a plug and on all that hangs on it."""
        further = (name for each in self.inside(plug.name) for name in self.lamps_below(each))
        return (*plug.lamps, *further)

    def column(self, plug: PlugWire) -> PlugWire:
        """Return the board whose chips read a plug; of a wire, the wire itself."""
        while plug.kind not in {COLUMN, WIRE}:
            plug = self.plugs[plug.into]
        return plug

    def fitting(self, plug: PlugWire) -> tuple[At, ...]:
        """Return the connectors that a plug fits into, its own among them."""
        size = _FITS[plug.kind]
        if size == WIRE:
            return tuple(At(*self._pin(spot)) for spot in self._alike(self._spots[plug.name]))
        used = [at for at, each in self._occupants.items() if _FITS[each.kind] == size]
        marks = {at.mark for at in used if self._is_column(at.board)}
        columns = [each.name for each in self.plugs.values() if each.kind == COLUMN]
        return tuple(dict.fromkeys([*used, *(At(name, mark) for name in columns for mark in sorted(marks))]))

    def spot_in(self, sensor: str, plug: PlugWire, at: At) -> Spot | None:
        """Return where a sensor would be read if ``plug``, which carries it, were in that connector."""
        if plug.kind == WIRE:
            own = self._spots[sensor]
            return next((spot for spot in self._alike(own) if At(*self._pin(spot)) == at), None)
        marks = self._marks(self._carriers[sensor], plug)
        if plug.kind == COLUMN:
            column: PlugWire | None = self._occupants.get(at)
        else:
            marks = (*self._marks_at(at), *marks)
            column = self.plugs[at.board] if self._is_column(at.board) else self.column(self.plugs[at.board])
        found = self._layout.get((marks, self._spots[sensor].is_linear))
        if column is None or found is None:
            return None
        return self._on(column, *found, self._spots[sensor])

    # --- in words ---

    def chip_words(self, spot: Spot) -> str:
        """Return what people call the chip that reads a place."""
        for plug in self.plugs.values():
            marks = (
                [mark for mark, span in plug.linears if spot.number in span]
                if spot.is_linear
                else [mark for mark, chip in plug.chips if chip == spot.chip]
            )
            if marks:
                return f"{marks[0]} of {plug.name}"
        kind = "CD74HC4067" if spot.is_linear else "74HC165"
        return f"{kind} number {spot.chip}{f' of hub {spot.hub}' if spot.hub else ''}"

    def at_words(self, plug: PlugWire, at: At | None = None) -> str:
        """Return what people call a connector, by default the one that a plug belongs in."""
        at = at or At(plug.into, plug.at)
        return f"{at.mark} of {'the hub board' if at.board == HUB_BOARD else at.board}"

    # --- inside ---

    def _wire_plug(self, name: str) -> PlugWire:
        into, pin = self._pin(self._spots[name])
        return PlugWire(name=name, kind=WIRE, into=into, at=pin, sensors=(name,))

    def _pin(self, spot: Spot) -> tuple[str, str]:
        each = _ON_A_MULTIPLEXER if spot.is_linear else _ON_A_CHIP
        pins, letter = (_CHANNEL_PINS, "C") if spot.is_linear else (_DATA_PINS, "D")
        kind = "CD74HC4067" if spot.is_linear else "74HC165"
        title = f"{kind} number {spot.chip}{f' of hub {spot.hub}' if spot.hub else ''}"
        return title, f"pin {pins[spot.number % each]} ({letter}{spot.number % each})"

    def _alike(self, spot: Spot) -> Iterator[Spot]:
        """Yield every place of the same kind on the same hub."""
        hub = next(each for each in self.wiring.hubs if each.name == spot.hub)
        many = hub.multiplexers * _ON_A_MULTIPLEXER if spot.is_linear else hub.chips * _ON_A_CHIP
        for number in range(many):
            yield Spot(spot.hub, spot.is_linear, number)

    def _is_column(self, board: str) -> bool:
        return board in self.plugs and self.plugs[board].kind == COLUMN

    def _marks(self, plug: PlugWire, top: PlugWire) -> tuple[str, ...]:
        """Return the connectors' marks from ``top`` down to a plug below it."""
        return () if plug == top else (*self._marks(self.plugs[plug.into], top), plug.at)

    def _marks_at(self, at: At) -> tuple[str, ...]:
        """Return the marks from a column board down to a connector, its own included."""
        if self._is_column(at.board):
            return (at.mark,)
        above = self.plugs[at.board]
        return (*self._marks_at(At(above.into, above.at)), at.mark)

    def _learned(self) -> Iterator[tuple[tuple[tuple[str, ...], bool], tuple[str, int]]]:
        """Yield, by the way down from a column board, the chip's mark and the place on that chip."""
        for name, spot in self._spots.items():
            plug = self._carriers[name]
            column = self.column(plug)
            key = self._marks(plug, column), spot.is_linear
            if spot.is_linear:
                mark, span = next((mark, span) for mark, span in column.linears if spot.number in span)
                yield key, (mark, spot.number - span.start)
            else:
                mark = next(mark for mark, chip in column.chips if chip == spot.chip)
                yield key, (mark, spot.number % _ON_A_CHIP)

    @staticmethod
    def _on(column: PlugWire, mark: str, place: int, like: Spot) -> Spot | None:
        if like.is_linear:
            span = dict(column.linears).get(mark, range(0))
            return Spot(like.hub, is_linear=True, number=span.start + place) if place < len(span) else None
        chip = dict(column.chips).get(mark)
        return None if chip is None else Spot(like.hub, is_linear=False, number=chip * _ON_A_CHIP + place)


def _spot_of(wire: HubInput | HubLinear) -> Spot:
    return Spot(wire.hub, isinstance(wire, HubLinear), wire.number)


def _lamp(name: str) -> str:
    """A lamp may be called like a sensor: ``ramp.L1``."""
    return f"lamp:{name}"
