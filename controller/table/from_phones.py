"""What phones and house do at a table: their commands, stamped as they arrive, and phones' coming and going.

A module of its own because the table knows no clock and no loop but here.
"""

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from hextraction.controller.payloads.house import Order
from hextraction.controller.payloads.messages import Command, Reply
from hextraction.controller.play.journal import JournalLostError
from hextraction.controller.table.host import Host

__all__ = ["FromPhones"]

_CANNOT_WRITE: Final = "The board could not save that, so nothing happened. It restarts by itself."
_A_MOMENT_S: Final = 0.1
_log = logging.getLogger(__name__)


class FromPhones:
    """Hands on to the host what phones do; ``lost`` hears that something cannot be journalled."""

    def __init__(
        self, host: Host, now_us: Callable[[], int], lost: Callable[[JournalLostError], None]
    ) -> None:
        self._host = host
        self._now_us = now_us
        self._lost = lost
        self._later: list[asyncio.TimerHandle] = []

    def hear(self, seat: str, command: Command) -> None:
        """Hand a command to the host, stamped as it arrives."""
        try:
            self._host.command(seat, command, self._now_us())
        except JournalLostError as error:
            if self._host.audience is not None:
                reply = Reply(id=command.id, ok=False, code="failed", reason=_CANNOT_WRITE)
                self._host.audience.reply(seat, reply)
            self._lost(error)

    def order(self, order: Order) -> None:
        """Hand what the house asks for to the host, stamped as it arrives; a refusal is for the log."""
        try:
            answer = self._host.order(order, self._now_us())
        except JournalLostError as error:
            self._lost(error)
            return
        if not answer.ok:
            _log.info("the house asked in vain: %s", answer.reason)
        self._host.on_input()

    def changed(self) -> None:
        """Note that somebody came or went; after a while others may answer for whoever is still away.

        And later who has brought them plays for them again, if they are a guest whose own phone has gone.
        """
        loop = asyncio.get_running_loop()
        self._look()
        self._later = [timer for timer in self._later if timer.when() > loop.time()]
        for after_s in (self._host.plan.answer_for_after_s, self._host.lobby.grace_s):
            self._later.append(loop.call_later(after_s + _A_MOMENT_S, self._look))

    def close(self) -> None:
        """Wait for nobody any more."""
        for timer in self._later:
            timer.cancel()

    def _look(self) -> None:
        try:
            self._host.seats_changed(self._now_us())
        except JournalLostError as error:
            self._lost(error)
