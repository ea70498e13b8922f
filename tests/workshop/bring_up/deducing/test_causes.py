"""Faults of assembly, planted in the electronics, are named with the part or connector that is to be looked at.

They are planted cable by cable and joint by joint (``helpers/hub/put_together.py``), go through the firmware's logic, the
protocol, the look at rest and a walk over every sensor and lamp; only then somebody asks for the cause.
"""

import random
import re

import pytest
from helpers.hub.host import compile_host_hub
from helpers.hub.put_together import BOARDS, Kit, Starter
from helpers.hub.sitting import Sitting
from helpers.places import ROOT
from helpers.tiers import first_by_day, nightly
from hextraction.controller.workshop.bring_up.deducing.assembly import Assembly, At, Spot, with_spares
from hextraction.controller.workshop.bring_up.deducing.causes import Kind, deduce
from hextraction.controller.workshop.bring_up.deducing.causes_told import BY_HAND, SENTENCES, cause_lines
from hextraction.controller.workshop.bring_up.walk import Finding
from hextraction.hal.hub.look import HubLook
from hextraction.hal.wiring.file import read_wiring
from hypothesis import given, settings
from hypothesis import strategies as st

KIT = read_wiring(ROOT / "wiring" / "kit-lean.toml")
STARTER = read_wiring(ROOT / "wiring" / "starter.toml")
BAR_CORES = {name: n for n, name in enumerate(BOARDS["slot_bar"]["connectors"]["J1"]["pins"], 1)}
RIBBON_PINS = {name: n for n, name in enumerate(BOARDS["column_board"]["connectors"]["hub"]["pins"], 1)}
OUT = BOARDS["beam_board"]["connectors"]["J1"]["pins"].index("OUT") + 1


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """The firmware's logic for this machine."""
    return compile_host_hub(tmp_path_factory.mktemp("hub"))


# --- What somebody may do wrong at a kit: each does it, and returns what must be named ---


def words_of(at):
    """Return what a connector is called: ``("A", "J3")`` or that of a bar."""
    board, mark = at
    return f"{mark} of {'column ' if len(board) == 1 else 'bar '}{board.replace('.', ' ')}"


def swapped(one, other):
    """Change two plugs over."""

    def plant(kit):
        kit.swap(one, other)
        return ["swapped", words_of(one), words_of(other)]

    return plant


def ribbons_swapped(one, other):
    """Change the ribbons of two column boards over."""

    def plant(kit):
        kit.ribbons[one], kit.ribbons[other] = kit.ribbons[other], kit.ribbons[one]
        return ["swapped", f"{one} of the hub board", f"{other} of the hub board"]

    return plant


def moved(one, other):
    """Put a plug into an empty connector."""

    def plant(kit):
        kit.cables[other] = kit.cables.pop(one)
        return ["wrong connector", words_of(one), words_of(other)]

    return plant


def shifted(column, first, last):
    """Put a row of plugs one place on."""

    def plant(kit):
        for number in range(last, first - 1, -1):
            kit.cables[column, f"J{number + 1}"] = kit.cables.pop((column, f"J{number}"))
        return [f"J{number} of column {column}" for number in range(first, last + 2)]

    return plant


def unplugged(at, *, bar=True):
    """Leave a cable out."""

    def plant(kit):
        del kit.cables[at]
        return [words_of(at)] + ([] if bar else ["covered"] if kit.open_high else ["clear"])

    return plant


def cold(at, *cores):
    """Break cores of a cable."""

    def plant(kit):
        kit.cables[at].cold |= set(cores)
        return [words_of(at)]

    return plant


def ribbon_out(mark):
    """Leave a ribbon out."""

    def plant(kit):
        board = kit.ribbons.pop(mark).board
        return ["chain", f"{mark} of the hub board", f"U1 of column {board}"]

    return plant


def ribbon_cold(mark, name, *named):
    """Break a core of a ribbon, by what it carries."""

    def plant(kit):
        kit.ribbons[mark].cold |= {core for each, core in RIBBON_PINS.items() if each == name}
        if name in {"3V3A", "3V3", "5V"}:
            kit.ribbons[mark].cold |= {n + 1 for n, pin in enumerate(ribbon_row()) if pin == name}
        return list(named)

    return plant


def ribbon_row():
    """Return what each core of a ribbon carries."""
    return BOARDS["column_board"]["connectors"]["hub"]["pins"]


def dead_chip(column, number, level):
    """Let a chip give nothing but one level."""

    def plant(kit):
        kit.dead_chips[column, number] = level
        return ["chain", f"U{number + 1} of column {column}"]

    return plant


def into(name, value, *named):
    """Add something to one of the kit's sets of faults."""

    def plant(kit):
        getattr(kit, name).add(value)
        return list(named)

    return plant


def set_to(name, value, *named):
    """Set one of the kit's own switches."""

    def plant(kit):
        setattr(kit, name, value)
        return list(named)

    return plant


def button_wrong(kit):
    """Plug a button and a beam over."""
    kit.swap(("C", "J12"), ("C", "J13"))
    return ["swapped", "J12 of column C", "J13 of column C"]


KIT_FAULTS = {
    "bars A1 and A2 swapped": swapped(("A", "J1"), ("A", "J2")),
    "bars B3 and B5 swapped": swapped(("B", "J3"), ("B", "J5")),
    "bars of two columns swapped": swapped(("A", "J1"), ("C", "J1")),
    "bar of a slot and of an end zone swapped": swapped(("D", "J2"), ("D", "J6")),
    "bars of end zone and start zone swapped": swapped(("B", "J6"), ("B", "J7")),
    "rim beams of column A swapped": swapped(("A", "J12"), ("A", "J13")),
    "rim beams of column E swapped": swapped(("E", "J11"), ("E", "J20")),
    "rim beams of two columns swapped": swapped(("B", "J13"), ("D", "J15")),
    "ramp beams swapped": swapped(("B", "J11"), ("B", "J12")),
    "drain beam and rim beam swapped": swapped(("C1", "J2"), ("C", "J11")),
    "drain beams of two bars swapped": swapped(("E2", "J2"), ("E3", "J2")),
    "button and beam swapped": button_wrong,
    "ribbons B and C swapped": ribbons_swapped("J2", "J3"),
    "ribbons A and E swapped": ribbons_swapped("J1", "J5"),
    "bar A4 in the empty place": moved(("A", "J4"), ("A", "J5")),
    "bar C2 in another empty place": moved(("C", "J2"), ("C", "J7")),
    "rim beam in an empty place": moved(("C", "J12"), ("C", "J16")),
    "ramp beam in an empty place": moved(("D", "J12"), ("D", "J18")),
    "bars of column C one place on": shifted("C", 2, 4),
    "beams of column B one place on": shifted("B", 13, 15),
    "bar A1 not plugged in": unplugged(("A", "J1")),
    "bar D5 not plugged in": unplugged(("D", "J5")),
    "bar of end zone R not plugged in": unplugged(("D", "J6")),
    "drain beam not plugged in": unplugged(("B2", "J2"), bar=False),
    "rim beam not plugged in": unplugged(("E", "J15"), bar=False),
    "ramp beam not plugged in": unplugged(("D", "J11"), bar=False),
    "3V3A cold at bar B1": cold(("B", "J1"), BAR_CORES["3V3A"]),
    "AGND cold at bar E4": cold(("E", "J4"), BAR_CORES["AGND"]),
    "TILE cold at bar C3": cold(("C", "J3"), BAR_CORES["TILE"]),
    "BALL cold at bar A2": cold(("A", "J2"), BAR_CORES["BALL"]),
    "both Halls' lines cold at bar D1": cold(("D", "J1"), BAR_CORES["BALL"], BAR_CORES["TILE"]),
    "OUT cold at a rim beam": cold(("A", "J17"), OUT),
    "supply cold at a rim beam": cold(("A", "J18"), 2),
    "button's plug out": unplugged(("C", "J13")),
    "ribbon C not plugged in": ribbon_out("J3"),
    "ribbon A not plugged in": ribbon_out("J1"),
    "ribbon E not plugged in": ribbon_out("J5"),
    "SERIAL_OUT cold in ribbon B": ribbon_cold("J2", "SERIAL_OUT", "chain", "J2 of the hub board", "U1 of column B"),
    "LATCH cold in ribbon D": ribbon_cold("J4", "LATCH", "column D", "LATCH"),
    "3V3 cold in ribbon D": ribbon_cold("J4", "3V3", "chain", "J4 of the hub board"),
    "3V3A cold in ribbon E": ribbon_cold("J5", "3V3A", "column E", "3V3A", "J5 of the hub board"),
    "5V cold in ribbon C": ribbon_cold("J3", "5V", "column C", "4.3 to 5.2 V", "J3 of the hub board"),
    "BALLS cold in ribbon B": ribbon_cold("J2", "BALLS", "U4 of column B"),
    "S0 cold in ribbon A": ribbon_cold("J1", "S0", "S0", "U4 of column A"),
    "chip U1 of column A dead": dead_chip("A", 0, 0),
    "chip U2 of column C dead": dead_chip("C", 1, 0),
    "chip U3 of column C dead, high": dead_chip("C", 2, 1),
    "chip U3 of column E dead": dead_chip("E", 2, 0),
    "chip U1 of column D dead, high": dead_chip("D", 0, 1),
    "loop not closed": set_to("loop_cold", True, "loop", "GP3", "U3 of column E"),
    "latch cold at U1 of column B": into("unlatched", ("B", 0), "U1 of column B", "LATCH"),
    "latch cold at U3 of column E": into("unlatched", ("E", 2), "U3 of column E", "LATCH"),
    "multiplexer of column C dead": into("dead_multiplexers", "C", "U4 of column C"),
    "S1 cold at U4 of column D": into("cold_lines", ("D", 1), "S1", "U4 of column D"),
    "input cold at a tile's pin": into("cold_inputs", ("B", 2), "tile.B3", "J3 of column B"),
    "input cold at a beam's pin": into("cold_inputs", ("E", 18), "edge.E2.3", "J15 of column E"),
    "two tiles' pins bridged": into("bridged", ("D", 1, 2), "tile.D2 and tile.D3", "J2 of column D", "J3 of column D"),
    "two drains' pins bridged": into("bridged", ("A", 8, 9), "drain.A1 and drain.A2", "lines touch", "U2 of column A"),
    "two rim beams' pins bridged": into("bridged", ("E", 20, 21), "lines touch", "J17 of column E"),
    "magnet of bar B3 missing": into("no_magnet", "ball.B3", "bar B3", "magnet", "1.65 V"),
    "magnet of bar E1 missing": into("no_magnet", "ball.E1", "bar E1", "magnet"),
    "magnet of end zone L missing": into("no_magnet", "rest.L", "bar zone L", "magnet"),
    "linear Hall of bar C1 dead": into("dead", "ball.C1", "U1", "J1 of column C"),
    "tile Hall of bar A3 dead": into("dead", "tile.A3", "U2 of bar A3"),
    "tile without magnets": set_to("plain_tile", True, "No slot sees this tile"),
    "emitter of a drain beam reversed": into("dark", "drain.D3", "beam drain.D3"[5:], "emitter", "J2 of bar D3"),
    "emitter of a rim beam reversed": into("dark", "edge.B5.4", "edge.B5.4", "emitter", "J14 of column B"),
    "emitter of a ramp beam reversed": into("dark", "ramp.R1", "ramp.R1", "emitter", "J2 of bar start R"),
    "emitter of an end zone's beam reversed": into("dark", "zone.L", "zone.L", "emitter"),
    "receiver of a rim beam dead": into("dead", "edge.A4.6", "edge.A4.6", "J20 of column A"),
    "receiver of a rim beam bridged": into("bridged_receivers", "edge.D5.5", "edge.D5.5", "receiver is bridged"),
    "beam upside down": into("upside_down", "edge.C4.4", "edge.C4.4", "wrong way round", "J12 of column C"),
    "loose contact at a rim beam": into("chatters", "edge.E4.3", "edge.E4.3", "loose contact", "J19 of column E"),
    "loose contact at a tile Hall": into("chatters", "tile.B2", "tile.B2", "loose contact", "J2 of column B"),
    "lamp of bar B4 reversed": into("bad_lamps", ("B4", 0), "From lamp slot.B4", "turned round", "J4 of column B"),
    "second lamp of bar A1 reversed": into("bad_lamps", ("A1", 1), "slot.A1", "turned round", "J1 of column A"),
    "last lamp of bar E4 reversed": into("bad_lamps", ("E4", 2), "slot.E4", "J4 of column E"),
    "lamps of bar D2 of another kind": into("odd_lamps", ("D2", 1), "slot.D2", "colour"),
    "LAMP_OUT cold at bar C4": cold(("C", "J4"), BAR_CORES["LAMP_OUT"]),
    "LAMP_IN cold at bar E2": cold(("E", "J2"), BAR_CORES["LAMP_IN"]),
    "5V cold at bar D4": cold(("D", "J4"), BAR_CORES["5V"]),
    "jumper LAMP missing": into("no_jumper", ("A", "J6"), "Jumper LAMP", "slot.B1", "slot.A4"),
    "lamps without power": set_to("lamp_fuse", False, "No lamp", "fuse"),
}  # fmt: skip
AT_REST = {
    "bar A1 not plugged in",
    "rim beam not plugged in",
    "3V3A cold at bar B1",
    "ribbon C not plugged in",
    "3V3 cold in ribbon D",
    "BALLS cold in ribbon B",
    "chip U2 of column C dead",
    "chip U1 of column D dead, high",
    "loop not closed",
    "multiplexer of column C dead",
    "magnet of bar B3 missing",
    "linear Hall of bar C1 dead",
    "emitter of a drain beam reversed",
    "emitter of a rim beam reversed",
}
"""What a look shows that tries nothing: the doctor's share."""


def wire_swap(one, other):
    """Change two wires over at the chip."""

    def plant(starter):
        wires = starter.wires
        names = wires[one], wires[other]
        wires[one], wires[other] = wires[other], wires[one]
        return ["swapped", *names, f"(D{one})", f"(D{other})"]

    return plant


def wires_turned(starter):
    """Put three wires each one pin on."""
    wires = starter.wires
    wires[1], wires[2], wires[3] = wires[3], wires[1], wires[2]
    return ["(D1)", "(D2)", "(D3)"]


def wire_off(pin):
    """Take a wire off the chip."""

    def plant(starter):
        name, starter.wires[pin] = starter.wires[pin], None
        return [name, f"(D{pin})"]

    return plant


STARTER_FAULTS = {
    "wires of two ramps swapped": wire_swap(0, 1),
    "wires of ramp and end zone swapped": wire_swap(5, 6),
    "wires of both end zones swapped": wire_swap(6, 7),
    "three wires turned round": wires_turned,
    "wire of ramp L2 off": wire_off(1),
    "wire of end zone R off": wire_off(7),
    "emitter of ramps L1 and L2 reversed": into("dark", "ramp.L1", "ramp.L1, ramp.L2", "reversed"),
    "emitter of ramps R2 and R3 reversed": into("dark", "ramp.R3", "ramp.R2, ramp.R3", "reversed"),
    "emitter of end zone L reversed": into("dark", "zone.L", "zone.L", "reversed", "(D6)"),
    "receiver of ramp L3 dead": into("dead", "ramp.L3", "ramp.L3", "receiver", "(D2)"),
    "receiver of ramp R1 bridged": into("bridged_receivers", "ramp.R1", "ramp.R1", "clear", "(D3)"),
    "no inverter at ramp R2": into("no_inverter", "ramp.R2", "ramp.R2", "inverter", "(D4)"),
    "loose contact at end zone R": into("chatters", "zone.R", "zone.R", "loose contact", "(D7)"),
    "two pins bridged": into("bridged", (2, 3), "ramp.L3 and ramp.R1", "answer together"),
    "emitters without supply": set_to("emitters_fed", False, "74HC165 number 0", "the emitters' supply"),
    "receivers without supply": set_to("receivers_fed", False, "74HC165 number 0", "receivers' supply"),
    "LATCH off": set_to("latched", False, "74HC165 number 0", "pin 1 (LATCH)"),
    "chip without power": set_to("chain_level", 0, "chain", "74HC165 number 0", "pins 16 and 8"),
    "DATA off": set_to("chain_level", 1, "GP3", "GP4"),
    "loop off": set_to("loop_cold", True, "GP3", "pin 10"),
}  # fmt: skip
SOME_FAULTS = [*KIT_FAULTS][::5]


def named(told, wanted):
    """Whether one of the first two causes names all that must be named."""
    return any(all(word in text for word in wanted) for text in told[:2])


def check(library, wiring, model, wanted, **how):
    """Look, walk, and compare what is told with what must be."""
    told = Sitting(library, wiring, model, **how).told()
    assert named(told, wanted), (wanted, told)
    assert len(told) <= 2, told


def test_there_are_faults_enough_of_each_kind():
    """At least sixty, at both builds: swapped connectors, missing magnets, dead chips, cold joints, reversed lights."""
    assert len(KIT_FAULTS) + len(STARTER_FAULTS) >= 100
    for kind in ("swapped", "magnet", "dead", "cold", "reversed"):
        assert sum(kind in fault for fault in (*KIT_FAULTS, *STARTER_FAULTS)) >= 3


@pytest.mark.slow
@pytest.mark.parametrize(
    "fault",
    first_by_day(
        sorted(KIT_FAULTS, key=lambda fault: fault not in SOME_FAULTS),
        "every fifth fault by day",
        by_day=len(SOME_FAULTS),
    ),
)
def test_a_fault_of_a_kits_assembly_is_named(library, fault):
    """Connector, board or part; and nothing that is well is blamed beside it."""
    kit = Kit(KIT)
    check(library, KIT, kit, KIT_FAULTS[fault](kit))


@nightly("each fault once more", meanwhile="test_a_fault_of_a_kits_assembly_is_named")
@pytest.mark.slow
@pytest.mark.parametrize("fault", KIT_FAULTS)
def test_a_fault_is_named_whatever_an_open_input_reads(library, fault):
    """The column boards are not drawn yet: an input on which nothing hangs may read low as well."""
    kit = Kit(KIT, open_high=False)
    check(library, KIT, kit, KIT_FAULTS[fault](kit))


@pytest.mark.slow
@pytest.mark.parametrize("fault", STARTER_FAULTS)
def test_a_fault_of_a_starters_assembly_is_named(library, fault):
    """By the sensor, the chip's pin and what to measure there."""
    for open_high in (True, False):
        starter = Starter(STARTER, open_high=open_high)
        check(library, STARTER, starter, STARTER_FAULTS[fault](starter))


@pytest.mark.slow
@pytest.mark.parametrize("fault", sorted(AT_REST))
def test_a_look_at_rest_names_what_it_can(library, fault):
    """What the doctor sees, who tries nothing."""
    kit = Kit(KIT)
    wanted = KIT_FAULTS[fault](kit)
    told = Sitting(library, KIT, kit).told(walked=False)
    assert named(told, wanted), (wanted, told)
    assert len(told) <= 2, told


# --- Boards that are well, and faults by chance ---


@pytest.mark.slow
@pytest.mark.parametrize("open_high", [True, False])
def test_nothing_is_blamed_on_a_board_that_is_well(library, open_high):
    """Before the walk, with tiles on the board, and after a walk in which balls pass other sensors on their way."""
    kit = Kit(KIT, open_high=open_high)
    kit.world.tiles |= {"A1", "B2", "E4"}
    assert Sitting(library, KIT, kit).told(walked=False) == []
    for seed in range(3):
        assert Sitting(library, KIT, Kit(KIT, open_high=open_high), luck=random.Random(seed)).told() == []
        starter = Starter(STARTER, open_high=open_high)
        assert Sitting(library, STARTER, starter, luck=random.Random(seed)).told() == []


@pytest.mark.slow
def test_four_faults_at_once_are_told_as_the_guide_shows_it(library):
    """Faults that do not touch each other are told apart, in the words of docs/kit.md."""
    kit = Kit(KIT)
    swapped(("A", "J1"), ("A", "J2"))(kit)
    cold(("D", "J4"), BAR_CORES["3V3A"])(kit)
    kit.dark.add("edge.B5.4")
    kit.no_magnet.add("ball.C3")
    sitting = Sitting(library, KIT, kit)
    sitting.told()
    example = "\n".join(cause_lines(sitting.assembly, sitting.causes))
    assert f"```text\n{example}\n```" in (ROOT / "docs" / "kit.md").read_text("utf-8")


@pytest.mark.slow
def test_a_magnet_turned_over_is_no_fault(library):
    """The hub looks both ways, so either pole may be up."""
    kit = Kit(KIT)
    kit.turned_magnet |= {"ball.A1", "rest.R"}
    assert Sitting(library, KIT, kit).told() == []


def any_fault(kit, luck):
    """Return one fault of assembly at a place by chance."""
    bars = sorted(at for at in kit.cables if len(at[0]) == 1 and int(at[1][1:]) < 10)
    small = sorted(at for at in kit.cables if at not in bars)
    beams = [kit.cables[at].board for at in small if not kit.cables[at].board.startswith("button")]
    halls = [name for name in KIT_SENSORS if name.startswith(("ball.", "rest."))]
    empty = [(c, f"J{n}") for c in "ABCDE" for n in range(11, 21) if (c, f"J{n}") not in kit.cables]
    ribbons = luck.sample(sorted(kit.ribbons), 2)
    beam, hall, bar = luck.choice(beams), luck.choice(halls), luck.choice(bars)
    chip = luck.choice("ABCDE"), luck.randrange(3)
    return luck.choice([
        swapped(*luck.sample(bars, 2)),
        swapped(*luck.sample(small, 2)),
        moved(luck.choice([at for at in small if len(at[0]) == 1]), luck.choice(empty)),
        unplugged(bar),
        unplugged(luck.choice(small)),
        ribbons_swapped(*ribbons),
        ribbon_out(ribbons[0]),
        dead_chip(*chip, luck.randrange(2)),
        into("unlatched", chip, f"U{chip[1] + 1} of column {chip[0]}"),
        into("dark", beam, beam),
        into("dead", beam, beam),
        into("bridged_receivers", beam, beam),
        into("chatters", beam, beam),
        into("no_magnet", hall, hall, "magnet"),
        into("dead", hall, hall),
        cold(bar, BAR_CORES["3V3A"]),
    ])  # fmt: skip


KIT_SENSORS = [*(each.name for each in KIT.hub_inputs), *(each.name for each in KIT.hub_linears)]


@nightly("any fault at any place, by the dozen", meanwhile="test_a_fault_of_a_kits_assembly_is_named")
@pytest.mark.slow
@given(st.integers(0, 2**32), st.booleans())
@settings(max_examples=25, deadline=None)
def test_any_single_fault_is_named_at_any_place(library, seed, open_high):
    """Also while balls pass other sensors on their way, as they do at a real board."""
    luck = random.Random(seed)
    kit = Kit(KIT, open_high=open_high)
    check(library, KIT, kit, any_fault(kit, luck)(kit), luck=luck)


# --- What people see, and what no planted fault shows ---


def concluded(findings, *, looks=None, wiring=KIT):
    """Return the kinds of causes for findings of a walk, and their lines."""
    assembly = Assembly(wiring)
    causes = deduce(assembly, looks or {}, {each.name: each for each in findings})
    return [each.kind for each in causes], "\n".join(cause_lines(assembly, causes))


def silent(name, **more):
    """Return that nobody heard a sensor for a minute."""
    return Finding(name=name, result="failed", waited=True, **more)


def right(name, *others):
    """Return that a sensor answered, and which others did."""
    return Finding(name=name, result="ok", heard=dict.fromkeys((name, *others), 2))


def test_a_gate_that_let_a_ball_go_elsewhere_is_swapped():
    """The coil of L1 opened the gate of L2."""
    found = Finding(name="coil:gate.L1", result="failed", heard={"ramp.L2": 2}, waited=True)
    kinds, told = concluded([found])
    assert kinds == [Kind.COILS_SWAPPED]
    assert "gate.L1 let a ball go at another ramp: it is swapped with gate.L2." in told


def test_a_gate_without_a_ball_and_one_that_may_not_fire_are_told_apart():
    """The one is measured at its terminal, the other at the supply."""
    kinds, told = concluded([silent("coil:gate.L1", why="ramp.L1 said nothing and is off")])
    assert kinds == [Kind.COIL]
    assert "about 12 Ω" in told
    kinds, told = concluded([silent("coil:gate.R3", why="it was not fired: the coils are not armed")])
    assert kinds == [Kind.NOT_FIRED]
    assert "gate.R3 was not fired: the coils are not armed." in told


def test_an_open_emergency_stop_is_told_before_anything_fires():
    """The hub feels it, and no coil is blamed for it."""
    look = HubLook(
        chain_open=False,
        estop_good=False,
        high=WELL,
        restless=frozenset(),
        millivolts=dict.fromkeys(range(40), 900.0),
    )
    kinds, told = concluded([silent("coil:gate.L1", why="it was not fired: no")], looks={"": look})
    assert kinds == [Kind.ESTOP]
    assert "10.8 to 12.6 V" in told


WELL = frozenset(each.number for each in KIT.hub_inputs if not each.active_high)
"""The inputs that are high on a kit with no tile, ball or finger on it."""


def test_buttons_are_asked_about_as_buttons():
    """One that never answers, and one that is held."""
    kinds, told = concluded([silent("button.yes"), silent("button.no", on=True), right("edge.C4.4")])
    assert kinds == [Kind.NO_PRESS, Kind.PRESSED], told
    assert "J13 of column C" in told
    assert "J14 of column C" in told


def test_a_ball_that_no_hall_sees_is_of_the_wrong_steel():
    """Five Halls with power on three boards are not dead all at once."""
    names = [f"ball.{slot}" for slot in ("A1", "A2", "B1", "C1", "C2")]
    kinds, told = concluded(
        [silent(name) for name in names] + [right(f"drain.{slot}") for slot in ("A1", "B1", "C1")]
    )
    assert kinds == [Kind.BALL]
    assert "not 304 or 316" in told


def test_a_hall_that_has_power_and_magnet_and_sees_nothing_is_weak():
    """What it gives at rest is told, so that one need not measure it."""
    look = HubLook(
        chain_open=False,
        estop_good=True,
        high=WELL,
        restless=frozenset(),
        millivolts=dict.fromkeys(range(40), 2_375.0),
    )
    kinds, told = concluded([silent("ball.A1"), right("ball.A2"), right("tile.A1")], looks={"": look})
    assert kinds == [Kind.WEAK]
    assert "though its Hall has power, and gives 2.38 V." in told


def test_who_skips_without_waiting_has_found_nothing():
    """Somebody without tiles at hand skips all of them: no tile, board or cable is blamed."""
    skipped = [Finding(name=name, result="skipped") for name in KIT_SENSORS if name.startswith("tile.")]
    assert concluded(skipped)[0] == []


def test_a_tile_that_lies_there_is_none_that_is_stuck():
    """It was lifted and laid down again: off and on."""
    assert concluded([Finding(name="tile.A1", result="ok", heard={"tile.A1": 2}, on=True)])[0] == []


def test_a_restless_input_is_named_though_the_walk_found_it_well():
    """A loose plug may well hold while somebody looks."""
    look = HubLook(
        chain_open=False,
        estop_good=True,
        high=WELL,
        restless=frozenset({113}),
        millivolts=dict.fromkeys(range(40), 900.0),
    )
    kinds, told = concluded([right("edge.E2.2")], looks={"": look})
    assert kinds == [Kind.LOOSE]
    assert "J14 of column E" in told


@pytest.mark.slow
@given(
    st.dictionaries(
        st.sampled_from([*KIT_SENSORS, "lamp:slot.A1", "lamp:ramp.L1", "coil:gate.L1"]),
        st.tuples(
            st.sampled_from(["ok", "failed", "skipped"]),
            st.dictionaries(
                st.sampled_from([*KIT_SENSORS, "spare.4", "spare.66"]), st.integers(1, 20), max_size=3
            ),
            st.booleans(),
            st.booleans(),
        ),
        max_size=40,
    ),
    st.booleans(),
    st.frozensets(st.integers(0, 119)),
)
def test_whatever_was_found_there_are_whole_sentences(found, chain_open, high):
    """Any findings and levels: no exception, no hole in a sentence, and nothing is explained twice."""
    look = HubLook(
        chain_open=chain_open,
        estop_good=True,
        high=high,
        restless=frozenset(),
        millivolts={0: 0.0, 1: 1_650.0},
    )
    findings = {
        name: Finding(name=name, result=result, heard=heard, on=on, waited=waited)
        for name, (result, heard, on, waited) in found.items()
    }
    assembly = Assembly(KIT)
    causes = deduce(assembly, {"": look}, findings)
    for line in cause_lines(assembly, causes):
        assert not re.search(r"[{}]|\bNone\b|: \.|, ,|  \S", line.removeprefix("   -> ")), line
    assert all(cause.explains for cause in causes)


# --- The figures in the sentences, and the places that they name ---


def test_pins_in_the_sentences_are_those_of_the_boards():
    """Whoever measures is sent to the right pin: hardware/boards.toml numbers them."""
    told = "\n".join(" ".join(pair) for pair in (*SENTENCES.values(), *BY_HAND.values()))
    for number, name in re.findall(r"(?:core|pin)s? (\d+) \((BALL|TILE|3V3A|AGND|LAMP_IN|LAMP_OUT)\)", told):
        assert BAR_CORES[name] == int(number)
    for number, name in re.findall(r" and (\d+) \((TILE|AGND)\)", told):
        assert BAR_CORES[name] == int(number)
    ribbon = ribbon_row()
    assert (ribbon[11], ribbon[6], ribbon[19]) == ("LATCH", "3V3", "3V3A")
    assert (OUT, BOARDS["beam_board"]["connectors"]["J1"]["pins"][:2]) == (3, ["GND", "5V"])


def test_every_kind_of_cause_has_its_sentences():
    """Those about the chain are made where they are needed."""
    assert {*SENTENCES, *BY_HAND, Kind.CHAIN, Kind.LOOP} == set(Kind)


def test_the_pin_of_a_wire_is_that_of_the_pin_table():
    """What is told of a build by hand is what people soldered by."""
    assembly = Assembly(STARTER)
    table = (ROOT / "wiring" / "starter" / "pins.md").read_text("utf-8")
    for name, plug in assembly.plugs.items():
        pin, label = re.fullmatch(
            r"pin (\d+) \((D\d)\) of 74HC165 number 0", assembly.at_words(plug)
        ).groups()
        assert f"| {pin} | {label} | `{name}` |" in table
    halls = Assembly(read_wiring(ROOT / "wiring" / "hub-lean.toml"))
    table = (ROOT / "wiring" / "hub-lean" / "pins.md").read_text("utf-8")
    for name in (each.name for each in halls.wiring.hub_linears):
        pin, label = re.match(r"pin (\d+) \((C\d+)\)", halls.at_words(halls.plugs[name])).groups()
        assert re.search(rf"\| {pin} \| [^|]*{label[1:]} \| `{name}` \|", table)


def test_a_sister_board_tells_what_an_empty_connector_reads():
    """Column A has four bars; where the fifth would be read is known from column B."""
    assembly = Assembly(KIT)
    bar = assembly.plugs["bar A4"]
    assert assembly.spot_in("tile.A4", bar, At("column A", "J5")) == Spot("", is_linear=False, number=4)
    assert assembly.spot_in("drain.A4", bar, At("column A", "J5")) == Spot("", is_linear=False, number=12)
    assert assembly.spot_in("ball.A4", bar, At("column C", "J2")) == Spot("", is_linear=True, number=17)
    assert assembly.spot_in("tile.A4", bar, At("column A", "J7")) is None


def test_spares_are_watched_except_those_that_never_rest():
    """A plug in an empty connector answers there."""
    names = {each.name for each in with_spares(KIT, but=[66]).hub_inputs}
    assert {"spare.4", "spare.110", "tile.A1"} <= names
    assert "spare.66" not in names
    assert len(names) == 8 * 15 - 1
