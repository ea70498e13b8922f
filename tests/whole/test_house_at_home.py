"""A board and a house as people have them: two real Mosquittos, a game, a link that is cut, and Home Assistant's words."""

import asyncio
import contextlib
import json
import time

import pytest
from helpers.companion_table import OpenBroker, Phone
from helpers.places import ROOT
from helpers.ports import free_port
from helpers.simulated import BOARD, now_us, table
from helpers.tiers import nightly
from helpers.waiting import happens
from hextraction.controller.app.page import open_page
from hextraction.controller.app.process import board_info
from hextraction.controller.config import HouseConfig, PageConfig
from hextraction.controller.games.marked_names import plain
from hextraction.controller.version import software

pytestmark = [pytest.mark.broker, pytest.mark.slow]

HOUSE = "hextraction/den/house"
CORE = ROOT / "build" / "home-assistant-core" / "bin" / "python"


class Wire:
    """Stands between board and house: passes everything on, until it is cut."""

    def __init__(self, port):
        self.port = port
        self.whole = True
        self.writers = []

    async def serve(self, reader, writer):
        if not self.whole:
            writer.close()
            return
        onward, back = await asyncio.open_connection("127.0.0.1", self.port)
        self.writers += [writer, back]
        await asyncio.gather(self.pump(reader, back), self.pump(onward, writer))

    async def pump(self, reader, writer):
        with contextlib.suppress(OSError):
            while data := await reader.read(4096):
                writer.write(data)
        writer.close()

    def cut(self):
        self.whole = False
        for writer in self.writers:
            writer.close()
        self.writers.clear()

    def mend(self):
        self.whole = True


class Reader(Phone):
    """Somebody at the house's broker who reads all of it."""

    def __init__(self, port):
        super().__init__(None, {"user": None, "password": None}, name="reader", tcp=port)
        self.client.on_message = self.note

    def note(self, _client, _user, message):
        self.messages.append((message.topic, message.payload, message.retain))

    def of(self, leaf):
        """Return what came on a topic of the board, in order."""
        return [
            json.loads(body) for topic, body, _ in list(self.messages) if topic == f"hextraction/den/{leaf}"
        ]

    def say(self, topic, body, *, retain=False):
        """Say something at the house's broker, as anybody in the house may."""
        self.client.publish(topic, body, 1, retain=retain)


@contextlib.asynccontextmanager
async def at_home(folder, made):
    """Open a simulated table whose house has a broker of its own; give its companion, the wire, and a reader."""
    broker = OpenBroker(folder / "house")
    await broker.start({})
    wire = Wire(broker.address.port)
    server = await asyncio.start_server(wire.serve, "127.0.0.1", 0)
    reader = Reader(broker.address.port)
    await happens(reader.up.is_set)
    await reader.subscribe("#")
    house = HouseConfig(host="127.0.0.1", port=server.sockets[0].getsockname()[1], discovery=True)
    info = board_info(BOARD, electronics=False, simulated=True)
    page = PageConfig(host="127.0.0.1", port=0)
    try:
        async with open_page(
            made.host, page, board_id="den", info=info, now_us=lambda: now_us(made), house=house
        ) as companion:
            await happens(lambda: reader.of("table"))
            yield companion, wire, reader
    finally:
        await asyncio.to_thread(reader.close)
        server.close()
        await broker.close()


async def play(made, until):
    """Let the game run, and the loop in between."""
    for step in range(150_000):
        if until():
            return
        made.step()
        made.show()
        if step % 5 == 0:
            await asyncio.sleep(0)
    raise AssertionError("it never came to that")


def listened(made):
    """Note the news of a table from now on: what, and when the last edge before it was felt."""
    news, seen_s = [], [0.0]
    tell, edge = made.host.on_news, made.host.edge

    def told(one):
        news.append((one.event_type, seen_s[0]))
        tell(one)

    def felt(one):
        seen_s[0] = time.monotonic()
        edge(one)

    made.host.on_news, made.host.edge = told, felt
    return news


def test_a_game_comes_home_complete_in_order_once_and_without_a_hand(tmp_path):
    """The link is cut in the midst of it: what happened meanwhile comes after, nothing twice, the last state last."""

    async def go():
        made = table(7, players=2, laid=20)
        async with at_home(tmp_path, made) as (_companion, wire, reader):
            news = listened(made)
            assert made.begin() == []
            runtime = made.host.runtime
            await play(made, lambda: runtime.standing.turn >= 3)
            await happens(lambda: reader.of("state")[-1]["seq"] == runtime.referee.seq)
            before = len(reader.of("state"))
            wire.cut()
            await play(made, lambda: runtime.standing.turn >= 4)
            wire.mend()
            await happens(lambda: len(reader.of("state")) > before)
            await play(made, lambda: runtime.over)
            made.show()
            await happens(lambda: reader.of("state")[-1]["view"]["outcome"])
            await happens(lambda: len(reader.of("house/event")) >= len(news))
            return news, reader

    news, reader = asyncio.run(go())
    states, happened = reader.of("state"), reader.of("house/event")
    seqs = [one["seq"] for one in states]
    topics = {topic for topic, _, _ in reader.messages}

    assert [one["event_type"] for one in happened] == [what for what, _ in news]
    assert {"goal", "win"} <= {one["event_type"] for one in happened}
    assert seqs == sorted(seqs)
    assert states[-1]["view"]["winners"]
    assert topics <= {
        "homeassistant/device/hextraction-den/config", f"{HOUSE}/event",
        *(f"hextraction/den/{leaf}" for leaf in ("status", "info", "table", "state", "event", "diag")),
    }  # fmt: skip
    assert not any(b'"hand"' in body for _, body, _ in reader.messages)


def test_home_assistant_dims_the_lamps_and_makes_a_break_and_strangers_do_nothing(tmp_path, caplog):
    """Orders come through the wire, the table tells what came of them; all else changes nothing and is told once."""

    async def go():
        made = table(7, players=2, laid=20)
        async with at_home(tmp_path, made) as (companion, _wire, reader):
            assert made.begin() == []
            made.show()
            bright = sum(map(sum, made.devices.pixels.frame))
            reader.say(f"{HOUSE}/brightness", b'{"percent": 10}')
            await happens(lambda: reader.of("table")[-1]["brightness"] == 10)
            made.host.refresh(now_us(made))
            assert 0 < sum(map(sum, made.devices.pixels.frame)) < bright / 2
            reader.say(f"{HOUSE}/pause", b'{"do": "pause"}')
            await happens(lambda: reader.of("table")[-1]["paused"])
            assert made.host.lobby.say == "The house paused the game."
            reader.say(f"{HOUSE}/pause", b'{"do": "pause"}')
            await happens(lambda: not reader.of("table")[-1]["paused"])
            seq, shown = made.host.runtime.referee.seq, made.host.lobby.table({})
            for _again in range(3):
                reader.say(f"{HOUSE}/pause", b'{"do": "start"}')
                reader.say(f"{HOUSE}/brightness", b'{"percent": 90, "seat": "red"}')
                reader.say("hextraction/den/player/red/cmd", b'{"id": "x", "table": {"do": "leave"}}')
                reader.say(f"{HOUSE}/start/more", b'{"do": "start"}')
            reader.say(f"{HOUSE}/start", b'{"do": "start"}', retain=True)
            reader.say("homeassistant/status", b"online")
            documents = [topic for topic, _, _ in reader.messages].count(DOCUMENT)
            await happens(lambda: [topic for topic, _, _ in reader.messages].count(DOCUMENT) > documents)
            assert (made.host.runtime.referee.seq, made.host.lobby.table({})) == (seq, shown)
            assert companion.online
            return [line for line in caplog.messages if "ignored" in line]

    told = asyncio.run(go())
    assert len(told) == len(set(told)) == 3
    assert not any("leave" in line or "seat" in line for line in told)


DOCUMENT = "homeassistant/device/hextraction-den/config"


class Core:
    """A real core of Home Assistant, asked line by line (``tests/helpers/home_assistant/core.py``)."""

    def __init__(self, process):
        self.process = process

    async def ask(self, question):
        """Ask, and return the answer."""
        self.process.stdin.write(json.dumps(question).encode() + b"\n")
        line = await self.process.stdout.readline()
        assert line, "the core of Home Assistant has ended"
        return json.loads(line)

    async def shows(self, entity):
        """Return what an entity shows now; None while it is not known."""
        found = (await self.ask("states"))["entities"].get(f"hextraction_den_{entity}")
        return found and found["shown"] and found["shown"]["state"]

    async def press(self, platform, service, entity, **data):
        """Do what a person does at Home Assistant."""
        found = (await self.ask("states"))["entities"][f"hextraction_den_{entity}"]["entity"]
        await self.ask(["call", platform, service, {"entity_id": found, **data}])

    async def until(self, entity, value):
        """Wait until an entity shows a value."""
        shown = None
        for _look in range(600):
            if (shown := await self.shows(entity)) == value:
                return
            await asyncio.sleep(0.1)
        raise AssertionError(f"{entity}: want {value!r}, found {shown!r}")


@contextlib.asynccontextmanager
async def core_of(folder, port):
    """Start a core of Home Assistant that is at home at a broker."""
    script = ROOT / "tests" / "helpers" / "home_assistant" / "core.py"
    words = (CORE, script, folder, port, free_port())
    with (folder.parent / "core.log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            *map(str, words), stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=log,
            limit=1 << 20,
        )  # fmt: skip
        try:
            yield Core(process)
        finally:
            process.stdin.close()
            await process.wait()


@nightly(
    "takes a core of Home Assistant with its MQTT integration (`make home-assistant`), a gigabyte",
    meanwhile="test_home_assistant_dims_the_lamps_and_makes_a_break_and_strangers_do_nothing",
)
def test_a_real_home_assistant_finds_the_board_and_does_what_is_pressed_there(tmp_path):
    """One device with all its entities; they show the game as it is, and what is pressed happens at the table."""
    if not CORE.exists():
        pytest.skip("no core of Home Assistant here: `make home-assistant` installs one")

    async def go():
        made = table(7, players=2, laid=20)
        async with (
            at_home(tmp_path, made) as (_companion, wire, reader),
            core_of(tmp_path / "core", wire.port) as core,
        ):
            await core.until("phase", "lobby")
            found = await core.ask("states")
            assert made.begin() == []
            made.show()
            await core.until("phase", "playing")
            runtime = made.host.runtime
            await play(made, lambda: runtime.standing.turn >= 2)
            made.show()
            view = made.host.runtime.scene()
            await core.until("turn", next(plain(one.name) for one in view.seats if one.seat == view.active))
            await core.press("number", "set_value", "brightness", value=10)
            await happens(lambda: reader.of("table")[-1]["brightness"] == 10)
            await core.until("brightness", "10")
            await core.press("button", "press", "pause")
            await happens(lambda: reader.of("table")[-1]["paused"])
            await core.press("button", "press", "pause")
            await happens(lambda: not reader.of("table")[-1]["paused"])
            await play(made, lambda: runtime.over)
            made.show()
            await core.until("phase", "over")
            return found, await core.ask("states")

    found, ended = asyncio.run(go())
    entities = {name.removeprefix("hextraction_den_") for name in found["entities"]}
    assert found["devices"] == [["Hextraction den", "hextraction", "Standard board, 22 slots", software()]]
    assert entities == {
        "game", "phase", "turn", "players", "winner", "last_roll", "balls_l", "balls_r", "health", "brightness",
        "start", "pause", "happened",
    }  # fmt: skip
    shown = {name: one["shown"] for name, one in ended["entities"].items()}
    assert shown["hextraction_den_winner"]["state"] not in {"unknown", "unavailable", ""}
    assert shown["hextraction_den_happened"]["attributes"]["event_type"] == "win"
