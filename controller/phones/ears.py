"""What a house may say to the table: three orders, and the greeting of Home Assistant. All else is ignored.

A file of its own because it alone judges what comes from a house; what it lets through is a value of
:mod:`hextraction.controller.payloads.house`, never a message, and bounded in size and number.
"""

import math
from collections.abc import Callable
from typing import Final

from hextraction.controller.payloads.house import MOST_ORDER, ORDERS, Order, read_order

__all__ = ["GREETING", "Ears"]

GREETING: Final = "homeassistant/status"
"""Where Home Assistant says ``online`` when it has started, and wants to be told everything again."""
_ORDERS_AT_ONCE: Final = 5
_ORDERS_A_SECOND: Final = 2.0
_GREETED_AGAIN_S: Final = 10.0


class Ears:
    """Reads what a house may say: three orders, and the greeting. For the house's own thread.

    Args:
        prefix: what this board's topics begin with.
        on_order: gets each order, in this thread; it must return at once.
    """

    def __init__(self, prefix: str, on_order: Callable[[Order], None]) -> None:
        self.topics = (*(f"{prefix}/{leaf}" for leaf in ORDERS), GREETING)
        self._prefix = prefix
        self._on_order = on_order
        self._left, self._filled_s = float(_ORDERS_AT_ONCE), 0.0
        self._greeted_s = -math.inf

    def hear(self, topic: str, body: bytes, *, retained: bool, now_s: float) -> tuple[bool, str]:
        """Pass an order on; return whether all is to be told again, and what is wrong with the message."""
        if topic not in self.topics:
            return False, "sends us what nobody asked for: it is ignored"
        if retained:
            return False, f"keeps a retained message at {topic}: it is ignored"
        if topic == GREETING:
            return self._greeting(body, now_s), ""
        order = read_order(topic.removeprefix(f"{self._prefix}/"), body)
        if order is None:
            wanted = f"want what docs/house.md says, at most {MOST_ORDER} bytes"
            return False, f"has something at {topic} that is no order ({wanted}): it is ignored"
        if not self._in_time(now_s):
            return False, "sends orders faster than anybody presses buttons: those too many are ignored"
        self._on_order(order)
        return False, ""

    def _greeting(self, body: bytes, now_s: float) -> bool:
        again = body == b"online" and now_s - self._greeted_s >= _GREETED_AGAIN_S
        if again:
            self._greeted_s = now_s
        return again

    def _in_time(self, now_s: float) -> bool:
        """Take one of the orders that there may be by now."""
        grown = self._left + (now_s - self._filled_s) * _ORDERS_A_SECOND
        self._left, self._filled_s = min(float(_ORDERS_AT_ONCE), grown), now_s
        if self._left < 1.0:
            return False
        self._left -= 1.0
        return True
