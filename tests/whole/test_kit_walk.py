"""check-board over the whole kit on the emulated hub: the real firmware reads a kit that was put together net by net."""

import contextlib
import functools
import io
import json
import os
import queue
import re
import threading

import pytest
from helpers.hub.put_together import Kit
from helpers.places import ROOT
from helpers.tiers import nightly
from hextraction.controller.app.command_line import main
from hextraction.controller.workshop.bring_up.measurements import steps_for
from hextraction.controller.workshop.bring_up.walk import steps_of
from hextraction.controller.workshop.plans.build import read_build
from hextraction.hal.hub.port import open_serial
from hextraction.hal.opening.factory import open_devices

pytest.importorskip(
    "rp2040py", reason="rp2040py is not installed, so the firmware cannot be run: pip install rp2040py==0.3.6"
)
from helpers.hub.emulator import HubEmulator
from helpers.hub.pseudo_terminal import HubOnPty
from helpers.hub.table import HubClock, look_through

pytestmark = [pytest.mark.slow, pytest.mark.firmware]

WIRING = ROOT / "wiring" / "kit-lean.toml"
BUILD, BOARD, RIG = read_build(WIRING)
STEPS = {
    step.ask: step
    for step in (
        *steps_for(BUILD),
        *steps_of(
            BOARD,
            RIG.sensors,
            [lamp.name for lamp in BUILD.lamps],
            [c.name for c in BUILD.all_coils],
            RIG.buttons,
        ),
    )
}
REFUSED = "It did not fire"


class KitOnHub(HubEmulator):
    """The emulated hub with the electronics of a kit around it."""

    def __init__(self, kit):
        super().__init__()
        self.kit = kit
        self.show()

    def show(self):
        """Let the chips have at their pins what follows from the nets now."""
        data, whole = self.kit.chain()
        self.looped_chips = len(data) if whole else None
        for number in range(8 * len(data)):
            self.set_input(number, bool(data[number // 8] >> number % 8 & 1))
        for channel, counts in self.kit.halls().items():
            self.set_linear(channel, counts)

    def cover(self, sensor):
        """Let a sensor see what it is there for."""
        self.kit.world.put(sensor)
        self.show()

    def uncover(self, sensor):
        """Take it away again."""
        self.kit.world.take(sensor)
        self.show()


class Overheard:
    """A board's sensors; ``told`` hears which one has changed right after the program has heard it."""

    def __init__(self, inputs, told):
        self._inputs, self._told = inputs, told

    def listen(self, on_edge):
        """Listen for the program."""

        def heard(edge):
            on_edge(edge)
            self._told(edge.sensor)

        self._inputs.listen(heard)

    def levels(self):
        """Return what they read now."""
        return self._inputs.levels()


class Hand(io.StringIO):
    """Reads what the walk prints, and does what it asks for: a ball, a tile, a look, a key and Enter.

    It looks at no clock: what it does lasts until the program has heard it, however busy the machine is.
    """

    def __init__(self, port, keys):
        super().__init__()
        self._port, self._hub, self._keys, self._asked = port, port.hub, keys, queue.Queue()
        self._gates, self._refused = 0, threading.Event()
        self.felt = queue.Queue()
        """The sensors of which the program has just heard a change."""
        threading.Thread(target=self._do_all, daemon=True).start()

    def write(self, text):
        """Take what is printed; a question is answered by the hand."""
        found = re.match(r"\[\d+/\d+\] (.*)", text)
        if found is not None:
            self._asked.put(STEPS[found[1]])
        if REFUSED in text:
            self._refused.set()
        return super().write(text)

    def _do_all(self):
        while True:
            step = self._asked.get()
            if step.kind == "sensor":
                if self._touch(step.sensor) != step.sensor:
                    self._press("s")
            elif step.kind == "lamp":
                self._look(step.device)
            elif step.kind == "coil":
                self._fire(step)
            else:
                self._press("y")

    def _look(self, name):
        """Say whether these lamps and no others shine, as the nets let them."""
        pixels = next(lamp.pixels for lamp in BUILD.lamps if lamp.name == name)
        is_right = self._port.do(functools.partial(self._hub.kit.looks_right, name, pixels))
        self._press("y" if is_right else "n")

    def _press(self, key):
        os.write(self._keys, f"{key}\n".encode())

    def _touch(self, sensor):
        """Cover a sensor until the program has heard something, and uncover it until it hears that, too.

        Return which sensor answered; what is pressed now reaches the program after both edges.
        """
        for act in (self._hub.cover, self._hub.uncover):
            self._port.do(functools.partial(act, sensor))
            answered = self.felt.get()
        return answered

    def _fire(self, step):
        """Say fire, again whenever it is refused, until the gate opens: then a ball comes by its ramp's beam."""
        self._refused.set()
        while self._asked.empty() and self._port.do(lambda: len(self._hub.gates)) < self._gates + 2:
            if self._refused.is_set():
                self._refused.clear()
                self._press("f")
        self._gates += 2
        self._touch(step.sensor)


@pytest.fixture
def keys(monkeypatch):
    """A terminal: what is written to it is what somebody types."""
    master, slave = os.openpty()
    with os.fdopen(slave) as terminal:
        monkeypatch.setattr("sys.stdin", terminal)
        yield master
    os.close(master)


def walk(tmp_path, keys, kit, *words):
    """Walk over a kit on the emulated hub; return status, report and what was printed."""
    report = tmp_path / "report.json"
    (tmp_path / "kit.toml").write_text(f'[table]\nwiring = "{WIRING}"\n')
    with HubOnPty(tmp_path, KitOnHub(kit)) as port:
        clock, hand = HubClock(port.hub), Hand(port, keys)

        def opened(wiring):
            opens = {"": lambda: open_serial(str(port.path))}
            devices = open_devices(wiring, clock=clock, hub_ports=opens)
            limit_us = clock.now_us() + 10_000_000
            while not devices.hubs[0].coils_ready:
                assert clock.now_us() < limit_us, "the hub is not there within ten seconds"
            devices.inputs = Overheard(devices.inputs, hand.felt.put)
            return devices

        options = ["--config", str(tmp_path / "kit.toml"), "--no-page", "--report", str(report), *words]
        with contextlib.redirect_stdout(hand) as printed:
            status = main(["check-board", *options], opened=opened, looked=look_through(port.path, clock))
    assert port.failure is None
    return status, json.loads(report.read_text()), printed.getvalue()


@nightly(
    "minutes of an emulated processor",
    meanwhile="tests/workshop/bring_up/deducing/test_causes.py::test_a_fault_of_a_kits_assembly_is_named",
)
def test_swapped_bars_and_a_missing_magnet_are_named_on_the_emulated_hub(tmp_path, keys):
    """The magnet before anything is tried, the bars as soon as their sensors have been asked for; what is well is well."""
    kit = Kit(BUILD)
    kit.swap(("E", "J1"), ("E", "J2"))
    kit.no_magnet.add("ball.C3")
    well = ["measure:emergency stop", "tile.A1", "lamp:slot.A1"]
    words = [word for name in (*well, "tile.E1", "tile.E2", "drain.E1") for word in ("--only", name)]
    status, report, printed = walk(tmp_path, keys, kit, *words)
    assert status == 1
    assert [row["name"] for row in report["findings"] if row["result"] == "ok"] == well
    assert printed.startswith("Before anything is tried:\n1. ball.C3 gives 1.65 V, half of its supply")
    says = [line for line in report["causes"] if not line.startswith(" ")]
    assert says[0].startswith("1. bar E1 and bar E2 are swapped: bar E1 is in J2 of column E")
    assert says[1].startswith("2. ball.C3 gives 1.65 V")
    assert len(says) == 2


@nightly(
    "a minute of an emulated processor takes twenty",
    meanwhile="tests/workshop/bring_up/deducing/test_causes.py::test_a_fault_of_a_kits_assembly_is_named",
)
def test_check_board_walks_the_whole_kit_on_the_emulated_hub(tmp_path, keys):
    """Every sensor, button, lamp and gate of kit-lean, and each measurement, is found well by the real firmware."""
    status, report, printed = walk(tmp_path, keys, Kit(BUILD))
    assert printed.startswith("At rest the board looks well.\n")
    assert [row for row in report["findings"] if row["result"] != "ok"] == []
    assert (status, report["complete"], report["causes"]) == (0, True, [])
    assert report["well"] == report["steps"] == len(STEPS)
