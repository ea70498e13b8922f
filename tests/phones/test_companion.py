"""Facts about the whole way from controller over a real Mosquitto to phones, and back."""

import asyncio
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from helpers.companion_table import ask, companion_at, glance_at, hello, state, table, view
from helpers.faults.attackers import connect, frame, websocket
from helpers.ports import free_port
from helpers.waiting import happens
from hextraction.controller.payloads.health import SensorTrouble
from hextraction.controller.payloads.messages import Event, Topics, View
from hextraction.controller.phones.broker import ExternalBroker, PrivateBroker
from hextraction.controller.phones.circles import CIRCLES
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties


@pytest.mark.broker
@pytest.mark.slow
def test_a_phone_joins_says_something_and_is_answered(tmp_path):
    """Join over HTTP, connect with the token, send a command, get the reply and the own view."""

    async def play():
        async with table(tmp_path) as here:
            phone = await here.sit(will=("hextraction/den/player/red/here", b'{"here":false}', 1))
            await phone.subscribe("hextraction/den/status", f"{phone.at}/view", f"{phone.at}/reply")
            phone.client.publish(f"{phone.at}/here", b'{"here":true}', 1)
            phone.client.publish(f"{phone.at}/cmd", json.dumps(hello()), 1)
            await happens(phone.replies)
            here.companion.publish_view("red", view("red"))
            await happens(lambda: "player/red/view" in phone.topics())

            assert phone.replies() == [{"id": "h1", "ok": True, "code": "ok"}]
            assert [(seat, command.hello) for seat, command in here.heard] == [("red", True)]
            assert here.companion.here["red"]
            status = next(json.loads(body) for topic, body, _ in phone.messages if topic.endswith("/status"))
            assert status["state"] == "online"
            _, health = await asyncio.to_thread(ask, here.port, "GET", "/health")
            assert (health["ok"], health["problems"], health["phones"]) == (True, [], 1)
            assert health["load"]["seats"] == 1

    asyncio.run(play())


@pytest.mark.broker
@pytest.mark.slow
def test_a_phone_that_comes_and_goes_without_end_is_told_of_seldom(tmp_path):
    """Fifty changes as fast as they come cost the table a few looks, and the last one is the one that stays."""
    told = []

    async def play():
        async with table(tmp_path, on_table=lambda: told.append(here.companion.here["red"])) as here:
            phone = await here.sit()
            await phone.subscribe(f"{phone.at}/reply")
            told.clear()
            for number in range(50):
                said = json.dumps({"here": number % 2 == 0}).encode()
                phone.client.publish(f"{phone.at}/here", said, 1)
            phone.client.publish(f"{phone.at}/cmd", json.dumps(hello()), 1)
            await happens(phone.replies)
            await happens(lambda: told[-1:] == [False])
            assert len(told) <= 25

    asyncio.run(play())


@pytest.mark.broker
@pytest.mark.slow
def test_the_front_page_has_what_is_public_and_nothing_else(tmp_path):
    """The newest snapshot stands in the HTML as it was published, no private view does."""

    async def play():
        async with table(tmp_path) as here:
            here.companion.publish_view("red", view("red"))
            here.companion.publish_state(state(7))
            seen = await asyncio.to_thread(glance_at, here.port)
            _, session = await asyncio.to_thread(ask, here.port, "GET", "/session")
            assert seen["state"] == json.loads(msgspec.json.encode(state(7)))
            assert (seen["session"], seen["info"]["board"]) == (session, "std22")
            assert seen["table"]["phase"] == "lobby"
            assert "secret of red" not in json.dumps(seen)

    asyncio.run(play())


@pytest.mark.slow
def test_a_broker_that_is_not_there_is_not_waited_for_long(tmp_path):
    """The table opens; phones are told that there is no broker."""

    async def check():
        nowhere = ExternalBroker(host="127.0.0.1", port=free_port())
        async with table(tmp_path, broker=nowhere, opens=False) as here:
            status, _body = await here.join()
            assert await asyncio.to_thread(glance_at, here.port) == {}
        assert status == 503

    asyncio.run(check())


class SmallBroker(PrivateBroker):
    """A broker that takes no large packets, as somebody else's may be."""

    def configuration(self):
        return super().configuration().replace("max_packet_size 65536", "max_packet_size 6000")


@pytest.mark.broker
@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "many"), [(PrivateBroker, 900), (SmallBroker, 90)], ids=["ours", "another's"]
)
def test_a_table_larger_than_the_broker_takes_stops_nobody(tmp_path, kind, many):
    """Phones see it with less in it and are answered, the broker stays, and health says why."""

    async def play():
        async with table(tmp_path, broker=kind(tmp_path / "broker")) as here:
            phone = await here.sit()
            await phone.subscribe("hextraction/den/table", f"{phone.at}/reply")
            lost = tuple(
                SensorTrouble(sensor=f"s{number}", state="lost", why="w" * 80) for number in range(many)
            )
            here.companion.publish_table(msgspec.structs.replace(here.companion.lobby.table({}), health=lost))
            await happens(lambda: any(b"more" in body for _topic, body, _retained in phone.messages))
            phone.client.publish(f"{phone.at}/cmd", json.dumps(hello()), 1)
            await happens(phone.replies)
            _, health = await asyncio.to_thread(ask, here.port, "GET", "/health")

            assert here.companion.counters["connects"] == 1
            assert health["problems"][0].startswith("table is more than the ")

    asyncio.run(play())


def memory_kb(pid):
    """Return how much memory a process holds."""
    told = Path(f"/proc/{pid}/status").read_text()
    return next(int(line.split()[1]) for line in told.splitlines() if line.startswith("VmRSS"))


@pytest.mark.broker
@pytest.mark.slow
def test_strangers_who_come_and_go_leave_nothing_in_the_broker(tmp_path):
    """Whoever asks to have messages kept while away gets no session, so no memory fills with them."""

    async def play():
        async with table(tmp_path) as here:
            _, watcher = await asyncio.to_thread(ask, here.port, "GET", "/session")
            before_kb = memory_kb(here.broker.pid)
            for _visit in range(2):
                strangers = [
                    await here.sit(login=watcher, name=f"stranger{number}", kept_s=86_400)
                    for number in range(12)
                ]
                assert not any(stranger.remembered for stranger in strangers)
                for stranger in strangers:
                    await stranger.subscribe("hextraction/den/event")
                await asyncio.gather(*(asyncio.to_thread(stranger.vanish) for stranger in strangers))
            phone = await here.sit()
            await phone.subscribe("hextraction/den/event")
            for seq in range(40):
                here.companion.publish_event(
                    Event(game="g1", seq=seq, at_us=seq, kind="test", text="x" * 20_000)
                )
            await happens(lambda: len(phone.messages) >= 20)

            assert memory_kb(here.broker.pid) - before_kb < 10_000

    asyncio.run(play())


@pytest.mark.broker
@pytest.mark.slow
@pytest.mark.parametrize("user", ["watch", "nobody"])
def test_wrong_logins_with_large_wills_leave_nothing_in_the_broker(tmp_path, user):
    """Mosquitto 2.0 keeps the will of whoever it turns away: after some thousands it would let nobody in."""

    async def play():
        async with table(tmp_path, circles=replace(CIRCLES, burst_arrivals=10_000)) as here:
            before_kb = memory_kb(here.broker.pid)
            wrong = connect(user, "wrong", "stranger", will=b"w" * 7800)
            for _ in range(400):
                line = await asyncio.to_thread(websocket, here.port, "127.0.0.2")
                line.sendall(frame(wrong))
                assert await asyncio.to_thread(line.recv, 100)
                line.close()

            assert memory_kb(here.broker.pid) - before_kb < 500
            _, health = await asyncio.to_thread(ask, here.port, "GET", "/health")
            assert health["load"]["slowed"] >= 1
            assert "far more than a phone has to say" in health["problems"][0]

    asyncio.run(play())


@pytest.mark.broker
@pytest.mark.slow
def test_a_phone_that_vanishes_without_a_will_is_away(tmp_path):
    """The gate has seen its connection end; that it was the last one of its seat counts, not what it once said."""

    async def play():
        async with table(tmp_path) as here:
            first = await here.sit(name="one")
            _, login = await here.join(code=here.companion.seat_code("red"))
            second = await here.sit(login=login, name="two")
            for phone, word in ((first, "a"), (second, "b")):
                body = json.dumps({"here": True, "phone": word})
                phone.client.publish(f"{first.at}/here", body, 1, retain=True)
            await happens(lambda: here.companion.here["red"])
            await asyncio.to_thread(first.vanish)
            assert here.companion.here["red"]
            await asyncio.to_thread(second.vanish)
            await happens(lambda: not here.companion.here["red"])
            assert here.companion.away_s["red"] < 60

    asyncio.run(play())


@pytest.mark.broker
@pytest.mark.slow
def test_a_phone_that_came_back_stays_when_its_old_connection_ends(tmp_path):
    """The network had swallowed the old one; its last will would say that the phone is away, which is here."""

    async def play():
        async with table(tmp_path) as here:
            _, login = await here.join()
            gone = (f"{login['prefix']}/player/red/here", b'{"here":false,"phone":"a"}', 1, True)
            old = await here.sit(login=login, name="old", will=gone)
            new = await here.sit(login=login, name="new", will=gone)
            for phone in (old, new):
                phone.client.publish(gone[0], b'{"here":true,"phone":"a"}', 1, retain=True)
            await happens(lambda: here.companion.here["red"])
            await asyncio.to_thread(old.vanish)
            await happens(lambda: here.companion.counters["broken"] + here.companion.counters["served"])
            await new.subscribe(f"{new.at}/reply")
            new.client.publish(f"{new.at}/cmd", json.dumps(hello()), 1)
            await happens(new.replies)
            assert here.companion.here["red"]

    asyncio.run(play())


@pytest.mark.broker
@pytest.mark.slow
def test_a_phone_that_sends_flat_out_stops_nobody_else(tmp_path):
    """Twenty thousand commands of one phone wait at the gate while another phone's are all answered."""

    async def play():
        async with table(tmp_path) as here:
            loud, quiet = await here.sit(name="loud"), await here.sit(name="quiet")
            await quiet.subscribe(f"{quiet.at}/reply")
            flood = [json.dumps(hello(f"f{number}")) for number in range(20_000)]
            for body in flood:
                loud.client.publish(f"{loud.at}/cmd", body, 0)
            for number in range(9):
                quiet.client.publish(f"{quiet.at}/cmd", json.dumps(hello(f"q{number}")), 1)
                await happens(lambda number=number: len(quiet.replies()) > number)

            assert [reply["ok"] for reply in quiet.replies()] == [True] * 9
            assert here.companion.counters["held_back"] == 1
            assert here.companion.counters["flood"] < 2000, "the controller had to look at all of them"
            status, health = await asyncio.to_thread(ask, here.port, "GET", "/health")
            assert (status, health["ok"], health["load"]["slowed"]) == (503, False, 1)
            assert "far more than a phone has to say" in health["problems"][0]

    asyncio.run(play())


@pytest.mark.broker
@pytest.mark.slow
def test_nobody_sees_another_seats_hand(tmp_path):
    """Subscribing to everything with a seat's token or as a watcher never shows another seat's view."""

    async def play():
        async with table(tmp_path) as here:
            red, blue, watcher = await here.sit(name="r"), await here.sit(name="b"), await here.watch()
            greedy = (
                "#",
                "hextraction/#",
                "hextraction/den/player/+/view",
                "+/+/+/+/+",
                "$SYS/#",
                "$CONTROL/#",
                "hextraction/den/player/red/view",
                "hextraction/den/+",
                "$share/x/hextraction/den/player/red/view",
            )
            await blue.subscribe(*greedy)
            await watcher.subscribe(*greedy)
            await red.subscribe(f"{red.at}/view", "hextraction/den/event")
            here.companion.publish_view("red", view("red"))
            here.companion.publish_state(state(1))
            here.companion.publish_event(Event(game="g1", seq=1, at_us=1, kind="k", text="t"))
            await happens(lambda: {"player/red/view", "event"} <= red.topics())
            await happens(lambda: "event" in blue.topics() and "event" in watcher.topics())

            for other in (blue, watcher):
                assert not any("player" in topic or topic.startswith("$") for topic in other.topics())
                assert not any(b"secret" in body for _, body, _ in other.messages)
                assert other.grants.count("Not authorized") == 8
            assert any(b"secret of red" in body for _, body, _ in red.messages)
            assert not any(retained for topic, _, retained in red.messages if topic.endswith("/view"))

    asyncio.run(play())


@pytest.mark.broker
@pytest.mark.slow
def test_nobody_speaks_for_another_seat_or_for_the_controller(tmp_path):
    """The broker refuses what a role does not allow: other seats' commands, public topics, the plugin."""

    async def play():
        async with table(tmp_path) as here:
            red, watcher = await here.sit(name="r"), await here.watch()
            codes = Counter()
            red.client.on_publish = lambda _c, _u, _m, code, _p: codes.update([str(code)])
            watcher.client.on_publish = red.client.on_publish
            for topic in ("player/blue/cmd", "player/red/view", "player/red/reply", "state", "status"):
                red.client.publish(f"hextraction/den/{topic}", json.dumps(hello()), 1)
            red.client.publish("$CONTROL/dynamic-security/v1", b"{}", 1)
            watcher.client.publish("hextraction/den/player/red/cmd", json.dumps(hello()), 1)
            await happens(lambda: codes.total() == 7)

            assert codes == {"Not authorized": 7}
            assert here.heard == []

    asyncio.run(play())


@pytest.mark.broker
@pytest.mark.slow
def test_a_retained_command_is_never_carried_out(tmp_path):
    """It is dropped when it is sent, and when the broker repeats it to the controller that comes next."""

    async def play():
        async with table(tmp_path) as here:
            red = await here.sit()
            red.client.publish(f"{red.at}/cmd", json.dumps(hello("old")), 1, retain=True)
            await happens(lambda: here.companion.counters["retained"] == 1)
            again, heard = companion_at(here.broker.address, on_command=lambda *_: heard.append(1)), []
            await again.start()
            await happens(lambda: again.counters["retained"] == 1)
            await again.close()

            assert (here.heard, heard) == ([], [])

    asyncio.run(play())


@pytest.mark.broker
@pytest.mark.slow
def test_bad_commands_are_answered_and_counted(tmp_path):
    """Oversize, broken, repeated and too many commands get their codes over a real broker, and no exception."""

    async def play():
        async with table(tmp_path) as here:
            red = await here.sit()
            await red.subscribe(f"{red.at}/reply")
            wanted = Properties(PacketTypes.PUBLISH)
            wanted.ResponseTopic = "hextraction/den/player/blue/view"
            wanted.CorrelationData = b"x"
            red.client.publish(f"{red.at}/cmd", b"x" * 5000, 1)
            red.client.publish(f"{red.at}/cmd", b"{", 1)
            red.client.publish(f"{red.at}/cmd", json.dumps(hello("once")), 1, properties=wanted)
            red.client.publish(f"{red.at}/cmd", json.dumps(hello("once")), 1)
            for n in range(15):
                red.client.publish(f"{red.at}/cmd", json.dumps(hello(f"n{n}")), 1)
            await happens(lambda: len(red.replies()) == 19)
            counters = here.companion.counters

            codes = Counter(reply["code"] for reply in red.replies())
            assert codes["invalid"] == 2
            assert codes["busy"] >= 1
            assert (counters["oversize"], counters["repeated"], counters["foreign_response"]) == (1, 1, 1)
            assert len([command for _, command in here.heard if command.id == "once"]) == 1

    asyncio.run(play())


@pytest.mark.broker
@pytest.mark.slow
def test_two_phones_of_one_seat_both_work(tmp_path):
    """The seat's own code admits a second phone; same client id, both stay; a revoked seat loses both at once."""

    async def play():
        async with table(tmp_path) as here:
            first = await here.sit(name="same")
            await first.subscribe(f"{first.at}/reply", f"{first.at}/view")
            first.client.publish(f"{first.at}/cmd", json.dumps({"id": "p", "table": {"do": "phone"}}), 1)
            await happens(first.replies)
            status, login = await here.join(code=first.replies()[0]["reason"])
            assert (status, login["seat"]) == (200, "red")
            second = await here.sit(login=login, name="same")
            await second.subscribe(f"{second.at}/view")
            here.companion.publish_view("red", view("red"))
            await happens(lambda: all("player/red/view" in phone.topics() for phone in (first, second)))
            assert not first.down.is_set()
            assert here.companion.lobby.players[0].name == "Anna"

            here.companion.revoke("red")
            await happens(lambda: first.down.is_set() and second.down.is_set())

    asyncio.run(play())


@pytest.mark.broker
@pytest.mark.slow
def test_a_wrong_code_or_a_taken_seat_is_refused_in_words(tmp_path):
    """403 for a wrong code, 409 for a seat whose phone is there or only asleep; freed, it can be taken."""

    async def play():
        async with table(tmp_path) as here:
            status, said_ = await here.join(code="WRONG1")
            assert (status, set(said_)) == (403, {"reason"})
            red = await here.sit()
            red.client.publish(f"{red.at}/here", b'{"here":true}', 1)
            await happens(lambda: here.companion.here["red"])
            status, _ = await here.join(seat="red")
            assert status == 409
            red.client.publish(f"{red.at}/here", b'{"here":false}', 1)
            await happens(lambda: not here.companion.here["red"])
            status, said_ = await here.join(seat="red")
            assert (status, "only asleep" in said_["reason"]) == (409, True)
            here.companion.lobby.freed.add("red")
            status, login = await here.join(seat="red")
            assert (status, login["seat"]) == (200, "red")
            await happens(red.down.is_set)

    asyncio.run(play())


@pytest.mark.broker
@pytest.mark.slow
def test_a_phone_that_asks_again_before_it_came_gets_the_same_seat(tmp_path):
    """Also while the first answer is still made, with a seat's own code too; a guess at its word alone gets nothing."""

    async def play():
        async with table(tmp_path) as here:
            both = await asyncio.gather(here.join(phone="a1"), here.join(phone="a1"))
            assert both == [both[0], both[0]]
            assert both[0][1]["seat"] == "red"
            assert (await here.join(phone="a1", code="WRONG1"))[0] == 403
            assert (await here.join(phone="b2"))[1]["seat"] == "blue"
            assert (await here.join(phone=""))[1]["seat"] != (await here.join(phone=""))[1]["seat"]
            assert await here.join(phone="a1") == both[0]

            red = await here.sit(login=both[0][1])
            code = here.companion.seat_code("red")
            twice = [await here.join(phone="c3", code=code) for _ in range(2)]
            assert twice == [twice[0], twice[0]]
            assert (twice[0][0], twice[0][1]["seat"]) == (200, "red")

            red.client.publish(f"{red.at}/here", b'{"here":true,"phone":"c3"}', 1)
            await happens(lambda: here.companion.here["red"])
            assert (await here.join(phone="c3", code=code))[0] == 403

    asyncio.run(play())


@pytest.mark.broker
@pytest.mark.slow
def test_a_seat_that_was_taken_by_mistake_is_given_back(tmp_path):
    """The phone that had it proves it with its own token; whoever sat down meanwhile is out, and sees no hand."""

    async def play():
        async with table(tmp_path, keep=tmp_path / "seats") as here:
            _status, first = await here.join(seat="red")
            old = await here.sit(login=first)
            old.client.publish(f"{old.at}/here", b'{"here":true}', 1)
            await happens(lambda: here.companion.here["red"])
            old.client.publish(f"{old.at}/here", b'{"here":false}', 1)
            await happens(lambda: not here.companion.here["red"])
            here.companion.lobby.freed.add("red")
            _status, second = await here.join(seat="red")
            new = await here.sit(login=second, name="new")
            await happens(old.down.is_set)

            body = {"user": first["user"], "password": first["password"]}
            wrong = {**body, "password": "x" + first["password"]}
            assert await asyncio.to_thread(ask, here.port, "POST", "/key", body) == (200, {"state": "taken"})
            assert await asyncio.to_thread(ask, here.port, "POST", "/key", wrong) == (
                200,
                {"state": "forgotten"},
            )
            assert (await asyncio.to_thread(ask, here.port, "POST", "/take-back", wrong))[0] == 403
            status, again = await asyncio.to_thread(ask, here.port, "POST", "/take-back", body)
            assert (status, again["seat"]) == (200, "red")
            await happens(new.down.is_set)
            key = {name: again[name] for name in ("user", "password")}
            assert await asyncio.to_thread(ask, here.port, "POST", "/key", key) == (200, {"state": "yours"})
            back = await here.sit(login=again, name="back")
            await back.subscribe(f"{back.at}/view")
            here.companion.publish_view("red", view("red"))
            await happens(lambda: "player/red/view" in back.topics())
            assert "player/red/view" not in new.topics()
            assert "has the seat back" in here.companion.lobby.say
            assert (await asyncio.to_thread(ask, here.port, "POST", "/take-back", body))[0] == 403

    asyncio.run(play())


@pytest.mark.broker
@pytest.mark.slow
def test_a_command_that_fails_in_the_controller_is_answered(tmp_path):
    """An exception in the runtime's handler is ours: the phone hears ``failed``, the companion lives on."""

    def fail(seat, command):
        raise KeyError(seat)

    async def play():
        async with table(tmp_path, on_command=fail) as here:
            red = await here.sit()
            await red.subscribe(f"{red.at}/reply")
            red.client.publish(f"{red.at}/cmd", json.dumps(hello()), 1)
            await happens(red.replies)
            assert red.replies()[0]["code"] == "failed"

    asyncio.run(play())


@pytest.mark.broker
@pytest.mark.slow
def test_tokens_survive_a_restart_of_the_controller(tmp_path):
    """With a file to keep badges in, a phone logs in to the next run with its old token."""

    async def play():
        keep = tmp_path / "badges.json"
        async with table(tmp_path / "one", keep=keep) as here:
            _, login = await here.join()
        assert keep.stat().st_mode & 0o077 == 0
        async with table(tmp_path / "two", keep=keep) as here:
            phone = await here.sit(login=login)
            assert phone.codes == [0]

    asyncio.run(play())


def test_a_board_id_that_makes_a_bad_topic_is_refused():
    """Wildcards, slashes and capitals are no board's id."""
    for bad in ("", "a/b", "#", "+", "Den", "x" * 33):
        with pytest.raises(ValueError, match="board"):
            Topics(bad)


def test_a_view_is_only_private_data_on_a_private_topic():
    """The payload of a view round-trips, and the topic names its seat."""
    assert msgspec.json.decode(msgspec.json.encode(view("red")), type=View).view.seat == "red"
    assert Topics("den").read_seat("hextraction/den/player/red/view") == ("red", "view")
