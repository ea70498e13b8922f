"""What a table should know before it starts, though nothing of it stops the game (0.1, 0.2, 1.0, 1.1, 1.2).

Advice is a list of (text, clause). Warnings come first; tips that hold for every game follow.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from hextraction.board.tiles import Deed, Effect, Keyword, Tile
from hextraction.controller.games.hextraction.checklist import CHECKLIST, SIX_CHECKS
from hextraction.controller.games.hextraction.rules import Rules
from hextraction.controller.games.hextraction.wanted import Setup

__all__ = ["advice", "nearest_guess"]

_BALLS_EACH: Final = 3
_WEAK: Final = (
    "Balls that a magnet does not attract rest unseen by the sensors: as you calibrate, put one on a slot"
    " and see whether its sensor notices."
)
_TIPS: Final = (
    ("Keep the Main Pool in a bag or box, so that tiles are drawn unseen.", "1.0.8"),
    ("Balls cannot be told apart: expect to lose a few.", "1.1.3"),
    ("A rack must show a part of the back or side of each tile.", "1.2.4"),
    (SIX_CHECKS, "0.2"),
)


def advice(rules: Rules, setup: Setup) -> list[tuple[str, str]]:
    """Return warnings and tips about a set-up, each with its clause."""
    return [*_owners(setup), *_balls(setup), *_tiles(rules, setup), *_marks(rules, setup), *_TIPS]


def nearest_guess(guesses: Mapping[str, int], number: int) -> str | None:
    """Return who guessed nearest without going over, to settle whose board it is (1.0.2)."""
    fair = {seat: guess for seat, guess in guesses.items() if guess <= number}
    return max(fair, key=lambda seat: fair[seat], default=None)


def _owners(setup: Setup) -> Iterator[tuple[str, str]]:
    names = {seat.seat: seat.name for seat in setup.seats}
    if setup.board_owner is None:
        yield "Nobody is named as the owner of the board.", "1.0.1"
    if len(setup.boards) > 1:
        offered = " and ".join(names.get(seat, seat) for seat in setup.boards)
        yield f"{offered} brought a board each: guess a number, nearest without going over wins.", "1.0.2"
    brought = {share.owner for share in setup.pool}
    for seat in setup.seats:
        if seat.seat in brought and not seat.hand:
            yield f"{seat.name} brought tiles and may pick three different ones as opening hand.", "1.0.6"


def _balls(setup: Setup) -> Iterator[tuple[str, str]]:
    brought, wanted = sum(seat.balls for seat in setup.seats), _BALLS_EACH * len(setup.seats)
    if 0 < brought < wanted:
        yield f"There are {brought} balls; {len(setup.seats)} players should have {wanted}.", "1.0.3"
    if setup.ball_size not in {"10 mm", "3/8 in"}:
        yield f"Balls of {setup.ball_size} are not 10 mm or 3/8 inch: sensors may misread them.", "1.1.1"
    if not setup.magnetic:
        yield _WEAK, "1.1.2"


def _tiles(rules: Rules, setup: Setup) -> Iterator[tuple[str, str]]:
    for name in _names(setup):
        tile = rules.named(name)
        if any(_skips_more_than_one(effect) for effect in tile.effects):
            yield f"{tile.title} skips more than one turn: only one counts.", "0.1.11"
        yield from _missing_virtual(rules, setup, tile)
    for share in setup.virtual:
        if share.name and Keyword.VIRTUAL not in rules.named(share.name).keywords:
            title = rules.named(share.name).title
            yield f"{title} is not Virtual: it goes to the Main Pool.", "3.VirtualPool.1"


def _names(setup: Setup) -> tuple[str, ...]:
    names = [share.name for share in (*setup.pool, *setup.virtual)]
    names += [name for seat in setup.seats for name in seat.hand]
    names += [name for _slot, name, _turns in setup.laid]
    return tuple(dict.fromkeys(name for name in names if name))


def _skips_more_than_one(effect: Effect) -> bool:
    return effect.deed is Deed.SKIP_TURN and effect.amount > 1


def _missing_virtual(rules: Rules, setup: Setup, tile: Tile) -> Iterator[tuple[str, str]]:
    there = {rules.named(share.name).name for share in (*setup.virtual, *setup.pool) if share.name}
    wanted = [effect.tile for effect in tile.effects if effect.deed is Deed.CREATE]
    for name in [*wanted, *tile.counterparts]:
        if rules.named(name).name not in there:
            title = rules.named(name).title
            yield f"{tile.title} creates {title}, and nobody brought one.", "3.Create.2"


def _marks(rules: Rules, setup: Setup) -> Iterator[tuple[str, str]]:
    for word, name in setup.marks:
        item = CHECKLIST.get(word)
        if item is not None and item.warns:
            out = " It stays out of the pool." if item.excludes else ""
            yield f"{rules.named(name).title} {item.text}.{out}", item.clause
