"""KiCad as the witness: it runs in a Debian 13 of its own (``make hardware`` makes one) and judges what we wrote."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

__all__ = ["ROOT", "KiCadError", "gerbers", "is_there", "judged", "netlist", "picture", "sent", "zipped"]

ROOT: Final = Path(os.environ.get("KICAD_ROOT", Path(__file__).parents[1] / "build" / "kicad-root"))
"""The Debian with KiCad 9 in it."""
_GERBER_LAYERS: Final = "F.Cu,B.Cu,F.Paste,B.Paste,F.SilkS,B.SilkS,F.Mask,B.Mask,Edge.Cuts"
_DATED: Final = re.compile(r"(?m)^.*(?:CreationDate|date ).*\n")
_EPOCH: Final = (2026, 1, 1, 0, 0, 0)


class KiCadError(RuntimeError):
    """KiCad did not do what it was asked to; its own words are in it."""


def is_there() -> bool:
    """Whether KiCad can be asked here: it needs its Debian, and root to enter it."""
    return os.geteuid() == 0 and (ROOT / "usr/bin/kicad-cli").exists()


@contextmanager
def sent(folder: Path) -> Iterator[Path]:
    """Copy a folder of ``hardware/boards`` with its libraries into KiCad's Debian; yields the copy."""
    with tempfile.TemporaryDirectory(dir=ROOT / "tmp") as made:
        work = Path(made) / folder.name
        shutil.copytree(folder, work)
        for library in ("hextraction.kicad_sym", "hextraction.pretty"):
            source = folder.parent / library
            (shutil.copytree if source.is_dir() else shutil.copy)(source, work.parent / library)
        yield work


def _asked(work: Path, *words: str) -> str:
    """Run kicad-cli where a copied board lies.

    Raises:
        KiCadError: it fails.
    """
    inside = "/" + str(work.relative_to(ROOT))
    command = 'cd "$0" && HOME=/tmp/kicad-home exec kicad-cli "$@"'
    done = subprocess.run(
        ["chroot", str(ROOT), "sh", "-c", command, inside, *words],
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    if done.returncode:
        raise KiCadError(f"kicad-cli {' '.join(words)}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def judged(work: Path) -> list[str]:
    """Return every violation of circuit (ERC) and board (DRC, parity of both) in KiCad's words."""
    name = work.name
    _asked(work, "sch", "erc", "--format", "json", "--severity-all", "-o", "erc.json", f"{name}.kicad_sch")
    _asked(
        work, "pcb", "drc", "--format", "json", "--severity-all", "--schematic-parity", "-o", "drc.json", f"{name}.kicad_pcb"
    )  # fmt: skip
    erc, drc = (json.loads((work / file).read_text("utf-8")) for file in ("erc.json", "drc.json"))
    found: list[dict[str, Any]] = [each for sheet in erc["sheets"] for each in sheet["violations"]]
    found += drc["violations"] + drc["unconnected_items"] + drc["schematic_parity"]
    return [_told(each) for each in found]


def _told(violation: dict[str, Any]) -> str:
    items = "; ".join(
        f"{one['description']} at {one['pos']['x']}, {one['pos']['y']}" for one in violation["items"]
    )
    return f"{violation['severity']}: {violation['type']}: {violation['description']}: {items}"


def netlist(work: Path) -> dict[str, frozenset[str]]:
    """Return the nets that KiCad reads in the drawing, as pins such as ``U1.2``."""
    _asked(
        work, "sch", "export", "netlist", "--format", "kicadsexpr", "-o", "net.txt", f"{work.name}.kicad_sch"
    )
    text = (work / "net.txt").read_text("utf-8")
    nets = re.split(r"\(net\b", text)[1:]
    found = {}
    for net in nets:
        name = re.search(r'\(name "([^"]*)"\)', net)
        pins = re.findall(r'\(ref "([^"]*)"\)\s*\(pin "([^"]*)"\)', net)
        if name and len(pins) > 1:
            found[name[1]] = frozenset(f"{ref}.{pin}" for ref, pin in pins)
    return found


def gerbers(work: Path) -> dict[str, bytes]:
    """Return gerbers and drill files by name, without the dates in them."""
    out = work / "gerbers"
    out.mkdir()
    board = f"{work.name}.kicad_pcb"
    _asked(
        work,
        "pcb",
        "export",
        "gerbers",
        "--layers",
        _GERBER_LAYERS,
        "--no-protel-ext",
        "-o",
        "gerbers/",
        board,
    )
    _asked(
        work,
        "pcb",
        "export",
        "drill",
        "--format",
        "excellon",
        "--excellon-units",
        "mm",
        "-o",
        "gerbers/",
        board,
    )
    return {
        path.name: _DATED.sub("", path.read_text("utf-8")).encode()
        for path in sorted(out.iterdir())
        if path.suffix != ".gbrjob"
    }


def zipped(files: dict[str, bytes], target: Path) -> None:
    """Write an archive whose bytes depend on the files alone."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in sorted(files.items()):
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)


def picture(work: Path, side: str, *, square: bool = False) -> bytes:
    """Return a board's picture from ``top`` or ``bottom`` as PNG: half as high as wide, or ``square``."""
    high, zoom = ("1000", "1.0") if square else ("460", "2.1")
    _asked(
        work, "pcb", "render", "--side", side, "--background", "opaque", "--width", "1000", "--height", high,
        "--zoom", zoom, "-o", f"{side}.png", f"{work.name}.kicad_pcb",
    )  # fmt: skip
    return (work / f"{side}.png").read_bytes()
