"""The table of printed parts: what each is, how many a board wants, how it lies on the plate, what holds it.

Nothing is drawn here, and nothing of build123d is needed. Of its own because lists and tests
read it without drawing.
"""

import importlib
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from hextraction.board.design import load_design
from hextraction.board.profile import Board

__all__ = ["PARTS", "Piece", "PrintedPart", "counts", "foot_heights_mm", "leg_height_mm", "pieces"]

LEG_UPHILL_MM: Final = 96.0
"""Where a leg stands below a ramp block, uphill of its slot's middle."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedPart:
    """A part: its function as ``module.function``, ``up`` or ``down`` on the plate, its screws and inserts.

    ``supports`` names what is bridged or leans further than 50 degrees; empty for nothing. ``where`` names the only
    builds that want it: ``kit``, ``hand`` or ``starter``.
    """

    name: str
    draw: str
    lies: str
    needs: str
    supports: str = ""
    where: str = ""

    def drawn(self, *values: float, **more: Any) -> Any:
        """Return the part as build123d's solid; feet want tilt and height.

        Raises:
            ModuleNotFoundError: build123d is not installed.
        """
        module, _dot, function = self.draw.partition(".")
        drawing = importlib.import_module(f"{__package__}.{module}")
        return getattr(drawing, function)(*values, **more)


_BORES: Final = "none; the tops of round holes, and a beam board's corners, are bridged"
PARTS: Final = (
    PrintedPart(name="carrier", draw="carrier.carrier", lies="up", needs="2 M2 x 25 countersunk with nuts, for carrier and funnel"),
    PrintedPart(name="funnel", draw="funnel.funnel", lies="down", needs="beam board, 2 M2 x 6", supports=_BORES),
    PrintedPart(name="rim-cup", draw="rim_cup.rim_cup", lies="up", needs="glue; beam board, 2 M2 x 4", supports=_BORES),
    PrintedPart(name="ramp-block", draw="ramp.ramp_block", lies="up", needs="glue; 3 beam boards, 6 M2 x 6", supports=_BORES),
    PrintedPart(name="gate-housing", draw="gate.housing", lies="down", needs="2 M2 x 10; 1 steel pin 2 x 16; 2 cable ties", supports=_BORES),
    PrintedPart(name="gate-fork", draw="gate.fork", lies="up", needs="2 steel pins 2 x 16, 1 of 2 x 12", supports=_BORES),
    PrintedPart(name="gate-rocker", draw="gate.rocker", lies="up", needs="", supports=_BORES),
    PrintedPart(name="zone-gutter", draw="zone.zone_gutter", lies="up", needs="glue; 3 beam boards, 6 M2 x 4; for its own beam a diode and a phototransistor, 3 mm", supports=_BORES, where="kit"),
    PrintedPart(name="zone-seat", draw="bar_seat.zone_seat", lies="up", needs="2 M2 x 16; slot bar, magnet 5 x 8 mm N42", where="kit"),
    PrintedPart(name="ramp-seat", draw="bar_seat.ramp_seat", lies="up", needs="2 M2 x 10; slot bar", where="kit"),
    PrintedPart(name="zone-gutter-by-hand", draw="zone.zone_gutter_by_hand", lies="up", needs="glue; 3 beam yokes; for its own beam a diode and a phototransistor, 3 mm; a loose Hall", supports=_BORES, where="hand"),
    PrintedPart(name="magnet-cap", draw="zone.magnet_cap", lies="up", needs="glue; magnet 5 x 4 mm N42", where="hand"),
    PrintedPart(name="beam-yoke", draw="beam_seat.beam_yoke", lies="up", needs="side lookers IR908-7C-F and PT908-7B-F; glue", where="hand"),
    PrintedPart(name="foot", draw="foot.foot", lies="up", needs="1 M2 x 30 in place of the carrier's M2 x 25"),
    PrintedPart(name="leg", draw="foot.leg", lies="up", needs="1 M2 x 10"),
    PrintedPart(name="hub-box", draw="box.hub_box", lies="up", needs="8 M2.5 x 6, self-tapping"),
    PrintedPart(name="column-tray", draw="column_tray.column_tray", lies="up", needs="4 M2.5 x 6, self-tapping; 2 wood screws 3 x 12; cable ties", where="kit"),
    PrintedPart(name="hub-lid", draw="box.hub_lid", lies="up", needs="4 M3 x 10, self-tapping"),
    PrintedPart(name="beam-holder", draw="beam_holder.beam_holder", lies="up", needs="1 M2 x 6; diode or phototransistor", supports=_BORES, where="starter"),
)  # fmt: skip
"""Every part. Beam holders are for ramps that are there already, as the starter's: then no ramp blocks. Builds by hand
have no circuit boards: yokes stand for beam boards, and an end zone has a loose Hall and no bar."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """What is printed ``many`` times: a part, drawn with these values; feet are four pieces."""

    name: str
    part: PrintedPart
    many: int
    values: tuple[float, ...] = ()
    left: bool | None = None

    def drawn(self) -> Any:
        """Return it as build123d's solid.

        Raises:
            ModuleNotFoundError: build123d is not installed.
        """
        return self.part.drawn(*self.values, **({} if self.left is None else {"left": self.left}))


Where = Literal["kit", "hand", "starter"]
"""What is built: with circuit boards, wired by hand, or only the starter's beams."""


def pieces(board: Board, where: Where = "kit") -> Iterator[Piece]:
    """Yield all that is printed for a board with ramps and gates, or only what the starter wants."""
    for part in PARTS:
        if part.where != where and (part.where or where == "starter"):
            continue
        if part.name == "foot":
            for end, high in zip(("front", "rear"), foot_heights_mm(board), strict=True):
                for left, side in ((True, "left"), (False, "right")):
                    values = (board.tilt_deg, high)
                    yield Piece(name=f"foot-{end}-{side}", part=part, many=1, values=values, left=left)
        elif part.name == "leg":
            values = (board.tilt_deg, leg_height_mm(board))
            yield Piece(name="leg", part=part, many=counts(board)["leg"], values=values)
        else:
            yield Piece(name=part.name, part=part, many=counts(board)[part.name])


def counts(board: Board) -> Mapping[str, int]:
    """Return how many of each part a board wants."""
    slots, ramps, zones = len(board.slots), len(board.ramps), len(board.zones)
    blocks, off_board = len({ramp.slot for ramp in board.ramps}), board.edge_counts()["off_board"]
    return {
        "carrier": slots,
        "funnel": slots,
        "rim-cup": off_board,
        "ramp-block": blocks,
        "gate-housing": ramps,
        "gate-fork": 2 * ramps,
        "gate-rocker": ramps,
        "zone-gutter": zones,
        "zone-gutter-by-hand": zones,
        "zone-seat": zones,
        "ramp-seat": blocks,
        "magnet-cap": zones,
        "beam-yoke": slots + ramps + off_board + sum(len(zone.outlets) for zone in board.zones),
        "foot": 4,
        "leg": 2 * blocks,
        "hub-box": 1,
        "hub-lid": 1,
        "column-tray": len({slot.column for slot in board.slots}),
        "beam-holder": 2 * ramps,
    }


def foot_heights_mm(board: Board) -> tuple[float, float]:
    """Return how high the flanges above front and rear feet are: a tray fits below every funnel."""
    slot = load_design().printed.slot
    flange = load_design().frame.under_mm - slot.carrier_mm - slot.flange_mm
    side = [-one.y_mm for one in board.slots if one.column == 0]
    return _above_table_mm(board, min(side), flange), _above_table_mm(board, max(side), flange)


def leg_height_mm(board: Board) -> float:
    """Return how high the floor of a ramp block is where its legs stand."""
    slot = board.by_name[board.ramps[0].slot]
    return _above_table_mm(board, LEG_UPHILL_MM - slot.y_mm, load_design().printed.ramp.under_mm)


def _above_table_mm(board: Board, uphill_mm: float, z_mm: float) -> float:
    design = load_design()
    slot, tilt = design.printed.slot, math.radians(board.tilt_deg)
    mouth = design.frame.under_mm - slot.carrier_mm - slot.funnel_mm
    lowest = min(-one.y_mm for one in board.slots) - slot.throat_down_mm - slot.throat_mm[1]
    table = lowest * math.sin(tilt) + mouth * math.cos(tilt) - design.printed.foot.clear_mm
    return uphill_mm * math.sin(tilt) + z_mm * math.cos(tilt) - table
