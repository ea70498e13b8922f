"""What demo and run share: the page beside a host, the welcome with its QR code, and orderly stopping."""

import asyncio
import contextlib
import importlib.metadata
import io
import signal
import sys
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

import segno
from hextraction.board.profile import Board
from hextraction.controller.broker import ExternalBroker, PrivateBroker
from hextraction.controller.companion import Companion
from hextraction.controller.gate_desk import GateSettings
from hextraction.controller.host import Host
from hextraction.controller.messages import EdgeShape, Info, SlotShape

__all__ = ["board_info", "open_page", "software", "stop_on_signals", "welcome"]


def software() -> str:
    """Return the product's name and version."""
    try:
        return f"hextraction {importlib.metadata.version('hextraction')}"
    except importlib.metadata.PackageNotFoundError:
        return "hextraction"


def board_info(board: Board, *, electronics: bool, simulated: bool) -> Info:
    """Describe a board to phones."""
    slots = tuple(
        SlotShape(
            slot=slot.name,
            x_mm=slot.x_mm,
            y_mm=slot.y_mm,
            edges=tuple(EdgeShape(slot=edge.slot, ramp=edge.ramp, zone=edge.zone) for edge in slot.edges),
        )
        for slot in board.slots
    )
    return Info(
        board=board.name,
        title=board.title,
        pitch_mm=board.pitch_mm,
        slots=slots,
        electronics=electronics,
        simulated=simulated,
        game="hextraction",
        software=software(),
    )


@contextlib.asynccontextmanager
async def open_page(
    host: Host,
    *,
    board_id: str,
    info: Info,
    gate: GateSettings,
    broker: ExternalBroker | None,
    keep: Path | None,
) -> AsyncIterator[Companion]:
    """Serve the page and connect phones with the host for as long as the block runs.

    Raises:
        OSError: the page's port is taken.
    """
    with tempfile.TemporaryDirectory(prefix="hextraction-broker-") as folder:
        companion = Companion(
            board_id=board_id,
            info=info,
            broker=broker or PrivateBroker(Path(folder)),
            gate=gate,
            lobby=host.lobby,
            on_command=host.command,
            on_table=host.seats_changed,
            keep=keep,
        )
        host.audience = companion
        await companion.start()
        try:
            host.show_table()
            yield companion
        finally:
            host.audience = None
            await companion.close()


def welcome(companion: Companion) -> str:
    """Return what to show at the table: the address, the code, and a QR code that holds both."""
    code = io.StringIO()
    segno.make(companion.join_url, error="l").terminal(out=code, compact=True, border=2)
    drawn = code.getvalue() if _can_draw() else ""
    return (
        f"\n  The table is open at  {companion.url}\n  Code to take a seat:  {companion.join_code}\n\n{drawn}\n"
        f"  Point a phone at the square, or open the address. Everybody may watch without a code.\n"
    )


def _can_draw() -> bool:
    try:
        "▀▄█".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def stop_on_signals(done: asyncio.Event) -> None:
    """Set ``done`` when the process is asked to stop, by Ctrl-C or by the system."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, done.set)
