"""How bots choose: what a game knows of good moves, apart from who thinks and when.

A :class:`Strategy` belongs to a game and sees only what a person in that seat would see. It is pure but for
the luck it is given; :mod:`hextraction.controller.bots` gives it time to think and a temper.
"""

from collections.abc import Callable, Iterator, Mapping, MutableSequence, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple, Protocol, TypeVar, runtime_checkable

from hextraction.board.tiles import Layout
from hextraction.controller.games.scene import Option, PrivateView, Prompt, Scene, acts_of

__all__ = [
    "USUAL",
    "AnyOption",
    "Knows",
    "Luck",
    "Paced",
    "Sight",
    "Strategy",
    "Strength",
    "Temper",
    "act_by",
    "amounts_by",
    "answers_to",
]

T = TypeVar("T")


class Luck(Protocol):
    """What :class:`random.Random` offers, as far as games and bots need it."""

    def random(self) -> float:
        """Return a number from 0 up to 1."""
        ...

    def getrandbits(self, k: int, /) -> int:
        """Return so many random bits."""
        ...

    def randint(self, a: int, b: int) -> int:
        """Return a whole number from a to b, both included."""
        ...

    def randrange(self, start: int, /) -> int:
        """Return a whole number from 0 up to, not including, this."""
        ...

    def choice(self, seq: Sequence[T]) -> T:
        """Return one of these."""
        ...

    def sample(self, population: Sequence[T], k: int) -> list[T]:
        """Return so many different ones of these."""
        ...

    def choices(self, population: Sequence[T], weights: Sequence[float]) -> list[T]:
        """Return one of these by weight, in a list."""
        ...

    def shuffle(self, x: MutableSequence[Any]) -> None:
        """Put these into a random order."""
        ...


Knows = Callable[[Prompt], str | None]
"""Answers a question about balls for somebody who saw what happened, or None."""


Strength = Literal["weak", "strong"]
"""How well a game's bots play; a game may know one way only."""


class Sight(NamedTuple):
    """What everybody at the table sees, if a bot looks: the tiles that lie on the board, and the scene."""

    lies: Callable[[], Layout]
    scene: Callable[[], Scene]


@dataclass(frozen=True, slots=True, kw_only=True)
class Temper:
    """How a bot plays; each value is a probability, 0 to 1.

    ``whim``: it makes a random move instead of the best. ``talk``: it says something out of turn when
    :meth:`~hextraction.controller.bots.players.Bot.choose` asks. ``kindness``: it agrees with what others
    propose. ``looks_at`` is not a probability but the most places that it compares, 0 for all.
    """

    whim: float = 0.12
    talk: float = 0.0
    kindness: float = 0.5
    looks_at: int = 0


_ENOUGH: Final = 0.5
"""How often amounts drawn at random stay as they are, once they may."""
USUAL: Final = Temper()
"""The temper of the demonstration's bots."""


class Strategy(Protocol):
    """How the bots of one game choose among the options that a person would be shown."""

    def choices(self, view: PrivateView, knows: Knows | None) -> Sequence[Option]:
        """Return the options that move the game forward now; none if there is nothing to do."""
        ...

    def pick(
        self,
        view: PrivateView,
        choices: Sequence[Option],
        lies: Callable[[], Layout],
        luck: Luck,
        temper: Temper,
    ) -> dict[str, Any]:
        """Return the act of the best of these choices; ``lies`` tells which tiles lie on the board."""
        ...

    def ponder(
        self, view: PrivateView, choices: Sequence[Option], sight: Sight, luck: Luck, temper: Temper
    ) -> Iterator[dict[str, Any] | None]:
        """Yield the act of the best of these choices, and None before it for each slice of thinking.

        A slice takes a few milliseconds at most: the table goes on in between.
        """
        ...

    def talk(self, view: PrivateView, luck: Luck) -> dict[str, Any] | None:
        """Return something to say out of turn, or None."""
        ...


@runtime_checkable
class Paced(Protocol):
    """A strategy whose acts people want to follow: no bot goes on before they have seen what it did."""

    def seen_us(self, act: Mapping[str, Any], *, asks: bool) -> int:
        """Return for how long people look at what this act did, in microseconds.

        With ``asks`` they are asked something now, and all goes on as soon as they have answered.
        """
        ...


def answers_to(prompt: Prompt, knows: Knows | None) -> Sequence[Option]:
    """Return the answers worth giving: the one that is known, else the default one, else all."""
    known = knows(prompt) if knows is not None else None
    told = [option for option in prompt.options if option.act.get("choice") == known]
    if told:
        return told
    return prompt.options if prompt.default is None else [prompt.options[prompt.default]]


def amounts_by(option: Option, luck: Luck) -> list[int]:
    """Return amounts that an option allows, drawn at random: few rather than many."""
    found = [one.least for one in option.amounts]
    while True:
        free = [at for at, one in enumerate(option.amounts) if found[at] + one.step <= one.most]
        if not free or (sum(found) >= option.fewest and luck.random() < _ENOUGH):
            return found
        at = luck.choice(free)
        found[at] += option.amounts[at].step


def act_by(option: Option, luck: Luck) -> dict[str, Any]:
    """Return an act that an option stands for, its turns and amounts drawn at random."""
    acts = acts_of(option, amounts_by(option, luck))
    return luck.choice(acts) if len(acts) > 1 else acts[0]


class AnyOption:
    """Takes any option: the strategy of a game that has none of its own.

    Options that only report what hands or balls did are left alone, and so is leaving the game.
    """

    def __init__(self, leave: frozenset[str] = frozenset()) -> None:
        self._leave = leave

    def choices(self, view: PrivateView, knows: Knows | None) -> Sequence[Option]:
        """Return the answers to the first question, else every option."""
        if view.prompts:
            return answers_to(view.prompts[0], knows)
        return [one for one in view.options if not one.tells and one.group not in self._leave]

    def pick(
        self,
        view: PrivateView,  # noqa: ARG002 - as the protocol says
        choices: Sequence[Option],
        lies: Callable[[], Layout],  # noqa: ARG002
        luck: Luck,
        temper: Temper,  # noqa: ARG002
    ) -> dict[str, Any]:
        """Return any of the choices."""
        return act_by(luck.choice(choices), luck)

    def ponder(
        self, view: PrivateView, choices: Sequence[Option], sight: Sight, luck: Luck, temper: Temper
    ) -> Iterator[dict[str, Any] | None]:
        """Pick at once."""
        yield self.pick(view, choices, sight.lies, luck, temper)

    def talk(self, view: PrivateView, luck: Luck) -> dict[str, Any] | None:  # noqa: ARG002
        """Say nothing."""
        return None
