"""The referee: tracker and game combined into one deterministic state machine over journal entries.

Every input takes two steps: :meth:`Referee.hear` turns it into entries (an edge and the ball facts that
follow from it), and, once they are in the journal, :meth:`Referee.apply` steps the game. Applying the same
entries again gives the same state: that is how resuming and replaying work.

An exception in here is always our bug. If the rules raise, :meth:`Referee.apply` leaves the state as it was,
so that the entry can be skipped, now and in every replay. If the tracker raises on what the game tells it,
the game's state stands and ``troubles`` keeps the evidence: the state depends on the entries alone.
"""

import logging
import traceback
from collections.abc import Callable, Iterable
from typing import Any

from hextraction.board.facts import Fact, RollSettled
from hextraction.controller.games.marked_names import begun, with_mark
from hextraction.controller.games.protocol import (
    Acted,
    Blinded,
    Effect,
    Game,
    OpenGate,
    PowerSet,
    Renamed,
    Said,
    Step,
    TileSeen,
    Woke,
)
from hextraction.controller.play.journal import Boot, Broken, CoilsHeld, EdgeEntry, Entry, Header, Recorded
from hextraction.controller.tracking import BeamsAlone, Laid, Settings, Tracker, only_ends

__all__ = ["Referee", "replay"]

_log = logging.getLogger(__name__)
_DEVICES = (EdgeEntry, Boot, Broken, CoilsHeld)
"""Entries that are not game events."""
_MOST_WAKES = 100

Tracked = list[Fact | RollSettled]


class Referee:
    """One running game. Only :meth:`hear` and :meth:`apply` change it, both deterministic."""

    def __init__(self, game: Game[Any, Any], header: Header) -> None:
        self.game = game
        self.state: Any = begun(self.game, header.setup)
        self.lies = self.game.physical(self.state)
        self.header = header
        self.seq = 0
        self.at_us = header.setup.at_us
        self.levels: dict[str, bool] = {}
        self.boot = header.boot
        self.broken: set[str] = set()
        """The sensors that people have declared broken."""
        self.lost: set[str] = set()
        """The sensors that were declared broken because their devices do not answer."""
        self.commands: set[tuple[str, str]] = set()
        """The commands of phones that have been carried out, by seat and name."""
        self.failed_commands: set[tuple[str, str]] = set()
        """The commands of phones that made a rule fail: asked again, they are not tried again."""
        self.unmended: Recorded | None = None
        """The event that made a rule fail, if the game has not gone on since."""
        self.coils_held = False
        """Whether coils were held off when the journal ends."""
        self.blind = False
        self.troubles: list[str] = []
        self.rolls = self.game.roll_watcher()
        balls = [name for name in header.sensors if not name.startswith("tile.")]
        self.tracker = (BeamsAlone if only_ends(balls) else Tracker)(
            game.board, balls, settings=Settings(leave_us=self.game.contact_us(header.setup))
        )
        self._tell_tiles()
        self.tracker.through_gates(only=self.lies.gated)
        self.tracker.put_balls(dict(self.lies.resting))

    # --- turning inputs into entries ---

    def hear(self, what: Recorded) -> list[Recorded]:
        """Return the entries for an input: the input itself, and what the tracker concludes from it.

        The caller must then journal each of them and :meth:`apply` it.
        """
        if isinstance(what, EdgeEntry):
            return [what, *self._edge(what)]
        if isinstance(what, Boot):
            return [what, *self._boot(what)]
        if isinstance(what, Woke):
            return [*self._advance_tracker(what.at_us), *self._wake_game(what)]
        return [what]

    def _edge(self, edge: EdgeEntry) -> list[Recorded]:
        if edge.sensor.startswith("tile."):
            at_us = max(self.at_us, edge.at_us)
            return [TileSeen(at_us=at_us, slot=edge.sensor.partition(".")[2], present=edge.active)]
        if self.blind:
            return []
        return [*self._sure(self.tracker.feed(edge.sensor, edge.active, edge.at_us))]

    def _sure(self, facts: Iterable[Fact | RollSettled]) -> Tracked:
        """Drop what this board cannot know: with only some of the sensors, people say when a roll is over."""
        return [fact for fact in facts if self.lies.senses or not isinstance(fact, RollSettled)]

    def _boot(self, boot: Boot) -> list[Recorded]:
        """Read the sensors again: what differs from before the gap counts as having changed just now."""
        at_us = max(self.at_us, boot.at_us)
        changed = {name: on for name, on in boot.levels.items() if on != self.levels.get(name, False)}
        tiles = [
            TileSeen(at_us=at_us, slot=name.partition(".")[2], present=on)
            for name, on in sorted(changed.items())
            if name.startswith("tile.")
        ]
        balls = {name: on for name, on in changed.items() if not name.startswith("tile.")}
        power = (
            [] if boot.same else [PowerSet(at_us=at_us, on=self.game.standing(self.state).power, lost=True)]
        )
        seen = [] if self.blind else self._sure(self.tracker.resync(balls, at_us))
        return [*power, *seen, *tiles]

    def _advance_tracker(self, now_us: int) -> Tracked:
        wake_at_us = self.tracker_wake_at_us
        if wake_at_us is None or wake_at_us > now_us:
            return []
        return self._sure(self.tracker.advance(now_us))

    def balls_lie_still(self, now_us: int) -> None:
        """Let the roll be over at once, as a simulated board knows that nothing moves any more."""
        if not self.blind:
            self.tracker.lie_still(now_us)

    def _wake_game(self, woke: Woke) -> list[Woke]:
        wake_at_us = self.game.wake_at_us(self.state)
        return [woke] if wake_at_us is not None and wake_at_us <= woke.at_us else []

    @property
    def wake_at_us(self) -> int | None:
        """When the next :class:`Woke` is due, if nothing happens before."""
        game, tracker = self.game.wake_at_us(self.state), self.tracker_wake_at_us
        if game is None or tracker is None:
            return tracker if game is None else game
        return min(game, tracker)

    @property
    def tracker_wake_at_us(self) -> int | None:
        """When the tracker is due to be woken, regardless of the game."""
        return None if self.blind else self.tracker.wake_at_us

    # --- applying journal entries ---

    def apply(
        self,
        what: Recorded,
        step: Step[Any] | None = None,
        perform: Callable[[tuple[Effect, ...]], None] = lambda _effects: None,
    ) -> tuple[Effect, ...]:
        """Step the game with one entry and return its effects.

        Entries of devices only change what is known of the devices. ``step`` is what :meth:`tried` returned
        for this entry, if it was tried just now. ``perform`` gets the effects as soon as there are any,
        before the tracker hears what has changed: a gate does not wait for that.
        """
        self._count(what)
        self.blind = self.blind or isinstance(what, Blinded)
        if isinstance(what, _DEVICES):
            self._device(what)
            return ()
        before = self.state
        heard = with_mark(what) if isinstance(what, Renamed) else what
        done = self.game.step(before, heard) if step is None else step
        self.state = done.state
        self.unmended = None
        if isinstance(what, Acted) and what.command:
            self.commands.add((what.seat, what.command))
        perform(done.effects)
        try:
            self._follow(done.effects)
        except Exception:  # noqa: BLE001 - kept as evidence
            self.troubles.append(traceback.format_exc())
        self._keep_roll(before, what)
        return done.effects

    def _keep_roll(self, before: Any, what: Recorded) -> None:
        """Record what balls did, for watching the roll again; the game does not depend on it."""
        try:
            self.rolls.follow(before, what, self.state)
        except Exception:  # noqa: BLE001 - logged whole
            _log.exception("the roll cannot be kept to be shown again")

    def tried(self, acted: Acted) -> Step[Any]:
        """Return what an action would do; nothing changes."""
        return self.game.step(self.state, acted)

    def skip(self, what: Recorded) -> None:
        """Count an entry that made a rule fail, without stepping the game."""
        self._count(what)
        if isinstance(what, _DEVICES):
            return
        self.unmended = what
        if isinstance(what, Acted) and what.command:
            self.failed_commands.add((what.seat, what.command))

    def _count(self, what: Recorded) -> None:
        self.seq += 1
        self.at_us = max(self.at_us, what.at_us)
        if isinstance(what, EdgeEntry):
            self.levels[what.sensor] = what.active

    def _device(self, what: EdgeEntry | Boot | Broken | CoilsHeld) -> None:
        """Fold what is known of the devices; edges only change levels, which are counted already."""
        if isinstance(what, Boot):
            self.levels.update(what.levels)
            self.boot = what.boot
        elif isinstance(what, Broken):
            (self.tracker.declare_broken if what.broken else self.tracker.declare_working)(what.sensor)
            declared = self.lost if what.lost else self.broken
            (declared.add if what.broken else declared.discard)(what.sensor)
        elif isinstance(what, CoilsHeld):
            self.coils_held = what.held

    def relive(self, entry: Entry) -> tuple[tuple[Effect, ...], str | None]:
        """Re-apply an entry of an earlier run: its edges to the tracker, its events to the game.

        Returns:
            Its effects, and the evidence if a rule fails on it only now; the entry is skipped then.
        """
        what = entry.what
        if entry.failed is not None:
            self.skip(what)
            return (), None
        try:
            self._remind_tracker(what)
        except Exception:  # noqa: BLE001 - kept as evidence
            self.troubles.append(traceback.format_exc())
        try:
            return self.apply(what), None
        except Exception:  # noqa: BLE001 - the caller keeps the evidence
            self.unmended = what
            return (), traceback.format_exc()

    def _remind_tracker(self, what: Recorded) -> None:
        """Bring the tracker to where it was then; its conclusions are in the journal already.

        Its wake-ups are not in the journal: run those that were due first.
        """
        if self.blind:
            return
        now_us = max(self.at_us, what.at_us)
        for _bound in range(_MOST_WAKES):
            wake_at_us = self.tracker.wake_at_us
            if wake_at_us is None or wake_at_us > now_us:
                break
            self.tracker.advance(max(wake_at_us, self.at_us))
        if isinstance(what, EdgeEntry):
            self._edge(what)
        elif isinstance(what, Boot):
            self._boot(what)
        elif (
            isinstance(what, RollSettled) and self.tracker.moving
        ):  # it was over before it was quiet for long
            self.tracker.lie_still(what.at_us)
            self.tracker.advance(what.at_us)

    def _follow(self, effects: Iterable[Effect]) -> None:
        """Tell the tracker what the game has changed on the board."""
        before, self.lies = self.lies, self.game.physical(self.state)
        if self.blind:
            return
        for effect in effects:
            if isinstance(effect, OpenGate):
                self.tracker.expect(effect.ramp, self.at_us)
        now = self.lies
        if now.gated != before.gated:
            self.tracker.through_gates(only=now.gated)
        if now.tiles is not before.tiles:
            self._tell_tiles()
        if now.let_go and now.let_go is not before.let_go and not self.tracker.moving:
            self.tracker.put_balls({**self.tracker.resting, **now.let_go})
        over = not now.rolling and (before.rolling or now.resting is not before.resting or before.told)
        answered = before.asked and not now.asked  # now it is certain where the balls lie
        if over or answered:
            resting = dict(now.resting)
            if (before.told or not self.tracker.moving) and dict(self.tracker.resting) != resting:
                self.tracker.put_balls(resting)

    def _tell_tiles(self) -> None:
        self.tracker.lay({slot: Laid(tile, turns) for slot, (tile, turns) in self.lies.tiles.items()})


def replay(
    game: Game[Any, Any],
    header: Header,
    entries: Iterable[Entry],
    on_failed: Callable[[int, str], None] | None = None,
    on_said: Callable[[Said, int, int], None] | None = None,
) -> Referee:
    """Return the referee in the state after these entries.

    ``on_failed`` gets the number of an entry that makes a rule fail only now, and the evidence; ``on_said``
    what the table was told, with the number of its entry and its time.
    """
    referee = Referee(game, header)
    for entry in entries:
        effects, evidence = referee.relive(entry)
        if on_said is not None:
            for said in (effect for effect in effects if isinstance(effect, Said)):
                on_said(said, entry.seq, referee.at_us)
        if evidence is not None and on_failed is not None:
            on_failed(entry.seq, evidence)
    return referee
