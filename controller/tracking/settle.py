"""Settles a roll: where every ball went, by the most likely account, and how sure that is.

Balls that no sensor saw leave must lie somewhere, and the sensors at rest show where. Accounts that agree on
what the rules act on are one verdict (:mod:`.verdicts`); the likeliest verdict wins, and its share of the
total weight is the probability. If that is too low, :mod:`.questions` finds what to ask, and once more for an
answer that leaves as much in doubt.
"""

from functools import partial
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
from hextraction.controller.tracking.ends import Ends, Evidence, beside
from hextraction.controller.tracking.facts import facts_along
from hextraction.controller.tracking.graph import NONE, Graph
from hextraction.controller.tracking.paths import End
from hextraction.controller.tracking.questions import Asked, choose, weigh
from hextraction.controller.tracking.routes import Routes
from hextraction.controller.tracking.stories import RESTING, Ball, Page, Story, since
from hextraction.controller.tracking.sureness import as_right
from hextraction.controller.tracking.verdicts import Verdicts

__all__ = ["Account", "Evidence", "settle"]

_ENDINGS: Final = 24
_TRUST: Final = 0.99
_TRUST_WITHOUT_EDGES: Final = 0.95
"""Without edge sensors a ball can go round a loop without a trace: no account is surer than this."""
_BEFORE_A_LOSS: Final = 0.92
"""A loss destroys a tile: if nobody saw the ball go, people are asked sooner."""
_HARDLY: Final = 0.01
"""After an answer that is no likelier than this nothing more is asked: a journal holds all that may be."""


class Account(NamedTuple):
    """The outcome of a roll; ``probability`` is how sure we are of what the rules act on.

    ``places`` are the balls that are still on the board, on a ramp or in a zone. ``missing`` are balls that
    disappeared unseen, for people to clear up (R-34). On a board that sees balls leave, a ball that must have
    gone counts as gone over the side, if that is sure enough or a question covers it.
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
    """Return the account of the likeliest verdict, given the sensors at rest, and what to ask if unsure."""
    endings = [ending for story in stories for ending in _endings(story, graph, routes, evidence)]
    verdicts = Verdicts(graph, routes.odds)
    told = weigh(endings, verdicts.of)
    trust = _TRUST if graph.sees_crossings else _TRUST_WITHOUT_EDGES
    best = told[0]
    sure = min(trust, as_right(best.share, _moved(best.story), announced=evidence.announced))
    vanished = any(ball.place >= graph.first_missing for ball in best.story.balls)
    if not _in_doubt(best.story, sure, graph, ask_below) or (vanished and not graph.sees_exits):
        return _account(best.story, sure, graph, evidence, doubts=not graph.sees_exits)
    asked = choose(told, graph)
    if asked is None:
        return _account(best.story, sure, graph, evidence, doubts=True)
    return _questioned(asked, trust, graph, evidence, ask_below)


def _in_doubt(story: Story, sure: float, graph: Graph, ask_below: float) -> bool:
    """Whether people are to be asked about a story of which we are this sure."""
    if ask_below and any(_went_unseen(ball, graph) for ball in story.balls):
        ask_below = max(ask_below, _BEFORE_A_LOSS)
    return sure < ask_below


def _moved(story: Story) -> int:
    """Return how many balls moved."""
    return sum(ball.sensor != RESTING for ball in story.balls)


def _went_unseen(ball: Ball, graph: Graph) -> bool:
    """Whether a ball has left the board or fallen, and no sensor saw it go."""
    if not graph.gone(ball.place):
        return False
    if ball.place >= graph.first_missing:
        return True
    return ball.place < graph.first_lost and ball.sensor != graph.drain[graph.gone_from(ball.place)]


def _questioned(
    asked: Asked, trust: float, graph: Graph, evidence: Evidence, ask_below: float = 0.0
) -> Account:
    """Return the account of the likeliest answer, with the question and the account of each answer.

    What an answer leaves in doubt is asked in turn, but no more than that: ``ask_below`` is 0 then.
    """
    likeliest = asked.options[0]
    right = partial(as_right, balls=_moved(likeliest.best.story), announced=evidence.announced)
    sure = right(likeliest.likelihood * likeliest.best.share)  # what is told until somebody answers
    answers = []
    for option in asked.options:
        then = min(trust, right(option.best.share))
        account = _account(option.best.story, then, graph, evidence, doubts=False)
        if option.likelihood > _HARDLY and _in_doubt(option.best.story, then, graph, ask_below):
            more = choose(option.told, graph)
            account = account if more is None else _questioned(more, trust, graph, evidence)
        answers.append(
            Answer(
                counts=option.counts,
                facts=account.facts,
                likelihood=round(option.likelihood, 4),
                probability=account.probability,
                question=account.question,
            )
        )
    question = Question(kind=asked.kind, slots=asked.slots, answers=tuple(answers))
    return _account(likeliest.best.story, sure, graph, evidence, doubts=False)._replace(question=question)


def _endings(story: Story, graph: Graph, routes: Routes, evidence: Evidence) -> list[Story]:
    """Return the story with every ball coming to rest in every likely way."""
    endings = [_strand_announced(story, graph)]
    all_ends = Ends(graph, routes, evidence)
    for index, ball in enumerate(endings[0].balls):
        ends = all_ends.of(ball, beside(story, ball, graph, evidence))
        ways = [
            (ending.cost + end.cost + all_ends.told_of(end, ending.balls[:index]), ending, end)
            for ending in endings
            for end in ends
        ]
        ways.sort(key=lambda way: way[0])
        endings = [_ended(ending, index, end, cost, evidence) for cost, ending, end in ways[:_ENDINGS]]
    return endings


def _strand_announced(story: Story, graph: Graph) -> Story:
    """Add the ball of each release that was announced but never seen: it is still on its ramp."""
    for ramp, at_us in story.waiting:
        number = story.next_number
        story = story._replace(
            balls=(*story.balls, Ball(graph.first_ramp + ramp, NONE, at_us, at_us, number)),
            last=Page(story.last, number, at_us, at_us, (), ramp),
            next_number=number + 1,
        )
    return story


def _ended(story: Story, index: int, end: End, cost: float, evidence: Evidence) -> Story:
    ball = story.balls[index]
    last = story.last
    if end.acts:
        until_us = min(evidence.at_us, ball.until_us + 200_000)
        last = Page(last, ball.number, since(ball.until_us, 2.0, until_us), until_us, end.acts)
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
    """Return the facts of a missing ball that has gone over the side."""
    off = BallOffBoard(at_us=at_us, ball=doubt.ball, slot=doubt.slot)
    return [off] if doubt.slot is None else [BallLeft(at_us=at_us, ball=doubt.ball, slot=doubt.slot), off]


def _facts(last: Page | None, graph: Graph, evidence: Evidence) -> list[Fact]:
    """Return the facts of a story, from its first page on, in order of time."""
    pages = []
    while last is not None:
        pages.append(last)
        last = last.before
    facts: list[Fact] = []
    next_us: dict[int, int] = {}
    for page in pages:
        told = _told(page, graph, evidence, next_us.get(page.ball, evidence.at_us))
        if told:
            next_us[page.ball] = told[0].at_us
        facts[:0] = told
    facts.sort(key=lambda fact: fact.at_us)
    return facts


def _told(page: Page, graph: Graph, evidence: Evidence, next_us: int) -> list[Fact]:
    """Return the facts of a page; none is later than the ball's next one."""
    from_us = min(max(page.from_us, evidence.began_us), next_us)
    facts = facts_along(page.acts, page.ball, from_us, min(max(page.to_us, from_us), next_us))
    if page.released == NONE:
        return facts
    return [BallReleased(at_us=from_us, ball=page.ball, ramp=graph.ramps[page.released]), *facts]
