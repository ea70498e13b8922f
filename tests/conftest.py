"""Options of the test suite."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--update-golden``: write golden files anew instead of comparing with them."""
    parser.addoption("--update-golden", action="store_true", help="write golden files anew")


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    """Whether golden files are to be written."""
    return bool(request.config.getoption("--update-golden"))
