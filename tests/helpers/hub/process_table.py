"""``hextraction`` on the time of an emulated hub: ``python hub_process_table.py CLOCK COMMAND …``.

CLOCK is a file of eight bytes that :class:`ShownTime` keeps up to date from another process: the emulated
microseconds. Games begin with tiles on the board, as if people had laid them. The rest is the real program.
"""

import dataclasses
import mmap
import sys
from pathlib import Path

from hextraction.controller.app import live, main
from hextraction.controller.games.hextraction.decks import demo_setup
from hextraction.controller.games.hextraction.tilebook import load_catalogue

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


def with_tiles(real_plan):
    """Return the real plan, but with a full board at the beginning."""
    from helpers.hub.table import laid  # noqa: PLC0415 - only in the process of the table

    tiles = laid(8)

    def planned(config, *words):
        plan = real_plan(config, *words)

        def setup(chairs, at_us):
            rules = plan.setup(chairs, at_us).config
            return demo_setup(
                load_catalogue(None), config.board, chairs, laid=tiles, config=rules, chance=0, at_us=at_us
            )

        return dataclasses.replace(plan, setup=setup)

    return planned


if __name__ == "__main__":
    shown = ShownTime(Path(sys.argv.pop(1)))
    live.MonotonicClock = lambda: shown
    live.real_plan = with_tiles(live.real_plan)
    sys.exit(main())
