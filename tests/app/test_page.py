"""The page beside a host: what tables that were killed have left behind goes at the next start."""

import asyncio
import json
import tempfile

import pytest
from helpers.companion_table import OpenBroker, ask
from helpers.ports import free_port
from helpers.receiver import receiver
from helpers.simulated import BOARD, table
from hextraction.controller.app.page import claimed, open_page, welcome
from hextraction.controller.app.process import board_info
from hextraction.controller.config import BrokerConfig, PageConfig, WebhookConfig


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """A temporary folder of our own, in which two tables have left their brokers' folders."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    made = [tmp_path / f"hextraction-broker-{name}" for name in ("killed", "alive")]
    for folder in made:
        folder.mkdir()
        (folder / "in-use").touch()
        (folder / "dynamic-security.json").write_text("passwords")
    return made


@pytest.mark.slow
@pytest.mark.broker
def test_the_broker_folder_of_a_killed_table_goes_and_a_living_one_stays(folders):
    """The kernel drops the mark of a process that ends, however it ends."""
    killed, alive = folders
    made = table(3)
    info = board_info(BOARD, electronics=False, simulated=True)

    async def visit():
        page = PageConfig(host="127.0.0.1", port=0)
        async with open_page(made.host, page, board_id="den", info=info, now_us=lambda: 0):
            return killed.exists(), alive.exists()

    with claimed(alive):
        assert asyncio.run(visit()) == (False, True)
    assert (alive / "dynamic-security.json").exists()


@pytest.mark.slow
@pytest.mark.broker
def test_health_is_red_with_what_the_table_says_is_wrong(folders):
    """503 and the words, beside what is wrong with the broker."""
    made = table(3)
    info = board_info(BOARD, electronics=False, simulated=True)
    wrong = []

    async def visit():
        page = PageConfig(host="127.0.0.1", port=0)
        async with open_page(
            made.host, page, board_id="den", info=info, now_us=lambda: 0,
            problems=lambda: wrong,
        ) as companion:  # fmt: skip
            port = int(companion.url.rstrip("/").rpartition(":")[2])
            well = await asyncio.to_thread(ask, port, "GET", "/health")
            wrong.append("12 of 153 sensors do not answer")
            return well, await asyncio.to_thread(ask, port, "GET", "/health")

    (well, _), (ill, told) = asyncio.run(visit())
    assert (well, ill) == (200, 503)
    assert told["problems"] == ["12 of 153 sensors do not answer"]


def welcomed_at(broker):
    """Open the page of a table at somebody's broker; return its welcome."""
    made = table(3)
    info = board_info(BOARD, electronics=False, simulated=True)

    async def visit():
        page = PageConfig(host="127.0.0.1", port=0)
        async with open_page(
            made.host, page, board_id="den", info=info, broker=broker, now_us=lambda: 0
        ) as companion:
            return welcome(companion)

    return asyncio.run(visit())


@pytest.mark.broker
@pytest.mark.slow
def test_a_broker_that_cannot_keep_hands_apart_is_refused_at_the_start(tmp_path):
    """No half table: the words name the broker and what to do."""

    async def opens():
        plain = OpenBroker(tmp_path / "plain")
        await plain.start({})
        try:
            where = BrokerConfig(host="127.0.0.1", port=plain.address.port, user="club")
            with pytest.raises(OSError, match="cannot keep hands secret") as refused:
                await asyncio.to_thread(welcomed_at, where)
            return where, str(refused.value)
        finally:
            await plain.close()

    where, words = asyncio.run(opens())
    assert f"127.0.0.1:{where.port}" in words
    assert "'club'" in words
    assert "leave [broker] out" in words


@pytest.mark.slow
def test_a_welcome_says_when_nobody_can_join():
    """The broker is away: not "The table is open", but why not, and where to look."""
    words = welcomed_at(BrokerConfig(host="127.0.0.1", port=free_port()))
    assert "No phone can join now: the MQTT broker is away" in words
    assert "hextraction doctor" in words
    assert "The table is open" not in words


@pytest.mark.slow
@pytest.mark.broker
def test_what_happens_at_a_table_is_posted_to_its_webhook(folders):
    """A game begins, and whoever was named knows it."""
    made = table(3)
    info = board_info(BOARD, electronics=False, simulated=True)

    async def visit(hook):
        page = PageConfig(host="127.0.0.1", port=0)
        async with open_page(made.host, page, board_id="den", info=info, now_us=lambda: 0, webhook=hook):
            assert made.begin() == []

    with receiver() as (url, wait):
        asyncio.run(visit(WebhookConfig(url=url, secret="hush")))
        posts = wait(1)
    assert [json.loads(body)["event_type"] for _, body in posts] == ["start"]
