"""Edge to page: from a clean sensor edge to the changed drawing in a real Chromium.

The table is the one of ``hextraction run`` (a change is shown at once, at most ten times a second) with its
private Mosquitto and its gate; the browser is a phone-sized page that watches. An edge is given at a chance
moment; the page notes when the slot's number of touches changes in its document. Both clocks are the
machine's wall clock.

Mission Pinball Framework has neither MQTT nor a page: there is nothing to compare with.
"""

import asyncio
import contextlib
import random
import shutil
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from hextraction.board.facts import BallEntered
from hextraction.board.profile import STANDARD, load_board
from hextraction.controller.app.page import open_page
from hextraction.controller.app.process import board_info
from hextraction.controller.config import PageConfig
from hextraction.controller.games.protocol import Acted, Woke
from hextraction.controller.play.journal import EdgeEntry, Journal
from hextraction.controller.play.referee import Referee

from bench.our_table import Table, open_table, rules_of_the_game, wake
from bench.recorded import Came, Game
from bench.tables import Spread, show

__all__ = ["run"]

HEADINGS = ("edge -> changed page (ms)", "samples", "p50", "p99", "best", "not shown")
PHONES = 8
_PATIENCE_MS = 2_000
_ARGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
_WATCH = """() => {
  window.seenAt = 0;
  const seen = () => { window.seenAt ||= performance.timeOrigin + performance.now(); };
  const what = { subtree: true, attributes: true, attributeFilter: ["data-touches"] };
  new MutationObserver(seen).observe(document.querySelector("#board"), what);
}"""


def run(folder: Path, games: list[Game], *, samples: int) -> None:
    """Measure and print; without Chromium, Mosquitto or Playwright say so instead."""
    missing = [name for name in ("chromium", "mosquitto") if shutil.which(name) is None]
    if missing:
        print(f"\n4. Edge to page: not measured, {' and '.join(missing)} missing.\n")
        return
    rows, wrong = [], []
    for phones in (1, PHONES):
        table = open_table(games[0], Journal(folder / f"page-{phones}.db"))
        visit = _Visit(table, games[0], samples, phones)
        asyncio.run(visit.run())
        rows += [
            _row(
                f"{name}, {phones} looking on" if phones > 1 else name, visit.taken[name], visit.unseen[name]
            )
            for name in visit.taken
        ]
        wrong += visit.wrong
    show(
        "4. Sensor edge to page",
        HEADINGS,
        rows,
        "Peer: none. Mission Pinball Framework publishes no MQTT and has no page.",
        "The first row holds the table's own pace: a change is shown at once, but at most every 100 ms.",
        f"Of {PHONES} phones the last to come is measured. Errors of scripts: {'; '.join(wrong) or 'none'}.",
        "'not shown': touches that the page had no mark for (the ball fell, or a later one overtook it).",
    )


def _row(name: str, taken: list[float], unseen: int) -> tuple[str, ...]:
    if not taken:
        return (name, "0", "-", "-", "-", str(unseen))
    spread = Spread.of(taken)
    return (name, str(len(taken)), f"{spread.p50:.0f}", f"{spread.p99:.0f}", f"{min(taken):.0f}", str(unseen))


class _Visit:
    """Phones at one table, while a recorded game is played. ``wrong`` are errors of their scripts."""

    def __init__(self, table: Table, game: Game, samples: int, phones: int) -> None:
        self._table = table
        self._phones = phones
        self.wrong: list[str] = []
        self._inputs = game.inputs
        self._touching = _touching(game)
        self._wanted = samples
        self._rng = random.Random(1)
        self.taken: dict[str, list[float]] = {"as played": [], "published at once": []}
        self.unseen = dict.fromkeys(self.taken, 0)

    async def run(self) -> None:
        """Open the table and the browser, and play."""
        host = self._table.host
        info = board_info(load_board(STANDARD), electronics=True, simulated=True)
        async with open_page(
            host,
            PageConfig(host="127.0.0.1", port=0),
            board_id="bench",
            info=info,
            now_us=self._now_us,
        ) as companion:
            host.on_input = self._show_when_due
            async with _browser(companion.url, self._phones, self.wrong) as page:
                await self._play(page)

    @staticmethod
    def _now_us() -> int:
        return time.monotonic_ns() // 1_000

    def _show_when_due(self) -> None:
        """Plan to show a change as ``hextraction run`` does: at once, but not too often."""
        due_us = self._table.host.show_at_us()
        if due_us is not None:
            delay_s = max(0, due_us - self._now_us()) / 1_000_000
            asyncio.get_running_loop().call_later(delay_s, self._show)

    def _show(self) -> None:
        if self._table.host.show_at_us() is not None:
            self._table.host.refresh(self._now_us())

    async def _play(self, page: Any) -> None:
        names = list(self.taken)
        for number, what in enumerate(self._inputs):
            if sum(map(len, self.taken.values())) >= self._wanted:
                return
            if number in self._touching:
                await self._measure(page, what, names[0])
                names.reverse()
            else:
                self._feed(what)

    def _feed(self, what: Came) -> None:
        host = self._table.host
        self._table.pass_time(what.at_us)
        if isinstance(what, EdgeEntry):
            self._table.edge(what)
        elif isinstance(what, Acted):
            if host.runtime is not None:
                host.runtime.act(what)
                host.on_input()
        else:
            host.advance(what.at_us)
            host.on_input()

    async def _measure(self, page: Any, what: Came, name: str) -> None:
        """Give one touching edge at a chance moment and wait until the page shows it."""
        await asyncio.sleep(0.2 + self._rng.random() * 0.1)
        await page.evaluate("window.seenAt = 0")
        began = time.time()
        self._feed(what)
        if name != "as played":
            self._table.host.refresh(self._now_us())
        seen_ms = await self._seen(page)
        if seen_ms:
            self.taken[name].append(seen_ms - began * 1_000)
        else:
            self.unseen[name] += 1

    async def _seen(self, page: Any) -> float:
        for _look in range(_PATIENCE_MS // 100):
            await asyncio.sleep(0.1)
            seen_ms = await page.evaluate("window.seenAt")
            if seen_ms:
                return float(seen_ms)
        return 0.0


@contextlib.asynccontextmanager
async def _browser(url: str, phones: int, wrong: list[str]) -> AsyncIterator[Any]:
    """Open the page in Chromium on so many phones; yield the last one, once it is connected and drawn."""
    from playwright.async_api import async_playwright

    async with async_playwright() as play:
        chromium = await play.chromium.launch(executable_path=shutil.which("chromium"), args=_ARGS)
        for _phone in range(phones):
            page = await chromium.new_page(viewport={"width": 360, "height": 740})
            page.on("pageerror", lambda error: wrong.append(str(error)))
            await page.goto(url)
            await page.locator("#board [data-slot]").first.wait_for(state="attached", timeout=20_000)
        await page.evaluate(_WATCH)
        yield page
        await chromium.close()


def _touching(game: Game) -> frozenset[int]:
    """Return the positions of the edges by which a ball enters a slot."""
    referee = Referee(rules_of_the_game(), game.header)
    found: set[int] = set()
    for number, what in enumerate(game.inputs):
        wake(referee, what.at_us)
        if isinstance(what, Woke):
            continue
        entries = referee.hear(what)
        for entry in entries:
            referee.apply(entry)
        if any(isinstance(entry, BallEntered) for entry in entries):
            found.add(number)
    return frozenset(found)
