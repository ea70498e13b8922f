"""Leave only the sensors of a wiring file, for a machine that has no pins: `python sensors_only.py wiring.toml`."""

import re
import sys
from pathlib import Path


def main() -> None:
    """Rewrite the file that is named: no coils, lamps, power, buttons."""
    path = Path(sys.argv[1])
    text = path.read_text(encoding="utf-8")
    text = re.sub(
        r"(?ms)^(solenoid|lamp|branch) = \[.*?^\]\n|^\[(pixels|power|current|supply)\].*?(?=^\[|\Z)", "", text
    )
    path.write_text(re.sub(r"(?m)^.*button\..*\n", "", text), encoding="utf-8")


if __name__ == "__main__":
    main()
