"""A kit and a starter as somebody put them together, with faults: what each chip then reads follows from the nets.

Which connector is whose comes from the sensors' numbers and from ``hardware/boards.toml``, cable by cable and core by
core, and never from the wiring's ``[[plug]]`` tables, by which the program looks for faults.
"""

import tomllib
from dataclasses import dataclass, field

from helpers.places import ROOT
from hextraction.hal.wiring.wires import HubInput, Wiring

__all__ = ["Cable", "Kit", "Starter"]

BOARDS = tomllib.loads((ROOT / "hardware" / "boards.toml").read_text("utf-8"))
COLUMN = BOARDS["column_board"]
TO_BAR = COLUMN["connectors"]["bars"]["pins"]
TO_BEAM = COLUMN["connectors"]["beams"]["pins"]
RIBBON = COLUMN["connectors"]["hub"]["pins"]
BAR_TO_BEAM = BOARDS["slot_bar"]["connectors"]["J2"]["pins"]
INPUTS = COLUMN["inputs"]
IN_A_COLUMN, CHIPS_EACH = 24, 3
RIBBONS = tuple(f"J{n}" for n in range(1, 6))
HALF = 2048
"""Counts of a linear Hall without a field."""
MAGNET, BALL = 900, 45
"""Counts by which its magnet and a ball move it: about 0.7 V and 36 mV."""
RAIL = 0
PULLED_UP = True
"""What a beam's line reads that nothing pulls down: each has its resistor on the column board."""


@dataclass
class Cable:
    """A cable from a connector of one board to that of another; ``cold`` cores do not conduct."""

    board: str
    plug: str
    cold: set[int] = field(default_factory=set)

    def carries(self, pins, name):
        """Whether any core of that name conducts."""
        return any(pin == name and core not in self.cold for core, pin in enumerate(pins, 1))


@dataclass
class World:
    """What lies on the board: tiles by slot, balls and fingers by the sensor that should see them."""

    tiles: set[str] = field(default_factory=set)
    touched: set[str] = field(default_factory=set)

    def put(self, sensor):
        """Do what a step of the walk asks for."""
        kind, _dot, place = sensor.partition(".")
        (self.tiles if kind == "tile" else self.touched).add(place if kind == "tile" else sensor)

    def take(self, sensor):
        """Undo it."""
        kind, _dot, place = sensor.partition(".")
        (self.tiles if kind == "tile" else self.touched).discard(place if kind == "tile" else sensor)


class Kit:
    """Five column boards on a hub board, with bars and beams. All attributes may be changed to plant a fault.

    ``ribbons`` say which column board is in which connector of the hub board; ``cables`` what is in each connector of a
    board: ``("A", "J3")`` of column A, ``("bar", "J2")`` of a bar. ``open_high`` is how an input reads on which
    nothing drives.
    """

    def __init__(self, wiring: Wiring, *, open_high: bool = True) -> None:
        self.world, self.open_high = World(), open_high
        self.ribbons = {mark: Cable(letter, "J30") for mark, letter in zip(RIBBONS, "ABCDE", strict=True)}
        self.cables: dict[tuple[str, str], Cable] = {}
        self.bars: set[str] = set()
        self._plug_by_numbers(wiring)
        self.dead_chips: dict[tuple[str, int], int] = {}
        """Chips by column and number that give nothing but this level."""
        self.unlatched: set[tuple[str, int]] = set()
        self.cold_inputs: set[tuple[str, int]] = set()
        self.bridged: set[tuple[str, int, int]] = set()
        self.dead_multiplexers: set[str] = set()
        self.cold_lines: set[tuple[str, int]] = set()
        self.loop_cold = False
        self.no_magnet: set[str] = set()
        self.turned_magnet: set[str] = set()
        self.dead: set[str] = set()
        """Parts that give nothing: Halls and receivers, by their sensor's name."""
        self.dark: set[str] = set()
        """Beams whose emitter does not shine."""
        self.bridged_receivers: set[str] = set()
        self.upside_down: set[str] = set()
        self.chatters: set[str] = set()
        self.bad_lamps: set[tuple[str, int]] = set()
        """Lamps turned round, by bar and number: dark, and nothing passes them."""
        self.odd_lamps: set[tuple[str, int]] = set()
        """Lamps of another kind: their colours are wrong, and data passes."""
        self.no_jumper: set[tuple[str, str]] = set()
        self.lamp_fuse = True
        self.plain_tile = False
        self.flip = False

    # --- how it should be ---

    def _plug_by_numbers(self, wiring):
        for wire in (*wiring.hub_inputs, *wiring.hub_linears):
            if isinstance(wire, HubInput):
                self._plug_input(wire.name, "ABCDE"[wire.number // IN_A_COLUMN], wire.number % IN_A_COLUMN)
            else:
                column, channel = divmod(wire.number, 8)
                self._plug_bar(_bar_of(wire.name), "ABCDE"[column], INPUTS["halls"].index(channel))

    def _plug_input(self, name, column, place):
        if place in INPUTS["beams"]:
            self.cables[column, f"J{11 + INPUTS['beams'].index(place)}"] = Cable(name, "J1")
        elif place in INPUTS["tiles"]:
            self._plug_bar(_bar_of(name), column, INPUTS["tiles"].index(place))
        else:
            bar = _bar_of(name)
            self._plug_bar(bar, column, INPUTS["drains"].index(place))
            self.cables[bar, "J2"] = Cable(name, "J1")

    def _plug_bar(self, bar, column, number):
        self.bars.add(bar)
        self.cables[column, f"J{number + 1}"] = Cable(bar, "J1")

    def connector(self, board):
        """Return where a board is plugged in, its cable included: ``("A", "J3")``."""
        return next(at for at, cable in self.cables.items() if cable.board == board)

    def swap(self, one, other):
        """Change two cables of one size over."""
        self.cables[one], self.cables[other] = self.cables[other], self.cables[one]

    # --- the shift registers ---

    def chain(self):
        """Return the byte of each chip, and whether the mark comes back from the far end."""
        found, whole = [], not self.loop_cold
        for mark in RIBBONS:
            ribbon = self.ribbons.get(mark)
            alive = ribbon is not None and all(
                ribbon.carries(RIBBON, name) for name in ("3V3", "GND", "SCK", "SERIAL_IN", "SERIAL_OUT")
            )
            if not alive or ribbon is None:
                return self._cut(found, 0)
            latched = ribbon.carries(RIBBON, "LATCH")
            for chip in range(CHIPS_EACH):
                if (ribbon.board, chip) in self.dead_chips:
                    return self._cut(found, self.dead_chips[ribbon.board, chip])
                dull = not latched or (ribbon.board, chip) in self.unlatched
                found.append(0 if dull else self._byte(ribbon.board, chip))
        return found, whole

    @staticmethod
    def _cut(found, level):
        many = CHIPS_EACH * len(RIBBONS) - len(found)
        return [*found, *[0xFF * level] * many], False

    def _byte(self, column, chip):
        levels = [self._input(column, 8 * chip + bit) for bit in range(8)]
        for board, one, other in self.bridged:
            if board == column and one // 8 == chip and other // 8 == chip:
                levels[one % 8] = levels[other % 8] = levels[one % 8] and levels[other % 8]
        return sum(level << bit for bit, level in enumerate(levels))

    def _input(self, column, place):
        if (column, place) in self.cold_inputs:
            return self.open_high
        if place in INPUTS["beams"]:
            mark, pins, name = f"J{11 + INPUTS['beams'].index(place)}", TO_BEAM, "OUT"
        else:
            tiles = place in INPUTS["tiles"]
            row = INPUTS["tiles" if tiles else "drains"]
            if place not in row:
                return self.open_high
            mark, pins, name = f"J{row.index(place) + 1}", TO_BAR, "TILE" if tiles else "DRAIN"
        cable = self.cables.get((column, mark))
        if cable is None or not cable.carries(pins, name):
            return self.open_high if name == "TILE" else PULLED_UP
        if name == "OUT":
            return self._beam(cable.board, self._feeds(column, cable, TO_BEAM, "5V", "GND"))
        if name == "DRAIN":
            return self._drain(cable.board, self._feeds(column, cable, TO_BAR, "5V", "GND"))
        return self._tile(cable.board, self._feeds(column, cable, TO_BAR, "3V3A", "AGND"))

    def _feeds(self, column, cable, pins, plus, ground):
        ribbon = next((each for each in self.ribbons.values() if each.board == column), None)
        return (
            ribbon is not None
            and ribbon.carries(RIBBON, plus)
            and cable.carries(pins, plus)
            and cable.carries(pins, ground)
        )

    def _tile(self, bar, powered):
        sensor = f"tile.{bar}"
        if not powered or not bar[0].isupper() or sensor in self.dead:
            return self.open_high
        sees = bar in self.world.tiles and not self.plain_tile
        return self._jittering(sensor, not sees)

    def _drain(self, bar, powered):
        cable = self.cables.get((bar, "J2"))
        if cable is None or not cable.carries(BAR_TO_BEAM, "DRAIN"):
            return PULLED_UP
        return self._beam(
            cable.board, powered and cable.carries(BAR_TO_BEAM, "5V") and cable.carries(BAR_TO_BEAM, "GND")
        )

    def _beam(self, name, powered):
        if name.startswith("button."):
            return self._jittering(name, name not in self.world.touched)
        if name in self.bridged_receivers:
            return False
        if not powered:
            return PULLED_UP
        covered = name in self.world.touched or name in self.dark or name in self.dead
        return self._jittering(name, covered != (name in self.upside_down))

    def _jittering(self, name, level):
        return self.flip if name in self.chatters and self.world.touched | self.world.tiles else level

    # --- the linear Halls ---

    def halls(self):
        """Return the counts of each channel."""
        return {
            8 * number + channel: self._channel(mark, channel)
            for number, mark in enumerate(RIBBONS)
            for channel in INPUTS["halls"]
        }

    def _channel(self, mark, channel):
        ribbon = self.ribbons.get(mark)
        if ribbon is None or ribbon.board in self.dead_multiplexers or not ribbon.carries(RIBBON, "BALLS"):
            return RAIL
        for line in range(3):
            if (ribbon.board, line) in self.cold_lines or not ribbon.carries(RIBBON, f"S{line}"):
                channel &= ~(1 << line)
        if channel not in INPUTS["halls"]:
            return RAIL
        cable = self.cables.get((ribbon.board, f"J{INPUTS['halls'].index(channel) + 1}"))
        if cable is None or not cable.carries(TO_BAR, "BALL"):
            return RAIL
        return self._hall(cable.board, self._feeds(ribbon.board, cable, TO_BAR, "3V3A", "AGND"))

    def _hall(self, bar, powered):
        sensor = f"rest.{bar.partition('.')[2]}" if bar.startswith("zone") else f"ball.{bar}"
        if not powered or sensor in self.dead:
            return RAIL
        if sensor in self.no_magnet:
            return HALF
        pole = -1 if sensor in self.turned_magnet else 1
        return HALF + pole * (MAGNET + BALL * (sensor in self.world.touched))

    # --- the lamps ---

    def shining(self, pixels):
        """Return the lamps, by bar and number on it, that light up for these places of the chain."""
        chain, whole = [], self.lamp_fuse
        for mark in RIBBONS:
            ribbon = self.ribbons.get(mark)
            whole = (
                whole
                and ribbon is not None
                and ribbon.carries(RIBBON, "LAMP_IN")
                and ribbon.carries(RIBBON, "5V")
            )
            for number in range(1, 8):
                whole = whole and self._pass_place(ribbon, f"J{number}", chain)
            whole = whole and ribbon.carries(RIBBON, "LAMP_OUT")
        return {chain[pixel] for pixel in pixels if pixel < len(chain)}

    def _pass_place(self, ribbon, mark, chain):
        """Let the data go through one place for a bar; return whether it comes out."""
        cable = self.cables.get((ribbon.board, mark))
        if cable is None:
            return (ribbon.board, mark) not in self.no_jumper
        if not (cable.carries(TO_BAR, "LAMP_IN") and cable.carries(TO_BAR, "5V")):
            return False
        for number in range(3):
            if (cable.board, number) in self.bad_lamps:
                return False
            chain.append((cable.board, number))
        return cable.carries(TO_BAR, "LAMP_OUT")

    def looks_right(self, lamp, pixels):
        """Whether somebody would say that these lamps shine, in their colours, and no others."""
        kind, _dot, place = lamp.partition(".")
        if kind == "ramp":
            wanted = {(f"start.{place[0]}", int(place[1]) - 1)}
        else:
            wanted = {(place if kind == "slot" else f"zone.{place}", number) for number in range(3)}
        return self.shining(pixels) == wanted and not wanted & self.odd_lamps


def _bar_of(sensor):
    """Return the bar of a sensor: a slot's own name, ``zone.L`` or ``start.L``."""
    kind, _dot, place = sensor.partition(".")
    return f"start.{place[0]}" if kind == "ramp" else f"zone.{place}" if kind in {"rest", "zone"} else place


class Starter:
    """One 74HC165 with eight beams in a breadboard. All attributes may be changed to plant a fault.

    ``wires`` say whose inverter each pin D0 to D7 is joined with; ``pairs`` whose emitters share a resistor.
    """

    def __init__(self, wiring: Wiring, *, open_high: bool = True) -> None:
        self.world, self.open_high = World(), open_high
        self.wires: dict[int, str | None] = {wire.number: wire.name for wire in wiring.hub_inputs}
        ramps = [name for name in self.wires.values() if name.startswith("ramp")]
        self.pairs = {name: ramps[n // 2 * 2 : n // 2 * 2 + 2] for n, name in enumerate(ramps)}
        self.dark: set[str] = set()
        self.dead: set[str] = set()
        self.bridged_receivers: set[str] = set()
        self.no_inverter: set[str] = set()
        self.chatters: set[str] = set()
        self.bridged: set[tuple[int, int]] = set()
        self.emitters_fed = self.receivers_fed = self.latched = True
        self.chain_level: int | None = None
        """What DATA reads if nothing comes from the chip."""
        self.loop_cold = False
        self.flip = False

    def chain(self):
        """Return the chip's byte, and whether the mark comes back."""
        if self.chain_level is not None:
            return [0xFF * self.chain_level], False
        if not self.latched:
            return [0], not self.loop_cold
        levels = [self._input(pin) for pin in range(8)]
        for one, other in self.bridged:
            levels[one] = levels[other] = levels[one] and levels[other]
        return [sum(level << bit for bit, level in enumerate(levels))], not self.loop_cold

    def _input(self, pin):
        name = self.wires[pin]
        if name is None:
            return self.open_high
        if name in self.chatters and self.world.touched:
            return self.flip
        shines = self.emitters_fed and not self.dark & set(self.pairs.get(name, [name]))
        covered = name in self.world.touched or not shines or name in self.dead
        covered = covered and name not in self.bridged_receivers
        if not self.receivers_fed:
            covered = True
        return covered if name in self.no_inverter else not covered

    def halls(self):
        """It has none."""
        return {}

    def looks_right(self, _lamp, _pixels):
        """It has no lamps."""
        return False
