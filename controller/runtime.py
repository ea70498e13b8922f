"""The runtime: the one owner of a running game. Journal, step, perform: always in this order.

Everything comes through :meth:`Runtime.handle`, one thing at a time, in one thread. A rule that fails on an event
is our fault, never the table's: the event is marked as failed in the journal and skipped from then on, the table
is told, and the game goes on from the state before it. A journal that cannot be written stops the game, since
nothing may be acted on that would be forgotten.
"""

import logging
import traceback
from collections.abc import Callable, Sequence

from hextraction.controller.games.hextraction import Phase
from hextraction.controller.games.protocol import Acted, Effect, PublicView, Refused, Said, Woke
from hextraction.controller.journal import Boot, EdgeEntry, Journal, Recorded
from hextraction.controller.performer import Performer
from hextraction.controller.referee import Referee
from hextraction.hal.ports import Edge

__all__ = ["OnSaid", "Runtime"]

_log = logging.getLogger(__name__)

OnSaid = Callable[[Said, int, int], None]
"""Called with what is to be told, the number of its journal entry, and its time."""


class Runtime:
    """One running game: its referee, its journal, and the board it is played on."""

    def __init__(self, referee: Referee, journal: Journal, performer: Performer, on_said: OnSaid) -> None:
        self.referee = referee
        self.journal = journal
        self.performer = performer
        self.game = referee.header.game
        self.failures = 0
        self.changed = True
        self._on_said = on_said

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.referee.state.phase is Phase.OVER

    @property
    def wake_at_us(self) -> int | None:
        """When :meth:`advance` is wanted next, if nothing happens before."""
        return self.referee.wake_at_us

    def edge(self, edge: Edge) -> None:
        """Take a clean sensor change; what was due before it comes first."""
        self.advance(edge.at_us)
        self.handle(EdgeEntry(at_us=edge.at_us, sensor=edge.sensor, active=edge.active))

    def act(self, acted: Acted) -> Refused | None:
        """Take what a person did; return the refusal if it was refused.

        A refused action is not journalled: it leaves the state as it was.
        """
        self.advance(acted.at_us)
        step = self._try(acted)
        if step is None:
            return Refused(
                seat=acted.seat, reason="Our fault: this is logged, and the game goes on.", clause="0.0"
            )
        refusal = next((effect for effect in step if isinstance(effect, Refused)), None)
        if refusal is None:
            self.handle(acted)
        return refusal

    def _try(self, acted: Acted) -> Sequence[Effect] | None:
        """Look ahead: stepping is pure, so an action can be judged before it is accepted."""
        referee = self.referee
        try:
            return referee.game.step(referee.state, acted).effects
        except Exception:
            self._confess(self.journal.append(self.game, [acted]), acted, traceback.format_exc())
            self.referee.skip(acted)
            return None

    def advance(self, now_us: int) -> None:
        """Let everything happen that was due until now, each at its own time."""
        for _bound in range(10_000):
            wake_at_us = self.referee.wake_at_us
            if wake_at_us is None or wake_at_us > now_us:
                return
            self.handle(Woke(at_us=max(wake_at_us, self.referee.at_us)))
        _log.error("the game asks to be woken without end at %d us", now_us)

    def handle(self, what: Recorded) -> None:
        """Journal, step, perform."""
        try:
            entries = self.referee.hear(what)
        except Exception:
            self._confess(self.journal.append(self.game, [what]), what, traceback.format_exc())
            self.referee.skip(what)
            return
        if not entries:
            return
        last = self.journal.append(self.game, entries)
        for seq, entry in enumerate(entries, start=last - len(entries) + 1):
            self._apply(seq, entry)

    def _apply(self, seq: int, entry: Recorded) -> None:
        referee = self.referee
        turn = referee.state.turn
        try:
            effects = referee.apply(entry)
        except Exception:
            self._confess(seq, entry, traceback.format_exc())
            return
        for effect in effects:
            self.performer.perform(effect, self._touches_at)
            if isinstance(effect, Said):
                self._on_said(effect, seq, referee.at_us)
        if effects or not isinstance(entry, EdgeEntry):
            self.changed = True
        if self.over:
            self.journal.finish(self.game, referee.state.outcome or "over")
        elif referee.state.turn != turn:
            self.journal.sync()

    def _touches_at(self, slot: str) -> int:
        state = self.referee.state
        copy = next((laid.copy for laid in state.laid if slot in laid.slots), None)
        return state.roll.record.touches.get(copy, 0) if copy is not None and state.roll is not None else 0

    def _confess(self, seq: int, entry: Recorded, evidence: str) -> None:
        """A rule of ours failed: keep the evidence, tell the table, go on."""
        self.failures += 1
        self.journal.mark_failed(self.game, seq, evidence)
        _log.error("entry %d (%s) made a rule fail and is skipped:\n%s", seq, type(entry).__name__, evidence)
        told = Said(
            kind="fault", text="The board made a mistake and ignores what just happened. It is logged."
        )
        self._on_said(told, seq, self.referee.at_us)
        self.changed = True

    def public(self) -> PublicView:
        """Return what everybody may see now."""
        return self.referee.game.public(self.referee.state)

    # --- starting and resuming ---

    def begin(self) -> None:
        """Open the journal of a new game."""
        self.journal.begin(self.referee.header)

    def resume(self, levels: dict[str, bool], now_us: int, *, boot: str, same: bool) -> None:
        """Go on with a game that was interrupted: read the sensors again and let the table know."""
        self.handle(Boot(at_us=max(now_us, self.referee.at_us), same=same, boot=boot, levels=levels))
        self._on_said(
            Said(kind="resumed", text="The board is back. The game goes on."),
            self.referee.seq,
            self.referee.at_us,
        )
