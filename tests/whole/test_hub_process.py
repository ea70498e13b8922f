"""The program itself, from its command line to its exit, over the real firmware: phones, e-stop, gate, ball, victory."""

import asyncio
import contextlib
import itertools
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time

import pytest
from helpers.companion_table import Phone, ask
from helpers.places import ROOT, TESTS
from helpers.tiers import nightly
from hextraction.board.facts import BallReleased
from hextraction.controller.play.journal import CoilsHeld, EdgeEntry, Journal

pytest.importorskip(
    "rp2040py", reason="rp2040py is not installed, so the firmware cannot be run: pip install rp2040py==0.3.6"
)
from helpers.hub.process_table import ShownTime
from helpers.hub.pseudo_terminal import HubOnPty
from helpers.hub.table import BoardOnHub, laid, options

pytestmark = [pytest.mark.slow, pytest.mark.firmware, pytest.mark.broker]

LEAN = ROOT / "wiring" / "hub-lean.toml"
TABLE = TESTS / "helpers" / "hub" / "process_table.py"
RAMP = "R2"
"""On this layout a ball from this ramp runs into an end zone, whatever its luck."""
HUNG_S = 3_600
"""Only what stands still altogether takes so long."""


class BoardThatShowsItsTime(BoardOnHub):
    """An emulated hub whose time another process can follow."""

    def __init__(self, clock):
        self._shown = ShownTime(clock)
        super().__init__(LEAN, which="lean", seed=3)
        self.lay(laid(8))

    def run_us(self, duration_us):
        """Let time pass, and show it."""
        super().run_us(duration_us)
        self._shown.show(int(self.total_us))


class Program:
    """``hextraction run`` as a child process."""

    def __init__(self, clock, config):
        command = [
            sys.executable,
            TABLE,
            clock,
            "run",
            "--config",
            config,
            "--host",
            "127.0.0.1",
            "--port",
            "0",
        ]
        self.child = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "PYTHONPATH": str(TESTS)},
        )
        self.said = ""
        self._is_open = threading.Event()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self):
        for line in self.child.stdout:
            self.said += line
            if "Everybody may watch" in line:
                self._is_open.set()
        self._is_open.set()

    def address(self):
        """Wait until the table is open; return its port and the code for new players."""
        self._is_open.wait()
        port = re.search(r"open at\s+http://[^:]+:(\d+)", self.said)
        assert port, self.said
        return int(port[1]), re.search(r"take a seat:\s+(\S+)", self.said)[1]

    def stop(self):
        """Ask it to stop, as a service is asked; return its status."""
        self.child.send_signal(signal.SIGTERM)
        status = self.child.wait()
        self._reader.join()
        self.child.stdout.close()
        return status


class Player:
    """Somebody with a phone at the table."""

    numbers = itertools.count()

    def __init__(self, port, login, name):
        self.seat = login["seat"]
        self._prefix = login["prefix"]
        self._phone = Phone(port, login, name=name)

    @classmethod
    async def joined(cls, port, code, name):
        """Take a seat with the table's code: whoever has read the welcome is let in."""
        answer = await asyncio.to_thread(ask, port, "POST", "/join", {"code": code, "name": name})
        assert answer[0] == 200, answer
        player = cls(port, answer[1], name)
        await player._begin()
        return player

    async def _begin(self):
        await wait(self._phone.up.is_set)
        await self._phone.subscribe(
            *(f"{self._prefix}/{topic}" for topic in ("table", "state")), f"{self._at}/reply"
        )

    @property
    def _at(self):
        return f"{self._prefix}/player/{self.seat}"

    def sees(self, topic):
        """Return the newest message of a topic."""
        heard = [
            body for name, body, _kept in list(self._phone.messages) if name == f"{self._prefix}/{topic}"
        ]
        return json.loads(heard[-1]) if heard else {}

    async def says(self, **word):
        """Send a command and return the code of its answer."""
        number = f"n{next(self.numbers)}"
        self._phone.client.publish(f"{self._at}/cmd", json.dumps({"id": number, **word}), 1)
        answers = []

        def is_answered():
            answers[:] = [each["code"] for each in self._phone.replies() if each["id"] == number]
            return answers

        await wait(is_answered)
        return answers[0]

    def close(self):
        """Put the phone away."""
        self._phone.close()


async def wait(holds):
    """Wait until something holds, however slow the emulation is."""
    hung_s = time.monotonic() + HUNG_S
    while not holds():
        assert time.monotonic() < hung_s, "the emulated table stands still"
        await asyncio.sleep(0.05)


@pytest.fixture
def hub(tmp_path):
    """Plug in a hub whose e-stop is pressed."""
    clock = tmp_path / "clock"
    clock.write_bytes(bytes(8))
    emulator = BoardThatShowsItsTime(clock)
    emulator.set_estop(False)
    with HubOnPty(tmp_path, emulator) as port:
        yield port
    assert port.failure is None


@pytest.fixture
def program(tmp_path, hub):
    """Start ``hextraction run`` with the lean build on that hub's port."""
    started = Program(tmp_path / "clock", options(tmp_path, LEAN, hub.path).config)
    yield started
    if started.child.poll() is None:
        started.child.kill()
        started.stop()


async def play(hub, program, table):
    """Two people stop and free the coils, and play one roll; return who rolled, and the game."""
    emulator = hub.hub
    port, code = await asyncio.to_thread(program.address)
    ada, bob = [await Player.joined(port, code, name) for name in ("Ada", "Bob")]
    for each in (ada, bob):
        table.callback(each.close)
    coils = lambda: (ada.sees("table").get("coils") or {}).get("state")  # noqa: E731
    await wait(lambda: coils() == "stopped")
    assert await bob.says(table={"do": "coils", "say": "clear"}) == "refused"
    hub.do(lambda: emulator.set_estop(True))
    await wait(lambda: coils() == "asks")
    assert emulator.pump_us == []
    assert await bob.says(table={"do": "coils", "say": "clear"}) == "ok"
    await wait(lambda: coils() is None)
    assert await ada.says(table={"do": "start"}) == "ok"
    await wait(lambda: emulator.pump_us and emulator.total_us > emulator.pump_us[0] + 200_000)
    await wait(lambda: ada.sees("state").get("view"))
    state = ada.sees("state")
    game, roller, other = state["game"], ada, bob
    if state["view"]["active"] != ada.seat:
        roller, other = bob, ada
    assert await other.says(game=game, act={"do": "roll", "ramp": RAMP}) == "refused"
    assert emulator.gates == []
    assert await roller.says(game=game, act={"do": "roll", "ramp": RAMP}) == "ok"
    await wait(lambda: ada.sees("state")["view"]["detail"]["phase"] == "over")
    return roller.seat, game, ada.sees("state")["view"]


@nightly(
    "a minute of an emulated processor",
    meanwhile="tests/whole/test_starter_on_hub.py::test_a_ball_that_is_let_go_by_hand_wins_the_starters_game",
)
def test_the_program_plays_a_roll_over_the_emulated_hub(tmp_path, hub, program):
    """Stopped at the start, freed by a word, one gate, one ball, the roller's victory; SIGTERM ends it with 0."""
    with contextlib.ExitStack() as table:
        roller, game, view = asyncio.run(play(hub, program, table))
    assert program.stop() == 0
    assert "Traceback" not in program.said
    emulator = hub.hub
    assert view["winners"] == [roller]
    facts = hub.do(emulator.board.world.facts)
    assert [fact.ramp for fact in facts if isinstance(fact, BallReleased)] == [RAMP]
    assert [(emulator.coil_names[each.coil], each.on) for each in emulator.gates] == [
        ("gate.R2", True),
        ("gate.R2", False),
    ]
    journal = Journal(tmp_path / "games.db")
    entries = [each.what for each in journal.entries(game)]
    journal.close()
    assert next(each.sensor for each in entries if isinstance(each, EdgeEntry)) == "ramp.R2"
    assert not any(isinstance(each, CoilsHeld) for each in entries)
    zones = hub.do(lambda: {zone for zone, balls in emulator.board.world.contents.zones.items() if balls})
    assert {f"zone.{zone}" for zone in zones} <= {
        each.sensor for each in entries if isinstance(each, EdgeEntry)
    }
