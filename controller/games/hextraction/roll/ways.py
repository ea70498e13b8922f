"""Whether a ball can have come to the end zone where people tell it is: open slots are holes (2.1.5.1, R-50).

A tap on an end zone wins a game, and a thumb slips. So if no tiles lead to an end zone from where
the ball was last told, whoever told it is asked, and nothing is won before the answer. It stays a question,
for people have seen the ball and the board has not. And it is seldom asked: a step from any tile to any tile
beside it is a way, whatever channels they have and however little was told between ramp and end zone.
"""

from collections.abc import Iterator

from hextraction.board.profile import Board
from hextraction.controller.games.hextraction.cards.tiles import UNKNOWN
from hextraction.controller.games.hextraction.state.move import Move
from hextraction.controller.games.hextraction.state.questions import Heir, QuestionKind, Stands, Undo
from hextraction.controller.games.hextraction.state.record import Record
from hextraction.controller.games.hextraction.state.state import Ask, Matter, Phase, Roll
from msgspec.structs import replace

__all__ = ["NO_WAY", "ask_if_no_way", "drop_moot"]


class ToldInZone(Matter, frozen=True, kw_only=True):
    """A ball that ``teller`` says is in an end zone, and where it was before: in contact, or on its ramp."""

    ball: int
    teller: str
    on: tuple[str, ...]
    ramp: str


def ask_if_no_way(move: Move, seat: str, ball: int, before: Record) -> None:
    """Ask the seat that told a ball to be in an end zone, if no way over tiles leads there.

    Not if it was there already, if it cannot win, or if all others will have to confirm it anyway (R-49).
    """
    roll = move.state.roll
    if roll is None or roll.dead or roll.account or move.state.config.launcher:
        return
    known = ball in before.zones or ball in before.fell  # what fell wins nothing, and comes out below
    if known or _anything_goes(move, roll) or _leads_to_a_zone(move.board, roll, before, ball):
        return
    told = ToldInZone(ball=ball, teller=seat, on=before.on.get(ball, ()), ramp=before.ramps.get(ball, ""))
    slots = tuple(_last_places(move.board, before, ball))
    slot = slots[-1] if slots else ""
    text = "No tiles lead to an end zone. Is the ball really there?"
    if told.ramp:
        text = f"No tiles lead from ramp {told.ramp} to an end zone. Is the ball really there?"
    elif slot:
        text = f"No tiles lead from {slot} to an end zone. Is the ball really there?"
    choices = [("yes", "Yes, it is there"), ("no", "No, that was a slip")]
    NO_WAY.ask(move, seat, text, "R-23", choices, told, slots=slots)


def _anything_goes(move: Move, roll: Roll) -> bool:
    """Whether balls may come anywhere in this roll: hands or tiles moved them, or nobody knows a tile."""
    if roll.loose or roll.carried:
        return True
    copies = {copy for _since_us, layout in roll.layouts for copy in layout.values()}
    tiles = [move.tile(copy) for copy in copies]
    return any(tile is UNKNOWN or any(one.deed.leaps for one in tile.effects) for tile in tiles)


def _leads_to_a_zone(board: Board, roll: Roll, before: Record, ball: int) -> bool:
    """Whether a way over tiles leads to an end zone from where a ball of the roll was told last.

    Tiles count that lay there at any time of it, and so do its other balls: all look alike (1.1.3).
    """
    laid = {slot for _since_us, layout in roll.layouts for slot in layout}
    new = [slot for one in {ball, *before.ramps, *before.trails} for slot in _last_places(board, before, one)]
    found = laid.intersection(new)
    new = list(found)
    while new:
        beside = laid.intersection(board.neighbours(new.pop())) - found
        found |= beside
        new += beside
    return any(slot in found for zone in board.zones for slot, _edge in zone.outlets)


def _last_places(board: Board, now: Record, ball: int) -> Iterator[str]:
    """Yield the slots in which a ball was told last, or the one to which its ramp leads."""
    if now.on.get(ball):
        yield from now.on[ball]
    elif ball in now.ramps:
        ramp = board.ramp_by_name.get(now.ramps[ball])
        yield from (ramp.slot,) if ramp is not None else ()
    elif ball in now.trails:
        yield now.trails[ball][-1]
    elif ball in now.left:
        yield now.left[ball]


def _answer_no_way(move: Move, _ask: Ask, told: ToldInZone, choice: str) -> None:
    """Let what was told stand, or put the ball back where it was, for people to tell on."""
    roll = move.state.roll
    if choice == "yes" or roll is None:
        return
    now, ball, layout = roll.record, told.ball, move.layout()
    zones = {other: zone for other, zone in now.zones.items() if other != ball}
    entered = tuple(other for other in now.entered_zone if other != ball)
    on = tuple(slot for slot in told.on if slot in layout)
    now = replace(now, zones=zones, entered_zone=entered)
    if on:
        now = replace(now, on={**now.on, ball: on})
    elif told.ramp:
        now = replace(now, ramps={**now.ramps, ball: told.ramp})
    tapped = list(roll.tapped)
    if told.teller in tapped:
        tapped.remove(told.teller)
    move.set_roll(record=now, tapped=tuple(tapped), told=True, astir=True, since_us=move.state.at_us)
    move.say("correct", "The ball is in no end zone. Tap where it went.", ball=ball, clause="R-50")
    if move.state.phase is Phase.RESOLVING:  # all was told to lie still, but this one moves yet (2.3.1)
        move.set(phase=Phase.ROLLING)


NO_WAY = QuestionKind(
    word="no_way",
    about=ToldInZone,
    hear=_answer_no_way,
    stands=Stands.WHILE_IT_COUNTS,
    undo=Undo.AS_BEFORE,
    heir=Heir.ANYBODY,
    answers=("yes", "no"),
    ended_by=("attest",),
)


def drop_moot(move: Move) -> None:
    """Withdraw the question about a ball that is in no end zone any more, or wins nothing by it."""
    roll = move.state.roll
    alive = roll is not None and not roll.dead
    NO_WAY.drop(move, lambda told: not alive or told.ball not in move.record().zones)
