"""Tries what failed beside others once more, alone: ``python tests/flakes.py [--strict] [pytest's words …]``.

What passes then is a FLAKE, and is named as one: it failed beside others, so a test, the test house or the
program depends on what else is there. Ends with pytest's status; with ``--strict`` a flake fails, too.
"""

import json
import subprocess
import sys
from pathlib import Path

LAST_FAILED = Path(".pytest_cache/v/cache/lastfailed")


def failed() -> list[str]:
    """Return the tests that failed when they were last run."""
    return sorted(json.loads(LAST_FAILED.read_text(encoding="utf-8"))) if LAST_FAILED.exists() else []


def main(words: list[str]) -> int:
    """Run them again and report; return the exit status."""
    strict = "--strict" in words
    before = failed()
    again = [
        *(word for word in words if word != "--strict"),
        "--last-failed",
        "--last-failed-no-failures",
        "none",
    ]
    print(f"\n{len(before)} failed beside others. Once more, alone:", flush=True)
    status = subprocess.run([sys.executable, "-m", "pytest", *again], check=False).returncode
    still = failed()
    flakes = [name for name in before if name not in still]
    print()
    for name in flakes:
        print(f"FLAKE   {name}: failed beside others, passed alone")
    for name in still:
        print(f"FAILED  {name}")
    if flakes and strict:
        print(f"{len(flakes)} flaky: that is a failure here (STRICT=1)")
    return status or (1 if flakes and strict else 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
