"""Messages that wait to be read: a queue for each sender, read in turn, so that nobody waits for the hasty.

A file of its own because two threads meet in it, and it knows nothing of MQTT.
"""

import threading
from collections import OrderedDict, deque
from typing import Final, Generic, TypeVar

__all__ = ["Mailroom"]

_EACH: Final = 50
_SENDERS: Final = 100

T = TypeVar("T")


class Mailroom(Generic[T]):
    """Queues by sender, at most ``each`` messages from each of at most ``senders``. Thread-safe."""

    def __init__(self, *, each: int = _EACH, senders: int = _SENDERS) -> None:
        self._each = each
        self._senders = senders
        self._queues: OrderedDict[str, deque[T]] = OrderedDict()
        self._lock = threading.Lock()

    def put(self, sender: str, message: T) -> bool:
        """Queue a message; return False if it is dropped, for its sender has too many waiting already."""
        with self._lock:
            queue = self._queues.get(sender)
            if queue is None:
                if len(self._queues) >= self._senders:
                    return False
                queue = self._queues[sender] = deque()
            if len(queue) >= self._each:
                return False
            queue.append(message)
            return True

    def take(self) -> T | None:
        """Return the next message, from each sender in turn; None if nothing waits."""
        with self._lock:
            if not self._queues:
                return None
            sender, queue = self._queues.popitem(last=False)
            message = queue.popleft()
            if queue:
                self._queues[sender] = queue
            return message

    def __bool__(self) -> bool:
        """Whether anything waits."""
        return bool(self._queues)
