"""A Pi's processor without a Pi: the Pythons of Debian 12 and 13 for arm64, run by qemu-user (`make pi-check`).

In each: every module is imported, the fast tests of hardware layer, tracker and rules run, `doctor` and `run` find the
header's chip with the /sys of each Pi, and a demo game is played whose journal must be the one of this machine byte for byte. `wheels` says which package has no wheel for which Pi.
Nothing of this machine changes: no binfmt, no foreign architecture, no root; everything lies in build/pi-check. It
needs apt-get, dpkg-deb, a Debian mirror and a package index; how long each step takes is said at its end.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from helpers import pis
from packaging.requirements import Requirement
from wheel_check import ROOT, WITH_MODELS, WITH_TESTING, expected_modules

from release.foreign import fetch, unpack

WORK = ROOT / "build" / "pi-check"
LOCKS = ("table", "sim", "models", "pi", "pi5")
ANOTHER_PYTHON = (
    "tests/hal/opening/test_factory.py::test_vendor_libraries_are_imported_only_when_a_backend_is_opened",
    "tests/hal/test_pixels.py::test_the_real_library_sends_the_bytes_in_the_strips_order",
    "tests/hal/test_pixels.py::test_import_board_finds_blinka_with_the_checkout_on_the_path",
)
"""Tests that start another Python, which the kernel cannot do by itself here."""
AARCH64 = (183).to_bytes(2, "little")
"""The processor, as an ELF file names it."""
TOOLS = ("pytest", "hypothesis", "jsonschema", "packaging")
PROGRAM = ("-c", "import sys; from hextraction.controller.app import main; sys.exit(main())")
BUILD = {
    "wiring.toml": 'board = { profile = "standard-22", instruments = "partial" }\n'
    'sensor = [{ name = "zone.L", pin = 17 }]\n',
    "board.toml": 'table = { wiring = "wiring.toml", journal = "games.db" }\n',
    "lgpio.py": """
import sys
from pathlib import Path
from helpers.fakes.lgpio import FakeLgpio

class LoudLgpio(FakeLgpio):
    def gpiochip_open(self, number):
        print(f"opened /dev/gpiochip{number}", flush=True)
        return super().gpiochip_open(number)

sys.modules["lgpio"] = LoudLgpio(Path("/"))
""",
}
"""A table with one sensor, and what stands in for lgpio: qemu-user has no pins."""
GAME = ("demo", "--games", "1", "--speed", "0", "--seed", "7", "--no-page")


@dataclass(frozen=True)
class Suite:
    """A Debian and its Python."""

    name: str
    python: str
    glibc: int

    @property
    def root(self) -> Path:
        """Where its files lie."""
        return WORK / self.name / "root"

    @property
    def site(self) -> Path:
        """Where the packages for it lie."""
        return WORK / self.name / "site"


SUITES = (Suite("bookworm", "3.11", 36), Suite("trixie", "3.13", 41))


@dataclass(frozen=True)
class Pi:
    """What a wheel must be made for."""

    name: str
    machine: str
    python: str
    glibc: int

    @property
    def platforms(self) -> list[str]:
        """The platforms whose wheels it takes."""
        old = {5: "manylinux1", 12: "manylinux2010", 17: "manylinux2014"}
        known = [f"{old[minor]}_{self.machine}" for minor in old if minor <= self.glibc]
        return (
            [f"manylinux_2_{minor}_{self.machine}" for minor in range(self.glibc, 4, -1)]
            + known
            + [f"linux_{self.machine}"]
        )


PIS = (
    Pi("64 bits, Bookworm", "aarch64", "3.11", 36),
    Pi("64 bits, Trixie", "aarch64", "3.13", 41),
    Pi("32 bits, Bookworm", "armv7l", "3.11", 36),
    Pi("32 bits, Trixie", "armv7l", "3.13", 41),
)


def run(*command: object, folder: Path | None = None, may_fail: bool = False, **more: str) -> str:
    """Run a command; stop with its output if it fails and may not."""
    words = [str(part) for part in command]
    done = subprocess.run(
        words, cwd=folder, env={**os.environ, **more}, capture_output=True, text=True, check=False
    )
    if done.returncode and not may_fail:
        sys.stderr.write(done.stdout[-6_000:] + done.stderr[-3_000:])
        raise SystemExit(f"failed: {' '.join(words[:8])} …")
    return done.stdout


def tell(line: str) -> None:
    """Say something at once: the next step may take minutes."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


# --- what is needed ---


def qemu() -> Path:
    """Return the emulator of an ARM processor, unpacked if it is not installed."""
    installed = shutil.which("qemu-aarch64-static")
    if installed:
        return Path(installed)
    program = WORK / "qemu" / "usr" / "bin" / "qemu-aarch64-static"
    if not program.exists():
        with tempfile.TemporaryDirectory() as name:
            run("apt-get", "download", "qemu-user-static", folder=Path(name))
            unpack(Path(name), WORK / "qemu")
    return program


def debian(suite: Suite) -> None:
    """Unpack a Python for arm64 and all that it needs."""
    fetch(suite.name, "arm64", f"python{suite.python}", "libstdc++6", "zlib1g", into=suite.root)


def packages(suite: Suite) -> None:
    """Put what the program and its tests need beside it: the wheels for an ARM processor that the lock files pin."""
    sim = [pin for pin in pins_of("sim", suite.python, "aarch64") if not pin.startswith("cobs==")]
    built = ("cobs==", "rpi-ws281x==")  # which have no wheels; the second one works on a Pi alone
    pi = [pin for pin in pins_of("pi", suite.python, "aarch64") if not pin.startswith(built)]
    dev = list(pins_of("dev", suite.python, "aarch64"))
    tools = [pin for pin in dev if pin.split("==")[0] in TOOLS]
    with tempfile.TemporaryDirectory() as name:
        pinned, wanted = Path(name) / "pinned.txt", Path(name) / "wanted.txt"
        pinned.write_text("\n".join(dev))
        wanted.write_text("\n".join([*sim, *pi, *tools]))
        run(sys.executable, "-m", "uv", "pip", "install", "--quiet", "--target", suite.site, "--only-binary", ":all:",
            "--python-platform", f"aarch64-manylinux_2_{min(suite.glibc, 40)}", "--python-version", suite.python,
            "--requirement", wanted, "--constraint", pinned)  # fmt: skip
    # cobs is nowhere a wheel. What is built here is for this processor: without it, cobs does with its Python.
    pip = (sys.executable, "-m", "pip", "install", "--quiet", "--target", suite.site, "--no-deps")
    run(*pip, next(pin for pin in dev if pin.startswith("cobs==")))
    for built in suite.site.glob("cobs/**/*.so"):
        built.unlink()
    with tempfile.TemporaryDirectory() as name:  # building leaves things behind where it is done
        for file in run("git", "ls-files", folder=ROOT).splitlines():
            if (ROOT / file).is_file():
                (Path(name) / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / file, Path(name) / file)
        run(*pip, "--no-build-isolation", "--upgrade", name)


def python(suite: Suite) -> tuple[object, ...]:
    """Return the command that runs its Python."""
    return qemu(), "-L", suite.root, suite.root / "usr" / "bin" / f"python{suite.python}"


def prepare(suite: Suite) -> str:
    """Unpack what is not there yet."""
    if not (suite.root / "usr").exists():
        debian(suite)
    shutil.rmtree(suite.site, ignore_errors=True)
    packages(suite)
    return inside(
        suite, "-c", "import platform, sys; print(platform.machine(), sys.version.split()[0])"
    ).strip()


def inside(suite: Suite, *words: object, folder: Path = ROOT, first: str = "", may_fail: bool = False) -> str:
    """Run its Python with these words; modules in the folders ``first`` stand in for others."""
    path = f"{first}:{suite.site}" if first else str(suite.site)
    return run(*python(suite), *words, folder=folder, may_fail=may_fail, PYTHONPATH=path, PATH="",
               PYTHONDONTWRITEBYTECODE="1", BLINKA_SKIP_DEPENDENCY_CHECK="1")  # fmt: skip


# --- what is checked ---


def modules(suite: Suite) -> str:
    """Import every module but those of the extra ``models`` and of studies."""
    needs_more = (*WITH_MODELS, "hextraction.controller.study", "hextraction.controller.evaluation")
    names = [name for name in expected_modules() if not name.startswith(needs_more)]
    code = "import importlib, sys\nfor name in sys.argv[1:]: importlib.import_module(name)"
    with tempfile.TemporaryDirectory() as folder:
        inside(suite, "-c", code, *names, folder=Path(folder))
    return f"{len(names)} modules imported"


def tests_in(*folders: str) -> Callable[[Suite], str]:
    """Return a step that runs the fast tests of some folders: those that start no other program."""
    left = [word for test in ANOTHER_PYTHON for word in ("--deselect", test)]

    def step(suite: Suite) -> str:
        said = inside(
            suite, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not slow", *left, *folders
        )
        return said.strip().splitlines()[-1].strip("= ")

    return step


def game(suite: Suite) -> str:
    """Play a demo game here and there: the journals are equal byte for byte, but for the date on the first line."""
    here = played(lambda words, folder: run(sys.executable, *words, folder=folder))
    there = played(lambda words, folder: inside(suite, *words, folder=folder))
    if here != there:
        lines = zip(here.splitlines(), there.splitlines(), strict=False)
        number = next(
            (at for at, (one, other) in enumerate(lines, 2) if one != other), min(len(here), len(there))
        )
        raise SystemExit(
            f"{suite.name}: another game than on this machine, from line {number} of the journal on"
        )
    return f"the same game, {len(here.splitlines())} lines, {len(here.encode())} bytes"


def header(suite: Suite) -> str:
    """Let `doctor` and `run` look for the header's chip on each model and kernel, with that Pi's /sys and /dev."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file, text in BUILD.items():
            (folder / file).write_text(text)
        words = ("--config", folder / "board.toml")
        how = {"folder": folder, "first": f"{folder}:{ROOT / 'tests'}"}
        for pi in pis.PIS:
            pis.lay(suite.root, pi)
            want = f"/dev/gpiochip{pi.header}"
            said = inside(suite, *PROGRAM, "doctor", *words, "--json", may_fail=True, **how)
            (devices,) = (line for line in json.loads(said) if line["what"] == "devices")
            ran = inside(suite, *PROGRAM, "run", *words, "--no-page", "--exit-when-ready", **how)
            opened = re.findall("opened (.*)", ran)
            if devices["state"] != "ok" or not devices["says"].startswith(f"{want} (") or opened != [want]:
                raise SystemExit(
                    f"{suite.name}, {pi.title}: want {want}; {devices}; run opened {opened}:\n{ran}"
                )
    return f"the right chip with each of {len(pis.PIS)} kernels of a Pi Zero 2 W, 3, 4 and 5"


def played(call: Callable[[tuple[object, ...], Path], str]) -> str:
    """Play a game by seed and return what its journal says, without the first line."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        journal = ("--journal", folder / "games.db")
        call((*PROGRAM, *GAME, *journal), folder)
        listed = call((*PROGRAM, "export", *journal), folder)
        text = call((*PROGRAM, "export", listed.split()[0], *journal), folder)
    return text.split("\n", 1)[1]


def package(suite: Suite) -> str:
    """Look into the Debian package of `make deb`: all that is compiled is for a Pi, and every module is imported."""
    found = next((ROOT / "dist").glob("hextraction_*_arm64.deb"), None)
    if found is None:
        raise SystemExit("no package for arm64 in dist: make deb")
    if not (suite.root / "usr").exists():
        debian(suite)
    home = WORK / "package" / found.stem / "usr" / "lib" / "hextraction" / "lib"
    shutil.rmtree(home.parents[3], ignore_errors=True)
    home.parents[3].mkdir(parents=True)
    run("dpkg-deb", "-x", found, home.parents[3])
    compiled = [path for path in home.rglob("*.so*") if path.is_file()]
    foreign = [path for path in compiled if path.read_bytes()[18:20] != AARCH64]
    if foreign or not compiled:
        raise SystemExit(f"{found.name}: want everything for aarch64: {foreign}")
    needs_more = (
        *WITH_MODELS,
        *WITH_TESTING,
        "hextraction.controller.study",
        "hextraction.controller.evaluation",
    )
    vendors = [
        "rpi_ws281x",
        "adafruit_pixelbuf",
        "gpiod",
        "smbus2",
        "sysv_ipc",
        *["lgpio"][: suite.python == "3.11"],
    ]
    names = [*vendors, *(name for name in expected_modules() if not name.startswith(needs_more))]
    code = "import importlib, sys\nfor name in sys.argv[1:]: importlib.import_module(name)"
    path = f"{home / f'python{suite.python}' / 'site-packages'}:{home / 'any'}"
    with tempfile.TemporaryDirectory() as folder:
        run(*python(suite), "-S", "-c", code, *names, folder=Path(folder), PYTHONPATH=path, PATH="",
            PYTHONDONTWRITEBYTECODE="1", BLINKA_SKIP_DEPENDENCY_CHECK="1", LG_WD=folder)  # fmt: skip
    return f"{len(compiled)} compiled files are for it, {len(names)} modules imported from {found.name}"


# --- wheels ---


def pins_of(lock: str, python_version: str, machine: str) -> Iterator[str]:
    """Yield the pins of a lock file that a Pi takes."""
    where = {"python_version": python_version, "python_full_version": f"{python_version}.2", "sys_platform": "linux",
             "platform_machine": machine, "implementation_name": "cpython", "platform_system": "Linux"}  # fmt: skip
    text = (ROOT / "requirements" / f"{lock}.lock").read_text()
    for line in re.findall(r"(?m)^([A-Za-z0-9_.-]+==[^\\\n]+)", text):
        wanted = Requirement(line.strip())
        if wanted.marker is None or wanted.marker.evaluate(where):
            yield f"{wanted.name}{wanted.specifier}"


def has_wheel(pin: str, pi: Pi, folder: Path) -> bool:
    """Ask the package index by pip whether there is a wheel of a package for a Pi."""
    number = pi.python.replace(".", "")
    platforms = [word for platform in pi.platforms for word in ("--platform", platform)]
    words = (sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "--dest", folder,
             "--python-version", pi.python, "--implementation", "cp", "--abi", f"cp{number}", "--abi", "abi3",
             "--abi", "none", *platforms, pin)  # fmt: skip
    return subprocess.run([str(word) for word in words], capture_output=True, check=False).returncode == 0


def wheels() -> None:
    """Print what pip must build, by extra and Pi: the table of docs/install.md."""
    tell("| extra | " + " | ".join(pi.name for pi in PIS) + " |\n| --- |" + " --- |" * len(PIS))
    asked: dict[tuple[str, Pi], bool] = {}
    with tempfile.TemporaryDirectory() as name:
        for lock in LOCKS:
            row = []
            for pi in PIS:
                pins = list(pins_of(lock, pi.python, pi.machine))
                for pin in pins:
                    if (pin, pi) not in asked:
                        asked[pin, pi] = has_wheel(pin, pi, Path(name))
                row.append(", ".join(pin.split("==")[0] for pin in pins if not asked[pin, pi]) or "—")
            tell(f"| `{lock}` | " + " | ".join(row) + " |")


STEPS: dict[str, Callable[[Suite], str]] = {
    "prepare": prepare,
    "modules": modules,
    "hal": tests_in("tests/hal", "tests/board"),
    "tracking": tests_in("tests/tracking"),
    "rules": tests_in("tests/games"),
    "header": header,
    "game": game,
    "package": package,
}


def main() -> None:
    """Do the steps that are asked for, all by default."""
    parser = argparse.ArgumentParser(description="Check the program on a Pi's processor, emulated.")
    parser.add_argument(
        "steps", nargs="*", metavar="STEP", help=f"of {', '.join([*STEPS, 'wheels'])}; all by default"
    )
    parser.add_argument("--suite", action="append", choices=[suite.name for suite in SUITES])
    told = parser.parse_args()
    unknown = set(told.steps) - {*STEPS, "wheels"}
    if unknown:
        parser.error(f"want steps of {', '.join([*STEPS, 'wheels'])}, found {', '.join(sorted(unknown))}")
    for suite in SUITES:
        if told.suite and suite.name not in told.suite:
            continue
        for step in (step for step in STEPS if step in told.steps or not told.steps):
            began_s = time.monotonic()
            said = STEPS[step](suite)
            tell(f"{suite.name}, {step}: {said} ({time.monotonic() - began_s:.0f} s)")
    if "wheels" in told.steps or not told.steps:
        wheels()


if __name__ == "__main__":
    main()
