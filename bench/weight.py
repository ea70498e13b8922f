"""The weight of the page: what a phone fetches until the board is drawn, and how long that takes.

The table is the one of ``hextraction run`` with its private Mosquitto and its gate, the phone a Chromium
that was never here before. Slow 3G is 400 kbit/s with 400 ms there and back, as WebPageTest has it.
"""

import asyncio
import shutil
import time
from pathlib import Path
from typing import Any, Final, NamedTuple

from hextraction.board.profile import STANDARD, load_board
from hextraction.controller.app.page import open_page
from hextraction.controller.app.process import board_info
from hextraction.controller.config import PageConfig
from hextraction.controller.play.journal import Journal

from bench.our_table import open_table
from bench.recorded import Game
from bench.tables import show

__all__ = ["run"]

_ARGS: Final = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
]
_SEEN: Final = "() => document.querySelectorAll('#board [data-slot]').length > 0"
_LIVE: Final = "() => document.querySelector('#link')?.dataset.state === 'connected'"
_TRIES: Final = 5


class _Network(NamedTuple):
    name: str
    kbit_per_s: int
    """0 means as fast as this machine."""
    there_and_back_ms: int


_NETWORKS: Final = (_Network("this machine", 0, 0), _Network("slow 3G", 400, 400))


class _Visit(NamedTuple):
    kib: float
    requests: int
    connections: int
    board_s: float
    """From the address to the drawn board of the game that is on."""
    live_s: float
    """And to the connection, from which on the page follows the game and taps work."""


def run(folder: Path, games: list[Game]) -> None:
    """Measure and print; without Chromium or Mosquitto say so instead."""
    missing = [name for name in ("chromium", "mosquitto") if shutil.which(name) is None]
    if missing:
        print(f"\nWeight of the page: not measured, {' and '.join(missing)} missing.\n")
        return
    seen = asyncio.run(_visits(folder, games[0]))
    rows = [
        (
            name,
            f"{visit.kib:.1f}",
            str(visit.requests),
            str(visit.connections),
            f"{visit.board_s:.2f}",
            f"{visit.live_s:.2f}",
        )
        for name, visit in seen.items()
    ]
    show(
        "Weight of the page",
        ("first visit over", "KiB", "requests", "connections", "board drawn (s)", "connected (s)"),
        rows,
        f"The median of {_TRIES} visits, each with an empty cache; the websocket is one of the requests.",
        "Peer: none. Mission Pinball Framework has no page.",
    )


async def _visits(folder: Path, game: Game) -> dict[str, _Visit]:
    table = open_table(game, Journal(folder / "weight.db"))
    info = board_info(load_board(STANDARD), electronics=True, simulated=True)
    async with open_page(
        table.host,
        PageConfig(host="127.0.0.1", port=0),
        board_id="bench",
        info=info,
        now_us=lambda: time.monotonic_ns() // 1_000,
    ) as companion:
        table.host.refresh(time.monotonic_ns() // 1_000)
        from playwright.async_api import async_playwright

        async with async_playwright() as play:
            chromium = await play.chromium.launch(executable_path=shutil.which("chromium"), args=_ARGS)
            found = {
                one.name: [await _visit(chromium, companion.url, one) for _ in range(_TRIES)]
                for one in _NETWORKS
            }
            await chromium.close()
    return {name: sorted(visits, key=lambda one: one.board_s)[_TRIES // 2] for name, visits in found.items()}


async def _visit(chromium: Any, url: str, network: _Network) -> _Visit:
    """Come for the first time, and wait for the board."""
    context = await chromium.new_context(viewport={"width": 390, "height": 844})
    page = await context.new_page()
    tool = await context.new_cdp_session(page)
    received: dict[str, float] = {}
    lines: set[int] = set()
    tool.on(
        "Network.loadingFinished",
        lambda told: received.update({told["requestId"]: told["encodedDataLength"]}),
    )
    tool.on("Network.responseReceived", lambda told: lines.add(told["response"]["connectionId"]))
    tool.on("Network.webSocketCreated", lambda told: received.update({told["requestId"]: 0.0}))
    tool.on("Network.webSocketCreated", lambda _told: lines.add(-1))
    await tool.send("Network.enable")
    if network.kbit_per_s:
        bytes_per_s = network.kbit_per_s * 1000 / 8
        shape = {
            "latency": network.there_and_back_ms,
            "downloadThroughput": bytes_per_s,
            "uploadThroughput": bytes_per_s,
        }
        await tool.send("Network.emulateNetworkConditions", {"offline": False, **shape})
    began = time.monotonic()
    await page.goto(url, wait_until="commit")
    await page.wait_for_function(_SEEN, polling=20)
    board_s = time.monotonic() - began
    await page.wait_for_function(_LIVE, polling=20)
    live_s = time.monotonic() - began
    await page.wait_for_load_state("networkidle")
    await context.close()
    return _Visit(sum(received.values()) / 1024, len(received), len(lines), board_s, live_s)
