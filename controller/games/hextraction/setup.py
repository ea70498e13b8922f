"""Set-up: from what the players brought to the first turn (1.0, 1.2)."""

from hextraction.controller.games.hextraction.combos import join
from hextraction.controller.games.hextraction.move import Move, Rules
from hextraction.controller.games.hextraction.record import Record
from hextraction.controller.games.hextraction.state import Copy, Laid, Player, State
from hextraction.controller.games.hextraction.wanted import Setup, Share

__all__ = ["check_setup", "start"]

_HAND = 3


def check_setup(rules: Rules, setup: Setup) -> list[tuple[str, str]]:
    """Return everything that speaks against starting, as (what, clause); empty if nothing does."""
    problems = []
    seats = [seat.seat for seat in setup.seats]
    if len(seats) < 2:
        problems.append((f"a game needs two players, there {'is one' if seats else 'are none'}", "2.9.1.3"))
    if len(set(seats)) != len(seats):
        problems.append(("two players have the same seat", "1.0"))
    tiles = sum(share.count for share in setup.pool)
    blind = sum(3 for seat in setup.seats if not seat.hand)
    wanted = len(rules.board.slots) - len(setup.laid) + blind
    if tiles < wanted:
        problems.append((f"the Main Pool holds {tiles} tiles, but needs {wanted}", "1.0.4"))
    if setup.first is not None and setup.first not in seats:
        problems.append((f"nobody sits at {setup.first}, who should go first", "1.0.9"))
    problems += [
        (f"{seat.name}'s opening hand holds {seat.hand.count(name)} of {name}", "1.0.6")
        for seat in setup.seats
        for name in dict.fromkeys(seat.hand)
        if name and seat.hand.count(name) > 1
    ]
    return problems


def start(rules: Rules, setup: Setup) -> State:
    """Make the state of the first turn. Hands that are not given are drawn blindly from the pool (1.0.7)."""
    box = _Box()
    laid = tuple(_lay(rules, box, slot, name, turns) for slot, name, turns in setup.laid)
    hands = {seat.seat: tuple(box.add(name, seat.seat) for name in seat.hand) for seat in setup.seats}
    pool = box.add_all(setup.pool)
    virtual = box.add_all(setup.virtual)
    players = tuple(
        Player(seat=seat.seat, name=seat.name, colour=seat.colour, hand=hands[seat.seat])
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
    )
    return _deal(rules, state)


class _Box:
    """Numbers every tile in the box."""

    def __init__(self) -> None:
        self.copies: dict[int, Copy] = {}

    def add(self, name: str, owner: str | None) -> int:
        number = len(self.copies) + 1
        self.copies[number] = Copy(id=number, name=name, owner=owner)
        return number

    def add_all(self, shares: tuple[Share, ...]) -> tuple[int, ...]:
        return tuple(self.add(share.name, share.owner) for share in shares for _copy in range(share.count))


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
