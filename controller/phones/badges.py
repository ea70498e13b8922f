"""Badges of phones: who gets one, whose is taken away, and whose phone is there.

Rules of this room: a badge is handed out only after the broker knows it, and only by a broker that can keep
hands apart; what the broker could not be told while it was away it is told when it is back.
"""

import asyncio
import contextlib
import errno
import hmac
import logging
import os
import stat
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec
from hextraction.controller.payloads.messages import (
    Glance,
    Joined,
    JoinRequest,
    KeyState,
    SeatKey,
    Session,
)
from hextraction.controller.phones.broker import ExternalBroker
from hextraction.controller.phones.doorkeeper import Turned
from hextraction.controller.phones.dynamic_security import Admin
from hextraction.controller.phones.inbox import Present
from hextraction.controller.phones.link import Link
from hextraction.controller.phones.rights import Badge, SeatBook
from hextraction.controller.table.lobby import Lobby, NotGranted

__all__ = ["Badges"]

LOG = logging.getLogger(__name__)

T = TypeVar("T")

AGAIN_S: Final = 10.0
_MOST_PHONES: Final = 16
_MOST_BYTES: Final = 65_536
_BROKEN: Final = ".broken"


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
        address: the page's address for whoever is not known to have dialled another.
        show_code: everybody in the network may know the join code.
        glance: what everybody may see now.
        on_free: called with a seat whose phones have lost their rights.
    """

    def __init__(
        self,
        book: SeatBook,
        lobby: Lobby,
        *,
        keep: Path | None,
        address: Callable[[], str],
        show_code: bool,
        glance: Callable[[], Glance],
        on_free: Callable[[str], None],
        on_table: Callable[[], None],
    ) -> None:
        self.book = book
        self.admin = Admin()
        self.link: Link | None = None
        self.broker: ExternalBroker | None = None
        self.fails_to_start = False
        """Whether a broker is installed and did not start."""
        self._guarded = asyncio.Event()
        self._unguarded = asyncio.Event()
        self._lobby = lobby
        self._keep = keep
        self._address = address
        self._show_code = show_code
        self._glance = glance
        self._on_free = on_free
        self._on_table = on_table
        self._phones: dict[str, set[str]] = {seat: set() for seat in book.seats}
        """Who has said at each seat that they are there; while the gate has a connection of it, they are."""
        self._lines: Counter[str] = Counter()
        """How many connections each user has at the gate."""
        self._dialled: dict[str, str] = {}
        """What the newest connection of each seat has dialled."""
        self._closing = False
        self._spoken_for = False
        """Whether we have let ourselves speak at a broker of somebody else's."""
        self._newcomers: dict[str, _Newcomer] = {}
        """Who was let in last at each seat, until they come."""
        self._away_since_s = dict.fromkeys(book.seats, asyncio.get_running_loop().time())
        self._expelled: set[str] = set()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._taken = False
        """Whether badges have been taken away that the file still has."""
        self.unkept = ""
        """Why the file is not what it should be, in words."""

    @property
    def here(self) -> Mapping[str, bool]:
        """Which seats have a phone connected."""
        return {seat: self._is_here(seat) for seat in self._phones}

    @property
    def away_s(self) -> Mapping[str, float]:
        """For how long no phone of a seat has been connected; 0 while one is."""
        now_s = asyncio.get_running_loop().time()
        return {
            seat: 0.0 if self._is_here(seat) else now_s - since_s
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
        self._awaits(outcome.seat)
        joined = await self._let_in(request, outcome.seat, fresh=not outcome.again)
        self._on_table()
        return joined

    async def take_back(self, key: SeatKey) -> Joined | Turned:
        """Give a seat back to the phone that had it before somebody else took it."""
        badge = self.book.is_aside(key.user, key.password)
        if badge is None or badge.seat is None:
            return Turned(status=HTTPStatus.FORBIDDEN, reason="That seat is not yours, or no longer yours.")
        closed = self._closed()
        if closed is not None:
            return closed
        self._newcomers.pop(badge.seat, None)
        self._expel(self.book.take_back(badge.seat))
        self._phones[badge.seat].clear()
        self._on_free(badge.seat)
        self._lobby.given_back(badge.seat)
        self._awaits(badge.seat)
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
            return "Phones cannot join: this table runs without a message broker."
        if self.link.left:
            return "Phones cannot join here: another program plays this board."
        if not self.link.online:
            return "Phones cannot join now: the table's message broker does not run."
        if not self.guarded:
            return "Phones cannot join: the table's message broker cannot keep hands secret."
        return ""

    @property
    def trouble(self) -> str:
        """The same for whoever hosts the table; empty if phones can come in and are heard."""
        return next(self.troubles(), "")

    def _closed(self) -> Turned | None:
        reason = self.closed
        return Turned(status=HTTPStatus.SERVICE_UNAVAILABLE, reason=reason) if reason else None

    def troubles(self) -> Iterator[str]:
        """Say why phones cannot come in or are not heard, for whoever hosts the table."""
        if self.link is None and self.fails_to_start:
            yield "the MQTT broker does not start: nobody can join (the log says why)"
        elif self.link is None:
            yield "there is no MQTT broker: nobody can join (apt-get install mosquitto)"
        elif self.link.left:
            yield (
                "another program plays this board at the MQTT broker: end one of the two, and start "
                "the other again"
            )
        elif not self.link.online and self.link.refused:
            yield (
                "the MQTT broker turns this table away: nobody can join (see user and "
                "password_file under [broker])"
            )
        elif not self.link.online:
            yield "the MQTT broker is away: phones wait for it"
        elif not self.guarded:
            yield "the MQTT broker has no dynamic security that this table may use: nobody can join"
        elif self.link.stalled:
            yield "the MQTT broker does not answer: phones hear nothing new"
        elif self.link.not_taken:
            topic, why = next(iter(self.link.not_taken.items()))
            yield f"the MQTT broker does not take {topic}: {why}; look at what it allows the user of [broker]"

    def upstream(self) -> ExternalBroker | None:
        """Return where the broker is, if phones may use it."""
        return self.broker if self.guarded else None

    def admits(self, user: str, token: bytes) -> bool:
        """Return whether a user may come through the gate: phones and watchers with their tokens."""
        return self.book.admits(user, token)

    def came(self, user: str, page: str) -> None:
        """Hear that a connection of a user has been let in; ``page`` is what it has dialled."""
        LOG.debug("%s logged in", user)
        seat = self.book.seat_of(user)
        before = seat is not None and self._is_here(seat)
        self._lines[user] += 1
        if seat is not None:
            self._dialled[seat] = page
            self._tell_if(self._changed(seat, before))

    def went(self, user: str) -> None:
        """Hear that such a connection has ended: without one a seat's phones are away, whatever they said."""
        seat = self.book.seat_of(user)
        before = seat is not None and self._is_here(seat)
        self._lines -= Counter((user,))
        if seat is None or self._lines_of(seat):
            return
        self._phones[seat].clear()
        self._dialled.pop(seat, None)
        self._tell_if(self._changed(seat, before))

    def _awaits(self, seat: str) -> None:
        """Let a seat wait for its phone from now on, however long nobody was there before."""
        self._away_since_s[seat] = asyncio.get_running_loop().time()

    def _changed(self, seat: str, before: bool) -> bool:  # noqa: FBT001 - as it was
        """Return whether a seat's phone has come or gone; who has freed the seat meant the absence before."""
        changed = self._is_here(seat) is not before
        if changed:
            self._awaits(seat)
            self._lobby.freed.discard(seat)
        return changed

    def _tell_if(self, changed: bool) -> None:  # noqa: FBT001 - the sentence's own condition
        if changed and not self._closing:
            self._on_table()

    @property
    def phones(self) -> int:
        """How many phones with a seat are connected."""
        return sum(map(self._lines_of, self.book.seats))

    def _lines_of(self, seat: str) -> int:
        return sum(self._lines[badge.user] for badge in self.book.of(seat))

    def _is_here(self, seat: str) -> bool:
        return bool(self._phones[seat]) and self._lines_of(seat) > 0

    def page_of(self, seat: str) -> str:
        """Return the page's address as the phone of a seat has dialled it."""
        return self._dialled.get(seat) or self._address()

    def invitation(self, page: str, code: str = "") -> str | None:
        """Return what ``/qr.svg`` says, with the join code for whoever knows it; None for a wrong code."""
        if code and not self.book.fits(code):
            return None
        page = page or self._address()
        return f"{page}#j={self.book.code}" if code or self._show_code else page

    # --- for the companion ----------------------------------------------------------------------------------

    def note(self, said: Present) -> bool:
        """Note that a phone came or went; return whether the seat's presence has changed."""
        phones = self._phones[said.seat]
        before = self._is_here(said.seat)
        newcomer = self._newcomers.get(said.seat)
        if newcomer is not None and newcomer.request.phone == said.phone:
            del self._newcomers[said.seat]
        self._away_since_s[said.seat] = asyncio.get_running_loop().time()
        if not said.here:
            phones.discard(said.phone)
        elif len(phones) < _MOST_PHONES:
            phones.add(said.phone)
        return self._changed(said.seat, before)

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
        self._taken = True  # what was put aside, too
        self._save()
        self._phones[seat].clear()
        self._on_free(seat)

    def settle(self) -> None:
        """Send the broker all roles and badges, and the clients to remove."""
        self._spawn(self._settle())

    def load(self) -> None:
        """Load the badges of an earlier run; what is none is moved aside, and phones have to join again."""
        if self._keep is None or not self._keep.exists():
            return
        try:
            self._lobby.guests = self.book.load(_read(self._keep))
            self._lobby.with_own_phone = {seat for seat in self._lobby.guests if self.book.of(seat)}
        except (OSError, ValueError) as error:
            aside = self._keep.with_name(f"{self._keep.name}{_BROKEN}")
            with contextlib.suppress(OSError):
                self._keep.replace(aside)
            LOG.warning("phones have to join again: %s: %s; it is kept as %s", self._keep, error, aside.name)

    async def close(self) -> None:
        """Cancel what is still being sent to the broker; that connections end is no news any more."""
        self._closing = True
        if self.unkept:
            self._save()
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
            return Turned(status=HTTPStatus.SERVICE_UNAVAILABLE, reason="That took too long. Try again.")
        self._expel(self.book.surplus(seat))
        self._save()
        return Joined(seat=seat, user=badge.user, password=badge.token, prefix=self.book.topics.prefix)

    def _expel(self, badges: Iterable[Badge]) -> None:
        gone = tuple(badges)
        if not gone:
            return
        self.book.revoke(gone)
        self._taken = True
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
        await self._let_us_speak(self.link)

    async def _let_us_speak(self, link: Link) -> None:
        """Let a club's administrator speak for this board, once: the broker hangs up, all is sent again."""
        if link.not_taken and self.broker is not None and not self._spoken_for:
            self._spoken_for = True
            LOG.info("the broker's administrator may not speak for this board: letting it")
            await self.admin.ask(link, self.book.own_rights(self.broker.user or ""))

    def _spawn(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def _save(self) -> None:
        """Write the badges where only this user can read them; a full disk must not stop the game."""
        if self._keep is None:
            return
        text = self.book.dump(self._lobby.guests)
        try:
            _write(self._keep, text)
        except OSError as error:
            self._cannot_keep(self._keep, text, error)
        else:
            self._taken, self.unkept = False, ""

    def _cannot_keep(self, keep: Path, text: str, error: OSError) -> None:
        """See that no badge comes alive again that was taken away: rather none is known after a restart."""
        if self._taken:
            try:
                _write_over(keep, text)
                self._taken = False
            except OSError:
                with contextlib.suppress(OSError):
                    keep.unlink(missing_ok=True)
                self._taken = keep.exists()
        after = "seats given back may open again" if self._taken else "phones may have to join again"
        if not self.unkept:
            LOG.error("%s cannot be written: %s; after a restart %s", keep, error.strerror, after)
        self.unkept = f"the list of seats cannot be saved ({error.strerror}): after a restart {after}"


def _read(path: Path) -> bytes:
    """Return what is in a file of badges.

    Raises:
        OSError: it cannot be read.
        ValueError: it is no file, or far too large.
    """
    found = path.stat()
    if not stat.S_ISREG(found.st_mode) or found.st_size > _MOST_BYTES:
        raise ValueError(f"want a file of at most {_MOST_BYTES} bytes")
    return path.read_bytes()


def _write(path: Path, text: str) -> None:
    """Write a file anew, whole or not at all."""
    new = path.with_suffix(".new")
    new.unlink(missing_ok=True)
    try:
        with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:  # noqa: PTH123
            file.write(text)
        new.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            new.unlink(missing_ok=True)
        raise


def _write_over(path: Path, text: str) -> None:
    """Write into the room that a file has already: a full disk has no more.

    Raises:
        OSError: it cannot be written, or has too little room.
    """
    with path.open("r+", encoding="utf-8") as file:
        if len(text.encode()) > path.stat().st_size:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        file.write(text)
        file.truncate()
