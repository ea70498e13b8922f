"""Write the parts of the documentation that are made from code. Run by `make docs`; tests notice when it was not."""

import subprocess
import sys
from pathlib import Path

from hextraction.board.tilebook import load_tiles, tiles_page

ROOT = Path(__file__).parents[1]


def main() -> None:
    """Write them all."""
    (ROOT / "docs" / "tiles.md").write_text(tiles_page(load_tiles()), encoding="utf-8")
    for command in (
        ("hextraction.controller.schema", "--write", str(ROOT / "docs" / "mqtt")),
        ("hextraction.hal.pins", str(ROOT / "wiring" / "README.md")),
    ):
        subprocess.run([sys.executable, "-m", *command], check=True)  # noqa: S603 - our own modules


if __name__ == "__main__":
    main()
