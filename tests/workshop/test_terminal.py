"""Colours and bars are for people who look on; nothing of them gets into a pipe or a file."""

import argparse
import contextlib
import io
import os
import pty
import re
import subprocess
import sys
import termios

import pytest
from helpers.places import ROOT, TESTS
from hextraction.controller.app import main
from hextraction.controller.workshop import terminal
from hextraction.controller.workshop.terminal import Ink, progress, tell, working

SCENARIO = TESTS / "scenarios" / "cards.scenario"
WIRING = ROOT / "wiring" / "bench-demo.toml"
GREEN, RED = "\x1b[32m", "\x1b[31m"


class Screen(io.StringIO):
    """A terminal, as far as a program can tell."""

    def isatty(self):
        return True


def of(color, **_more):
    """Return the options of a run with ``--color``."""
    return argparse.Namespace(color=color)


@pytest.fixture(autouse=True)
def any_terminal(monkeypatch):
    """A terminal with colours, whatever the tests run in."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")


@pytest.mark.parametrize(
    ("color", "stream", "environment", "coloured"),
    [
        ("auto", Screen(), {}, True),
        ("auto", io.StringIO(), {}, False),
        ("auto", Screen(), {"NO_COLOR": "1"}, False),
        ("auto", Screen(), {"NO_COLOR": ""}, True),
        ("auto", Screen(), {"TERM": "dumb"}, False),
        ("always", io.StringIO(), {"NO_COLOR": "1"}, True),
        ("never", Screen(), {}, False),
    ],
)
def test_colours_are_where_they_are_wanted(monkeypatch, color, stream, environment, coloured):
    """On a terminal, unless NO_COLOR is set (to anything) or it knows none; a person's word counts more."""
    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    assert (GREEN in Ink(of(color), stream).good("well")) is coloured


def test_nothing_at_all_is_not_painted():
    """An empty text stays empty: no escape codes alone."""
    assert Ink(of("always"), Screen()).bad("") == ""


@pytest.mark.parametrize(
    ("words", "codes"),
    [
        (("check", str(WIRING)), (GREEN,)),
        (("check", __file__), (RED,)),
        (("scenario", str(SCENARIO)), (GREEN,)),
        (("doctor",), (GREEN,)),
        (("tiles", "nowhere"), ()),
    ],
    ids=lambda one: one[0] if one and isinstance(one[0], str) and one[0].isalpha() else "",
)
def test_a_command_has_colours_only_if_it_shall(capsys, words, codes):
    """Into a pipe none by itself, and all of them by ``--color always``; the words are the same."""
    main([*words])
    plain = capsys.readouterr()
    main([*words, "--color", "always"])
    painted = capsys.readouterr()

    assert "\x1b" not in plain.out + plain.err
    assert all(code in painted.out + painted.err for code in codes)
    bare = re.sub(r"\x1b\[[0-9]+m", "", painted.out)
    assert words_of(bare) == words_of(plain.out)


def words_of(text):
    """Return the words of a text without its numbers: how full a disk is may change meanwhile."""
    return re.sub("[0-9]+", "", text).split()


def test_who_is_not_content_is_named_in_red(capsys):
    """The name of the command, and not the whole sentence."""
    assert main(["replay", "/nowhere.jsonl", "--color", "always"]) == 2
    assert f"{RED}hextraction replay\x1b[0m: /nowhere.jsonl" in capsys.readouterr().err


def test_a_bar_says_how_far_it_is_and_how_long_the_rest_takes():
    """Percent, how many of how many, the time that has gone and the time that is left; then it goes away."""
    screen = Screen()
    with working(4, "games", stream=screen, after_s=0) as done:
        for _game in range(3):
            done(1)
        shown = screen.getvalue()
    assert "0/4 [" in shown
    assert "<" in shown
    assert "games" in shown
    assert screen.getvalue().endswith("\r")


def test_what_is_done_at_once_shows_no_bar():
    """Whoever blinks has missed nothing: a bar comes only once the work has taken two seconds."""
    screen = Screen()
    with working(4, "games", stream=screen) as done:
        done(4)

    assert screen.getvalue() == ""


def test_a_pipe_gets_no_bar_and_needs_no_library(monkeypatch):
    """And each part of the work all the same, in order."""
    monkeypatch.setitem(sys.modules, "tqdm", None)
    pipe = io.StringIO()
    monkeypatch.setattr(sys, "stderr", pipe)

    assert list(progress(iter("abc"), "letters", total=3)) == ["a", "b", "c"]
    assert pipe.getvalue() == ""


def test_facts_are_the_same_in_any_locale(capsys):
    """What is no ASCII is written as JSON does it, and a number that is none as null."""
    tell({"name": "Hex\u2019el", "share": float("nan")})
    assert capsys.readouterr().out == '{\n "name": "Hex\\u2019el",\n "share": null\n}\n'


def on_a_terminal(*words):
    """Run a command whose errors go to a terminal; return what that shows, and its output."""
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 100))
    script = (
        "import sys\nfrom hextraction.controller.workshop import terminal\nterminal._AFTER_S = 0.0\n"
        "from hextraction.controller.app import main\nsys.exit(main(sys.argv[1:]))\n"
    )
    done = subprocess.Popen(
        [sys.executable, "-c", script, *map(str, words)], stdout=subprocess.PIPE, stderr=theirs, text=True
    )
    os.close(theirs)
    shown = bytearray()
    with contextlib.suppress(OSError):  # that is how the end of a terminal reads
        while more := os.read(ours, 65_536):
            shown += more
    os.close(ours)
    return shown.decode("utf-8", "replace"), done.communicate(timeout=120)[0]


@pytest.fixture(scope="module")
def trace(tmp_path_factory):
    """A trace of one simulated roll."""
    path = tmp_path_factory.mktemp("rolls") / "trace.jsonl"
    assert main(["record", "--rolls", "1", str(path)]) == 0
    return path


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "unit"),
    [
        (("study", "--games", "2", "--laid", "22"), "games"),
        (("scenario", SCENARIO), "files"),
        (("check", WIRING), "files"),
        (("doctor",), "lines"),
        (("dataset", "--rolls", "1", "--jobs", "1", "OUT"), "rolls of rich-standard-1-known"),
        (("evaluate", "--scale", "0.01", "--announced", "--jobs", "1"), "conditions"),
        (("record", "--rolls", "1", "OUT"), "rolls"),
        (("calibrate", ROOT / "wiring" / "hub-lean.toml", "TRACE"), "traces"),
        (("track", "TRACE"), "traces"),
        (("plot", "TRACE", "--output", "OUT"), "rolls"),
        (("wiring", "--out", "OUT", WIRING), "builds"),
        (("backup", "--journal", "JOURNAL", "--output", "OUT"), "B/s"),
        (("history", "--journal", "JOURNAL"), "games"),
    ],
    ids=lambda one: one[0] if isinstance(one, tuple) else "",
)
def test_a_long_work_shows_how_far_it_is(tmp_path, trace, words, unit):
    """On a terminal, and never in the output, which may be a pipe."""
    journal = tmp_path / "games.db"
    journal.write_bytes((TESTS / "upgrade" / "0.1.0" / "games.db").read_bytes())
    places = {"TRACE": trace, "OUT": tmp_path / "made", "JOURNAL": journal}
    shown, out = on_a_terminal(*(places.get(word, word) for word in words))

    assert unit in shown
    assert ("<" in shown) is (words[0] != "plot")  # how many rolls a trace has nobody knows before its end
    assert "\r" not in out
    assert terminal._AFTER_S == 2.0
