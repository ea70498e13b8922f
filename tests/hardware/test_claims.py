"""Every claim about the hardware holds, its page is the one of today, and the models can say no."""

import math
import re
import shutil
from dataclasses import replace

import msgspec
import numpy as np
import pytest
from helpers.tiers import nightly

pytest.importorskip("magpylib", reason="magpylib is not installed: make .venv/.dev, or pip install magpylib")

if shutil.which("ngspice") is None:
    pytest.skip("ngspice is not installed: apt-get install ngspice", allow_module_level=True)

from hextraction.board.design import load_design
from hextraction.board.escapement import Conditions, try_gate

from bench.hardware.beams import beam_claims
from bench.hardware.board_files import Board, Copper, read_board
from bench.hardware.boards import Column, column_told
from bench.hardware.circuits import ACCEPTED_VOLTS, coil_trial, rail_gone_ms, steady_claims
from bench.hardware.halls import bias_magnet, hall_claims, tile_magnets, tile_shift_mv
from bench.hardware.hub import clock_told, hub_trial
from bench.hardware.magnetics import Magnet, ball_answer_mt, ball_force_mn, field_mt
from bench.hardware.page import MODELS, PAGE, all_claims, claims_of, page
from bench.hardware.spice import measured

DESIGN = load_design()
NUMBER = re.compile(r"\d+(?:\.\d+)?")
RAIL = DESIGN.coil_supply
LONG = ("gates", "coils", "hub")
"""Seconds each: what moves, step by step. `test_gates_and_coils_in_a_moment` is their witness in the fast suite."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "model", [pytest.param(model, marks=pytest.mark.slow if model in LONG else ()) for model in MODELS]
)
def test_every_claim_holds(model):
    """Gates, coils, e-stop, inputs, beams: each figure keeps its limit, and stands so on the page."""
    claims = claims_of(model)
    kept = PAGE.read_text("utf-8")

    assert [f"{claim.text}: {claim.figure:.4g} {claim.unit}" for claim in claims if not claim.holds] == []
    assert [claim.text for claim in claims if f"| {claim.text} |" not in kept] == []


@pytest.mark.slow
def test_gates_and_coils_in_a_moment():
    """Two of the long claims: the shipped pulse lets one ball go and 30 ms none; a press ends what the coils get."""
    usual, short = (try_gate(ms, Conditions(tilt_deg=15)) for ms in (DESIGN.gate.coil.pulse_ms, 30))
    pressed = coil_trial(RAIL)

    assert [usual.released, short.released] == [1, 0]
    assert pressed.seen_ms < 20
    assert pressed.after_mj < 1
    assert pressed.sag < 0.1


@nightly("all circuits, once more", meanwhile="test_every_claim_holds")
@pytest.mark.slow
def test_the_page_says_what_is_calculated():
    """`python -m bench.hardware` has been run since a measure changed; versions of ngspice may differ by a tenth."""
    kept, made = (text.splitlines() for text in (PAGE.read_text("utf-8"), page(all_claims())))
    assert len(kept) == len(made), "run `python -m bench.hardware`"
    for before, now in zip(kept, made, strict=True):
        assert NUMBER.sub("#", before) == NUMBER.sub("#", now), "run `python -m bench.hardware`"
        pairs = zip(NUMBER.findall(before), NUMBER.findall(now), strict=True)
        assert all(float(old) == pytest.approx(float(new), rel=0.12, abs=0.02) for old, new in pairs), now


def test_a_known_circuit_is_calculated_as_it_should_be():
    """Second witness: a resistor and a capacitor, whose curve is in every book."""
    found = measured(
        "Vin in 0 1\nR1 in out 1k\nC1 out 0 1u IC=0\n.tran 1u 3m UIC\n.meas tran t WHEN v(out)=0.632121 RISE=1"
    )

    assert found["t"] == pytest.approx(1e-3, rel=0.01)


def test_a_deck_that_does_not_run_is_told():
    """A mistake in a deck is no empty answer."""
    with pytest.raises(RuntimeError, match="did not run"):
        measured("R1 a\n.tran 1u 1m")


@pytest.mark.slow
def test_the_circuits_of_before_fail():
    """1000 µF behind the transistor and one contact: the hub hears of a press after seconds, and coils still move."""
    before = msgspec.structs.replace(RAIL, estop_contacts=1, bulk_uf=1.0, bleeder_kohm=1e6)
    trial = coil_trial(before, capacitor_behind_uf=1_000, firing=False)

    assert trial.seen_ms > 900
    assert trial.after_mj > 10
    assert rail_gone_ms(before, capacitor_behind_uf=1_000) > 1_000


@pytest.mark.slow
def test_one_contact_alone_is_seen_in_time_too():
    """Who has only one contact is not without help: the small capacitor empties itself."""
    assert coil_trial(msgspec.structs.replace(RAIL, estop_contacts=1), firing=False).seen_ms < 20


def test_a_supply_of_24_v_would_not_be_stood():
    """Why coil_volts ends at 12: the divider's upper resistor is for 12 V, and the gate stands 20."""
    twelve = msgspec.structs.replace(DESIGN, coil_supply=msgspec.structs.replace(RAIL, volts=(21.6, 25.2)))
    failed = [claim.text for claim in steady_claims(twelve) if not claim.holds]

    assert max(ACCEPTED_VOLTS) == 12
    assert any("gate of the P-MOSFET" in text for text in failed)


def test_beams_with_10_kohm_would_fail():
    """The pull-up of before needs more light than the poorest grades give at a drain and an end zone."""
    poor = msgspec.structs.replace(DESIGN, beam=msgspec.structs.replace(DESIGN.beam, pull_up_kohm=10.0))
    failed = [claim.text for claim in beam_claims(poor) if not claim.holds]

    assert any("drain" in text for text in failed)
    assert any("end zone" in text for text in failed)


# --- magnets ---


def test_a_magnets_field_on_its_axis_is_the_formula_of_the_book():
    """Second witness for magpylib: the closed formula of a disc on its axis."""
    disc = Magnet(x_mm=0, y_mm=0, z_mm=0, wide_mm=3, thick_mm=2, tesla=1.19)
    far = [height / math.hypot(height, 1.5) for height in (6.0, 4.0)]

    assert field_mt([disc], np.array([[0.0, 0.0, 5.0]]))[0, 2] == pytest.approx(
        595 * (far[0] - far[1]), rel=1e-6
    )


def test_a_ball_far_from_a_magnet_is_a_dipole():
    """Second witness for the multipoles: in an even field a ball answers with B a^3, twice that over r^3 on the axis."""
    far = [Magnet(x_mm=0, y_mm=0, z_mm=200, wide_mm=60, thick_mm=60, tesla=1.0)]
    chip = np.array([0.0, 0.0, -20.0])
    even = field_mt(far, np.zeros((1, 3)))[0, 2]

    answer = ball_answer_mt(far, np.zeros(3), chip, 5.0)
    assert answer == pytest.approx(2 * even * (5 / 20) ** 3 * 99 / 102, rel=0.06)


def test_the_force_on_a_ball_is_what_its_energy_says():
    """Second witness for the braking: far away, where the ball is a dipole, force is the slope of its energy."""
    disc = [Magnet(x_mm=0, y_mm=0, z_mm=-40, wide_mm=5, thick_mm=4, tesla=1.3)]
    force = ball_force_mn(disc, np.zeros(3), 5.0, 2)

    def energy_nj(z_mm):
        field = np.linalg.norm(field_mt(disc, np.array([[0.0, 0.0, z_mm]]))) * 1e-3
        return -0.5 * 4 * math.pi / (4e-7 * math.pi) * (5e-3) ** 3 * 99 / 102 * field**2 * 1e9

    slope_mn = -(energy_nj(0.05) - energy_nj(-0.05)) / 0.1 * 1e-3
    assert force < 0, "a magnet pulls"
    assert force == pytest.approx(slope_mn, rel=0.1)


def test_tile_magnets_of_one_pole_would_blind_the_edge_halls():
    """Why each notch has a pair: of one pole they move a Hall in a wall by more than half of its threshold."""
    chip = (0.0, 25.0, -DESIGN.hall.wall.below_mm)
    single = tile_shift_mv(DESIGN, tile_magnets(DESIGN, paired=False), chip)

    assert single > 0.5 * DESIGN.hall.wall.threshold_mv
    assert tile_shift_mv(DESIGN, tile_magnets(DESIGN), chip) < 0.5


def test_the_magnets_of_before_fail():
    """3 x 2 mm N35 beside the chip: the ball's signal stays under the threshold of 25 mV that it was to cross."""
    old = msgspec.structs.replace(
        DESIGN.hall.slot, aside_mm=5.5, deep_mm=0.0, wide_mm=3.0, thick_mm=2.0, tesla=1.19, threshold_mv=25.0
    )
    design = msgspec.structs.replace(DESIGN, hall=msgspec.structs.replace(DESIGN.hall, slot=old))
    signal = next(iter(hall_claims(design)))

    assert signal.text.startswith("signal of a ball under a tile")
    assert not signal.holds
    assert bias_magnet(old).wide_mm == 3.0


@pytest.mark.slow
def test_a_column_whose_grounds_are_one_is_seen():
    """Lamps that share a wire with the Halls shift what they say; with AGND of its own they do not."""
    boards = Column.shipped()
    column = boards.column
    shorts = []
    for number in range(1, 8):
        ends = [next(pad for pad in column.pads if pad.pin == f"J{number}.{pin}") for pin in (5, 6)]
        assert [pad.net for pad in ends] == ["GND", "AGND"]
        one, other = (("F", pad.x_mm, pad.y_mm) for pad in ends)
        shorts.append(Copper(net="GND", start=one, end=other, width_mm=0.0))
    pads = tuple(replace(pad, net="GND") if pad.net == "AGND" else pad for pad in column.pads)
    copper = tuple(replace(one, net="GND") if one.net == "AGND" else one for one in column.copper)
    mistaken = replace(boards, column=Board(column.values, pads, (*copper, *shorts)))
    limit_mv = DESIGN.hall.slot.threshold_mv / 10

    assert column_told(boards).shift_mv < limit_mv / 10
    assert column_told(mistaken).shift_mv > limit_mv


# --- the hub board ---


def hub_without(ref):
    """Return the hub board as it is if a part was forgotten."""
    board = read_board("hub_board")
    return replace(
        board, values={name: "none" if name == ref else value for name, value in board.values.items()}
    )


@pytest.mark.slow
def test_a_hub_board_without_its_bleeder_is_seen():
    """The coils' rail then keeps its charge long after the pump has stopped."""
    found = hub_trial(hub_without("R16"), DESIGN, volts=12.0, press=False)
    assert found.gone_ms > 1_000


@pytest.mark.slow
def test_a_hub_board_whose_second_contact_is_bridged_is_seen():
    """The hub hears of a press at once through the second contact; with both screws of it joined, later."""
    board = read_board("hub_board")
    pads = tuple(replace(pad, net="12V_STOP") if pad.net == "STOP_2" else pad for pad in board.pads)
    bridged = hub_trial(replace(board, pads=pads), DESIGN, volts=12.0, firing=False)
    assert bridged.seen_ms > 2 * hub_trial(board, DESIGN, volts=12.0, firing=False).seen_ms


@pytest.mark.slow
def test_a_clock_through_a_large_resistor_would_be_late():
    """With 1 kOhm in the place of 33 Ohm five ribbons are too much for a bit."""
    board = read_board("hub_board")
    values = {name: "1k" if name == "R20" else value for name, value in board.values.items()}
    assert clock_told(board, "SCK")[0] < 125 / 2 < clock_told(replace(board, values=values), "SCK")[0]
