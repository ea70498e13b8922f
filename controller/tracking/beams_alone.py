"""Where nothing but ramps and end zones is seen, each beam says one thing, and nothing is weighed.

Following a ball needs sensors on its way; with a beam at its start and one at its end, what lies between is a
guess that people make better. They tell it, and this tracker says only what a beam has seen for certain.

A module of its own because it shares no reasoning with the tracker whose place it takes.
"""

from collections.abc import Iterable, Mapping

from hextraction.board.facts import BallInZone, BallReleased
from hextraction.board.profile import Board
from hextraction.controller.tracking.tracker import Facts, Settings, Tracker

__all__ = ["BeamsAlone", "only_ends"]

_ENDS = ("ramp.", "zone.")


def only_ends(sensors: Iterable[str]) -> bool:
    """Whether a board sees balls where they start or where they win, and nowhere between."""
    found = list(sensors)
    return bool(found) and all(name.startswith(_ENDS) for name in found)


class BeamsAlone(Tracker):
    """A tracker that turns each beam's pulse into its one fact; it settles nothing and asks nothing.

    A beam that is broken again within ``leave_us`` sees the same ball (R-13).
    """

    def __init__(self, board: Board, sensors: Iterable[str], settings: Settings | None = None) -> None:
        super().__init__(board, (), settings)
        self._beams = frozenset(sensors)
        self._leave_us = (settings or Settings()).leave_us
        self._believed = set(self._beams)
        self._covered: set[str] = set()
        self._seen_us: dict[str, int] = {}
        self._newest = 0

    def put_balls(self, balls: Mapping[int, str]) -> None:
        """Set which balls rest in which slots; later ones get higher numbers."""
        super().put_balls(balls)
        self._newest = max([self._newest, *balls])

    def feed(self, sensor: str, active: bool, at_us: int) -> Facts:  # noqa: FBT001 - as of every tracker
        """Return what a beam saw when it was broken: a ball left its ramp, or went into its end zone."""
        if sensor not in self._beams:
            return super().feed(sensor, active, at_us)
        was_on, last_us = sensor in self._covered, self._seen_us.get(sensor)
        (self._covered.add if active else self._covered.discard)(sensor)
        if was_on != active:
            self._seen_us[sensor] = at_us
        if was_on or not active or sensor not in self._believed:
            return ()
        if last_us is not None and at_us - last_us < self._leave_us:
            return ()
        kind, _dot, place = sensor.partition(".")
        if kind == "ramp":
            self._newest += 1
            return (BallReleased(at_us=at_us, ball=self._newest, ramp=place),)
        return (BallInZone(at_us=at_us, ball=self._newest, zone=place),)

    def expect(self, ramp: str, at_us: int) -> None:
        """Expect nothing: a ball is here when its beam says so."""

    def lie_still(self, at_us: int) -> None:
        """Conclude nothing: people say how a roll ended."""

    def declare_broken(self, sensor: str) -> None:
        """Stop believing a beam."""
        self._believed.discard(sensor)

    def declare_working(self, sensor: str) -> None:
        """Believe it again."""
        self._believed.update({sensor} & self._beams)
