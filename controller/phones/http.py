"""The HTTP/1.1 that the gate needs: h11 reads one request's head, here it is judged and answered. Sans-I/O.

Strict on purpose: a request that is not plainly right gets a :class:`BadRequestError` with its status. No
transfer encodings, no pipelining; an answer closes its connection, unless it was :func:`kept`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

import h11
import msgspec
from hextraction.controller.payloads.messages import Declined

__all__ = ["MOST_HEAD", "BadRequestError", "Request", "answer", "decline", "kept", "read_head"]

MOST_HEAD: Final = 16 * 1024
_MOST_FIELDS: Final = 64
_METHOD: Final = re.compile(rb"[A-Z]{1,16}")
_TARGET: Final = re.compile(rb"/[!-~]{0,2047}")
_SLOPPY: Final = re.compile(rb"(?<!\r)\n|\r\n[ \t]")
"""Line ends without a return, and folded lines: h11 is kind to both, and smugglers like them."""
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
    """A bad request: ``status`` for the browser, ``reason`` for a person."""

    def __init__(self, status: HTTPStatus, reason: str) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """The head of a request; ``raw`` is all of it.

    Header names are in lower case; a repeated header is joined by commas. ``page`` is the page's address as
    whoever asks has dialled it, and empty where that is no address for anybody else.
    """

    method: str
    path: str
    query: str
    headers: Mapping[str, str]
    raw: bytes = b""
    page: str = ""

    @property
    def host(self) -> str:
        """The ``Host`` header in lower case, or an empty text."""
        return self.headers.get("host", "").lower()

    @property
    def wants_websocket(self) -> bool:
        """Whether this asks to become a websocket."""
        return self.headers.get("upgrade", "").lower() == "websocket"

    @property
    def may_stay(self) -> bool:
        """Whether another request may follow on its connection: after one of HTTP/1.1 without a body."""
        plain = self.method in {"GET", "HEAD"} and self.headers.get("content-length", "0") == "0"
        first, _, _ = self.raw.partition(b"\r\n")
        return (
            plain
            and first.endswith(b"HTTP/1.1")
            and "close" not in self.headers.get("connection", "").lower()
        )

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
    if _SLOPPY.search(head):
        raise BadRequestError(HTTPStatus.BAD_REQUEST, "That is no HTTP request.")
    connection = h11.Connection(h11.SERVER, max_incomplete_event_size=MOST_HEAD)
    try:
        connection.receive_data(head)
        found = connection.next_event()
    except h11.RemoteProtocolError as error:
        raise BadRequestError(HTTPStatus(error.error_status_hint), "That is no HTTP request.") from error
    plain = (
        isinstance(found, h11.Request) and _METHOD.fullmatch(found.method) and _TARGET.fullmatch(found.target)
    )
    if not isinstance(found, h11.Request) or not plain or len(found.headers) > _MOST_FIELDS:
        raise BadRequestError(HTTPStatus.BAD_REQUEST, "That is no HTTP request.")
    headers = _headers(found)
    if "transfer-encoding" in headers:
        raise BadRequestError(HTTPStatus.NOT_IMPLEMENTED, "Transfer encodings are not supported.")
    path, _, query = found.target.decode("ascii").partition("?")
    return Request(method=found.method.decode("ascii"), path=path, query=query, headers=headers, raw=head)


def _headers(found: h11.Request) -> dict[str, str]:
    headers: dict[str, str] = {}
    for raw_name, raw_value in found.headers:
        name, value = raw_name.decode("ascii"), raw_value.decode("latin-1")
        if name in headers and name in _ONCE:
            raise BadRequestError(HTTPStatus.BAD_REQUEST, f"The header {name} stands twice.")
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
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


_CLOSE: Final = b"\r\nConnection: close\r\n"
_KEEP: Final = b"\r\nConnection: keep-alive\r\n"


def kept(reply: bytes) -> bytes:
    """Return an answer after which the connection stays for the next request."""
    return reply.replace(_CLOSE, _KEEP, 1)


def decline(status: HTTPStatus, reason: str, *, headers: Mapping[str, str] | None = None) -> bytes:
    """Return an answer that says in words why not."""
    return answer(status, msgspec.json.encode(Declined(reason=reason)), headers=headers)
