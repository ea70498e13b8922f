"""On a break a simulated table shows what is new, though no time passes in its game."""

import asyncio

import pytest
from helpers.audience import Phones
from helpers.simulated import begin, play, table
from hextraction.controller.payloads.messages import Command
from hextraction.controller.table.lobby import SEATS

pytestmark = pytest.mark.slow

SEAT = SEATS[0]


@pytest.fixture
def lasts(monkeypatch):
    """Return a way to let a table be on its break for a moment."""

    def a_moment(made):
        done = asyncio.Event()

        async def no_wait(_seconds):
            done.set()

        monkeypatch.setattr(asyncio, "sleep", no_wait)
        asyncio.run(made.until(done))

    return a_moment


def interrupted():
    """Return a table in the middle of a game, with a person at it who has asked for a break."""
    made = begin(3)
    made.host.audience = Phones()
    made.host.lobby.join("Ada", SEAT, {})
    assert play(made, until=lambda runtime: runtime.standing.turn == 2, show_every=1)
    made.host.command(SEAT, Command(id="a", table={"do": "pause"}), made.devices.clock.now_us())
    return made


def test_the_break_itself_is_shown(lasts):
    """Everybody sees at once that the table is on a break."""
    made = interrupted()
    lasts(made)
    assert made.host.audience.states[-1].view.paused


def test_whoever_comes_to_a_table_that_was_taken_up_on_a_break_sees_its_board(lasts):
    """The board is there before anybody goes on, and the seat sees its hand."""
    was = interrupted()
    again = table(3, journal=was.host.journal)
    again.resume(was.host.runtime.game)
    again.host.audience = Phones()
    again.host.lobby.join("Ada", SEAT, {})
    again.host.seats_changed(again.devices.clock.now_us())
    lasts(again)
    assert again.host.audience.states[-1].view.paused
    assert [seat for seat, _view in again.host.audience.views] == [SEAT]
