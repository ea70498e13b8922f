"""Every topic of a board and its payload as a page, made from the AsyncAPI document."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from hextraction.controller.games.extraction.turn.kinds import KINDS as EXTRACTION_KINDS
from hextraction.controller.games.hexel.kinds import KINDS as HEXEL_KINDS
from hextraction.controller.games.hextraction.state.kinds import KINDS as HEXTRACTION_KINDS
from hextraction.controller.games.hextris.kinds import KINDS as HEXTRIS_KINDS
from hextraction.controller.games.protocol import Meaning
from hextraction.controller.table.evening import KINDS as TABLE_KINDS

__all__ = ["payloads_page"]

_MQTT: Final = Path(__file__).parent / "mqtt"
_WHOLE: Final = frozenset({"asyncapi", "openapi"})
_HEAD: Final = """\
# Payloads

Made by `make docs` from the types that the program sends and reads. What the topics are for is told in
[mqtt.md](mqtt.md); here is each of them with its payload. For programs the same is one
[AsyncAPI 3 document](mqtt/asyncapi.json), and a JSON Schema for each payload; what the page's port answers
over HTTP is an [OpenAPI 3.1 document](mqtt/openapi.json).

| topic | from | payload | QoS | retained |
|---|---|---|---|---|
"""

_KINDS_HEAD: Final = """\
## Kinds of events

The `kind` of an `event` says what happened, for whoever acts upon it; `text` says it in words, and
`seat`, `slot` and `ball` which. To hear of starts, goals, wins and faults only, take
[`house/event`](#news): those are exactly four. Each game has kinds of its own; all of them say `win`
or `over` at their end. A list may grow: leave alone what you do not know."""
_GAMES: Final[Mapping[str, Mapping[Any, Meaning]]] = {
    "Hextraction": HEXTRACTION_KINDS,
    "Hextris": HEXTRIS_KINDS,
    "Extraction": EXTRACTION_KINDS,
    "Hex'el": HEXEL_KINDS,
}


def payloads_page() -> str:
    """Return the page."""
    document = json.loads((_MQTT / "asyncapi.json").read_text("utf-8"))
    parts = [_HEAD + "\n".join(_topics(document))]
    parts += ["\n".join(_payload(path)) for path in sorted(_MQTT.glob("*.json")) if path.stem not in _WHOLE]
    return (
        "\n\n".join(
            [
                *parts,
                _KINDS_HEAD
                + _kinds("The table, whichever game is on", TABLE_KINDS)
                + "".join(_kinds(title, kinds) for title, kinds in _GAMES.items()),
            ]
        )
        + "\n"
    )


def _kinds(title: str, kinds: Mapping[Any, Meaning]) -> str:
    rows = "\n".join(f"| `{kind}` | {one.when} | {one.example} |" for kind, one in kinds.items())
    return f"\n\n### {title}\n\n| `kind` | told when | for example |\n|---|---|---|\n{rows}"


def _topics(document: dict[str, Any]) -> Iterator[str]:
    for operation in document["operations"].values():
        channel = document["channels"][operation["channel"]["$ref"].rpartition("/")[2]]
        others = "house" if "/house/" in channel["address"] else "phones"
        who = "board" if operation["action"] == "send" else others
        names = ", ".join(one["$ref"].rpartition("/")[2] for one in operation["messages"])
        mqtt = operation.get("bindings", {}).get("mqtt", {})
        kept = "yes" if mqtt.get("retain") else "no"
        yield f"| `{channel['address']}` | {who} | {names} | {mqtt.get('qos', 0)} | {kept} |"


def _payload(path: Path) -> Iterator[str]:
    """Yield the fields of one payload; what its fields are made of is in the schema."""
    schema = json.loads(path.read_text("utf-8"))
    kind = schema
    if "$ref" in schema:
        kind = schema["$defs"][schema["$ref"].rpartition("/")[2]]
    yield f"## {path.stem}\n"
    yield f"{_text(kind.get('description', ''))} [Schema](mqtt/{path.name})\n"
    fields = kind.get("properties", {})
    if fields:
        yield "| field | type | without it |\n|---|---|---|"
        must = set(kind.get("required", ()))
        for name, field in fields.items():
            absent = "must be there" if name in must else f"`{json.dumps(field.get('default'))}`"
            yield f"| `{name}` | {_type(field)} | {absent} |"


def _type(field: dict[str, Any]) -> str:
    if "$ref" in field:
        return f"`{field['$ref'].rpartition('/')[2]}`"
    if "anyOf" in field:
        return " or ".join(_type(one) for one in field["anyOf"])
    if "enum" in field:
        return " or ".join(f"`{json.dumps(one)}`" for one in field["enum"])
    if field.get("type") == "array":
        items = field.get("items")
        return f"list of {_type(items)}" if isinstance(items, dict) else "list"
    told = field.get("type", "anything")
    return " or ".join(told) if isinstance(told, list) else str(told)


def _text(told: str) -> str:
    return " ".join(told.replace("``", "`").split())
