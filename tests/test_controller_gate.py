"""Facts about the gate: what it serves, whom it lets in, and what it survives."""

import asyncio
import contextlib
import gzip
import json
import re
from http import HTTPStatus

import pytest
from hextraction.controller.broker import ExternalBroker
from hextraction.controller.gate import Gate
from hextraction.controller.gate_connect import BadConnectError, accepted, read_connect
from hextraction.controller.gate_desk import GateSettings, Turned
from hextraction.controller.gate_guard import Crowd, Names, Rate, Visitor, group
from hextraction.controller.gate_http import BadRequestError, read_head
from hextraction.controller.gate_page import Page
from hextraction.controller.messages import Joined, Session
from hypothesis import given
from hypothesis import strategies as st
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

PAGE = Page(
    {
        "index.html": b"<!doctype html>" + b"<p>board</p>" * 50,
        "app.js": b"export const a = 1;\n" * 50,
        "icon.svg": b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        "secret.py": b"token = 1",
    }
)

# --- names, rates, crowds: pure -----------------------------------------------------------------------------

NAMES = Names(("localhost", "den", "den.local", "Club.Example"))


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "LOCALHOST:8080",
        "den.local.",
        "den:80",
        "club.example",
        "192.168.1.7:8080",
        "192.168.1.7",
    ],
)
def test_our_own_names_and_the_dialled_address_are_answered(host):
    """Known names, in any case and with any port, and the very address that was dialled."""
    assert NAMES.answers_to(host, "192.168.1.7")


@pytest.mark.parametrize(
    "host",
    [
        "",
        "evil.example",
        "192.168.1.8",
        "localhost.evil.example",
        "a@localhost",
        "localhost/x",
        "localhost:x",
        "[::1",
        "[fe80::1]",
    ],
)
def test_other_names_are_not_answered(host):
    """A name that somebody pointed at us, another address, or a malformed host is refused."""
    assert not NAMES.answers_to(host, "192.168.1.7")


def test_an_address_inside_ipv6_counts_as_itself():
    """A socket that takes both families sees IPv4 addresses in IPv6 clothes."""
    assert NAMES.answers_to("10.0.0.5:8080", "::ffff:10.0.0.5")
    assert NAMES.answers_to("[fe80::1]:8080", "fe80::1%eth0")
    assert group("::ffff:10.0.0.5") == group("10.0.0.5")
    assert group("2001:db8::1") == group("2001:db8::ffff") != group("2001:db8:0:1::1")


@pytest.mark.parametrize(
    ("origin", "host", "ours"),
    [
        (None, "den:8080", True),
        ("http://den:8080", "den:8080", True),
        ("https://den", "den", True),
        ("http://den", "den:80", True),
        ("http://den:8080", "den:8081", False),
        ("http://evil.example", "den:8080", False),
        ("null", "den:8080", False),
        ("file://", "den", False),
        ("", "den", False),
    ],
)
def test_an_origin_is_ours_if_it_is_the_host_that_was_asked(origin, host, ours):
    """Scheme, name and port of the page must be those of the request; no origin at all is no browser."""
    assert NAMES.same_origin(origin, host) is ours


def test_a_rate_lets_a_burst_through_and_then_so_many_a_second():
    """Ten at once, then one each three seconds, for each key alone."""
    rate = Rate(10, 1 / 3)

    assert [rate.take("a", 0) for _ in range(11)] == [True] * 10 + [False]
    assert rate.take("b", 0)
    assert [rate.take("a", 3.01), rate.take("a", 3.02)] == [True, False]


def test_a_rate_keeps_a_thousand_keys_at_most():
    """An attacker with many addresses does not fill the memory."""
    rate = Rate(1, 1)
    for n in range(5000):
        rate.take(str(n), 0)

    assert len(rate._buckets) == 1000


def test_strangers_make_room_and_players_stay():
    """At the bound the oldest connection that has not logged in goes; if all have, the new one does."""
    gone = []
    crowd = Crowd(most=3, most_per_address=2)
    visitors = [
        Visitor(address, lambda n=n: gone.append(n)) for n, address in enumerate(["a", "a", "a", "b", "c"])
    ]
    visitors[0].known = True

    assert [crowd.enter(visitor) for visitor in visitors] == [True] * 5
    assert gone == [1, 2]
    for visitor in visitors:
        visitor.known = True
    assert not crowd.enter(Visitor("d", lambda: None))
    assert len(crowd) == 3


# --- the request's head: pure -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "head",
    [
        b"\r\n\r\n",
        b"GET / HTTP/2\r\n\r\n",
        b"GET  / HTTP/1.1\r\n\r\n",
        b"GET http://x/ HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost : x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\n folded\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\x00\r\n\r\n",
        b"GET /\xc3\xa4 HTTP/1.1\r\n\r\n",
        b"POST /join HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 65 + b"\r\n",
        b"GET / HTTP/1.1\nHost: a\r\n\r\n",
    ],
)
def test_a_request_that_is_not_plainly_right_is_refused(head):
    """Ambiguous requests are how others are smuggled in: none is repaired."""
    with pytest.raises(BadRequestError):
        read_head(head)


@given(st.binary(max_size=300))
def test_any_head_is_read_or_refused(data):
    """No bytes raise anything but the refusal."""
    with contextlib.suppress(BadRequestError):
        assert read_head(b"GET / HTTP/1.1\r\n" + data + b"\r\n\r\n").path == "/"


def test_a_path_is_split_from_its_query():
    """The query is not part of the path that is looked up."""
    request = read_head(b"GET /app.js?v=1 HTTP/1.1\r\nhOsT: Den:8080 \r\n\r\n")

    assert (request.path, request.query, request.host) == ("/app.js", "v=1", "den:8080")


# --- the CONNECT packet: pure -------------------------------------------------------------------------------


def field(data: bytes) -> bytes:
    """Return bytes with their length before them."""
    return len(data).to_bytes(2) + data


def mqtt_connect(*, client=b"me", user=b"red.1", password=b"pw", will=True, version=5) -> bytes:
    """Return a CONNECT packet."""
    props = b"\x05\x11\x00\x00\x00\x00" if version == 5 else b""
    none = b"\x00" if version == 5 else b""
    flags = 0xC2 | (0x2C if will else 0)
    body = field(b"MQTT") + bytes([version, flags, 0, 30]) + props + field(client)
    body += (none + field(b"a/here") + field(b"{}")) if will else b""
    body += field(user) + field(password)
    assert len(body) < 128
    return bytes([0x10, len(body)]) + body


@pytest.mark.parametrize("version", [4, 5])
@pytest.mark.parametrize("will", [False, True])
def test_the_client_id_gets_its_user_in_front(version, will):
    """Only the client id changes, whatever the version and the will; what follows is left for later."""
    found = read_connect(mqtt_connect(version=version, will=will) + b"\x82rest")

    assert found.user == "red.1"
    assert found.packet == mqtt_connect(client=b"red.1|me", version=version, will=will)
    assert found.consumed == len(mqtt_connect(version=version, will=will))


def test_a_long_connect_gets_a_longer_length():
    """The length grows to two bytes where it must."""
    found = read_connect(mqtt_connect(client=b"x" * 80, user=b"u" * 20, will=False))

    assert found.packet[1:3] == bytes([len(found.packet) - 3 & 0x7F | 0x80, len(found.packet) - 3 >> 7])


def test_a_connect_may_come_in_pieces():
    """Until it is whole there is nothing to say."""
    whole = mqtt_connect()

    assert [read_connect(whole[:n]) for n in range(len(whole))] == [None] * len(whole)


@pytest.mark.parametrize(
    "packet",
    [
        b"\x20\x02\x00\x00",
        b"GET / HTTP/1.1",
        b"\x10\xff\xff\xff\xff\xff",
        b"\x10\xff\x7f",
        b"\x10\x00",
        mqtt_connect(version=3),
        mqtt_connect(user=b"a|b"),
        mqtt_connect(user=b"\xff"),
        bytes([0x10, 15]) + field(b"MQTT") + bytes([4, 2, 0, 30]) + field(b"abc"),
        mqtt_connect()[:-1] + b"",
    ][:9],
)
def test_what_is_no_connect_of_a_user_is_refused(packet):
    """Other packets, absurd lengths, no credentials, or a user that could look like another's client id."""
    with pytest.raises(BadConnectError):
        read_connect(packet)


@given(st.binary(max_size=80))
def test_any_first_bytes_are_read_or_refused(data):
    """No bytes raise anything but the refusal, in the packet or as the broker's answer."""
    with contextlib.suppress(BadConnectError):
        read_connect(b"\x10" + data)
    with contextlib.suppress(BadConnectError):
        accepted(b"\x20" + data)


def test_only_a_good_connack_makes_somebody_known():
    """Reason 0 is the only welcome."""
    assert accepted(b"\x20\x03\x00\x00\x00")
    assert not accepted(b"\x20\x03\x00\x87\x00")
    assert not accepted(b"\x30\x03\x00\x00\x00")


# --- the server, with an echo in the broker's place -----------------------------------------------------------


class Desk:
    """What stands behind the gate in these tests."""

    def __init__(self):
        self.broker = None
        self.logged_in = []

    def session(self):
        return Session(board="den", prefix="hextraction/den", user="watch", password="w")

    async def join(self, request):
        if request.code != "GOOD":
            return Turned(status=HTTPStatus.FORBIDDEN, reason="no")
        return Joined(seat="red", user="red.1", password="p", prefix="hextraction/den")

    def health(self):
        return {"ok": True}

    def upstream(self):
        return self.broker

    def admits(self, user):
        return user == "red.1"

    def known(self, user):
        self.logged_in.append(user)

    def address(self):
        return "http://10.0.0.5:8080/"


async def echo(reader, writer):
    """Welcome a client and send everything back that comes after its first packet."""
    head = await reader.readexactly(2)
    await reader.readexactly(head[1])
    writer.write(b"\x20\x03\x00\x00\x00")
    with contextlib.suppress(ConnectionError):
        while data := await reader.read(4096):
            writer.write(data)
            await writer.drain()
    writer.close()


@contextlib.asynccontextmanager
async def gate(**how):
    """Run a gate with an echo in the place of the broker."""
    desk = Desk()
    broker = await asyncio.start_server(echo, "127.0.0.1", 0)
    desk.broker = ExternalBroker(host="127.0.0.1", port=broker.sockets[0].getsockname()[1])
    server = Gate(GateSettings(host="127.0.0.1", port=0, **how), desk, PAGE)
    await server.start()
    server.desk = desk
    try:
        yield server
    finally:
        await server.close()
        broker.close()
        await settled()


async def settled():
    """Let the loop finish what is closing."""
    for _ in range(20):
        await asyncio.sleep(0)


async def raw(server, data: bytes) -> tuple[int, dict[str, str], bytes]:
    """Send bytes and return the answer: status, headers, body."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(data)
    async with asyncio.timeout(5):
        whole = await reader.read()
    writer.close()
    head, _, body = whole.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
    return int(first.split()[1]), headers, body


async def get(server, path, *, host=None, method="GET", body=b"", **headers):
    """Send a request and return the answer."""
    fields = {"Host": host or f"127.0.0.1:{server.port}", **headers}
    if body:
        fields.setdefault("Content-Length", str(len(body)))
        fields.setdefault("Content-Type", "application/json")
    lines = "".join(
        f"{name.replace('_', '-')}: {value}\r\n" for name, value in fields.items() if value is not None
    )
    return await raw(server, f"{method} {path} HTTP/1.1\r\n{lines}\r\n".encode() + body)


def playing(play, **how):
    """Play against a running gate."""

    async def whole():
        async with gate(**how) as server:
            await play(server)

    asyncio.run(whole())


def test_the_page_has_its_headers():
    """Right type, no sniffing, nothing inline, no frames, no referrer, a tag, and revalidation."""

    async def play(server):
        status, headers, body = await get(server, "/")
        assert status == 200
        assert body.startswith(b"<!doctype html>")
        assert headers["content-type"] == "text/html; charset=utf-8"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cache-control"] == "no-cache"
        assert "unsafe" not in headers["content-security-policy"]
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert (await get(server, "/app.js"))[1]["content-type"].startswith("text/javascript")
        assert (await get(server, "/icon.svg"))[1]["content-type"] == "image/svg+xml"

    playing(play)


def test_files_are_compressed_and_not_sent_twice():
    """A browser that takes gzip gets it, one that has the file hears 304, HEAD gets no body."""

    async def play(server):
        _, headers, body = await get(server, "/app.js", Accept_Encoding="br, gzip")
        assert headers["content-encoding"] == "gzip"
        assert gzip.decompress(body).startswith(b"export")
        assert "content-encoding" not in (await get(server, "/app.js", Accept_Encoding="gzip;q=0"))[1]
        status, _, body = await get(server, "/app.js", If_None_Match=headers["etag"])
        assert (status, body) == (304, b"")
        status, head, body = await get(server, "/", method="HEAD")
        assert (status, body, head["content-length"]) == (200, b"", "615")

    playing(play)


@pytest.mark.parametrize("path", ["/secret.py", "/../etc/passwd", "/%2e%2e/x", "//app.js", "/app.js/", "/x"])
def test_only_files_of_the_table_are_served(path):
    """Anything else is 404: there are no paths to walk."""

    async def play(server):
        assert (await get(server, path))[0] == 404

    playing(play)


def test_session_health_and_qr():
    """The three small requests; the first two are never stored."""

    async def play(server):
        status, headers, body = await get(server, "/session")
        assert (status, headers["cache-control"]) == (200, "no-store")
        assert json.loads(body) == {
            "board": "den",
            "prefix": "hextraction/den",
            "user": "watch",
            "password": "w",
        }
        assert json.loads((await get(server, "/health"))[2]) == {"ok": True}
        status, headers, body = await get(server, "/qr.svg")
        assert (status, headers["content-type"]) == (200, "image/svg+xml")
        assert re.search(rb"<svg[^>]*>", body)

    playing(play)


def test_joining():
    """A good code gives a token; a wrong one is turned away in words; a fetch of the own page may do it."""

    async def play(server):
        good = json.dumps({"code": "GOOD", "name": "Anna"}).encode()
        status, headers, body = await get(
            server, "/join", method="POST", body=good, Origin=f"http://127.0.0.1:{server.port}"
        )
        assert (status, headers["cache-control"]) == (200, "no-store")
        assert json.loads(body)["user"] == "red.1"
        status, _, body = await get(server, "/join", method="POST", body=b'{"code":"BAD"}')
        assert (status, json.loads(body)) == (403, {"reason": "no"})

    playing(play)


@pytest.mark.parametrize(
    ("status", "how"),
    [
        (400, {"body": b"{"}),
        (400, {"body": b'{"code":"GOOD","extra":1}'}),
        (400, {"body": b"[" * 2000}),
        (400, {"body": b'{"code":"GOOD"}', "Content_Length": "x"}),
        (411, {"body": b"", "Content_Type": "application/json"}),
        (413, {"body": b" " * 2049}),
        (415, {"body": b'{"code":"GOOD"}', "Content_Type": "text/plain"}),
        (403, {"body": b'{"code":"GOOD"}', "Origin": "http://evil.example"}),
        (421, {"body": b'{"code":"GOOD"}', "host": "evil.example"}),
    ],
)
def test_bad_joins_are_refused(status, how):
    """Each wrong join has its status and a reason."""

    async def play(server):
        got, _, body = await get(server, "/join", method="POST", **how)
        assert got == status
        assert json.loads(body)["reason"]
        assert server.counters[f"http_{status}"] == 1

    playing(play)


def test_methods_that_mean_nothing_are_405():
    """A known path in another way, and GET of the join, which would put the code into logs."""

    async def play(server):
        assert (await get(server, "/join?code=GOOD"))[0] == 405
        assert (await get(server, "/", method="PUT"))[0] == 405
        assert (await get(server, "/session", method="DELETE"))[0] == 405
        assert (await get(server, "/mqtt"))[0] == 405

    playing(play)


def test_the_eleventh_try_to_join_is_429():
    """Guessing is slow: ten tries at once, then one each three seconds, whatever a proxy's header says."""

    async def play(server):
        codes = [
            (
                await get(
                    server, "/join", method="POST", body=b'{"code":"BAD"}', X_Forwarded_For=f"10.0.0.{n}"
                )
            )[0]
            for n in range(12)
        ]
        assert codes == [403] * 10 + [429] * 2

    playing(play)


def test_too_many_headers_are_431():
    """Above 16 KiB of head nothing is read any more."""

    async def play(server):
        assert (await raw(server, b"GET / HTTP/1.1\r\nA: " + b"x" * 40000))[0] == 431

    playing(play)


def test_a_rebound_name_is_421_even_for_the_page():
    """DNS rebinding: the page of another name is not served, in no way."""

    async def play(server):
        assert (await get(server, "/", host="evil.example"))[0] == 421
        assert (await get(server, "/", Host=None, host=None, X="y"))[0] == 421

    playing(play)


def socket_to(server, **how):
    """Open a websocket as a page would."""
    return connect(f"ws://127.0.0.1:{server.port}/mqtt", subprotocols=["mqtt"], compression=None, **how)


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
            assert server.desk.logged_in == ["red.1"]
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


def test_who_never_speaks_is_let_go(monkeypatch):
    """Without a head, or without a CONNECT, a connection ends at its deadline."""
    monkeypatch.setattr("hextraction.controller.gate.HEAD_S", 0.05)
    monkeypatch.setattr("hextraction.controller.gate_socket.CONNECT_S", 0.05)

    async def play(server):
        assert (await raw(server, b"GET / HTTP/1.1\r\n"))[0] == 408
        with pytest.raises(ConnectionClosed) as closed:
            async with socket_to(server) as phone:
                await phone.recv()
        assert closed.value.rcvd.code == 1008
        assert server.counters["too_late"] == 1
        assert server.counters["connect_too_late"] == 1

    playing(play)


def test_a_phone_that_does_not_read_is_dropped(monkeypatch):
    """What is not taken in time ends the connection; nothing piles up."""
    monkeypatch.setattr("hextraction.controller.gate_socket.SLOW_S", 0.2)

    async def flood(reader, writer):
        await reader.read(100)
        with contextlib.suppress(ConnectionError, asyncio.CancelledError):
            while True:
                writer.write(b"x" * 65536)
                await writer.drain()
        writer.transport.abort()

    async def play(server):
        broker = await asyncio.start_server(flood, "127.0.0.1", 0)
        server.desk.broker = ExternalBroker(host="127.0.0.1", port=broker.sockets[0].getsockname()[1])
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(
            f"GET /mqtt HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Protocol: mqtt\r\n\r\n".encode()
        )
        await reader.readuntil(b"\r\n\r\n")
        packet = mqtt_connect(will=False)
        writer.write(bytes([0x82, 0x80 | len(packet), 0, 0, 0, 0]) + packet)
        async with asyncio.timeout(5):
            while not server.counters["slow"]:  # noqa: ASYNC110  # a real socket fills
                await asyncio.sleep(0.02)
        writer.transport.abort()
        await settled()
        broker.close()

    playing(play)


def test_without_a_broker_the_websocket_is_503():
    """The page hears that there is no broker, and tries again later."""

    async def play(server):
        server.desk.broker = None
        with pytest.raises(InvalidStatus) as refused:
            async with socket_to(server):
                pass
        assert refused.value.response.status_code == 503

    playing(play)


def test_a_broker_that_went_away_is_try_again_later():
    """A websocket whose broker does not answer is closed with 1013."""

    async def play(server):
        server.desk.broker = ExternalBroker(host="127.0.0.1", port=1)
        async with socket_to(server) as phone:
            await phone.send(mqtt_connect())
            with pytest.raises(ConnectionClosed):
                await phone.recv()
            assert phone.close_code == 1013

    playing(play)


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
            assert len(server._crowd) <= 48
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
