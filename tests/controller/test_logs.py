"""Logs are one line an event, for people or as JSON, on standard error."""

import json
import logging
import os
import subprocess
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


def journal_of(file):
    """What systemd says in JOURNAL_STREAM of a file: its device and its inode."""
    found = os.fstat(file.fileno())
    return {"JOURNAL_STREAM": f"{found.st_dev}:{found.st_ino}"}


@pytest.fixture
def journal(tmp_path):
    """A file that stands for systemd's journal."""
    with (tmp_path / "journal").open("w+") as file:
        yield file


@pytest.mark.parametrize("form", ["text", "json"])
def test_in_the_journal_each_line_has_its_priority(journal, monkeypatch, form):
    """An exception's lines are errors, every one; a warning is one, what is usual is none."""
    monkeypatch.setattr("sys.stderr", journal)
    set_up_logs("debug", form, journal_of(journal))
    log = logging.getLogger("hextraction.here")
    log.debug("looked")
    log.info("usual")
    log.warning("odd")
    log.critical("the end")
    try:
        int("oh")
    except ValueError:
        log.exception("bad")

    journal.seek(0)
    first = [line[:3] for line in journal]
    assert first[:4] == ["<7>", "<6>", "<4>", "<2>"]
    assert set(first[4:]) == {"<3>"}
    assert (len(first) > 5) == (form == "text")


def test_on_a_terminal_there_are_no_priorities(capsys):
    """Also where a program was started from a service whose journal is not its own standard error."""
    set_up_logs("info", "text", {"JOURNAL_STREAM": "1:2"})
    logging.getLogger("x").warning("heard")
    assert "<4>" not in capsys.readouterr().err


@pytest.mark.slow
def test_what_a_service_says_of_wrong_settings_is_an_error_in_the_journal(tmp_path):
    """It is no log line; `journalctl -p err` shows it all the same, each line once, and nothing twice."""
    (tmp_path / "wrong.toml").write_text("nonsense = 1\n[table]\nid = 5\n")
    program = "import sys; from hextraction.controller.app import main; sys.exit(main())"
    with (tmp_path / "journal").open("w+") as file:
        command = [sys.executable, "-c", program, "run", "--config", str(tmp_path / "wrong.toml")]
        told = {**os.environ, **journal_of(file)}
        done = subprocess.run(command, stderr=file, check=False, timeout=120, env=told, cwd=tmp_path)
        file.seek(0)
        lines = file.read().splitlines()
    assert done.returncode == 2
    assert lines
    assert all(line.startswith("<3>") and line.count("<3>") == 1 for line in lines)
