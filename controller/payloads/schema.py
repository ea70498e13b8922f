"""JSON Schema, AsyncAPI and OpenAPI of everything that goes over MQTT and the gate, generated from the types.

``python -m hextraction.controller.payloads.schema --write docs/mqtt`` writes the documents;
``--check`` instead of ``--write`` says which of them are out of date and ends with status 1 if any is.
"""

import argparse
import inspect
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec
from hextraction.controller.games.registry import SHIPPED, game_type
from hextraction.controller.payloads import house, messages
from hextraction.controller.payloads.openapi import openapi

__all__ = ["CHANNELS", "Channel", "asyncapi", "documents", "main"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel:
    """One topic: who publishes what there, and how."""

    leaf: str
    payload: type[msgspec.Struct]
    retain: bool = False
    seat: bool = False
    from_phone: bool = False
    expiry_s: int | None = None

    @property
    def name(self) -> str:
        """What it is called in the document, where a slash would begin another part."""
        return self.leaf.replace("/", "-")

    @property
    def address(self) -> str:
        """The topic, with its parameters in braces."""
        return f"hextraction/{{board}}/{'player/{seat}/' if self.seat else ''}{self.leaf}"


CHANNELS: Final = (
    Channel(leaf="status", payload=messages.Status, retain=True),
    Channel(leaf="info", payload=messages.Info, retain=True),
    Channel(leaf="table", payload=messages.Table, retain=True),
    Channel(leaf="state", payload=messages.State, retain=True),
    Channel(leaf="odds", payload=messages.Odds, retain=True),
    Channel(leaf="event", payload=messages.Event, expiry_s=10),
    Channel(leaf="diag", payload=messages.Diag, retain=True),
    Channel(leaf="view", payload=messages.View, seat=True),
    Channel(leaf="cmd", payload=messages.Command, seat=True, from_phone=True),
    Channel(leaf="reply", payload=messages.Reply, seat=True, expiry_s=10),
    Channel(leaf="here", payload=messages.Here, seat=True, from_phone=True),
    Channel(leaf=house.EVENT, payload=house.News, expiry_s=10),
    *(Channel(leaf=leaf, payload=payload, from_phone=True) for leaf, payload in house.ORDERS.items()),
)

_BODIES: Final = (
    messages.JoinRequest,
    messages.Joined,
    messages.SeatKey,
    messages.KeyState,
    messages.Session,
    messages.Evening,
    messages.HealthReport,
    messages.Declined,
)
_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


def documents() -> dict[str, str]:
    """Return every document's text by file name."""
    types: list[type[msgspec.Struct]] = [*(channel.payload for channel in CHANNELS), *_BODIES]
    schemas = {f"{_file_name(kind)}.json": _schema(kind) for kind in types}
    details = {f"game-{kind}.json": _details(kind) for kind in SHIPPED}
    made = {**schemas, **details, "asyncapi.json": asyncapi(), "openapi.json": _tidy(openapi())}
    return {name: _text(document) for name, document in made.items()}


def _details(kind: str) -> dict[str, Any]:
    """Return the schemas of what only one game shows: its ``detail`` structs and its pieces."""
    types = game_type(kind).details
    _, schemas = msgspec.json.schema_components(types, ref_template="#/$defs/{name}")
    return {"$schema": _DIALECT, "title": f"What only {kind} shows", "$defs": _tidy(schemas)}


def asyncapi() -> dict[str, Any]:
    """Return the AsyncAPI 3 document, from the controller's point of view."""
    types = [channel.payload for channel in CHANNELS]
    _, schemas = msgspec.json.schema_components(types, ref_template="#/components/schemas/{name}")
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Hextraction board",
            "version": str(messages.VERSION),
            "description": "What a powered board tells phones and houses, and what they may say to it.",
            "license": {"name": "MIT"},
        },
        "defaultContentType": "application/json",
        "channels": {channel.name: _channel(channel) for channel in CHANNELS},
        "operations": {channel.name: _operation(channel) for channel in CHANNELS},
        "components": {
            "messages": {kind.__name__: _message(kind) for kind in types},
            "schemas": _tidy(schemas),
        },
    }


def _schema(kind: type[msgspec.Struct]) -> dict[str, Any]:
    return {"$schema": _DIALECT, "title": kind.__name__, **_tidy(msgspec.json.schema(kind))}


def _tidy(value: Any) -> Any:
    """Return a schema whose descriptions do not depend on how a Python version keeps indented docstrings."""
    if isinstance(value, list):
        return [_tidy(part) for part in value]
    if not isinstance(value, dict):
        return value
    return {
        key: inspect.cleandoc(part) if key == "description" and isinstance(part, str) else _tidy(part)
        for key, part in value.items()
    }


def _channel(channel: Channel) -> dict[str, Any]:
    name = channel.payload.__name__
    parameters = {"board": {"description": "The board's id: 1 to 32 of a-z, 0-9 and -."}}
    if channel.seat:
        parameters["seat"] = {"description": "A seat's colour. Its topics belong to its own phones."}
    return {
        "address": channel.address,
        "parameters": parameters,
        "messages": {name: {"$ref": f"#/components/messages/{name}"}},
    }


def _operation(channel: Channel) -> dict[str, Any]:
    name = channel.payload.__name__
    mqtt: dict[str, Any] = {"qos": 1, "retain": channel.retain, "bindingVersion": "0.2.0"}
    if channel.expiry_s is not None:
        mqtt["messageExpiryInterval"] = channel.expiry_s
    return {
        "action": "receive" if channel.from_phone else "send",
        "channel": {"$ref": f"#/channels/{channel.name}"},
        "messages": [{"$ref": f"#/channels/{channel.name}/messages/{name}"}],
        "bindings": {"mqtt": mqtt},
    }


def _message(kind: type[msgspec.Struct]) -> dict[str, Any]:
    summary = (kind.__doc__ or "").strip().splitlines()[0]
    payload = {"$ref": f"#/components/schemas/{kind.__name__}"}
    return {"name": kind.__name__, "summary": summary, "payload": payload}


def _file_name(kind: type[msgspec.Struct]) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in kind.__name__)[1:]


def _text(document: Mapping[str, Any]) -> str:
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _stale(folder: Path) -> list[str]:
    """Return the names of documents that are missing, out of date, or nobody's."""
    wanted = documents()
    there = {path.name: path.read_text() for path in folder.glob("*.json")}
    return sorted(name for name in wanted.keys() | there.keys() if wanted.get(name) != there.get(name))


def main(arguments: Sequence[str] | None = None) -> int:
    """Write or check the documents; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m hextraction.controller.payloads.schema", description=__doc__
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--check", type=Path, metavar="DIR", default=Path("docs/mqtt"), help="compare with DIR")
    what.add_argument("--write", type=Path, metavar="DIR", help="write into DIR")
    chosen = parser.parse_args(arguments)
    if chosen.write is not None:
        chosen.write.mkdir(parents=True, exist_ok=True)
        for name, text in documents().items():
            (chosen.write / name).write_text(text)
        return 0
    stale = _stale(chosen.check)
    for name in stale:
        sys.stderr.write(f"{chosen.check / name}: not what the types say; run with --write\n")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
