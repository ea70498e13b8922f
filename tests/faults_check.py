"""Faults at a real table for ten minutes: ``make faults ARGS="--seed 7 --minutes 10"``.

Prints what was tried, and how soon the table was playable again; ends with status 1 if a promise was broken. What
the program said lies in the folder that is named then.
"""

import argparse
import asyncio
import random
import sys
import tempfile
from pathlib import Path

from helpers.faults.storm import storm


def main():
    """Run what is asked for; return the exit status."""
    parser = argparse.ArgumentParser(prog="make faults ARGS=…", description=__doc__)
    parser.add_argument(
        "--seed", type=int, default=None, help="the same faults in the same order (default: by chance)"
    )
    parser.add_argument("--minutes", type=float, default=10.0, help="for how long (default 10)")
    options = parser.parse_args()
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(1_000_000)
    folder = Path(tempfile.mkdtemp(prefix="hextraction-faults-"))
    print(f"Faults by seed {seed} for {options.minutes:g} minutes, in {folder}", flush=True)
    report = asyncio.run(
        storm(folder, seed, options.minutes * 60, tell=lambda line: print(f"  {line}", flush=True))
    )
    print("\n".join(report.lines()))
    return 1 if report.broken else 0


if __name__ == "__main__":
    sys.exit(main())
