"""Badges of phones: who gets one, whose is taken away, and whose phone is there.

Rules of this room: a badge is handed out only after the broker knows it, and only by a broker that can keep
hands apart; what the broker could not be told while it was away it is told when it is back.
"""

import asyncio
import contextlib
import hmac
import logging
import os
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec
from hextraction.controller.phones.broker import ExternalBroker
from hextraction.controller.phones.doorkeeper import Turned
from hextraction.controller.phones.dynamic_security import Admin
from hextraction.controller.phones.inbox import Present
from hextraction.controller.phones.link import Link
from hextraction.controller.phones.payloads.messages import (
    Evening,
    Glance,
    Joined,
    JoinRequest,
    KeyState,
    SeatKey,
    Session,
)
from hextraction.controller.phones.rights import Badge, SeatBook
from hextraction.controller.table.lobby import Lobby, NotGranted

__all__ = ["Badges"]

LOG = logging.getLogger(__name__)

T = TypeVar("T")

AGAIN_S: Final = 10.0
_MOST_PHONES: Final = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class _Newcomer:
    """A phone that was let in and has not come yet: who asks again has not heard the answer."""

    request: JoinRequest
    answer: asyncio.Task[Joined | Turned]

    def asks_again(self, request: JoinRequest) -> bool:
        """Return whether it is the same phone, with the same code."""
        before, now = (f"{one.phone} {one.code}".encode() for one in (self.request, request))
        return bool(request.phone) and hmac.compare_digest(before, now)


class Badges:
    """What the gate asks, see :class:`~hextraction.controller.phones.doorkeeper.Doorkeeper`.

    Args:
        book: badges and codes.
        lobby: who sits where.
        keep: a file for the badges, or None to forget them at the end.
        address: the page's address, with the join code in it or without.
        show_code: everybody in the network may know the join code.
        evening: what happened at the table, for whoever comes late.
        glance: what everybody may see now.
        on_free: called with a seat whose phones have lost their rights.
        problems: what is wrong at the table apart from the broker, in words, for ``/health``.
    """

    def __init__(
        self,
        book: SeatBook,
        lobby: Lobby,
        *,
        keep: Path | None,
        address: Callable[[bool], str],
        show_code: bool,
        evening: Callable[[], Evening],
        glance: Callable[[], Glance],
        on_free: Callable[[str], None],
        on_table: Callable[[], None],
        problems: Callable[[], Iterable[str]] = tuple,
    ) -> None:
        self.book = book
        self.admin = Admin()
        self.link: Link | None = None
        self.broker: ExternalBroker | None = None
        self.fails_to_start = False
        """Whether a broker is installed and did not start."""
        self._more_problems = problems
        self._guarded = asyncio.Event()
        self._unguarded = asyncio.Event()
        self._lobby = lobby
        self._keep = keep
        self._address = address
        self._show_code = show_code
        self._evening = evening
        self._glance = glance
        self._on_free = on_free
        self._on_table = on_table
        self._phones: dict[str, set[str]] = {seat: set() for seat in book.seats}
        self._newcomers: dict[str, _Newcomer] = {}
        """Who was let in last at each seat, until they come."""
        self._away_since_s = dict.fromkeys(book.seats, asyncio.get_running_loop().time())
        self._expelled: set[str] = set()
        self._tasks: set[asyncio.Task[Any]] = set()

    @property
    def here(self) -> Mapping[str, bool]:
        """Which seats have a phone connected."""
        return {seat: bool(phones) for seat, phones in self._phones.items()}

    @property
    def away_s(self) -> Mapping[str, float]:
        """For how long no phone of a seat has been connected; 0 while one is."""
        now_s = asyncio.get_running_loop().time()
        return {
            seat: 0.0 if self._phones[seat] else now_s - since_s
            for seat, since_s in self._away_since_s.items()
        }

    @property
    def online(self) -> bool:
        """Whether the broker is connected."""
        return self.link is not None and self.link.online

    @property
    def guarded(self) -> bool:
        """Whether the broker has accepted our roles at least once; nobody may come in before that."""
        return self._guarded.is_set()

    @property
    def unguarded(self) -> bool:
        """Whether the broker is there, but has no dynamic security that we may use."""
        return self._unguarded.is_set() and self.online and not self.guarded

    async def opened(self, limit_s: float) -> bool:
        """Wait until phones may join or it is clear that they cannot, at most this long; return which."""
        ends = [asyncio.ensure_future(event.wait()) for event in (self._guarded, self._unguarded)]
        await asyncio.wait(ends, timeout=limit_s, return_when=asyncio.FIRST_COMPLETED)
        for end in ends:
            end.cancel()
        return self.guarded

    # --- for the gate ---------------------------------------------------------------------------------------

    def session(self) -> Session | Turned:
        """Return what a watcher needs, or why nobody may come in."""
        watch, topics = self.book.watch, self.book.topics
        return self._closed() or Session(
            board=topics.board, prefix=topics.prefix, user=watch.user, password=watch.token
        )

    def glance(self) -> Glance:
        """Return what everybody may see now, with a watcher's session; nothing while nobody may come in."""
        session = self.session()
        if isinstance(session, Turned):
            return Glance()
        return msgspec.structs.replace(self._glance(), session=session)

    async def join(self, request: JoinRequest) -> Joined | Turned:
        """Give somebody a seat for the table's code, or a seat one more phone for that seat's code.

        A phone that asks again before it has come gets the same answer, and no second seat: the first was
        lost on its way, or was too slow for the phone's patience.
        """
        closed = self._closed()
        if closed is not None:
            return closed
        newcomer = next((one for one in self._newcomers.values() if one.asks_again(request)), None)
        if newcomer is not None:
            return await asyncio.shield(newcomer.answer)
        seat = self.book.use_seat_code(request.code)
        if seat is not None:
            return await self._let_in(request, seat, fresh=False)
        if not self.book.fits(request.code):
            return Turned(status=HTTPStatus.FORBIDDEN, reason="That is not this table's code.")
        outcome = self._lobby.join(request.name, request.seat, self.away_s)
        if isinstance(outcome, NotGranted):
            return Turned(status=HTTPStatus.CONFLICT, reason=outcome.reason)
        if outcome.again:
            self._newcomers.pop(outcome.seat, None)
            self._expel(self.book.set_aside(outcome.seat))
            self._phones[outcome.seat].clear()
            self._on_free(outcome.seat)
        else:
            self.revoke(outcome.seat)
        joined = await self._let_in(request, outcome.seat, fresh=not outcome.again)
        self._on_table()
        return joined

    async def take_back(self, key: SeatKey) -> Joined | Turned:
        """Give a seat back to the phone that had it before somebody else took it."""
        badge = self.book.is_aside(key.user, key.password)
        if badge is None or badge.seat is None:
            return Turned(status=HTTPStatus.FORBIDDEN, reason="That seat is not yours, or not any more.")
        closed = self._closed()
        if closed is not None:
            return closed
        self._newcomers.pop(badge.seat, None)
        self._expel(self.book.take_back(badge.seat))
        self._phones[badge.seat].clear()
        self._on_free(badge.seat)
        self._lobby.given_back(badge.seat)
        joined = await self._enrol(badge.seat, fresh=False)
        self._on_table()
        return joined

    def worth(self, key: SeatKey) -> KeyState | Turned:
        """Return what a seat's key is worth: a phone that is turned off by the broker asks for it."""
        if self.book.is_valid(key.user, key.password):
            return self._closed() or KeyState(state="yours")
        if self.book.is_aside(key.user, key.password):
            return KeyState(state="taken")
        return KeyState(state="forgotten")

    def is_watcher(self, user: str) -> bool:
        """Return whether a user only watches."""
        return user == self.book.watch.user

    @property
    def closed(self) -> str:
        """Why phones cannot come in, in the words that their players see; empty if they can."""
        if self.link is None:
            return "This table runs without a message broker, so phones cannot join."
        if not self.link.online:
            return "The table's message broker is away."
        if not self.guarded:
            return "The table's message broker cannot keep hands apart, so phones cannot join."
        return ""

    @property
    def trouble(self) -> str:
        """The same for whoever hosts the table; empty if phones can come in and are heard."""
        return next(self._broker_problems(), "")

    def _closed(self) -> Turned | None:
        reason = self.closed
        return Turned(status=HTTPStatus.SERVICE_UNAVAILABLE, reason=reason) if reason else None

    def health(self, load: Mapping[str, int]) -> Mapping[str, Any]:
        """Return how things are, for ``GET /health``."""
        broker = "online" if self.online else "away" if self.link else "none"
        problems = [*self._broker_problems(), *self._more_problems()]
        if load["slowed"]:
            problems.append(
                "somebody in the network sends far more than a phone has to say; it is read slowly"
            )
        phones = sum(map(len, self._phones.values()))
        return {"ok": not problems, "problems": problems, "broker": broker, "phones": phones, "load": load}

    def _broker_problems(self) -> Iterator[str]:
        if self.link is None and self.fails_to_start:
            yield "the MQTT broker does not start: nobody can join (the log says why)"
        elif self.link is None:
            yield "there is no MQTT broker: nobody can join (apt-get install mosquitto)"
        elif not self.link.online and self.link.refused:
            yield "the MQTT broker refuses us: nobody can join (see user and password_file under [broker])"
        elif not self.link.online:
            yield "the MQTT broker is away: phones wait for it"
        elif not self.guarded:
            yield "the MQTT broker has no dynamic security that we may use: nobody can join"
        elif self.link.stalled:
            yield "the MQTT broker acknowledges nothing: phones hear nothing new"

    def upstream(self) -> ExternalBroker | None:
        """Return where the broker is, if phones may use it."""
        return self.broker if self.guarded else None

    def admits(self, user: str) -> bool:
        """Return whether a user may come through the gate: phones and watchers, nobody else."""
        return self.book.admits(user)

    def known(self, user: str) -> None:
        """A user has logged in."""
        LOG.debug("%s logged in", user)

    def address(self, code: str = "") -> str | None:
        """Return what ``/qr.svg`` says, with the join code for whoever knows it; None for a wrong code."""
        if code and not self.book.fits(code):
            return None
        return self._address(bool(code) or self._show_code)

    def evening(self) -> Evening:
        """Return what happened at the table this evening, and where to join it."""
        address, code = self._address(False), self.book.code if self._show_code else ""  # noqa: FBT003
        return msgspec.structs.replace(self._evening(), address=address, code=code)

    # --- for the companion ----------------------------------------------------------------------------------

    def note(self, said: Present) -> bool:
        """Note that a phone came or went; return whether the seat's presence has changed."""
        phones = self._phones[said.seat]
        before = bool(phones)
        newcomer = self._newcomers.get(said.seat)
        if newcomer is not None and newcomer.request.phone == said.phone:
            del self._newcomers[said.seat]
        self._away_since_s[said.seat] = asyncio.get_running_loop().time()
        if not said.here:
            phones.discard(said.phone)
        elif len(phones) < _MOST_PHONES:
            phones.add(said.phone)
        return before != bool(phones)

    def nobody_here(self) -> None:
        """Forget who is there: all connections were cut."""
        now_s = asyncio.get_running_loop().time()
        for seat, phones in self._phones.items():
            if phones:
                self._away_since_s[seat] = now_s
            phones.clear()

    def revoke(self, seat: str) -> None:
        """Revoke all phones of a seat, at once, those too whose seat somebody else had taken."""
        self.book.forget_aside(seat)
        self._newcomers.pop(seat, None)
        self._expel(self.book.revoke_seat(seat))
        self._phones[seat].clear()
        self._on_free(seat)

    def settle(self) -> None:
        """Send the broker all roles and badges, and the clients to remove."""
        self._spawn(self._settle())

    def load(self) -> None:
        """Load the badges of an earlier run; a broken file counts as empty."""
        if self._keep is None or not self._keep.exists():
            return
        try:
            self.book.load(self._keep.read_text())
        except (OSError, ValueError) as error:
            LOG.warning("phones have to join again: %s: %s", self._keep, error)

    async def close(self) -> None:
        """Cancel what is still being sent to the broker."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # --- telling the broker ---------------------------------------------------------------------------------

    async def _let_in(self, request: JoinRequest, seat: str, *, fresh: bool) -> Joined | Turned:
        newcomer = _Newcomer(request=request, answer=self._spawn(self._enrol(seat, fresh=fresh)))
        self._newcomers[seat] = newcomer
        outcome = await asyncio.shield(newcomer.answer)
        if isinstance(outcome, Turned) and self._newcomers.get(seat) is newcomer:
            del self._newcomers[seat]
        return outcome

    async def _enrol(self, seat: str, *, fresh: bool) -> Joined | Turned:
        badge = self.book.issue(seat)
        errors = await self.admin.ask(self.link, [self.book.enrol(badge)]) if self.link else None
        if errors is None or errors:
            LOG.error("the broker does not take a new phone: %s", errors or "no answer")
            self._expel([badge])
            if fresh:
                self._lobby.left(seat)
            return Turned(status=HTTPStatus.SERVICE_UNAVAILABLE, reason="The broker is too slow; try again.")
        self._expel(self.book.surplus(seat))
        self._save()
        return Joined(seat=seat, user=badge.user, password=badge.token, prefix=self.book.topics.prefix)

    def _expel(self, badges: Iterable[Badge]) -> None:
        gone = tuple(badges)
        if not gone:
            return
        self.book.revoke(gone)
        self._expelled |= {badge.user for badge in gone}
        self._save()
        if self.online:
            self._spawn(self._tell_expelled())

    async def _tell_expelled(self) -> None:
        gone = set(self._expelled)
        commands = [self.book.expel(user) for user in sorted(gone)]
        if gone and self.link and await self.admin.ask(self.link, commands) is not None:
            self._expelled -= gone

    async def _settle(self) -> None:
        if self.link is None:
            return
        answer = await self.admin.ask(self.link, self.book.settle())
        if answer is None and self.link.online and not self.guarded:
            LOG.error("the broker has no dynamic-security plugin that we may use: phones cannot join")
            self._unguarded.set()
        while answer is None and self.link.online:
            await asyncio.sleep(AGAIN_S)
            answer = await self.admin.ask(self.link, self.book.settle())
        if answer is not None:
            self._guarded.set()
        await self._tell_expelled()

    def _spawn(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def _save(self) -> None:
        """Write the badges where only this user can read them; a full disk must not stop the game."""
        if self._keep is None:
            return
        new = self._keep.with_suffix(".new")
        with contextlib.suppress(OSError):
            new.unlink(missing_ok=True)
            with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:  # noqa: PTH123
                file.write(self.book.dump())
            new.replace(self._keep)
