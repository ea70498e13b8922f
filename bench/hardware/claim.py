"""One claim about the hardware: what must hold, what calculates it, the figure and its limit.

A module of its own because each of the models makes claims, and the page and the tests read them.
"""

from dataclasses import dataclass

__all__ = ["BY_BOARDS", "Chapter", "Claim"]

BY_BOARDS = "ngspice, nets and tracks of hardware/boards"
"""What judges by what is sent to a board house."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """``figure`` must be at most ``limit``, or at least that much if ``at_least``; both in ``unit``."""

    chapter: str
    text: str
    model: str
    figure: float
    limit: float
    unit: str
    at_least: bool = False

    @property
    def holds(self) -> bool:
        """Whether the claim is true."""
        return self.figure >= self.limit if self.at_least else self.figure <= self.limit

    @property
    def margin(self) -> float:
        """How many times better than its limit the figure is; below 1 it fails."""
        better, worse = (self.figure, self.limit) if self.at_least else (self.limit, self.figure)
        return better / worse if worse > 0 else float("inf")


@dataclass(frozen=True, slots=True)
class Chapter:
    """What makes claims of one chapter by one model."""

    title: str
    model: str

    def claim(self, text: str, figure: float, limit: float, unit: str, *, at_least: bool = False) -> Claim:
        """Return one of them."""
        return Claim(
            chapter=self.title,
            text=text,
            model=self.model,
            figure=figure,
            limit=limit,
            unit=unit,
            at_least=at_least,
        )
