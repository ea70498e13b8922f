"""Foresight: watchers are told the odds before a roll, or while it runs, or never; seats may not read them."""

import asyncio

import pytest
from helpers.simulated import begin, play, table
from hextraction.controller.payloads.messages import Odds, Topics
from hextraction.controller.phones.rights import SeatBook
from hextraction.controller.workshop.foresight import Foresight


def foreseen(made, when, *, until=None):
    """Return what is told as a game stands, and once something holds."""
    told = []
    foresight = Foresight(made.host, told.append, when)

    async def look():
        await foresight.look()
        first = list(told)
        if until is not None:
            assert play(made, until=until)
            await foresight.look()
        return first, told

    return asyncio.run(look())


def test_the_odds_are_told_once_as_long_as_the_board_lies_the_same():
    """Of every ramp, likelihoods that add up to one at most; a second look tells nothing new."""
    made = begin(9)
    told = []
    foresight = Foresight(made.host, told.append, "before")

    async def twice():
        await foresight.look()
        await foresight.look()

    asyncio.run(twice())
    assert len(told) == 1
    assert [one.ramp for one in told[0].ramps] == [ramp.name for ramp in made.host.game.board.ramps]
    for one in told[0].ramps:
        assert 0 <= one.zone <= 1
        assert 0 < sum(one.ends.values()) <= 1.01
        assert list(one.ends.values()) == sorted(one.ends.values(), reverse=True)


def test_who_is_to_move_gets_no_help_if_the_odds_wait_for_the_roll():
    """`rolling`: nothing is told before the ball runs; then it is what the board was like before."""
    first, told = foreseen(begin(9), "rolling", until=lambda runtime: runtime.referee.lies.rolling)
    assert first == []
    assert len(told) == 1
    assert len(told[0].ramps) == 6


@pytest.mark.parametrize("when", ["before", "rolling"])
def test_without_a_game_there_is_nothing_to_tell(when):
    """Nor is anything published at a table that has told nothing."""
    assert foreseen(table(9), when) == ([], [])


def test_switched_off_nothing_is_reckoned():
    """The task ends at once."""
    told = []
    asyncio.run(asyncio.wait_for(Foresight(begin(9).host, told.append, "off").run(), 5))
    assert told == []


def test_only_watchers_may_read_the_odds():
    """The role of a seat has every public topic, and not this one."""
    book = SeatBook(Topics("den"), ["red"])
    readable = {
        role["rolename"]: {
            acl["topic"] for acl in role["acls"] if acl["allow"] and "Receive" in acl["acltype"]
        }
        for role in book.roles()
    }
    assert "hextraction/den/odds" in readable["hextraction-den-watch"]
    assert "hextraction/den/odds" not in readable["hextraction-den-red"]
    assert Odds(game="").ramps == ()


def test_at_a_demonstration_players_may_read_the_odds():
    """The role of a seat has them there as well, and still no other seat's view."""
    book = SeatBook(Topics("den"), ["red", "blue"], open_odds=True)
    (role,) = (role for role in book.roles() if role["rolename"] == "hextraction-den-red")
    readable = {acl["topic"] for acl in role["acls"] if acl["allow"] and "Receive" in acl["acltype"]}
    assert "hextraction/den/odds" in readable
    assert "hextraction/den/player/blue/view" not in readable
