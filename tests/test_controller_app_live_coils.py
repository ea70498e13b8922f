"""A real table and its coils' supply: what the hal tells reaches the desk, from any thread, and its word returns."""

import argparse
import asyncio
import threading
from pathlib import Path

import pytest
from hextraction.controller.app import live
from hextraction.controller.config import read_config
from hextraction.hal.errors import DeviceLost
from hextraction.hal.ports import Edge

WIRING = Path(__file__).parents[1] / "wiring" / "bench-demo.toml"
BUTTON = '[[sensor]]\nname = "button.yes"\npin = 5\npart = "button"\n'


@pytest.fixture
def table(tmp_path):
    """Return a table on mocked pins, with a button beside its sensors."""
    text = WIRING.read_text().replace('"lgpio"', '"mock"')
    (tmp_path / "wiring.toml").write_text(f"{text}\n{BUTTON}")
    config = tmp_path / "den.toml"
    config.write_text(f'[table]\nwiring = "wiring.toml"\njournal = "{tmp_path / "games.db"}"\n')
    told = argparse.Namespace(
        config=config, no_electronics=False, no_page=True, journal=None, exit_when_ready=False
    )
    return live._Table(read_config(config), told)


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


def test_the_emergency_stop_of_a_real_table_is_told_asked_and_answered(table):
    """Stopped, asked, and free again by the button, which does nothing else then."""
    status, seen, held, troubles = asyncio.run(walk(table))
    assert (status, seen) == (0, ["stopped", "asks", None])
    assert held
    assert troubles == ["gate.L1"]
