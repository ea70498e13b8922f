"""The wiring files that ship with the product, the pages made of them, and the document about them."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from helpers.places import ROOT
from hextraction.controller.workshop.plans.build import read_build
from hextraction.controller.workshop.plans.pages import pages
from hextraction.hal.mock import ManualClock
from hextraction.hal.opening.devices import Devices
from hextraction.hal.opening.factory import open_devices
from hextraction.hal.wiring.file import read_wiring, wiring_from_text

FOLDER = ROOT / "wiring"
README = FOLDER / "README.md"
FILES = sorted(FOLDER.glob("*.toml"))
BUILDS = [path.stem for path in FILES]


@contextmanager
def on_mock_pins(build: str) -> Iterator[Devices]:
    """Open a build that ships, but for its pins: they are mocked, and time is a manual clock's."""
    text = re.sub(r'factory = "\w+"', 'factory = "mock"', (FOLDER / f"{build}.toml").read_text("utf-8"))
    clock = ManualClock()
    wiring = wiring_from_text(text, f"{build}.toml")
    with open_devices(wiring, clock=clock, scheduler=lambda _name: clock) as devices:
        clock.advance(1_000_000)
        yield devices


def test_six_builds_ship() -> None:
    """From eight beams on a laptop to a board that sees every crossing."""
    assert BUILDS == ["bench-demo", "hub-lean", "hub-rich", "kit-lean", "pi-only", "starter"]


def test_the_bench_demo_opens_on_mock_pins() -> None:
    """All its devices can be opened at once, and no button is pressed."""
    with on_mock_pins("bench-demo") as devices:
        assert not devices.lost.all
        assert set(devices.inputs.levels().values()) == {False}


@pytest.mark.parametrize(
    ("build", "which", "sensors", "gates", "kickers"),
    [
        ("bench-demo", "partial", 3, 1, 0),
        ("pi-only", "partial", 52, 6, 0),
        ("hub-lean", "lean", 104, 6, 0),
        ("hub-rich", "rich", 153, 6, 2),
    ],
)
def test_a_build_is_what_its_name_promises(
    build: str, which: str, sensors: int, gates: int, kickers: int
) -> None:
    """The rig that comes out of the file: the largest complete set of sensors, gates and kickers."""
    _wiring, board, rig = read_build(FOLDER / f"{build}.toml")
    assert board.name == "standard-22"
    assert (rig.which, len(rig.sensors), len(rig.gates), len(rig.kickers)) == (which, sensors, gates, kickers)


def test_the_rich_hub_reads_80_inputs_and_73_linears() -> None:
    """Ten shift registers, none of their inputs spare, and five multiplexers with seven spare channels."""
    hub = read_wiring(FOLDER / "hub-rich.toml").hubs[0]
    assert (len(hub.inputs), len(hub.linears), hub.chips, hub.multiplexers) == (80, 73, 10, 5)
    assert {each.name.partition(".")[0] for each in hub.linears} == {"ball", "rest", "edge"}
    assert {*range(80)} - {each.number for each in hub.linears} == {26, 27, 28, 29, 30, 31, 79}


def test_edges_between_slots_are_linear_halls_and_those_of_the_rim_beams() -> None:
    """Tiles leave no gap for a beam between two slots; in the gutter around the board there is room."""
    wiring, board, _rig = read_build(FOLDER / "hub-rich.toml")
    shared = {
        f"edge.{slot.name}.{edge}"
        for slot in board.by_name.values()
        for edge in range(1, 7)
        if slot.beyond(edge).slot is not None
    }
    linears = {each.name for each in wiring.hub_linears if each.name.startswith("edge.")}
    assert len(linears) == 49
    assert linears <= shared
    assert not {each.name for each in wiring.hub_inputs} & shared


@pytest.mark.parametrize("build", ["hub-lean", "hub-rich", "pi-only"])
def test_full_builds_have_two_buttons_for_players_without_a_phone(build: str) -> None:
    """From GPIO12 and GPIO13 to ground, held up and debounced; they are no sensors of the board."""
    wiring, _board, rig = read_build(FOLDER / f"{build}.toml")
    buttons = {wire.name: wire for wire in wiring.sensors if wire.name in rig.buttons}
    assert {name: wire.pin for name, wire in buttons.items()} == {"button.yes": 12, "button.no": 13}
    assert {(wire.pull, wire.debounce_us, wire.part) for wire in buttons.values()} == {
        ("up", 10_000, "button")
    }
    assert not set(buttons) & set(rig.sensors)


def test_the_lean_hub_fills_ten_shift_registers() -> None:
    """Eighty binary sensors, none spare."""
    hub = read_wiring(FOLDER / "hub-lean.toml").hubs[0]
    assert sorted(each.number for each in hub.inputs) == list(range(80))


def test_a_pi_alone_uses_no_input_that_an_expander_does_not_have() -> None:
    """Four MCP23017, and the seventh pin of each port stays free."""
    wiring = read_wiring(FOLDER / "pi-only.toml")
    assert wiring.expander.addresses == (0x20, 0x21, 0x22, 0x23)
    assert {each.bit % 8 for each in wiring.expander.inputs} == set(range(7))
    assert sorted(wire.pin for wire in wiring.coils) == [16, 20, 21, 23, 24, 25]


@pytest.mark.parametrize("build", ["hub-lean", "hub-rich", "pi-only"])
def test_full_builds_light_every_place_of_the_board(build: str) -> None:
    """Eighty pixels in thirty lamps, none left over."""
    wiring = read_wiring(FOLDER / f"{build}.toml")
    assert sorted(pixel for lamp in wiring.lamps for pixel in lamp.pixels) == list(range(80))
    assert len(wiring.lamps) == 30


@pytest.mark.parametrize("build", BUILDS)
def test_the_pages_are_those_of_the_files(build: str) -> None:
    """Nobody edits a pin in one place only; ``hextraction wiring wiring/*.toml`` writes the pages anew."""
    made = pages(read_wiring(FOLDER / f"{build}.toml"), build)
    kept = {path.name: path.read_text(encoding="utf-8") for path in (FOLDER / build).iterdir()}
    assert kept == made


def test_the_readme_names_every_build_and_every_drawing() -> None:
    """What is in the folder can be found from its front page."""
    text = README.read_text(encoding="utf-8")
    assert [build for build in (*BUILDS, "circuits.svg") if f"]({build})" not in text] == []


def test_the_readme_names_every_key() -> None:
    """The table of keys holds each key that the reader knows."""
    text = README.read_text(encoding="utf-8")
    source = "".join(
        path.read_text(encoding="utf-8") for path in (FOLDER.parent / "hal" / "wiring").glob("*.py")
    )
    keys = set(
        re.findall(
            r'(?:section|board|gpio|hub)\.(?:integer|number|text|texts|choice|boolean)\("(\w+)"', source
        )
    )
    assert {"profile", "debounce_ms", "coil_volts", "duty_percent", "threshold_mv", "chips", "buck"} <= keys
    assert {key for key in keys if f"`{key}`" not in text} == set()


def test_pi_only_opens_on_mock_pins() -> None:
    """Its expanders need no bus of this machine: every sensor answers, and sees nothing."""
    with on_mock_pins("pi-only") as devices:
        assert not devices.lost.all
        assert len(devices.inputs.levels()) == 54
        assert set(devices.inputs.levels().values()) == {False}
