"""Pins and buses of the 40-pin header are found by what they are, whichever numbers the kernel gave them."""

import os

import pytest
from helpers.fakes import lgpio as fakes_lgpio
from helpers.fakes import rpigpio as fakes_rpigpio
from helpers.pis import BRCMSTB, PIS, RP1, Pi, lay
from hextraction.hal import header
from hextraction.hal.errors import BackendUnavailable
from hextraction.hal.gpio import GpioArmPin, open_pin_factory
from hextraction.hal.header import find_chips, header_bus, header_chip, header_serial, header_spi
from hextraction.hal.i2c import open_bus

EACH = pytest.mark.parametrize("pi", PIS, ids=lambda pi: pi.title)


@EACH
@pytest.mark.parametrize("old", [False, True], ids=["lgpio-0.2.2", "lgpio-0.1.6"])
def test_lgpio_opens_the_headers_chip_and_no_other(tmp_path, pi: Pi, old: bool) -> None:
    """On each model and numbering an output drives the header's line; no other chip is touched."""
    lay(tmp_path, pi)
    with fakes_lgpio.installed(tmp_path, old=old) as fake:
        factory = open_pin_factory("lgpio", tmp_path)
        arm = GpioArmPin(25, factory)
        arm.toggle()
        assert (factory.chip, fake.opened) == (pi.header, [pi.header])
        assert fake.levels == {(pi.header, 25): 1}
        assert {chip for chip, _line, _way in fake.claimed} == {pi.header}
        arm.close()
        factory.close()


@EACH
def test_rpi_lgpio_is_told_the_headers_chip(tmp_path, pi: Pi, monkeypatch) -> None:
    """It does not know all kernels either; who has set its variable keeps it."""
    lay(tmp_path, pi)
    monkeypatch.setenv("RPI_LGPIO_CHIP", "7")
    for wanted in ("7", str(pi.header)):
        with fakes_rpigpio.installed():
            open_pin_factory("rpigpio", tmp_path).close()
        assert os.environ["RPI_LGPIO_CHIP"] == wanted
        monkeypatch.delenv("RPI_LGPIO_CHIP")


@EACH
def test_the_headers_buses_are_found_by_their_place_in_the_device_tree(tmp_path, pi: Pi) -> None:
    """What Raspberry Pis call I2C 1 and SPI 0, whichever number the kernel gave it."""
    lay(tmp_path, pi)
    assert header_bus(1, tmp_path) == pi.i2c
    assert header_spi(tmp_path) == f"/dev/spidev{pi.spi}.0"


@EACH
def test_the_headers_serial_port_is_found_by_its_place_in_the_device_tree(tmp_path, pi: Pi) -> None:
    """GPIO14 and GPIO15: up to a Pi 4 what is called serial0, on a Pi 5 the port beside the pins."""
    lay(tmp_path, pi)
    assert header_serial(tmp_path) == f"/dev/{pi.serial}"


def test_a_serial_port_that_is_switched_off_has_no_device(tmp_path) -> None:
    """The device tree knows it, but there is no tty; nor is there one where no tree tells."""
    pi = PIS[2]
    assert header_serial(tmp_path) is None
    lay(tmp_path, pi)
    (tmp_path / "sys/class/tty" / pi.serial / "device").unlink()
    assert header_serial(tmp_path) is None


def test_a_device_tree_without_aliases_names_the_bus_by_its_symbol(tmp_path) -> None:
    """Overlays name the header's bus ``i2c_arm``."""
    lay(tmp_path, PIS[-1])
    tree = tmp_path / "sys/firmware/devicetree/base"
    (tree / "__symbols__").mkdir(exist_ok=True)
    (tree / "aliases/i2c1").rename(tree / "__symbols__/i2c_arm")
    assert header_bus(1, tmp_path) == PIS[-1].i2c


def test_where_nothing_tells_the_bus_keeps_its_number(tmp_path) -> None:
    """A machine without a device tree."""
    assert (header_bus(1, tmp_path), header_spi(tmp_path)) == (1, "/dev/spidev0.0")


def test_the_bus_that_cannot_be_opened_is_named_by_its_device(tmp_path) -> None:
    """Its own number, not the one of the wiring: that is the file to look for."""
    lay(tmp_path, PIS[-1])
    with pytest.raises(BackendUnavailable, match="/dev/i2c-13 cannot be opened"):
        open_bus(1, tmp_path)


@pytest.mark.parametrize("label", ["pinctrl-bcm2835", "pinctrl-bcm2711", "pinctrl-rp1"])
def test_without_a_device_tree_the_chips_label_tells(tmp_path, monkeypatch, label) -> None:
    """As in a container that has the device, but not its place in /sys."""
    labels = {"gpiochip0": "gpio-brcmstb@107d508500", "gpiochip3": label}
    for name in labels:
        (tmp_path / "dev").mkdir(exist_ok=True)
        (tmp_path / "dev" / name).touch()
    monkeypatch.setattr(
        header.fcntl,
        "ioctl",
        lambda chip, _request, _room: header._CHIP_ANSWER.pack(
            b"", labels[chip.name.rpartition("/")[2]].encode(), 54
        ),
    )
    assert str(header_chip(tmp_path)) == f"/dev/gpiochip3 ({label})"


def test_a_chip_that_is_not_known_is_left_alone(tmp_path) -> None:
    """The board's own chips drive its power and its fan: all that are there are named, none is opened."""
    lay(tmp_path, Pi("no-header", "Raspberry Pi 5", {0: BRCMSTB, 11: "maker,other"}, 0))
    with (
        fakes_lgpio.installed(tmp_path) as fake,
        pytest.raises(
            BackendUnavailable, match=r"/dev/gpiochip0 \(brcm,brcmstb-gpio\), /dev/gpiochip11 \(maker,other\)"
        ),
    ):
        open_pin_factory("lgpio", tmp_path)
    assert fake.opened == []


def test_who_may_not_ask_a_chip_is_told_the_group(tmp_path, monkeypatch) -> None:
    """Where /sys tells nothing, and /dev may not be opened: that may be the only thing that is wrong."""
    (tmp_path / "dev").mkdir()
    (tmp_path / "dev/gpiochip0").touch()

    def refused(*_how, **_more):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.open", refused)
    with pytest.raises(
        BackendUnavailable, match=r"gpiochip0 \(may not be asked: is this user in the group gpio\?"
    ):
        header_chip(tmp_path)


def test_one_of_several_names_of_a_chip_is_enough(tmp_path) -> None:
    """A node lists what it is compatible with, the most exact first, with a null after each."""
    lay(tmp_path, Pi("two-names", "Raspberry Pi 6", {3: f"raspberrypi,rp2-gpio\0{RP1}"}, 3))
    assert header_chip(tmp_path).number == 3


def test_where_nothing_shows_a_chip_lgpio_is_asked_for_each(tmp_path, monkeypatch) -> None:
    """Neither /sys nor /dev can be listed: the first number that lgpio can open is taken."""
    with fakes_lgpio.installed(tmp_path) as fake:
        fake.gpiochip_open = lambda number: (
            number if number == 11 else fakes_lgpio.FakeLgpio.gpiochip_open(fake, number)
        )
        assert find_chips(tmp_path) == ()
        assert open_pin_factory("lgpio", tmp_path).chip == 11


def test_a_chip_that_may_not_be_opened_is_named(tmp_path) -> None:
    """With what it is, so that one knows that the right one was tried."""
    lay(tmp_path, PIS[-3])
    (tmp_path / "dev/gpiochip11").unlink()
    with (
        fakes_lgpio.installed(tmp_path),
        pytest.raises(
            BackendUnavailable,
            match=r"with /dev/gpiochip11 \(raspberrypi,rp1-gpio\) \(can not open gpiochip\)",
        ),
    ):
        open_pin_factory("lgpio", tmp_path)
