"""How quick the way from the hub is: decoding, a pseudo-terminal, its clock, and frames of lamps."""

import os
import statistics
import struct
import sys
import threading
import time
import tty
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from hextraction.controller.lights import limit
from hextraction.hal.framing import Deframer, Frame, encode
from hextraction.hal.hub_port import open_serial
from hextraction.hal.hub_words import read_edges
from hextraction.hal.pixels import check_frame

__all__ = ["clock_error", "decode", "lamp_frame", "main", "through_pty"]

EDGES_A_FRAME = 10
WIRE_US_A_LAMP, LATCH_US = 30, 300


def frames(count: int) -> bytes:
    """Return that many frames of ten edges, as the hub sends them."""
    body = b"".join(struct.pack("<HI", n | 0x8000, 1_000_000 + n) for n in range(EDGES_A_FRAME))
    return b"".join(encode(Frame(type="e", seq=n % 256, body=body)) for n in range(count))


def decode(count: int = 20_000) -> float:
    """Return microseconds from bytes to an edge, in pieces of 64 bytes as USB brings them."""
    data, deframer, found = frames(count // EDGES_A_FRAME), Deframer(), 0
    began = time.perf_counter()
    for at in range(0, len(data), 64):
        for frame in deframer.feed(data[at : at + 64]):
            found += len(read_edges(frame.body))
    taken = time.perf_counter() - began
    _need(found == count, f"{count - found} edges were not decoded")
    return taken / count * 1e6


def through_pty(count: int = 100_000) -> float:
    """Return edges a second through a pseudo-terminal, pyserial and the decoder; none may be lost."""
    master, slave = os.openpty()
    tty.setraw(slave)
    port, data = open_serial(os.ttyname(slave)), memoryview(frames(count // EDGES_A_FRAME))

    def send() -> None:
        at = 0
        while at < len(data):
            at += os.write(master, data[at : at + 4096])

    sender = threading.Thread(target=send, daemon=True)
    deframer, found = Deframer(), 0
    began = time.perf_counter()
    sender.start()
    while found < count:
        found += sum(len(read_edges(frame.body)) for frame in deframer.feed(port.read()))
        _need(time.perf_counter() - began < 60, f"{count - found} edges were lost")
    taken = time.perf_counter() - began
    port.close()
    os.close(master)
    os.close(slave)
    _need(deframer.bad == 0, "frames were broken")
    return count / taken


def clock_error(edges: int = 40) -> tuple[float, float]:
    """Return median and largest error of edge stamps in the host's time, us, on the emulated hub."""
    from hextraction.hal.hub_link import HubLink
    from hextraction.hal.hub_news import Sample
    from hextraction.hal.wires import HubInput, HubWire
    from hub_emulator import HubEmulator

    hub = HubEmulator()
    hub.plug_in()
    wire = HubInput(name="beam", number=0, active_high=True, debounce_scans=2)
    link = HubLink(HubWire(port="auto", chips=1, multiplexers=0, inputs=(wire,)))
    link.opened(int(hub.total_us))
    errors: list[float] = []
    true_us = 0.0

    def live(duration_us: float) -> None:
        for _ in range(int(duration_us / 250)):
            hub.send(link.take_out())
            hub.run_us(250)
            link.receive(hub.take(), int(hub.total_us))
            link.advance(int(hub.total_us))
            errors.extend(each.at_us - true_us for each in link.take_news() if isinstance(each, Sample))

    live(60_000)
    errors.clear()
    for number in range(edges):
        delay_us = 37 * number % 500
        true_us = hub.total_us + delay_us
        hub.after_us(delay_us, partial(hub.set_input, 0, number % 2 == 0))
        live(7_000)
    _need(len(errors) == edges, f"want {edges} edges, found {len(errors)}")
    return statistics.median(errors), max(abs(error) for error in errors)


def lamp_frame(count: int, rounds: int = 2_000) -> tuple[float, int]:
    """Return microseconds to check and limit a frame of lamps, and those that its wire takes besides."""
    frame = tuple((200, 120, 40) for _ in range(count))
    began = time.perf_counter()
    for _ in range(rounds):
        check_frame(limit(frame, 0.5, 2_000), count)
    return (time.perf_counter() - began) / rounds * 1e6, WIRE_US_A_LAMP * count + LATCH_US


def main() -> None:
    """Print all figures."""
    print(f"bytes to edge: {decode():.2f} us")
    print(f"edges a second through a pseudo-terminal, none lost: {through_pty():,.0f}")
    median_us, worst_us = clock_error()
    print(print(f"stamp after the true moment: median {median_us:.0f} us, worst {worst_us:.0f} us"))
    for count in (22, 100):
        ours_us, wire_us = lamp_frame(count)
        print(f"frame of {count} lamps: {ours_us:.0f} us of ours, {wire_us} us on the wire")


def _need(holds: bool, otherwise: str) -> None:  # noqa: FBT001 - a condition
    if not holds:
        raise RuntimeError(otherwise)


if __name__ == "__main__":
    main()
