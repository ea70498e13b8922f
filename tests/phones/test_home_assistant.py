"""Facts about what Home Assistant finds of a board: what its own validators want, and what comes of each entity."""

import json
import subprocess
from pathlib import Path

import msgspec
import pytest
from helpers.companion_table import INFO
from helpers.tiers import nightly
from hextraction.board.profile import load_board
from hextraction.controller.games.rolls import LastRoll, RolledBall
from hextraction.controller.games.scene import PlaceView, Scene, SeatView
from hextraction.controller.payloads.health import GameChoice, SensorTrouble
from hextraction.controller.payloads.house import Brightness, News, Pause, Start, read_order
from hextraction.controller.payloads.messages import State, Table, TableSeat, Topics
from hextraction.controller.phones.ears import Ears
from hextraction.controller.phones.home_assistant import Discovery, discovery

HERE = Path(__file__).parents[1] / "helpers" / "home_assistant"
WANTS = json.loads((HERE / "wants.json").read_text())
PYTHON = Path(__file__).parents[2] / "build" / "home-assistant" / "bin" / "python"
DEN = Topics("den")

TABLE = Table(
    phase="playing",
    paused=True,
    seats=(
        TableSeat(seat="red", name="\u2068Ada, L.\u2069", colour="red", kind="person"),
        TableSeat(seat="blue", name="Blaise", colour="blue", kind="bot"),
        TableSeat(seat="green", name="Green", colour="green", kind="open"),
    ),
    kind="hextraction",
    games=(GameChoice(kind="hextraction", title="Hextraction"), GameChoice(kind="hexel", title="Hex'el")),
    health=(SensorTrouble(sensor="drain.C3", state="stuck"),),
    brightness=40,
)
EMPTY = Table(phase="lobby", seats=(), kind="mine")
SCENE = Scene(
    kind="hextraction",
    headline="h",
    turn=7,
    active="red",
    acting="red",
    seats=(
        SeatView(seat="red", name="\u2068Ada, L.\u2069", colour="red"),
        SeatView(seat="blue", name="Blaise", colour="blue"),
    ),
    places=(
        PlaceView(place="slot.A1", balls=1),
        PlaceView(place="zone.L", balls=2),
        PlaceView(place="zone.R"),
    ),
    winners=("blue", "red"),
    last_roll=LastRoll(
        number=1,
        roller="red",
        turn=7,
        balls=(RolledBall(ball=1, fate="zone.L"), RolledBall(ball=2)),
        probability=1.0,
    ),
)
BARE = msgspec.structs.replace(SCENE, winners=(), last_roll=None, places=(), active="nobody")


def document(*, lamps=True):
    """Return what is told of the standard board."""
    zones = {zone.name: zone.title for zone in load_board("standard-22").zones}
    found = Discovery(zones=zones, lamps=lamps, on_order=lambda _order: None)
    return discovery(DEN, INFO, found, "http://10.0.0.5:8080/")


# --- what its schemas want ---


def test_home_assistant_knows_every_key_and_misses_none():
    """A key that it does not know would be dropped without a word, and one that it misses drops the entity."""
    told = document()

    assert set(told["device"]) <= set(WANTS["device"]["known"])
    assert set(told["origin"]) <= set(WANTS["origin"]["known"])
    for name, part in told["components"].items():
        platform = WANTS["platforms"][part["platform"]]
        given = {*part, "device", "origin", "availability", "qos"} - {"platform"}
        assert given <= set(platform["known"]), name
        assert set(platform["wanted"]) <= given, name


def test_each_entity_has_a_class_that_home_assistant_has():
    """Classes are words of a closed list for each platform."""
    for name, part in document()["components"].items():
        if "device_class" in part:
            assert part["device_class"] in WANTS["device_class"][part["platform"]], name
        assert part.get("state_class", "measurement") in WANTS["state_class"], name


def test_the_device_has_what_a_house_wants_to_know():
    """Game, phase, turn, players, winner, last roll, balls in the end zones, health, brightness, buttons, events."""
    told = document()

    assert set(told["components"]) == {
        "game", "phase", "turn", "players", "winner", "last_roll", "balls_l", "balls_r", "health", "brightness",
        "start", "pause", "happened", "break",
    }  # fmt: skip
    assert told["components"]["happened"]["event_types"] == ["start", "goal", "win", "fault"]
    assert len({part["unique_id"] for part in told["components"].values()}) == len(told["components"])


def test_a_board_without_lamps_has_no_brightness():
    """Nothing is offered that would do nothing."""
    assert "brightness" not in document(lamps=False)["components"]


def test_what_the_buttons_send_is_what_the_table_reads():
    """Each command of the document is one of the three orders, at its own topic."""
    parts = document()["components"]
    buttons = [parts["start"], parts["pause"]]
    read = [
        read_order(part["command_topic"].removeprefix("hextraction/den/"), part["payload_press"].encode())
        for part in buttons
    ]

    assert read == [Start(do="start"), Pause(do="pause")]
    assert parts["brightness"]["command_topic"] == "hextraction/den/house/brightness"


@pytest.mark.slow
@nightly(
    "takes an installed Home Assistant (`make home-assistant`), half a gigabyte",
    meanwhile="test_home_assistant_knows_every_key_and_misses_none",
)
def test_home_assistant_takes_all_of_it_and_makes_of_it_what_is_meant():
    """Its own validators refuse and drop nothing, and its own templates give what people should read."""
    if not PYTHON.exists():
        pytest.skip("no Home Assistant here: `make home-assistant` installs one")
    payloads = {
        "hextraction/den/table": [TABLE, EMPTY],
        "hextraction/den/state": [State(game="g", seq=1, at_us=1, view=scene) for scene in (SCENE, BARE)],
        "hextraction/den/house/event": [News(event_type="goal", game="g", seq=1, at_us=1, zone="L")],
    }
    asked = {
        "document": document(),
        "payloads": {
            topic: [msgspec.json.encode(one).decode() for one in all_of_them]
            for topic, all_of_them in payloads.items()
        },
        "commands": {"brightness": [0, 40.0, 100]},
    }
    told = subprocess.run(
        [PYTHON, HERE / "judge.py", "check"],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    judged = json.loads(told.stdout)
    read = {
        name: one["values"]["value_template"]
        for name, one in judged.items()
        if "value_template" in one["values"]
    }

    assert [name for name, one in judged.items() if one.get("wrong") or one.get("dropped")] == []
    assert read == {
        "game": ["Hextraction", "mine"],
        "phase": ["playing", "lobby"],
        "players": ["2", "0"],
        "health": ["ON", "OFF"],
        "break": ["ON", "OFF"],
        "brightness": ["40", "None"],
        "turn": ["Ada, L.", ""],
        "winner": ["Ada, L., Blaise", ""],
        "last_roll": ["zone.L, ?", ""],
        "balls_l": ["2", "0"],
        "balls_r": ["0", "0"],
    }
    assert json.loads(judged["players"]["values"]["json_attributes_template"][0]) == {
        "names": "Ada, L., Blaise"
    }
    assert json.loads(judged["health"]["values"]["json_attributes_template"][0])["sensors"] == ["drain.C3"]
    assert [
        read_order("house/brightness", one.encode()) for one in judged["brightness"]["values"]["command"]
    ] == [Brightness(percent=0), Brightness(percent=40), Brightness(percent=100)]


# --- what may come in ---


def ears():
    """Return ears for the board den, and what they let through."""
    passed = []
    return Ears("hextraction/den", passed.append), passed


GOOD = {
    "house/brightness": (b'{"percent": 40}', Brightness(percent=40)),
    "house/start": (b'{"do": "start"}', Start(do="start")),
    "house/pause": (b'{"do":"pause","on":false}', Pause(do="pause", on=False)),
}
FOREIGN = {
    "another topic of the board": ("hextraction/den/player/red/cmd", b'{"id":"x","table":{"do":"start"}}'),
    "another board's order": ("hextraction/attic/house/start", b'{"do": "start"}'),
    "an order at another's topic": ("hextraction/den/house/start", b'{"do": "pause"}'),
    "a percentage beyond": ("hextraction/den/house/brightness", b'{"percent": 101}'),
    "less than nothing": ("hextraction/den/house/brightness", b'{"percent": -1}'),
    "a text for a number": ("hextraction/den/house/brightness", b'{"percent": "40"}'),
    "no number": ("hextraction/den/house/brightness", b'{"percent": NaN}'),
    "one thing more": ("hextraction/den/house/brightness", b'{"percent": 40, "act": {"do": "concede"}}'),
    "a bare number": ("hextraction/den/house/brightness", b"40"),
    "nothing": ("hextraction/den/house/start", b""),
    "no JSON": ("hextraction/den/house/start", b"PRESS"),
    "no UTF-8": ("hextraction/den/house/start", b'{"do": "\xff"}'),
    "nested without end": ("hextraction/den/house/start", b"[" * 60),
    "an order with a tail": ("hextraction/den/house/start", b'{"do": "start"}' + b" " * 60),
}


@pytest.mark.parametrize("leaf", GOOD)
def test_an_order_passes_as_a_value(leaf):
    """Each of the three, at its own topic."""
    listener, passed = ears()
    body, order = GOOD[leaf]

    assert listener.hear(f"hextraction/den/{leaf}", body, retained=False, now_s=1.0) == (False, "")
    assert passed == [order]


@pytest.mark.parametrize("leaf", GOOD)
def test_a_retained_order_is_none(leaf):
    """Somebody's retained "start" would begin a game each time the board comes back."""
    listener, passed = ears()
    again, wrong = listener.hear(f"hextraction/den/{leaf}", GOOD[leaf][0], retained=True, now_s=1.0)

    assert (again, passed) == (False, [])
    assert "retained" in wrong


@pytest.mark.parametrize("said", FOREIGN.values(), ids=FOREIGN)
def test_what_is_no_order_changes_nothing_and_is_told(said):
    """And nothing of what it says stands in what is told: a log is no place for a stranger's text."""
    listener, passed = ears()
    topic, body = said
    again, wrong = listener.hear(topic, body, retained=False, now_s=1.0)

    assert (again, passed) == (False, [])
    assert wrong.endswith("it is ignored")
    assert "concede" not in wrong


def test_orders_come_no_faster_than_a_hand_presses():
    """Five at once, then two a second."""
    listener, passed = ears()
    told = [
        listener.hear("hextraction/den/house/pause", b'{"do":"pause"}', retained=False, now_s=now_s)[1]
        for now_s in [1.0] * 8 + [1.6, 1.6, 10.0]
    ]

    assert [bool(each) for each in told] == [False] * 5 + [True] * 3 + [False, True, False]
    assert len(passed) == 7


def test_a_greeting_is_answered_at_most_every_ten_seconds():
    """Home Assistant has started: it is told everything again; a storm of greetings is not."""
    listener, passed = ears()
    said = [(b"online", 1.0), (b"online", 2.0), (b"offline", 20.0), (b"online", 20.0)]

    assert [
        listener.hear("homeassistant/status", body, retained=False, now_s=now_s) for body, now_s in said
    ] == [(True, ""), (False, ""), (False, ""), (True, "")]
    assert passed == []
