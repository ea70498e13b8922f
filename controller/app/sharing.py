"""Games that were played here, to look at and to give away: ``hextraction history``, and ``export --html``.

A shared game is one HTML file that needs no network: the page's own drawing and replay, bundled by
``make page`` (``controller/page/built/alone.html``), with the game's chronicle in it.
"""

import argparse
import asyncio
import contextlib
import errno
import logging
import sys
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import Final

import msgspec
from hextraction.controller.app.process import board_info
from hextraction.controller.app.tools import newest_journal
from hextraction.controller.config import read_config
from hextraction.controller.history.archive import Archive, CaughtUp, Index, index_of
from hextraction.controller.history.chronicle import Chronicle, retell
from hextraction.controller.payloads.messages import Event
from hextraction.controller.phones.page_files import Page
from hextraction.controller.play.dates import believed, latest_of
from hextraction.controller.play.journal import Journal, JournalError
from hextraction.controller.play.recorded_game import game_of_header
from hextraction.controller.table.host import Host
from hextraction.controller.workshop.terminal import progress, tell
from msgspec.structs import replace

__all__ = ["alone", "keep_history", "languages", "run", "share", "tell_again"]

_log = logging.getLogger(__name__)
_EVERY_S: Final = 1.0
_LOOK_BACK: Final = 12
"""Among so many games before it a game's date is looked at."""
ENGLISH: Final = "en"


def tell_again(journal: Journal, game: str) -> Chronicle:
    """Tell a finished game of a journal again, with the tiles of people's own that are kept beside it.

    Raises:
        JournalError: there is no such game, it is not over, or it cannot be played any more.
    """
    header = journal.header(game)
    if not journal.is_over(game):
        raise JournalError(f"{journal.path}: game {game} is not over; hands stay secret until then")
    own = Path(journal.path).with_suffix(".tiles")
    try:
        rules = game_of_header(header, own if own.is_dir() else None, journal.path)
        info = board_info(rules.board, drawn=rules.drawn, electronics=True, simulated=False, game=header.kind)
        told = retell(rules, header, journal.entries(game), info)
    except JournalError:
        raise
    except Exception as error:  # whatever the rules of today make of what somebody has written there
        raise JournalError(
            f"{journal.path}: game {game} cannot be told again: {type(error).__name__}: {error}"
        ) from error
    dated = believed(header.wall, _latest_before(journal, game), datetime.now(UTC)) is not None
    return replace(told, summary=replace(told.summary, dated=dated))


def _latest_before(journal: Journal, game: str) -> datetime:
    """Return when the games just before this one were at the latest; what cannot be read says nothing."""
    walls = []
    for earlier in journal.before(game, _LOOK_BACK):
        with contextlib.suppress(JournalError):
            walls.append(journal.header(earlier).wall)
    return latest_of(walls, datetime.now(UTC))


def alone(chronicle: Chronicle, language: str = ENGLISH) -> str:
    """Return one HTML file with a whole game in it, in a language that the page speaks.

    Raises:
        JournalError: the page does not speak it.
    """
    page = files("hextraction.controller.page")
    words: dict[str, object] = {}
    if language != ENGLISH:
        for folder in ("words", f"games/{chronicle.summary.kind}/words"):
            catalogue = page.joinpath(*folder.split("/"), f"{language}.json")
            if catalogue.is_file():
                words.update(msgspec.json.decode(catalogue.read_bytes(), type=dict[str, object]))
        if not words:
            raise JournalError(f"--language: want one of {', '.join(languages())}, found {language!r}")
    whole = page.joinpath("built", "alone.html").read_text(encoding="utf-8")
    # In a script element nothing but "</" and "<!" means anything; JSON may write "<" in another way.
    told = [msgspec.json.encode(one).decode().replace("<", "\\u003c") for one in (words, chronicle)]
    head, rest = whole.replace("@LANGUAGE@", language, 1).split("@WORDS@", 1)
    middle, tail = rest.split("@CHRONICLE@", 1)
    return "".join((head, told[0], middle, told[1], tail))


def languages() -> list[str]:
    """Return the codes of the languages that the page speaks."""
    folder = files("hextraction.controller.page").joinpath("words")
    return [
        ENGLISH,
        *sorted(one.name.removesuffix(".json") for one in folder.iterdir() if one.name.endswith(".json")),
    ]


async def keep_history(host: Host, page: Page, journal: Path) -> None:
    """Bring the archive up to date now and after each game, in a thread, and let phones have it.

    After a restart between two games it also tells again how the last one ended, for late-comers. A long
    journal that nobody has told yet is told by and by.
    """
    archive = Archive(journal)
    seen: str | None = None
    more = False
    while True:
        games = host.evening.games
        last = games[-1].game if games else ""
        if last != seen or more:
            seen = last
            try:
                shelf, newest, caught = await asyncio.to_thread(_stock, archive)
                more = caught.left > 0 and not caught.unkept
                page.shelve(shelf)
                if newest is not None:
                    host.remember(_events(newest))
                if caught.unkept:
                    _log.warning("the history of games cannot be kept: %s", caught.unkept)
            except (JournalError, OSError) as error:
                more = False
                _log.warning("the history of games is not up to date: %s", error)
        await asyncio.sleep(_EVERY_S)


def share(options: argparse.Namespace) -> int:
    """Write a finished game as one HTML file; return the exit status."""
    if options.game is None:
        raise JournalError("--html: want the name of a game; `hextraction history` lists them")
    kept = Journal(_journal(options), reading=True)
    try:
        text = alone(tell_again(kept, options.game), options.language)
    finally:
        kept.close()
    path = options.output or Path(f"{options.game}.html")
    if options.output is None and path.exists() and not options.force:
        raise FileExistsError(errno.EEXIST, "is there already; --force overwrites it", str(path))
    path.write_text(text, encoding="utf-8")
    print(f"{path}: a whole game in one file; open it in any browser")
    return 0


def _journal(options: argparse.Namespace) -> Path:
    """Return the journal that is named, the configured one, or the one used last."""
    named = options.journal
    if named is None and getattr(options, "config", None) is not None:
        named = read_config(options.config).journal
    return Path(named or newest_journal())


def _stock(archive: Archive) -> tuple[Mapping[str, bytes], Chronicle | None, CaughtUp]:
    """Bring the archive up to date; return what phones may have, the newest game, and how far it came."""
    caught = archive.catch_up(tell_again)
    games = caught.games
    return archive.shelf(games), archive.read(games[-1].game) if games else None, caught


def _events(chronicle: Chronicle) -> Iterator[Event]:
    """Yield what was told in a game as the events that phones heard then."""
    for moment in chronicle.moments:
        for told in moment.told:
            yield Event(
                game=chronicle.summary.game,
                seq=moment.seq,
                at_us=chronicle.began_us + moment.at_ms * 1000,
                kind=told.kind,
                text=told.text,
                seat=told.seat,
                slot=told.slot,
            )


def run(options: argparse.Namespace) -> int:
    """Bring the archive up to date and print games, ladder and tiles; return the exit status."""
    caught = Archive(_journal(options)).catch_up(tell_again, shown=lambda games: progress(games, "games"))
    index = index_of(caught.games)
    if options.json:
        tell(index)
    else:
        print("\n".join(_lines(index)))
    if caught.unkept:
        print(f"hextraction history: shown this once, but not saved: {caught.unkept}", file=sys.stderr)
    if caught.left:
        again = "the others stay out" if caught.unkept else "ask again for the next"
        print(f"hextraction history: {caught.left} earlier games are not in it yet; {again}", file=sys.stderr)
    return 0


def _date(wall: str) -> str:
    return wall[:16].replace("T", " ") or "date unknown"


def _counted(number: int, one: str) -> str:
    return f"{number} {one}{'' if number == 1 else 's'}"


def _lines(index: Index) -> list[str]:
    lines = [f"{_counted(len(index.games), 'game')}, the newest first"]
    lines += [f"  {_date(one.wall):16}  {one.game}  {one.outcome}" for one in index.games[:20]]
    for ladder in index.ladders:
        lines.append(f"\nThe ladder of {ladder.title} (Glicko-2: rating ± twice its deviation)")
        lines += [
            f"  {place:2} {rung.name:24} {rung.rating:5} ± {2 * rung.deviation:<4} "
            f"{rung.wins} of {rung.games} won"
            for place, rung in enumerate(ladder.rungs, start=1)
        ]
    rollers = [one for one in index.players if one.balls]
    lines += ["\nBalls and luck"] if rollers else []
    for one in rollers:
        lucky = f"; luckiest tile: {one.luckiest.title}" if one.luckiest is not None else ""
        lines.append(f"  {one.name:24} {_counted(one.balls, 'ball')}, {one.zone} into an end zone{lucky}")
    return lines
