"""Play one game of a study to its end and summarise it."""

import random
from collections.abc import Iterator
from typing import Final

import msgspec
from hextraction.controller.play.journal import Header
from hextraction.controller.study.settings import GameResult, StudySettings
from hextraction.controller.study.setup import draw_setup
from hextraction.controller.study.table import StudyTable

__all__ = ["play_game", "play_games", "study_table"]

_ENDINGS: Final = {
    "2.9.1.1": "end zone",
    "2.9.1.2": "win effect",
    "2.9.1.3": "last standing",
    "R-27": "everybody lost",
    "2.8.3.1": "board taken home",
    "2.10.1": "stalemate",
}
_EVIDENCE: Final = 2


def study_table(settings: StudySettings, number: int) -> StudyTable:
    """Return the table for one game, before its first turn."""
    rng = random.Random(f"{settings.seed}/{number}")  # noqa: S311 - seeded on purpose
    return StudyTable(draw_setup(settings, rng), rng)


def play_game(settings: StudySettings, number: int) -> GameResult:
    """Play one game to its end, or until it is stuck."""
    table = study_table(settings, number)
    going = True
    while going and not table.over and len(table.events) < settings.most_events:
        going = table.go_on()
    return _result(table, number, _problem(table))


def play_games(settings: StudySettings, numbers: range) -> list[GameResult]:
    """Play several games one after the other."""
    return [play_game(settings, number) for number in numbers]


def _problem(table: StudyTable) -> str:
    """Say what went wrong, if anything."""
    if table.tally.failures:
        number, evidence = next(iter(table.tally.failures.items()))
        return f"event {number} failed: {evidence.strip().splitlines()[-1]}"
    if table.tally.refusals:
        return f"refused: {table.tally.refusals[0]}"
    if table.over:
        return ""
    return f"stuck in phase {table.state.phase.value} after {len(table.events)} events"


def _result(table: StudyTable, number: int, problem: str) -> GameResult:
    state, seats = table.state, [seat.seat for seat in table.setup.seats]
    first = seats.index(table.setup.first or seats[0])
    places = tuple(sorted((seats.index(seat) - first) % len(seats) for seat in state.winners))
    return GameResult(
        number=number,
        board=table.setup.board,
        players=len(seats),
        turns=state.turn,
        rolls=table.tally.rolls,
        events=len(table.events),
        ending=_ending(table),
        winners=places,
        refused=len(table.tally.refusals),
        failed=len(table.tally.failures),
        tiles=dict(sorted(table.tally.laid.items())),
        clauses=dict(sorted(table.tally.clauses.items())),
        problem=problem,
        journal=tuple(_journal(table, number)) if problem else (),
    )


def _ending(table: StudyTable) -> str:
    if not table.over:
        return "stuck"
    clause = (table.tally.end.clause if table.tally.end is not None else None) or ""
    if clause == "2.9.1.3" and all(player.conceded for player in table.state.players if player.out):
        return "others conceded"
    return _ENDINGS.get(clause, clause)


def _journal(table: StudyTable, number: int) -> Iterator[str]:
    """Yield the game as the lines that `hextraction replay` reads."""
    header = Header(
        game=f"study-{number}",
        boot="study",
        wall="",
        software="hextraction study",
        setup=table.setup,
        sensors=(),
    )
    yield msgspec.json.encode(header).decode()
    for at, event in enumerate(table.events, start=1):
        line = {"seq": at} | ({"failed": table.tally.failures[at]} if at in table.tally.failures else {})
        yield msgspec.json.encode(line | msgspec.to_builtins(event)).decode()
