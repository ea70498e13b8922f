"""An evening at a real table that goes wrong all the time: the program, people with phones, and three promises.

After whatever happened the table is playable, nothing that was acknowledged is lost, and nothing is told twice.
"""

import asyncio
import collections
import contextlib
import json
import random
import signal
import sqlite3
import time
from http.client import HTTPException
from pathlib import Path

from helpers.companion_table import ask
from helpers.faults.machine import Machine
from helpers.faults.people import Person, Watcher
from helpers.faults.warm import WarmProcess
from helpers.hub.host import compile_host_hub
from helpers.hub.line import HubOnLine
from helpers.ports import free_port
from helpers.program import Process
from helpers.waiting import happens
from helpers.warm_start import WarmStart
from hextraction.board.profile import load_board
from hextraction.controller.games.hextraction import Hextraction
from hextraction.controller.games.protocol import Said
from hextraction.controller.play.journal import Journal
from hextraction.controller.play.referee import Referee

__all__ = ["BrokenPromiseError", "Evening"]

LONG_S = 60.0
MOVE_S, UNANSWERED_S = 0.11, 2.0
AGAIN_S = 0.2
"""After how long the service is started again; systemd takes longer."""
ON_HUBS = {"left": ("A1", "A2", "A3", "A4"), "right": ("B1", "B2", "B3", "B4")}
"""The slots whose drains are seen, by hub."""
GAME = Hextraction.on(load_board("standard-22"), Hextraction.demo_rules(12))


class BrokenPromiseError(AssertionError):
    """Something that must hold did not."""


class Evening:
    """A table in ``folder``, with a machine that fails there; use it with ``async with``.

    Args:
        kind: ``demo`` is the simulated board, whose seats have to be taken anew after a restart; ``ordinary`` a
            board without electronics, whose phones come back by themselves; ``hub`` the same with some sensors
            on two hubs (the firmware's logic on pseudo-terminals), each of :attr:`hubs` may be unplugged.
        speed: of the demo.
        warm: the program is forked from one that has imported everything: to start it very often.
    """

    def __init__(
        self, folder: Path, chance: random.Random, *, kind="demo", people=2, speed=20.0, warm=False
    ) -> None:
        self.kind, self.chance, self.speed = kind, chance, speed
        self.folder = folder / "table"
        self.folder.mkdir(parents=True)
        self.machine = Machine(folder / "tools", self.folder)
        self.journal = self.folder / "games.db"
        self.port = free_port()
        self.program: Process | None = None
        self.people: list[Person] = []
        self.former: list[Person] = []
        self.watcher: Watcher | None = None
        self.told: collections.Counter = collections.Counter()
        self.told_by: dict[tuple[str, int], int] = {}
        """Which run of the program told of an entry."""
        self.starts = 0
        self.acknowledged = 0
        self.logs: list[str] = []
        self._many = people
        self.hubs: dict[str, HubOnLine] = {}
        for name in ON_HUBS if kind == "hub" else ():
            (folder / name).mkdir()
            self.hubs[name] = HubOnLine(compile_host_hub(folder), folder / name)
        self._warm = WarmStart(folder, self.machine.env) if warm else None
        self._going: list[asyncio.Task] = []

    async def __aenter__(self):
        for hub in self.hubs.values():
            hub.__enter__()
        await self.start()
        return self

    async def __aexit__(self, kind, _error, _trace):
        self.machine.mend()
        await self._away(*self.people, *filter(None, [self.watcher]))
        await asyncio.gather(*self._going)
        if self.program is not None:
            with contextlib.suppress(ProcessLookupError):
                self.program.child.send_signal(signal.SIGCONT)
            status = await asyncio.to_thread(self.program.stop)
            self._look_at_log()
            if self._warm is not None:
                self._warm.__exit__()
            for hub in self.hubs.values():
                hub.__exit__()
            assert kind is not None or status == 0, self.log

    # --- the program ----------------------------------------------------------------------------------------

    @property
    def words(self):
        """The command line."""
        common = ["--journal", self.journal, "--host", "127.0.0.1", "--port", self.port]
        if self.kind == "ordinary":
            return ["run", "--no-electronics", *common]
        if self.hubs:
            return ["run", "--config", self._configured(), *common]
        return ["demo", "--resume", "--speed", self.speed, "--seed", self.chance.randrange(1000), *common]

    def _configured(self):
        """Write what the program is told about the board and its hubs; return the file."""
        sensors = "".join(
            f'  {{ name = "drain.{slot}", hub = "{name}.{number}" }},\n'
            for name, slots in ON_HUBS.items()
            for number, slot in enumerate(slots)
        )
        hubs = "".join(
            f'[[hub]]\nname = "{name}"\nport = "{hub.path}"\nchips = 1\nspare = [4, 5, 6, 7]\n'
            for name, hub in self.hubs.items()
        )
        wiring = self.folder.parent / "wiring.toml"
        wiring.write_text(
            f'sensor = [\n{sensors}]\n[board]\nprofile = "standard-22"\ninstruments = "partial"\n'
            f'[gpio]\nfactory = "mock"\n{hubs}'
        )
        config = self.folder.parent / "table.toml"
        config.write_text(f'[table]\nwiring = "{wiring}"\n')
        return config

    @property
    def log(self):
        """The last that the program said."""
        return "" if self.program is None else self.program.words[-3000:]

    async def start(self):
        """Start the program until it stays, as a service is, and let everybody come in."""
        if self.watcher is not None:
            self._count_events()
        while True:
            self.starts += 1
            self.program = await asyncio.to_thread(self._begin_process)
            if self.program.is_open and await self._everybody_in():
                return
            await self.ended()
            await asyncio.sleep(AGAIN_S)

    async def _everybody_in(self):
        """Let everybody come in; return False if the program ends meanwhile."""
        try:
            await self.come_in()
        except (OSError, HTTPException):
            await happens(self._ended, LONG_S)
        return not self._ended()

    def _begin_process(self):
        if self._warm is not None:
            return WarmProcess(self._warm, *self.words)
        return Process(*self.words, env=self.machine.env)

    async def tries_to_open(self):
        """Start the program once; return its status if it does not stay, None if the table is open."""
        self.program = await asyncio.to_thread(self._begin_process)
        if not self.program.is_open:
            return await self.ended()
        await self.end(signal.SIGKILL)
        return None

    async def ended(self):
        """Wait until the program has ended; return its status, and see whether it said why."""
        status = await asyncio.to_thread(self.program.wait)
        self._look_at_log()
        return status

    def _look_at_log(self):
        words = self.program.words
        self.logs.append(words)
        if "Traceback" in words:
            raise BrokenPromiseError(f"a traceback in the log:\n{words[-3000:]}")

    async def alive(self):
        """Start the program again if it has ended; return whether that was so."""
        if self.program.child.poll() is None:
            return False
        await self.ended()
        await asyncio.sleep(AGAIN_S)
        await self.start()
        return True

    async def end(self, number):
        """End the program by a signal, and return its status."""
        with contextlib.suppress(ProcessLookupError):
            self.program.child.send_signal(number)
        return await self.ended()

    # --- the people -----------------------------------------------------------------------------------------

    async def come_in(self):
        """Let phones come (back); where seats are not kept they are taken anew."""
        code = self.program.code
        if self.kind == "demo" or not self.people:
            await self._away(*self.people)
            self.former += self.people
            self.people = []
            for number in range(self._many):
                body = {"code": code, "name": f"P{number}"}
                status, login = await asyncio.to_thread(ask, self.port, "POST", "/join", body)
                assert status == 200, login
                self.people.append(Person(self.port, login, self.chance, GAME.strategy()))
        if self.watcher is not None:
            await self._away(self.watcher)
        status, login = await asyncio.to_thread(ask, self.port, "GET", "/session")
        assert status == 200, login
        self.watcher = Watcher(self.port, login)
        await self.see(lambda: all(one.up.is_set() for one in (*self.people, self.watcher)), "phones come in")
        if self.kind != "demo":
            await self._begin()

    async def _away(self, *phones):
        """Let phones go; nobody waits for them, as one may just be about to try again."""
        self._going += [asyncio.create_task(asyncio.to_thread(phone.close)) for phone in phones]

    async def _begin(self):
        """Start a game if none is on."""
        await self.see(lambda: "table" in self.watcher.heard.newest, "the table is shown")
        if self._ended():
            return
        if self.watcher.heard.newest["table"]["phase"] != "playing":
            asked = self.people[0].say(table={"do": "start"})
            await self.see(lambda: asked.reply is not None, "the game starts")

    async def see(self, condition, what):
        """Wait until something holds that must come to hold."""
        try:
            await happens(lambda: condition() or self._ended(), LONG_S)
        except TimeoutError:
            health = await self.health()
            raise BrokenPromiseError(f"not within {LONG_S:.0f} s: {what}\n{health}\n{self.log}") from None

    async def health(self):
        """Return what /health says; nothing if nobody answers."""
        with contextlib.suppress(OSError, json.JSONDecodeError):
            return (await asyncio.to_thread(ask, self.port, "GET", "/health"))[1]
        return {}

    # --- playing --------------------------------------------------------------------------------------------

    async def play(self, seconds=LONG_S, until=lambda: False):
        """Let people play for so long, or until something holds, or the program has ended."""
        open_ = [None] * len(self.people)
        end_s = time.monotonic() + seconds
        while time.monotonic() < end_s and self.program.child.poll() is None and not until():
            for number, one in enumerate(self.people):
                asked = open_[number]
                since_s = LONG_S if asked is None else time.monotonic() - asked.sent_s
                answered = asked is None or asked.reply is not None
                if one.up.is_set() and since_s > (MOVE_S if answered else UNANSWERED_S):
                    open_[number] = one.move()
            if self._over() and self.kind != "demo":
                await self._begin()
            await asyncio.sleep(0.01)

    def _over(self):
        return self.watcher.heard.newest.get("table", {}).get("phase") == "over"

    def count(self, since_s=0.0):
        """Return how many acts that were sent since then have been acknowledged."""
        return sum(
            asked.reply is not None and asked.reply["ok"] and "act" in asked.body and asked.sent_s >= since_s
            for one in (*self.people, *self.former)
            for asked in list(one.asked.values())
        )

    # --- the promises ---------------------------------------------------------------------------------------

    async def is_playable(self):
        """See that the table plays: the program is up, phones are in, and acts are taken. Return the seconds."""
        began_s = time.monotonic()
        while True:
            await self.alive()
            await self.see(lambda: self._ended() or self._all_in(), "phones are back")
            await self.play(LONG_S, lambda: self.count(began_s))
            if self.count(began_s):
                return time.monotonic() - began_s
            if time.monotonic() - began_s > LONG_S:
                raise BrokenPromiseError(f"nobody can play any more: {await self.health()}\n{self.log}")

    def _ended(self):
        return self.program.child.poll() is not None

    def _all_in(self):
        return all(one.up.is_set() for one in (*self.people, self.watcher))

    def keeps_everything(self):
        """See that every acknowledged act is in the journal, in order, and as often as it was sent at most."""
        games = collections.defaultdict(list)
        for game, body in self._acts():
            games[game, body["seat"]].append(body["act"])
        for one in (*self.people, *self.former):
            for game in {asked.body["game"] for asked in list(one.asked.values()) if "act" in asked.body}:
                self._find(one.acknowledged(game), games[game, one.seat], f"{one.seat} in {game}")
        self._not_twice(games)
        self.acknowledged = self.count()

    def _find(self, wanted, found, where):
        rest = iter(found)
        for number, act in enumerate(wanted):
            if act not in rest:
                raise BrokenPromiseError(f"{where}: acknowledged and lost: {act}, number {number}")

    def _not_twice(self, games):
        """No act is carried out more often than it was sent; bots play with other words for the seats they have."""
        if self.kind == "demo":
            return
        sent = collections.Counter()
        for one in (*self.people, *self.former):
            sent.update(
                (asked.body["game"], one.seat, json.dumps(asked.body["act"], sort_keys=True))
                for asked in list(one.asked.values())
                if "act" in asked.body
            )
        for (game, seat), acts in games.items():
            for act, often in collections.Counter(json.dumps(act, sort_keys=True) for act in acts).items():
                if often > sent[game, seat, act]:
                    raise BrokenPromiseError(f"{seat} in {game}: carried out {often} times: {act}")

    def _acts(self):
        """Return every act in the journal, oldest first, as another program reads it."""
        with contextlib.closing(sqlite3.connect(f"file:{self.journal}?mode=ro", uri=True, timeout=10)) as db:
            assert db.execute("PRAGMA quick_check").fetchone() == ("ok",)
            rows = db.execute(
                "SELECT game, body FROM entry WHERE kind = 'Acted' ORDER BY game, seq"
            ).fetchall()
        return [(game, json.loads(body)) for game, body in rows]

    def _count_events(self):
        """Count what was told in this run; no entry is told of by two."""
        events, self.watcher.heard.events = self.watcher.heard.events, []
        self.told.update(events)
        for game, seq, kind, text in events:
            if self.told_by.setdefault((game, seq), self.starts) != self.starts:
                raise BrokenPromiseError(f"told again after a restart: {game}, entry {seq}: {kind}, {text}")

    def tells_nothing_twice(self):
        """See that nobody heard more news than there was, and no command was answered twice."""
        self._count_events()
        often = {event: times for event, times in self.told.items() if times > 1}
        for game in {event[0] for event in often}:
            said = self._said(game)
            twice = [
                event for event, times in often.items() if event[0] == game and times > max(1, said[event])
            ]
            if twice:
                raise BrokenPromiseError(f"told twice: {twice[:3]}")
        for one in (*self.people, *self.former):
            for name, asked in list(one.asked.items()):
                if asked.answers > 1:
                    raise BrokenPromiseError(f"answered {asked.answers} times: {name} {asked.body}")

    def _said(self, game):
        """Return how often each news of a game follows from its journal."""
        said = collections.Counter()
        with contextlib.closing(Journal(self.journal)) as journal:
            referee = Referee(GAME, journal.header(game))
            for entry in journal.entries(game):
                effects, evidence = referee.relive(entry)
                assert evidence is None, evidence
                said.update(
                    (game, entry.seq, each.kind, each.text) for each in effects if isinstance(each, Said)
                )
        return said
