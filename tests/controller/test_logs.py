"""Logs are one line an event, for people or as JSON, on standard error."""

import json
import logging
import sys

import pytest
from hextraction.controller.logs import set_up_logs


@pytest.fixture(autouse=True)
def _restored():
    root = logging.getLogger()
    before = root.handlers[:], root.level
    yield
    root.handlers[:], level = before
    root.setLevel(level)


def test_json_lines_carry_what_was_added_and_the_exception(capsys):
    """Each line is one object with time, level, logger, message, extras and a traceback if there is one."""
    set_up_logs("info", "json")
    logging.getLogger("hextraction.here").info("a %s", "b", extra={"kind": "touch", "at_us": 5})
    try:
        int("oh")
    except ValueError:
        logging.getLogger("hextraction.here").exception("bad")
    first, second = map(json.loads, capsys.readouterr().err.splitlines())
    assert (first["message"], first["level"], first["logger"]) == ("a b", "info", "hextraction.here")
    assert (first["kind"], first["at_us"]) == ("touch", 5)
    assert second["exception"].endswith("'oh'")


def test_text_is_one_line_and_levels_below_are_silent(capsys):
    """A person reads time, level and sentence; what is below the level is not there."""
    set_up_logs("warning", "text")
    logging.getLogger("x").info("unheard")
    logging.getLogger("x").warning("heard")
    (line,) = capsys.readouterr().err.splitlines()
    assert line.split()[1:] == ["WARNING", "heard"]


def test_setting_up_again_replaces_the_handler():
    """A line is never told twice."""
    set_up_logs("info", "text")
    set_up_logs("info", "json")
    (handler,) = logging.getLogger().handlers
    assert handler.stream is sys.stderr


def test_what_json_cannot_hold_becomes_text(capsys):
    """An odd value in an extra field does not lose the line."""
    set_up_logs("info", "json")
    logging.getLogger("x").info("odd", extra={"what": {1, 2}})
    assert json.loads(capsys.readouterr().err)["what"] == "{1, 2}"
