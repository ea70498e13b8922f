"""Positions of Hextris and their plies: what may be done, and what comes of it. Pure, and made to be fast.

A set of cells is an integer with one bit a cell. Cells stand in rows of six bits, the sixth of which is
always empty, so that a step over an edge is a shift, and nothing steps from one row into the next. Section
numbers (2.2 …) are those of ``docs/hextris.md``.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from hextraction.controller.games.hexagon.cells import AXIAL, CELLS, RIM, line

__all__ = [
    "FIVE",
    "GROUPS_TO_WIN",
    "READINGS",
    "SIZES",
    "Move",
    "Ply",
    "Position",
    "after",
    "bit_of",
    "carried_out",
    "cells_of",
    "empty",
    "groups",
    "legal",
    "moves",
    "named",
    "new",
    "out_of_play",
    "perft",
    "removed",
    "skipped",
    "stuck",
    "why_not",
]

SIZES: Final = ("S", "M", "L")
"""Small, medium, large; a size is its place in here."""
READINGS: Final = ("R0", "R1", "R2", "R3", "R4")
FIVE: Final = 5
GROUPS_TO_WIN: Final = 3
_STASH: Final = (5, 5, 5)
_ROW: Final = 6

BIT: Final = {cell: 1 << ((across + 2) * _ROW + down + 2) for cell, (across, down) in AXIAL.items()}
NAME: Final = {bit: cell for cell, bit in BIT.items()}
_ALL: Final = sum(BIT.values())
_RIM: Final = sum(BIT[cell] for cell in RIM)


class Ply(NamedTuple):
    """One ply: ``drop`` a size at ``to``, ``slide`` from ``at`` to ``to``, or ``swap`` these two (2.2)."""

    kind: str
    to: str
    at: str = ""
    size: str = ""

    def __str__(self) -> str:
        if self.kind == "drop":
            return f"drop {self.size} on {self.to}"
        return f"{self.kind} {self.at} {'and' if self.kind == 'swap' else 'to'} {self.to}"


class Position(NamedTuple):
    """A whole position; everybody sees all of it.

    Attributes:
        mover: the player whose turn it is, from 0.
        own: the cells of each player's pieces.
        sizes: the cells of small, medium and large pieces, whoever's they are.
        hands: how many small, medium and large pieces each player holds.
        home: how many groups of five each player has.
        winner: who has three groups; None while nobody has.
    """

    mover: int
    own: tuple[int, ...]
    sizes: tuple[int, int, int]
    hands: tuple[tuple[int, int, int], ...]
    home: tuple[int, ...]
    winner: int | None = None

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.own)

    @property
    def taken(self) -> int:
        """The cells with a piece."""
        small, medium, large = self.sizes
        return small | medium | large

    def piece(self, cell: str) -> tuple[int, str] | None:
        """Return whose piece lies there, and its size."""
        bit = BIT[cell]
        if not self.taken & bit:
            return None
        owner = next(player for player, cells in enumerate(self.own) if cells & bit)
        return owner, SIZES[next(size for size, cells in enumerate(self.sizes) if cells & bit)]


def new(players: int, mover: int = 0) -> Position:
    """Return the beginning: an empty board, all pieces in hand."""
    return Position(mover, (0,) * players, (0, 0, 0), (_STASH,) * players, (0,) * players)


def empty(position: Position) -> tuple[str, ...]:
    """Return the cells without a piece."""
    return cells_of(_ALL & ~position.taken)


def bit_of(cell: str) -> int:
    """Return a cell's bit."""
    return BIT[cell]


def cells_of(bits: int) -> tuple[str, ...]:
    """Return the cells of a set, in reading order."""
    return tuple(cell for cell in CELLS if BIT[cell] & bits)


# --- straight lines and neighbours ---

_REACH: Final = (1, 2, 4)
"""How far a small, a medium and a large piece slide; 4 is right across."""


def _bits(cells: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(BIT[cell] for cell in cells)


_LINES: Final = tuple(
    {
        BIT[cell]: tuple(ray[:reach] for edge in range(1, 7) if (ray := _bits(line(cell, edge))))
        for cell in CELLS
    }
    for reach in _REACH
)
"""For each size, the cells that a piece can reach from a cell, one line for each direction, nearest first."""
_BESIDE: Final = {BIT[cell]: sum(ray[0] for ray in _LINES[2][BIT[cell]]) for cell in CELLS}
"""The neighbours of a cell."""
_SWAPS_WITH: Final = (2, 0, 1)
"""The size that a mover's own small, medium and large piece may change places with: S↔L, M↔S, L↔M (2.3)."""


def _group(cells: int, seed: int) -> int:
    """Return those of the cells that are connected with the seed, itself one of them."""
    found = seed
    while True:
        near = found | found << 1 | found >> 1 | found << 5 | found >> 5 | found << 6 | found >> 6
        near &= cells
        if near == found:
            return found
        found = near


def groups(cells: int) -> Iterator[int]:
    """Yield the connected groups of a set of cells."""
    while cells:
        found = _group(cells, cells & -cells)
        yield found
        cells ^= found


def _each(bits: int) -> Iterator[int]:
    while bits:
        bit = bits & -bits
        yield bit
        bits ^= bit


# --- what may be done ---

Move = tuple[int, int, int]
"""A ply in bits: (size, 0, to) for a drop, (size, at, to) for a slide, (-1, at, to) for a swap."""


def _too_many(cells: int, seed: int) -> bool:
    """Whether a group of six or more would be there (2.2)."""
    return cells.bit_count() > FIVE and _group(cells, seed).bit_count() > FIVE


def moves(position: Position, reading: int) -> list[Move]:
    """Return the legal plies, in bits; none if the player has to skip, or the game is over."""
    if position.winner is not None:
        return []
    mine, (small, medium, large) = position.own[position.mover], position.sizes
    taken = small | medium | large
    found = _drops(mine, taken, position.hands[position.mover])
    crowded = mine.bit_count() > FIVE
    for size in (0, 1, 2):
        lines = _LINES[size]
        for at in _each(mine & position.sizes[size]):
            left = mine ^ at
            for ray in lines[at]:
                for to in ray:
                    if taken & to:
                        break
                    if not (crowded and _too_many(left | to, to)):
                        found.append((size, at, to))
    if reading < 4:
        found += _swaps(position, reading)
    return found


def _drops(mine: int, taken: int, hand: tuple[int, int, int]) -> list[Move]:
    """Return the drops: any size in hand on any empty cell of the rim."""
    held = [size for size in (0, 1, 2) if hand[size]]
    crowded = mine.bit_count() >= FIVE
    if not held:
        return []
    return [
        (size, 0, to)
        for to in _each(_RIM & ~taken)
        if not (crowded and _too_many(mine | to, to))
        for size in held
    ]


def _swaps(position: Position, reading: int) -> list[Move]:
    """Return the legal swaps, each unordered pair once (2.3)."""
    mover, own, sizes = position.mover, position.own, position.sizes
    mine = own[mover]
    if reading < 2 and not mine:
        return []
    return [
        (-1, min(at, to), max(at, to))
        for one in range(3)
        for other in range(one + 1, 3)
        for at in _each(sizes[one])
        for to in _each(sizes[other] & _BESIDE[at])
        if _may_swap(mine, (at, one), (to, other), reading) and _swap_fits(own, at, to)
    ]


def _may_swap(mine: int, at: tuple[int, int], to: tuple[int, int], reading: int) -> bool:
    """Whether two pieces of different sizes, each as (cell, size), may change places by the reading."""
    first, second = bool(mine & at[0]), bool(mine & to[0])
    if reading == 2:
        return True
    if first and second:
        return True
    if reading == 3 or not (first or second):
        return False
    if reading == 1:
        return True
    return _SWAPS_WITH[at[1]] == to[1] if first else _SWAPS_WITH[to[1]] == at[1]


def _swap_fits(own: tuple[int, ...], at: int, to: int) -> bool:
    """Whether no colour has six connected after the swap."""
    both = at | to
    for cells in own:
        if cells & both and cells & both != both:
            moved = cells ^ both
            if _too_many(moved, moved & both):
                return False
    return True


def carried_out(position: Position, move: Move) -> Position:
    """Return what comes of a legal ply: pieces moved, fives counted, the next player's turn (2.2, 2.4)."""
    size, at, to = move
    mover, own, sizes, hands = position.mover, list(position.own), list(position.sizes), position.hands
    if size >= 0:
        own[mover] ^= at | to
        sizes[size] ^= at | to
        if not at:
            left = list(hands[mover])
            left[size] -= 1
            hands = (*hands[:mover], (left[0], left[1], left[2]), *hands[mover + 1 :])
        fives = _fives(own, (mover,), to)
    else:
        both = at | to
        crossed = tuple(player for player, cells in enumerate(own) if cells & both and cells & both != both)
        for player in crossed:
            own[player] ^= both
        for one in (0, 1, 2):
            if sizes[one] & both:
                sizes[one] ^= both
        fives = _fives(own, crossed, both)
    nexts = mover + 1 if mover + 1 < len(own) else 0
    moved = (own[0], own[1]) if len(own) == 2 else tuple(own)
    if not fives:
        return Position(nexts, moved, (sizes[0], sizes[1], sizes[2]), hands, position.home)
    return _counted(
        Position(nexts, moved, (sizes[0], sizes[1], sizes[2]), hands, position.home), mover, fives
    )


def _fives(own: list[int], players: tuple[int, ...], seeds: int) -> list[tuple[int, int]]:
    """Return the groups of exactly five that a ply has made, as (player, cells)."""
    found = []
    for player in players:
        cells = own[player]
        if cells.bit_count() >= FIVE:
            group = _group(cells, cells & seeds)
            if group.bit_count() == FIVE:
                found.append((player, group))
    return found


def _counted(position: Position, mover: int, fives: list[tuple[int, int]]) -> Position:
    """Count the fives; end the game with them on the board, or send them home (2.2, 2.4)."""
    home = list(position.home)
    for player, _cells in fives:
        home[player] += 1
    done = [player for player, count in enumerate(home) if count >= GROUPS_TO_WIN]
    if done:
        order = [(mover + step) % len(home) for step in range(len(home))]
        return position._replace(home=tuple(home), winner=next(one for one in order if one in done))
    own, gone = list(position.own), 0
    for player, cells in fives:
        own[player] &= ~cells
        gone |= cells
    small, medium, large = position.sizes
    sizes = (small & ~gone, medium & ~gone, large & ~gone)
    return position._replace(own=tuple(own), sizes=sizes, home=tuple(home))


# --- the same with names ---


def named(move: Move) -> Ply:
    """Return a ply by the names of its cells."""
    size, at, to = move
    if size < 0:
        first, second = sorted((NAME[at], NAME[to]))
        return Ply("swap", second, first)
    return Ply("slide", NAME[to], NAME[at]) if at else Ply("drop", NAME[to], size=SIZES[size])


def _move(position: Position, ply: Ply) -> Move:
    if ply.kind == "drop":
        return SIZES.index(ply.size), 0, BIT[ply.to]
    at, to = BIT[ply.at], BIT[ply.to]
    if ply.kind == "swap":
        return -1, min(at, to), max(at, to)
    return next((size for size in range(3) if position.sizes[size] & at), 0), at, to


def legal(position: Position, reading: str) -> tuple[Ply, ...]:
    """Return the legal plies of the player whose turn it is; none if they have to skip."""
    return tuple(named(move) for move in moves(position, READINGS.index(reading)))


def after(position: Position, ply: Ply) -> Position:
    """Return the position after a legal ply."""
    return carried_out(position, _move(position, ply))


def removed(position: Position, ply: Ply) -> tuple[str, ...]:
    """Return the cells whose pieces a legal ply sends home."""
    there = after(position, ply)
    before = position.taken | BIT[ply.to]
    if ply.kind == "slide":
        before &= ~BIT[ply.at]
    return cells_of(before & ~there.taken)


def skipped(position: Position) -> Position:
    """Return the position after a forced skip."""
    return position._replace(mover=(position.mover + 1) % position.players)


def stuck(position: Position, reading: str) -> bool:
    """Whether nobody can move: a draw (X-T-2)."""
    for _player in range(position.players):
        if legal(position, reading):
            return False
        position = skipped(position)
    return position.winner is None


def out_of_play(position: Position, player: int) -> Position:
    """Return the position without a player's pieces, who has left the game."""
    mine = position.own[player]
    small, medium, large = position.sizes
    own = tuple(0 if one == player else cells for one, cells in enumerate(position.own))
    hands = tuple((0, 0, 0) if one == player else held for one, held in enumerate(position.hands))
    return position._replace(own=own, sizes=(small & ~mine, medium & ~mine, large & ~mine), hands=hands)


def why_not(position: Position, ply: Ply, reading: str) -> tuple[str, str] | None:
    """Return why a ply is not legal, as (reason, section); None if it is."""
    if ply in legal(position, reading):
        return None
    at, to = position.piece(ply.at) if ply.at else None, position.piece(ply.to)
    if ply.kind == "drop":
        return _why_no_drop(position, ply, to)
    if at is None:
        return f"There is no piece on {ply.at}.", "2.2"
    if ply.kind == "slide":
        return _why_no_slide(position, ply, at, to)
    return _why_no_swap(position, ply, at, to, reading)


_SIX: Final = ("That would connect more than five pieces of one colour.", "2.2")


def _why_no_drop(position: Position, ply: Ply, to: tuple[int, str] | None) -> tuple[str, str]:
    if ply.to not in RIM:
        return f"Drop pieces on the rim: {ply.to} is inside.", "2.2"
    if to is not None:
        return f"There is a piece on {ply.to} already.", "2.2"
    if not position.hands[position.mover][SIZES.index(ply.size)]:
        return "No piece of that size is left in the hand.", "2.2"
    return _SIX


def _why_no_slide(
    position: Position, ply: Ply, at: tuple[int, str], to: tuple[int, str] | None
) -> tuple[str, str]:
    if at[0] != position.mover:
        return "You can slide only your own pieces.", "2.2"
    if to is not None:
        return f"There is a piece on {ply.to}. Slide to an empty cell.", "2.2"
    ray = next((ray for edge in range(1, 7) if ply.to in (ray := line(ply.at, edge))), None)
    if ray is None:
        return f"{ply.to} is not on a straight line from {ply.at}.", "2.2"
    way = ray[: ray.index(ply.to)]
    if any(position.piece(cell) is not None for cell in way):
        return "A piece is in the way, and you cannot jump over it.", "2.2"
    if len(way) >= _REACH[SIZES.index(at[1])]:
        return "That is too far for a piece of this size.", "2.2"
    return _SIX


def _why_no_swap(
    position: Position, ply: Ply, at: tuple[int, str], to: tuple[int, str] | None, reading: str
) -> tuple[str, str]:
    if reading == "R4":
        return "At this table pieces are not swapped.", "2.3"
    if to is None:
        return f"There is no piece on {ply.to}.", "2.3"
    if not BIT[ply.to] & _BESIDE[BIT[ply.at]]:
        return "You can swap only pieces beside each other.", "2.3"
    if at[1] == to[1]:
        return "You cannot swap pieces of the same size.", "2.3"
    first, second = (BIT[ply.at], SIZES.index(at[1])), (BIT[ply.to], SIZES.index(to[1]))
    mine = position.own[position.mover]
    if not _may_swap(mine, first, second, READINGS.index(reading)):
        own = mine & (BIT[ply.at] | BIT[ply.to])
        if not own:
            return "One of the two must be yours.", "2.3"
        return (
            "You cannot swap these two: only large with medium, medium with small, small with large.",
            "2.3",
        )
    return _SIX


# --- counting ---


def perft(position: Position, reading: str, depth: int) -> int:
    """Return how many lines of so many plies there are (2.5).

    A forced skip is a ply, and none follow the end (2.5).
    """
    return _perft(position, READINGS.index(reading), depth)


def _perft(position: Position, reading: int, depth: int) -> int:
    if position.winner is not None:
        return 0
    found = moves(position, reading)
    if not found:
        if stuck(position, READINGS[reading]):
            return 0
        return 1 if depth == 1 else _perft(skipped(position), reading, depth - 1)
    if depth == 1:
        return len(found)
    total = 0
    for move in found:
        total += _perft(carried_out(position, move), reading, depth - 1)
    return total
