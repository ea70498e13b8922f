"""The chain of lamps, driven through Adafruit's NeoPixel library.

The library's ``show`` blocks while the data is on the wire and then sleeps (2 ms for 66 lamps), so it is
called only from a dedicated scheduler thread, at most sixty times a second and always with the newest frame:
a frame that was replaced before its turn is never sent. The library applies the brightness; the power budget
of all lamps is enforced where frames are made.
"""

import importlib
import os
import threading
from collections.abc import Sequence
from itertools import chain
from typing import Any, Final, Protocol

from hextraction.hal.errors import BackendUnavailable, DeviceLost
from hextraction.hal.intake import OnFound, OnLost
from hextraction.hal.ports import Clock, Colour
from hextraction.hal.schedule import Scheduler
from hextraction.hal.wiring.wires import PixelWire

__all__ = ["NeoPixelChain", "Strip", "check_frame", "open_neopixels"]

_FRAME_US: Final = 16_667
_TRY_AGAIN_US: Final = 1_000_000
_INSTALL: Final = "install hextraction[pi], or hextraction[pi5] on a Raspberry Pi 5"


class Strip(Protocol):
    """The part of ``neopixel.NeoPixel`` that this module uses."""

    def __setitem__(self, index: slice, colours: Sequence[Colour]) -> None:
        """Set the colours of some lamps without showing them yet."""
        ...

    def show(self) -> None:
        """Send all colours; blocks."""
        ...

    def deinit(self) -> None:
        """Turn the lamps off and free the pin."""
        ...


class NeoPixelChain:
    """Lamps that are written from the scheduler's thread. Owns the scheduler and closes it."""

    def __init__(
        self,
        strip: Strip,
        count: int,
        *,
        clock: Clock,
        scheduler: Scheduler,
        on_lost: OnLost | None = None,
        on_found: OnFound | None = None,
    ) -> None:
        self._strip = strip
        self._count = count
        self._clock = clock
        self._scheduler = scheduler
        self._on_lost, self._on_found = on_lost, on_found
        self._lock = threading.Lock()
        self._newest: tuple[Colour, ...] | None = None
        self._free_at_us = clock.now_us()
        self._lost = False
        self._failed: tuple[Colour, ...] | None = None
        self._closed = False

    @property
    def count(self) -> int:
        """How many lamps there are."""
        return self._count

    def show(self, frame: Sequence[Colour]) -> None:
        """Show a frame as soon as the wire is free; returns at once."""
        checked = check_frame(frame, self._count)
        with self._lock:
            is_booked = self._newest is not None
            self._newest = checked
            if not is_booked and not self._closed:
                self._scheduler.call_at(self._free_at_us, self._write)

    def close(self) -> None:
        """Turn all lamps off and free the pin. May be called twice."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
        self._scheduler.close()
        self._strip.deinit()

    def _write(self) -> None:
        with self._lock:
            frame, self._newest = self._newest, None
            self._free_at_us = self._clock.now_us() + _FRAME_US
        if frame is None or self._closed:
            return
        try:
            self._strip[0 : self._count] = frame
            self._strip.show()
        except Exception as error:  # noqa: BLE001 - whatever a vendor library raises is a lost device
            self._report(str(error))
            self._try_later(frame)
        else:
            self._report(None)

    def _try_later(self, frame: tuple[Colour, ...]) -> None:
        """Retry the last frame after a while, so that we notice the lamps' return even if nothing changes."""
        is_booked, self._failed = self._failed is not None, frame
        if not is_booked:
            self._scheduler.call_at(self._clock.now_us() + _TRY_AGAIN_US, self._try_again)

    def _try_again(self) -> None:
        frame, self._failed = self._failed, None
        if frame is not None and self._lost and self._newest is None:
            self.show(frame)

    def _report(self, reason: str | None) -> None:
        """Report the lamps as lost (with a reason) or as found; each change once."""
        was_lost, self._lost = self._lost, reason is not None
        if reason is not None and not was_lost and self._on_lost is not None:
            self._on_lost(DeviceLost("pixels", reason))
        if reason is None and was_lost and self._on_found is not None:
            self._on_found("pixels")


def open_neopixels(
    wire: PixelWire,
    *,
    clock: Clock,
    scheduler: Scheduler,
    on_lost: OnLost | None = None,
    on_found: OnFound | None = None,
) -> NeoPixelChain:
    """Open the real lamps, all dark.

    Raises:
        BackendUnavailable: the library or its backend is missing, or does not work on this machine or pin.
    """
    strip = _open_strip(wire)
    return NeoPixelChain(
        strip, wire.count, clock=clock, scheduler=scheduler, on_lost=on_lost, on_found=on_found
    )


def _open_strip(wire: PixelWire) -> Any:
    # Otherwise Blinka asks on the terminal whether it may install things.
    os.environ.setdefault("BLINKA_SKIP_DEPENDENCY_CHECK", "1")
    try:
        blinka, neopixel = importlib.import_module("board"), importlib.import_module("neopixel")
        pin = getattr(blinka, f"D{wire.pin}")
        strip = neopixel.NeoPixel(
            pin, wire.count, brightness=wire.brightness, auto_write=False, pixel_order=wire.order
        )
        strip.show()
    except ImportError as error:
        raise BackendUnavailable(f"the NeoPixel library is missing ({error}): {_INSTALL}") from error
    except Exception as error:  # whatever a vendor library raises here, we handle it the same way
        raise BackendUnavailable(
            f"NeoPixel does not work on GPIO{wire.pin} here ({error}); {_INSTALL}"
        ) from error
    return strip


def check_frame(frame: Sequence[Colour], count: int) -> tuple[Colour, ...]:
    """Return the frame if it has ``count`` colours of three values 0..255.

    Raises:
        ValueError: it does not.
    """
    if len(frame) != count:
        raise ValueError(f"want {count} colours, found {len(frame)}")
    if not _all_colours(frame):
        for index, colour in enumerate(frame):
            if len(colour) != 3 or not all(0 <= channel <= 255 for channel in colour):
                raise ValueError(f"lamp {index}: want three values 0..255, found {colour}")
    return tuple(frame)


def _all_colours(frame: Sequence[Colour]) -> bool:
    """Whether every colour is three bytes; a fast check, because a touch must light its lamps at once."""
    try:
        bytes(chain.from_iterable(frame))
    except (ValueError, TypeError):
        return False
    return set(map(len, frame)) <= {3}
