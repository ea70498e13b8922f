"""The companion: everything that phones see and say, behind one small class that the runtime holds.

It owns the broker, the link to it, the gate, and the badges of phones; the game knows none of them. All its
methods are for the asyncio loop's thread and return at once, but for ``start`` and ``close``. Broker absent,
slow or restarted: the game goes on, and phones catch up by themselves.
"""

import asyncio
import contextlib
import logging
import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Final, Generic, TypeVar

import msgspec
from hextraction.controller.payloads.house import EVENT, News, Order
from hextraction.controller.payloads.messages import (
    Command,
    Diag,
    Evening,
    Event,
    Glance,
    Info,
    Odds,
    Reply,
    State,
    Status,
    Table,
    Topics,
    View,
)
from hextraction.controller.payloads.sizes import fitted
from hextraction.controller.phones.addresses import own_address, page_address
from hextraction.controller.phones.badges import Badges
from hextraction.controller.phones.broker import (
    BrokerError,
    BrokerMissingError,
    ExternalBroker,
    PrivateBroker,
)
from hextraction.controller.phones.doorkeeper import GateSettings
from hextraction.controller.phones.dynamic_security import ANSWERS
from hextraction.controller.phones.ears import Ears
from hextraction.controller.phones.gate import Gate
from hextraction.controller.phones.home_assistant import Discovery, discovery, discovery_topic
from hextraction.controller.phones.house import House, own_id
from hextraction.controller.phones.inbox import Accepted, Answered, Inbox, Present
from hextraction.controller.phones.link import Incoming, Link
from hextraction.controller.phones.metrics import Metrics, Numbers
from hextraction.controller.phones.notices import Notices
from hextraction.controller.phones.page_files import Page
from hextraction.controller.phones.rights import SeatBook, security_document
from hextraction.controller.phones.webhook import Webhook
from hextraction.controller.table.lobby import Lobby
from hextraction.settings.plain import UNREADABLE

__all__ = ["Companion", "Pace"]

# --- Not too often: the newest value now or after a pause, and never lose the last one ---

T = TypeVar("T")


class Pace(Generic[T]):
    """Hands values on, at most one in ``every_s``; of those that come meanwhile only the newest."""

    def __init__(self, every_s: float, send: Callable[[T], None]) -> None:
        self._every_s = every_s
        self._send = send
        self._free_s = 0.0
        self._newest: T | None = None
        self._timer: asyncio.TimerHandle | None = None

    def offer(self, value: T) -> None:
        """Send this now, or as soon as the pause is over if nothing newer comes."""
        self._newest = value
        if self._timer is not None:
            return
        loop = asyncio.get_running_loop()
        if loop.time() >= self._free_s:
            self._go()
        else:
            self._timer = loop.call_at(self._free_s, self._go)

    def flush(self) -> None:
        """Send what waits, now."""
        if self._timer is not None:
            self._timer.cancel()
            self._go()

    def _go(self) -> None:
        value, self._newest, self._timer = self._newest, None, None
        self._free_s = asyncio.get_running_loop().time() + self._every_s
        if value is not None:
            self._send(value)


# --- The companion ---

LOG = logging.getLogger(__name__)

STATE_EVERY_S: Final = 0.1
_COMINGS_EVERY_S: Final = 0.5
"""So seldom the table is told anew of a phone that comes and goes all the time."""
_LAST_WORDS_S: Final = 0.2
"""How long the gate goes on after the farewell, so that phones get what the broker has for them."""


def _posted(loop: asyncio.AbstractEventLoop, work: Callable[[Order], None], order: Order) -> None:
    """Let the loop do it, from any thread; a loop that has ended does nothing any more."""
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(work, order)


def _quiet() -> Evening:
    return Evening(events=(), games=())


class Companion:
    """Phones, by MQTT and the gate.

    Args:
        board_id: 1..32 of ``a-z``, ``0-9`` and ``-``; part of every topic.
        info: what does not change while the controller runs.
        broker: a private one, one that is configured, or None to do without.
        gate: where the gate listens.
        lobby: who sits where; shared with the runtime.
        on_command: gets each good command, ``hello`` too, once; answer it with :meth:`reply`.
        on_table: called when somebody joined, came or went; by default the table is published.
        keep: a file for the badges, so that phones need not join again after a restart.
        page: the page's files; by default the installed ones.
        problems: what is wrong at the table apart from the broker, in words, for ``/health``.
        evening: what happened at the table, for whoever comes late.
        code: the join code, the same at every start; by default a new one.
        metrics: numbers for a Prometheus, at ``/metrics``.
        house: another broker that gets a copy of the public topics; nothing comes in from there.
        discovery: what Home Assistant finds there and may ask; None for nothing.
        webhook: where what happens is posted to; None for nowhere.
        open_odds: whether players are told the odds, too; only with a private broker.
    """

    def __init__(
        self,
        *,
        board_id: str,
        info: Info,
        broker: PrivateBroker | ExternalBroker | None,
        gate: GateSettings,
        lobby: Lobby,
        on_command: Callable[[str, Command], None],
        on_table: Callable[[], None] | None = None,
        keep: Path | None = None,
        page: Page | None = None,
        problems: Callable[[], Iterable[str]] = tuple,
        evening: Callable[[], Evening] = _quiet,
        code: str = "",
        house: ExternalBroker | None = None,
        discovery: Discovery | None = None,
        webhook: Webhook | None = None,
        metrics: Metrics | None = None,
        open_odds: bool = False,
    ) -> None:
        self.topics = Topics(board_id)
        self.lobby = lobby
        self._info = info
        self._broker = broker
        self._settings = gate
        self._on_command = on_command
        self._on_table = on_table or self._show_table
        seats = tuple(chair.seat for chair in lobby.chairs)
        shared = isinstance(broker, ExternalBroker)
        book = SeatBook(self.topics, seats, shared=shared, code=code, open_odds=open_odds and not shared)
        self._inbox = Inbox(self.topics, seats)
        self._badges = Badges(
            book,
            lobby,
            keep=keep,
            address=lambda: self.url,
            show_code=gate.show_code,
            glance=self._glance,
            on_free=self._freed,
            on_table=self._on_table,
        )
        self._metrics = metrics
        self._notices = Notices(
            self._badges,
            address=lambda: self.url,
            show_code=gate.show_code,
            evening=evening,
            problems=lambda: (
                *self._broker_troubles(),
                *problems(),
                *(self._house.problems if self._house else ()),
                *(webhook.problems if webhook else ()),
            ),
            diag=lambda: self._diag,
        )
        self._gate = Gate(gate, self._badges, self._notices, page or Page.installed(), metrics)
        if metrics is not None:
            metrics.read = self.numbers
        boot = f"{time.time_ns():016x}{secrets.token_hex(4)}"
        self._status = Status(state="online", boot=boot, software=info.software)
        self._state = Pace(STATE_EVERY_S, self._send_state)
        self._comings: Pace[str] = Pace(_COMINGS_EVERY_S, lambda _seat: self._on_table())
        self._table: Table | None = None
        self._diag = Diag(values={})
        self._newest: State | None = None
        self._link: Link | None = None
        self._house_at, self._discovery, self._webhook = house, discovery, webhook
        self._house_id = own_id(self.topics.prefix, keep)
        self._house: House | None = None
        self._leaving: asyncio.Task[None] | None = None
        self._restarts_seen = 0

    # --- for the runtime ------------------------------------------------------------------------------------

    @property
    def url(self) -> str:
        """The page's address."""
        return page_address(own_address(self._settings.host), self._gate.port)

    @property
    def join_code(self) -> str:
        """The code to show at the table."""
        return self._badges.book.code

    @property
    def join_url(self) -> str:
        """The page's address with the code in its fragment, which no server sees: for the QR code."""
        return f"{self.url}#j={self.join_code}"

    @property
    def screen_url(self) -> str:
        """The address of the big screen; with the code in its fragment, so that the screen can show it."""
        return f"{self.url}tv#j={self.join_code}"

    @property
    def here(self) -> Mapping[str, bool]:
        """Which seats have a phone connected."""
        return self._badges.here

    @property
    def away_s(self) -> Mapping[str, float]:
        """For how long no phone of a seat has been connected; 0 while one is."""
        return self._badges.away_s

    @property
    def online(self) -> bool:
        """Whether the broker is connected."""
        return self._link is not None and self._link.online

    @property
    def unguarded(self) -> bool:
        """Whether the broker is there, but has no dynamic security that we may use."""
        return self._badges.unguarded

    @property
    def trouble(self) -> str:
        """Why phones cannot join now, for whoever hosts the table; empty if they can."""
        return self._badges.trouble

    @property
    def counters(self) -> Counter[str]:
        """What came and what was turned away, from inbox, link and gate together."""
        total = self._inbox.counters + self._gate.counters
        return total + self._link.counters if self._link else total

    def numbers(self) -> Numbers:
        """Return how the table is, in numbers, as a Prometheus asks for them."""
        load, table = self._gate.load(), self.lobby.table(self.here)
        return Numbers(
            game=table.kind,
            phase=table.phase,
            paused=table.paused,
            seats=Counter(seat.kind for seat in table.seats),
            phones=self._gate.phones,
            connections={"strangers": load.strangers, "watchers": load.watchers, "seats": load.seats},
            broker=self.online,
            house=None if self._house is None else self._house.online,
            problems=len(self._notices.health(load).problems),
            sensors=Counter(one.state for one in table.health),
            counters=self.counters,
        )

    async def start(self) -> None:
        """Open the gate and start the broker; a broker that does not start is an error in the log only.

        Raises:
            OSError: the gate's port is taken.
        """
        self._badges.load()
        await self._gate.start()
        where = await self._start_broker()
        self._house = self._make_house()
        if self._webhook is not None:
            self._webhook.start()
        if where is not None:
            self._badges.broker = where
            self._link = self._badges.link = self._make_link(where)
        self._latest("status", self._status)
        self._latest("info", self._info)
        self._show_table()
        if self._link is not None:
            self._link.start()

    def show_info(self, info: Info) -> None:
        """Show phones another board from now on: another game is drawn on another part of it."""
        self._info = info
        self._latest("info", info)

    async def opened(self, limit_s: float) -> bool:
        """Wait until phones may join or it is clear that they cannot, at most this long; return which."""
        return self._link is not None and await self._badges.opened(limit_s)

    async def close(self) -> None:
        """Publish the final state, log off and stop the broker.

        The gate goes last: phones hear last words only as long as it hands them on.
        """
        self._state.flush()
        self._comings.flush()
        if self._leaving is not None:
            await asyncio.gather(self._leaving, return_exceptions=True)
        await self._badges.close()
        if self._house is not None:
            await self._house.close(self._farewell)
        if self._webhook is not None:
            await asyncio.to_thread(self._webhook.close)
        if self._link is not None:
            await self._link.drain()
            await self._link.close(self._farewell)
            await asyncio.sleep(_LAST_WORDS_S)
        await self._gate.close()
        if isinstance(self._broker, PrivateBroker):
            await self._broker.close()

    def publish_state(self, state: State) -> None:
        """Publish the newest snapshot: at most ten a second, and always the last one."""
        self._state.offer(state)

    def publish_event(self, event: Event) -> None:
        """Tell what happened; who is not there does not hear it."""
        topic, body = self.topics.public("event"), msgspec.json.encode(event)
        if self._link is not None:
            self._link.send(topic, body, shorter=partial(fitted, event))
        if self._house is not None:
            self._house.event(topic, body)

    def publish_news(self, news: News) -> None:
        """Tell house and webhook, which may act upon it, what has just happened."""
        if self._metrics is not None:
            self._metrics.happened(news.event_type)
        if self._webhook is not None:
            self._webhook.post(news)
        if self._house is not None and self._discovery is not None:
            self._house.event(self.topics.public(EVENT), msgspec.json.encode(news))

    def publish_view(self, seat: str, view: View) -> None:
        """Show a seat its own view. It is never retained."""
        if self._link is not None:
            topic, body = self.topics.seat(seat, "view"), msgspec.json.encode(view)
            self._link.latest(topic, body, retain=False, shorter=partial(fitted, view))

    def publish_table(self, table: Table) -> None:
        """Show the lobby."""
        self._table = table
        self._latest("table", table)

    def publish_diag(self, diag: Diag) -> None:
        """Show how things are."""
        self._diag = diag
        self._latest("diag", diag)

    def publish_odds(self, odds: Odds) -> None:
        """Tell watchers the odds of the board; few seats may read them, and the house is open to players."""
        if self._link is not None:
            self._link.latest(self.topics.public("odds"), msgspec.json.encode(odds))

    def publish_fault(self) -> None:
        """Say that the controller is there but something in it has failed."""
        self._status = msgspec.structs.replace(self._status, state="fault")
        self._latest("status", self._status)

    def reply(self, seat: str, reply: Reply) -> None:
        """Answer a command, and remember the answer for when the command comes again."""
        correlation = self._inbox.remember(seat, reply)
        self._answer(seat, reply, correlation)

    def page_of(self, seat: str) -> str:
        """Return the page's address as the phone of a seat has dialled it: its neighbour may do the same."""
        return self._badges.page_of(seat)

    def seat_code(self, seat: str) -> str:
        """Return a code with which one more phone may join this seat."""
        return self._badges.book.seat_code(seat)

    def renew_code(self) -> str:
        """Make a new join code and return it."""
        return self._badges.book.renew_code()

    def revoke(self, seat: str) -> None:
        """Revoke all phones of a seat at once: its player left or was replaced."""
        self._badges.revoke(seat)

    # --- messages in ----------------------------------------------------------------------------------------

    def _hear(self, message: Incoming) -> None:
        if message.topic == ANSWERS:
            return self._badges.admin.hear(message)
        if message.topic == self.topics.public("status"):
            return self._hear_status(message)
        outcome = self._inbox.read(message, asyncio.get_running_loop().time())
        if isinstance(outcome, Answered):
            self._answer(outcome.seat, outcome.reply, None)
        elif isinstance(outcome, Present):
            if self._badges.note(outcome):
                self._comings.offer(outcome.seat)
        elif isinstance(outcome, Accepted):
            self._carry_out(outcome.seat, outcome.command)
        return None

    def _hear_status(self, message: Incoming) -> None:
        """Notice another controller of this board: the one that began later stays.

        Each has a client id that nobody else knows, so the broker keeps both, and the boot decides. What is
        retained may be from a run long ago and decides nothing.
        """
        with contextlib.suppress(*UNREADABLE):
            other = msgspec.json.decode(message.payload, type=Status)
            if message.retained or other.boot == self._status.boot or self._link is None:
                return
            if other.boot > self._status.boot and other.state != "offline":
                self._link.leave()
                self._leaving = asyncio.create_task(self._make_way(self._link))
                return
            self._link.latest(message.topic, msgspec.json.encode(self._status))
            if self._house is not None:
                self._house.again(message.topic)

    async def _make_way(self, link: Link) -> None:
        """Take back at the house that we are online, and only then say so to the other controller.

        It may have no copy at the house, so ours may not stay; if it has one, it says its own again when it
        hears us, and has the last word.
        """
        house, self._house = self._house, None
        if house is not None:
            await house.close(self._farewell)
        await link.close(self._farewell)

    def _carry_out(self, seat: str, command: Command) -> None:
        try:
            self._on_command(seat, command)
        except Exception:
            self._inbox.counters["failed"] += 1
            LOG.exception("a command of %s could not be carried out", seat)
            self.reply(seat, Reply(id=command.id, ok=False, code="failed", reason="Our fault; it is logged."))

    # --- behind the scenes ----------------------------------------------------------------------------------

    async def _start_broker(self) -> ExternalBroker | None:
        if not isinstance(self._broker, PrivateBroker):
            return self._broker
        document = security_document(self._badges.book, self._broker.admin)
        try:
            await self._broker.start(document)
        except (BrokerError, OSError) as error:
            self._badges.fails_to_start = not isinstance(error, BrokerMissingError)
            LOG.error("%s", error)  # noqa: TRY400  # one clear line: there is nothing to debug
            return None
        return self._broker.address

    @property
    def _farewell(self) -> tuple[str, bytes]:
        """The last status: what brokers say for us when we vanish, and what we say before we go."""
        offline = msgspec.structs.replace(self._status, state="offline")
        return self.topics.public("status"), msgspec.json.encode(offline)

    def _make_house(self) -> House | None:
        if self._house_at is None:
            return None
        found, ears = self._discovery, None
        if found is not None:
            ears = Ears(self.topics.prefix, partial(_posted, asyncio.get_running_loop(), self._obey))
        house = House(self._house_at, client_id=self._house_id, will=self._farewell, ears=ears)
        if found is not None:
            document = discovery(self.topics, self._info, found, self.url)
            house.latest(discovery_topic(self.topics), msgspec.json.encode(document))
        house.start()
        return house

    def _obey(self, order: Order) -> None:
        """Hand an order of the house on; if it cannot be carried out, phones and table go on."""
        try:
            if self._discovery is not None:
                self._discovery.on_order(order)
        except Exception:
            self._inbox.counters["failed"] += 1
            LOG.exception("an order of the house could not be carried out")

    def _make_link(self, where: ExternalBroker) -> Link:
        return Link(
            where,
            client_id=lambda: f"{self.topics.prefix.replace('/', '-')}-{secrets.token_hex(8)}",
            will=self._farewell,
            filters=(
                self.topics.seat("+", "cmd"),
                self.topics.seat("+", "here"),
                self.topics.public("status"),
                ANSWERS,
            ),
            on_message=self._hear,
            on_up=self._up,
        )

    def _up(self) -> None:
        """Send the broker our roles and badges; right after a restart no phone is connected."""
        restarts = self._broker.restarts if isinstance(self._broker, PrivateBroker) else 0
        if restarts != self._restarts_seen:
            self._restarts_seen = restarts
            self._badges.nobody_here()
            self._on_table()
        self._badges.settle()

    def _freed(self, seat: str) -> None:
        """Forget the answers to a seat's last phones, and clear its private topics."""
        self._inbox.forget(seat)
        if self._link is not None:
            self._link.forget(self.topics.seat(seat, "view"))
            self._link.clear(self.topics.seat(seat, "here"))

    def _broker_troubles(self) -> Iterable[str]:
        return self._broker.troubles if isinstance(self._broker, PrivateBroker) else ()

    def _show_table(self) -> None:
        self.publish_table(self.lobby.table(self.here))

    def _send_state(self, state: State) -> None:
        self._newest = state
        self._latest("state", state)

    def _glance(self) -> Glance:
        """Return what is retained of the public topics that a page draws from."""
        return Glance(status=self._status, info=self._info, table=self._table, state=self._newest)

    def _latest(self, leaf: str, payload: msgspec.Struct) -> None:
        topic, body = self.topics.public(leaf), msgspec.json.encode(payload)
        if self._link is not None:
            self._link.latest(topic, body, shorter=partial(fitted, payload))
        if self._house is not None:
            self._house.latest(topic, body)

    def _answer(self, seat: str, reply: Reply, correlation: bytes | None) -> None:
        if self._link is not None:
            body = msgspec.json.encode(reply)
            topic = self.topics.seat(seat, "reply")
            self._link.send(topic, body, correlation=correlation, shorter=partial(fitted, reply))
