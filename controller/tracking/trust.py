"""Which sensors are believed: neither those that people declare broken, nor those found faulty."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from hextraction.controller.tracking.doubts import Doubts
from hextraction.controller.tracking.graph import Graph
from hextraction.controller.tracking.odds import Odds
from hextraction.controller.tracking.passing import passed_by
from hextraction.controller.tracking.settle import Account

__all__ = ["Parts", "Trust"]

# --- Several ball Halls in one slot count as one sensor, which is on while any of them is ---


class Parts:
    """The parts of each sensor that has several, by sensor number."""

    def __init__(self, numbers: Iterable[tuple[str, int]]) -> None:
        of: dict[int, list[str]] = {}
        for name, number in numbers:
            of.setdefault(number, []).append(name)
        self._of = {number: names for number, names in of.items() if len(names) > 1}
        self._on: dict[int, set[str]] = {number: set() for number in self._of}
        self._broken: set[str] = set()

    def __contains__(self, number: int) -> bool:
        """Whether a sensor has several parts."""
        return number in self._of

    def level(self, number: int, part: str, *, active: bool) -> bool:
        """Process an edge of a part and return whether the sensor is on now."""
        on = self._on[number]
        (on.add if active else on.discard)(part)
        return not on <= self._broken

    def believe(self, number: int, part: str, *, working: bool) -> bool:
        """Set whether a part is believed; return whether any part of the sensor still is."""
        (self._broken.discard if working else self._broken.add)(part)
        return not self._broken.issuperset(self._of[number])

    def named(self, number: int) -> tuple[str, ...]:
        """Return the believed parts that are on; if none is, all believed parts."""
        whole = [part for part in self._of[number] if part not in self._broken]
        return tuple([part for part in whole if part in self._on[number]] or whole)


# --- Trust ---


class Trust:
    """The trust in each sensor of a graph; :meth:`tell` updates the graph."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._broken: set[int] = set()
        self._told: set[int] = set()
        self.doubts = Doubts()
        self.parts = Parts(graph.sensor_number.items())

    def declare(self, sensor: str, *, working: bool) -> None:
        """Record what people say about a sensor; an unknown sensor is ignored."""
        number = self._graph.sensor_number.get(sensor)
        if number is None:
            return
        if working:
            self.doubts.forgive(number)
        if number in self.parts:
            working = self.parts.believe(number, sensor, working=working)
        (self._broken.discard if working else self._broken.add)(number)

    def hear(self, number: int, *, active: bool) -> None:
        """Handle a level change of a sensor that is not believed: it may work again."""
        if number in self.doubts.silent:
            self.doubts.heard(number)
        if not active:
            self.doubts.off(number)

    def compare(
        self, account: Account, odds: Odds, pulses: Mapping[int, int], active: Collection[int], at_us: int
    ) -> None:
        """Check a finished roll with a sure account for sensors that were silent or stay on."""
        heard = Counter(pulses) + Counter(active)
        self.doubts.passed(passed_by(account.facts, self._graph, odds), heard)
        slots = [self._graph.slot_number[doubt.slot] for doubt in account.missing if doubt.slot]
        gone = [self._graph.in_slot(slot) for slot in slots]
        self.left_on(active, (*account.places.values(), *gone), at_us)

    def left_on(self, active: Collection[int], places: Iterable[int], at_us: int) -> None:
        """Check a finished roll for sensors that are on though no ball lies near: they may be stuck."""
        covered = self._beside(places)
        for sensor in active:
            if sensor not in covered:
                self.doubts.left_on(sensor, at_us)

    def rolled(self, account: Account, pulses: Mapping[int, int]) -> None:
        """Check a finished roll, sure or not, for noisy sensors; sensors that balls cover are not stuck."""
        self.doubts.rolled(pulses, len({fact.ball for fact in account.facts}))
        self.doubts.covered(self._beside(account.places.values()))

    def _beside(self, places: Iterable[int]) -> Collection[int]:
        return {sensor for place in places for sensor in self._graph.beside(place)}

    def outdated(self) -> Collection[int]:
        """Return the sensors whose trust differs from the graph's."""
        return self._distrusted() ^ self._told

    def tell(self) -> Collection[int]:
        """Update the graph; return the sensors that are no longer believed."""
        before, self._told = self._told, self._distrusted()
        for number in before ^ self._told:
            self._graph.working[number] = number not in self._told
        return self._told - before

    def _distrusted(self) -> set[int]:
        doubts = self.doubts
        return self._broken.union(doubts.stuck, doubts.noisy, doubts.silent)

    @property
    def doubted(self) -> dict[str, str]:
        """The faulty sensors by name, each with its most lasting fault.

        Only people clear a ``noisy`` one; a ``stuck`` one clears itself when it goes off, a ``silent`` one
        when it reports.
        """
        doubts = self.doubts
        found: dict[str, str] = {}
        for word, numbers in (("silent", doubts.silent), ("stuck", doubts.stuck), ("noisy", doubts.noisy)):
            for number in numbers:
                names = self.parts.named(number) if number in self.parts else (self._graph.names[number],)
                found |= dict.fromkeys(names, word)
        return found
