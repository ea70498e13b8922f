"""Facts about a companion whose broker is killed, frozen, foreign, shared or not there at all."""

import asyncio
import contextlib
import json
import os
import signal

import pytest
from helpers.companion_table import OpenBroker, ask, companion_at, port_of, state, table, view
from helpers.waiting import happens
from hextraction.controller.payloads.messages import Diag, Event, Reply, Topics
from hextraction.controller.phones.broker import ExternalBroker, PrivateBroker
from hextraction.controller.phones.rights import SeatBook, security_document

HEARS = ("publishClientReceive", "subscribePattern")


@pytest.mark.broker
@pytest.mark.slow
def test_the_link_recovers_when_the_broker_is_killed(tmp_path):
    """After ``kill -9`` of the broker: same port and tokens, all retained topics again, the newest state."""

    async def play():
        async with table(tmp_path) as here:
            companion = here.companion
            red = await here.sit()
            companion.publish_state(state(1))
            old = here.broker.pid
            os.kill(old, signal.SIGKILL)
            await happens(lambda: not companion.online)
            for seq in range(2, 40):
                companion.publish_state(state(seq))
            await happens(lambda: companion.online, 15)
            red.up.clear()
            await happens(red.client.is_connected, 15)
            await red.subscribe("hextraction/den/+")
            await happens(lambda: {"status", "info", "table", "state"} <= red.topics())
            await happens(lambda: any(b'"seq":39' in body for _, body, _ in red.messages))

            assert here.broker.pid != old
            assert here.broker.restarts == 1

    asyncio.run(play())


@pytest.mark.broker
@pytest.mark.slow
def test_a_stopped_broker_holds_nothing_up(tmp_path):
    """While Mosquitto is frozen, publishing returns at once; afterwards the newest snapshot arrives, not all."""

    async def play():
        async with table(tmp_path) as here:
            companion = here.companion
            watcher = await here.watch()
            await watcher.subscribe("hextraction/den/state", "hextraction/den/diag")
            os.kill(here.broker.pid, signal.SIGSTOP)
            try:
                for seq in range(500):
                    companion.publish_diag(Diag(values={"n": seq}))
                    companion.publish_event(Event(game="g", seq=seq, at_us=0, kind="k", text="t"))
                assert companion.counters["dropped"] > 300
            finally:
                os.kill(here.broker.pid, signal.SIGCONT)
            await happens(lambda: any(b'"n":499' in body for _, body, _ in watcher.messages))

            assert len([1 for topic, _, _ in watcher.messages if topic.endswith("/diag")]) <= 3

    asyncio.run(play())


@pytest.mark.broker
@pytest.mark.slow
def test_a_broker_without_the_plugin_keeps_phones_out(tmp_path):
    """A configured broker that cannot keep hands apart gets the public topics; joining is 503 with a reason."""

    async def play():
        plain = OpenBroker(tmp_path / "plain")
        await plain.start({})
        where = ExternalBroker(host="127.0.0.1", port=plain.address.port)
        companion = companion_at(where)
        await companion.start()
        try:
            await happens(lambda: companion.online)
            body = {"code": companion.join_code}
            status, answer = await asyncio.to_thread(ask, port_of(companion), "POST", "/join", body)
            assert status == 503
            assert "broker" in answer["reason"]
            status, _ = await asyncio.to_thread(ask, port_of(companion), "GET", "/session")
            assert status == 503
        finally:
            await companion.close()
            await plain.close()

    asyncio.run(play())


def boot_at(phone, number=-1):
    """Return the boot in one of the statuses that a phone has heard."""
    return json.loads(phone.messages[number][1])["boot"]


@pytest.mark.broker
@pytest.mark.slow
def test_of_two_controllers_of_one_board_the_later_one_stays(tmp_path, caplog):
    """The first leaves for good, the second stays online, and the retained status is the second's."""

    async def play():
        async with table(tmp_path) as here:
            first, second = here.companion, companion_at(here.broker.address)
            early, late = await here.watch(name="early"), await here.watch(name="late")
            await early.subscribe("hextraction/den/status")
            await happens(lambda: early.messages)
            await second.start()
            await happens(lambda: second.online and not first.online)
            assert "another controller of this board is on the broker: this one leaves it" in caplog.messages
            await late.subscribe("hextraction/den/status")
            await happens(lambda: late.messages)
            assert boot_at(late, 0) > boot_at(early, 0)
            await happens(lambda: boot_at(early) == boot_at(late) == boot_at(late, 0))
            assert (first.counters["connects"], second.counters["connects"]) == (1, 1)
            await second.close()

    asyncio.run(play())


def test_without_a_broker_the_game_goes_on():
    """With no broker everything may be published and nothing is; the page is served, joining is 503."""

    async def play():
        companion = companion_at(None)
        await companion.start()
        try:
            companion.publish_state(state(1))
            companion.publish_view("red", view("red"))
            companion.publish_event(Event(game="g", seq=1, at_us=1, kind="k", text="t"))
            companion.reply("red", Reply(id="a", ok=True, code="ok"))
            companion.revoke("red")
            status, _ = await asyncio.to_thread(
                ask, port_of(companion), "POST", "/join", {"code": companion.join_code}
            )
            assert status == 503
            assert companion.url.startswith("http://127.0.0.1:")
            assert companion.join_url.endswith(f"#j={companion.join_code}")
        finally:
            await companion.close()

    asyncio.run(play())


@pytest.mark.broker
@pytest.mark.slow
def test_a_club_broker_that_refuses_us_is_not_one_that_is_away(tmp_path):
    """A wrong password under [broker] is told as one, until it is mended there."""

    async def play():
        async with table(tmp_path) as here:
            where = here.broker.address
            companion = companion_at(
                ExternalBroker(host=where.host, port=where.port, user="controller", password="x")
            )
            await companion.start()
            await happens(lambda: companion.trouble != "the MQTT broker is away: phones wait for it")
            assert companion.trouble.startswith("the MQTT broker turns this table away: nobody can join")
            await companion.close()

    asyncio.run(play())


def as_mosquitto_ctrl_makes_it(document):
    """Return the file that `mosquitto_ctrl dynsec init` writes: its administrator manages users, and says nothing."""
    control = [(kind, "$CONTROL/dynamic-security/#") for kind in ("publishClientSend", *HEARS)]
    acls = [
        *control,
        *((kind, topic) for kind in HEARS for topic in ("$SYS/#", "#")),
        ("unsubscribePattern", "#"),
    ]
    roles = [
        {
            "rolename": "admin",
            "acls": [{"acltype": kind, "topic": topic, "allow": True} for kind, topic in acls],
        }
    ]
    owner = {**document["clients"][0], "roles": [{"rolename": "admin"}]}
    return {**document, "clients": [owner], "roles": roles}


@contextlib.asynccontextmanager
async def club(tmp_path, **more):
    """A club's broker as it is set up by hand, and a table at it."""
    private = PrivateBroker(tmp_path)
    document = as_mosquitto_ctrl_makes_it(security_document(SeatBook(Topics("den"), ()), private.admin))
    await private.start({**document, **more})
    companion = companion_at(private.address)
    await companion.start()
    try:
        yield companion
    finally:
        await companion.close()
        await private.close()


@pytest.mark.broker
@pytest.mark.slow
def test_a_broker_set_up_by_its_own_program_hears_the_table(tmp_path, caplog):
    """Its administrator may say nothing at first: the table lets it, and what it had said is said again."""

    async def play():
        async with club(tmp_path) as companion:
            companion.publish_state(state(7))
            await happens(lambda: companion.online and companion.counters["connects"] >= 2)
            await happens(lambda: not companion.trouble)
            body = {"code": companion.join_code, "name": "Ada"}
            status, badge = await asyncio.to_thread(ask, port_of(companion), "POST", "/join", body)
            assert status == 200, badge

    asyncio.run(play())
    assert any("does not take hextraction/den/" in line for line in caplog.messages)


class WrongBroker(PrivateBroker):
    """A Mosquitto whose configuration is wrong."""

    def configuration(self):
        return "nonsense 7\n"


@pytest.mark.broker
def test_a_broker_that_does_not_start_is_not_one_that_is_missing(tmp_path):
    """Who has Mosquitto is not told to install it, but where to read why it does not start."""

    async def play():
        companion = companion_at(WrongBroker(tmp_path))
        await companion.start()
        trouble = companion.trouble
        await companion.close()
        return trouble

    assert asyncio.run(play()) == "the MQTT broker does not start: nobody can join (the log says why)"


def test_a_companion_without_mosquitto_says_how_to_get_it(tmp_path, caplog):
    """A machine without Mosquitto gets one clear line, and the companion starts all the same."""

    async def play():
        companion = companion_at(PrivateBroker(tmp_path, libraries=tmp_path))
        await companion.start()
        assert "apt-get install mosquitto" in companion.trouble
        await companion.close()

    asyncio.run(play())

    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == [
        "no phones: Mosquitto is not installed (apt-get install mosquitto)"
    ]
