"""Noise is as bad as asked for, and the same again for the same seed."""

import itertools

import pytest
from hextraction.hal.ports import Edge
from hextraction.simulator.noise import Noise, NoisySensors

NAMES = {f"edge.A1.{number}": False for number in range(1, 7)}


def heard(noise, pulses=1_000, *, seed=0, every_us=100_000, long_us=20_000):
    """Pass pulses through noise, each of 20 ms and 100 ms apart unless told otherwise; return what comes out."""
    sensors = NoisySensors(noise, NAMES, seed)
    names, out = list(NAMES), []
    for number in range(pulses):
        at_us = number * every_us
        name = names[number % len(names)]
        sensors.take(Edge(name, True, at_us))
        sensors.take(Edge(name, False, at_us + long_us))
        out += sensors.due(at_us + long_us)
    return [*out, *sensors.due(pulses * every_us + 10_000_000)]


def rises(edges):
    """Count how often a sensor became active."""
    return sum(edge.active for edge in edges)


class TestRates:
    """How often."""

    def test_no_noise_changes_nothing(self):
        """The default is a perfect sensor."""
        edges = heard(Noise(), 3)
        assert [(edge.active, edge.at_us) for edge in edges] == [
            (True, 0),
            (False, 20_000),
            (True, 100_000),
            (False, 120_000),
            (True, 200_000),
            (False, 220_000),
        ]

    @pytest.mark.parametrize("miss", [0.03, 0.3, 1.0])
    def test_a_pulse_is_missed_whole_with_the_given_probability(self, miss):
        """A missed pulse has neither beginning nor end."""
        edges = heard(Noise(miss=miss))
        assert rises(edges) == pytest.approx(1_000 * (1 - miss), abs=50)
        assert len(edges) == 2 * rises(edges)

    def test_a_bounced_pulse_is_two(self):
        """Every pulse split: twice as many, the gap below 2.5 ms, the end where it was."""
        edges = heard(Noise(bounce=1.0), 50)
        assert rises(edges) == 100
        for on, off, again, end in zip(*(edges[start::4] for start in range(4)), strict=True):
            assert [on.active, off.active, again.active, end.active] == [True, False, True, False]
            assert 500 <= again.at_us - off.at_us <= 2_500
            assert end.at_us == on.at_us + 20_000

    def test_a_bounce_does_not_turn_a_short_pulse_inside_out(self):
        """Pulses shorter than the bounce still end inactive."""
        edges = heard(Noise(bounce=1.0), 60, long_us=1_000)
        assert [edge.active for edge in edges] == [True, False, True, False] * 60

    def test_ghosts_come_at_the_given_rate(self):
        """Two a second on all sensors together, each a pulse of 8..40 ms."""
        sensors = NoisySensors(Noise(ghosts_per_s=2.0), NAMES, 1)
        edges = list(sensors.due(500_000_000))
        assert rises(edges) == pytest.approx(1_000, abs=120)
        assert {edge.sensor for edge in edges} == set(NAMES)

    def test_jitter_delays_by_no_more_than_asked(self):
        """Each edge comes 0..1000 us late."""
        late = [edge.at_us % 20_000 for edge in heard(Noise(jitter_us=1_000), 200)]
        assert max(late) <= 1_000
        assert max(late) > 900
        assert min(late) < 100


class TestManners:
    """Misses in spells, ghosts in bursts, pulses that end late."""

    def test_misses_in_spells_are_as_many_but_come_together(self):
        """One in ten of 6,000 pulses, half of them after another miss of the same sensor."""
        names, missed = list(NAMES), []
        edges = heard(Noise(miss=0.1, miss_again=0.5), pulses=6_000)
        seen = {(edge.sensor, edge.at_us) for edge in edges if edge.active}
        missed = [(names[n % 6], n * 100_000) not in seen for n in range(6_000)]
        pairs = [missed[n + 6] for n in range(len(missed) - 6) if missed[n]]
        assert sum(missed) / len(missed) == pytest.approx(0.1, abs=0.02)
        assert sum(pairs) / len(pairs) == pytest.approx(0.5, abs=0.08)

    def test_ghosts_in_bursts_are_as_many_but_come_together(self):
        """Two a second for 400 s, most within a few milliseconds of the one before."""
        noise = Noise(ghosts_per_s=2.0, burst=4)
        sensors = NoisySensors(noise, NAMES, 0)
        ghosts = [edge.at_us for edge in sensors.due(400_000_000) if edge.active]
        close = sum(after - before < 5_000 for before, after in itertools.pairwise(ghosts))
        assert len(ghosts) == pytest.approx(800, rel=0.12)
        assert close > 0.4 * len(ghosts)

    def test_a_lag_makes_pulses_longer(self):
        """By just as much, and none begins later."""
        edges = heard(Noise(lag_us=3_000), pulses=10)
        lengths = {off.at_us - on.at_us for on, off in zip(edges[::2], edges[1::2], strict=True)}
        assert lengths == {23_000}

    @pytest.mark.parametrize("wrong", [{"miss_again": 1.0}, {"burst": 0}, {"lag_us": 20_000}])
    def test_impossible_manners_are_refused(self, wrong):
        """The message names which."""
        with pytest.raises(ValueError, match=next(iter(wrong))):
            Noise(**wrong)


class TestStuck:
    """Sensors that have died."""

    def test_stuck_sensors_say_the_same_for_ever(self):
        """One always sees something, one never, and neither makes an edge."""
        noise = Noise(stuck_on=frozenset({"edge.A1.1"}), stuck_dead=frozenset({"edge.A1.2"}))
        assert {edge.sensor for edge in heard(noise)} == set(NAMES) - {"edge.A1.1", "edge.A1.2"}
        levels = NoisySensors(noise, NAMES, 0).levels
        assert levels["edge.A1.1"]
        assert not levels["edge.A1.2"]

    def test_a_stuck_sensor_must_exist(self):
        """A name that the board has not is a mistake of whoever wrote it."""
        with pytest.raises(ValueError, match=r"no sensor edge\.Z9\.9"):
            NoisySensors(Noise(stuck_on=frozenset({"edge.Z9.9"})), NAMES, 0)


class TestSameAgain:
    """Noise comes from its seed."""

    def test_the_same_seed_gives_the_same_noise(self):
        """And another seed another."""
        noise = Noise(miss=0.1, bounce=0.2, ghosts_per_s=1.0, jitter_us=500)
        assert heard(noise, 200, seed=5) == heard(noise, 200, seed=5)
        assert heard(noise, 200, seed=5) != heard(noise, 200, seed=6)

    @pytest.mark.parametrize(
        "wrong", [{"miss": 1.1}, {"bounce": -0.1}, {"ghosts_per_s": -1.0}, {"jitter_us": -1}]
    )
    def test_impossible_noise_is_refused(self, wrong):
        """Probabilities are 0..1 and nothing is negative."""
        with pytest.raises(ValueError, match=next(iter(wrong))):
            Noise(**wrong)
