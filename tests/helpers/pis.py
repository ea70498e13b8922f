"""What the kernels of Raspberry Pis show of pins and buses in ``/sys`` and ``/dev``, as folders below a root.

Chips by number and driver, as gpiodetect lists them; each stands in the device tree, and ``of_node`` points there.
"""

import shutil
from dataclasses import dataclass
from pathlib import Path

BRCMSTB = "brcm,brcmstb-gpio"
BCM2835, BCM2711, RP1 = "brcm,bcm2835-gpio", "brcm,bcm2711-gpio", "raspberrypi,rp1-gpio"
FIRMWARE = "raspberrypi,firmware-gpio"


@dataclass(frozen=True)
class Pi:
    """A model with a kernel: its chips with pins, the header's among them; buses and revision."""

    title: str
    model: str
    chips: dict[int, str]
    header: int
    links: tuple[tuple[int, int], ...] = ()
    i2c: int = 1
    spi: int = 0
    serial: str = "ttyS0"
    revision: int = 0xC04170


def _five(title: str, header: int, others: tuple[int, ...], **more) -> Pi:
    chips = {header: RP1} | dict.fromkeys(others, BRCMSTB)
    return Pi(title, "Raspberry Pi 5 Model B Rev 1.0", chips, header, serial="ttyAMA0", **more)


PIS = (
    Pi("zero-2-w", "Raspberry Pi Zero 2 W Rev 1.0", {0: BCM2835}, 0, revision=0x902120),
    Pi("pi-3", "Raspberry Pi 3 Model B Plus Rev 1.3", {0: BCM2835, 1: FIRMWARE}, 0, revision=0xA020D3),
    Pi("pi-4", "Raspberry Pi 4 Model B Rev 1.4", {0: BCM2711, 1: FIRMWARE}, 0, revision=0xC03114),
    Pi(
        "pi-4-firmware-first",
        "Raspberry Pi 4 Model B Rev 1.4",
        {0: FIRMWARE, 1: BCM2711},
        1,
        revision=0xC03114,
    ),
    _five("pi-5-first-kernels", 4, (0, 1, 2, 3)),
    _five("pi-5-since-6.6.45", 0, (10, 11, 12, 13), links=((4, 0),)),
    _five("pi-5-newest", 11, (12, 13, 14, 15)),
    _five("pi-5-newest-last", 15, (11, 12, 13, 14)),
    _five("pi-5-other-buses", 12, (0, 4, 11), i2c=13, spi=10),
)


def lay(root: Path, pi: Pi) -> Path:
    """Lay what this Pi shows below ``root``, instead of what another one showed there; return ``root``."""
    for folder in ("sys", "dev", "proc/device-tree"):
        shutil.rmtree(root / folder, ignore_errors=True)
    tree = root / "sys/firmware/devicetree/base"
    _write(root / "proc/device-tree/model", f"{pi.model}\0")
    (root / "proc/device-tree/system").mkdir()
    (root / "proc/device-tree/system/linux,revision").write_bytes(pi.revision.to_bytes(4, "big"))
    for number, compatible in pi.chips.items():
        node = tree / f"soc/gpio@7e2000{number:02x}"
        _write(node / "compatible", f"{compatible}\0")
        _show(root, f"sys/bus/gpio/devices/gpiochip{number}", node)
        _write(root / f"dev/gpiochip{number}", "")
    for link, number in pi.links:
        (root / f"dev/gpiochip{link}").symlink_to(f"gpiochip{number}")
    # The header's bus, and another one, which a display has.
    for alias, node, shown, device in (
        ("i2c1", "soc/i2c@7e804000", f"sys/bus/i2c/devices/i2c-{pi.i2c}", f"i2c-{pi.i2c}"),
        ("i2c7", "soc/i2c@7ef09500", "sys/bus/i2c/devices/i2c-20", "i2c-20"),
        ("spi0", "soc/spi@7e204000", f"sys/class/spi_master/spi{pi.spi}", f"spidev{pi.spi}.0"),
    ):
        _write(tree / "aliases" / alias, f"/{node}\0")
        _write(tree / node / "compatible", "brcm,bcm2835\0")
        _show(root, shown, tree / node)
        _write(root / "dev" / device, "")
    _lay_serials(root, pi)
    return root


def _lay_serials(root: Path, pi: Pi) -> None:
    """Show the header's serial port and another: the one for Bluetooth, or a Pi 5's plug for a console."""
    tree, is_five = root / "sys/firmware/devicetree/base", RP1 in pi.chips.values()
    header, other = "soc/serial@7e215040", "soc/serial@7e201000"
    if is_five:
        header, other = "axi/pcie@120000/rp1/serial@30000", "soc/serial@7d001000"
        _write(tree / "__symbols__/rp1_uart0", f"/{header}\0")
    _write(tree / "aliases/serial0", f"/{other if is_five else header}\0")
    for node, name in ((header, pi.serial), (other, "ttyAMA10" if is_five else "ttyAMA0")):
        _write(tree / node / "compatible", "arm,pl011\0")
        # As newer kernels have it: the port belongs to a device that belongs to the controller.
        _show(root, f"sys/devices/{name}.serial", tree / node)
        port = root / f"sys/devices/{name}.serial/{name}.serial:0/{name}.serial:0.0"
        port.mkdir(parents=True)
        (root / f"sys/class/tty/{name}").mkdir(parents=True)
        (root / f"sys/class/tty/{name}/device").symlink_to(f"../../../{port.relative_to(root / 'sys')}")
        _write(root / "dev" / name, "")


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _show(root: Path, path: str, node: Path) -> None:
    shown = root / path
    shown.mkdir(parents=True, exist_ok=True)
    up = "../" * (len(Path(path).parts))
    (shown / "of_node").symlink_to(f"{up}{node.relative_to(root)}")
