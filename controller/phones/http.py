"""The little HTTP/1.1 that the gate needs: read one request's head, write one answer. Sans-I/O.

Strict on purpose: a request that is not plainly right gets a :class:`BadRequestError` with its status. No
transfer encodings, no pipelining; each answer closes its connection.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

import msgspec
from hextraction.controller.phones.payloads.messages import Declined

__all__ = ["MOST_HEAD", "BadRequestError", "Request", "answer", "decline", "read_head"]

MOST_HEAD: Final = 16 * 1024
_MOST_FIELDS: Final = 64
_LINE = re.compile(r"([A-Z]{1,16}) (/[!-~]{0,2047}) HTTP/1\.[01]")
_FIELD = re.compile(r"([-!#$%&'*+.^_`|~0-9A-Za-z]+):[ \t]*([\x20-\x7e\x80-\xff\t]*?)[ \t]*")
_ONCE: Final = frozenset({"host", "origin", "content-length", "sec-websocket-key", "upgrade"})

SECURITY: Final = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


class BadRequestError(Exception):
    """The other side asked wrongly: ``status`` says how, ``reason`` tells a person."""

    def __init__(self, status: HTTPStatus, reason: str) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """The head of a request; ``raw`` is all of it.

    Header names are in lower case; a repeated header is joined by commas.
    """

    method: str
    path: str
    query: str
    headers: Mapping[str, str]
    raw: bytes = b""

    @property
    def host(self) -> str:
        """The ``Host`` header in lower case, or an empty text."""
        return self.headers.get("host", "").lower()

    @property
    def wants_websocket(self) -> bool:
        """Whether this asks to become a websocket."""
        return self.headers.get("upgrade", "").lower() == "websocket"

    def length(self, most: int) -> int:
        """Return how long the body is.

        Raises:
            BadRequestError: it is missing (411), no number (400), or above ``most`` bytes (413).
        """
        text = self.headers.get("content-length")
        if text is None:
            raise BadRequestError(HTTPStatus.LENGTH_REQUIRED, "A Content-Length is needed.")
        if not re.fullmatch(r"[0-9]{1,9}", text):
            raise BadRequestError(HTTPStatus.BAD_REQUEST, "The Content-Length is no number.")
        if int(text) > most:
            raise BadRequestError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"At most {most} bytes.")
        return int(text)


def read_head(head: bytes) -> Request:
    """Read everything up to and including the empty line.

    Raises:
        BadRequestError: it is not a plain HTTP/1.x request.
    """
    first, *lines = head.decode("latin-1").removesuffix("\r\n\r\n").split("\r\n")
    match = _LINE.fullmatch(first)
    if match is None or len(lines) > _MOST_FIELDS:
        raise BadRequestError(HTTPStatus.BAD_REQUEST, "That is no HTTP request.")
    headers = _read_fields(lines)
    if "transfer-encoding" in headers:
        raise BadRequestError(HTTPStatus.NOT_IMPLEMENTED, "Transfer encodings are not supported.")
    path, _, query = match[2].partition("?")
    return Request(method=match[1], path=path, query=query, headers=headers, raw=head)


def _read_fields(lines: list[str]) -> dict[str, str]:
    headers: dict[str, str] = {}
    for line in lines:
        field = _FIELD.fullmatch(line)
        name = field[1].lower() if field else ""
        if field is None or (name in headers and name in _ONCE):
            raise BadRequestError(HTTPStatus.BAD_REQUEST, "A header is malformed.")
        headers[name] = f"{headers[name]}, {field[2]}" if name in headers else field[2]
    return headers


def answer(
    status: HTTPStatus,
    body: bytes = b"",
    *,
    kind: str = "application/json",
    headers: Mapping[str, str] | None = None,
    only_head: bool = False,
) -> bytes:
    """Return a whole answer; what is not said otherwise is never stored by a browser."""
    fields = {
        "Content-Type": kind,
        "Content-Length": str(len(body)),
        "Cache-Control": "no-store",
        "Connection": "close",
        **SECURITY,
        **(headers or {}),
    }
    if status is HTTPStatus.NOT_MODIFIED:
        del fields["Content-Type"], fields["Content-Length"]
    lines = [
        f"HTTP/1.1 {status.value} {status.phrase}",
        *(f"{name}: {text}" for name, text in fields.items()),
    ]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + (b"" if only_head else body)


def decline(status: HTTPStatus, reason: str, *, headers: Mapping[str, str] | None = None) -> bytes:
    """Return an answer that says in words why not."""
    return answer(status, msgspec.json.encode(Declined(reason=reason)), headers=headers)
