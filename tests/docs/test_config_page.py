"""The reference of the configuration tells every key that is read, and what holds without it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import pytest
from helpers.places import ROOT
from hextraction.board.profile import STANDARD, load_board
from hextraction.controller.config import TABLES, ControllerConfig, config_from
from hextraction.controller.games.registry import SHIPPED, open_game
from hextraction.settings import Document, Key, SettingsError, entries

from docs.config_page import GAMES, keys_table

PAGE = (ROOT / "docs" / "config.md").read_text("utf-8")


def test_every_table_that_is_read_is_on_the_page():
    """Those of the board and of each game that comes with it: no other is known to the reader."""
    tables = {*TABLES, *GAMES, "games"}
    headings = [line for line in PAGE.splitlines() if line.startswith("## `[")]

    with pytest.raises(SettingsError) as caught:
        config_from(Document.from_text("[nonsense]\n", "mine.toml"), Path())
    assert {heading.split("]")[0].removeprefix("## `[") for heading in headings} == tables
    assert {kind if kind != "hextraction" else "game" for kind in SHIPPED} == set(GAMES)
    for name in {*TABLES, "games", "game"}:
        assert name in str(caught.value)


@pytest.mark.parametrize(("name", "table"), [*TABLES.items(), *GAMES.items()], ids=str)
def test_every_key_has_a_sentence_and_a_name_of_its_own(name, table):
    """Each is told once, goes on from "It is", and ends without a full stop, which the page adds."""
    names = [entry.name for entry in entries(table)]

    assert len(set(names)) == len(names) > 0, name
    for entry in entries(table):
        assert f"| `{entry.name}` |" in PAGE
        assert entry.key.told.rstrip(".") == entry.key.told != ""


@pytest.mark.parametrize("kind", SHIPPED)
def test_what_the_page_says_of_defaults_is_what_a_game_has_without_a_table(kind):
    """House rules read from an empty table are those of a table that was never written."""
    game = open_game(kind, load_board("large-27" if kind == "extraction" else STANDARD))

    read = type(game).read_rules(Document.from_text("", "mine.toml").root, Path())
    assert read == type(game).on(game.board).house


def test_an_empty_configuration_is_the_default_one():
    """Reading nothing gives what the types say holds without it."""
    assert config_from(Document.from_text("", "mine.toml"), Path()) == ControllerConfig()


def test_a_row_tells_type_unit_range_default_and_sentence():
    """What the types do not say is not on the page, and what they say is."""

    @dataclass(frozen=True, slots=True, kw_only=True)
    class Oven:
        warm_s: Annotated[int, Key("how long it warms up (docs/mqtt.md)", low=1, high=2_000)] = 60
        door: Annotated[str, Key("what opens it", must=True)] = ""

    assert keys_table(Oven).splitlines()[2:] == [
        "| `warm_s` | a whole number of seconds, 1 to 2,000 | `60` | How long it warms up ([mqtt.md](mqtt.md)). |",
        "| `door` | text | has to be there | What opens it. |",
    ]
