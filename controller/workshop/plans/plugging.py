"""The pages of a kit: which cable goes where, and in which order it is put together and measured."""
# ruff: noqa: E501 - one sentence of the page is one line here

from collections.abc import Iterator

from hextraction.board.design import load_design
from hextraction.controller.workshop.plans.budget import budget_of
from hextraction.controller.workshop.plans.kit import boards_of
from hextraction.hal.wiring.wires import PlugWire, Wiring

__all__ = ["kit_checklist", "plugs_page"]


def plugs_page(wiring: Wiring, title: str) -> str:
    """Return the table of all cables, board by board, and the order of the lamps."""
    lines = [
        f"# Cables: {title}",
        "",
        "Every cable, by the board that it leaves. Plugs of one size fit into each other's connectors: write the name of",
        "its far end on each cable, and try each with `hextraction check-board` before you tie cables down.",
        "",
    ]
    for board in ("hub", *(plug.name for plug in wiring.plugs if plug.kind == "column")):
        lines += [f"## From the {'hub board' if board == 'hub' else board}", "", *_table(wiring, board), ""]
    lines += ["## Lamps, in the order of their data", "", "| lamp | pixels, from 0 |", "| --- | --- |"]
    lines += [f"| `{lamp.name}` | {lamp.first}..{lamp.pixels.stop - 1} |" for lamp in wiring.lamps]
    return "\n".join([*lines, ""])


def _table(wiring: Wiring, board: str) -> Iterator[str]:
    yield "| connector | to | reads and lights |"
    yield "| --- | --- | --- |"
    for plug in wiring.plugs:
        if plug.into != board:
            continue
        yield f"| {plug.at} | {plug.name} | {_told(plug)} |"
        for further in wiring.plugs:
            if further.into == plug.name and plug.kind != "column":
                yield f"| {plug.at}, then {further.at} of the {plug.kind} | {further.name} | {_told(further)} |"


def _told(plug: PlugWire) -> str:
    chips = [f"{mark}: chip {chip}" for mark, chip in plug.chips]
    chips += [f"{mark}: channels {span.start}..{span.stop - 1}" for mark, span in plug.linears]
    lamps = [f"lamps of `{name}`" for name in plug.lamps]
    return ", ".join([*chips, *(f"`{name}`" for name in plug.sensors), *lamps])


def kit_checklist(wiring: Wiring, title: str) -> str:
    """Return in which order a kit is put together, and what is measured before each power-up."""
    lines = [
        f"# Checklist: {title}",
        "",
        "From top to bottom; tick what is done. If a figure is not met, pull the last cable out again and look there.",
        "",
    ]
    chapters = (
        ("The hub board, alone", _hub_board(wiring)),
        ("One column board, one bar, one beam", _first(wiring)),
        ("All others", _others(wiring)),
        ("The coils, last", _coils(wiring)),
    )
    for number, (heading, steps) in enumerate(chapters, 1):
        lines += [f"## {number}. {heading}", "", *(f"- [ ] {step}" for step in steps), ""]
    return "\n".join(lines)


def _hub_board(wiring: Wiring) -> Iterator[str]:
    volts = f"{wiring.power.coil_volts:g} V"
    yield f"No Pico, no ribbon, no coil, no Pi. Fuses into F1 to F3. The converter's leads: plus and minus of its {volts} side into J7 (12V OUT), its 5 V side's plus still free. **Measure** without power: 5V IN, 3V3, 3V3A and {volts} to ground: above 100 Ω."
    yield f"A bench supply of {volts}, limited to 0.2 A (or the brick, and a lamp of {volts} 5 W in its plus wire) at the jack J6. **Measure** at the converter's free lead: 4.9 to 5.2 V, plus as marked. Power off, this lead into J8 (5V IN), power on: 3.2 to 3.4 V at the pad 3V3; all draws less than 0.05 A."
    yield "Power off. Flash the Pico (`hextraction hub flash`), put it into its sockets, USB socket as printed. **Measure**: `hextraction hub info` names it, and says that its chain is open."
    yield f"Press the e-stop. **Measure** at the Pico's pin 29: 0 V; released: 2.3 to 3.3 V with the {volts} on."


def _first(wiring: Wiring) -> Iterator[str]:
    column = next(plug for plug in wiring.plugs if plug.kind == "column")
    bar = next(plug for plug in wiring.plugs if plug.into == column.name)
    beam = next(plug for plug in wiring.plugs if plug.into == bar.name)
    hall = load_design().hall
    yield f"Power off. {column.name} to {column.at} of the hub board, {bar.name} to {bar.at} of it, {beam.name} to {beam.at} of the bar."
    yield f"Power on, 0.3 A at most. **Measure** on the bar: 3.2 to 3.4 V at 3V3A, 4.7 V or more at 5V, {hall.rest_v[0]:.1f} to {hall.rest_v[1]:.1f} V at BALL; a ball over it moves that by {hall.ball_mv:.0f} mV or more."
    yield "**Measure** at OUT of the beam: below 0.6 V clear, above 2.4 V with a ball in it."
    yield "**Measure** at TILE: above 3 V; with a tile on the slot below 0.3 V, whichever way the tile is turned."


def _others(wiring: Wiring) -> Iterator[str]:
    boards, budget = boards_of(wiring), budget_of(wiring)
    yield f"Power off. The other {boards['column'] - 1} column boards, then {boards['bar'] - 1} bars and {boards['beam'] - 1} beams by the [table of cables](plugs.md). Jumper LAMP at each empty bar place."
    yield f"Power on. **Measure**: 5 V draws at most {budget.others_ma} mA with all lamps dark; `hextraction hub info` says that the chain is closed."
    yield "`hextraction check-board`: each sensor and lamp in turn; at its end it says which cable, board or part to look at."


def _coils(wiring: Wiring) -> Iterator[str]:
    volts = wiring.power.coil_volts
    yield f"Power off, brick out. Each coil into its screw terminal. **Measure** across it: about {volts * 1000 / wiring.all_coils[0].current_ma:.0f} Ω; across the e-stop below 1 Ω, pressed: open."
    yield f"**Measure** with the {volts:g} V on and nothing armed: behind the P-MOSFET below 0.5 V. Pull the hub's USB cable while it is armed: gone within a second."
    yield "The ten measurements ([bring-up](../../docs/bring-up.md)), then `hextraction check-board --only coil`."
