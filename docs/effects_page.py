"""The vocabulary of effects as a page: every word of a tile file, its meaning, its keys, and an example."""

import ast
import inspect
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from enum import Enum
from typing import NamedTuple

from hextraction.controller.games.hextraction.cards.tilebook import load_catalogue
from hextraction.controller.games.hextraction.cards.tiles import (
    Effect,
    Keyword,
    Tile,
    Trigger,
    When,
    Who,
    ban,
)
from hextraction.controller.games.hextraction.cards.vocabulary import VOCABULARY, Deed

from docs.citations import ROOT

__all__ = ["effects_page", "meanings", "tile_keys"]

_INTRODUCTION = """\
# The vocabulary of effects

Made by `make docs` from the code that reads and executes it. A tile file holds tiles ([tiles.md](tiles.md)
lists those that are shipped); what a card says is written in these words, and the rules carry it out. What
they cannot say is `attested`: people are told to do it. A phone takes the same words for a tile of somebody's
own, and `hextraction check FILE` reads a file and says everything that is wrong with it.

A whole tile:

```toml
[[tile]]
name = "my-bell"
title = "My Bell"
channels = [[1, 2, 3, 4, 5, 6]]
trigger = "whole"

[[tile.effect]]
when = "trigger"
deed = "chime"
text = "The chime rings once."
```
"""
_BEYOND = """
## What no word says

A card in these words cannot keep a count on a tile from one turn to the next (what lies somewhere is
counted, nothing else), wait for a clock, tell how fast a ball was, or change what another card says. For all
of it there is `attested`: people read the card, do it, and tell the phone what lies where. What it could do
with tiles, hands, turns and questions, and no word does yet, is [a word of your own](your-own-word.md).
"""
_SCENARIOS = ROOT / "tests" / "scenarios"
_BAN = ban(["L1", "L2"])
_KEYS = {
    "when": "when it happens; always",
    "deed": "what happens; always",
    "text": "what the card says, in words that players read; always",
    "amount": "how many, 1 to 20",
    "who": "whom it concerns",
    "ramps": "names of ramps",
    "tile": "the name of another kind of tile",
    "edge": "the arrow of the upright tile, 1 (uphill) to 6, clockwise",
    "turn": "by how many sixths it is turned afterwards",
    "eats": "names of the tiles that it may step onto",
    "forbidden": "it needs a ballot in which nobody says nay (0.4)",
    "offline": "it works only while the board has no power (3.Offline)",
    "overdrive": "it works only while every slot is full (3.Overdrive)",
    "mandatory": "activated: it has to be used before the turn ends (2.7.4.4)",
    "once_per_turn": "activated or triggered: once a turn",
    "from_hand": "activated: while the tile is in the hand",
    "discard_this": "activated: the tile itself is the cost (2.7.3)",
}


_TILE_KEYS = {
    "name": "small letters, digits and hyphens: what files and scenarios call it; always",
    "title": "what people call it; always",
    "channels": "groups of edges that are joined inside it, such as `[[1, 4], [2, 3]]`; `[]`: none; without "
    "the key nobody knows, and a ball may go anywhere",
    "lines": "centre lines of channels that do not run as usual: edges at the ends, points `[x, y]` in mm "
    "between",
    "hole": "`true`: a ball can fall through the middle",
    "holes": "holes elsewhere: `[x, y, radius]` in mm around the middle",
    "turns": "the sixths of a clockwise turn in which it may lie, 0 to 5; without it all",
    "notches": "instead of `turns`: the edges with a notch, one of which has to come onto the slot's key",
    "holds": "how many balls its pockets keep before later ones pass, 0 to 20",
    "alternates": "edges by which balls leave in turn",
    "scatters": "`true`: chance picks the edge by which a ball leaves",
    "covers": "of a tile larger than one slot: the edges at which its further slots lie",
    "captive": "balls that belong to it: they touch it, but never leave it, 0 to 20",
    "trigger": "what sets its card off: `whole`, every ball that comes onto it; `area`, a part of it, which "
    "people are asked about; without it nothing",
    "keywords": '[keywords](effects.md#keywords) of its card, such as `["unique"]`',
    "parts": "of a `combo`: the names of the tiles that it is laid as",
    "counterparts": "of a virtual `combo`: the names of its virtual counterparts",
    "effect": "what its card does: a table `[[tile.effect]]` for each, with [keys of its own](effects.md)",
    "summary": "one sentence on what it does, for lists and cards",
    "creator": "who designed it",
    "source": "the web address that it is from",
    "official": "`true`: it is one of the game's own",
}
"""The keys of a tile in the order of the page; a test compares them with what is read."""


def tile_keys() -> str:
    """Return a table of all keys of a tile file."""
    rows = "".join(f"| `{key}` | {told} |\n" for key, told in _TILE_KEYS.items())
    return f"| key of `[[tile]]` | says |\n|---|---|\n{rows}"


class Case(NamedTuple):
    """A case of the scenarios."""

    file: str
    title: str
    text: str


def meanings(words: type[Enum]) -> Mapping[str, str]:
    """Return what each word of a vocabulary means, as the code says it below the word."""
    (body,) = ast.parse(inspect.getsource(words)).body
    found, name = {}, ""
    for line in body.body if isinstance(body, ast.ClassDef) else ():
        if isinstance(line, ast.Assign) and isinstance(line.targets[0], ast.Name):
            name = line.targets[0].id
        elif isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant) and name:
            found[words[name].value] = " ".join(str(line.value.value).replace("``", "`").split())
    return found


def effects_page() -> str:
    """Return the page."""
    tables = (
        ("When", "`when`", When),
        ("Whom", "`who`", Who),
        ("What sets it off", "`trigger` of the tile", Trigger),
        ("Keywords", "`keywords` of the tile", Keyword),
    )
    parts = [_INTRODUCTION, "\n## The keys of an effect\n\n", _keys()]
    for title, key, words in tables:
        parts.append(f"\n## {title}\n\n| {key} | Means |\n|---|---|\n")
        parts += [f"| `{word}` | {meaning} |\n" for word, meaning in meanings(words).items()]
    parts.append("\n## What happens: the deeds\n")
    examples = _examples(list(_cases()))
    parts += [_deed(deed, *examples[deed]) for deed in VOCABULARY]
    parts.append(_BEYOND)
    return "".join(parts)


def _keys() -> str:
    rows = "".join(f"| `{one.name}` | {_KEYS[one.name]} |\n" for one in fields(Effect))
    return f"| Key | Means |\n|---|---|\n{rows}"


def _examples(cases: list[Case]) -> dict[Deed, tuple[Tile, Effect, Case]]:
    """Return a tile with each word that a case is about: a real one if there is any, else one for tests."""
    known = load_catalogue(_SCENARIOS / "tiles.toml").values()
    found: dict[Deed, tuple[Tile, Effect, Case]] = {}
    for tile in [*sorted(known, key=lambda tile: (not tile.creator, len(tile.effects), tile.name)), _BAN]:
        named = re.compile(rf"\b{re.escape(tile.name.removesuffix('-L1-L2'))}\b", re.IGNORECASE)
        about = [one for one in cases if tile.title in one.title] or cases
        case = next((one for one in about if named.search(one.text)), None)
        if case is not None:
            for effect in tile.effects:
                found.setdefault(effect.deed, (tile, effect, case))
    return found


def _cases() -> Iterator[Case]:
    """Yield each case of the scenarios; those about real cards first."""
    first = _SCENARIOS / "effects.scenario"
    for path in (first, *sorted(set(_SCENARIOS.glob("*.scenario")) - {first})):
        for case in path.read_text(encoding="utf-8").split("\nSCENARIO ")[1:]:
            title = case.partition("\n")[0]
            yield Case(path.name, title.partition(": ")[2] or title, case)


def _deed(deed: Deed, tile: Tile, effect: Effect, case: Case) -> str:
    """Return the section of a word."""
    keys = [*(f"`{key}` (always)" for key in deed.needs), *(f"`{key}`" for key in deed.keys)]
    when = f"Only as `{deed.only.value}`. " if deed.only is not None else ""
    return (
        f"\n### `{deed.word}`\n\n{deed.meaning}\n\n{when}Keys of its own: {', '.join(keys) or 'none'}.\n\n"
        f"As {tile.title} has it:\n\n```toml\n{_toml(effect)}```\n\n"
        f"Played in `tests/scenarios/{case.file}`: {case.title}.\n"
    )


def _toml(effect: Effect) -> str:
    lines = ["[[tile.effect]]"]
    for one in fields(effect):
        value = getattr(effect, one.name)
        if one.name in {"when", "deed", "text"} or value != one.default:
            plain = (
                value.word if isinstance(value, Deed) else value.value if isinstance(value, Enum) else value
            )
            lines.append(f"{one.name} = {json.dumps(plain, ensure_ascii=False)}")
    return "\n".join(lines) + "\n"
