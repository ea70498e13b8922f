"""The composition root and the command line: the only room that imports the simulator or picks a backend."""

from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None, **parts: object) -> int:
    """Run a command; return its exit status.

    From here on Ctrl-C ends the process quietly, also while the command line itself is loaded.
    """
    import signal  # noqa: PLC0415 - so that as little as possible is loaded before this
    import threading  # noqa: PLC0415

    if threading.current_thread() is not threading.main_thread():
        from hextraction.controller.app.command_line import main as run  # noqa: PLC0415

        return run(arguments, **parts)
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        from hextraction.controller.app.command_line import main as run  # noqa: PLC0415
    finally:
        signal.signal(signal.SIGINT, before)
    return run(arguments, **parts)
