"""One claim about the hardware: what must hold, what calculates it, the figure and its limit.

A module of its own because each of the models makes claims, and the page and the tests read them.
"""

from dataclasses import dataclass

__all__ = ["Claim", "boards_claim"]


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


def boards_claim(chapter: str, text: str, figure: float, limit: float, unit: str, *, at_least: bool) -> Claim:
    """Return a claim that ngspice judges by nets and tracks of what is sent to a board house."""
    return Claim(
        chapter=chapter,
        text=text,
        model="ngspice, nets and tracks of hardware/boards",
        figure=figure,
        limit=limit,
        unit=unit,
        at_least=at_least,
    )
