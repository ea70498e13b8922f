"""A rules-only game: everything that bots and chance do in whole games, through ``step`` alone.

An event is anything ``step`` hears in such a game: what a ball did, a settlement, a tile laid or lifted, what
a person asked for, the time that the game had asked for. Views, options, bots and routes are not timed, and
nothing is journalled. The events are played beforehand and kept; then each pass plays them again.
"""

from collections import defaultdict
from collections.abc import Iterable
from statistics import median
from time import perf_counter_ns, process_time

from hextraction.controller.games.protocol import Acted, WorldEvent
from hextraction.controller.study import StudySettings
from hextraction.controller.study_game import study_table
from hextraction.controller.study_table import StudyTable
from tables import show

__all__ = ["run"]

AIM_A_S = 50_000
HEADINGS = ("rules-only game", "events", "a second", "p50 us")


def run(*, games: int, passes: int) -> None:
    """Measure and print."""
    tables = [_played(StudySettings(seed=1), number) for number in range(games)]
    _pass(tables)  # warms up
    spent = median(_pass(tables) for _pass_number in range(passes))
    count = sum(len(table.events) for table in tables)
    samples = _by_kind(tables)
    rows = [_row("all of it", [ns for kind in samples.values() for ns in kind], count / spent)]
    for kind, taken in sorted(samples.items(), key=lambda item: -sum(item[1])):
        rows.append(_row(kind, taken, len(taken) / sum(taken) * 1e9))
    rate = count / spent
    met = "met" if rate >= AIM_A_S else f"missed ({rate / AIM_A_S:.2f} of it)"
    show(
        "6. Rules alone",
        HEADINGS,
        rows,
        f"Aim: {AIM_A_S} events a second on one core: {met}. CPU time of this process, median of {passes}.",
        f"{games} games by bots; an event is anything that step hears. Rows by kind: wall time, one pass.",
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


def _by_kind(tables: Iterable[StudyTable]) -> dict[str, list[int]]:
    samples: dict[str, list[int]] = defaultdict(list)
    for table in tables:
        state, step = table.game.start(table.setup), table.game.step
        for event in table.events:
            begun = perf_counter_ns()
            state = step(state, event).state
            samples[_kind(event)].append(perf_counter_ns() - begun)
    return samples


def _kind(event: WorldEvent) -> str:
    return "a person" if isinstance(event, Acted) else type(event).__name__


def _row(name: str, taken: list[int], rate: float) -> tuple[str, ...]:
    return (name, str(len(taken)), f"{rate:.0f}", f"{median(taken) / 1000:.1f}")
