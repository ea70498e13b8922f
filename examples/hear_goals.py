"""Hear what happens at a board: receives the posts of its `[webhook]`, and does something at a goal.

Nothing but Python is needed, and the file with the secret that the board's configuration names, too:

    python examples/hear_goals.py webhook.secret

Change `happened`; the rest decides whether a post is to be believed (docs/house.md).
"""

import hashlib
import hmac
import json
import sys
import time
from collections import deque
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

PORT = 9000
OLDEST_S = 300
LONGEST = 16_384
News = dict[str, object]


def happened(news: News) -> None:
    """Do what you like with it: light a lamp, ring a bell. Return soon: the board waits five seconds."""
    print(news["event_type"], news.get("text", ""), flush=True)  # noqa: T201 - for whoever watches


class Hears(ThreadingHTTPServer):
    """Takes posts that are signed with the secret, each once; `happened` is called with what they say."""

    def __init__(self, secret: str, port: int = PORT, happened: Callable[[News], None] = happened) -> None:
        super().__init__(("", port), Post)
        self.secret, self.happened = secret.encode(), happened
        self.heard: deque[str] = deque(maxlen=1000)

    def refusal(self, time_s: str, signature: str, body: bytes) -> str:
        """Return why a post is not believed; empty if it is."""
        signed = hmac.new(self.secret, time_s.encode() + b"." + body, hashlib.sha256).hexdigest()
        if not hmac.compare_digest(signature.encode(), f"sha256={signed}".encode()):
            return "it is not signed with our secret"
        if abs(time.time() - int(time_s)) > OLDEST_S:
            return "it is too old: are both clocks right?"
        return ""


class Post(BaseHTTPRequestHandler):
    """One post."""

    server: Hears

    def do_POST(self) -> None:
        """Believe it or not; what was heard before is answered as then, and does nothing."""
        body = self.rfile.read(min(int(self.headers.get("Content-Length", 0)), LONGEST))
        names = ("Hextraction-Time", "Hextraction-Signature", "Hextraction-Id")
        time_s, signature, name = (self.headers.get(one, "") for one in names)
        why = self.server.refusal(time_s, signature, body)
        if not why and name not in self.server.heard:
            self.server.heard.append(name)
            self.server.happened(json.loads(body))
        self.send_response(403 if why else 204, why)
        self.end_headers()

    def log_message(self, *_about: object) -> None:
        """Say nothing of each post."""


if __name__ == "__main__":
    if len(sys.argv) != 2 or not Path(sys.argv[1]).is_file():
        sys.exit("want the file with the secret: python examples/hear_goals.py webhook.secret")
    Hears(Path(sys.argv[1]).read_text("utf-8").strip()).serve_forever()
