"""Evenings for tests of whatever game is registered: games that bots have played, and any event there is.

Nothing here knows a game. An :class:`Evening` is one whole game by bots, with all states it went through.
"""

import functools
import random
from collections.abc import Iterator, Sequence
from typing import Any, Final, get_args

from hextraction.board import facts as ball_facts
from hextraction.board.profile import board_names, load_board
from hextraction.controller.games import registry
from hextraction.controller.games.protocol import Game, Refused, Seated, Step, WorldEvent
from hextraction.controller.games.scene import PrivateView, acts_of
from hextraction.controller.games.strategy import Strength
from hextraction.controller.study.table import StudyTable
from hextraction.controller.table.lobby import SEATS
from hypothesis import strategies as st

__all__ = ["EVENTS", "LAID", "Evening", "evening", "events", "offers", "refusal", "seats_of"]

EVENTS: Final[tuple[type[Any], ...]] = get_args(WorldEvent)
"""Every type of event that a game may get."""
LONGEST: Final = 20_000
LAID: Final = 12
"""How many tiles lie on the board at first, where a game has such."""


class Evening:
    """One game from its set-up to its end, played by bots: ``states[i]`` is the state before ``events[i]``.

    Number 0 is that of quick bots; in the others those sit that think as well.
    """

    def __init__(self, kind: str, number: int) -> None:
        chance = random.Random(f"{kind}/{number}")
        made = registry.game_type(kind)
        self.board = load_board(chance.choice(board_names()))
        self.game = made.on(self.board, made.demo_rules(LAID))
        seats = [Seated(seat, seat.title()) for seat in SEATS[: chance.choice(made.seats)]]
        self.setup = self.game.draw(seats, chance, (), LAID)
        strengths: tuple[Strength, ...] = ("strong", "weak") if number else ("weak",)
        self.table = StudyTable(self.game, self.setup, chance, strengths)
        self.states: list[Any] = [self.table.state]
        going = True
        while going and not self.table.over and len(self.table.events) < LONGEST:
            going = self.table.go_on()
        self.events = tuple(self.table.events)
        for event in self.events:
            self.states.append(self.game.step(self.states[-1], event).state)

    @property
    def seats(self) -> list[str]:
        """The seats, in playing order."""
        return seats_of(self.game, self.states[0])

    def at_us(self, number: int) -> int:
        """Return the time of a state."""
        found: int = self.events[number - 1].at_us if number else self.setup.at_us
        return found


@functools.cache
def evening(kind: str, number: int) -> Evening:
    """Return an evening; the same one for the same number."""
    return Evening(kind, number)


def seats_of(game: Game[Any, Any], state: Any) -> list[str]:
    """Return the seats of a game, in playing order."""
    return [player.seat for player in game.standing(state).players]


def offers(game: Game[Any, Any], state: Any) -> list[tuple[str, dict[str, Any]]]:
    """Return everything that is offered to anybody, as (seat, act)."""
    return [(seat, act) for seat in seats_of(game, state) for act in _offered(game.private(state, seat))]


def _offered(view: PrivateView) -> Iterator[dict[str, Any]]:
    answers = [option for prompt in (*view.prompts, *view.others) for option in prompt.options]
    for option in (*view.options, *answers):
        yield from acts_of(option)
        if option.amounts:
            fewest = max((one.least for one in option.amounts), default=0) >= option.fewest
            yield from acts_of(option, [one.most for one in option.amounts])
            yield from acts_of(option, [one.least for one in option.amounts]) if fewest else ()


def refusal(step: Step[Any]) -> Refused | None:
    """Return the refusal among the effects of a step, or None."""
    return next((effect for effect in step.effects if isinstance(effect, Refused)), None)


# --- any event ---

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda some: st.lists(some, max_size=3) | st.dictionaries(st.text(max_size=8), some, max_size=3),
    max_leaves=6,
)


def events(
    played: Evening, number: int, kind: type[Any] | None = None, *, strange: bool = True
) -> st.SearchStrategy[Any]:
    """Return a strategy for events of one type, or any, in a state of an evening: likely ones and nonsense.

    With ``strange`` they may speak of places and seats that are not there.
    """
    kinds = EVENTS if kind is None else (kind,)
    return st.sampled_from(kinds).flatmap(lambda one: _made(one, _values(played, number, strange=strange)))


def _values(played: Evening, number: int, *, strange: bool) -> dict[str, st.SearchStrategy[Any]]:
    """Return what the fields of events may hold, by the name of the field."""
    board, now_us = played.board, played.at_us(number)

    def one_of(names: Iterator[str] | Sequence[str]) -> st.SearchStrategy[str]:
        return st.sampled_from(list(names)) | st.text(max_size=6) if strange else st.sampled_from(list(names))

    slot = one_of(board.slot_names)
    values: dict[str, st.SearchStrategy[Any]] = {
        "at_us": st.sampled_from([0, now_us, now_us + 1, now_us + 10**8]) | st.integers(0, 10**15),
        "ball": st.integers(0, 6),
        "slot": slot,
        "ramp": one_of(ramp.name for ramp in board.ramps),
        "zone": one_of(zone.name for zone in board.zones),
        "seat": one_of(played.seats),
        "name": st.text(max_size=6),
        "act": acts(played, number),
        "chance": st.integers(0, 2**64 - 1),
        "command": st.text(max_size=6),
        "probability": st.floats(0, 1),
        "likelihood": st.floats(0, 1),
        "kind": st.sampled_from(["third", "touches", "rests", "lost", "zone"]),
        **dict.fromkeys(("present", "on", "lost"), st.booleans()),
    }
    values["facts"] = st.lists(
        st.sampled_from(get_args(ball_facts.Fact)).flatmap(lambda one: _made(one, values)), max_size=4
    ).map(tuple)
    values["missing"] = st.lists(_made(ball_facts.Doubt, values), max_size=2).map(tuple)
    values["slots"] = st.lists(slot, min_size=1, max_size=1).map(tuple)
    values["counts"] = st.lists(st.integers(0, 3), min_size=1, max_size=1).map(tuple)
    values["question"] = st.none()
    for _time in range(2):  # an answer may have a question of its own
        answers = st.lists(_made(ball_facts.Answer, values), min_size=2, max_size=2).map(tuple)
        values["question"] = st.none() | _made(ball_facts.Question, {**values, "answers": answers})
    return values


def _made(kind: type[Any], values: dict[str, st.SearchStrategy[Any]]) -> st.SearchStrategy[Any]:
    return st.builds(kind, **{field: values[field] for field in kind.__struct_fields__})


def acts(played: Evening, number: int) -> st.SearchStrategy[dict[str, Any]]:
    """Return a strategy for acts: offered to somebody now or earlier, a little wrong, or nonsense."""
    game, states = played.game, played.states
    known = [act for at in {number, number // 2} for _seat, act in offers(game, states[at])]
    known.append(dict(game.leaving))
    spoilt = st.tuples(
        st.sampled_from(known), st.dictionaries(st.sampled_from(_keys(known)), _JSON, max_size=2)
    )
    return (
        st.sampled_from(known)
        | spoilt.map(lambda both: {**both[0], **both[1]})
        | st.dictionaries(st.text(max_size=6), _JSON, max_size=3)
    )


def _keys(known: Sequence[dict[str, Any]]) -> list[str]:
    return sorted({key for act in known for key in act})
