"""What a seat may see and do: its hand, exact options, table talk, and the questions put to it.

An option is listed only if ``step`` would accept it now; a property test checks that. The hand is secret
(1.2.1, R-65): nothing here goes to another seat.
"""

from collections.abc import Iterable, Iterator

import msgspec
from hextraction.controller.games.hextraction.cards.checklist import CHECKLIST, has_mark
from hextraction.controller.games.hextraction.cards.tiles import Tile
from hextraction.controller.games.hextraction.lay import legal_slots, ramps
from hextraction.controller.games.hextraction.lay.making_room import every_kind, nameable, ways
from hextraction.controller.games.hextraction.roll import commit, looping, rolling
from hextraction.controller.games.hextraction.roll.lost_balls import BallMissing
from hextraction.controller.games.hextraction.shown import views
from hextraction.controller.games.hextraction.state.deeds import OfEffect
from hextraction.controller.games.hextraction.state.move import Move
from hextraction.controller.games.hextraction.state.questions import TileOut, kind_of
from hextraction.controller.games.hextraction.state.state import Ask, Depth, Phase, Play
from hextraction.controller.games.hextraction.talk import (
    arranging,
    asking,
    correcting,
    leaving,
    light,
    overruling,
    whole_position,
)
from hextraction.controller.games.hextraction.talk.voting import awaited, cooling, may_vote
from hextraction.controller.games.hextraction.turn import cards, flagging, preparing, triggers, turns
from hextraction.controller.games.scene import Option, PrivateView, Prompt

__all__ = ["parting", "private", "prompts", "table_talk"]

# --- Table talk: disputes, cards, taking things back ---
#
# Only what is likely is offered; ``step`` accepts more (any slot for a ball, any pool for a tile).

_ROLLING = frozenset({Phase.RELEASING, Phase.ROLLING, Phase.RESOLVING, Phase.SETTLING})
_CORRECTED = _ROLLING | {Phase.PLACING, Phase.SEATING}


def table_talk(move: Move, seat: str) -> list[Option]:
    """Return what a seat may propose or ask for now."""
    found = [*_cards(move, seat), *_jams(move)]
    if preparing.can_adjust(move, seat) is None:
        found.append(_option("adjust", "Set the moving parts", "2.2.3"))
    may_undo = move.state.last is not None and move.state.last_seat == seat
    if light.may_untap(move.state, seat):
        found.append(_option("undo", "Undo my last tap", "0.0"))
    elif may_undo and not overruling.UNDO.is_open(move):
        found.append(_option("undo", "Take that back", "0.0"))
    if not correcting.FLICK.is_open(move) and _may_be_pushed(move):
        found.append(_option("flick", "The ball was pushed", "2.1.1.1"))
    found += _fallen(move)
    if not overruling.OVERRULE.is_open(move):
        found += _restorations(move)
    if not correcting.CONTEND.is_open(move) and move.state.roll is not None and correcting.can_contend(move):
        found += _fates(move)
    if not correcting.CORRECT.is_open(move) and move.state.phase in _CORRECTED:
        found += _touches_of_gone(move)
    if not flagging.FLAG.is_open(move):
        found += _flags(move)
    return found


def _option(word: str, label: str, clause: str, *, at: str | None = None, **act: object) -> Option:
    return Option(group=word, label=label, act={"do": word, **act}, slot=at, clause=clause)


def _may_be_pushed(move: Move) -> bool:
    """Whether somebody let a ball go in the roll that is on (2.1.1.1)."""
    roll = move.state.roll
    return roll is not None and not roll.dead and not roll.loose and move.state.phase in _ROLLING


def _cards(move: Move, seat: str) -> Iterator[Option]:
    for laid in move.state.laid:
        if cards.can_ask(move, seat, laid.copy) is None:
            label = f"Ask for the card of {move.title(laid.copy)} at {laid.slot}"
            yield _option("rules", label, "2.5.1", at=laid.slot, tile=laid.copy)
    for copy in move.player(seat).hand:
        if cards.can_ask(move, seat, copy) is None:
            yield _option("rules", f"Ask for the card of {move.title(copy)}", "2.5.1", tile=copy)


def _jams(move: Move) -> Iterator[Option]:
    if not flagging.JAMMED.is_open(move):
        for slot in flagging.maybe_stuck(move):
            yield _option("jammed", f"The tile in {slot} does not come out", "0.1.9", at=slot, slot=slot)


def _fallen(move: Move) -> Iterator[Option]:
    """Offer to say that an installed tile is out of its slot, where no sensor would (2.4.3, R-43)."""
    asked = {slot for ask in move.state.asks if isinstance(ask.about, TileOut) for slot in ask.slots}
    for laid in () if move.sees_tiles() else move.state.laid:
        if asked.isdisjoint(laid.slots):
            label = f"{move.title(laid.copy)} is out of {laid.slot}"
            yield _option("fallen", label, "2.4.3", at=laid.slot, slot=laid.slot)


def _restorations(move: Move) -> Iterator[Option]:
    for grave in overruling.restorable(move):
        slot = grave.slot
        label = f"The table decides otherwise: {move.title(grave.copy)} stays at {slot}"
        yield _option("overrule", label, "0.0", at=slot, tile=grave.copy, to=slot, turns=grave.turns)


def _fates(move: Move) -> Iterator[Option]:
    now = move.record()
    if move.state.depth is Depth.SCORE:  # nothing else of a ball is told
        for ball in now.zones:
            yield _option("contend", "It was no goal", "R-14", ball=ball, place="off")
    zones = [(zone.name, f"is in the {zone.title}") for zone in move.board.zones]
    fates = [("off", "left over the side"), ("fell", "fell through"), *zones]
    balls = [ball for ball in {**now.trails, **now.zones} if _known(move, ball)]
    for ball in balls:
        for place, words in fates:
            label = f"Ball {ball} {words}" if balls[1:] else f"The ball {words}"
            yield _option("contend", label, "R-14", ball=ball, place=place)


def _touches_of_gone(move: Move) -> Iterator[Option]:
    """Offer fewer touches of tiles that lie on the board no more; of all others phones offer any number."""
    for copy, slot, often in correcting.gone(move):
        called = move.called(copy, slot)
        yield _option("correct", f"{called} was not touched", "R-14", slot=slot, touches=0, tile=copy)
        for fewer in range(1, often):
            label = f"{called} was touched {fewer} time{'' if fewer == 1 else 's'}"
            yield _option("correct", label, "R-14", slot=slot, touches=fewer, tile=copy)


def _known(move: Move, ball: int) -> bool:
    now = move.record()
    return ball in {*now.on, *now.zones, *now.ramps, *now.fell, *(lost for lost, _copy in now.lost)}


def _flags(move: Move) -> Iterator[Option]:
    harms = CHECKLIST["harms"]
    for laid in move.state.laid:
        tile = move.tile(laid.copy)
        if tile.effects and not has_mark(move.state.marks, "harms", tile.name):
            label = f"{tile.title} {harms.text}: switch off its effects"
            yield _option("flag", label, harms.clause, at=laid.slot, slot=laid.slot, item="harms")


def parting(move: Move, seat: str) -> list[Option]:
    """Return what a player who has lost may take back; leaving it all until the end comes first (2.8.4.1)."""
    state = move.state
    busy = state.vote is not None or state.paused_us is not None or state.asks or state.adrift
    if busy or not leaving.can_reclaim(move, seat):
        return []
    found = [_option("reclaim", "Leave my stuff until the end", "2.8.4.1", what="leave")]
    if leaving.owns_tiles(move, seat):
        found.append(_option("reclaim", "Take my tiles back", "2.8.3.2", what="tiles"))
    if leaving.balls_due(move, seat):
        lying = dict.fromkeys(slots[0] for slots in move.record().on.values() if slots)
        found += [
            _option("reclaim", f"Take a ball from {slot}", "2.8.3.3", at=slot, what="ball", slot=slot)
            for slot in lying
        ]
    if move.state.board_owner == seat:
        found.append(_option("reclaim", "End the game as a draw", "2.8.3.1", what="draw"))
    return found


# --- The options ---

_BY_BUTTON = frozenset({"agree", "end"})
"""What the table's button does when nothing is asked: nobody objects (R-20), or the turn is over."""


def private(move: Move, seat: str) -> PrivateView:
    """Return one seat's view."""
    player = move.player(seat)
    hand = tuple(views.tile_view(move, copy) for copy in player.hand)
    if player.out or move.state.phase is Phase.OVER:
        return PrivateView(seat=seat, hand=hand, options=tuple(parting(move, seat)), prompts=())
    owes = seat == move.state.active and move.state.depth is not Depth.SCORE
    owed = tuple(what for what, _clause in turns.owed(move)) if owes else ()
    return PrivateView(
        seat=seat, hand=hand, options=tuple(_options(move, seat)), prompts=prompts(move, seat), owed=owed,
        others=_others(move, seat), headline=_headline(move, seat),
    )  # fmt: skip


def _headline(move: Move, seat: str) -> str:
    """Say to a player that nothing but their own next move is waited for."""
    state = move.state
    ours = state.active == seat and state.phase is Phase.CHOOSING
    return "Your turn" if ours and state.vote is None and not state.asks else ""


def prompts(move: Move, seat: str) -> tuple[Prompt, ...]:
    """Return the open questions to one seat; they wait while a vote is open."""
    if move.state.vote is not None or move.state.paused_us is not None:
        return ()
    return tuple(_prompt(ask) for ask in move.state.asks if ask.seat == seat)


def _others(move: Move, seat: str) -> tuple[Prompt, ...]:
    """Return the questions to others that anybody may answer, unless they reveal a hand (1.2.1)."""
    if move.state.vote is not None or move.state.paused_us is not None:
        return ()
    return tuple(_prompt(ask) for ask in move.state.asks if ask.seat != seat and not asking.tells_a_hand(ask))


def _prompt(ask: Ask) -> Prompt:
    kind = kind_of(ask)
    options = tuple(
        Option(
            group="answer",
            label=label,
            act={"do": "answer", "prompt": ask.id, "choice": choice},
            slot=_slot_of(ask, choice),
        )
        for choice, label in ask.choices
    )
    return Prompt(
        id=ask.id,
        seat=ask.seat,
        kind=ask.kind,
        text=ask.text,
        clause=ask.clause,
        options=options,
        default=ask.default,
        deadline_us=ask.deadline_us,
        slot=ask.slots[0] if ask.slots else None,
        ball=ask.about.ball if isinstance(ask.about, BallMissing) else None,
        claim=kind.claim,
        ended_by=kind.ended_by,
        watched=kind.watched or _told_to_do(ask),
    )


def _told_to_do(ask: Ask) -> bool:
    """Whether nothing is asked but that hands set balls moving or let them go."""
    told = isinstance(ask.about, OfEffect) and bool(ask.about.stir or ask.about.let_go)
    return told and len(ask.choices) == 1


def _slot_of(ask: Ask, choice: str) -> str | None:
    place = choice.removeprefix("slot.").rstrip("+-")
    return place if place in ask.slots or choice.startswith("slot.") else None


def _options(move: Move, seat: str) -> list[Option]:
    state = move.state
    leave = [] if move.player(seat).conceded else [_do("concede", "Leave the game", clause="2.8.4")]
    if state.paused_us is not None:
        return leave
    found = []
    if state.vote is not None:
        found += _ballots(move, seat)
    elif not state.asks:
        found += _turn_options(move, seat) + _agreements(move, seat)
    if state.vote is None:
        found += _loop_option(move, seat) + _vote_options(move)
    if move.people_tell():
        found += light.taps(move, seat)
    found += [
        _do("lifted", f"The tile is out of {slot}", slot=slot, at=slot, tells=f"lifted {slot}")
        for slot in dict.fromkeys((*state.to_lift, *state.blocked))
    ]
    found += leave
    if state.vote is None:
        found += table_talk(move, seat) + _anew(move)
    return found


def _anew(move: Move) -> list[Option]:
    """Offer to say what lies where, starting from what is known: after a power cut, or else (R-49, R-14)."""
    start = whole_position.believed(move)
    if start is not None:
        label = "Enter the whole board again"
        return [Option(group="reenter", label=label, act=msgspec.to_builtins(start), clause="R-49")]
    lies = arranging.as_it_lies(move)
    if lies is None:
        return []
    label = "Correct the board"
    return [Option(group="arrange", label=label, act=msgspec.to_builtins(lies), clause="R-14")]


def _do(
    word: str,
    label: str,
    *,
    at: str | None = None,
    clause: str | None = None,
    tells: str = "",
    speaks_for: str = "",
    **act: object,
) -> Option:
    return Option(
        group=word,
        label=label,
        act={"do": word, **act, **({"seat": speaks_for} if speaks_for else {})},
        slot=at,
        clause=clause,
        tells=tells,
        by_button=word in _BY_BUTTON,
        speaks_for=speaks_for,
    )


def _ballots(move: Move, seat: str) -> list[Option]:
    vote = move.state.vote
    voter = awaited(vote) if vote is not None else None
    if vote is not None and may_vote(vote, seat):
        voter = seat
    if vote is None or voter is None:
        return []
    yes, no = ("Enable", "Disable") if vote.forbidden else ("Keep it", "Destroy it")
    other = "" if voter == seat else voter
    proxy = f" for {move.name(voter)}" if other else ""
    clause = "0.4.2" if vote.forbidden else "0.5.4"
    return [
        _do("ballot", f"{yes}{proxy}", yea=True, clause=clause, speaks_for=other),
        _do("ballot", f"{no}{proxy}", yea=False, clause=clause, speaks_for=other),
    ]


def _agreements(move: Move, seat: str) -> list[Option]:
    """While the game settles, let everybody say on any phone that they have no objection (R-20)."""
    if move.state.phase is not Phase.SETTLING or move.state.adrift:
        return []
    left = commit.silent(move)
    own = [_do("agree", "All fine", clause="R-20")] if seat in left else []
    if commit.may_object(move.state, seat) and not move.player(seat).conceded:
        own.append(_do("object", "That is not right", clause="R-20"))
    return own + [
        _do("agree", f"All fine for {move.name(other)}", clause="R-20", speaks_for=other)
        for other in left
        if other != seat
    ]


def _turn_options(move: Move, seat: str) -> list[Option]:
    state = move.state
    found: list[Option] = []
    if state.depth is Depth.SCORE and state.phase is not Phase.RELEASING:
        return found
    if state.adrift:  # a ball moves by accident: only a tile that is being laid goes on (2.3.1)
        return _place_options(move) if state.play is not None and seat == state.play.seat else []
    if state.phase in {Phase.CHOOSING, Phase.RELEASING} and seat == rolling.who_rolls(move)[0]:
        found += _roll_options(move)
    if state.phase is Phase.CHOOSING and seat == state.active:
        found += _play_options(move, seat)
        found += [
            Option(group="activate", label=text, act={"do": "activate", "tile": copy, "effect": effect},
                   tile=copy, slot=slot or None, clause="2.7")
            for copy, effect, text, slot in triggers.available(move)
        ]  # fmt: skip
        found += [
            Option(group="activate", label=f"{tile.title} in your hand: {text}",
                   act={"do": "activate", "name": tile.name, "effect": effect}, clause="2.7")
            for tile, effect, text in triggers.nameable_effects(move)
        ]  # fmt: skip
        if not turns.owed(move):
            found.append(_do("end", "End the turn", clause="2.0.1"))
    if state.play is not None and seat == state.play.seat:
        found += _place_options(move)
    return found


def _roll_options(move: Move) -> list[Option]:
    state = move.state
    if not state.demanded and state.rolls_owed < 1:
        return []
    wanted = state.demanded_ramps if state.demanded else ()
    legal = ramps.legal_ramps(move, wanted) or ramps.freeable_ramps(move, wanted)
    verb = "Open the gate of" if state.config.gates and state.power else "Roll on"
    chosen, again = state.intent[1] if state.intent is not None else "", " again"
    return [
        Option(group="roll", label=f"{verb} ramp {ramp}{again if chosen == ramp else ''}",
               act={"do": "roll", "ramp": ramp}, ramp=ramp, clause="2.1.1")
        for ramp in legal
    ]  # fmt: skip


def _play_options(move: Move, seat: str) -> list[Option]:
    if move.state.plays_owed < 1:
        return []
    known = [
        Option(group="play", label=f"Play {move.title(copy)}", act={"do": "play", "tile": copy}, tile=copy,
               clause="2.2.1")
        for copy in ways(move, seat)
    ]  # fmt: skip
    return known + _named(nameable(move, seat))


def _named(kinds: Iterable[Tile]) -> list[Option]:
    return [
        Option(
            group="play", label=f"Play {tile.title}", act={"do": "play", "name": tile.name}, clause="2.2.1"
        )
        for tile in kinds
    ]


def _place_options(move: Move) -> list[Option]:
    state, play = move.state, move.state.play
    if play is None or state.phase not in {Phase.PLACING, Phase.SEATING}:
        return []
    if move.is_nameless():
        return _named(every_kind(move))
    title = move.title(play.copy)
    found = [
        Option(group="place", label=f"Lay {title} at {slot}", act={"do": "place", "slot": slot},
               slot=slot, tile=play.copy, turns=turned, clause="2.2.4")
        for slot, turned in _legal_places(move, play)
    ]  # fmt: skip
    if state.phase is Phase.SEATING:
        found.append(_do("seated", "It lies flat", clause="2.2.5", tells="laid"))
        found.append(_do("no_fit", "It does not fit", clause="2.2.4.3", tells="unfit"))
    return found


def _legal_places(move: Move, play: Play) -> legal_slots.Places:
    if move.state.phase is Phase.SEATING:
        return legal_slots.retries(move, play)
    return legal_slots.places(move, play.copy, overwrites=play.overwrites, ignoring=play.ignores)


def _loop_option(move: Move, seat: str) -> list[Option]:
    roll = move.state.roll
    if roll is None or seat != roll.roller or roll.dead or roll.account or not looping.loop_candidates(move):
        return []
    if move.state.phase in {Phase.TIDYING, Phase.DISCARDING}:
        return []
    return [_do("break_loop", "Break the Loop", clause="2.1.4.3", tells="enough")]


def _vote_options(move: Move) -> list[Option]:
    found = [
        _do("vote", f"Vote on {move.title(laid.copy)} at {slot}", slot=slot, at=slot, clause="0.5.1")
        for laid in move.state.laid
        for slot in laid.slots[:1]
        if not cooling(move, laid.copy)
    ]  # fmt: skip
    if move.state.play is not None and not move.state.play.seated:
        found.append(_do("vote", f"Vote on {move.title(move.state.play.copy)}", clause="0.5.1"))
    return found
