"""Set-up: from what the players brought to the first turn (1.0, 1.2)."""

from collections.abc import Iterator

from hextraction.board.tiles import Keyword
from hextraction.controller.games.hextraction.checklist import excluded
from hextraction.controller.games.hextraction.combos import join
from hextraction.controller.games.hextraction.move import Move, Rules
from hextraction.controller.games.hextraction.record import Record
from hextraction.controller.games.hextraction.state import Copy, Laid, Player, State
from hextraction.controller.games.hextraction.wanted import Setup, Share

__all__ = ["check_setup", "start"]

_HAND = 3


def check_setup(rules: Rules, setup: Setup) -> list[tuple[str, str]]:
    """Return everything that speaks against starting, as (what, clause); empty if nothing does."""
    return [*_seats(setup), *_board(setup), *_pool(rules, setup), *_hands(setup)]


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
    """The pool must fill the board and give three tiles to each player who picks none (1.0.4, R-70)."""
    tiles = sum(share.count for share in setup.pool if not excluded(setup.marks, share.name))
    blind = sum(3 for seat in setup.seats if not seat.hand)
    wanted = len(rules.board.slots) - len(setup.laid) + blind
    if tiles < wanted:
        short = f"{wanted - tiles} too few"
        yield f"the Main Pool holds {tiles} tiles, but needs {wanted}: {short}", "1.0.4"


def _hands(setup: Setup) -> Iterator[tuple[str, str]]:
    owners = {share.owner for share in (*setup.pool, *setup.virtual)} - {None}
    for seat in setup.seats:
        for name in dict.fromkeys(seat.hand):
            if name and seat.hand.count(name) > 1:
                yield f"{seat.name}'s opening hand holds {seat.hand.count(name)} of {name}", "1.0.6"
        if seat.hand and len(seat.hand) != _HAND and not setup.quick:
            yield f"{seat.name}'s opening hand holds {len(seat.hand)} tiles, not three", "1.0.6"
        if seat.hand and owners and seat.seat not in owners:
            yield f"{seat.name} brought no tiles and draws three at random", "1.0.7"


def start(rules: Rules, setup: Setup) -> State:
    """Make the state of the first turn. Hands that are not given are drawn blindly from the pool (1.0.7)."""
    box = _Box()
    laid = tuple(_lay(rules, box, slot, name, turns) for slot, name, turns in setup.laid)
    hands = {seat.seat: tuple(box.add(name, seat.seat) for name in seat.hand) for seat in setup.seats}
    pool, out = _sorted(box, setup, box.add_all(setup.pool))
    side, more_out = _sorted(box, setup, box.add_all(setup.virtual))
    virtual = tuple(copy for copy in side if Keyword.VIRTUAL in rules.tile(box.copies[copy]).keywords)
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
        chance=setup.chance,
        next_id=max(copies, default=0) + 1,
        board_owner=setup.board_owner,
        marks=setup.marks,
        taken=out + more_out,
    )
    return _deal(rules, state)


class _Box:
    """Numbers every tile in the box, also those that begin in the Virtual Pool (1.0.5, 3.Virtual.1)."""

    def __init__(self) -> None:
        self.copies: dict[int, Copy] = {}

    def add(self, name: str, owner: str | None) -> int:
        number = len(self.copies) + 1
        self.copies[number] = Copy(id=number, name=name, owner=owner)
        return number

    def add_all(self, shares: tuple[Share, ...]) -> tuple[int, ...]:
        return tuple(self.add(share.name, share.owner) for share in shares for _copy in range(share.count))


def _sorted(box: _Box, setup: Setup, copies: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the copies that come into play, and those that the checklist keeps out (0.1.5, 0.2.5, 0.2.6)."""
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
            drawn = move.state.pool[move.luck(len(move.state.pool))]
            move.set(pool=tuple(copy for copy in move.state.pool if copy != drawn))
            hand = (*hand, drawn)
        move.set_player(player.seat, hand=hand)
    move.set(overdrive=not move.open_slots())
    return move.state
