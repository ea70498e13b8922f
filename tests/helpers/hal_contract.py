"""What every backend of the hal ports must do, as checks that take a :class:`Rig`.

A backend joins by building a rig around :data:`WIRING` and running each function of :data:`CHECKS` with it.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from hextraction.hal.mock import ManualClock
from hextraction.hal.opening.factory import Devices
from hextraction.hal.ports import Clock, Edge, Inputs, Pixels, Power, PulseResult, Solenoids, Supply

WIRING = """
[board]
profile = "test"
instruments = "test"
[gpio]
factory = "mock"
[[sensor]]
name = "beam"
pin = 17
[[sensor]]
name = "dark"
pin = 27
active = "high"
pull = "up"
[[sensor]]
name = "floating"
pin = 22
active = "high"
pull = "none"
[[sensor]]
name = "magnet"
pin = 5
debounce_ms = 30
[pixels]
count = 4
pin = 10
[[lamp]]
name = "left"
first = 0
count = 3
[[solenoid]]
name = "gate"
pin = 23
[[solenoid]]
name = "kicker"
pin = 24
pulse_ms = 20
max_pulse_ms = 100
[power]
pin = 20
arm_pin = 25
[current]
address = "0x41"
max_ma = 1500
"""
"""Four sensors of every polarity (1 ms filters, the magnet's 30 ms), four pixels, two coils, a switch, a meter."""


@dataclass(kw_only=True)
class Circuit:
    """The coils' supply from outside: 12 V through fuse, e-stop, shunt and transistor to two coils of 1 A.

    ``is_on`` says what the gates do; ``unplugged`` coils draw nothing, ``leak_ma`` flows past all gates while
    the supply is there.
    """

    is_on: Callable[[str], bool] = lambda _name: False
    unplugged: set[str] = field(default_factory=set)
    leak_ma: int = 0
    pressed: bool = False

    @property
    def ma(self) -> int:
        """What flows through the shunt."""
        if self.pressed:
            return 0
        on = [name for name in ("gate", "kicker") if name not in self.unplugged and self.is_on(name)]
        return 1_000 * len(on) + self.leak_ma

    @property
    def volts(self) -> float:
        """The voltage behind e-stop and shunt."""
        return 0.0 if self.pressed else 12.0


@dataclass(frozen=True, kw_only=True)
class Rig:
    """One backend under test: its devices, its clock, and the hands that move the world around it.

    ``slack_us`` is how exact its times are, and how late its edges and pulses may come; ``glitch_us`` what it
    must drop; ``kicker_ms`` the cap that its wiring gives the kicker. ``circuit`` is what the coils hang in,
    ``stop`` the hand on the emergency stop.
    """

    devices: Devices
    clock: ManualClock
    push: Callable[[str, bool], None]
    is_on: Callable[[str], bool]
    flip: Callable[[bool], None]
    circuit: Circuit
    stop: Callable[[bool], None]
    slack_us: int = 0
    glitch_us: int = 900
    kicker_ms: int = 100

    def near(self, seen: list[Edge], wanted: list[Edge]) -> bool:
        """Whether these are the edges, at about those times."""
        return [(edge.sensor, edge.active) for edge in seen] == [
            (edge.sensor, edge.active) for edge in wanted
        ] and all(
            abs(one.at_us - other.at_us) <= self.slack_us for one, other in zip(seen, wanted, strict=True)
        )

    def settle(self) -> None:
        """Let the slack pass: what was asked has happened then."""
        self.clock.advance(self.slack_us)

    def watch(self) -> list[Edge]:
        """Return a list that fills with the edges reported from now on."""
        seen: list[Edge] = []
        self.devices.inputs.listen(seen.append)
        return seen

    def see(self, name: str, active: bool, *, for_us: int) -> None:
        """Let a sensor see something, or nothing, and let time pass."""
        self.push(name, active)
        self.clock.advance(for_us)


def implements_the_ports(rig: Rig) -> None:
    """The devices satisfy the protocols."""
    devices = rig.devices
    assert isinstance(devices.clock, Clock)
    assert isinstance(devices.inputs, Inputs)
    assert isinstance(devices.pixels, Pixels)
    assert isinstance(devices.solenoids, Solenoids)
    assert isinstance(devices.power, Power)
    assert isinstance(devices.power.supply, Supply)


def names_are_in_wiring_order(rig: Rig) -> None:
    """Names come as the wiring file lists them."""
    assert rig.devices.inputs.names == ("beam", "dark", "floating", "magnet")
    assert rig.devices.solenoids.names == ("gate", "kicker")


def a_change_is_one_edge_stamped_with_its_beginning(rig: Rig) -> None:
    """The filter delays the belief, not the time."""
    seen = rig.watch()
    began_us = rig.clock.now_us()
    rig.see("beam", True, for_us=20_000)
    rig.see("beam", False, for_us=20_000)
    assert rig.near(seen, [Edge("beam", True, began_us), Edge("beam", False, began_us + 20_000)])


def polarity_ends_at_the_port(rig: Rig) -> None:
    """Active means seen, for every pull and level; an idle sensor is not active."""
    seen = rig.watch()
    for name in ("beam", "dark", "floating"):
        rig.see(name, True, for_us=5_000)
    rig.settle()
    assert [(edge.sensor, edge.active) for edge in seen] == [
        ("beam", True),
        ("dark", True),
        ("floating", True),
    ]
    assert rig.devices.inputs.levels() == {"beam": True, "dark": True, "floating": True, "magnet": False}


def a_glitch_is_no_edge(rig: Rig) -> None:
    """0.9 ms are dropped by a 1 ms filter, or 0.4 ms by two samples half a millisecond apart."""
    seen = rig.watch()
    rig.see("beam", True, for_us=rig.glitch_us)
    rig.see("beam", False, for_us=50_000)
    assert seen == []
    assert rig.devices.inputs.levels()["beam"] is False


def bounce_at_the_beginning_delays_the_belief_not_the_end(rig: Rig) -> None:
    """The edge counts from the first sample of the level that lasted."""
    seen = rig.watch()
    start_us = rig.clock.now_us()
    for active in (True, False, True, False):
        rig.see("beam", active, for_us=300)
    rig.see("beam", True, for_us=30_000)
    assert rig.near(seen, [Edge("beam", True, start_us + 1_200)])


def a_slow_filter_does_not_turn_time_back(rig: Rig) -> None:
    """A 30 ms filter beside a 1 ms one: all edges, once each, in order of time."""
    seen = rig.watch()
    rig.see("magnet", True, for_us=2_000)
    rig.see("beam", True, for_us=10_000)
    rig.see("beam", False, for_us=60_000)
    assert [edge.sensor for edge in seen].count("magnet") == 1
    assert sorted(edge.sensor for edge in seen) == ["beam", "beam", "magnet"]
    assert [edge.at_us for edge in seen] == sorted(edge.at_us for edge in seen)


def nearly_simultaneous_edges_come_in_order_of_time(rig: Rig) -> None:
    """Three sensors 1.1 ms apart are reported one by one, without delay."""
    seen = rig.watch()
    for step, name in enumerate(("floating", "dark", "beam")):
        assert rig.slack_us or step == len(seen)
        rig.see(name, True, for_us=1_100)
    rig.settle()
    assert [edge.sensor for edge in seen] == ["floating", "dark", "beam"]


def a_second_listener_replaces_the_first(rig: Rig) -> None:
    """There is one listener."""
    first = rig.watch()
    second = rig.watch()
    rig.see("beam", True, for_us=20_000)
    assert first == []
    assert [edge.sensor for edge in second] == ["beam"]


def nothing_is_delivered_after_close(rig: Rig) -> None:
    """Not even what was pending; closing twice is harmless."""
    seen = rig.watch()
    rig.push("beam", True)
    rig.devices.inputs.close()
    rig.devices.inputs.close()
    rig.clock.advance(50_000)
    assert seen == []


def resync_of_a_quiet_board_reports_nothing(rig: Rig) -> None:
    """Reading all pins again invents no edge."""
    rig.see("beam", True, for_us=20_000)
    seen = rig.watch()
    rig.devices.resync()
    rig.clock.advance(50_000)
    assert seen == []


def a_frame_must_have_a_colour_for_each_lamp(rig: Rig) -> None:
    """A wrong length or value is refused loudly."""
    pixels = rig.devices.pixels
    assert pixels.count == 4
    pixels.show([(0, 128, 255)] * 4)
    for wrong in ([(0, 0, 0)] * 3, [(0, 0, 0)] * 5, [(0, 0, 256)] * 4, [(-1, 0, 0)] * 4):
        with pytest.raises(ValueError, match="want"):
            pixels.show(wrong)
    pixels.close()
    pixels.close()


def a_lamp_name_leads_to_its_pixels(rig: Rig) -> None:
    """The lamp map is that of the wiring."""
    assert dict(rig.devices.lamps) == {"left": range(3)}


def a_pulse_ends_by_itself_after_its_time(rig: Rig) -> None:
    """Nobody has to call for it."""
    assert rig.devices.solenoids.pulse("gate", 30) is PulseResult.DONE
    rig.settle()
    assert rig.is_on("gate")
    rig.clock.advance(29_999 - 2 * rig.slack_us)
    assert rig.is_on("gate")
    rig.clock.advance(1 + 2 * rig.slack_us)
    assert not rig.is_on("gate")


def a_pulse_is_the_usual_one_unless_another_is_asked_for(rig: Rig) -> None:
    """The wiring says 20 ms for the kicker, and nothing for the gate: 30."""
    for name, usual_us in (("kicker", 20_000), ("gate", 30_000)):
        assert rig.devices.solenoids.pulse(name) is PulseResult.DONE
        rig.settle()
        rig.clock.advance(usual_us - 1 - 2 * rig.slack_us)
        assert rig.is_on(name)
        rig.clock.advance(1 + 2 * rig.slack_us)
        assert not rig.is_on(name)
        rig.clock.advance(20_000)


def a_long_pulse_is_clamped_to_its_coils_cap(rig: Rig) -> None:
    """Five seconds become 50 ms, or what the wiring allows."""
    assert rig.devices.solenoids.pulse("gate", 5_000) is PulseResult.CLAMPED
    rig.settle()
    rig.clock.advance(50_000)
    assert not rig.is_on("gate")
    rig.clock.advance(10_000 + rig.slack_us)
    assert rig.devices.solenoids.pulse("kicker", 5_000) is PulseResult.CLAMPED
    rig.settle()
    rig.clock.advance(rig.kicker_ms * 1_000 - 1 - 2 * rig.slack_us)
    assert rig.is_on("kicker")
    rig.clock.advance(1 + 2 * rig.slack_us)
    assert not rig.is_on("kicker")


def refusals_name_their_reason(rig: Rig) -> None:
    """Unknown, busy, too soon, switched off."""
    pulse = rig.devices.solenoids.pulse
    assert pulse("nobody", 30) is PulseResult.REFUSED_UNKNOWN
    assert pulse("gate", 30) is PulseResult.DONE
    assert pulse("kicker", 30) is PulseResult.REFUSED_BUSY
    rig.clock.advance(40_000)
    assert pulse("gate", 30) is PulseResult.REFUSED_DUTY
    rig.flip(False)
    rig.clock.advance(300_000)
    assert pulse("gate", 30) is PulseResult.REFUSED_OFF
    assert not rig.is_on("gate")


def off_and_close_end_a_pulse_at_once(rig: Rig) -> None:
    """And nothing fires afterwards."""
    solenoids = rig.devices.solenoids
    solenoids.pulse("gate", 50)
    rig.settle()
    solenoids.off()
    rig.settle()
    assert not rig.is_on("gate")
    rig.clock.advance(260_000)
    assert solenoids.pulse("gate", 50) is PulseResult.DONE
    rig.settle()
    solenoids.close()
    rig.settle()
    assert not rig.is_on("gate")
    solenoids.close()
    assert solenoids.pulse("gate", 50) is PulseResult.REFUSED_OFF


def the_switch_is_reported_with_its_time(rig: Rig) -> None:
    """Both ways."""
    told: list[tuple[bool, int]] = []
    rig.devices.power.listen(lambda on, at_us: told.append((on, at_us)))
    start_us = rig.clock.now_us()
    rig.flip(False)
    rig.clock.advance(500_000)
    rig.flip(True)
    rig.clock.advance(500_000)
    assert [on for on, _at_us in told] == [False, True]
    for (_on, at_us), began_us in zip(told, (start_us, start_us + 500_000), strict=True):
        assert abs(at_us - began_us) <= rig.slack_us
    assert rig.devices.power.on


def what_the_coils_draw_is_measured(rig: Rig) -> None:
    """An ampere while one is on, nothing afterwards; the supply is there."""
    supply = rig.devices.power.supply
    rig.clock.advance(100_000)
    assert (supply.state.good, supply.state.waits, supply.state.current_ma) == (True, False, 0)
    rig.devices.solenoids.pulse("gate", 40)
    rig.clock.advance(35_000)
    assert supply.state.current_ma == 1_000
    rig.clock.advance(200_000)
    assert supply.state.current_ma == 0
    assert not rig.devices.lost.all


def a_coil_that_draws_nothing_is_lost_until_it_does(rig: Rig) -> None:
    """It is said with what may be the matter, and the coil may still be fired."""
    rig.circuit.unplugged.add("gate")
    assert rig.devices.solenoids.pulse("gate", 40) is PulseResult.DONE
    rig.clock.advance(400_000)
    (lost,) = rig.devices.lost.now
    assert lost.device == "gate"
    assert "open" in lost.reason
    rig.circuit.unplugged.clear()
    assert rig.devices.solenoids.pulse("gate", 40) is PulseResult.DONE
    rig.clock.advance(400_000)
    assert rig.devices.lost.now == ()


def a_coil_that_goes_on_drawing_drops_the_supply_for_good(rig: Rig) -> None:
    """Nothing fires any more, whatever anybody confirms."""
    rig.devices.solenoids.pulse("gate", 40)
    rig.clock.advance(20_000)
    rig.circuit.leak_ma = 400
    rig.clock.advance(500_000)
    assert "coil supply" in [lost.device for lost in rig.devices.lost.now]
    assert "stuck" in rig.devices.power.supply.state.fault
    rig.circuit.leak_ma = 0
    rig.devices.power.supply.confirm()
    rig.clock.advance(1_000_000)
    assert rig.devices.solenoids.pulse("kicker", 40) is PulseResult.REFUSED_OFF
    assert not rig.is_on("kicker")


def after_an_emergency_stop_coils_wait_for_a_person(rig: Rig) -> None:
    """Releasing it is not enough; while it is pressed nobody can confirm."""
    supply, pulse = rig.devices.power.supply, rig.devices.solenoids.pulse
    rig.stop(True)
    rig.clock.advance(300_000)
    assert (supply.state.good, supply.state.waits) == (False, True)
    assert not supply.confirm()
    assert pulse("gate", 30) is PulseResult.REFUSED_OFF
    rig.stop(False)
    rig.clock.advance(2_000_000)
    assert (supply.state.good, supply.state.waits) == (True, True)
    assert pulse("gate", 30) is PulseResult.REFUSED_OFF
    assert supply.confirm()
    rig.clock.advance(1_000_000)
    assert pulse("gate", 30) is PulseResult.DONE
    rig.settle()
    assert rig.is_on("gate")


def everything_closes_twice_and_leaves_coils_off(rig: Rig) -> None:
    """Closing in the middle of a pulse ends it, and loses nothing."""
    rig.devices.solenoids.pulse("gate", 50)
    rig.settle()
    rig.devices.close()
    rig.devices.close()
    rig.settle()
    assert not rig.is_on("gate")
    assert not rig.devices.lost.all


CHECKS = (
    implements_the_ports,
    names_are_in_wiring_order,
    a_change_is_one_edge_stamped_with_its_beginning,
    polarity_ends_at_the_port,
    a_glitch_is_no_edge,
    bounce_at_the_beginning_delays_the_belief_not_the_end,
    a_slow_filter_does_not_turn_time_back,
    nearly_simultaneous_edges_come_in_order_of_time,
    a_second_listener_replaces_the_first,
    nothing_is_delivered_after_close,
    resync_of_a_quiet_board_reports_nothing,
    a_frame_must_have_a_colour_for_each_lamp,
    a_lamp_name_leads_to_its_pixels,
    a_pulse_ends_by_itself_after_its_time,
    a_pulse_is_the_usual_one_unless_another_is_asked_for,
    a_long_pulse_is_clamped_to_its_coils_cap,
    refusals_name_their_reason,
    off_and_close_end_a_pulse_at_once,
    the_switch_is_reported_with_its_time,
    what_the_coils_draw_is_measured,
    a_coil_that_draws_nothing_is_lost_until_it_does,
    a_coil_that_goes_on_drawing_drops_the_supply_for_good,
    after_an_emergency_stop_coils_wait_for_a_person,
    everything_closes_twice_and_leaves_coils_off,
)
