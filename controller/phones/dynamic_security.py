"""Requests to the broker's dynamic-security plugin, and their answers, over the controller's own link."""

import asyncio
import itertools
import logging
from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec
from hextraction.controller.phones.link import Incoming, Link

__all__ = ["ANSWERS", "Admin"]

LOG = logging.getLogger(__name__)

_REQUESTS: Final = "$CONTROL/dynamic-security/v1"
ANSWERS: Final = f"{_REQUESTS}/response"
WAIT_S: Final = 3.0


class Admin:
    """Sends commands to the plugin and waits for its answers."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self._waiting: dict[str, asyncio.Future[list[str]]] = {}

    async def ask(self, link: Link, commands: Iterable[Mapping[str, Any]]) -> list[str] | None:
        """Send commands; return the errors (empty: all well), or None if no answer came within 3 s."""
        key = str(next(self._numbers))
        marked = [{**command, "correlationData": key} for command in commands]
        answer: asyncio.Future[list[str]] = asyncio.get_running_loop().create_future()
        self._waiting[key] = answer
        try:
            if not link.send(_REQUESTS, msgspec.json.encode({"commands": marked})):
                return None
            return await asyncio.wait_for(answer, WAIT_S)
        except TimeoutError:
            return None
        finally:
            self._waiting.pop(key, None)

    def hear(self, message: Incoming) -> None:
        """Take the plugin's answer; what is not ours is ignored."""
        try:
            responses = msgspec.json.decode(message.payload)["responses"]
            keys = {str(response.get("correlationData")) for response in responses}
            errors = [str(response["error"]) for response in responses if "error" in response]
        except (msgspec.DecodeError, LookupError, TypeError, AttributeError):
            LOG.warning("the dynamic-security plugin said something strange")
            return
        for key in keys & self._waiting.keys():
            if not self._waiting[key].done():
                self._waiting[key].set_result(errors)
