"""``hextraction hub`` through the command line, against a hub that it opens like any serial port."""

import _thread
import dataclasses
import errno
import itertools
import os
import struct
import zlib

import pytest
import serial
from helpers import documents
from helpers.hub.host import compile_host_hub
from helpers.hub.line import OLD_SOURCES, SHIPPED_SOURCES, HubOnLine, boot_disk
from helpers.hub.talk import INPUT, blob_of
from hextraction.controller.app.command_line import main
from hextraction.controller.workshop.bring_up.hub import FlashHost
from hextraction.hal.hub.flash import IMAGE, find_disks
from hextraction.hal.hub.port import open_serial
from hextraction.hal.hub.question import HubQuestion

SIZE = IMAGE.stat().st_size


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """The firmware's logic for this machine."""
    return compile_host_hub(tmp_path_factory.mktemp("hub"))


class Desk:
    """What is plugged in, and how the machine there is: nobody waits long, disks are mounted below ``media``."""

    def __init__(self, folder):
        self.ports = list
        self.host = FlashHost(
            disks=lambda: find_disks([f"{folder}/media/*"]),
            shows_disk=(folder / "by-label").exists,
            disk_s=0.1,
            mount_s=0.05,
            start_s=0.1,
            look_s=0.002,
        )

    def comports(self):
        """List the serial ports."""
        return self.ports()

    def has(self, **changed):
        """Let the machine be another."""
        self.host = dataclasses.replace(self.host, **changed)


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """A machine without a hub."""
    made = Desk(tmp_path)
    monkeypatch.setattr("serial.tools.list_ports.comports", made.comports)
    return made


@pytest.fixture
def machine(desk, tmp_path):
    """The folder of a machine without a hub."""
    return tmp_path


@pytest.fixture
def hub(library, machine, desk, monkeypatch):
    """A hub with old firmware, plugged in; whoever waits for it, or for its answer, waits long enough.

    Its thread may stand still for seconds on a busy machine: two, as a table gives a real one, are too few. What is
    lost while a port is being opened is said again, several times.
    """
    monkeypatch.setitem(HubQuestion.__init__.__kwdefaults__, "patience_s", 15.0)
    with HubOnLine(library, machine) as plugged:
        desk.ports = plugged.comports
        desk.has(disk_s=60.0, mount_s=60.0, start_s=120.0)
        yield plugged


@pytest.fixture
def hextraction(capsys, desk):
    """Return how to run the program: status, what it said, and what it complained of."""

    def run(*words):
        status = main(list(map(str, words)), host=desk.host)
        said = capsys.readouterr()
        return status, said.out, said.err

    return run


@pytest.fixture
def impatient(monkeypatch):
    """Whoever asks a hub gives up soon."""
    monkeypatch.setitem(HubQuestion.__init__.__kwdefaults__, "patience_s", 0.1)


def configure(path):
    """Load a configuration of one input, as a table does that opens."""
    blob = blob_of(inputs=[INPUT])
    with HubQuestion(open_serial(str(path))) as line:
        line.greet()
        line.ask("C", struct.pack("<BH", 0, len(blob)), "c")
        line.ask("C", struct.pack("<BH", 1, 0) + blob, "c")
        line.ask("C", struct.pack("<BI", 2, zlib.crc32(blob)), "c")
    return f"{zlib.crc32(blob):08x}"


# --- flash ---


def test_the_shipped_firmware_gets_onto_the_hub(hub, hextraction):
    """The hub is asked, becomes a disk, gets every byte, comes back, and is greeted with what it runs now."""
    status, said, complaint = hextraction("hub", "flash")

    assert (status, complaint) == (0, "")
    assert hub.image == IMAGE.read_bytes()
    assert f"Asking the hub at {hub.path} to start as a disk" in said
    assert said.splitlines()[-1] == "The hub e661000000000001 runs firmware 1.1.0."
    assert f"sources {SHIPPED_SOURCES}, as shipped" in hextraction("hub", "info")[1]


def test_a_hub_on_a_named_port_is_waited_for(hub, hextraction):
    """Its port is away while it starts anew, and that is no mistake."""
    assert hextraction("hub", "flash", "--port", hub.path)[0] == 0


def test_a_hub_that_comes_between_two_looks_is_no_other_one(hub, hextraction, desk):
    """It is not there when its port is looked for, and is there a moment later: it is waited for, not refused."""

    def found():
        ports = hub.comports()
        if hub.image is not None and ports and not missed:
            missed.append(hub.path)
            return []
        return ports

    missed = []
    desk.ports = found
    status, _, complaint = hextraction("hub", "flash")

    assert (status, complaint, missed) == (0, "", [hub.path])


def test_a_pico_that_is_a_disk_already_is_used(hub, hextraction, machine):
    """Nobody is asked; the image goes to the disk that is there."""
    disk = boot_disk(machine / "media" / "by-hand")
    status, said, _ = hextraction("hub", "flash")

    assert "Asking" not in said
    assert (disk / "HUB.UF2").read_bytes() == IMAGE.read_bytes()
    assert status == 1, "the hub that answers is not the one with the disk"


def test_firmware_that_has_not_arrived_is_noticed(hub, hextraction):
    """The hub comes back, but with what it ran before."""
    hub.takes = OLD_SOURCES
    status, _, complaint = hextraction("hub", "flash")

    assert status == 1
    assert f"runs firmware of the sources {OLD_SOURCES}, want {SHIPPED_SOURCES}" in complaint


def test_a_hub_that_does_not_come_back_is_noticed(machine, hextraction):
    """The image went to the disk, and then nothing."""
    boot_disk(machine / "media" / "RPI-RP2")
    status, said, complaint = hextraction("hub", "flash")

    assert (status, f"Copied {SIZE} bytes" in said) == (1, True)
    assert "the hub does not answer" in complaint
    assert "hextraction hub info" in complaint


def test_without_hub_and_disk_it_explains_what_to_do(machine, hextraction):
    """BOOTSEL, and where the image is."""
    status, _, complaint = hextraction("hub", "flash")

    assert status == 1
    assert "hold BOOTSEL" in complaint
    assert f"cp {IMAGE} " in complaint


def test_a_disk_that_nobody_mounts_is_explained(hub, hextraction, machine, desk):
    """As on a Pi without a desktop: it says how to mount it, not to press BOOTSEL."""
    desk.has(mount_s=0.05)
    hub.mounts = False
    (machine / "by-label").touch()
    status, _, complaint = hextraction("hub", "flash")

    assert status == 1
    assert "sudo mount -o uid=$(id -u) /dev/disk/by-label/RPI-RP2 /mnt" in complaint
    assert "BOOTSEL" not in complaint


def test_a_mute_hub_is_not_waited_for(hub, hextraction, impatient, desk):
    """Other firmware answers nothing: BOOTSEL at once, and not after twenty seconds."""
    desk.has(sleep=lambda _seconds: pytest.fail("it waits"))
    hub.is_mute = True
    status, _, complaint = hextraction("hub", "flash")

    assert status == 1
    assert "does not answer: other firmware may be on it" in complaint
    assert "hold BOOTSEL" in complaint


def test_a_busy_port_is_left_alone(hub, hextraction):
    """The service has it: it says how to let the service rest, and the hub stays what it is."""
    with serial.Serial(str(hub.path), exclusive=True):
        status, _, complaint = hextraction("hub", "flash")

    assert status == 2
    assert "another program is using it" in complaint
    assert "sudo systemctl stop hextraction" in complaint
    assert (hub.image, hub.path.is_symlink()) == (None, True)


def test_several_hubs_must_be_told_apart(hub, hextraction, desk):
    """Both are named, and how to name one."""
    desk.ports = lambda: hub.comports() * 2
    status, _, complaint = hextraction("hub", "flash")

    assert status == 2
    assert "found 2" in complaint
    assert "--port" in complaint


def test_info_tells_of_every_hub_unless_one_is_named(library, hub, hextraction, desk, tmp_path):
    """That is how a wiring file for several learns their serial numbers."""
    (tmp_path / "second").mkdir()
    with HubOnLine(library, tmp_path / "second", board_id=bytes.fromhex("e661000000000002")) as other:
        desk.ports = lambda: hub.comports() + other.comports()
        status, said, _ = hextraction("hub", "info")
        assert status == 0
        assert "Sensor hub e661000000000001 at" in said
        assert "Sensor hub e661000000000002 at" in said
        status, said, _ = hextraction("hub", "info", "--port", str(other.path))
        assert (status, said.count("Sensor hub")) == (0, 1)


def test_one_of_several_hubs_is_flashed_by_its_serial_number(library, hub, hextraction, desk, tmp_path):
    """While it restarts only the others are there; nobody takes one of them for it."""
    (tmp_path / "second").mkdir()
    with HubOnLine(library, tmp_path / "second", board_id=bytes.fromhex("e661000000000002")) as other:
        desk.ports = lambda: hub.comports() + other.comports()
        status, said, complaint = hextraction("hub", "flash", "--port", "e661000000000001")

        assert (status, complaint) == (0, "")
        assert "The hub e661000000000001 runs firmware" in said
        assert (hub.image is None, other.image is None) == (False, True)


WRONG_IMAGES = {
    "empty": (lambda _good: b"", "want a UF2 image"),
    "text": (lambda _good: b"hello", "want a UF2 image"),
    "a block is spoilt": (lambda good: good[:1024] + bytes(512) + good[1536:], "want a UF2 image"),
    "another chip": (
        lambda good: good.replace(struct.pack("<I", 0xE48BFF56), struct.pack("<I", 0xE48BFF59)),
        "want an image for an RP2040 (a Pico), found one for another chip",
    ),
    "half of it": (lambda good: good[: 512 * 86], f"want {SIZE // 512} blocks, found 86: it is not whole"),
}


@pytest.mark.parametrize("wrong", WRONG_IMAGES)
def test_a_wrong_image_is_refused_before_the_hub_is_touched(hub, hextraction, machine, wrong):
    """What is wrong is said, nothing is written, and the hub still runs."""
    spoil, words = WRONG_IMAGES[wrong]
    image = machine / "wrong.uf2"
    image.write_bytes(spoil(IMAGE.read_bytes()))
    status, said, complaint = hextraction("hub", "flash", image)

    assert (status, said) == (2, "")
    assert f"hextraction hub flash: {image}: {words}" in complaint
    assert (hub.path.is_symlink(), hub.disk.exists()) == (True, False)


def test_a_missing_image_is_named(machine, hextraction):
    """A path that leads nowhere."""
    status, _, complaint = hextraction("hub", "flash", machine / "none.uf2")

    assert status == 2
    assert "none.uf2: there is no such image" in complaint


def test_an_image_of_ones_own_is_taken(hub, hextraction, machine):
    """Of another firmware it is not known what it will say of itself; it is greeted all the same."""
    own, hub.takes = machine / "own.uf2", OLD_SOURCES
    own.write_bytes(IMAGE.read_bytes())

    assert hextraction("hub", "flash", own)[0] == 0


def test_another_disk_is_refused(machine, hextraction):
    """A folder that is no boot disk stays empty."""
    (machine / "photos").mkdir()
    status, _, complaint = hextraction("hub", "flash", "--disk", machine / "photos")

    assert status == 2
    assert "photos: want the disk RPI-RP2 of a Pico" in complaint
    assert list((machine / "photos").iterdir()) == []


def test_a_full_disk_is_said_to_be_full(machine, hextraction):
    """The kernel's own word for it, in ours."""
    disk = boot_disk(machine / "media" / "RPI-RP2")
    (disk / "HUB.UF2").symlink_to("/dev/full")
    status, said, complaint = hextraction("hub", "flash")

    assert (status, said) == (2, "")
    assert f"{disk} is full: hub.uf2 needs {SIZE} bytes" in complaint


def test_a_disk_of_somebody_else_is_explained(machine, hextraction, desk):
    """Mounted by root, as an administrator does: with sudo it works."""
    disk = boot_disk(machine / "media" / "RPI-RP2")

    def forbidden(_data, _disk):
        raise PermissionError(errno.EACCES, "Permission denied")

    desk.has(copy=forbidden)
    status, _, complaint = hextraction("hub", "flash")

    assert status == 2
    assert f"{disk} may not be written to: try it with sudo" in complaint


def test_ctrl_c_is_no_success(machine, hextraction, desk):
    """Who stops it half-way gets the status of a stopped program."""

    def stopped(_data, _disk):
        raise KeyboardInterrupt

    boot_disk(machine / "media" / "RPI-RP2")
    desk.has(copy=stopped)
    assert hextraction("hub", "flash")[0] == 130


def test_a_second_hub_that_comes_meanwhile_is_told_apart(hub, hextraction, desk):
    """Which of the two is the new one nobody knows."""
    desk.ports = lambda: hub.comports() * (2 if hub.image else 1)
    status, said, complaint = hextraction("hub", "flash")

    assert (status, "Copied" in said) == (2, True)
    assert "found 2" in complaint


def test_a_disk_that_goes_with_the_last_block_is_no_mistake(hub, hextraction, monkeypatch):
    """A Pico restarts as soon as it has everything; that the disk is gone by then is how it should be."""

    def gone(_file):
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "fsync", gone)
    assert hextraction("hub", "flash")[0] == 0


def test_two_disks_must_be_told_apart(machine, hextraction):
    """Both are named."""
    first, second = (boot_disk(machine / "media" / name) for name in ("a", "b"))
    status, _, complaint = hextraction("hub", "flash")

    assert status == 2
    assert f"found {first}, {second}: say which with --disk" in complaint


# --- info and log ---


def test_info_tells_how_a_hub_is(hub, hextraction):
    """Who it is, what it runs and has been told, and its counters."""
    crc = configure(hub.path)
    status, said, _ = hextraction("hub", "info")
    lines = dict(line.strip().split(maxsplit=1) for line in said.splitlines() if line.startswith("  "))

    assert status == 0
    assert said.startswith(f"Sensor hub e661000000000001 at {hub.path}\n")
    assert "1.1.0, sources 00000000000000aa, not the one shipped; hextraction hub flash" in lines["firmware"]
    assert lines["configuration"] == crc
    assert lines["e-stop"] == "released, and 12 V there"
    assert lines["coils"] == "not armed: a new session"
    assert int(lines["scans"]) > 0

    told = documents.read("hub info", hextraction("hub", "info", "--json")[1]).hubs[0]
    assert (told.unique_id, f"{told.config_crc:08x}", told.armed) == ("e661000000000001", crc, False)
    assert (told.shipped, told.counts["scans"] > 0, told.problem) == (False, True, "")


@pytest.mark.parametrize("doing", ["info", "log"])
def test_what_does_not_answer_is_no_hub(hub, hextraction, impatient, doing):
    """Status 1, and how to get our firmware there."""
    hub.is_mute = True
    status, said, complaint = hextraction("hub", doing)

    assert (status, said) == (1, "")
    assert f"{hub.path} does not answer as our hub" in complaint
    assert "hextraction hub flash" in complaint


@pytest.mark.parametrize("doing", ["info", "log"])
def test_a_hub_of_another_protocol_is_refused(hub, hextraction, monkeypatch, doing):
    """Status 1, as a table refuses it: what it says of itself may mean anything."""
    greet = HubQuestion.greet
    monkeypatch.setattr(HubQuestion, "greet", lambda each: dataclasses.replace(greet(each), major=2))
    status, said, complaint = hextraction("hub", doing)

    assert (status, said) == (1, "")
    assert f"the hub at {hub.path} speaks protocol 2.1, want 1; hextraction hub flash" in complaint


@pytest.mark.slow
def test_a_hub_that_falls_silent_is_not_well(hub, hextraction, monkeypatch):
    """It greets, and then answers nothing: that is said, and no heading stands over nothing."""
    monkeypatch.setitem(HubQuestion.__init__.__kwdefaults__, "patience_s", 0.5)
    hub.on_heard = lambda letter: setattr(hub, "is_mute", letter == "H" or hub.is_mute)
    status, said, complaint = hextraction("hub", "info")

    assert (status, said.startswith("Sensor hub e661000000000001")) == (1, True)
    assert "Since it started" not in said
    assert "said who it is, and then nothing more: unplug it" in complaint


def test_no_port_and_no_serial_port_are_named(machine, hextraction):
    """A path that leads nowhere, a file, and nothing plugged in at all."""
    file = machine / "file"
    file.touch()
    assert (
        f"{machine}/none: there is no such device"
        in hextraction("hub", "info", "--port", f"{machine}/none")[2]
    )
    assert f"{file}: this is no serial port" in hextraction("hub", "info", "--port", file)[2]
    status, _, complaint = hextraction("hub", "info")
    assert (status, "no sensor hub found" in complaint) == (2, True)


@pytest.mark.slow
def test_log_shows_what_happens(hub, hextraction):
    """An edge by its input, and the e-stop, each at the hub's time, until Ctrl-C."""
    configure(hub.path)
    pings = itertools.count(1)

    def heard(letter):
        number = next(pings) if letter == "P" else 0
        if number == 1:
            hub.set_input(0, True)
            hub.set_estop(False)
            hub.scan_late(1_500)
        elif number == 5:
            _thread.interrupt_main()

    hub.on_heard = heard
    status, said, complaint = hextraction("hub", "log")

    assert (status, complaint) == (0, "")
    first, *seen = (line.split(maxsplit=2) for line in said.splitlines() if "warning" not in line)
    assert first[0] == "Listening"
    assert "warning: scans came late, up to 1500 us apart" in said
    assert sorted(what for _at, _s, what in seen) == [
        "e-stop pressed, or no 12 V; coils not armed",
        "input 0    active",
    ]
    assert all(0 < float(at) < 60 for at, _s, _what in seen)


def test_log_says_why_it_stays_empty(hub, hextraction):
    """A hub that has started anew knows no sensor yet."""
    status, _, complaint = hextraction("hub", "log", "--seconds", "0.05")

    assert status == 0
    assert "has no configuration, so it reports no sensor" in complaint


def test_a_hub_that_is_unplugged_ends_the_log(hub, hextraction):
    """In our words, with status 2."""
    configure(hub.path)
    hub.on_heard = lambda letter: hub.unplug() if letter == "P" else None
    status, _, complaint = hextraction("hub", "log", "--seconds", "60")

    assert (status, complaint) == (2, "hextraction hub log: it was unplugged, or has restarted\n")
