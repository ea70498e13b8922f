"""``hextraction`` on the time of an emulated hub: ``python hub_process_table.py CLOCK COMMAND …``.

CLOCK is a file of eight bytes that :class:`ShownTime` keeps up to date from another process: the emulated
microseconds. Games begin with tiles on the board, as if people had laid them. The rest is the real program.
"""

import mmap
import sys
from pathlib import Path

from hextraction.controller.app import live, main
from hextraction.controller.games.hextraction import Hextraction

__all__ = ["ShownTime"]


class ShownTime:
    """A number of microseconds in a file, for several processes."""

    boot_id = "emulated"

    def __init__(self, path: Path) -> None:
        with path.open("r+b") as file:
            self._number = memoryview(mmap.mmap(file.fileno(), 8)).cast("Q")

    def now_us(self) -> int:
        """Return what is shown."""
        return self._number[0]

    def show(self, now_us: int) -> None:
        """Show another time."""
        self._number[0] = now_us


if __name__ == "__main__":
    from helpers.hub.table import laid, with_tiles

    shown = ShownTime(Path(sys.argv.pop(1)))
    live.MonotonicClock = lambda: shown
    Hextraction.preparation = lambda _game, _keep: with_tiles(laid(8))
    sys.exit(main())
