"""Addresses: this machine's own in its network, and how an address is written.

The own address is taken from the machine's interfaces. A route to somewhere else says nothing of it: a
hotspot has none, and with a VPN it leads where no phone of the table is.
"""

import fcntl
import ipaddress
import os
import socket
import struct
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

__all__ = ["Interface", "best", "interfaces", "own_address", "page_address", "place", "plain_address"]

_SYS: Final = Path("/sys/class/net")
_ROUTES: Final = Path("/proc/net/route")
_IPV6: Final = Path("/proc/net/if_inet6")
_ADDRESS_OF, _FLAGS_OF = (0x8915, 0x8913) if sys.platform == "linux" else (0xC0206921, 0xC0206911)
"""The ioctls SIOCGIFADDR and SIOCGIFFLAGS, of Linux and of BSD and macOS."""
_UP: Final = 0x1
_LOOPBACK: Final = 0x8
_POINT_TO_POINT: Final = 0x10
_RUNNING: Final = 0x40
_PASSING: Final = 0x01 | 0x08 | 0x20 | 0x40
"""Flags of IPv6 addresses that are temporary, taken by others, outdated or not yet ours."""
_NO_ROUTE: Final = 1 << 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Interface:
    """One address of this machine and the interface that has it.

    ``kind`` is ``card`` (hardware, or a bridge with hardware in it), ``other`` (as a container has it),
    ``inside`` (a bridge for containers and machines within this one) or ``tunnel`` (a VPN). ``metric`` is
    that of its default route: the least is what this machine prefers; without one it is above all others.
    """

    name: str
    address: str
    kind: str = "card"
    running: bool = True
    metric: int = _NO_ROUTE

    @property
    def _rank(self) -> tuple[float, bool, int]:
        kind = ("card", "other", "inside", "tunnel").index(self.kind)
        alone = ipaddress.ip_address(self.address).is_link_local
        return kind + 1.5 * alone, not self.running, self.metric


def best(found: Iterable[Interface]) -> str | None:
    """Return the address at which phones most likely reach this machine; None if there is none at all."""
    first = min(found, key=lambda one: one._rank, default=None)  # noqa: SLF001 - its own module
    return first.address if first is not None else None


def own_address(host: str = "0.0.0.0") -> str:  # noqa: S104 - a name for all addresses; nothing is bound
    """Return where a server is reached that listens at ``host``: there, or at this machine's own address.

    If it has no network at all this is the address of the machine for itself.
    """
    if host not in {"", "0.0.0.0", "::"}:  # noqa: S104
        return host
    found = tuple(interfaces())
    fours = [one for one in found if ":" not in one.address and host != "::"]
    sixes = [one for one in found if ":" in one.address and host != "0.0.0.0"]  # noqa: S104
    return best(fours) or best(sixes) or ("::1" if host == "::" else "127.0.0.1")


def place(host: str, port: int) -> str:
    """Return host and port as people and programs write them: ``den:8080``, ``[::1]:8080``."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def page_address(host: str, port: int) -> str:
    """Return the address of a page, as a browser wants it."""
    return f"http://{place(host, port)}/".replace(":80/", "/")


def plain_address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Return an IP address, an IPv4 address out of its IPv6 clothes; None if it is none, or has a zone."""
    try:
        found = ipaddress.ip_address(text)
    except ValueError:
        return None
    if isinstance(found, ipaddress.IPv6Address):
        return None if found.scope_id else found.ipv4_mapped or found
    return found


# --- what the kernel says ---


def interfaces() -> Iterator[Interface]:
    """Yield this machine's addresses in networks, as the kernel has them now."""
    metrics = _default_routes()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        flags: dict[str, int] = {}
        for _index, name in socket.if_nameindex():
            told = _ask(asking, _FLAGS_OF, name)
            flags[name] = struct.unpack_from("=H", told, 16)[0] if told else 0
        used = [name for name, flag in flags.items() if flag & _UP and not flag & _LOOPBACK]
        for name in used:
            told = _ask(asking, _ADDRESS_OF, name)
            if told:
                yield _interface(name, socket.inet_ntoa(told[20:24]), flags[name], metrics)
    for name, address in _ipv6():
        if name in used:
            yield _interface(name, address, flags[name], metrics)


def _interface(name: str, address: str, flags: int, metrics: Mapping[str, int]) -> Interface:
    return Interface(
        name=name,
        address=address,
        kind=_kind(_SYS / name, flags),
        running=bool(flags & _RUNNING),
        metric=metrics.get(name, _NO_ROUTE),
    )


def _kind(folder: Path, flags: int) -> str:
    """Return what sort of interface this is, by what the kernel says of it and not by its name."""
    if flags & _POINT_TO_POINT or (folder / "tun_flags").exists():
        return "tunnel"
    if (folder / "device").exists():
        return "card"
    if not (folder / "bridge").exists():
        return "other"
    ports = (port.name for port in folder.glob("brif/*"))
    return "card" if any((_SYS / port / "device").exists() for port in ports) else "inside"


def _ask(asking: socket.socket, what: int, name: str) -> bytes:
    try:
        return fcntl.ioctl(asking, what, struct.pack("40s", os.fsencode(name)))
    except OSError:  # it has no IPv4 address, or went away meanwhile
        return b""


def _default_routes() -> dict[str, int]:
    """Return the least metric of a default route for each interface that has one."""
    metrics: dict[str, int] = {}
    for line in _lines(_ROUTES)[1:]:
        name, to, _gateway, _flags, _count, _use, metric, mask, *_ = line.split()
        if int(to, 16) == int(mask, 16) == 0:
            metrics[name] = min(int(metric), metrics.get(name, _NO_ROUTE))
    return metrics


def _ipv6() -> Iterator[tuple[str, str]]:
    """Yield interface and address of the IPv6 addresses that others can use."""
    for line in _lines(_IPV6):
        digits, _index, _length, scope, flags, name = line.split()
        if int(scope, 16) == 0 and not int(flags, 16) & _PASSING:
            yield name, str(ipaddress.IPv6Address(bytes.fromhex(digits)))


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text().splitlines()
    except OSError:  # not Linux, or no IPv6
        return []
