"""Facts about the copy for the house's broker: what goes out, that nothing comes in, and what a bad house costs."""

import asyncio
import contextlib
import json
import logging
import os
import signal
import struct
import time

import pytest
from helpers.companion_table import OpenBroker, Phone, ask, companion_at, state, table, view
from helpers.ports import free_port
from helpers.program import Process
from helpers.waiting import happens
from hextraction.controller.app import main
from hextraction.controller.payloads.messages import Diag, Event, Odds, Topics
from hextraction.controller.phones.broker import ExternalBroker, PrivateBroker
from hextraction.controller.phones.ears import Ears
from hextraction.controller.phones.house import House, HouseError, HouseRefusedError, own_id, try_login
from hextraction.controller.phones.rights import SeatBook, security_document

WILL = ("hextraction/den/status", b'{"state":"offline"}')
WELCOME = b"\x20\x03\x00\x00\x00"


def house_at(port, **how):
    """Return a copy for a house's broker on this machine, not yet started."""
    how = {"client_id": "hextraction-den-1", "will": WILL, "pauses_s": (0.01,), **how}
    return House(ExternalBroker(host="127.0.0.1", port=port), **how)


def publish(topic, body, *, qos=0):
    """Return an MQTT 5 packet that publishes something, retained."""
    name = topic.encode()
    rest = struct.pack(">H", len(name)) + name + (b"\x00\x07" if qos else b"") + b"\x00" + body
    length, size = b"", len(rest)
    while True:
        length += bytes([size % 128 | (128 if size > 127 else 0)])
        size //= 128
        if not size:
            return bytes([0x31 | qos << 1]) + length + rest


@contextlib.asynccontextmanager
async def pretender(says, *, greets=True):
    """Stand in the house's place: greet who comes, say ``says``, and count who came and what they sent."""
    came, heard = [], []

    async def serve(reader, writer):
        came.append(writer)
        with contextlib.suppress(OSError):
            heard.append(await reader.read(4096))
            if greets:
                writer.write(WELCOME)
            for piece in says:
                writer.write(piece)
                await writer.drain()
            while more := await reader.read(4096):
                heard.append(more)
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1], came, heard
        for writer in came:
            writer.close()


@contextlib.asynccontextmanager
async def real(broker, security=None):
    """Run a real Mosquitto in the house's place, and somebody who may read all of it."""
    await broker.start(security or {})
    try:
        yield broker.address.port
    finally:
        await broker.close()


@contextlib.asynccontextmanager
async def listening(port, *topics, user=None, password=None):
    """Read what a broker has."""
    phone = Phone(None, {"user": user, "password": password}, name=f"reader-{time.monotonic_ns()}", tcp=port)
    await happens(phone.up.is_set)
    await phone.subscribe(*topics)
    try:
        yield phone
    finally:
        await asyncio.to_thread(phone.close)


def told(phone, leaf):
    """Return what a listener has heard on a topic, in order."""
    return [body for topic, body, _ in list(phone.messages) if topic == f"hextraction/den/{leaf}"]


def states(phone):
    """Return what a listener has heard of whether the board is there, in order."""
    return [json.loads(body)["state"] for body in told(phone, "status")]


# --- Nothing comes in ---

FORGED = json.dumps({"state": "online", "boot": "f" * 24, "v": 1}).encode()
ACT = json.dumps({"id": "x1", "game": "g1", "act": {"do": "concede"}}).encode()
HOSTILE = {
    "an act for a seat": [publish("hextraction/den/player/red/cmd", ACT, qos=1)],
    "a state of its own": [publish("hextraction/den/state", b'{"v":1}', qos=1)],
    "a controller that began later": [publish("hextraction/den/status", FORGED, qos=1)],
    "roles for anybody": [publish("$CONTROL/dynamic-security/v1", b'{"commands":[]}', qos=2)],
    "messages without end": [publish(f"t{n}", b"x" * 100, qos=2) for n in range(500)],
    "one message of 256 MB": [b"\x30\xff\xff\xff\x7f" + b"\0" * 100_000],
    "a length without end": [b"\x30\xff\xff\xff\xff\xff\xff"],
    "answers without end": [b"\xd0\x00" * 100_000],
    "answers to nothing": [b"\x40\x02\x00\x01" * 1000],
    "a second welcome": [WELCOME * 3],
    "a refusal after the welcome": [b"\x20\x03\x00\x87\x00"],
    "a broken welcome": [b"\x20\x00", b"\x20\x01\x00", b"\x20\x06\x00\x00\x03\xff\xff\xff"],
    "a broken answer": [b"\x40\x01\x00", b"\x40\x00", b"\x40\x05\x00\x01\xfe\x7f\x7f"],
    "a broken farewell": [b"\xe0\x02\xfe\x00", b"\xe0\x03\x00\x01\xff"],
    "questions": [b"\xc0\x00" * 10, b"\x82\x05\x00\x01\x00\x00\x00", b"\xf0\x00"],
    "another program's greeting": [b"HTTP/1.1 400 Bad Request\r\n\r\n"],
    "nonsense": [bytes(range(256)) * 40],
}


@pytest.mark.parametrize("hears", [False, True], ids=["deaf", "with ears"])
@pytest.mark.parametrize("says", HOSTILE.values(), ids=HOSTILE)
def test_whatever_a_house_says_the_copy_goes_on_and_says_nothing_but_its_own(says, hears):
    """It skips what nobody asked for or hangs up and comes back, and answers none of it."""
    orders = []

    async def play():
        async with pretender(says) as (port, _came, heard):
            house = house_at(port, ears=Ears("hextraction/den", orders.append) if hears else None)
            house.latest("hextraction/den/state", b"ours")
            house.start()
            await happens(lambda: any(b"\x00ours" in piece for piece in heard))
            for again in range(3):
                house.latest("hextraction/den/state", b"news %d" % again)
                await happens(lambda again=again: any(b"news %d" % again in piece for piece in heard))
            kinds = {piece[0] & 0xF0 for piece in heard if piece}
            assert kinds <= {0x10, 0x30, 0xC0, 0xE0} | ({0x80} if hears else set()), kinds
            assert orders == []
            assert not any(b"player" in piece or b"CONTROL" in piece for piece in heard)
        await house.close(WILL)

    asyncio.run(play())


@pytest.mark.broker
@pytest.mark.slow
def test_nothing_that_a_house_says_reaches_the_broker_that_has_hands(tmp_path):
    """Acts, forged states and roles end at the copy: nobody at the table hears them, and the controller stays."""

    async def play():
        says = [piece for name in list(HOSTILE)[:4] for piece in HOSTILE[name]]
        async with pretender(says) as (port, came, _heard):
            house = ExternalBroker(host="127.0.0.1", port=port)
            async with table(tmp_path, house=house) as here:
                admin = here.broker.admin
                inside = here.broker.address.port
                async with listening(
                    inside, "hextraction/#", "$CONTROL/#", user=admin.user, password=admin.token
                ) as spy:
                    red = await here.sit()
                    here.companion.publish_state(state(1))
                    await happens(lambda: came and told(spy, "state"))
                    red.client.publish(f"{red.at}/here", b'{"here":true}', 1)
                    await happens(lambda: here.companion.here["red"])
                    assert here.heard == []
                    assert here.companion.online
                    assert not any(body in {ACT, FORGED, b'{"v":1}'} for _, body, _ in spy.messages)

    asyncio.run(play())


# --- What goes out ---


@pytest.mark.broker
@pytest.mark.slow
def test_the_house_gets_what_is_public_and_never_a_hand_nor_the_odds(tmp_path):
    """Six topics, retained but for events; players may look into the house, so the odds stay here, too."""

    async def play():
        async with real(OpenBroker(tmp_path / "house")) as port, listening(port, "#") as reader:
            where = ExternalBroker(host="127.0.0.1", port=port)
            async with table(tmp_path / "ours", house=where) as here:
                companion = here.companion
                companion.publish_view("red", view("red"))
                companion.publish_odds(Odds(game="g"))
                companion.publish_state(state(1))
                companion.publish_diag(Diag(values={}))
                companion.publish_event(Event(game="g", seq=1, at_us=0, kind="k", text="t"))
                six = {"status", "info", "table", "state", "diag", "event"}
                await happens(lambda: six <= reader.topics())
            await happens(lambda: json.loads(told(reader, "status")[-1])["state"] == "offline")
            assert reader.topics() == six
            assert not any(b"secret" in body for _, body, _ in reader.messages)
            async with listening(port, "#") as late:
                await happens(lambda: six - {"event"} <= late.topics())
                assert late.topics() == six - {"event"}

    asyncio.run(play())


@pytest.mark.broker
@pytest.mark.slow
def test_a_house_that_was_away_gets_everything_once_and_the_newest_only(tmp_path):
    """Killed and started again without its memory it has every topic again; what did not change is told once."""

    async def play():
        broker = OpenBroker(tmp_path / "house")
        async with real(broker) as port:
            house = house_at(port)
            house.start()
            house.latest("hextraction/den/info", b"info")
            for seq in range(50):
                house.latest("hextraction/den/state", b"%03d" % seq)
                house.latest("hextraction/den/state", b"%03d" % seq)
            await happens(lambda: house.online)
            os.kill(broker.pid, signal.SIGKILL)
            await happens(lambda: not house.online)
            for seq in range(50, 100):
                house.latest("hextraction/den/state", b"%03d" % seq)
            house.event("hextraction/den/event", b"while it was away")
            await happens(lambda: house.online)
            async with listening(port, "#") as reader:
                await happens(lambda: told(reader, "state") and told(reader, "info"))
                for seq in range(100, 120):
                    house.latest("hextraction/den/state", b"%03d" % seq)
                    house.latest("hextraction/den/state", b"%03d" % seq)
                await happens(lambda: told(reader, "state")[-1] == b"119")
                heard = told(reader, "state")
                assert heard == sorted(set(heard))
                assert heard[0] >= b"099"
                assert told(reader, "info") == [b"info"]
            await house.close(WILL)

    asyncio.run(play())


@pytest.mark.broker
@pytest.mark.slow
def test_what_waits_for_a_house_is_bounded_and_in_order(tmp_path):
    """However long it is away: one value for each topic, a hundred events, and in the order they came."""

    async def play():
        async with real(OpenBroker(tmp_path / "house")) as port, listening(port, "#") as reader:
            house = house_at(port)
            for number in range(10_000):
                house.latest(f"hextraction/den/{('info', 'table', 'state')[number % 3]}", b"%05d" % number)
                house.event("hextraction/den/event", b"%05d" % number)
            house.start()
            await happens(lambda: b"09999" in told(reader, "event"))
            await house.close(WILL)
            assert told(reader, "event") == [b"%05d" % number for number in range(9_900, 10_000)]
            assert [told(reader, leaf) for leaf in ("table", "state", "info")] == [
                [b"09997"],
                [b"09998"],
                [b"09999"],
            ]
            heard = [body for _, body, _ in reader.messages if body != WILL[1]]
            assert heard == sorted(heard)

    asyncio.run(play())


@pytest.mark.broker
@pytest.mark.slow
def test_a_house_that_stands_still_holds_nothing_up(tmp_path):
    """While its broker is frozen telling costs nothing; then it is left, and gets the newest when it goes on."""

    async def play():
        broker = OpenBroker(tmp_path / "house")
        async with real(broker) as port, listening(port, "#") as reader:
            house = house_at(port)
            house.start()
            house.latest("hextraction/den/state", b"first")
            await happens(lambda: told(reader, "state"))
            os.kill(broker.pid, signal.SIGSTOP)
            try:
                began_s = time.perf_counter()
                for seq in range(5000):
                    house.latest("hextraction/den/state", b"%05d" % seq + b"x" * 10_000)
                    house.event("hextraction/den/event", b"%05d" % seq)
                assert time.perf_counter() - began_s < 2.0
                await happens(lambda: any("acknowledges nothing" in each for each in house.problems))
            finally:
                os.kill(broker.pid, signal.SIGCONT)
            await happens(lambda: told(reader, "state")[-1].startswith(b"04999"))
            assert not list(house.problems)
            await house.close(WILL)

    asyncio.run(play())


# --- The last word ---


@contextlib.asynccontextmanager
async def wire_to(port):
    """Stand between: pass everything on until the wire is cut, of which nobody hears."""
    cut = asyncio.Event()
    writers = []

    async def pump(reader, writer):
        with contextlib.suppress(OSError):
            while data := await reader.read(4096):
                if cut.is_set():
                    await asyncio.Event().wait()
                writer.write(data)

    async def serve(reader, writer):
        onward, back = await asyncio.open_connection("127.0.0.1", port)
        writers.extend((writer, back))
        await asyncio.gather(pump(reader, back), pump(onward, writer))

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1], cut
        for writer in writers:
            writer.close()


@pytest.mark.broker
@pytest.mark.slow
def test_a_pulled_plug_says_offline_at_the_house(tmp_path):
    """Nobody hangs up, yet the house knows after one and a half times the keepalive that the board is gone."""

    async def play():
        async with (
            real(OpenBroker(tmp_path / "house")) as port,
            listening(port, "#") as reader,
            wire_to(port) as (wire, cut),
        ):
            house = house_at(wire, keepalive_s=1)
            house.start()
            house.latest("hextraction/den/status", b'{"state":"online"}')
            await happens(lambda: told(reader, "status") == [b'{"state":"online"}'])
            cut.set()
            await happens(lambda: told(reader, "status")[-1] == WILL[1])
            await house.close(WILL)

    asyncio.run(play())


# --- Who we are there ---


def test_two_boards_of_one_name_are_two_at_the_house(tmp_path):
    """The id is the machine's and the journal's, the same at every start, and does not tell the machine's own."""
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_text("0123456789abcdef\n")
    two.write_text("fedcba9876543210\n")
    prefix, journal = "hextraction/table", tmp_path / "games.seats"

    assert own_id(prefix, journal, one) == own_id(prefix, journal, one)
    ids = {
        own_id(prefix, journal, one),
        own_id(prefix, journal, two),
        own_id(prefix, tmp_path / "other.seats", one),
        own_id(prefix, journal, tmp_path / "nowhere"),
    }
    assert len(ids) == 4
    assert all(each.startswith("hextraction-table-") and "0123456789" not in each for each in ids)


@pytest.mark.broker
@pytest.mark.slow
def test_who_is_thrown_off_says_so_once_and_comes_back_under_another_id(tmp_path, caplog):
    """Of two boards with one id, a copied card, both stay in the end, and who has given way says why."""

    async def play():
        async with real(OpenBroker(tmp_path / "house")) as port, listening(port, "#") as reader:
            first, second = house_at(port), house_at(port)
            first.start()
            await happens(lambda: first.online)
            second.start()

            def thrown(house):
                return [each for each in house.problems if "another board" in each]

            await happens(lambda: thrown(first) or thrown(second))
            for number in range(20):
                first.latest("hextraction/den/info", b"first %d" % number)
                second.latest("hextraction/den/diag", b"second %d" % number)
            await happens(lambda: told(reader, "info")[-1:] == [b"first 19"])
            await happens(lambda: told(reader, "diag")[-1:] == [b"second 19"])
            assert 1 <= len([each for each in caplog.messages if "another board" in each]) <= 2
            assert "give each board its own `id`" in " ".join(thrown(first) + thrown(second))
            await first.close(WILL)
            await second.close(WILL)

    asyncio.run(play())


# --- What fails is told ---


@pytest.mark.broker
@pytest.mark.slow
def test_a_house_that_refuses_the_login_is_told_once_and_in_health(tmp_path, caplog):
    """One line in the log however often it is tried, a sentence in /health, and the table plays on."""

    async def play():
        locked = PrivateBroker(tmp_path / "house")
        async with real(locked, security_document(SeatBook(Topics("x"), ()), locked.admin)) as port:
            where = ExternalBroker(host="127.0.0.1", port=port, user=locked.admin.user, password=" wrong")
            async with table(tmp_path / "ours", house=where) as here:
                await happens(lambda: caplog.messages)
                status, health = await asyncio.to_thread(ask, here.port, "GET", "/health")
                assert (status, here.companion.online) == (503, True)
                assert health["problems"][0].startswith(f"the house's broker (127.0.0.1:{port}) refuses us: ")
                assert "password_file" in health["problems"][0]
                assert "wrong" not in health["problems"][0]
            house = House(where, client_id="x", will=WILL, pauses_s=(0.01,))
            caplog.clear()
            house.start()
            await happens(lambda: list(house.problems))
            with pytest.raises(HouseRefusedError):
                await asyncio.to_thread(try_login, where)
            await house.close(WILL)
            assert [record.levelno for record in caplog.records if "refuses" in record.message] == [
                logging.ERROR
            ]

    asyncio.run(play())


@pytest.mark.broker
@pytest.mark.slow
def test_a_house_that_lets_us_in_and_takes_nothing_is_told(tmp_path):
    """A user without the right to write there is let in, and nothing would ever arrive: health says so."""

    async def play():
        locked = PrivateBroker(tmp_path / "house")
        book = SeatBook(Topics("den"), ())
        async with real(locked, security_document(book, locked.admin)) as port:
            watch = book.watch
            where = ExternalBroker(host="127.0.0.1", port=port, user=watch.user, password=watch.token)
            house = House(where, client_id=f"{watch.user}|x", will=WILL)
            house.start()
            house.latest("hextraction/den/state", b"s")
            await happens(lambda: list(house.problems))
            assert "does not take hextraction/den/state" in next(house.problems)
            await house.close(WILL)

    asyncio.run(play())


@pytest.mark.parametrize("greets", [True, False], ids=["deaf", "mute"])
def test_a_house_that_is_no_broker_is_no_fault_of_the_password(greets):
    """What cannot be asked is told apart from what refuses."""

    async def play():
        async with pretender([], greets=greets) as (port, came, _heard):
            where = ExternalBroker(host="127.0.0.1", port=port)
            asking = asyncio.create_task(asyncio.to_thread(try_login, where))
            await happens(lambda: came)
            if greets:
                await asking
                return
            came[0].close()
            with pytest.raises(HouseError) as caught:
                await asking
            assert not isinstance(caught.value, HouseRefusedError)

    asyncio.run(play())


# --- Another controller of the same board ---


@contextlib.asynccontextmanager
async def second_controller(here, house=None):
    """Open the board once more at the same broker: the one that was there before leaves."""
    second = companion_at(here.broker.address, house=house)
    await second.start()
    await happens(lambda: second.online and not here.companion.online)
    yield second
    await second.close()


@pytest.mark.broker
@pytest.mark.slow
def test_a_board_that_leaves_to_another_controller_is_offline_at_the_house(tmp_path):
    """Whoever was told that it is online is told that it is not, and nothing of the game any more."""

    async def play():
        async with real(OpenBroker(tmp_path / "house")) as port, listening(port, "#") as reader:
            house = ExternalBroker(host="127.0.0.1", port=port)
            async with table(tmp_path / "ours", house=house) as here:
                await happens(lambda: states(reader) == ["online"])
                async with second_controller(here) as second:
                    await happens(lambda: states(reader) == ["online", "offline"])
                    here.companion.publish_state(state(7))
                    second.publish_state(state(8))
                    assert second.online
            assert states(reader) == ["online", "offline"]
            assert not told(reader, "state")

    asyncio.run(play())


@pytest.mark.broker
@pytest.mark.slow
def test_the_later_controller_has_the_last_word_at_the_house(tmp_path):
    """Both copy to one house: after the earlier one's farewell the later one says that the board is there."""

    async def play():
        async with real(OpenBroker(tmp_path / "house")) as port, listening(port, "#") as reader:
            house = ExternalBroker(host="127.0.0.1", port=port)
            async with table(tmp_path / "ours", house=house, keep=tmp_path / "first") as here:
                await happens(lambda: states(reader) == ["online"])
                async with second_controller(here, house) as second:
                    await happens(lambda: "offline" in states(reader) and states(reader)[-1] == "online")
                    boots = {json.loads(body)["boot"] for body in told(reader, "status")}
                    assert json.loads(told(reader, "status")[-1])["boot"] == max(boots)
                    second.publish_state(state(8))
                    await happens(lambda: told(reader, "state"))
            assert states(reader)[-1] == "offline"

    asyncio.run(play())


# --- The program itself ---


@pytest.mark.broker
@pytest.mark.slow
def test_a_killed_board_is_offline_at_the_house_and_online_again_once_it_is_back(tmp_path):
    """``kill -9`` takes the private broker along, yet the house knows; a new start and a good end are told, too."""

    async def play():
        async with real(OpenBroker(tmp_path / "house")) as port, listening(port, "#") as reader:
            config = tmp_path / "table.toml"
            config.write_text(
                f'[table]\nid = "den"\njournal = "g.db"\n[page]\nhost = "127.0.0.1"\nport = {free_port()}\n'
                f'[house]\nhost = "127.0.0.1"\nport = {port}\n'
            )

            for number, how in ((signal.SIGKILL, -9), (signal.SIGTERM, 0)):
                board = await asyncio.to_thread(Process, "run", "--no-electronics", "--config", config)
                await happens(lambda: states(reader)[-1:] == ["online"])
                assert await asyncio.to_thread(board.stop, number) == how
                await happens(lambda: states(reader)[-1] == "offline")
            assert states(reader) == ["online", "offline", "online", "offline"]

    asyncio.run(play())


@pytest.mark.broker
@pytest.mark.slow
@pytest.mark.parametrize("name", ["house", "broker"])
def test_check_tries_the_login_at_other_brokers(tmp_path, capsys, name):
    """A wrong password is a mistake of the file with its line; a broker that is not there is a remark."""
    config = tmp_path / "table.toml"
    (tmp_path / "secret").write_text("wrong\n")
    locked = PrivateBroker(tmp_path / "house")

    def checked(port):
        config.write_text(
            f'[{name}]\nhost = "127.0.0.1"\nport = {port}\nuser = "u"\npassword_file = "secret"\n'
        )
        status = main(["check", str(config)])
        return status, capsys.readouterr().out

    async def play():
        async with real(locked, security_document(SeatBook(Topics("x"), ()), locked.admin)) as port:
            return await asyncio.to_thread(checked, port)

    status, words = asyncio.run(play())
    assert status == 2
    assert words.startswith(f"{config}:1: {name}: the broker at 127.0.0.1:")
    assert "refuses us: " in words
    status, words = checked(free_port())
    assert (status, "is not known" in words) == (0, True)
