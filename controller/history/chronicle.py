"""A chronicle: one finished game, moment by moment, as everybody at the table saw it.

The journal is applied to the rules again, without tracker, table or clock. A moment is an entry at which
something was told; what has changed in the scene since the moment before goes with it, the first one has the
whole scene.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Final

import msgspec
from hextraction.controller.games.marked_names import begun, plain, with_mark
from hextraction.controller.games.protocol import Effect, Game, Renamed, Said
from hextraction.controller.games.registry import title_of
from hextraction.controller.games.rolls import LastRoll, RolledBall
from hextraction.controller.games.scene import Scene
from hextraction.controller.history.chances import Chances
from hextraction.controller.play.journal import Boot, Broken, CoilsHeld, EdgeEntry, Entry, Header

__all__ = ["Chronicle", "Crossing", "Moment", "Player", "RollTold", "Saying", "Summary", "retell"]

_DEVICES: Final = (EdgeEntry, Boot, Broken, CoilsHeld)
FORMAT: Final = 3


class Saying(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One sentence said at the table."""

    text: str
    kind: str
    seat: str | None = None
    slot: str | None = None


class Moment(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What was told at an entry of the journal, and what of the scene is new since the moment before.

    ``scene`` holds whole values of the scene's fields; ``places`` those places that have changed, by name.
    A field or place that is None is gone. ``chances`` is how likely each seat was to win, and
    ``next_ball`` how likely the next ball was to do it (0..1, see :mod:`.chances`): both where they change.
    """

    seq: int
    at_ms: int
    told: tuple[Saying, ...] = ()
    scene: dict[str, Any] = {}
    places: dict[str, Any] = {}
    chances: dict[str, float] = {}
    next_ball: float | None = None


class Player(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who played, under the name they had at the end."""

    seat: str
    name: str
    colour: str
    won: bool = False


class Crossing(msgspec.Struct, frozen=True, kw_only=True):
    """A ball came over a tile: the tile's title, whether that was a touch."""

    tile: str
    touch: bool = False


class RollTold(msgspec.Struct, frozen=True, kw_only=True):
    """One ball of a roll: who rolled it, what it came over, and its fate (see ``RolledBall``)."""

    roller: str
    crossed: tuple[Crossing, ...]
    fate: str | None = None


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """A finished game in short, for lists, statistics, the ladder.

    ``wall`` is what the clock said when it began (ISO 8601); ``dated`` is false if that cannot be true.
    """

    game: str
    kind: str
    title: str
    wall: str
    outcome: str
    players: tuple[Player, ...]
    turns: int
    minutes: float
    balls: tuple[RollTold, ...] = ()
    dated: bool = True


class Chronicle(msgspec.Struct, frozen=True, kw_only=True):
    """A whole game to be watched again: ``info`` is the board as phones draw it.

    ``began_us`` is the table's clock at its start.
    """

    summary: Summary
    info: Any
    began_us: int
    moments: tuple[Moment, ...]
    v: int = FORMAT


def retell(game: Game[Any, Any], header: Header, entries: Iterable[Entry], info: Any) -> Chronicle:
    """Tell a game again from its journal; entries that make a rule fail are skipped, as they were then."""
    teller = _Teller(game, header)
    for entry in entries:
        teller.take(entry)
    return teller.chronicle(info)


class _Teller:
    """Steps a game and notes what everybody saw."""

    def __init__(self, game: Game[Any, Any], header: Header) -> None:
        self._game = game
        self._header = header
        self._state: Any = begun(game, header.setup)
        self._rolls = game.roll_watcher()
        self._chances = Chances(game)
        self._likely: tuple[dict[str, float], float] | None = None
        self._start_us: int = header.setup.at_us
        self._at_us = self._start_us
        self._scene: Scene | None = None
        self._shown: dict[str, Any] = {}
        self._places: dict[str, Any] = {}
        self._moments: list[Moment] = []
        self._balls: dict[int, list[RollTold]] = {}
        self._last: LastRoll | None = None
        self._before: tuple[int, Scene | None] = (0, None)
        """The number of the last roll, and the scene before it."""
        self._note(0, ())

    def take(self, entry: Entry) -> None:
        """Apply one entry."""
        what = entry.what
        self._at_us = max(self._at_us, what.at_us)
        if entry.failed is not None or isinstance(what, _DEVICES):
            return
        before = self._state
        try:
            step = self._game.step(before, with_mark(what) if isinstance(what, Renamed) else what)
            self._state = step.state
            self._rolls.follow(before, what, step.state)
        except Exception:  # noqa: BLE001 - a rule of today fails on a game of before: the game goes on without it
            return
        told = tuple(_told(step.effects))
        if told or self._new_roll() is not None:
            self._note(entry.seq, told)

    def _new_roll(self) -> LastRoll | None:
        last = self._rolls.last
        return last if last is not None and last != self._last else None

    def _note(self, seq: int, told: tuple[Saying, ...]) -> None:
        before = self._scene
        scene = msgspec.structs.replace(self._game.scene(self._state), last_roll=self._rolls.last)
        roll = self._new_roll()
        if roll is not None:
            self._note_balls(roll, before or scene)
        values = msgspec.to_builtins(scene)
        places = {one["place"]: one for one in values.pop("places")}
        likely = self._chances.of(self._state, scene)
        fresh = likely if likely != self._likely else None
        moment = Moment(
            seq=seq,
            at_ms=(self._at_us - self._start_us) // 1000,
            told=told,
            scene=_changes(self._shown, values),
            places=_changes(self._places, places),
            chances=fresh[0] if fresh else {},
            next_ball=fresh[1] if fresh else None,
        )
        self._likely = likely or self._likely
        self._scene, self._shown, self._places = scene, values, places
        self._moments.append(moment)

    def _note_balls(self, roll: LastRoll, before: Scene) -> None:
        """Note what balls came over; a roll that goes on with another ball is told anew, whole."""
        self._last = roll
        if self._before[0] != roll.number:
            self._before = roll.number, before
        lay = self._before[1] or before
        self._balls[roll.number] = [_ball_told(lay, roll, ball) for ball in roll.balls]

    def chronicle(self, info: Any) -> Chronicle:
        """Return all of it."""
        self._note(self._moments[-1].seq, ())
        last = self._moments.pop()
        if last.scene or last.places:
            self._moments.append(last)
        standing = self._game.standing(self._state)
        scene = self._scene or self._game.scene(self._state)
        players = tuple(
            Player(seat=seat.seat, name=plain(seat.name), colour=seat.colour, won=seat.seat in scene.winners)
            for seat in scene.seats
        )
        summary = Summary(
            game=self._header.game,
            kind=self._header.kind,
            title=title_of(self._header.kind),
            wall=self._header.wall,
            outcome=plain(standing.outcome or "unfinished"),
            players=players,
            turns=standing.turn,
            minutes=round((self._at_us - self._start_us) / 60e6, 1),
            balls=tuple(ball for some in self._balls.values() for ball in some),
        )
        return Chronicle(summary=summary, info=info, began_us=self._start_us, moments=tuple(self._moments))


def _told(effects: Iterable[Effect]) -> Iterator[Saying]:
    for said in effects:
        if isinstance(said, Said):
            yield Saying(text=said.text, kind=said.kind, seat=said.seat, slot=said.slot)


def _changes(before: dict[str, Any], now: dict[str, Any]) -> dict[str, Any]:
    gone: dict[str, Any] = dict.fromkeys(key for key in before if key not in now)
    return gone | {key: value for key, value in now.items() if key not in before or before[key] != value}


def _ball_told(scene: Scene, roll: LastRoll, ball: RolledBall) -> RollTold:
    """Return a ball's way with the tiles that lay there before the roll had its effects."""
    names = {seat.seat: plain(seat.name) for seat in scene.seats}
    lying = {place.place: place for place in scene.places}
    crossed = []
    for stop in ball.stops:
        place = lying.get(f"slot.{stop.slot}")
        if place is not None and place.part_of:
            place = lying.get(place.part_of, place)
        if place is not None and place.piece is not None:
            crossed.append(Crossing(tile=plain(place.piece.title), touch=bool(stop.touch)))
    roller = names.get(roll.roller, roll.roller)
    return RollTold(roller=roller, crossed=tuple(crossed), fate=ball.fate)
