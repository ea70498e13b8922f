"""A table at its start, and its scenarios, with all numbers and names the other way round.

The first tile has the last number, each ball a lower one than those before it, and people are called by other
names, whose alphabet runs the other way. Of alike halves of Combos others belong together. None of it may matter
to a rule.
"""

import re

from hextraction.controller.games.hextraction.scenario.driver import Driver
from msgspec.structs import replace

__all__ = ["CountingDown", "numbers_balls", "renamed", "renumbered"]

# --- Tiles and balls by number ---

_MOST_BALLS = 99
_BY_THE_GAME = re.compile(r"\w+ (enters the board|attests) |\w+ says what lies where: .*ball ")


def renumbered(state, *, balls=True):
    """Return a state in which nothing has happened yet with all tiles, and perhaps balls, numbered the other way round."""
    last = max(state.copies, default=0)

    def other(number):
        return last + 1 - number if number else number

    def others(numbers):
        return tuple(other(number) for number in numbers)

    def by_ball(found):
        return {_other_ball(ball) if balls else ball: value for ball, value in found.items()}

    copies = {
        other(number): replace(one, id=other(number), whole=other(one.whole))
        for number, one in exchanged(state).items()
    }
    rest = state.rest
    return replace(
        state,
        copies=copies,
        players=tuple(replace(player, hand=others(player.hand)) for player in state.players),
        laid=tuple(replace(one, copy=other(one.copy)) for one in state.laid),
        rest=replace(
            rest,
            on=by_ball(rest.on),
            zones=by_ball(rest.zones),
            ramps=by_ball(rest.ramps),
            last={ball: other(copy) for ball, copy in by_ball(rest.last).items()},
            still={ball: others(copies) for ball, copies in by_ball(rest.still).items()},
        ),
        **{
            name: others(getattr(state, name))
            for name in ("pool", "virtual", "destroyed", "taken", "silencers")
        },
    )


def exchanged(state):
    """Return the copies of a state, the first kind of half of each Combo each with another one's other halves."""
    alike = {}
    for laid in state.laid:
        part = state.copies[laid.copy]
        if part.whole:
            kinds = alike.setdefault((state.copies[part.whole].name, part.owner), {})
            kinds.setdefault(part.name, []).append(part)
    halves = [next(iter(kinds.values())) for kinds in alike.values()]
    moved = [
        (one, other.whole)
        for parts in halves
        for one, other in zip(parts, parts[1:] + parts[:1], strict=True)
    ]
    return {**state.copies, **{one.id: replace(one, whole=whole) for one, whole in moved}}


class CountingDown(Driver):
    """The people and balls of a scenario in which the next ball has the next lower number."""

    def __init__(self, case, laid):
        super().__init__(case, laid)
        self.ball = self.newest = len(laid.state.rest.on) + len(laid.state.rest.zones)

    def number(self, n=None):
        """Return the other number of the ball that a sentence is about."""
        return _other_ball(super().number(n))

    def named_ball(self, n):
        """Return the other number of a ball that is there already."""
        return _other_ball(super().named_ball(n))


def numbers_balls(script):
    """Return whether a scenario needs numbers that count up, as the game itself numbers balls there or tells them.

    It does where people say what lies where; and a tap that names no ball is about the latest one.
    """
    return any(
        _BY_THE_GAME.match(one.text) or re.search(r'Ball \d|"[^"]*\bball \d', one.text)
        for one in script.steps
    )


def _other_ball(number):
    return _MOST_BALLS - number


# --- People by name ---

_NAMES = ("Black", "Blue", "Gold", "Green", "Grey", "Pink", "Red", "Violet", "White", "Yellow")
_OTHERS = dict(zip(_NAMES, reversed(_NAMES), strict=True))
_OTHERS |= {one.lower(): other.lower() for one, other in _OTHERS.items()}
_NAME = re.compile(rf"\b({'|'.join(_OTHERS)})\b")
_PLAYERS = re.compile(r"^players .*$", re.MULTILINE)
_LAMP = re.compile(r"^EXPECT .*\blamp ", re.MULTILINE)
_CASE = re.compile(r"^SCENARIO .*$", re.MULTILINE)


def renamed(text):
    """Return a file's scenarios with each player called by another name, unless lamps shine in a player's colour."""
    starts = [found.start() for found in _CASE.finditer(text)]
    cases = [text[one:other] for one, other in zip(starts, [*starts[1:], None], strict=True)]
    return "".join(case if _LAMP.search(case) else _renamed(case) for case in cases)


def _renamed(case):
    title, _line, rest = case.partition("\n")
    listed = _PLAYERS.search(rest)
    players = listed[0] if listed else "players Red, Blue, Green"
    told = _NAME.sub(lambda name: _OTHERS[name[0]], f"{players}\n{_PLAYERS.sub('', rest)}")
    return f"{title}\n{told}"
