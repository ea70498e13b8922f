"""Write the files that are made from code. Run by `make docs`; tests notice when it was not."""

import ast
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from hextraction.controller.app import main as hextraction
from hextraction.controller.games.hextraction.cards.tilebook import load_tiles
from hextraction.controller.games.hextraction.scenario.language import speaking
from hextraction.controller.games.hextraction.scenario.words import answers_table
from hextraction.controller.games.hextraction.talk.asking import questions_table
from hextraction.controller.workshop.bring_up.measurements import bring_up_page

from docs import config_page, extraction_page, hexel_page, hextris_page, house
from docs.actions_table import rules_table
from docs.builds import (
    acts_table,
    build_pages,
    builds_table,
    effort_table,
    light_table,
    orders_sentence,
    rails_table,
    sets_sentence,
    sets_table,
    test_points,
    unseen_table,
)
from docs.commands_page import commands_page
from docs.completions import completions
from docs.decisions_list import decisions_list
from docs.drawings import drawings
from docs.effects_page import effects_page, tile_keys
from docs.game_pages import sentences_table
from docs.own_word_page import word_page
from docs.payloads_page import payloads_page
from docs.phone_reference import reference
from docs.tile_checks import checks_section
from docs.tile_pictures import pictures
from docs.tiles_page import tiles_page

ROOT = Path(__file__).parents[1]
SCENARIOS = ROOT / "tests" / "scenarios"


_MADE: Final = re.compile(r"(<!-- made by `make docs` from here -->\n).*?(<!-- to here -->)", re.DOTALL)


def filled(page: Path, *parts: str) -> str:
    """Return a page with its generated parts made anew, in their order."""
    left = iter(parts)
    return _MADE.sub(lambda found: f"{found[1]}\n{next(left)}\n{found[2]}", page.read_text(encoding="utf-8"))


def modules_table(room: Path) -> str:
    """Return the modules of a room by chapters in Markdown, each with the first sentence of its docstring."""
    rows = ["| Module | What it holds |\n", "|---|---|\n"]
    rows += [f"| `{path.stem}` | {_told(path)} |\n" for path in _modules(room)]
    for chapter in sorted(path for path in room.iterdir() if (path / "__init__.py").exists()):
        rows.append(f"| **`{chapter.name}/`** | **{_told(chapter / '__init__.py')}** |\n")
        rows += [f"| `{path.stem}` | {_told(path)} |\n" for path in _modules(chapter)]
    return "".join(rows)


def _modules(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.glob("*.py")) if path.name != "__init__.py"]


def _told(path: Path) -> str:
    return _first_sentence(ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "")


def _first_sentence(told: str) -> str:
    return " ".join(told.split("\n\n", maxsplit=1)[0].split()).replace("``", "`")


def scenarios_page() -> str:
    """Return the page about scenarios, with all sentences and all answers to questions."""
    tables = map(sentences_table, speaking().sentences.values())
    return filled(ROOT / "docs" / "scenarios.md", *tables, answers_table())


def rules_page() -> str:
    """Return the page about the rules engine."""
    room = ROOT / "controller" / "games" / "hextraction"
    return filled(ROOT / "docs" / "rules.md", modules_table(room), rules_table(), questions_table())


def texts() -> Mapping[Path, str]:
    """Return what the generated files must say."""
    return {
        ROOT / "docs" / "tiles.md": tiles_page(load_tiles()) + checks_section(load_tiles(), SCENARIOS),
        ROOT / "docs" / "effects.md": effects_page(),
        ROOT / "docs" / "your-own-word.md": word_page(),
        ROOT / "docs" / "your-own-tile.md": filled(ROOT / "docs" / "your-own-tile.md", tile_keys()),
        ROOT / "docs" / "commands.md": commands_page(),
        **completions(),
        ROOT / "docs" / "decisions.md": filled(ROOT / "docs" / "decisions.md", decisions_list()),
        ROOT / "docs" / "config.md": filled(ROOT / "docs" / "config.md", *config_page.parts()),
        ROOT / "docs" / "rules.md": rules_page(),
        ROOT / "docs" / "scenarios.md": scenarios_page(),
        ROOT / "docs" / "extraction.md": filled(ROOT / "docs" / "extraction.md", *extraction_page.parts()),
        ROOT / "docs" / "hexel.md": filled(ROOT / "docs" / "hexel.md", *hexel_page.parts()),
        ROOT / "docs" / "hextris.md": filled(ROOT / "docs" / "hextris.md", *hextris_page.parts()),
        ROOT / "controller" / "page" / "games" / "hextraction" / "reference.json": reference(),
        ROOT / "docs" / "bring-up.md": bring_up_page(),
        ROOT / "docs" / "build.md": filled(ROOT / "docs" / "build.md", builds_table(), sets_table()),
        ROOT / "docs" / "building.md": filled(ROOT / "docs" / "building.md", sets_sentence()),
        ROOT / "docs" / "kit.md": filled(
            ROOT / "docs" / "kit.md",
            effort_table(),
            acts_table("kit-lean"),
            orders_sentence("kit-lean"),
            unseen_table(),
            light_table(),
            rails_table("kit-lean"),
            test_points("kit-lean"),
        ),
        **build_pages(),
        house.PICTURE: house.picture(),
        house.RULEBOOK: house.rulebook_picture(),
        house.PAGE: house.page_picture(),
        **drawings(),
        **pictures(load_tiles()),
    }


def main() -> None:
    """Write them all."""
    for path, text in texts().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    schema = (
        sys.executable,
        "-m",
        "hextraction.controller.payloads.schema",
        "--write",
        str(ROOT / "docs" / "mqtt"),
    )
    subprocess.run(schema, check=True)  # noqa: S603 - our own module
    (ROOT / "docs" / "payloads.md").write_text(payloads_page(), encoding="utf-8")
    hextraction(["wiring", *(str(path) for path in sorted((ROOT / "wiring").glob("*.toml")))])


if __name__ == "__main__":
    main()
