"""OpenAPI of what the gate answers over HTTP, generated from the types of its bodies.

A file of its own because requests and answers stand side by side here; that they are the gate's is tested by
asking a real one (``tests/phones/test_openapi.py``).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

import msgspec
from hextraction.controller.payloads import messages

__all__ = ["OPERATIONS", "Operation", "openapi"]

_REF: Final = "#/components/schemas/{name}"
_NO_ONE: Final = (HTTPStatus.SERVICE_UNAVAILABLE,)
_TRIED: Final = (
    HTTPStatus.BAD_REQUEST,
    HTTPStatus.FORBIDDEN,
    HTTPStatus.TOO_MANY_REQUESTS,
    HTTPStatus.SERVICE_UNAVAILABLE,
)
_JSON: Final = "application/json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """A request: what it is for, its body, what it gives (a payload, or a type of file), how it is declined.

    ``unwell`` is a status with the same answer; ``coded``: the table's code may be sent along.
    """

    name: str
    told: str
    gives: type[msgspec.Struct] | str
    body: type[msgspec.Struct] | None = None
    declines: tuple[HTTPStatus, ...] = ()
    unwell: HTTPStatus | None = None
    coded: bool = False


OPERATIONS: Final[Mapping[tuple[str, str], Operation]] = {
    ("get", "/"): Operation(name="page", told="The page, for phones.", gives="text/html"),
    ("get", "/tv"): Operation(name="bigScreen", told="The page for a big screen.", gives="text/html"),
    ("get", "/session"): Operation(
        name="session",
        told="Credentials that may read the public topics over the websocket /mqtt.",
        gives=messages.Session,
        declines=_NO_ONE,
    ),
    ("post", "/join"): Operation(
        name="join",
        told="Take a seat, with the table's code.",
        body=messages.JoinRequest,
        gives=messages.Joined,
        declines=(*_TRIED, HTTPStatus.CONFLICT),
    ),
    ("post", "/take-back"): Operation(
        name="takeBack",
        told="Take a seat back that this phone had before.",
        body=messages.SeatKey,
        gives=messages.Joined,
        declines=_TRIED,
    ),
    ("post", "/key"): Operation(
        name="key",
        told="What a seat's key is worth: it is the seat's, somebody else has it, or it is forgotten.",
        body=messages.SeatKey,
        gives=messages.KeyState,
        declines=(HTTPStatus.BAD_REQUEST, HTTPStatus.SERVICE_UNAVAILABLE),
    ),
    ("get", "/evening"): Operation(
        name="evening", told="What happened last, and the games of the evening.", gives=messages.Evening
    ),
    ("get", "/diag"): Operation(
        name="diag", told="Counters and states of the table, as on the topic `diag`.", gives=messages.Diag
    ),
    ("get", "/qr.svg"): Operation(
        name="qr",
        told="The QR code of the page; with the join code in it for whoever sends that.",
        gives="image/svg+xml",
        declines=(HTTPStatus.FORBIDDEN, HTTPStatus.TOO_MANY_REQUESTS),
        coded=True,
    ),
    ("get", "/health"): Operation(
        name="health",
        told="How the table is: 200 while all is well, 503 with the reasons in words.",
        gives=messages.HealthReport,
        unwell=HTTPStatus.SERVICE_UNAVAILABLE,
    ),
    ("get", "/metrics"): Operation(
        name="metrics",
        told="Numbers for a Prometheus, where they are switched on.",
        gives="text/plain",
        declines=(HTTPStatus.NOT_FOUND,),
    ),
    ("get", "/history/index.json"): Operation(
        name="history",
        told="The games that were played here, ladder and statistics (docs/journal.md).",
        gives=_JSON,
        declines=(HTTPStatus.NOT_FOUND,),
    ),
    ("get", "/history/{game}.json"): Operation(
        name="chronicle",
        told="A finished game, moment by moment (docs/journal.md).",
        gives=_JSON,
        declines=(HTTPStatus.NOT_FOUND,),
    ),
}
"""Every request but those for the page's other files."""


def openapi() -> dict[str, Any]:
    """Return the OpenAPI 3.1 document."""
    types = [one for each in OPERATIONS.values() for one in (each.body, each.gives) if isinstance(one, type)]
    _, schemas = msgspec.json.schema_components([*types, messages.Declined], ref_template=_REF)
    paths: dict[str, dict[str, Any]] = {}
    for (method, path), each in OPERATIONS.items():
        paths.setdefault(path, {})[method] = _operation(path, each)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Hextraction board",
            "version": str(messages.VERSION),
            "summary": "What a board's page answers over HTTP; the game goes over MQTT (asyncapi.json).",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [
            {
                "url": "http://{board}:{port}",
                "description": "A board in your network.",
                "variables": {"board": {"default": "hextraction.local"}, "port": {"default": "8080"}},
            }
        ],
        "paths": paths,
        "components": {"schemas": schemas},
    }


def _operation(path: str, told: Operation) -> dict[str, Any]:
    answers = {"200": _answer(HTTPStatus.OK, told.gives)}
    if told.unwell is not None:
        answers[str(told.unwell.value)] = _answer(told.unwell, told.gives)
    answers |= {str(status.value): _answer(status, messages.Declined) for status in sorted(told.declines)}
    found: dict[str, Any] = {"operationId": told.name, "summary": told.told, "responses": answers}
    parameters = [_parameter(name, "path", "A game's name.") for name in re.findall(r"{(\w+)}", path)]
    if told.coded:
        parameters.append(_parameter("Authorization", "header", "`Code ` and the table's code."))
    if parameters:
        found["parameters"] = parameters
    if told.body is not None:
        found["requestBody"] = {"required": True, "content": _content(told.body)}
    return found


def _parameter(name: str, where: str, told: str) -> dict[str, Any]:
    return {
        "name": name,
        "in": where,
        "required": where == "path",
        "description": told,
        "schema": {"type": "string"},
    }


def _answer(status: HTTPStatus, gives: type[msgspec.Struct] | str) -> dict[str, Any]:
    return {"description": status.phrase, "content": _content(gives)}


def _content(kind: type[msgspec.Struct] | str) -> dict[str, Any]:
    if isinstance(kind, str):
        return {kind: {"schema": {"type": "object" if kind == _JSON else "string"}}}
    return {_JSON: {"schema": {"$ref": _REF.format(name=kind.__name__)}}}
