"""Mutation testing, by hand: does a test notice when a line of the rules or of the tracker is changed?

    .venv/bin/python tests/mutation_check.py --count 300 --seed 1 --jobs 2

Cosmic-ray finds every possible mutant of ``controller/games/hextraction`` and ``controller/tracking``; a seed
draws some of them. Each is tried in a clone of the committed tree, so that nobody's files change. Survivors are
printed as diffs, for people to judge: a mutant that changes nothing anybody could notice is no fault of a test.
"""

import argparse
import os
import random
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

TREE = Path(__file__).resolve().parent.parent
TESTS = {
    "controller/games/hextraction": "tests/games/hextraction",
    "controller/tracking": "tests/tracking",
}
PATIENCE_S = 240


def clone(folder: str) -> None:
    """Give this process a tree of its own, and work there."""
    tree = Path(folder) / str(os.getpid())
    subprocess.run(["git", "clone", "--quiet", TREE, tree], check=True)
    os.chdir(tree)
    os.environ["PYTHONPATH"] = str(tree / "tests" / "typing_root")


def mutants(rooms: Iterable[str]) -> Iterator[MutationSpec]:
    """Yield every mutant that there is in some rooms, in the same order each time."""
    for room in rooms:
        for item in _all_work_items(sorted(Path(room).glob("*.py")), {}):
            yield from item.mutations


def command(room: str) -> str:
    """Return what tries a mutant of a room: the fast tests that concern it, up to the first failure."""
    tests = " ".join(str(path) for pattern in TESTS[room].split() for path in sorted(Path().glob(pattern)))
    return f"{sys.executable} -m pytest -q -x -m 'not slow' -p no:cacheprovider {tests}"


def trial(mutant: MutationSpec) -> tuple[MutationSpec, WorkResult]:
    """Make one mutant, run the tests, and put the tree back."""
    room = str(mutant.module_path.parent)
    return mutant, mutate_and_test([mutant], command(room), PATIENCE_S)


def unmutated_passes() -> bool:
    """Return whether the tests pass as they are: otherwise every mutant would be 'noticed'."""
    results = [subprocess.run(command(room), shell=True, check=False).returncode for room in TESTS]  # noqa: S602
    return not any(results)


def main() -> int:
    """Read what is asked, and try in folders that are gone afterwards."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--room", choices=TESTS, help="only its mutants (default: of both)")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        clone(folder)
        if not unmutated_passes():
            print("The tests fail without any mutant: mend that first.")
            return 1
        possible = list(mutants([asked.room] if asked.room else TESTS))
        drawn = random.Random(asked.seed).sample(possible, min(asked.count, len(possible)))
        print(f"{len(drawn)} of {len(possible)} mutants, seed {asked.seed}", flush=True)
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
