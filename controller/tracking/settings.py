"""How patient and how curious a tracker is."""

from dataclasses import dataclass

__all__ = ["Settings"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """When the tracker does what; times in microseconds.

    ``leave_us``: the same sensor again within this is one contact (ruling R-13). ``quiet_us``: a roll settles
    when no edge came for so long. ``stuck_ramp_us``: how long a released ball may take to reach its slot
    (ruling R-37). ``ask_below``: people are asked when the tracker is less sure of a verdict than this, 0..1.
    """

    leave_us: int = 80_000
    quiet_us: int = 2_000_000
    stuck_ramp_us: int = 8_000_000
    ask_below: float = 0.9
