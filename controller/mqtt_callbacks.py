"""What paho calls, in its own thread: stamp, post, return.

Nothing may be raised there: it would end paho's thread, and the client would look connected for ever.
"""

import socket
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.reasoncodes import ReasonCode

__all__ = ["Callbacks", "Receiver"]



class Receiver(Protocol):
    """Who hears what has happened; see :class:`~hextraction.controller.mqtt.Link`."""

    counters: Counter[str]

    def post(self, client: Client, work: Callable[..., None], *values: Any) -> None:
        """Let the loop's thread do something."""
        ...

    def take_in(self, client: Client, message: MQTTMessage) -> None:
        """Queue a message."""
        ...

    def connected(self, code: ReasonCode) -> None:
        """Hear whether the login was accepted."""
        ...

    def disconnected(self, code: ReasonCode) -> None:
        """Hear that the connection is gone."""
        ...

    def subscribed(self, codes: Sequence[ReasonCode]) -> None:
        """Hear which subscriptions were accepted."""
        ...

    def acknowledged(self, message: int, code: ReasonCode) -> None:
        """Hear that the broker has a message."""
        ...


class Callbacks:
    """What paho calls, in its thread. Nothing may be raised there: it would end the thread silently."""

    def __init__(self, link: Receiver, client: Client) -> None:
        self._link = link
        self._client = client

    def hang_on(self) -> None:
        """Give paho its callbacks."""
        link, client = self._link, self._client
        post = link.post
        client.on_socket_open = lambda _c, _u, sock: self._guard(_no_delay, sock)
        client.on_connect = lambda c, _u, _f, code, _p: self._guard(post, c, link.connected, code)
        client.on_disconnect = lambda c, _u, _f, code, _p: self._guard(post, c, link.disconnected, code)
        client.on_subscribe = lambda c, _u, _m, codes, _p: self._guard(post, c, link.subscribed, codes)
        client.on_publish = lambda c, _u, m, code, _p: self._guard(post, c, link.acknowledged, m, code)
        client.on_message = lambda c, _u, message: self._guard(link.take_in, c, message)

    def _guard(self, work: Callable[..., None], *values: Any) -> None:
        try:
            work(*values)
        except Exception:
            self._link.counters["callback_failed"] += 1
            LOG.exception("an MQTT callback failed")


def _no_delay(sock: socket.socket) -> None:
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
