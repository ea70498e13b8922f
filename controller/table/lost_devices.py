"""How the table handles a device that stops answering, and its return.

A sensor whose device does not answer is not believed: that is journalled as if people had declared it broken,
and reversed when it answers again. So it is with one that changes without end and is muted for it.
When half of the sensors that see balls are gone, the board is as good as off: the game is told so (R-50), and
people say on their phones what balls do until the sensors are back. A board of several hubs is off only if
that holds on each: beside one that is unplugged the others go on seeing.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Final

from hextraction.controller.games.protocol import Said
from hextraction.controller.payloads.health import SensorTrouble
from hextraction.controller.play.runtime import Runtime
from hextraction.controller.table.host import Host

__all__ = ["LostDevices"]

_BLIND_SHARE: Final = 0.5
_TILE: Final = "tile."
_WITHOUT: Final = "The game goes on without that."


class LostDevices:
    """Tracks lost devices and tells the game. Call :meth:`settle` several times a second.

    ``sensors`` are those of the board. ``switched_on`` is the board's own switch. ``others`` names devices
    that no game needs: their loss is reported, nothing more. ``parts`` are the sensors of each hub, if there
    are several.
    """

    def __init__(
        self,
        host: Host,
        sensors: Iterable[str],
        *,
        switched_on: bool = True,
        others: Mapping[str, str] | None = None,
        parts: Iterable[Collection[str]] = (),
    ) -> None:
        self._host = host
        self._sensors = frozenset(sensors)
        balls = frozenset(name for name in self._sensors if not name.startswith(_TILE))
        found = [balls.intersection(part) for part in parts]
        self._parts = [part for part in (*found, balls.difference(*found)) if part]
        self._switched_on = switched_on
        self._gone: dict[str, str] = {}
        self._muted: set[str] = set()
        self._runtime: Runtime | None = None
        self._told: set[str] = set()
        self._others = dict(others or {})
        self._without: dict[str, str] = {}
        self._told_without: set[str] = set()

    @property
    def troubles(self) -> tuple[SensorTrouble, ...]:
        """Devices that do not answer and that no game needs, as phones see them."""
        return tuple(
            SensorTrouble(sensor=name, state="lost", why=why, does=_WITHOUT)
            for name, why in sorted(self._without.items())
        )

    @property
    def sensors(self) -> tuple[str, ...]:
        """The sensors that do not answer."""
        return tuple(name for name in self._gone if name not in self._muted)

    @property
    def muted(self) -> tuple[str, ...]:
        """The sensors that change without end, and are not heard until they are quiet."""
        return tuple(name for name in self._gone if name in self._muted)

    @property
    def blind(self) -> bool:
        """Whether too few sensors are left for the board to see a roll."""
        gone = self._gone.keys()
        return bool(self._parts) and all(len(part & gone) >= _BLIND_SHARE * len(part) for part in self._parts)

    def lost(self, device: str, reason: str, *, muted: bool = False) -> None:
        """Note that a device stopped answering; coils and their supply are handled elsewhere."""
        if device in self._sensors:
            self._gone[device] = reason
            (self._muted.add if muted else self._muted.discard)(device)
        elif device in self._others:
            self._without[device] = reason

    def found(self, device: str) -> None:
        """Note that a device answers again."""
        self._gone.pop(device, None)
        self._muted.discard(device)
        self._without.pop(device, None)

    def switched(self, on: bool) -> None:  # noqa: FBT001 - the hal calls back like this
        """Note that the board's switch was flipped."""
        self._switched_on = on

    def settle(self, at_us: int) -> None:
        """Bring the running game up to date."""
        runtime = self._host.playing
        if runtime is None:
            return
        if runtime is not self._runtime:
            self._runtime, self._told = runtime, set(runtime.referee.lost)
        if self._told != self._gone.keys():
            self._declare(runtime, at_us)
        if self._told_without != self._without.keys():
            self._tell_without(runtime)
        power = self._switched_on and not self.blind
        if runtime.standing.power is not power:
            self._host.power(power, at_us)

    def _tell_without(self, runtime: Runtime) -> None:
        gone, back = self._without.keys() - self._told_without, self._told_without - self._without.keys()
        self._told_without = set(self._without)
        for name in sorted(gone):
            text = f"{self._others[name]}: no answer, {self._without[name]}. {_WITHOUT}"
            runtime.say(Said(kind="sensor", text=text))
        for name in sorted(back):
            runtime.say(Said(kind="sensor", text=f"{self._others[name]}: back again."))

    def _declare(self, runtime: Runtime, at_us: int) -> None:
        gone, back = sorted(self._gone.keys() - self._told), sorted(self._told - self._gone.keys())
        declared = self._host.broken
        for sensor in (*gone, *back):
            if sensor not in declared:
                runtime.declare(sensor, at_us, broken=sensor in self._gone, lost=True)
        self._told = set(self._gone)
        blind = " Until it is back, tap on your phones what the balls do." if self.blind else ""
        lost = [name for name in gone if name not in self._muted]
        muted = [name for name in gone if name in self._muted]
        if lost:
            runtime.say(Said(kind="sensor", text=f"{_many(lost)}: no answer, {self._gone[lost[0]]}.{blind}"))
        if muted:
            text = f"{_many(muted)}: changes far too often, and does not count until it is quiet.{blind}"
            runtime.say(Said(kind="sensor", text=text))
        if back:
            runtime.say(Said(kind="sensor", text=f"{_many(back)}: back again."))


def _many(sensors: list[str]) -> str:
    return f"Sensor {sensors[0]}" if len(sensors) == 1 else f"{len(sensors)} sensors"
