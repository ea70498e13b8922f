"""Facts about this machine's own address, and how addresses are written."""

import json
import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from hextraction.controller.phones.addresses import (
    Interface,
    best,
    interfaces,
    own_address,
    page_address,
    place,
    plain_address,
)
from hypothesis import given
from hypothesis import strategies as st


def card(address, name="eth0", **how):
    """Return an interface with hardware."""
    return Interface(name=name, address=address, **how)


HOTSPOT = card("10.42.0.1", "wlan0")
HOME = card("192.168.1.20", metric=100)
VPN = card("10.8.0.2", "wg0", kind="tunnel", metric=0)
DOCKER = card("172.17.0.1", "docker0", kind="inside", running=False)
ALONE = card("169.254.7.7")
UNPLUGGED = card("192.168.9.9", running=False)
CONTAINER = card("172.17.0.2", kind="other", metric=0)


@pytest.mark.parametrize(
    ("found", "address"),
    [
        ([], None),
        ([HOTSPOT], "10.42.0.1"),
        ([DOCKER, HOTSPOT], "10.42.0.1"),
        ([HOTSPOT, HOME], "192.168.1.20"),
        ([VPN, HOME], "192.168.1.20"),
        ([VPN, HOTSPOT], "10.42.0.1"),
        ([VPN, CONTAINER], "172.17.0.2"),
        ([ALONE, HOTSPOT], "10.42.0.1"),
        ([ALONE, VPN, DOCKER], "169.254.7.7"),
        ([UNPLUGGED, HOTSPOT], "10.42.0.1"),
        ([VPN], "10.8.0.2"),
        ([CONTAINER], "172.17.0.2"),
    ],
)
def test_the_address_is_that_of_the_network_where_phones_are(found, address):
    """Hardware first, whatever routes there are; among equals the one that this machine itself prefers."""
    assert best(found) == best(reversed(found)) == address


def test_a_server_at_one_address_is_reached_there():
    """Only what stands for all addresses is looked up."""
    assert own_address("10.0.0.7") == "10.0.0.7"
    assert own_address("::1") == "::1"
    assert own_address("den.local") == "den.local"
    assert ":" not in own_address("0.0.0.0")
    assert ":" in own_address("::"), "it listens for IPv6 only"


@pytest.mark.parametrize(
    ("host", "port", "address"),
    [
        ("192.168.1.20", 8080, "http://192.168.1.20:8080/"),
        ("::1", 8080, "http://[::1]:8080/"),
        ("fd00::80", 80, "http://[fd00::80]/"),
        ("den.local", 80, "http://den.local/"),
    ],
)
def test_an_address_is_written_as_browsers_want_it(host, port, address):
    """IPv6 stands in brackets, and the port of every page is left out."""
    assert page_address(host, port) == address


@given(address=st.ip_addresses(), port=st.integers(1, 65535))
def test_any_address_can_be_read_back(address, port):
    """Host and port are the same again after they were written."""
    read = urlsplit(page_address(str(address), port))

    assert (plain_address(read.hostname), read.port or 80) == (plain_address(str(address)), port)
    assert f"http://{place(str(address), port)}/".endswith((f":{port}/", f":{port}/"))


def in_a_network(setup, *, host="0.0.0.0"):
    """Return what a machine with this network takes for its own address; it is set up by ``ip`` as root."""
    program = """
        import json, sys
        from hextraction.controller.phones.addresses import interfaces, own_address
        print(json.dumps([own_address(sys.argv[1]), [[one.name, one.kind] for one in interfaces()]]))
    """
    script = f'{_ALONE}{setup}\nexec "$@"'
    words = [sys.executable, "-c", textwrap.dedent(program), host]
    done = subprocess.run([*_UNSHARED, script, "sh", *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


_UNSHARED = ("unshare", "-n", "-m", "sh", "-c")
_ALONE = "set -e\nmount -t sysfs none /sys\nip link set lo up\n"


def may_unshare():
    """Whether networks can be made here."""
    if shutil.which("unshare") is None or shutil.which("ip") is None or os.geteuid():
        return False
    probe = f"{_ALONE}ip link add veth8 type veth peer name veth9; ip link add br9 type bridge"
    return subprocess.run([*_UNSHARED, probe], capture_output=True, check=False).returncode == 0


WIFI = """
ip link add wlan9 type veth peer name phone9
ip addr add 10.42.0.1/24 dev wlan9; ip link set wlan9 up; ip link set phone9 up
"""
TUNNEL = """
ip tuntap add dev tun7 mode tun; ip addr add 10.8.0.2/24 dev tun7; ip link set tun7 up
ip route add default via 10.8.0.1 dev tun7
"""
BRIDGE = "ip link add br9 type bridge; ip addr add 172.17.0.1/16 dev br9; ip link set br9 up"


@pytest.mark.skipif(not may_unshare(), reason="needs root, unshare and ip")
@pytest.mark.slow
def test_a_real_kernel_says_where_the_hotspot_is():
    """Without a way to anywhere, beside a VPN that has the only one, beside a bridge for containers; or with nothing."""
    assert in_a_network(WIFI) == ["10.42.0.1", [["wlan9", "other"]]]
    assert in_a_network("") == ["127.0.0.1", []]
    assert in_a_network(BRIDGE + WIFI) == ["10.42.0.1", [["br9", "inside"], ["wlan9", "other"]]]
    if Path("/dev/net/tun").exists():
        assert in_a_network(TUNNEL + WIFI) == ["10.42.0.1", [["tun7", "tunnel"], ["wlan9", "other"]]]
    assert in_a_network("ip addr add fd00::7/64 dev lo\n" + WIFI, host="::")[0] == "::1"
    six = WIFI + "ip addr add fd00::7/64 dev wlan9 nodad"
    assert in_a_network(six, host="::")[0] == "fd00::7"
    assert in_a_network(six)[0] == "10.42.0.1"


def test_this_machine_is_read_without_an_error():
    """Each address is one, and none is for this machine alone."""
    for one in interfaces():
        found = plain_address(one.address)
        assert found is not None
        assert not found.is_loopback
