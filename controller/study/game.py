"""Play one game of a study to its end and summarise it."""

import random
from collections.abc import Iterator
from dataclasses import replace
from statistics import median
from typing import Final

import msgspec
from hextraction.board.profile import load_board
from hextraction.controller.games.protocol import Seated
from hextraction.controller.games.registry import game_type
from hextraction.controller.games.scene import asks
from hextraction.controller.games.strategy import Temper
from hextraction.controller.play.journal import Header
from hextraction.controller.study.settings import GameResult, StudySettings
from hextraction.controller.study.table import TEMPER, StudyTable
from hextraction.controller.table.lobby import SEATS

__all__ = ["header_of", "play_game", "play_games", "played", "study_table", "temper_of"]

_EVIDENCE: Final = 2


def study_table(settings: StudySettings, number: int) -> StudyTable:
    """Return the table for one game, before its first turn."""
    rng = random.Random(f"{settings.seed}/{number}")  # noqa: S311 - seeded on purpose
    kind = game_type(settings.game)
    rules = None if settings.full else kind.demo_rules(settings.laid)
    game = kind.on(load_board(rng.choice(settings.boards)), rules)
    least, most = (min(max(number, kind.seats[0]), kind.seats[-1]) for number in settings.players)
    seats = tuple(Seated(seat, seat.title()) for seat in SEATS[: rng.randint(least, most)])
    temper = temper_of(settings)
    setup = game.draw(seats, rng, settings.files, settings.laid)
    return StudyTable(game, setup, rng, settings.bots, temper)


def temper_of(settings: StudySettings) -> Temper:
    """Return how the bots of a study play."""
    return replace(
        TEMPER,
        whim=TEMPER.whim if settings.whim is None else settings.whim,
        looks_at=TEMPER.looks_at if settings.looks_at is None else settings.looks_at,
    )


def played(settings: StudySettings, number: int) -> StudyTable:
    """Return the table of one game after its end, or where it got stuck."""
    table = study_table(settings, number)
    going = True
    while going and not table.over and len(table.events) < settings.most_events:
        going = table.go_on()
    return table


def play_game(settings: StudySettings, number: int) -> GameResult:
    """Play one game to its end, or until it is stuck."""
    table = played(settings, number)
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
    return f"stuck ({asks(table.game.scene(table.state))}) after {len(table.events)} events"


def _result(table: StudyTable, number: int, problem: str) -> GameResult:
    game, state = table.game, table.state
    seats = [player.seat for player in game.standing(state).players]
    first = seats.index(game.standing(game.start(table.setup)).active)
    won = tuple(sorted(seats.index(seat) for seat in game.scene(state).winners))
    return GameResult(
        number=number,
        board=table.setup.board,
        players=len(seats),
        turns=game.standing(state).turn,
        rolls=table.tally.rolls,
        choices=round(median(table.tally.choices or [0])),
        events=len(table.events),
        ending=_ending(table),
        winners=tuple(sorted((seat - first) % len(seats) for seat in won)),
        seats=won,
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
    return table.game.ending(table.state, table.tally.last_clause)


def header_of(table: StudyTable, number: int) -> Header:
    """Return the header of a game of a study, as its journal begins."""
    return Header(
        game=f"study-{number}",
        boot="study",
        wall="",
        software="hextraction study",
        setup=table.setup,
        sensors=(),
        kind=table.game.kind,
    )


def _journal(table: StudyTable, number: int) -> Iterator[str]:
    """Yield the game as the lines that `hextraction replay` reads."""
    yield msgspec.json.encode(header_of(table, number)).decode()
    for at, event in enumerate(table.events, start=1):
        line = {"seq": at} | ({"failed": table.tally.failures[at]} if at in table.tally.failures else {})
        yield msgspec.json.encode(line | msgspec.to_builtins(event)).decode()
