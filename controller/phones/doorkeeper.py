"""What the gate is told and whom it asks: its settings, who knows seats and broker, what anybody may read."""

from dataclasses import dataclass
from http import HTTPStatus
from typing import Protocol

from hextraction.controller.payloads.messages import (
    Diag,
    Evening,
    Glance,
    HealthReport,
    Joined,
    JoinRequest,
    KeyState,
    Load,
    SeatKey,
    Session,
)
from hextraction.controller.phones.broker import ExternalBroker
from hextraction.controller.phones.circles import CIRCLES, Circles

__all__ = ["Doorkeeper", "GateSettings", "Noticeboard", "Turned"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GateSettings:
    """Where the gate listens and whom it lets in.

    ``names`` are further host names that lead here (a reverse proxy's, for instance); ``show_code`` puts the
    join code into ``/qr.svg``, so that anybody in the network can join. Port 0 takes a free one.

    Who has not sent a whole request within ``head_s``, or a CONNECT within ``connect_s``, is let go; so is
    who takes nothing of what is sent for ``slow_s``. ``circles`` says how many of whom there may be, and how
    much each may send; who goes on sending more for ``patience_s`` is dropped.
    """

    host: str
    port: int
    names: tuple[str, ...] = ()
    show_code: bool = False
    circles: Circles = CIRCLES
    head_s: float = 10.0
    connect_s: float = 10.0
    slow_s: float = 20.0
    patience_s: float = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Turned:
    """Somebody who asked to join was turned away."""

    status: HTTPStatus
    reason: str


class Doorkeeper(Protocol):
    """Whom the gate asks; :class:`~hextraction.controller.phones.badges.Badges` is one."""

    def session(self) -> Session | Turned:
        """Return what a watcher needs, or why phones cannot come in now."""
        ...

    def glance(self) -> Glance:
        """Return what everybody may see now; nothing while phones cannot come in."""
        ...

    async def join(self, request: JoinRequest) -> Joined | Turned:
        """Give somebody a seat."""
        ...

    async def take_back(self, key: SeatKey) -> Joined | Turned:
        """Give a seat back to the phone that had it before."""
        ...

    def worth(self, key: SeatKey) -> KeyState | Turned:
        """Return what a seat's key is worth, or why phones cannot come in now."""
        ...

    def is_watcher(self, user: str) -> bool:
        """Return whether a user only watches."""
        ...

    def upstream(self) -> ExternalBroker | None:
        """Return where the broker is."""
        ...

    def admits(self, user: str, token: bytes) -> bool:
        """Return whether a user with this token may come in here."""
        ...

    def came(self, user: str, page: str) -> None:
        """Hear that a connection of a user has been let in by the broker; ``page`` is what it has dialled."""
        ...

    def went(self, user: str) -> None:
        """Hear that such a connection has ended, however."""
        ...

    def invitation(self, page: str, code: str = "") -> str | None:
        """Return what the QR code says to whoever has dialled ``page``; None for a wrong code.

        The join code is in it for whoever knows it.
        """
        ...


class Noticeboard(Protocol):
    """What anybody may read; :class:`~hextraction.controller.phones.notices.Notices` is one."""

    def health(self, load: Load) -> HealthReport:
        """Return how things are: ``ok``, and ``problems`` in words; ``load`` is what the gate has to bear."""
        ...

    def evening(self, page: str) -> Evening:
        """Return what happened at the table this evening, to whoever has dialled ``page``."""
        ...

    def diag(self) -> Diag:
        """Return counters and states of the table, as watchers get them."""
        ...
