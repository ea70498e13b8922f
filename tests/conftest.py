"""Options of the test suite, and the browser that page tests share."""

import gc
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings

# How long an example takes says how busy the machine is, and nothing else.
settings.register_profile(
    "the same each time",
    settings(),
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("explore", settings.get_profile("the same each time"), derandomize=False)
# To tell whether a test fails nobody needs its smallest example.
settings.register_profile(
    "mutants", settings.get_profile("the same each time"), phases=[Phase.explicit, Phase.generate]
)
LONG = ("tests/whole/", "tests/faults/")
settings.load_profile("the same each time")  # `make explore` takes the other one (--hypothesis-profile)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--update-golden``: write golden files anew instead of comparing with them."""
    parser.addoption("--update-golden", action="store_true", help="write golden files anew")


@pytest.hookimpl(tryfirst=True)  # before -m chooses
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the rooms whose tests take longest, so that no worker is left alone with one at the end."""
    for item in items:
        if item.get_closest_marker("nightly"):
            item.add_marker("slow")
    items.sort(key=lambda item: not item.nodeid.startswith(LONG))


def pytest_collection_finish() -> None:
    """Let nobody look for rubbish among ten thousand tests that stay anyway."""
    gc.collect()
    gc.freeze()


DRAWING = "IO loop"
"""The thread of dask's clusters and clients: it draws from Python's global generator as long as it lives."""


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown() -> Iterator[None]:
    """Let no test leave a thread that draws: Hypothesis would find the generator changed in a later test."""
    yield
    left = [thread for thread in threading.enumerate() if thread.name == DRAWING]
    for thread in left:
        thread.join(10)  # a cluster that has been closed lets its thread end
    assert not any(thread.is_alive() for thread in left), (
        "close the dask cluster: its thread draws from `random`"
    )


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    """Whether golden files are to be written."""
    return bool(request.config.getoption("--update-golden"))


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Start Chromium once for a module: the only way that tests start it."""
    from helpers.page.browser import chromium  # noqa: PLC0415 - needs playwright

    with chromium() as started:
        yield started


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Any]:
    """Set a fake table."""
    from helpers.page.fake import FakeTable  # noqa: PLC0415 - needs the broker's client

    with FakeTable(tmp_path) as set_table:
        yield set_table


@pytest.fixture
def visit(browser: Any, table: Any) -> Iterator[Any]:
    """Return a way to open the page at the fake table; at the end nothing may have gone wrong in it."""
    from helpers.page.browser import Visits  # noqa: PLC0415 - needs playwright

    visits = Visits(browser, table)
    yield visits
    visits.close()
    assert visits.wrong == []


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print how long all browser tests took together, with their setting up."""
    reports = [one for some in terminalreporter.stats.values() for one in some if hasattr(one, "keywords")]
    browser = [one for one in reports if "browser" in one.keywords and hasattr(one, "duration")]
    if browser:
        tests = len({one.nodeid for one in browser})
        terminalreporter.write_line(f"{tests} browser tests: {sum(one.duration for one in browser):.0f} s")
