"""No message is larger than the broker takes, whatever is in it."""

import msgspec
import pytest
from helpers.companion_table import INFO, PUBLIC
from hextraction.controller.games.hextraction.cards.face import TileView
from hextraction.controller.games.scene import Option, PlaceView, PrivateView, Prompt
from hextraction.controller.payloads.health import SensorTrouble
from hextraction.controller.payloads.messages import (
    Diag,
    Event,
    Reply,
    State,
    Table,
    TableSeat,
    View,
)
from hextraction.controller.payloads.sizes import MOST_PACKET, fitted, packet_of
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

TEXTS = st.sampled_from(["", "x", "é" * 40, "🎲" * 900])
MANY = st.integers(0, 250)
ROOMS = st.integers(0, 12_000)


def troubles(many, text):
    """Return so many sensors that are not well."""
    return tuple(SensorTrouble(sensor=f"s{number}", state="lost", why=text) for number in range(many))


def options(many, text, group="play"):
    """Return so many things that may be done."""
    return tuple(Option(group=group, label=f"{text} {number}", act={"name": text}) for number in range(many))


def views(many, text):
    """Return a seat's view with so much to do and to answer."""
    asked = Prompt(
        id="p", seat="red", kind="claim", text=text, clause="1", options=options(many, text), default=0
    )
    seen = PrivateView(
        seat="red",
        hand=(),
        options=(*options(many, text), *options(2, "", "concede")),
        prompts=(asked,),
        others=(asked,),
    )
    return View(game="g", seq=1, view=seen)


def states(many, text):
    """Return a snapshot with so many tiles."""
    piece = TileView(id=1, name="own-x", title="X", summary=text, disabled=(text,))
    places = tuple(PlaceView(place=f"slot.{number}", piece=piece) for number in range(many))
    return State(
        game="g", seq=1, at_us=1, view=replace(PUBLIC, places=places, detail={"game": "g", "text": text})
    )


def tables(many, text):
    """Return a lobby with so much in it."""
    seats = (TableSeat(seat="red", name="Anna", colour="red", kind="person"),)
    return Table(
        phase="lobby",
        seats=seats,
        health=troubles(many, text),
        broken=("b",) * many,
        detail={"t": [text] * many},
    )


PAYLOADS = st.one_of(
    st.builds(tables, MANY, TEXTS),
    st.builds(states, MANY, TEXTS),
    st.builds(views, MANY, TEXTS),
    st.builds(lambda text: Event(game="g", seq=1, at_us=1, kind="k", text=text), TEXTS),
    st.builds(lambda text: Reply(id="c", ok=False, code="refused", reason=text, picture=text), TEXTS),
    st.builds(lambda many, text: Diag(values={f"v{n}": text for n in range(many)}), MANY, TEXTS),
    st.builds(lambda many: replace(INFO, sensors=("s",) * many), MANY),
)


@given(PAYLOADS, ROOMS)
def test_what_is_cut_fits_and_is_still_such_a_payload(payload, most):
    """It has at most the bytes that were asked for and reads as its own type, or there is nothing to send."""
    body = fitted(payload, most)

    if body is not None:
        assert len(body) <= most
        assert msgspec.json.decode(body, type=type(payload)).v == payload.v


@given(PAYLOADS)
def test_what_fits_stays_whole(payload):
    """Nothing is left out without need."""
    whole = msgspec.json.encode(payload)

    assert fitted(payload, len(whole)) == whole


@pytest.mark.parametrize(
    "payload",
    [tables(250, "x" * 300), states(22, "🎲" * 900), views(250, "x" * 200)],
    ids=["table", "state", "view"],
)
def test_what_a_table_is_played_by_survives_the_cut(payload):
    """Seats, places, pieces' titles and some options of every group are there in any packet of a broker of ours."""
    body = fitted(payload, MOST_PACKET - packet_of("hextraction/den/player/violet/view", b""))

    assert body is not None
    kept = msgspec.json.decode(body, type=dict)
    match payload:
        case Table():
            assert kept["seats"]
            assert kept["health"][-1]["why"].startswith("and ")
        case State():
            assert [place["piece"]["title"] for place in kept["view"]["places"]] == ["X"] * 22
        case View():
            assert {option["group"] for option in kept["view"]["options"]} == {"play", "concede"}
            assert kept["view"]["prompts"][0]["default"] == 0
