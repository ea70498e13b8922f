"""``hextraction check``: check any file that people write for this program; its content tells its kind."""

import argparse
import importlib.util
import lzma
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from hextraction.board.profile import load_board, read_board
from hextraction.controller.config import BrokerConfig, read_config
from hextraction.controller.games.hextraction.cards.tilebook import load_tiles, read_tiles
from hextraction.controller.games.registry import STANDARD, open_game, scenario_language
from hextraction.controller.games.scenarios import game_of, text_of
from hextraction.controller.play.journal import JournalError
from hextraction.controller.version import how_to_install
from hextraction.controller.workshop.documents import Checked, CheckedFile
from hextraction.controller.workshop.plans.build import read_build
from hextraction.controller.workshop.terminal import Ink, progress, tell
from hextraction.settings import Document, Problem, SettingsError

__all__ = ["check", "first_problems", "text_lines"]

_MOST_TOLD: Final = 20
_MOST_UNPACKED: Final = 64 << 20


def check(options: argparse.Namespace) -> int:
    """Check files of any kind; print every problem of every file."""
    bad = 0
    ink = Ink(options, sys.stdout)
    found: list[CheckedFile] = []
    for path in progress(options.files, "files"):
        kind, told = "", []
        try:
            kind = _check(path)
        except (ValueError, JournalError) as error:
            told = _problems_of(error, path)
        bad += len(told)
        found.append(CheckedFile(path=str(path), kind=kind, problems=tuple(told)))
        if not options.json:
            print("\n".join(map(ink.bad, told)) if told else f"{path}: {ink.good('ok')} ({kind})")
    if options.json:
        tell(Checked(files=tuple(found)))
    elif bad:
        print(f"{bad} problem{'s' if bad != 1 else ''} found", file=sys.stderr)
    return 2 if bad else 0


def _problems_of(error: Exception, path: Path) -> list[str]:
    lines = str(error).split("\n")
    return lines if lines and lines[0].startswith(str(path)) else first_problems(path, lines)


def first_problems(path: Path, problems: Sequence[str]) -> list[str]:
    """Return the first twenty problems of a file, each with its name: a wrong kind of file has thousands."""
    more = [f"{path}: … and {len(problems) - _MOST_TOLD} more"] if len(problems) > _MOST_TOLD else []
    return [f"{path}: {problem}" for problem in problems[:_MOST_TOLD]] + more


def _check(path: Path) -> str:
    """Check one file; return what it is."""
    if path.suffix == ".scenario":
        return f"{scenario_language(game_of(text_of(path), STANDARD)).count(path)} scenarios"
    if path.suffix == ".jsonl":
        return _check_lines(path)
    keys = set(Document.from_path(path).root.keys)
    kinds: list[tuple[set[str], str, Callable[[Path], object]]] = [
        ({"column"}, "board profile", read_board),
        ({"tile"}, "tile catalogue", lambda file: read_tiles([file], load_tiles())),
        ({"sensor", "gpio", "solenoid", "lamp", "pixels"}, "wiring", read_build),
        (
            {"table", "page", "broker", "house", "webhook", "game", "games", "lights", "log"},
            "configuration",
            _check_config,
        ),
    ]
    for known, what, read in kinds:
        if keys & known:
            remark = read(path)
            return f"{what}; {remark}" if isinstance(remark, str) and remark else what
    raise SettingsError(
        [
            Problem(
                str(path),
                1,
                "cannot tell what this file is: want a board profile ([[column]]), a tile catalogue "
                "([[tile]]), a wiring ([[sensor]], [gpio]) or a configuration ([table], [page], [game])",
            )
        ]
    )


def _check_config(path: Path) -> str:
    """Check a configuration and the files it names; return what could not be checked now, if anything."""
    config = read_config(path)
    if config.wiring is not None:
        read_build(config.wiring, config.board)
    open_game(config.game, load_board(config.board), config.rules)
    if config.page.metrics and importlib.util.find_spec("prometheus_client") is None:
        told = f"page.metrics: this needs prometheus_client: {how_to_install('metrics')}"
        raise SettingsError([Problem(str(path), Document.from_path(path).line_of(("page",)), told)])
    logins = {"broker": config.broker, "house": config.house}
    remarks = [_check_login(path, name, broker) for name, broker in logins.items() if broker.host]
    return "; ".join(filter(None, remarks))


def _check_login(path: Path, table: str, broker: BrokerConfig) -> str:
    """Log in at a broker of somebody else's: nothing else shows a password that is wrong there in time."""
    from hextraction.controller.phones.broker import ExternalBroker  # noqa: PLC0415 - rarely needed
    from hextraction.controller.phones.house import HouseError, HouseRefusedError, try_login  # noqa: PLC0415

    where = ExternalBroker(
        host=broker.host, port=broker.port, user=broker.user, password=broker.password, tls=broker.tls
    )
    try:
        try_login(where)
    except HouseRefusedError as error:
        line = Document.from_path(path).line_of((table,))
        told = f"{table}: the broker at {broker.host}:{broker.port} {error}"
        raise SettingsError([Problem(str(path), line, told)]) from None
    except HouseError as error:
        return f"whether [{table}] lets the table in is not known: {broker.host}:{broker.port} {error}"
    return ""


def _check_lines(path: Path) -> str:
    """Check JSON Lines: an exported game, or a trace of sensors."""
    lines = text_lines(path)
    if lines and '"setup"' in lines[0]:
        from hextraction.controller.play.journal_lines import load_lines  # noqa: PLC0415

        return f"game with {len(load_lines(lines, str(path))[1])} entries"
    from hextraction.controller.tracking.trace import read_trace, split_traces  # noqa: PLC0415

    tiles = load_tiles()
    parts = list(split_traces(lines)) or [(1, [])]
    edges = sum(len(read_trace(part, tiles, first=first).edges) for first, part in parts)
    return f"trace with {edges} edges" if len(parts) == 1 else f"{len(parts)} traces with {edges} edges"


def text_lines(path: Path) -> list[str]:
    """Return a text file's lines; one that is packed (``.xz``) is unpacked, up to 64 MiB of text.

    Raises:
        JournalError: it cannot be read.
    """
    try:
        # Not splitlines(): that also splits at characters which may occur inside a JSON string.
        lines = _unpacked(path).decode("utf-8").split("\n")
    except OSError as error:
        raise JournalError(f"{path}: cannot read this file: {error.strerror}") from None
    except (lzma.LZMAError, EOFError):
        raise JournalError(f"{path}: damaged, or not packed by xz; pack the file again") from None
    except UnicodeDecodeError as error:
        raise JournalError(f"{path}: this is not UTF-8 text (byte {error.start})") from None
    return lines if lines[-1] else lines[:-1]


def _unpacked(path: Path) -> bytes:
    """Return what a file holds; a packed one may come from anybody, so it cannot grow without end."""
    if path.suffix != ".xz":
        return path.read_bytes()
    with lzma.open(path) as packed:
        held = packed.read(_MOST_UNPACKED + 1)
    if len(held) > _MOST_UNPACKED:
        raise JournalError(f"{path}: holds more than 64 MiB of text; split it into several files")
    return held
