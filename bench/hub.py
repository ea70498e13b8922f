"""How quick the way from the hub is: decoding, a pseudo-terminal, its clock, and frames of lamps."""

import os
import statistics
import struct
import threading
import time
import tty
from typing import TYPE_CHECKING

from hextraction.controller.play.performer import limit
from hextraction.hal.hub.framing import Deframer, Frame, encode
from hextraction.hal.hub.port import open_serial
from hextraction.hal.hub.words import read_edges
from hextraction.hal.pixels import check_frame

from bench.tables import show

if TYPE_CHECKING:
    from helpers.hub.clock_trial import Stamp

__all__ = ["decode", "lamp_frame", "main", "run", "stamps", "through_pty"]

EDGES_A_FRAME = 10
WIRE_US_A_LAMP, LATCH_US = 30, 300
AIM_A_SECOND, AIM_CLOCK_US = 20_000, 500


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


def stamps(edges: int, *, ppm: float) -> "list[Stamp]":
    """Return edges of the emulated hub in the time of a host whose crystal is off by ``ppm``."""
    from helpers.hub.clock_trial import ClockTrial

    found: list[Stamp] = ClockTrial(ppm=ppm, seed=1).stamps(edges)
    return found


def lamp_frame(count: int, rounds: int = 2_000) -> tuple[float, int]:
    """Return microseconds to check and limit a frame of lamps, and those that its wire takes besides."""
    frame = tuple((200, 120, 40) for _ in range(count))
    began = time.perf_counter()
    for _ in range(rounds):
        check_frame(limit(frame, 0.5, 2_000), count)
    return (time.perf_counter() - began) / rounds * 1e6, WIRE_US_A_LAMP * count + LATCH_US


def run(*, edges: int, clock_edges: int) -> None:
    """Measure and print."""
    show_way(edges)
    show_clock(clock_edges)
    show_lamps(edges // 100)


def show_way(edges: int) -> None:
    """From bytes to edges, and through a pseudo-terminal."""
    us, a_second = decode(edges), through_pty(edges)
    show(
        "7. From the hub: bytes to edges",
        ("way", "edges", "us an edge", "edges a second"),
        (
            ("bytes -> edge, 64 at a time", f"{edges}", f"{us:.2f}", f"{1e6 / us:.0f}"),
            ("pseudo-terminal -> edge", f"{edges}", f"{1e6 / a_second:.2f}", f"{a_second:.0f}"),
        ),
        f"Aim: {AIM_A_SECOND} edges a second without loss: none lost, {_met(a_second >= AIM_A_SECOND)}.",
    )


def show_clock(edges: int) -> None:
    """What is wrong with the times of edges."""
    rows, worst_us = [], 0.0
    for ppm in (-50, 0, 50):
        found = stamps(edges, ppm=ppm)
        off = [abs(stamp.clock_error_us) for stamp in found]
        late = [stamp.error_us for stamp in found]
        worst_us = max(worst_us, *off)
        numbers = (statistics.median(off), max(off), statistics.median(late), min(late), max(late))
        rows.append((f"crystals {ppm:+} us a second apart", f"{edges}", *(f"{us:.0f}" for us in numbers)))
    show(
        "8. The hub's clock: edges in the host's time, beside the truth (us)",
        ("emulated hub", "edges", "clock p50", "clock worst", "stamp p50", "stamp min", "stamp max"),
        rows,
        f"Aim: a clock error of at most {AIM_CLOCK_US} us: {_met(worst_us <= AIM_CLOCK_US)}.",
        "A frame takes up to 1 ms there and back, and the host looks up to 1 ms later, all by chance.",
        "A stamp is of the first scan that sees the change (500 us apart), with the clock's error on top.",
    )


def show_lamps(rounds: int) -> None:
    """A frame of lamps."""
    rows = []
    for count in (22, 100):
        ours_us, wire_us = lamp_frame(count, rounds)
        rows.append((f"{count} lamps", f"{ours_us:.0f}", f"{wire_us}"))
    show(
        "9. A frame of lamps (us)",
        ("frame", "ours", "wire"),
        rows,
        "Ours: brightness, current budget, check. The wire: 30 us a lamp and 300 to latch.",
    )


def main() -> None:
    """Print all figures."""
    run(edges=100_000, clock_edges=60)


def _met(holds: bool) -> str:  # noqa: FBT001 - a condition
    return "met" if holds else "missed"


def _need(holds: bool, otherwise: str) -> None:  # noqa: FBT001 - a condition
    if not holds:
        raise RuntimeError(otherwise)


if __name__ == "__main__":
    main()
