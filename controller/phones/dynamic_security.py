"""Requests to the broker's dynamic-security plugin, and their answers, over the controller's own link."""

import asyncio
import itertools
import logging
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import msgspec
from hextraction.controller.phones.link import Incoming, Link

__all__ = ["ANSWERS", "Admin"]

LOG = logging.getLogger(__name__)

_REQUESTS: Final = "$CONTROL/dynamic-security/v1"
ANSWERS: Final = f"{_REQUESTS}/response"
WAIT_S: Final = 3.0
_KEY: Final = "correlationData"
_MARK_BYTES: Final = 48
"""More than the mark of our own takes in each command; and than what is around all of them."""


class Admin:
    """Sends commands to the plugin and waits for its answers."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self._waiting: dict[str, asyncio.Future[list[str]]] = {}

    async def ask(self, link: Link, commands: Iterable[Mapping[str, Any]]) -> list[str] | None:
        """Send commands; return the errors (empty: all well), or None if an answer did not come within 3 s.

        They go in as many messages as the broker's largest packet makes necessary, one after the other.
        """
        errors: list[str] = []
        for page in _pages(commands, link.room(_REQUESTS)):
            answered = await self._ask(link, page)
            if answered is None:
                return None
            errors += answered
        return errors

    async def _ask(self, link: Link, commands: list[Mapping[str, Any]]) -> list[str] | None:
        key = str(next(self._numbers))
        marked = [{**command, _KEY: key} for command in commands]
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
            keys = {str(response.get(_KEY)) for response in responses}
            errors = [str(response["error"]) for response in responses if "error" in response]
        except (msgspec.DecodeError, LookupError, TypeError, AttributeError):
            LOG.warning("the dynamic-security plugin said something strange")
            return
        for key in keys & self._waiting.keys():
            if not self._waiting[key].done():
                self._waiting[key].set_result(errors)


def _pages(commands: Iterable[Mapping[str, Any]], room: int) -> Iterator[list[Mapping[str, Any]]]:
    """Divide commands into messages of at most so many bytes; a larger one is a page of its own."""
    page: list[Mapping[str, Any]] = []
    size = 0
    for command in commands:
        more = len(msgspec.json.encode(command)) + _MARK_BYTES
        if page and size + more > room - _MARK_BYTES:
            yield page
            page, size = [], 0
        page.append(command)
        size += more
    if page:
        yield page
