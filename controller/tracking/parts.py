"""Several ball Halls in one slot: to the tracker they are one, which is on while any of them is.

Which of them it was tells no more of touches than that a ball is on the tile. They fail one by one: a part
that is broken is left out, and the others go on.
"""

from collections.abc import Iterable

__all__ = ["Parts"]


class Parts:
    """The parts of each sensor that has several, by the sensor's number."""

    def __init__(self, numbers: Iterable[tuple[str, int]]) -> None:
        of: dict[int, list[str]] = {}
        for name, number in numbers:
            of.setdefault(number, []).append(name)
        self._of = {number: names for number, names in of.items() if len(names) > 1}
        self._on: dict[int, set[str]] = {number: set() for number in self._of}
        self._broken: set[str] = set()

    def __contains__(self, number: int) -> bool:
        """Whether a sensor has several parts."""
        return number in self._of

    def level(self, number: int, part: str, *, active: bool) -> bool:
        """Take an edge of a part and return whether the sensor is on now."""
        on = self._on[number]
        (on.add if active else on.discard)(part)
        return not on <= self._broken

    def believe(self, number: int, part: str, *, working: bool) -> bool:
        """Say whether a part is to be believed; return whether any part of the sensor still is."""
        (self._broken.discard if working else self._broken.add)(part)
        return not self._broken.issuperset(self._of[number])

    def named(self, number: int) -> tuple[str, ...]:
        """Return the parts that are on and believed; if there is none, all parts that are believed."""
        whole = [part for part in self._of[number] if part not in self._broken]
        return tuple([part for part in whole if part in self._on[number]] or whole)
