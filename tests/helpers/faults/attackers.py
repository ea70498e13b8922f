"""One hostile client of a table, as a program of its own: ``python attackers.py NAME PORT LOGIN``.

LOGIN is JSON: what the attacker knows, a seat's login or the table's code. It does its worst until it is killed,
over plain sockets, so that it is as quick as can be.
"""

import contextlib
import itertools
import json
import os
import random
import socket
import sys
import threading
from http.client import HTTPConnection

__all__ = [
    "ATTACKS",
    "connect",
    "dialled",
    "field",
    "frame",
    "packet",
    "requested",
    "session",
    "subscribe",
    "websocket",
]

THREADS = 4
ADDRESS = "127.0.0.2"


def field(data):
    """Return bytes with their length before them."""
    return len(data).to_bytes(2, "big") + data


def packet(kind, body):
    """Return an MQTT packet."""
    size, length = len(body), b""
    while True:
        size, low = divmod(size, 128)
        length += bytes([low | (0x80 if size else 0)])
        if not size:
            return bytes([kind]) + length + body


def connect(user, password, client, *, kept_s=0, will=b""):
    """Return a CONNECT; with ``kept_s`` it asks for a session that outlives the connection."""
    props = b"\x11" + kept_s.to_bytes(4, "big") if kept_s else b""
    flags = 0xC0 | (0 if kept_s else 2) | (4 if will else 0)
    body = field(b"MQTT") + bytes([5, flags, 0, 60, len(props)]) + props + field(client.encode())
    body += b"\x00" + field(b"hextraction/w") + field(will) if will else b""
    return packet(0x10, body + field(user.encode()) + field(password.encode()))


def subscribe(topic):
    """Return a SUBSCRIBE of one topic."""
    return packet(0x82, b"\x00\x01\x00" + field(topic.encode()) + b"\x01")


def frame(data, kind=0x82):
    """Return a websocket's frame, masked with zeros: a binary one, unless it is said otherwise."""
    size = len(data)
    head = bytes([0x80 | size]) if size < 126 else b"\xfe" + size.to_bytes(2, "big")
    return bytes([kind]) + head + bytes(4) + data


def dialled(port, address=ADDRESS):
    """Connect to the gate, from another address than honest people."""
    return socket.create_connection(("127.0.0.1", port), timeout=5, source_address=(address, 0))


def upgrade(port):
    """Return the request that opens a websocket."""
    return (
        f"GET /mqtt HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Protocol: mqtt\r\nOrigin: http://127.0.0.1:{port}\r\n\r\n"
    ).encode()


def websocket(port, address=ADDRESS):
    """Open a websocket at the gate; return its socket."""
    line = dialled(port, address)
    line.sendall(upgrade(port))
    said = b""
    while b"\r\n\r\n" not in said:
        more = line.recv(4096)
        if not more:
            raise ConnectionError("the gate hung up")
        said += more
    return line


def requested(port, method, path, body=None, address=ADDRESS):
    """Ask the gate for something; return status and body."""
    line = HTTPConnection("127.0.0.1", port, timeout=5, source_address=(address, 0))
    try:
        line.request(method, path, body, {"Content-Type": "application/json"} if body else {})
        answer = line.getresponse()
        return answer.status, answer.read()
    finally:
        line.close()


def session(port):
    """Return what anybody may log in with."""
    return json.loads(requested(port, "GET", "/session")[1])


# --- what each does, over and over ---


def keeps_sessions(port, _known):
    """Come under ever new names, ask for everything to be kept, and go."""
    login = session(port)
    line = websocket(port)
    name = f"s{random.getrandbits(60)}"
    line.sendall(frame(connect(login["user"], login["password"], name, kept_s=1_000_000)))
    line.sendall(frame(subscribe(f"{login['prefix']}/#")) + frame(subscribe(f"{login['prefix']}/state")))
    line.recv(100)
    line.close()


def sends_flat_out(port, known):
    """Send commands from a seat as fast as the line takes them."""
    line = websocket(port)
    line.sendall(frame(connect(known["user"], known["password"], "flood")))
    topic = field(f"{known['prefix']}/player/{known['seat']}/cmd".encode())
    for number in itertools.count():
        bodies = (b'{"id":"f%d-%d","hello":true}' % (number, each) for each in range(50))
        line.sendall(b"".join(frame(packet(0x30, topic + b"\x00" + body)) for body in bodies))


def fills_the_room(port, _known):
    """Log in as many watchers as there may be, and more, and stay."""
    login, lines = session(port), []
    for number in range(120):
        line = websocket(port)
        line.sendall(frame(connect(login["user"], login["password"], f"w{number}{random.getrandbits(30)}")))
        lines.append(line)
    for line in lines:
        line.close()


def takes_names(port, known):
    """Log in under the client ids of others."""
    login = session(port)
    for name in ("phone-red", "phone-blue", login["prefix"].replace("/", "-"), *known.get("names", ())):
        line = websocket(port)
        line.sendall(frame(connect(login["user"], login["password"], name)))
        line.recv(100)
        line.close()


def takes_a_seat(port, known):
    """Try to get the seat of somebody whose phone sleeps, with the table's code."""
    body = json.dumps({"code": known["code"], "name": "Mallory", "seat": known["seat"]})
    status, said = requested(port, "POST", "/join", body)
    if status == 200:
        print(f"took {said}", flush=True)  # noqa: T201 - for whoever has started this


def asks_for_codes(port, _known):
    """Ask for the QR code, and for everything else that costs something."""
    for path in ("/qr.svg", "/qr.svg", "/health", "/session", "/"):
        requested(port, "GET", path)


def sits_idle(port, _known):
    """Open connections that say half a line."""
    lines = []
    for _each in range(100):
        line = dialled(port)
        line.sendall(b"GET / HTTP/1.1\r\nHost: ")
        lines.append(line)
    for line in lines:
        line.settimeout(1)
        line.recv(100)


def watching(port):
    """Log in as a watcher; return the socket."""
    login = session(port)
    line = websocket(port)
    line.sendall(frame(connect(login["user"], login["password"], f"w{random.getrandbits(40)}")))
    line.recv(100)
    return line


def pours(port, piece):
    """Send one piece over and over from several watchers' connections at once, and read nothing."""
    lines = [watching(port) for _each in range(8)]
    flood = piece * (60_000 // len(piece))
    try:
        while True:
            for line in lines:
                line.sendall(flood)
    finally:
        for line in lines:
            line.close()


def pings(port, _known):
    """Websocket pings, as fast as the line takes them."""
    pours(port, frame(b"", 0x89))


def pongs(port, _known):
    """Pongs that nobody asked for."""
    pours(port, frame(b"", 0x8A))


def empty_frames(port, _known):
    """Frames with nothing in them."""
    pours(port, frame(b""))


def empty_fragments(port, _known):
    """Messages in pieces with nothing in them."""
    pours(port, frame(b"", 0x02) + frame(b"", 0x00) * 50 + frame(b"", 0x80))


def acknowledgements(port, _known):
    """Thanks for messages that never came, thousands in a frame."""
    pours(port, frame(b"\x40\x02\x00\x07" * 4000))


def anywhere():
    """Return one of many addresses."""
    return f"127.0.{random.randrange(1, 250)}.{random.randrange(1, 250)}"


def large_wills(port, _known):
    """Log in with a wrong password and a last will as long as may be, from ever new addresses."""
    line = websocket(port, anywhere())
    line.sendall(frame(connect("watch", "wrong", f"w{random.getrandbits(40)}", will=b"x" * 7800)))
    line.recv(100)
    line.close()


def whole_visits(port, _known):
    """Greet, log in and leave in one piece, from ever new addresses."""
    line = dialled(port, anywhere())
    user = random.choice(("watch", "nobody"))
    line.sendall(upgrade(port) + frame(connect(user, "wrong", "w")) + frame(b"\x03\xe8", 0x88))
    line.recv(2000)
    line.close()


def everything(port, known):
    """Each of the others in turn, a little of everything."""
    several = (pings, pongs, empty_frames, empty_fragments, acknowledgements, large_wills, whole_visits)
    random.choice((*several, fills_the_room, sits_idle, keeps_sessions, asks_for_codes))(port, known)


def works(_port, _known):
    """Only use the machine: what that alone costs."""
    sum(range(100_000))


ATTACKS = {
    "none, but the machine is used": works,
    "sessions that outlive their phones": keeps_sessions,
    "a seat's phone sends flat out": sends_flat_out,
    "watchers fill the room": fills_the_room,
    "a watcher takes client ids": takes_names,
    "a sleeping phone's seat is asked for": takes_a_seat,
    "QR codes and pages without end": asks_for_codes,
    "idle connections": sits_idle,
    "websocket pings": pings,
    "pongs that nobody asked for": pongs,
    "empty frames": empty_frames,
    "empty fragments": empty_fragments,
    "acknowledgements packed into frames": acknowledgements,
    "wrong passwords with large wills": large_wills,
    "logins that leave in the same breath": whole_visits,
    "a mixture": everything,
}


def main():
    """Attack until somebody kills this."""
    os.setpriority(os.PRIO_PROCESS, 0, 0)  # whoever measures may have asked to run before others
    attack, port, known = ATTACKS[sys.argv[1]], int(sys.argv[2]), json.loads(sys.argv[3])

    def go_on():
        while True:
            with contextlib.suppress(OSError, ValueError, KeyError):  # turned away: it tries again at once
                attack(port, known)

    for _each in range(THREADS - 1):
        threading.Thread(target=go_on, daemon=True).start()
    go_on()


if __name__ == "__main__":
    main()
