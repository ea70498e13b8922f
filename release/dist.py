"""``make dist``: wheel, sdist, bill of materials and hashes of this version, the same bytes each time.

Only files that git knows go in. The wheel is built from the sdist, so that the sdist is proven to be whole.
"""
# ruff: noqa: T201 - a program for the terminal

import argparse
import gzip
import hashlib
import io
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

__all__ = ["ROOT", "build", "copy_of_tree", "epoch", "main", "write_sums"]

ROOT: Final = Path(__file__).parents[1]
_PROJECT: Final = "hextraction"


def main(arguments: list[str] | None = None) -> int:
    """Build everything into a folder, which must be empty; return the exit status."""
    parser = argparse.ArgumentParser(prog="dist", description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "dist", metavar="FOLDER", help="default: dist")
    out: Path = parser.parse_args(arguments).out.absolute()
    if out.is_dir() and any(out.iterdir()):
        print(f"dist: {out}: want an empty folder, as what is in it is what is published", file=sys.stderr)
        return 2
    for path in build(out):
        print(path)
    return 0


def build(out: Path) -> list[Path]:
    """Build wheel, sdist, bill of materials and their hashes into a folder; return their paths."""
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        made = [_sdist(folder, out)]
        made.append(_wheel(made[0], folder, out))
    made.append(_bill(out))
    return [*made, write_sums(out)]


def epoch() -> int:
    """Return the second that stands for when this version was made: of its commit, or SOURCE_DATE_EPOCH."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    return int(given or _said("git", "-C", str(ROOT), "log", "-1", "--format=%ct"))


def copy_of_tree(folder: Path) -> Path:
    """Copy what git knows of the project, with rights that do not depend on the machine."""
    copy = folder / "tree"
    for name in _said("git", "-C", str(ROOT), "ls-files", "-z").split("\0"):
        source, target = ROOT / name, copy / name
        if name and source.is_file():  # a link to a file is that file, one to a folder is for type checkers
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
            target.chmod(0o755 if os.access(source, os.X_OK) else 0o644)
    return copy


def write_sums(out: Path) -> Path:
    """Write the hash of every other file of a folder, as ``sha256sum --check`` reads them."""
    sums = out / "SHA256SUMS"
    files = sorted(path for path in out.iterdir() if path != sums)
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    sums.write_text("".join(lines), encoding="ascii")
    return sums


# --- parts ---


def _sdist(folder: Path, out: Path) -> Path:
    made = folder / "sdist"
    _build("--sdist", copy_of_tree(folder), made)
    (found,) = made.glob("*.tar.gz")
    target = out / found.name
    target.write_bytes(_repacked(found.read_bytes(), epoch()))
    return target


def _repacked(archive: bytes, at: int) -> bytes:
    """Return a tar.gz without times, owners and order of this build."""
    unpacked = io.BytesIO()
    with (
        tarfile.open(fileobj=io.BytesIO(archive)) as read,
        tarfile.open(fileobj=unpacked, mode="w", format=tarfile.PAX_FORMAT) as write,
    ):
        for member in sorted(read.getmembers(), key=lambda one: one.name):
            content = read.extractfile(member)
            member.mtime, member.uid, member.gid, member.uname, member.gname = at, 0, 0, "", ""
            member.pax_headers = {}
            member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
            write.addfile(member, content)
    return gzip.compress(unpacked.getvalue(), mtime=at)


def _wheel(sdist: Path, folder: Path, out: Path) -> Path:
    with tarfile.open(sdist) as packed:
        packed.extractall(folder / "from-sdist", filter="data")
    (source,) = (folder / "from-sdist").iterdir()
    _build("--wheel", source, out)
    (wheel,) = out.glob("*.whl")
    return wheel


def _build(what: str, source: Path, out: Path) -> None:
    """Run the builder that the lock pins, not the newest of today."""
    builder = (sys.executable, "-m", "build", "--no-isolation", what, "--outdir", str(out), str(source))
    _said(*builder, env={**os.environ, "SOURCE_DATE_EPOCH": str(epoch())})


def _bill(out: Path) -> Path:
    """Write what the wheel needs, with versions and hashes (CycloneDX): what a service of a table gets."""
    bill = out / f"{next(out.glob('*.whl')).name.split('-py3-')[0]}.cdx.json"
    _said(
        sys.executable, "-m", "cyclonedx_py", "requirements", str(ROOT / "requirements" / "table.lock"),
        "--pyproject", str(ROOT / "pyproject.toml"), "--mc-type", "application", "--output-reproducible",
        "--output-format", "JSON", "--output-file", str(bill),
    )  # fmt: skip
    return bill


def _said(*command: str, env: Mapping[str, str] | None = None) -> str:
    """Run a command to its end; return what it says.

    Raises:
        SystemExit: it failed; with all that it said.
    """
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=env)  # noqa: S603 - a list
    if done.returncode:
        raise SystemExit(
            f"dist: {' '.join(command)} ended with {done.returncode}:\n{done.stdout}{done.stderr}"
        )
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
