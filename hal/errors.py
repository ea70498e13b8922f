"""Errors of devices. Catch :class:`HalError` at the controller's boundary."""

__all__ = ["BackendUnavailable", "DeviceLost", "HalError"]


class HalError(Exception):
    """Base class of this room's errors."""


class DeviceLost(HalError, OSError):  # noqa: N818 - the fact is the name
    """A device worked and then stopped answering.

    Callbacks get it as a value; it is never raised there. ``device`` is its name in the wiring file.
    ``muted``: it does answer, but without end, and is not heard until it is quiet.
    """

    def __init__(self, device: str, reason: str, *, muted: bool = False) -> None:
        super().__init__(f"{device}: {reason}")
        self.device = device
        self.reason = reason
        self.muted = muted


class BackendUnavailable(HalError, ImportError):  # noqa: N818 - the fact is the name
    """A vendor library is missing, or cannot work on this machine; the message says what to install."""
