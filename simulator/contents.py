"""Which balls are where in a simulated world, whatever its physics."""

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["Contents"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """Which balls are where: by slot, end zone and ramp; a ball between two slots counts to its last slot."""

    slots: Mapping[str, tuple[int, ...]]
    zones: Mapping[str, tuple[int, ...]]
    ramps: Mapping[str, tuple[int, ...]]
