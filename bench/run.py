"""Measures this product, with Mission Pinball Framework doing the same in the same run.

    make bench ARGS="[--quick] [--only edges,rules,startup,page,phones,weight,simulator,played,hub]"

``edges-ours`` and ``rules-ours`` measure without the peer. ``kills``, ``attacks``, ``fuzz`` and ``soak`` are
run only when named: what a table stands (docs/security.md). Nothing here passes or fails: it prints tables.
docs/bench.md says how each is measured, and how it last came out.
"""

import argparse
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from bench import (
    attacks,
    edges,
    fuzz,
    hub,
    kills,
    page,
    phones,
    played,
    rules,
    simulator,
    soak,
    startup,
    weight,
)
from bench.recorded import Game, record_games
from bench.tables import machine

CHOICES = ("edges", "rules", "startup", "page", "phones", "weight", "simulator", "played", "hub")

STANDS = ("kills", "attacks", "fuzz", "soak")
"""What a table stands; each takes long, so they are run when they are named."""


class Bench:
    """One run of the chosen benchmarks, in a folder that is gone afterwards."""

    def __init__(self, folder: Path, *, quick: bool, minutes: float = 60) -> None:
        self._folder = folder
        self._minutes = minutes
        self._quick = quick
        self._recordings = folder / "recordings"
        self._games: list[Game] = []

    def edges(self, *, with_mpf: bool = True) -> None:
        """Edge to light and gate."""
        edges.run(
            self._new("edges"), self._recordings, self._recorded(), passes=self._of(1, 9), with_mpf=with_mpf
        )

    def rules(self, *, with_mpf: bool = True) -> None:
        """Edge to fact to rules."""
        rules.run(
            self._new("rules"), self._recordings, self._recorded(), passes=self._of(1, 9), with_mpf=with_mpf
        )

    def startup(self) -> None:
        """Start-up and memory."""
        startup.run(self._new("startup"), runs=self._of(2, 11), with_mpf=True)

    def page(self) -> None:
        """Edge to page."""
        page.run(self._new("page"), self._recorded(), samples=self._of(8, 60))

    def phones(self) -> None:
        """Six phones that come at once, and eight that play."""
        phones.run(seconds=self._of(12, 120))

    def weight(self) -> None:
        """What a phone fetches until it shows the board."""
        weight.run(self._new("weight"), self._recorded())

    def simulator(self) -> None:
        """The simulated board beside bare pymunk."""
        simulator.run(seconds=self._of(5, 20))

    def played(self) -> None:
        """Whole games through the rules alone."""
        played.run(games=self._of(2, 24), passes=self._of(1, 5))

    def hub(self) -> None:
        """The way from the hub: edges, its clock, lamps."""
        hub.run(edges=self._of(5_000, 100_000), clock_edges=self._of(4, 60))

    def kills(self) -> None:
        """The program killed a thousand times."""
        kills.run(self._new("kills"), kills=self._of(10, 1000))

    def attacks(self) -> None:
        """One hostile client at its worst."""
        attacks.run(self._new("attacks"), seconds=self._of(1, 10))

    def fuzz(self) -> None:
        """Packets and heads that nobody means."""
        fuzz.run(self._new("fuzz"), packets=self._of(2_000, 200_000), heads=self._of(200, 10_000))

    def soak(self) -> None:
        """An hour of games with phones that come and go."""
        soak.run(self._new("soak"), minutes=self._minutes)

    def _of(self, quick: int, full: int) -> int:
        return quick if self._quick else full

    def _new(self, name: str) -> Path:
        folder = self._folder / name
        folder.mkdir()
        return folder

    def _recorded(self) -> list[Game]:
        if not self._games:
            self._recordings.mkdir()
            self._games = record_games(self._recordings, edges=self._of(50, 800))
            found = sum(game.edges for game in self._games)
            print(f"Recorded {len(self._games)} simulated game(s) with {found} sensor edges.", flush=True)
        return self._games


def main(arguments: list[str] | None = None) -> int:
    """Run what is asked for; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="make bench ARGS=…", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--only", default=",".join(CHOICES), metavar="NAMES", help="which, separated by commas"
    )
    parser.add_argument("--quick", action="store_true", help="few samples: to see that it runs")
    parser.add_argument("--minutes", type=float, default=60, help="how long the soak lasts (default 60)")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="hextraction-bench-") as folder:
        bench = Bench(Path(folder), quick=options.quick, minutes=options.minutes)
        known: dict[str, Callable[[], None]] = {
            **{name: getattr(bench, name) for name in (*CHOICES, *STANDS)},
            "edges-ours": partial(bench.edges, with_mpf=False),
            "rules-ours": partial(bench.rules, with_mpf=False),
        }
        wanted = [name.strip() for name in options.only.split(",")]
        wrong = [name for name in wanted if name not in known]
        if wrong:
            print(f"bench: no benchmark {', '.join(wrong)}; there are {', '.join(known)}", file=sys.stderr)
            return 2
        print(f"{machine()}. A busy machine moves times by half: quote ratios (the sides take turns).")
        for name in wanted:
            known[name]()
    return 0


if __name__ == "__main__":
    sys.exit(main())
