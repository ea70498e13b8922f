"""What people may say to each other about the game, as exact options: disputes, cards, taking things back.

Only what is likely is offered; ``step`` hears more of it (any slot for a ball, any pool for a tile).
"""

from collections.abc import Iterator

from hextraction.controller.games.hextraction import cards, correcting, overruling, preparing, reclaiming
from hextraction.controller.games.hextraction.checklist import CHECKLIST, has_mark
from hextraction.controller.games.hextraction.move import Move
from hextraction.controller.games.hextraction.state import Phase
from hextraction.controller.games.protocol import Option

__all__ = ["parting", "table_talk"]

_ROLLING = frozenset({Phase.RELEASING, Phase.ROLLING, Phase.RESOLVING, Phase.SETTLING})


def table_talk(move: Move, seat: str) -> list[Option]:
    """Return what a seat may propose or ask for now."""
    found = [*_cards(move, seat), *_jams(move)]
    if preparing.can_adjust(move, seat) is None:
        found.append(_option("adjust", "Set the moving parts", "2.2.3"))
    asked = {ask.kind for ask in move.state.asks}
    if "undo" not in asked and move.state.last is not None and move.state.last_seat == seat:
        found.append(_option("undo", "Take that back", "0.0"))
    if "flick" not in asked and _can_dispute(move):
        found.append(_option("flick", "The ball was pushed", "2.1.1.1"))
    if "overrule" not in asked:
        found += _restorations(move)
    if "contend" not in asked and move.state.roll is not None and correcting.can_contend(move):
        found += _fates(move)
    if "flag" not in asked:
        found += _flags(move)
    return found


def _option(word: str, label: str, clause: str, *, at: str | None = None, **act: object) -> Option:
    return Option(group=word, label=label, act={"do": word, **act}, slot=at, clause=clause)


def _can_dispute(move: Move) -> bool:
    roll = move.state.roll
    return roll is not None and not roll.dead and move.state.phase in _ROLLING


def _cards(move: Move, seat: str) -> Iterator[Option]:
    for laid in move.state.laid:
        if cards.can_ask(move, seat, laid.copy) is None:
            label = f"Ask for the card of {move.title(laid.copy)} at {laid.slots[0]}"
            yield _option("rules", label, "2.5.1", at=laid.slots[0], tile=laid.copy)
    for copy in move.player(seat).hand:
        if cards.can_ask(move, seat, copy) is None:
            yield _option("rules", f"Ask for the card of {move.title(copy)}", "2.5.1", tile=copy)


def _jams(move: Move) -> Iterator[Option]:
    asked = any(ask.kind == "jammed" for ask in move.state.asks)
    for slot in dict.fromkeys(move.state.to_lift):
        if slot not in move.state.blocked and not asked:
            yield _option("jammed", f"The tile in {slot} does not come out", "0.1.9", at=slot, slot=slot)


def _restorations(move: Move) -> Iterator[Option]:
    for grave in overruling.restorable(move):
        slot = grave.slots[0]
        label = f"The table decides otherwise: {move.title(grave.copy)} stays at {slot}"
        yield _option("overrule", label, "0.0", at=slot, tile=grave.copy, to=slot, turns=grave.turns)


def _fates(move: Move) -> Iterator[Option]:
    now = move.record()
    zones = [(zone.name, f"is in the {zone.title}") for zone in move.board.zones]
    for ball in now.trails:
        fates = [("off", "left over the side"), ("fell", "fell through"), *zones]
        if _known(move, ball):
            for place, words in fates:
                yield _option("contend", f"Ball {ball} {words}", "R-14", ball=ball, place=place)


def _known(move: Move, ball: int) -> bool:
    now = move.record()
    return ball in {*now.on, *now.zones, *now.ramps, *now.fell, *(lost for lost, _copy in now.lost)}


def _flags(move: Move) -> Iterator[Option]:
    harms = CHECKLIST["harms"]
    for laid in move.state.laid:
        tile = move.tile(laid.copy)
        if tile.effects and not has_mark(move.state.marks, "harms", tile.name):
            label = f"{tile.title} {harms.text}: strike its effects"
            yield _option("flag", label, harms.clause, at=laid.slots[0], slot=laid.slots[0], item="harms")


def parting(move: Move, seat: str) -> list[Option]:
    """Return what a player who has lost may take back; leaving it all until the end comes first (2.8.4.1)."""
    state = move.state
    busy = state.vote is not None or state.paused_us is not None or state.asks
    if busy or not reclaiming.can_reclaim(move, seat):
        return []
    found = [_option("reclaim", "Leave my stuff until the end", "2.8.4.1", what="leave")]
    if reclaiming.owns_tiles(move, seat):
        found.append(_option("reclaim", "Take my tiles back", "2.8.3.2", what="tiles"))
    if reclaiming.balls_due(move, seat):
        lying = dict.fromkeys(slots[0] for slots in move.record().on.values() if slots)
        found += [
            _option("reclaim", f"Take a ball from {slot}", "2.8.3.3", at=slot, what="ball", slot=slot)
            for slot in lying
        ]
    if move.state.board_owner == seat:
        found.append(_option("reclaim", "Call the game a draw", "2.8.3.1", what="draw"))
    return found
