"""Ports for servers that cannot choose one by themselves."""

import itertools
import os
import random
import socket

__all__ = ["free_port"]

LOWEST, EACH = 12_000, 2_500
"""Below what systems give to connections that go out (from 32768), so that none of those is ever in the way."""
_WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:]) % 8
_START = random.randrange(EACH)
_NUMBERS = itertools.count(_START)


def free_port() -> int:
    """Return a port of 127.0.0.1 that nobody uses; each worker of a parallel run has a range of its own."""
    while True:
        port = LOWEST + _WORKER * EACH + next(_NUMBERS) % EACH
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)):
                return port
