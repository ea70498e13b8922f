"""Playing a tile: reveal, ballot, slot, letting go, On Play effects (2.2, 3.Combo, R-42 … R-47).

Until the last of these effects is resolved (2.2.5.2), nobody rolls, plays or activates (2.2.1.3).
"""

from collections.abc import Sequence
from typing import Final

import msgspec
from hextraction.controller.games.hextraction.cards.tiles import When
from hextraction.controller.games.hextraction.lay import reasons
from hextraction.controller.games.hextraction.lay.legal_slots import (
    Ignored,
    covered,
    places,
    rest_fits,
    retries,
)
from hextraction.controller.games.hextraction.lay.making_room import ways
from hextraction.controller.games.hextraction.state import actions as act
from hextraction.controller.games.hextraction.state.move import Move, Refusal
from hextraction.controller.games.hextraction.state.questions import (
    QuestionKind,
    Stands,
    TileGone,
    Undo,
    kind_of,
)
from hextraction.controller.games.hextraction.state.state import Ask, Laid, Matter, Phase, Play, Vote
from hextraction.controller.games.hextraction.turn import combos, destroying, preparing, turns
from hextraction.controller.games.hextraction.turn.triggers import queue_effects

__all__ = [
    "MATE_FROM",
    "ROOM",
    "SOURCES",
    "abandon",
    "draw_lots",
    "drop_orphan",
    "end_order",
    "forbidden_titles",
    "give_up",
    "install",
    "no_fit",
    "open_ballot",
    "own_play",
    "place",
    "reveal",
    "seated",
    "set_aside_unplaced",
    "start_play",
    "take_back",
]

# --- Playing ---


def start_play(move: Move, play: Play) -> None:
    """Continue with the slot, after the ballot if any tile of it is Forbidden (0.4.1, 0.4.4, 0.4.5, R-09).

    Whoever installs the tile plays it, in their own turn or by an effect (3.Playing.A, 3.Playing.B, R-69).
    Of a Combo ``play`` names the whole, whose parts are laid one by one.
    """
    seat, whole = play.seat, play.copy
    if not move.state.copies[whole].name:
        _wait_for_its_name(move, play)
        return
    move.say("reveal", f"{move.name(seat)} plays {move.title(whole)}.", seat=seat)
    _go_on_with(move, play, ())


def _go_on_with(move: Move, play: Play, sources: tuple[str, ...]) -> None:
    """Go on with a tile that is revealed; ``sources`` says where counterparts come from (3.Combo.2, R-58)."""
    seat, whole = play.seat, play.copy
    tile = move.tile(whole)
    found = combos.sources_of_next(move, seat, whole, sources) if tile.parts else []
    if len(found) > 1:
        title = move.rules.named(tile.counterparts[len(sources)]).title
        choices = [(source, f"From {SOURCES[source]}") for source in found]
        about = MateFrom(play=play, sources=sources)
        MATE_FROM.ask(move, seat, f"Where do you create {title} from?", "3.Combo.2", choices, about)
        return
    if found:
        _go_on_with(move, play, (*sources, *found))
        return
    hand = move.player(seat).hand
    pieces = combos.split(move, seat, whole, sources) if tile.parts else (whole,)
    if not pieces:
        _combo_fails(move, seat, whole)
        return
    held = tuple([copy for copy in pieces if copy != whole and copy in hand])
    within = None if play.from_hand else move.state.play
    play = msgspec.structs.replace(play, copy=pieces[0], pieces=pieces[1:], held=held, within=within)
    move.set(play=play, phase=Phase.PLACING)
    for copy in (whole, *pieces) if tile.parts else pieces:
        preparing.tell_setup(move, seat, copy)
    forbidden = _forbidden(move, play)
    if forbidden:
        open_ballot(move, seat, forbidden[0])
    else:
        draw_lots(move)


SOURCES: Final = {"virtual": "the Virtual Pool", "hand": "the hand", "pool": "the Main Pool"}
"""Where a tile may be that is created, in words."""


class MateFrom(Matter, frozen=True, kw_only=True):
    """The play of a Combo, and where the counterparts come from about which that is known."""

    play: Play
    sources: tuple[str, ...]


def _answer_mate_from(move: Move, _ask: Ask, about: MateFrom, choice: str) -> None:
    """Take a counterpart from where its player wants; who leaves plays nothing (2.8.4)."""
    if not move.player(about.play.seat).conceded:
        _go_on_with(move, about.play, (*about.sources, choice))
        return
    move.set(play=msgspec.structs.replace(about.play, within=move.state.play))
    abandon(move)


MATE_FROM = QuestionKind(
    word="source",
    about=MateFrom,
    hear=_answer_mate_from,
    stands=Stands.ANYHOW,
    undo=Undo.AS_BEFORE,
    answers=("hand", "pool", "virtual"),
)


def _wait_for_its_name(move: Move, play: Play) -> None:
    """Wait until whoever plays a tile that the board has not seen says which one it is (2.2.1)."""
    within = None if play.from_hand else move.state.play
    move.set(play=msgspec.structs.replace(play, within=within), phase=Phase.PLACING)
    move.say("reveal", f"{move.name(play.seat)} says which tile it is.", seat=play.seat, clause="2.2.1")


def draw_lots(move: Move) -> None:
    """Let lots decide where a tile goes, if its play wants that and all ballots are over."""
    play = move.state.play
    if play is None or not play.lots or play.only or move.state.vote is not None:
        return
    legal = places(move, play.copy, overwrites=play.overwrites)
    if legal:
        slot, turned = legal[move.luck(len(legal))]
        only = ((slot, (turned[move.luck(len(turned))],)),)
        move.set(play=msgspec.structs.replace(play, only=only))


def open_ballot(move: Move, seat: str, copy: int) -> None:
    """Let all vote on the Forbidden effects of a tile being played, its player first (0.4.1, R-09)."""
    order, away = move.electorate(seat)
    vote = Vote(forbidden=True, copy=copy, slot="", order=order, away=away)
    move.set(vote=vote)
    title = forbidden_titles(move, vote)
    said = f"Enable the Forbidden effect of {title}? One “Disable” is enough to stop it."
    move.say("ballot", said, seat=seat, clause="0.4.1")


def forbidden_titles(move: Move, vote: Vote) -> str:
    """Return what people call the tiles that a ballot is about; several if a Combo has them."""
    play = move.state.play
    voted = (vote.copy,) if play is None or move.laid_copy(vote.copy) else _forbidden(move, play)
    return " and ".join(dict.fromkeys(move.title(copy) for copy in voted))


def _forbidden(move: Move, play: Play) -> list[int]:
    """Return the tiles with Forbidden effects that are played in one act (0.4.4, R-09).

    That is the tile revealed; a Combo comes with its parts, a Virtual one with its counterparts, all of which
    are played at once (3.Combo.1, 3.Combo.2).
    """
    pieces = (play.copy, *play.pieces)
    whole = move.state.copies[play.copy].whole
    return [copy for copy in ((whole, *pieces) if whole else pieces) if move.tile(copy).forbidden]


def _combo_fails(move: Move, seat: str, copy: int) -> None:
    """Handle a missing counterpart: all goes to its pool, one tile is drawn, the play is owed (R-56)."""
    move.take(seat, copy)
    turns.to_pool(move, copy)
    move.say("effect", f"{move.title(copy)} cannot be completed.", seat=seat, clause="3.Combo.3")
    turns.draw(move, seat)


def place(move: Move, seat: str, action: act.Place) -> None:
    """Choose slot and orientation; what lies there and may be overwritten is destroyed (3.Overwrite.1)."""
    play = own_play(move, seat)
    if move.is_nameless():
        raise Refusal("Say first which tile it is.", "2.2.1")
    title = move.title(play.copy)
    if move.state.phase is Phase.SEATING:
        legal = dict(retries(move, play))
        if action.slot != play.slot:
            raise Refusal(f"{title} belongs at {play.slot}. Turn it and try again.", "2.2.4.2")
    else:
        legal = dict(places(move, play.copy, overwrites=play.overwrites, ignoring=play.ignores))
    if action.slot not in legal:
        why, clause = reasons.why_not_there(move, play, action.slot)
        raise Refusal(f"{action.slot} is not legal for {title}: {why}", "3.Legal", clause)
    if action.turns not in legal[action.slot]:
        raise Refusal(reasons.which_way(title, action.slot, legal[action.slot]), "2.2.4.1")
    slots = covered(move, move.tile(play.copy), action.slot, action.turns) or (action.slot,)
    layout = move.layout()
    if not layout.keys().isdisjoint(slots):
        under = tuple(dict.fromkeys(copy for slot, copy in layout.items() if slot in slots))
        destroying.destroy_all(move, under, clause="3.Overwrite.1", seat=seat)
        if move.state.play is not play:
            return  # it was laid over a part of the same Combo and is gone with it (2.4.6)
    now = msgspec.structs.replace(play, slots=slots, turns=action.turns, bottomed=False)
    move.set(play=now, phase=Phase.SEATING, deadline_us=None)
    move.say("place", f"{move.name(seat)} lays {title} at {action.slot}.", seat=seat, slot=action.slot)


def own_play(move: Move, seat: str) -> Play:
    """Return the current play of a seat.

    Raises:
        Refusal: the seat is playing no tile.
    """
    play = move.state.play
    if play is None or play.seat != seat:
        raise Refusal("You are not playing a tile.", "2.2.1")
    return play


def seated(move: Move, seat: str, _action: act.LetGo) -> None:
    """Confirm that the tile bottoms out and has been let go (2.2.4.1, 2.2.5)."""
    own_play(move, seat)
    install(move)


def install(move: Move) -> None:
    """Install the tile on the board; after the last piece, queue its On Play effects (2.2.5)."""
    play = move.state.play
    if play is None or play.seated:
        return
    laid = Laid(copy=play.copy, slots=play.slots, turns=play.turns, silenced=play.silenced, by=play.seat)
    over = play.overwrites and not _rest_has_room(move, play)
    move.take(play.seat, play.copy)
    move.set_laid((*move.state.laid, laid))
    lift = tuple(slot for slot in move.state.to_lift if slot not in play.slots)
    said = f"{move.title(play.copy)} is on {play.slot}."
    move.say("installed", said, slot=play.slot, seat=play.seat)
    move.set(to_lift=lift, deadline_us=None)
    if play.pieces:
        move.set(play=_next_piece(play, overwrites=over), phase=Phase.PLACING)
    else:
        _complete(move, play)


def _next_piece(play: Play, *, overwrites: bool) -> Play:
    """Return how a play goes on once one of its pieces lies: what an effect orders was for that one."""
    return msgspec.structs.replace(
        play,
        copy=play.pieces[0],
        pieces=play.pieces[1:],
        only=(),
        covers=(),
        lots=False,
        overwrites=overwrites,
        slots=(),
        seen="",
        done=(*play.done, play.copy),
    )


def _complete(move: Move, play: Play) -> None:
    """End a play whose last piece lies, and queue what it sets off: on it, and on tiles that watch."""
    done = (*play.done, play.copy)
    move.set(
        plays_owed=move.state.plays_owed - (1 if play.from_hand else 0),
        phase=Phase.RESOLVING,
        play=msgspec.structs.replace(play, seated=True, done=done),
    )
    for copy in done:
        installed = move.laid_copy(copy)
        if installed is not None:
            preparing.ask_setup(move, play.seat, installed)
            queue_effects(move, installed, When.ON_PLAY, play.seat, installed.slot)
    watching = {laid.copy: laid for laid, _index, _effect in move.on_board(When.PLAYED)}
    for other in watching.values():  # playing may also set off effects of other tiles (2.2.5.1)
        if other.copy not in done:
            queue_effects(move, other, When.PLAYED, play.seat, other.slot)


def _rest_has_room(move: Move, play: Play) -> bool:
    """Whether an effect says where this piece goes, and all others find open slots (2.2.1.1)."""
    if not play.directed or not play.pieces:
        return False
    return rest_fits(move, msgspec.structs.replace(play, overwrites=False))


def take_back(move: Move) -> None:
    """Return the tile to the hand, as it was legal only by the effect now disabled (R-09).

    From then on another tile may be picked, though this one would be legal again until its next ballot.
    """
    play = move.state.play
    if play is None or play.seated or play.done:
        return
    what = move.state.copies[play.copy].whole or play.copy
    limits = [
        effect for copy in _forbidden(move, play) for effect in move.tile(copy).effects_when(When.LIMIT)
    ]
    if places(move, what, overwrites=play.overwrites) or not any(one.forbidden for one in limits):
        return
    abandon(move)
    barred = (*move.state.barred, *combos.wholes(move, (play.copy,)))
    move.set(phase=Phase.CHOOSING if play.from_hand else Phase.RESOLVING, barred=barred)
    _tell_legal_nowhere(move, play, "R-09")


def no_fit(move: Move, seat: str, _action: act.NoFit) -> None:
    """Destroy a tile that bottoms out in no orientation, draw, and play again (2.2.4.3, R-44)."""
    play = own_play(move, seat)
    title, goes = move.title(play.copy), move.called_whole(play.copy)
    said = f"{title} fits nowhere and is destroyed."
    if goes != title:
        said = f"{title} fits nowhere, and {goes} is destroyed."
    move.say("destroy", said, seat=seat, clause="2.2.4.3")
    set_aside_unplaced(move)
    move.set(phase=Phase.RESOLVING)
    whole = move.state.copies[play.copy].whole
    if play.from_hand and whole not in move.player(seat).hand:  # a part may have saved it (2.4.4)
        turns.draw(move, seat)


def set_aside_unplaced(move: Move, *, by_vote: bool = False) -> None:
    """Destroy a tile being played but not yet on the board, with any parts of it that are (2.4.6).

    Unless it goes ``by_vote`` a part on the board may send all of it elsewhere instead (2.4.4, R-73).
    """
    play = move.state.play
    if play is None or play.seated:
        return
    move.take(play.seat, play.copy)
    loose = (play.copy, *play.pieces)
    _end(move, play)
    parts = tuple(copy for copy in play.done if move.laid_copy(copy) is not None)
    destroying.destroy_all(move, parts, by_vote=by_vote, clause="2.4.6", ended=play, seat=play.seat)
    saved = {*move.state.pool, *(copy for player in move.state.players for copy in player.hand)}
    destroying.destroy_unlaid(move, tuple(copy for copy in combos.wholes(move, loose) if copy not in saved))


def drop_orphan(move: Move) -> bool:
    """Abandon a play if the tile that ordered it is gone, or struck (2.4.5, 0.1); return whether it was."""
    play = move.state.play
    if play is None or play.seated or play.order is None:
        return False
    by = play.order.copy
    if move.laid_copy(by) is None:
        end_order(move, play, f"{move.title(by)} is gone", "2.4.5")
        return True
    if move.keyword_struck(by):
        end_order(move, play, f"{move.title(by)} no longer has an effect", "2.4.5")
        return True
    return False


def end_order(move: Move, play: Play, why: str, clause: str) -> None:
    """End a play whose order has ended: what does not lie yet goes back, and so do parts that do."""
    what = move.title(move.state.copies[play.copy].whole or play.copy)
    said = f"{what} goes back: {why}."
    if play.home == "destroyed":
        said = f"{what} stays destroyed: there is no longer a reason to play it again."
    move.say("effect", said, clause=clause)
    give_up(move)


def drop_jammed(move: Move) -> None:
    """Take up a revealed tile again for which no slot is left, so that 2.2.2 is judged anew (R-39)."""
    if drop_orphan(move):
        return
    state, play = move.state, move.state.play
    if (
        play is None
        or play.seated
        or state.phase is not Phase.PLACING
        or state.vote is not None
        or state.asks
        or move.is_nameless()
    ):
        return
    if play.directed or places(move, play.copy, overwrites=play.overwrites, ignoring=play.ignores):
        return
    give_up(move)
    _tell_legal_nowhere(move, play, "2.2.2")


def _tell_legal_nowhere(move: Move, play: Play, clause: str) -> None:
    what = move.title(move.state.copies[play.copy].whole or play.copy)
    said = f"{what} may lie nowhere now and goes back to where it came from."
    move.say("place", said, seat=play.seat, clause=clause)


def give_up(move: Move) -> None:
    """Abandon a play with the parts that lie: a Combo is played as a whole or not at all (3.Combo.1)."""
    play = move.state.play
    for part in play.done if play is not None and not play.seated else ():
        laid = move.laid_copy(part)
        if laid is not None:
            destroying.remove_laid(move, laid)
    abandon(move)
    move.set(phase=Phase.RESOLVING, deadline_us=None)


def abandon(move: Move) -> None:
    """Abandon a play that nobody will finish: what is not on the board goes back to its source (2.8.4)."""
    play = move.state.play
    if play is None or play.seated:
        return
    _end(move, play)
    for copy in combos.wholes(move, (*play.done, play.copy, *play.pieces)):
        lies = move.laid_copy(copy) is not None or combos.installed_parts(move, copy)
        if lies or copy in move.player(play.seat).hand:
            continue
        whole = move.tile(copy).combo
        if copy in play.held or (play.home == "hand" and whole):
            move.set_player(play.seat, hand=(*move.player(play.seat).hand, copy))
        elif play.home == "destroyed":
            destroying.set_aside(move, (copy,))
        else:
            turns.to_pool(move, copy)


def _end(move: Move, play: Play) -> None:
    """End a play before its tile lies; if a tile Hall sees it already it is to be taken out again (2.4.1)."""
    asks = tuple(ask for ask in move.state.asks if not kind_of(ask).of_play)
    seen = play.slot if play.bottomed else play.seen
    lift = move.state.to_lift
    if seen and seen not in move.layout() and move.sees_tiles():
        lift = (*lift, seen)
    move.set(play=play.within, asks=asks, to_lift=lift)


# --- Revealing, including a tile that has no legal slot (2.2.1, 2.2.2, R-39) ---

_LONGEST_NAME = 60


def reveal(move: Move, seat: str, action: act.Play) -> None:
    """Reveal a tile from the active player's hand, or say which one an effect has laid out of a hand."""
    if move.is_nameless():
        _reveal_ordered(move, own_play(move, seat), action.name or "")
        return
    if move.state.phase is not Phase.CHOOSING:
        raise Refusal(turns.waits_for(move), "2.2.1.3")
    if seat != move.state.active:
        raise Refusal(f"It is {move.name(move.state.active)}'s turn.", "2.2.1")
    if move.state.plays_owed < 1:
        raise Refusal("You have no tile left to play this turn.", "2.0.3")
    copy = _turn_up(move, seat, action)
    if copy not in move.state.barred and places(move, copy):
        start_play(move, Play(seat=seat, copy=copy))
    else:
        _play_without_slot(move, seat, copy)


def _turn_up(move: Move, seat: str, action: act.Play) -> int:
    """Find the copy in the hand; a tile that only its holder has seen gets its name now."""
    hand = move.player(seat).hand
    if action.tile is not None and action.tile in hand and move.state.copies[action.tile].name:
        return action.tile
    hidden = [copy for copy in hand if not move.state.copies[copy].name]
    if action.tile in hidden:
        hidden = [action.tile]
    if not action.name or len(action.name) > _LONGEST_NAME or not hidden:
        raise Refusal("That tile is not in your hand.", "2.2.1")
    move.call_unseen(hidden[0], action.name)
    return hidden[0]


def _reveal_ordered(move: Move, play: Play, name: str) -> None:
    """Go on with a play that an effect has ordered; a tile that has no slot there is not played (3.Legal)."""
    if not name or len(name) > _LONGEST_NAME:
        raise Refusal("Say which tile it is.", "2.2.1")
    move.call_unseen(play.copy, name)
    if places(move, play.copy, overwrites=play.overwrites, ignoring=play.ignores):
        move.set(play=play.within)
        start_play(move, play)
        return
    abandon(move)
    move.set(phase=Phase.RESOLVING, deadline_us=None)
    said = f"There is no legal slot for {move.title(play.copy)} there: it is not played."
    move.say("effect", said, seat=play.seat, clause="3.Legal")


def _play_without_slot(move: Move, seat: str, copy: int) -> None:
    """Start the play of a tile that has no legal slot by the fallback that applies."""
    possible = ways(move, seat)
    way = possible.get(copy)
    title = move.title(copy)
    if way is None:
        why, clause = reasons.why_nowhere(move, copy)
        if possible:
            said = f"{title} has no legal slot: {why} Play another tile of your hand first."
            raise Refusal(said, "2.2.2", clause)
        raise Refusal(f"{title} fits nowhere: {why}", "2.2.2.1", clause)
    if way.kind == "clear" and combos.is_complete(move, seat, copy):  # else no room is made for it
        _ask_room(move, seat, copy, way.clearings, way.ignores)
        return
    overwrites = way.kind == "overwrite"
    start_play(move, Play(seat=seat, copy=copy, overwrites=overwrites, ignores=way.ignores))


_MOST_SETS = 300
"""If more sets of tiles would make room, they are chosen tile by tile."""


def _ask_room(  # noqa: PLR0917 - whose tile, which, how, and what has been chosen
    move: Move, seat: str, copy: int, clearings: Sequence[tuple[int, ...]], ignores: Ignored,
    chosen: tuple[int, ...] = (),
) -> None:  # fmt: skip
    """Ask which tiles make room: all sets at once, unless they are too many."""
    first = {laid.copy: laid.slot for laid in move.state.laid}
    labels = {laid: f"{move.title(laid)} at {slot}" for laid, slot in first.items()}
    sets = [tuple(one for one in gone if one not in chosen) for gone in clearings]
    if len(sets) > _MOST_SETS:
        left = {one for gone in sets for one in gone}
        sets = [(laid.copy,) for laid in move.state.laid if laid.copy in left]
    choices = [
        (",".join([first[one] for one in gone]), " and ".join([labels[one] for one in gone])) for gone in sets
    ]
    slots = tuple(dict.fromkeys([first[one] for gone in sets for one in gone]))
    text = f"No slot is legal for {move.title(copy)}. Which tile do you destroy to make room?"
    if any(len(gone) > 1 for gone in sets):
        text = f"No slot is legal for {move.title(copy)}. Which tiles do you destroy to make room?"
    about = RoomFor(copy=copy, ignores=ignores, chosen=chosen)
    ROOM.ask(move, seat, text, "2.2.2.1", choices, about, slots=slots)


class RoomFor(Matter, frozen=True, kw_only=True):
    """A tile that needs room, which Limits its play may ignore, and the tiles chosen so far to make it."""

    copy: int
    ignores: tuple[tuple[str, ...], ...]
    chosen: tuple[int, ...] = ()


def _answer_room(move: Move, ask: Ask, wanted: RoomFor, choice: str) -> None:
    """Begin the play, as the player has chosen what makes room (2.2.2.1); or ask for the next tile."""
    laid = [found for slot in choice.split(",") if (found := move.laid_at(slot)) is not None]
    gone = (*wanted.chosen, *(one.copy for one in laid))
    way = ways(move, ask.seat).get(wanted.copy)
    sets = [one for one in way.clearings if set(gone) <= set(one)] if way is not None else []
    if sets and all(set(one) != set(gone) for one in sets):
        _ask_room(move, ask.seat, wanted.copy, sets, wanted.ignores, gone)
        return
    destroying.destroy_all(move, gone, clause="2.2.2.1", seat=ask.seat)
    if places(move, wanted.copy, ignoring=wanted.ignores):
        start_play(move, Play(seat=ask.seat, copy=wanted.copy, ignores=wanted.ignores))


ROOM = QuestionKind(
    word="room",
    about=RoomFor,
    hear=_answer_room,
    stands=Stands.WHILE_IT_COUNTS,
    undo=Undo.POSSIBLE,
    tile_gone=TileGone.MOOT,
    of_hand=True,
    answers=("SLOT", "SLOT,…"),
)
