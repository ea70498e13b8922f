"""Notices a game whose rules never come back: names it, marks what they were given, and lets the program end.

The loop steps the game, so with one that hangs nobody is answered, and a restart that replays the same event
hangs again. A thread looks from outside. What the game was given is marked as failed as if a rule had raised,
and is skipped at the next start. Only the game is judged here: systemd notices a disk or device that hangs,
and a game that lets no other thread run.
"""

import logging
import sys
import threading
import traceback
from collections.abc import Callable
from types import FrameType
from typing import Final

from hextraction.controller.games.registry import comes_from
from hextraction.controller.play.journal import JournalError
from hextraction.controller.table.host import Host

__all__ = ["HungGame"]

_log = logging.getLogger(__name__)
LOOK_EVERY_S: Final = 0.5
LOOKS: Final = 10
"""So many looks in a row have to find the loop in the same step of a game: half of systemd's patience."""
_FRAMES: Final = 12
_OUTCOME: Final = "The game stopped: the program got stuck in its rules."


class HungGame:
    """Looks at the thread that makes it, twice a second, once started.

    Args:
        host: the table whose game is looked at.
        leave: turns outputs off and ends the program, in the looking thread.
        every_s: how often to look.
        looks: after how many looks in a row a game counts as hung.
    """

    def __init__(
        self, host: Host, leave: Callable[[], None], *, every_s: float = LOOK_EVERY_S, looks: int = LOOKS
    ) -> None:
        self._host = host
        self._leave = leave
        self._every_s = every_s
        self._looks = looks
        self._beats = 0
        self._before: tuple[object, ...] = ()
        self._found = 0
        self._watched = threading.get_ident()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look_on, name="hung-game", daemon=True)

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def beat(self) -> None:
        """Note that the loop comes round. May be called often."""
        self._beats += 1

    def close(self) -> None:
        """Look no more."""
        self._over.set()
        if self._thread.is_alive() and threading.current_thread() is not self._thread:
            self._thread.join()

    def _look_on(self) -> None:
        while not self._over.wait(self._every_s):
            if self.look():
                return

    def look(self) -> bool:
        """Look once; return whether the game hangs, after everything has been done about it."""
        host = self._host
        runtime = host.runtime
        now = (self._beats, host.replaying, runtime.referee.seq if runtime is not None else 0)
        inside = self._inside()
        self._found = self._found + 1 if inside is not None and now == self._before else 0
        self._before = now
        if inside is None or self._found < self._looks:
            return False
        self._confess(inside)
        self._leave()
        return True

    def _inside(self) -> FrameType | None:
        """Return where the watched thread is, if a game's own code has called it."""
        innermost = frame = sys._current_frames().get(self._watched)  # noqa: SLF001 - there is no other way
        package = type(self._host.game).__module__.rpartition(".")[0] or type(self._host.game).__module__
        while frame is not None:
            name = str(frame.f_globals.get("__name__", ""))
            if name == package or name.startswith(f"{package}."):
                return innermost
            frame = frame.f_back
        return None

    def _confess(self, frame: FrameType) -> None:
        """Log what hangs and where, and mark what the game was given."""
        game = self._host.game
        origin = comes_from(game.kind) or game.kind
        stack = "".join(traceback.format_stack(frame)[-_FRAMES:])
        _log.error("the game %s (%s) hangs, and the program ends:\n%s", game.title, origin, stack)
        try:
            self._blame(stack)
        except JournalError as error:
            _log.error("nothing could be marked: %s", error)

    def _blame(self, evidence: str) -> None:
        """Mark what the game was given last as failed; one that was given nothing yet is given up."""
        host, journal = self._host, self._host.journal
        runtime = host.runtime
        if host.replaying is not None:
            game, seq = host.replaying
        elif runtime is None:
            return
        elif runtime.doing is not None and runtime.doing[0] == 0:
            game, seq = runtime.game, journal.append(runtime.game, [runtime.doing[1]])
        elif runtime.doing is not None:
            game, seq = runtime.game, runtime.doing[0]
        else:  # what it shows of its state hangs: that state came from the last event
            game = runtime.game
            seq = max((entry.seq for entry in journal.entries(game) if entry.failed is None), default=0)
        if not seq:
            journal.finish(game, _OUTCOME)
            _log.error("game %s is given up", game)
            return
        journal.mark_failed(game, seq, evidence)
        _log.error("entry %d of game %s is marked as failed", seq, game)
