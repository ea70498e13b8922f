"""Facts about what the gate serves over HTTP, and what it refuses."""

import asyncio
import dataclasses
import gzip
import json
import re

import msgspec
import pytest
from helpers.companion_table import PUBLIC
from helpers.gate_at_echo import get, playing, raw
from hextraction.controller.games.scene import Counter, SeatView
from hextraction.controller.payloads.messages import State, Table
from hextraction.controller.phones.circles import CIRCLES
from hextraction.controller.phones.qr import qr_svg
from msgspec.structs import replace


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
        whole = (await get(server, "/"))[2]
        assert (status, body, head["content-length"]) == (200, b"", str(len(whole)))
        assert len(whole) > 600

    playing(play)


def seen_in(body):
    """Return what the front page has in it for whoever opens it."""
    told = re.search(rb'<script type="application/json" id="glance">(.*?)</script>', body)
    return json.loads(told[1])


def test_the_front_page_has_room_for_the_seats_of_a_game():
    """As many as play, each as high as what it counts: nothing moves when the page draws them."""

    async def play(server):
        seats = tuple(
            SeatView(seat=one, name=one, colour=one, counters=(Counter(label="points", count=1),) * 3)
            for one in ("red", "blue", "green")
        )
        view = replace(PUBLIC, seats=seats)
        told = {
            "table": Table(phase="playing", seats=(), kind="ring"),
            "state": State(game="g", seq=1, at_us=1, view=view),
        }
        server.doorkeeper.shows = told
        body = (await get(server, "/"))[2]
        assert b'<ul id="seats" data-counters="3"><li></li><li></li><li></li></ul>' in body

    playing(play)


def test_the_front_page_brings_what_everybody_may_see():
    """The newest table stands in the HTML, its tag follows it, and no name ends the element that it is in."""

    async def play(server):
        _, before, body = await get(server, "/")
        assert seen_in(body) == {"session": msgspec.to_builtins(server.doorkeeper.session())}
        evil = "</script><script>alert(1)</script>"
        server.doorkeeper.shows = {"table": Table(phase="lobby", seats=(), say=evil, kind="ring")}
        _, after, body = await get(server, "/", Accept_Encoding="gzip")
        assert seen_in(gzip.decompress(body))["table"]["say"] == evil
        assert gzip.decompress(body).count(b"<script") == 1
        assert after["etag"] != before["etag"]
        assert (await get(server, "/", If_None_Match=after["etag"]))[0] == 304
        assert (await get(server, "/app.js"))[2].startswith(b"export"), "other files stay as they are"

    playing(play)


def test_a_browser_is_told_at_once_what_the_board_is_drawn_with():
    """Style, first module and the game's file are named in a header, as far as they are there."""

    async def play(server):
        server.doorkeeper.shows = {"table": Table(phase="lobby", seats=(), kind="ring")}
        _, headers, _ = await get(server, "/")
        assert headers["link"] == (
            "</style.css>; rel=preload; as=style, "
            "</start.js>; rel=modulepreload, </games/ring.js>; rel=modulepreload"
        )
        assert "link" not in (await get(server, "/app.js"))[1]

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
        health = await get(server, "/health")
        assert (health[0], json.loads(health[2])["ok"]) == (200, True)
        assert json.loads(health[2])["load"] == {"strangers": 1, "watchers": 0, "seats": 0, "slowed": 0}
        status, headers, body = await get(server, "/qr.svg")
        assert (status, headers["content-type"]) == (200, "image/svg+xml")
        assert re.search(rb"<svg[^>]*>", body)

    playing(play)


def test_the_qr_code_has_the_join_code_for_whoever_knows_it():
    """The big screen sends it in a header; a wrong one is 403, and guesses are as rare as at the door."""

    async def play(server):
        plain = (await get(server, "/qr.svg"))[2]
        status, _, body = await get(server, "/qr.svg", Authorization="Code GOODCODE")
        assert (status, body != plain) == (200, True)
        told = [(await get(server, "/qr.svg", Authorization="Code WRONG123"))[0] for _ in range(10)]
        assert told == [403] * 9 + [429]
        assert (await get(server, "/qr.svg"))[0] == 200

    playing(play)


def test_a_square_for_ever_new_addresses_is_429_and_one_that_was_drawn_is_not():
    """Drawing costs more than a file, and whoever asks may have dialled any digits: 16 at once, then one in 2 s."""

    async def play(server):
        told = [(await get(server, "/qr.svg", host=f"10.0.0.{number}"))[0] for number in range(1, 26)]
        assert told[:16] == [200] * 16
        assert 429 in told
        assert (await get(server, "/qr.svg", host="10.0.0.16"))[0] == 200

    playing(play)


def test_the_evening_is_told_to_whoever_asks():
    """What late-comers and the big screen show; it is never stored."""

    async def play(server):
        status, headers, body = await get(server, "/evening")
        assert (status, headers["cache-control"]) == (200, "no-store")
        assert json.loads(body) == {"events": [], "games": [], "address": "http://10.0.0.5:8080/"}

    playing(play)


def test_counters_and_states_are_told_to_whoever_asks():
    """Without a client for MQTT, too: a watcher may read them anyhow."""

    async def play(server):
        status, headers, body = await get(server, "/diag")
        assert (status, headers["cache-control"]) == (200, "no-store")
        assert json.loads(body) == {"values": {"edges": 7}, "v": 1}

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
    """DNS rebinding: the page of another name is not served, in no way; a request without a name is none."""

    async def play(server):
        assert (await get(server, "/", host="evil.example"))[0] == 421
        assert (await get(server, "/", Host=None, host=None, X="y"))[0] == 400

    playing(play)


async def asked_as(server, host, **how):
    """Ask for the page under a name that is not ours; return the page that leads home."""
    status, headers, body = await get(server, "/", host=host, **how)
    assert (status, headers["content-type"]) == (421, "text/html; charset=utf-8")
    assert headers["content-security-policy"].startswith("default-src 'none'")
    return body.decode()


@pytest.mark.parametrize("name", ["den.lan", "den.fritz.box", "den.home.arpa", "scoreboard"])
def test_another_name_is_told_where_the_board_is_and_how_to_make_the_name_its_own(name, caplog):
    """A page with the address, and with the lines to copy; and a line in the log that says the same."""

    async def play(server):
        told = await asked_as(server, f"{name}:{server.port}")
        assert f'<a href="http://127.0.0.1:{server.port}/">' in told
        assert f"[page]\nnames = [&quot;{name}&quot;]" in told

    playing(play)
    (line,) = [record.getMessage() for record in caplog.records]
    assert f"asked for as '{name}'" in line
    assert "[page] names" in line


def test_a_phone_that_speaks_german_is_led_home_in_german():
    """In the words of the catalogue; any other language gets English."""

    async def play(server):
        assert "Dieses Brett" in await asked_as(server, "den.lan", Accept_Language="de-CH,de;q=0.9")
        for language in ("en", "xx", "../", ""):
            assert "This board has another name." in await asked_as(
                server, "den.lan", Accept_Language=language
            )

    playing(play)


@pytest.mark.parametrize("host", ["<script>alert(1)</script>", "a@den", 'x"y', "x" * 300, "den.lan:x"])
def test_a_name_that_is_none_is_not_repeated(host):
    """Nothing of it stands in the page, and no setting is proposed."""

    async def play(server):
        told = await asked_as(server, host)
        assert host not in told
        assert "<pre>" not in told

    playing(play)


def test_strange_names_fill_no_log(caplog):
    """Three lines at once, then one a minute, however many names there are."""

    async def play(server):
        for number in range(20):
            await asked_as(server, f"n{number}.example")

    playing(play)
    assert len(caplog.records) == 3


def test_a_program_that_comes_by_another_name_gets_json():
    """What is no page to look at is refused as everything else is."""

    async def play(server):
        for how in ({"method": "POST", "body": b"{}"}, {"Upgrade": "websocket"}, {"method": "PUT"}):
            status, headers, body = await get(server, "/mqtt", host="den.lan", **how)
            assert (status, headers["content-type"]) == (421, "application/json")
            assert json.loads(body) == {"reason": "This board has another name."}

    playing(play)


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("10.42.0.1:8080", "http://10.42.0.1:8080/"),
        ("192.168.1.20", "http://192.168.1.20/"),
        ("[fd00::7]:81", "http://[fd00::7]:81/"),
        ("127.0.0.1:8080", "http://10.0.0.5:8080/"),
        ("[::1]:8080", "http://10.0.0.5:8080/"),
        ("localhost", "http://10.0.0.5:8080/"),
        ("0.0.0.0", "http://10.0.0.5:8080/"),
    ],
)
def test_where_to_join_is_the_address_that_was_dialled(host, address):
    """Behind NAT only its digits are right; what is good for this machine alone is the own address instead."""

    async def play(server):
        assert json.loads((await get(server, "/evening", host=host))[2])["address"] == address
        assert (await get(server, "/qr.svg", host=host))[2] == qr_svg(address)

    playing(play)


def test_who_opens_connection_after_connection_waits_and_is_told_of():
    """Two are served at once; the third is answered a little later, and counts as a load."""

    async def play(server):
        for _visit in range(3):
            assert (await get(server, "/session"))[0] == 200
        assert server.counters["paced"] == 1
        assert server.load().slowed == 1

    playing(play, circles=dataclasses.replace(CIRCLES, burst_arrivals=2, arrivals_per_s=20))


def test_few_connections_are_taken_in_one_turn_and_none_is_lost():
    """A crowd at the door waits in the kernel, so that what else the loop has to do comes between."""

    async def play(server):
        crowd = [asyncio.create_task(get(server, "/session")) for _each in range(60)]
        most, before = 0, 0
        while not all(task.done() for task in crowd):
            await asyncio.sleep(0)
            here = server.counters["requests"]
            most, before = max(most, here - before), here
        assert [task.result()[0] for task in crowd] == [200] * 60
        assert most <= 16

    playing(
        play,
        circles=dataclasses.replace(CIRCLES, stranger=dataclasses.replace(CIRCLES.stranger, per_address=64)),
    )


def asked(server, path="/app.js", *, version="1.1", more=""):
    """Return the bytes of a request for a file."""
    return f"GET {path} HTTP/{version}\r\nHost: 127.0.0.1:{server.port}\r\n{more}\r\n".encode()


async def one_answer(reader):
    """Read one answer with a body of known length; return its status and whether the connection stays."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode()
    await reader.readexactly(int(re.search(r"Content-Length: (\d+)", head)[1]))
    return int(head.split()[1]), "Connection: keep-alive" in head


def test_a_browser_gets_one_file_after_the_other_on_one_connection():
    """The answer to a plain request leaves the connection open; what follows is judged anew each time."""

    async def play(server):
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        for path, expected in (("/", (200, True)), ("/app.js", (200, True)), ("/x", (404, False))):
            writer.write(asked(server, path))
            assert await one_answer(reader) == expected
        assert await reader.read() == b""
        writer.close()

    playing(play)


@pytest.mark.parametrize(
    ("version", "more"),
    [("1.0", ""), ("1.1", "Connection: close\r\n"), ("1.1", "Content-Length: 3\r\n")],
    ids=["1.0", "close", "body"],
)
def test_who_wants_one_answer_gets_the_end_after_it(version, more):
    """HTTP/1.0, a browser that says so, and a GET with a body: the connection ends, and no smuggled request is read."""

    async def play(server):
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(asked(server, version=version, more=more) + asked(server, "/x"))
        assert await one_answer(reader) == (200, False)
        assert await reader.read() == b""
        writer.close()

    playing(play)


def test_requests_on_one_connection_have_the_budget_of_connections():
    """Who asks for file after file waits like somebody who opens connection after connection, and is told of."""

    async def play(server):
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        for _ in range(8):
            writer.write(asked(server))
            assert await one_answer(reader) == (200, True)
        assert server.counters["paced"] >= 1
        writer.close()

    playing(play, circles=dataclasses.replace(CIRCLES, burst_arrivals=5, arrivals_per_s=200))
