"""What a connection's traffic costs, counted before anything reads it. Sans-I/O.

A phone has little to say: a packet now and then, each in a websocket frame of its own, and one
acknowledgement for each message that it was sent. That is what it costs: one for every packet that is no such
acknowledgement. Whatever comes beside (pings, empty frames and fragments, thanks for what was never sent)
makes work for us and for the broker as well, so each of it costs as much as a packet.
"""

from collections.abc import Callable
from typing import Final

__all__ = ["BadPacketError", "Toll"]

_PUBLISH: Final = 3
_ACKNOWLEDGES: Final = frozenset({4, 5, 6, 7})
"""PUBACK, PUBREC, PUBREL and PUBCOMP."""
_SAYS: Final = frozenset({_PUBLISH, *_ACKNOWLEDGES, 8, 10, 12, 14})
"""All that a client says after its login; the last are SUBSCRIBE, UNSUBSCRIBE, PINGREQ and DISCONNECT."""
_OWED: Final = frozenset({5, 6})
"""PUBREC and PUBREL of the broker are answered, too."""
_FRAMES_A_PACKET: Final = 4
"""Some libraries send a packet in pieces."""
_FRAMES_AHEAD: Final = 40


class BadPacketError(ValueError):
    """A packet that no client may send after its login: another login, or what only a broker says."""


Head = tuple[int, int]
"""Where a piece's head ends, and how long its body is."""


class _Pieces:
    """Walks over a stream of pieces, each a head and a body, whatever chunks it comes in.

    Args:
        head: reads the head that begins at a place; None while it is not whole.
    """

    def __init__(self, head: Callable[[bytes, int], Head | None]) -> None:
        self._head = head
        self._begun = b""
        self._left = 0

    def feed(self, data: bytes) -> list[int]:
        """Take the next bytes; return the first byte of each piece whose head is whole now."""
        data = self._begun + data
        self._begun = b""
        firsts: list[int] = []
        at = self._left
        while at < len(data):
            head = self._head(data, at)
            if head is None:
                self._begun = data[at:]
                at = len(data)
                break
            firsts.append(data[at])
            at = sum(head)
        self._left = at - len(data)
        return firsts


def _packet_head(data: bytes, at: int) -> Head | None:
    length = 0
    for place, byte in enumerate(data[at + 1 : at + 5]):
        length |= (byte & 0x7F) << 7 * place
        if byte < 0x80 or place == 3:
            return at + 2 + place, length
    return None


def _frame_head(data: bytes, at: int) -> Head | None:
    if len(data) < at + 2:
        return None
    size = data[at + 1] & 0x7F
    longer = {126: 2, 127: 8}.get(size, 0)
    end = at + 2 + longer + (4 if data[at + 1] & 0x80 else 0)
    if len(data) < end:
        return None
    return end, int.from_bytes(data[at + 2 : at + 2 + longer]) if longer else size


class Toll:
    """The traffic of one websocket. Each cost is a number of messages."""

    def __init__(self) -> None:
        self._frames = _Pieces(_frame_head)
        self._said = _Pieces(_packet_head)
        self._told = _Pieces(_packet_head)
        self._ahead = _FRAMES_AHEAD
        self._due = 0

    def frames(self, raw: bytes) -> int:
        """Return what the frames that begin in these bytes cost: nothing while packets came in as many."""
        self._ahead -= len(self._frames.feed(raw))
        cost = max(0, -self._ahead)
        self._ahead += cost
        return cost

    def packets(self, data: bytes) -> int:
        """Return what the MQTT packets cost that begin in these bytes, taken out of their frames.

        Raises:
            BadPacketError: one of them is nothing that a client says after its login.
        """
        begun = [first >> 4 for first in self._said.feed(data)]
        if not _SAYS.issuperset(begun):
            raise BadPacketError("that is no packet of a client that has logged in")
        self._ahead = min(_FRAMES_AHEAD, self._ahead + _FRAMES_A_PACKET * len(begun))
        thanks = sum(kind in _ACKNOWLEDGES for kind in begun)
        free = min(thanks, self._due)
        self._due -= free
        return len(begun) - free

    def told(self, data: bytes) -> None:
        """Note what the broker has said: some of it has to be acknowledged."""
        for first in self._told.feed(data):
            kind, quality = first >> 4, first >> 1 & 3
            self._due += kind in _OWED or (kind == _PUBLISH and quality > 0)
