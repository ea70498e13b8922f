"""Words that forbid: Limits say where and when a tile may be laid, bans close ramps (2.1.1.2, 3.Limit)."""

import math
from collections.abc import Collection, Mapping

from hextraction.board.profile import Board
from hextraction.controller.games.hextraction.cards.tiles import When
from hextraction.controller.games.hextraction.cards.vocabulary import VOCABULARY, Deed, Limit


def _bottom_row(board: Board, _opened: Collection[str], _top_mm: float) -> Collection[str]:
    return board.bottom_row


def _below_top_row(board: Board, _opened: Collection[str], _top_mm: float) -> Collection[str]:
    return {*board.slot_names} - {*board.top_row}


def _rim(board: Board, _opened: Collection[str], _top_mm: float) -> Collection[str]:
    return board.rim


def _highest(board: Board, opened: Collection[str], _top_mm: float) -> Collection[str]:
    high_mm = min((board.by_name[slot].y_mm for slot in opened), default=0.0)
    return [slot for slot in opened if board.by_name[slot].y_mm < high_mm + 1]


def _not_below(board: Board, _opened: Collection[str], top_mm: float) -> Collection[str]:
    return [slot.name for slot in board.slots if slot.y_mm < top_mm + 1]


def _near_zone(board: Board, layout: Mapping[str, int]) -> Collection[str]:
    """Return the occupied slots nearest to an end zone, measured from the slots that lead into one."""
    outlets = [board.by_name[slot] for zone in board.zones for slot, _edge in zone.outlets]
    away = {
        slot: min(math.dist((here.x_mm, here.y_mm), (out.x_mm, out.y_mm)) for out in outlets)
        for slot in layout
        for here in (board.by_name[slot],)
    }
    nearest = {layout[slot] for slot, way_mm in away.items() if way_mm < min(away.values()) + 1}
    return tuple(slot for slot, copy in layout.items() if copy in nearest)


# --- The words ---

VOCABULARY.enrol(
    Deed(
        word="only_bottom_row",
        meaning="Limit: only the lowest slot of a column is legal.",
        only=When.LIMIT,
        limit=Limit(slots=_bottom_row, fixed=True),
    )
)
VOCABULARY.enrol(
    Deed(
        word="not_top_row",
        meaning="Limit: the highest slot of a column is not legal.",
        only=When.LIMIT,
        limit=Limit(slots=_below_top_row, fixed=True),
    )
)
VOCABULARY.enrol(
    Deed(
        word="not_after_roll",
        meaning="Limit: may not be played once its player has rolled this turn.",
        only=When.LIMIT,
        limit=Limit(before_roll=True, fixed=True),
    )
)
VOCABULARY.enrol(
    Deed(
        word="must_overwrite",
        meaning="Limit: is played on top of another tile.",
        only=When.LIMIT,
        limit=Limit(on_top=True),
    )
)
VOCABULARY.enrol(
    Deed(
        word="only_highest_open",
        meaning="Limit: only the highest open slot is legal.",
        only=When.LIMIT,
        limit=Limit(slots=_highest),
    )
)
VOCABULARY.enrol(
    Deed(
        word="only_rim",
        meaning="Limit: only slots at the side of the board are legal.",
        only=When.LIMIT,
        limit=Limit(slots=_rim, fixed=True),
    )
)
VOCABULARY.enrol(
    Deed(
        word="near_zone",
        meaning="Limit: only an occupied slot nearest to an end zone is legal.",
        only=When.LIMIT,
        limit=Limit(covered=_near_zone),
    )
)
VOCABULARY.enrol(
    Deed(
        word="not_below",
        meaning="Limit: may not lie lower than the part named `tile` of the same Combo.",
        needs=("tile",),
        only=When.LIMIT,
        limit=Limit(slots=_not_below),
    )
)
VOCABULARY.enrol(
    Deed(
        word="ban_ramps",
        meaning="Ongoing: nobody may roll on `ramps`.",
        keys=("ramps",),
        only=When.ONGOING,
        bans_ramps=True,
    )
)
