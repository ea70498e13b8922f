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
import threading
import time
import urllib.error
import urllib.request
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec
from hextraction.controller.payloads.house import News

__all__ = ["Webhook", "signed"]

LOG = logging.getLogger(__name__)

_MOST: Final = 100
_PAUSES_S: Final = (1.0, 5.0, 25.0, 120.0)
_PATIENCE_S: Final = 5.0
_AGAIN: Final = frozenset({408, 425, 429})
"""Refusals that may pass by themselves, as all from 500 on may."""
_SERVERS_FAULT: Final = 500
_LAST_WORDS_S: Final = 1.0


def signed(secret: str, at_s: int, body: bytes) -> str:
    """Return the signature of a post: the HMAC-SHA256 of its time, a dot and its body, in hexadecimal.

    >>> signed("hush", 1764366000, b"{}")[:16]
    'f6ae41d74af43d08'
    """
    return hmac.new(secret.encode(), f"{at_s}.".encode() + body, hashlib.sha256).hexdigest()


def _opener() -> urllib.request.OpenerDirector:
    """Return what speaks HTTP and nothing else: no proxy, and no redirect is followed or even read.

    What is signed for one address is not taken to another.
    """
    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.HTTPHandler,
        urllib.request.HTTPSHandler,
        urllib.request.HTTPErrorProcessor,
        urllib.request.HTTPDefaultErrorHandler,
    ):
        opener.add_handler(handler())
    return opener


class Webhook:
    """Posts news to one address. Every method is for any thread and returns at once, but for :meth:`close`.

    Args:
        url: where to.
        secret: what posts are signed with.
        on: what is posted.
        pauses_s: how long to wait after one failure after another, until a post is given up.
    """

    def __init__(
        self, url: str, secret: str, on: Sequence[str], *, pauses_s: Sequence[float] = _PAUSES_S
    ) -> None:
        self._url, self._secret, self._on = url, secret, frozenset(on)
        self._pauses_s = pauses_s
        self._waiting: deque[tuple[str, bytes]] = deque(maxlen=_MOST)
        self._changed = threading.Condition()
        self._ends = False
        self._why = ""
        self._open = _opener().open
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
        request = urllib.request.Request(self._url, body, headers, method="POST")  # noqa: S310 - http(s) by config
        try:
            with contextlib.closing(self._open(request, timeout=_PATIENCE_S)):
                return "", False
        except urllib.error.HTTPError as error:
            error.close()
            again = error.code >= _SERVERS_FAULT or error.code in _AGAIN
            return f"answers {error.code}", again
        except urllib.error.URLError as error:
            return f"cannot be reached: {error.reason}", True
        except (OSError, http.client.HTTPException) as error:
            return f"cannot be reached: {error or type(error).__name__}", True
