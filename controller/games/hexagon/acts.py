"""What people do in a game on the hexagon: their words are read, then heard or refused."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import msgspec
from hextraction.controller.games.protocol import Acted, Effect, Refused, Step

__all__ = ["Refusal", "heard", "read_act"]

Act = TypeVar("Act", bound=msgspec.Struct)
State = TypeVar("State")


class Refusal(Exception):  # noqa: N818 - it is an answer to a person, not an error
    """What somebody wants is not possible now: why, and the section that says so."""

    def __init__(self, reason: str, section: str) -> None:
        self.reason, self.section = reason, section
        super().__init__(reason)


def read_act(words: Mapping[str, Any], kind: type[Act], section: str) -> Act:
    """Return the act that somebody's words are.

    Raises:
        Refusal: the game knows no such act.
    """
    try:
        return msgspec.convert(words, kind)
    except msgspec.ValidationError as error:
        raise Refusal(f"That cannot be done in this game: {error}", section) from None


def heard(state: State, event: Acted, hear: Callable[[list[Effect]], State]) -> Step[State]:
    """Return what comes of an act; a refusal changes nothing.

    ``hear`` takes the list of what is told and returns the next state, or raises a :class:`Refusal`.
    """
    said: list[Effect] = []
    try:
        return Step(hear(said), tuple(said))
    except Refusal as why:
        return Step(state, (Refused(seat=event.seat, reason=why.reason, clause=why.section),))
