"""Writes a board as KiCad's ``.kicad_pcb`` and its footprints as a library."""

from collections.abc import Iterator
from typing import Final

from hardware.pour import Fill, poured
from hardware.router import VIA_DRILL_MM, VIA_MM, Route
from hardware.sexpr import Node, Quoted, identity, written
from hardware.table import BoardTable, Footprint, Place, Text

__all__ = ["LIBRARY", "ORIGIN_MM", "footprint_file", "pcb_file"]

LIBRARY: Final = "hextraction"
ORIGIN_MM: Final = 100.0
"""Where a board's middle is on KiCad's sheet, both ways."""
_LAYERS: Final = (
    (0, "F.Cu", "signal"), (2, "B.Cu", "signal"), (13, "F.Paste", "user"), (15, "B.Paste", "user"),
    (5, "F.SilkS", "user"), (7, "B.SilkS", "user"), (1, "F.Mask", "user"), (3, "B.Mask", "user"),
    (25, "Edge.Cuts", "user"), (31, "F.CrtYd", "user"), (29, "B.CrtYd", "user"),
    (35, "F.Fab", "user"), (33, "B.Fab", "user"),
)  # fmt: skip
_HEAD: Final[Node] = (
    ("version", "20241229"),
    ("generator", Quoted("hextraction")),
    ("generator_version", Quoted("1")),
)
_COURTYARD_MM: Final = 0.2


def _stroke(width_mm: float) -> Node:
    return ("stroke", ("width", width_mm), ("type", "solid"))


def _effects(size_mm: float, *, mirrored: bool, hidden: bool = False) -> Node:
    font: Node = ("font", ("size", size_mm, size_mm), ("thickness", round(size_mm * 0.15, 3)))
    justify: Node = (("justify", "mirror"),) if mirrored else ()
    return ("effects", font, *justify, *((("hide", "yes"),) if hidden else ()))


class _Shape:
    """A footprint in KiCad's words: as the library has it, or placed on a board and seen through it."""

    def __init__(self, footprint: Footprint, layer: str, turned_deg: float, owner: str) -> None:
        self.footprint, self.layer, self.turned_deg, self.owner = footprint, layer, turned_deg, owner
        self._flip = -1.0 if layer == "B" else 1.0
        self._count = 0
        self._masks = 3 if footprint.pasted else 2

    def _id(self) -> Node:
        self._count += 1
        return identity(self.owner, self._count)

    def _xy(self, word: str, x_mm: float, y_mm: float) -> Node:
        return (word, x_mm, y_mm * self._flip)

    def on(self, name: str) -> Quoted:
        """Return the layer of this side."""
        return Quoted(f"{self.layer}.{name}")

    def texts(self, ref: str, value: str) -> Iterator[Node]:
        """Yield the two names that every footprint has; they stand on the sheet for the assembler."""
        bottom = self.footprint.body[3] + 0.8
        for name, text, y_mm in (("Reference", ref, 0.0), ("Value", value, bottom)):
            at: Node = (*self._xy("at", 0.0, y_mm), self.turned_deg)
            effects = _effects(0.5, mirrored=self.layer == "B")
            yield ("property", Quoted(name), Quoted(text), at, ("layer", self.on("Fab")), self._id(), effects)

    def lines(self) -> Iterator[Node]:
        """Yield body, courtyard, mark and window."""
        left, top, right, bottom = self.footprint.body
        yield self._rect((left, top, right, bottom), "Fab", 0.1)
        pads = self.footprint.pads
        reach = _COURTYARD_MM
        yield self._rect(
            (
                min(left, *(pad.x_mm - pad.wide_mm / 2 for pad in pads)) - reach,
                min(top, *(pad.y_mm - pad.high_mm / 2 for pad in pads)) - reach,
                max(right, *(pad.x_mm + pad.wide_mm / 2 for pad in pads)) + reach,
                max(bottom, *(pad.y_mm + pad.high_mm / 2 for pad in pads)) + reach,
            ),
            "CrtYd",
            0.05,
        )
        if self.footprint.mark is not None:
            x_mm, y_mm = self.footprint.mark
            middle, end = self._xy("center", x_mm, y_mm), self._xy("end", x_mm + 0.1, y_mm)
            yield (
                "fp_circle",
                middle,
                end,
                _stroke(0.2),
                ("fill", "yes"),
                ("layer", self.on("SilkS")),
                self._id(),
            )
        yield from self._window()

    def _rect(self, box: tuple[float, float, float, float], layer: str, width_mm: float) -> Node:
        left, top, right, bottom = box
        first, last = sorted((top * self._flip, bottom * self._flip))
        return (
            "fp_rect", ("start", left, first), ("end", right, last), _stroke(width_mm),
            ("fill", "no"), ("layer", self.on(layer)), self._id(),
        )  # fmt: skip

    def _window(self) -> Iterator[Node]:
        """The opening under a lamp: a rectangle with corners that a cutter can make."""
        if self.footprint.window is None:
            return
        left, top, right, bottom = self.footprint.window
        round_mm = self.footprint.window_radius
        dent = round_mm * (1 - 0.5**0.5)
        edge: Node = (_stroke(0.05), ("layer", Quoted("Edge.Cuts")))
        for start, end in (
            ((left + round_mm, top), (right - round_mm, top)),
            ((right, top + round_mm), (right, bottom - round_mm)),
            ((right - round_mm, bottom), (left + round_mm, bottom)),
            ((left, bottom - round_mm), (left, top + round_mm)),
        ):
            yield ("fp_line", self._xy("start", *start), self._xy("end", *end), *edge, self._id())
        for start, middle, end in (
            ((left, top + round_mm), (left + dent, top + dent), (left + round_mm, top)),
            ((right - round_mm, top), (right - dent, top + dent), (right, top + round_mm)),
            ((right, bottom - round_mm), (right - dent, bottom - dent), (right - round_mm, bottom)),
            ((left + round_mm, bottom), (left + dent, bottom - dent), (left, bottom - round_mm)),
        ):
            yield (
                "fp_arc", self._xy("start", *start), self._xy("mid", *middle), self._xy("end", *end), *edge, self._id()
            )  # fmt: skip

    def pads(self, ref: str, nets: dict[str, tuple[int, str]]) -> Iterator[Node]:
        """Yield the pads; ``nets`` are number and name by pin."""
        for pad in self.footprint.pads:
            at = self._xy("at", pad.x_mm, pad.y_mm)
            turn: Node = (self.turned_deg,) if self.turned_deg else ()
            net = nets.get(f"{ref}.{pad.number}")
            drilled = pad.drill_mm > 0
            layers = (
                ("*.Cu", "*.Mask")
                if drilled
                else tuple(f"{self.layer}.{one}" for one in ("Cu", "Mask", "Paste")[: self._masks])
            )
            kind = ("thru_hole", "circle") if drilled else ("smd", "roundrect")
            yield (
                "pad", Quoted(pad.number), *kind, (*at, *turn), ("size", pad.wide_mm, pad.high_mm),
                *((("drill", pad.drill_mm),) if drilled else ()),
                ("layers", *map(Quoted, layers)),
                *(() if drilled else (("roundrect_rratio", 0.25),)),
                *((("net", str(net[0]), Quoted(net[1])),) if net is not None else ()),
                self._id(),
            )  # fmt: skip


def footprint_file(name: str, footprint: Footprint) -> str:
    """Return a footprint of the library."""
    shape = _Shape(footprint, "F", 0.0, f"library/{name}")
    kind = "through_hole" if any(pad.drill_mm for pad in footprint.pads) else "smd"
    return (
        written(
            (
                "footprint", Quoted(name), *_HEAD, ("layer", Quoted("F.Cu")),
                *shape.texts("REF**", name), ("attr", kind), *shape.lines(), *shape.pads("", {}),
                ("embedded_fonts", "no"),
            )
        )
        + "\n"
    )  # fmt: skip


def _placed(table: BoardTable, place: Place, nets: dict[str, tuple[int, str]]) -> Node:
    part = place.part
    name = place.kind.footprint
    shape = _Shape(place.footprint, place.layer, part.turned_deg, f"{table.name}/{part.ref}")
    kind = "through_hole" if any(pad.drill_mm for pad in place.footprint.pads) else "smd"
    at: Node = ("at", ORIGIN_MM + part.at_mm[0], ORIGIN_MM + part.at_mm[1], part.turned_deg)
    path = Quoted("/" + str(identity(table.name, "symbol", part.ref)[1]))
    return (
        "footprint", Quoted(f"{LIBRARY}:{name}"), ("layer", shape.on("Cu")), identity(table.name, "placed", part.ref), at,
        *shape.texts(part.ref, part.part), ("path", path), ("sheetname", Quoted("/")),
        ("sheetfile", Quoted(f"{table.name}.kicad_sch")), ("attr", kind),
        *shape.lines(), *shape.pads(part.ref, nets), ("embedded_fonts", "no"),
    )  # fmt: skip


def _edges(table: BoardTable) -> Iterator[Node]:
    corners = table.outline_mm
    for index, (start, end) in enumerate(zip(corners, (*corners[1:], corners[0]), strict=True)):
        yield (
            "gr_line", ("start", *_moved(start)), ("end", *_moved(end)), _stroke(0.05),
            ("layer", Quoted("Edge.Cuts")), identity(table.name, "edge", index),
        )  # fmt: skip
    for index, (x_mm, y_mm, wide) in enumerate(table.holes_mm):
        yield (
            "gr_circle", ("center", *_moved((x_mm, y_mm))), ("end", *_moved((x_mm + wide / 2, y_mm))), _stroke(0.05),
            ("fill", "no"), ("layer", Quoted("Edge.Cuts")), identity(table.name, "hole", index),
        )  # fmt: skip


def _moved(point: tuple[float, float]) -> tuple[float, float]:
    return ORIGIN_MM + point[0], ORIGIN_MM + point[1]


def _text(table: BoardTable, index: int, text: Text) -> Node:
    below = table.layer == "B" and not text.above
    return (
        "gr_text", Quoted(text.text), ("at", *_moved(text.at_mm), text.turned_deg),
        ("layer", Quoted("B.SilkS" if below else "F.SilkS")), identity(table.name, "text", index),
        _effects(text.size_mm, mirrored=below),
    )  # fmt: skip


def _zone(table: BoardTable, number: int, layer: str, fills: tuple[Fill, ...]) -> Node:
    """The poured net on one side, as it is filled: KiCad judges it so, and fills nothing itself."""
    corners: Node = ("pts", *(("xy", *_moved(corner)) for corner in table.outline_mm))
    name = Quoted(f"{layer}.Cu")
    filled: list[Node] = []
    for fill in fills:
        edge: Node = ("pts", *(("xy", *_moved(spot)) for spot in fill.edge_mm))
        filled.append(("filled_polygon", ("layer", name), edge))
    return (
        "zone", ("net", str(number)), ("net_name", Quoted(table.poured)), ("layer", name),
        identity(table.name, "zone", layer), ("hatch", "edge", 0.5),
        ("connect_pads", "no", ("clearance", 0.2)), ("min_thickness", 0.2), ("filled_areas_thickness", "no"),
        ("fill", "yes", ("thermal_gap", 0.3), ("thermal_bridge_width", 0.3)), ("polygon", corners),
        *filled,
    )  # fmt: skip


def _alone(table: BoardTable) -> dict[str, str]:
    """Return the net that KiCad gives each pin that is joined to nothing; a name that is the number it leaves away."""
    joined = {pin for pins in table.nets.values() for pin in pins}
    return {
        f"{place.part.ref}.{number}": "-".join(
            (
                f"unconnected-({place.part.ref}",
                *((name.replace(" ", "_"),) if name != number else ()),
                f"Pad{number})",
            )
        )
        for place in table.places
        for number, name, _electrical in place.kind.pins
        if f"{place.part.ref}.{number}" not in joined
    }


def pcb_file(table: BoardTable, route: Route) -> str:
    """Return the whole board."""
    numbers = {net: index for index, net in enumerate((*table.nets, *_alone(table).values()), 1)}
    nets = {pin: (numbers[net], net) for net, pins in table.nets.items() for pin in pins}
    nets |= {pin: (numbers[net], net) for pin, net in _alone(table).items()}
    tracks = (
        (
            "segment", ("start", *_moved(one.start_mm)), ("end", *_moved(one.end_mm)), ("width", one.width_mm),
            ("layer", Quoted(f"{one.layer}.Cu")), ("net", str(numbers[one.net])), identity(table.name, "track", index),
        )
        for index, one in enumerate(route.tracks)
    )  # fmt: skip
    vias = (
        (
            "via", ("at", *_moved(one.at_mm)), ("size", VIA_MM), ("drill", VIA_DRILL_MM),
            ("layers", Quoted("F.Cu"), Quoted("B.Cu")), ("net", str(numbers[one.net])), identity(table.name, "via", index),
        )
        for index, one in enumerate(route.vias)
    )  # fmt: skip
    fills = poured(table, route)
    zones = (
        _zone(table, numbers[table.poured], layer, tuple(one for one in fills if one.layer == layer))
        for layer in ("FB" if fills else "")
    )
    return (
        written(
            (
                "kicad_pcb", *_HEAD, ("general", ("thickness", table.thick_mm), ("legacy_teardrops", "no")),
                ("paper", Quoted("A4")), ("layers", *((str(n), Quoted(name), kind) for n, name, kind in _LAYERS)),
                ("setup", ("pad_to_mask_clearance", 0.05), ("allow_soldermask_bridges_in_footprints", "no")),
                ("net", "0", Quoted("")), *(("net", str(n), Quoted(net)) for net, n in numbers.items()),
                *(_placed(table, place, nets) for place in table.places),
                *_edges(table), *(_text(table, index, text) for index, text in enumerate(table.texts)),
                *tracks, *vias, *zones, ("embedded_fonts", "no"),
            )
        )
        + "\n"
    )  # fmt: skip
