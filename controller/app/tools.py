"""The smaller commands: boards, games, tiles, track, scenario, export, replay."""

import argparse
import difflib
import json
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec
from hextraction.board.facts import Fact, RollSettled
from hextraction.board.profile import Board, board_names, load_board
from hextraction.controller.config import default_state_folder
from hextraction.controller.games.hextraction.cards.tilebook import load_catalogue, load_tiles
from hextraction.controller.games.hextraction.cards.tiles import Tile
from hextraction.controller.games.marked_names import plain
from hextraction.controller.games.protocol import Said
from hextraction.controller.games.registry import (
    STANDARD,
    UnknownGameError,
    broken_games,
    comes_from,
    game_type,
    kinds,
    must_be_allowed,
    scenario_language,
)
from hextraction.controller.games.scenarios import ScenarioError, game_of, text_of
from hextraction.controller.games.scene import asks
from hextraction.controller.play.dates import believed
from hextraction.controller.play.journal import Entry, Journal, JournalError
from hextraction.controller.play.journal_lines import export_lines, load_lines
from hextraction.controller.play.recorded_game import game_of_header, must_know_tiles
from hextraction.controller.play.referee import Referee, replay
from hextraction.controller.workshop import documents
from hextraction.controller.workshop.checking import first_problems, text_lines
from hextraction.controller.workshop.terminal import Ink, progress, remark, tell

__all__ = [
    "boards",
    "export",
    "games",
    "newest_journal",
    "replay_game",
    "scenario",
    "tiles",
    "track",
]


_MOST_NEAR: Final = 6
_LONGEST_NAME: Final = 80


def boards(options: argparse.Namespace) -> int:
    """List the board profiles, or draw one."""
    if options.json and options.name in {None, *board_names()}:
        named = board_names() if options.name is None else (options.name,)
        tell(documents.Boards(boards=tuple(_board_facts(load_board(name)) for name in named)))
        return 0
    if options.name is None:
        for name in board_names():
            board = load_board(name)
            print(f"{name:12}  {len(board.slots):2} slots  {len(board.ramps)} ramps  {board.title}")
        return 0
    if options.name not in board_names():
        print(
            f"hextraction boards: no board {options.name!r}; there are {', '.join(board_names())}",
            file=sys.stderr,
        )
        return 2
    print(_drawing(load_board(options.name)))
    return 0


def _board_facts(board: Board) -> documents.BoardFacts:
    return documents.BoardFacts(
        name=board.name,
        title=board.title,
        slots=tuple(board.slot_names),
        ramps=tuple(documents.RampFacts(name=one.name, slot=one.slot, edge=one.edge) for one in board.ramps),
        zones=tuple(
            documents.ZoneFacts(name=one.name, title=one.title, outlets=tuple(one.outlets))
            for one in board.zones
        ),
        edges=dict(board.edge_counts()),
    )


def games(options: argparse.Namespace) -> int:
    """List the games that are installed: kind, title, players, board, and the package of an added one."""
    broken = broken_games()
    if options.json:
        there = tuple(_game_facts(kind) for kind in kinds() if kind not in broken)
        tell(documents.Games(games=there, broken=dict(broken)))
        return 1 if broken else 0
    for kind in (one for one in kinds() if one not in broken):
        origin, made = comes_from(kind) or "comes with the board", game_type(kind)
        least, most = made.seats[0], made.seats[-1]
        players = f"{least} to {most} players" if most > least else f"{least} players"
        asks = f"; a table has to allow it: [games] {kind} = true" if must_be_allowed(kind) else ""
        print(f"{kind:12}  {made.title:16}  {players:14}  {made.usual_board:12}  {origin}{asks}")
    for kind, why in broken.items():
        print(f"{kind:12}  {why}")
    return 1 if broken else 0


def _game_facts(kind: str) -> documents.GameFacts:
    made = game_type(kind)
    return documents.GameFacts(
        kind=kind,
        title=made.title,
        least=made.seats[0],
        most=made.seats[-1],
        board=made.usual_board,
        package=comes_from(kind) or "",
        must_be_allowed=bool(must_be_allowed(kind)),
    )


def _drawing(board: Board) -> str:
    """Draw a board as text: one line per half pitch, one column of text per column of slots."""
    top = min(slot.y_mm for slot in board.slots)
    width = max(len(slot.name) for slot in board.slots) + 4
    lines: dict[int, dict[int, str]] = {}
    for slot in board.slots:
        lines.setdefault(round((slot.y_mm - top) / board.pitch_mm * 2), {})[slot.column] = slot.name
    columns = max(slot.column for slot in board.slots) + 1
    body = ["".join(lines.get(row, {}).get(column, "").center(width) for column in range(columns)).rstrip()
            for row in range(max(lines) + 1)]  # fmt: skip
    ramps = "  ".join(f"{ramp.name}→{ramp.slot}.{ramp.edge}" for ramp in board.ramps)
    zones = "\n".join(
        f"  {zone.name} ({zone.title}): " + " ".join(f"{slot}.{edge}" for slot, edge in zone.outlets)
        for zone in board.zones
    )
    counts = ", ".join(f"{count} {sort.replace('_', ' ')}" for sort, count in board.edge_counts().items())
    return (
        f"{board.title}\n\nramps:  {ramps}\n\n"
        + "\n".join(body)
        + f"\n\nend zones:\n{zones}\nedges: {counts}"
    )


def tiles(options: argparse.Namespace) -> int:
    """List the tiles, or show one card."""
    catalogue, shipped = load_catalogue(options.own_tiles), load_tiles()
    # Those that we have made up for tests and scenarios have no creator; a player's own may have none either.
    real = {
        name: tile
        for name, tile in catalogue.items()
        if tile.creator or options.all or tile is not shipped.get(name)
    }
    if options.name is None and options.json:
        tell(documents.Tiles(tiles=tuple(map(_tile_facts, real.values()))))
        return 0
    if options.name is None:
        shown = list(real.values())
        for one in sorted(shown, key=lambda tile: tile.title.lower()):
            print(f"{one.name:24} {_how(one):10} {one.summary}")
        known = sum(one.channels is not None for one in shown)
        print(f"\n{len(shown)} tiles, {known} with known channels. `hextraction tiles NAME` shows one.")
        return 0
    found = _called(options.name, real)
    if not found:
        near = ", ".join(_near(options.name, real))
        hidden = _called(options.name, catalogue)
        hint = f"; perhaps {near}" if near else ""
        hint += f"; {hidden[0].name} is a test tile, which --all shows" if hidden else ""
        print(f"hextraction tiles: no tile {options.name!r}{hint}", file=sys.stderr)
        return 2
    if options.json:
        tell(documents.Tiles(tiles=tuple(map(_tile_facts, found))))
    else:
        print("\n\n".join(map(_card, found)))
    return 0


def _tile_facts(tile: Tile) -> documents.TileFacts:
    return documents.TileFacts(
        name=tile.name,
        title=tile.title,
        creator=tile.creator,
        source=tile.source,
        summary=tile.summary,
        channels=None if tile.channels is None else tuple(tuple(group) for group in tile.channels),
        turns=tuple(tile.turns),
        keywords=tuple(sorted(keyword.value for keyword in tile.keywords)),
        effects=tuple(documents.EffectFacts(when=one.when.value, text=one.text) for one in tile.effects),
    )


def _called(wanted: str, tiles: Mapping[str, Tile]) -> list[Tile]:
    """Return the tile of this key, or all of this title, however it is written."""
    key = _plain(wanted)
    by_key = [tile for name, tile in tiles.items() if _plain(name) == key]
    return by_key or [tile for tile in tiles.values() if _plain(tile.title) == key]


def _near(wanted: str, tiles: Mapping[str, Tile]) -> list[str]:
    """Return the keys of tiles whose key or title is nearly this, or has it in it."""
    key = _plain(wanted)
    names = {_plain(said): name for name, tile in tiles.items() for said in (tile.title, name)}
    close = difflib.get_close_matches(key, names, _MOST_NEAR) if len(key) <= _LONGEST_NAME else []
    inside = [said for said in names if key and key in said]
    return list(dict.fromkeys(names[said] for said in (*close, *inside)))[:_MOST_NEAR]


def _plain(said: str) -> str:
    """Return a name as it is compared: letters and digits without accents, in one case."""
    bare = unicodedata.normalize("NFKD", said).casefold()
    return "".join(letter for letter in bare if letter.isalnum())


def _how(tile: Tile) -> str:
    if not tile.effects:
        return "path"
    return "attested" if all(effect.deed.in_words for effect in tile.effects) else "effect"


def _card(tile: Tile) -> str:
    channels = (
        "not published"
        if tile.channels is None
        else "  ".join("-".join(map(str, group)) for group in tile.channels)
    )
    lines = [
        tile.title,
        *_maker(tile),
        f"  channels: {channels or 'none'}",
        f"  turns: {', '.join(map(str, tile.turns))}",
    ]
    if tile.keywords:
        lines.append(f"  keywords: {', '.join(sorted(keyword.value for keyword in tile.keywords))}")
    lines += [f"  {effect.when.value}: {effect.text}" for effect in tile.effects]
    if tile.summary:
        lines.append(f"  {tile.summary}")
    return "\n".join(lines)


def _maker(tile: Tile) -> list[str]:
    """Return a line on who made a tile; none of one whose maker has not said, which is somebody's own."""
    ours = tile is load_tiles().get(tile.name)
    by = tile.creator or ("this project" if ours else "")
    return [f"  by {by}  {tile.source}".rstrip()] if by else []


# --- traces and scenarios -----------------------------------------------------------------------------------


def track(options: argparse.Namespace) -> int:
    """Turn a trace of sensor edges into ball facts, one JSON line each, or all as one document."""
    from hextraction.controller.tracking.trace import (  # noqa: PLC0415
        TraceError,
        facts_of,
        limits_of,
        read_trace,
        split_traces,
    )

    try:
        catalogue = load_catalogue(options.own_tiles)
        parts = list(split_traces(text_lines(options.trace))) or [(1, [])]
        traces = [(first, read_trace(part, catalogue, first=first)) for first, part in parts]
    except TraceError as error:
        print("\n".join(first_problems(options.trace, error.problems)), file=sys.stderr)
        return 2
    before: tuple[str, ...] = ()
    facts: list[Fact | RollSettled] = []
    every: dict[str, None] = {}
    for first, trace in progress(traces, "traces"):
        limits = limits_of(trace)
        every |= dict.fromkeys(limits)
        if limits and limits != before and not options.json:
            remark(f"{options.trace}: line {first}: with these sensors: {' '.join(limits)}")
        before = limits
        for fact in facts_of(trace):
            if options.json:
                facts.append(fact)
            else:
                print(msgspec.json.encode(fact).decode())
    if options.json:
        tell(documents.Tracked(facts=tuple(facts), limits=tuple(every)))
    return 0


def scenario(options: argparse.Namespace) -> int:
    """Run text scenarios; print each failed expectation. A file that cannot be read has failed, too."""
    passed = 0
    failed: list[str] = []
    unread: list[str] = []
    shown: list[str] = []
    ink, wrong_ink = Ink(options, sys.stdout), Ink(options, sys.stderr)
    for path in progress(options.files, "files"):
        try:
            fine, failures = play_scenarios(path, shown.append if options.json else print)
        except ScenarioError as error:
            unread.append(str(error))
            remark(wrong_ink.bad(str(error)))
            continue
        for failure in failures if not options.json else ():
            print(ink.bad(failure))
        failed += failures
        passed += fine
    if options.json:
        played = documents.ScenariosPlayed(
            passed=passed, failed=tuple(failed), unread=tuple(unread), shown=tuple(shown)
        )
        tell(played)
    else:
        unreadable = f", of which {len(unread)} could not be read" if unread else ""
        wrong = len(failed) + len(unread)
        told = f"{passed} passed, {wrong} failed{unreadable}"
        print(ink.bad(told) if wrong else ink.good(told))
    return 2 if unread else 1 if failed else 0


def play_scenarios(path: Path, show: Callable[[str], None] | None = None) -> tuple[int, list[str]]:
    """Play all scenarios of a file by the game that it names; return how many came true, and what did not.

    ``show`` is given each line that a SHOW shows.

    Raises:
        ScenarioError: with every mistake in the file.
    """
    kind = game_of(text_of(path), STANDARD)
    try:
        language = scenario_language(kind)
    except UnknownGameError as error:
        raise ScenarioError([f"{path}:1: {error}"]) from None
    found: tuple[int, list[str]] = language.run_file(path, show)
    return found


# --- journals -----------------------------------------------------------------------------------------------


def export(options: argparse.Namespace) -> int:
    """Write a game as JSON Lines; without a name, list the games."""
    journal = Journal(options.journal or newest_journal(), reading=True)
    try:
        if options.json:
            played = tuple(
                documents.PlayedGame(game=game, outcome=outcome) for game, outcome in journal.games()
            )
            tell(documents.PlayedGames(games=played))
            return 0
        if options.game is None:
            for game, outcome in journal.games():
                print(f"{' '.join(plain(game).split())}  {' '.join(plain(outcome or 'unfinished').split())}")
            return 0
        _write(export_lines(journal, options.game), options.output)
    finally:
        journal.close()
    return 0


def newest_journal() -> Path:
    """Return the journal that was used last.

    Raises:
        JournalError: there is none, or no clock was set when one of several was used.
    """
    folder = default_state_folder()
    found = {path: path.stat().st_mtime for path in folder.glob("*.db") if path.is_file()}
    if not found:
        raise JournalError("no journal yet: play a game first")
    if len(found) > 1 and believed(datetime.fromtimestamp(min(found.values()), UTC).isoformat()) is None:
        names = ", ".join(sorted(path.name for path in found))
        raise JournalError(
            f"{folder}: which of {names} was used last cannot be told, as the clock was not set then; "
            "name one with --journal"
        )
    return max(found, key=lambda path: found[path])


def _write(lines: Iterable[str], output: Path | None) -> None:
    if output is None:
        for line in lines:
            print(line)
        return
    output.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def replay_game(options: argparse.Namespace) -> int:
    """Replay an exported game and print its state; with ``--events``, everything that happened."""
    header, entries = load_lines(text_lines(options.file), str(options.file))
    game = game_of_header(header, options.own_tiles, str(options.file))
    must_know_tiles(game, header, str(options.file))
    if options.events and not options.json:
        for told in _story(Referee(game, header), entries):
            print(f"{told.at_s:9.3f}  {plain(told.text)}")
        return 0
    failing: list[int] = []
    referee = replay(game, header, entries, lambda seq, _evidence: failing.append(seq))
    if options.json:
        story = tuple(_story(Referee(game, header), entries)) if options.events else None
        tell(_replayed(referee, entries, failing, story, whole=options.state))
        return 0
    standing = game.standing(referee.state)
    date = header.wall if believed(header.wall) is not None else "a date unknown"
    print(f"game:     {header.game} of {date}, {header.software}")
    print(
        f"entries:  {len(entries)}"
        + (f", {failed} skipped as failed" if (failed := _failed(entries)) else "")
        + (f", {len(failing)} fail now: {', '.join(map(str, failing[:9]))}" if failing else "")
    )
    print(f"turn:     {standing.turn}, {plain(asks(game.scene(referee.state)))}")
    print(f"outcome:  {plain(standing.outcome or 'unfinished')}")
    if options.state:
        shown = json.dumps(msgspec.to_builtins(referee.state, str_keys=True), indent=1, ensure_ascii=False)
        print(plain(shown))
    return 0


def _failed(entries: list[Entry]) -> int:
    return sum(entry.failed is not None for entry in entries)


def _replayed(
    referee: Referee,
    entries: list[Entry],
    failing: list[int],
    story: tuple[documents.Told, ...] | None,
    *,
    whole: bool,
) -> documents.Replayed:
    header, standing = referee.header, referee.game.standing(referee.state)
    return documents.Replayed(
        game=header.game,
        wall=header.wall,
        software=header.software,
        entries=len(entries),
        skipped=_failed(entries),
        failing=tuple(failing),
        turn=standing.turn,
        headline=asks(referee.game.scene(referee.state)),
        outcome=standing.outcome,
        events=story,
        state=msgspec.to_builtins(referee.state, str_keys=True) if whole else None,
    )


def _story(referee: Referee, entries: list[Entry]) -> Iterator[documents.Told]:
    """Yield everything that was said in a game, as it is played again."""
    start_us: int | None = None
    for entry in entries:
        before = referee.state
        effects, _evidence = referee.relive(entry)
        start_us = entry.what.at_us if start_us is None else start_us
        if referee.state is not before:
            for said in (effect for effect in effects if isinstance(effect, Said)):
                yield documents.Told(at_s=(entry.what.at_us - start_us) / 1e6, text=said.text)
