"""A stranger without a code does their worst to a whole table, with a real Mosquitto and a hub; people play on."""

import asyncio

import pytest
from helpers.companion_table import ask

from bench.attacks import HubTable, attacked
from bench.tables import percentile

pytestmark = [pytest.mark.slow, pytest.mark.broker]

ATTACKS = (
    "websocket pings",
    "pongs that nobody asked for",
    "empty frames",
    "empty fragments",
    "acknowledgements packed into frames",
    "wrong passwords with large wills",
    "logins that leave in the same breath",
    "a mixture",
)
EDGE_MS, ANSWER_MS, BACK_S = 100, 2_000, 5
USUAL = 75
"""Beside other tests a machine stands still by itself now and then; the benchmark says how late the latest was."""


async def is_told(table):
    """Wait until /health says that somebody sends too much."""
    async with asyncio.timeout(60):
        while True:
            status, health = await asyncio.to_thread(ask, table.port, "GET", "/health")
            if any("far more than a phone has to say" in problem for problem in health["problems"]):
                return status
            await asyncio.sleep(0.05)


def test_nobody_without_a_code_stops_a_table(tmp_path):
    """By whatever they send: a ball is seen and a phone answered as on any evening, /health says it, nothing fails."""

    async def play():
        table = HubTable(tmp_path)
        async with table.open():
            await table.notice(0.5)
            for name in ATTACKS:
                told = asyncio.create_task(is_told(table))
                noticed, back_s, _ = await attacked(table, name, 1.0)
                assert percentile(noticed.edges, USUAL) < EDGE_MS, name
                assert max(noticed.answers) < ANSWER_MS, name
                assert back_s < BACK_S, name
                assert await told == 503
        assert "Traceback" not in table.log
        assert "starting it again" not in table.log

    asyncio.run(play())
