"""A webhook: what happens is posted to an address of yours, signed, in order, and never in the way.

A file of its own because it is the only thing here that calls somebody else over HTTP. It has a thread of its
own; what waits for it is bounded, and of too many the oldest goes. Whoever receives it checks the signature,
and knows a post that came twice (an answer may be lost) by its id.
"""

import contextlib
import hashlib
import hmac
import http.client
import logging
import secrets
import socket
import ssl
import threading
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Final
from urllib.parse import urlsplit

import msgspec
from hextraction.controller.payloads.house import News

__all__ = ["Webhook", "signed"]

LOG = logging.getLogger(__name__)

_MOST: Final = 100
_PAUSES_S: Final = (1.0, 5.0, 25.0, 120.0)
_PATIENCE_S: Final = 5.0
_AGAIN: Final = frozenset({408, 425, 429})
"""Refusals that may pass by themselves, as all from 500 on may."""
_LAST_WORDS_S: Final = 1.0


def signed(secret: str, at_s: int, body: bytes) -> str:
    """Return the signature of a post: the HMAC-SHA256 of its time, a dot and its body, in hexadecimal.

    >>> signed("hush", 1764366000, b"{}")[:16]
    'f6ae41d74af43d08'
    """
    return hmac.new(secret.encode(), f"{at_s}.".encode() + body, hashlib.sha256).hexdigest()


@contextlib.contextmanager
def _cut_after(seconds: float, line: socket.socket) -> Iterator[None]:
    """Cut a line after so long: a timeout of its own begins anew with each byte that drips in.

    Raises:
        TimeoutError: it was cut, and what happened in the block failed by that.
    """
    is_late = threading.Event()

    def cut() -> None:
        is_late.set()
        with contextlib.suppress(OSError):
            line.shutdown(socket.SHUT_RDWR)

    timer = threading.Timer(seconds, cut)
    timer.start()
    try:
        yield
    except (OSError, http.client.HTTPException) as error:
        if is_late.is_set():
            raise TimeoutError("timed out") from error
        raise
    finally:
        timer.cancel()
        timer.join()


def _answer(url: str, headers: Mapping[str, str], body: bytes, patience_s: float) -> int:
    """Post this and return the status of the answer: no proxy, and no redirect is followed or even read.

    What is signed for one address is not taken to another.

    Raises:
        OSError: nobody is there, or there is no answer in time.
        HTTPException: what answers does not speak HTTP.
    """
    to = urlsplit(url)
    kind = http.client.HTTPSConnection if to.scheme == "https" else http.client.HTTPConnection
    connection = kind(to.hostname or "", to.port)
    with (
        socket.create_connection((connection.host, connection.port), patience_s) as line,
        _cut_after(patience_s, line),
        contextlib.closing(connection),
    ):
        connection.sock = line.dup()
        if to.scheme == "https":
            trusting = ssl.create_default_context()
            connection.sock = trusting.wrap_socket(connection.sock, server_hostname=to.hostname)
        target = f"{to.path or '/'}?{to.query}" if to.query else to.path or "/"
        connection.request("POST", target, body, {**headers, "Connection": "close"})
        return connection.getresponse().status


class Webhook:
    """Posts news to one address. Every method is for any thread and returns at once, but for :meth:`close`.

    Args:
        url: where to.
        secret: what posts are signed with.
        on: what is posted.
        pauses_s: how long to wait after one failure after another, until a post is given up.
        patience_s: how long a connection may take, and after that all of the exchange.
    """

    def __init__(
        self,
        url: str,
        secret: str,
        on: Sequence[str],
        *,
        pauses_s: Sequence[float] = _PAUSES_S,
        patience_s: float = _PATIENCE_S,
    ) -> None:
        self._url, self._secret, self._on = url, secret, frozenset(on)
        self._pauses_s, self._patience_s = pauses_s, patience_s
        self._waiting: deque[tuple[str, bytes]] = deque(maxlen=_MOST)
        self._changed = threading.Condition()
        self._ends = False
        self._why = ""
        self._thread = threading.Thread(target=self._run, name="webhook", daemon=True)

    def start(self) -> None:
        """Begin to post what comes."""
        self._thread.start()

    def post(self, news: News) -> None:
        """Post this as soon as what came before it has been taken or given up."""
        if news.event_type in self._on:
            with self._changed:
                self._waiting.append((secrets.token_hex(8), msgspec.json.encode(news)))
                self._changed.notify()

    @property
    def problems(self) -> Iterator[str]:
        """What is wrong with it, in words for whoever runs the table; no word of its address's path."""
        if self._why:
            yield f"the webhook at {self._title} {self._why}"

    @property
    def _title(self) -> str:
        return "/".join(self._url.split("/", 3)[:3])

    def close(self) -> None:
        """End the thread; what is still waiting gets a second."""
        with self._changed:
            self._ends = True
            self._changed.notify()
        self._thread.join(_LAST_WORDS_S)

    # --- its own thread -------------------------------------------------------------------------------------

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._ends)
                if not self._waiting:
                    return
                name, body = self._waiting.popleft()
            self._deliver(name, body)

    def _deliver(self, name: str, body: bytes) -> None:
        """Post one thing until it is taken; give it up when it never will be, or when we end."""
        for pause_s in (*self._pauses_s, None):
            why, again = self._tried(name, body)
            if why != self._why and why:
                LOG.warning("the webhook at %s %s", self._title, why)
            self._why = why
            if not why or not again or pause_s is None or self._rests(pause_s):
                return

    def _rests(self, seconds: float) -> bool:
        """Wait, but not when we end; return whether we do."""
        with self._changed:
            return self._changed.wait_for(lambda: self._ends, seconds)

    def _tried(self, name: str, body: bytes) -> tuple[str, bool]:
        """Post it once; return why it was not taken, if so, and whether to try again."""
        at_s = int(time.time())
        headers = {
            "Content-Type": "application/json",
            "Hextraction-Id": name,
            "Hextraction-Time": str(at_s),
            "Hextraction-Signature": f"sha256={signed(self._secret, at_s, body)}",
        }
        try:
            status = _answer(self._url, headers, body, self._patience_s)
        except (OSError, http.client.HTTPException) as error:
            return f"cannot be reached: {error or type(error).__name__}", True
        if HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES:
            return "", False
        return f"answers {status}", status >= HTTPStatus.INTERNAL_SERVER_ERROR or status in _AGAIN
