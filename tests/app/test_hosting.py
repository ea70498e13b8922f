"""What whoever hosts a table does from the terminal, over a real socket and a real broker."""

import argparse
import asyncio
import socket
import stat

import pytest
from helpers import documents
from helpers.companion_table import ask
from helpers.simulated import BOARD, table
from hextraction.controller.app import hosting
from hextraction.controller.app.command_line import main
from hextraction.controller.app.page import open_page
from hextraction.controller.app.process import board_info
from hextraction.controller.config import PageConfig

pytestmark = pytest.mark.broker


def at_a_table(folder, visit):
    """Open a table whose terminal and phones ``visit(port, code)`` uses, in a thread; return what it returns."""

    async def evening():
        made = table(3)
        info = board_info(BOARD, electronics=False, simulated=True)
        page = PageConfig(host="127.0.0.1", port=0)
        async with (
            open_page(made.host, page, board_id="den", info=info, now_us=lambda: 0) as companion,
            hosting.listening(folder / "games.db", made.host, companion, lambda: 0),
        ):
            port = int(companion.url.rstrip("/").rpartition(":")[2])
            return await asyncio.to_thread(visit, port, companion.join_code)

    return asyncio.run(evening())


def joined(port, code, name, seat="red"):
    """Let somebody join; return the status."""
    return ask(port, "POST", "/join", {"code": code, "name": name, "seat": seat})[0]


@pytest.mark.slow
def test_the_host_sees_who_is_there_and_makes_somebody_leave(tmp_path, capsys):
    """By name, in any case; their phone has no rights any more, and the seat is free."""
    journal = ["--journal", str(tmp_path / "games.db")]

    def visit(port, code):
        assert joined(port, code, "Bo") == 200
        assert main(["host", *journal]) == 0
        before = capsys.readouterr().out
        assert main(["host", "--json", *journal]) == 0
        now = documents.read("host", capsys.readouterr().out)
        assert (now.code, [one.seat for one in now.seats if one.name == "Bo"]) == (code, ["red"])
        assert main(["host", "remove", "bO", *journal]) == 0
        told = capsys.readouterr().out
        assert main(["host", "players", *journal]) == 0
        return before, told, capsys.readouterr().out

    before, told, after = at_a_table(tmp_path, visit)
    assert "join at http://127.0.0.1:" in before
    assert any(line.split()[1:] in (["Bo", "away"], ["Bo", "here"]) for line in before.splitlines()[1:])
    assert told == "Bo has left the table, and their phone can no longer play.\n"
    assert "Bo" not in after


@pytest.mark.slow
def test_a_new_code_makes_the_old_one_void(tmp_path, capsys):
    """Who has only the old one cannot join."""

    def visit(port, code):
        assert main(["host", "new-code", "--journal", str(tmp_path / "games.db")]) == 0
        new = capsys.readouterr().out.split()[-1]
        return new != code, joined(port, code, "Old"), joined(port, new, "New")

    assert at_a_table(tmp_path, visit) == (True, 403, 200)


@pytest.mark.slow
def test_who_is_not_there_cannot_be_removed(tmp_path, capsys):
    """Status 1, and who is there."""

    def visit(port, code):
        assert joined(port, code, "Bo") == 200
        return main(["host", "remove", "Eve", "--journal", str(tmp_path / "games.db")])

    assert at_a_table(tmp_path, visit) == 1
    assert "want one player by name or seat, found 'Eve'; there: Bo (" in capsys.readouterr().err


@pytest.mark.slow
def test_only_the_tables_own_user_reaches_the_socket_and_nonsense_does_no_harm(tmp_path):
    """Mode 0600; what is no request is refused; afterwards the socket is gone."""
    path = tmp_path / "games.host"
    path.touch()  # what a table that was killed has left

    def visit(_port, _code):
        mode = stat.S_IMODE(path.stat().st_mode)
        answers = []
        for words in (b"{}\n", b"\xff\n", b"[" * 4000 + b"\n", b'{"do": "remove", "who": 7}\n'):
            with socket.socket(socket.AF_UNIX) as line:
                line.connect(str(path))
                line.sendall(words)
                answers.append(line.recv(10_000))
        return mode, answers

    mode, answers = at_a_table(tmp_path, visit)
    assert mode == 0o600
    assert all(b"does not understand" in answer for answer in answers)
    assert not path.exists()


@pytest.mark.slow
def test_what_other_threads_make_meanwhile_keeps_its_rights(tmp_path, monkeypatch):
    """The umask is one for all threads: a folder made while it forbids everything could not be entered."""
    changed = []
    monkeypatch.setattr("os.umask", changed.append)

    assert (
        at_a_table(tmp_path, lambda _port, _code: stat.S_IMODE((tmp_path / "games.host").stat().st_mode))
        == 0o600
    )
    assert changed == []


def test_without_a_table_the_terminal_says_where_it_looked(tmp_path, capsys):
    """Status 1, one sentence."""
    options = argparse.Namespace(what="players", who=[], config=None, journal=tmp_path / "games.db")
    assert hosting.run(options) == 1
    assert f"no table is open at {tmp_path / 'games.host'}" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["remove"], ["players", "Bo"]])
def test_words_that_do_not_fit_are_a_mistake(words, capsys):
    """Status 2: what was expected."""
    assert main(["host", *words]) == 2
    assert "want " in capsys.readouterr().err
