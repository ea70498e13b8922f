"""``hextraction hotspot``: turn the Pi into a Wi-Fi access point where there is no Wi-Fi, and back again.

NetworkManager does the work; we write one connection file, readable only by root, so that the password
appears on no command line. Each step is an ``nmcli`` command, given as a list.
"""

import argparse
import io
import os
import re
import secrets
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import segno
from hextraction.controller.config import ControllerConfig, read_config
from hextraction.controller.phones.addresses import page_address
from hextraction.controller.workshop.documents import HotspotNow
from hextraction.controller.workshop.terminal import tell
from segno import helpers

__all__ = ["Hotspot", "HotspotError", "Network", "connection_text", "default_name", "join_text", "run"]

NAME: Final = "hextraction-hotspot"
_FOLDER: Final = Path("/etc/NetworkManager/system-connections")
_INSTALLED: Final = Path("/etc/hextraction/hextraction.toml")
_ADDRESS: Final = "10.42.0.1"
_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
_PATIENCE_S: Final = 60
_LONGEST_NAME: Final = 32
"""Wi-Fi knows no longer one; a board's id alone may be as long."""
_NO_WIFI: Final = (
    "no Wi-Fi device is free: want one that NetworkManager looks after; set the country with raspi-config, "
    "then: nmcli device"
)

Run = Callable[[Sequence[str]], tuple[int, str]]


class HotspotError(RuntimeError):
    """A step failed; the message says what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hotspot:
    """A Wi-Fi access point. ``always``: it also starts at boot if no known network is in range."""

    ssid: str
    password: str
    always: bool = False


def connection_text(hotspot: Hotspot, device: str) -> str:
    """Return NetworkManager's file for a hotspot: WPA2, with the Pi as DHCP server."""
    at_boot = "true" if hotspot.always else "false"
    return f"""[connection]
id={NAME}
type=wifi
interface-name={device}
autoconnect={at_boot}
autoconnect-priority=-10

[wifi]
mode=ap
band=bg
ssid={hotspot.ssid}

[wifi-security]
key-mgmt=wpa-psk
proto=rsn
pairwise=ccmp
group=ccmp
psk={hotspot.password}

[ipv4]
method=shared
address1={_ADDRESS}/24

[ipv6]
method=disabled
"""


def join_text(hotspot: Hotspot, port: int) -> str:
    """Return what to show: two QR codes, one for the Wi-Fi and one for the page, and both as text."""
    wifi = helpers.make_wifi(ssid=hotspot.ssid, password=hotspot.password, security="WPA")
    url = page_address(_ADDRESS, port)
    return (
        f"\n  1. Wi-Fi  {hotspot.ssid}   password  {hotspot.password}\n\n{_drawn(wifi)}\n"
        f"  2. Page   {url}\n\n{_drawn(segno.make(url, error='l'))}\n"
        "  The phone may say that this Wi-Fi has no internet: stay in it.\n"
    )


def _drawn(code: segno.QRCode) -> str:
    try:
        "▀▄█".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return ""
    out = io.StringIO()
    code.terminal(out=out, compact=True, border=2)
    return out.getvalue()


def _run(command: Sequence[str]) -> tuple[int, str]:
    try:
        done = subprocess.run(  # noqa: S603 - a list, no shell
            command, capture_output=True, text=True, check=False, timeout=_PATIENCE_S
        )
    except FileNotFoundError as error:
        raise HotspotError("NetworkManager is missing: want nmcli, as on Raspberry Pi OS Bookworm") from error
    except subprocess.TimeoutExpired as error:
        raise HotspotError(f"{' '.join(command)} takes longer than {_PATIENCE_S} s") from error
    return done.returncode, (done.stdout + done.stderr).strip()


class Network:
    """NetworkManager, through its command line. ``folder`` holds its connection files."""

    def __init__(self, run: Run = _run, folder: Path = _FOLDER) -> None:
        self._run = run
        self._file = folder / f"{NAME}.nmconnection"

    def up(self, wished: Hotspot) -> Hotspot:
        """Open the hotspot and return it; an earlier one keeps its password, so that phones still know it.

        Raises:
            HotspotError: it did not open; the earlier one is as it was, and known networks are rejoined.
        """
        device = self._device()
        known = self.known()
        password = known.password if known is not None and not wished.password else wished.password
        hotspot = Hotspot(ssid=wished.ssid, password=password or new_password(), always=wished.always)
        before = self._file.read_text(encoding="utf-8") if known is not None else None
        self._write(connection_text(hotspot, device))
        try:
            self._do("radio", "wifi", "on")
            self._do("connection", "load", str(self._file))
            self._do("connection", "up", NAME)
        except HotspotError:
            # One that does not open must not be tried at each start instead of one that did.
            self._put_back(before)
            raise
        return hotspot

    def keep_for_boot(self, wished: Hotspot) -> Hotspot:
        """Have the hotspot open at each start where no known network is, and return it; nothing changes now.

        One that was there before keeps its password only if it has the same name.

        Raises:
            HotspotError: there is no Wi-Fi device, or this may not be written.
        """
        device, known = self._device(), self.known()
        password = known.password if known is not None and known.ssid == wished.ssid else wished.password
        hotspot = Hotspot(ssid=wished.ssid, password=password or new_password(), always=True)
        self._write(connection_text(hotspot, device))
        self._do("connection", "load", str(self._file))
        return hotspot

    def down(self) -> bool:
        """Close the hotspot for good, so that known networks are rejoined; return whether it was open."""
        was_open = self.is_open()
        if was_open:
            self._do("connection", "down", NAME)
        if self._file.exists():
            text = self._file.read_text(encoding="utf-8")
            self._write(text.replace("autoconnect=true", "autoconnect=false"))
            self._do("connection", "load", str(self._file))
        return was_open

    def is_open(self) -> bool:
        """Whether the hotspot is up now."""
        said = self._do("--terse", "--fields", "NAME", "connection", "show", "--active")
        return NAME in said.splitlines()

    def known(self) -> Hotspot | None:
        """Return the last hotspot; None if there was none or its file may not be read."""
        try:
            text = self._file.read_text(encoding="utf-8")
        except OSError:
            return None
        words = dict(re.findall(r"^([\w-]+)=(.*)$", text, re.MULTILINE))
        return Hotspot(
            ssid=words.get("ssid", NAME), password=words.get("psk", ""), always=words["autoconnect"] == "true"
        )

    def _device(self) -> str:
        said = self._do("--terse", "--fields", "DEVICE,TYPE,STATE", "device")
        rows = (line.split(":") for line in said.splitlines())
        usable = [row[0] for row in rows if row[1:2] == ["wifi"] and row[2:3] != ["unmanaged"]]
        if not usable:
            raise HotspotError(_NO_WIFI)
        return usable[0]

    def _write(self, text: str) -> None:
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            self._file.unlink(missing_ok=True)
            self._file.touch(mode=0o600, exist_ok=False)
            self._file.write_text(text, encoding="utf-8")
        except PermissionError as error:
            raise HotspotError("want root to change networks: sudo hextraction hotspot …") from error

    def _put_back(self, before: str | None) -> None:
        if before is None:
            self._file.unlink(missing_ok=True)
        else:
            self._write(before)
        self._run(("nmcli", "connection", "reload"))

    def _do(self, *words: str) -> str:
        status, said = self._run(("nmcli", *words))
        if status:
            raise HotspotError(f"nmcli {' '.join(words)} ended with {status}: {said or 'it said nothing'}")
        return said


def default_name(table: str) -> str:
    """Return what the Wi-Fi of a table is called unless somebody names it."""
    return f"hextraction-{table}"[:_LONGEST_NAME]


def new_password() -> str:
    """Return twelve unambiguous letters: 59 random bits."""
    return "".join(secrets.choice(_LETTERS) for _ in range(12))


def run(options: argparse.Namespace) -> int:
    """Open, close or show the hotspot; return the exit status."""
    network = Network()
    try:
        return _COMMANDS[options.what](network, options)
    except HotspotError as error:
        print(f"hextraction hotspot: {error}", file=sys.stderr)
        return 2


def _on(network: Network, options: argparse.Namespace) -> int:
    config = _config(options.config)
    name = options.name or default_name(config.table)
    wished = Hotspot(ssid=name, password="", always=options.always)
    hotspot = network.up(wished)
    if options.json:
        _document(network, options)
    else:
        print(join_text(hotspot, config.page.port))
    return 0


def _off(network: Network, options: argparse.Namespace) -> int:
    was_open = network.down()
    if options.json:
        _document(network, options)
    else:
        print("closed; known networks are joined again" if was_open else "it was not open")
    return 0


def _status(network: Network, options: argparse.Namespace) -> int:
    hotspot = network.known()
    if options.json:
        _document(network, options)
    elif not network.is_open():
        print("closed")
    elif hotspot is None:
        print("open; sudo shows how to join")
    else:
        print(join_text(hotspot, _config(options.config).page.port))
    return 0


def _document(network: Network, options: argparse.Namespace) -> None:
    """Print how it is now, for programs."""
    hotspot = network.known() if network.is_open() else None
    if hotspot is None:
        tell(HotspotNow(open=network.is_open()))
        return
    page = page_address(_ADDRESS, _config(options.config).page.port)
    tell(HotspotNow(open=True, ssid=hotspot.ssid, password=hotspot.password, page=page))


_COMMANDS: Final[dict[str, Callable[[Network, argparse.Namespace], int]]] = {
    "on": _on,
    "off": _off,
    "status": _status,
}


def _config(path: Path | None) -> ControllerConfig:
    source = path or (_INSTALLED if os.access(_INSTALLED, os.R_OK) else None)
    return read_config(source) if source is not None else ControllerConfig()
