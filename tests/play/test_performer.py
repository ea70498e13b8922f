"""The performer does what the game asks of the board, and never stops the game when a device fails."""

from helpers.lamps import COUNT, LAMPS
from hextraction.controller.games.protocol import Flash, KickBalls, OpenGate
from hextraction.controller.games.scene import Glow
from hextraction.controller.play.performer import Lights, Performer
from hextraction.hal.mock import MockPixels
from hextraction.hal.ports import PulseResult
from hypothesis import given, settings
from hypothesis import strategies as st

DARK, RED = (0, 0, 0), (255, 0, 0)
LYING = {"slot.B2": Glow((18, 18, 16))}
"""How a board shines with one tile on it."""


class Coils:
    """Coils that remember, refuse or break."""

    names = ()

    def __init__(self, result=PulseResult.DONE):
        self.result = result
        self.log = []

    def pulse(self, name, pulse_ms=None):
        if self.result is None:
            raise OSError("unplugged")
        self.log.append((name, pulse_ms))
        return self.result

    def off(self):
        self.log.append("off")


def performer(coils=None, brightness=1.0, budget_ma=1_000_000):
    """Return a performer and its lamps."""
    pixels = MockPixels(COUNT)
    return Performer(pixels, coils, Lights(LAMPS, COUNT, brightness, budget_ma)), pixels


def touch(slot, colour=(255, 120, 0)):
    """Return what the game asks for when a tile is touched."""
    return Flash(place=f"slot.{slot}", glow=Glow(colour))


def test_gates_and_kickers_get_one_short_pulse():
    """A gate and a kicker each get one pulse, the usual one of their wiring."""
    coils = Coils()
    made, _pixels = performer(coils)
    made.perform([OpenGate(ramp="L1")])
    made.perform([KickBalls(slot="C3")])
    assert coils.log == [("gate.L1", None), ("kicker.C3", None)]


def test_a_gate_that_must_wait_is_opened_later_once():
    """The newest one only; a kick is not made up for, and a supply that is not there yet keeps it waiting."""
    coils = Coils()
    made, _pixels = performer(coils)
    made.coils_wait = True
    made.perform([OpenGate(ramp="L1")])
    made.perform([OpenGate(ramp="R2")])
    made.perform([KickBalls(slot="C3")])
    assert (coils.log, made.held_gate) == ([], "R2")
    made.open_held()
    assert (coils.log, made.held_gate) == ([], "R2")
    made.coils_wait, coils.result = False, PulseResult.REFUSED_OFF
    made.open_held()
    assert made.held_gate == "R2"
    coils.result = PulseResult.DONE
    made.open_held()
    made.open_held()
    assert coils.log == [("gate.R2", None)] * 2
    assert made.held_gate is None


def test_a_coil_that_refuses_breaks_or_is_missing_is_counted():
    """None of these raises, and an operator can see each."""
    for coils, said in (
        (Coils(PulseResult.REFUSED_DUTY), "coil refused: too soon or too often"),
        (Coils(None), "coil failed"),
        (None, "coil absent or off"),
    ):
        made, _pixels = performer(coils)
        made.perform([OpenGate(ramp="L1")])
        assert made.counters[said] == 1


def test_a_board_that_is_switched_off_does_nothing():
    """R-50: no lamp is lit, no coil fires and no touch shines without power."""
    coils = Coils()
    made, pixels = performer(coils)
    made.show(LYING, blink=False)
    made.power = False
    made.show(LYING, blink=False)
    assert set(pixels.frames[-1]) == {DARK}
    shown = len(pixels.frames)
    made.perform([OpenGate(ramp="L1")])
    made.perform([touch("B2")])
    assert (coils.log, len(pixels.frames)) == ([], shown)


def test_a_touch_shines_at_once_on_its_slot_alone():
    """The lamps of the slot change with the touch, before the next whole frame."""
    made, pixels = performer()
    made.show(LYING, blink=False)
    before = pixels.frames[-1]
    made.perform([touch("B2", RED)])
    after = pixels.frames[-1]
    changed = [number for number in range(COUNT) if before[number] != after[number]]
    assert changed == list(LAMPS["slot.B2"])
    assert {after[number] for number in changed} == {(255, 0, 0)}


def test_a_sensor_that_sees_a_ball_lights_its_lamp_at_once():
    """The reflex: white, before anybody knows what the ball means; a sensor without a lamp lights nothing."""
    pixels = MockPixels(COUNT)
    made = Performer(pixels, None, Lights(LAMPS, COUNT, 1.0, 1_000_000), {"ball.B2": "slot.B2"})
    made.reflex("edge.B2.4")
    assert len(pixels.frames) == 0
    made.reflex("ball.B2")
    assert {pixels.frames[-1][number] for number in LAMPS["slot.B2"]} == {(255, 255, 255)}
    made.show(LYING, blink=False)
    assert {pixels.frames[-1][number] for number in LAMPS["slot.B2"]} == {(18, 18, 16)}


def test_a_frame_is_sent_only_if_it_differs():
    """An unchanged board sends nothing to the lamps."""
    made, pixels = performer()
    for _time in range(3):
        made.show(LYING, blink=False)
    assert len(pixels.frames) == 1


@settings(deadline=None)
@given(st.lists(st.sampled_from(list(LAMPS)), max_size=30), st.floats(5, 500), st.floats(0.1, 1))
def test_touches_never_exceed_the_budget(places, budget_ma, brightness):
    """However many slots flash one after the other, no frame draws more than the budget."""
    made, pixels = performer(brightness=brightness, budget_ma=budget_ma)
    made.show(LYING, blink=False)
    for place in places:
        made.perform([Flash(place=place, glow=Glow(RED))])
    for frame in pixels.frames:
        assert sum(map(sum, frame)) * 20 / 255 <= budget_ma * (1 + 1e-9)


def test_lamps_that_fail_do_not_stop_the_game():
    """A broken strip is counted; dark works as well as it can."""

    class Broken(MockPixels):
        def show(self, frame):
            raise OSError("unplugged")

    made = Performer(Broken(COUNT), Coils(), Lights(LAMPS, COUNT))
    made.show(LYING, blink=False)
    made.dark()
    assert made.counters["lamps failed"] == 2


def test_dark_switches_everything_off():
    """When the game stops, coils are off and every lamp is dark."""
    coils = Coils()
    made, pixels = performer(coils)
    made.show(LYING, blink=False)
    made.dark()
    assert coils.log == ["off"]
    assert set(pixels.frames[-1]) == {DARK}


def test_without_lamps_and_coils_nothing_happens():
    """A table without electronics has a performer, too."""
    made = Performer(None, None, None)
    made.show(LYING, blink=True)
    made.perform([touch("B2")])
    made.dark()
    assert made.counters == {}
