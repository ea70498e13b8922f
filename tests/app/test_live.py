"""A real table: what the hal tells reaches it from any thread, and what no report told is heard all the same."""

import argparse
import asyncio
import contextlib
import socket
import threading

import pytest
from gpiozero.pins.mock import MockFactory
from helpers.pins import move_untold
from helpers.places import ROOT
from helpers.waiting import happens
from hextraction.controller.app.live import open_table
from hextraction.controller.config import read_config
from hextraction.controller.games.scene import Glow
from hextraction.controller.table.health import Doubted, State
from hextraction.hal.clock import MonotonicClock
from hextraction.hal.errors import DeviceLost
from hextraction.hal.opening.factory import open_devices

WIRING = ROOT / "wiring" / "bench-demo.toml"
BUTTON = '[[sensor]]\nname = "button.yes"\npin = 5\npart = "button"\n'
BEAM, BEAM_PIN, BUTTON_PIN = "ramp.L1", 17, 5


@pytest.fixture
def pins():
    """Pins made of nothing."""
    return MockFactory()


class Clock(MonotonicClock):
    """A real clock that a test can set forward."""

    ahead_us = 0

    def now_us(self):
        """Return the time, as far ahead as the test has set it."""
        return super().now_us() + self.ahead_us


@pytest.fixture
def clock():
    """The clock of the devices."""
    return Clock()


@pytest.fixture
def systemd(tmp_path, monkeypatch):
    """Where systemd listens; it wants to hear that the service lives, every tenth of a second."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(tmp_path / "notify"))
        listening.setblocking(False)
        monkeypatch.setenv("NOTIFY_SOCKET", listening.getsockname())
        monkeypatch.setenv("WATCHDOG_USEC", "400000")
        yield listening


@pytest.fixture
def table(tmp_path, pins, clock, systemd):
    """Set a table on mocked pins, with a button beside its sensors; its lamps may be as bright as they can."""
    text = WIRING.read_text().replace('"lgpio"', '"mock"')
    (tmp_path / "wiring.toml").write_text(f"{text}\n{BUTTON}")
    config = tmp_path / "den.toml"
    config.write_text(
        f'[table]\nwiring = "wiring.toml"\njournal = "{tmp_path / "games.db"}"\n[lights]\nbrightness = 1.0\n'
    )
    told = argparse.Namespace(
        config=config, no_electronics=False, starter=False, no_page=True, journal=None, exit_when_ready=False
    )
    made = open_table(
        read_config(config),
        told,
        opened=lambda wiring: open_devices(wiring, clock=clock, pin_factory=pins),
        read_again_s=0.01,
    )
    yield made
    made.close()


def elsewhere(call, *words, **more):
    """Call something in another thread, as devices do, and wait for it."""
    thread = threading.Thread(target=call, args=words, kwargs=more)
    thread.start()
    thread.join()


async def walk(table, pins):
    """Press and release the emergency stop of an open table, and answer with the button."""
    hosting = asyncio.create_task(table.host())
    await asyncio.sleep(0)
    supply, host = table.devices.power.supply, table.host_
    seen = []
    for good in (False, True):
        elsewhere(supply.seen, "hub", good=good)
        await asyncio.sleep(0)
        seen.append(host.notices.coils.state)
    elsewhere(table.devices.lost.report, DeviceLost("gate.L1", "it draws nothing"))
    await asyncio.sleep(0)
    troubles = [one.sensor for one in table.coils.troubles]
    elsewhere(table.devices.lost.found, "gate.L1")
    await asyncio.sleep(0)
    assert table.coils.troubles == ()
    held = not supply.may_arm
    pins.pin(BUTTON_PIN).drive_low()
    await happens(lambda: host.notices.coils is None, 60)
    table.stop()
    return await hosting, seen, held, troubles


async def lose(table):
    """Let a sensor and a coil of an open table stop answering, and come back; return the problems each time."""
    hosting = asyncio.create_task(table.host())
    await asyncio.sleep(0)
    told = []
    for what in (table.devices.lost.report, lambda lost: table.devices.lost.found(lost.device)):
        for name in (BEAM, "gate.L1"):
            elsewhere(what, DeviceLost(name, "no answer"))
        await asyncio.sleep(0)
        told.append(list(table.problems()))
    table.stop()
    await hosting
    return told


def in_two_minutes(table, sensor):
    """Return what the table's health will say of a sensor."""
    conditions = table.health.conditions(table.clock.now_us() + 120_000_000, Doubted())
    return {each.sensor: each.state for each in conditions}[sensor]


async def miss(table, pins):
    """Let a pin of an open table move without its report, and stay; wait until the table's health knows."""
    hosting = asyncio.create_task(table.host())
    await asyncio.sleep(0)
    before = in_two_minutes(table, BEAM)
    move_untold(pins.pin(BEAM_PIN))
    await happens(lambda: in_two_minutes(table, BEAM) is State.STUCK, 60)
    table.stop()
    await hosting
    return before


async def begin_with(table, pins):
    """Open the table with a beam that is on already; return what its health says after two minutes."""
    pins.pin(BEAM_PIN).drive_low()
    await happens(lambda: table.devices.inputs.levels()[BEAM], 60)
    hosting = asyncio.create_task(table.host())
    await asyncio.sleep(0)
    state = in_two_minutes(table, BEAM)
    table.stop()
    await hosting
    return state


def test_a_beam_that_is_on_from_the_start_is_stuck_like_any_other(table, pins):
    """The usual face of a dead beam: it never changes, so no edge ever tells."""
    assert asyncio.run(begin_with(table, pins)) is State.STUCK


def test_the_lamps_keep_to_what_their_supply_can_give(table):
    """The wiring of the bench demo allows 400 mA, the settings 2000: the lesser holds, for all lamps in white."""
    assert table.config.lights.budget_ma == 2000
    white = dict.fromkeys(table.devices.lamps, Glow((255, 255, 255)))
    table.host_.performer.show(white, blink=False)
    draw_ma = sum(map(sum, table.devices.pixels.frames[-1])) * 20 / 255
    assert 380 < draw_ma <= 400


def test_a_change_that_no_report_told_is_heard_all_the_same(table, pins):
    """A chattering neighbour may overrun the kernel's queue: all pins are read again, over and over."""
    assert asyncio.run(miss(table, pins)) is State.OK


def test_the_emergency_stop_of_a_real_table_is_told_asked_and_answered(table, pins):
    """Stopped, asked, and free again by the button, which does nothing else then."""
    status, seen, held, troubles = asyncio.run(walk(table, pins))
    assert (status, seen) == (0, ["stopped", "asks"])
    assert held
    assert troubles == ["gate.L1"]


def test_what_does_not_answer_is_a_problem_until_it_does(table):
    """Sensors in one line with their number, each coil with its reason: what /health says."""
    lost, found = asyncio.run(lose(table))
    assert lost[0].endswith(" sensors do not answer: ramp.L1")
    assert [line.partition(":")[0] for line in lost[1:]] == ["gate.L1"]
    assert found == []


async def chatter(table, pins, clock):
    """Let a beam of an open table chatter for a while, then be quiet; return what was told of it, in order."""
    hosting = asyncio.create_task(table.host())
    await asyncio.sleep(0)
    table.host_.lobby.join("Anna", "red", {}), table.host_.lobby.join("Ben", "blue", {})
    assert table.host_.start(table.clock.now_us()) == []
    game = table.host_.runtime.game
    pin = pins.pin(BEAM_PIN)

    def flicker():
        for number in range(4_000):
            (pin.drive_low if number % 2 == 0 else pin.drive_high)()
            clock.ahead_us += 20_000

    await asyncio.to_thread(flicker)
    await happens(lambda: table.absence.muted == (BEAM,))
    during = list(table.problems())
    entries = sum(1 for _entry in table.journal.entries(game))
    clock.ahead_us += 400_000_000
    await happens(lambda: table.absence.muted == ())
    after = list(table.problems())
    table.stop()
    await hosting
    return during, entries, after


@pytest.mark.slow
def test_a_beam_that_chatters_is_muted_named_and_heard_again(table, pins, clock):
    """Four thousand changes cost the journal what its first seconds do, and /health names the beam meanwhile."""
    during, entries, after = asyncio.run(chatter(table, pins, clock))
    assert during == [f"do not count, for they change far too often: {BEAM}"]
    assert entries < 400
    assert after == []


def heard(systemd):
    """Return what systemd has been told since it was asked last, each word once."""
    words = set()
    with contextlib.suppress(BlockingIOError):
        while True:
            words |= set(systemd.recv(1000).decode().splitlines())
    return words


async def hang(table, pins, clock, systemd, log):
    """Let the thread that reads the sensors hang, then go on; return what systemd heard while it hung."""
    hosting = asyncio.create_task(table.host())
    await happens(lambda: "WATCHDOG=1" in heard(systemd), 60)
    hangs, go_on = threading.Event(), threading.Event()
    table.devices.inputs.listen(lambda _edge: (hangs.set(), go_on.wait()))
    pins.pin(BEAM_PIN).drive_low()
    await asyncio.to_thread(hangs.wait, 60)
    clock.ahead_us = 4_000_000
    await happens(lambda: "not responding: sensors" in log.text, 60)
    heard(systemd)
    noticed_us = table.clock.now_us()
    await happens(lambda: table.clock.now_us() > noticed_us + 500_000, 60)
    silence = heard(systemd)
    go_on.set()
    await happens(lambda: "WATCHDOG=1" in heard(systemd), 60)
    table.stop()
    await hosting
    return silence


@pytest.mark.slow
def test_systemd_hears_that_we_live_only_while_the_devices_do(table, pins, clock, systemd, caplog):
    """A thread of the hal that hangs makes the board blind: the watchdog is not fed, and the log says why."""
    assert asyncio.run(hang(table, pins, clock, systemd, caplog)) == set()
