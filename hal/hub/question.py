"""A short session with a hub that nobody else is using: identity, state, rebooting for new firmware."""

import time
from collections.abc import Callable, Iterable, Iterator
from typing import Final, Self

from hextraction.hal.hub.framing import Deframer, Frame, encode
from hextraction.hal.hub.port import HubPort
from hextraction.hal.hub.words import BOOT_WORD, Greeting, State, read_diagnosis

__all__ = ["HubQuestion"]

_PATIENCE_S: Final = 2.0


class HubQuestion:
    """One open port; use it with ``with``.

    ``now_s`` is a clock that runs while the port is read; ``patience_s`` is the timeout for an answer.
    """

    def __init__(
        self, port: HubPort, now_s: Callable[[], float] = time.monotonic, *, patience_s: float = _PATIENCE_S
    ) -> None:
        self._port, self._now_s, self._patience_s = port, now_s, patience_s
        self._deframer, self._seq = Deframer(), 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self._port.close()

    def greet(self) -> Greeting | None:
        """Begin a session; return the hub's greeting, ``None`` if it sends none."""
        self._port.write(b"\0")
        body = self.ask("H", b"\x01\x00", "h")
        return None if body is None else Greeting.read(body)

    def state(self) -> State | None:
        """Return its state, or ``None`` if it does not answer."""
        body = self.ask("T", b"", "t")
        return None if body is None else State.read(body)

    def diagnosis(self) -> dict[str, int]:
        """Return its counters; empty if it does not answer."""
        body = self.ask("D", b"", "d")
        return {} if body is None else read_diagnosis(body)

    def configure(self, parts: Iterable[bytes]) -> bool:
        """Load a configuration, part by part; return whether the hub took it."""
        answers = (self.ask("C", part, "c") for part in parts)
        return all(answer is not None and answer[1:2] == b"\0" for answer in answers)

    def boot(self) -> bool:
        """Restart it as a USB disk; return whether it disconnected, which is its only answer.

        The port stays open until then: closing it would discard what the hub has not read yet.
        """
        try:
            self.ask("B", BOOT_WORD, "")
        except OSError:
            return True
        return False

    def ask(self, letter: str, body: bytes, answer: str) -> bytes | None:
        """Send a request and return the body of the first answer of a type; ``None`` after a timeout."""
        self._say(letter, body)
        until_s = self._now_s() + self._patience_s
        return next((frame.body for frame in self._until(until_s) if frame.type == answer), None)

    def listen(self, for_s: float) -> Iterator[Frame]:
        """Yield the frames that the hub sends on its own, and keep the session alive."""
        until_s = self._now_s() + for_s
        while self._now_s() < until_s:
            self._say("P", bytes(4))
            yield from self._until(min(until_s, self._now_s() + 0.1))

    def _until(self, until_s: float) -> Iterator[Frame]:
        while self._now_s() < until_s:
            yield from self._deframer.feed(self._port.read())

    def _say(self, letter: str, body: bytes) -> None:
        self._port.write(encode(Frame(type=letter, seq=self._seq, body=body)))
        self._seq = (self._seq + 1) % 256
