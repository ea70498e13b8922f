"""Builds the sensor hub's firmware: ``make firmware`` runs this.

Builds are reproducible: the same sources and compiler give the same bytes; ``release/`` holds the latest
image, what it was built from and with, and its digests.
"""

import argparse
import hashlib
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

__all__ = [
    "HERE",
    "RELEASE",
    "Tools",
    "ToolsMissing",
    "build",
    "find_tools",
    "main",
    "source_digest",
    "to_uf2",
    "write_release",
]

HERE: Final = Path(__file__).parent
RELEASE: Final = HERE / "release"
_UNPACKED_SDK: Final = HERE.parents[1] / "build" / "firmware-sdk" / "usr" / "src" / "pico-sdk"
_SDKS: Final = (Path("/usr/src/pico-sdk"), _UNPACKED_SDK)
_PROGRAMS: Final = ("arm-none-eabi-gcc", "arm-none-eabi-objcopy", "cmake", "ninja")

_FLASH_START: Final = 0x10000000
_UF2_MAGIC: Final = (0x0A324655, 0x9E5D5157, 0x0AB16F30)
_UF2_FAMILY_GIVEN: Final = 0x2000
_RP2040_FAMILY: Final = 0xE48BFF56
_UF2_PAYLOAD: Final = 256


class ToolsMissing(RuntimeError):  # noqa: N818 - the fact is the name
    """The firmware cannot be built here; the message says what is missing and what to do."""


class Tools:
    """What a build needs: ``sdk`` is the Pico SDK's folder, ``compiler`` identifies the compiler."""

    def __init__(self, sdk: Path, compiler: str) -> None:
        self.sdk = sdk
        self.compiler = compiler


def find_tools() -> Tools:
    """Find the tools on this machine.

    Raises:
        ToolsMissing: a program or the SDK is not installed.
    """
    missing = [name for name in _PROGRAMS if shutil.which(name) is None]
    given = os.environ.get("PICO_SDK_PATH")
    sdks = [path for path in ([Path(given)] if given else _SDKS) if (path / "pico_sdk_init.cmake").exists()]
    if not sdks:
        missing.append("the Pico SDK (PICO_SDK_PATH)")
    if missing:
        raise ToolsMissing(
            f"the firmware cannot be built here, missing: {', '.join(missing)}; run `make firmware-tools`"
        )
    return Tools(sdks[0].resolve(), _run([_PROGRAMS[0], "--version"]).splitlines()[0])


def _run(command: Sequence[str]) -> str:
    """Run a program and return its output; if it fails, write its output to standard error first."""
    quiet = {**os.environ, "SOURCE_DATE_EPOCH": "0"}
    done = subprocess.run(command, check=False, env=quiet, capture_output=True, text=True)  # noqa: S603 - our own words
    if done.returncode:
        sys.stderr.write(done.stdout + done.stderr)
    done.check_returncode()
    return done.stdout


def source_digest() -> str:
    """Return the SHA-256 over names and contents of everything that the image is made from."""
    digest = hashlib.sha256()
    for path in sorted([HERE / "CMakeLists.txt", *(HERE / "src").glob("*.[ch]")]):
        digest.update(f"{path.relative_to(HERE).as_posix()} {path.stat().st_size}\n".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def build(tools: Tools, folder: Path) -> bytes:
    """Build in ``folder`` and return the image as laid out in flash.

    Raises:
        subprocess.CalledProcessError: CMake or the compiler failed; its output says why.
    """
    configure = [
        *("cmake", "-S", str(HERE), "-B", str(folder), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"),
        f"-DPICO_SDK_PATH={tools.sdk}",
        f"-DSOURCE_DIGEST={source_digest()[:16]}",
    ]
    _run(configure)
    _run(["ninja", "-C", str(folder)])
    return (folder / "hub.bin").read_bytes()


def to_uf2(image: bytes) -> bytes:
    """Return the image in the format that an RP2040 accepts in USB disk mode."""
    pieces = [image[at : at + _UF2_PAYLOAD] for at in range(0, len(image), _UF2_PAYLOAD)]
    blocks = []
    for number, piece in enumerate(pieces):
        head = struct.pack(
            "<8I",
            *_UF2_MAGIC[:2],
            _UF2_FAMILY_GIVEN,
            _FLASH_START + number * _UF2_PAYLOAD,
            _UF2_PAYLOAD,
            number,
            len(pieces),
            _RP2040_FAMILY,
        )
        blocks.append(head + piece.ljust(476, b"\0") + struct.pack("<I", _UF2_MAGIC[2]))
    return b"".join(blocks)


def write_release(image: bytes, tools: Tools) -> None:
    """Write an image to ``release/``, with its digests and what it was built from."""
    RELEASE.mkdir(exist_ok=True)
    files = {"hub.bin": image, "hub.uf2": to_uf2(image)}
    for name, data in files.items():
        (RELEASE / name).write_bytes(data)
    facts = {
        "compiler": tools.compiler,
        "sources": source_digest(),
        **{name: hashlib.sha256(data).hexdigest() for name, data in files.items()},
    }
    (RELEASE / "release.json").write_text(json.dumps(facts, indent=2) + "\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Build, write the image to ``release/`` and print its size; return 2 if tools are missing."""
    parser = argparse.ArgumentParser(description="Build the sensor hub's firmware.")
    parser.parse_args(arguments)
    try:
        tools = find_tools()
        with tempfile.TemporaryDirectory(prefix="hub-") as folder:
            image = build(tools, Path(folder))
    except (ToolsMissing, subprocess.CalledProcessError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    write_release(image, tools)
    for name in ("hub.bin", "hub.uf2"):
        sys.stdout.write(f"{RELEASE / name}: {(RELEASE / name).stat().st_size} bytes\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
