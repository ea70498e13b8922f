"""The wiring files that ship with the product, and the document about them."""

import re
from pathlib import Path

import pytest
from hextraction.hal.factory import open_devices
from hextraction.hal.mock import ManualClock
from hextraction.hal.pins import with_tables
from hextraction.hal.wiring import read_wiring, wiring_from_text

FOLDER = Path(__file__).parent.parent / "wiring"
README = FOLDER / "README.md"
FILES = sorted(FOLDER.glob("*.toml"))
SENSOR = r"(ramp\.[LR][1-9]|(drain|tile|ball)\.[A-Z][1-9]|(zone|rest)\.[LR]|edge\.[A-Z][1-9]\.[1-6])"


def test_there_is_something_to_check() -> None:
    """The bench demo ships."""
    assert "bench-demo.toml" in {path.name for path in FILES}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_file_opens_on_mock_pins(path: Path) -> None:
    """Each file is free of mistakes, and all its devices can be opened at once."""
    text = re.sub(r'factory = "\w+"', 'factory = "mock"', path.read_text(encoding="utf-8"))
    clock = ManualClock()
    with open_devices(
        wiring_from_text(text, path.name), clock=clock, scheduler=lambda _name: clock
    ) as devices:
        assert not devices.lost.all
        assert set(devices.inputs.levels().values()) <= {False}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_names_follow_the_boards_grammar(path: Path) -> None:
    """Sensors, coils and lamps are named as the controller expects."""
    wiring = read_wiring(path)
    assert all(re.fullmatch(SENSOR, sensor.name) for sensor in wiring.sensors)
    assert all(re.fullmatch(r"(gate\.[LR][1-9]|kicker\.\w+)", coil.name) for coil in wiring.coils)
    assert all(
        re.fullmatch(r"(slot\.[A-Z][1-9]|ramp\.[LR][1-9]|zone\.[LR])", lamp.name) for lamp in wiring.lamps
    )


def test_the_bench_demo_is_three_buttons_a_strip_and_a_gate() -> None:
    """The smallest build that a ball can pass: ramp, slot, end zone."""
    wiring = read_wiring(FOLDER / "bench-demo.toml")
    assert [(sensor.name, sensor.pin) for sensor in wiring.sensors] == [
        ("ramp.L1", 17),
        ("drain.A1", 27),
        ("zone.L", 22),
    ]
    assert [(coil.name, coil.pin) for coil in wiring.coils] == [("gate.L1", 23)]
    assert wiring.pixels is not None
    assert (wiring.pixels.pin, wiring.pixels.count) == (10, 10)


def test_the_tables_in_the_readme_are_those_of_the_files() -> None:
    """Nobody edits a pin in one place only; ``python -m hextraction.hal.pins wiring/README.md`` rewrites them."""
    text = README.read_text(encoding="utf-8")
    assert with_tables(text, FOLDER) == text
    assert set(re.findall(r"<!-- tables: (\S+) -->", text)) == {path.name for path in FILES}


def test_a_changed_pin_would_be_noticed(tmp_path: Path) -> None:
    """The comparison above is able to fail."""
    demo = (FOLDER / "bench-demo.toml").read_text(encoding="utf-8")
    (tmp_path / "bench-demo.toml").write_text(demo.replace("pin = 27", "pin = 5"), encoding="utf-8")
    text = README.read_text(encoding="utf-8")
    assert with_tables(text, tmp_path) != text


def test_the_readme_names_every_key() -> None:
    """The table of keys holds each key that the reader knows."""
    text = README.read_text(encoding="utf-8")
    source = "".join(path.read_text(encoding="utf-8") for path in (FOLDER.parent / "hal").glob("wiring*.py"))
    keys = set(
        re.findall(r'(?:section|board|gpio|hub)\.(?:integer|number|text|texts|choice)\("(\w+)"', source)
    )
    assert {"profile", "debounce_ms", "coil_volts", "duty_percent", "threshold_mv", "chips"} <= keys
    assert {key for key in keys if f"`{key}`" not in text} == set()
