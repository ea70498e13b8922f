"""Measures everything that docs/evaluation-method.md shows and writes it there: tables and pictures.

    python bench/tracking_report.py [--set FOLDER] [--scale X] [--peer-rolls N] [--mht-rolls N]

``--set`` is a folder that `hextraction dataset --recipe bench/tracking-set.toml` has made; without it the
smaller set of `hextraction evaluate` is judged. About a quarter of an hour on two cores without ``--set``.
"""

import argparse
import contextlib
import io
import re
import sys
from collections.abc import Callable
from pathlib import Path

from hextraction.controller.app import main as hextraction

from bench import tracking_plots
from bench.peers import compare as tracking
from bench.tables import machine

PAGE = Path(__file__).parent.parent / "docs" / "evaluation-method.md"
IMAGES = PAGE.parent / "images"
BLOCKS = (EVALUATED, PEERS) = ("evaluate", "peers")
PEER_WORLDS = "drawn-501,drawn-502,drawn-503,rails-501,rails-502,rails-503"


def said_by(work: Callable[[], int]) -> str:
    """Run something and return what it printed."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        work()
    return out.getvalue().strip("\n")


def put(name: str, command: str, text: str) -> None:
    """Write a block of the page afresh: what stands between its two marks."""
    page = PAGE.read_text(encoding="utf-8")
    block = f"<!-- {name} -->\n```\n$ {command}\n{text}\n```\n<!-- end of {name} -->"
    found, many = re.subn(
        rf"<!-- {name} -->.*?<!-- end of {name} -->", lambda _match: block, page, flags=re.DOTALL
    )
    if not many:
        raise SystemExit(f"{PAGE}: no block <!-- {name} -->")
    PAGE.write_text(found, encoding="utf-8")


def main(arguments: list[str] | None = None) -> int:
    """Measure and write; return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--set", type=Path, default=None, metavar="FOLDER")
    parser.add_argument("--scale", default="1", metavar="X")
    parser.add_argument("--peer-rolls", default="240", metavar="N")
    parser.add_argument("--mht-rolls", default="24", metavar="N")
    parser.add_argument("--plot-rolls", default="160", metavar="N")
    options = parser.parse_args(arguments)
    what = [str(options.set)] if options.set else ["--scale", options.scale]
    picture = str(IMAGES / "tracking-verdicts.svg")
    told = said_by(lambda: hextraction(["evaluate", *what, "--plot", picture]))
    shown = "bench/set" if options.set else f"--scale {options.scale}"
    put(
        EVALUATED,
        f"hextraction evaluate {shown} --plot docs/images/tracking-verdicts.svg",
        f"{machine()}\n{told}",
    )
    many = ["--worlds", PEER_WORLDS, "--rolls", options.peer_rolls, "--mht-rolls", options.mht_rolls]
    peers = said_by(lambda: tracking.main(many))
    put(PEERS, f"python -m bench.peers.compare {' '.join(many)}", peers)
    return tracking_plots.main(["--rolls", options.plot_rolls, "--folder", str(IMAGES)])


if __name__ == "__main__":
    sys.exit(main())
