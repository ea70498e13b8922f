"""Facts about how often snapshots go out."""

import asyncio
import contextlib

from hextraction.controller.phones.companion import Pace


class SteppedLoop(asyncio.SelectorEventLoop):
    """A loop whose clock moves only by :meth:`advance`."""

    now_s = 100.0

    def time(self):
        return self.now_s


def test_snapshots_are_at_most_ten_a_second_and_the_last_one_comes():
    """Of many values within 0.1 s the first and the last go out."""
    sent = []
    loop = SteppedLoop()

    async def play():
        pace = Pace(0.1, sent.append)
        for value in range(50):
            pace.offer(value)
        assert sent == [0]
        loop.now_s += 0.11
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert sent == [0, 49]
        pace.offer(50)
        pace.flush()
        assert sent == [0, 49, 50]

    with contextlib.closing(loop):
        loop.run_until_complete(play())
