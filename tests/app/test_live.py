"""A real table: what the hal tells reaches it from any thread, and what no report told is heard all the same."""

import argparse
import asyncio
import threading

import pytest
from helpers.places import ROOT
from helpers.waiting import happens
from hextraction.controller.app import live
from hextraction.controller.config import read_config
from hextraction.controller.table.health import Doubted, State
from hextraction.hal.errors import DeviceLost
from hextraction.hal.ports import Edge

WIRING = ROOT / "wiring" / "bench-demo.toml"
BUTTON = '[[sensor]]\nname = "button.yes"\npin = 5\npart = "button"\n'


@pytest.fixture
def table(tmp_path):
    """Set a table on mocked pins, with a button beside its sensors."""
    text = WIRING.read_text().replace('"lgpio"', '"mock"')
    (tmp_path / "wiring.toml").write_text(f"{text}\n{BUTTON}")
    config = tmp_path / "den.toml"
    config.write_text(f'[table]\nwiring = "wiring.toml"\njournal = "{tmp_path / "games.db"}"\n')
    told = argparse.Namespace(
        config=config, no_electronics=False, no_page=True, journal=None, exit_when_ready=False
    )
    made = live._Table(read_config(config), told)
    yield made
    made._close()


def elsewhere(call, *words, **more):
    """Call something in another thread, as devices do, and wait for it."""
    thread = threading.Thread(target=call, args=words, kwargs=more)
    thread.start()
    thread.join()


async def walk(table):
    """Press and release the emergency stop of an open table, and answer with the button."""
    hosting = asyncio.create_task(table.host())
    await asyncio.sleep(0)
    supply, shown = table.devices.power.supply, table.host_.lobby.more
    seen = []
    for good in (False, True):
        elsewhere(supply.seen, "hub", good=good)
        await asyncio.sleep(0)
        seen.append(shown["coils"].state)
    elsewhere(table.devices.lost.report, DeviceLost("gate.L1", "it draws nothing"))
    await asyncio.sleep(0)
    troubles = [one.sensor for one in table.coils.troubles]
    elsewhere(table.devices.lost.found, "gate.L1")
    await asyncio.sleep(0)
    assert table.coils.troubles == ()
    held = not supply.may_arm
    table._edge(Edge("button.yes", True, 0))
    await asyncio.sleep(0)
    seen.append(shown["coils"])
    table._done.set()
    return await hosting, seen, held, troubles


async def miss(table):
    """Let a pin move without its report, on an open table; return which sensors were heard."""
    heard = []
    table._edge = lambda edge: heard.append((edge.sensor, edge.active))
    hosting = asyncio.create_task(table.host())
    await asyncio.sleep(0)
    line = next(iter(table.devices.inputs._lines.values()))
    line._device.pin._change_state(not line._device.pin.state)
    await happens(lambda: heard, 60)
    table._done.set()
    await hosting
    return line.wire.name, heard


async def begin_with(table, sensor):
    """Open the table with a sensor that is on already; return what its health says after two minutes."""
    line = table.devices.inputs._lines[sensor]
    line._device.pin._change_state(not line._device.pin.state)
    table.devices.resync()
    await happens(lambda: table.devices.inputs.levels()[sensor], 60)
    hosting = asyncio.create_task(table.host())
    await asyncio.sleep(0)
    conditions = table.health.conditions(table.clock.now_us() + 120_000_000, Doubted())
    table._done.set()
    await hosting
    return {each.sensor: each.state for each in conditions}[sensor]


def test_a_beam_that_is_on_from_the_start_is_stuck_like_any_other(table):
    """The usual face of a dead beam: it never changes, so no edge ever tells."""
    beam = next(name for name in table.rig.sensors if not name.startswith(("ball.", "rest.", "tile.")))
    assert asyncio.run(begin_with(table, beam)) is State.STUCK


def test_the_lamps_keep_to_what_their_supply_can_give(table):
    """The wiring of the bench demo allows 400 mA, the settings 2000: the lesser holds."""
    assert table.config.budget_ma == 2000
    assert table.host_.performer._lights.budget_ma == 400


def test_a_change_that_no_report_told_is_heard_all_the_same(table, monkeypatch):
    """A chattering neighbour may overrun the kernel's queue: all pins are read again, over and over."""
    monkeypatch.setattr(live, "_READ_AGAIN_S", 0.01)
    name, heard = asyncio.run(miss(table))
    assert heard == [(name, True)]


def test_the_emergency_stop_of_a_real_table_is_told_asked_and_answered(table):
    """Stopped, asked, and free again by the button, which does nothing else then."""
    status, seen, held, troubles = asyncio.run(walk(table))
    assert (status, seen) == (0, ["stopped", "asks", None])
    assert held
    assert troubles == ["gate.L1"]
