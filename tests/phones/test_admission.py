"""Facts about whom the gate lets in: names, origins, rates and crowds. Pure."""

import pytest
from hextraction.controller.phones.admission import Budget, Crowd, Login, Names, Rate, Visitor, group
from hypothesis import given
from hypothesis import strategies as st

NAMES = Names(("localhost", "den", "den.local", "Club.Example"))


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "LOCALHOST:8080",
        "den.local.",
        "den:80",
        "club.example",
        "192.168.1.7:8080",
        "192.168.1.7",
    ],
)
def test_our_own_names_and_the_dialled_address_are_answered(host):
    """Known names, in any case and with any port, and the very address that was dialled."""
    assert NAMES.answers_to(host, "192.168.1.7")


@pytest.mark.parametrize(
    "host",
    [
        "",
        "evil.example",
        "192.168.1.8",
        "localhost.evil.example",
        "a@localhost",
        "localhost/x",
        "localhost:x",
        "[::1",
        "[fe80::1]",
    ],
)
def test_other_names_are_not_answered(host):
    """A name that somebody pointed at us, another address, or a malformed host is refused."""
    assert not NAMES.answers_to(host, "192.168.1.7")


def test_an_address_inside_ipv6_counts_as_itself():
    """A socket that takes both families sees IPv4 addresses in IPv6 clothes."""
    assert NAMES.answers_to("10.0.0.5:8080", "::ffff:10.0.0.5")
    assert NAMES.answers_to("[fe80::1]:8080", "fe80::1%eth0")
    assert not NAMES.answers_to("127.0.0.1%;script-src *", "127.0.0.1")
    assert not NAMES.answers_to("[fe80::1%eth0]", "fe80::1%eth0")
    assert group("::ffff:10.0.0.5") == group("10.0.0.5")
    assert group("2001:db8::1") == group("2001:db8::ffff") != group("2001:db8:0:1::1")


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


def test_a_rate_keeps_a_thousand_keys_at_most():
    """An attacker with many addresses does not fill the memory."""
    rate = Rate(1, 1)
    for n in range(5000):
        rate.take(str(n), 0)

    assert not any(rate.take(str(n), 0) for n in range(4000, 5000))
    assert rate.take("3999", 0), "it is forgotten that this one has had its turn"


def test_strangers_make_room_and_players_stay():
    """At the bound the oldest connection that has not logged in goes; if all have seats, the new one does."""
    gone = []
    crowd = Crowd(most=3, most_per_address=2)
    visitors = [
        Visitor(address, lambda n=n: gone.append(n)) for n, address in enumerate(["a", "a", "a", "b", "c"])
    ]
    visitors[0].login = Login.SEAT

    assert [crowd.enter(visitor) for visitor in visitors] == [True] * 5
    assert gone == [1, 2]
    for visitor in visitors:
        visitor.login = Login.SEAT
    assert not crowd.enter(Visitor("d", lambda: None))
    assert len(crowd) == 3


def test_watchers_make_room_for_whoever_comes_after_those_who_have_not_logged_in():
    """Ten watchers cannot keep a player out, neither from their own address nor from others."""
    gone = []
    crowd = Crowd(most=4, most_per_address=3)
    logins = [Login.WATCHER, Login.SEAT, Login.WATCHER, Login.NONE]
    for n, login in enumerate(logins):
        crowd.enter(Visitor(f"address {n}", lambda n=n: gone.append(n), login))

    assert [crowd.enter(Visitor("new", lambda: None, Login.SEAT)) for _ in range(4)] == [
        True,
        True,
        True,
        False,
    ]
    assert gone == [3, 0, 2]


def test_a_budget_is_a_burst_and_then_a_rate():
    """Who keeps to it never waits; who does not waits as long as what is too much takes."""
    budget = Budget(10, 2)

    assert [budget.spend(5, 0), budget.spend(5, 0)] == [0, 0]
    assert budget.spend(4, 0) == 2
    assert budget.spend(0, 1) == 1
    assert budget.spend(1, 2.5) == 0
    assert budget.spend(10, 1000) == 0
    assert budget.spend(1, 1000) == 0.5


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
