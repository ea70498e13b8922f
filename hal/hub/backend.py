"""The sensor hub as a backend: its port, its thread, its sensors and its coils.

The protocol itself is :class:`~hextraction.hal.hub.link.HubLink`; this module gives it a port and a clock.
A port that goes away is reopened after 0.2 s, then with growing delays, up to 5 s, until the hub has stayed
for ten: on a loose cable each coming and going costs the journal an entry for each of its sensors.
"""

import contextlib
import logging
import threading
from collections.abc import Callable, Collection, Mapping
from typing import Final

from hextraction.hal.errors import DeviceLost
from hextraction.hal.hub.events import (
    Away,
    CoilsAway,
    CoilsHere,
    Estop,
    Here,
    HubEvent,
    RequestRefused,
    Sample,
)
from hextraction.hal.hub.framing import Frame
from hextraction.hal.hub.link import HubLink
from hextraction.hal.hub.port import HubPort, OpenPort, open_serial
from hextraction.hal.hub.words import Greeting
from hextraction.hal.intake import HOLD_BACK_US, FedInputs, Intake, OnFound, OnLost, SensorLine
from hextraction.hal.ports import Clock
from hextraction.hal.schedule import Scheduler
from hextraction.hal.wiring.wires import BUTTON, HubWire

__all__ = ["HubInputs", "OnSample", "SensorHub", "hub_latency_us"]

_log = logging.getLogger(__name__)

_FIRST_WAIT_US: Final = 200_000
_STEADY_US: Final = 10_000_000
"""A hub that stays so long is back; before that a loose cable is what comes and goes."""
_JUMP_MATTERS_US: Final = 150_000
"""A smaller one is a computer that was busy; it is made good all the same."""
_JUMP_TOLD_US: Final = 600_000_000
_LONGEST_WAIT_US: Final = 5_000_000
_REST_S: Final = 0.02
_JOIN_S: Final = 2.0

OnSample = Callable[[str, bool, int], None]


class SensorHub:
    """One hub. Set its callbacks, then :meth:`start` it, or :meth:`poll` it yourself.

    ``armed`` says whether coils may be armed; ``on_lost`` and ``on_found`` are called for its coils and
    lamps, ``on_disarmed`` when the hub itself has disarmed coils that should be armed. Thread-safe.
    """

    def __init__(
        self,
        wire: HubWire,
        *,
        clock: Clock,
        open_port: OpenPort | None = None,
        on_lost: OnLost | None = None,
        on_found: OnFound | None = None,
    ) -> None:
        self.wire = wire
        self.armed: Callable[[], bool] = lambda: False
        self.on_sample: OnSample = lambda _sensor, _active, _at_us: None
        self.on_away: Callable[[str], None] = lambda _reason: None
        self.on_estop: Callable[[bool], None] = lambda _good: None
        self.on_gone: Callable[[], None] = lambda: None
        self.on_disarmed: Callable[[str], None] = lambda _reason: None
        self.neighbours: tuple[SensorHub, ...] = ()
        """The other hubs of the same table: a tile seen here may shift Halls there."""
        self._clock = clock
        self._open_port = open_port or (lambda: open_serial(wire.port))
        self._on_lost = on_lost or (lambda _lost: None)
        self._on_found = on_found or (lambda _name: None)
        self._coils = {coil.name: coil.number for coil in wire.coils}
        self._lost_coils = False
        self._lost_lamps = False
        self._link = HubLink(wire)
        self._link.coils.on_disarmed = self._disarmed
        self._port: HubPort | None = None
        self._broken: str | None = None
        self._wait_us, self._open_at_us = _FIRST_WAIT_US, 0
        self._told: str | None = None
        self._here_us: int | None = None
        self._lock = threading.RLock()
        self._decided = threading.Event()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name=wire.title.removeprefix("the "), daemon=True)
        self._turned_us: int | None = None

    # --- state ---

    @property
    def ready(self) -> bool:
        """Whether it reports its sensors."""
        return self._link.ready

    @property
    def greeting(self) -> Greeting | None:
        """Its most recent greeting."""
        return self._link.greeting

    @property
    def clock_error_us(self) -> int | None:
        """How far its timestamps may be off; ``None`` before the first answer."""
        return self._link.clock.error_us if self._link.clock.is_set else None

    @property
    def trouble(self) -> str:
        """What is wrong with it that nobody else tells, in words; empty if nothing is."""
        jump = self._link.clock.jump
        if jump is None or abs(jump[1]) < _JUMP_MATTERS_US or self._clock.now_us() - jump[0] > _JUMP_TOLD_US:
            return ""
        return f"its clock has jumped by {jump[1] / 1e6:.1f} s"

    @property
    def health(self) -> dict[str, object]:
        """The state of the connection, for troubleshooting."""
        link = self._link
        return {
            "ready": link.ready,
            "armed": link.coils.flags.armed,
            "bad_frames": link.faults[0],
            "gaps": link.faults[1],
            "clock_error_us": self.clock_error_us,
            "refusals": {result.value: count for result, count in link.coils.pulse.results.items()},
        }

    @property
    def late_us(self) -> int:
        """For how long its thread has not come round (usually 0.1 s); 0 while it is not running."""
        turned_us = self._turned_us
        return 0 if turned_us is None else self._clock.now_us() - turned_us

    # --- coils, for the guard only ---

    @property
    def coils(self) -> tuple[str, ...]:
        """The names of its coils."""
        return tuple(self._coils)

    @property
    def is_on(self) -> bool:
        """Whether one of its coils may be on, or may still switch on."""
        with self._lock:
            return self._link.coils.pulse.is_on(self._clock.now_us())

    @property
    def coils_ready(self) -> bool:
        """Whether a pulse would be fired now."""
        return self._link.coils_ready(self._clock.now_us())

    @property
    def coils_armed(self) -> bool:
        """Whether its coils are armed, as far as it has said in this session."""
        return self._link.coils.flags.armed

    def coil_ready(self, _name: str) -> bool:
        """Whether a pulse of this coil would be fired now."""
        return self.coils_ready

    def fire(self, name: str, pulse_us: int) -> bool:
        """Request a pulse, in whole milliseconds; false if the hub is away or not armed."""
        with self._lock:
            asked = self._link.fire(self._coils[name], pulse_us, self._clock.now_us())
            return self._send() and asked

    def stop(self) -> None:
        """End a pulse early."""
        with self._lock:
            self._link.coils.stop(self._clock.now_us())
            self._send()

    def light(self, colours: bytes) -> None:
        """Show these colours on the hub's lamps, three bytes each, now or when it is there again."""
        with self._lock:
            self._link.lamps.show(colours)
            self._link.light(self._clock.now_us())
            self._send()

    def disturbs(self, halls: Mapping[str, Collection[str]]) -> None:
        """Say which linear Halls a sensor's part shifts: they are zeroed after each of its edges."""
        with self._lock:
            self._link.disturbs = halls

    def disturbed(self, sensor: str, at_us: int) -> None:
        """Say that a sensor of another hub has seen its part move."""
        with self._lock:
            self._link.disturbed(sensor, at_us)

    # --- requests that only a person makes ---

    def resync(self) -> None:
        """Request all levels again."""
        with self._lock:
            self._link.resync(self._clock.now_us())
            self._send()

    def ask(self, letter: str, body: bytes, answer: str, *, wait_s: float = 2.0) -> bytes | None:
        """Send a request (``R``, ``Z``, ``D``) and wait for the answer's body; never on the hub's thread."""
        with self._lock:
            self._link.answers.clear()
            self._link.say(letter, body)
            self._send()
        for _try in range(int(wait_s / _REST_S)):
            with self._lock:
                found = next((each for each in self._link.answers if each.type == answer), None)
            if isinstance(found, Frame):
                return found.body
            self._ended.wait(_REST_S)
        return None

    # --- running ---

    def start(self, *, wait_s: float = 3.0) -> None:
        """Run in its own thread; wait until its levels are known, or it turns out that they are not."""
        self._thread.start()
        self._decided.wait(wait_s)

    def poll(self) -> None:
        """Open the port if necessary, read once, and do what is due."""
        if self._port is None and not self._open():
            return
        try:
            data = self._port.read() if self._port is not None else b""
        except OSError as error:
            self._broken = str(error)
            data = b""
        with self._lock:
            self._step(data)
            news = self._link.take_news()
        for each in news:
            self._tell(each)

    def close(self) -> None:
        """Switch coils off, disarm, close the port. May be called twice."""
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join(_JOIN_S)
        with self._lock:
            if self._port is not None:
                self._link.coils.wanted = False
                self._link.say("O")
                self._link.say("A", bytes(5))
                self._send()
            self._cut("closed")
        self._link.take_news()

    def _run(self) -> None:
        while not self._ended.is_set():
            self._turned_us = self._clock.now_us()
            try:
                self.poll()
            except Exception:  # noqa: BLE001 - logged whole; our own bug must not keep the hub away
                _log.exception("talking to %s failed", self.wire.title)
                self._broken = "an internal error of the controller"
            if self._port is None:
                self._ended.wait(_REST_S)
        self._turned_us = None

    def _open(self) -> bool:
        now_us = self._clock.now_us()
        if now_us < self._open_at_us:
            return False
        try:
            port = self._open_port()
        except OSError as error:
            self._cut(str(error))
            self._away(str(error))
            self._link.take_news()
            return False
        with self._lock:
            self._port, self._broken = port, None
            self._link.opened(now_us)
            return self._send()

    def _step(self, data: bytes) -> None:
        now_us = self._clock.now_us()
        self._link.receive(data, now_us)
        self._link.coils.wanted = bool(self._coils) and self.armed()
        self._link.advance(now_us)
        self._send()
        if self._link.wants_reopening:
            self._broken = "it has stopped answering"
        if self._broken is not None:
            self._cut(self._broken)

    def _send(self) -> bool:
        out = self._link.take_out()
        if not out or self._port is None:
            return self._port is not None
        try:
            self._port.write(out)
        except OSError as error:
            self._broken = str(error)
        return self._broken is None

    def _cut(self, reason: str) -> None:
        """Close the port and retry later."""
        port, self._port = self._port, None
        if port is not None:
            with contextlib.suppress(OSError):
                port.close()
        self._broken = None
        now_us = self._clock.now_us()
        self._link.closed(now_us, reason)
        here_us, self._here_us = self._here_us, None
        if here_us is not None and now_us - here_us >= _STEADY_US:
            self._wait_us = _FIRST_WAIT_US
        self._open_at_us = now_us + self._wait_us
        self._wait_us = min(2 * self._wait_us, _LONGEST_WAIT_US)

    # --- events ---

    def _tell(self, news: HubEvent) -> None:
        if isinstance(news, Sample):
            self.on_sample(news.sensor, news.active, news.at_us)
            for each in self.neighbours:
                each.disturbed(news.sensor, news.at_us)
        elif isinstance(news, Away):
            self._away(news.reason)
        elif isinstance(news, Here):
            self._here()
        elif isinstance(news, CoilsAway):
            self._lose_coils(news.reason)
        elif isinstance(news, CoilsHere):
            self._find_coils()
        elif isinstance(news, Estop):
            self.on_estop(news.good)
        elif isinstance(news, RequestRefused):
            _log.warning("%s: %s", self.wire.title, news.text)

    def _disarmed(self, reason: str) -> None:
        self.on_disarmed(reason)

    def _away(self, reason: str) -> None:
        if self._told != reason:
            self._told = reason
            _log.warning("%s is away: %s", self.wire.title, reason)
        self.on_away(reason)
        self.on_gone()
        if self.wire.lamps and not self._lost_lamps:
            self._lost_lamps = True
            self._on_lost(DeviceLost(self.wire.lamps_name, f"{self.wire.title} is away: {reason}"))
        self._lose_coils(f"{self.wire.title} is away: {reason}")
        self._decided.set()

    def _here(self) -> None:
        self._told, self._here_us = None, self._clock.now_us()
        if self._lost_lamps:
            self._lost_lamps = False
            self._on_found(self.wire.lamps_name)
        greeting = self._link.greeting
        version = "" if greeting is None else ".".join(map(str, greeting.firmware))
        _log.info("%s serves: firmware %s, clock within %s us", self.wire.title, version, self.clock_error_us)
        self._decided.set()

    def _lose_coils(self, reason: str) -> None:
        if not self._lost_coils:
            self._lost_coils = True
            for name in self._coils:
                self._on_lost(DeviceLost(name, reason))

    def _find_coils(self) -> None:
        if self._lost_coils:
            self._lost_coils = False
            for name in self._coils:
                self._on_found(name)


# --- The hub's sensors as an input port; the hub handles polarity and debouncing itself ---

_SCAN_US: Final = 500
_ROUND_US: Final = 1_000
_TRAVEL_US: Final = 2_000
"""The delay from a scan to the listener: the hub's loop, USB, and our thread."""


def hub_latency_us(wire: HubWire) -> int:
    """Return how late an edge may arrive after its timestamp: the slowest short filter, plus transport."""
    filters = [each.debounce_scans * _SCAN_US for each in wire.inputs]
    filters += [each.debounce_ms * _ROUND_US for each in wire.linears]
    quick = [each for each in filters if each <= HOLD_BACK_US]
    return max(quick, default=0) + _TRAVEL_US


class HubInputs(FedInputs):
    """All sensors of one hub; whoever opened the hub closes it."""

    def __init__(
        self,
        hub: SensorHub,
        *,
        clock: Clock,
        scheduler: Scheduler,
        ordered: bool = True,
        on_lost: OnLost | None = None,
        on_found: OnFound | None = None,
    ) -> None:
        names = [*(wire.name for wire in hub.wire.inputs), *(wire.name for wire in hub.wire.linears)]
        buttons = {wire.name for wire in hub.wire.inputs if wire.part == BUTTON}
        self._intake = Intake(
            [SensorLine(name=name, answers=False, apart=name in buttons) for name in names],
            clock=clock,
            scheduler=scheduler,
            latency_us=hub_latency_us(hub.wire),
            ordered=ordered,
            on_lost=on_lost,
            on_found=on_found,
        )
        self._hub = hub
        hub.on_sample, hub.on_away = self._intake.post, self._away

    def resync(self) -> None:
        """Request all levels again; a change that was missed is reported as an edge."""
        self._hub.resync()

    def _away(self, reason: str) -> None:
        for name in self._intake.names:
            self._intake.lose(name, f"{self._hub.wire.title} is away: {reason}")
