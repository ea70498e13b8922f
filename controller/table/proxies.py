"""Who may answer for whom: nobody speaks for a seat whose phone is there.

"Pass the phone" (R-03) is for players whose phone is empty, asleep or was never there. A game says which of
its options speak for another seat; they are shown only when that seat's phone has been away for a while, and
refused otherwise, whatever a phone sends. The table is told who answered for whom.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from hextraction.controller.games.scene import Option, PrivateView
from msgspec.structs import replace

__all__ = ["seen_by", "spoken_for", "with_phones_away"]


def with_phones_away(
    people: Iterable[str], here: Mapping[str, bool], away_s: Mapping[str, float], after_s: float
) -> frozenset[str]:
    """Return the seats of people for whom others may answer: no phone of theirs was there for ``after_s``."""
    return frozenset(
        seat for seat in people if not here.get(seat, False) and away_s.get(seat, after_s) >= after_s
    )


def seen_by(view: PrivateView, away: frozenset[str]) -> PrivateView:
    """Return a seat's view without what speaks for seats whose phone is there."""
    others = tuple(prompt for prompt in view.others if prompt.seat in away)
    options = tuple(option for option in view.options if not option.speaks_for or option.speaks_for in away)
    if len(others) == len(view.others) and len(options) == len(view.options):
        return view
    return replace(view, others=others, options=options)


def spoken_for(view: PrivateView, act: Mapping[str, Any]) -> tuple[str, str] | None:
    """Return for which other seat an act speaks, and what it says in words; None if it speaks for its own.

    ``view`` is the whole view of the seat that acts, as the game makes it.
    """
    for prompt in view.others:
        for option in prompt.options:
            if _says(option, act):
                return prompt.seat, option.label
    return next(
        (
            (option.speaks_for, option.label)
            for option in view.options
            if option.speaks_for and _says(option, act)
        ),
        None,
    )


def _says(option: Option, act: Mapping[str, Any]) -> bool:
    """Whether an act says what an option says; whatever else it holds changes nothing."""
    return all(key in act and act[key] == value for key, value in option.act.items())
