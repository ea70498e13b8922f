"""How a game goes on: whose turn it is, who is out, who holds the bonus tiles, and the end that must come."""

from collections.abc import Iterable
from typing import Final

from hextraction.controller.games.extraction.land.goods import NOBODY
from hextraction.controller.games.extraction.land.places import LONGEST, longest
from hextraction.controller.games.extraction.land.possible import dry, has_move
from hextraction.controller.games.extraction.land.standing import in_game, lies, points
from hextraction.controller.games.extraction.land.state import Ask, State
from hextraction.controller.games.extraction.turn.doing import US, tell, with_player
from hextraction.controller.games.hexagon.field import Field
from hextraction.controller.games.hexagon.pieces import declared
from hextraction.controller.games.hexagon.telling import listed
from hextraction.controller.games.protocol import Effect
from msgspec.structs import replace

__all__ = [
    "ARMY",
    "begin_turn",
    "ended_idle",
    "finish",
    "goes_out",
    "next_turn",
    "play_on",
    "relaid",
    "settle_army",
    "settle_route",
    "without_turns_of",
]

ARMY: Final = 3
"""So many knights are a Largest Army."""


def relaid(field: Field, state: State, changed: Iterable[str]) -> State:
    """Return the state after hexes of these slots were declared to be turned over."""
    watch = declared(state.watch, lies(field, state), changed, on=state.power)
    return replace(state, watch=watch)


# --- bonus tiles and points ---


def settle_route(state: State, said: list[Effect]) -> State:
    """Give the Longest Route to whom it belongs after roads or buildings have changed (1.4)."""
    lengths = [
        0 if one.left else longest(state.buildings, state.roads, number)
        for number, one in enumerate(state.players)
    ]
    holder, best = state.route, max(lengths)
    if holder != NOBODY and lengths[holder] < LONGEST:
        tell(said, "route", f"{state.players[holder].name} gives the Longest Route back.", "1.4")
        holder = NOBODY
    asked = [(state.mover + step) % len(state.players) for step in range(len(state.players))]
    if holder == NOBODY and best >= LONGEST:
        holder = next(number for number in asked if lengths[number] >= LONGEST)
    if state.setup.overtake and holder != NOBODY and best > lengths[holder]:
        holder = next(number for number in asked if lengths[number] == best)
    if holder not in {state.route, NOBODY}:
        one = state.players[holder]
        text = f"{one.name} takes the Longest Route with {lengths[holder]} roads."
        tell(said, "route", text, "1.4", seat=one.seat)
    return replace(state, route=holder)


def settle_army(state: State, said: list[Effect]) -> State:
    """Give the Largest Army to who has played the most knights, three at least (1.4).

    Only more knights take it from somebody; if who had it has left, whoever alone has the most gets it.
    """
    knights = [0 if one.left else one.knights for one in state.players]
    most = max(knights)
    before = ARMY - 1 if state.army == NOBODY else knights[state.army]
    if most <= before or knights.count(most) > 1:
        return state
    holder = knights.index(most)
    one = state.players[holder]
    text = f"{one.name} takes the Largest Army with {most} knights."
    tell(said, "army", text, "1.4", seat=one.seat)
    return replace(state, army=holder)


# --- turns ---


def begin_turn(state: State, said: list[Effect]) -> State:
    """Begin the turn of whoever is next; who can do nothing any more is out (1.6)."""
    state = replace(
        state,
        phase="before",
        dice=(),
        gains=(),
        free_roads=0,
        card_played=False,
        attacked=(),
        made=(0,) * len(state.players),
        active_turn=False,
        began_dry=dry(state),
        attack=None,
        offers=(),
        refused=None,
        picked="",
    )
    if has_move(state, state.mover):
        return state
    others = [number for number in in_game(state) if number != state.mover]
    if state.setup.keep_in and others:
        number = state.asked + 1
        return replace(state, ask=Ask(number=number, about=state.mover), asked=number)
    return goes_out(state, said)


def goes_out(state: State, said: list[Effect]) -> State:
    """Take the player whose turn it is out of the game, for good; the next one's turn begins."""
    text = f"{state.active.name} has no moves left and is out. Buildings and points stay."
    tell(said, "out", text, "1.6", seat=state.active.seat)
    state = with_player(without_turns_of(state, state.mover), state.mover, out=True)
    return _to_next(replace(state, turn=max(1, state.turn - 1)), said)  # who is out had no turn


def without_turns_of(state: State, number: int) -> State:
    """Forget the turns of somebody who goes out or leaves, where turns on end are counted (1.6).

    A round is a turn of everybody who is in: without this, those who go would shorten it for the others.
    """
    seats = in_game(state)
    if number not in seats:
        return state
    back = (seats.index(state.mover) - seats.index(number)) % len(seats) or len(seats)

    def rest(turns: int) -> int:
        rounds, more_turns = divmod(turns, len(seats))
        return turns - rounds - (back <= more_turns)

    return replace(state, dry=rest(state.dry), idle=rest(state.idle), still=rest(state.still))


def _to_next(state: State, said: list[Effect]) -> State:
    if not in_game(state):
        return finish(state, "No moves are left.", "all out", said)
    mover = (state.mover + 1) % len(state.players)
    while state.players[mover].out:
        mover = (mover + 1) % len(state.players)
    return begin_turn(replace(state, mover=mover, turn=state.turn + 1), said)


def next_turn(state: State, said: list[Effect]) -> State:
    """End a turn: count how long nothing has happened, and end the game if that is long enough (1.6)."""
    barren = state.began_dry and dry(state)
    turn = 0 if state.active.out else 1  # that of somebody who has left in it is none of anybody's round
    state = replace(
        state,
        dry=state.dry + turn if barren else 0,
        idle=state.idle + turn if barren and not state.active_turn else 0,
        still=0 if state.active_turn else state.still + turn,
    )
    playing, setup = max(1, len(in_game(state))), state.setup
    if state.dry >= setup.post_depletion_rounds * playing:
        return finish(state, "The land has given nothing for too long.", "land is spent", said)
    if state.idle >= playing and not state.plays_on and in_game(state):
        return _ask_for_end(state)
    if state.still >= setup.still_rounds * playing:
        return finish(state, "Nothing has happened for too long.", "standstill", said)
    return _to_next(state, said)


def _ask_for_end(state: State) -> State:
    """Ask those who are in, once, whether the game is over: somebody may yet mean to do something (1.6)."""
    number = state.asked + 1
    until_us = state.at_us + state.setup.offer_s * US
    ask = Ask(number=number, about=state.mover, kind="end", until_us=until_us)
    return replace(state, ask=ask, asked=number, offers=())


def ended_idle(state: State, said: list[Effect]) -> State:
    """End the game after nobody has objected."""
    why = "The land is used up, and nobody did anything for a whole round."
    return finish(replace(state, ask=None), why, "idle", said)


def play_on(state: State, said: list[Effect]) -> State:
    """Go on after somebody has objected to the end: it is not asked again (1.6)."""
    tell(said, "kept", "The game goes on.", "1.6")
    return _to_next(replace(state, ask=None, idle=0, plays_on=True), said)


def finish(state: State, why: str, ended: str, said: list[Effect]) -> State:
    """End the game: most points win, and a tie is shared (1.6)."""
    staying = [number for number, one in enumerate(state.players) if not one.left]
    scores = {number: points(state, number) for number in staying}
    best = max(scores.values())
    won = [state.players[number] for number in staying if scores[number] == best]
    winners = listed([one.name for one in won])
    outcome = f"{why} {winners} {'win' if len(won) > 1 else 'wins'} with {best} points."
    all_of_them = ", ".join(f"{state.players[number].name} {scores[number]}" for number in staying)
    seat = won[0].seat if len(won) == 1 else None
    tell(said, "win", f"{outcome} ({all_of_them})", "1.6", seat=seat)
    return replace(
        state,
        winners=tuple(one.seat for one in won),
        outcome=outcome,
        ended=ended,
        offers=(),
        ask=None,
        picked="",
    )
