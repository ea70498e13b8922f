"""The circles of people in the network, and what each may cost: the one place for these figures.

A *stranger* has not logged in, a *watcher* has the credentials that everybody may ask for, a *seat*'s phone
has a token. Who wants more than the budget is not cut off but waits in its own connection; who is one too
many of a circle makes the oldest of it go. ``docs/security.md`` says why, and how each is tested.
"""

from dataclasses import dataclass
from typing import Final

__all__ = ["CIRCLES", "Circle", "Circles"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Circle:
    """A budget. ``connections`` are of all together, ``per_address`` of one address (IPv6: of one /64).

    ``per_user`` are of one phone, which comes once and, while its old line is not known to be dead, twice
    (0 sets no bound). A connection may send ``burst_messages`` at once and then ``messages_per_s``,
    acknowledgements not counted, and likewise bytes.
    """

    connections: int
    per_address: int
    burst_messages: float
    messages_per_s: float
    burst_bytes: float
    bytes_per_s: float
    per_user: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Circles:
    """The budget of each circle."""

    stranger: Circle
    watcher: Circle
    seat: Circle
    burst_arrivals: float = 300
    """So many new connections of one address are served at once; opening the page takes twelve."""
    arrivals_per_s: float = 40
    """And then so many a second; the others wait."""

    @property
    def connections(self) -> int:
        """How many connections there may be at all; the broker must take a few more."""
        return self.stranger.connections + self.watcher.connections + self.seat.connections


CIRCLES: Final = Circles(
    stranger=Circle(
        connections=64,
        per_address=48,
        burst_messages=10,
        messages_per_s=2,
        burst_bytes=16_384,
        bytes_per_s=4_096,
    ),
    watcher=Circle(
        connections=96,
        per_address=32,
        burst_messages=20,
        messages_per_s=4,
        burst_bytes=16_384,
        bytes_per_s=4_096,
    ),
    seat=Circle(
        connections=72,
        per_address=72,
        burst_messages=60,
        messages_per_s=30,
        burst_bytes=131_072,
        bytes_per_s=16_384,
        per_user=4,
    ),
)
"""Six seats with three phones of four connections each are seventy-two, so no player keeps another out;
watchers only have to be let in and to answer pings.

A browser opens six connections at once for the page's files, as a stranger; several behind one proxy share
its address.
"""
