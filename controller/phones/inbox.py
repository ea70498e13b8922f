"""What phones say, checked: a message becomes a command, an answer at once, or nothing and a count. Pure.

Rules of this room:

1. The seat is that of the topic; nothing in a payload can change it.
2. A command is handed on once. The same id again gets the first answer again, as long as it is remembered.
3. Whatever comes, nothing is raised: the outcome is one of the classes below, and a counter says how often.
"""

from collections import Counter, OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import msgspec
from hextraction.controller.payloads.messages import VERSION, Command, Here, Reply, Topics
from hextraction.controller.payloads.sizes import MOST_COMMAND, MOST_CORRELATION
from hextraction.controller.phones.admission import Rate
from hextraction.controller.phones.link import Incoming
from hextraction.settings.plain import UNREADABLE

__all__ = ["Accepted", "Answered", "Dropped", "Inbox", "Present"]

REMEMBERED: Final = 256
_DEEPEST: Final = 12
"""Lists and objects within each other in what is said; a tile that somebody describes has six."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """A good command, to be carried out."""

    seat: str
    command: Command


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """Nothing to carry out; this is the answer."""

    seat: str
    reply: Reply


@dataclass(frozen=True, slots=True, kw_only=True)
class Present:
    """A phone of a seat came or went."""

    seat: str
    phone: str
    here: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """Nothing to do, not even an answer; ``why`` is the counter's name."""

    why: str


Outcome = Accepted | Answered | Present | Dropped


class _Named(msgspec.Struct, frozen=True):
    """As much of a command as is needed to answer it."""

    id: str = ""


class Inbox:
    """The checks, and the memory of what was answered.

    Args:
        topics: the board's topics.
        seats: all seats there are; a message for another one is foreign.
    """

    def __init__(self, topics: Topics, seats: Iterable[str]) -> None:
        self.counters: Counter[str] = Counter()
        self._topics = topics
        self._commands = Rate(10, 10)
        self._messages = Rate(60, 30)
        self._memory: dict[str, OrderedDict[str, Reply | None]] = {seat: OrderedDict() for seat in seats}
        self._correlations: dict[tuple[str, str], bytes] = {}

    def read(self, message: Incoming, now_s: float) -> Outcome:
        """Check one message and count what is wrong with it."""
        outcome = self._read(message, now_s)
        if isinstance(outcome, Dropped):
            self.counters[outcome.why] += 1
        elif isinstance(outcome, Answered):
            self.counters[
                "repeated" if outcome.reply.code not in {"invalid", "busy"} else outcome.reply.code
            ] += 1
        elif isinstance(outcome, Accepted):
            self.counters["commands"] += 1
        return outcome

    def remember(self, seat: str, reply: Reply) -> bytes | None:
        """Keep an answer for repeated questions; return the correlation data that goes with it."""
        memory = self._memory.get(seat)
        if memory is not None and reply.id in memory and reply.code != "busy":
            memory[reply.id] = reply
        return self._correlations.pop((seat, reply.id), None)

    def forget(self, seat: str) -> None:
        """Forget what a seat's last owner was answered."""
        if seat in self._memory:
            self._memory[seat] = OrderedDict()
        self._correlations = {key: data for key, data in self._correlations.items() if key[0] != seat}

    def _read(self, message: Incoming, now_s: float) -> Outcome:
        place = self._topics.read_seat(message.topic)
        if place is None or place[0] not in self._memory or place[1] not in {"cmd", "here"}:
            return Dropped(why="foreign")
        seat, leaf = place
        if message.retained and leaf == "cmd":
            return Dropped(why="retained")
        if not self._messages.take(seat, now_s):
            return Dropped(why="flood")
        return self._here(seat, message) if leaf == "here" else self._command(seat, message, now_s)

    def _here(self, seat: str, message: Incoming) -> Outcome:
        if not message.payload:
            return Dropped(why="cleared")
        try:
            said = msgspec.json.decode(message.payload[:MOST_COMMAND], type=Here)
        except UNREADABLE:
            return Dropped(why="invalid")
        return Present(seat=seat, phone=said.phone, here=said.here)

    def _command(self, seat: str, message: Incoming, now_s: float) -> Outcome:
        if len(message.payload) > MOST_COMMAND:
            self.counters["oversize"] += 1
            return self._invalid(seat, "", f"A command has at most {MOST_COMMAND} bytes.")
        name = _name(message.payload)
        if not self._commands.take(seat, now_s):
            reply = Reply(id=name, ok=False, code="busy", reason="More than ten commands a second.")
            return Answered(seat=seat, reply=reply)
        try:
            command = msgspec.json.decode(message.payload, type=Command)
        except UNREADABLE as error:
            return self._invalid(seat, name, str(error))
        return self._once(seat, command, message)

    def _once(self, seat: str, command: Command, message: Incoming) -> Outcome:
        memory = self._memory[seat]
        if command.id in memory:
            first = memory[command.id]
            return Answered(seat=seat, reply=first) if first is not None else Dropped(why="repeated")
        wrong = _shape(command)
        if wrong:
            return self._invalid(seat, command.id, wrong)
        memory[command.id] = None
        while len(memory) > REMEMBERED:
            old, _ = memory.popitem(last=False)
            self._correlations.pop((seat, old), None)
        self._correlate(seat, command, message)
        return Accepted(seat=seat, command=command)

    def _correlate(self, seat: str, command: Command, message: Incoming) -> None:
        """Keep the correlation data if the answer is wanted where it goes anyway, and nowhere else."""
        if message.response_topic not in {None, self._topics.seat(seat, "reply")}:
            self.counters["foreign_response"] += 1
        elif message.correlation is not None and len(message.correlation) > MOST_CORRELATION:
            self.counters["long_correlation"] += 1
        elif message.correlation is not None:
            self._correlations[seat, command.id] = message.correlation

    def _invalid(self, seat: str, name: str, reason: str) -> Answered:
        return Answered(seat=seat, reply=Reply(id=name, ok=False, code="invalid", reason=reason))


def _shape(command: Command) -> str:
    """Return what is wrong with a command that has the right fields."""
    if command.v != VERSION:
        return f"This board speaks version {VERSION}."
    if (command.act is not None) + (command.table is not None) + command.hello != 1:
        return "A command is exactly one of act, table and hello."
    if _is_deep(command.act or command.table, _DEEPEST):
        return f"A command is nested {_DEEPEST} deep at most."
    return ""


def _is_deep(value: object, most: int) -> bool:
    """Whether a value is nested more deeply: comparing or writing it would exhaust the stack."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return inner is not None and (most == 0 or any(_is_deep(one, most - 1) for one in inner))


def _name(payload: bytes) -> str:
    """Return the id of a command that may be broken, or an empty text."""
    try:
        return msgspec.json.decode(payload, type=_Named).id[:64]
    except UNREADABLE:
        return ""
