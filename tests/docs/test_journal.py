"""The page of the journal names everything that is in a journal."""

import typing

import msgspec
import pytest
from helpers.places import ROOT
from hextraction.controller.play.journal import Header, Recorded

PAGE = (ROOT / "docs" / "journal.md").read_text(encoding="utf-8")
ROWS = [line.split("|") for line in PAGE.splitlines() if line.startswith("|")]


@pytest.mark.parametrize("kind", typing.get_args(Recorded), ids=lambda kind: kind.__name__)
def test_every_entry_and_each_of_its_keys_is_explained(kind):
    """A row has its name, and beside it every key but the time."""
    info = msgspec.inspect.type_info(kind)
    row = next((row for row in ROWS if f"`{info.tag}`" in row[1]), None)

    assert row is not None, f"docs/journal.md has no row for {info.tag}"
    unnamed = {
        field.encode_name for field in info.fields if f"`{field.encode_name}`" not in "|".join(row[2:])
    }
    assert unnamed <= {"at_us"}


def test_every_key_of_the_header_is_explained():
    """One row each."""
    keys = {field.encode_name for field in msgspec.inspect.type_info(Header).fields}
    assert keys <= {row[1].strip(" `") for row in ROWS}
