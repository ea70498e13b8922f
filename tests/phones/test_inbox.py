"""Facts about what phones may say: what is handed on, what is answered at once, and what is dropped."""

import json

import pytest
from helpers.companion_table import hello
from hextraction.controller.payloads.messages import Reply, Topics
from hextraction.controller.phones.inbox import Accepted, Answered, Dropped, Inbox, Present
from hextraction.controller.phones.link import Incoming
from hypothesis import given
from hypothesis import strategies as st


def inbox() -> Inbox:
    """Make an inbox of two seats."""
    return Inbox(Topics("den"), ("red", "blue"))


def said(payload, *, seat="red", leaf="cmd", **how) -> Incoming:
    """Return a message as a phone would send it."""
    body = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    return Incoming(
        topic=f"hextraction/den/player/{seat}/{leaf}",
        payload=body,
        retained=how.pop("retained", False),
        **how,
    )


def test_a_good_command_is_handed_on_with_the_seat_of_its_topic():
    """The seat is the topic's, whatever the payload holds."""
    outcome = inbox().read(said({"id": "a", "act": {"seat": "blue"}}, seat="red"), 0)

    assert isinstance(outcome, Accepted)
    assert outcome.seat == "red"


def test_a_retained_command_is_dropped():
    """A command that the broker had kept is an old one; it is counted and has no effect."""
    box = inbox()

    assert box.read(said(hello(), retained=True), 0) == Dropped(why="retained")
    assert box.counters["retained"] == 1


@pytest.mark.parametrize(
    "topic",
    [
        "hextraction/den/player/green/cmd",
        "hextraction/den/player/red/view",
        "hextraction/other/player/red/cmd",
        "hextraction/den/player/red/x/cmd",
        "hextraction/den/player//cmd",
        "elsewhere",
        "",
    ],
)
def test_foreign_topics_are_dropped(topic):
    """Other boards, unknown seats and unknown leaves are counted as foreign."""
    message = Incoming(topic=topic, payload=b"{}", retained=False)

    assert inbox().read(message, 0) == Dropped(why="foreign")


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b"[1]",
        b"null",
        b"1e400",
        b"[" * 4000,
        b'{"id":"a\xff","hello":true}',
        b'{"id":"a","act":{"do":"\xff"}}',
        {"id": "a"},
        {"id": "a", "hello": True, "act": {}},
        {"id": "a", "hello": True, "v": 2},
        {"id": "a", "hello": True, "seat": 7},
        {"id": "a b", "hello": True},
        {"id": 7, "hello": True},
        {"id": "a", "hello": "yes"},
        {"hello": True},
        {"id": "a", "act": [1]},
        {"id": "a", "table": {"tile": [[[[[[[[[[[[]]]]]]]]]]]]}},
    ],
)
def test_what_is_no_command_is_answered_with_invalid(payload):
    """Broken JSON, wrong types, unknown fields and wrong shapes get a reply with a reason."""
    outcome = inbox().read(said(payload), 0)

    assert isinstance(outcome, Answered)
    assert outcome.reply.code == "invalid"
    assert outcome.reply.reason


def test_a_command_of_more_than_4096_bytes_is_refused_unread():
    """4,096 bytes pass, 4,097 do not."""
    whole = json.dumps({"id": "a", "act": {"x": ""}}).encode()
    fits = whole.replace(b'""', b'"' + b"x" * (4096 - len(whole)) + b'"')
    box = inbox()

    assert isinstance(box.read(said(fits), 0), Accepted)
    outcome = box.read(said(fits + b" "), 0)
    assert isinstance(outcome, Answered)
    assert outcome.reply.code == "invalid"
    assert box.counters["oversize"] == 1


def test_the_eleventh_command_in_a_second_is_busy():
    """Ten go through, the eleventh is told to come again, after a second ten more go through."""
    box = inbox()
    outcomes = [box.read(said(hello(f"h{n}")), 0.0) for n in range(11)]

    assert [isinstance(outcome, Accepted) for outcome in outcomes] == [True] * 10 + [False]
    assert outcomes[-1].reply.code == "busy"
    assert isinstance(box.read(said(hello("h10")), 1.0), Accepted)


def test_a_flood_gets_no_answers():
    """Far above the rate even the answers stop; another seat does not feel it."""
    box = inbox()
    for n in range(200):
        box.read(said(hello(f"h{n}")), 0.0)

    assert box.counters["flood"] == 140
    assert isinstance(box.read(said(hello(), seat="blue"), 0.0), Accepted)


def test_the_same_id_again_gets_the_first_answer_again():
    """A repeated command has no second effect; before the answer exists it is only counted."""
    box = inbox()
    assert isinstance(box.read(said(hello()), 0), Accepted)
    assert box.read(said(hello()), 0) == Dropped(why="repeated")
    reply = Reply(id="h1", ok=True, code="ok")
    box.remember("red", reply)

    assert box.read(said({"id": "h1", "act": {"other": 1}}), 0) == Answered(seat="red", reply=reply)
    assert isinstance(box.read(said(hello(), seat="blue"), 0), Accepted)


def test_256_answers_of_a_seat_are_remembered():
    """The 257th command makes the oldest answer forgotten."""
    box = inbox()
    for n in range(257):
        box.read(said(hello(f"h{n}")), n)
        box.remember("red", Reply(id=f"h{n}", ok=True, code="ok"))

    assert isinstance(box.read(said(hello("h1")), 300), Answered)
    assert isinstance(box.read(said(hello("h0")), 301), Accepted)


def test_a_busy_answer_is_not_remembered():
    """After ``busy`` the same id may be tried again."""
    box = inbox()
    box.read(said(hello()), 0)
    box.remember("red", Reply(id="h1", ok=False, code="busy"))

    assert box.read(said(hello()), 0) == Dropped(why="repeated")


def test_correlation_data_without_end_is_not_kept():
    """An answer has to fit into a packet with it, and a seat may not store what nobody bounds."""
    box = inbox()
    own = "hextraction/den/player/red/reply"
    box.read(said(hello("a"), response_topic=own, correlation=b"x" * 257), 0)

    assert box.remember("red", Reply(id="a", ok=True, code="ok")) is None
    assert box.counters["long_correlation"] == 1


def test_correlation_data_is_returned_for_the_own_reply_topic_only():
    """A response topic of somebody else is ignored and counted: we never publish where a phone tells us to."""
    box = inbox()
    own, foreign = "hextraction/den/player/red/reply", "hextraction/den/player/blue/view"
    box.read(said(hello("a"), response_topic=own, correlation=b"1"), 0)
    box.read(said(hello("b"), response_topic=foreign, correlation=b"2"), 0)

    assert box.remember("red", Reply(id="a", ok=True, code="ok")) == b"1"
    assert box.remember("red", Reply(id="b", ok=True, code="ok")) is None
    assert box.counters["foreign_response"] == 1


def test_presence_is_read_even_when_retained():
    """A phone that came while the controller was away is known afterwards; a cleared topic says nothing."""
    box = inbox()

    assert box.read(said({"here": True, "phone": "p"}, leaf="here", retained=True), 0) == Present(
        seat="red", phone="p", here=True
    )
    assert box.read(said(b"", leaf="here"), 0) == Dropped(why="cleared")
    assert box.read(said(b"{}", leaf="here"), 0) == Dropped(why="invalid")


@pytest.mark.slow
@given(
    st.binary(max_size=200)
    | st.recursive(
        st.none() | st.booleans() | st.text(),
        lambda x: st.dictionaries(st.sampled_from(["id", "act", "v", "hello", "table"]), x),
    ).map(lambda value: json.dumps(value).encode())
)
def test_any_bytes_are_survived(payload):
    """Nothing a phone sends raises; an answer's id is never longer than 64."""
    outcome = inbox().read(said(payload), 0)

    assert isinstance(outcome, Accepted | Answered)
    assert len(outcome.command.id if isinstance(outcome, Accepted) else outcome.reply.id) <= 64
