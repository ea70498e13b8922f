"""The game without a table: whose turn it is, what may be done, what it costs, and how it ends.

A :class:`Position` never changes; each function returns the next one and appends what happened to ``told``.
Sections are those of docs/hexel.md.
"""

import functools
from collections.abc import Iterable
from itertools import combinations
from typing import Final, Literal, NamedTuple

import msgspec
from hextraction.controller.games import shuffling
from hextraction.controller.games.hexagon.cells import CELLS
from hextraction.controller.games.hexel.cards import lines
from hextraction.controller.games.hexel.mosaic import (
    LINE,
    Cell,
    Fit,
    Laid,
    cell_named,
    fits,
    open_cells,
    symbols_of,
)
from msgspec.structs import replace

__all__ = [
    "CALLS",
    "DEALT",
    "NOBODY",
    "Choice",
    "Happened",
    "Last",
    "Phase",
    "Position",
    "affordable",
    "another_line",
    "choices",
    "dealt",
    "discarded",
    "first_in",
    "gone",
    "hedged",
    "must_discard",
    "new",
    "opened",
    "owed",
    "placed",
    "shuffled",
    "staked",
    "symbols",
    "why_not",
]

DEALT: Final = 3
"""How many cards everybody is dealt for a round, and how many make the opening line."""
NOBODY: Final = -1
CALLS: Final = ("no edge", "Hexba", "Hexel", "Hexla", "Hexven", "five edges", "six edges")
"""What is called for so many matched edges; five and six have no name (X-H-5)."""
Phase = Literal["shuffle", "line", "stake", "hedge", "place", "over"]


class Last(NamedTuple):
    """What was done last in this round: by whom, and how many edges matched; a discard counts as none."""

    player: int
    matched: int


class Position(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that the rules know. Cards are numbers from 1; card n has the face ``faces[n - 1]``.

    ``bounded`` is the field of 19 cells, else it has no end. ``deck`` is its order from the top, ``drawn``
    the three cards of the opening line, ``line`` how many arrangements of them were turned down.
    ``spoken`` are the players who have hedged in this round, ``last`` what the next card is compared with.
    """

    faces: tuple[str, ...]
    bounded: bool
    stocks: tuple[int, ...]
    hedges: tuple[int, ...]
    hands: tuple[tuple[int, ...], ...]
    out: tuple[bool, ...]
    dealer: int
    mover: int
    deck: tuple[int, ...] = ()
    drawn: tuple[int, ...] = ()
    laid: tuple[Laid, ...] = ()
    discards: tuple[int, ...] = ()
    face_up: tuple[int, ...] = ()
    stake: int = 0
    phase: Phase = "shuffle"
    line: int = 0
    round: int = 0
    turn: int = 1
    spoken: tuple[int, ...] = ()
    last: Last | None = None
    winner: int = NOBODY
    ended: str = ""

    @property
    def players(self) -> int:
        """How many began."""
        return len(self.stocks)

    @property
    def solo(self) -> bool:
        """Whether one player plays alone, without chips (X-H-11)."""
        return self.players == 1

    @property
    def inside(self) -> tuple[int, ...]:
        """Who is not out."""
        return tuple(player for player in range(self.players) if not self.out[player])


class Happened(NamedTuple):
    """Something to tell: a word for it, who did it, a number of chips or edges, which card, and where."""

    what: str
    player: int = NOBODY
    number: int = 0
    card: int = 0
    cell: Cell | None = None
    to: int = NOBODY


class Choice(NamedTuple):
    """A placement whose edges match: the card, how it fits, and what it costs."""

    card: int
    fit: Fit
    owes: int


def new(
    faces: tuple[str, ...], stocks: tuple[int, ...], *, bounded: bool = True, dealer: int = 0
) -> Position:
    """Return a table before the cards are shuffled."""
    nothing = tuple(0 for _player in stocks)
    return Position(
        faces=faces,
        bounded=bounded,
        stocks=stocks,
        hedges=nothing,
        hands=tuple(() for _player in stocks),
        out=tuple(False for _player in stocks),
        dealer=dealer,
        mover=dealer,
        deck=tuple(range(1, len(faces) + 1)),
    )


# --- before the first round ---


def shuffled(position: Position, chance: int, told: list[Happened]) -> Position:
    """Return the deck shuffled and the opening line laid (3.3).

    Three cards that cannot be laid so go to the bottom, and three new ones are drawn (X-H-2).
    """
    return opened(replace(position, deck=shuffling.shuffled(position.deck, chance)), told)


def opened(position: Position, told: list[Happened]) -> Position:
    """Return the opening line laid from the top of the deck as it is."""
    deck, draws = position.deck, 0
    while _first_line(position, deck[:DEALT]) is None and draws <= len(deck):
        deck = (*deck[DEALT:], *deck[:DEALT])
        draws += 1
    if draws:
        told.append(Happened("redrawn", number=draws))
    if _first_line(position, deck[:DEALT]) is None:
        # Going on so would never end: the first three of the deck that can be laid are taken.
        three = next(one for one in combinations(deck, DEALT) if _first_line(position, one) is not None)
        deck = (*three, *(card for card in deck if card not in three))
    told.append(Happened("shuffled", position.mover))
    now = replace(position, drawn=deck[:DEALT], deck=deck[DEALT:], phase="line", line=0)
    return _with_line(now)


def _first_line(position: Position, three: Iterable[int]) -> object:
    return next(lines([position.faces[card - 1] for card in three]), None)


def _with_line(position: Position) -> Position:
    """Lay the three drawn cards in the arrangement that the dealer has come to."""
    three = position.drawn
    ways = list(lines([position.faces[card - 1] for card in three]))
    way = ways[position.line % len(ways)]
    line = (Laid(cell, three[which], turns) for cell, (which, turns) in zip(LINE, way, strict=True))
    return replace(position, laid=tuple(line))


def another_line(position: Position) -> Position:
    """Return the same three cards in the next arrangement; after the last comes the first again."""
    return _with_line(replace(position, line=position.line + 1))


def dealt(position: Position, told: list[Happened]) -> Position:
    """Return everybody with three cards, and the next thing to do: the stake, hedging, or a card (3.4.1)."""
    deck, hands = position.deck, list(position.hands)
    for player in _clockwise(position, position.dealer + 1):
        hands[player], deck = deck[:DEALT], deck[DEALT:]
    number = position.round + 1
    told.append(Happened("dealt", number=number))
    now = replace(position, deck=deck, hands=tuple(hands), round=number, last=None, spoken=())
    first = first_in(now, now.dealer)
    if now.solo:
        return _settled(replace(now, phase="place", mover=first), told)
    if not now.stake:
        return replace(now, phase="stake", mover=first)
    return _hedging(replace(now, phase="hedge"), told)


def _clockwise(position: Position, start: int) -> tuple[int, ...]:
    """Return those who are in, clockwise from a seat."""
    seats = ((start + step) % position.players for step in range(position.players))
    return tuple(player for player in seats if not position.out[player])


def first_in(position: Position, start: int) -> int:
    """Return the first who is in, clockwise from a seat on."""
    return _clockwise(position, start)[0]


def staked(position: Position, chips: int, told: list[Happened]) -> Position:
    """Return the table with the stake that holds for the whole game (3.4.2)."""
    told.append(Happened("stake", position.mover, chips))
    return _hedging(replace(position, stake=chips, phase="hedge"), told)


def _hedging(position: Position, told: list[Happened]) -> Position:
    """Let the next one hedge, clockwise from the dealer's left; who has too little is passed (3.4.3)."""
    for player in _clockwise(position, position.dealer + 1):
        if player not in position.spoken and position.stocks[player] >= position.stake:
            return replace(position, mover=player)
    first = first_in(position, position.dealer)
    return _settled(replace(position, phase="place", mover=first), told)


def hedged(position: Position, chips: int, told: list[Happened]) -> Position:
    """Return the mover's chips moved from stock to hedge."""
    player = position.mover
    told.append(Happened("hedge", player, chips))
    moved = replace(
        position,
        stocks=_plus(position.stocks, player, -chips),
        hedges=_plus(position.hedges, player, chips),
        spoken=(*position.spoken, player),
    )
    return _hedging(moved, told)


def _plus(counts: tuple[int, ...], player: int, more: int) -> tuple[int, ...]:
    return tuple(count + more * (at == player) for at, count in enumerate(counts))


# --- a turn ---


@functools.lru_cache(maxsize=256)
def symbols(position: Position) -> dict[Cell, str]:
    """Return the symbols of the cards that lie there."""
    return symbols_of(position.laid, position.faces)


@functools.lru_cache(maxsize=256)
def choices(position: Position) -> tuple[Choice, ...]:
    """Return every placement of the mover whose edges match, affordable or not (3.4.4)."""
    there = symbols(position)
    wanted = open_cells(there, bounded=position.bounded)
    return tuple(
        Choice(card, fit, owed(position, fit.matched))
        for card in position.hands[position.mover]
        for fit in fits(there, wanted, position.faces[card - 1])
    )


def owed(position: Position, matched: int) -> int:
    """Return what a placement with so many matched edges costs (3.4.6)."""
    if position.last is None or position.solo:
        return 0
    return max(0, position.last.matched - matched) * position.stake


@functools.lru_cache(maxsize=256)
def affordable(position: Position) -> tuple[Choice, ...]:
    """Return the placements that the mover may make; a Hoxla costs nothing (3.4.5, 3.4.7)."""
    hedge = position.hedges[position.mover]
    return tuple(one for one in choices(position) if one.fit.hoxla or one.owes <= hedge)


def must_discard(position: Position) -> bool:
    """Whether the mover can lay nothing at all, and can pay for that (X-H-8)."""
    return not choices(position) and owed(position, 0) <= position.hedges[position.mover]


def why_not(position: Position, card: int, to: str, turns: int) -> tuple[str, str]:
    """Return why the mover cannot lay a card there, and the section that says so."""
    cell = cell_named(to)
    if card not in position.hands[position.mover]:
        return "That card is not in your hand.", "3.4.4"
    if cell is None or (position.bounded and to not in CELLS):
        return f"There is no cell {to!r} on this field.", "3.5"
    there = symbols(position)
    if cell in there:
        return f"A card lies on {to} already.", "3.4.4"
    wanted = open_cells(there, bounded=position.bounded).get(cell)
    if wanted is None:
        return f"No card lies beside {to}.", "3.4.4"
    found = [one for one in choices(position) if (one.card, one.fit.cell) == (card, cell)]
    if turns not in {one.fit.turns for one in found}:
        return f"Edges that touch must show the same symbol. On {to} they do not.", "3.4.4"
    one = next(one for one in found if one.fit.turns == turns)
    hedge = position.hedges[position.mover]
    return f"That would cost {one.owes} chips. Your hedge has {hedge}, and your stock never pays.", "3.4.7"


def placed(position: Position, choice: Choice, told: list[Happened]) -> Position:
    """Return the table after the mover has laid a card (3.4.4 to 3.4.6)."""
    player, card, fit = position.mover, choice.card, choice.fit
    told.append(Happened("placed", player, fit.matched, card, fit.cell))
    laid = (*position.laid, Laid(fit.cell, card, fit.turns, player, fit.matched))
    now = replace(position, laid=laid, hands=_without(position, card), turn=position.turn + 1)
    if fit.hoxla:
        told.append(Happened("hoxla", player, cell=fit.cell, card=card))
        return _won(now, player, "hoxla", told)
    now = replace(_paid(now, choice.owes, told), last=Last(player, fit.matched))
    if now.bounded and len(laid) == len(CELLS):
        return _run_out(now, "field full", told)
    return _next(now, told)


def discarded(position: Position, card: int, told: list[Happened]) -> Position:
    """Return the table after a mover who can lay nothing has paid and thrown a card away, face up (X-H-8)."""
    player = position.mover
    told.append(Happened("discarded", player, card=card))
    now = replace(
        position,
        hands=_without(position, card),
        discards=(*position.discards, card),
        face_up=(*position.face_up, card),
        turn=position.turn + 1,
    )
    return _next(replace(_paid(now, owed(position, 0), told), last=Last(player, 0)), told)


def _without(position: Position, card: int) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(one for one in hand if one != card) for hand in position.hands)


def _paid(position: Position, chips: int, told: list[Happened]) -> Position:
    """Move insurance from the mover's hedge to the stock of who moved before (3.4.6)."""
    if not chips or position.last is None:
        return position
    player, to = position.mover, position.last.player
    told.append(Happened("paid", player, chips, to=to))
    return replace(
        position,
        hedges=_plus(position.hedges, player, -chips),
        stocks=_plus(position.stocks, to, chips),
    )


def _next(position: Position, told: list[Happened]) -> Position:
    return _settled(replace(position, mover=first_in(position, position.mover + 1)), told)


def _settled(position: Position, told: list[Happened]) -> Position:
    """Go on to whoever has to decide: put out who can neither lay nor pay, begin a round (3.4.7)."""
    while position.phase == "place":
        if not position.hands[position.mover]:
            return _round_over(position, told)
        if affordable(position) or must_discard(position):
            return position
        position = _put_out(position, told)
    return position


def _put_out(position: Position, told: list[Happened]) -> Position:
    """Take the mover out: the rest of the hedge goes to the one before, the hand away (3.4.7, X-H-7)."""
    player, rest = position.mover, position.hedges[position.mover]
    to = position.last.player if position.last is not None else NOBODY
    told.append(Happened("out", player, rest, to=to))
    return _without_player(_paid(position, rest, []), player, told)


def gone(position: Position, player: int, told: list[Happened]) -> Position:
    """Return the table after a player has left for good; the hedge stays for whoever wins."""
    if position.phase == "over":
        return position
    now = _without_player(position, player, told)
    if now.phase in {"stake", "shuffle", "line"}:
        return replace(now, mover=first_in(now, now.dealer))
    return now if now.phase != "hedge" else _hedging(now, told)


def _without_player(position: Position, player: int, told: list[Happened]) -> Position:
    """Discard a hand, and go on with the others; the last one who is in takes all hedges (X-H-9)."""
    now = replace(
        position,
        out=tuple(was or at == player for at, was in enumerate(position.out)),
        hands=tuple(() if at == player else hand for at, hand in enumerate(position.hands)),
        discards=(*position.discards, *position.hands[player]),
    )
    if not now.inside:
        return replace(now, phase="over", ended="left")
    if len(now.inside) == 1 and not now.solo:
        return _won(now, now.inside[0], "last one in", told)
    if now.phase == "place" and player == now.mover:
        return _next(now, told)
    return now


# --- the end ---


def _round_over(position: Position, told: list[Happened]) -> Position:
    """Deal again if the deck lasts, else end (3.4.8, X-H-10)."""
    if len(position.deck) < DEALT * len(position.inside):
        return _run_out(position, "deck out", told)
    return dealt(position, told)


def _run_out(position: Position, how: str, told: list[Happened]) -> Position:
    """End the game without a Hoxla: who placed last, of those who are in, takes all hedges (X-H-10).

    Alone that is a loss (X-H-11). If nobody has placed anything, everybody keeps their own.
    """
    placers = [one.player for one in position.laid if one.player in position.inside]
    if position.solo or not placers:
        back = tuple(stock + hedge for stock, hedge in zip(position.stocks, position.hedges, strict=True))
        told.append(Happened("over", number=sum(one.player != NOBODY for one in position.laid)))
        none = tuple(0 for _player in back)
        return replace(position, phase="over", ended=how, stocks=back, hedges=none)
    return _won(position, placers[-1], how, told)


def _won(position: Position, player: int, how: str, told: list[Happened]) -> Position:
    """Give all hedges to the winner's stock (3.5)."""
    pot = sum(position.hedges)
    told.append(Happened("won", player, pot))
    return replace(
        position,
        phase="over",
        ended=how,
        winner=player,
        stocks=_plus(position.stocks, player, pot),
        hedges=tuple(0 for _hedge in position.hedges),
    )
