"""The end of a roll: where every ball went, by the most likely account, and how sure that is.

Balls that nobody saw leave must lie somewhere, and what the sensors show at rest tells where. Accounts that
agree in what the rules act on are one verdict (:mod:`.verdicts`); the likeliest verdict wins and its share of
all weight is the probability. If that is too low, :mod:`.questions` finds what to ask.
"""

from collections.abc import Collection
from math import log
from typing import Final, NamedTuple

from hextraction.board.facts import (
    Answer,
    BallLeft,
    BallOffBoard,
    BallReleased,
    BallStuckOnRamp,
    Doubt,
    Fact,
    Question,
)
from hextraction.controller.tracking.covered import Covered
from hextraction.controller.tracking.deeds import facts_along
from hextraction.controller.tracking.graph import NONE, Graph
from hextraction.controller.tracking.paths import Against, End
from hextraction.controller.tracking.questions import Asked, choose, weigh
from hextraction.controller.tracking.routes import Routes
from hextraction.controller.tracking.stories import RESTING, Ball, Story, Turn, since
from hextraction.controller.tracking.verdicts import Verdicts

__all__ = ["Account", "Evidence", "settle"]

_HALL_SILENT: Final = 1.0
_HALL_SAYS_SO: Final = -5.0
_SHIFTED: Final = 3.0
_NUDGED: Final = 1.0
_STUCK: Final = 4.5
_PILED: Final = -1.5
"""Where a ball lies already the next one stays rather."""
_BLOCKS: Final = 0.15
"""How likely a ball on the next tile lies in the way, if the beam between is on."""
_STUCK_BESIDE_BEAM: Final = 2.0
_STUCK_AT_A_MOUTH: Final = 4.0
"""A ball has come past a ramp's beam, and the tile there is known to let it in: it is in, rather."""
_STUCK_IN_BEAM: Final = 0.1
_UPHILL: Final = 4.5
"""A ball stays above a ramp's beam although it had come past it."""
_SEEN_THERE: Final = 4.5
"""A ball has gone although the sensor that saw it is still covered."""
_LAST_HALF_US: Final = 60_000
_ENDINGS: Final = 24
_TRUST: Final = 0.99
_TRUST_WITHOUT_EDGES: Final = 0.95
"""Without edge sensors a ball can go round a loop and leave no trace: no account is surer than this."""


class Evidence(NamedTuple):
    """What the sensors show at rest: those that are on, and slots whose ball Hall went off in the roll."""

    at_us: int
    began_us: int
    active: Collection[int]
    dropped: Collection[int]
    covered: Covered


class _Beside(NamedTuple):
    """Slots whose Hall sees a ball that has not moved, and all slots in which other balls are."""

    taken: Collection[int]
    others: Collection[int]


class Account(NamedTuple):
    """What became of a roll, ``probability`` how sure that is as far as the rules act on it.

    ``places`` are the balls that are still on the board, on a ramp or in a zone. ``missing`` is left to
    people (R-34): where a ball went that nobody saw go. On a board that sees balls leave, a ball that must
    have gone has gone over the side, if that is sure enough or a question stands for it.
    """

    facts: tuple[Fact, ...]
    missing: tuple[Doubt, ...]
    probability: float
    places: dict[int, int]
    next_number: int
    question: Question | None = None


def settle(
    stories: list[Story], graph: Graph, routes: Routes, evidence: Evidence, ask_below: float = 0.0
) -> Account:
    """Return the likeliest verdict that stories and sensors at rest allow, and what to ask if unsure."""
    endings = [ending for story in stories for ending in _endings(story, graph, routes, evidence)]
    verdicts = Verdicts(graph, routes.odds)
    told = weigh(endings, verdicts.of)
    trust = _TRUST if graph.sees_crossings else _TRUST_WITHOUT_EDGES
    best = told[0]
    sure = best.share * trust
    vanished = any(ball.place >= graph.first_missing for ball in best.story.balls)
    if sure >= ask_below or (vanished and not graph.sees_exits):
        return _account(best.story, sure, graph, evidence, doubts=not graph.sees_exits)
    asked = choose(told, graph)
    if asked is None:
        return _account(best.story, sure, graph, evidence, doubts=True)
    return _questioned(asked, sure, trust, graph, evidence)


def _questioned(asked: Asked, sure: float, trust: float, graph: Graph, evidence: Evidence) -> Account:
    """Return the likeliest answer's account, with the question and what each answer would mean."""
    accounts = [_account(option.story, sure, graph, evidence, doubts=False) for option in asked.options]
    answers = [
        Answer(
            counts=option.counts,
            facts=account.facts,
            likelihood=round(option.likelihood, 4),
            probability=round(option.share * trust, 4),
        )
        for option, account in zip(asked.options, accounts, strict=True)
    ]
    question = Question(kind=asked.kind, slots=asked.slots, answers=tuple(answers))
    return accounts[0]._replace(question=question)


def _endings(story: Story, graph: Graph, routes: Routes, evidence: Evidence) -> list[Story]:
    """Let every ball of a story come to rest in every likely way."""
    endings = [_strand_announced(story, graph)]
    lying = {graph.slot_of(ball.place) for ball in story.balls if ball.sensor == RESTING}
    taken = lying.difference(evidence.dropped)
    for index, ball in enumerate(endings[0].balls):
        others = {graph.slot_of(other.place) for other in story.balls if other is not ball}
        ends = _ends(ball, graph, routes, evidence, _Beside(taken, others))
        ways = [(ending.cost + end.cost, ending, end) for ending in endings for end in ends]
        ways.sort(key=lambda way: way[0])
        endings = [_ended(ending, index, end, evidence) for _cost, ending, end in ways[:_ENDINGS]]
    return endings


def _strand_announced(story: Story, graph: Graph) -> Story:
    """A release that was announced and never seen: its ball is still on the ramp."""
    for ramp, at_us in story.waiting:
        number = story.next_number
        story = story._replace(
            balls=(*story.balls, Ball(graph.first_ramp + ramp, NONE, at_us, at_us, number)),
            last=Turn(story.last, number, at_us, at_us, (), ramp),
            next_number=number + 1,
        )
    return story


def _ends(
    ball: Ball,
    graph: Graph,
    routes: Routes,
    evidence: Evidence,
    beside: _Beside,
) -> list[End]:
    if graph.gone(ball.place):
        return [_stays(ball.place, 0.0)]
    slot, ramp = graph.slot_of(ball.place), graph.on_ramp(ball.place)
    ends = _weighed(_excused(routes.ends(ball.place), ball, evidence.covered), graph, evidence, beside)
    if ball.sensor == RESTING and slot not in evidence.dropped:
        return [_stays(_plain(ball.place, graph), 0.0)]
    if ball.sensor == RESTING:
        away = [end._replace(cost=end.cost + _NUDGED) for end in ends if end.rested != slot]
        return [_stays(graph.at_rest(slot), _SHIFTED), *away]
    if ramp != NONE:
        ends = [_stays(graph.first_stuck + ramp, _stuck_cost(ball, ramp, graph, routes, evidence)), *ends]
    if ball.sensor in evidence.active:
        ends = _lies_there(ends)
    return ends


def _excused(ends: tuple[End, ...], ball: Ball, covered: Covered) -> list[End]:
    """What a ball passed silently on its last way may have been covered by others."""
    if ball.sensor == RESTING:
        return list(ends)
    found = []
    for end in ends:
        until_us = ball.until_us + round(_LAST_HALF_US * (end.halves + 1))
        excused = covered.excuses(end.unheard, ball, until_us)
        found.append(end._replace(cost=end.cost - excused))
    return found


def _stuck_cost(ball: Ball, ramp: int, graph: Graph, routes: Routes, evidence: Evidence) -> float:
    if ball.sensor == NONE:
        return _STUCK
    if ball.place < graph.first_stuck:
        return _UPHILL
    if graph.ramp_beam[ramp] in evidence.active:
        return _STUCK_IN_BEAM
    return _STUCK_AT_A_MOUTH if routes.odds.lets_in(*graph.mouths[ramp]) else _STUCK_BESIDE_BEAM


def _lies_there(ends: list[End]) -> list[End]:
    """The sensor that saw a ball last sees it still: it has not gone on."""
    return [end._replace(cost=end.cost + (_SEEN_THERE if end.acts else 0.0)) for end in ends]


def _stays(place: int, cost: float) -> End:
    return End(cost, (), place, 0, NONE)


def _plain(place: int, graph: Graph) -> int:
    slot = graph.slot_of(place)
    return place if slot == NONE else graph.at_rest(slot)


def _weighed(
    ends: list[End],
    graph: Graph,
    evidence: Evidence,
    beside: _Beside,
) -> list[End]:
    """Add what the ball Halls say of each end; those over taken slots see a ball that has not moved."""
    found = []
    for end in ends:
        hall = (
            NONE
            if end.rested in beside.taken or end.rested == NONE
            else graph.believed(graph.hall[end.rested])
        )
        says = 0.0 if hall == NONE else (_HALL_SAYS_SO if hall in evidence.active else _HALL_SILENT)
        says += _PILED if end.rested in beside.others else 0.0
        says -= _blocked(end.against, evidence, beside)
        found.append(end._replace(cost=end.cost + says, end=_plain(end.end, graph)))
    return found


def _blocked(against: tuple[Against, ...], evidence: Evidence, beside: _Beside) -> float:
    """Return how much likelier a ball stays because others are in its way on."""
    factor = 1.0
    for slot, beam, odds in against:
        if slot in beside.others and beam in evidence.active:
            factor += odds * _BLOCKS
    return log(factor)


def _ended(story: Story, index: int, end: End, evidence: Evidence) -> Story:
    ball = story.balls[index]
    cost, last = story.cost + end.cost, story.last
    if end.acts:
        until_us = min(evidence.at_us, ball.until_us + 200_000)
        last = Turn(last, ball.number, since(ball.until_us, 2.0, until_us), until_us, end.acts)
    balls = (*story.balls[:index], ball._replace(place=end.end), *story.balls[index + 1 :])
    return Story(cost, balls, story.touched + end.touched, story.waiting, last, story.next_number)


def _account(story: Story, sure: float, graph: Graph, evidence: Evidence, *, doubts: bool) -> Account:
    facts = _facts(story.last, graph, evidence)
    places: dict[int, int] = {}
    missing = []
    for ball in story.balls:
        if ball.place >= graph.first_missing:
            missing.append(Doubt(ball=ball.number, slot=graph.slots[ball.place - graph.first_missing]))
        elif not graph.gone(ball.place):
            places[ball.number] = ball.place
        if (ramp := graph.on_ramp(ball.place)) != NONE and ball.sensor != RESTING:
            facts.append(BallStuckOnRamp(at_us=evidence.at_us, ball=ball.number, ramp=graph.ramps[ramp]))
    if not doubts:
        for doubt in missing:
            facts += _gone(doubt, evidence.at_us)
        missing = []
    return Account(tuple(facts), tuple(missing), round(sure, 4), places, story.next_number)


def _gone(doubt: Doubt, at_us: int) -> list[Fact]:
    """A ball that nobody saw go has gone over the side."""
    off = BallOffBoard(at_us=at_us, ball=doubt.ball, slot=doubt.slot)
    return [off] if doubt.slot is None else [BallLeft(at_us=at_us, ball=doubt.ball, slot=doubt.slot), off]


def _facts(last: Turn | None, graph: Graph, evidence: Evidence) -> list[Fact]:
    """Read a story from its first page on, in the order of time."""
    turns = []
    while last is not None:
        turns.append(last)
        last = last.before
    facts: list[Fact] = []
    next_us: dict[int, int] = {}
    for turn in turns:
        told = _told(turn, graph, evidence, next_us.get(turn.ball, evidence.at_us))
        if told:
            next_us[turn.ball] = told[0].at_us
        facts[:0] = told
    facts.sort(key=lambda fact: fact.at_us)
    return facts


def _told(turn: Turn, graph: Graph, evidence: Evidence, next_us: int) -> list[Fact]:
    """Return the facts of a page; none is later than the next that is told of its ball."""
    from_us = min(max(turn.from_us, evidence.began_us), next_us)
    facts = facts_along(turn.acts, turn.ball, from_us, min(max(turn.to_us, from_us), next_us))
    if turn.released == NONE:
        return facts
    return [BallReleased(at_us=from_us, ball=turn.ball, ramp=graph.ramps[turn.released]), *facts]
