"""Statistics of many games: lengths, wins by seat, endings, what occurred; as text and as values."""

from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import median
from typing import Final

import msgspec
from hextraction.controller.games.strategy import Strength
from hextraction.controller.study.settings import GameResult, StudySettings, share_interval

__all__ = ["Lengths", "Report", "Share", "StrengthShare", "make_report", "report_text"]

_MOST_LISTED: Final = 12


class Lengths(msgspec.Struct, frozen=True, kw_only=True):
    """The distribution of game lengths, by one measure."""

    measure: str
    least: int
    middle: float
    p95: int
    most: int


class Share(msgspec.Struct, frozen=True, kw_only=True):
    """How often a place in turn order won, at tables of one size; a joint win counts for each winner."""

    players: int
    place: int
    games: int
    wins: int
    share: float
    low: float
    high: float


class StrengthShare(msgspec.Struct, frozen=True, kw_only=True):
    """How often a bot of one strength won, at tables of one size; ``seats`` counts each of a game."""

    players: int
    strength: Strength
    seats: int
    wins: int
    share: float
    low: float
    high: float


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """A whole study. ``stuck`` and ``wrong`` list game numbers; each game can be replayed on its own.

    ``strengths`` are there if bots of several strengths met.

    >>> from hextraction.api import StudySettings, study
    >>> report = study(StudySettings(games=1, players=(2, 2)))
    >>> report.games, report.refused, report.stuck
    (1, 0, ())
    """

    settings: StudySettings
    games: int
    events: int
    refused: int
    failed: int
    stuck: tuple[int, ...]
    wrong: dict[int, str]
    players: dict[int, int]
    boards: dict[str, int]
    lengths: tuple[Lengths, ...]
    endings: dict[str, int]
    shares: tuple[Share, ...]
    strengths: tuple[StrengthShare, ...]
    tiles: dict[str, int]
    clauses: dict[str, int]
    turns: tuple[int, ...]
    """The turns of each game in order, for the plot."""


def make_report(settings: StudySettings, results: Sequence[GameResult]) -> Report:
    """Summarise game results; there may be none."""
    return Report(
        settings=settings,
        games=len(results),
        events=sum(one.events for one in results),
        refused=sum(one.refused for one in results),
        failed=sum(one.failed for one in results),
        stuck=tuple(one.number for one in results if one.ending == "stuck"),
        wrong={one.number: one.problem for one in results if one.problem},
        players=dict(sorted(Counter(one.players for one in results).items())),
        boards=_most_first(Counter(one.board for one in results)),
        lengths=tuple(_lengths(results)),
        endings=_most_first(Counter(one.ending for one in results)),
        shares=tuple(_shares(results)),
        strengths=tuple(_strengths(settings, results)),
        tiles=_summed(one.tiles for one in results),
        clauses=_summed(one.clauses for one in results),
        turns=tuple(one.turns for one in results),
    )


def _summed(counts: Iterable[dict[str, int]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for count in counts:
        total.update(count)
    return _most_first(total)


def _most_first(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _lengths(results: Sequence[GameResult]) -> Iterable[Lengths]:
    for measure in ("turns", "rolls", "choices", "events"):
        found = sorted(getattr(one, measure) for one in results)
        if found:
            p95 = found[min(len(found) - 1, len(found) * 95 // 100)]
            yield Lengths(
                measure=measure, least=found[0], middle=float(median(found)), p95=p95, most=found[-1]
            )


def _shares(results: Sequence[GameResult]) -> Iterable[Share]:
    for players in sorted({one.players for one in results}):
        at_table = [one for one in results if one.players == players]
        for place in range(players):
            wins = sum(place in one.winners for one in at_table)
            low, high = share_interval(wins, len(at_table))
            yield Share(
                players=players,
                place=place + 1,
                games=len(at_table),
                wins=wins,
                share=round(wins / len(at_table), 4),
                low=round(low, 4),
                high=round(high, 4),
            )


def _strengths(settings: StudySettings, results: Sequence[GameResult]) -> Iterable[StrengthShare]:
    """Yield how often each strength won, if there were several at one table."""
    for players in sorted({one.players for one in results}):
        at_table = [one for one in results if one.players == players]
        seated = [settings.bots[seat % len(settings.bots)] for seat in range(players)]
        for strength in dict.fromkeys(seated) if len({*seated}) > 1 else ():
            seats = len(at_table) * seated.count(strength)
            wins = sum(seated[seat] == strength for one in at_table for seat in one.seats)
            low, high = share_interval(wins, seats)
            yield StrengthShare(
                players=players,
                strength=strength,
                seats=seats,
                wins=wins,
                share=round(wins / seats, 4),
                low=round(low, 4),
                high=round(high, 4),
            )


def report_text(report: Report) -> str:
    """Return a report as text tables for people."""
    told = report.settings
    seats = f"{told.players[0]} to {told.players[1]} players"
    head = (
        f"{report.games} of {told.games} games, {seats}, seed {told.seed}, "
        f"boards {', '.join(told.boards)}{_drawn_from(told)}"
    )
    parts = [
        head,
        *_outcome_lines(report),
        _length_table(report),
        _ending_table(report),
        _share_table(report),
        *([_strength_table(report)] if report.strengths else []),
    ]
    parts += [_list("tiles that were laid", report.tiles), _list("clauses that were told", report.clauses)]
    return "\n\n".join(parts) + "\n"


def _drawn_from(told: StudySettings) -> str:
    return f", tiles {', '.join(told.files)}" if told.files else ""


def _outcome_lines(report: Report) -> list[str]:
    told = (
        f"events: {report.events}   refused: {report.refused}   failed: {report.failed}   "
        f"stuck: {len(report.stuck)}"
    )
    lines = [told]
    lines += [
        f"  game {number} (seed {report.settings.seed}): {problem}"
        for number, problem in report.wrong.items()
    ]
    return ["\n".join(lines)]


def _length_table(report: Report) -> str:
    rows = [("length", "min", "median", "p95", "max")]
    rows += [
        (one.measure, str(one.least), f"{one.middle:g}", str(one.p95), str(one.most))
        for one in report.lengths
    ]
    return _table(rows)


def _ending_table(report: Report) -> str:
    rows = [("ended by", "games", "share", "95 %")]
    for word, count in report.endings.items():
        low, high = share_interval(count, report.games)
        rows.append((word, str(count), f"{count / report.games:.1%}", f"{low:.1%} to {high:.1%}"))
    return _table(rows)


def _share_table(report: Report) -> str:
    rows = [("players", "place", "games", "wins", "share", "95 %", "even")]
    rows += [
        (str(one.players), str(one.place), str(one.games), str(one.wins), f"{one.share:.1%}",
         f"{one.low:.1%} to {one.high:.1%}", f"{1 / one.players:.1%}")
        for one in report.shares
    ]  # fmt: skip
    return _table(rows)


def _strength_table(report: Report) -> str:
    rows = [("players", "bots", "seats", "wins", "share", "95 %", "even")]
    rows += [
        (str(one.players), one.strength, str(one.seats), str(one.wins), f"{one.share:.1%}",
         f"{one.low:.1%} to {one.high:.1%}", f"{1 / one.players:.1%}")
        for one in report.strengths
    ]  # fmt: skip
    return _table(rows)


def _table(rows: Sequence[Sequence[str]]) -> str:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if at == 0 else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def _list(title: str, counts: dict[str, int]) -> str:
    named = {name or "(none)": count for name, count in counts.items()}
    shown = ", ".join(f"{name} {count}" for name, count in list(named.items())[:_MOST_LISTED])
    more = f", and {len(named) - _MOST_LISTED} more" if len(named) > _MOST_LISTED else ""
    return f"{title}: {len(named)} kinds\n  {shown}{more}"
