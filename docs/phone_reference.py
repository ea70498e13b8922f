"""What people look up on their phones: cards of the shipped tiles and gists of clauses, as one file."""

import json
from collections.abc import Mapping
from typing import Any

from hextraction.controller.clauses import Clause, load_clauses
from hextraction.controller.games.hextraction.cards.face import glance
from hextraction.controller.games.hextraction.cards.tilebook import load_tiles, shipped_files
from hextraction.controller.games.hextraction.cards.tiles import Effect, Tile, When

__all__ = ["reference"]

_WHEN: Mapping[When, str] = {
    When.TRIGGER: "Trigger",
    When.ON_PLAY: "On Play",
    When.ON_DESTROY: "When destroyed",
    When.ONGOING: "Ongoing",
    When.ACTIVATED: "Activated",
    When.LIMIT: "Limit",
    When.SETUP: "Setup",
    When.PLAYED: "When a tile is played",
    When.PICKED: "Choice",
}
_TRAITS = ("forbidden", "offline", "overdrive", "mandatory", "once_per_turn", "from_hand", "discard_this")


def reference() -> str:
    """Return the file: JSON, one line for each entry, so that a change reads well."""
    clauses = [_clause(clause) for clause in load_clauses().values()]
    tiles = [_card(tile) for tile in load_tiles().values()]
    return f'{{"clauses": [\n{_lines(clauses)}\n], "tiles": [\n{_lines(tiles)}\n]}}\n'


def _lines(entries: list[dict[str, Any]]) -> str:
    return ",\n".join(
        json.dumps(_full(entry), ensure_ascii=False, separators=(",", ":")) for entry in entries
    )


def _full(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out what is empty; but channels that nobody knows (null) are not the same as none."""
    return {
        key: value for key, value in entry.items() if key == "channels" or value not in ("", (), [], False)
    }


def _clause(clause: Clause) -> dict[str, Any]:
    return {
        "id": clause.id,
        "title": clause.title,
        "gist": clause.gist,
        "enforced": clause.enforced.value,
        "clauses": clause.clauses,
        "setting": clause.setting,
    }


def _card(tile: Tile) -> dict[str, Any]:
    return {
        "name": tile.name,
        "title": tile.title,
        "summary": tile.summary,
        "effects": [_effect(effect) for effect in tile.effects],
        "keywords": sorted(keyword.value for keyword in tile.keywords),
        "channels": tile.channels,
        "glance": glance(tile),
        "trigger": tile.trigger.value if tile.sets_off else "",
        "starred": tile.starred,
        "creator": tile.creator,
        "source": tile.source,
        "basic": tile.name in shipped_files()["basic"],
    }


def _effect(effect: Effect) -> dict[str, Any]:
    traits = [name.replace("_", " ") for name in _TRAITS if getattr(effect, name)]
    return _full({"when": _WHEN[effect.when], "text": effect.text, "traits": traits})
