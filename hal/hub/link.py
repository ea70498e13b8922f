"""The host's end of the hub protocol, without port or thread: bytes in; bytes and events out.

Rules of this room:

1. No input raises; whatever is not understood is counted by the framing and dropped.
2. The hub owns the levels: an edge changes one, a snapshot all; after any doubt a snapshot is requested.
3. A session is ready only once the hub runs *this* wiring's configuration and its clock is known.
"""

import enum
import logging
import struct
from collections import deque
from collections.abc import Callable, Collection, Mapping
from typing import Final

from hextraction.hal.hub.arming import HubArming
from hextraction.hal.hub.clock import HubClock, Pings
from hextraction.hal.hub.configuration import Configuration
from hextraction.hal.hub.events import Away, Here, HubEvent, Sample
from hextraction.hal.hub.framing import Deframer, Frame, SequenceWatch, encode
from hextraction.hal.hub.lamps import LampFrames
from hextraction.hal.hub.words import LINEAR, MAJOR, Greeting, Pong, Snapshot, State, numbers, read_edges
from hextraction.hal.wiring.wires import HubWire

__all__ = ["HubLevels", "HubLink"]

# --- Levels of the hub's sensors, in the host's names and time ---


class HubLevels:
    """The levels of one session; only changes are reported."""

    def __init__(self, wire: HubWire, clock: HubClock, tell: Callable[[Sample], None]) -> None:
        self.names = numbers((*wire.inputs, *wire.linears))
        self._clock, self._tell = clock, tell
        self._levels: dict[int, bool] = {}
        self._since_us: dict[int, int] = {}

    def reset(self) -> None:
        """Forget all levels: the next snapshot reports them all."""
        self._levels.clear()

    def edges(self, body: bytes, now_us: int) -> None:
        """Handle an ``e`` frame: nothing in it can be later than now, whatever the hub's clock says."""
        for edge in read_edges(body):
            self._sample(edge.number, edge.active, min(now_us, self._clock.host_us(edge.low_us)))

    def snapshot(self, snapshot: Snapshot, now_us: int) -> None:
        """Handle an ``s`` frame: a level that differs has changed, at an unknown time before it."""
        at_us = min(now_us, self._clock.host_us(snapshot.low_us))
        for number in self.names:
            self._sample(number, number in snapshot.active, at_us)

    def lies(self, number: int, since_us: int) -> bool:
        """Whether a sensor is active, and was so before a time."""
        return self._levels.get(number, False) and self._since_us.get(number, since_us) < since_us

    def _sample(self, number: int, active: bool, at_us: int) -> None:  # noqa: FBT001 - a sample
        name = self.names.get(number)
        if name is not None and self._levels.get(number) is not active:
            self._levels[number] = active
            self._since_us[number] = at_us
            self._tell(Sample(name, active, at_us))


# --- The session ---

_log = logging.getLogger(__name__)

_HELLO: Final = bytes((MAJOR, 0))
_BEAT_US: Final = 100_000
_FIRST_BEAT_US: Final = 5_000  # until the clock offset is known well
_RETRY_US: Final = 300_000
_ZERO_AFTER_US: Final = 300_000
"""By then the tile lies, or is gone."""
_LYING_US: Final = 1_000_000
_SILENT_US: Final = 500_000
_JUMP_TOLD_US: Final = 600_000_000
"""A clock that keeps jumping is told of once, and then so seldom."""
_LOST_EDGES: Final = b"\x05"
_STILL_ARMED, _OUT_OF_RANGE = 4, 6
_NO_CONFIGURATION: Final = frozenset({4, 5})
_NEWEST: Final = 1
_TOO_OLD: Final = (
    "its firmware is too old for what the wiring wants (hub.loop, hold_percent or pixels.hub); "
    "run: hextraction hub flash"
)
_CHAIN_OPEN: Final = (
    "its chain of shift registers is open; look at SCK, LATCH, DATA 0, and the wire from GP3 to the last chip"
)


_Phase = enum.Enum("_Phase", "CLOSED GREETING CONFIGURING SETTLING READY REFUSED")
_TALKING: Final = frozenset({_Phase.CONFIGURING, _Phase.SETTLING, _Phase.READY})


class HubLink:
    """The host's end of the protocol. Feed it what happens, then collect its output and events.

    After each call: send :meth:`take_out`, act on :meth:`take_news`, call :meth:`advance` at
    :attr:`wake_at_us`, and reopen the port when :attr:`wants_reopening`.
    """

    def __init__(self, wire: HubWire) -> None:
        self._out = bytearray()
        self._news: list[HubEvent] = []
        self.configuration = Configuration(wire)
        self.clock = HubClock()
        self.levels = HubLevels(wire, self.clock, self._sampled)
        self.disturbs: Mapping[str, Collection[str]] = {}
        """The linear Halls that a sensor's part shifts, by that sensor: zeroed after each of its edges."""
        self._linears = {each.name: each.number for each in wire.linears}
        self._disturbed: dict[int, int] = {}
        self.lamps = LampFrames()
        self._needs_newest = not self.configuration.is_plain or wire.lamps > 0
        self.coils = HubArming(self.configuration.crc, self.say, self._news.append)
        self.greeting: Greeting | None = None
        self.wants_reopening = False
        self.answers: deque[Frame] = deque(maxlen=32)
        """Answers to requests that only a person makes: raw values, zeroing, diagnosis."""
        self._phase = _Phase.CLOSED
        self._deframer, self._watch = Deframer(), SequenceWatch()
        self._seq, self._pings = 0, Pings()
        self._parts: deque[bytes] = deque()
        self._due_us: int | None = None
        self._beat_us = self._heard_us = 0
        self._jumps, self._jump_told_us = 0, -_JUMP_TOLD_US
        self._is_asked = self._is_blind = False
        self._hears: dict[str, Callable[[bytes, int], None]] = {
            "c": self._configured,
            "e": self._edges,
            "s": self._snapshot,
            "p": self._ponged,
            "t": self._stated,
            "f": self.coils.judged,
            "o": self.coils.ended,
            "w": self._warned,
        }

    @property
    def ready(self) -> bool:
        """Whether the hub reports its sensors."""
        return self._phase is _Phase.READY

    @property
    def refused(self) -> bool:
        """Whether the hub speaks another protocol version, or rejects the configuration."""
        return self._phase is _Phase.REFUSED

    @property
    def faults(self) -> tuple[int, int]:
        """How many received pieces were not valid frames, and how often frames were missing."""
        return self._deframer.bad, self._watch.gaps

    @property
    def wake_at_us(self) -> int | None:
        """When :meth:`advance` is due; ``None`` while the port is closed."""
        if self._phase is _Phase.CLOSED:
            return None
        silent_us = None if self.refused else self._heard_us + _SILENT_US
        dues = (self._due_us, self._beat_us, silent_us, self.lamps.wake_at_us, *self._disturbed.values())
        return min(at_us for at_us in dues if at_us is not None)

    def coils_ready(self, now_us: int) -> bool:
        """Whether a pulse would be fired now."""
        return self.ready and self.coils.ready(now_us)

    def take_out(self) -> bytes:
        """Return the bytes to send."""
        out = bytes(self._out)
        self._out.clear()
        return out

    def take_news(self) -> list[HubEvent]:
        """Return the new events, in order."""
        news = self._news.copy()
        self._news.clear()
        return news

    def say(self, letter: str, body: bytes = b"") -> None:
        """Send one frame."""
        self._out += encode(Frame(type=letter, seq=self._seq, body=body))
        self._seq = (self._seq + 1) % 256

    def opened(self, now_us: int) -> None:
        """Handle an opened port: say hello."""
        self._deframer.reset()
        self.wants_reopening = False
        self._hello(now_us)

    def closed(self, now_us: int, reason: str) -> None:
        """Handle a port that has gone, or could not be opened."""
        self.coils.pulse.cut(now_us)
        self._leave(reason)
        self._phase = _Phase.CLOSED
        self._out.clear()

    def receive(self, data: bytes, now_us: int) -> None:
        """Process incoming bytes."""
        for frame in self._deframer.feed(data):
            self._heard_us = now_us
            self._take(frame, now_us)

    def fire(self, coil: int, pulse_us: int, now_us: int) -> bool:
        """Request a pulse; false if that is not possible now."""
        return self.ready and self.coils.fire(coil, pulse_us, now_us)

    def resync(self, now_us: int) -> None:
        """Request all levels again."""
        if self.ready:
            self._query(now_us)

    def light(self, now_us: int) -> None:
        """Send the lamps' newest frame, if it is due."""
        if self.ready:
            for body in self.lamps.due(now_us):
                self.say("L", body)

    def advance(self, now_us: int) -> None:
        """Do what is due: pings, retries, arming."""
        if self._phase is _Phase.CLOSED:
            return
        if now_us >= self._heard_us + _SILENT_US and not self.refused:
            self.closed(now_us, "it has stopped answering")
            self.wants_reopening = True
            return
        if self._due_us is not None and now_us >= self._due_us:
            self._due_us = now_us + _RETRY_US
            self._ask_again(now_us)
        if self.ready:
            self.coils.care(now_us)
            self._zero(now_us)
            self.light(now_us)
        if now_us >= self._beat_us:
            self._ping(now_us)

    def _hello(self, now_us: int) -> None:
        self._phase = _Phase.GREETING
        self._pings.forget()
        self.levels.reset()
        self.coils.reset()
        self._disturbed.clear()
        self._out[:] = b"\0"
        self.say("H", _HELLO)
        self._heard_us = now_us
        self._due_us, self._beat_us = now_us + _RETRY_US, now_us + _BEAT_US
        self._is_asked = self._is_blind = False

    def _leave(self, reason: str) -> None:
        if self._phase not in {_Phase.REFUSED, _Phase.CLOSED}:
            self._news.append(Away(reason))
        self.coils.reset()

    def _begin_anew(self, now_us: int, reason: str) -> None:
        self._leave(reason)
        self._hello(now_us)

    def _refuse(self, reason: str) -> None:
        self._leave(reason)
        self._phase, self._due_us = _Phase.REFUSED, None

    def _ask_again(self, now_us: int) -> None:
        if self._phase is _Phase.GREETING:
            self.say("H", _HELLO)
        elif self._phase is _Phase.CONFIGURING:
            self._configure(now_us)
        elif self._phase in {_Phase.SETTLING, _Phase.READY}:
            self._query(now_us)

    def _take(self, frame: Frame, now_us: int) -> None:
        if frame.type == "h":
            self._watch.restart(0)
            self._watch.follows(frame.seq)
            self._greeted(Greeting.read(frame.body), now_us)
            return
        if self._phase not in _TALKING:
            return
        if not self._watch.follows(frame.seq):
            self.resync(now_us)
        if frame.type in self._hears:
            self._hears[frame.type](frame.body, now_us)
        else:
            self.answers.append(frame)

    def _greeted(self, greeting: Greeting | None, now_us: int) -> None:
        if greeting is None or greeting.major != MAJOR:
            found = "something else" if greeting is None else f"{greeting.major}.{greeting.minor}"
            self._refuse(f"want version {MAJOR} of its protocol, found {found}; run: hextraction hub flash")
            return
        if greeting.minor < _NEWEST and self._needs_newest:
            self._refuse(_TOO_OLD)
            return
        self.greeting = greeting
        self.coils.flagged(greeting.flags, now_us)
        self.clock.reset()
        self._ping(now_us)
        if greeting.config_crc == self.configuration.crc:
            self._settle(now_us)
        else:
            self._configure(now_us)

    def _configure(self, now_us: int) -> None:
        self._phase = _Phase.CONFIGURING
        self._parts = deque(self.configuration.parts)
        self._next_part(now_us)

    def _next_part(self, now_us: int) -> None:
        self._due_us = now_us + _RETRY_US
        self.say("C", self._parts.popleft())

    def _configured(self, body: bytes, now_us: int) -> None:
        if self._phase is not _Phase.CONFIGURING or len(body) != 6:
            return
        part, status, value = struct.unpack("<BBI", body)
        if status == _STILL_ARMED:
            self.say("A", bytes(5))
        elif status == _OUT_OF_RANGE:
            self._refuse(f"it rejects the wiring's configuration (byte {value})")
        elif status == 0 and part == 2:
            self._settle(now_us)
        elif status == 0 and self._parts:
            self._next_part(now_us)

    def _settle(self, now_us: int) -> None:
        self._phase = _Phase.SETTLING
        self._due_us = now_us + self.configuration.settle_us

    def _query(self, now_us: int) -> None:
        self._is_asked = True
        self._due_us = now_us + _RETRY_US
        self.say("Q")

    def _edges(self, body: bytes, now_us: int) -> None:
        if self.ready:
            self.levels.edges(body, now_us)

    def _snapshot(self, body: bytes, now_us: int) -> None:
        snapshot = Snapshot.read(body)
        # A hub whose edges nobody read for a while sends one by itself.
        if snapshot is None or not (self._is_asked or self.ready) or not self.clock.is_set:
            return
        self._is_asked, self._due_us = False, None
        if self.coils.flags.chain_open:
            self._blinded(now_us)
            return
        self.levels.snapshot(snapshot, now_us)
        if not self.ready:
            self._phase, self._is_blind = _Phase.READY, False
            self.lamps.again()
            self._news.append(Here())
            self.coils.care(now_us)

    def _sampled(self, sample: Sample) -> None:
        self._news.append(sample)
        self.disturbed(sample.sensor, sample.at_us)

    def disturbed(self, sensor: str, at_us: int) -> None:
        """Handle that a sensor's part has moved, the sensor being on this hub or another."""
        if self.ready:
            names, due_us = self.disturbs.get(sensor, ()), at_us + _ZERO_AFTER_US
            self._disturbed |= {self._linears[name]: due_us for name in names if name in self._linears}

    def _zero(self, now_us: int) -> None:
        """Find the baselines anew that a tile has shifted: one that is passed for good stays so.

        A ball that lay there before the tile was touched is no shift.
        """
        for number in sorted(number for number, due_us in self._disturbed.items() if now_us >= due_us):
            touched_us = self._disturbed.pop(number) - _ZERO_AFTER_US
            if not self.levels.lies(LINEAR + number, touched_us - _LYING_US):
                self.say("Z", bytes((number, 1)))

    def _ping(self, now_us: int) -> None:
        self._beat_us = now_us + (_BEAT_US if self.clock.is_steady else _FIRST_BEAT_US)
        self.say("P", struct.pack("<I", self._pings.send(now_us)))

    def _ponged(self, body: bytes, now_us: int) -> None:
        pong = Pong.read(body)
        exchange = None if pong is None else self._pings.answered(pong.token, pong.at_us, now_us)
        if pong is None or exchange is None:
            return
        if not self.clock.take(exchange):
            self._begin_anew(now_us, "it has restarted")
            return
        if self.clock.jump is not None and self.clock.jump[0] == now_us:
            self._jumped(self.clock.jump[1], now_us)
        self.coils.flagged(pong.flags, now_us)
        self._watch_chain(now_us)
        if pong.flags.edges_lost and not self._is_asked:
            self.resync(now_us)

    def _jumped(self, by_us: int, now_us: int) -> None:
        self._jumps += 1
        if now_us >= self._jump_told_us + _JUMP_TOLD_US:
            often = f", and {self._jumps - 1} times before" if self._jumps > 1 else ""
            _log.warning("the hub's clock has jumped by %.1f s%s; it is taken anew", by_us / 1e6, often)
            self._jumps, self._jump_told_us = 0, now_us
        self.resync(now_us)

    def _stated(self, body: bytes, now_us: int) -> None:
        state = State.read(body)
        if state is None or not self.clock.is_set:
            return
        self.coils.stated(state, min(now_us, self.clock.host_us(state.low_us)), now_us)
        self._watch_chain(now_us)
        if self.ready and not state.flags.armed and state.cause in _NO_CONFIGURATION:
            self._begin_anew(now_us, state.reason)

    def _watch_chain(self, now_us: int) -> None:
        """Without its shift registers a hub sees nothing; it is away until they answer again."""
        if self.ready and self.coils.flags.chain_open:
            self.levels.reset()
            self._blinded(now_us)

    def _blinded(self, now_us: int) -> None:
        """Tell once that the chain is open; look again later."""
        flags = self.coils.flags
        if not self._is_blind:
            self._leave(_CHAIN_OPEN)
            self.coils.flagged(flags, now_us)
        self._is_blind = True
        self._phase, self._due_us = _Phase.SETTLING, now_us + _RETRY_US

    def _warned(self, body: bytes, now_us: int) -> None:
        if body[:1] == _LOST_EDGES:
            self.resync(now_us)
