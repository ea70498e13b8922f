"""Getting firmware onto the hub, and what a hub says of itself to one who asks."""

import itertools
import os
import struct
import tty
from types import SimpleNamespace

import pytest
from helpers.hub.host import compile_host_hub
from helpers.hub.host_port import HostPort
from hextraction.hal.hub.flash import IMAGE, FirmwareError, copy_image, find_disks, read_image, shows_disk
from hextraction.hal.hub.port import HubNotFound, find_port, open_serial
from hextraction.hal.hub.question import HubQuestion
from hextraction.hal.hub.words import read_warning
from hextraction.hal.mock import ManualClock


@pytest.fixture
def disk(tmp_path):
    """Return a Pico's boot disk."""
    (tmp_path / "RPI-RP2").mkdir()
    (tmp_path / "RPI-RP2" / "INFO_UF2.TXT").write_text(
        "UF2 Bootloader v3.0\nModel: Raspberry Pi RP2\nBoard-ID: RPI-RP2\n"
    )
    return tmp_path / "RPI-RP2"


def test_the_shipped_image_is_copied_whole(disk):
    """Byte for byte, to the disk that was found."""
    assert find_disks([str(disk.parent / "*")]) == (disk,)
    copy_image(read_image(IMAGE), disk)
    assert (disk / "HUB.UF2").read_bytes() == IMAGE.read_bytes()


def test_another_disk_is_left_alone(tmp_path):
    """Only a disk that says what it is is written to."""
    with pytest.raises(FirmwareError, match="RPI-RP2"):
        copy_image(read_image(IMAGE), tmp_path)
    assert list(tmp_path.iterdir()) == []


def plugged(device, serial=None):
    """Return what the machine's list of serial ports says of a hub."""
    return SimpleNamespace(vid=0x2E8A, pid=0x000A, product="Sensor Hub", device=device, serial_number=serial)


def test_each_table_finds_its_own_hub(monkeypatch):
    """Of two hubs on one machine the wiring names one by its serial number, whichever port it got today."""
    ports = [plugged("/dev/ttyACM0", "E6616408432B1234"), plugged("/dev/ttyACM1", "E6616408432BABCD")]
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: ports)

    assert find_port("e6616408432babcd") == "/dev/ttyACM1"
    assert find_port("E6616408432B1234") == "/dev/ttyACM0"
    with pytest.raises(
        HubNotFound, match="number 0123456789ABCDEF, found: E6616408432B1234, E6616408432BABCD"
    ):
        find_port("0123456789abcdef")


def test_a_numbered_port_means_the_only_hub(monkeypatch):
    """Linux numbers ports as they come: the hub that was ttyACM0 is ttyACM1 beside a modem."""
    ports = [
        SimpleNamespace(vid=0x12D1, pid=0x1001, product="modem", device="/dev/ttyACM0", serial_number="")
    ]
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: ports)
    assert find_port("/dev/ttyACM0") == "/dev/ttyACM0"
    ports.append(plugged("/dev/ttyACM1"))
    assert find_port("/dev/ttyACM0") == find_port("/dev/ttyUSB7") == "/dev/ttyACM1"
    assert find_port("/dev/hextraction-hub") == "/dev/hextraction-hub"
    ports.append(plugged("/dev/ttyACM2"))
    assert find_port("/dev/ttyACM2") == "/dev/ttyACM2"


def test_no_hub_and_several_say_what_to_do(monkeypatch):
    """The message names the remedy, or the ports to choose from."""
    ports = []
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: ports)
    with pytest.raises(HubNotFound, match="hextraction hub flash"):
        find_port()
    ports += [plugged("/dev/hub-b"), plugged("/dev/hub-a")]
    with pytest.raises(HubNotFound, match=r"found 2: name one as hub\.port .*: /dev/hub-a, /dev/hub-b"):
        find_port()
    assert find_port("/dev/c") == "/dev/c"


def test_a_port_that_is_not_there_is_named():
    """Not pyserial's words, ours."""
    with pytest.raises(OSError, match="/dev/no-hub: there is no such device"):
        open_serial("/dev/no-hub")


def test_a_hub_that_takes_nothing_is_not_waited_for():
    """After 0.2 s of a full line it is said, and the caller comes back later."""
    master, slave = os.openpty()
    tty.setraw(slave)
    port = open_serial(os.ttyname(slave))
    with pytest.raises(OSError, match=r"^it accepts no more data$"):
        port.write(bytes(1_000_000))
    os.close(master)
    with pytest.raises(OSError, match=r"^it was unplugged, or has restarted$"):
        port.read()
    port.close()
    os.close(slave)


def test_a_write_that_was_done_is_not_taken_back_by_a_process_that_stood_still(monkeypatch):
    """A busy machine may keep it waiting for seconds in the middle of it: that is no fault of the line's."""
    master, slave = os.openpty()
    tty.setraw(slave)
    port = open_serial(os.ttyname(slave))
    seconds = itertools.count()
    monkeypatch.setattr("serial.serialutil.Timeout.TIME", lambda *_self: next(seconds))
    port.write(b"hello")
    assert os.read(master, 100) == b"hello"
    port.close()
    os.close(master)
    os.close(slave)


def test_a_hub_answers_questions(tmp_path):
    """Greeting, state and counters of the firmware's own logic."""
    clock = ManualClock(1_000_000)
    port = HostPort(compile_host_hub(tmp_path), clock)
    ticks = itertools.count()

    def now_s():
        clock.advance(1_000)
        return next(ticks) / 1_000

    with HubQuestion(port, now_s) as hub:
        greeting, state, counters = hub.greet(), hub.state(), hub.diagnosis()
    assert (greeting.major, greeting.inputs, greeting.linears, greeting.coils) == (1, 192, 128, 8)
    assert not state.flags.armed
    assert counters["scans"] > 0


@pytest.mark.parametrize(
    ("code", "about", "value", "words"),
    [
        (1, 0, 7, "a broken frame arrived, 7 so far"),
        (2, 0, 0x0102, "frames from the host are missing"),
        (3, ord("?"), 0, "unknown frame '?'"),
        (4, ord("B"), 0, "malformed frame 'B'"),
        (5, 0, 3, "edges were lost, because nobody read them"),
        (6, 0, 900, "scans came late, up to 900 us apart"),
        (9, 0, 0, "number 9"),
    ],
)
def test_warnings_are_told_in_words(code, about, value, words):
    """Every code of the protocol, and one that a later hub may know."""
    assert read_warning(struct.pack("<BBI", code, about, value)) == words


def test_a_malformed_warning_is_told_as_it_is():
    """Nothing raises on what comes in."""
    assert read_warning(b"\x01") == "something unknown: 01"


def test_a_disk_shows_itself_before_anybody_mounts_it(tmp_path):
    """By its label among the devices."""
    assert not shows_disk(tmp_path / "RPI-RP2")
    (tmp_path / "RPI-RP2").touch()
    assert shows_disk(tmp_path / "RPI-RP2")
