"""What anybody in the network may read of the table: how it is, and what happened this evening.

A module of its own because nobody needs a badge for it.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Literal

from hextraction.controller.payloads.messages import Diag, Evening, HealthReport, Load
from hextraction.controller.phones.badges import Badges
from msgspec.structs import replace

__all__ = ["Notices"]


class Notices:
    """What is read without a badge, see :class:`~hextraction.controller.phones.doorkeeper.Noticeboard`.

    Args:
        badges: who is there, and what hinders them.
        address: the page's address for whoever is not known to have dialled another.
        show_code: everybody in the network may know the join code.
        evening: what happened at the table, for whoever comes late.
        problems: what is wrong at the table, in words, for ``/health``; the link to the broker apart.
        diag: counters and states of the table, as watchers get them.
    """

    def __init__(
        self,
        badges: Badges,
        *,
        address: Callable[[], str],
        show_code: bool,
        evening: Callable[[], Evening],
        problems: Callable[[], Iterable[str]],
        diag: Callable[[], Diag],
    ) -> None:
        self._badges = badges
        self._address = address
        self._show_code = show_code
        self._evening = evening
        self._problems = problems
        self._diag = diag

    def health(self, load: Load) -> HealthReport:
        """Return how things are, for ``GET /health``."""
        badges = self._badges
        broker: Literal["online", "away", "none"] = (
            "online" if badges.online else "away" if badges.link else "none"
        )
        unkept = (badges.unkept,) if badges.unkept else ()
        problems = [*badges.troubles(), *self._too_large(), *unkept, *self._problems()]
        if load.slowed:
            problems.append(
                "somebody in the network sends far more than a phone has to say; it is read slowly"
            )
        return HealthReport(
            ok=not problems, problems=tuple(problems), broker=broker, phones=badges.phones, load=load
        )

    def evening(self, page: str) -> Evening:
        """Return what happened at the table this evening, and where to join it."""
        code = self._badges.book.code if self._show_code else ""
        return replace(self._evening(), address=page or self._address(), code=code)

    def diag(self) -> Diag:
        """Return counters and states of the table."""
        return self._diag()

    def _too_large(self) -> Iterator[str]:
        """Say what the broker cannot take whole; of what one seat is shown nothing but that."""
        link = self._badges.link
        for topic, what in link.oversize.items() if link is not None else ():
            mine = self._badges.book.topics.read_seat(topic)
            name = f"what {mine[0]} is told" if mine is not None else topic.rpartition("/")[2]
            shown = "phones see it with less in it" if what.cut else "phones see what was before"
            yield f"{name} is more than the {what.most} bytes that the MQTT broker takes: {shown}"
