"""What raw values of linear Halls say: how much they wander with no ball, how far a ball moves them.

Pure. Values are the hub's counts of 12 bits over 3.3 V, each with the baseline that the hub held at the time.
"""

from collections.abc import Iterable, Mapping
from typing import Annotated, Final

import msgspec
from hextraction.controller.calibration import Proposal
from hextraction.hal.wiring.wires import HubLinear

__all__ = ["Excursion", "RawRecord", "propose_thresholds", "take_values"]

_MOST_COUNTS: Final = 4_095
_MV_PER_COUNT: Final = 3_300 / 4_096
_NOISES: Final = 3.0
"""The threshold is at least so many times what wanders by itself."""
_SHARE: Final = 0.45
_BACK: Final = 0.4
_CLEAR: Final = 6.0
"""A ball must move the value so many times as far as it wanders by itself."""
_LEAST_MV: Final = 5.0


class Excursion(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How far a value was from its baseline, counts of 12 bits: the lowest and the highest."""

    low: Annotated[int, msgspec.Meta(ge=-_MOST_COUNTS, le=0)] = 0
    high: Annotated[int, msgspec.Meta(ge=0, le=_MOST_COUNTS)] = 0

    def with_value(self, value: int, baseline: int) -> "Excursion":
        """Return it widened by one more value."""
        away = value - baseline
        return Excursion(low=min(self.low, away), high=max(self.high, away))

    @property
    def most(self) -> int:
        """The farther of the two."""
        return max(-self.low, self.high)


class RawRecord(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Excursions of linear Halls by name: with no ball on the board, and with a ball laid on each."""

    quiet: dict[str, Excursion]
    ball: dict[str, Excursion]


def take_values(
    so_far: Mapping[str, Excursion], values: Iterable[tuple[str, int, int]]
) -> dict[str, Excursion]:
    """Return excursions widened by (name, newest value, baseline)."""
    found = dict(so_far)
    for name, value, baseline in values:
        found[name] = found.get(name, Excursion()).with_value(value, baseline)
    return found


def propose_thresholds(
    linears: Iterable[HubLinear], record: RawRecord
) -> tuple[tuple[Proposal, ...], tuple[str, ...]]:
    """Return better thresholds, and what is wrong: sensors for which none is good, gaps in the record."""
    proposals: list[Proposal] = []
    wires = tuple(linears)
    problems = _strangers(wires, record)
    for wire in wires:
        quiet, ball = record.quiet.get(wire.name), record.ball.get(wire.name)
        if quiet is None or ball is None:
            when = " and ".join(
                word
                for word, found in (("with no ball", quiet), ("with a ball on it", ball))
                if found is None
            )
            problems.append(f"{wire.name}: there are no raw values of it {when}: record them with --live")
        elif ball.most < _CLEAR * max(1, quiet.most):
            problems.append(_too_weak(wire.name, quiet, ball))
        else:
            proposals += _thresholds(wire, quiet, ball)
    return tuple(proposals), tuple(problems)


def _strangers(wires: Iterable[HubLinear], record: RawRecord) -> list[str]:
    """Say what the record tells of no linear Hall of the wiring."""
    names = {wire.name for wire in wires}
    unknown = sorted((record.quiet.keys() | record.ball.keys()) - names)
    found = [
        f"{name}: there are raw values of it, but the wiring has no such linear Hall" for name in unknown
    ]
    return found if names else [*found, "the wiring has no linear Halls: raw values are of no use to it"]


def _too_weak(name: str, quiet: Excursion, ball: Excursion) -> str:
    return (
        f"{name}: a ball moves it by {_mv(ball.most):.0f} mV, alone it wanders by {_mv(quiet.most):.0f} mV: "
        "no threshold is safe. Look at its magnet (10 mm from the ball's middle), its wire, its supply."
    )


def _thresholds(wire: HubLinear, quiet: Excursion, ball: Excursion) -> list[Proposal]:
    threshold_mv = round(max(_LEAST_MV, _NOISES * _mv(quiet.most), _SHARE * _mv(ball.most)))
    hysteresis_mv = max(1, round(_BACK * threshold_mv))
    why = f"a ball moves it by {_mv(ball.most):.0f} mV, alone it wanders by {_mv(quiet.most):.0f} mV"
    found = []
    # What is within a tenth is good as it is: a file that changes at each calibration is read by nobody.
    if abs(threshold_mv - wire.threshold_mv) > wire.threshold_mv / 10:
        found = [
            Proposal(sensor=wire.name, key="threshold_mv", value=threshold_mv, why=why),
            Proposal(sensor=wire.name, key="hysteresis_mv", value=hysteresis_mv, why=why),
        ]
    return found


def _mv(counts: int) -> float:
    return counts * _MV_PER_COUNT
