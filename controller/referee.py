"""The referee: tracker and game together, as one deterministic machine over journal entries.

Everything that comes in goes through two steps: :meth:`Referee.hear` says which entries it makes (an edge and
the ball facts that follow from it), and, once the journal has them, :meth:`Referee.apply` steps the game. The
same entries applied again give the same state: that is what resuming and replaying are.
"""

from collections.abc import Iterable, Mapping

from hextraction.board.facts import Fact, RollSettled
from hextraction.board.profile import Board
from hextraction.board.tiles import UNKNOWN, Catalogue
from hextraction.controller.games.hextraction import Hextraction, State
from hextraction.controller.games.hextraction.physical import layout_of, resting_of
from hextraction.controller.games.protocol import Effect, OpenGate, PowerSet, Said, TileSeen, Woke
from hextraction.controller.journal import Boot, Broken, EdgeEntry, Entry, Header, Recorded
from hextraction.controller.tracking import Laid, Tracker

__all__ = ["Referee", "replay"]

_MOTION = (EdgeEntry, Boot, Broken)


class Referee:
    """One running game. Mutable, but only by :meth:`hear` and :meth:`apply`, both deterministic."""

    def __init__(self, board: Board, tiles: Catalogue, header: Header) -> None:
        self.board = board
        self.tiles = tiles
        self.game = Hextraction(board, tiles)
        self.state: State = self.game.start(header.setup)
        self.header = header
        self.seq = 0
        self.at_us = header.setup.at_us
        self.told: tuple[Said, ...] = ()
        self.levels: dict[str, bool] = {}
        self.tracker = Tracker(board, [name for name in header.sensors if not name.startswith("tile.")])
        self._tell_tiles()
        self.tracker.put_balls(resting_of(self.state))

    # --- what an input means ---

    def hear(self, what: Recorded) -> list[Recorded]:
        """Return the entries that an input makes: itself, and what the tracker concludes from it.

        Must be followed by :meth:`apply` of each, after they are journalled.
        """
        if isinstance(what, EdgeEntry):
            return [what, *self._edge(what)]
        if isinstance(what, Boot):
            return [what, *self._boot(what)]
        if isinstance(what, Woke):
            return [*self._advance_tracker(what.at_us), *self._wake_game(what)]
        return [what]

    def _edge(self, edge: EdgeEntry) -> list[Fact | RollSettled | TileSeen]:
        self.at_us = max(self.at_us, edge.at_us)
        if edge.sensor.startswith("tile."):
            return [TileSeen(at_us=self.at_us, slot=edge.sensor.partition(".")[2], present=edge.active)]
        return list(self.tracker.feed(edge.sensor, edge.active, edge.at_us))

    def _boot(self, boot: Boot) -> list[Recorded]:
        """Sensors are read again: what differs from before the gap changed just now."""
        self.at_us = max(self.at_us, boot.at_us)
        changed = {
            name: active for name, active in boot.levels.items() if active != self.levels.get(name, False)
        }
        tiles = [
            TileSeen(at_us=self.at_us, slot=name.partition(".")[2], present=active)
            for name, active in sorted(changed.items())
            if name.startswith("tile.")
        ]
        balls = {name: active for name, active in boot.levels.items() if not name.startswith("tile.")}
        power = [] if boot.same else [PowerSet(at_us=self.at_us, on=self.state.power, lost=True)]
        return [*power, *self.tracker.resync(balls, self.at_us), *tiles]

    def _advance_tracker(self, now_us: int) -> list[Fact | RollSettled]:
        wake_at_us = self.tracker.wake_at_us
        return list(self.tracker.advance(now_us)) if wake_at_us is not None and wake_at_us <= now_us else []

    def _wake_game(self, woke: Woke) -> list[Woke]:
        wake_at_us = self.game.wake_at_us(self.state)
        return [woke] if wake_at_us is not None and wake_at_us <= woke.at_us else []

    @property
    def wake_at_us(self) -> int | None:
        """When a :class:`Woke` is wanted next, if nothing happens before."""
        game, tracker = self.game.wake_at_us(self.state), self.tracker.wake_at_us
        if game is None or tracker is None:
            return tracker if game is None else game
        return min(game, tracker)

    # --- applying what the journal holds ---

    def apply(self, what: Recorded) -> tuple[Effect, ...]:
        """Step the game with one entry; entries that are only for the tracker change nothing else."""
        self.seq += 1
        self.at_us = max(self.at_us, what.at_us)
        if isinstance(what, _MOTION):
            if isinstance(what, EdgeEntry):
                self.levels[what.sensor] = what.active
            elif isinstance(what, Boot):
                self.levels.update(what.levels)
            elif isinstance(what, Broken):
                (self.tracker.declare_broken if what.broken else self.tracker.declare_working)(what.sensor)
            return ()
        before = self.state
        step = self.game.step(before, what)
        self.state = step.state
        self.told = tuple(effect for effect in step.effects if isinstance(effect, Said))
        for effect in step.effects:
            if isinstance(effect, OpenGate):
                self.tracker.expect(effect.ramp, self.at_us)
        if step.state is not before:
            self._follow(before)
        return step.effects

    def skip(self, what: Recorded) -> None:
        """Count an entry that made a rule fail, without stepping."""
        self.seq += 1
        self.at_us = max(self.at_us, what.at_us)

    def relive(self, entry: Entry) -> None:
        """Apply an entry of an earlier run: the tracker hears its edges again, the game its events."""
        what = entry.what
        if entry.failed is not None:
            self.skip(what)
            return
        if isinstance(what, EdgeEntry):
            self._edge(what)
        elif isinstance(what, Boot):
            self._boot(what)
        elif not isinstance(what, Broken):
            # The tracker's own wake-ups are not in the journal; their facts are. Bring it up to this time first.
            self._advance_tracker(what.at_us)
        self.apply(what)

    def _follow(self, before: State) -> None:
        """Tell the tracker what the game changed on the board."""
        state = self.state
        if state.laid is not before.laid or state.copies is not before.copies:
            self._tell_tiles()
        if state.roll is None and (before.roll is not None or state.rest is not before.rest):
            resting = resting_of(state)
            if not self.tracker.moving and dict(self.tracker.resting) != resting:
                self.tracker.put_balls(resting)

    def _tell_tiles(self) -> None:
        laid: Mapping[str, tuple[str, int]] = layout_of(self.state)
        self.tracker.lay(
            {slot: Laid(self.tiles.get(name, UNKNOWN), turns) for slot, (name, turns) in laid.items()}
        )


def replay(board: Board, tiles: Catalogue, header: Header, entries: Iterable[Entry]) -> Referee:
    """Return the referee as it stood after these entries."""
    referee = Referee(board, tiles, header)
    for entry in entries:
        referee.relive(entry)
    return referee
