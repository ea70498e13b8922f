"""Command-line options of ``dataset``, ``evaluate`` and ``plot``, without importing these commands."""

import argparse
import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

from hextraction.controller.app.options.commands import Commands, add_json
from hextraction.controller.workshop.trials import ROLL_FILES

__all__ = ["add_commands"]


_Say = Callable[[argparse.ArgumentParser], None]
_Check = Callable[[argparse.Namespace], list[str]]
_NOISES = ("none", "light", "standard", "poor", "heavy")
_LAYOUTS = ("basic", "lean", "rich", "edges", "three-halls")
_VARIANTS = ("standard", "escapement", "rough", "lively")


def add_commands(
    commands: Commands,
) -> dict[str, argparse.ArgumentParser]:
    """Add the three commands; return their parsers by the module that runs each."""
    made = {
        "dataset": commands.add_parser(
            "dataset",
            help="make labelled rolls on the simulated board",
            description="Makes rolls on random simulated boards: sensor edges and what truly happened, as "
            "JSON Lines (docs/evaluation.md).",
        ),
        "evaluate": commands.add_parser(
            "evaluate",
            help="measure how right the tracker is",
            description="Lets the tracker follow labelled rolls and prints how often each verdict is right, "
            "how often it asks, and how long it takes (docs/evaluation.md).",
        ),
        "plot": commands.add_parser(
            "plot",
            help="draw the rolls of a trace",
            description="Draws each roll of a trace: the balls' ways over the tiles as the tracker "
            "understands them, touches, and what the sensors said (SVG).",
        ),
    }
    for name, (say, problems) in _TOLD.items():
        say(made[name])
        made[name].set_defaults(problems=problems)
    return {_RUNS[name]: parser for name, parser in made.items()}


def _dataset(parser: argparse.ArgumentParser) -> None:
    """Add the options of the dataset command."""
    parser.add_argument("output", type=Path, metavar="OUT", help="file to write; with --recipe a folder")
    parser.add_argument("--layout", default="rich", metavar="NAME",
                        help=f"sensors: {', '.join(_LAYOUTS)} or a wiring file (default rich)")  # fmt: skip
    parser.add_argument("--noise", choices=_NOISES, default="standard",
                        help="misses of 0, 1, 3, 5, 10 %%, and ghosts (default standard: 3 %%)")  # fmt: skip
    parser.add_argument(
        "--balls", type=int, default=1, metavar="N", help="balls let go in each roll (default 1)"
    )
    parser.add_argument("--rolls", type=int, default=100, metavar="N", help="rolls to make (default 100)")
    parser.add_argument("--tiles", choices=("known", "unknown"), default="known",
                        help="whether the traces name the tiles (default known)")  # fmt: skip
    parser.add_argument("--unannounced", action="store_true",
                        help="leave out the lines by which gates tell of each release")  # fmt: skip
    parser.add_argument("--board", default="standard-22", metavar="NAME", help="board profile")
    parser.add_argument("--tilt", type=float, default=None, metavar="DEG", help="tilt (default: the board's)")
    parser.add_argument("--variant", default="standard", metavar="NAME",
                        help=f"physics and manner of noise: {', '.join(_VARIANTS)}, drawn-N or rails-N, N a "
                             "number (default standard; docs/simulator.md)")  # fmt: skip
    parser.add_argument("--seed", type=int, default=0, help="the same seed gives the same bytes (default 0)")
    parser.add_argument("--recipe", type=Path, default=None, metavar="FILE",
                        help="make every cell of a recipe (TOML) and compare its digests")  # fmt: skip
    parser.add_argument("--write", action="store_true", help="list the digests beside the recipe afresh")
    add_json(parser)
    _jobs(parser)


def _dataset_problems(options: argparse.Namespace) -> list[str]:
    """Return everything that is wrong with the options."""
    from hextraction.board.profile import board_names  # noqa: PLC0415 - not for --help

    known = board_names()
    recipe = options.recipe
    world = options.variant.partition("-")
    drawn = world[0] in {"drawn", "rails"} and world[2].isdecimal() and len(world[2]) < 7
    checks = [
        (
            options.layout not in _LAYOUTS and not Path(options.layout).is_file(),
            f"--layout: want {', '.join(_LAYOUTS)} or a wiring file, found {options.layout}",
        ),
        (not 1 <= options.balls <= 12, f"--balls: want 1 to 12, found {options.balls}"),
        (not 1 <= options.rolls <= 1_000_000, f"--rolls: want 1 to 1000000, found {options.rolls}"),
        (
            not drawn and options.variant not in _VARIANTS,
            f"--variant: want {', '.join(_VARIANTS)}, drawn-N or rails-N, found {options.variant}",
        ),
        (options.board not in known, f"--board: want one of {', '.join(known)}, found {options.board}"),
        (
            options.tilt is not None and not 5 <= options.tilt <= 45,
            f"--tilt: want 5 to 45 degrees, found {options.tilt}",
        ),
        (options.write and recipe is None, "--write: only with --recipe"),
        (recipe is not None and not recipe.is_file(), f"--recipe: no file {recipe}"),
        *_jobs_problems(options),
    ]
    return [problem for wrong, problem in checks if wrong]


def _evaluate(parser: argparse.ArgumentParser) -> None:
    """Add the options of the evaluate command."""
    parser.add_argument("files", nargs="*", type=Path, metavar="DATASET",
                        help="files or folders of `hextraction dataset` (default: its own set)")  # fmt: skip
    parser.add_argument("--seed", type=int, default=0, help="seed of its own set (default 0)")
    told = parser.add_mutually_exclusive_group()
    told.add_argument("--announced", action="store_true",
                      help="its own set: only the conditions in which gates tell of each release "
                      "(default: these, and the first three also without)")  # fmt: skip
    told.add_argument("--unannounced", action="store_true",
                      help="the tracker hears nothing of gates, also where a file tells of them")  # fmt: skip
    parser.add_argument("--scale", type=float, default=1.0, metavar="X",
                        help="make its own set so many times as large (default 1)")  # fmt: skip
    parser.add_argument(
        "--plot", type=Path, default=None, metavar="FILE", help="draw the results (SVG or PNG)"
    )
    add_json(parser)
    _jobs(parser)


def _evaluate_problems(options: argparse.Namespace) -> list[str]:
    """Return everything that is wrong with the options."""
    lost = [f"DATASET: no file or folder {path}" for path in options.files if not path.exists()]
    empty = [
        f"DATASET: no {' or '.join(ROLL_FILES)} in {path}"
        for path in options.files
        if path.is_dir() and not any(any(path.glob(kind)) for kind in ROLL_FILES)
    ]
    checks = [
        (not 0.01 <= options.scale <= 100, f"--scale: want 0.01 to 100, found {options.scale:g}"),
        *_jobs_problems(options),
        *_picture_problems(options.plot, "--plot"),
    ]
    return lost + empty + [problem for wrong, problem in checks if wrong]


def _plot(parser: argparse.ArgumentParser) -> None:
    """Add the options of the plot command."""
    parser.add_argument("trace", type=Path, metavar="TRACE", help="a trace (docs/trace.md)")
    parser.add_argument("--output", type=Path, default=None, metavar="FILE",
                        help="SVG to write (default: beside the trace); more rolls: FILE-2 …")  # fmt: skip
    parser.add_argument("--roll", type=int, default=None, metavar="N", help="only the Nth roll")
    parser.add_argument(
        "--own-tiles", type=Path, default=None, metavar="FOLDER", help="tiles of your own (TOML)"
    )


def _plot_problems(options: argparse.Namespace) -> list[str]:
    """Return everything that is wrong with the options."""
    checks = [
        (not options.trace.is_file(), f"TRACE: no file {options.trace}"),
        (options.roll is not None and options.roll < 1, f"--roll: want 1 or more, found {options.roll}"),
    ]
    return [problem for wrong, problem in checks if wrong]


def _jobs(parser: argparse.ArgumentParser) -> None:
    most = min(2, os.cpu_count() or 1)
    parser.add_argument("--jobs", type=int, default=most, metavar="N",
                        help=f"processes that share the work (default {most})")  # fmt: skip


def _jobs_problems(options: argparse.Namespace) -> list[tuple[bool, str]]:
    return [(not 1 <= options.jobs <= 256, f"--jobs: want 1 to 256, found {options.jobs}")]


def _picture_problems(path: Path | None, name: str) -> list[tuple[bool, str]]:
    wrong = path is not None and path.suffix.lower() not in {".svg", ".png", ".pdf"}
    return [(wrong, f"{name}: want a name that ends in .svg, .png or .pdf, found {path}")]


_TOLD: Final[dict[str, tuple[_Say, _Check]]] = {
    "dataset": (_dataset, _dataset_problems),
    "evaluate": (_evaluate, _evaluate_problems),
    "plot": (_plot, _plot_problems),
}
_RUNS: Final = {"dataset": "making.dataset", "evaluate": "judging.evaluate", "plot": "pictures.plot"}
"""By command: the module of the trials that runs it."""
