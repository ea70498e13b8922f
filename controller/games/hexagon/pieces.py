"""What a board sees of pieces, beside what was declared. It sees that a slot is taken or free, nothing else.

A game declares what should lie on the board; the Halls under the slots confirm it. Where they differ because
hands are still at work, the game waits; where nobody declared anything, people are asked. Nothing is guessed.
A board that sees no pieces, or is switched off, is believed to look as declared.
"""

from collections.abc import Collection, Iterable
from typing import Literal

import msgspec
from msgspec.structs import replace

__all__ = ["Watch", "answered", "attested", "believed", "declared", "noted", "seen", "told", "watching"]


class Watch(msgspec.Struct, frozen=True, kw_only=True):
    """What a board sees of its pieces.

    ``sees`` whether it sees any; ``taken`` the slots that count as taken, by the sensors or because people
    said so; ``busy`` the slots where hands have something to do, or may have, after what was declared last;
    ``wrong`` the slots whose sensors people do not believe.
    """

    sees: bool = False
    taken: tuple[str, ...] = ()
    busy: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()

    def lift(self, lies: Collection[str]) -> tuple[str, ...]:
        """Return the slots out of which a piece should be lifted, if these should be taken."""
        return tuple(sorted(set(self.taken) - set(lies) - set(self.wrong)))

    def put(self, lies: Collection[str]) -> tuple[str, ...]:
        """Return the slots into which a piece should be put, if these should be taken."""
        return tuple(sorted(set(lies) - set(self.taken) - set(self.wrong)))

    def differs(self, lies: Collection[str]) -> bool:
        """Whether the board looks otherwise than it should."""
        return bool(self.lift(lies) or self.put(lies))

    def undeclared(self, lies: Collection[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the slots where a piece was lifted, and where one was put, with nobody saying so."""
        busy = set(self.busy)
        lifted = tuple(slot for slot in self.put(lies) if slot not in busy)
        return lifted, tuple(slot for slot in self.lift(lies) if slot not in busy)

    def todo(self, lies: Collection[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the slots that hands should still empty, and those where they should put something."""
        lifted, put = self.undeclared(lies)
        lift = tuple(slot for slot in self.lift(lies) if slot not in put)
        return lift, tuple(slot for slot in self.put(lies) if slot not in lifted)

    def wants(self, lies: Collection[str], slot: str) -> Literal["", "lift", "put"]:
        """Return what hands should do at a slot."""
        return "lift" if slot in self.lift(lies) else "put" if slot in self.put(lies) else ""

    def question(self, lies: Collection[str]) -> str:
        """Return the name of the question about pieces moved without a word; empty if none was."""
        lifted, put = self.undeclared(lies)
        return f"board-{'-'.join((*lifted, '', *put))}" if lifted or put else ""


def watching(lies: Iterable[str], *, sees: bool) -> Watch:
    """Return what a board sees at the start of a game, when nothing has been declared wrong."""
    return Watch(sees=sees, taken=tuple(sorted(lies)) if not sees else ())


def declared(watch: Watch, lies: Collection[str], changed: Iterable[str], *, on: bool) -> Watch:
    """Return the watch after somebody declared what should lie now.

    ``changed`` are the slots that hands may touch for it; what they had to do before stays to be done. ``on``
    is whether the board is switched on: if not, or if it sees nothing, it is believed to look like that.
    """
    if not (watch.sees and on):
        return replace(watch, taken=tuple(sorted(lies)), busy=())
    still = {slot for slot in watch.busy if slot in {*watch.lift(lies), *watch.put(lies)}}
    return replace(watch, busy=tuple(sorted({*still, *changed})))


def noted(watch: Watch, slot: str, *, present: bool) -> Watch:
    """Return the watch after a sensor changed."""
    if (slot in watch.taken) is present:
        return watch
    taken = {*watch.taken, slot} if present else set(watch.taken) - {slot}
    return replace(watch, taken=tuple(sorted(taken)))


def told(watch: Watch, slots: Iterable[str]) -> Watch:
    """Return the watch after people said that hands will see to these slots."""
    return replace(watch, busy=tuple(sorted({*watch.busy, *slots})))


def believed(watch: Watch, slots: Iterable[str]) -> Watch:
    """Return the watch after people said that the sensors of these slots are wrong."""
    return replace(watch, wrong=tuple(sorted({*watch.wrong, *slots})))


def seen(
    watch: Watch, lies: Collection[str], slot: str, *, present: bool
) -> tuple[Watch, Literal["", "lifted", "put"]]:
    """Return the watch after a sensor changed, and what was done there, if nobody has said why."""
    before = watch.undeclared(lies)
    now = noted(watch, slot, present=present)
    lifted, put = now.undeclared(lies)
    if (lifted, put) == before:
        return now, ""
    return now, "put" if slot in put else "lifted" if slot in lifted else ""


def attested(watch: Watch, lies: Collection[str], slot: str, *, laid: bool) -> Watch | None:
    """Return the watch after people said that they laid or lifted a piece; None if none should be there.

    ``slot`` may be empty: then it is the piece that should be laid next.
    """
    wanted = watch.put(lies) if laid else watch.lift(lies)
    there = slot or (wanted[0] if laid and wanted else "")
    return noted(watch, there, present=laid) if there in wanted else None


def answered(watch: Watch, lies: Collection[str], choice: str) -> tuple[Watch, tuple[str, ...]] | None:
    """Return the watch after somebody answered the question about pieces moved without a word.

    With it come the slots whose sensors are not believed from now on. ``back`` is answered by who puts it
    back, ``wrong`` by who sees that the board is right; any other answer is the game's own, and gives None.
    """
    slots = tuple(slot for some in watch.undeclared(lies) for slot in some)
    if choice == "back":
        return told(watch, slots), ()
    return (believed(watch, slots), slots) if choice == "wrong" else None
