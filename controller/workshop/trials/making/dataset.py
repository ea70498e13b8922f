"""``hextraction dataset``: make labelled rolls under chosen conditions; the same seed gives the same bytes.

One file holds all rolls of one condition (:mod:`.labelled`). Each board is played for a few rolls; boards are
independent of each other, so any number of processes makes the same file. A recipe (TOML) lists many
conditions and the SHA-256 of each file: the fixed set is stored as a recipe, not as files.
"""

import argparse
import hashlib
import sys
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from itertools import count, islice
from pathlib import Path
from typing import Final

from hextraction.board.instruments import SETS
from hextraction.board.profile import STANDARD, load_board
from hextraction.controller.games.hextraction.cards.tilebook import load_tiles
from hextraction.controller.workshop.documents import Dataset, Datasets
from hextraction.controller.workshop.terminal import progress, tell
from hextraction.controller.workshop.trials.labelled import labelled_lines
from hextraction.controller.workshop.trials.making.layouts import NOISES, THREE_HALLS, layout_sensors
from hextraction.controller.workshop.trials.making.rolls import rolls_on
from hextraction.controller.workshop.trials.making.sensing import Sensed
from hextraction.controller.workshop.trials.making.three_halls import ThreeHalls
from hextraction.settings import Document, Section
from hextraction.simulator.variant import VARIANTS, variant_named

__all__ = [
    "ROLLS_A_BOARD",
    "Condition",
    "labelled_rolls",
    "one_board",
    "read_recipe",
    "run",
    "workers",
    "write_condition",
]

ROLLS_A_BOARD: Final = 8
_BOARDS_AT_ONCE: Final = 4
_VARIANT: Final = r"standard|rough|lively|(drawn|rails)-[0-9]{1,6}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """The condition of one file: sensors, noise, balls rolled at once, number of rolls, tiles known or not.

    ``announced``: gates announce each release. ``stay``: how many rolls are played on one board. ``variant``:
    different physics and a different kind of noise (:mod:`hextraction.simulator.variant`).
    """

    name: str = ""
    layout: str = "rich"
    noise: str = "standard"
    balls: int = 1
    rolls: int = 100
    known: bool = True
    seed: int = 0
    tilt_deg: float | None = None
    board: str = STANDARD
    announced: bool = True
    stay: int = ROLLS_A_BOARD
    variant: str = "standard"

    @property
    def title(self) -> str:
        """Its name, or one made from its settings: releases are announced unless the name says otherwise."""
        words = [Path(self.layout).stem, self.noise, str(self.balls), "known" if self.known else "unknown"]
        if self.tilt_deg is not None:
            words.append(f"{self.tilt_deg:g}deg")
        if not self.announced:
            words.append("unannounced")
        if self.variant != "standard":
            words.append(self.variant)
        return self.name or "-".join(words)


def labelled_rolls(condition: Condition, *, jobs: int = 1) -> Iterator[list[str]]:
    """Yield the rolls of a condition, each as lines without line ends, in the same order for any ``jobs``."""
    with workers(jobs) as pool:
        yield from islice(_rolls(condition, pool), condition.rolls)


def workers(jobs: int) -> AbstractContextManager[Executor | None]:
    """Return a process pool to share the work, or nothing for a single job."""
    return nullcontext() if jobs == 1 else ProcessPoolExecutor(jobs)


def _rolls(condition: Condition, pool: Executor | None) -> Iterator[list[str]]:
    """Yield boards for ever: how many are needed is known only once there are enough rolls."""
    for first in count(0, _BOARDS_AT_ONCE):
        play = partial(one_board, condition)
        boards = range(first, first + _BOARDS_AT_ONCE)
        for board in map(play, boards) if pool is None else pool.map(play, boards):
            yield from board


def one_board(condition: Condition, number: int) -> list[list[str]]:
    """Play the board with this number and return its rolls, each as lines."""
    board, catalogue = load_board(condition.board), load_tiles()
    variant = variant_named(condition.variant)
    play = f"{condition.board} {condition.tilt_deg} {condition.balls} {condition.seed} {number}"
    if variant.name not in VARIANTS:  # drawn worlds have boards of their own, so that more are judged
        play = f"{play} {variant.name}"
    sensors = layout_sensors(condition.layout, board)
    hearing = f"{play} {condition.layout} {condition.noise}"
    level = NOISES[condition.noise]
    sensed = Sensed(board, sensors, replace(level, noise=variant.noise(level.noise)), seed=hearing)
    which = condition.layout if condition.layout in SETS else ""
    found = []
    halls = ThreeHalls(board) if condition.layout == THREE_HALLS else None
    rolls = rolls_on(
        board,
        catalogue,
        seed=play,
        balls=condition.balls,
        rolls=condition.stay,
        tilt_deg=condition.tilt_deg,
        variant=condition.variant,
        halls=halls,
    )
    for roll in rolls:
        trace = sensed.hear(roll, known=condition.known, which=which, announced=condition.announced)
        found.append(list(labelled_lines(trace, roll.facts, roll.tiles, number)))
    return found


def write_condition(condition: Condition, path: Path, *, jobs: int) -> str:
    """Write the file of a condition and return its SHA-256."""
    digest = hashlib.sha256()
    with path.open("wb") as out:
        rolls = labelled_rolls(condition, jobs=jobs)
        for roll in progress(rolls, f"rolls of {condition.title}", total=condition.rolls):
            written = "".join(f"{line}\n" for line in roll).encode()
            digest.update(written)
            out.write(written)
    return digest.hexdigest()


def run(options: argparse.Namespace) -> int:
    """Make a data set; return the exit status."""
    if options.recipe is not None:
        return _make_recipe(options)
    condition = Condition(
        layout=options.layout,
        noise=options.noise,
        balls=options.balls,
        rolls=options.rolls,
        known=options.tiles == "known",
        seed=options.seed,
        tilt_deg=options.tilt,
        variant=options.variant,
        board=options.board,
        announced=not options.unannounced,
    )
    digest = write_condition(condition, options.output, jobs=options.jobs)
    if options.json:
        tell(Datasets(files=(_facts(condition, options.output, digest),)))
    else:
        print(f"{options.output}: {condition.rolls} rolls ({condition.title}), sha256 {digest}")
    return 0


def _make_recipe(options: argparse.Namespace) -> int:
    """Make all files of a recipe in a folder, and compare their digests with those beside the recipe."""
    listed = options.recipe.with_suffix(".sha256")
    wanted = _digests(listed) if listed.is_file() else {}
    options.output.mkdir(parents=True, exist_ok=True)
    made = {}
    files: list[Dataset] = []
    for condition in read_recipe(options.recipe):
        name = f"{condition.title}.jsonl"
        made[name] = write_condition(condition, options.output / name, jobs=options.jobs)
        same = "as listed" if wanted.get(name) == made[name] else "NOT as listed" if wanted else "new"
        listed_as = wanted[name] == made[name] if name in wanted else None
        files.append(_facts(condition, options.output / name, made[name], as_listed=listed_as))
        if not options.json:
            print(f"{made[name]}  {name}  {condition.rolls} rolls, {same}", flush=True)
    if options.json:
        tell(Datasets(files=tuple(files)))
    if options.write:
        listed.write_text("".join(f"{digest}  {name}\n" for name, digest in made.items()), encoding="utf-8")
        return 0
    if not wanted:
        print(
            f"hextraction dataset: there is no {listed} to compare with; --write makes one.", file=sys.stderr
        )
        return 0
    return _compared(made, wanted, listed)


def _facts(condition: Condition, path: Path, digest: str, *, as_listed: bool | None = None) -> Dataset:
    return Dataset(
        path=str(path),
        condition=condition.title,
        rolls=condition.rolls,
        sha256=digest,
        as_listed=as_listed,
    )


def _compared(made: dict[str, str], wanted: dict[str, str], listed: Path) -> int:
    wrong = sorted(name for name in {*made, *wanted} if made.get(name) != wanted.get(name))
    if wrong:
        said = f"not the set that {listed} describes: {', '.join(wrong)}"
        print(f"hextraction dataset: {said} (another version of the physics? --write lists this one)",
              file=sys.stderr)  # fmt: skip
    return 1 if wrong else 0


def _digests(listed: Path) -> dict[str, str]:
    """Read a list as ``sha256sum`` writes it."""
    pairs = (line.split(maxsplit=1) for line in listed.read_text(encoding="utf-8").splitlines() if line)
    return {name: digest for digest, name in pairs}


def read_recipe(path: Path) -> tuple[Condition, ...]:
    """Read a recipe.

    Raises:
        SettingsError: with every mistake in it.
    """
    document = Document.from_path(path)
    found = tuple(_condition(table) for table in document.root.tables("cell"))
    if not found:
        document.root.complain("cell", "want at least one [[cell]]")
    document.finish()
    return found


def _condition(table: Section) -> Condition:
    return Condition(
        layout=table.text("layout", "rich", like="a layout or a wiring file", pattern=".+"),
        noise=table.choice("noise", tuple(NOISES), "standard"),
        balls=table.integer("balls", 1, 12, 1),
        rolls=table.integer("rolls", 1, 1_000_000, 1_000),
        known=table.boolean("known", default=True),
        announced=table.boolean("announced", default=True),
        seed=table.integer("seed", 0, 2**31, 0),
        tilt_deg=table.number("tilt_deg", 5, 45) if "tilt_deg" in table.keys else None,
        variant=table.text(
            "variant", "standard", like="standard, rough, lively, drawn-N or rails-N", pattern=_VARIANT
        ),
    )
