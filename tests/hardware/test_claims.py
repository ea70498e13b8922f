"""Every claim about the hardware holds, its page is the one of today, and the models can say no."""

import shutil

import msgspec
import pytest

if shutil.which("ngspice") is None:
    pytest.skip("ngspice is not installed: apt-get install ngspice", allow_module_level=True)

from hextraction.board.design import load_design

from bench.hardware.beams import beam_claims
from bench.hardware.circuits import ACCEPTED_VOLTS, circuit_claims, coil_trial
from bench.hardware.page import PAGE, all_claims, page
from bench.hardware.spice import measured

DESIGN = load_design()
RAIL = DESIGN.coil_supply


def test_every_claim_holds():
    """Gates, coils, e-stop, inputs, beams: each figure keeps its limit."""
    assert [
        f"{claim.text}: {claim.figure:.4g} {claim.unit}" for claim in all_claims() if not claim.holds
    ] == []


def test_the_page_says_what_is_calculated():
    """`python -m bench.hardware` has been run since a measure changed."""
    assert PAGE.read_text("utf-8") == page(all_claims()), "run `python -m bench.hardware`"


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


def test_the_circuits_of_before_fail():
    """1000 µF behind the transistor and one contact: the hub hears of a press after seconds, and coils still move."""
    before = msgspec.structs.replace(RAIL, estop_contacts=1, bulk_uf=1.0, bleeder_kohm=1e6)
    trial = coil_trial(before, capacitor_behind_uf=1_000, firing=False)

    assert trial.seen_ms > 900
    assert trial.after_mj > 10
    assert trial.rail_gone_ms > 1_000


def test_one_contact_alone_is_seen_in_time_too():
    """Who has only one contact is not without help: the small capacitor empties itself."""
    assert coil_trial(msgspec.structs.replace(RAIL, estop_contacts=1), firing=False).seen_ms < 20


def test_a_supply_of_24_v_would_not_be_stood():
    """Why coil_volts ends at 12: the divider's upper resistor is for 12 V, and the gate stands 20."""
    twelve = msgspec.structs.replace(DESIGN, coil_supply=msgspec.structs.replace(RAIL, volts=(21.6, 25.2)))
    failed = [claim.text for claim in circuit_claims(twelve) if not claim.holds]

    assert max(ACCEPTED_VOLTS) == 12
    assert any("gate of the P-MOSFET" in text for text in failed)


def test_beams_with_10_kohm_would_fail():
    """The pull-up of before needs more light than the poorest grades give at a drain and an end zone."""
    poor = msgspec.structs.replace(DESIGN, beam=msgspec.structs.replace(DESIGN.beam, pull_up_kohm=10.0))
    failed = [claim.text for claim in beam_claims(poor) if not claim.holds]

    assert any("drain" in text for text in failed)
    assert any("end zone" in text for text in failed)
