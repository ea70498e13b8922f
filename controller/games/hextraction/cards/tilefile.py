"""Turns one ``[[tile]]`` of a catalogue file into a :class:`.Tile`, and tiles into such a file.

Each mistake is noted at its key; :mod:`.tilebook` checks what concerns several tiles.
"""

import dataclasses
import difflib
import enum
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, TypeVar

from hextraction.board.grid import EDGES
from hextraction.board.tiles import Line
from hextraction.controller.games.hextraction.cards.tiles import (
    BAN_PREFIX,
    UNKNOWN,
    Effect,
    Keyword,
    Tile,
    Trigger,
    When,
    Who,
)
from hextraction.controller.games.hextraction.cards.vocabulary import VOCABULARY, BrokenWordError, Deed
from hextraction.settings import Section

__all__ = ["read_tile", "tiles_text"]

_KEY: Final = 4  # the slot's key is at its bottom edge; a tile bottoms out when one of its notches is there
_WHEN_ACTIVATED: Final = ("mandatory", "once_per_turn", "from_hand", "discard_this")
_FARTHEST_MM: Final = 29
Word = TypeVar("Word", bound=enum.Enum)


def read_tile(section: Section) -> Tile:
    """Read one tile; mistakes are noted in the section's document."""
    channels = _channels(section)
    keywords = section.texts("keywords", ())
    tile = Tile(
        name=_name(section),
        title=section.text("title", pattern=r".+", like="what people call it"),
        creator=section.text("creator", ""),
        source=section.text("source", "", pattern=r"|https?://\S+", like="a web address"),
        official=section.boolean("official", default=False),
        channels=channels,
        turns=_turns(section),
        holds=section.integer("holds", 0, 20, 0),
        alternates=_edges(section, "alternates"),
        scatters=section.boolean("scatters", default=False),
        hole=section.boolean("hole", default=False),
        holes=_holes(section),
        lines=_lines(section, channels or ()),
        covers=_edges(section, "covers"),
        keywords=frozenset(Keyword(word) for word in keywords if _is_keyword(section, word)),
        parts=section.texts("parts", ()),
        counterparts=section.texts("counterparts", ()),
        trigger=_word(section, "trigger", Trigger.NONE),
        captive=section.integer("captive", 0, 20, 0),
        effects=tuple(_effect(table) for table in section.tables("effect")),
        summary=section.text("summary", ""),
    )
    _check_whole(section, tile)
    return tile


def _name(section: Section) -> str:
    name = section.text("name", pattern=r"[a-z0-9-]+", like="small letters, digits and hyphens")
    if name == UNKNOWN.name or name.startswith(BAN_PREFIX):
        section.complain("name", f"{name!r} is made by the product itself; want another name")
    return name


def _channels(section: Section) -> tuple[tuple[int, ...], ...] | None:
    """Read groups of joined edges; an absent key means that they are unknown."""
    written = section.raw("channels")
    if written is None:
        return None
    if not isinstance(written, list) or not all(isinstance(group, list) and group for group in written):
        section.complain("channels", "want groups of joined edges, such as [[1, 3], [4, 6]]")
        return None
    edges = [edge for group in written for edge in group]
    _check_edges(section, "channels", edges)
    return tuple(tuple(group) for group in written)


def _lines(section: Section, channels: tuple[tuple[int, ...], ...]) -> tuple[Line, ...]:
    """Read centre lines; those of a channel must reach all its edges."""
    written = section.raw("lines")
    if written is None:
        return ()
    if not isinstance(written, list) or not all(_is_line(line) for line in written):
        section.complain(
            "lines",
            "want centre lines, each of edges at its ends and points [x, y] within 29 mm of the middle, "
            "such as [[1, 5], [3, [0, 6.5]]]",
        )
        return ()
    lines = tuple(
        tuple(p if isinstance(p, int) else (float(p[0]), float(p[1])) for p in line) for line in written
    )
    for line in lines:
        ends = {point for point in line if isinstance(point, int)}
        if not any(ends <= set(group) for group in channels):
            section.complain("lines", f"{sorted(ends)} are not joined by the channels")
    reached = {point for line in lines for point in line if isinstance(point, int)}
    for group in channels:
        if 0 < len(reached & set(group)) < len(group):
            missing = ", ".join(str(edge) for edge in group if edge not in reached)
            section.complain("lines", f"of the channel {list(group)} no line reaches {missing}")
    return lines


def _is_line(line: object) -> bool:
    """Whether this is a list of at least two: edges at one or both ends, points between."""
    if not isinstance(line, list) or len(line) < 2:
        return False
    edges = [place for place, point in enumerate(line) if type(point) is int and point in EDGES]
    points = [point for place, point in enumerate(line) if place not in edges]
    ends = (
        bool(edges)
        and set(edges) <= {0, len(line) - 1}
        and len({line[place] for place in edges}) == len(edges)
    )
    return ends and all(_are_mm(point, 2) for point in points)


def _are_mm(numbers: object, many: int) -> bool:
    """Whether this is a list of so many lengths that lie on a tile."""
    return (
        isinstance(numbers, list)
        and len(numbers) == many
        and all(type(mm) in {int, float} and abs(mm) <= _FARTHEST_MM for mm in numbers)
    )


def _holes(section: Section) -> tuple[tuple[float, float, float], ...]:
    """Read holes beside the middle."""
    written = section.raw("holes")
    if written is None:
        return ()
    if not isinstance(written, list) or not all(_are_mm(hole, 3) and hole[2] > 0 for hole in written):
        section.complain(
            "holes", "want holes as [x, y, radius] in mm around the middle, such as [[13, 0, 6.25]]"
        )
        return ()
    return tuple((float(x), float(y), float(radius)) for x, y, radius in written)


def _edges(section: Section, key: str) -> tuple[int, ...]:
    edges = section.integers(key, 1, 6, ())
    _check_edges(section, key, list(edges))
    return edges


def _check_edges(section: Section, key: str, edges: list[object]) -> None:
    wrong = [edge for edge in edges if type(edge) is not int or edge not in EDGES]
    twice = sorted({str(edge) for edge in edges if edges.count(edge) > 1})
    if wrong:
        section.complain(key, f"want edges 1..6, found {', '.join(str(edge) for edge in wrong)}")
    elif twice:
        section.complain(key, f"want each edge once, found {', '.join(twice)} again")


def _turns(section: Section) -> tuple[int, ...]:
    """Read the legal turns, or derive them from the notched edges."""
    if "notches" not in section:
        turns = section.integers("turns", 0, 5, (0, 1, 2, 3, 4, 5))
        if not turns or len(set(turns)) < len(turns):
            section.complain("turns", "want at least one turn 0..5, each once")
        return turns
    notches = _edges(section, "notches")
    if section.raw("turns") is not None:
        section.complain("turns", "follow from notches; want only one of the two")
    if not notches:
        section.complain("notches", "want at least one edge")
    return tuple(sorted((_KEY - notch) % 6 for notch in notches))


def _is_keyword(section: Section, word: str) -> bool:
    known = [keyword.value for keyword in Keyword]
    if word not in known:
        section.complain("keywords", f"want some of {', '.join(known)}, found {word!r}")
    return word in known


def _word(section: Section, key: str, otherwise: Word, *, required: bool = False) -> Word:
    """Read one word of a vocabulary; ``otherwise`` replaces an absent or invalid one."""
    words = type(otherwise)
    known = [str(word.value) for word in words]
    written = section.choice(key, known) if required else section.choice(key, known, otherwise.value)
    return words(written) if written in known else otherwise


def _deed(section: Section) -> Deed:
    """Read what happens; any word replaces one that is absent or cannot be used."""
    written = section.raw("deed", "")
    try:
        return VOCABULARY.named(written if isinstance(written, str) else "")
    except BrokenWordError as error:
        section.complain("deed", str(error))
    except KeyError:
        known = (*VOCABULARY.words(), *VOCABULARY.added())
        if isinstance(written, str) and written:
            section.complain("deed", _unknown_deed(written, known))
        else:
            section.choice("deed", known)
    return next(iter(VOCABULARY))


def _unknown_deed(written: str, known: Sequence[str]) -> str:
    """Say of a word that nobody knows what it may be; all the others are too many to be listed."""
    near = difflib.get_close_matches(written, known, n=1)
    perhaps = f"; did you mean {near[0]!r}?" if near else "."
    return (
        f"want one of the {len(known)} deeds in docs/effects.md, found {written!r}{perhaps} "
        "If it is a word of a package's own, that package is not installed"
    )


def _effect(section: Section) -> Effect:
    effect = Effect(
        when=_word(section, "when", When.SETUP, required=True),
        deed=_deed(section),
        text=section.text("text", pattern=r"(?s).*\S.*", like="what happens, in words"),
        amount=section.integer("amount", 1, 20, 1),
        who=_word(section, "who", Who.SELF),
        ramps=section.texts("ramps", ()),
        tile=section.text("tile", ""),
        edge=section.integer("edge", 0, 6, 0),
        turn=section.integer("turn", 0, 5, 0),
        eats=section.texts("eats", ()),
        forbidden=section.boolean("forbidden", default=False),
        offline=section.boolean("offline", default=False),
        overdrive=section.boolean("overdrive", default=False),
        mandatory=section.boolean("mandatory", default=False),
        once_per_turn=section.boolean("once_per_turn", default=False),
        from_hand=section.boolean("from_hand", default=False),
        discard_this=section.boolean("discard_this", default=False),
    )
    _check_effect(section, effect)
    return effect


def _check_effect(section: Section, effect: Effect) -> None:
    """Reject settings that mean nothing to the deed."""
    if section.raw("deed") == effect.deed.word:  # else another stands for one that is absent or unknown
        _check_when(section, effect)
        _check_what(section, effect)
    for key in _WHEN_ACTIVATED:
        triggered = key == "once_per_turn" and effect.when is When.TRIGGER
        if key in section and effect.when is not When.ACTIVATED and not triggered:
            section.complain(key, "only an activated effect can be that")


_ONLY: Final = {
    When.LIMIT: "is a limit",
    When.ONGOING: "is ongoing",
}


def _check_when(section: Section, effect: Effect) -> None:
    """Reject a deed on an occasion that it does not belong to."""
    deed = effect.deed
    if deed.only is not None and effect.when is not deed.only:
        only = _ONLY.get(deed.only, f"is for {deed.only.value}")
        section.complain("when", f"{deed.word} {only}, found {effect.when.value!r}")
    if effect.when is When.LIMIT and When.LIMIT not in deed.occasions:
        section.complain("deed", f"{deed.word} cannot limit where or when a tile is played")


def _check_what(section: Section, effect: Effect) -> None:
    """Check that a deed has the tile, ramps, arrow and so on that it needs, and no others."""
    deed = effect.deed
    if bool(effect.tile) != ("tile" in deed.needs):
        section.complain("tile", f"{deed.word} {'names no' if effect.tile else 'must name a'} tile")
    if effect.ramps and "ramps" not in deed.keys:
        section.complain("ramps", f"{deed.word} takes no ramps")
    if effect.amount != 1 and "amount" not in deed.keys and deed.word in VOCABULARY.words():
        section.complain("amount", f"{deed.word} takes no amount")
    if bool(effect.edge) != ("edge" in deed.needs):
        section.complain("edge", f"{deed.word} {'takes no' if effect.edge else 'must have an'} edge")
    if (effect.turn or effect.eats) and "eats" not in deed.keys:
        section.complain("eats" if effect.eats else "turn", f"{deed.word} does not step")


def _check_whole(section: Section, tile: Tile) -> None:
    """Reject keys that contradict each other."""
    if (tile.trigger is Trigger.NONE) == bool(tile.effects_when(When.TRIGGER)):
        section.complain("trigger", "want whole or area exactly if an effect is triggered")
    if tile.alternates and not {edge for group in tile.channels or () for edge in group} >= set(
        tile.alternates
    ):
        section.complain("alternates", "want edges that are in the channels")
    if (Keyword.COMBO in tile.keywords) != bool(tile.parts):
        section.complain("parts", "want parts exactly if combo is among the keywords")
    if bool(tile.effects_when(When.PICKED)) != any(effect.deed.picks for effect in tile.effects):
        section.complain("effect", "want picked effects exactly if one of the effects is a pick")
    if tile.counterparts and not {Keyword.VIRTUAL, Keyword.COMBO} <= tile.keywords:
        section.complain("counterparts", "only a tile that is virtual and combo has them")
    if any(effect.deed.hole_is_side for effect in tile.effects) and not tile.drops:
        section.complain("hole", "an effect is about this tile's hole; want true")


# --- the way back ---


def tiles_text(tiles: Iterable[Tile]) -> str:
    """Return these tiles as TOML, without what is as it is anyway; empty if there are none."""
    return "".join(f"{line}\n" for tile in tiles for line in _tile_lines(tile))


def _tile_lines(tile: Tile) -> Iterator[str]:
    yield "[[tile]]"
    yield from _key_lines(tile)
    for effect in tile.effects:
        yield "[[tile.effect]]"
        yield from _key_lines(effect)


def _key_lines(one: Tile | Effect) -> Iterator[str]:
    """Yield a line for each key that says something; effects are tables of their own."""
    for field in dataclasses.fields(one):
        value = getattr(one, field.name)
        if field.name != "effects" and value != field.default:
            yield f"{field.name} = {_toml(value)}"


def _toml(value: Any) -> str:
    match value:
        case enum.Enum():
            return _toml(value.value)
        case Deed():
            return _toml(value.word)
        case bool():
            return "true" if value else "false"
        case int() | float():
            return str(value)
        case str():  # TOML wants one more letter escaped than JSON does
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case frozenset():
            return _toml(sorted(one.value for one in value))
    return f"[{', '.join(map(_toml, value))}]"
