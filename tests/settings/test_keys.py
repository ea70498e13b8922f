"""A table as a type: what each field lets in, what holds without it, and what a mistake is answered with."""

import enum
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

import pytest
from hextraction.settings import Document, Key, entries, values_of


class Crust(enum.StrEnum):
    """How a crust may be."""

    THIN = "thin"
    THICK = "thick"


@dataclass(frozen=True, slots=True, kw_only=True)
class Oven:
    """A table with a key of each kind."""

    name: Annotated[str, Key("what it is called", pattern="[a-z]+", like="small letters", must=True)] = ""
    warm_s: Annotated[float, Key("how long it warms up", low=1, high=600)] = 60.0
    trays: Annotated[int, Key("how many trays it has", low=1, high=4)] = 2
    guests: Annotated[int | None, Key("how many are expected", high=20)] = None
    fan: Annotated[bool, Key("whether air goes round")] = False
    heat: Annotated[Literal["top", "both"], Key("where heat comes from")] = "both"
    crust: Annotated[Crust, Key("how the crust gets")] = Crust.THIN
    bread: Annotated[str, Key("which bread is baked", words=lambda: ("rye", "wheat"))] = "rye"
    tells: Annotated[tuple[str, ...], Key("what it tells", words=("hot", "done"))] = ("hot", "done")
    notes: Annotated[tuple[str, ...], Key("what to remember")] = ()
    log: Annotated[Path, Key("where it writes")] = field(default_factory=lambda: Path("oven.log"))
    recipe: Annotated[str, Key("a file to bake by", name="recipe_file", names="file")] = ""
    cellar: Annotated[Path | None, Key("a folder with flour", names="folder")] = None
    temper: float = 0.5


def read(text, folder=Path()):
    """Return what a text says of an oven, and the mistakes in it."""
    document = Document.from_text(text, "mine.toml")
    found = values_of(document.root, Oven, folder)
    document.check_leftovers()
    return found, [problem.message for problem in document.problems]


def test_what_is_not_written_is_as_the_type_says():
    """A field that no key belongs to is not read."""
    found, wrong = read('name = "hot"')

    assert wrong == []
    assert found == {
        "name": "hot", "warm_s": 60.0, "trays": 2, "guests": None, "fan": False, "heat": "both",
        "crust": Crust.THIN, "bread": "rye", "tells": ("hot", "done"), "notes": (), "log": Path("oven.log"),
        "recipe": None, "cellar": None,
    }  # fmt: skip


def test_what_is_written_is_read_into_its_field(tmp_path):
    """Files are looked for in the folder; the others have the type of their field."""
    (tmp_path / "rye.txt").touch()
    (tmp_path / "flour").mkdir()
    found, wrong = read(
        'name = "hot"\nwarm_s = 90\ntrays = 4\nguests = 0\nfan = true\nheat = "top"\ncrust = "thick"\n'
        'bread = "wheat"\ntells = ["done"]\nnotes = ["a", "b"]\nlog = "x.log"\nrecipe_file = "rye.txt"\n'
        'cellar = "flour"\n',
        tmp_path,
    )

    assert wrong == []
    assert found == {
        "name": "hot", "warm_s": 90.0, "trays": 4, "guests": 0, "fan": True, "heat": "top",
        "crust": Crust.THICK, "bread": "wheat", "tells": ("done",), "notes": ("a", "b"),
        "log": tmp_path / "x.log", "recipe": tmp_path / "rye.txt", "cellar": tmp_path / "flour",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("trays = 5", "trays: want a whole number 1..4, found 5; trays is how many trays it has"),
        ("warm_s = 0.5", "warm_s: want a number 1..600, found 0.5; warm_s is how long it warms up"),
        ("guests = 21", "guests: want a whole number 0..20, found 21; guests is how many are expected"),
        ('fan = "on"', "fan: want true or false, found 'on'; fan is whether air goes round"),
        ('heat = "bot"', "heat: want one of top, both, found 'bot'; did you mean 'both'?; heat is where heat comes from"),
        ('crust = "burnt"', "crust: want one of thin, thick, found 'burnt'; crust is how the crust gets"),
        ('bread = "cake"', "bread: want one of rye, wheat, found 'cake'; bread is which bread is baked"),
        ('tells = ["cold"]', "tells: want some of hot, done, found cold"),
        ('recipe_file = "no.txt"', "recipe_file: there is no file no.txt"),
        ("tray = 3", "tray: unknown key; did you mean 'trays'?"),
    ],
)  # fmt: skip
def test_a_mistake_says_what_is_wanted_and_what_the_key_is_for(line, answer):
    """And the field has its default."""
    found, wrong = read(f'name = "hot"\n{line}')

    assert wrong == [answer]
    assert found == read('name = "hot"')[0]


def test_a_key_that_has_to_be_there_is_missed():
    """Its name alone would not say what to write."""
    _found, wrong = read("fan = true")

    assert wrong == ["the key 'name' is missing; name is what it is called"]


def test_a_table_lists_its_keys_in_the_order_of_its_fields():
    """By the name that people write."""
    assert [entry.name for entry in entries(Oven)][-3:] == ["log", "recipe_file", "cellar"]
