"""What bounds the tracker: an oracle, sensors that would tell more, and what is confused with what.

    python -m bench.bounds.measure oracle [--balls 1,2,4] [--setups N] [--worlds unsure] [--further] …
    python -m bench.bounds.measure sensors [--balls 1,2,4] [--rolls N] …
    python -m bench.bounds.measure again --keep FILE

``oracle``: thousands of worlds in which the same gates were opened over the same tiles, heard through
noise. Somebody who has seen them all guesses; the tracker follows the same rolls. ``--worlds`` says of
which worlds the board is one, for the guesser; *drawn*, *rails* and *rails itself* are those that judge.
``sensors``: the tracker on the same rolls through other sensors. Each adds its rolls to a file (``--keep``)
and prints the tables of all in it, so several short runs over other boards (``--first``, ``--seed``) make
one. docs/bounds.md says what the columns mean. ``again`` lets the tracker of today follow the oracle's
rolls in a file, and leaves the oracle as it was.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from hextraction.board.profile import Board, load_board
from hextraction.controller.evaluation.verdict import verdict_of
from hextraction.controller.games.hextraction.cards.tilebook import load_tiles
from hextraction.controller.workshop.trials.rolls import TrueRoll

from bench.bounds import lift
from bench.bounds.looking import doubt_of, ground_of, guess, looks, trace_of
from bench.bounds.oracle import guessed
from bench.bounds.records import Record, append, read, with_tracker
from bench.bounds.telling import oracle_tables, sensor_tables
from bench.bounds.tracked import labelled
from bench.bounds.worlds import Manner, Setup, setups, worlds
from bench.tables import machine

FEW = 60
"""If so many worlds of a setup all end alike, no more are made of it."""


class Played(NamedTuple):
    """A setup, the rolls on it that are to be guessed at, and the worlds that the oracle has seen."""

    setup: Setup
    true: list[TrueRoll]
    others: list[TrueRoll]


def oracle(options: argparse.Namespace) -> Iterator[list[Record]]:
    """Guess at rolls; yield the records of each setup."""
    board, catalogue = load_board(), load_tiles()
    numbers = range(options.first, options.first + options.setups)
    for balls in options.balls:
        manner = Manner(options.worlds)
        for setup in setups(board, catalogue, manner, seed=options.seed, balls=balls, numbers=numbers):
            played = _played(board, setup, options)
            said = f"{balls} balls, setup {setup.number}: {len(played.others)} worlds"
            print(said, file=sys.stderr, flush=True)
            yield list(_guessed(board, balls, played, options))


def _played(board: Board, setup: Setup, options: argparse.Namespace) -> Played:
    """Play worlds of a setup; none if gates are blocked in most of them."""
    manner, further = Manner(options.worlds), options.further
    others = worlds(board, setup, range(FEW), manner, further=further)
    if len(others) < FEW // 2:
        return Played(setup, [], [])
    if len({verdict_of(roll.facts, ground_of(setup, roll)) for roll in others}) > 1:
        others += worlds(board, setup, range(FEW, options.many), manner, further=further)
    if manner is not Manner.FOREIGN:
        return Played(setup, others[: options.rolls], others)
    return Played(setup, worlds(board, setup, range(options.rolls), Manner.KNOWN, further=further), others)


def _guessed(board: Board, balls: int, played: Played, options: argparse.Namespace) -> Iterator[Record]:
    """Guess at each roll through each set of sensors, and let the tracker follow through the first."""
    catalogue, setup = load_tiles(), played.setup
    for number, look in enumerate(looks(board, further=options.further)):
        for heard in guess(board, look, setup, played.true, played.others):
            record = Record(
                balls=balls,
                sensors=look.title,
                manner=options.worlds,
                setup=setup.number,
                oracle=guessed(heard.belief, heard.verdict, setup.number),
                doubt=doubt_of(heard),
                fewer=guessed(heard.fewer, heard.verdict, setup.number),
            )
            if not number:
                record = with_tracker(record, labelled(heard.trace, heard.roll, catalogue, setup.number))
            yield record


def again(options: argparse.Namespace) -> Iterator[list[Record]]:
    """Let the tracker follow kept rolls afresh; yield the records of each setup with the oracle's of old."""
    board, catalogue = load_board(), load_tiles()
    look = looks(board, further=False)[0]
    kept: dict[tuple[int, str, int], list[Record]] = {}
    for record in read(options.keep):
        kept.setdefault((record.balls, record.manner, record.setup), []).append(record)
    for (balls, manner, number), records in kept.items():
        (setup,) = setups(board, catalogue, Manner(manner), seed=options.seed, balls=balls, numbers=[number])
        rich = [record for record in records if record.tracker is not None]
        true = _true(board, setup, Manner(manner), len(rich))
        rolls = [
            labelled(trace_of(board, look, setup, roll, index), roll, catalogue, number)
            for index, roll in enumerate(true)
        ]
        followed = [with_tracker(record, roll) for record, roll in zip(rich, rolls, strict=True)]
        print(f"{balls} balls, setup {number}", file=sys.stderr, flush=True)
        yield followed + [record for record in records if record.tracker is None]


def _true(board: Board, setup: Setup, manner: Manner, many: int) -> list[TrueRoll]:
    """Return the rolls that were guessed at once: the first of the worlds that could be made."""
    real = Manner.KNOWN if manner is Manner.FOREIGN else manner
    found = worlds(board, setup, range(many), real, further=False)
    return found if len(found) == many else worlds(board, setup, range(FEW), real, further=False)[:many]


def sensors(options: argparse.Namespace) -> Iterator[list[Record]]:
    """Let the tracker follow the same rolls through other sensors; yield the records of each board."""
    board, catalogue = load_board(), load_tiles()
    for balls in options.balls:
        played = lift.boards(
            board, catalogue, seed=options.seed, balls=balls, rolls=options.rolls, stay=options.stay
        )
        for number, rolls in played:
            found = []
            for one in lift.LIFTS:
                ears = lift.Ears(board, one, seed=f"{options.seed} {balls} {number}")
                for roll in rolls:
                    record = Record(balls=balls, sensors=one.title, setup=number)
                    found.append(with_tracker(record, labelled(ears.hear(roll), roll, catalogue, number)))
            print(f"{balls} balls, board {number}", file=sys.stderr, flush=True)
            yield found


def main(arguments: list[str] | None = None) -> int:
    """Measure, keep and print; return the exit status."""
    options = _parser().parse_args(arguments)
    work, tables = {
        "oracle": (oracle, oracle_tables),
        "sensors": (sensors, sensor_tables),
        "again": (again, oracle_tables),
    }[options.what]
    anew = options.what == "again"
    found = read(options.keep) if options.keep and not anew else []
    for some in work(options):
        found += some
        if options.keep and not anew:
            append(options.keep, some)
    print(machine())
    print("\n".join(tables(found)))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="what", required=True)
    asks, hears = commands.add_parser("oracle"), commands.add_parser("sensors")
    anew = commands.add_parser("again")
    anew.add_argument("--keep", type=Path, required=True, metavar="FILE")
    for one in (asks, hears, anew):
        one.add_argument("--seed", type=int, default=77_001)
    for one in (asks, hears):
        one.add_argument("--balls", type=_numbers, default=[1, 2, 4], metavar="N,...")
        one.add_argument("--keep", type=Path, default=None, metavar="FILE", help="add rolls to those in FILE")
    asks.add_argument("--setups", type=int, default=12, metavar="N", help="boards (default 12)")
    asks.add_argument("--first", type=int, default=0, metavar="N", help="number of the first board")
    asks.add_argument(
        "--rolls", type=int, default=10, metavar="N", help="rolls guessed at a board (default 10)"
    )
    asks.add_argument("--many", type=int, default=400, metavar="N", help="worlds of a board (default 400)")
    asks.add_argument("--worlds", choices=[manner.value for manner in Manner], default="unsure",
                      help="of which worlds the oracle thinks that the board is one")  # fmt: skip
    asks.add_argument("--further", action="store_true", help="also through sensors that no board has")
    hears.add_argument("--rolls", type=int, default=80, metavar="N")
    hears.add_argument("--stay", type=int, default=4, metavar="N", help="rolls on one board (default 4)")
    return parser


def _numbers(text: str) -> list[int]:
    return [int(word) for word in text.split(",")]


if __name__ == "__main__":
    sys.exit(main())
