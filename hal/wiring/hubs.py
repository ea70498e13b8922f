"""Reads ``[hub]``, the only sensor hub, or ``[[hub]]``, one of several: with a name and a serial number.

A module of its own because a table's hubs are checked against each other.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from hextraction.hal.wiring.places import Places
from hextraction.hal.wiring.wires import HubCoil, HubInput, HubLinear, HubWire, PixelWire
from hextraction.settings import Section

__all__ = ["LONGEST_HUB_CHAIN", "hub_sections", "read_hubs", "read_lamp_hubs"]

LONGEST_HUB_CHAIN: Final = 340
"""The most lamps that one hub drives."""
_NAME: Final = r"[A-Za-z][A-Za-z0-9_-]*"
_SERIAL: Final = r"[0-9A-Fa-f]{16}"
_COUNTED_PORT: Final = "/dev/ttyACM"
"""Linux numbers these in the order of plugging in: after the next start it may be another hub."""


def hub_sections(root: Section) -> dict[str, Section]:
    """Return the hubs' tables by name, in order; the only one, in ``[hub]``, is called "".

    A hub without a name of its own is a mistake, and gets one here, so that the others can be read.
    """
    if "hub" not in root:
        return {}
    if not isinstance(root.raw("hub"), list):
        return {"": root.table("hub")}
    found: dict[str, Section] = {}
    for number, section in enumerate(root.tables("hub"), 1):
        name = section.text("name", pattern=_NAME, like="a name such as 'left'") or f"hub{number}"
        if name in found:
            line = found[name].line
            section.complain("name", f"want a new name, found {name!r} (as the hub on line {line})")
            name = f"hub{number}"
        found[name] = section
    return found


def read_hubs(
    sections: Mapping[str, Section],
    places: Places,
    sensors: Iterable[Any],
    coils: Iterable[Any],
    pixels: PixelWire | None,
) -> tuple[HubWire, ...]:
    """Return each hub with what is connected to it."""
    on_hubs = [each for each in (*sensors, *coils) if isinstance(each, HubInput | HubLinear | HubCoil)]
    lamps = dict(pixels.hubs) if pixels is not None else {}
    ports = _ports(sections)
    return tuple(
        HubWire(
            name=name,
            port=ports[name],
            chips=places.count(name, "hub"),
            multiplexers=places.count(name, "linear"),
            loop=section.boolean("loop", default=False) and places.count(name, "hub") > 0,
            inputs=tuple(each for each in on_hubs if isinstance(each, HubInput) and each.hub == name),
            linears=tuple(each for each in on_hubs if isinstance(each, HubLinear) and each.hub == name),
            coils=tuple(each for each in on_hubs if isinstance(each, HubCoil) and each.hub == name),
            lamps=lamps.get(name, 0),
        )
        for name, section in sections.items()
    )


def _ports(sections: Mapping[str, Section]) -> dict[str, str]:
    """Read where each hub is; of several no two may be the same one, today or after the next start."""
    if "" in sections:
        like = "'auto', a hub's serial number, or a path such as '/dev/hextraction-hub'"
        return {"": sections[""].text("port", "auto", pattern=rf"auto|/\S+|{_SERIAL}", like=like)}
    ports: dict[str, str] = {}
    like = "the hub's serial number (`hextraction hub info` says it), or a lasting path"
    for name, section in sections.items():
        port = section.text("port", pattern=rf"/\S+|{_SERIAL}", like=like)
        if port.startswith(_COUNTED_PORT):
            why = "which is another hub after the next start"
            section.complain("port", f"want {like}, found {port!r}, {why}")
        same = next((other for other, taken in ports.items() if port and taken.upper() == port.upper()), None)
        if same is not None:
            section.complain("port", f"want a hub of its own, found that of {same!r}")
        ports[name] = port
    return ports


def read_lamp_hubs(section: Section, count: int, hubs: Mapping[str, Section]) -> tuple[tuple[str, int], ...]:
    """Read which hubs drive how many of the lamps: ``true`` for the only one, a name, or counts by name."""
    written = section.raw("hub")
    if not hubs:
        section.complain("hub", "want a table [hub] for the lamps' data, found none")
    elif "" in hubs:
        section.boolean("hub", default=False)
        return (("", count),)
    elif isinstance(written, str) and written in hubs:
        return _checked(section, ((written, count),), count)
    elif isinstance(written, dict) and written and written.keys() <= hubs.keys():
        table = section.table("hub")
        return _checked(
            section, tuple((name, table.integer(name, 1, LONGEST_HUB_CHAIN)) for name in table.keys), count
        )
    else:
        names = " or ".join(repr(name) for name in hubs)
        some = ", ".join(f"{name} = COUNT" for name in hubs)
        section.complain("hub", f"want {names}, or {{ {some} }}, found {written!r}")
    return (("", count),)


def _checked(
    section: Section, shares: tuple[tuple[str, int], ...], count: int
) -> tuple[tuple[str, int], ...]:
    together = sum(share for _name, share in shares)
    if together != count:
        section.complain("hub", f"want {count} lamps together, as count says, found {together}")
    elif max(share for _name, share in shares) > LONGEST_HUB_CHAIN:
        section.complain("count", f"want at most {LONGEST_HUB_CHAIN} on one hub, found {count}")
    return shares
