"""``/metrics``: what a Prometheus reads of a table, and the dashboard that is drawn from it."""

import asyncio
import json
import re
import shutil
import sys
import urllib.error
import urllib.parse
import urllib.request

import pytest
from helpers.places import ROOT
from helpers.ports import free_port
from helpers.simulated import BOARD, begin, play, state, table
from helpers.tiers import nightly
from helpers.waiting import happens
from hextraction.controller.app.command_line import main
from hextraction.controller.app.page import open_page
from hextraction.controller.app.process import board_info
from hextraction.controller.config import BrokerConfig, PageConfig
from hextraction.controller.games.hextraction.cards.tilebook import load_tiles
from hextraction.controller.payloads.house import News
from hextraction.controller.phones.metrics import Metrics, Numbers
from hextraction.hal.ports import Edge
from prometheus_client.parser import text_string_to_metric_families

DASHBOARD = json.loads((ROOT / "docs" / "grafana" / "hextraction.json").read_text("utf-8"))
QUERIES = [target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"]]
WORD = re.compile(r"\b(?:hextraction|process)_[a-z_]+")


def families(metrics):
    """Return what a Prometheus reads, by the name of each series and its labels."""
    found = text_string_to_metric_families(metrics.text().decode())
    return {
        (sample.name, *sample.labels.values()): sample.value for family in found for sample in family.samples
    }


def metrics(tmp_path, **more):
    """The numbers of a table on a computer that says how warm it is."""
    (tmp_path / "temp").write_text("48312\n")
    return Metrics(version="hextraction 1.0.0", table="den", thermometer=tmp_path / "temp", **more)


def test_what_is_now_is_read_when_somebody_asks(tmp_path):
    """Seats, phase, links, health and coils, each by its name."""
    made = metrics(tmp_path, coils=lambda: {"gate.L1": 0.25})
    made.read = lambda: Numbers(
        game="hexel", phase="playing", seats={"person": 2, "bot": 1}, phones=3, broker=True, house=False,
        problems=1, sensors={"muted": 4}, counters={"joins": 7}, connections={"seats": 2},
    )  # fmt: skip
    told = families(made)

    assert [told["hextraction_phase", one] for one in ("lobby", "playing", "over")] == [0, 1, 0]
    assert [told["hextraction_seats", one] for one in ("person", "bot", "open")] == [2, 1, 0]
    assert (told["hextraction_sensors_unwell", "muted"], told["hextraction_sensors_unwell", "stuck"]) == (
        4,
        0,
    )
    assert told["hextraction_playing", "hexel"] == 1
    assert told["hextraction_coil_spent_ratio", "gate.L1"] == 0.25
    assert told["hextraction_gate_total", "joins"] == 7
    alone = ("phones", "healthy", "problems", "broker_online", "house_online", "computer_celsius")
    assert [told[f"hextraction_{name}",] for name in alone] == [3, 0, 1, 1, 0, 48.312]


def test_what_is_not_there_is_left_out(tmp_path):
    """A table without a house has no broken link to it, and a computer that says nothing is not at 0 °C."""
    made = Metrics(version="x", table="den", thermometer=tmp_path / "none")
    names = {name for name, *_labels in families(made)}

    assert names.isdisjoint(
        {"hextraction_house_online", "hextraction_computer_celsius", "hextraction_playing"}
    )


def test_what_passes_is_counted(tmp_path):
    """Edges by kind of sensor, happenings, and how long commits take."""
    made = metrics(tmp_path)
    for sensor in ("drain.A1", "drain.B2", "ramp.L1"):
        made.edge(sensor)
    made.happened("goal")
    made.committed(0.002)
    told = families(made)

    assert (told["hextraction_edges_total", "drain"], told["hextraction_edges_total", "ramp"]) == (2, 1)
    assert told["hextraction_happenings_total", "goal"] == 1
    assert told["hextraction_commit_seconds_count",] == 1
    assert told["hextraction_commit_seconds_bucket", "0.0025"] == 1


@pytest.mark.slow
def test_a_loop_that_is_late_shows(tmp_path):
    """Twice a second it is looked how late the loop comes round."""

    async def evening():
        made = metrics(tmp_path)
        watching = asyncio.create_task(made.watch_the_loop())
        await happens(lambda: families(made)["hextraction_loop_late_seconds_count",] > 0)
        watching.cancel()

    asyncio.run(evening())


async def fetched(url):
    """Return status, type and text of an address."""

    def ask():
        try:
            with urllib.request.urlopen(url, timeout=30) as answer:  # noqa: S310
                return answer.status, answer.headers["content-type"], answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, "", ""

    return await asyncio.to_thread(ask)


def at_a_table(visit, *, wanted=True, made=None, **more):
    """Open a simulated table with its page; let ``visit(table, companion)`` look at it."""

    async def evening():
        opened = made or table(3)
        info = board_info(BOARD, electronics=True, simulated=True)
        page = PageConfig(host="127.0.0.1", port=0, metrics=wanted)
        async with open_page(
            opened.host, page, board_id="den", info=info, now_us=lambda: 0, **more
        ) as companion:
            return await visit(opened, companion)

    return asyncio.run(evening())


@pytest.mark.slow
@pytest.mark.broker
def test_a_table_serves_its_numbers_where_it_is_asked_to():
    """As text of the version that every Prometheus reads; what happens at the table is counted."""

    async def visit(made, companion):
        made.host.start(0)
        made.host.on_news(News(event_type="win", game="g", seq=1, at_us=0))
        made.host.edge(Edge("drain.A1", True, 1))
        return await fetched(f"{companion.url}metrics")

    status, kind, text = at_a_table(visit)
    assert (status, kind) == (200, "text/plain; version=0.0.4; charset=utf-8")
    assert 'hextraction_phase{phase="playing"} 1.0' in text
    assert 'hextraction_happenings_total{kind="win"} 1.0' in text
    assert 'hextraction_edges_total{kind="drain"} 1.0' in text
    assert "hextraction_commit_seconds_count 0.0" not in text


@pytest.mark.slow
@pytest.mark.broker
def test_nobody_gets_numbers_that_are_not_wanted():
    """They are off by default: there is nothing at that address."""

    async def visit(_made, companion):
        return await fetched(f"{companion.url}metrics")

    assert at_a_table(visit, wanted=False)[0] == 404


@pytest.mark.slow
@pytest.mark.broker
def test_no_hand_and_no_name_is_in_the_numbers():
    """After a whole game neither a tile that somebody had nor what anybody is called stands in them."""

    async def visit(made, companion):
        names = [player.name for player in state(made).players]
        assert play(made)
        return names, (await fetched(f"{companion.url}metrics"))[2]

    names, text = at_a_table(visit, made=begin(9))
    words = [*names, *load_tiles()]
    assert 'hextraction_edges_total{kind="drain"}' in text
    assert len(names) == 3
    assert [word for word in words if f'"{word}"' in text] == []


def test_without_the_library_the_table_says_what_to_install(tmp_path, monkeypatch, capsys):
    """Before anything is opened: status 2 and a sentence."""
    monkeypatch.setitem(sys.modules, "prometheus_client", None)
    config = tmp_path / "board.toml"
    config.write_text("[page]\nmetrics = true\n")
    assert main(["check", str(config)]) == 2
    assert "page.metrics" in capsys.readouterr().out


def test_every_number_of_the_dashboard_is_one_that_we_tell(tmp_path):
    """A panel without a series would stay empty and look as if all were well."""
    made = metrics(tmp_path, coils=lambda: {"gate.L1": 0.5})
    made.read = lambda: Numbers(
        house=True, game="hextraction", connections={"seats": 1}, counters={"joins": 1}
    )
    made.edge("drain.A1")
    told = {name for name, *_labels in families(made)}
    asked = {name for query in QUERIES for name in WORD.findall(query)}

    assert asked - told == set()
    assert len(asked) > 12


def test_the_dashboard_asks_for_one_board_and_one_source():
    """Each query is about the chosen board, and each panel from the chosen Prometheus; ids are told apart."""
    assert all('instance=~"$instance"' in query for query in QUERIES)
    assert {panel["datasource"]["uid"] for panel in DASHBOARD["panels"]} == {"${datasource}"}
    assert len({panel["id"] for panel in DASHBOARD["panels"]}) == len(DASHBOARD["panels"])


@pytest.mark.slow
@pytest.mark.broker
@pytest.mark.skipif(
    shutil.which("prometheus") is None, reason="the Debian package prometheus is not installed"
)
@nightly(
    "starts a Prometheus and waits until it has looked some times",
    meanwhile="test_every_number_of_the_dashboard_is_one_that_we_tell",
)
def test_a_real_prometheus_answers_every_query_of_the_dashboard(tmp_path):
    """It takes what the table tells, and each panel gets at least one series."""
    port = free_port()
    cold = Metrics(version="x", table="den").celsius is None  # a container's computer has no thermometer
    unknown = [query.replace("$instance", ".*") for query in QUERIES if cold and "celsius" in query]

    def asked(query):
        words = urllib.parse.urlencode({"query": query})
        url = f"http://127.0.0.1:{port}/api/v1/query?{words}"
        with urllib.request.urlopen(url, timeout=30) as answer:
            return json.loads(answer.read())

    def left():
        """Return the queries that get no answer yet."""
        plain = (one.replace("$__rate_interval", "30s").replace("$instance", ".*") for one in QUERIES)
        try:
            return [query for query in plain if not asked(query)["data"]["result"]]
        except (urllib.error.URLError, ConnectionError):
            return QUERIES  # it has not opened its port yet

    def goes_on(made):
        """Let something happen at the table; return whether every panel has something to show."""
        made.host.on_edge(Edge("drain.A1", True, 0))
        made.host.journal.on_commit(0.001)
        return left() == unknown

    async def visit(made, companion):
        where = companion.url.removeprefix("http://").rstrip("/")
        config = tmp_path / "prometheus.yml"
        config.write_text(
            "global: {scrape_interval: 1s}\n"
            f"scrape_configs: [{{job_name: hextraction, static_configs: [{{targets: ['{where}']}}]}}]\n"
        )
        words = ("--config.file", config, "--storage.tsdb.path", tmp_path / "data", "--web.listen-address")
        quiet = asyncio.subprocess.DEVNULL
        server = await asyncio.create_subprocess_exec(
            "prometheus", *map(str, words), f"127.0.0.1:{port}", stdout=quiet, stderr=quiet
        )
        try:
            await happens(lambda: goes_on(made), within_s=180.0)
        finally:
            server.terminate()
            await server.wait()

    nobody = BrokerConfig(host="127.0.0.1", port=free_port())
    at_a_table(visit, house=nobody, coils=lambda: {"gate.L1": 0.5})
    assert left() == QUERIES  # the server is gone, so these answers came from it
