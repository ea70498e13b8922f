"""Ball facts go through the journal as JSON and come back equal."""

import msgspec
import pytest
from helpers.strategies import boards, facts, settlements
from hextraction.board.facts import (
    BallEntered,
    BallFell,
    BallInZone,
    BallLeft,
    BallLeftZone,
    BallOffBoard,
    BallReleased,
    BallStuckOnRamp,
    Doubt,
    Fact,
    RollSettled,
)
from hypothesis import given, settings

ANY_FACT = Fact | RollSettled


@pytest.mark.slow
@pytest.mark.mutants
@settings(max_examples=50)
@given(one=boards().flatmap(lambda board: facts(board) | settlements(board)))
def test_a_fact_survives_json(one):
    """What is written as JSON is read back as the same fact of the same kind."""
    written = msgspec.json.encode(one)
    read = msgspec.json.decode(written, type=ANY_FACT)
    assert read == one
    assert type(read) is type(one)


@pytest.mark.parametrize(
    ("one", "text"),
    [
        (BallReleased(at_us=5, ball=1, ramp="L1"), b'{"fact":"BallReleased","at_us":5,"ball":1,"ramp":"L1"}'),
        (BallEntered(at_us=6, ball=1, slot="B1"), b'{"fact":"BallEntered","at_us":6,"ball":1,"slot":"B1"}'),
        (BallLeft(at_us=7, ball=1, slot="B1"), b'{"fact":"BallLeft","at_us":7,"ball":1,"slot":"B1"}'),
        (BallFell(at_us=8, ball=1, slot="B2"), b'{"fact":"BallFell","at_us":8,"ball":1,"slot":"B2"}'),
        (BallInZone(at_us=9, ball=1, zone="L"), b'{"fact":"BallInZone","at_us":9,"ball":1,"zone":"L"}'),
        (BallLeftZone(at_us=9, ball=1, zone="L"), b'{"fact":"BallLeftZone","at_us":9,"ball":1,"zone":"L"}'),
        (BallOffBoard(at_us=9, ball=2), b'{"fact":"BallOffBoard","at_us":9,"ball":2,"slot":null}'),
        (
            BallStuckOnRamp(at_us=9, ball=2, ramp="R1"),
            b'{"fact":"BallStuckOnRamp","at_us":9,"ball":2,"ramp":"R1"}',
        ),
    ],
)
def test_the_spelling_of_a_fact_is_fixed(one, text):
    """Journals of years ago must stay readable, so the JSON of each kind is pinned."""
    assert msgspec.json.encode(one) == text


def test_a_settlement_contains_facts_and_doubts():
    """A settlement is one line with the facts of the roll and the balls nobody saw go."""
    settled = RollSettled(
        at_us=10,
        facts=(BallReleased(at_us=5, ball=1, ramp="L1"),),
        missing=(Doubt(ball=2, slot="A1"),),
        probability=0.75,
    )
    assert msgspec.json.encode(settled) == (
        b'{"fact":"RollSettled","at_us":10,'
        b'"facts":[{"fact":"BallReleased","at_us":5,"ball":1,"ramp":"L1"}],'
        b'"missing":[{"ball":2,"slot":"A1"}],"probability":0.75,"question":null}'
    )


def test_a_settlement_is_sure_unless_it_says_otherwise():
    """By default nothing is missing and the account is certain."""
    settled = RollSettled(at_us=10, facts=())
    assert (settled.missing, settled.probability) == ((), 1.0)


@pytest.mark.parametrize(
    "text",
    [
        b'{"fact":"BallExploded","at_us":1,"ball":1}',
        b'{"at_us":1,"ball":1,"slot":"A1"}',
        b'{"fact":"BallLeft","at_us":1,"ball":1}',
        b'{"fact":"BallLeft","at_us":1.5,"ball":1,"slot":"A1"}',
    ],
)
def test_what_is_no_fact_is_refused(text):
    """A foreign kind, a missing field or a broken time does not become a fact."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(text, type=ANY_FACT)


@settings(max_examples=20)
@given(one=boards().flatmap(facts))
def test_facts_are_values(one):
    """A fact cannot be changed once it is said, and equal facts are one in a set."""
    with pytest.raises(AttributeError):
        one.at_us = 0
    assert {one, msgspec.structs.replace(one)} == {one}
