"""The tracker on single rolls, told edge by edge."""

import pytest
from helpers.tiers import nightly
from helpers.trackbench import ALL_UNKNOWN, BOARD, HOLE, STRAIGHT, Bench, check_books, touches, way
from hextraction.board.facts import BallEntered, BallReleased, Doubt
from hextraction.board.instruments import instruments
from hextraction.controller.games.hextraction.cards.tilebook import load_tiles
from hextraction.controller.tracking import Laid, Tracker

TILES = load_tiles()
DOWN_B = (("ramp.L2", 1000), ("ball.B1", 1085), ("edge.B1.4", 1150), ("ball.B2", 1210))


@pytest.mark.parametrize("which", ["basic", "lean", "rich"])
def test_a_clean_roll_is_told_tile_by_tile(which):
    """A ball down two tiles is told at once, and settles with both contacts."""
    bench = Bench(which)
    for sensor, at_ms in DOWN_B:
        if sensor in bench.sensors:
            bench.pulse(sensor, at_ms)
    bench.on("ball.B2", 1400)

    assert way(bench.live) == ["released L2", "entered B1", "left B1", "entered B2"]
    settled = bench.quiet()
    assert way(settled.facts) == ["released L2", "entered B1", "left B1", "entered B2"]
    assert settled.missing == ()
    assert dict(bench.tracker.resting) == {1: "B2"}


def test_a_roll_settles_two_seconds_after_the_last_edge():
    """Quiet is 2 s without an edge."""
    bench = Bench()
    bench.pulses(*DOWN_B)

    assert bench.tracker.moving
    assert bench.tracker.wake_at_us == 3_232_000
    assert bench.tracker.advance(3_231_999) == ()
    assert bench.tracker.advance(3_232_000)[0].at_us == 3_232_000
    assert not bench.tracker.moving
    assert bench.tracker.wake_at_us is None


def test_feeding_after_the_quiet_settles_first():
    """An edge that comes late does not join a roll that was over."""
    bench = Bench()
    bench.pulses(*DOWN_B)
    bench.pulse("ramp.R2", 9_000)

    assert len(bench.settled) == 1
    assert bench.settled[0].at_us == 3_232_000


def test_fewer_sensors_are_less_sure():
    """Without edge sensors the account of the same roll is not as probable."""
    sure = {}
    for which in ("basic", "rich"):
        bench = Bench(which)
        for sensor, at_ms in DOWN_B:
            if sensor in bench.sensors:
                bench.pulse(sensor, at_ms)
        sure[which] = bench.quiet().probability
    assert 0 < sure["basic"] < sure["rich"] <= 1


def test_a_missed_edge_is_filled_in():
    """A ball whose crossing no sensor told of was on the tile between all the same."""
    bench = Bench()
    bench.pulses(
        ("ramp.L2", 1000), ("ball.B1", 1085), ("ball.B2", 1210), ("edge.B2.4", 1280), ("ball.B3", 1350)
    )

    assert touches(bench.live) == {"B1": 1, "B2": 1, "B3": 1}
    assert touches(bench.quiet().facts) == {"B1": 1, "B2": 1, "B3": 1}


def test_a_missed_ramp_beam_is_inferred_when_the_release_was_announced():
    """The first contact of the slot tells of a release that the beam missed."""
    bench = Bench()
    bench.tracker.expect("L2", 900_000)
    bench.pulses(*DOWN_B[1:])

    assert way(bench.live)[:2] == ["released L2", "entered B1"]
    assert way(bench.quiet().facts) == ["released L2", "entered B1", "left B1", "entered B2"]


def test_a_missed_ramp_beam_without_word_is_found_at_the_quiet():
    """A row of contacts with no known ball is a ball whose release was missed."""
    bench = Bench()
    bench.pulses(*DOWN_B[1:], ("edge.B2.4", 1280))

    assert touches(bench.quiet().facts) == {"B1": 1, "B2": 1, "B3": 1}


def test_a_ball_that_rocks_into_another_ramps_mouth_is_at_once_no_release_where_balls_come_through_gates():
    """The phones would tell of a ball that nobody has let go."""
    bench = Bench()
    bench.tracker.through_gates(only=True)
    bench.tracker.expect("L2", 900_000)
    bench.pulses(("ramp.L2", 1000), ("ball.B1", 1085), ("edge.B1.3", 1385), ("ramp.L3", 1685))

    assert way(bench.live).count("released L2") == 1
    assert "released L3" not in way(bench.live)


def test_word_of_a_release_after_its_beam_is_no_second_ball():
    """People may say that they released a ball when the beam has already told."""
    bench = Bench()
    bench.pulses(*DOWN_B)
    bench.tracker.expect("L2", 1_400_000)

    assert way(bench.quiet().facts).count("released L2") == 1


def test_an_announced_ball_that_never_comes_is_stuck():
    """Eight seconds after the gate opened the ball is said to be stuck on its ramp."""
    bench = Bench()
    bench.tracker.expect("R1", 1_000_000)

    assert bench.tracker.moving
    assert bench.tracker.wake_at_us == 9_000_000
    assert way(bench.quiet().facts) == ["released R1", "stuck R1"]


def test_a_ball_that_still_covers_its_ramps_beam_is_stuck():
    """With a tile of unknown shape below, and no contact for 8 s."""
    bench = Bench()
    bench.on("ramp.L1", 1000)

    settled = bench.quiet()
    assert way(settled.facts) == ["released L1", "stuck L1"]
    assert settled.at_us == 9_000_000


@pytest.mark.parametrize("announced", [False, True])
def test_a_ball_that_has_passed_its_ramps_beam_is_on_the_tile_below_rather_than_stuck(announced):
    """Also where the tile's shape is unknown; a ball against a wall there would still cover the beam."""
    bench = Bench()
    if announced:
        bench.tracker.expect("L1", 940_000)
    bench.pulse("ramp.L1", 1000, length_ms=32)

    assert way(bench.quiet().facts) == ["released L1", "entered B1"]


def test_two_balls_that_touch_come_down_a_ramp_in_one_pulse():
    """It lasts for as long as both; each release was announced, so none is stuck above."""
    bench = Bench(tiles=ALL_UNKNOWN | {"B1": Laid(STRAIGHT, 0), "B2": Laid(STRAIGHT, 0)})
    bench.tracker.expect("L2", 940_000)
    bench.tracker.expect("L2", 960_000)
    bench.pulse("ramp.L2", 1000, length_ms=64)
    bench.pulse("ball.B1", 1090, length_ms=70)
    bench.pulse("edge.B1.4", 1160, length_ms=40)
    bench.pulse("ball.B2", 1220, length_ms=60)

    settled = bench.quiet()
    told = way(settled.facts)
    assert told.count("released L2") == 2
    assert told.count("entered B2") == 2
    assert min(fact.at_us for fact in settled.facts if isinstance(fact, BallEntered)) == 1_064_000
    check_books(settled.facts, {})
    assert "stuck L2" not in told


@pytest.mark.parametrize(("gap_ms", "balls"), [(79, 1), (80, 2)])
def test_a_ramp_pulsing_again_is_another_ball_at_once_after_the_time_of_one_contact(gap_ms, balls):
    """Phones show it before anything else is seen of either; within 80 ms it may be the same ball rocking (R-13)."""
    bench = Bench()
    bench.pulse("ramp.L1", 1000, length_ms=22)
    bench.pulse("ramp.L1", 1022 + gap_ms)

    assert way(bench.live) == ["released L1"] * balls


def test_two_balls_close_behind_each_other_are_two_though_nobody_announces_them():
    """Two pulses of a ramp's beam, each as long as that of a passing ball, are no pulse broken in two."""
    bench = Bench(tiles=ALL_UNKNOWN | {"B1": Laid(STRAIGHT, 0), "B2": Laid(STRAIGHT, 0)})
    steps = []
    for start_ms in (1000, 1037):
        steps += [
            (start_ms + after_ms, sensor, length_ms)
            for sensor, after_ms, length_ms in (
                ("ramp.L2", 0, 33),
                ("ball.B1", 80, 30),
                ("edge.B1.4", 150, 22),
                ("ball.B2", 200, 28),
                ("edge.B2.4", 260, 20),
            )
        ]
    edges = [(at_ms, sensor, True) for at_ms, sensor, _length_ms in steps]
    edges += [(at_ms + length_ms, sensor, False) for at_ms, sensor, length_ms in steps]
    for at_ms, sensor, active in sorted(edges):
        bench.take(bench.tracker.feed(sensor, active, at_ms * 1000))

    told = way(bench.quiet().facts)
    assert told.count("released L2") == 2
    assert told.count("left B2") == 2


def test_a_stuck_ball_that_comes_free_touches_its_slot():
    """A freed ball needs no second release."""
    bench = Bench()
    bench.on("ramp.L1", 1000)
    bench.quiet()
    bench.off("ramp.L1", 19_950)
    bench.pulses(("ball.B1", 20_000), ("edge.B1.4", 20_080))

    assert way(bench.quiet().facts) == ["entered B1", "left B1", "entered B2"]


def test_a_swift_ball_is_in_a_slot_whose_tile_lets_it_in():
    """A tile known to be open towards the ramp is entered when the ramp's beam is clear again."""
    bench = Bench(tiles=ALL_UNKNOWN | {"B1": Laid(STRAIGHT, 0)})
    bench.on("ramp.L2", 1000)

    assert way(bench.off("ramp.L2", 1030)) == ["entered B1"]


def test_a_slow_ball_is_not_said_to_be_in_a_slot_before_something_sees_it_there():
    """It covered the ramp's beam for 200 ms, and may have rolled back."""
    bench = Bench(tiles=ALL_UNKNOWN | {"B1": Laid(STRAIGHT, 0)})
    bench.on("ramp.L2", 1000)

    assert bench.off("ramp.L2", 1200) == ()
    assert way(bench.on("ball.B1", 1400)) == ["entered B1"]


def test_where_gates_announce_balls_a_blind_ramp_lets_none_down_unannounced():
    """One of this roll was announced, so phones show no ball that was not."""
    bench = Bench()
    bench.tracker.declare_broken("ramp.R2")
    bench.tracker.expect("L2", 920_000)
    bench.pulses(("ramp.L2", 1000), ("ball.D1", 1085))

    assert way(bench.live) == ["released L2"]


def test_a_ghost_far_from_any_ball_is_ignored_and_counted():
    """One pulse that no ball can cause is not a fact, nor a roll."""
    bench = Bench(balls={3: "A4"})
    bench.pulse("edge.D2.4", 1000)

    assert bench.live == []
    assert not bench.tracker.moving
    assert bench.tracker.ignored["edge.D2.4"] == 1
    assert bench.quiet() is None


def test_a_ghost_during_a_roll_changes_nothing():
    """The same roll with a ghost at the other end of the board has the same contacts."""
    bench = Bench()
    bench.pulses(*DOWN_B[:3], ("edge.E3.4", 1170), DOWN_B[3])

    assert touches(bench.quiet().facts) == {"B1": 1, "B2": 1}
    assert bench.tracker.ignored["edge.E3.4"] == 1


@pytest.mark.parametrize("gap_ms", [3, 15, 60])
def test_a_split_pulse_is_one_contact(gap_ms):
    """The same sensor again within 80 ms is no second touch."""
    bench = Bench()
    bench.pulses(*DOWN_B[:2])
    bench.pulse("edge.B1.4", 1150, 10)
    bench.pulse("edge.B1.4", 1160 + gap_ms, 10)
    bench.pulse("ball.B2", 1240)

    assert touches(bench.live) == {"B1": 1, "B2": 1}
    assert touches(bench.quiet().facts) == {"B1": 1, "B2": 1}


def test_a_ball_that_really_comes_back_touches_again():
    """Leaving over an edge and coming back 400 ms later is a second touch."""
    bench = Bench()
    bench.pulses(*DOWN_B, ("edge.B1.4", 1600), ("ball.B1", 1680))

    assert touches(bench.quiet().facts) == {"B1": 2, "B2": 1}


def test_a_resting_ball_knocked_loose_is_told():
    """A ball that rested leaves its slot, without having entered it in this roll."""
    bench = Bench(balls={5: "B2"})
    bench.pulses(("ramp.L2", 1000), ("ball.B1", 1085), ("edge.B2.4", 1230))
    bench.on("ball.B3", 1290)

    settled = bench.quiet()
    assert "left B2" in way(settled.facts)
    assert touches(settled.facts)["B3"] == 1
    assert len(bench.tracker.resting) == 2


def test_motion_without_a_release_settles_too():
    """An accident has facts and an end, but no release."""
    bench = Bench(balls={5: "C2"})
    bench.pulses(("edge.C2.4", 1000), ("ball.C3", 1080))

    assert way(bench.quiet().facts) == ["left C2", "entered C3"]
    assert dict(bench.tracker.resting) == {5: "C3"}


def test_two_balls_on_different_paths_are_kept_apart():
    """Contacts are counted for both, and each ball has its own number."""
    bench = Bench()
    bench.pulses(
        ("ramp.L2", 1000),
        ("ramp.R2", 1040),
        ("ball.B1", 1085),
        ("ball.D1", 1125),
        ("edge.B1.4", 1150),
        ("edge.D1.4", 1190),
        ("ball.B2", 1215),
        ("ball.D2", 1255),
    )

    settled = bench.quiet()
    assert touches(settled.facts) == {"B1": 1, "B2": 1, "D1": 1, "D2": 1}
    assert dict(bench.tracker.resting) == {1: "B2", 2: "D2"}


@pytest.mark.parametrize("which", ["lean", "rich"])
def test_going_over_the_side_is_seen_by_its_edge(which):
    """An edge that leads off the board tells the last slot."""
    bench = Bench(which, balls={2: "A4"})
    bench.pulses(("edge.A4.4", 1000))

    assert way(bench.quiet().facts) == ["left A4", "off board A4"]
    assert dict(bench.tracker.resting) == {}


def test_going_over_the_side_unseen_is_a_doubt():
    """With ball Halls alone a ball that vanishes from the rim is missing."""
    tiles = {slot: laid for slot, laid in ALL_UNKNOWN.items() if slot != "A4"}
    bench = Bench("basic", tiles=tiles | {"A4": Laid(STRAIGHT, 0)}, balls={2: "A3"})
    bench.on("ball.A3", 100)
    bench.quiet()
    bench.off("ball.A3", 7000)
    bench.pulses(("ball.A4", 7060))
    settled = bench.quiet()

    assert settled.missing == (Doubt(ball=2, slot="A4"),)
    assert dict(bench.tracker.resting) == {}


def test_an_open_slot_is_fallen_through_without_being_entered():
    """No tile, no touch: only the fall is a fact."""
    bench = Bench(tiles={slot: laid for slot, laid in ALL_UNKNOWN.items() if slot != "B2"})
    bench.pulses(("ramp.L2", 1000), ("ball.B1", 1085), ("edge.B1.4", 1150), ("drain.B2", 1240))

    assert way(bench.live) == ["released L2", "entered B1", "left B1", "fell B2"]
    assert way(bench.quiet().facts) == ["released L2", "entered B1", "left B1", "fell B2"]


def test_a_ball_over_an_open_slot_has_fallen_even_if_the_drain_missed_it():
    """Nothing else can become of it."""
    bench = Bench(tiles={slot: laid for slot, laid in ALL_UNKNOWN.items() if slot != "B2"})
    bench.pulses(("ramp.L2", 1000), ("ball.B1", 1085), ("edge.B1.4", 1150))

    assert way(bench.quiet().facts)[-1] == "fell B2"


def test_a_hole_tile_is_entered_and_then_fallen_through():
    """A tile with a hole is touched first."""
    bench = Bench(tiles=ALL_UNKNOWN | {"B2": Laid(HOLE, 0)})
    bench.pulses(("ramp.L2", 1000), ("ball.B1", 1085), ("edge.B1.4", 1150), ("drain.B2", 1300))

    assert way(bench.quiet().facts)[-2:] == ["entered B2", "fell B2"]


@pytest.mark.parametrize("which", ["basic", "rich"])
def test_an_end_zone_is_reached_by_its_beam_or_its_edge(which):
    """The ball is in the zone, once."""
    bench = Bench(which, balls={4: "B5"})
    bench.pulses(*[("edge.B5.4", 1000)] if which == "rich" else [], ("zone.L", 1040))
    bench.on("rest.L", 1300)

    assert way(bench.quiet().facts) == ["left B5", "in zone L"]


def test_a_ball_may_come_back_out_of_a_zone():
    """In and out is told, and where it went."""
    bench = Bench(balls={4: "B5"})
    bench.pulses(
        ("edge.B5.4", 1000), ("zone.L", 1040), ("zone.L", 1400), ("edge.B5.4", 1450), ("ball.B5", 1530)
    )

    assert way(bench.quiet().facts) == ["left B5", "in zone L", "left zone L", "entered B5"]


DOWN_AND_OUT = (("ramp.L3", 1050), ("ball.B1", 1150), ("edge.A1.2", 1220), ("drain.A1", 1300))


def test_a_knock_at_the_mouth_of_a_zone_is_no_win():
    """A ball lies above the zone; the beam in its mouth flickers, and nothing in the zone says that a ball came."""
    tiles = {"B1": Laid(TILES["asterisk"], 0), "D5": Laid(TILES["pachinko"], 3)}
    bench = Bench(tiles=tiles, balls={12: "D5"})
    bench.tracker.expect("L3", 1_000_000)
    bench.pulses(*DOWN_AND_OUT)
    bench.pulse("edge.D5.4", 2900, 41)

    assert "in zone R" not in way(bench.quiet().facts)


def test_a_ball_seen_by_the_zone_s_own_beam_has_won_though_its_hall_is_silent():
    """Two sensors speak for it, one does not."""
    bench = Bench(tiles={"D5": Laid(TILES["pachinko"], 3)}, balls={12: "D5"})
    bench.pulses(("edge.D5.4", 2900), ("zone.R", 2960))

    assert "in zone R" in way(bench.quiet().facts)


def test_a_ball_that_rocks_before_an_open_slot_has_not_been_over_the_brink():
    """What is over it falls, and was not back five times; the sixth time it falls."""
    dish, star = Laid(TILES["blue-shell"], 0), Laid(TILES["asterisk"], 0)
    bench = Bench(tiles={"B1": star, "B2": star, "B3": dish})
    bench.tracker.expect("L2", 1_000_000)
    bench.pulses(("ramp.L2", 1050), ("ball.B1", 1115), ("edge.B1.4", 1170), ("ball.B2", 1220))
    bench.pulses(("edge.B2.4", 1270), ("ball.B3", 1310))
    for at_ms, length_ms in (
        (1346, 15),
        (1668, 29),
        (1818, 22),
        (1962, 31),
        (2097, 36),
        (2235, 31),
        (2364, 96),
    ):
        bench.pulse("edge.B3.4", at_ms, length_ms)
    bench.pulse("drain.B4", 2511, 8)
    settled = bench.quiet()

    assert touches(settled.facts)["B3"] == 1
    assert way(settled.facts)[-1] == "fell B4"


def test_a_stuck_sensor_becomes_a_suspect_and_is_cleared_when_it_goes_off():
    """On for 5 s with no ball near."""
    bench = Bench()
    bench.on("ball.E2", 1000)

    assert bench.tracker.suspects == ()
    assert bench.tracker.wake_at_us == 6_000_000
    bench.tracker.advance(6_000_000)
    assert bench.tracker.suspects == ("ball.E2",)
    bench.off("ball.E2", 7000)
    assert bench.tracker.suspects == ()


def test_a_chattering_sensor_cannot_keep_a_roll_from_settling():
    """A sensor that pulses for no reason is distrusted after a dozen times."""
    bench = Bench()
    bench.pulses(*DOWN_B)
    for at_ms in range(1300, 8000, 100):
        bench.pulse("edge.E3.4", at_ms, 10)

    assert bench.tracker.suspects == ("edge.E3.4",)
    assert touches(bench.settled[0].facts) == {"B1": 1, "B2": 1}
    bench.tracker.declare_working("edge.E3.4")
    assert bench.tracker.suspects == ()


def test_a_broken_sensor_is_not_believed_and_not_missed():
    """Its pulses are ignored, and a ball that passes it unseen is no surprise."""
    bench = Bench()
    bench.tracker.declare_broken("edge.B1.4")
    bench.pulses(DOWN_B[0], DOWN_B[1], DOWN_B[3], ("edge.B1.4", 1300))

    assert bench.tracker.ignored["edge.B1.4"] == 2
    broken = bench.quiet()
    assert touches(broken.facts) == {"B1": 1, "B2": 1}
    bench.tracker.declare_working("edge.B1.4")
    bench.tracker.put_balls({1: "B1"})
    bench.pulses(("edge.B1.4", 20_000))
    assert way(bench.live)[-2:] == ["left B1", "entered B2"]


def test_unknown_names_are_counted_and_tile_halls_are_not():
    """A name that means nothing here is no error."""
    bench = Bench()
    bench.pulse("edge.Z9.1", 1000)
    bench.pulse("tile.B1", 1000)

    assert bench.tracker.ignored == {"edge.Z9.1": 2}


def test_levels_read_again_after_a_gap_count_as_edges():
    """A ball that reached the next tile while nobody listened is found there; the account is less sure."""
    bench = Bench()
    bench.pulses(*DOWN_B[:3])
    found = bench.tracker.resync({"ball.B3": True, "ball.B1": False}, 1_600_000)
    settled = bench.quiet()

    assert way(found)[-1] == "entered B3"
    assert touches(settled.facts) == {"B1": 1, "B2": 1, "B3": 1}
    assert settled.probability <= 0.5


def test_after_the_levels_of_a_gap_a_sensor_may_err_again():
    """What was on after the gap was real; a lone pulse later, below a ball at rest, moves nobody."""
    bench = Bench(balls={1: "C1"})
    bench.tracker.resync({"ball.C2": False}, 500_000)
    bench.pulse("ball.C2", 1000)

    assert bench.live == []


def test_a_ball_that_its_ramp_missed_comes_rather_from_where_one_was_announced():
    """Another ramp's beam is broken, so one may have come from there as well; nobody said so."""
    bench = Bench()
    bench.tracker.declare_broken("ramp.L1")
    bench.tracker.expect("L2", 900_000)
    bench.pulse("ball.B1", 1000)

    assert way(bench.live) == ["released L2", "entered B1"]


def test_times_that_go_back_are_taken_as_now():
    """No fact is older than the one before it."""
    bench = Bench()
    bench.pulse("ramp.L2", 1000)
    bench.on("ball.B1", 200)

    assert [fact.at_us for fact in bench.live] == [1_000_000, 1_022_000]


def test_ball_numbers_are_never_used_twice():
    """A new ball gets a number above all that were ever known."""
    bench = Bench(balls={9: "C3"})
    bench.pulses(*DOWN_B)

    assert bench.live[0] == BallReleased(at_us=1_000_000, ball=10, ramp="L2")
    bench.quiet()
    bench.tracker.put_balls({})
    bench.pulse("ramp.L2", 30_000)
    assert bench.live[-1].ball == 11


def test_putting_balls_drops_the_roll_under_way():
    """People's word about where balls rest is final."""
    bench = Bench()
    bench.pulses(*DOWN_B)
    bench.tracker.put_balls({1: "E1"})

    assert not bench.tracker.moving
    assert bench.quiet() is None
    assert dict(bench.tracker.resting) == {1: "E1"}


def test_a_tile_laid_in_the_middle_of_a_roll_changes_what_follows_only():
    """A slot that opens under the roll is fallen through from then on."""
    bench = Bench()
    bench.pulses(*DOWN_B[:3])
    bench.tracker.lay({slot: laid for slot, laid in ALL_UNKNOWN.items() if slot != "B3"})
    bench.pulses(("ball.B2", 1210), ("edge.B2.4", 1270), ("drain.B3", 1350))

    assert way(bench.quiet().facts) == [
        "released L2",
        "entered B1",
        "left B1",
        "entered B2",
        "left B2",
        "fell B3",
    ]


def test_a_roll_without_ramp_sensors_is_told_from_the_slots():
    """A board that has no ramp beams still sees its balls."""
    names = [i.name for i in instruments(BOARD) if not i.name.startswith("ramp.")]
    tracker = Tracker(BOARD, names)
    tracker.lay(ALL_UNKNOWN)

    facts = tracker.feed("ball.B1", active=True, at_us=1_000_000)
    assert [type(fact) for fact in facts] == [BallReleased, BallEntered]


@nightly(
    "nine hundred pulses",
    meanwhile="tests/tracking/test_long.py::test_more_than_a_hundred_pulses_behind_one_are_too_many",
)
def test_a_very_long_roll_stays_bounded():
    """Thousands of pulses are told as they come: of 900 a few hundred at most are left to think about."""
    bench = Bench()
    bench.pulses(*DOWN_B)
    for lap in range(300):
        bench.pulses(
            ("edge.B1.4", 2000 + lap * 800), ("edge.B1.4", 2400 + lap * 800), ("ball.B2", 2470 + lap * 800)
        )

    thoughts = 0
    while bench.tracker.think_ahead():
        thoughts += 1
    assert thoughts <= 300
    assert touches(bench.quiet().facts)["B2"] == 301
