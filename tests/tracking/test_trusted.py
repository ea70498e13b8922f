"""When a roll begins and ends, and what it may blame sensors for: gaps, gates, strays, broken sensors."""

import pytest
from helpers.trackbench import ALL_UNKNOWN, STRAIGHT, Bench, touches, way
from hextraction.board.facts import Doubt
from hextraction.controller.games.hextraction.tilebook import load_catalogue
from hextraction.controller.tracking import Laid

MS = 1000
TILES = load_catalogue()
ALL_STRAIGHT = dict.fromkeys(ALL_UNKNOWN, Laid(STRAIGHT, 0))


def without(*slots):
    """Return unknown tiles in all slots but some."""
    return {slot: laid for slot, laid in ALL_UNKNOWN.items() if slot not in slots}


class TestBeginsAndEnds:
    """What belongs to a roll, and for how long it is waited."""

    def test_a_gate_that_is_told_late_has_opened_now(self):
        """A time before the last one counts as the last one: its ball has eight seconds from then."""
        bench = Bench()
        bench.pulse("drain.E1", 900_000)
        bench.tracker.expect("R1", 0)

        assert bench.tracker.wake_at_us == 908_022 * MS

    @pytest.mark.parametrize("idle", [False, True])
    def test_a_stray_in_a_roll_is_waited_for_however_much_was_thought_before(self, idle):
        """Quiet is two seconds without any edge: it may be the ball that rolls again."""
        bench = Bench()
        bench.pulses(("ramp.L2", 1000), ("ball.B1", 1085), ("edge.B1.4", 1150), ("ball.B2", 1215))
        bench.take(bench.tracker.advance(2_000 * MS))
        while idle and bench.tracker.think_ahead():
            pass
        bench.on("edge.E3.4", 3_000)

        assert bench.tracker.wake_at_us == 5_000 * MS

    def test_any_edge_is_waited_for_even_of_a_ball_that_lies_where_it_lay(self):
        """Two strays began the roll; two seconds count from the last edge, whosever it was."""
        bench = Bench(balls={1: "A1"})
        bench.pulses(("ball.D3", 1000), ("ball.D4", 1150))
        assert bench.on("ball.A1", 3000) == ()

        assert bench.tracker.wake_at_us == 5_000 * MS

    def test_a_ball_that_rolls_from_one_open_slot_into_another_begins_a_roll(self):
        """Nothing is touched, so nothing is told at once; when all is quiet it has fallen."""
        bench = Bench("basic", tiles=without("C3", "C4"), balls={1: "C3"})
        assert bench.tracker.resync({"ball.C4": True}, 1_000 * MS) == ()
        assert bench.tracker.moving
        bench.off("ball.C4", 1030)

        assert way(bench.quiet().facts) == ["left C3", "fell C4"]

    def test_every_account_of_a_ball_that_lay_where_no_tile_is_begins_with_its_leaving(self):
        """That of each answer, and of each answer to what is asked then."""
        bench = Bench(tiles=without("E1"), balls={9: "E1"}, ask_below=0.95)
        for ramp in ("L2", "R2"):
            bench.tracker.expect(ramp, 920 * MS)
        bench.pulses(("ramp.L2", 1000), ("ramp.R2", 1000), ("ball.B1", 1085), ("ball.D1", 1085))
        bench.on("edge.B1.4", 1150)
        bench.pulses(("edge.D1.4", 1150), ("ball.D2", 1220), ("edge.D1.4", 1500), ("ball.D1", 1700))
        bench.pulse("edge.D1.4", 1900, length_ms=160)
        bench.pulse("edge.E1.4", 2000)
        bench.on("ball.E2", 2080)
        settled = bench.quiet()
        answers = settled.question.answers
        later = [more for answer in answers if answer.question for more in answer.question.answers]

        firsts = [
            way([fact for fact in told.facts if fact.ball == 9])[0] for told in (settled, *answers, *later)
        ]
        assert later
        assert set(firsts) == {"fell E1", "left E1"}

    def test_a_loss_is_told_though_nothing_was_told_at_once(self):
        """Its Hall went off and it is nowhere else: two strays elsewhere are no ball, and it is missing."""
        bench = Bench("basic", tiles=without("A4") | {"A4": Laid(STRAIGHT, 0)}, balls={2: "A4"})
        assert bench.tracker.cover("ball.A4")
        bench.off("ball.A4", 1000)
        bench.pulse("ball.E1", 1100, length_ms=10)
        bench.pulse("ball.B5", 1200, length_ms=10)

        assert bench.quiet().missing == (Doubt(ball=2, slot="A4"),)
        assert bench.live == []

    @pytest.mark.parametrize("which", ["basic", "lean", "rich"])
    def test_what_was_told_at_once_and_did_not_happen_is_taken_back(self, which):
        """A release was told, then a resting ball was seen where it lies: the roll settles with no fact."""
        bench = Bench(which, balls={4: "B1"})
        bench.on("ball.B1", 1)
        bench.pulse("ramp.R1", 1000)
        bench.off("ball.B1", 1100)
        bench.on("ball.B1", 1200)

        assert way(bench.live) == ["released R1"]
        assert bench.quiet().facts == ()

    def test_a_ball_that_came_to_lie_over_a_hall_hides_who_comes_by_in_the_next_roll(self):
        """That Hall is on all the time: who is seen below passed it, and no miss is needed for that."""
        bench = Bench()
        bench.pulses(("ramp.L2", 1000), ("ball.B1", 1085), ("edge.B1.4", 1150))
        bench.on("ball.B2", 1215)
        bench.quiet()
        bench.pulses(("ramp.L2", 21_000), ("ball.B1", 21_085), ("edge.B2.4", 21_280))

        assert touches(bench.quiet().facts)["B3"] == 1


class TestGaps:
    """Rolls during which nobody listened for a while."""

    def test_after_levels_were_read_at_rest_the_next_roll_is_as_sure_as_any(self):
        """The gap was before it."""
        bench = Bench(balls={1: "E1"})
        bench.tracker.resync({"ball.E1": True, "ball.D2": False}, 500 * MS)
        bench.pulses(("ramp.L2", 1000), ("ball.B1", 1085), ("edge.B1.4", 1150))
        bench.on("ball.B2", 1215)

        assert bench.quiet().probability > 0.9

    def test_what_nobody_listened_to_is_not_called_silent(self):
        """The ball crossed that beam in the gap, in four rolls."""
        bench = Bench()
        for start_ms in range(1000, 81_000, 20_000):
            bench.pulses(("ramp.L2", start_ms), ("ball.B1", start_ms + 85))
            bench.take(bench.tracker.resync({"ball.B2": True}, (start_ms + 400) * MS))
            bench.off("ball.B2", start_ms + 500)
            assert touches(bench.quiet().facts) == {"B1": 1, "B2": 1}
            bench.tracker.put_balls({})

        assert bench.tracker.suspects == ()


class TestBlame:
    """Which sensors a roll may blame."""

    @pytest.mark.parametrize(("tile", "turns", "blamed"), [("xc", 4, ()), ("j", 5, ("edge.A1.6",))])
    def test_only_an_account_that_is_rather_sure_blames_a_silent_sensor(self, tile, turns, blamed):
        """On a tile where every other ball rests one that vanished may lie; where none does, the beam missed it."""
        laid = {"B1": Laid(TILES["asterisk"], 0), "A1": Laid(TILES[tile], turns), "A2": Laid(TILES["dic"], 0)}
        bench = Bench(tiles=laid)
        for start_ms in range(1000, 81_000, 20_000):
            bench.tracker.expect("L2", (start_ms - 80) * MS)
            bench.pulses(("ramp.L2", start_ms), ("ball.B1", start_ms + 85))
            bench.pulses(("edge.A1.2", start_ms + 170), ("ball.A1", start_ms + 240))
            assert way(bench.quiet().facts)[-1] == "off board A1"
            bench.tracker.put_balls({})

        assert bench.tracker.suspects == blamed

    def test_while_balls_are_on_their_way_no_sensor_is_called_stuck(self):
        """Two sensors missed the ball that lies over a Hall: whose it is shows when the roll settles."""
        bench = Bench(tiles=ALL_STRAIGHT)
        bench.tracker.expect("R1", 900 * MS)
        bench.tracker.expect("L2", 920 * MS)
        bench.pulses(("ramp.L2", 1000), ("ball.B1", 1085))
        bench.on("ball.B3", 1350)
        assert bench.tracker.ignored["ball.B3"] == 1
        bench.take(bench.tracker.advance(7_000 * MS))
        assert bench.tracker.suspects == ()

        assert touches(bench.quiet().facts) == {"B1": 1, "B2": 1, "B3": 1}
        assert bench.tracker.suspects == ()

    def test_a_broken_sensor_that_stays_on_is_not_called_stuck_as_well(self):
        """Nobody listens to it."""
        bench = Bench()
        bench.tracker.declare_broken("ball.E2")
        bench.on("ball.E2", 900)
        bench.pulses(("ramp.L2", 1000), ("ball.B1", 1085), ("edge.B1.4", 1150))
        bench.on("ball.B2", 1215)
        bench.quiet()
        bench.take(bench.tracker.advance(60_000 * MS))

        assert bench.tracker.suspects == ()


class TestDeclaredBroken:
    """People say in the middle of a roll that a sensor is broken."""

    def test_what_it_has_told_before_still_counts(self):
        """Nothing else saw that ball go over the side."""
        bench = Bench("lean", balls={2: "A4"})
        bench.pulse("edge.A4.4", 1000)
        bench.tracker.declare_broken("edge.A4.4")

        assert way(bench.quiet().facts) == ["left A4", "off board A4"]

    def test_nothing_waits_for_a_sensor_that_is_on_when_it_is_declared_broken(self):
        """It will never be told to go off: what comes after it is told with as many accounts as ever."""
        bench = Bench(balls={1: "B1"})
        bench.on("edge.E3.4", 1000)
        bench.tracker.declare_broken("edge.E3.4")
        for number in range(110):
            bench.pulse(("edge.B1.4", "ball.B2", "edge.B1.4", "ball.B1")[number % 4], 1100 + 150 * number)
            while bench.tracker.think_ahead():
                pass
        bench.quiet()

        assert bench.tracker.narrowed == 0

    def test_what_is_known_of_full_pockets_is_not_forgotten(self):
        """A sensor elsewhere has nothing to do with where the next ball goes."""
        told = []
        for broken in ([], ["edge.E3.4"]):
            bench = Bench(tiles=ALL_UNKNOWN | {"B2": Laid(TILES["triple-trap"], 0)}, balls={1: "B2"})
            for sensor in broken:
                bench.tracker.declare_broken(sensor)
            bench.tracker.expect("L2", 920 * MS)
            bench.pulses(("ramp.L2", 1000), ("ball.B1", 1085), ("edge.B1.4", 1150))
            told.append(bench.quiet())

        assert told[0] == told[1]
