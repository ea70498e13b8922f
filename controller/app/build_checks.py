"""What only the board can say of a wiring: sensors of a set, lamps, parts that cannot work, and currents."""

import difflib
from collections.abc import Sequence
from typing import Final

from hextraction.board.instruments import find_instrument, instruments, lamps
from hextraction.board.profile import Board
from hextraction.controller.app.plans.wiring_budget import budget_of
from hextraction.hal.wires import Wiring
from hextraction.settings import Document, Section

__all__ = [
    "PARTIAL",
    "check_complete",
    "check_currents",
    "check_lamps",
    "check_parts",
    "names_of",
]

PARTIAL: Final = "partial"
"""What a wiring says whose sensors are no whole set: nothing is missing then."""
_MOST_TOLD: Final = 6
_LOWEST_BUCK_VOLTS: Final = 7


def names_of(sections: Sequence[Section]) -> list[str]:
    """Return the names that are written in some tables, without those that are no text."""
    written = [section.raw("name") for section in sections]
    return [name for name in written if isinstance(name, str)]


def check_complete(section: Section, board: Board, which: str, wired: Sequence[str]) -> None:
    """Note the sensors of the set that hang nowhere, unless the file says so on purpose."""
    without = section.texts("without", ())
    wanted = [each.name for each in instruments(board, which)]
    absent = [name for name in wanted if name not in wired and name not in without]
    if absent:
        remedy = f"wire them, name them in board.without, or write {PARTIAL!r}"
        message = f"the set {which} has {len(absent)} more sensors; {remedy}: {_first(absent)}"
        section.complain("instruments", message)
    for name in without:
        if name in wired:
            section.complain("without", f"{name!r} is not left out: it is wired; take it off this list")
        elif name not in wanted:
            section.complain("without", f"{name!r} is no sensor of the set {which}; take it off this list")


def check_lamps(board: Board, sections: Sequence[Section]) -> None:
    """Note the lamps whose place the board does not have."""
    known = [name for name, _count in lamps(board)]
    for section in sections:
        name = section.raw("name")
        if isinstance(name, str) and name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            wanted = f"want slot.SLOT, ramp.RAMP or zone.ZONE of the board {board.name}"
            section.complain("name", f"{wanted}, found {name!r}{hint}")


def check_parts(board: Board, sections: Sequence[Section]) -> None:
    """Note Halls that are to see a steel ball but hang where only on and off are read."""
    for section in sections:
        name = section.raw("name")
        if not isinstance(name, str) or not _is_known(board, name) or section.raw("part") == "beam":
            continue
        if find_instrument(board, name).linear and "linear" not in section:
            wanted = "want linear = NUMBER: a Hall that only switches does not see a steel ball"
            section.complain("name", f'{wanted} (or part = "beam", if it is one), found {name!r} elsewhere')


def check_currents(document: Document, wiring: Wiring) -> None:
    """Note supplies that cannot deliver what the build is reckoned to draw."""
    budget, supply = budget_of(wiring), wiring.supply
    if budget.others_ma > supply.others_ma:
        told = ", ".join(f"{load.name} {load.ma}" for load in budget.loads)
        wanted = f"want at least {budget.others_ma}, by what is wired ({told})"
        document.complain(("supply", "others_ma"), f"{wanted}, found {supply.others_ma}: raise it")
    volts = wiring.power.coil_volts
    if supply.buck and volts < _LOWEST_BUCK_VOLTS:
        wanted = f"want power.coil_volts of {_LOWEST_BUCK_VOLTS} or more to make 5 V of them"
        document.complain(
            ("supply", "buck"), f"{wanted}, or a 5 V supply and buck = false, found {volts:g} V"
        )
    elif supply.buck and budget.coil_supply_ma > supply.coil_ma:
        parts = f"one coil {budget.coil_ma}, the converter for 5 V {budget.buck_ma}"
        wanted = f"want at least {budget.coil_supply_ma} ({parts})"
        remedy = "take a stronger supply or a lower pixels.budget_ma"
        document.complain(("supply", "coil_ma"), f"{wanted}, found {supply.coil_ma}: {remedy}")


def _is_known(board: Board, name: str) -> bool:
    try:
        find_instrument(board, name)
    except ValueError:
        return False
    return True


def _first(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST_TOLD} more" if len(names) > _MOST_TOLD else ""
    return ", ".join(names[:_MOST_TOLD]) + more
