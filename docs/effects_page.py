"""The vocabulary of effects as a page: every word of a tile file, its meaning, its keys, and an example."""

import ast
import inspect
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from enum import Enum

from hextraction.controller.games.hextraction.cards import tiles as vocabulary
from hextraction.controller.games.hextraction.cards.tilefile import may_have, needs_of_deed, occasions_of
from hextraction.controller.games.hextraction.cards.tiles import (
    Catalogue,
    Deed,
    Effect,
    Keyword,
    Trigger,
    When,
    Who,
)

__all__ = ["effects_page", "meanings"]

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
_EXAMPLES = (
    Effect(when=When.TRIGGER, deed=Deed.EXTRA_PLAY, text="The roller plays one tile more this turn."),
    Effect(when=When.ONGOING, deed=Deed.BAN_RAMPS, text="Nobody may roll on L1 or L2.", ramps=("L1", "L2")),
    Effect(when=When.TRIGGER, deed=Deed.DISCARD_OTHER, text="The roller discards one other tile."),
    Effect(when=When.ON_DESTROY, deed=Deed.INSTEAD_TO_HAND, text="Instead it goes to who caused it."),
    Effect(when=When.ON_DESTROY, deed=Deed.INSTEAD_TO_POOL, text="Instead it goes to its pool."),
    Effect(when=When.ONGOING, deed=Deed.NO_DRAW, text="Nobody draws after a turn.", forbidden=True),
)
"""Effects with deeds that no shipped tile has."""


def meanings(words: type[Enum]) -> Mapping[str, str]:
    """Return what each word of a vocabulary means, as the code says it below the word."""
    (body,) = ast.parse(inspect.getsource(words)).body
    found, name = {}, ""
    for line in body.body if isinstance(body, ast.ClassDef) else ():
        if isinstance(line, ast.Assign) and isinstance(line.targets[0], ast.Name):
            name = line.targets[0].id
        elif isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant) and name:
            found[words[name].value] = _as_written(" ".join(str(line.value.value).split()))
    return found


def _as_written(meaning: str) -> str:
    """Return a meaning with the words of the vocabulary as a tile file has them."""
    names = {deed.name: f"`{deed.value}`" for deed in Deed}
    plain = meaning.replace("``", "`")
    return re.sub(r"\b[A-Z][A-Z_]{2,}\b", lambda found: names.get(found[0], found[0]), plain)


def effects_page(catalogue: Catalogue) -> str:
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
    parts += list(_deeds(catalogue))
    return "".join(parts)


def _keys() -> str:
    rows = "".join(f"| `{one.name}` | {_KEYS[one.name]} |\n" for one in fields(vocabulary.Effect))
    return f"| Key | Means |\n|---|---|\n{rows}"


def _deeds(catalogue: Catalogue) -> Iterator[str]:
    examples = {effect.deed: (tile.title, effect) for tile in catalogue.values() for effect in tile.effects}
    for deed, meaning in zip(Deed, meanings(Deed).values(), strict=True):
        yield f"\n### `{deed.value}`\n\n{meaning}\n\n"
        keys = [f"`{key}` (always)" for key in needs_of_deed(deed)]
        keys += [f"`{key}`" for key in ("amount", "who") if f"`{key}`" in meaning]
        keys += [f"`{key}`" for key in may_have(deed)]
        occasions = occasions_of(deed)
        when = f"Only as `{occasions[0].value}`. " if len(occasions) == 1 else ""
        yield f"{when}Keys of its own: {', '.join(keys) or 'none'}.\n\n"
        title, example = examples.get(deed, ("", None))
        example = example or next(one for one in _EXAMPLES if one.deed is deed)
        yield f"{f'As {title} has it:' if title else 'For example:'}\n\n```toml\n{_toml(example)}```\n"


def _toml(effect: Effect) -> str:
    lines = ["[[tile.effect]]"]
    for one in fields(effect):
        value = getattr(effect, one.name)
        if one.name in {"when", "deed", "text"} or value != one.default:
            plain = value.value if isinstance(value, Enum) else value
            lines.append(f"{one.name} = {json.dumps(plain, ensure_ascii=False)}")
    return "\n".join(lines) + "\n"
