"""Shared by demo and run: the board info for phones, and orderly shutdown."""

import asyncio
import contextlib
import gc
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from hextraction.board.profile import Board
from hextraction.controller.games.protocol import Senses
from hextraction.controller.games.registry import STANDARD
from hextraction.controller.payloads.messages import EdgeShape, Info, SlotShape
from hextraction.controller.rig import Rig
from hextraction.controller.version import software

__all__ = [
    "as_called",
    "be_prompt",
    "board_info",
    "ending_signals",
    "go_on_in_spite_of_pause",
    "posting",
    "senses_of",
    "slot_shapes",
    "stop_on_signals",
]


_SWITCH_S: Final = 0.0005


def be_prompt() -> None:
    """Let this process answer edges promptly, once all that it needs has been loaded.

    A busy thread keeps the others waiting for half a millisecond at most, as an edge passes several on its
    way; and what is loaded now is left out of the garbage collector's rounds.
    """
    sys.setswitchinterval(_SWITCH_S)
    gc.freeze()


def as_called(program: str) -> str:
    """Return how somebody who called this program, as ``sys.argv[0]`` has it, calls it again."""
    found = shutil.which("hextraction")
    at_hand = found is not None and Path(found).resolve() == Path(program).resolve()
    return program if Path(program).name == "hextraction" and not at_hand else "hextraction"


def senses_of(rig: Rig) -> Senses:
    """Return what a board with this rig sees and does by itself."""
    return Senses(balls=rig.sees_balls, tiles=rig.sees_tiles, gates=rig.opens_ramps, kickers=rig.kickers)


def board_info(
    board: Board,
    *,
    drawn: Board | None = None,
    electronics: bool,
    simulated: bool,
    sensors: tuple[str, ...] = (),
    game: str = STANDARD,
) -> Info:
    """Describe a board to phones, which draw ``drawn`` of it if a game is played on a part."""
    return Info(
        board=board.name,
        title=board.title,
        pitch_mm=board.pitch_mm,
        slots=slot_shapes(drawn or board),
        electronics=electronics,
        simulated=simulated,
        game=game,
        software=software(),
        sensors=sensors,
    )


def slot_shapes(board: Board) -> tuple[SlotShape, ...]:
    """Return where each slot is, as phones draw it."""
    return tuple(
        SlotShape(
            slot=slot.name,
            x_mm=slot.x_mm,
            y_mm=slot.y_mm,
            edges=tuple(EdgeShape(slot=edge.slot, ramp=edge.ramp, zone=edge.zone) for edge in slot.edges),
        )
        for slot in board.slots
    )


_ASKED: Final = frozenset({"SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"})
"""Ctrl-C, the system, a closed terminal or lost SSH session, the quit key."""
_NEVER_HEARD: Final = frozenset({"SIGKILL", "SIGSTOP"})
_HARMLESS: Final = frozenset(
    {"SIGCHLD", "SIGCONT", "SIGURG", "SIGWINCH", "SIGTSTP", "SIGTTIN", "SIGTTOU", "SIGPIPE", "SIGXFSZ"}
    | {"SIGINFO"}  # a Mac's Ctrl-T
)
"""These end no process of Python's: SIGPIPE and SIGXFSZ become errors where they happen."""
_FAULTS: Final = frozenset({"SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL"})
"""The processor's own: a handler would return to the very instruction that failed, for ever."""


def ending_signals() -> frozenset[int]:
    """Return every signal that would end this process and that it can do something about."""
    left = (_NEVER_HEARD | _HARMLESS | _FAULTS) & set(signal.Signals.__members__)
    return frozenset(signal.valid_signals()) - {signal.Signals[name] for name in left}


def stop_on_signals(done: asyncio.Event, unasked: Callable[[str], object] | None = None) -> None:
    """Set ``done`` when a signal would end the process, whichever: coils must be off before it ends.

    Of one by which nobody asks a program to stop, such as SIGUSR1, ``unasked`` is told the name as well.
    """
    loop = asyncio.get_running_loop()

    def end(number: int) -> None:
        done.set()
        name = _name_of(number)
        if unasked is not None and name not in _ASKED:
            unasked(name)

    for number in ending_signals():
        loop.add_signal_handler(number, end, number)


def go_on_in_spite_of_pause() -> None:
    """Do not stand still at Ctrl-Z (SIGTSTP): who stands still guards no coil, which stays as it is."""
    told = "this program holds coils and does not stand still; Ctrl-C ends it"
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTSTP, lambda: print(f"\n  {told}", file=sys.stderr, flush=True))


def _name_of(number: int) -> str:
    """Return a signal's name; those of real time have only numbers."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def posting(loop: asyncio.AbstractEventLoop, call: Callable[..., object]) -> Callable[..., None]:
    """Return a callback for any thread: it posts to the loop and returns. After the end it does nothing."""

    def post(*words: object) -> None:
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(call, *words)

    return post
