"""Nonsense: packets and HTTP heads that nobody means, at a real table, by seed.

A packet is one of MQTT's kinds with bytes by chance, or a good one that is spoilt: bits flipped, cut,
doubled, lengths that lie. Most come after a login with a seat's token, so that they get as far as the broker
and the controller; a share of them are commands whose JSON is spoilt. What spoils the framing itself is rare,
as whoever reads it hangs up. The program must live, with no traceback in its log, and an honest phone must be
answered all the time.
"""

import asyncio
import contextlib
import json
import random
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from bench.tables import percentile, show

__all__ = ["run"]

_OF_A_SEAT, _OF_A_WATCHER = 50, 15
"""How many are sent over one connection: what it may say at once."""
_AT_ONCE, _PATIENCE_S = 8, 1.0
_ASKS_BACK, _ANSWERS_BACK = b"\xc0\x00", b"\xd0\x00"
"""The last packet of a connection: whoever answers it has read all before it."""
_WORDS = (
    "Host",
    "Upgrade",
    "Connection",
    "Content-Length",
    "Transfer-Encoding",
    "Origin",
    "Sec-WebSocket-Key",
)
_VALUES = (
    "",
    "x" * 3000,
    "chunked",
    "websocket",
    "-1",
    "99999999999",
    "\x00",
    "é",
    "%s%n",
    "../../etc/passwd",
)
_PATHS = (
    "/",
    "/mqtt",
    "/join",
    "/session",
    "/qr.svg",
    "/health",
    "/../secret",
    "//",
    "*",
    "/%00",
    "/" + "a" * 9000,
)


def run(folder: Path, *, packets: int, heads: int, seed: int = 0) -> None:
    """Send so many of each, and print how the table stood it."""
    chance = random.Random(seed)  # the same nonsense each time
    rows, note = asyncio.run(_all(folder, packets, heads, chance))
    show(
        "Nonsense at a real table",
        ("what", "sent", "seconds", "answer p95 ms", "max ms"),
        rows,
        note,
    )


async def _all(
    folder: Path, packets: int, heads: int, chance: random.Random
) -> tuple[list[tuple[str, ...]], str]:
    from helpers.faults.evening import Evening

    async with Evening(folder, chance, kind="ordinary", people=2) as table:
        program = table.program
        rows = [
            await _row("packets of a seat's phone and of strangers", table, packets, _send_packets),
            await _row("HTTP heads", table, heads, _send_heads),
        ]
        alive = table.program is program and program.child.poll() is None
        words = program.words
    tracebacks = words.count("Traceback")
    return rows, f"The program {'lives' if alive else 'HAS DIED'}; tracebacks in its log: {tracebacks}."


async def _row(name: str, table: Any, count: int, send: Any) -> tuple[str, ...]:
    began_s = time.monotonic()
    sending = asyncio.create_task(asyncio.to_thread(send, table, count))
    waits: list[float] = []
    while not sending.done() or not waits:
        asked = table.people[0].say(hello=True)
        until_s = time.monotonic() + 10
        while asked.reply is None and time.monotonic() < until_s:  # noqa: ASYNC110 - it comes in another thread
            await asyncio.sleep(0.005)
        waits.append((time.monotonic() - asked.sent_s) * 1000)
        await asyncio.sleep(0.2)
    await sending
    seconds = time.monotonic() - began_s
    return (name, str(count), f"{seconds:.0f}", f"{percentile(waits, 95):.0f}", f"{max(waits):.0f}")


# --- packets ---


def _send_packets(table: Any, count: int) -> None:
    from helpers.faults.attackers import connect, frame, session, websocket

    watcher, login, chance = session(table.port), table.people[1].login, table.chance

    def send(known: dict[str, str], name: str, data: bytes) -> None:
        try:
            with websocket(table.port, address=f"127.0.1.{chance.randrange(1, 250)}") as line:
                hello = frame(connect(known["user"], known["password"], name)) if name else b""
                _pour(line, hello + data + frame(_ASKS_BACK), until=_ANSWERS_BACK)
        except OSError:
            return  # turned away, which is right

    left = count
    with ThreadPoolExecutor(_AT_ONCE) as senders:
        while left > 0:
            known = chance.choice((login, login, login, watcher))
            many = min(left, _OF_A_SEAT if known is login else _OF_A_WATCHER)
            left -= many
            data = b"".join(frame(each) for each in _nonsense(many, login, chance))
            senders.submit(send, known, f"z{left}" if chance.random() < 0.95 else "", data)


def _pour(line: socket.socket, data: bytes, until: bytes = b"\r\n\r\n") -> None:
    """Send all of it, as far as the other side takes it, and wait until that has read it or hangs up."""
    line.settimeout(_PATIENCE_S)
    said = b""
    with contextlib.suppress(OSError):
        line.sendall(data)
        while until not in said:
            more = line.recv(4096)
            if not more:
                return
            said = said[-100:] + more


def _nonsense(many: int, login: dict[str, str], chance: random.Random) -> Iterator[bytes]:
    from helpers.faults.attackers import field, packet, subscribe

    topic = field(f"{login['prefix']}/player/{login['seat']}/{chance.choice(('cmd', 'here'))}".encode())
    for _each in range(many):
        body = json.dumps(_command(chance)).encode()
        good = chance.choice(
            (
                packet(0x30, topic + b"\x00" + _spoilt(body, chance)),
                packet(0x30, topic + b"\x00" + body),
                subscribe(f"{login['prefix']}/#"),
                packet(0x30, topic + b"\x00" + chance.randbytes(chance.randrange(60))),
                packet(0x32, topic + chance.randbytes(2) + b"\x00" + _spoilt(body, chance)),
            )
        )
        if chance.random() < 0.02:
            good = packet(chance.randrange(256), chance.randbytes(chance.randrange(60)))
        yield _spoilt(good, chance) if chance.random() < 0.02 else good


def _command(chance: random.Random) -> dict[str, Any]:
    """Return a command, or something like one."""
    strange: tuple[Any, ...] = (
        None,
        True,
        -1,
        1e308,
        "",
        "x" * 500,
        [],
        {},
        [[[[]]]],
        {"do": []},
        "\ud83d\ude00",
        2**70,
    )
    names = ("id", "game", "act", "table", "hello", "v", "do", "slot", "turns", "ramp", "seat", "name")
    made: dict[str, Any] = {"id": f"z{chance.randrange(10**6)}"}
    for _each in range(chance.randrange(4)):
        inner = {chance.choice(names): chance.choice(strange)}
        made[chance.choice(names)] = chance.choice((*strange, inner, {"do": "attest", **inner}))
    return made


def _spoilt(data: bytes, chance: random.Random) -> bytes:
    """Flip, cut, double or lengthen some bytes."""
    spoilt = bytearray(data)
    at = chance.randrange(len(spoilt) or 1)
    kind = chance.randrange(4)
    if kind == 0 and spoilt:
        spoilt[at] ^= 1 << chance.randrange(8)
    elif kind == 1:
        del spoilt[at:]
    elif kind == 2:
        spoilt[at:at] = spoilt[at:] or b"\xff"
    else:
        spoilt[at:at] = chance.randbytes(chance.randrange(1, 9))
    return bytes(spoilt[:4000])


# --- heads ---


def _send_heads(table: Any, count: int) -> None:
    from helpers.faults.attackers import dialled

    chance = table.chance
    for number in range(count):
        head = _head(table.port, chance)
        try:
            # From ever new addresses, or most of the time would be spent waiting in the line of one address.
            with dialled(table.port, address=f"127.0.{2 + number // 250 % 250}.{1 + number % 250}") as line:
                _pour(line, head)
        except OSError:
            continue


def _head(port: int, chance: random.Random) -> bytes:
    method = chance.choice(("GET", "HEAD", "POST", "PUT", "get", "", "G\x00T", "A" * 2000))
    version = chance.choice(("HTTP/1.1", "HTTP/1.0", "HTTP/9.9", "", "HTTP/1.1 x"))
    fields = [("Host", f"127.0.0.1:{port}")] if chance.random() < 0.8 else []
    fields += [(chance.choice(_WORDS), chance.choice(_VALUES)) for _each in range(chance.randrange(6))]
    if chance.random() < 0.05:
        fields += [(f"X-{each}", "y" * 50) for each in range(300)]
    lines = "".join(f"{name}: {value}\r\n" for name, value in fields)
    head = f"{method} {chance.choice(_PATHS)} {version}\r\n{lines}\r\n".encode("utf-8", "replace")
    return _spoilt(head, chance) + b"\r\n\r\n" if chance.random() < 0.4 else head
