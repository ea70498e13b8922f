"""What phones say of hands at the hexagon: what they should do, what people may tell, how they answer."""

from collections.abc import Collection, Iterable, Iterator, Sequence

from hextraction.controller.games.hexagon.pieces import Watch
from hextraction.controller.games.protocol import Said
from hextraction.controller.games.scene import Option

__all__ = ["answering", "disbelieved", "listed", "sentence", "tellings"]


def listed(names: Sequence[str]) -> str:
    """Return some names for people.

    >>> listed(["A1", "B2", "C3"])
    'A1, B2 and C3'
    """
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def sentence(parts: Iterable[str]) -> str:
    """Return what hands have to do as a sentence; empty if it is nothing.

    >>> sentence(["lift A1", "put the piece on B2"])
    'Lift A1 and put the piece on B2.'
    """
    text = " and ".join(parts)
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def tellings(watch: Watch, lies: Collection[str], laid: str, lifted: str) -> Iterator[Option]:
    """Yield what anybody may tell of pieces, for sensors that say nothing.

    ``laid`` and ``lifted`` are the words for it, with ``{slot}`` in them.
    """
    for slot in watch.put(lies)[:1]:
        yield Option(
            group="laid", label=laid.format(slot=slot), act={"do": "laid", "slot": slot}, tells="laid"
        )
    for slot in watch.lift(lies):
        act = {"do": "lifted", "slot": slot}
        label = lifted.format(slot=slot)
        yield Option(group="lifted", label=label, act=act, slot=slot, tells=f"lifted {slot}")


def answering(prompt: str, choice: str, label: str) -> Option:
    """Return an answer to a question."""
    return Option(group="answer", label=label, act={"do": "answer", "prompt": prompt, "choice": choice})


def disbelieved(slots: Iterable[str], clause: str) -> Said:
    """Return what is told when people have said that sensors are wrong."""
    text = f"From now on the sensors of {', '.join(slots)} do not count."
    return Said(kind="board", text=text, clause=clause)
