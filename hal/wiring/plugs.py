"""Reads ``[[plug]]``: the circuit boards of a kit, which connector each hangs on, and what is on each.

What hangs on one cable or one chip is lost together, so this table is what a fault is recognised by. A module
of its own because it knows boards and connectors, and nothing of pins.
"""

from collections.abc import Mapping
from typing import Final

from hextraction.hal.wiring.wires import PlugWire, Wiring
from hextraction.settings import Section

__all__ = ["BOARD_KINDS", "HUB_BOARD", "check_plugs", "read_plug"]

BOARD_KINDS: Final = ("column", "bar", "beam", "button")
"""The kinds of board: column boards have the chips, bars lie in slots, a beam hangs on one of either."""
HUB_BOARD: Final = "hub"
"""What the first cables are plugged into."""
_NAME: Final = r"[A-Za-z][A-Za-z0-9_. -]*"
_MARK: Final = r"[A-Z]{1,3}[0-9]{1,3}"
_ON_A_CHIP: Final = 8
_MOST_CHIPS: Final = 24
_MOST_LINEARS: Final = 128


def read_plug(section: Section) -> PlugWire:
    """Read one board with its cable."""
    return PlugWire(
        name=section.text("name", pattern=_NAME, like="a name such as 'bar A1'"),
        kind=section.choice("kind", BOARD_KINDS),
        into=section.text("into", pattern=_NAME, like=f"{HUB_BOARD!r} or the name of another plug"),
        at=section.text("at", pattern=_MARK, like="a connector's mark such as 'J1'"),
        sensors=section.texts("sensors", ()),
        lamps=section.texts("lamps", ()),
        chips=_chips(section),
        linears=_linears(section),
    )


def _chips(section: Section) -> tuple[tuple[str, int], ...]:
    table = section.table("chips")
    return tuple((mark, table.integer(mark, 0, _MOST_CHIPS - 1)) for mark in table.keys)


def _linears(section: Section) -> tuple[tuple[str, range], ...]:
    table, found = section.table("linears"), []
    for mark in table.keys:
        ends = table.integers(mark, 0, _MOST_LINEARS - 1)
        if len(ends) == 2 and ends[0] <= ends[1]:
            found.append((mark, range(ends[0], ends[1] + 1)))
        else:
            table.complain(mark, f"want the first and the last channel, found {list(ends)}")
    return tuple(found)


def check_plugs(sections: tuple[Section, ...], wiring: Wiring) -> None:
    """Note boards that hang on nothing, connectors taken twice, sensors or lamps on no board or on two."""
    if not sections:
        return
    boards = {HUB_BOARD}
    places: dict[tuple[str, str], str] = {}
    for section, plug in zip(sections, wiring.plugs, strict=True):
        if plug.into not in boards:
            section.complain("into", f"want {HUB_BOARD!r} or a plug above this one, found {plug.into!r}")
        boards.add(plug.name)
        other = places.setdefault((plug.into, plug.at), plug.name)
        if other != plug.name:
            section.complain("at", f"{plug.at} of {plug.into} is already taken by {other!r}")
    on_hubs = [one.name for one in wiring.hub_inputs] + [one.name for one in wiring.hub_linears]
    _check_carried(sections, "sensors", [plug.sensors for plug in wiring.plugs], on_hubs)
    _check_carried(sections, "lamps", [plug.lamps for plug in wiring.plugs], [s.name for s in wiring.lamps])
    _check_chips(sections, wiring)


def _check_carried(
    sections: tuple[Section, ...], key: str, carried: list[tuple[str, ...]], wanted: list[str]
) -> None:
    """Each of the wanted names must be on exactly one plug."""
    owners: dict[str, int] = {}
    for number, (section, names) in enumerate(zip(sections, carried, strict=True)):
        for name in names:
            other = owners.setdefault(name, number)
            if name not in wanted:
                section.complain(key, f"want {key} of the hub in this file, found {name!r}")
            elif other != number:
                section.complain(key, f"{name!r} is already on the plug on line {sections[other].line}")
    absent = [name for name in wanted if name not in owners]
    if absent:
        sections[0].complain(key, f"want each of them on a plug; on none: {', '.join(absent)}")


def _check_chips(sections: tuple[Section, ...], wiring: Wiring) -> None:
    """A sensor must be wired to a chip of the board that its cable is plugged into."""
    by_name = {plug.name: plug for plug in wiring.plugs}
    inputs = {each.name: each.number for each in wiring.hub_inputs}
    linears = {each.name: each.number for each in wiring.hub_linears}
    for section, plug in zip(sections, wiring.plugs, strict=True):
        board = _with_chips(by_name, plug)
        if board is None:
            continue
        chips = {chip for _mark, chip in board.chips}
        channels = {channel for _mark, span in board.linears for channel in span}
        for name in plug.sensors:
            if name in inputs and inputs[name] // _ON_A_CHIP not in chips:
                told = f"hub = {inputs[name]}, on a chip that {board.name} does not have"
                section.complain("sensors", f"{name} has {told}")
            elif name in linears and linears[name] not in channels:
                told = f"linear = {linears[name]}, on a channel that {board.name} does not have"
                section.complain("sensors", f"{name} has {told}")
    _check_each_once(sections, wiring)


def _with_chips(by_name: Mapping[str, PlugWire], plug: PlugWire) -> PlugWire | None:
    """Return the board whose chips read a plug: that which it is plugged into, or the one above that."""
    board = by_name.get(plug.into)
    for _step in by_name:
        if board is None or board.chips:
            break
        board = by_name.get(board.into)
    return board


def _check_each_once(sections: tuple[Section, ...], wiring: Wiring) -> None:
    owners: dict[int, str] = {}
    for section, plug in zip(sections, wiring.plugs, strict=True):
        for mark, chip in plug.chips:
            other = owners.setdefault(chip, plug.name)
            if other != plug.name:
                section.complain("chips", f"{mark} is chip {chip}, which is already on {other!r}")
    wanted = {chip for hub in wiring.hubs for chip in range(hub.chips)}
    for chip in sorted(wanted - owners.keys()):
        sections[0].complain("chips", f"want chip {chip} of the chain on a plug, found it on none")
