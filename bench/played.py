"""A rules-only game: everything that bots and chance do in whole games, through ``step`` alone.

An event is anything ``step`` hears in such a game: what a ball did, a settlement, a tile laid or lifted, what
a person asked for, the time that the game had asked for. Views, options, bots and routes are not timed, and
nothing is journalled. The events are played beforehand and kept; then each pass plays them again.

The whole is CPU time of this process. The parts are each event at its quickest of all passes, which is what
it takes when no other program is in the way: no pause of the machine or of the garbage collector is in it.
"""

from collections import defaultdict
from collections.abc import Iterable
from statistics import median
from time import perf_counter_ns, process_time

from hextraction.controller.games.protocol import Acted, Woke, WorldEvent
from hextraction.controller.study.game import study_table
from hextraction.controller.study.settings import StudySettings
from hextraction.controller.study.table import StudyTable

from bench.tables import show

__all__ = ["run"]

AIM_A_S = 50_000
HEADINGS = ("rules-only game", "events", "a second", "p50 us")


def run(*, games: int, passes: int) -> None:
    """Measure and print."""
    tables = [_played(StudySettings(seed=1), number) for number in range(games)]
    _pass(tables)  # warms up
    spent = [_pass(tables) for _pass_number in range(passes)]
    quickest = [min(taken) for taken in zip(*(_timed(tables) for _ in range(passes)), strict=True)]
    events = [event for table in tables for event in table.events]
    rate, best = len(events) / median(spent), len(events) / min(spent)
    rows = [("all of it, CPU time", str(len(events)), f"{rate:.0f}", "-"), *_rows(events, quickest)]
    met = "met" if rate >= AIM_A_S else f"missed ({rate / AIM_A_S:.2f} of it)"
    show(
        "6. Rules alone",
        HEADINGS,
        rows,
        f"Aim: {AIM_A_S} events a second on one core: {met}. Median of {passes} passes; best {best:.0f}.",
        f"{games} games by bots; an event is all that step hears. Other rows: each event at its quickest.",
    )


def _played(settings: StudySettings, number: int) -> StudyTable:
    table = study_table(settings, number)
    while not table.over and len(table.events) < settings.most_events and table.go_on():
        pass
    return table


def _pass(tables: Iterable[StudyTable]) -> float:
    """Play all games again; return the seconds of CPU time it took."""
    begun = process_time()
    for table in tables:
        state, step = table.game.start(table.setup), table.game.step
        for event in table.events:
            state = step(state, event).state
    return process_time() - begun


def _timed(tables: Iterable[StudyTable]) -> list[int]:
    """Play all games again; return the nanoseconds that each event took, in order."""
    taken = []
    for table in tables:
        state, step = table.game.start(table.setup), table.game.step
        for event in table.events:
            begun = perf_counter_ns()
            state = step(state, event).state
            taken.append(perf_counter_ns() - begun)
    return taken


def _rows(events: list[WorldEvent], taken: list[int]) -> list[tuple[str, ...]]:
    """Return a row for all, one for what sensors tell, one for people, and one for each kind of event."""
    kinds: dict[str, list[int]] = defaultdict(list)
    for event, ns in zip(events, taken, strict=True):
        kinds[_kind(event)].append(ns)
        if not isinstance(event, Acted | Woke):
            kinds["facts only"].append(ns)
    rows = [_row("all of it, quickest", taken)]
    return rows + [_row(*each) for each in sorted(kinds.items(), key=lambda item: -sum(item[1]))]


def _kind(event: WorldEvent) -> str:
    if isinstance(event, Acted):
        return f"a person: {event.act['do']}"
    return type(event).__name__


def _row(name: str, taken: list[int]) -> tuple[str, ...]:
    return (name, str(len(taken)), f"{len(taken) / sum(taken) * 1e9:.0f}", f"{median(taken) / 1000:.1f}")
