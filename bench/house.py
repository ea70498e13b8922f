"""Edge to house: from a clean sensor edge in an end zone to the goal at a listener of the house's broker.

The table is the one of ``hextraction run`` with ``[house] discovery = true``: its private Mosquitto, its
gate, and a second real Mosquitto in the house's place, at which a client of paho's own listens as a rule of a
house would. Whole recorded games are played; only what the table tells as a goal is timed, on one clock.

Mission Pinball Framework has no MQTT: there is nothing to compare with.
"""

import asyncio
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import msgspec
from hextraction.board.profile import STANDARD, load_board
from hextraction.controller.app.page import open_page
from hextraction.controller.app.process import board_info
from hextraction.controller.config import HouseConfig, PageConfig
from hextraction.controller.games.protocol import Acted
from hextraction.controller.payloads.house import EVENT, News
from hextraction.controller.play.journal import EdgeEntry, Journal
from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion

from bench.our_table import Table, open_table
from bench.recorded import Came, Game, renamed
from bench.tables import Spread, show

__all__ = ["run"]

AIM_MS = 50
_PATIENCE_S = 5.0


def run(folder: Path, games: list[Game], *, samples: int) -> None:
    """Measure and print; without Mosquitto say so instead."""
    if shutil.which("mosquitto") is None:
        print("\n11. Goal to house: not measured, mosquitto missing.\n")
        return
    taken: list[float] = []
    lost = 0
    with _house(folder) as port, _listening(port) as listener:
        journal = Journal(folder / "house.db")
        for number in range(samples):
            if len(taken) + lost >= samples:
                break
            game = renamed(games[number % len(games)], f"house-{number}")
            evening = _Evening(open_table(game, journal), game, listener)
            asyncio.run(evening.run(port))
            taken += evening.taken_ms
            lost += evening.lost
    rows = [_row(taken, lost)]
    show(
        "11. Sensor edge to goal at the house",
        ("edge -> goal heard (ms)", "samples", "p50", "p99", "worst", "not heard"),
        rows,
        f"Aim: {AIM_MS} ms. Peer: none. Mission Pinball Framework publishes no MQTT.",
    )


def _row(taken: list[float], lost: int) -> tuple[str, ...]:
    name = "two Mosquittos on this machine"
    if not taken:
        return (name, "0", "-", "-", "-", str(lost))
    spread = Spread.of(taken)
    return (name, str(len(taken)), f"{spread.p50:.1f}", f"{spread.p99:.1f}", f"{max(taken):.1f}", str(lost))


class _Listener:
    """A client at the house's broker that notes when it hears of a goal."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, float]] = []
        """Game and time of each goal, in seconds."""
        self._news = threading.Condition()

    def message(self, _client: Client, _data: object, message: MQTTMessage) -> None:
        """Note a goal."""
        now_s = time.perf_counter()
        news = msgspec.json.decode(message.payload, type=News)
        if news.event_type == "goal":
            with self._news:
                self.heard.append((news.game, now_s))
                self._news.notify_all()

    def wait(self, count: int) -> bool:
        """Wait until so many goals were heard."""
        with self._news:
            return self._news.wait_for(lambda: len(self.heard) >= count, _PATIENCE_S)


class _Evening:
    """One recorded game at one table with a house. ``lost`` goals were told and never came."""

    def __init__(self, table: Table, game: Game, listener: _Listener) -> None:
        self._table = table
        self._game = game
        self._listener = listener
        self._told = 0
        self.taken_ms: list[float] = []
        self.lost = 0

    async def run(self, port: int) -> None:
        """Open the table and play the game."""
        info = board_info(load_board(STANDARD), electronics=True, simulated=True)
        house = HouseConfig(host="127.0.0.1", port=port, discovery=True)
        page = PageConfig(host="127.0.0.1", port=0)
        async with open_page(
            self._table.host, page, board_id="bench", info=info, now_us=_now_us, house=house
        ):
            tell = self._table.host.on_news
            self._table.host.on_news = partial(self._count, tell)
            await asyncio.sleep(1)  # the copy has logged in
            for what in self._game.inputs:
                await self._feed(what)

    def _count(self, tell: Callable[[News], None], news: News) -> None:
        self._told += news.event_type == "goal"
        tell(news)

    async def _feed(self, what: Came) -> None:
        self._table.pass_time(what.at_us)
        host = self._table.host
        if isinstance(what, EdgeEntry):
            before, told = len(self._listener.heard), self._told
            began_s = time.perf_counter()
            self._table.edge(what)
            if self._told > told:
                await self._heard(before, began_s)
        elif isinstance(what, Acted):
            if host.runtime is not None:
                host.runtime.act(what)
        else:
            host.advance(what.at_us)

    async def _heard(self, before: int, began_s: float) -> None:
        if await asyncio.to_thread(self._listener.wait, before + 1):
            self.taken_ms.append((self._listener.heard[before][1] - began_s) * 1_000)
        else:
            self.lost += 1


def _now_us() -> int:
    return time.monotonic_ns() // 1_000


@contextmanager
def _house(folder: Path) -> Iterator[int]:
    """Run a Mosquitto that lets everybody in on this machine; yield its port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    written = folder / "house.conf"
    written.write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\nuser root\n")
    broker = subprocess.Popen(["mosquitto", "-c", str(written)], stderr=subprocess.DEVNULL)
    try:
        _answers(port)
        yield port
    finally:
        broker.terminate()
        broker.wait()


def _answers(port: int) -> None:
    until_s = time.monotonic() + _PATIENCE_S
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            if time.monotonic() > until_s:
                raise
            time.sleep(0.05)
        else:
            return


@contextmanager
def _listening(port: int) -> Iterator[_Listener]:
    """Listen to what a house may act upon."""
    listener, ready = _Listener(), threading.Event()
    client = Client(CallbackAPIVersion.VERSION2)
    client.on_message = listener.message
    client.on_subscribe = lambda *_words: ready.set()
    client.connect("127.0.0.1", port)
    client.subscribe(f"hextraction/bench/{EVENT}", qos=1)
    client.loop_start()
    try:
        if not ready.wait(_PATIENCE_S):
            raise RuntimeError("the house's broker takes no subscription")
        yield listener
    finally:
        client.disconnect()
        client.loop_stop()
