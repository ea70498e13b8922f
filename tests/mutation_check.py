"""Mutation testing, by hand: does a test notice when a line of the rules or of the tracker is changed?

    .venv/bin/python tests/mutation_check.py --count 300 --seed 1 --jobs 2

Cosmic-ray finds every possible mutant of ``controller/games/hextraction`` and ``controller/tracking``; a seed
draws some of them. Each is tried in a clone of the committed tree, so that nobody's files change, and with the tests
that run the changed statement. Survivors are printed as diffs, for people to judge: a mutant that changes nothing anybody
could notice is no fault of a test.
"""

import argparse
import ast
import os
import random
import shlex
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from cosmic_ray.commands.init import _all_work_items
from cosmic_ray.mutating import mutate_and_test
from cosmic_ray.work_item import MutationSpec, TestOutcome, WorkResult
from coverage import CoverageData

TREE = Path(__file__).resolve().parent.parent
TESTS = {
    "controller/games/hextraction": (
        "tests/games/hextraction tests/bots/test_players.py tests/controller/test_clauses.py"
    ),
    "controller/tracking": "tests/tracking/test_golden.py tests/tracking",
}
TRY = [sys.executable, "-m", "pytest", "-q", "-x", "-m", "not slow or mutants", "-p", "no:cacheprovider"]
TRY += ["--hypothesis-profile", "mutants"]
PATIENCE_S = 240


def clone(folder: str) -> None:
    """Give this process a tree of its own, and work there."""
    tree = Path(folder) / str(os.getpid())
    subprocess.run(["git", "clone", "--quiet", TREE, tree], check=True)
    os.chdir(tree)
    os.environ["PYTHONPATH"] = str(tree / "tests" / "typing_root")
    # By their hash: a mutant may come in the same second as the file that it changes.
    compiling = [
        "-m",
        "compileall",
        "-q",
        "--invalidation-mode",
        "checked-hash",
        "board",
        "controller",
        "tests",
    ]
    subprocess.run([sys.executable, *compiling], check=True)


def mutants(rooms: Iterable[str]) -> Iterator[MutationSpec]:
    """Yield every mutant that there is in some rooms, in the same order each time."""
    for room in rooms:
        for item in _all_work_items(sorted(Path(room).rglob("*.py")), {}):
            yield from item.mutations


def tests_of(room: str) -> list[str]:
    """Return the test files of a room, those first that notice most."""
    return [str(path) for pattern in TESTS[room].split() for path in sorted(Path().glob(pattern))]


class Covering:
    """Which fast tests run which lines of a room; found by running them all once.

    Raises:
        SystemExit: a test fails without any mutant, so that every mutant would be "noticed".
    """

    def __init__(self, room: str) -> None:
        self.tests = tests_of(room)
        watched = [f"--cov={room}", "--cov-context=test", "--cov-report="]
        if subprocess.run([*TRY, *watched, *self.tests], check=False).returncode:
            raise SystemExit("The tests fail without any mutant: mend that first.")
        data = CoverageData(".coverage")
        data.read()
        self.lines = {
            str(Path(file).resolve().relative_to(Path.cwd())): data.contexts_by_lineno(file)
            for file in data.measured_files()
        }

    def of(self, mutant: MutationSpec) -> list[str]:
        """Return the tests that run what a mutant changes; all of the room, if importing it does."""
        lines = self.lines.get(str(mutant.module_path), {})
        found: dict[str, None] = {}
        for line in statement(mutant):
            found |= dict.fromkeys(name.rpartition("|")[0] for name in lines.get(line, []))
        if not found or "" in found:
            return self.tests
        return sorted(found, key=self._rank)

    def _rank(self, test: str) -> int:
        """Return how late the file of a test comes in the list of the room's tests."""
        file = Path(test.partition("::")[0])
        return next(n for n, one in enumerate(self.tests) if file == Path(one) or Path(one) in file.parents)


def statement(mutant: MutationSpec) -> range:
    """Return the lines of the statement that a mutant changes, without its body.

    A test may stop before the changed line of a long condition and run it only in the mutant.
    """
    first, last = mutant.start_pos[0], mutant.end_pos[0]
    tree = ast.parse(mutant.module_path.read_text(encoding="utf-8"))
    around = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.stmt) and node.lineno <= first and last <= (node.end_lineno or 0)
    ]
    inner = max(around, key=lambda node: node.lineno, default=None)
    if inner is None or isinstance(inner, ast.Match | ast.Try):
        return range(first, last + 1)
    body = getattr(inner, "body", [])
    end = body[0].lineno - 1 if body else inner.end_lineno or last
    return range(inner.lineno, max(end, last) + 1)


def trial(drawn: tuple[MutationSpec, list[str]]) -> tuple[MutationSpec, WorkResult]:
    """Make one mutant, run the tests that concern it up to the first failure, and put the tree back."""
    mutant, tests = drawn
    listed = Path("tests-to-run.txt")
    listed.write_text("\n".join(tests), encoding="utf-8")
    return mutant, mutate_and_test([mutant], shlex.join([*TRY, f"@{listed}"]), PATIENCE_S)


def main() -> int:
    """Read what is asked, and try in folders that are gone afterwards."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=300, help="mutants of each room")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--room", choices=TESTS, help="only its mutants (default: of both)")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        clone(folder)
        drawn: list[tuple[MutationSpec, list[str]]] = []
        for room in [asked.room] if asked.room else TESTS:
            possible = list(mutants([room]))
            chosen = random.Random(asked.seed).sample(possible, min(asked.count, len(possible)))
            covering = Covering(room)
            drawn += [(mutant, covering.of(mutant)) for mutant in chosen]
            print(f"{room}: {len(chosen)} of {len(possible)} mutants, seed {asked.seed}", flush=True)
        with ProcessPoolExecutor(asked.jobs, initializer=clone, initargs=(folder,)) as pool:
            print(f"\n{dict(sorted(judge(pool.map(trial, drawn)).items()))}")
    return 0


def judge(tried: Iterable[tuple[MutationSpec, WorkResult]]) -> Counter[str]:
    """Count outcomes by room, and show each survivor as it comes."""
    counts: Counter[str] = Counter()
    for number, (mutant, result) in enumerate(tried, 1):
        kind = result.test_outcome.value if result.test_outcome else result.worker_outcome.value
        counts[f"{mutant.module_path.parent.name}: {kind}"] += 1
        if result.test_outcome == TestOutcome.SURVIVED:
            print(
                f"\n#{number} {mutant.operator_name} in {mutant.definition_name}\n{result.diff}", flush=True
            )
    return counts


if __name__ == "__main__":
    sys.exit(main())
