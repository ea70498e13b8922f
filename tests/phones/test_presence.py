"""Facts about who is there, by what the gate sees of connections, and about the address each is told."""

import asyncio
import json

import pytest
from helpers.companion_table import INFO
from hextraction.controller.payloads.messages import Diag, Evening, Glance, JoinRequest, Topics
from hextraction.controller.phones.badges import Badges
from hextraction.controller.phones.companion import Companion
from hextraction.controller.phones.doorkeeper import GateSettings
from hextraction.controller.phones.inbox import Present
from hextraction.controller.phones.link import Incoming
from hextraction.controller.phones.notices import Notices
from hextraction.controller.phones.rights import SeatBook
from hextraction.controller.table.lobby import Lobby
from hypothesis import given
from hypothesis import strategies as st

OWN = "http://192.168.1.20:8080/"
DIALLED = "http://10.42.0.1:8080/"


class Broker:
    """A link to a broker that does whatever it is asked."""

    online, stalled, refused, left = True, False, "", False

    def __init__(self, admin):
        self.admin, self.not_taken = admin, {}

    def room(self, _topic):
        return 60_000

    def send(self, topic, body):
        answers = {"responses": json.loads(body)["commands"]}
        self.admin.hear(Incoming(topic=topic, payload=json.dumps(answers).encode(), retained=False))
        return True


class Door:
    """Badges of two seats, each with two phones, and how often the table was told that somebody came or went."""

    def __init__(self):
        self.told = 0
        self.now_s = 0.0
        asyncio.get_running_loop().time = lambda: self.now_s
        self.book = SeatBook(Topics("den"), ("red", "blue"))
        self.lobby = Lobby()
        self.badges = Badges(
            self.book,
            self.lobby,
            keep=None,
            address=lambda: OWN,
            show_code=False,
            glance=Glance,
            on_free=lambda _seat: None,
            on_table=self.tell,
        )
        self.users = {seat: [self.book.issue(seat).user for _ in range(2)] for seat in ("red", "blue")}

    def tell(self):
        self.told += 1

    def say(self, seat, here, phone="a"):
        """Let a phone say that it is there, or is not; the table is told as the companion does."""
        if self.badges.note(Present(seat=seat, phone=phone, here=here)):
            self.tell()

    async def open(self):
        """Let people join, after an hour in which nobody came."""
        self.badges.link = Broker(self.badges.admin)
        self.badges.settle()
        await self.badges.opened(1)
        self.now_s += 3600

    async def join(self, name, seat):
        """Ask for a seat, a second later; return why not, or an empty text."""
        self.now_s += 1
        request = JoinRequest(code=self.book.code, name=name, seat=seat)
        return getattr(await self.badges.join(request), "reason", "")


def at_the_door(play):
    """Play at a door of badges."""

    async def whole():
        play(Door())

    asyncio.run(whole())


def test_who_is_there_has_a_connection_and_has_said_so():
    """Either alone is not enough; the last connection takes all words of its seat along."""

    def play(door):
        badges, (one, other) = door.badges, door.users["red"]
        badges.came(one, "")
        assert badges.here == {"red": False, "blue": False}
        door.say("red", here=True)
        badges.came(other, "")
        door.say("red", here=True, phone="b")
        assert (badges.here["red"], badges.away_s["red"], door.told) == (True, 0, 1)
        badges.went(one)
        assert (badges.here["red"], door.told) == (True, 1)
        badges.went(other)
        assert (badges.here["red"], door.told) == (False, 2)
        badges.came(one, "")
        assert (badges.here["red"], door.told) == (False, 2)

    at_the_door(play)


def test_who_has_just_sat_down_keeps_the_seat_until_their_phone_has_come():
    """Two thumbs may want one colour at once: an empty seat has waited for nobody's phone before."""

    async def play():
        door = Door()
        await door.open()
        assert await door.join("Anna", "red") == ""
        assert "only asleep" in await door.join("Ben", "red")
        door.now_s += 300
        assert await door.join("Anna", "red") == ""
        assert "only asleep" in await door.join("Ben", "red")

    asyncio.run(play())


def test_a_seat_that_was_freed_waits_again_once_its_phone_has_come_or_gone():
    """Somebody frees it for as long as that phone is away, not for the rest of the evening."""

    def play(door):
        door.badges.came(door.users["red"][0], "")
        for here in (True, False):
            door.lobby.freed.add("red")
            door.say("red", here=here)
            assert not door.lobby.freed

    at_the_door(play)


def test_a_word_may_come_before_its_connection_is_known_or_after_it_has_gone():
    """What counts in the end is whether there is a connection."""

    def play(door):
        badges, (one, _other) = door.badges, door.users["red"]
        door.say("red", here=True)
        assert (badges.here["red"], door.told) == (False, 0)
        badges.came(one, "")
        assert (badges.here["red"], door.told) == (True, 1)
        badges.went(one)
        door.say("red", here=True)
        assert (badges.here["red"], door.told) == (False, 2)

    at_the_door(play)


def test_connections_of_a_badge_that_is_worth_nothing_any_more_do_not_count():
    """Who has taken the seat meanwhile is not there because the one before still is."""

    def play(door):
        badges, (one, _other) = door.badges, door.users["red"]
        badges.came(one, "")
        door.say("red", here=True)
        badges.revoke("red")
        new = door.book.issue("red").user
        door.say("red", here=True, phone="new")
        assert not badges.here["red"]
        badges.came(new, "")
        assert badges.here["red"]
        badges.went(one)
        assert badges.here["red"]

    at_the_door(play)


STEPS = st.lists(
    st.tuples(
        st.sampled_from(("came", "went", "here", "away")), st.sampled_from(("red", "blue")), st.integers(0, 1)
    ),
    max_size=30,
)


@pytest.mark.slow
@given(steps=STEPS)
def test_nobody_is_there_without_a_connection_and_each_change_is_told(steps):
    """In whatever order connections and words come and go."""

    def play(door):
        lines = {user: 0 for users in door.users.values() for user in users}
        for what, seat, number in steps:
            user, before, told = door.users[seat][number], dict(door.badges.here), door.told
            if what == "came":
                lines[user] += 1
                door.badges.came(user, "")
            elif what == "went" and lines[user]:
                lines[user] -= 1
                door.badges.went(user)
            elif what in {"here", "away"}:
                door.say(seat, here=what == "here", phone=f"{number}")
            assert not door.badges.here[seat] or any(lines[one] for one in door.users[seat])
            assert door.told - told == (dict(door.badges.here) != before)

    at_the_door(play)


def test_each_is_told_the_address_that_they_have_dialled():
    """The code for one more phone is for a neighbour in the same network; whoever dialled none gets the own address."""

    def play(door):
        badges, (one, other) = door.badges, door.users["red"]
        assert badges.page_of("red") == OWN
        badges.came(one, DIALLED)
        assert badges.page_of("red") == DIALLED
        badges.came(other, "")
        assert badges.page_of("red") == OWN
        assert badges.invitation(DIALLED) == DIALLED
        assert badges.invitation("", door.book.code) == f"{OWN}#j={door.book.code}"
        assert badges.invitation(DIALLED, "WRONG123") is None
        notices = Notices(
            badges,
            address=lambda: OWN,
            show_code=False,
            evening=lambda: Evening(events=(), games=()),
            problems=tuple,
            diag=lambda: Diag(values={}),
        )
        assert notices.evening(DIALLED).address == DIALLED
        assert notices.evening("").address == OWN

    at_the_door(play)


@pytest.mark.parametrize(
    ("host", "begins"),
    [("::1", "http://[::1]:"), ("10.42.0.1", "http://10.42.0.1:"), ("den.local", "http://den.local:")],
)
def test_the_table_tells_an_address_that_a_browser_can_open(host, begins):
    """For itself, with the code in it, and for the big screen."""

    async def play():
        companion = Companion(
            board_id="den",
            info=INFO,
            broker=None,
            gate=GateSettings(host=host, port=8080),
            lobby=Lobby(),
            on_command=lambda *_: None,
        )
        for address in (companion.url, companion.join_url, companion.screen_url, companion.page_of("red")):
            assert address.startswith(f"{begins}8080/")

    asyncio.run(play())
