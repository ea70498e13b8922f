"""Who may read and write what: join codes, the token of each phone, and the broker's roles.

A *join code* is short, is shown at the table only, and lets somebody take a seat. What a phone gets for it is
a *badge*: a user name of its own and a token of 192 random bits, which is its MQTT password. The gate checks
it before anything reaches the broker, and Mosquitto once more. The rights hang on roles of Mosquitto's
dynamic-security plugin, one for each seat and one for watchers. Rules of this room:

1. A seat's role reads the public topics and its own ``view`` and ``reply``; it writes its own ``cmd`` and
   ``here``. Watchers read the public topics and the odds; only in a demonstration seats read these, too.
   Everything else is denied by the role itself, whatever the broker's defaults are.
2. A badge belongs to one phone. Two phones of one seat have two badges, so that either can be taken away.
3. No I/O here: this module makes commands and documents, others carry them to the broker.
"""

import base64
import hashlib
import hmac
import json
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Final

import msgspec
from hextraction.controller.payloads.messages import PUBLIC, WATCHED, Topics
from hextraction.settings.plain import UNREADABLE
from msgspec import Meta

__all__ = ["Badge", "SeatBook", "hashed", "new_code", "plain_code", "security_document"]

CODE_LETTERS: Final = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
PHONES_PER_SEAT: Final = 3
_ITERATIONS: Final = 101
"""What the plugin itself uses; a token of 192 bits cannot be guessed, stretching it only costs time."""


def new_code() -> str:
    """Return a join code of eight letters that are hard to mistake: about 40 bits.

    From ever new addresses some hundred guesses a second come through; half of all codes take decades then.
    """
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(8))


def plain_code(text: str) -> str:
    """Return what a person typed without case, spaces and dashes."""
    return "".join(letter for letter in text.upper() if letter.isascii() and letter.isalnum())


def new_token() -> str:
    """Return 192 random bits in 32 letters."""
    return secrets.token_urlsafe(24)


@dataclass(frozen=True, slots=True, kw_only=True)
class Badge:
    """What a client shows to the broker. ``seat`` is None for somebody who only watches."""

    user: str
    token: str = field(default_factory=new_token, repr=False)
    seat: str | None = None


_User = Annotated[str, Meta(pattern=r"^[A-Za-z0-9._-]{1,64}$")]
_Token = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{16,64}$")]


class _Saved(msgspec.Struct, frozen=True, kw_only=True):
    """What :meth:`SeatBook.dump` writes: the watchers' token, and user, token and seat of each badge.

    ``guests`` are players without a phone, each with the seat whose phone plays for them.
    """

    watch: _Token
    badges: tuple[tuple[_User, _Token, str], ...] = ()
    aside: tuple[tuple[_User, _Token, str], ...] = ()
    guests: dict[str, str] = {}


class SeatBook:
    """The badges and codes of one table.

    Args:
        topics: the board's topics.
        seats: every seat there may be, in order.
        shared: the broker is used by others too, so user names carry the board's id.
        code: the join code; a new one if it is empty.
        open_odds: whether seats may read the odds, too. Only for a broker of ours, which gets its roles anew
            at each start.
    """

    def __init__(
        self,
        topics: Topics,
        seats: Iterable[str],
        *,
        shared: bool = False,
        code: str = "",
        open_odds: bool = False,
    ) -> None:
        self.topics = topics
        self.seats = tuple(seats)
        self.code = plain_code(code) or new_code()
        self.mark = f"{topics.board}." if shared else ""
        self._told_to_seats = (*PUBLIC, *WATCHED) if open_odds else PUBLIC
        self.watch = Badge(user=f"{self.mark}watch")
        self._badges: dict[str, Badge] = {}
        self._aside: dict[str, Badge] = {}
        """Badges whose seat somebody else has taken meanwhile: their owner may take it back."""
        self._seat_codes: dict[str, str] = {}

    @property
    def badges(self) -> tuple[Badge, ...]:
        """All badges of phones, oldest first."""
        return tuple(self._badges.values())

    def admits(self, user: str, token: bytes) -> bool:
        """Return whether this user may come in through the gate: a watcher or a phone, with its own token."""
        badge = self.watch if user == self.watch.user else self._badges.get(user)
        return badge is not None and hmac.compare_digest(badge.token.encode(), token)

    def seat_of(self, user: str) -> str | None:
        """Return the seat that a user's badge is valid for now; None for watchers and everybody else."""
        badge = self._badges.get(user)
        return badge.seat if badge is not None else None

    def fits(self, code: str) -> bool:
        """Return whether this is the table's join code."""
        return hmac.compare_digest(plain_code(code).encode(), self.code.encode())

    def renew_code(self) -> str:
        """Make a new join code; the old one is worth nothing from now on."""
        self.code = new_code()
        return self.code

    def seat_code(self, seat: str) -> str:
        """Make a code with which one more phone may join this seat, once."""
        self._seat_codes = {code: to for code, to in self._seat_codes.items() if to != seat}
        code = new_code()
        self._seat_codes[code] = seat
        return code

    def use_seat_code(self, code: str) -> str | None:
        """Return the seat that this code opens, and forget the code."""
        return self._seat_codes.pop(plain_code(code), None)

    def issue(self, seat: str) -> Badge:
        """Make a badge for one more phone of a seat."""
        badge = Badge(user=f"{self.mark}{seat}.{secrets.token_hex(4)}", seat=seat)
        self._badges[badge.user] = badge
        return badge

    def of(self, seat: str) -> tuple[Badge, ...]:
        """Return the badges of a seat, oldest first."""
        return tuple(badge for badge in self._badges.values() if badge.seat == seat)

    def surplus(self, seat: str) -> tuple[Badge, ...]:
        """Return the oldest badges of a seat that has more than three."""
        return self.of(seat)[:-PHONES_PER_SEAT]

    def revoke(self, badges: Iterable[Badge]) -> None:
        """Forget badges; the caller tells the broker."""
        for badge in badges:
            self._badges.pop(badge.user, None)

    def revoke_seat(self, seat: str) -> tuple[Badge, ...]:
        """Forget all badges and codes of a seat and return the badges."""
        gone = self.of(seat)
        self.revoke(gone)
        self._seat_codes = {code: to for code, to in self._seat_codes.items() if to != seat}
        return gone

    def set_aside(self, seat: str) -> tuple[Badge, ...]:
        """Put the badges of a seat aside, as somebody else takes it; return those that are not valid now."""
        gone = self.revoke_seat(seat)
        self._aside = {user: badge for user, badge in self._aside.items() if badge.seat != seat}
        self._aside |= {badge.user: badge for badge in gone}
        return gone

    def forget_aside(self, seat: str) -> None:
        """Forget the badges that were put aside: their owner has left, or the seat is free again."""
        self._aside = {user: badge for user, badge in self._aside.items() if badge.seat != seat}

    def is_aside(self, user: str, token: str) -> Badge | None:
        """Return the badge that was put aside, if user and token are those of one."""
        badge = self._aside.get(user)
        right = badge is not None and hmac.compare_digest(badge.token.encode(), token.encode())
        return badge if right else None

    def is_valid(self, user: str, token: str) -> bool:
        """Return whether user and token are those of a phone that has a seat now."""
        return user in self._badges and self.admits(user, token.encode())

    def take_back(self, seat: str) -> tuple[Badge, ...]:
        """Clear a seat for its owner, who gets a new badge; return the badges that are not valid now.

        The old name is not used again: Mosquitto 2.0 cuts our own connection if a client that was deleted a
        moment ago, and still tries to come in, is created anew.
        """
        self.forget_aside(seat)
        return self.revoke_seat(seat)

    def dump(self, guests: Mapping[str, str]) -> str:
        """Return the book as JSON, tokens included: keep it where only the controller can read.

        ``guests`` are players without a phone, each with the seat whose phone plays for them.
        """
        valid, aside = (
            [[badge.user, badge.token, badge.seat] for badge in badges.values()]
            for badges in (self._badges, self._aside)
        )
        return json.dumps(
            {"watch": self.watch.token, "badges": valid, "aside": aside, "guests": dict(guests)}
        )

    def load(self, text: str | bytes) -> dict[str, str]:
        """Take the badges of an earlier run, so that phones need not join again; return its guests.

        Of each seat those that :meth:`surplus` leaves; seats that are not of this table are left out.

        Raises:
            ValueError: this is not what :meth:`dump` wrote.
        """
        try:
            saved = msgspec.json.decode(text, type=_Saved)
        except UNREADABLE as error:
            raise ValueError(f"not a seat book: {error}") from error
        self.watch = Badge(user=self.watch.user, token=saved.watch)
        self._badges, self._aside = self._read(saved.badges), self._read(saved.aside)
        bringers = set(self.seats) - saved.guests.keys()
        return {one: by for one, by in saved.guests.items() if one in self.seats and by in bringers}

    def _read(self, rows: Iterable[tuple[str, str, str]]) -> dict[str, Badge]:
        found = [
            Badge(user=user, token=token, seat=seat)
            for user, token, seat in rows
            if seat in self.seats and user.startswith(f"{self.mark}{seat}.")
        ]
        newest = [
            badge
            for seat in self.seats
            for badge in [one for one in found if one.seat == seat][-PHONES_PER_SEAT:]
        ]
        return {badge.user: badge for badge in found if badge in newest}

    # --- what the broker must know --------------------------------------------------------------------------

    def role_of(self, seat: str | None) -> str:
        """Return the name of the role of a seat, or that of watchers."""
        return f"hextraction-{self.topics.board}-{seat or 'watch'}"

    def roles(self) -> tuple[dict[str, Any], ...]:
        """Return the roles of all seats and of watchers, as the plugin wants them."""
        return tuple(self._role(seat) for seat in (None, *self.seats))

    def client(self, badge: Badge) -> dict[str, Any]:
        """Return who a badge is for the plugin, without the password."""
        role = self.role_of(badge.seat)
        return {"username": badge.user, "textName": role, "roles": [{"rolename": role}]}

    def enrol(self, badge: Badge) -> dict[str, Any]:
        """Return the plugin's command that makes a badge valid."""
        return {"command": "createClient", "password": badge.token, **self.client(badge)}

    def expel(self, user: str) -> dict[str, Any]:
        """Return the plugin's command that makes a badge worthless and drops its connection."""
        return {"command": "deleteClient", "username": user}

    def settle(self) -> list[dict[str, Any]]:
        """Return the commands that make any broker know all roles and badges; what it knows may fail."""
        roles = [{"command": "createRole", **role} for role in self.roles()]
        return [*roles, self.enrol(self.watch), *(self.enrol(badge) for badge in self._badges.values())]

    def own_rights(self, user: str) -> list[dict[str, Any]]:
        """Return the commands by which an administrator lets itself speak for this board.

        ``mosquitto_ctrl dynsec init`` makes one that may manage users and hear everything, and say nothing.
        """
        role, ours = f"{self.topics.board}.controller", f"{self.topics.prefix}/#"
        kinds = ("publishClientSend", "publishClientReceive", "subscribePattern")
        acls = [{"acltype": kind, "topic": ours, "priority": 1, "allow": True} for kind in kinds]
        return [
            {"command": "createRole", "rolename": role, "acls": acls},
            {"command": "addClientRole", "username": user, "rolename": role},
        ]

    def _role(self, seat: str | None) -> dict[str, Any]:
        topics = self.topics
        leaves = self._told_to_seats if seat is not None else (*PUBLIC, *WATCHED)
        readable = [topics.public(leaf) for leaf in leaves]
        filters = [topics.public("+")]
        writable: list[str] = []
        if seat is not None:
            readable += [topics.seat(seat, "view"), topics.seat(seat, "reply")]
            filters.append(topics.seat(seat, "+"))
            writable = [topics.seat(seat, "cmd"), topics.seat(seat, "here")]
        return {"rolename": self.role_of(seat), "acls": _acls(readable, filters, writable)}


def _acls(readable: Iterable[str], filters: Iterable[str], writable: Iterable[str]) -> list[dict[str, Any]]:
    """Allow these and deny all the rest, so that the broker's defaults do not matter."""
    allowed = [
        *(("publishClientReceive", topic) for topic in readable),
        *(("subscribePattern", topic) for topic in filters),
        *(("publishClientSend", topic) for topic in writable),
        ("unsubscribePattern", "#"),
    ]
    kinds = ("publishClientReceive", "subscribePattern", "publishClientSend")
    denied = [(kind, topic) for kind in kinds for topic in ("#", "$SYS/#", "$CONTROL/#")]
    return [
        *({"acltype": kind, "topic": topic, "priority": 1, "allow": True} for kind, topic in allowed),
        *({"acltype": kind, "topic": topic, "priority": 0, "allow": False} for kind, topic in denied),
    ]


# --- the plugin's own file, for a broker of ours ------------------------------------------------------------


def hashed(token: str) -> dict[str, Any]:
    """Return a password in the form that the plugin keeps: PBKDF2 with SHA-512."""
    salt = secrets.token_bytes(12)
    digest = hashlib.pbkdf2_hmac("sha512", token.encode(), salt, _ITERATIONS, 64)
    return {
        "password": base64.b64encode(digest).decode(),
        "salt": base64.b64encode(salt).decode(),
        "iterations": _ITERATIONS,
    }


def security_document(book: SeatBook, admin: Badge) -> Mapping[str, Any]:
    """Return the plugin's whole file for a broker of ours: nobody may do anything that no role allows.

    Writing it here instead of asking ``mosquitto_ctrl`` keeps the password out of the process list.
    """
    everything = ("publishClientSend", "publishClientReceive", "subscribePattern", "unsubscribePattern")
    places = ("#", "$CONTROL/dynamic-security/#", "$SYS/#")
    acls = [{"acltype": kind, "topic": place, "allow": True} for kind in everything for place in places]
    owner = {"username": admin.user, "roles": [{"rolename": "controller"}], **hashed(admin.token)}
    phones = ({**book.client(badge), **hashed(badge.token)} for badge in (book.watch, *book.badges))
    return {
        "defaultACLAccess": {
            "publishClientSend": False,
            "publishClientReceive": False,
            "subscribe": False,
            "unsubscribe": True,
        },
        "clients": [owner, *phones],
        "roles": [{"rolename": "controller", "acls": acls}, *book.roles()],
    }
