"""The pages of a build with two hubs: nothing of one is soldered to the other."""

import pytest
from helpers.hub.two import two_hubs
from helpers.places import ROOT
from hextraction.controller.app import main
from hextraction.controller.workshop.bring_up.measurements import steps_for
from hextraction.controller.workshop.bring_up.walk import steps_of
from hextraction.controller.workshop.plans.budget import budget_of
from hextraction.controller.workshop.plans.build import read_build
from hextraction.controller.workshop.plans.parts import parts_of
from hextraction.controller.workshop.plans.wires.chips import packages
from hextraction.controller.workshop.plans.wires.harness import harness
from hextraction.hal.wiring.file import wiring_from_text


@pytest.fixture(scope="module")
def wiring():
    """The lean build, half on each of two hubs."""
    return wiring_from_text(two_hubs(), "two.toml")


def test_what_is_one_hubs_own_has_no_net_with_the_other(wiring):
    """Clocks, data, pumps and analog supplies have their hub's name; grounds and logic supply are joined."""
    nets = {"left": set(), "right": set()}
    for package in packages(wiring):
        for hub in nets:
            if f"-{hub}" in package.name or package.name == f"hub-{hub}":
                nets[hub] |= {pin.net for pin in package.pins if pin.net}
    assert nets["left"] & nets["right"] == {"GND", "3.3 V"}
    assert {"SCK left", "PUMP left", "3.3 V A left", "ramp.L1", "gate.L1"} <= nets["left"]
    assert {"SCK right", "PUMP right", "GND A right", "drain.E4", "gate.R1"} <= nets["right"]


def test_each_hub_has_its_own_parts(wiring):
    """A Pico, a cable, a regulator, and with coils a charge pump and an e-stop sense; one e-stop for all."""
    count = {}
    for part in parts_of(wiring):
        count[part.use] = count.get(part.use, 0) + part.count
    assert count["the sensor hubs"] == count["Pi to hub"] == 2
    assert count["the coils' supply, high side"] == count["across the lower one"] == 2
    assert count["one contact in the coils' supply, one in the hub's sense"] == 1
    assert count["eight inputs each"] == 10
    assert next(load for load in budget_of(wiring).loads if load.name == "sensor hubs").ma == 200


def test_the_drawing_shows_both(wiring):
    """Each with its chips, sensors and coils."""
    drawn = harness(wiring, "two")
    for words in ("sensor hub left", "sensor hub right", "P-MOSFET, right", "left: 74HC165 number 4"):
        assert words in drawn


def test_check_and_check_board_take_it_as_the_same_board(tmp_path, capsys):
    """The file is sound; the walk through the board asks for the same things as with one hub."""
    file = tmp_path / "two.toml"
    file.write_text(two_hubs())
    assert main(["check", str(file)]) == 0
    assert "ok (wiring)" in capsys.readouterr().out

    def steps(path):
        wiring, board, rig = read_build(path)
        coils = [coil.name for coil in wiring.all_coils]
        walked = steps_of(board, rig.sensors, [lamp.name for lamp in wiring.lamps], coils, rig.buttons)
        return [step.name for step in (*steps_for(wiring), *walked)]

    assert steps(file) == steps(ROOT / "wiring" / "hub-lean.toml")
