"""The parts of the simulated machine: a Debian 12, a newer Debian kernel, the pin libraries from wheels.

The kernel must have the module gpio-sim. Debian's has it since 7.2, that is in the backports of Debian 13 and
not in 12 or 13 themselves; the root stays 12, because lgpio's newest wheel is for Python 3.11. Where packages
come from is taken from this machine's own sources with the release's name replaced.
"""

import lzma
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

from helpers.places import ROOT

PROJECT = ROOT
ROOT, KERNEL, PYTHON = "bookworm", "trixie-backports", "3.11"
MODULES = ("configfs", "gpio-sim")
TOOLS = {
    "qemu-system-x86_64": "qemu-system-x86",
    "mmdebstrap": "mmdebstrap",
    "apt-get": "apt (this must be a Debian)",
    "dpkg-deb": "dpkg",
}
LEFT_OUT = tuple(f"--dpkgopt=path-exclude=/usr/share/{each}/*" for each in ("doc", "locale", "man"))


def missing() -> list[str]:
    """Return what to install before the machine can be made; nothing if all is there."""
    return [package for tool, package in TOOLS.items() if shutil.which(tool) is None]


def sources(release: str, apt: Path = Path("/etc/apt"), system: Path = Path("/etc/os-release")) -> str:
    """Return this machine's package sources for another release, one per line.

    Raises:
        RuntimeError: this is no Debian, or its sources are not where they always are.
    """
    about = dict(re.findall(r'^(\w+)="?([^"\n]*)"?$', system.read_text("utf-8"), re.MULTILINE))
    here = about.get("VERSION_CODENAME", "")
    places = list(dict.fromkeys((*_one_line(apt, here), *_stanzas(apt, here))))
    if about.get("ID") != "debian" or not places:
        raise RuntimeError(f"want a Debian with its own package sources in {apt}")
    return "".join(f"deb {options} {uri} {release} main\n" for options, uri in places)


def _one_line(apt: Path, codename: str) -> Iterator[tuple[str, str]]:
    for path in (apt / "sources.list", *(apt / "sources.list.d").glob("*.list")):
        text = path.read_text("utf-8") if path.exists() else ""
        yield from re.findall(rf"^deb +(\[[^]]*\])? *(\S+) +{codename} .*main", text, re.MULTILINE)


def _stanzas(apt: Path, codename: str) -> Iterator[tuple[str, str]]:
    for path in (apt / "sources.list.d").glob("*.sources"):
        for stanza in re.split(r"\n\s*\n", path.read_text("utf-8")):
            fields = dict(re.findall(r"^([A-Za-z-]+): *(.*?) *$", stanza, re.MULTILINE))
            if codename in fields.get("Suites", "").split() and "main" in fields["Components"].split():
                key = fields.get("Signed-By", "")
                yield f"[signed-by={key}]" if key.startswith("/") else "", fields["URIs"].split()[0]


def make_root(tar: Path, libraries: Path) -> None:
    """Make a small Debian with Python and the libraries in ``/srv``; half a minute to two, 200 MB."""
    listed = tar.with_suffix(".list")
    listed.write_text(sources(ROOT), encoding="utf-8")
    options = ("--quiet", "--variant=minbase", "--include=python3,kmod", *LEFT_OUT)
    copy = f"--customize-hook=copy-in {libraries} /srv"
    compiling = (
        '--customize-hook=chroot "$1" python3 -m compileall -q --invalidation-mode unchecked-hash /srv'
    )
    _run("mmdebstrap", *options, copy, compiling, ROOT, str(tar), str(listed))


def make_kernel(folder: Path) -> None:
    """Put ``vmlinuz`` and the modules of a Debian kernel that has gpio-sim into the folder; fetches 120 MB."""
    apt = _own_apt(folder / "apt")
    _run("apt-get", "update", "-qq", env=apt)
    depends = ("apt-cache", "depends", "--recurse", "--important", "linux-image-amd64")
    names = sorted(set(re.findall(r"^linux-\S+$", _run(*depends, env=apt), re.MULTILINE)))
    _run("apt-get", "download", "-qq", *names, env=apt, cwd=folder / "apt")
    for package in (folder / "apt").glob("*.deb"):
        _take_kernel(package, folder)
    wanted = ("vmlinuz", *(f"{module}.ko" for module in MODULES))
    lacking = [name for name in wanted if not (folder / name).exists()]
    shutil.rmtree(folder / "apt")
    if lacking:
        raise RuntimeError(f"Debian's kernel of {KERNEL} lacks {', '.join(lacking)}")


def make_libraries(folder: Path) -> None:
    """Put gpiozero, lgpio, rpi-lgpio and what else the hal imports into the folder, as wheels for the root."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]
    named = [*project["dependencies"], *project["optional-dependencies"]["pi"]]
    wanted = [each.partition(";")[0] for each in named if re.match(r"gpiozero|lgpio|msgspec|pyserial", each)]
    # cobs as a wheel is older than the range allows: it is imported with the hub and not used here.
    pip = (sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile")
    target = ("--target", str(folder), "--python-version", PYTHON, "--only-binary=:all:")
    _run(*pip, *target, *wanted, "rpi-lgpio>=0.6,<1", "cobs", "pytest>=8.3,<10")


def _own_apt(folder: Path) -> Mapping[str, str]:
    """Return the environment of an apt that knows only the kernel's sources and changes nothing here."""
    (folder / "lists" / "partial").mkdir(parents=True)
    (folder / "sources.list").write_text(sources(KERNEL), encoding="utf-8")
    configuration = folder / "apt.conf"
    configuration.write_text(
        f'Dir::Etc::sourcelist "{folder}/sources.list";\n'
        'Dir::Etc::sourceparts "/dev/null";\n'
        f'Dir::State::lists "{folder}/lists";\n'
        f'Dir::Cache "{folder}";\n'
        'APT::Sandbox::User "root";\n',
        encoding="utf-8",
    )
    return {**os.environ, "APT_CONFIG": str(configuration)}


def _take_kernel(package: Path, folder: Path) -> None:
    unpacking = subprocess.Popen(("dpkg-deb", "--fsys-tarfile", package), stdout=subprocess.PIPE)
    with unpacking, tarfile.open(fileobj=unpacking.stdout, mode="r|") as members:
        for member in members:
            name = Path(member.name).name
            module = name.partition(".ko")[0]
            if member.isfile() and name.startswith("vmlinuz"):
                (folder / "vmlinuz").write_bytes(members.extractfile(member).read())
            elif member.isfile() and name.endswith((".ko", ".ko.xz")) and module in MODULES:
                data = members.extractfile(member).read()
                data = lzma.decompress(data) if name.endswith(".xz") else data
                (folder / f"{module}.ko").write_bytes(data)


def _run(*command: str, env: Mapping[str, str] | None = None, cwd: Path | None = None) -> str:
    """Run a program and return what it said; what it complained of is in the error if it fails."""
    ran = subprocess.run(command, env=env, cwd=cwd, text=True, capture_output=True, check=False)
    if ran.returncode:
        raise RuntimeError(f"{command[0]} failed ({ran.returncode}): {ran.stderr[-2000:]}")
    return ran.stdout
