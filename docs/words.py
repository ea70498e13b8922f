"""The catalogue of words: every text that a phone may show, and what it is called in another language.

The program and the page speak English. This reads both for their texts, keeps the translations of each
language in gettext files beside the page's modules, and writes from them what a phone loads. Run by
``make words``; tests notice a text that is new and has no translation. ``docs/languages.md`` is about it.
"""

import ast
import gettext
import io
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from babel.core import Locale
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po, write_po
from hextraction.board.grid import EDGE_NAMES
from hextraction.board.profile import board_names, load_board
from hextraction.controller.games.extraction.land.goods import RESOURCES
from hextraction.controller.games.hexel.position import CALLS

__all__ = [
    "DOMAINS",
    "LANGUAGES",
    "OR",
    "Domain",
    "Text",
    "catalogue",
    "compiled",
    "gaps",
    "kinds_of_number",
    "page_texts",
    "python_texts",
    "texts_of",
    "write",
]

ROOT: Final = Path(__file__).parents[1]
CONTROLLER: Final = ROOT / "controller"
PAGE: Final = CONTROLLER / "page"
LANGUAGES: Final = ("de",)
_LISTER: Final = ROOT / "tests" / "page" / "words.mjs"
_CHANGES: Final = re.compile(rb'#, fuzzy\n|"(?:POT-|PO-|Last-T|Language-Team|Report|Generated)')
_CODE: Final = re.compile(r"\w\s*\|\s*None|--\w")
_WORD: Final = re.compile(r"[^\W\d_]{2}")
_SPOKEN: Final = re.compile(r"[a-zé]|[A-Z]{3}")
_NAME: Final = re.compile(r"\w[./:+_]\w")
_PART: Final = re.compile(r"\{\w+\}")
OR: Final = "\0"
"""Stands between singular and plural of a text in which ``{n}`` is counted, as in gettext's own files."""
_COUNTED_UP_TO: Final = 1000
_FOR_MAKERS: Final = re.compile(r"(?:Error|Exception|Unmet|Warning)$")
_NO_TEXT_IN: Final = re.compile(
    r"(?:error|warning|debug|exception|info|match|sub|compile|cast|TypeVar|getattr|Deed|Acting|Key|Meaning)$"
)
_FOR_AUTHORS: Final = frozenset({"case", "sentences", "tilebook", "tilefile", "vocabulary", "written"})
"""Modules that speak to those who write scenarios, tiles and positions."""
_SHOWN: Final = frozenset({"label", "one", "note", "title", "summary"})
_COLOURS: Final = ("Red", "Blue", "Green", "Yellow", "Violet", "White")


class Text(NamedTuple):
    """A text and the file where it stands; ``{name}`` in it is a part that is put in.

    Where something is counted, the text is singular, :data:`OR` and plural; the number is ``{n}`` in both.
    """

    text: str
    place: str


class Domain(NamedTuple):
    """What is translated in one file for each language.

    Args:
        folder: where those files lie, below the page.
        rooms: the Python that people read something of: folders and modules below the controller.
        pages: what the names of the page's own files begin with; empty for those of no game.
        data: a JSON file below the page, ``#`` and what in it is read: the texts under the keys ``keys``.
        also: single words, and texts that are made of data.
    """

    folder: str
    rooms: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()
    data: str = ""
    keys: tuple[str, ...] = ()
    also: tuple[str, ...] = ()

    def file(self, language: str, suffix: str) -> Path:
        """Return the file of a language: ``po`` as it is edited, ``json`` as a phone loads it."""
        return PAGE / self.folder / f"{language}.{suffix}"


def _boards() -> Iterator[str]:
    """Yield what boards and their end zones are called."""
    for name in board_names():
        board = load_board(name)
        yield board.title
        yield from (zone.title for zone in board.zones)


# Texts that no module writes as one: words that become parts of sentences, and sentences of two pieces.
_TABLE: Final = """
and
or
open
closed
free
plays
here
away
out
won
leaving
bot
you
simulated
auto
light
dark
tile
ball
hole
ramp
edge
gate
kicker
waits for a release
slot {place}
The board is being checked.
Games come afterwards.
That is no answer at this step.
{name}'s
{name} and {name_}
"""
_HEXTRACTION: Final = """
keep
destroy
enable
disable
enabled
disabled
again
nobody
nobody's
lies
lie
has
have
balls
extra turns
lost turns
roll
tile
tiles
Unknown tile
one ball
two balls
three balls
one tile
two tiles
three tiles
one extra turn
two extra turns
three extra turns
one lost turn
two lost turns
three lost turns
the {title}
{what} again
Open the gate of ramp
Open the gate of ramp {ramp}{it}
Roll on ramp
Roll on ramp {ramp}{it}
{what} for {whom}
{text}, then {text_}
{title}: {text}
{name} is out of the game.
{name} has lost.
{title} is turned back at {slots}.
{name} rolls from the launcher.
{title} at {slot} is off: {what}.
{title} at {slot} is on: {what}.
{title} at {slot} {count} times
roll one ball
roll two balls
roll three balls
roll {count} balls
{whose} {lie} in the {title} now, and {have} set nothing off.
{balls} {lie} in the {title} again.
{balls} {lie} at {slot} again.
{balls} {lie} on ramp {ramp} again.
It touched {slot}
It fell through {slot}
Vote: Does {title} stay?
Vote: Enable {title}?
"""
_HEXTRIS: Final = """
small
medium
large
lifted from {listed} and one put on {listed_}
"""
_EXTRACTION: Final = """
nothing
nobody
laid
give
want
desert
settlement
city
everybody
build
play a card
trade
attack
turn it over
turned over on {join} and one laid on {join_}
Take {cards}, for {place}
{tokens} of {start} tokens
{named} wins with {best} points.
{named} win with {best} points.
"""
_HEXEL: Final = """
red
blue
yellow
at most {number} edges
pays {owes}
lifted from {listed} and one put on {listed_}
"""


def _game(kind: str, also: str, more: Iterable[str] = (), data: str = "") -> Domain:
    return Domain(
        folder=f"games/{kind}/words",
        rooms=(f"games/{kind}",),
        pages=(f"games/{kind}.js", f"games/{kind}/"),
        data=data,
        keys=("summary", "text", "when"),
        also=(*also.split("\n")[1:-1], *more),
    )


DOMAINS: Final = (
    Domain(
        folder="words",
        rooms=(
            "games/scene.py",
            "games/strategy.py",
            "games/hexagon",
            "phones/badges.py",
            "phones/gate.py",
            "phones/admission.py",
            "play/runtime.py",
            "table",
            "workshop/bring_up/walk.py",
        ),
        pages=("",),
        also=(*_COLOURS, *_boards(), *EDGE_NAMES.values(), *_TABLE.split("\n")[1:-1]),
    ),
    # What tiles do is told in the game; clauses only when somebody looks them up.
    _game("hextraction", _HEXTRACTION, data="games/hextraction/reference.json#tiles"),
    Domain(
        folder="games/hextraction/reference",
        data="games/hextraction/reference.json#clauses",
        keys=("title", "gist", "setting"),
    ),
    _game("hextris", _HEXTRIS),
    _game("extraction", _EXTRACTION, RESOURCES),
    _game("hexel", _HEXEL, CALLS),
    # Made into HTML by the program itself: the table is not there yet.
    Domain(folder="first", rooms=("workshop/first_page/choices.py", "workshop/first_page/words.py")),
)
"""All domains; a file of the page belongs to the last one that it fits."""


# --- What Python says ---


def python_texts(path: Path) -> Iterator[str]:
    """Yield the texts of a module that people may read: no docstrings, logs or errors for programmers."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    above = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            found = _templates(node)
        elif isinstance(node, ast.Call):
            found = _counter(node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found = [] if _is_code(node, above) else [node.value]
        else:
            continue
        if not _for_makers(node, above):
            yield from (text for text in found if _is_text(text) or _is_shown(text, node, above))


def _is_text(text: str) -> bool:
    """Whether people read this: it has a word that is no name of the program's own."""
    text = text.partition(OR)[0]
    bare = _PART.sub(" ", text).strip()
    if _CODE.search(text) or text.startswith("|"):  # the head of a table in the documents
        return False
    if " " in text.strip():
        words = [word for word in bare.split() if _WORD.search(word)]
        return any(_SPOKEN.search(word) for word in words) and not all(_NAME.search(word) for word in words)
    return re.match(r"[A-Z“][a-zé\u2019]+[^A-Z]*$|[A-Z]{3,}$", bare) is not None


def _is_shown(text: str, node: ast.AST, above: dict[ast.AST, ast.AST]) -> bool:
    """Whether a single small word is put where people read it."""
    while isinstance(above[node], ast.IfExp):
        node = above[node]
    place = above[node]
    return (
        isinstance(place, ast.keyword) and place.arg in _SHOWN and re.fullmatch("[a-z]{3,}", text) is not None
    )


def _is_code(node: ast.Constant, above: dict[ast.AST, ast.AST]) -> bool:
    parent = above[node]
    if isinstance(parent, ast.Expr | ast.Subscript | ast.Compare | ast.JoinedStr | ast.MatchValue):
        return True
    if isinstance(parent, ast.FormattedValue | ast.arg | ast.FunctionDef | ast.AnnAssign):
        return not (isinstance(parent, ast.AnnAssign) and parent.value is node)
    while parent in above and isinstance(parent, ast.List | ast.Tuple | ast.BinOp):
        parent = above[parent]
    named = parent.targets if isinstance(parent, ast.Assign) else []
    return any(isinstance(name, ast.Name) and name.id == "__all__" for name in named)


def _for_makers(node: ast.AST, above: dict[ast.AST, ast.AST]) -> bool:
    """Whether a text is for those who make a board: an error of the program, a log line, a pattern."""
    while node in above and not isinstance(node, ast.stmt):
        node = above[node]
        if isinstance(node, ast.Call) and _NO_TEXT_IN.search(_called(node)):
            return True
    if isinstance(node, ast.Raise) and node.exc is not None:
        return _FOR_MAKERS.search(_called(node.exc)) is not None
    while node in above and not isinstance(node, ast.FunctionDef):
        node = above[node]
    return isinstance(node, ast.FunctionDef) and node.name == "__str__"  # notation, as commands print it


def _called(node: ast.AST) -> str:
    """Return the name of what is put into a text, or is called."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Call(func=inner) | ast.Subscript(value=inner):
            return _called(inner)
    return "it"


def _fixed(node: ast.AST) -> list[str]:
    """Return the texts that an expression chooses from; none if it is not such a choice."""
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.IfExp(body=yes, orelse=no):
            both = _fixed(yes), _fixed(no)
            return [*both[0], *both[1]] if all(both) else []
    return []


def _templates(node: ast.JoinedStr) -> list[str]:
    """Return the texts of an f-string: one for each of the choices between fixed texts in it.

    A choice by a number that is put in itself gives singular and plural of one text.
    """
    parts = [part.value if isinstance(part, ast.FormattedValue) else part for part in node.values]
    written = {ast.dump(part) for part in parts}
    counted = next((one for one in map(_what_counts, parts) if one in written), None)
    found: list[tuple[str, tuple[str, ...]]] = [("", ())]
    for part in parts:
        choice = _fixed(part)
        if choice:
            found = [(text + one, names) for text, names in found for one in choice]
            continue
        name = "n" if ast.dump(part) == counted else _called(part)
        found = [_with_part(text, names, name) for text, names in found]
    texts = [text for text, _names in found]
    return [OR.join(texts)] if counted is not None and len(texts) == len(("one", "many")) else texts


def _what_counts(node: ast.AST) -> str | None:
    """Return what a choice between two texts counts: ``laid`` of ``'' if laid == 1 else 's'``."""
    match node:
        case ast.IfExp(test=ast.Compare(left=left, ops=[ast.Eq()], comparators=[ast.Constant(value=1)])):
            return ast.dump(left)
    return None


def _counter(call: ast.Call) -> list[str]:
    """Return what a counter with a word for one thing is read as: its label is the plural."""
    said = {one.arg: one.value.value for one in call.keywords if isinstance(one.value, ast.Constant)}
    both = said.get("one"), said.get("label")
    words = [word for word in both if isinstance(word, str) and word]
    return [OR.join(f"{{n}} {word}" for word in words)] if len(words) == len(both) else []


def _with_part(text: str, names: tuple[str, ...], name: str) -> tuple[str, tuple[str, ...]]:
    name = name.lower().strip("_") or "it"
    while name in names:
        name += "_"
    return f"{text}{{{name}}}", (*names, name)


# --- What the page says ---


def page_texts() -> list[Text]:
    """Return the texts of the page's own modules and HTML.

    Raises:
        subprocess.CalledProcessError: Node or TypeScript are missing (``make words`` brings them).
    """
    node = shutil.which("node") or "node"
    told = subprocess.run([node, str(_LISTER)], check=True, capture_output=True, text=True)  # noqa: S603 - our own list
    found = [Text(text, f"controller/page/{name}") for name, text in json.loads(told.stdout)]
    return [one for one in found if _is_text(one.text) or re.fullmatch("[a-zé]+", one.text.strip())]


def _of_data(domain: Domain) -> Iterator[Text]:
    if not domain.data:
        return
    file, _hash, part = domain.data.partition("#")
    path = PAGE / file

    def walk(node: object) -> Iterator[str]:
        if isinstance(node, dict):
            for key, value in node.items():
                if key in domain.keys and isinstance(value, str):
                    yield value
                else:
                    yield from walk(value)
        elif isinstance(node, list):
            for one in node:
                yield from walk(one)

    for text in walk(json.loads(path.read_text(encoding="utf-8"))[part]):
        yield Text(text, str(path.relative_to(ROOT)))


# --- Catalogues ---


def texts_of(domain: Domain, shown: Iterable[Text]) -> dict[str, Text]:
    """Return the texts of a domain by themselves, in the order in which they stand.

    Two texts that differ only in how their parts are called are one.

    Args:
        domain: what is translated in one file.
        shown: what :func:`page_texts` found, or nothing to leave the page out.
    """
    found = [Text(text, "docs/words.py") for text in domain.also]
    for room in domain.rooms:
        path = CONTROLLER / room
        for module in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            if "scenario" not in str(module) and module.stem not in _FOR_AUTHORS:
                place = str(module.relative_to(ROOT))
                found += [Text(text, place) for text in python_texts(module)]
    found += [one for one in shown if _owner(one.place) is domain]
    found += _of_data(domain)
    shapes: dict[str, Text] = {}
    for one in found:
        shapes.setdefault(_shape(one.text.strip()), one)
    counted = {form for shape in shapes if OR in shape for form in shape.split(OR)}
    return {one.text.strip(): one for shape, one in shapes.items() if shape not in counted}


def _shape(text: str) -> str:
    """Return a text without what its parts are called."""
    return _PART.sub("{}", text)


def _owner(place: str) -> Domain:
    """Return whose a file of the page is."""
    name = place.removeprefix("controller/page/")
    return [one for one in DOMAINS if any(name.startswith(start) for start in one.pages)][-1]


def catalogue(domain: Domain, language: str) -> Catalog:
    """Return the translations that are there; an empty catalogue if there is no file yet."""
    path = domain.file(language, "po")
    if not path.exists():
        return Catalog(locale=language)
    with path.open("rb") as file:
        return read_po(file, locale=language)


def gaps(domain: Domain, language: str, texts: Iterable[str]) -> list[str]:
    """Return the texts without a translation, and those in which it has lost or made up a part."""
    known = {_text(one): _forms(one) for one in catalogue(domain, language) if one.id}
    shapes = {_shape(text) for text, forms in known.items() if all(forms)}
    shapes |= {
        form for shape in shapes for form in shape.split(OR)
    }  # the page may say as one what a module says as two
    missing = [text for text in texts if _shape(text) not in shapes]
    odd = [
        text
        for text, forms in known.items()
        if any(not set(_PART.findall(said)) <= set(_PART.findall(text)) for said in forms)
    ]
    return missing + odd


def _text(message: Message) -> str:
    return OR.join(message.id) if isinstance(message.id, list | tuple) else str(message.id)


def _forms(message: Message) -> tuple[str, ...]:
    """Return what a text is called: once, or for each of the language's forms if something is counted."""
    return tuple(message.string) if isinstance(message.string, list | tuple) else (str(message.string),)


def compiled(domain: Domain, language: str) -> str:
    """Return what a phone loads: each text and what it is called in the language."""
    read = catalogue(domain, language)
    kinds = kinds_of_number(language, read.plural_expr)
    known: dict[str, object] = {"": {"language": language}}
    for one in read:
        forms = _forms(one)
        if one.id and all(forms):
            known[_text(one)] = (
                {kind: forms[at] for kind, at in kinds.items()} if one.pluralizable else forms[0]
            )
    return json.dumps(known, ensure_ascii=False, indent=0) + "\n"


def kinds_of_number(language: str, rule: str) -> dict[str, int]:
    """Return which form of a gettext file is said with each kind of number that Unicode knows of a language.

    A page asks ``Intl.PluralRules`` for the kind, so it reads no rule.

    Raises:
        ValueError: the file's ``Plural-Forms`` divides numbers otherwise than the language does.
    """
    kind_of, form_of = Locale.parse(language).plural_form, gettext.c2py(rule)
    found: dict[str, int] = {}
    for number in range(_COUNTED_UP_TO):
        if found.setdefault(kind_of(number), form_of(number)) != form_of(number):
            raise ValueError(f"{language}: {number} is {kind_of(number)!r}, but Plural-Forms says otherwise")
    return {"other": max(found.values()), **found}


def renewed(domain: Domain, language: str, texts: dict[str, Text]) -> Catalog:
    """Return a catalogue of just these texts, with the translations that are there already."""
    known = {_shape(_text(one)): one for one in catalogue(domain, language) if one.id}
    made = Catalog(
        locale=language,
        project="the powered hex board",
        version="1",
        header_comment="# Edit the translations here, then run `make words`.",
        msgid_bugs_address="",
        copyright_holder="",
    )
    for text, one in texts.items():
        old = known.get(_shape(text))
        said = _forms(old) if old is not None else ("",) * (made.num_plurals if OR in text else 1)
        if old is not None and _text(old) != text:  # parts are called otherwise now
            new_names = dict(zip(_PART.findall(_text(old)), _PART.findall(text), strict=True))
            said = tuple(
                _PART.sub(lambda part, names=new_names: names[part[0]], form)  # type: ignore[misc]
                for form in said
            )
        place = [(one.place, 0)]
        if OR in text:
            made.add(tuple(text.split(OR)), said, locations=place)
        else:
            made.add(text, said[0], locations=place)
    return made


def _written(made: Catalog) -> bytes:
    """Return a catalogue as a file, without the dates that would differ each time it is made."""
    file = io.BytesIO()
    write_po(file, made, width=110)
    kept = (line for line in file.getvalue().splitlines(keepends=True) if not _CHANGES.match(line))
    return b"".join(kept)


def write(languages: Iterable[str] = LANGUAGES) -> list[str]:
    """Bring the files of all domains up to date; return what has no translation yet."""
    shown = page_texts()
    left = []
    for language in languages:
        for domain in DOMAINS:
            texts = texts_of(domain, shown)
            made = renewed(domain, language, texts)
            path = domain.file(language, "po")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(_written(made))
            domain.file(language, "json").write_text(compiled(domain, language), encoding="utf-8")
            left += [f"{path.relative_to(ROOT)}: {text}" for text in gaps(domain, language, texts)]
    return left


if __name__ == "__main__":
    untranslated = write()
    print(*untranslated, sep="\n", file=sys.stderr)
    print(
        f"{len(untranslated)} texts have no translation."
        if untranslated
        else "Every text has its translation."
    )
