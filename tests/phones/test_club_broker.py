"""Facts about a companion whose broker is killed, frozen, foreign, shared or not there at all."""

import asyncio
import json
import os
import signal

import pytest
from helpers.companion_table import INFO, ask, state, table, view
from helpers.waiting import happens
from hextraction.controller.phones.broker import ExternalBroker, PrivateBroker
from hextraction.controller.phones.companion import Companion
from hextraction.controller.phones.doorkeeper import GateSettings
from hextraction.controller.phones.page_files import Page
from hextraction.controller.phones.payloads.messages import Diag, Event, Reply
from hextraction.controller.table.lobby import Lobby


@pytest.mark.broker
@pytest.mark.slow
def test_the_link_recovers_when_the_broker_is_killed(tmp_path):
    """After ``kill -9`` of the broker: same port and tokens, all retained topics again, the newest state."""

    async def play():
        async with table(tmp_path) as here:
            companion = here.companion
            red = await here.sit()
            companion.publish_state(state(1))
            old = companion._broker.pid
            os.kill(old, signal.SIGKILL)
            await happens(lambda: not companion._link.online)
            for seq in range(2, 40):
                companion.publish_state(state(seq))
            await happens(lambda: companion._link.online, 15)
            red.up.clear()
            await happens(red.client.is_connected, 15)
            await red.subscribe("hextraction/den/+")
            await happens(lambda: {"status", "info", "table", "state"} <= red.topics())
            await happens(lambda: any(b'"seq":39' in body for _, body, _ in red.messages))

            assert companion._broker.pid != old
            assert companion._broker.restarts == 1

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
            os.kill(companion._broker.pid, signal.SIGSTOP)
            try:
                for seq in range(500):
                    companion.publish_diag(Diag(values={"n": seq}))
                    companion.publish_event(Event(game="g", seq=seq, at_us=0, kind="k", text="t"))
                assert companion.counters["dropped"] > 300
            finally:
                os.kill(companion._broker.pid, signal.SIGCONT)
            await happens(lambda: any(b'"n":499' in body for _, body, _ in watcher.messages))

            assert len([1 for topic, _, _ in watcher.messages if topic.endswith("/diag")]) <= 3

    asyncio.run(play())


@pytest.mark.broker
@pytest.mark.slow
def test_a_broker_without_the_plugin_keeps_phones_out(tmp_path):
    """A configured broker that cannot keep hands apart gets the public topics; joining is 503 with a reason."""

    async def play():
        plain = PrivateBroker(tmp_path / "plain")
        plain.configuration = lambda: (
            f"listener {plain._port} 127.0.0.1\nallow_anonymous true\n"
            + ("user root\n" if os.geteuid() == 0 else "")
        )
        await plain.start({})
        where = ExternalBroker(host="127.0.0.1", port=plain._port)
        companion = Companion(
            board_id="den",
            info=INFO,
            broker=where,
            gate=GateSettings(host="127.0.0.1", port=0),
            lobby=Lobby(),
            on_command=lambda *_: None,
            page=Page({}),
        )
        await companion.start()
        try:
            await happens(lambda: companion._link.online)
            body = {"code": companion.join_code}
            status, answer = await asyncio.to_thread(ask, companion._gate.port, "POST", "/join", body)
            assert status == 503
            assert "broker" in answer["reason"]
            status, _ = await asyncio.to_thread(ask, companion._gate.port, "GET", "/session")
            assert status == 503
        finally:
            await companion.close()
            await plain.close()

    asyncio.run(play())


@pytest.mark.broker
@pytest.mark.slow
def test_of_two_controllers_of_one_board_the_later_one_stays(tmp_path):
    """The first leaves for good, the second stays online, and the retained status is the second's."""

    async def play():
        async with table(tmp_path) as here:
            first = here.companion
            second = Companion(
                board_id="den",
                info=INFO,
                broker=first._broker.address,
                gate=GateSettings(host="127.0.0.1", port=0),
                lobby=Lobby(),
                on_command=lambda *_: None,
                page=Page({}),
            )
            watcher = await here.watch()
            await second.start()
            await happens(lambda: first._link.taken_over)
            await happens(lambda: second._link.online)
            await watcher.subscribe("hextraction/den/status")
            await happens(lambda: watcher.messages)
            assert json.loads(watcher.messages[-1][1])["boot"] == second._status.boot
            assert second._link.counters["connects"] == 1
            await second.close()

    asyncio.run(play())


def test_without_a_broker_the_game_goes_on():
    """With no broker everything may be published and nothing is; the page is served, joining is 503."""

    async def play():
        companion = Companion(
            board_id="den",
            info=INFO,
            broker=None,
            gate=GateSettings(host="127.0.0.1", port=0),
            lobby=Lobby(),
            on_command=lambda *_: None,
            page=Page({"index.html": b"<p>"}),
        )
        await companion.start()
        try:
            companion.publish_state(state(1))
            companion.publish_view("red", view("red"))
            companion.publish_event(Event(game="g", seq=1, at_us=1, kind="k", text="t"))
            companion.reply("red", Reply(id="a", ok=True, code="ok"))
            companion.revoke("red")
            status, _ = await asyncio.to_thread(
                ask, companion._gate.port, "POST", "/join", {"code": companion.join_code}
            )
            assert status == 503
            assert companion.url == f"http://127.0.0.1:{companion._gate.port}/"
            assert companion.join_url.endswith(f"#j={companion.join_code}")
        finally:
            await companion.close()

    asyncio.run(play())


def test_a_companion_without_mosquitto_says_how_to_get_it(tmp_path, monkeypatch, caplog):
    """A machine without Mosquitto gets one clear line, and the companion starts all the same."""
    monkeypatch.setattr("hextraction.controller.phones.broker.find_plugin", lambda: None)

    async def play():
        companion = Companion(
            board_id="den",
            info=INFO,
            broker=PrivateBroker(tmp_path),
            gate=GateSettings(host="127.0.0.1", port=0),
            lobby=Lobby(),
            on_command=lambda *_: None,
            page=Page({}),
        )
        await companion.start()
        await companion.close()

    asyncio.run(play())

    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == [
        "no phones: Mosquitto is not installed (apt-get install mosquitto)"
    ]
