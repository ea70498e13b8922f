"""Positions as people write them: as JSON, and the fixtures whose counts are known (2.5).

JSON is as ``{"players": 2, "mover": 0, "pieces": {"c3": "0L"}, "hands": [[5, 5, 4], [5, 5, 5]],
"home": [0, 0]}``: each piece by its cell, with the number of its owner and its size. Hands and home may be
left out: then all that is not on the board is in hand.
"""

from typing import Final

import msgspec
from hextraction.controller.games.hexagon.cells import CELLS
from hextraction.controller.games.hextris.position import (
    FIVE,
    GROUPS_TO_WIN,
    SIZES,
    Position,
    bit_of,
    groups,
    new,
)
from hextraction.settings.plain import UNREADABLE

__all__ = [
    "FIXTURES",
    "Written",
    "WrittenPositionError",
    "check",
    "fixture",
    "position_from",
    "read_position",
    "written",
]


class WrittenPositionError(ValueError):
    """A position that cannot be; ``problems`` has every mistake as a sentence."""

    def __init__(self, problems: list[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(problems))


class Written(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A position as it is written in JSON."""

    players: int = 2
    mover: int = 0
    pieces: dict[str, str] = {}
    hands: list[list[int]] | None = None
    home: list[int] | None = None


def read_position(text: bytes | str) -> Position:
    """Return the position that JSON describes.

    Raises:
        WrittenPositionError: with everything that is wrong with it.
    """
    try:
        wanted = msgspec.json.decode(text, type=Written)
    except UNREADABLE as error:
        raise WrittenPositionError([f"want a position as JSON: {error}"]) from None
    problems = _problems(wanted)
    if problems:
        raise WrittenPositionError(problems)
    laid = {cell: (int(what[0]), what[1]) for cell, what in wanted.pieces.items()}
    position = position_from(laid, wanted.players, wanted.mover, wanted.hands, wanted.home)
    check(position)
    return position


def check(position: Position) -> None:
    """Look whether a position can be.

    Raises:
        WrittenPositionError: with everything that is wrong with it.
    """
    problems = _counts(position) + _crowds(position)
    if problems:
        raise WrittenPositionError(problems)


def position_from(
    pieces: dict[str, tuple[int, str]],
    players: int,
    mover: int = 0,
    hands: list[list[int]] | None = None,
    home: list[int] | None = None,
) -> Position:
    """Return a position of these pieces, as {cell: (owner, size)}; the rest is in hand unless told."""
    own, sizes = [0] * players, [0, 0, 0]
    left = [[FIVE, FIVE, FIVE] for _player in range(players)]
    for cell, (owner, size) in pieces.items():
        own[owner] |= bit_of(cell)
        sizes[SIZES.index(size)] |= bit_of(cell)
        left[owner][SIZES.index(size)] -= 1
    held = left if hands is None else hands
    return Position(
        mover=mover,
        own=tuple(own),
        sizes=(sizes[0], sizes[1], sizes[2]),
        hands=tuple((one[0], one[1], one[2]) for one in held),
        home=tuple(home or (0,) * players),
    )


def _problems(wanted: Written) -> list[str]:
    """Return what is wrong before a position can be made of it."""
    if wanted.players not in {2, 3}:
        return [f"players: want 2 or 3, found {wanted.players}"]
    found = []
    if not 0 <= wanted.mover < wanted.players:
        found.append(f"mover: want 0 to {wanted.players - 1}, found {wanted.mover}")
    for cell, what in wanted.pieces.items():
        if cell not in CELLS:
            found.append(f"pieces: there is no cell {cell!r}, want a1 to e3")
        if len(what) != 2 or what[0] not in "012"[: wanted.players] or what[1] not in SIZES:
            found.append(f"pieces: {cell}: want the owner's number and S, M or L, as 0L; found {what!r}")
    if wanted.home is not None and (
        len(wanted.home) != wanted.players or not all(0 <= one < GROUPS_TO_WIN for one in wanted.home)
    ):
        found.append(f"home: want 0 to 2 groups for each player, found {wanted.home}")
    hands = wanted.hands
    if hands is not None and (
        len(hands) != wanted.players
        or not all(len(one) == 3 and all(0 <= count <= FIVE for count in one) for one in hands)
    ):
        found.append(f"hands: want three counts of 0 to 5 for each player, found {hands}")
    return found


def _counts(position: Position) -> list[str]:
    found = []
    for player, mine in enumerate(position.own):
        for size, held in enumerate(position.hands[player]):
            there = held + (mine & position.sizes[size]).bit_count()
            if not 0 <= held <= FIVE or there > FIVE:
                found.append(f"player {player} has {there} pieces of size {SIZES[size]}, at most five are")
        total = mine.bit_count() + sum(position.hands[player]) + FIVE * position.home[player]
        if total != 3 * FIVE:
            found.append(f"player {player} has {total} pieces on the board, in hand and home; want 15")
    return found


def _crowds(position: Position) -> list[str]:
    return [
        f"player {player} has {group.bit_count()} connected pieces; before a ply four is the most"
        for player, mine in enumerate(position.own)
        for group in groups(mine)
        if group.bit_count() >= FIVE
    ]


def written(position: Position) -> Written:
    """Return a position as it is written in JSON."""
    pieces = {cell: position.piece(cell) for cell in CELLS}
    return Written(
        players=position.players,
        mover=position.mover,
        pieces={cell: f"{one[0]}{one[1]}" for cell, one in pieces.items() if one is not None},
        hands=[list(held) for held in position.hands],
        home=list(position.home),
    )


# --- positions with known counts ---

FIXTURES: Final = {
    "F1": (2, 0, "0: Sc1 Mc2 Lc3 Sc4; 1: Mb2 Ld3", "344 544", "00"),
    "F2": (2, 0, "0: Sc1 Mc2 Lc3 Sc4 Ma1 Sa2; 1: Me1 Ld1 Sd2", "234 444", "00"),
    "F3": (2, 0, "0: Lc3 Sb3 Md2; 1: Mc2 Sc4 Ld3 Lb2", "444 443", "00"),
    "F4": (3, 0, "0: Lc3 Sb3; 1: Mc2 Sc4; 2: Ld3 Lb2 Md2", "454 445 543", "000"),
    "F5": (2, 0, "0: Sa1 Ma2 Sb1 Lb2 Lc4; 1: Mb3 Sd2 Md3 Sd4 Le3", "000 000", "22"),
    "F6": (3, 2, "0: Sa1 Mb1 Lc1 Sd1 Mc5 Lb4 Sa3; 1: Me1 Le2 Se3 Md4 La2", "233 433 334", "001"),
    "F7": (2, 0, "0: Sa1 Ld2 Lc4; 1: Mb3 Sd3 Md4 Se3 Le2", "453 334", "00"),
}
"""Players, mover, pieces, hands, groups at home. Their counts were found by programs that are not ours."""


def fixture(name: str) -> Position:
    """Return a fixture by its name.

    Raises:
        KeyError: there is none of that name.
    """
    players, mover, laid, hands, home = FIXTURES[name]
    if not laid:
        return new(players, mover)
    pieces = {}
    for part in laid.split(";"):
        owner, _colon, names = part.strip().partition(":")
        pieces.update({one[1:]: (int(owner), one[0]) for one in names.split()})
    held = [[int(count) for count in one] for one in hands.split()]
    return position_from(pieces, players, mover, held, [int(count) for count in home])
