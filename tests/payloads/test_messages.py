"""Facts about topics and payloads."""

import msgspec
import pytest
from hextraction.controller.games.extraction.shown.options import Card
from hextraction.controller.games.registry import SHIPPED, game_type
from hextraction.controller.history import chronicle as _chronicle  # noqa: F401 - its structs count, too
from hextraction.controller.payloads.messages import PUBLIC, Command, Event, Here, Reply, Topics
from hypothesis import given
from hypothesis import strategies as st

SEATS = st.text("abcdefghijklmnopqrstuvwxyz0123456789-", min_size=1, max_size=16)
BOARDS = st.text("abcdefghijklmnopqrstuvwxyz0123456789-", min_size=1, max_size=32)


@given(BOARDS, SEATS, st.sampled_from(["view", "cmd", "reply", "here"]))
def test_a_seats_topic_is_read_as_it_was_written(board, seat, leaf):
    """Writing and reading a topic are inverse for every board and seat there may be."""
    topics = Topics(board)

    assert topics.read_seat(topics.seat(seat, leaf)) == (seat, leaf)


@given(st.text(max_size=60))
def test_no_other_text_is_a_seats_topic(text):
    """A topic that is read can be written again, letter by letter."""
    topics = Topics("den")
    found = topics.read_seat(text)

    assert found is None or topics.seat(*found) == text


@pytest.mark.parametrize(
    "topic",
    [
        "hextraction/den/player/Red/cmd",
        "hextraction/den/player/red",
        "player/red/cmd",
        "hextraction/den2/player/red/cmd",
    ],
)
def test_topics_of_others_are_not_ours(topic):
    """Capitals, missing parts and other boards."""
    assert Topics("den").read_seat(topic) is None


def test_the_public_topics_are_six():
    """What everybody may read is a closed list."""
    assert PUBLIC == ("status", "info", "table", "state", "event", "diag")
    assert Topics("den").public("state") == "hextraction/den/state"


def test_a_command_with_an_unknown_field_is_refused():
    """A typing mistake in a field's name does not pass silently."""
    with pytest.raises(msgspec.ValidationError, match="unknown field"):
        msgspec.json.decode(b'{"id":"a","helo":true}', type=Command)


def test_presence_needs_no_phone():
    """A seat with one phone need not name it."""
    assert msgspec.json.decode(b'{"here":false}', type=Here) == Here(here=False, phone="")


def test_what_is_default_is_not_sent():
    """Events and replies are short: fields that say nothing are left out, the version too."""
    assert msgspec.json.encode(Reply(id="a", ok=True, code="ok")) == b'{"id":"a","ok":true,"code":"ok"}'
    assert b"slot" not in msgspec.json.encode(Event(game="g", seq=1, at_us=2, kind="k", text="t"))


def payload_types() -> list[type[msgspec.Struct]]:
    """Return every struct there is once all games and all that phones read are known."""
    assert all(game_type(kind) for kind in SHIPPED)
    found: list[type[msgspec.Struct]] = []
    more: list[type[msgspec.Struct]] = [msgspec.Struct]
    while more:
        one = more.pop()
        more += one.__subclasses__()
        found.append(one)
    return [one for one in found if one.__module__.startswith("hextraction.controller.")]


def test_only_what_is_empty_is_ever_left_out():
    """The page takes an absent field for nothing, so nothing else may be a default that is left out; nobody reads ``v``."""
    said = {
        f"{one.__name__}.{field.name}"
        for one in payload_types()
        if one.__struct_config__.omit_defaults
        for field in msgspec.structs.fields(one)
        if field.default is not msgspec.NODEFAULT and field.default and field.name != "v"
    }
    assert said == set()


def test_one_card_of_a_kind_is_sent_as_one():
    """Somebody who holds exactly one brick can offer it."""
    card = Card(id=1, name="brick", title="1 brick", count=1)
    assert msgspec.json.decode(msgspec.json.encode(card))["count"] == 1
