"""Whatever fails at a real table, it is playable afterwards, loses nothing acknowledged and tells nothing twice."""

import asyncio
import errno
import itertools
import random
import signal

import pytest
from helpers.faults.evening import Evening
from helpers.faults.machine import AFTER, BEFORE, HALF
from helpers.faults.storm import FAULTS, storm

pytestmark = [
    pytest.mark.faults,
    pytest.mark.slow,
    pytest.mark.broker,
    # paho forgets to close the socket of a websocket whose other side dies in the handshake
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


def test_everything_fails_in_an_order_by_chance(tmp_path):
    """A short round of what `make faults` does for ten minutes: every fault about once, on all kinds of table."""
    report = asyncio.run(storm(tmp_path, 12, 15.0))

    assert not report.broken, "\n".join(report.lines())
    assert report.acts > 0
    assert set(report.tried) <= set(FAULTS)


EVERY = 5


def test_a_start_that_is_killed_at_a_write_is_got_over(tmp_path):
    """Copying, checking, marking and going on with a game: every fifth of these writes is once the last one."""

    async def play():
        async with Evening(tmp_path, random.Random(3), kind="ordinary") as table:
            await table.play(1.0)
            write, died = 1, True
            while died:
                before = table.machine.deaths
                await table.end(signal.SIGKILL)
                table.machine.die_at_write(write, (BEFORE, HALF, AFTER)[write % 3])
                await table.start()
                died = table.machine.deaths > before
                table.machine.die_at_write(0, BEFORE)
                table.keeps_everything()
                write += EVERY
            await table.is_playable()
            table.tells_nothing_twice()
            return write

    assert asyncio.run(play()) > 2 * EVERY, "the start wrote hardly anything, so nothing was tried"


def test_a_full_disk_stops_the_table_in_a_sentence_and_phones_hear_why(tmp_path):
    """Nothing is done that cannot be journalled; the service ends with status 1, and goes on when there is room."""

    async def play():
        async with Evening(tmp_path, random.Random(4), kind="ordinary") as table:
            await table.play(0.5)
            table.machine.fail(errno.ENOSPC)
            asked = table.people[0].say(table={"do": "pause"})
            await table.see(lambda: asked.reply, "an answer")
            assert "could not save that" in asked.reply["reason"]
            assert await table.ended() == 1
            assert "stopping: " in table.log
            assert "cannot be written any more" in table.log
            table.machine.fail()
            await table.start()
            await table.is_playable()
            table.keeps_everything()
            table.tells_nothing_twice()

    asyncio.run(play())


def test_one_of_two_hubs_that_is_unplugged_in_a_game_is_told_and_the_game_goes_on(tmp_path):
    """Only its own sensors do not answer, and /health says so; phones play on, with it and without; then all is well."""

    async def play():
        async with Evening(tmp_path, random.Random(6), kind="hub") as table:
            await table.play(0.5)
            assert (await table.health())["problems"] == []
            await asyncio.to_thread(table.hubs["right"].unplug_now)
            await says(table, ["4 of 8 sensors do not answer"])
            assert "the sensor hub right is away: it was unplugged" in table.log
            assert "the sensor hub left is away" not in table.log
            await table.is_playable()
            await asyncio.to_thread(table.hubs["right"].plug_now)
            await says(table, [])
            await table.is_playable()
            table.keeps_everything()
            table.tells_nothing_twice()

    asyncio.run(play())


async def says(table, beginnings):
    """Wait until /health tells of these problems, by their beginnings, and no others."""
    told = None
    for _try in range(100):
        problems = (await table.health()).get("problems")
        if problems is not None:
            pairs = itertools.zip_longest(problems, beginnings, fillvalue="")
            told = [problem[: len(begins)] for problem, begins in pairs]
            if told == beginnings:
                return
        await table.play(0.1)
    assert told == beginnings


def files(folder):
    """Return what the files of a folder hold, by name."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def test_a_table_on_a_read_only_disk_is_tried_again_later(tmp_path):
    """It says which file and why, with the status of what may pass, and has written nothing."""

    async def play():
        async with Evening(tmp_path, random.Random(5), kind="ordinary") as table:
            await table.play(0.5)
            await table.end(signal.SIGKILL)
            before = files(table.folder)
            table.machine.fail(errno.EROFS)
            assert await table.tries_to_open() == 75
            assert "games.db" in table.log
            assert "ead-only" in table.log
            assert files(table.folder) == before
            table.machine.fail()
            await table.start()

    asyncio.run(play())
