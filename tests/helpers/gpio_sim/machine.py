"""A machine with simulated pins: Debian in QEMU with the kernel's gpio-sim, made once and started in a minute.

What takes long (root, kernel, libraries) is kept in ``build/gpio-sim``; the project's own files are added at
each start. No disk and no network: everything is in the first root file system. QEMU counts instructions
instead of looking at a clock (``-icount``), so the machine's time does not depend on how busy the host is.
"""

import hashlib
import shutil
import subprocess
import tempfile
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from pathlib import Path

from helpers.gpio_sim import packages
from helpers.gpio_sim.archive import Archive
from helpers.places import ROOT, TESTS

PROJECT = ROOT
HERE = TESTS / "helpers" / "gpio_sim"
FACTORIES = ("lgpio", "rpigpio")
GUEST = ("gpio_sim/guest.py", "gpio_sim/lines.py", "fakes/ina219.py", "hal_contract.py")
"""Helpers that run inside the machine."""
RECIPE = ("packages.py", "archive.py")
TIMEOUT_S = 900
MEMORY_MB = 1_024


class MachineError(Exception):
    """The machine cannot be made, or did not come to its end; the message says why."""


def made(folder: Path = PROJECT / "build" / "gpio-sim") -> Path:
    """Return the folder of the machine's parts, after making what is missing or out of date."""
    lacking = packages.missing()
    if lacking:
        raise MachineError("the simulated machine needs: apt-get install " + " ".join(lacking))
    recipe = hashlib.sha256(b"".join((HERE / name).read_bytes() for name in RECIPE)).hexdigest()
    stamp = folder / "recipe"
    if not stamp.exists() or stamp.read_text("ascii") != recipe:
        _make(folder)
        stamp.write_text(recipe, encoding="ascii")
    return folder


def _make(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        with tempfile.TemporaryDirectory(dir=folder) as work:
            parts = Path(work)
            packages.make_kernel(parts)
            packages.make_libraries(parts / "site")
            packages.make_root(parts / "root.tar", parts / "site")
            with (folder / "root.cpio").open("wb") as out, Archive(out) as archive:
                archive.tar(parts / "root.tar")
                for module in packages.MODULES:
                    archive.file(f"srv/{module}.ko", (parts / f"{module}.ko").read_bytes())
            shutil.move(parts / "vmlinuz", folder / "vmlinuz")
    except (RuntimeError, OSError) as error:
        raise MachineError(str(error)) from error


def run(parts: Path) -> Mapping[str, str]:
    """Start the machine, let it test, and return pytest's report (XML) for each pin factory.

    What it says meanwhile is in ``console.txt`` beside its parts.
    """
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work)
        _pack(parts, folder / "initrd")
        reports = {name: folder / f"{name}.xml" for name in FACTORIES}
        console = parts / "console.txt"
        try:
            subprocess.run(
                _command(parts, folder / "initrd", (console, *reports.values())),
                timeout=TIMEOUT_S,
                check=True,
                capture_output=True,
            )
        except subprocess.SubprocessError as error:
            raise MachineError(f"{error}; its console ended with:\n{_read(console)[-3000:]}") from error
        return {name: _read(path) for name, path in reports.items()}


def results(report: str) -> dict[str, str]:
    """Return what is wrong with each test of a report; an empty text if nothing is."""
    if not report.strip():
        return {}
    cases = ET.fromstring(report).iter("testcase")  # noqa: S314 - written by our own pytest
    return {case.get("name", ""): "\n".join(filter(None, (part.text for part in case))) for case in cases}


def console(parts: Path) -> str:
    """Return what the machine said, last time, without empty lines and pytest's dots."""
    lines = _read(parts / "console.txt").splitlines()
    return "\n".join(line for line in lines if line.strip(" \r") and not line.startswith("."))


def _command(parts: Path, initrd: Path, serials: tuple[Path, ...]) -> list[str]:
    lines = [option for path in serials for option in ("-serial", f"file:{path}")]
    return [
        *("qemu-system-x86_64", "-machine", "pc", "-cpu", "max", "-icount", "shift=0,sleep=off"),
        *("-m", str(MEMORY_MB), "-nodefaults", "-display", "none", "-no-reboot", *lines),
        *("-kernel", str(parts / "vmlinuz"), "-initrd", str(initrd)),
        *("-append", "console=ttyS0 quiet mitigations=off panic=-1 rdinit=/srv/init.sh"),
    ]


def _pack(parts: Path, initrd: Path) -> None:
    """Put this project's hal and its tests on top of what was made before."""
    shutil.copyfile(parts / "root.cpio", initrd)
    with initrd.open("ab") as out, Archive(out) as archive:
        archive.folder("srv/site/hextraction")
        for room in ("hal", "settings"):
            inner = [path for path in (PROJECT / room).iterdir() if (path / "__init__.py").exists()]
            for folder in (PROJECT / room, *inner):
                place = f"srv/site/hextraction/{folder.relative_to(PROJECT)}"
                archive.folder(place)
                for path in sorted(folder.glob("*.py")):
                    archive.file(f"{place}/{path.name}", path.read_bytes())
        for folder in ("", "/helpers", "/helpers/gpio_sim", "/helpers/fakes"):
            archive.folder(f"srv/tests{folder}")
        for name in GUEST:
            archive.file(f"srv/tests/helpers/{name}", (HERE.parent / name).read_bytes())
        archive.file("srv/init.sh", (HERE / "init.sh").read_bytes(), 0o755)


def _read(path: Path) -> str:
    return path.read_text("utf-8", errors="replace") if path.exists() else ""
