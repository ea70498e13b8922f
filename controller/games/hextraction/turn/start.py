"""Set-up: from what the players brought to the first turn, with warnings and tips (1.0, 1.2)."""

from collections.abc import Iterator
from typing import Final

from hextraction.controller.games.hextraction.cards.checklist import (
    CHECKLIST,
    SIX_CHECKS,
    excluded,
    excluding_clauses,
)
from hextraction.controller.games.hextraction.cards.tiles import UNKNOWN, Effect, Tile
from hextraction.controller.games.hextraction.state.move import Move, Rules
from hextraction.controller.games.hextraction.state.record import Record
from hextraction.controller.games.hextraction.state.state import Copy, Laid, Player, Seat, Setup, Share, State
from hextraction.controller.games.hextraction.turn.combos import join
from hextraction.controller.games.marked_names import marked
from msgspec.structs import replace

__all__ = ["advice", "check_setup", "ending", "start", "with_marked_names"]

# --- Set-up (1.0, 1.2) ---

_HAND = 3


def with_marked_names(setup: Setup) -> Setup:
    """Return a set-up as people are told of it: its players' names are marked."""
    seats = (replace(seat, name=marked(seat.name, seat.seat)) for seat in setup.seats)
    return replace(setup, seats=tuple(seats))


def check_setup(rules: Rules, setup: Setup) -> list[tuple[str, str]]:
    """Return all objections to starting, as (what, clause); empty if there are none."""
    return [*_seats(setup), *_board(setup), *_pool(rules, setup), *_hands(rules, setup)]


def unknown_tiles(rules: Rules, setup: Setup) -> tuple[str, ...]:
    """Return the names in a set-up that no tile has, once each. What nobody has named is not unknown."""
    shares = (share.name for share in (*setup.pool, *setup.virtual))
    laid = (name for _slot, name, _turns in setup.laid)
    names = dict.fromkeys([*shares, *laid, *(name for seat in setup.seats for name in seat.hand)])
    return tuple(name for name in names if name not in {"", UNKNOWN.name} and rules.named(name) is UNKNOWN)


def _seats(setup: Setup) -> Iterator[tuple[str, str]]:
    seats = [seat.seat for seat in setup.seats]
    if len(seats) < 2:
        yield f"a game needs two players, there {'is one' if seats else 'are none'}", "2.9.1.3"
    if len(set(seats)) != len(seats):
        yield "two players have the same seat", "1.0"
    if setup.first is not None and setup.first not in seats:
        yield f"nobody sits at {setup.first}, who should go first", "1.0.9"


def _board(setup: Setup) -> Iterator[tuple[str, str]]:
    if setup.board_owner is None and not setup.quick:
        yield "nobody is named as the owner of the board", "1.0.1"
    elif setup.board_owner is not None and setup.board_owner not in {seat.seat for seat in setup.seats}:
        yield f"nobody sits at {setup.board_owner}, whose board it should be", "1.0.1"


def _pool(rules: Rules, setup: Setup) -> Iterator[tuple[str, str]]:
    """Check that the pool can fill the board and give three tiles to each who picks none (1.0.4, R-70)."""
    shares = _main_pool(rules, setup)
    tiles = sum(share.count for share in shares if not excluded(setup.marks, share.name))
    blind = sum(3 for seat in setup.seats if not seat.hand)
    wanted = len(rules.board.slots) - len(setup.laid) + blind
    if tiles < wanted:
        short = f"{wanted - tiles} too few"
        yield f"the Main Pool holds {tiles} tiles, but needs {wanted}: {short}", "1.0.4"


def _main_pool(rules: Rules, setup: Setup) -> list[Share]:
    """Return what goes into the Main Pool, also tiles that are not Virtual after all (3.VirtualPool.1)."""

    def is_virtual(share: Share) -> bool:
        return rules.named(share.name).virtual

    return [*setup.pool, *(share for share in setup.virtual if not is_virtual(share))]


def _hands(rules: Rules, setup: Setup) -> Iterator[tuple[str, str]]:
    """Check opening hands: only who has brought tiles to the Main Pool picks one (1.0.6, 1.0.7)."""
    owners = {share.owner for share in _main_pool(rules, setup)} - {None}
    for seat in setup.seats:
        titles = [rules.tiles[name].title if name in rules.tiles else name for name in seat.hand]
        for title in dict.fromkeys(titles):
            if title and titles.count(title) > 1:
                yield f"{seat.name}'s opening hand holds {titles.count(title)} of {title}", "1.0.6"
        for name in dict.fromkeys(seat.hand):
            for clause in excluding_clauses(setup.marks, name):
                title = rules.named(name).title
                yield f"{seat.name}'s opening hand holds {title}, which stays out of the game", clause
        if seat.hand and len(seat.hand) != _HAND and not setup.quick:
            yield f"{seat.name}'s opening hand holds {len(seat.hand)} tiles, not three", "1.0.6"
        if seat.hand and owners and seat.seat not in owners:
            yield f"{seat.name} brought no tiles to the Main Pool and draws three at random", "1.0.7"


def start(rules: Rules, setup: Setup) -> State:
    """Return the state of the first turn. Hands not given are drawn blindly from the pool (1.0.7)."""
    box = _Box()
    laid = tuple(_lay(rules, box, slot, name, turns) for slot, name, turns in setup.laid)
    hands = {seat.seat: tuple(box.add(name, seat.seat) for name in seat.hand) for seat in setup.seats}
    pool, out = _sorted(box, setup, box.add_all(setup.pool))
    side, more_out = _sorted(box, setup, box.add_all(setup.virtual))
    virtual = tuple(copy for copy in side if rules.tile(box.copies[copy]).virtual)
    pool += tuple(copy for copy in side if copy not in virtual)  # 3.VirtualPool.1
    players = tuple(
        Player(seat=seat.seat, name=seat.name, colour=seat.colour, hand=hands[seat.seat], balls=seat.balls)
        for seat in setup.seats
    )
    combos = {name: tile.parts for name, tile in rules.tiles.items() if tile.parts}
    copies = join(box.copies, laid, combos)
    on: dict[int, tuple[str, ...]] = {ball: (slot,) for ball, slot in setup.balls.items()}
    layout = {slot: tile.copy for tile in laid for slot in tile.slots}
    state = State(
        config=setup.config,
        copies=copies,
        players=players,
        pool=pool,
        virtual=virtual,
        destroyed=(),
        laid=laid,
        active=setup.first or setup.seats[0].seat,
        rest=Record(on=on, last={ball: layout[slot] for ball, slot in setup.balls.items() if slot in layout}),
        power=setup.power,
        offline=not setup.power,
        at_us=setup.at_us,
        began_us=setup.at_us,
        turn_us=setup.at_us,
        chance=setup.chance,
        next_id=max(copies, default=0) + 1,
        board_owner=setup.board_owner,
        marks=setup.marks,
        played=setup.played or (),
        taken=out + more_out,
    )
    return _deal(rules, state)


class _Box:
    """Numbers every tile in the box, including those that begin in the Virtual Pool (1.0.5, 3.Virtual.1)."""

    def __init__(self) -> None:
        self.copies: dict[int, Copy] = {}

    def add(self, name: str, owner: str | None) -> int:
        number = len(self.copies) + 1
        self.copies[number] = Copy(id=number, name=name, owner=owner)
        return number

    def add_all(self, shares: tuple[Share, ...]) -> tuple[int, ...]:
        return tuple(self.add(share.name, share.owner) for share in shares for _copy in range(share.count))


def _sorted(box: _Box, setup: Setup, copies: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the copies that come into play, and those that the checklist excludes (0.1.5, 0.2.5, 0.2.6)."""
    out = tuple(copy for copy in copies if excluded(setup.marks, box.copies[copy].name))
    return tuple(copy for copy in copies if copy not in out), out


def _lay(rules: Rules, box: _Box, slot: str, name: str, turns: int) -> Laid:
    copy = box.add(name, None)
    slots = [slot]
    for edge in rules.tile(box.copies[copy]).covers:
        over = rules.board.neighbour(slot, (edge - 1 + turns) % 6 + 1)
        if over is not None:
            slots.append(over)
    return Laid(copy=copy, slots=tuple(slots), turns=turns)


def _deal(rules: Rules, state: State) -> State:
    """Draw three tiles for everybody without an opening hand; read Overdrive for the first time (R-48)."""
    move = Move(rules, state)
    for player in state.players:
        hand: tuple[int, ...] = player.hand
        while not player.hand and len(hand) < _HAND and move.state.pool:
            pool, place = move.state.pool, move.luck(len(move.state.pool))
            move.set(pool=pool[:place] + pool[place + 1 :])
            hand = (*hand, pool[place])
        move.set_player(player.seat, hand=hand)
    move.set(overdrive=not move.open_slots())
    return move.state


# --- What a table should know before it starts, though none of it stops the game (0.1, 0.2, 1.0 … 1.2)
# ---
#
# Advice is a list of (text, clause): warnings first, then tips for every game.

_BALLS_EACH: Final = 3
_WEAK: Final = (
    "A ball that no magnet attracts may lie unseen. Put one on a slot and watch whether its sensor notices."
)
_TIPS: Final = (
    ("Keep the Main Pool in a bag or box, so that nobody sees what they draw.", "1.0.8"),
    ("Balls all look alike. You may go home with somebody else's.", "1.1.3"),
    ("If you use a rack, everybody must see a bit of the back or side of each tile.", "1.2.4"),
    (SIX_CHECKS, "0.2"),
)


def advice(rules: Rules, setup: Setup) -> list[tuple[str, str]]:
    """Return warnings and tips about a set-up, each with its clause."""
    return [*_owners(rules, setup), *_balls(setup), *_tiles(rules, setup), *_marks(rules, setup), *_TIPS]


def _owners(rules: Rules, setup: Setup) -> Iterator[tuple[str, str]]:
    names = {seat.seat: seat.name for seat in setup.seats}
    if setup.board_owner is None:
        yield "Nobody is named as the owner of the board.", "1.0.1"
    if len(setup.boards) > 1 and setup.board_owner is None:
        offered = " and ".join(names.get(seat, seat) for seat in setup.boards)
        yield (
            (
                f"Several boards are here: {offered}. Guess a number. The nearest guess that is not "
                "too high wins."
            ),
            "1.0.2",
        )
    brought = {share.owner for share in _main_pool(rules, setup)}
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
        if share.name and not rules.named(share.name).virtual:
            title = rules.named(share.name).title
            yield f"{title} is not Virtual: it goes to the Main Pool.", "3.VirtualPool.1"


def _names(setup: Setup) -> tuple[str, ...]:
    names = [share.name for share in (*setup.pool, *setup.virtual)]
    names += [name for seat in setup.seats for name in seat.hand]
    names += [name for _slot, name, _turns in setup.laid]
    return tuple(dict.fromkeys(name for name in names if name))


def _skips_more_than_one(effect: Effect) -> bool:
    return effect.deed.decrees == "skips" and effect.amount > 1


def _missing_virtual(rules: Rules, setup: Setup, tile: Tile) -> Iterator[tuple[str, str]]:
    there = {rules.named(share.name).name for share in (*setup.virtual, *setup.pool) if share.name}
    there |= {rules.named(name).name for seat in setup.seats for name in seat.hand if name}
    wanted = [effect.tile for effect in tile.effects if effect.deed.creates]
    for name in [*wanted, *tile.counterparts]:
        if rules.named(name).name not in there:
            title = rules.named(name).title
            yield f"{tile.title} creates {title}, and nobody brought one.", "3.Create.2"
        elif name in wanted:
            for owner in _who_lack(rules, setup, tile.name, name):
                said = f"{owner} brings {tile.title}, but not {rules.named(name).title}, which it creates."
                yield said, "3.Create.2"


def _who_lack(rules: Rules, setup: Setup, creates: str, created: str) -> list[str]:
    """Return who brings a tile that creates another one, and not that one: others' copies are not theirs."""

    def brings(seat: Seat, name: str) -> bool:
        shares = [share.name for share in (*setup.pool, *setup.virtual) if share.owner == seat.seat]
        own = {rules.named(one).name for one in (*shares, *seat.hand) if one}
        return rules.named(name).name in own

    return [seat.name for seat in setup.seats if brings(seat, creates) and not brings(seat, created)]


def _marks(rules: Rules, setup: Setup) -> Iterator[tuple[str, str]]:
    for word, name in setup.marks:
        item = CHECKLIST.get(word)
        if item is not None and item.warns:
            out = " It stays out of the pool." if item.excludes else ""
            yield f"{rules.named(name).title} {item.text}.{out}", item.clause


# --- How a game ended, in a word or two, by the clause that was told last ---

_ENDINGS: Final = {
    "2.9.1.1": "end zone",
    "2.9.1.2": "win effect",
    "2.9.1.3": "last standing",
    "R-27": "everybody lost",
    "2.8.3.1": "board taken home",
    "2.10.1": "stalemate",
}


def ending(state: State, clause: str) -> str:
    """Return how a game ended, for statistics; the clause itself if it has no name here."""
    if clause == "2.9.1.3" and all(player.conceded for player in state.players if player.out):
        return "others conceded"
    return _ENDINGS.get(clause, clause)
