"""A real table over an emulated hub: a simulated board moves the chip's inputs, the chip's gates let balls go.

Everything follows the emulated time: the board's world, the hub, and the controller, whose clock it is.
"""

import argparse
import random

from helpers.hub.emulator import EmulatedClock, HubEmulator
from hextraction.board.profile import load_board
from hextraction.controller.app import live
from hextraction.controller.config import read_config
from hextraction.controller.games.hextraction import Config
from hextraction.controller.games.hextraction.cards.tilebook import load_catalogue
from hextraction.controller.games.hextraction.setup.decks import demo_setup, quick_start
from hextraction.controller.games.protocol import NoPreparation
from hextraction.hal.hub.look import look_at_hub
from hextraction.hal.hub.port import open_serial
from hextraction.hal.hub.question import HubQuestion
from hextraction.hal.wiring.file import read_wiring
from hextraction.simulator.backend import SimulatedBoard
from hextraction.simulator.devices import SimulatedCoils

__all__ = [
    "BOARD",
    "TILES",
    "BoardOnHub",
    "HubClock",
    "WiredHub",
    "laid",
    "look_through",
    "open_table",
    "options",
]

BOARD = load_board("standard-22")
TILES = load_catalogue(None)
HALL_COUNTS = 120


class HubClock(EmulatedClock):
    """The emulated time as the machine's own clock."""

    boot_id = "emulated"


def look_through(port, clock):
    """Return what looks at an emulated hub at rest, through its serial port and in its own time."""

    def looked(wiring):
        with HubQuestion(open_serial(str(port)), lambda: clock.now_us() / 1e6, patience_s=5) as hub:
            found = look_at_hub(hub, wiring.hubs[0])
        assert found is not None
        return {"": found}

    return looked


class WiredHub(HubEmulator):
    """An emulated hub with a board's sensors and coils wired to it as a wiring file says."""

    def __init__(self, wire):
        super().__init__()
        self.wire = wire
        self.looped_chips = wire.chips if wire.loop else None
        self._inputs = {each.name: each.number for each in wire.inputs}
        self._halls = {each.name: each.number for each in wire.linears}
        self.coil_names = {each.number: each.name for each in wire.coils}
        self._gates_seen = 0
        self.active_low = {each.number for each in wire.inputs if not each.active_high}
        for number in range(8 * wire.chips):
            self.set_input(number, False)

    def sensed(self, edge):
        """Let a sensor that hangs here see something, or nothing any more."""
        if edge.sensor in self._inputs:
            self.set_input(self._inputs[edge.sensor], edge.active)
        elif edge.sensor in self._halls:
            self.set_linear(self._halls[edge.sensor], 2048 + HALL_COUNTS * edge.active)

    def move(self, coils):
        """Let the coils of a board do what the gates did since the last time."""
        for change in self.gates[self._gates_seen :]:
            (coils.energise if change.on else coils.release)(self.coil_names[change.coil])
        self._gates_seen = len(self.gates)


class BoardOnHub(WiredHub):
    """An emulated hub with a simulated board, and :attr:`others`, the other hubs that the board is wired to."""

    def __init__(self, wiring_file, *, which, seed, volts=12.0):
        self.wiring = read_wiring(wiring_file)
        super().__init__(self.wiring.hubs[0])
        self.others = [WiredHub(wire) for wire in self.wiring.hubs[1:]]
        self.board = SimulatedBoard(BOARD, which=which, seed=seed, kickers=())
        self.coils = SimulatedCoils(self.board.world, volts=volts)
        self.board.inputs.listen(self._sensed)

    def run_us(self, duration_us):
        """Let the board and the hub live through the same time."""
        self.board.advance(max(self.board.world.now_us, int(self.total_us)))
        super().run_us(duration_us)
        for hub in (self, *self.others):
            hub.move(self.coils)

    def lay(self, tiles):
        """Lay tiles on the board."""
        for slot, name, turns in tiles:
            self.board.world.lay(slot, TILES[name], turns)

    def _sensed(self, edge):
        for hub in (self, *self.others):
            hub.sensed(edge)


def laid(seed):
    """Return a full board of path tiles, by chance."""
    return quick_start(BOARD, TILES, 22, random.Random(seed))


def options(folder, wiring_file, port):
    """Return what ``hextraction run`` is told: this wiring with this port, no phones, no grace."""
    wiring = folder / "wiring.toml"
    text = wiring_file.read_text().replace('port = "auto"', f'port = "{port}"').replace('"lgpio"', '"mock"')
    wiring.write_text(text)
    config = folder / "table.toml"
    config.write_text(
        f'[table]\nwiring = "{wiring}"\njournal = "{folder / "games.db"}"\n[game]\ngrace_s = 0\n'
    )
    return argparse.Namespace(
        config=config,
        no_electronics=False,
        starter=False,
        no_page=True,
        journal=None,
        exit_when_ready=False,
        host=None,
        port=None,
    )


def open_table(monkeypatch, told, clock, tiles):
    """Return the real table on the emulated clock; its games begin with these tiles on the board."""
    monkeypatch.setattr(live, "MonotonicClock", lambda: clock)
    table = live.open_table(read_config(told.config), told)
    table.host_.preparation = with_tiles(tiles)
    return table


def with_tiles(tiles):
    """Return what sets a game up with these tiles on the board, as if people had laid them."""

    def made(occasion):
        senses = occasion.senses
        config = Config(
            grace_us=0,
            sensors=senses.balls,
            tile_sensors=senses.tiles,
            gates=senses.gates,
            kickers=senses.kickers,
        )
        return demo_setup(
            TILES, BOARD.name, occasion.seats, laid=tiles, config=config, chance=0, at_us=occasion.at_us
        )

    return NoPreparation(made)
