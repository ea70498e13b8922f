"""Nothing is ever sent home: the program talks to whom it is told to talk, and to nobody else.

Python tells of each connection, each datagram, each name that is looked up and each program that is started
(``sys.addaudithook``), whoever in the process does it.
"""

import ipaddress
import json
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.ports import free_port

pytestmark = [pytest.mark.slow, pytest.mark.broker]

WATCHED = """
import json, os, sys
report = os.open(sys.argv.pop(1), os.O_WRONLY | os.O_CREAT | os.O_APPEND)
kinds = {"socket.connect": 1, "socket.sendto": 1, "socket.sendmsg": 1, "socket.getaddrinfo": 0,
         "socket.gethostbyname": 0, "socket.gethostbyaddr": 0, "subprocess.Popen": 0}
def hook(event, args):
    if event in kinds:
        told = args[kinds[event]]
        where = told[0] if isinstance(told, tuple) else told
        os.write(report, (json.dumps([event, str(where)]) + "\\n").encode())
sys.addaudithook(hook)
from hextraction.controller.app import main
sys.exit(main(sys.argv[1:]))
"""


def watched(tmp_path, *words):
    """Run a command to its end; return whom it spoke to or asked about, and the programs that it started."""
    report = tmp_path / "report.jsonl"
    report.touch()
    home = {"HOME": str(tmp_path), "PATH": "/usr/local/sbin:/usr/sbin:/sbin:/usr/local/bin:/usr/bin:/bin"}
    done = subprocess.run(
        [sys.executable, "-c", WATCHED, str(report), *map(str, words)],
        capture_output=True, text=True, check=False, timeout=300, env=home,
    )  # fmt: skip
    seen = [json.loads(line) for line in report.read_text().splitlines()]
    places = {where for event, where in seen if event.startswith("socket.") and not where.startswith("/")}
    return done, places, {Path(where).name for event, where in seen if event == "subprocess.Popen"}


def elsewhere(places):
    """Return what is no address of this machine for itself."""

    def own(place):
        try:
            return ipaddress.ip_address(place).is_loopback
        except ValueError:
            return place in {"localhost", "None", ""}

    return {place for place in places if not own(place)}


def test_a_whole_game_speaks_to_this_machine_alone(tmp_path):
    """Page, phones' broker, bots, journal and history: nobody else is spoken to, looked up or asked for anything."""
    words = ("--games", "1", "--speed", "0", "--seed", "7", "--host", "127.0.0.1", "--port", "0")
    done, places, programs = watched(tmp_path, "demo", *words)

    assert done.returncode == 0, done.stderr
    assert places  # the broker of its own, so that the hook is known to hear
    assert elsewhere(places) == set()
    assert programs <= {"mosquitto", "setpriv"}  # the broker, and what takes root away from it


def test_a_table_with_house_and_webhook_speaks_to_those_that_are_named(tmp_path):
    """The configured addresses are the only other ones, and only they have a reason."""
    (tmp_path / "secret").write_text("a secret\n")
    config = tmp_path / "board.toml"
    config.write_text(
        f'[page]\nhost = "127.0.0.1"\nport = {free_port()}\n'
        f'[house]\nhost = "198.51.100.7"\nport = {free_port()}\n'
        f'[webhook]\nurl = "http://198.51.100.8:{free_port()}/"\nsecret_file = "secret"\n'
        f'[table]\njournal = "games.db"\n'
    )
    done, places, programs = watched(
        tmp_path, "run", "--no-electronics", "--config", config, "--exit-when-ready"
    )

    assert done.returncode == 0, done.stderr
    assert elsewhere(places) <= {"198.51.100.7", "198.51.100.8"}
    assert programs <= {"mosquitto", "setpriv"}  # the broker, and what takes root away from it


def test_a_connection_to_somebody_would_be_seen(tmp_path):
    """The hook hears what the program does elsewhere: here that it logs in at a broker to check a file."""
    config = tmp_path / "board.toml"
    config.write_text(f'[broker]\nhost = "127.0.0.2"\nport = {free_port()}\n')
    _done, places, _programs = watched(tmp_path, "check", config)

    assert "127.0.0.2" in places
