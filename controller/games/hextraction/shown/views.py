"""The scene of Hextraction: what everybody may see, made from the state alone. No hands, no pool (1.2.1)."""

from collections.abc import Iterator, Mapping
from typing import Final

import msgspec
from hextraction.board.tiles import TileShape
from hextraction.controller.games.hextraction.cards.face import TileView
from hextraction.controller.games.hextraction.cards.tiles import UNKNOWN, Catalogue, Tile, When
from hextraction.controller.games.hextraction.lay import ramps
from hextraction.controller.games.hextraction.shown.detail import Detail, VoteView, WaitingView
from hextraction.controller.games.hextraction.state.deeds import OfEffect
from hextraction.controller.games.hextraction.state.move import Move
from hextraction.controller.games.hextraction.state.questions import kind_of
from hextraction.controller.games.hextraction.state.record import Record
from hextraction.controller.games.hextraction.state.state import Ask, Copy, Depth, Laid, Phase, State, Vote
from hextraction.controller.games.hextraction.talk.voting import awaited
from hextraction.controller.games.protocol import Awaited, Laying, Physical
from hextraction.controller.games.scene import BallView, Counter, PlaceView, Scene, SeatView

__all__ = ["Lying", "headline", "layout_of", "resting_of", "scene", "tile_view", "waits_for"]

# --- The scene ---


def scene(move: Move) -> Scene:
    """Return what everybody may see."""
    state = move.state
    follows_tiles = state.depth is not Depth.SCORE
    return Scene(
        kind="hextraction",
        headline=headline(move),
        turn=state.turn,
        active=state.active,
        acting=state.roll.roller if state.roll is not None else state.active,
        seats=tuple(
            SeatView(
                seat=player.seat,
                name=player.name,
                colour=player.colour,
                counters=(Counter(label="tiles", one="tile", count=len(player.hand)),)
                if follows_tiles
                else (),
                out=player.out,
                leaving=player.conceded and not player.out,
                note="rolls" if state.roll is not None and state.roll.roller == player.seat else "",
            )
            for player in state.players
        ),
        places=(*_slots(move), *_ramps(move), *_zones(move)),
        balls=_balls(move),
        counters=(Counter(label="tiles in the pool", one="tile in the pool", count=len(state.pool)),)
        if follows_tiles
        else (),
        asked=tuple((ask.seat, _public_text(ask)) for ask in state.asks),
        power=state.power,
        paused=state.paused_us is not None,
        deadline_us=state.deadline_us,
        winners=state.winners,
        losers=tuple(player.seat for player in state.players if player.out),
        outcome=state.outcome,
        detail=_detail(move),
    )


def _detail(move: Move) -> Detail:
    state = move.state
    return Detail(
        phase=state.phase.value,
        waiting=tuple(
            WaitingView(
                id=one.id,
                slot=one.slot,
                title=move.title(one.copy),
                text=move.tile(one.copy).effects[one.effect].text,
            )
            for one in state.waiting
        ),
        vote=_vote(move),
        offline=state.offline,
        overdrive=state.overdrive,
        pool=len(state.pool),
        virtual_pool=len(state.virtual),
        destroyed=len(state.destroyed),
        chime=state.chime,
        rolls_owed=state.rolls_owed,
        plays_owed=state.plays_owed,
        virtual_tiles=tuple(sorted(move.title(copy) for copy in state.virtual)),
        agreed=state.agreed,
        objected=state.objected or msgspec.UNSET,
        began_us=state.began_us if state.depth is Depth.SCORE else msgspec.UNSET,
        turn_us=state.turn_us if state.depth is Depth.SCORE else msgspec.UNSET,
        played=state.played or msgspec.UNSET,
        depth=msgspec.UNSET if state.depth is Depth.FULL else state.depth,
    )


def _public_text(ask: Ask) -> str:
    """Return a question's public text, which does not name a tile in a hand."""
    return "is choosing a tile" if kind_of(ask).of_hand else ask.text


def headline(move: Move) -> str:
    """Say in a few words what the table is waiting for."""
    state = move.state
    if state.outcome is not None:
        return state.outcome
    if state.vote is not None:
        word = "Enable" if state.vote.forbidden else "Does"
        rest = "?" if state.vote.forbidden else " stay?"
        return f"Vote: {word} {_voted_on(move, state.vote)}{rest}"
    if state.asks:
        return f"{move.name(state.asks[0].seat)} is asked a question"
    if state.adrift and state.phase in _WAITS_FOR_BALLS:
        return "A ball is moving though nobody is rolling: wait"
    if state.poised is not None:
        return f"The kicker at {state.poised.slot} waits for hands to be away"
    if state.phase is Phase.RESOLVING and state.deadline_us is not None and state.waiting:
        return f"{move.title(state.waiting[0].copy)} takes effect in a moment"
    name = move.name(state.active)
    if move.is_nameless():
        return f"{move.name(_whose(state))} says which tile it is"
    return {
        Phase.CHOOSING: f"{name}'s turn",
        Phase.RELEASING: _releasing(move),
        Phase.ROLLING: f"{move.name(state.roll.roller if state.roll else state.active)} is rolling",
        Phase.RESOLVING: "Effects are at work",
        Phase.PLACING: f"{move.name(state.play.seat if state.play else state.active)} looks for a slot",
        Phase.SEATING: f"{move.name(state.play.seat if state.play else state.active)} lays a tile",
        Phase.SETTLING: "Anything wrong?",
        Phase.TIDYING: "Tidying up",
        Phase.DISCARDING: f"{name} discards",
    }[state.phase]


_WAITS_FOR_BALLS = frozenset({Phase.CHOOSING, Phase.RESOLVING, Phase.SETTLING})


def _releasing(move: Move) -> str:
    seat, ramp = move.state.intent or (move.state.active, "")
    return f"{move.name(seat)} releases a ball{f' on ramp {ramp}' if ramp else ''}"


def tile_view(move: Move, copy: int, laid: Laid | None = None) -> TileView:
    """Return a tile as its holder may see it, or everybody once it is revealed."""
    known = move.state.copies[copy]
    tile = move.tile(copy)
    if not known.name:
        return TileView(id=copy, name="", title="a tile", summary="Only its holder has seen it.")
    disabled = [
        effect.text
        for effect in tile.effects
        if not move.enabled(effect, laid) and effect.when is not When.LIMIT
    ]
    untold = laid is not None and not _is_turn_told(move, tile)
    return TileView(
        id=copy,
        name=known.name,
        title=move.title(copy),
        owner=known.owner,
        turns=laid.turns if laid is not None and not untold else 0,
        legal_turns=tile.turns,
        channels=tile.channels,
        untold=untold,
        trigger=tile.trigger.value if tile.sets_off else "",
        keywords=tuple(
            sorted(
                {keyword.value for keyword in tile.keywords} | ({"forbidden"} if tile.forbidden else set())
            )
        ),
        summary=tile.summary or " ".join(effect.text for effect in tile.effects),
        starred=tile.starred,
        covers=laid.slots if laid is not None and len(laid.slots) > 1 else (),
        disabled=tuple(disabled),
        part=laid.part if laid is not None and copy not in move.state.silencers else 0,
        silenced=_silenced(move, laid) if laid is not None else "",
    )


def _is_turn_told(move: Move, tile: Tile) -> bool:
    """Whether it is known how a laid tile is turned: where taps are few only of one that lies in one way."""
    return move.state.depth is Depth.FULL or len(tile.turns) < 2


def _silenced(move: Move, laid: Laid) -> str:
    """Say why effects do nothing: a switch that is off (this tile's or another's), or a ballot (R-09)."""
    silencers = move.silencers
    if laid.copy in silencers:
        return "its switch silences all other tiles"
    if silencers:
        return f"silenced by {move.title(silencers[-1])}"
    return "its Forbidden effects are voted down" if laid.silenced else ""


def _slots(move: Move) -> tuple[PlaceView, ...]:
    state = move.state
    now = move.record()
    balls: dict[str, int] = {}
    for on in now.on.values():
        for slot in on:
            balls[slot] = balls.get(slot, 0) + 1
    waiting: dict[str, int] = {}
    for one in state.waiting:
        waiting[one.slot] = waiting.get(one.slot, 0) + 1
    laid_at = {slot: laid for laid in state.laid for slot in laid.slots}
    touches = now.touches if state.roll is not None else {}
    put = state.play.slots if state.play is not None and state.phase is Phase.SEATING else ()
    found = []
    for slot in move.board.slot_names:
        laid = laid_at.get(slot)
        first = laid is not None and laid.slot == slot
        tile = tile_view(move, laid.copy, laid) if laid is not None and first else None
        touched = touches.get(laid.copy, 0) if laid is not None else 0
        found.append(
            PlaceView(
                place=f"slot.{slot}",
                piece=tile,
                part_of=f"slot.{laid.slot}" if laid is not None and not first else "",
                count=touched,
                badge="!" if slot in waiting else "",
                balls=balls.get(slot, 0),
                wants="lift" if slot in state.to_lift else "put" if slot in put else "",
                note=_note(touched, waiting.get(slot, 0), tile),
            )
        )
    return tuple(found)


def _note(touches: int, waiting: int, tile: TileView | None) -> str:
    """Say what the marks on a slot mean."""
    said = []
    if touches:
        said.append(f"{touches} {'touch' if touches == 1 else 'touches'}")
    if waiting:
        said.append(f"{waiting} {'effect waits' if waiting == 1 else 'effects wait'}")
    if tile is not None and tile.silenced:
        said.append(tile.silenced)
    if tile is not None and tile.part:
        said.append(f"moving part turned {tile.part}/6")
    return ", ".join(said)


def _ramps(move: Move) -> tuple[PlaceView, ...]:
    state = move.state
    banned = ramps.banned_ramps(move)
    chosen = state.intent[1] if state.intent is not None and state.phase is Phase.RELEASING else ""
    stuck = [ramp for ball, ramp in move.record().stuck if move.record().ramps.get(ball) == ramp]
    return tuple(
        PlaceView(place=f"ramp.{ramp.name}", shut=ramp.name in banned, balls=stuck.count(ramp.name),
                  wants="release" if ramp.name == chosen else "")
        for ramp in move.board.ramps
    )  # fmt: skip


def _zones(move: Move) -> tuple[PlaceView, ...]:
    now = list(move.in_zones().values())
    return tuple(
        PlaceView(place=f"zone.{zone.name}", title=zone.title, balls=now.count(zone.name))
        for zone in move.board.zones
    )


def _balls(move: Move) -> tuple[BallView, ...]:
    now = move.record()
    rolling = move.state.phase is Phase.ROLLING
    found = {ball: f"slot.{slots[-1]}" for ball, slots in now.on.items() if slots}
    found |= {ball: f"ramp.{ramp}" for ball, ramp in now.ramps.items()}
    found |= {ball: f"zone.{zone}" for ball, zone in move.in_zones().items()}
    if move.state.roll is not None:
        found |= dict.fromkeys((*now.fell, *(ball for ball, _copy in now.lost)), "gone")
    trails = now.trails if move.state.roll is not None else {}
    return tuple(
        BallView(ball=ball, place=place, trail=trails.get(ball, ()),
                 moving=rolling and ball in trails and place != "gone")
        for ball, place in sorted(found.items())
    )  # fmt: skip


def _vote(move: Move) -> VoteView | None:
    vote = move.state.vote
    if vote is None:
        return None
    return VoteView(
        kind="forbidden" if vote.forbidden else "destroy",
        title=_voted_on(move, vote),
        slot=vote.slot or None,
        ballots=vote.ballots,
        awaited=awaited(vote),
    )


def _voted_on(move: Move, vote: Vote) -> str:
    return move.title(vote.copy) if vote.slot else move.called_whole(vote.copy)


# --- What physically lies on the board, for the tracker and for hands that lay tiles ---


def layout_of(state: State) -> dict[str, tuple[str, int]]:
    """Return the kind of tile and its turns in each slot, without open slots."""
    return {slot: (state.copies[laid.copy].name, laid.turns) for laid in state.laid for slot in laid.slots}


def resting_of(state: State) -> dict[int, str]:
    """Return the slot in which each ball lies (the latest, if it touches several)."""
    record = state.rest if state.roll is None else state.roll.record
    return {ball: slots[-1] for ball, slots in record.on.items() if slots}


def waits_for(move: Move) -> Awaited:
    """Return whom and what the game waits for."""
    state, phase = move.state, move.state.phase
    intent, play = state.intent, state.play
    laying = phase is Phase.SEATING and play is not None and bool(play.slots) and not play.bottomed
    name = state.copies[play.copy].name if play is not None else ""
    return Awaited(
        seat=_whose(state),
        lift=state.to_lift,
        lay=Laying(play.slot, move.rules.tiles.get(name, UNKNOWN), play.turns)
        if laying and play is not None
        else None,
        release=intent if phase is Phase.RELEASING and intent is not None and intent[1] else None,
        gates=state.config.gates,
        balls=phase is Phase.ROLLING,
        tidy=phase is Phase.CHOOSING,
        tiles_seen=state.config.tile_sensors and state.power,
        decision=state.vote is not None or bool(state.asks),
        long_roll=_impatient(state),
        in_hands=_in_hands(state),
        stir=next((told.stir for told in _told_to_do(state) if told.stir), ()),
    )


def _told_to_do(state: State) -> Iterator[OfEffect]:
    """Return what effects ask about, which hands may be told to do meanwhile."""
    return (ask.about for ask in state.asks if isinstance(ask.about, OfEffect))


def _in_hands(state: State) -> tuple[str, ...]:
    """Return the slots in which something else may lie than is installed (0.1.9, 2.2.4, 2.4.1, R-43)."""
    play = state.play
    laid = play.slots if play is not None and state.phase is Phase.SEATING else ()
    asked = (slot for ask in state.asks for slot in ask.slots)
    return (*laid, *state.to_lift, *state.blocked, *asked)


def _whose(state: State) -> str:
    """Return the seat that has to act or to answer."""
    if state.phase is Phase.OVER:
        return ""
    if state.vote is not None:
        return awaited(state.vote) or ""
    if state.asks:
        return state.asks[0].seat
    if state.play is not None and not state.play.seated:
        return state.play.seat
    return state.intent[0] if state.intent is not None else state.active


def _impatient(state: State) -> str:
    """Return who may Break the Loop: a tile has been touched three times in this roll (2.1.4.3)."""
    roll = state.roll
    looped = roll is not None and any(count >= 3 for count in roll.record.touches.values())
    return roll.roller if roll is not None and looped else ""


_NONE: Final[Mapping[int, str]] = {}


class Lying:
    """What lies on the board, made anew only when tiles or balls have changed."""

    def __init__(self, tiles: Catalogue) -> None:
        self._tiles = tiles
        self._laid: tuple[Laid, ...] | None = None
        self._copies: Mapping[int, Copy] | None = None
        self._shapes: Mapping[str, tuple[TileShape, int]] = {}
        self._record: Record | None = None
        self._resting: Mapping[int, str] = {}

    def physical(self, state: State) -> Physical:
        """Return what lies where in a state."""
        if state.laid is not self._laid or state.copies is not self._copies:
            self._laid, self._copies = state.laid, state.copies
            self._shapes = {
                slot: (self._tiles.get(name, UNKNOWN), turns)
                for slot, (name, turns) in layout_of(state).items()
            }
        roll = state.roll
        record = state.rest if roll is None else roll.record
        if record is not self._record:
            self._record, self._resting = record, resting_of(state)
        return Physical(
            tiles=self._shapes,
            resting=self._resting,
            stuck=record.ramps,
            rolling=roll is not None,
            asked=roll is not None and roll.held is not None,
            told=state.attesting or not state.power,
            senses=state.config.sensors,
            turned=state.depth is Depth.FULL,
            gated=state.config.gates and state.power,
            let_go=next((told.let_go for told in _told_to_do(state) if told.let_go), _NONE),
        )
