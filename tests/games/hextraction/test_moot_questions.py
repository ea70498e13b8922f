"""No question takes away the means to answer it: what leaves nothing to ask stays in reach of whoever is asked."""

import pytest
from helpers.evenings import evening, known_in
from helpers.tiers import nightly
from hextraction.board.profile import load_board
from hextraction.controller.games.hextraction import Hextraction
from hextraction.controller.games.hextraction.game import ACTIONS, Amid
from hextraction.controller.games.hextraction.state.actions import Action
from hextraction.controller.games.hextraction.talk.asking import QUESTIONS
from hextraction.controller.games.protocol import Acted
from msgspec.structs import replace

ANYHOW = {"answer", "ballot", "concede"}
"""Acts that withdraw questions to others as well: answering another one, voting a tile off, leaving."""


def tag(action: type[Action]) -> str:
    """Return the word of an act."""
    return str(action.__struct_config__.tag)


def states(seeds, **changes):
    """Yield a game, a state with open questions, and what happened next, for all of these evenings."""
    for seed in seeds:
        wanted, events = evening(seed)
        wanted = replace(wanted, config=replace(wanted.config, **changes))
        game = Hextraction(load_board(wanted.board), known_in(wanted))
        state = game.start(wanted)
        for event in events:
            after = game.step(state, event).state
            if state.asks:
                yield game, state, event, after
            state = after


def withdrawn(state, event, after):
    """Return the questions that an act has ended without being their answer."""
    if not isinstance(event, Acted) or event.act.get("do") in ANYHOW:
        return []
    return [ask for ask in state.asks if all(one.id != ask.id for one in after.asks)]


def offered(game, state, seat, words):
    """Return the acts of these kinds that a seat is offered."""
    found = [option.act for option in game.private(state, seat).options]
    return [act for act in found if act["do"] in words]


def test_what_ends_a_question_is_heard_while_it_is_open():
    """Every act that a kind of question names is an act of this game, and none waits for the answer."""
    heard = {tag(action) for action, rule in ACTIONS.items() if rule.amid >= Amid.QUESTION}
    named = {word for kind in QUESTIONS.values() for word in kind.ended_by}
    assert named
    assert named <= heard


def check(seeds):
    """Hold the questions of these evenings against the acts that end them; return the kinds that were ended."""
    ended = set()
    for game, state, event, after in states(seeds):
        for ask in withdrawn(state, event, after):
            ended.add(ask.kind)
            assert event.act["do"] in QUESTIONS[ask.kind].ended_by, (ask.kind, event.act)
        for ask in state.asks:
            words = QUESTIONS[ask.kind].ended_by
            view = game.private(state, ask.seat)
            assert all(one.ended_by == QUESTIONS[one.kind].ended_by for one in view.prompts)
            if words and state.vote is None and state.paused_us is None:
                alone = replace(state, asks=tuple(one for one in state.asks if one.kind != ask.kind))
                free, now = (offered(game, one, ask.seat, words) for one in (alone, state))
                assert [act for act in free if act not in now] == [], (ask.kind, ask.seat)
    return ended


@pytest.mark.slow
@pytest.mark.mutants
def test_what_ends_a_question_stays_in_reach():
    """In evenings that chance plays, an act that ends a question unanswered is named, and is offered beside it."""
    check(range(8))


@nightly("many evenings", meanwhile="test_what_ends_a_question_stays_in_reach")
def test_what_ends_questions_stays_in_reach_in_many_evenings():
    """The same in many more evenings, in which most kinds of questions are withdrawn at some time."""
    assert check(range(8, 140)) >= {"area", "jammed", "stuck", "undo"}
