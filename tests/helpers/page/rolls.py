"""Rolls and the tracker's questions as the page gets them: what the rules themselves say, on the fake table's seats."""

from helpers.tabletop import Table, setup
from hextraction.board.facts import (
    Answer,
    BallEntered,
    BallInZone,
    BallLeft,
    BallOffBoard,
    BallReleased,
    Question,
    RollSettled,
)
from hextraction.controller.games.hextraction.roll.replay import RollKeeper
from msgspec.structs import replace

MS = 1_000
WAYS = {
    "third": (
        ("C3",),
        (((1,), ("B1", "B2", "C3", "B2", "C3", "C2", "C3")), ((0,), ("B1", "B2", "C3", "B2", "C3"))),
    ),
    "touches": (("C3",), (((2,), ("B1", "C3", "B2", "C3")), ((1,), ("B1", "C3")), ((0,), ("B1", "B2")))),
    "rests": (("C3", "D3"), (((1, 0), ("B1", "B2", "C3")), ((0, 1), ("B1", "B2", "C3", "D3")))),
    "lost": (
        ("C1", "D1"),
        (((1, 0), ("B1", "C1", "off")), ((0, 1), ("B1", "C1", "D1", "off")), ((0, 0), ("B1", "C1"))),
    ),
    "zone": (("L", "R"), (((1, 0), ("B1", "C1", "L")), ((0, 0), ("B1", "C1")))),
}
"""For each kind of question its places, and what each answer counts and the ball did then."""


def facts(way, *, start_us=0, ball=1):
    """Return what a ball does that goes this way, 150 ms a slot."""
    made = [BallReleased(at_us=start_us, ball=ball, ramp="L2")]
    before = None
    for step, place in enumerate(way, start=1):
        at_us = start_us + step * 150 * MS
        if before:
            made.append(BallLeft(at_us=at_us, ball=ball, slot=before))
        if place == "off":
            made.append(BallOffBoard(at_us=at_us, ball=ball, slot=before))
        elif place in {"L", "R"}:
            made.append(BallInZone(at_us=at_us, ball=ball, zone=place))
        else:
            made.append(BallEntered(at_us=at_us, ball=ball, slot=place))
        before = place
    return tuple(made)


def asked(kind, *, seat="p1"):
    """Return the prompt and the last roll of a table that is asked a question of this kind."""
    slots, ways = WAYS[kind]
    laid = (("C3", "plain", 0), ("D3", "plain", 0), ("C1", "plain", 0), ("D1", "plain", 0))
    table, keeper = Table(setup(board="standard-22", laid=laid)), RollKeeper()
    table.act(table.state.active, {"do": "roll", "ramp": "L2"})
    table.releases("L2")
    start_us = table.state.at_us
    keeper.follow(table.game.start(table.setup), table.events[-1], table.state)
    answers = tuple(
        Answer(counts=counts, facts=facts(way, start_us=start_us), likelihood=0.5, probability=0.98)
        for counts, way in ways
    )
    question = Question(kind=kind, slots=slots, answers=answers)
    before = table.state
    settled = RollSettled(
        at_us=table.later(3_000 * MS), facts=answers[0].facts, probability=0.55, question=question
    )
    table.feed(settled)
    keeper.follow(before, settled, table.state)
    (prompt,) = table.game.private(table.state, table.state.active).prompts
    return replace(prompt, seat=seat, deadline_us=1_000_000 * 52), replace(keeper.last, roller=seat)
