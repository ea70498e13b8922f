"""A real table: what the hal tells reaches it from any thread, and what no report told is heard all the same."""

import argparse
import asyncio
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


@pytest.fixture
def table(tmp_path, pins):
    """Set a table on mocked pins, with a button beside its sensors; its lamps may be as bright as they can."""
    text = WIRING.read_text().replace('"lgpio"', '"mock"')
    (tmp_path / "wiring.toml").write_text(f"{text}\n{BUTTON}")
    config = tmp_path / "den.toml"
    config.write_text(
        f'[table]\nwiring = "wiring.toml"\njournal = "{tmp_path / "games.db"}"\n[lights]\nbrightness = 1.0\n'
    )
    told = argparse.Namespace(
        config=config, no_electronics=False, no_page=True, journal=None, exit_when_ready=False
    )
    made = open_table(
        read_config(config),
        told,
        opened=lambda wiring: open_devices(wiring, clock=MonotonicClock(), pin_factory=pins),
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
    assert table.config.budget_ma == 2000
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
