"""``--json``: one spelling, one document a run, of the type that ``docs/commands.md`` shows."""

import argparse
import importlib

import pytest
from helpers import documents as helper
from helpers.places import ROOT, TESTS
from helpers.simulated import begin, play
from hextraction.controller.app import main
from hextraction.controller.app.command_line import command_parser
from hextraction.controller.app.options.commands import NO_FACTS, inner_parsers
from hextraction.controller.play.journal import Journal
from hextraction.controller.workshop.documents import DOCUMENTS

WIRING = ROOT / "wiring" / "hub-lean.toml"
SCENARIO = TESTS / "scenarios" / "cards.scenario"
ELSEWHERE = {
    "hub info": "tests/workshop/bring_up/test_hub.py",
    "host": "tests/app/test_hosting.py",
    "hotspot": "tests/workshop/bring_up/test_hotspot.py",
}
"""Where the document of a command is read that needs more than files."""


def commands():
    """Yield each command with its parser; one that has commands of its own is left out for those."""
    for name, parser in command_parser()[1].parsers.items():
        inner = inner_parsers(parser)
        yield from ((f"{name} {one}", each) for one, each in inner.items()) if inner else ((name, parser),)


def json_option(parser):
    """Return the option ``--json`` of a command, if it has one."""
    return next((one for one in parser._actions if "--json" in one.option_strings), None)


def test_every_command_has_a_document_or_a_reason_why_not():
    """Whoever adds a command decides; with a document it takes ``--json``, without it does not."""
    found = dict(commands())

    assert set(DOCUMENTS) | set(NO_FACTS) == set(found)
    assert set(DOCUMENTS) & set(NO_FACTS) == set()
    assert {name for name, parser in found.items() if json_option(parser)} == set(DOCUMENTS)


def test_json_is_spelled_in_one_way():
    """A flag without a value, with the same words of help, so that nobody has to look it up."""
    options = [option for _name, parser in commands() if (option := json_option(parser))]

    assert {(one.nargs, one.help, tuple(one.option_strings)) for one in options} == {
        (0, options[0].help, ("--json",))
    }
    assert all(isinstance(one, argparse._StoreTrueAction) for one in options)


@pytest.fixture(scope="module")
def journal(tmp_path_factory):
    """The path of a journal with one finished game, and that game as a file."""
    path = tmp_path_factory.mktemp("games") / "games.db"
    table = begin(9, journal=Journal(path))
    assert play(table)
    game = table.host.runtime.game
    table.host.journal.close()
    exported = path.with_suffix(".jsonl")
    assert main(["export", game, "--journal", str(path), "--output", str(exported)]) == 0
    return path, exported


@pytest.fixture(scope="module")
def rolls(tmp_path_factory):
    """A trace of one simulated roll, and a file of two labelled ones."""
    folder = tmp_path_factory.mktemp("rolls")
    assert main(["record", "--rolls", "1", str(folder / "trace.jsonl")]) == 0
    assert main(["dataset", "--rolls", "2", "--jobs", "1", str(folder / "labelled.jsonl")]) == 0
    return folder / "trace.jsonl", folder / "labelled.jsonl"


def words_of(command, tmp_path, journal, rolls):
    """Return a short run of a command that prints a document."""
    path, exported = journal
    trace, labelled = rolls
    packed = tmp_path / "board.tar.gz"
    return {
        "backup": ["--journal", path, "--output", packed],
        "boards": [],
        "calibrate": [WIRING, trace],
        "check": [WIRING, SCENARIO, trace],
        "dataset": ["--rolls", "1", "--jobs", "1", tmp_path / "made.jsonl"],
        "doctor": [],
        "evaluate": [labelled, "--jobs", "1"],
        "export": ["--journal", path],
        "games": [],
        "history": ["--journal", path],
        "perft": ["hextris", "--depth", "2", "--speed"],
        "replay": [exported, "--events", "--state"],
        "restore": [packed],
        "routes": ["--check"],
        "scenario": [SCENARIO],
        "study": ["--games", "1", "--laid", "22", "--tiles", "basic"],
        "tiles": ["blue-shell"],
        "track": [trace],
        "wiring": ["--out", tmp_path / "plans", WIRING],
    }[command]


@pytest.mark.slow
@pytest.mark.parametrize("command", sorted(set(DOCUMENTS) - set(ELSEWHERE)))
def test_a_command_prints_one_document_of_its_type(command, capsys, tmp_path, monkeypatch, journal, rolls):
    """Nothing before it, nothing after it, and no field that its type does not have."""
    monkeypatch.setenv("HOME", str(tmp_path))
    words = [str(word) for word in words_of(command, tmp_path, journal, rolls)]
    if command == "restore":
        assert main(["backup", "--journal", str(journal[0]), "--output", words[0]]) == 0
        capsys.readouterr()
    main([command, *words, "--json"])
    out = capsys.readouterr().out

    assert helper.read(command, out)
    assert out.isascii()


@pytest.mark.parametrize(("command", "file"), ELSEWHERE.items())
def test_the_other_documents_are_read_where_their_commands_are_tested(command, file):
    """The file that is named reads that command's document."""
    assert f'read("{command}"' in (ROOT / file).read_text("utf-8")


@pytest.mark.parametrize("name", DOCUMENTS.values())
def test_a_document_says_what_it_is(name):
    """Each type has a sentence of its own, or is a list or mapping of one that has."""
    module, _, kind = name.rpartition(":")
    found = getattr(importlib.import_module(module or "hextraction.controller.workshop.documents"), kind)
    assert getattr(found, "__args__", (found,))[-1].__doc__.strip()


def test_a_game_is_no_document(capsys):
    """An exported game is JSON Lines as it is, and a list of games only without a name."""
    assert main(["export", "g1", "--json"]) == 2
    assert "--json: only without GAME" in capsys.readouterr().err


@pytest.mark.slow
def test_a_scenario_that_fails_is_in_the_document_and_in_the_status(capsys, tmp_path):
    """What did not come true, and which file could not be read, each with its place."""
    bad = tmp_path / "bad.scenario"
    bad.write_text("nonsense\n")
    assert main(["scenario", str(SCENARIO), str(bad), "--json"]) == 2
    told = helper.read("scenario", capsys.readouterr().out)

    assert told.passed > 0
    assert [line.startswith(f"{bad}:") for line in told.unread] == [True]
