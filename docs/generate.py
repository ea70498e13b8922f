"""Write the files that are made from code. Run by `make docs`; tests notice when it was not."""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from citations import clauses_page
from drawings import drawings
from hextraction.board.tilebook import load_tiles, tiles_page
from hextraction.controller.app import main as hextraction
from phone_reference import reference

ROOT = Path(__file__).parents[1]


def texts() -> Mapping[Path, str]:
    """Return what the generated files must say."""
    return {
        ROOT / "docs" / "tiles.md": tiles_page(load_tiles()),
        ROOT / "docs" / "rules-clauses.md": clauses_page(),
        ROOT / "controller" / "page" / "reference.json": reference(),
        **drawings(),
    }


def main() -> None:
    """Write them all."""
    for path, text in texts().items():
        path.write_text(text, encoding="utf-8")
    schema = (
        sys.executable,
        "-m",
        "hextraction.controller.phones.payloads.schema",
        "--write",
        str(ROOT / "docs" / "mqtt"),
    )
    subprocess.run(schema, check=True)  # noqa: S603 - our own module
    hextraction(["wiring", *(str(path) for path in sorted((ROOT / "wiring").glob("*.toml")))])


if __name__ == "__main__":
    main()
