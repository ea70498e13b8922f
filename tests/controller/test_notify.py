"""What systemd hears from the service."""

import os
import socket
from pathlib import Path

import pytest
from hextraction.controller.notify import Supervisor


@pytest.fixture
def systemd(tmp_path: Path):
    """A socket where systemd would listen, and its address."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(tmp_path / "notify"))
        listening.settimeout(1)
        yield listening


def heard(systemd) -> str:
    """Return the next datagram."""
    return systemd.recv(1000).decode()


def test_ready_comes_with_a_status(systemd) -> None:
    """Type=notify waits for READY=1; the status line is what people read."""
    Supervisor({"NOTIFY_SOCKET": systemd.getsockname()}).ready("Open.")
    assert heard(systemd) == "READY=1\nSTATUS=Open."


@pytest.mark.slow
def test_a_status_of_several_lines_is_one_word_to_systemd(systemd) -> None:
    """Each line would be a word of its own: a board's title could name another process as the main one."""
    Supervisor({"NOTIFY_SOCKET": systemd.getsockname()}).ready("Open: my\nMAINPID=1 board")
    assert heard(systemd) == "READY=1\nSTATUS=Open: my MAINPID=1 board"


def test_the_watchdog_is_fed_four_times_a_period(systemd) -> None:
    """However often the loop turns, one datagram a quarter period goes out."""
    supervisor = Supervisor({"NOTIFY_SOCKET": systemd.getsockname(), "WATCHDOG_USEC": "8000000"})
    for now_us in range(0, 8_000_000, 50_000):
        supervisor.alive(now_us)
    supervisor.stopping()
    assert [heard(systemd) for _ in range(5)][:4] == ["WATCHDOG=1"] * 4
    systemd.setblocking(False)
    with pytest.raises(BlockingIOError):
        heard(systemd)


def test_another_processes_watchdog_is_not_fed(systemd) -> None:
    """WATCHDOG_PID names the process that must feed it."""
    words = {"NOTIFY_SOCKET": systemd.getsockname(), "WATCHDOG_USEC": "8000000"}
    Supervisor({**words, "WATCHDOG_PID": "1"}).alive(1)
    Supervisor({**words, "WATCHDOG_PID": str(os.getpid())}).alive(1)
    Supervisor({**words}).stopping()
    assert [heard(systemd), heard(systemd)] == ["WATCHDOG=1", "STOPPING=1\nSTATUS=Stopping: outputs off."]


def test_an_abstract_socket_is_found() -> None:
    """Abstract names: systemd writes the first byte, a null, as @."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(f"\0hextraction-test-{os.getpid()}")
        listening.settimeout(1)
        Supervisor({"NOTIFY_SOCKET": f"@hextraction-test-{os.getpid()}"}).ready("Open.")
        assert heard(listening).startswith("READY=1")


@pytest.mark.parametrize("socket_name", ["", "/nowhere/at/all"])
def test_nobody_listening_is_no_mistake(socket_name: str) -> None:
    """On a terminal there is no socket, and one that is gone stops no game."""
    supervisor = Supervisor({"NOTIFY_SOCKET": socket_name, "WATCHDOG_USEC": "1000000"})
    supervisor.ready("Open.")
    supervisor.alive(5)
    supervisor.stopping()


def test_children_do_not_speak_for_the_service(systemd) -> None:
    """A broker started later finds no socket: with it, Mosquitto would tell systemd that it is ready."""
    environment = {
        "NOTIFY_SOCKET": systemd.getsockname(),
        "WATCHDOG_USEC": "1",
        "WATCHDOG_PID": "1",
        "PATH": "/bin",
    }
    Supervisor(environment).ready("Open.")
    assert environment == {"PATH": "/bin"}
    assert heard(systemd).startswith("READY=1")
