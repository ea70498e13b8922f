"""The runtime: sole owner of a running game. Hear, commit, apply, perform: in this order, and all here.

What comes in (an edge, an act, time, a switch) comes with its time, the only clock there is; it is never
taken to be before what came earlier. Everything goes through :meth:`Runtime._hear`, one thing at a time, in
one thread: the referee says which entries follow, the journal commits them, the referee applies each, and
the performer carries out what the game asks for.

The table must not suffer from our bugs. An entry that makes rules or tracker fail is marked as failed in the
journal and skipped from then on, the table is told, and the game goes on from the state before it. If that
entry was the end of a roll, or the tracker's third failure, the sensors are no longer believed and people say
what balls do. A journal that cannot be written stops the game: nothing unrecorded may be acted on.
"""

import logging
import traceback
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec
from hextraction.board.facts import BallInZone, RollSettled
from hextraction.controller.games.protocol import (
    Acted,
    Blinded,
    Effect,
    OpenGate,
    Paused,
    PowerSet,
    Refused,
    Renamed,
    Said,
    Standing,
    Step,
    Woke,
)
from hextraction.controller.games.scene import Scene
from hextraction.controller.play.journal import Boot, Broken, CoilsHeld, EdgeEntry, Journal, Recorded
from hextraction.controller.play.performer import Performer
from hextraction.controller.play.referee import Referee
from hextraction.hal.ports import Edge

__all__ = ["OnGoal", "OnSaid", "Runtime"]

_log = logging.getLogger(__name__)
_TRACKER_FAILURES: Final = 3
_MOST_WAKES: Final = 200
_BALL_COMES_US: Final = 600_000
"""A ball needs a fraction of a second from its gate to the ramp's beam: until then no other gate opens."""

OnGoal = Callable[[BallInZone, int], None]
"""Called when a ball has just been seen to go into an end zone, with the number of its journal entry."""
OnSaid = Callable[[Said, int, int], None]
"""Called with a message for the table, the number of its journal entry, and its time."""


class Runtime:
    """One running game: its referee, its journal, and the board it is played on.

    ``failures`` counts our bugs; ``ignored`` counts impossible changes by sensor: from a sensor that this
    board does not have, or to the level it already had.
    """

    def __init__(
        self,
        referee: Referee,
        journal: Journal,
        performer: Performer,
        on_said: OnSaid,
        on_goal: OnGoal = lambda _fact, _seq: None,
    ) -> None:
        self.referee = referee
        self.journal = journal
        self.performer = performer
        self.game = referee.header.game
        self.failures = 0
        self.changed = True
        self.ignored: Counter[str] = Counter()
        self._on_said, self._on_goal = on_said, on_goal
        self._sensors = frozenset(referee.header.sensors)
        self._tracker_failures = 0
        self._stalled: object | None = None
        self._opened_us: int | None = None
        self.doing: tuple[int, Recorded] | None = None
        """What the game is stepped with just now, and its number; 0: it is only tried, not journalled yet."""
        self._stood: tuple[object, Standing] = (referee.state, referee.game.standing(referee.state))
        performer.power = self.standing.power

    @property
    def standing(self) -> Standing:
        """How the game stands; asked of the game once per state."""
        state = self.referee.state
        if self._stood[0] is not state:
            self._stood = (state, self.referee.game.standing(state))
        return self._stood[1]

    @property
    def diagnosis(self) -> dict[str, object]:
        """What operators are shown of this game: our bugs, doubted and ignored sensors, the tracker."""
        tracker = self.referee.tracker
        return {
            "failures": self.failures,
            "suspects": list(tracker.suspects),
            "ignored": dict(self.ignored),
            "blind": self.referee.blind,
            "narrowed": tracker.narrowed,
        }

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.standing.over

    @property
    def wake_at_us(self) -> int | None:
        """When :meth:`advance` is due next, if nothing happens before."""
        referee = self.referee
        if self._stalled is referee.state:
            return referee.tracker_wake_at_us
        try:
            return referee.wake_at_us
        except Exception:  # noqa: BLE001 - logged whole
            _log.exception("the game cannot say when to wake it")
            self._stalled = referee.state
            self.failures += 1
            return referee.tracker_wake_at_us

    # --- inputs ---

    def edge(self, edge: Edge) -> None:
        """Handle a clean sensor change, after everything that was due before it.

        The lamp beside a sensor that sees a ball is lit first: a reflex, which decides nothing.
        """
        referee = self.referee
        if edge.sensor not in self._sensors:
            self._ignore(edge, "this board has no such sensor")
            return
        if edge.active and edge.sensor not in referee.broken:
            self.performer.reflex(edge.sensor)
        self.advance(edge.at_us)
        if referee.levels.get(edge.sensor) is edge.active:
            self._ignore(edge, "that is known already")
            return
        self._hear(EdgeEntry(at_us=edge.at_us, sensor=edge.sensor, active=edge.active))

    def switch(self, at_us: int, *, on: bool) -> None:
        """Handle the board's switch being flipped."""
        self.advance(at_us)
        self._hear(PowerSet(at_us=self._not_before(at_us), on=on))

    def pause(self, at_us: int, *, on: bool) -> None:
        """Begin or end a break of the whole table."""
        self.advance(at_us)
        self._hear(Paused(at_us=self._not_before(at_us), on=on))

    def rename(self, seat: str, name: str, at_us: int) -> None:
        """Give a seat the name of whoever plays it now."""
        self._hear(Renamed(at_us=self._not_before(at_us), seat=seat, name=name))

    def hold_coils(self, at_us: int, *, held: bool, why: str, seat: str) -> None:
        """Record that coils are held off from here on, or may fire again."""
        self._hear(CoilsHeld(at_us=self._not_before(at_us), held=held, why=why, seat=seat))

    def _not_before(self, at_us: int) -> int:
        """Return a time that is not before what came earlier: clocks of devices may lag a little."""
        latest_us: int = self.referee.at_us
        return max(at_us, latest_us)

    def _ignore(self, edge: Edge, why: str) -> None:
        """Count an impossible change; log only the first for each sensor."""
        self.ignored[edge.sensor] += 1
        if self.ignored[edge.sensor] == 1:
            level = "active" if edge.active else "inactive"
            _log.warning("%s is %s at %d us: ignored, %s", edge.sensor, level, edge.at_us, why)

    def act(self, acted: Acted) -> Refused | None:
        """Handle a person's action; return the refusal if it was refused.

        A refused action is not journalled, as it changes nothing. A command that the journal has already was
        carried out before a restart, and its phone has not heard so: it is not done twice.
        """
        if (acted.seat, acted.command) in self.referee.commands:
            return None
        if (acted.seat, acted.command) in self.referee.failed_commands:
            return _our_fault(acted.seat)
        self.advance(acted.at_us)
        step = self._try(acted)
        if step is None:
            return _our_fault(acted.seat)
        opens = [effect.ramp for effect in step.effects if isinstance(effect, OpenGate)]
        opened = self._just_opened(acted.at_us) if opens else ""
        if opens == [opened]:
            return None  # a thumb that taps twice wants one ball
        if opened:
            reason = f"The gate of ramp {opened} has just opened: watch its ball."
            return Refused(seat=acted.seat, reason=reason, clause="2.1.1")
        refusal = next((effect for effect in step.effects if isinstance(effect, Refused)), None)
        if refusal is None:
            seq = self.journal.append(self.game, [acted])
            self._apply(seq, acted, step)
        return refusal

    def _just_opened(self, at_us: int) -> str:
        """Return the ramp whose gate has opened so lately that its ball may still come; empty if none has."""
        if self._opened_us is None or at_us - self._opened_us >= _BALL_COMES_US:
            return ""
        awaited = self.referee.game.awaited(self.referee.state).release
        ramp = self.performer.opened[1]
        return ramp if awaited is not None and awaited[1] == ramp else ""

    def _try(self, acted: Acted) -> Step[Any] | None:
        """Try an action before accepting it: possible because stepping is pure."""
        self.doing = (0, acted)
        try:
            return self.referee.tried(acted)
        except Exception:  # noqa: BLE001 - the traceback is kept as evidence
            self._skip(acted)
            return None
        finally:
            self.doing = None

    def advance(self, now_us: int) -> None:
        """Run everything that is due by now, each at its own time."""
        for _bound in range(_MOST_WAKES):
            wake_at_us = self.wake_at_us
            if wake_at_us is None or wake_at_us > now_us:
                return
            self._hear(Woke(at_us=self._not_before(wake_at_us)))
        self._stalled = self.referee.state
        _log.error("the game asks to be woken without end at %d us", now_us)

    def think_ahead(self) -> bool:
        """Use idle time to prepare the tracker for the next edge; return whether there is more to prepare."""
        referee = self.referee
        if referee.blind or self.over:
            return False
        try:
            return referee.tracker.think_ahead()
        except Exception:  # noqa: BLE001 - logged whole; if it matters, the next edge will tell
            _log.exception("the tracker cannot think ahead")
            return False

    def declare(self, sensor: str, at_us: int, *, broken: bool, lost: bool = False) -> bool:
        """Record that people say a sensor is broken, or works again; return whether the board has it.

        With ``lost`` it is its device that does not answer, or answers again; the table is told by others.
        """
        if sensor not in self._sensors:
            return False
        self._hear(Broken(at_us=self._not_before(at_us), sensor=sensor, broken=broken, lost=lost))
        if not lost:
            what = "does not count from now on" if broken else "counts again"
            self._tell(Said(kind="sensor", text=f"Sensor {sensor} {what}."), self.referee.seq)
        return True

    def say(self, said: Said) -> None:
        """Tell the table something that is not part of the game."""
        self._tell(said, self.referee.seq)

    # --- hear, commit, apply, perform ---

    def _hear(self, what: Recorded) -> None:
        """Let the referee say what follows from an input, commit that, and apply it entry by entry.

        Raises:
            JournalLostError: it cannot be journalled; nothing has been done.
        """
        try:
            entries = self.referee.hear(what)
        except Exception:  # noqa: BLE001 - the traceback is kept as evidence
            self._skip(what)
            self._mistrust_tracker(what)
            return
        if not entries:
            return
        last = self.journal.append(self.game, entries)
        seq = last - len(entries)
        for entry in entries:
            seq += 1
            self._apply(seq, entry)

    def _apply(self, seq: int, entry: Recorded, step: Step[Any] | None = None) -> None:
        """Step the game with a committed entry, then perform what it asks for and tell what happened."""
        referee = self.referee
        before = self.standing
        self.doing = (seq, entry)
        try:
            effects = referee.apply(entry, step, self._perform)
        except Exception:  # noqa: BLE001 - the traceback is kept as evidence
            self._confess(seq, entry)
            self._after_failed_rule(entry)
            return
        finally:
            self.doing = None
        for effect in effects:  # after coils and lamps: telling may be slow, a log line is
            if isinstance(effect, Said):
                self._on_said(effect, seq, referee.at_us)
        if isinstance(entry, BallInZone):
            self._on_goal(entry, seq)
        if effects or not isinstance(entry, EdgeEntry):
            self.changed = True
        if referee.troubles:
            self._admit_troubles()
        now = self.standing
        if now.over and not before.over:
            self.journal.finish(self.game, now.outcome or "over")
        elif now.turn != before.turn:
            self.journal.sync()

    def _perform(self, effects: tuple[Effect, ...]) -> None:
        self.performer.power = self.standing.power
        opened = self.performer.opened
        self.performer.perform(effects)
        if self.performer.opened is not opened:
            self._opened_us = self.referee.at_us

    # --- our own bugs (call these inside the exception handler) ---

    def _skip(self, what: Recorded) -> None:
        self._confess(self.journal.append(self.game, [what]), what)
        self.referee.skip(what)

    def _confess(self, seq: int, entry: Recorded) -> None:
        """Keep the evidence, tell the table and go on."""
        evidence = traceback.format_exc()
        self.failures += 1
        self.journal.mark_failed(self.game, seq, evidence)
        _log.error("entry %d (%s) made a rule fail and is skipped:\n%s", seq, type(entry).__name__, evidence)
        text = "The board made a mistake and skips what just happened. The log says more."
        self._tell(Said(kind="fault", text=text), seq)

    def _mistrust_tracker(self, what: Recorded) -> None:
        self._tracker_failures += 1
        if not isinstance(what, EdgeEntry) or self._tracker_failures >= _TRACKER_FAILURES:
            self._blind()

    def _admit_troubles(self) -> None:
        """Handle a tracker that failed on what the game told it: it can no longer follow any ball."""
        for evidence in self.referee.troubles:
            self.failures += 1
            _log.error("the tracker failed:\n%s", evidence)
        self.referee.troubles.clear()
        self._blind()

    def _after_failed_rule(self, entry: Recorded) -> None:
        """Do not wake the game for the same failure again; people settle a roll that the rules could not."""
        if isinstance(entry, Woke):
            self._stalled = self.referee.state
        elif isinstance(entry, RollSettled):
            self._blind()

    def _blind(self) -> None:
        if self.referee.blind:
            self._stalled = self.referee.state
            return
        self._hear(Blinded(at_us=self.referee.at_us))
        text = "The board cannot follow the balls any longer. From now on, tap on a phone what they do."
        self._tell(Said(kind="blind", text=text, clause="R-50"), self.referee.seq)

    def _tell(self, said: Said, seq: int) -> None:
        self._on_said(said, seq, self.referee.at_us)
        self.changed = True

    def scene(self) -> Scene:
        """Return what everybody may see."""
        referee = self.referee
        return msgspec.structs.replace(referee.game.scene(referee.state), last_roll=referee.rolls.last)

    # --- starting and resuming ---

    def begin(self) -> None:
        """Start a new game in the journal."""
        self.journal.begin(self.referee.header)

    def resume(self, levels: Mapping[str, bool], now_us: int, *, boot: str) -> None:
        """Resume an interrupted game: read the sensors again and tell the table.

        ``boot`` differs from the journal's last if the machine was off in between (R-49). Where that happened
        between a game's last entry and the note of its end, the end is noted now, and nothing else is done.
        """
        if self.over:
            self.journal.finish(self.game, self.standing.outcome or "over")
            return
        known = {name: on for name, on in levels.items() if name in self._sensors}
        if self.referee.troubles:
            self._admit_troubles()
        if self.referee.unmended is not None:  # its rules failed last, or never came back
            self._after_failed_rule(self.referee.unmended)
        same = self.referee.boot == boot
        self._hear(Boot(at_us=self._not_before(now_us), same=same, boot=boot, levels=known))
        self._tell(Said(kind="resumed", text="The board is back. The game goes on."), self.referee.seq)


def _our_fault(seat: str) -> Refused:
    return Refused(
        seat=seat, reason="Our fault, not yours. The game goes on, and the log says more.", clause="0.0"
    )
