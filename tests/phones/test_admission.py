"""Facts about whom the gate lets in: names, origins, rates and crowds. Pure."""

import functools

import pytest
from hextraction.controller.phones.admission import (
    Allowance,
    Budget,
    Crowd,
    Login,
    Names,
    Rate,
    Visitor,
    group,
)
from hextraction.controller.phones.circles import CIRCLES, Circle, Circles
from hextraction.controller.phones.rights import PHONES_PER_SEAT
from hextraction.controller.table.lobby import SEATS
from hypothesis import given
from hypothesis import strategies as st

NAMES = Names("den", ("Club.Example",))


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "LOCALHOST:8080",
        "den.local.",
        "den:80",
        "den-2.local",
        "Den-13.local:8080",
        "club.example",
    ],
)
def test_our_own_names_are_answered(host):
    """In any case and with any port; with a number where another machine of the network has the name already."""
    assert NAMES.answers_to(host)


@pytest.mark.parametrize(
    "host",
    ["192.168.1.7", "192.168.1.7:8080", "172.17.0.1", "127.0.0.1", "[::1]:8080", "[fe80::1]", "[fd00::7]"],
)
def test_any_address_in_digits_is_answered(host):
    """No name server can point it at us; and behind NAT it is none of this machine's own."""
    assert NAMES.answers_to(host)


@pytest.mark.parametrize(
    "host",
    [
        "",
        "evil.example",
        "den.evil.example",
        "den-2",
        "den-2.local.evil.example",
        "den-x.local",
        "den--2.local",
        "denx.local",
        "eden.local",
        "localhost.evil.example",
        "192.168.1.7.evil.example",
        "127.1",
        "0x7f000001",
        "::1",
        "a@localhost",
        "localhost/x",
        "localhost:x",
        "[::1",
        "[fe80::1%eth0]",
        "127.0.0.1%;script-src *",
    ],
)
def test_other_names_are_not_answered(host):
    """A name that somebody pointed at us, what only looks like ours or like an address, a malformed host, a zone."""
    assert not NAMES.answers_to(host)


def test_an_address_inside_ipv6_counts_as_itself():
    """A socket that takes both families sees IPv4 addresses in IPv6 clothes."""
    assert group("::ffff:10.0.0.5") == group("10.0.0.5")
    assert group("2001:db8::1") == group("2001:db8::ffff") != group("2001:db8:0:1::1")
    assert group("fe80::1%eth0") == group("fe80::2%eth0")


@pytest.mark.parametrize(
    ("origin", "host", "ours"),
    [
        (None, "den:8080", True),
        ("http://den:8080", "den:8080", True),
        ("https://den", "den", True),
        ("http://den", "den:80", True),
        ("http://den:8080", "den:8081", False),
        ("http://evil.example", "den:8080", False),
        ("null", "den:8080", False),
        ("file://", "den", False),
        ("", "den", False),
    ],
)
def test_an_origin_is_ours_if_it_is_the_host_that_was_asked(origin, host, ours):
    """Scheme, name and port of the page must be those of the request; no origin at all is no browser."""
    assert NAMES.same_origin(origin, host) is ours


def test_a_rate_lets_a_burst_through_and_then_so_many_a_second():
    """Ten at once, then one each three seconds, for each key alone."""
    rate = Rate(10, 1 / 3)

    assert [rate.take("a", 0) for _ in range(11)] == [True] * 10 + [False]
    assert rate.take("b", 0)
    assert [rate.take("a", 3.01), rate.take("a", 3.02)] == [True, False]


def test_who_comes_too_often_waits_the_longer_the_more_there_are_before():
    """Two at once, then four a second; nobody waits longer than the most, and other addresses not at all."""
    rate = Rate(2, 4)

    assert [rate.wait_s("a", 0.0, 0.6) for _each in range(6)] == [0, 0, 0.25, 0.5, 0.6, 0.6]
    assert rate.wait_s("b", 0.0, 0.6) == 0
    assert rate.wait_s("a", 2.0, 0.6) == 0


def test_a_rate_keeps_a_thousand_keys_at_most():
    """An attacker with many addresses does not fill the memory."""
    rate = Rate(1, 1)
    for n in range(5000):
        rate.take(str(n), 0)

    assert not any(rate.take(str(n), 0) for n in range(4000, 5000))
    assert rate.take("3999", 0), "it is forgotten that this one has had its turn"


def circle(connections, per_address):
    """Return a circle of so many, that may send what it likes."""
    return Circle(
        connections=connections, per_address=per_address,
        burst_messages=10, messages_per_s=2, burst_bytes=100, bytes_per_s=10,
    )  # fmt: skip


class Door:
    """A crowd with room for three strangers (two of one address), two watchers, two seats; who had to go."""

    def __init__(self):
        self.gone = []
        self.crowd = Crowd(Circles(stranger=circle(3, 2), watcher=circle(2, 2), seat=circle(2, 2)))

    def come(self, name, address="a", login=None):
        """Let somebody in, and log them in; return the connection, or None if there was no room."""
        visitor = Visitor(address, lambda: self.gone.append(name))
        self.crowd.enter(visitor)
        return visitor if login is None or self.crowd.log_in(visitor, login) else None


def test_the_oldest_stranger_goes_when_there_are_too_many():
    """First of the same address, then of all."""
    door = Door()
    for name, address in (("1", "a"), ("2", "a"), ("3", "a"), ("4", "b"), ("5", "c")):
        door.come(name, address)
    assert door.gone == ["1", "2"]
    assert len(door.crowd) == 3


def test_watchers_push_out_watchers_and_nobody_else():
    """However many come, a player's phone and a stranger stay."""
    door = Door()
    assert door.come("player", login=Login.SEAT)
    door.come("stranger", "z")
    for name in "12345":
        assert door.come(name, f"address {name}", Login.WATCHER)
    assert door.gone == ["1", "2", "3"]


def test_who_has_a_seat_is_never_dropped():
    """If all room is taken by seats' phones, the new one goes without."""
    door = Door()
    assert door.come("1", "a", Login.SEAT)
    assert door.come("2", "b", Login.SEAT)
    assert door.come("3", "c", Login.SEAT) is None
    assert door.gone == []
    assert [door.crowd.count(login) for login in Login] == [1, 0, 2]


def test_one_phone_takes_nobody_elses_room():
    """However often it comes with its own token, its oldest connections go, and another player's phone comes back."""
    seat = CIRCLES.seat
    crowd, gone = Crowd(CIRCLES), []
    for number in range(3 * seat.connections):
        many = Visitor("a", functools.partial(gone.append, number))
        crowd.enter(many)
        assert crowd.log_in(many, Login.SEAT, "mallory")
    assert gone == list(range(3 * seat.connections - seat.per_user))
    anna = Visitor("a", lambda: gone.append("anna"))
    crowd.enter(anna)
    assert crowd.log_in(anna, Login.SEAT, "anna")
    assert "anna" not in gone


def test_all_phones_of_all_seats_find_room():
    """Six seats with three phones each, each with as many connections as it may have."""
    assert len(SEATS) * PHONES_PER_SEAT * CIRCLES.seat.per_user <= CIRCLES.seat.connections


def test_who_was_dropped_meanwhile_cannot_log_in():
    """The broker's answer may come after the connection had to go."""
    door = Door()
    late = door.come("late")
    door.crowd.leave(late)
    assert not door.crowd.log_in(late, Login.SEAT)


def test_an_allowance_grows_with_the_circle():
    """A stranger's is small; a phone that has logged in gets what a seat may send, less what it has sent."""
    allowance = Allowance(circle(1, 1))
    assert allowance.spend(10, 10, 0) == 0
    allowance.become(
        Circle(
            connections=1, per_address=1, burst_messages=20, messages_per_s=5, burst_bytes=100, bytes_per_s=10
        )
    )
    assert allowance.spend(10, 10, 0) == 0
    assert allowance.spend(5, 10, 0) == 1


def test_a_budget_is_a_burst_and_then_a_rate():
    """Who keeps to it never waits; who does not waits as long as what is too much takes."""
    budget = Budget(10, 2)

    assert [budget.spend(5, 0), budget.spend(5, 0)] == [0, 0]
    assert budget.spend(4, 0) == 2
    assert budget.spend(0, 1) == 1
    assert budget.spend(1, 2.5) == 0
    assert budget.spend(10, 1000) == 0
    assert budget.spend(1, 1000) == 0.5


@pytest.mark.slow
@given(spent=st.lists(st.tuples(st.floats(0, 100), st.floats(0, 10)), max_size=50))
def test_nobody_who_waits_as_told_exceeds_the_budget(spent):
    """Over any time from the start it is at most the burst, the rate times that time, and the last piece."""
    budget, now_s, total = Budget(10, 2), 0.0, 0.0
    for amount, idle_s in spent:
        now_s += idle_s
        total += amount
        wait_s = budget.spend(amount, now_s)
        now_s += wait_s
        assert total <= 10 + 2 * now_s + 1e-6
