"""Facts about the broker of our own: how it is started, guarded, watched and stopped."""

import asyncio
import contextlib
import os
import re
import resource
import signal
import subprocess
import sys
import textwrap
from pathlib import Path
from types import SimpleNamespace

import pytest
from helpers.faults.attackers import connect
from helpers.waiting import happens
from hextraction.controller.payloads.messages import Topics
from hextraction.controller.phones.broker import (
    BrokerError,
    BrokerMissingError,
    ExternalBroker,
    PrivateBroker,
    _command,
    find_plugin,
)
from hextraction.controller.phones.circles import CIRCLES
from hextraction.controller.phones.dynamic_security import ANSWERS, Admin
from hextraction.controller.phones.link import Link
from hextraction.controller.phones.rights import SeatBook, security_document

BOOK = SeatBook(Topics("den"), ("red", "blue"))


def alive(pid: int) -> bool:
    """Whether a process runs; a zombie does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def command_line(pid: int) -> str:
    """Return what the process list shows."""
    return Path(f"/proc/{pid}/cmdline").read_text()


@contextlib.asynccontextmanager
async def broker(folder, **how):
    """Run a broker."""
    private = PrivateBroker(folder, **how)
    await private.start(security_document(BOOK, private.admin))
    try:
        yield private
    finally:
        await private.close()


def link_to(address, *, heard=None, filters=("hextraction/#",), name="test"):
    """Make a link that keeps what it hears."""
    got = [] if heard is None else heard
    return Link(
        address,
        client_id=lambda: name,
        will=("hextraction/den/status", b"gone"),
        filters=filters,
        on_message=got.append,
    )


def test_the_plugin_is_found_whatever_the_architecture(tmp_path):
    """Debian's library folders have the machine's name in them."""
    for triplet in ("aarch64-linux-gnu", "arm-linux-gnueabihf", "x86_64-linux-gnu"):
        place = tmp_path / triplet / "lib" / triplet
        place.mkdir(parents=True)
        (place / "mosquitto_dynamic_security.so").touch()

        assert find_plugin(tmp_path / triplet) == place / "mosquitto_dynamic_security.so"
    assert find_plugin(tmp_path / "nowhere") is None


@pytest.mark.parametrize(
    "place",
    [
        "opt/homebrew/lib/mosquitto_dynamic_security.so",
        "opt/homebrew/opt/mosquitto/lib/mosquitto_dynamic_security.dylib",
        "usr/local/opt/mosquitto/lib/mosquitto_dynamic_security.so",
        "usr/local/lib/mosquitto_dynamic_security.dylib",
    ],
)
def test_the_plugin_is_found_where_homebrew_puts_it(tmp_path, place):
    """On a Mac, whichever processor it has and whether Homebrew has linked it."""
    (tmp_path / place).parent.mkdir(parents=True)
    (tmp_path / place).touch()
    assert find_plugin(tmp_path / "usr") == tmp_path / place


def test_a_mac_starts_its_mosquitto_without_what_only_linux_has(tmp_path, monkeypatch, caplog):
    """Neither setpriv nor prlimit is there, and nobody is told to install them."""
    (tmp_path / "mosquitto").touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    for platform, warned in (("darwin", False), ("linux", True)):
        monkeypatch.setattr("sys.platform", platform)
        assert _command(tmp_path / "plugin.so") == [str(tmp_path / "mosquitto"), "-c", "mosquitto.conf"]
        assert ("util-linux" in caplog.text) is warned


def test_the_configuration_listens_on_loopback_and_has_its_limits(tmp_path):
    """Nobody from outside, nobody without a password, no delay, no endless queues, nothing on disk."""
    lines = PrivateBroker(tmp_path).configuration().splitlines()

    assert any(line.startswith("listener ") and line.endswith(" 127.0.0.1") for line in lines)
    assert {
        "allow_anonymous false",
        "persistence false",
        "set_tcp_nodelay true",
        "max_packet_size 65536",
        "max_queued_messages 200",
        "max_keepalive 120",
    } <= set(lines)


def test_the_broker_has_room_for_all_that_the_gate_lets_in(tmp_path):
    """Else watchers fill it, and the gate cannot make room for a player or for the controller itself."""
    lines = PrivateBroker(tmp_path).configuration().splitlines()
    most = next(int(line.split()[1]) for line in lines if line.startswith("max_connections "))

    assert most > CIRCLES.connections + 1


def test_the_broker_that_has_hands_knows_no_other(tmp_path):
    """Mosquitto applies no rights to a bridge: whoever is at its other end could say and read everything."""
    keys = {line.split()[0] for line in PrivateBroker(tmp_path).configuration().splitlines()}

    assert keys.isdisjoint({"connection", "address", "addresses", "topic", "include_dir"})
    assert not any(key.startswith("bridge") for key in keys)


def test_without_mosquitto_the_error_says_what_to_install(tmp_path):
    """One line that a stranger can act on."""
    with pytest.raises(BrokerMissingError, match="apt-get install mosquitto"):
        asyncio.run(PrivateBroker(tmp_path, libraries=tmp_path).start({}))


def test_passwords_are_not_shown():
    """Neither a broker's password nor ours appears where it is printed."""
    assert "hunter2" not in repr(ExternalBroker(host="h", password="hunter2"))


@pytest.mark.broker
@pytest.mark.slow
def test_it_starts_guarded_and_stops(tmp_path):
    """It runs in a folder that only we can read, takes our login only, and is gone after close."""

    async def play():
        async with broker(tmp_path / "b") as private:
            pid = private.pid
            assert alive(pid)
            assert (tmp_path / "b").stat().st_mode & 0o077 == 0
            assert all(file.stat().st_mode & 0o077 == 0 for file in (tmp_path / "b").iterdir())
            assert private.admin.token not in command_line(pid)
            link = link_to(private.address)
            link.start()
            await happens(lambda: link.online)
            stranger = link_to(ExternalBroker(host="127.0.0.1", port=private.address.port), name="x")
            stranger.start()
            await happens(lambda: stranger.counters["connect_refused"] == 1)
            await link.close()
            await stranger.close()
        assert not alive(pid)
        assert private.pid is None

    asyncio.run(play())


@pytest.mark.broker
@pytest.mark.slow
def test_it_is_started_again_with_the_same_port_and_credentials(tmp_path):
    """Killed twice, it comes back twice; what the plugin learnt meanwhile is still known."""

    async def play():
        async with broker(tmp_path) as private:
            address = private.address
            for restarts in (1, 2):
                old = private.pid
                os.kill(old, signal.SIGKILL)
                await happens(lambda old=old: private.pid not in {None, old} and private.restarts == restarts)  # noqa: B023
                assert private.address == address
            link = link_to(private.address)
            link.start()
            await happens(lambda: link.online)
            await link.close()

    asyncio.run(play())


async def refused_with_a_will(port, size):
    """Log in at the broker itself with a wrong password and a last will; return whether it answered at all."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(connect("watch", "wrong", "stranger", will=b"w" * size))
        return bool(await reader.read(10))
    except ConnectionError:
        return False
    finally:
        writer.close()


def data_used(pid):
    """Return how many bytes of memory of its own a process has."""
    return int(re.search(r"VmData:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())[1]) * 1024


async def full(private):
    """Take from a broker all memory that it may have, but for a little, and fill that by what it never frees."""
    used = data_used(private.pid)
    resource.prlimit(private.pid, resource.RLIMIT_DATA, (used, used))
    for size in (60_000, 8_000, 1_000, 100, 10):
        in_vain = 0
        while in_vain < 3 and private.restarts == 0:
            in_vain = 0 if await refused_with_a_will(private.address.port, size) else in_vain + 1


@pytest.mark.broker
@pytest.mark.slow
def test_one_that_lives_but_lets_nobody_in_is_started_again(tmp_path, caplog):
    """Whether it stands at its memory limit or does not know us any more; the log says so, and the link is back."""

    async def play():
        async with broker(tmp_path / "b") as private:
            link = link_to(private.address)
            link.start()
            await happens(lambda: link.online)
            assert private.troubles == ()
            old = private.pid
            await full(private)
            await happens(lambda: private.restarts == 1 and private.pid not in {None, old}, 10)
            assert private.troubles == ("the MQTT broker lived but let nobody in, so it was started again",)
            await happens(lambda: link.counters["connects"] == 2 and link.online, 10)
            await link.close()

    asyncio.run(play())
    assert any(
        "the broker lives but lets nobody in" in record.getMessage()
        for record in caplog.records
        if record.levelname == "ERROR"
    )


@pytest.mark.broker
@pytest.mark.slow
def test_one_that_is_only_slow_is_left_alone(tmp_path):
    """It stands still for as long as a busy machine may let it, and is the same afterwards."""

    async def play():
        async with broker(tmp_path / "b", patience_s=0.2) as private:
            old = private.pid
            os.kill(old, signal.SIGSTOP)
            await happens(lambda: private.in_vain == 1)
            os.kill(old, signal.SIGCONT)
            await happens(lambda: private.in_vain == 0)
            assert (private.pid, private.restarts) == (old, 0)

    asyncio.run(play())


@pytest.mark.broker
@pytest.mark.slow
def test_one_that_stands_still_for_good_is_started_again(tmp_path):
    """It cannot even be asked to end."""

    async def play():
        async with broker(tmp_path / "b", patience_s=0.2) as private:
            old = private.pid
            os.kill(old, signal.SIGSTOP)
            await happens(lambda: private.restarts == 1 and private.pid not in {None, old})
            assert not alive(old)
            await happens(lambda: private.troubles)

    asyncio.run(play())


@pytest.mark.broker
@pytest.mark.slow
def test_it_dies_with_a_controller_that_is_killed(tmp_path):
    """``kill -9`` of the process that started it leaves no orphan."""
    program = textwrap.dedent(
        """
        import asyncio, pathlib, sys
        from hextraction.controller.phones.broker import PrivateBroker
        from hextraction.controller.payloads.messages import Topics
        from hextraction.controller.phones.rights import SeatBook, security_document
        async def run():
            private = PrivateBroker(pathlib.Path(sys.argv[1]))
            await private.start(security_document(SeatBook(Topics("den"), ()), private.admin))
            print(private.pid, flush=True)
            await asyncio.Event().wait()
        asyncio.run(run())
        """
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, tmp_path / "b"], stdout=subprocess.PIPE, text=True
    ) as parent:
        pid = int(parent.stdout.readline())
        assert alive(pid)
        parent.kill()

    asyncio.run(happens(lambda: not alive(pid)))


@pytest.mark.broker
def test_a_taken_port_is_avoided(tmp_path):
    """If another program took the port meanwhile, the first start takes another one."""

    async def play():
        private = PrivateBroker(tmp_path)
        squatter = await asyncio.start_server(lambda _r, w: w.close(), "127.0.0.1", private.address.port)
        taken = private.address.port
        try:
            await private.start(security_document(BOOK, private.admin))
            link = link_to(private.address)
            link.start()
            await happens(lambda: link.online)
            await link.close()
        finally:
            await private.close()
            squatter.close()
        assert private.address.port != taken

    asyncio.run(play())


@pytest.mark.broker
def test_a_broker_that_cannot_start_says_why(tmp_path):
    """Its own last words are in the error, and no process is left."""

    async def play():
        private = PrivateBroker(tmp_path)
        private.configuration = lambda: "nonsense 7\n"
        with pytest.raises(BrokerError, match="nonsense"):
            await private.start({})
        assert private.pid is None

    asyncio.run(play())


def data_limit(pid):
    """Return how much memory the kernel allows a process."""
    return int(re.search(r"Max data size +(\d+) ", Path(f"/proc/{pid}/limits").read_text())[1])


@pytest.mark.broker
@pytest.mark.slow
def test_seats_that_are_given_and_taken_many_times_do_not_cost_the_broker_its_memory(tmp_path):
    """Mosquitto 2.0 counts deleted clients wrongly: with a limit of its own it would throw us out after three."""

    async def play():
        async with broker(tmp_path) as private:
            admin = Admin()
            link = link_to(
                private.address, heard=SimpleNamespace(append=admin.hear), filters=(ANSWERS,), name="c"
            )
            link.start()
            await happens(lambda: link.online)
            for number in range(60):
                badge = BOOK.issue("red")
                assert await admin.ask(link, [BOOK.enrol(badge)]) == [], number
                assert await admin.ask(link, [BOOK.expel(badge.user)]) == [], number
                BOOK.revoke([badge])
            assert link.counters["connects"] == 1
            assert data_limit(private.pid) == 128 * 1024 * 1024
            await link.close()

    asyncio.run(play())
