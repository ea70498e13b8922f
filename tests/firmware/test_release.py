"""The built firmware that is in the repository is the one that its sources give."""

import hashlib
import importlib.util
import json
import struct

import pytest
from helpers.hub.host import FIRMWARE
from helpers.places import ROOT
from helpers.tiers import nightly
from hextraction.hal.wiring.file import read_wiring

RELEASE = FIRMWARE / "release"


def load_builder():
    """Return the build script as a module."""
    spec = importlib.util.spec_from_file_location("firmware_build", FIRMWARE / "build.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


builder = load_builder()
facts = json.loads((RELEASE / "release.json").read_text())
image = (RELEASE / "hub.bin").read_bytes()


def test_the_image_was_built_from_these_sources():
    """If this fails, the firmware's sources were changed without `make firmware`."""
    assert facts["sources"] == builder.source_digest()


@pytest.mark.parametrize("name", ["hub.bin", "hub.uf2"])
def test_the_files_are_those_that_were_built(name):
    """Each file has the digest that was written down when it was built."""
    assert hashlib.sha256((RELEASE / name).read_bytes()).hexdigest() == facts[name]


def test_the_image_tells_no_paths_and_no_dates():
    """Nothing in it depends on where or when it was built."""
    for word in (b"/home", b"/tmp/", b"/usr", b"/root", b"pico-sdk", b" 2026", b"core.c", b"main.c"):
        assert word not in image


def test_the_uf2_is_the_image_for_an_rp2040():
    """Read block by block as the boot ROM does, the UF2 file gives the image at the start of the flash."""
    data = (RELEASE / "hub.uf2").read_bytes()
    memory = bytearray()
    blocks = [data[at : at + 512] for at in range(0, len(data), 512)]
    for number, block in enumerate(blocks):
        *magic, flags, address, size, own, count, family = struct.unpack_from("<8I", block)
        assert magic == [0x0A324655, 0x9E5D5157]
        assert block[-4:] == struct.pack("<I", 0x0AB16F30)
        assert (flags, address, size) == (0x2000, 0x10000000 + 256 * number, 256)
        assert (own, count, family) == (number, len(blocks), 0xE48BFF56)
        memory += block[32 : 32 + size]

    assert memory[: len(image)] == image
    assert not any(memory[len(image) :])


def test_the_image_fits():
    """It runs from RAM: image and variables together stay far below 264 kB."""
    assert 20_000 < len(image) < 100_000


def test_missing_tools_are_named(monkeypatch, capsys):
    """Without compiler and SDK the build says what is missing and what to do, and ends with 2."""
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("PICO_SDK_PATH", "/nowhere")

    assert builder.main([]) == 2
    said = capsys.readouterr().err
    assert "arm-none-eabi-gcc" in said
    assert "Pico SDK" in said
    assert "make firmware-tools" in said


@nightly("a compiler runs", meanwhile="test_the_image_was_built_from_these_sources")
@pytest.mark.firmware
def test_a_build_gives_the_same_bytes(tmp_path):
    """Built here, in another folder, the image is the released one (or, by another compiler, the same twice)."""
    try:
        tools = builder.find_tools()
    except builder.ToolsMissing as missing:
        pytest.skip(str(missing))
    built = builder.build(tools, tmp_path / "somewhere" / "else")

    if tools.compiler == facts["compiler"]:
        assert built == image
    else:
        assert built == builder.build(tools, tmp_path / "again")


def test_the_image_asks_usb_for_what_the_hub_and_its_halls_draw():
    """A hub on a port that counts gets what it takes: 100 mA for itself, 10 for each Hall that it feeds (hub-lean)."""
    head = struct.pack("<BBHBBB", 9, 2, 75, 2, 1, 0)  # a configuration of two interfaces
    at = image.index(head)
    asked_ma = 2 * image[at + len(head) + 1]
    halls = len(read_wiring(ROOT / "wiring" / "hub-lean.toml").hub_linears)

    assert 100 + 10 * halls <= asked_ma <= 500
