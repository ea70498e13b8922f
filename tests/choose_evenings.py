"""Choose golden evenings: few that together run as much of the rules as many do.

    .venv/bin/python tests/choose_evenings.py --of 600 --take 40

Plays evenings by number and takes in turn the one that adds most new jumps from line to line; prints how much each
adds. The numbers go into ``CHOSEN`` of tests/games/hextraction/test_evenings.py, then ``pytest --update-golden``.
"""

import argparse
from pathlib import Path

from coverage import Coverage
from helpers.evenings import evening

TREE = Path(__file__).resolve().parent.parent
RULES = TREE / "controller" / "games" / "hextraction"


def jumps(number: int) -> set[tuple[str, tuple[int, int]]]:
    """Play an evening; return the jumps from line to line in the rules, each with its file."""
    watch = Coverage(branch=True, include=[f"{RULES}/*"], data_file=None, config_file=False)
    watch.start()
    try:
        evening(number)
    finally:
        watch.stop()
    data = watch.get_data()
    return {(file, jump) for file in data.measured_files() for jump in data.arcs(file) or ()}


def main() -> None:
    """Choose, and print what was chosen."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--of", type=int, default=600, help="how many evenings to play")
    parser.add_argument("--take", type=int, default=40, help="how many to take at the most")
    wanted = parser.parse_args()
    found = {number: jumps(number) for number in range(wanted.of)}
    left, taken = set().union(*found.values()), []
    total = len(left)
    while left and len(taken) < wanted.take:
        best = max(found, key=lambda number: len(found[number] & left))
        left -= found[best]
        taken.append(best)
        print(f"{best}: {total - len(left)} of {total} jumps")
    print(f"CHOSEN = {tuple(sorted(taken))}")


if __name__ == "__main__":
    main()
