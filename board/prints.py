"""The measures of the printed board and of what is printed for it: tables of ``design.toml``.

Each class is a table of that file, which says beside each value what it means. All in millimetres.
"""

import msgspec

__all__ = [
    "BarPrint",
    "BeamPlaces",
    "BoxPrint",
    "FootPrint",
    "FrameMeasures",
    "GatePrint",
    "Prints",
    "RampPrint",
    "RimPrint",
    "SeatPrint",
    "SlotPrint",
    "ZonePrint",
]


class FrameMeasures(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The usual printed board. Heights are above the underside of a tile's body."""

    floor_mm: float
    top_mm: float
    ledge_mm: float
    under_mm: float
    pocket_mm: float
    hole_mm: tuple[float, float]
    outline_mm: float


class BeamPlaces(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where light beams cross: ``aside`` of a ball's way, and downhill from a slot or out from its edge."""

    drain_aside_mm: float
    drain_down_mm: float
    rim_aside_mm: float
    rim_out_mm: float
    ramp_aside_mm: float
    ramp_out_mm: float
    zone_aside_mm: float
    zone_down_mm: float
    rest_down_mm: float


class SlotPrint(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Carrier and funnel under a slot."""

    ring_mm: float
    inside_mm: float
    ear_mm: float
    corner_mm: tuple[float, float]
    carrier_mm: float
    trough_mm: float
    trough_wall_mm: float
    flange_mm: float
    collar_mm: float
    slope_mm: float
    throat_long_mm: float
    throat_mm: tuple[float, float]
    throat_down_mm: float
    beam_room_mm: float

    @property
    def funnel_mm(self) -> float:
        """How tall a funnel is with the beam board below it."""
        return self.collar_mm + self.slope_mm + self.throat_long_mm + self.beam_room_mm


class SeatPrint(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What holds a beam board by two of its corners."""

    corner_mm: tuple[float, float]
    side_mm: float
    screw_mm: float
    post_mm: tuple[float, float]


class BarPrint(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The slot board on what holds it: its outline, pegs, room for plugs, and the magnet below it."""

    outline_mm: tuple[tuple[float, float], ...]
    thick_mm: float
    top_mm: float
    peg_at_mm: float
    peg_mm: float
    plug_mm: float
    chip_mm: float
    magnet_aside_mm: float
    magnet_deep_mm: float
    magnet_wide_mm: float
    magnet_thick_mm: float
    ear_mm: tuple[float, float]
    well_mm: float
    roof_mm: float
    start_up_mm: float


class RampPrint(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The block with the ramps of one slot."""

    channel_mm: float
    floor_mm: float
    thick_mm: float
    wall_high_mm: float
    beam_out_mm: float
    long_mm: float

    @property
    def under_mm(self) -> float:
        """The floor's underside, where gates hang."""
        return self.floor_mm - self.thick_mm


class GatePrint(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What makes a gate: sliders, rocker, and the housing that holds them and a solenoid."""

    hole_mm: float
    stem_mm: float
    slider_mm: tuple[float, float, float]
    slide_mm: float
    rocker_mm: float
    link_mm: float
    solenoid_mm: tuple[float, float, float]
    plunger_mm: float
    tie_mm: float


class RimPrint(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The cup beyond an outer edge."""

    wide_mm: float
    high_mm: float
    deep_mm: float
    beam_out_mm: float


class ZonePrint(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The gutter of an end zone."""

    floor_mm: float
    wall_high_mm: float
    wide_mm: float
    narrow_mm: float
    shelf_mm: float
    shelf_wide_mm: float


class FootPrint(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The feet, which set the tilt."""

    side_mm: float
    clear_mm: float
    base_mm: tuple[float, float, float]


class BoxPrint(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The box for Pi and hub."""

    pi_mm: tuple[float, float]
    pi_holes_mm: tuple[float, float]
    pi_hole_in_mm: float
    hub_mm: tuple[float, float]
    hub_hole_in_mm: float
    post_mm: float
    high_mm: float


class ColumnPrint(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The tray of a column board: the board, its holes from its middle, and the floor beyond its edges."""

    board_mm: tuple[float, float]
    holes_mm: tuple[tuple[float, float], ...]
    post_mm: float
    rim_mm: float
    ear_mm: float


class Prints(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What all printed parts share, and a table for each kind."""

    fit_mm: float
    wall_mm: float
    least_wall_mm: float
    overhang_deg: float
    led_mm: float
    led_rim_mm: float
    led_long_mm: float
    screw_mm: float
    pilot_mm: float
    pin_mm: float
    press_mm: float
    bed_mm: tuple[float, float]
    g_cm3: float
    cm3_h: float
    slot: SlotPrint
    seat: SeatPrint
    bar: BarPrint
    ramp: RampPrint
    gate: GatePrint
    rim: RimPrint
    zone: ZonePrint
    foot: FootPrint
    column: ColumnPrint
    box: BoxPrint
