"""Facts about the generated schemas: they are up to date, they are schemas, and they say what the types say."""

import json

import msgspec
import pytest
from helpers.places import ROOT
from hextraction.controller.games.hextraction.cards.face import TileView
from hextraction.controller.games.hextraction.setup.lobby import LobbyDetail
from hextraction.controller.games.hextraction.shown.detail import Detail, VoteView, WaitingView
from hextraction.controller.games.registry import SHIPPED
from hextraction.controller.games.scene import (
    BallView,
    Counter,
    Option,
    PlaceView,
    PrivateView,
    Prompt,
    Scene,
    SeatView,
)
from hextraction.controller.payloads import house, messages
from hextraction.controller.payloads.schema import asyncapi, documents, main
from msgspec.structs import replace

DOCS = ROOT / "docs" / "mqtt"
TILE = TileView(
    id=1,
    name="curve",
    title="Curve",
    owner="red",
    turns=2,
    legal_turns=(0, 2),
    channels=((1, 4),),
    keywords=("x",),
)
PUBLIC = Scene(
    kind="hextraction",
    headline="Red rolls",
    turn=3,
    active="red",
    acting="red",
    seats=(SeatView(seat="red", name="Anna", colour="red", counters=(Counter(label="tiles", count=3),)),),
    places=(
        PlaceView(place="slot.A1", piece=TILE, count=2),
        PlaceView(place="slot.B1"),
        PlaceView(place="ramp.L1", wants="release"),
        PlaceView(place="zone.L", title="Left", balls=1),
    ),
    balls=(BallView(ball=1, place="slot.A1", trail=("A1",), moving=True),),
    asked=(("red", "vote"),),
    detail=Detail(
        phase="rolling",
        waiting=(WaitingView(id=1, slot="A1", title="t", text="x"),),
        vote=VoteView(kind="vote", title="t", ballots={"red": True}),
    ),
)
OPTION = Option(group="play", label="Play it", act={"do": "play"}, turns=(0, 1))
PROMPT = Prompt(id="p", seat="red", kind="k", text="t", clause="1.2", options=(OPTION,), default=0)

SAMPLES = {
    "status": messages.Status(state="online", boot="b", software="1"),
    "info": messages.Info(
        board="std22",
        title="Standard",
        pitch_mm=60.0,
        electronics=True,
        simulated=False,
        game="g",
        software="1",
        slots=(messages.SlotShape(slot="A1", x_mm=0.0, y_mm=1.5, edges=(messages.EdgeShape(ramp="L1"),)),),
    ),
    "table": messages.Table(
        phase="lobby", seats=(messages.TableSeat(seat="red", name="A", colour="red", kind="person"),)
    ),
    "state": messages.State(game="g1", seq=7, at_us=1, view=PUBLIC),
    "event": messages.Event(game="g1", seq=7, at_us=1, kind="touch", text="t", slot="A1"),
    "view": messages.View(
        game="g1", seq=7, view=PrivateView(seat="red", hand=(TILE,), options=(OPTION,), prompts=(PROMPT,))
    ),
    "command": messages.Command(id="a-1", act={"do": "roll"}),
    "reply": messages.Reply(id="a-1", ok=False, code="refused", reason="no", clause="1.2"),
    "here": messages.Here(here=True, phone="p"),
    "diag": messages.Diag(values={"retained": 1}),
    "join_request": messages.JoinRequest(code="K7QM4P", name="Anna"),
    "seat_key": messages.SeatKey(user="red.1", password="p"),
    "key_state": messages.KeyState(state="taken"),
    "joined": messages.Joined(seat="red", user="u", password="p", prefix="hextraction/den"),
    "session": messages.Session(board="den", prefix="hextraction/den", user="watch", password="p"),
    "odds": messages.Odds(
        game="g1", ramps=(messages.RampOdds(ramp="L1", zone=0.25, ends={"hole.C3": 0.75, "zone.L": 0.25}),)
    ),
    "evening": messages.Evening(
        events=(messages.Event(game="g1", seq=7, at_us=1, kind="fell", text="The ball fell."),),
        games=(
            messages.PlayedGame(
                game="g0",
                kind="hextris",
                title="Hextris",
                wall="2026-11-23T20:00:00+0100",
                players=("Ann", "Bo"),
                outcome="Ann wins.",
            ),
        ),
        address="http://10.0.0.5:8080/",
    ),
    "health_report": messages.HealthReport(
        ok=False, problems=("no broker",), broker="away", phones=2, load=messages.Load(seats=2, slowed=1)
    ),
    "declined": messages.Declined(reason="no"),
    "news": house.News(event_type="goal", game="g1", seq=7, at_us=1, text="t", zone="L"),
    "brightness": house.Brightness(percent=40),
    "start": house.Start(do="start"),
    "pause": house.Pause(do="pause"),
}


PLAIN = {
    "state": messages.State(game="g1", seq=7, at_us=1, view=replace(PUBLIC, places=(), detail=None)),
    "view": messages.View(
        game="g1", seq=7, view=PrivateView(seat="red", hand=(), options=(OPTION,), prompts=())
    ),
}
"""The payloads without what only one game shows."""


def judge(document):
    """Return jsonschema's judge of what a schema asks for."""
    from jsonschema import Draft202012Validator  # noqa: PLC0415 - three seconds, which whoever only collects need not wait

    return Draft202012Validator(document)


def schema(name):
    """Return a committed schema."""
    return json.loads((DOCS / f"{name}.json").read_text())


def test_the_committed_documents_are_what_the_types_say():
    """Whoever changes a payload writes its documents anew: python -m hextraction.controller.payloads.schema --write docs/mqtt."""
    assert {path.name: path.read_text() for path in DOCS.glob("*.json")} == documents()


def test_every_payload_has_a_sample_here():
    """A new payload cannot be added without trying it against its schema."""
    others = {"asyncapi.json", "openapi.json", *(f"game-{kind}.json" for kind in SHIPPED)}
    assert {f"{name}.json" for name in SAMPLES} | others == set(documents())


@pytest.mark.slow
def test_what_only_a_game_shows_has_a_schema_too():
    """The details of a scene and of the lobby, and the game's own pieces, fit the game's document."""
    document = schema("game-hextraction")
    for name, sample in (
        ("Detail", PUBLIC.detail),
        ("LobbyDetail", LobbyDetail(tiles=(TILE,))),
        ("TileView", TILE),
    ):
        whole = {"$ref": f"#/$defs/{name}", "$defs": document["$defs"]}
        assert list(judge(whole).iter_errors(json.loads(msgspec.json.encode(sample)))) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", SAMPLES)
def test_a_schema_is_a_schema_and_takes_its_sample(name):
    """The document is valid JSON Schema 2020-12 and the encoded payload fits it."""
    judge(schema(name)).check_schema(schema(name))
    sample = json.loads(msgspec.json.encode(SAMPLES[name]))

    assert list(judge(schema(name)).iter_errors(sample)) == []


@pytest.mark.parametrize("name", SAMPLES)
def test_a_payload_comes_back_as_it_was(name):
    """Encoding and decoding change nothing; what only a game knows is read by that game's page alone."""
    sample = {**SAMPLES, **PLAIN}[name]

    assert msgspec.json.decode(msgspec.json.encode(sample), type=type(sample)) == sample


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("command", {"id": "a b"}),
        ("command", {"hello": True}),
        ("command", {"id": "a", "seat": "x" * 17}),
        ("here", {"here": "yes"}),
        ("here", {"here": True, "phone": "x" * 65}),
        ("status", {}),
        ("state", {"game": "g", "seq": 1, "at_us": 1}),
        ("join_request", {"code": 7}),
        ("join_request", {"code": "x" * 33}),
    ],
)
def test_schema_and_decoder_refuse_the_same(name, wrong):
    """What the schema refuses the controller refuses too."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(json.dumps(wrong), type=type(SAMPLES[name]))
    assert not judge(schema(name)).is_valid(wrong)


def test_a_hidden_hand_has_no_place_in_a_public_schema():
    """The scene's seats only count what they hold; the private view alone has a hand of pieces."""
    seat = schema("state")["$defs"]["SeatView"]["properties"]

    assert "hand" not in seat
    assert set(schema("state")["$defs"]["Counter"]["properties"]) == {"label", "count", "one"}
    assert schema("view")["$defs"]["PrivateView"]["properties"]["hand"]["type"] == "array"


def references(value):
    """Walk over all references in a document."""
    if isinstance(value, dict):
        yield from ([value["$ref"]] if "$ref" in value else [])
        value = list(value.values())
    if isinstance(value, list):
        for part in value:
            yield from references(part)


def test_the_asyncapi_document_holds_together():
    """Version 3, every reference leads somewhere, every channel has its operation and its parameters."""
    document = asyncapi()

    assert document["asyncapi"] == "3.0.0"
    for reference in references(document):
        place = document
        for step in reference.removeprefix("#/").split("/"):
            place = place[step]
    assert document["channels"].keys() == document["operations"].keys()
    for channel in document["channels"].values():
        assert (
            set(channel["parameters"]) == {"board", "seat"} if "{seat}" in channel["address"] else {"board"}
        )
        assert len(channel["messages"]) == 1


def test_only_the_public_lasting_topics_are_retained():
    """No topic of a seat is ever retained by the controller, and phones are heard, not answered, on theirs."""
    operations = asyncapi()["operations"]

    retained = {leaf for leaf, operation in operations.items() if operation["bindings"]["mqtt"]["retain"]}
    received = {leaf for leaf, operation in operations.items() if operation["action"] == "receive"}
    assert retained == {"status", "info", "table", "state", "odds", "diag"}
    assert received == {"cmd", "here", "house-brightness", "house-start", "house-pause"}


def test_the_check_tells_which_documents_are_stale(tmp_path, capsys):
    """Missing, changed and forgotten files are named, and the status is 1."""
    assert main(["--write", str(tmp_path)]) == 0
    assert main(["--check", str(tmp_path)]) == 0
    (tmp_path / "state.json").write_text("{}")
    (tmp_path / "table.json").unlink()
    (tmp_path / "old.json").write_text("{}")

    assert main(["--check", str(tmp_path)]) == 1
    assert [line.split(":")[0].rpartition("/")[2] for line in capsys.readouterr().err.splitlines()] == [
        "old.json",
        "state.json",
        "table.json",
    ]
