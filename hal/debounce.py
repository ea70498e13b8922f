"""Debounces one sensor: a change counts once it has lasted, with the time of its first sample. Pure.

Rules of this room:

1. Both directions are treated alike: a ball that arrives and a ball that leaves wait equally long.
2. The time of a change is that of the first sample of the new level, not of the moment it was accepted.
3. Nothing here looks at a clock: whoever feeds samples also calls :meth:`Debounce.advance`.

A file of its own because the hub's firmware does the same in C, and both must pass the same tests.
"""

from hextraction.hal.ports import Edge

__all__ = ["Debounce"]


class Debounce:
    """The debounce filter of one sensor.

    ``debounce_us`` is how long a new level must last (0: every change counts at once); ``active`` is the
    level at the start, for which no edge is reported. Times that go backwards are replaced by the newest one.
    """

    def __init__(self, sensor: str, *, debounce_us: int, active: bool = False) -> None:
        if debounce_us < 0:
            raise ValueError(f"want a debounce time of 0 us or more, found {debounce_us}")
        self.sensor = sensor
        self.debounce_us = debounce_us
        self.level = active
        self.glitches = 0
        """How many changes reverted before they had lasted long enough."""
        self._since_us: int | None = None
        self._seen_us = 0

    @property
    def pending_since_us(self) -> int | None:
        """When the pending change began; ``None`` if there is none."""
        return self._since_us

    @property
    def wake_at_us(self) -> int | None:
        """When :meth:`advance` is due next; ``None`` if nothing is pending."""
        return None if self._since_us is None else self._since_us + self.debounce_us

    def feed(self, level: bool, at_us: int) -> Edge | None:  # noqa: FBT001 - a sample is a level and a time
        """Process one sample and return the change that is certain by now, if any."""
        settled = self.advance(at_us)
        if level == self.level:
            self.glitches += self._since_us is not None
            self._since_us = None
        elif self._since_us is None:
            self._since_us = self._seen_us
        return settled or self.advance(at_us)

    def advance(self, now_us: int) -> Edge | None:
        """Let time pass without a sample and return the change that has now lasted long enough, if any."""
        self._seen_us = max(self._seen_us, now_us)
        began_us = self._since_us
        if began_us is None or self._seen_us < began_us + self.debounce_us:
            return None
        self._since_us = None
        self.level = not self.level
        return Edge(self.sensor, self.level, began_us)
