"""Destroying tiles, and its consequences (2.4, 3.Destroy, R-19, R-36, R-55, R-57, R-73)."""

from hextraction.controller.games.hextraction.cards.tiles import Effect, When
from hextraction.controller.games.hextraction.state.deeds import acting
from hextraction.controller.games.hextraction.state.move import Move
from hextraction.controller.games.hextraction.state.questions import (
    OfTile,
    QuestionKind,
    Stands,
    TileGone,
    TileOut,
    Undo,
    kind_of,
)
from hextraction.controller.games.hextraction.state.record import forget_tile
from hextraction.controller.games.hextraction.state.state import (
    Ask,
    Laid,
    Matter,
    Parting,
    Phase,
    Play,
    Waiting,
)
from hextraction.controller.games.hextraction.turn import combos, turns
from hextraction.controller.games.hextraction.turn.combos import Broken, wholes
from msgspec.structs import replace

__all__ = [
    "MATES",
    "ask_parting",
    "bring_back",
    "destroy",
    "destroy_all",
    "destroy_unlaid",
    "discard_laid",
    "remove_laid",
    "set_aside",
]


def destroy(
    move: Move,
    copy: int,
    *,
    by_vote: bool = False,
    clause: str = "3.Destroy",
    seat: str = "",
    replayed: bool = False,
) -> None:
    """Destroy one installed tile."""
    destroy_all(move, (copy,), by_vote=by_vote, clause=clause, seat=seat, replayed=replayed)


def destroy_all(
    move: Move,
    copies: tuple[int, ...],
    *,
    by_vote: bool = False,
    clause: str = "3.Destroy",
    ended: Play | None = None,
    seat: str = "",
    replayed: bool = False,
) -> None:
    """Destroy installed tiles simultaneously: all leave before any consequence takes place.

    ``by_vote``: their own "when destroyed" effects do not fire (R-73). ``ended``: the play that they were
    part of, if it has been ended already and its unlaid pieces put aside. ``seat`` causes it; it chooses
    which part of a Combo goes along, if several would do, before that one is destroyed (R-55). What a switch
    silenced as they were destroyed stays silent though it leaves with them. ``replayed``: they are laid again
    at once, so that of Virtual ones nobody is told that they are in their pool.
    """
    silencers, causer = move.silencers, seat or _causer(move)
    copies = tuple(copy for copy in copies if move.laid_copy(copy) is not None)
    sure, unsure = combos.leaving(move, copies, ended)
    doomed = _laid(move, sure)
    for laid in doomed:
        remove_laid(move, laid)
    broken = combos.break_off(move, doomed)
    saved = {} if by_vote else _saved(move, doomed, _laid(move, unsure), silencers, causer)
    lost = [laid for laid in doomed if laid.copy not in saved]
    for laid in lost:
        _tell(move, laid, clause, replayed=replayed)
    move.set(graves=(*move.state.graves, *lost))
    pending = {move.state.copies[copy].whole for copy in unsure}
    set_aside(move, tuple(one.copy for one in lost if move.state.copies[one.copy].whole not in pending - {0}))
    _follow(move, broken, tuple(saved))
    for laid in lost:
        if not by_vote:
            _last_act(move, laid, silencers, causer)
        _watch_destruction(move, laid.copy, silencers)
    _part(move, unsure, causer, clause, saved, by_vote=by_vote)
    combos.owe_again(move, broken)


def _laid(move: Move, copies: tuple[int, ...]) -> list[Laid]:
    return [laid for copy in copies if (laid := move.laid_copy(copy)) is not None]


def _follow(move: Move, broken: Broken | None, saved: tuple[int, ...]) -> None:
    """Send unlaid pieces where their Combo went; if that was saved, counterparts go to their pool."""
    if broken is None:
        return
    if broken.whole not in wholes(move, saved):
        set_aside(move, broken.unlaid)
        return
    for copy in wholes(move, broken.unlaid):
        if copy != broken.whole:
            turns.to_pool(move, copy)


def bring_back(move: Move, whole: int) -> None:
    """Let a destroyed tile, or a Virtual one in its pool, be in the game again, wherever it goes (0.0)."""
    state = move.state

    def others(graves: tuple[Laid, ...]) -> tuple[Laid, ...]:
        return tuple(one for one in graves if whole not in {one.copy, state.copies[one.copy].whole})

    move.set(
        destroyed=tuple(copy for copy in state.destroyed if copy != whole),
        virtual=tuple(copy for copy in state.virtual if copy != whole),
        graves=others(state.graves),
        old_graves=others(state.old_graves),
    )


def remove_laid(move: Move, laid: Laid) -> None:
    """Take a tile off the board: its effects end, even waiting ones (2.4.5, 3.Destroy.2); balls leave it."""
    state, copy = move.state, laid.copy
    waiting = tuple([waiting for waiting in state.waiting if waiting.copy != copy])
    asks = tuple([ask for ask in state.asks if not isinstance(ask.about, OfTile) or ask.about.copy != copy])
    asks = tuple(ask for ask in asks if not _is_moot(ask, laid.slot))
    out_already = any(isinstance(ask.about, TileOut) and laid.slot in ask.slots for ask in state.asks)
    lift = state.to_lift
    if (state.config.tile_sensors or not state.config.sensors) and not out_already:
        lift = (*lift, laid.slot)
    move.set(waiting=waiting, asks=asks, to_lift=lift)
    if state.demanded and state.demanded_by == copy:
        move.forget_demand()
    roll = state.roll
    if roll is None:
        move.set(rest=forget_tile(state.rest, copy, laid.slots, balls_go=True))
    else:
        go = state.phase is not Phase.ROLLING
        now = forget_tile(roll.record, copy, laid.slots, balls_go=go)
        # What was counted since the last quiet is counted anew, even if the tile comes back (R-30, 0.0).
        since = roll.record.touches.get(copy, 0) - roll.base.touches.get(copy, 0)
        if since and (roll.astir or not go):
            move.set_roll(adjusted={**roll.adjusted, copy: roll.adjusted.get(copy, 0) - since})
        move.set_roll(record=now, base=forget_tile(roll.base, copy, laid.slots, balls_go=go))
    if state.poised is not None and state.poised.copy == copy:
        move.set(poised=None, deadline_us=None)
    if copy in state.silencers:
        move.set(silencers=tuple(other for other in state.silencers if other != copy))
    move.set_laid(tuple([other for other in state.laid if other.copy != copy]))


def _is_moot(ask: Ask, slot: str) -> bool:
    """Whether a question ends as a tile leaves a slot: it arose from how the board was, or offered that."""
    gone = kind_of(ask).tile_gone
    return gone is TileGone.MOOT or (gone is TileGone.ANEW and slot in ask.slots)


def discard_laid(move: Move, copy: int, seat: str = "") -> None:
    """Discard an installed tile to its pool; a Combo leaves as a whole and returns whole (2.4.7, R-55)."""
    sure, unsure = combos.leaving(move, (copy,))
    gone = _laid(move, sure)
    for laid in gone:
        remove_laid(move, laid)
        move.say("discard", f"{move.title(laid.copy)} at {laid.slot} is discarded.", slot=laid.slot)
    broken = combos.break_off(move, gone)
    pending = {move.state.copies[one].whole for one in unsure} - {0}
    unlaid = () if broken is None else broken.unlaid
    for whole in wholes(move, (*(laid.copy for laid in gone), *unlaid)):
        if whole not in pending:
            turns.to_pool(move, whole)
    _part(move, unsure, seat or _causer(move), "2.4.7", dict.fromkeys(unsure, "pool"))
    combos.owe_again(move, broken)


# --- The other parts of a Combo, if several would do (2.4.6, 2.4.7, R-55) ---


def _part(
    move: Move, unsure: tuple[int, ...], seat: str, clause: str, to: dict[int, str], *, by_vote: bool = False
) -> None:
    """Note which parts have still to leave, and ask about the first, anew if it is asked already."""
    parting = tuple(
        Parting(copy=copy, seat=seat, to=to.get(copy, "destroyed"), clause=clause, by_vote=by_vote)
        for copy in unsure
    )  # fmt: skip
    if parting:
        move.set(parting=(*move.state.parting, *parting))
        MATES.drop(move)
        ask_parting(move)


def _causer(move: Move) -> str:
    """Return who destroys a tile unless an effect or a play of somebody's does: whoever rolls or plays."""
    state = move.state
    if state.roll is not None:
        return state.roll.roller
    return state.play.seat if state.play is not None else state.active


def ask_parting(move: Move) -> None:
    """Ask which part leaves as well; one without a double leaves without a question.

    All that are alike are offered, as long as one of them may stay.
    """
    while (parting := move.state.parting) and not MATES.is_open(move):
        copy, laid = parting[0].copy, move.laid_copy(parting[0].copy)
        awaited = tuple(one.copy for one in parting)
        if laid is None or not combos.doubles(move, copy, awaited):
            _leave(move, parting[0], copy)
            continue
        others = combos.doubles(move, copy, ())
        title = move.title(copy)
        choices = [(one.slot, f"{title} at {one.slot}") for one in (laid, *others)]
        slots = tuple(word for word, _label in choices)
        text = f"Which {title} goes along?"
        MATES.ask(move, parting[0].seat, text, "R-55", choices, PartLeaves(part=copy), slots=slots)


class PartLeaves(Matter, frozen=True, kw_only=True):
    """A part of a Combo that has to leave, unless one just like it is chosen."""

    part: int


def _answer_mates(move: Move, _ask: Ask, about: PartLeaves, choice: str) -> None:
    """Remove the chosen part, and ask about the next."""
    first = next((one for one in move.state.parting if one.copy == about.part), None)
    laid = move.laid_at(choice)
    if first is not None and laid is not None:
        alike = {about.part, *(one.copy for one in combos.doubles(move, about.part, ()))}
        if laid.copy in alike:
            combos.change_wholes(move, about.part, laid.copy)
            _leave(move, first, laid.copy)
            _await_instead(move, laid.copy, about.part)
    ask_parting(move)


def _await_instead(move: Move, gone: int, other: int) -> None:
    """Let another part leave in the place of one that has gone in its place."""
    parting = tuple(replace(one, copy=other) if one.copy == gone else one for one in move.state.parting)
    move.set(parting=parting)


MATES = QuestionKind(
    word="mates",
    about=PartLeaves,
    hear=_answer_mates,
    stands=Stands.ANYHOW,
    undo=Undo.POSSIBLE,
    tile_gone=TileGone.ANEW,
    answers=("SLOT",),
)


def _leave(move: Move, parting: Parting, copy: int) -> None:
    """Let a part leave the way the first one did; with the last one its whole goes there."""
    move.set(parting=tuple(one for one in move.state.parting if one is not parting))
    laid, whole = move.laid_copy(copy), move.state.copies[copy].whole or copy
    silencers = move.silencers
    if laid is not None:
        remove_laid(move, laid)
        if parting.to == "destroyed":
            _tell(move, laid, parting.clause)
            move.set(graves=(*move.state.graves, laid))
        else:
            said = f"{move.title(copy)} at {laid.slot} goes along."
            move.say("discard", said, slot=laid.slot, clause="R-55")
    if not combos.installed_parts(move, whole) and laid is not None:
        _dispatch(move, whole, parting.to)
    if laid is not None and parting.to == "destroyed":
        if not parting.by_vote:
            _last_act(move, laid, silencers, parting.seat)
        _watch_destruction(move, copy, silencers)


def _dispatch(move: Move, whole: int, to: str) -> None:
    """Put a whole where all its parts went."""
    if to == "destroyed":
        set_aside(move, (whole,))
    elif to.startswith("hand."):
        _hand_over(move, whole, to.removeprefix("hand."))
    else:
        turns.to_pool(move, whole)


def _hand_over(move: Move, copy: int, seat: str) -> None:
    turns.unmask(move, copy)
    move.set_player(seat, hand=(*move.player(seat).hand, copy))


# --- Tiles that go elsewhere instead (2.4.4, R-57) ---


def _saved(
    move: Move, doomed: list[Laid], unsure: list[Laid], silencers: tuple[int, ...], causer: str
) -> dict[int, str]:
    """Send tiles where their own "instead" effect says; they are not destroyed (2.4.4, R-57).

    Returns:
        Each tile that is saved, also of those that may leave, and where it goes.
    """
    saved: dict[int, str] = {}
    pending = {move.state.copies[one.copy].whole for one in unsure} - {0}
    for laid in (*doomed, *unsure):
        instead = [effect for effect in move.tile(laid.copy).effects if effect.deed.instead]
        where = next((one.deed.instead for one in instead if _works(move, one, laid, silencers)), "")
        if not where or laid.copy in saved:
            continue
        left = [one for one in (*doomed, *unsure) if one.copy not in saved]
        mates = _counterparts(move, laid, left)
        to = f"hand.{causer}" if where == "hand" else "pool"
        if move.state.copies[laid.copy].whole not in pending:
            _dispatch(move, move.state.copies[laid.copy].whole or laid.copy, to)
        _tell_saved(move, laid, to, [one for one in mates if one in doomed], causer)
        saved |= {one.copy: to for one in left if one is laid or _same(move, one, laid)}
        saved |= {one.copy: "pool" for one in mates}
    return saved


def _same(move: Move, one: Laid, other: Laid) -> bool:
    """Whether both are parts of the same Combo: the rest leaves the same way as the first part (R-55)."""
    whole = move.state.copies[other.copy].whole
    return bool(whole) and move.state.copies[one.copy].whole == whole


def _counterparts(move: Move, laid: Laid, doomed: list[Laid]) -> list[Laid]:
    """Return the counterparts that leave together with a part of a Virtual Combo (3.Combo.5)."""
    whole = move.state.copies[laid.copy].whole
    names = move.tile(whole).counterparts if whole else ()
    kinds = [move.rules.named(name) for name in names]
    return [one for one in doomed if move.tile(one.copy) in kinds]


def _tell_saved(move: Move, laid: Laid, to: str, mates: list[Laid], seat: str) -> None:
    """Tell where a Combo or a tile goes; counterparts always go to their pool."""
    copy = move.state.copies[laid.copy].whole or laid.copy
    place = "its pool" if to == "pool" else f"the hand of {move.name(seat)}"
    said = f"{move.called(copy, laid.slot)} goes to {place} instead."
    move.say("effect", said, seat=seat, slot=laid.slot, clause="2.4.4")
    for mate in mates:
        turns.to_pool(move, mate.copy)
        said = f"{move.called(mate.copy, mate.slot)} goes to its pool with it."
        move.say("effect", said, slot=mate.slot, clause="3.Combo.5")


def _tell(move: Move, laid: Laid, clause: str, *, replayed: bool = False) -> None:
    title, slot = move.title(laid.copy), laid.slot
    if move.tile(laid.copy).virtual and not replayed:
        said = f"{title} at {slot} is destroyed: back to the Virtual Pool."
        move.say("destroy", said, slot=slot, clause="3.Virtual.2")
    else:
        move.say("destroy", f"{title} at {slot} is destroyed.", slot=slot, clause=clause)


def set_aside(move: Move, copies: tuple[int, ...]) -> None:
    """Set destroyed copies aside for good (2.4.4, 3.Destroy.1), a Combo as a whole (R-57).

    Virtual ones go back into their pool (2.4.2, 3.Destroy.3).
    """
    for copy in wholes(move, copies):
        if copy in move.state.virtual or copy in move.state.destroyed:
            continue  # the whole has gone with another part
        if move.tile(copy).virtual:
            move.set(virtual=(*move.state.virtual, copy))
        else:
            move.set(destroyed=(*move.state.destroyed, copy))


def destroy_unlaid(move: Move, copies: tuple[int, ...]) -> None:
    """Destroy tiles that do not lie on the board (2.2.4.3, 2.5.3); tiles that watch for it see it (R-73)."""
    set_aside(move, copies)
    for copy in wholes(move, copies):
        _watch_destruction(move, copy, move.silencers)


def _works(move: Move, effect: Effect, laid: Laid, silencers: tuple[int, ...]) -> bool:
    """Whether an effect works now and no switch silenced it as the tiles were destroyed."""
    return silencers in {(), (laid.copy,)} and move.enabled(effect, laid)


def _last_act(move: Move, laid: Laid, silencers: tuple[int, ...], seat: str) -> None:
    """Fire a "when this is destroyed" effect once, as the tile's last act, for who caused it (R-73)."""
    for index, effect in enumerate(move.tile(laid.copy).effects):
        acts = effect.when is When.ON_DESTROY and not effect.deed.instead
        if acts and _works(move, effect, laid, silencers):
            waiting = Waiting(id=move.new_id(), copy=laid.copy, slot=laid.slot, effect=index, seat=seat)
            move.set(waiting=(*move.state.waiting, waiting))


def _watch_destruction(move: Move, copy: int, silencers: tuple[int, ...]) -> None:
    """Fire the effects of other tiles that watch for a destruction, always (R-73)."""
    name = move.tile(copy).name
    for laid, _index, effect in move.on_board(When.ONGOING):
        watch = acting(effect).watch
        if watch is not None and effect.tile == name and _works(move, effect, laid, silencers):
            watch(move, laid, copy)
