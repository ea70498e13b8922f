"""``make deb``: the program as Debian packages for amd64 and arm64, with all that it needs inside.

A package brings one environment (a folder with ``pyvenv.cfg``) with the packages for Debian 12's Python and
for Debian 13's; the system's Python takes those of its own version. What both take alike is there once. The
wheels are those of the lock files, by their hashes; the program is the wheel that ``make dist`` has built.
"""
# ruff: noqa: T201 - a program for the terminal

import argparse
import gzip
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from filecmp import cmp
from pathlib import Path
from typing import Final

from systemd.places import (
    BY_MACHINE,
    CLUB,
    FILES,
    GAMES,
    HOTSPOT,
    PACKAGE,
    PACKAGED_COMMAND,
    PACKAGED_GROUPS,
    PROGRAM,
    SETTINGS,
    VENV,
    of_package,
)

from .dist import ROOT, epoch, write_sums
from .foreign import fetch

__all__ = [
    "ARCHITECTURES",
    "SUITES",
    "Architecture",
    "build",
    "build_twice",
    "main",
    "pack",
    "scripts",
    "tree",
]

SUITES: Final = {"3.11": "bookworm", "3.13": "trixie"}
"""The Debian that has each Python that a package is made for."""
_GLIBC: Final = 36
"""That of Debian 12: no wheel may ask for a newer one (2.36)."""
_HERE: Final = Path(__file__).parent / "debian"
_WITHOUT_WHEELS: Final = ("cobs", "rpi-ws281x")
_COMPLETIONS: Final = {
    "bash": "usr/share/bash-completion/completions/hextraction",
    "zsh": "usr/share/zsh/vendor-completions/_hextraction",
    "fish": "usr/share/fish/vendor_completions.d/hextraction.fish",
}
_ONLY_TO_BUILD: Final = ("setuptools",)
_NOTES: Final = ("RECORD", "INSTALLER", "REQUESTED", "direct_url.json", "uv_cache.json")
"""What an installer notes for itself; dpkg has a list of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Architecture:
    """A processor: as Debian calls it, as wheels do, its lock files, what it would like from apt."""

    name: str
    machine: str
    locks: tuple[str, ...]
    recommends: tuple[str, ...]

    @property
    def compiler(self) -> str:
        """The compiler for it, as Debian names it."""
        return f"{self.machine}-linux-gnu-gcc"


ARCHITECTURES: Final = {
    "amd64": Architecture(name="amd64", machine="x86_64", locks=("sim",), recommends=("avahi-daemon",)),
    "arm64": Architecture(
        name="arm64",
        machine="aarch64",
        locks=("sim", "pi", "pi5"),
        recommends=("avahi-daemon", "python3-lgpio", "python3-spidev"),
    ),
}


def main(arguments: list[str] | None = None) -> int:
    """Build the packages beside the wheel in a folder; return the exit status."""
    parser = argparse.ArgumentParser(prog="deb", description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "dist", metavar="FOLDER", help="default: dist")
    parser.add_argument(
        "--architecture", action="append", choices=list(ARCHITECTURES), help="default: all of them"
    )
    parser.add_argument("--twice", action="store_true", help="build each once more, and compare the bytes")
    options = parser.parse_args(arguments)
    out: Path = options.out.absolute()
    wheels = sorted(out.glob("hextraction-*.whl"))
    if len(wheels) != 1:
        print(f"deb: {out}: want one wheel of `make dist`, found {len(wheels)}", file=sys.stderr)
        return 2
    for name in options.architecture or ARCHITECTURES:
        make = build_twice if options.twice else build
        print(make(ARCHITECTURES[name], wheels[0], out), flush=True)
    print(write_sums(out))
    return 0


def build(architecture: Architecture, wheel: Path, out: Path) -> Path:
    """Build the package for one processor from the program's wheel; return its path."""
    version = wheel.name.split("-")[1]
    package = out / f"hextraction_{version}_{architecture.name}.deb"
    with tempfile.TemporaryDirectory() as name:
        root = Path(name) / "root"
        tree(architecture, wheel, root)
        _control(architecture, version, root)
        pack(root, package)
    return package


def build_twice(architecture: Architecture, wheel: Path, out: Path) -> Path:
    """Build a package, and once more elsewhere as somebody with other habits would; return its path.

    Raises:
        SystemExit: the second one differs from the first.
    """
    package = build(architecture, wheel, out)
    before, mask = dict(os.environ), os.umask(0o077)
    os.environ["TZ"] = "Asia/Kathmandu"
    try:
        with tempfile.TemporaryDirectory() as name:
            if not cmp(package, build(architecture, wheel, Path(name)), shallow=False):
                raise SystemExit(f"deb: {package}: built twice, and the second has other bytes")
    finally:
        os.umask(mask)
        os.environ.clear()
        os.environ.update(before)
    return package


def pack(root: Path, package: Path) -> None:
    """Pack a tree so that its names and contents alone decide the bytes: no umask, no clock, no owner."""
    for path in (root, *root.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or _runs(path) else 0o644)
        os.utime(path, (epoch(), epoch()), follow_symlinks=False)
    # One thread: with several the bytes depend on how many the machine has.
    _said(
        "dpkg-deb", "--root-owner-group", "-Zxz", "-z2", "--threads-max=1", "--build", str(root),
        str(package), SOURCE_DATE_EPOCH=str(epoch()),
    )  # fmt: skip


def _runs(path: Path) -> bool:
    """Whether a file of the tree is a program: a command, or one of dpkg's scripts."""
    is_script = path.parent.name == "DEBIAN" and path.read_bytes().startswith(b"#!")
    return is_script or path.parent.name == "bin"


def tree(architecture: Architecture, wheel: Path, root: Path) -> None:
    """Lay the files of a package below a folder, all but the ones for dpkg itself."""
    home = root / PACKAGE.lstrip("/")
    sites = {python: home / "lib" / f"python{python}" / "site-packages" for python in SUITES}
    for python, site in sites.items():
        _wheels(architecture, python, site)
        if "pi" in architecture.locks:
            _lamps(architecture, python, site)
    everywhere = home / "lib" / "any"
    _share(list(sites.values()), everywhere)
    _pure(everywhere)
    _pip("--no-deps", "--target", str(everywhere), str(wheel))
    for site in sites.values():
        (site / "any.pth").write_text("../../any\n")
    _tidy(home / "lib")
    _environment(home)
    _service(root)
    _completions(root)
    _papers(root)


# --- the packages that the program needs ---


def _wheels(architecture: Architecture, python: str, site: Path) -> None:
    """Install what has wheels for this processor and Python."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as wanted:
        pins = (pin for lock in architecture.locks for pin in _pins(lock))
        wanted.write("\n".join(dict.fromkeys(pins)))
        wanted.flush()
        _said(
            sys.executable, "-m", "uv", "pip", "install", "--quiet", "--target", str(site), "--no-deps",
            "--only-binary", ":all:", "--require-hashes", "--requirement", wanted.name, "--link-mode", "copy",
            "--python-platform", f"{architecture.machine}-manylinux_2_{_GLIBC}", "--python-version", python,
        )  # fmt: skip


def _pins(lock: str, *only: str) -> Iterator[str]:
    """Yield the entries of a lock file with their hashes: those of these names, or all that have wheels."""
    text = (ROOT / "requirements" / f"{lock}.lock").read_text(encoding="utf-8")
    for entry in re.findall(r"(?m)^[A-Za-z0-9_.-]+==.*(?:\n +.*)*", text):
        name = entry.split("==")[0]
        if name in only if only else name not in (*_WITHOUT_WHEELS, *_ONLY_TO_BUILD):
            yield entry


def _source(lock: str, name: str, folder: Path) -> Path:
    """Fetch the source of a pinned package, and unpack it; return where it is."""
    wanted = folder / "wanted.txt"
    wanted.write_text("\n".join(_pins(lock, name)))
    _said(
        sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:", "--dest",
        str(folder), "--no-build-isolation", "--require-hashes", "--requirement", str(wanted),
    )  # fmt: skip
    (packed,) = folder.glob("*.tar.gz")
    shutil.unpack_archive(packed, folder, filter="data")
    (source,) = (path for path in folder.iterdir() if path.is_dir())
    return source


def _pure(into: Path) -> None:
    """Install cobs, which is nowhere a wheel, without its compiled part, which it does without."""
    with tempfile.TemporaryDirectory() as name:
        _pip(
            "--no-deps",
            "--no-build-isolation",
            "--target",
            str(into),
            str(_source("table", "cobs", Path(name))),
        )
    for compiled in into.glob("cobs/**/*.so"):
        compiled.unlink()


def _lamps(architecture: Architecture, python: str, site: Path) -> None:
    """Compile rpi_ws281x, which is nowhere a wheel, against the Debian that it is for."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        system = folder / "system"
        fetch(SUITES[python], architecture.name, f"libpython{python}-dev", into=system)
        (folder / "source").mkdir()
        source = _source("pi", "rpi-ws281x", folder / "source")
        shutil.copytree(source / "rpi_ws281x", site / "rpi_ws281x")
        told = source / "rpi_ws281x.egg-info" / "PKG-INFO"
        noted = site / f"{source.name}.dist-info"
        noted.mkdir()
        shutil.copyfile(told, noted / "METADATA")
        shutil.copyfile(source / "LICENSE", noted / "LICENSE")
        tag = f"cpython-{python.replace('.', '')}-{architecture.machine}-linux-gnu"
        parts = sorted(path.relative_to(source) for path in (source / "lib").glob("*.c"))
        _said(
            # Assertions in Python's own headers name their file: never the folder of this build.
            architecture.compiler, f"--sysroot={system}", f"-ffile-prefix-map={folder}=",
            "-shared", "-fPIC", "-O2", "-I.",
            f"-I{system}/usr/include/python{python}", "rpi_ws281x_wrap.c", *map(str, parts),
            "-o", str(site / f"_rpi_ws281x.{tag}.so"), folder=source,
        )  # fmt: skip


# --- the tree ---


def _share(sites: list[Path], everywhere: Path) -> None:
    """Move what all environments have alike to where it is once: packages that are Python only.

    What is compiled stays, also where it is alike: it looks for its libraries beside itself.
    """
    everywhere.mkdir(parents=True)
    first, *others = sites
    for entry in sorted(first.iterdir()):
        compiled = any(".so" in path.suffixes for path in (entry, *entry.rglob("*")))
        if not compiled and all(_same(entry, other / entry.name) for other in others):
            shutil.move(entry, everywhere / entry.name)
            for other in others:
                _remove(other / entry.name)


def _same(one: Path, other: Path) -> bool:
    """Whether two files or folders hold the same."""
    if one.is_dir() and other.is_dir():
        names = {path.name for path in one.iterdir()}
        return names == {path.name for path in other.iterdir()} and all(
            _same(one / name, other / name) for name in names
        )
    return one.is_file() and other.is_file() and cmp(one, other, shallow=False)


def _tidy(lib: Path) -> None:
    """Remove commands, installers' notes and what this machine has compiled."""
    for site in (lib / "any", *lib.glob("*/site-packages")):
        for name in ("bin", "share", ".lock"):
            _remove(site / name)
    for path in list(lib.rglob("__pycache__")):
        _remove(path)
    for notes in _NOTES:
        for path in lib.rglob(f"*.dist-info/{notes}"):
            path.unlink()


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _environment(home: Path) -> None:
    """Make the folder an environment: the system's Python, with the packages of its own version."""
    (home / "pyvenv.cfg").write_text("home = /usr/bin\ninclude-system-site-packages = true\n")
    (home / "bin").mkdir()
    (home / "bin" / "python3").symlink_to("/usr/bin/python3")
    command = home.parents[2] / PACKAGED_COMMAND.lstrip("/")
    command.parent.mkdir(parents=True)
    command.write_text(
        f"#!{PACKAGE}/bin/python3\nimport sys\n\n"
        "from hextraction.controller.app import main\n\nsys.exit(main())\n"
    )


def _service(root: Path) -> None:
    """Lay the service's files as the installer would, where a package has them; the rest is up to `fit`."""
    for name, path in FILES.items():
        if name in BY_MACHINE:
            continue
        target = root / of_package(path).lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        text = (ROOT / "systemd" / name).read_text(encoding="utf-8")
        packaged = text.replace(PROGRAM, PACKAGED_COMMAND).replace(VENV, PACKAGE)
        target.write_text(packaged, encoding="utf-8")


def _completions(root: Path) -> None:
    """Lay what completes the command where shells look for what packages bring."""
    scripts = ROOT / "controller" / "app" / "completions"
    for shell, path in _COMPLETIONS.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(scripts / f"hextraction.{shell}", target)


def _papers(root: Path) -> None:
    papers = root / "usr" / "share" / "doc" / "hextraction"
    papers.mkdir(parents=True)
    shutil.copyfile(_HERE / "copyright", papers / "copyright")
    (papers / "changelog.gz").write_bytes(gzip.compress((ROOT / "CHANGELOG.md").read_bytes(), 9, mtime=0))
    with (papers / "copyright").open("a", encoding="utf-8") as out:
        licence = (ROOT / "LICENSE").read_text(encoding="utf-8").split("\n\n", 2)[2]
        out.write("\nLicense: MIT\n" + "".join(f" {line or '.'}\n" for line in licence.strip().splitlines()))


def _control(architecture: Architecture, version: str, root: Path) -> None:
    """Write what dpkg reads: description, scripts and hashes."""
    files = sorted(path for path in root.rglob("*") if path.is_file() and not path.is_symlink())
    sums = [f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(root)}\n" for path in files]  # noqa: S324 - dpkg's format
    folder = root / "DEBIAN"
    folder.mkdir()
    texts = scripts(architecture, version, kilobytes=sum(path.stat().st_size for path in files) // 1024 + 1)
    texts["md5sums"] = "".join(sums)
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")


def scripts(architecture: Architecture, version: str, *, kilobytes: int) -> dict[str, str]:
    """Return the description of a package, whose files have so many kilobytes, and its scripts, by name."""
    values = {
        "VERSION": version,
        "ARCHITECTURE": architecture.name,
        "SIZE": str(kilobytes),
        "RECOMMENDS": ", ".join(architecture.recommends),
        "PACKAGE": PACKAGE,
        "COMMAND": PACKAGED_COMMAND,
        "GROUPS": PACKAGED_GROUPS,
        "PURGED": " ".join((SETTINGS, GAMES, *CLUB, HOTSPOT)),
    }
    names = ("control", "preinst", "postinst", "prerm", "postrm")
    raw = {name: (_HERE / name).read_text(encoding="utf-8") for name in names}
    return {name: re.sub(r"@([A-Z]+)@", lambda found: values[found[1]], text) for name, text in raw.items()}


def _pip(*words: str) -> None:
    _said(sys.executable, "-m", "pip", "install", "--quiet", "--no-compile", "--no-index", *words)


def _said(*command: str, folder: Path | None = None, **more: str) -> str:
    """Run a command to its end; return what it says.

    Raises:
        SystemExit: it failed; with all that it said.
    """
    try:
        done = subprocess.run(  # noqa: S603 - a list, no shell
            command, capture_output=True, text=True, check=False, cwd=folder, env={**os.environ, **more}
        )
    except FileNotFoundError:
        raise SystemExit(f"deb: want {command[0]}, found none: `make deb` installs it") from None
    if done.returncode:
        raise SystemExit(
            f"deb: {' '.join(command)} ended with {done.returncode}:\n{done.stdout}{done.stderr}"
        )
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
