"""What the tracker is unsure of and a ruling depends on is asked, and the answer is what happened."""

import pytest
from helpers.tabletop import Table, setup
from helpers.trackbench import BOARD, HOLE, STRAIGHT, Bench, touches, way
from hextraction.board.facts import Answer, BallEntered, BallLeft, BallReleased, Doubt, Question, RollSettled
from hextraction.controller.games.hextraction.cards.tilebook import load_catalogue
from hextraction.controller.games.hextraction.state.state import Phase
from hextraction.controller.tracking import Laid
from hextraction.controller.tracking.graph import Graph
from hextraction.controller.tracking.odds import Odds
from hextraction.controller.tracking.questions import Weighed, choose, weigh
from hextraction.controller.tracking.stories import RESTING, Ball, Story
from hextraction.controller.tracking.sureness import as_right
from hextraction.controller.tracking.verdicts import Verdict, Verdicts
from hypothesis import given
from hypothesis import strategies as st

RELEASED = BallReleased(at_us=1, ball=1, ramp="L2")
ON_B1 = (RELEASED, BallEntered(at_us=2, ball=1, slot="B1"))
BACK = [("edge.B1.4", 1600), ("ball.B1", 1680)]
ON_B2 = (*ON_B1, BallLeft(at_us=3, ball=1, slot="B1"), BallEntered(at_us=4, ball=1, slot="B2"))
WHERE = Question(
    kind="rests",
    slots=("B1", "B2"),
    answers=(
        Answer(counts=(1, 0), facts=ON_B1, likelihood=0.6, probability=0.99),
        Answer(counts=(0, 1), facts=ON_B2, likelihood=0.4, probability=0.99),
    ),
)


TWICE_ON_B2 = (
    *ON_B2,
    BallLeft(at_us=5, ball=1, slot="B2"),
    BallEntered(at_us=6, ball=1, slot="B1"),
    BallLeft(at_us=7, ball=1, slot="B1"),
    BallEntered(at_us=8, ball=1, slot="B2"),
)
HOW_OFTEN = Question(
    kind="touches",
    slots=("B2",),
    answers=(
        Answer(counts=(1,), facts=ON_B2, likelihood=0.7, probability=0.97),
        Answer(counts=(2,), facts=TWICE_ON_B2, likelihood=0.3, probability=0.97),
    ),
)
OPEN_YET = Question(
    kind="rests",
    slots=("B1", "B2"),
    answers=(
        Answer(counts=(1, 0), facts=ON_B1, likelihood=0.6, probability=0.99),
        Answer(counts=(0, 1), facts=ON_B2, likelihood=0.4, probability=0.7, question=HOW_OFTEN),
    ),
)
"""Where a ball lies; and if it is B2, how often it touched that tile."""


def rolling():
    """Return a table at which ball 1 rolls on B1."""
    table = Table(setup())
    table.act(table.state.active, {"do": "roll", "ramp": "L2"})
    table.releases("L2")
    table.enters("B1")
    return table


def test_the_table_is_asked_where_the_ball_lies_and_its_answer_holds():
    """The settlement waits for the answer, and is the account that agrees with it."""
    table = rolling()
    table.feed(RollSettled(at_us=table.later(), facts=ON_B1, probability=0.6, question=WHERE))
    (ask,) = table.state.asks

    assert (ask.kind, [label for _word, label in ask.choices]) == ("witness", ["B1", "B2"])
    assert table.state.phase is Phase.ROLLING
    assert table.act(table.seats[-1], {"do": "answer", "prompt": ask.id, "choice": "B2"}) is None
    assert table.state.roll.record.on == {1: ("B2",)}
    assert table.state.roll.held is None
    assert table.replayed() == table.state


def test_nobody_answers_and_the_likeliest_holds():
    """After the usual time the first answer is taken."""
    table = rolling()
    table.feed(RollSettled(at_us=table.later(), facts=ON_B1, probability=0.6, question=WHERE))
    assert table.wakes()

    assert not any(ask.kind == "witness" for ask in table.state.asks)
    assert table.state.roll.record.on == {1: ("B1",)}


def test_a_ball_that_moves_again_does_not_wait_for_the_answer():
    """The likeliest answer holds, and the roll goes on."""
    table = rolling()
    table.feed(RollSettled(at_us=table.later(), facts=ON_B1, probability=0.6, question=WHERE))
    table.leaves("B1")

    assert table.state.roll.held is None
    assert not any(ask.kind == "witness" for ask in table.state.asks)
    assert table.state.roll.record.on == {}


def asked_where(question=OPEN_YET):
    """Return a table that was just asked where the ball lies, and the question."""
    table = rolling()
    table.feed(RollSettled(at_us=table.later(), facts=ON_B1, probability=0.6, question=question))
    (ask,) = table.state.asks
    return table, ask


def way_of_the_ball(table):
    """Return the slots that ball 1 came to, as the table has it."""
    return table.state.roll.record.trails[1]


def says(table, ask, choice):
    """Let somebody answer."""
    assert table.act(table.seats[-1], {"do": "answer", "prompt": ask.id, "choice": choice}) is None


def test_what_an_answer_leaves_open_is_asked_in_turn():
    """The settlement goes on waiting, and the second answer's account holds."""
    table, ask = asked_where()
    says(table, ask, "B2")
    (more,) = table.state.asks

    assert (more.kind, more.text) == ("witness", "How often was B2 touched?")
    assert table.state.phase is Phase.ROLLING
    assert table.state.roll.held.probability == 0.7
    says(table, more, "2")
    assert not table.state.asks
    assert way_of_the_ball(table) == ("B1", "B2", "B1", "B2")
    assert table.replayed() == table.state


def test_an_answer_that_leaves_nothing_open_is_the_last():
    """A ball on B1 cannot have touched B2."""
    table, ask = asked_where()
    says(table, ask, "B1")

    assert not table.state.asks
    assert table.state.roll.held is None


def test_who_does_not_answer_is_not_asked_again():
    """When the time is over the likeliest answer holds, whatever it leaves open."""
    likely_open = OPEN_YET.answers[::-1]
    table, _ask = asked_where(Question(kind="rests", slots=("B1", "B2"), answers=likely_open))
    assert table.wakes()

    assert not any(ask.kind == "witness" for ask in table.state.asks)
    assert table.state.roll.record.on == {1: ("B2",)}


def test_who_answers_once_and_then_not_leaves_the_likeliest_account():
    """The first answer holds, and of the accounts that agree with it the likeliest."""
    table, ask = asked_where()
    says(table, ask, "B2")
    assert table.wakes()

    assert not any(one.kind == "witness" for one in table.state.asks)
    assert way_of_the_ball(table) == ("B1", "B2")


def test_a_ball_that_moves_does_not_wait_for_the_second_answer():
    """As with the first, the likeliest holds and the roll goes on."""
    table, ask = asked_where()
    says(table, ask, "B2")
    table.leaves("B2")

    assert table.state.roll.held is None
    assert not any(one.kind == "witness" for one in table.state.asks)


def unsure_bench(**settings):
    """Return a bench whose tracker asks with these settings."""
    return Bench(**settings)


def lies_in_a_mouth(bench):
    """Let a ball come to B1 and stay before the edge to B2."""
    bench.pulses(("ramp.L2", 1000), ("ball.B1", 1085))
    bench.on("edge.B1.4", 1150)
    return bench.quiet()


def test_a_ball_in_a_mouth_is_asked_for():
    """Nobody can tell from a covered beam on which of two tiles the ball lies."""
    settled = lies_in_a_mouth(unsure_bench(ask_below=0.999))

    assert settled.question.kind == "rests"
    assert {"B1", "B2"} <= set(settled.question.slots)
    assert settled.facts == settled.question.answers[0].facts
    assert sum(answer.likelihood for answer in settled.question.answers) == pytest.approx(1.0, abs=0.02)
    for answer in settled.question.answers:
        assert touches(answer.facts)["B1"] >= 1


def test_what_the_answer_leaves_open_has_a_question_of_its_own():
    """One ball lies in a mouth, another may have come back up: where they lie does not tell how often."""
    bench = unsure_bench(ask_below=0.95)
    for ramp in ("L2", "R2"):
        bench.tracker.expect(ramp, 920_000)
    bench.pulses(("ramp.L2", 1000), ("ramp.R2", 1000), ("ball.B1", 1085), ("ball.D1", 1085))
    bench.on("edge.B1.4", 1150)
    bench.pulses(("edge.D1.4", 1150), ("ball.D2", 1220), ("edge.D1.4", 1500), ("ball.D1", 1700))
    bench.pulse("edge.D1.4", 1900, length_ms=160)
    asked = bench.quiet().question
    likeliest = asked.answers[0]

    assert (asked.kind, likeliest.question.kind, likeliest.question.slots) == ("rests", "third", ("D1",))
    assert likeliest.facts == likeliest.question.answers[0].facts
    assert likeliest.probability < 0.95
    for answer in likeliest.question.answers:
        assert (touches(answer.facts)["D1"] >= 3) == bool(answer.counts[0])
        assert answer.question is None


def test_what_is_sure_enough_is_not_asked():
    """The threshold is a setting."""
    assert lies_in_a_mouth(unsure_bench(ask_below=0.05)).question is None


def test_far_beyond_three_touches_the_exact_count_is_nobodys_question():
    """A ball that rocks between two tiles without triggers breaks the loop, however often it did."""
    bench = Bench()
    bench.pulses(("ramp.L2", 1000), ("ball.B1", 1085))
    for step in range(14):
        bench.pulse("edge.B1.4", 1150 + 300 * step, 60)
        bench.pulse("ball.B2" if step % 2 == 0 else "ball.B1", 1300 + 300 * step)
    settled = bench.quiet()

    assert touches(settled.facts)["B1"] >= 3
    assert touches(settled.facts)["B2"] >= 3
    assert settled.question is None or settled.question.kind != "third"
    assert way(settled.facts)[0] == "released L2"


def crossing(sensor, skipped, start_ms):
    """Return pulses of a ball that comes down column B, without those of one sensor."""
    seen = [("ramp.L2", 0), ("ball.B1", 85), ("edge.B1.4", 150), ("ball.B2", 215)]
    return [(name, start_ms + at_ms) for name, at_ms in seen if not (skipped and name == sensor)]


def test_a_silent_sensor_is_found_within_three_rolls_and_forgiven_when_it_speaks():
    """Its neighbours saw three balls pass on end; from then on nobody is blamed for passing it unseen."""
    bench = Bench()
    for number in range(3):
        assert bench.tracker.suspects == ()
        bench.pulses(*crossing("edge.B1.4", skipped=True, start_ms=1000 + 20_000 * number))
        bench.quiet()
        bench.tracker.put_balls({})
    assert bench.tracker.suspects == ("edge.B1.4",)
    bench.pulses(*crossing("edge.B1.4", skipped=False, start_ms=100_000))
    assert bench.tracker.suspects == ()
    assert touches(bench.quiet().facts) == {"B1": 1, "B2": 1}


def test_the_order_of_simultaneous_edges_does_not_matter():
    """Two balls that are seen at the very same moments are told alike, whichever edge comes first."""
    told = []
    for order in (1, -1):
        bench = Bench()
        for (left, at_ms), right in zip(
            crossing("", skipped=False, start_ms=1000),
            ("ramp.R2", "ball.D1", "edge.D1.4", "ball.D2"),
            strict=True,
        ):
            for sensor in (left, right)[::order]:
                bench.on(sensor, at_ms)
            for sensor in (left, right)[::-order]:
                bench.off(sensor, at_ms + 22)
        told.append(bench.quiet())
    assert told[0] == told[1]


def test_thinking_ahead_changes_no_answer():
    """The accounts told in idle time are those that would be told at the end."""
    idle, busy = Bench(), Bench()
    for bench in (idle, busy):
        for sensor, at_ms in [*crossing("", skipped=False, start_ms=1000), *BACK]:
            bench.pulse(sensor, at_ms)
            while bench is idle and bench.tracker.think_ahead():
                pass
    assert idle.quiet() == busy.quiet()


@pytest.mark.parametrize(
    ("which", "crossings", "exits"), [("basic", 0, 0), ("lean", 0, 22), ("rich", 49, 22)]
)
def test_a_layout_says_what_it_can_see(which, crossings, exits):
    """The sensor sets differ in the edges that they watch: 49 between slots, 22 that lead off the board."""
    seen = Bench(which).tracker.sees

    assert (seen.crossings, seen.exits) == ((crossings, 49), (exits, 22))
    assert (seen.visits, seen.releases) == ((22, 22), (6, 6))
    assert bool(seen.limits) == (which != "rich")


def test_a_broken_sensor_is_one_that_the_layout_has_not():
    """What is not believed sees nothing."""
    bench = Bench()
    bench.tracker.declare_broken("edge.B1.4")

    assert bench.tracker.sees.crossings == (48, 49)


def gone_or_resting(tile, **settings):
    """A ball is seen in the middle of a tile with a mouth over the side, and then no more."""
    tiles = load_catalogue()
    laid = {"B1": Laid(tiles["asterisk"], 0), "A1": Laid(tiles[tile], 0), "A2": Laid(tiles["dic"], 0)}
    bench = Bench(tiles=laid, **settings)
    bench.tracker.expect("L2", 920_000)
    bench.pulses(("ramp.L2", 1000), ("ball.B1", 1085), ("edge.A1.2", 1170), ("ball.A1", 1240))
    return bench.quiet()


def test_before_a_loss_that_nobody_saw_people_are_asked_though_it_is_likely():
    """A loss destroys a tile: at 87 in a hundred it is asked, where any other verdict would be told."""
    settled = gone_or_resting("asterisk", ask_below=0.8)

    assert way(settled.facts)[-1] == "off board A1"
    assert 0.8 < settled.probability < 0.92
    assert (settled.question.kind, settled.question.slots) == ("rests", ("A1",))
    assert [way(answer.facts)[-1] for answer in settled.question.answers][:2] == [
        "off board A1",
        "entered A1",
    ]


def test_a_ball_may_fall_through_a_hole_although_the_sensor_below_missed_it():
    """It came onto a tile with a hole and nothing saw it again: whether it lies there is asked."""
    bench = Bench(tiles={"B1": Laid(STRAIGHT, 0), "B2": Laid(HOLE, 0), "B3": Laid(STRAIGHT, 1)})
    bench.tracker.expect("L2", 920_000)
    bench.pulses(("ramp.L2", 1000), ("ball.B1", 1085), ("edge.B1.4", 1150))
    answers = bench.quiet().question.answers

    assert {way(answer.facts)[-1] for answer in answers if answer.likelihood > 0.2} == {
        "fell B2",
        "entered B2",
    }


@pytest.mark.parametrize("dish", ["blue-shell", "waffle"])
def test_a_ball_that_nobody_saw_leave_a_dish_may_rest_there(dish):
    """It is not said to be lost: one in ten at least rests, and people are asked."""
    answers = gone_or_resting(dish).question.answers

    assert sum(answer.likelihood for answer in answers if way(answer.facts)[-1] == "entered A1") > 0.1


def test_a_loss_that_is_sure_enough_is_told():
    """Where hardly a ball rests, the beam has missed it: nobody is asked."""
    settled = gone_or_resting("x")

    assert way(settled.facts)[-1] == "off board A1"
    assert settled.question is None
    assert settled.probability > 0.92


NOTHING = Story(0.0, (), 0, (), None, 1)
AS_IT_WAS = Verdict((), (), (), (), ())


@pytest.mark.parametrize(
    ("other", "kind", "place"),
    [
        (Verdict((2,), ((3, 1),), (4,), (5,), (1,)), "rests", "slots"),
        (Verdict((2,), ((3, 1),), (), (5,), (1,)), "zone", "zones"),
        (Verdict((2,), ((3, 1),), (), (5,), ()), "lost", "slots"),
        (Verdict((2,), ((3, 1),), (), (), ()), "third", "slots"),
        (Verdict((), ((3, 1),), (), (), ()), "touches", "slots"),
    ],
)
def test_what_can_still_be_looked_at_is_asked_rather_than_what_must_be_remembered(other, kind, place):
    """Each question would settle it: where balls lie, in a zone, lost; then a third touch, and how often."""
    graph = Graph(BOARD, [])
    told = [Weighed(AS_IT_WAS, 0.6, NOTHING), Weighed(other, 0.4, NOTHING)]
    at = {"rests": 4, "zone": 1, "lost": 5, "third": 2, "touches": 3}[kind]
    asked = choose(told, graph)

    assert (asked.kind, asked.slots) == (kind, (getattr(graph, place)[at],))
    assert [option.counts for option in asked.options] == [(0,), (1,)]
    assert [option.likelihood for option in asked.options] == pytest.approx([0.6, 0.4])


def test_a_question_that_makes_an_account_hardly_surer_is_not_asked():
    """By less than five in a hundred; nor is anything asked if all accounts agree."""
    graph, other = Graph(BOARD, []), AS_IT_WAS._replace(at=(4,))

    assert choose([Weighed(AS_IT_WAS, 0.96, NOTHING), Weighed(other, 0.04, NOTHING)], graph) is None
    assert choose([Weighed(AS_IT_WAS, 0.94, NOTHING), Weighed(other, 0.06, NOTHING)], graph) is not None
    assert choose([Weighed(AS_IT_WAS, 1.0, NOTHING)], graph) is None


def test_of_one_verdict_the_likeliest_count_of_touches_is_told():
    """Two accounts of four touches weigh more than one of three that is a little likelier than each."""
    three, four, again = (
        NOTHING._replace(cost=cost, touched=many) for cost, many in ((0, 3), (0.1, 4), (0.2, 4))
    )
    (told,) = weigh([three, again, four], lambda _story: AS_IT_WAS)

    assert told.story == four
    assert told.share == 1.0


def test_a_ball_that_has_lain_in_an_end_zone_all_the_time_did_not_come_there():
    """It scores for nobody, and nobody is asked about it; one that rolled in did."""
    graph = Graph(BOARD, [])
    verdicts = Verdicts(graph, Odds(graph, {}))
    zone = graph.zone_number["R"]
    lay = Ball(graph.first_zone + zone, RESTING, 0, 0, 1)
    came = lay._replace(sensor=0, number=2)

    assert verdicts.of(Story(0.0, (lay,), 0, (), None, 2)).zones == ()
    assert verdicts.of(Story(0.0, (lay, came), 0, (), None, 3)).zones == (zone,)


def test_who_wants_to_be_asked_sooner_than_that_is_asked_about_a_loss_too():
    """92 in a hundred is the least for a loss, not the most."""
    assert gone_or_resting("s").probability < 0.97
    assert gone_or_resting("s", ask_below=0.97).question is not None


def test_a_loss_that_is_not_sure_enough_and_nobody_can_be_asked_about_is_a_doubt():
    """A straight channel leads over the side: no question adds much, and who is not content clears it up (R-34)."""
    laid = {"B1": Laid(load_catalogue()["asterisk"], 0), "A1": Laid(STRAIGHT, 1)}
    told = {}
    for ask_below in (0.88, 1.1):
        bench = Bench(tiles=laid, ask_below=ask_below)
        bench.tracker.expect("L2", 920_000)
        bench.pulses(("ramp.L2", 1000), ("ball.B1", 1085), ("edge.A1.2", 1170), ("ball.A1", 1240))
        told[ask_below] = bench.quiet()

    assert all(settled.question is None for settled in told.values())
    assert (way(told[0.88].facts)[-1], told[0.88].missing) == ("off board A1", ())
    assert (way(told[1.1].facts)[-1], told[1.1].missing) == ("entered A1", (Doubt(ball=1, slot="A1"),))


@given(st.floats(0, 1), st.floats(0, 1), st.integers(0, 12), st.booleans())
def test_what_weighs_more_is_said_to_be_surer(one, other, balls, announced):
    """How often a verdict is right rises with its share of the weight, and is a probability."""
    less, more = sorted((one, other))

    low, high = (as_right(share, balls, announced=announced) for share in (less, more))
    assert 0 <= low <= high <= 1
    assert as_right(0.0, balls, announced=announced) < 0.01
    assert as_right(1.0, balls, announced=announced) > 0.99
