"""What a seat may see and do: its hand, exact options, and the questions put to it.

An option is listed only if ``step`` would accept it now; a property test holds the two together. The hand is
secret (1.2.1, R-65): nothing here goes to another seat.
"""

import msgspec
from hextraction.controller.games.hextraction import (
    activating,
    looping,
    ramps,
    reentry,
    rolling,
    settling,
    slots,
    talk,
    telling,
    turns,
    views,
)
from hextraction.controller.games.hextraction.fallback import nameable, ways
from hextraction.controller.games.hextraction.move import Move
from hextraction.controller.games.hextraction.state import Ask, Phase, Play
from hextraction.controller.games.hextraction.voting import awaited, cooling
from hextraction.controller.games.protocol import Option, PrivateView, Prompt

__all__ = ["private", "prompts"]


def private(move: Move, seat: str) -> PrivateView:
    """Return one seat's view."""
    player = move.player(seat)
    hand = tuple(views.tile_view(move, copy) for copy in player.hand)
    if player.out or move.state.phase is Phase.OVER:
        return PrivateView(seat=seat, hand=hand, options=tuple(talk.parting(move, seat)), prompts=())
    owed = tuple(what for what, _clause in turns.owed(move)) if seat == move.state.active else ()
    return PrivateView(
        seat=seat, hand=hand, options=tuple(_options(move, seat)), prompts=prompts(move, seat), owed=owed,
        others=_others(move, seat),
    )  # fmt: skip


def prompts(move: Move, seat: str) -> tuple[Prompt, ...]:
    """Return the open questions to one seat; while a vote is open they wait."""
    if move.state.vote is not None or move.state.paused_us is not None:
        return ()
    return tuple(_prompt(ask) for ask in move.state.asks if ask.seat == seat)


def _others(move: Move, seat: str) -> tuple[Prompt, ...]:
    """Return what others are asked and anybody may answer, as long as no hand shows in it (1.2.1)."""
    if move.state.vote is not None or move.state.paused_us is not None:
        return ()
    return tuple(_prompt(ask) for ask in move.state.asks if ask.seat != seat and not _tells_a_hand(move, ask))


def _tells_a_hand(move: Move, ask: Ask) -> bool:
    held = {str(copy) for player in move.state.players for copy in player.hand}
    return ask.kind in {"discard", "room"} or any(choice in held for choice, _label in ask.choices)


def _prompt(ask: Ask) -> Prompt:
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
    )


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
    if not state.config.sensors or not state.power or state.attesting:
        found += telling.taps(move)
    found += [_do("lifted", f"The tile is out of {slot}", slot=slot, at=slot) for slot in state.to_lift]
    found += leave
    if state.vote is None:
        found += talk.table_talk(move, seat) + _anew(move)
    return found


def _anew(move: Move) -> list[Option]:
    """After the dark: the whole position entered anew, starting from what the table believes (R-49)."""
    start = reentry.believed(move)
    if start is None:
        return []
    return [
        Option(group="reenter", label="Enter the board anew", act=msgspec.to_builtins(start), clause="R-49")
    ]


def _do(
    word: str, label: str, *, group: str = "", at: str | None = None, clause: str | None = None, **act: object
) -> Option:
    return Option(group=group or word, label=label, act={"do": word, **act}, slot=at, clause=clause)


def _ballots(move: Move, seat: str) -> list[Option]:
    vote = move.state.vote
    voter = awaited(vote) if vote is not None else None
    if vote is None or voter is None:
        return []
    yes, no = ("Enable", "Disable") if vote.forbidden else ("Keep it", "Destroy it")
    proxy = "" if voter == seat else f" for {move.name(voter)}"
    act = {} if voter == seat else {"seat": voter}
    clause = "0.4.2" if vote.forbidden else "0.5.4"
    return [
        _do("ballot", f"{yes}{proxy}", yea=True, clause=clause, **act),
        _do("ballot", f"{no}{proxy}", yea=False, clause=clause, **act),
    ]


def _agreements(move: Move, seat: str) -> list[Option]:
    """While the game settles, everybody may say that there is nothing to object, on any phone (R-20)."""
    if move.state.phase is not Phase.SETTLING:
        return []
    left = settling.silent(move)
    own = [_do("agree", "No objection", clause="R-20")] if seat in left else []
    return own + [
        _do("agree", f"No objection from {move.name(other)}", clause="R-20", seat=other)
        for other in left
        if other != seat
    ]


def _turn_options(move: Move, seat: str) -> list[Option]:
    state = move.state
    found = []
    if state.phase in {Phase.CHOOSING, Phase.RELEASING} and seat == rolling.who_rolls(move)[0]:
        found += _roll_options(move)
    if state.phase is Phase.CHOOSING and seat == state.active:
        found += _play_options(move, seat)
        found += [
            Option(group="activate", label=text, act={"do": "activate", "tile": copy, "effect": effect},
                   tile=copy, slot=slot or None, clause="2.7")
            for copy, effect, text, slot in activating.available(move)
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
    legal = ramps.legal_ramps(move, wanted) or wanted or tuple(ramp.name for ramp in move.board.ramps)
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
    unseen = [
        Option(
            group="play", label=f"Play {tile.title}", act={"do": "play", "name": tile.name}, clause="2.2.1"
        )
        for tile in nameable(move, seat)
    ]
    return known + unseen


def _place_options(move: Move) -> list[Option]:
    state, play = move.state, move.state.play
    if play is None or state.phase not in {Phase.PLACING, Phase.SEATING}:
        return []
    title = move.title(play.copy)
    found = [
        Option(group="place", label=f"Lay {title} at {slot}", act={"do": "place", "slot": slot},
               slot=slot, tile=play.copy, turns=turned, clause="2.2.4")
        for slot, turned in _legal_places(move, play)
    ]  # fmt: skip
    if state.phase is Phase.SEATING:
        found.append(_do("seated", "It sits flat and I let go", clause="2.2.5"))
        found.append(_do("no_fit", "It fits no way round", clause="2.2.4.3"))
    return found


def _legal_places(move: Move, play: Play) -> slots.Places:
    if move.state.phase is Phase.SEATING:
        return slots.retries(move, play)
    return slots.places(move, play.copy, overwrites=play.overwrites, ignoring=play.ignores)


def _loop_option(move: Move, seat: str) -> list[Option]:
    roll = move.state.roll
    if roll is None or seat != roll.roller or roll.dead or not looping.loop_candidates(move):
        return []
    if move.state.phase in {Phase.TIDYING, Phase.DISCARDING}:
        return []
    return [_do("break_loop", "Break the Loop", clause="2.1.4.3")]


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
