"""How bots think about a turn: they deal the cards that they cannot see at random, and play on quickly.

What is hidden is dealt anew for each try, so no bot knows more than a person in its seat. Thinking stops
between two tries, so that whoever called it can do something else.
"""

from collections import Counter
from collections.abc import Generator, Sequence
from typing import Final, NamedTuple

from hextraction.board.grid import EDGES
from hextraction.controller.games.hexel import position as game
from hextraction.controller.games.hexel.cards import distinct_turns, least, turned
from hextraction.controller.games.hexel.mosaic import AROUND, Cell, Laid, cell_named
from hextraction.controller.games.hexel.position import NOBODY, Choice, Last, Position
from hextraction.controller.games.hexel.views import Detail
from hextraction.controller.games.scene import PrivateView, Scene
from hextraction.controller.games.strategy import Luck
from msgspec.structs import replace

__all__ = ["TRIES", "Seen", "best", "openings", "promise", "seen"]

TRIES: Final = 300
"""How many times a turn is played on: about a quarter of a second on a slow core."""
_CANDIDATES: Final = 10
_FURTHEST: Final = 14
"""How many cards a try goes on for."""
_WIN: Final = 12.0
"""What a win is worth besides its chips, in stakes; to be out costs half of it."""


class Seen(NamedTuple):
    """What a seat sees: the position with nothing in other hands, and what may be where it cannot look."""

    position: Position
    me: int
    unseen: tuple[int, ...]
    counts: tuple[int, ...]

    def dealt(self, luck: Luck) -> Position:
        """Return a position in which all that is unseen lies somewhere."""
        cards = list(self.unseen)
        luck.shuffle(cards)
        hands = []
        for player, count in enumerate(self.counts):
            mine = player == self.me
            hands.append(self.position.hands[player] if mine else tuple(cards[:count]))
            cards = cards if mine else cards[count:]
        deck = tuple(cards[: len(self.position.deck)])
        return replace(self.position, hands=tuple(hands), deck=deck)


def seen(view: PrivateView, scene: Scene, detail: Detail) -> Seen:
    """Return what a seat sees, as a position with card numbers of its own."""
    seats = [one.seat for one in scene.seats]
    counts = [{one.label: one.count for one in seat.counters} for seat in scene.seats]
    left = Counter(least(face) for face in detail.faces)
    faces: list[str] = []

    def known(face: str) -> int:
        kind = least(face)
        left[kind] -= 1
        faces.append(kind)
        return len(faces)

    laid = []
    for one in detail.cards:
        card, cell = known(one.symbols), cell_named(one.cell)
        by = seats.index(one.by) if one.by else NOBODY
        laid.append(Laid(cell or (0, 0), card, _turns(one.symbols), by, one.matched))
    hand = tuple(known(piece.name) for piece in view.hand)
    for face in detail.thrown:
        known(face)
    first = len(faces) + 1
    faces += [kind for kind, count in sorted(left.items()) for _copy in range(max(0, count))]
    me = seats.index(view.seat)
    before = seats.index(detail.before) if detail.before else NOBODY
    position = Position(
        faces=tuple(faces),
        bounded=detail.field != "open",
        stocks=tuple(one.get("in stock", 0) for one in counts),
        hedges=tuple(one.get("in the hedge", 0) for one in counts),
        hands=tuple(hand if at == me else () for at in range(len(seats))),
        out=tuple(one.out for one in scene.seats),
        dealer=seats.index(detail.dealer),
        mover=me,
        deck=(0,) * detail.left,
        laid=tuple(laid),
        stake=detail.stake,
        phase="place",
        round=detail.round,
        turn=scene.turn,
        last=Last(before, detail.last) if before != NOBODY else None,
    )
    held = tuple(one.get("cards", 0) for one in counts)
    return Seen(position, me, tuple(range(first, len(faces) + 1)), held)


def _turns(symbols: str) -> int:
    kind = least(symbols)
    return next(turns for turns in distinct_turns(kind) if turned(kind, turns) == symbols)


def openings(there: dict[Cell, str], cell: Cell) -> int:
    """Return at how many corners of a card one more card could make a Hoxla."""
    symbols, found = there[cell], 0
    for edge in range(len(EDGES)):
        for other_edge, beyond in ((edge + 1, edge + 2), (edge - 1, edge - 2)):
            beside = AROUND[edge]
            other = (cell[0] + beside[0], cell[1] + beside[1])
            empty_step = AROUND[other_edge % 6]
            empty = (cell[0] + empty_step[0], cell[1] + empty_step[1])
            if (
                other in there
                and empty not in there
                and symbols[edge] == symbols[other_edge % 6] == there[other][beyond % 6]
            ):
                found += 1
    return found


def promise(position: Position, choice: Choice) -> float:
    """Rate a placement at a glance: edges are good, paying is bad, and so is to open the way to a Hoxla."""
    if choice.fit.hoxla:
        return 100.0
    there = dict(game.symbols(position))
    there[choice.fit.cell] = turned(position.faces[choice.card - 1], choice.fit.turns)
    danger = 0.0 if position.solo else -1.5
    return (
        choice.fit.matched - choice.owes / max(1, position.stake) + danger * openings(there, choice.fit.cell)
    )


def best(
    here: Seen, choices: Sequence[Choice], luck: Luck, tries: int = TRIES
) -> Generator[None, None, list[tuple[float, Choice]]]:
    """Yield now and then; return the likeliest placements with what they are worth, the best first."""
    order = sorted(choices, key=lambda one: -promise(here.position, one))[:_CANDIDATES]
    if len(order) == 1 or order[0].fit.hoxla:
        return [(0.0, order[0])]
    worth = [0.0] * len(order)
    rounds = max(1, tries // len(order))
    for _round in range(rounds):
        dealt = here.dealt(luck)  # the same cards for all, so that they are compared by what they do
        for at, choice in enumerate(order):
            yield None
            worth[at] += _played(dealt, choice, here.me, luck)
    rated = [(value / rounds, choice) for value, choice in zip(worth, order, strict=True)]
    return sorted(rated, key=lambda one: -one[0])


def _played(position: Position, choice: Choice, me: int, luck: Luck) -> float:
    """Return what one try gives: chips won or lost, in stakes, and the win itself."""
    had = position.stocks[me] + position.hedges[me]
    now = game.placed(position, choice, [])
    for _card in range(_FURTHEST):
        if now.phase == "hedge":
            now = game.hedged(now, 0, [])
        elif now.phase == "place" and not now.out[me]:
            now = _quickly(now, luck)
        else:
            break
    stake = max(1, now.stake)
    if now.phase == "over":
        chips = now.stocks[me] - had
        return chips / stake + _WIN * (now.winner == me)
    if now.out[me]:
        return (now.stocks[me] - had) / stake - _WIN / 2
    share = now.hedges[me] + sum(now.hedges) / len(now.inside)
    return (now.stocks[me] + share / 2 - had) / stake + _WIN / len(now.inside) / 2


def _quickly(position: Position, luck: Luck) -> Position:
    """Return the position after a card that is good at a glance."""
    choices = game.affordable(position)
    if not choices:
        return game.discarded(position, position.hands[position.mover][0], [])
    stake = max(1, position.stake)

    def rated(one: Choice) -> float:
        return 100.0 * one.fit.hoxla + one.fit.matched - one.owes / stake + luck.random()

    return game.placed(position, max(choices, key=rated), [])
