"""Who may come in, and how often: names, origins, rates and numbers of connections. Pure; time is given.

Rules of this room: an address is never a credential, and a header such as ``X-Forwarded-For`` is never read.
"""

import ipaddress
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import Final
from urllib.parse import urlsplit

from hextraction.controller.phones.addresses import plain_address
from hextraction.controller.phones.circles import Circle, Circles

__all__ = ["Allowance", "Budget", "Crowd", "Login", "Names", "Rate", "Visitor", "group", "name_and_port"]

_PORTS: Final = {"http": "80", "https": "443"}


def name_and_port(netloc: str) -> tuple[str, str]:
    """Return name and port of a ``Host`` header; both are empty if it is malformed."""
    try:
        parts = urlsplit(f"//{netloc}")
        port = parts.port
    except ValueError:
        return "", ""
    plain = not (parts.path or parts.query or parts.fragment or "@" in netloc)
    return (parts.hostname or "", str(port or "")) if plain else ("", "")


class Names:
    """The names that this machine answers to: against DNS rebinding and pages of others.

    Args:
        host: the name that this machine has given itself.
        names: those configured, without a port.
    """

    def __init__(self, host: str, names: Iterable[str] = ()) -> None:
        own = re.escape(host.lower())
        # Where two machines have one name, mDNS calls the second NAME-2.local, the third NAME-3.local.
        self._own = re.compile(rf"localhost|{own}|{own}(?:-[0-9]{{1,4}})?\.local")
        self._names = frozenset(name.lower().rstrip(".") for name in names)

    def answers_to(self, host: str) -> bool:
        """Return whether a ``Host`` header names us: a known name, or any address in digits.

        Nobody's name server says what an address in digits means, so none can be pointed at us; and behind
        NAT it is not one of ours. A zone (``%eth0``) belongs to no host that a browser sends: what follows
        it could be anything.
        """
        name = name_and_port(host)[0].rstrip(".")
        return bool(self._own.fullmatch(name)) or name in self._names or plain_address(name) is not None

    def same_origin(self, origin: str | None, host: str) -> bool:
        """Return whether a request comes from our own page, or from no page at all."""
        if origin is None:
            return True
        scheme, _, rest = origin.lower().partition("://")
        if scheme not in _PORTS or not rest:
            return False
        there, here = name_and_port(rest), name_and_port(host.lower())
        default = _PORTS[scheme]
        return there[0] == here[0] != "" and (there[1] or default) == (here[1] or default)


def group(address: str) -> str:
    """Return the group an address counts for: itself, or its /64 for IPv6, where one host has very many."""
    parsed = plain_address(address.partition("%")[0])
    if isinstance(parsed, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((parsed, 64), strict=False))
    return str(parsed or address)


@dataclass(slots=True)
class _Bucket:
    tokens: float
    seen_s: float


class Rate:
    """A bucket of tokens for each key: ``burst`` at once, then ``per_s``. At most 1,000 keys are kept."""

    def __init__(self, burst: float, per_s: float) -> None:
        self._burst = burst
        self._per_s = per_s
        self._buckets: dict[str, _Bucket] = {}

    def take(self, key: str, now_s: float) -> bool:
        """Take a token; return False if there is none."""
        bucket = self._refilled(key, now_s)
        if bucket.tokens < 1:
            return False
        bucket.tokens -= 1
        return True

    def wait_s(self, key: str, now_s: float, most_s: float) -> float:
        """Take a token that may be still to come; return for how long to wait for it.

        It is ``most_s`` for whoever would have to wait as long or longer, and gets none.
        """
        bucket = self._refilled(key, now_s)
        wait_s = max(0.0, (1 - bucket.tokens) / self._per_s)
        if wait_s >= most_s:
            return most_s
        bucket.tokens -= 1
        return wait_s

    def _refilled(self, key: str, now_s: float) -> _Bucket:
        bucket = self._buckets.pop(key, None) or _Bucket(self._burst, now_s)
        refilled = bucket.tokens + max(0.0, now_s - bucket.seen_s) * self._per_s
        bucket.tokens, bucket.seen_s = min(self._burst, refilled), now_s
        self._buckets[key] = bucket
        if len(self._buckets) > 1000:
            del self._buckets[next(iter(self._buckets))]
        return bucket


class Budget:
    """What one connection may use up: ``burst`` at once, then ``per_s``. Who wants more waits."""

    def __init__(self, burst: float, per_s: float) -> None:
        self._burst = burst
        self._per_s = per_s
        self._left = burst
        self._seen_s: float | None = None

    def widen(self, burst: float, per_s: float) -> None:
        """Allow more, or less, from now on."""
        self._left += burst - self._burst
        self._burst, self._per_s = burst, per_s

    def spend(self, amount: float, now_s: float) -> float:
        """Use up ``amount`` and return for how many seconds nothing more may follow; 0 within the budget."""
        since_s = 0.0 if self._seen_s is None else max(0.0, now_s - self._seen_s)
        self._left = min(self._burst, self._left + since_s * self._per_s) - amount
        self._seen_s = now_s
        return max(0.0, -self._left / self._per_s)


class Allowance:
    """What one connection may send: messages and bytes, by the budget of the circle that it is in."""

    def __init__(self, circle: Circle) -> None:
        self._messages = Budget(circle.burst_messages, circle.messages_per_s)
        self._bytes = Budget(circle.burst_bytes, circle.bytes_per_s)

    def become(self, circle: Circle) -> None:
        """Give the connection the budget of another circle."""
        self._messages.widen(circle.burst_messages, circle.messages_per_s)
        self._bytes.widen(circle.burst_bytes, circle.bytes_per_s)

    def spend(self, messages: int, size: int, now_s: float) -> float:
        """Use up so much and return for how many seconds nothing more may follow."""
        return max(self._messages.spend(messages, now_s), self._bytes.spend(size, now_s))


class Login(IntEnum):
    """As whom the broker has let a connection in."""

    NONE = 0
    WATCHER = 1
    SEAT = 2


@dataclass(slots=True, eq=False)
class Visitor:
    """One connection, from which address, and how to cut it."""

    address: str
    drop: Callable[[], None]
    login: Login = Login.NONE
    user: str = ""


class Crowd:
    """All connections, with the bounds of each circle for one address and for all together.

    Who is one too many of a circle makes the oldest of it go, so that strangers push out strangers and
    watchers watchers, and neither keeps players out. Who has a seat already is dropped by nobody but the same
    phone, which has room for a few connections of its own.
    """

    def __init__(self, circles: Circles) -> None:
        self._circles = {
            Login.NONE: circles.stranger,
            Login.WATCHER: circles.watcher,
            Login.SEAT: circles.seat,
        }
        self._visitors: dict[Visitor, None] = {}

    def __len__(self) -> int:
        return len(self._visitors)

    def count(self, login: Login) -> int:
        """Return how many have logged in as that."""
        return sum(visitor.login is login for visitor in self._visitors)

    def enter(self, visitor: Visitor) -> None:
        """Admit a connection, as a stranger; the oldest one goes if there are too many of them."""
        self._make_room(visitor, visitor.login)
        self._visitors[visitor] = None

    def log_in(self, visitor: Visitor, login: Login, user: str = "") -> bool:
        """Move a user's connection to another circle; return False if that is full of seats' phones."""
        if visitor not in self._visitors:
            return False
        self._keep_few(user, login)
        if not self._make_room(visitor, login):
            return False
        visitor.login, visitor.user = login, user
        return True

    def _keep_few(self, user: str, login: Login) -> None:
        """Let a user's oldest connection go, if one more would be too many of one phone."""
        most = self._circles[login].per_user
        own = [other for other in self._visitors if other.login is login and other.user == user]
        if most and len(own) >= most:
            self._dismiss(own[0])

    def leave(self, visitor: Visitor) -> None:
        """Forget a connection; it may have been forgotten already."""
        self._visitors.pop(visitor, None)

    def dismiss_all(self) -> None:
        """Drop everybody."""
        for visitor in list(self._visitors):
            self._dismiss(visitor)

    def _make_room(self, visitor: Visitor, login: Login) -> bool:
        circle = self._circles[login]
        same = [other for other in self._visitors if other.login is login and other is not visitor]
        near = [other for other in same if other.address == visitor.address]
        too_many = (
            near if len(near) >= circle.per_address else same if len(same) >= circle.connections else []
        )
        if not too_many:
            return True
        if login is Login.SEAT:
            return False
        self._dismiss(too_many[0])  # the oldest, as they are in the order of their coming
        return True

    def _dismiss(self, visitor: Visitor) -> None:
        self.leave(visitor)
        visitor.drop()
