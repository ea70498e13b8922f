"""The public library: what it lists, how each name is called, and that it stays so."""

import ast
import doctest
import importlib
import inspect
import re
import subprocess
import sys

import hextraction.api
import msgspec
import pytest
from helpers.places import ROOT, TESTS

MODULES = ("hextraction.api", "hextraction.api.facts", "hextraction.api.games", "hextraction.api.effects")
LISTED = TESTS / "api" / "public.txt"
MOST_NAMES = 40
ALSO = ("hextraction.testing.contract", "hextraction.testing.evenings")
"""What an example or a page may import besides: the tests for authors of games."""
EXAMPLES = sorted((ROOT / "examples").rglob("*.py")) + sorted((ROOT / "examples").rglob("*.ipynb"))
PAGES = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "examples").rglob("*.md")),
]


FACT = re.sub(r"([A-Za-z_]\w*\.)+", "", str(hextraction.api.Fact))


def signature(what):
    """Return how something is called: without what is private, and without the rooms that types live in."""
    if getattr(what, "_is_protocol", False):
        return ""
    try:
        whole = inspect.signature(what)
    except (TypeError, ValueError):
        return ""
    public = [one for name, one in whole.parameters.items() if not name.startswith("_")]
    told = str(whole.replace(parameters=public)).removesuffix(" -> None")
    told = re.sub(r"= <\S.*? at 0x[0-9a-f]+>", "= …", told)
    return re.sub(r"([A-Za-z_]\w*\.)+", "", told).replace(FACT, "Fact")


def members(kind):
    """Yield the public members of a class, each in a line; those that structs and enums get by themselves not."""
    for name in sorted(vars(kind)):
        what = inspect.getattr_static(kind, name)
        if name.startswith("_"):
            continue
        if isinstance(what, property) or type(what).__name__ == "cached_property":
            yield f"    {name}"
        elif isinstance(what, staticmethod | classmethod):
            yield f"    {name}{signature(getattr(kind, name))}"
        elif inspect.isfunction(what):
            yield f"    {name}{signature(what)}"


def lines():
    """Yield what the library lists: each name with its signature, a class with its members."""
    for module in MODULES:
        found = importlib.import_module(module)
        yield f"{module}"
        for name in sorted(found.__all__):
            what = getattr(found, name)
            is_class = inspect.isclass(what)
            shown = signature(what) if callable(what) and not hasattr(what, "__origin__") else ""
            yield f"  {name}{shown}"
            if is_class:
                yield from members(what)


def test_the_library_is_what_it_is_said_to_be(pytestconfig):
    """A name that goes, or is called otherwise, is a decision: `pytest tests/api --update-golden` writes it down."""
    told = "\n".join(lines()) + "\n"
    if pytestconfig.getoption("update_golden"):
        LISTED.write_text(told, "utf-8")
    assert told == LISTED.read_text("utf-8")


def test_the_library_is_small():
    """Fewer than forty names, in order, and each is there and says what it is."""
    names = hextraction.api.__all__
    assert len(names) < MOST_NAMES
    assert names == sorted(names)
    assert set(names) <= set(dir(hextraction.api))
    undocumented = [
        name
        for name in names
        if callable(what := getattr(hextraction.api, name)) and inspect.isroutine(what) and not what.__doc__
    ]
    assert undocumented == []


def test_a_name_that_is_not_there_is_told_in_words():
    """As any module would, with where to look."""
    with pytest.raises(AttributeError, match=r"^hextraction\.api has no 'Bord'"):
        _ = hextraction.api.Bord


def test_type_checkers_see_the_same_names_in_the_same_places():
    """The table of late imports and the imports for type checkers say the same."""
    tree = ast.parse((ROOT / "api" / "__init__.py").read_text("utf-8"))
    typed = next(node for node in tree.body if isinstance(node, ast.If))
    seen = {
        (one.module, name.name, name.asname or name.name)
        for one in typed.body
        if isinstance(one, ast.ImportFrom)
        for name in one.names
    }
    late = {(module, theirs, ours) for ours, (module, theirs) in hextraction.api._FOUND.items()}
    assert seen == late
    assert {ours for _module, _theirs, ours in late} == set(hextraction.api.__all__)


def test_to_import_the_library_loads_nothing():
    """No room of the program and no library: a script begins at once."""
    code = (
        "import sys; before = set(sys.modules); import hextraction.api; "
        "new = {name.partition('.')[0] for name in set(sys.modules) - before}; "
        "print(sorted(name for name in sys.modules if name.startswith('hextraction.')), "
        "sorted(new & {'msgspec', 'numpy', 'pymunk', 'paho', 'shapely'}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['hextraction.api'] []"


def public_docs():
    """Yield everything of the library that has examples: modules, functions, classes and their methods."""
    finder = doctest.DocTestFinder(recurse=False)
    for module in MODULES:
        found = importlib.import_module(module)
        yield from finder.find(found, module, globs={})
    for name in hextraction.api.__all__:
        what = getattr(hextraction.api, name)
        if inspect.isroutine(what) or inspect.isclass(what):
            yield from finder.find(what, name, module=False, globs={})


@pytest.mark.slow
@pytest.mark.parametrize(
    "example", [one for one in public_docs() if one.examples], ids=lambda example: example.name
)
def test_the_examples_of_the_library_are_true(example):
    """Each is played as it stands, with nothing but what it imports itself."""
    told = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    assert runner.run(example, out=told.append).failed == 0, "".join(told)


def test_the_examples_of_the_library_import_nothing_private():
    """What they import is public: whoever copies one has not copied a private name."""
    told = "\n".join(line.source for one in public_docs() for line in one.examples)
    assert imports(told) - {*MODULES, *ALSO} == set()


def test_every_function_of_the_library_has_an_example():
    """Whoever looks a function up sees how it is called."""
    named = {one.name for one in public_docs() if one.examples}
    functions = {
        name for name in hextraction.api.__all__ if inspect.isroutine(getattr(hextraction.api, name))
    }
    assert functions - named == set()


def test_every_name_of_the_library_stands_in_an_example():
    """Its own, or that of a name which it goes with."""
    played = [one for one in public_docs() if one.examples]
    code = "\n".join(line.source for one in played for line in one.examples)
    named = {one.name for one in played}
    assert [
        name for name in hextraction.api.__all__ if name not in named and not re.search(rf"\b{name}\b", code)
    ] == []


def imports(text):
    """Return the modules of the program that some Python, also in the midst of other text, imports from."""
    return set(re.findall(r"(?:from|import) (hextraction(?:\.\w+)*)", text))


@pytest.mark.parametrize("path", EXAMPLES + PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_examples_and_pages_import_nothing_private(path):
    """What others copy from imports the public library only."""
    assert imports(path.read_text("utf-8")) - {*MODULES, *ALSO} == set()


def test_a_struct_that_is_changed_changes_the_list():
    """The list would notice a new field of a struct: its signature has them all."""

    class One(msgspec.Struct):
        a: int

    class Two(msgspec.Struct):
        a: int
        b: int

    assert signature(One) != signature(Two)
