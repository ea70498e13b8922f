"""Facts about the gate's websocket: how phones reach the broker, and what the gate survives."""

import asyncio
import contextlib
from dataclasses import replace

import msgspec
import pytest
from helpers.gate_at_echo import get, mqtt_connect, playing, raw, settled, socket_to
from helpers.waiting import happens
from hextraction.controller.phones.broker import ExternalBroker
from hextraction.controller.phones.circles import CIRCLES, Circles
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus


def few_messages(per_s):
    """Return budgets of three messages at once and so many a second, for everybody."""
    few = replace(CIRCLES.seat, burst_messages=3, messages_per_s=per_s)
    return Circles(stranger=few, watcher=few, seat=few)


def test_a_websocket_reaches_the_broker_as_bytes():
    """Frames of any size come out as the bytes that went in; the login is noticed."""

    async def play(server):
        async with socket_to(server, origin=f"http://127.0.0.1:{server.port}") as phone:
            packet = mqtt_connect()
            await phone.send(packet[:5])
            await phone.send(packet[5:] + b"first")
            got = b""
            while len(got) < 10:
                got += await phone.recv()
            assert got == b"\x20\x03\x00\x00\x00first"
            await phone.send([b"a" * 1000, b"b" * 1000])
            while len(got) < 2010:
                got += await phone.recv()
            assert got[10:] == b"a" * 1000 + b"b" * 1000
            assert server.doorkeeper.logged_in == ["red.1"]
            assert server.phones == 1

    playing(play)


def test_websockets_of_other_pages_are_refused():
    """Origin and Host are checked before anything of MQTT."""

    async def play(server):
        with pytest.raises(InvalidStatus) as refused:
            async with socket_to(server, origin="http://evil.example"):
                pass
        assert refused.value.response.status_code == 403
        assert (await get(server, "/mqtt", host="evil.example", Upgrade="websocket"))[0] == 421

    playing(play)


def test_a_websocket_without_the_subprotocol_is_refused():
    """Only MQTT is spoken here."""

    async def play(server):
        with pytest.raises(InvalidStatus) as refused:
            async with connect(f"ws://127.0.0.1:{server.port}/mqtt"):
                pass
        assert refused.value.response.status_code == 400

    playing(play)


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (1009, b"x" * (64 * 1024 + 1)),
        (1003, "text"),
        (1008, b"\x30\x00"),
        (1008, b"\x10\xff\xff\xff\x7f"),
        (1008, mqtt_connect(user=b"controller")),
    ],
)
def test_bad_frames_end_the_websocket(code, message):
    """Too long, text, no CONNECT, an absurd length, or a user who has no business here."""

    async def play(server):
        async with socket_to(server) as phone:
            with contextlib.suppress(ConnectionClosed):
                await phone.send(message)
                while True:
                    await phone.recv()
            assert phone.close_code == code

    playing(play)


def test_a_stranger_hears_not_authorized_before_the_end():
    """A page with an old token must be able to tell that from a broken line."""

    async def play(server):
        async with socket_to(server) as phone:
            await phone.send(mqtt_connect(user=b"red.0"))
            assert await phone.recv() == b"\x20\x03\x00\x87\x00"

    playing(play)


def test_who_never_speaks_is_let_go():
    """Without a head, or without a CONNECT, a connection ends at its deadline."""

    async def play(server):
        assert (await raw(server, b"GET / HTTP/1.1\r\n"))[0] == 408
        with pytest.raises(ConnectionClosed) as closed:
            async with socket_to(server) as phone:
                await phone.recv()
        assert closed.value.rcvd.code == 1008
        assert server.counters["too_late"] == 1
        assert server.counters["connect_too_late"] == 1

    playing(play, head_s=0.05, connect_s=0.05)


def test_a_phone_that_does_not_read_is_dropped():
    """What is not taken in time ends the connection; nothing piles up."""

    async def flood(reader, writer):
        await reader.read(100)
        with contextlib.suppress(ConnectionError, asyncio.CancelledError):
            while True:
                writer.write(b"x" * 65536)
                await writer.drain()
        writer.transport.abort()

    async def play(server):
        broker = await asyncio.start_server(flood, "127.0.0.1", 0)
        server.doorkeeper.broker = ExternalBroker(host="127.0.0.1", port=broker.sockets[0].getsockname()[1])
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(shake(server))
        await reader.readuntil(b"\r\n\r\n")
        packet = mqtt_connect(will=False)
        writer.write(bytes([0x82, 0x80 | len(packet), 0, 0, 0, 0]) + packet)
        await happens(lambda: server.counters["slow"])
        writer.transport.abort()
        await settled()
        broker.close()

    playing(play, slow_s=0.2)


def test_without_a_broker_the_websocket_is_503():
    """The page hears that there is no broker, and tries again later."""

    async def play(server):
        server.doorkeeper.broker = None
        with pytest.raises(InvalidStatus) as refused:
            async with socket_to(server):
                pass
        assert refused.value.response.status_code == 503

    playing(play)


def test_a_broker_that_went_away_is_try_again_later():
    """A websocket whose broker does not answer is closed with 1013."""

    async def play(server):
        server.doorkeeper.broker = ExternalBroker(host="127.0.0.1", port=1)
        async with socket_to(server) as phone:
            await phone.send(mqtt_connect())
            with pytest.raises(ConnectionClosed):
                await phone.recv()
            assert phone.close_code == 1013

    playing(play)


def shake(server):
    """Return the request that opens a websocket."""
    return (
        f"GET /mqtt HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Protocol: mqtt\r\n\r\n"
    ).encode()


def frame(data=b"", kind=0x82):
    """Return a frame of a client, masked with zeros."""
    return bytes([kind, 0x80 | len(data)]) + bytes(4) + data


LOGINS = {
    "good": mqtt_connect(),
    "of a watcher": mqtt_connect(user=b"watch", password=b"w"),
    "refused": mqtt_connect(user=b"red.0"),
    "malformed": b"\x10\x00",
    "half": mqtt_connect()[:9],
    "none": b"",
}
THEN = {
    "a farewell": frame(b"\x03\xe8", 0x88),
    "a farewell of one byte": frame(b"\x03", 0x88),
    "a ping and a farewell": frame(b"", 0x89) + frame(b"\x03\xe8", 0x88),
    "a packet and a farewell": frame(b"\xe0\x00") + frame(b"\x03\xe8", 0x88),
    "text": frame(b"hi", 0x81),
    "half a frame": b"\x82",
    "nonsense": b"\xff\xff\xff",
    "nothing": b"",
}


@pytest.mark.parametrize("together", [True, False], ids=["in one piece", "in two pieces"])
@pytest.mark.parametrize("login", LOGINS)
def test_who_comes_and_goes_in_the_same_breath_is_no_error_of_ours(login, together, caplog):
    """Whatever the login is and whatever follows it, with the end of the line or without: nothing fails here."""

    async def play(server):
        for then in THEN.values():
            for ends in (True, False):
                _, writer = await asyncio.open_connection("127.0.0.1", server.port)
                come, go = shake(server) + frame(LOGINS[login]), then
                if together:
                    come, go = come + go, b""
                writer.write(come)
                await settled()
                writer.write(go)
                with contextlib.suppress(OSError):  # it has been hung up on already
                    if ends:
                        writer.write_eof()
                await settled()
                writer.transport.abort()
        await happens(lambda: not sum(msgspec.structs.astuple(server.load())[:3]))
        assert (await get(server, "/"))[0] == 200
        assert server.counters["failed"] == 0

    playing(play)
    assert [record.getMessage() for record in caplog.records if record.exc_info] == []


def test_a_wrong_password_never_reaches_the_broker():
    """The gate compares it itself: what Mosquitto keeps of those it turns away would fill its memory."""

    async def play(server):
        seen, real = [], server.doorkeeper.broker

        async def broker(_reader, writer):
            seen.append(1)
            writer.close()

        listens = await asyncio.start_server(broker, "127.0.0.1", 0)
        server.doorkeeper.broker = replace(real, port=listens.sockets[0].getsockname()[1])
        for user, password in ((b"red.1", b"wrong"), (b"watch", b"pw"), (b"red.1", b""), (b"blue", b"pw")):
            async with socket_to(server) as phone:
                await phone.send(mqtt_connect(user=user, password=password))
                assert await phone.recv() == b"\x20\x03\x00\x87\x00"
        assert server.counters["connect_refused"] == 4
        assert seen == []
        listens.close()

    playing(play)


def test_who_tries_to_log_in_again_and_again_is_told_of():
    """Twenty wrong logins may be a mistake of somebody's; more is a load, for /health and in the log."""

    async def play(server):
        for number in range(25):
            assert (server.load().slowed == 0) is (number <= 20)
            async with socket_to(server) as phone:
                await phone.send(mqtt_connect(user=b"red.0"))
                await phone.wait_closed()
        assert server.counters["logins_in_vain"] >= 1

    playing(play)


@pytest.mark.parametrize("packet", [mqtt_connect(), b"\xf0\x00", b"\x20\x02\x00\x00"])
def test_a_second_login_ends_the_connection(packet):
    """The first one is all that the gate has looked at, so there is no other."""

    async def play(server):
        async with socket_to(server) as phone:
            await phone.send(mqtt_connect())
            await phone.recv()
            await phone.send(packet)
            with pytest.raises(ConnectionClosed) as closed:
                await phone.recv()
            assert closed.value.rcvd.code == 1008
        assert server.counters["packet_refused"] == 1

    playing(play)


@pytest.mark.parametrize("how", ["abort", "close", "end"])
def test_the_gate_tells_who_came_and_who_has_gone(how):
    """However a connection ends, its end is told once, and only of those that the broker had let in."""

    async def play(server):
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(shake(server) + frame(mqtt_connect(will=False)))
        await happens(lambda: server.doorkeeper.logged_in == ["red.1"])
        assert server.doorkeeper.gone == []
        {"abort": writer.transport.abort, "close": writer.close, "end": writer.write_eof}[how]()
        await happens(lambda: server.doorkeeper.gone == ["red.1"])
        async with socket_to(server) as phone:
            await phone.send(mqtt_connect(user=b"red.0"))
            await phone.recv()
        await settled()
        assert (server.doorkeeper.logged_in, server.doorkeeper.gone) == (["red.1"], ["red.1"])
        del reader
        writer.close()

    playing(play)


def test_the_gate_tells_what_a_phone_has_dialled():
    """So that its neighbour is told the same."""

    async def play(server):
        _, writer = await asyncio.open_connection("127.0.0.1", server.port)
        dialled = shake(server).replace(f"127.0.0.1:{server.port}".encode(), b"10.42.0.1:8080")
        writer.write(dialled + frame(mqtt_connect()))
        await happens(lambda: server.doorkeeper.dialled == ["http://10.42.0.1:8080/"])
        writer.close()

    playing(play)


FLOODS = {
    "pings": frame(b"", 0x89),
    "pings with a text": frame(b"x" * 100, 0x89),
    "pongs": frame(b"", 0x8A),
    "empty frames": frame(),
    "empty fragments": frame(b"", 0x02) + frame(b"", 0x00) * 8 + frame(b"", 0x80),
    "acknowledgements in one frame": frame(b"\x40\x02\x00\x07" * 30),
    "acknowledgements in many frames": frame(b"\x40\x02\x00\x07"),
    "pings of MQTT in one frame": frame(b"\xc0\x00" * 60),
    "bytes of one endless packet": frame(b"\x30\xff\xff\xff\x7f" + b"x" * 100),
}


WITHOUT_LOGIN = [
    flood for flood in FLOODS if "acknowledge" not in flood and "MQTT" not in flood and "byte" not in flood
]


@pytest.mark.parametrize(
    ("flood", "login"),
    [(flood, login) for flood in FLOODS for login in ("good", "of a watcher")]
    + [(flood, "none") for flood in WITHOUT_LOGIN],
)
def test_whatever_comes_far_too_much_is_read_slowly_and_then_dropped(flood, login, caplog):
    """Whether it is a message or not, and whoever sends it: it is told of, ends, and nobody else waits meanwhile."""

    async def play(server):
        _, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(shake(server) + (frame(LOGINS[login]) if LOGINS[login] else b""))
        pours = asyncio.create_task(pour(writer, FLOODS[flood]))
        await happens(lambda: server.counters["held_back"])
        assert server.load().slowed == 1
        assert (await get(server, "/"))[0] == 200
        await happens(lambda: server.counters["too_much"])
        assert server.counters["held_back"] == 1
        writer.transport.abort()
        await pours

    playing(play, patience_s=0.05)
    told = [record.getMessage() for record in caplog.records]
    assert told == ["127.0.0.1 sends far more than a phone has to say and is read slowly"]


async def pour(writer, piece):
    """Send the same over and over."""
    with contextlib.suppress(ConnectionError):
        while True:
            writer.write(piece * 100)
            await writer.drain()
            await asyncio.sleep(0)


def test_who_has_stopped_sending_too_much_is_not_dropped():
    """Waiting once in a while is no reason: only who has to wait again and again for a long time goes."""

    async def play(server):
        async with socket_to(server) as phone:
            await phone.send(mqtt_connect())
            await phone.recv()
            for _ in range(12):
                await phone.send(PUBLISH * 5)
                got = b""
                while len(got) < 5 * len(PUBLISH):
                    got += await phone.recv()
            assert server.counters["held_back"] == 1
            assert server.counters["too_much"] == 0

    playing(play, circles=few_messages(200), patience_s=5)


def dropped(reader):
    """Whether the gate has dropped this connection."""
    return reader.at_eof() or reader.exception() is not None


PUBLISH = b"\x30\x05\x00\x01tab"


def test_a_phone_that_publishes_flat_out_waits_alone():
    """What is over its budget stays in its own connection, is told once, and another phone is served at once."""

    async def play(server):
        async with socket_to(server, close_timeout=0.1) as loud, socket_to(server) as quiet:
            for phone in (loud, quiet):
                await phone.send(mqtt_connect())
                await phone.recv()
            for _ in range(3):
                await loud.send(PUBLISH)
                assert await loud.recv() == PUBLISH
            held = asyncio.create_task(loud.recv())
            for _ in range(50):
                await loud.send(PUBLISH)
            for _ in range(3):
                await quiet.send(PUBLISH)
                assert await quiet.recv() == PUBLISH
            assert not held.done()
            assert server.counters["held_back"] == 1
            held.cancel()

    playing(play, circles=few_messages(0.001))


def test_what_a_phone_sent_too_fast_comes_later_and_whole():
    """Nothing is thrown away: it is read as fast as the budget allows."""

    async def play(server):
        async with socket_to(server) as phone:
            await phone.send(mqtt_connect() + PUBLISH * 20)
            got = b""
            while len(got) < 5 + 20 * len(PUBLISH):
                got += await phone.recv()
            assert got == b"\x20\x03\x00\x00\x00" + PUBLISH * 20

    playing(play, circles=few_messages(200))


def test_three_hundred_idle_connections_do_not_keep_a_player_out():
    """Idle connections are bounded, the oldest go first, a phone that has logged in stays, the page is served."""

    async def play(server):
        async with socket_to(server) as phone:
            await phone.send(mqtt_connect())
            await phone.recv()
            idle = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(300)]
            assert (await get(server, "/"))[0] == 200
            await phone.send(b"still here")
            assert await phone.recv() == b"still here"
            await happens(lambda: sum(dropped(reader) for reader, _ in idle) >= 300 - 48 + 1)
            for _, writer in idle:
                writer.transport.abort()

    playing(play)


@pytest.mark.slow
def test_malformed_openings_leave_the_gate_serving():
    """Two hundred broken requests and frames of many kinds, then the page as before."""
    shake = (
        b"GET /mqtt HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: mqtt\r\n\r\n"
    )
    frames = [
        b"\x82\x80\0\0\0\0",
        b"\x82\x05abcde",
        b"\xff\xff" * 9,
        b"\x88\x80\0\0\0\0",
        b"\x89\xfe\xff\xff",
        b"\x00\x80\0\0\0\0",
        b"\x82\xff" + b"\x7f" * 8,
    ]

    async def play(server):
        for n in range(200):
            _, writer = await asyncio.open_connection("127.0.0.1", server.port)
            writer.write([b"\x00" * n, b"\x16\x03\x01" * n, shake[:n], shake + frames[n % 7]][n % 4])
            with contextlib.suppress(ConnectionError):
                await writer.drain()
            writer.close() if n % 2 else writer.transport.abort()
        assert (await get(server, "/"))[0] == 200
        assert server.counters["failed"] == 0

    playing(play)
