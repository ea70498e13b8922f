"""What a gate's pulse does to the balls at it, from formulas: one ball goes, never two, and never on its own."""

import math

import msgspec
import pytest
from helpers.places import ROOT
from hextraction.board.design import load_design
from hextraction.board.escapement import FOR_EVER_MS, GRAVITY_MM_S2, Conditions, least_pulse_ms, try_gate
from hextraction.hal.wiring.coil_limits import (
    CEILING_PULSE_J,
    CEILING_PULSE_MS,
    DEFAULT_MAX_PULSE_MS,
    DUTY_PERCENT,
    MIN_OFF_MS,
)
from hextraction.hal.wiring.file import read_wiring

DESIGN = load_design()
GATE, COIL, RAIL = DESIGN.gate, DESIGN.gate.coil, DESIGN.coil_supply
COLD = {"volts": RAIL.volts[1]}
HARD = {"volts": RAIL.volts[0], "warmer_k": COIL.warm_k, "series_ohm": RAIL.series_ohm}
SLOPES = [8, 10, 15, 20, 30]
BUILDS = sorted((ROOT / "wiring").glob("*.toml"))


@pytest.mark.parametrize("tilt_deg", SLOPES)
@pytest.mark.parametrize("supply", [COLD, HARD], ids=["cold and 12.6 V", "warm and 10.8 V"])
@pytest.mark.parametrize("balls", [1, 2, GATE.queue])
def test_the_shipped_pulse_lets_exactly_one_ball_go(tilt_deg, supply, balls):
    """From 8 to 30 degrees, from 10.8 to 12.6 V, with one ball or a full ramp: one ball, and no fork pushes it."""
    done = try_gate(COIL.pulse_ms, Conditions(tilt_deg=tilt_deg, balls=balls, **supply))

    assert done.released == 1
    assert done.pushed_mm == 0
    assert done.passed_us < COIL.pulse_ms * 1_000, "it must not count on a coil that lets go late"


@pytest.mark.parametrize("supply", [COLD, HARD], ids=["cold and 12.6 V", "warm and 10.8 V"])
def test_a_gate_that_is_held_lets_one_ball_go_for_half_of_the_heat(supply):
    """Once the plunger is in, half of the current keeps it there; held from the first moment it never gets there."""
    held = Conditions(tilt_deg=15, balls=GATE.queue, pull_in_ms=60, hold_percent=50, **supply)
    never = Conditions(tilt_deg=15, balls=GATE.queue, pull_in_ms=1, hold_percent=25, **supply)
    full = Conditions(tilt_deg=15, balls=GATE.queue, **supply)

    assert [try_gate(COIL.pulse_ms, one).released for one in (held, never)] == [1, 0]
    assert try_gate(200, held).joules < 0.5 * try_gate(200, full).joules


@pytest.mark.slow
@pytest.mark.mutants
@pytest.mark.parametrize("tilt_deg", SLOPES)
def test_no_pulse_lets_two_balls_go(tilt_deg):
    """Whatever the pulse, up to the ceiling and far beyond it, the fork behind the first ball holds the others."""
    for pulse_ms in (20, 40, 60, 80, 120, CEILING_PULSE_MS, FOR_EVER_MS):
        conditions = Conditions(tilt_deg=tilt_deg, balls=GATE.queue, **COLD)
        assert try_gate(pulse_ms, conditions).released <= 1


@pytest.mark.parametrize("volts", [10.8, 12, 12.6])
def test_30_ms_at_15_degrees_let_nothing_go(volts):
    """The pulse that used to be usual is shorter than a ball needs to roll a third of its width."""
    assert try_gate(30, Conditions(tilt_deg=15, volts=volts)).released == 0


def test_a_ramp_that_is_empty_or_level_gives_nothing():
    """Without a ball, or without a slope, no pulse releases anything: the spring never pushes (2.1.1.1)."""
    assert try_gate(FOR_EVER_MS, Conditions(tilt_deg=15, balls=0)).released == 0
    assert try_gate(FOR_EVER_MS, Conditions(tilt_deg=0)).released == 0
    assert least_pulse_ms(Conditions(tilt_deg=0)) is None


def test_a_weak_supply_opens_nothing():
    """At a third of its voltage the coil does not overcome the spring, and the gate stays shut."""
    assert try_gate(FOR_EVER_MS, Conditions(tilt_deg=15, volts=4)).down_us is None


@pytest.mark.parametrize("tilt_deg", SLOPES)
def test_the_ball_rolls_as_a_ball_does(tilt_deg):
    """Second witness: past the fork it is as quick as the energy says that it gained over that way."""
    done = try_gate(FOR_EVER_MS, Conditions(tilt_deg=tilt_deg, volts=12.6))
    reach_mm = math.sqrt((DESIGN.ball.diameter_mm / 2 + GATE.pin_mm / 2) ** 2 - GATE.aside_mm**2)
    sine = math.sin(math.radians(tilt_deg)) - DESIGN.ball.rolling_resistance

    assert done.speed_mm_s == pytest.approx(math.sqrt(2 * 5 / 7 * GRAVITY_MM_S2 * sine * reach_mm), rel=0.03)


def test_the_forks_fit_between_two_balls_that_touch():
    """Half a millimetre out of place, the upper fork still comes up between the first ball and the second."""
    reach_mm = math.sqrt((DESIGN.ball.diameter_mm / 2 + GATE.pin_mm / 2) ** 2 - GATE.aside_mm**2)
    assert 2 * reach_mm < DESIGN.ball.diameter_mm
    assert GATE.up_mm >= DESIGN.ball.diameter_mm / 2, "a lower pin is a step that a queue pushes a ball over"
    for slow_mm in (0.0, 0.25, 0.5):
        done = try_gate(COIL.pulse_ms, Conditions(tilt_deg=15, balls=GATE.queue, slow_mm=slow_mm))
        assert done.released == 1


def test_the_next_pulse_finds_the_next_ball_at_the_fork():
    """After the shortest rest the second ball has rolled to the lower fork, on the flattest board, too."""
    slope = math.sin(math.radians(GATE.tilt_deg[0])) - DESIGN.ball.rolling_resistance
    roll_s = math.sqrt(2 * DESIGN.ball.diameter_mm / (5 / 7 * GRAVITY_MM_S2 * slope))

    assert roll_s < 4 * COIL.pulse_ms / 1_000
    assert roll_s < MIN_OFF_MS / 1_000


def test_a_pulse_stays_below_its_energy():
    """At the highest voltage and cold, the longest pulse of a gate takes less than the ceiling."""
    done = try_gate(COIL.max_pulse_ms, Conditions(tilt_deg=15, **COLD))

    assert 0 < done.joules <= CEILING_PULSE_J


def test_a_changed_gate_changes_the_answer():
    """The figures come from the table: forks too far apart let two go, and a strong spring lets none."""
    strong = msgspec.structs.replace(COIL, spring_n=3.5)
    stiff = msgspec.structs.replace(DESIGN, gate=msgspec.structs.replace(GATE, coil=strong))
    wide = msgspec.structs.replace(DESIGN, gate=msgspec.structs.replace(GATE, apart_mm=20.0))

    assert try_gate(150, Conditions(tilt_deg=15, **HARD), stiff).released == 0
    assert try_gate(FOR_EVER_MS, Conditions(tilt_deg=30, balls=6, **COLD), wide).released == 2


@pytest.mark.parametrize("build", BUILDS, ids=lambda path: path.stem)
def test_the_shipped_builds_give_gates_and_kickers_what_they_need(build):
    """Every gate has the design's pulse and cap; no kicker may push for longer than 50 ms."""
    for coil in read_wiring(build).all_coils:
        if coil.name.startswith("gate."):
            assert (coil.pulse_ms, coil.limits.max_pulse_ms) == (COIL.pulse_ms, COIL.max_pulse_ms)
        else:
            assert coil.limits.max_pulse_ms <= DEFAULT_MAX_PULSE_MS


def test_guard_and_firmware_have_the_same_ceilings():
    """The hub's own numbers are those of the guard: cap, rest, duty."""
    said = dict(
        line.split()[1:3]
        for line in (ROOT / "hal/firmware/src/hub.h").read_text("utf-8").splitlines()
        if line.startswith("#define HUB_") and len(line.split()) > 2
    )

    assert int(said["HUB_PULSE_CAP_MS"]) == int(said["HUB_PULSE_CEILING_MS"]) == CEILING_PULSE_MS
    assert int(said["HUB_PULSE_USUAL_MS"]) == DEFAULT_MAX_PULSE_MS
    assert int(said["HUB_REST_MS"]) == MIN_OFF_MS
    assert int(said["HUB_DUTY_PERMILLE"]) == DUTY_PERCENT * 10
