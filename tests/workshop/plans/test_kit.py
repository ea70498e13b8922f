"""A kit: its wiring is that of the circuit boards, what hangs together is written once, and its figures add up."""

import re
import tomllib
from collections import Counter

import pytest
from helpers.places import ROOT
from hextraction.controller.workshop.plans.budget import rail_loads
from hextraction.controller.workshop.plans.build import read_build
from hextraction.controller.workshop.plans.effort import acts_of, hours_of
from hextraction.controller.workshop.plans.kit import (
    Rail,
    boards_of,
    first_parts,
    house_euro,
    kit_parts,
    load_kit,
    orders_euro,
)
from hextraction.controller.workshop.plans.parts import joints_of
from hextraction.hal.wiring.file import read_wiring
from hextraction.settings import SettingsError

KIT = ROOT / "wiring" / "kit-lean.toml"
WIRING = read_wiring(KIT)
BOARDS = tomllib.loads((ROOT / "hardware" / "boards.toml").read_text("utf-8"))
COLUMNS = [plug.name for plug in WIRING.plugs if plug.kind == "column"]
HALLS, INPUTS = 8, 24
"""Channels and inputs of one column board."""
KINDS = {"bar": "slot_bar", "beam": "beam_board", "column": "column_board", "hub": "hub_board"}

MISTAKES = (
    ('name = "bar A1", kind = "bar", into = "column A"', 'name = "bar A1", kind = "bar", into = "column F"', "want 'hub' or a plug above this one, found 'column F'"),
    ('name = "bar A2", kind = "bar", into = "column A", at = "J2"', 'name = "bar A2", kind = "bar", into = "column A", at = "J1"', "J1 of column A is already taken by 'bar A1'"),
    ('sensors = ["tile.A2", "ball.A2"]', 'sensors = ["tile.A1", "ball.A2"]', "'tile.A1' is already on the plug on line"),
    ('sensors = ["tile.A2", "ball.A2"]', 'sensors = ["ball.A2"]', "want each of them on a plug; on none: tile.A2"),
    ('sensors = ["tile.A2", "ball.A2"]', 'sensors = ["tile.A9", "ball.A2"]', "want sensors of the hub in this file, found 'tile.A9'"),
    ('name = "tile.A1", hub = 0', 'name = "tile.A1", hub = 29', "tile.A1 has hub = 29, on a chip that column A does not have"),
    ("U4 = [0, 7]", "U4 = [7, 0]", "want the first and the last channel, found [7, 0]"),
    ("chips = { U1 = 0, U2 = 1, U3 = 2 }", "chips = { U1 = 0, U2 = 1, U3 = 3 }", "is chip 3, which is already on"),
)  # fmt: skip


@pytest.mark.parametrize(("right", "wrong", "said"), MISTAKES)
def test_a_mistake_in_what_hangs_where_is_named(tmp_path, right, wrong, said):
    """With its line, and what was expected."""
    text = KIT.read_text("utf-8")
    assert text.count(right) == 1
    path = tmp_path / "kit.toml"
    path.write_text(text.replace(right, wrong), encoding="utf-8")
    with pytest.raises(SettingsError) as refused:
        read_build(path)
    told = [str(problem) for problem in refused.value.problems]
    assert any(said in one for one in told), told
    assert all(re.search(r"kit\.toml:\d+: ", one) for one in told)


def test_every_sensor_hangs_where_its_circuit_board_reads_it():
    """Connector by connector the wiring's numbers are those of `hardware/boards.toml`."""
    places = BOARDS["column_board"]["inputs"]
    inputs = {one.name: one.number for one in WIRING.hub_inputs}
    channels = {one.name: one.number for one in WIRING.hub_linears}
    at = {plug.name: (plug.into, int(plug.at[1:])) for plug in WIRING.plugs}
    looked = 0
    for plug in WIRING.plugs:
        if plug.kind == "column":
            continue
        column, number = at[plug.into] if plug.into in at and plug.into not in COLUMNS else at[plug.name]
        board = COLUMNS.index(column)
        for sensor in plug.sensors:
            if sensor in channels:
                assert channels[sensor] == board * HALLS + places["halls"][number - 1], sensor
            elif plug.kind == "bar":
                assert inputs[sensor] == board * INPUTS + places["tiles"][number - 1], sensor
            elif plug.into in COLUMNS:
                assert inputs[sensor] == board * INPUTS + places["beams"][number - 11], sensor
            else:
                assert inputs[sensor] == board * INPUTS + places["drains"][number - 1], sensor
            looked += 1
    assert looked == len(inputs) + len(channels)


@pytest.mark.parametrize(("kind", "name"), KINDS.items())
def test_a_board_costs_by_the_size_that_it_has(kind, name):
    """The size by which a house is paid is the outline's, to a millimetre."""
    outline = BOARDS[name]["outline_mm"]
    size = [max(ends) - min(ends) for ends in zip(*outline, strict=True)]
    assert load_kit().board[kind].mm == pytest.approx(size, abs=1.0)


PAID_AS = {
    "DRV5055A1": "hall-linear",
    "DRV5032FA": "hall-switch",
    "SK6812MINI-E": "pixel",
    "100n": "c100n",
    "10u": "c10u",
    "SH10_UPRIGHT": "plug-10",
    "SH10_LYING": "plug-10",
    "SH4_UPRIGHT": "plug-4",
    "SH4_LYING": "plug-4",
    "IR_DIODE": "emitter",
    "IR_TRANSISTOR": "receiver",
    "SN74HCS165": "hcs165",
    "74HC4051": "hc4051",
    "74LVC1G17": "buffer",
    "PPTC_1A5": "pptc-1812",
    "BOX_20": "header-20",
    "HEADER_2": "header-2",
    "PICO_1_20": "socket",
    "PICO_21_40": "socket",
    "74LVC1G04": "inverter",
    "74AHCT1G125": "level",
    "AO3400A": "n-mosfet",
    "AO4407A": "p-mosfet",
    "SS34": "schottky",
    "BAT54S": "bat54s",
    "SMBJ15A": "tvs",
    "PPTC_0A3": "pptc",
    "FUSE_5x20": "fuse",
    "AP2112K": "regulator",
    "JACK": "jack",
    "1000u": "bulk",
    "1u": "c1u",
    "1k_1206": "resistor-1206",
    "SCREW_2": "screw",
}
RESISTORS = {"33R", "100R", "150R", "330R", "1k", "10k", "33k", "47k", "330k"}
COPPER = {"BRIDGE", "TEST_PAD"}


@pytest.mark.parametrize(
    ("kind", "name"), [(kind, name) for kind, name in KINDS.items() if BOARDS[name]["made"]]
)
def test_a_board_is_paid_for_with_the_parts_that_are_on_it(kind, name):
    """What the price counts is what the board's circuit has; bridges and bare pads are copper and cost nothing."""
    circuit = tomllib.loads((ROOT / "hardware" / f"{name}.toml").read_text("utf-8"))
    parts = [part["part"] for part in circuit["parts"] if part["part"] not in COPPER]
    counted = Counter("resistor" if part in RESISTORS else PAID_AS[part] for part in parts)
    assert load_kit().board[kind].parts == counted


def test_no_rail_of_the_kit_gives_more_than_it_can():
    """Each is loaded below its limit; beams on the Halls' rail, as an earlier plan had them, would overload it."""
    loads = {rail.name: rail for rail in rail_loads(WIRING)}
    assert all(0 < rail.ma <= rail.most_ma for rail in loads.values())
    assert loads["3V3A"].feeds == {"bar": 26, "column": 5}
    assert loads["3V3A"].ma == pytest.approx(26 * 10.5 + 5 * 0.1)
    earlier = {"3V3A": Rail(source="the Pico", most_ma=300, each={"bar": 10.5, "beam": 10})}
    (over,) = rail_loads(WIRING, earlier)
    assert over.ma > over.most_ma


def test_a_rail_that_is_overloaded_is_refused(tmp_path):
    """Three more bars than the Pico can feed: told with the rail, its limit and what hangs on it."""
    text = KIT.read_text("utf-8")
    last = '  { name = "beam edge.E1.1"'
    more = [
        f'  {{ name = "bar more {at}", kind = "bar", into = "column E", at = "{at}" }},'
        for at in ("J5", "J6", "J7")
    ]
    path = tmp_path / "kit.toml"
    path.write_text(text.replace(last, "\n".join([*more, last])), encoding="utf-8")
    with pytest.raises(SettingsError) as refused:
        read_build(path)
    (told,) = refused.value.problems
    assert (
        "want at most 300 mA on 3V3A (the Pico's own 3.3 V), found 305 (29 boards bar, 5 boards column)"
        in str(told)
    )


def test_what_a_kit_takes_adds_up():
    """Each act has a count and minutes; boards without their parts are slower, more joints, and cheaper."""
    acts = list(acts_of(WIRING, 10))
    assert hours_of(WIRING, 10) == pytest.approx(sum(act.count * act.minutes for act in acts) / 60)
    assert joints_of(WIRING) < 150 < joints_of(WIRING, fitted=False)
    assert hours_of(WIRING, 10) < hours_of(WIRING, 10, fitted=False)
    for kind in KINDS:
        count = boards_of(WIRING)[kind]
        prices = [house_euro(kind, count, sets) for sets in (1, 2, 5)]
        assert prices == sorted(prices, reverse=True)
        assert house_euro(kind, count, fitted=False) < prices[0]


def test_whoever_measures_first_boards_pays_the_house_twice():
    """Two orders are dearer than one by its fees and a parcel, and the first is less than all at once."""
    first, rest = orders_euro(WIRING)
    house = load_kit().house
    parcel = house.parcel_euro * (1 + house.tax)
    at_once = sum(house_euro(kind, boards_of(WIRING)[kind]) for kind in KINDS) + parcel
    assert parcel < rest
    assert first < at_once < first + rest
    assert first + rest - at_once > parcel


def test_what_the_first_order_takes_beside_its_boards_is_on_the_list():
    """Each of it, and no more than the whole kit needs: what was measured with goes into the board afterwards."""
    listed = {part.what: part.buy for part in kit_parts(WIRING)}
    taken = [(part.what, part.count) for part in first_parts(WIRING)]
    assert len(taken) == 9
    assert [what for what, count in taken if count > listed.get(what, 0)] == []
