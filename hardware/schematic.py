"""Writes a board's circuit as KiCad's ``.kicad_sch``, with a library of plain boxes: for people, and for KiCad's checks."""

from collections.abc import Iterator
from typing import Final

from hardware.pcb import LIBRARY
from hardware.sexpr import Node, Quoted, identity, written
from hardware.table import BoardTable, Kind, Place

__all__ = ["schematic_file", "symbol_library"]

_HEAD: Final[Node] = (
    ("version", "20250114"),
    ("generator", Quoted("hextraction")),
    ("generator_version", Quoted("1")),
)
_STEP: Final = 2.54
_HALF_WIDE: Final = 5.08
_LENGTH: Final = 2.54
_COLUMN: Final = 60.96
_FIRST: Final = 45.72
_TOP: Final = 50.8
_SHEETS: Final = (("A4", 4, 190.0), ("A3", 6, 280.0), ("A2", 8, 400.0))
"""Paper, how many columns of boxes fit on it, and where they have to end, mm."""
_FLAG: Final = "SUPPLY"


def _font(*, hidden: bool = False, justify: str = "") -> Node:
    font: Node = ("font", ("size", 1.27, 1.27))
    return (
        "effects",
        font,
        *((("justify", justify),) if justify else ()),
        *((("hide", "yes"),) if hidden else ()),
    )


def _pins_at(kind: Kind) -> dict[str, tuple[float, float, int]]:
    """Return where each pin ends, the box's middle being (0, 0) and y up, and its direction in degrees."""
    half = (len(kind.pins) + 1) // 2
    found = {}
    for index, (number, _name, _type) in enumerate(kind.pins):
        row = index if index < half else index - half
        is_left = index < half
        x_mm = (_HALF_WIDE + _LENGTH) * (-1 if is_left else 1)
        found[number] = (x_mm, (half // 2 - row) * _STEP, 0 if is_left else 180)
    return found


def _property(name: str, value: str, x_mm: float, y_mm: float, *, hidden: bool = False) -> Node:
    return ("property", Quoted(name), Quoted(value), ("at", x_mm, y_mm, 0), _font(hidden=hidden))


def _symbol(prefix: str, name: str, kind: Kind, ref: str) -> Node:
    at = _pins_at(kind)
    top = max(y for _x, y, _turn in at.values()) + _STEP
    bottom = min(y for _x, y, _turn in at.values()) - _STEP
    pins = tuple(
        (
            "pin", electrical, "line", ("at", *at[number]), ("length", _LENGTH),
            ("name", Quoted(pin_name), _font()), ("number", Quoted(number), _font()),
        )
        for number, pin_name, electrical in kind.pins
    )  # fmt: skip
    box: Node = (
        "rectangle", ("start", -_HALF_WIDE, top), ("end", _HALF_WIDE, bottom),
        ("stroke", ("width", 0.254), ("type", "default")), ("fill", ("type", "background")),
    )  # fmt: skip
    return (
        "symbol", Quoted(f"{prefix}{name}"), ("exclude_from_sim", "no"), ("in_bom", "yes"), ("on_board", "yes"),
        _property("Reference", ref, 0, top + 1.27), _property("Value", name, 0, bottom - 1.27),
        _property("Footprint", f"{LIBRARY}:{kind.footprint}", 0, 0, hidden=True),
        ("symbol", Quoted(f"{name}_0_1"), box), ("symbol", Quoted(f"{name}_1_1"), *pins), ("embedded_fonts", "no"),
    )  # fmt: skip


def _flag(prefix: str) -> Node:
    """A sign that a net gets its supply from outside of the board."""
    pin: Node = (
        "pin", "power_out", "line", ("at", 0, 0, 90), ("length", 0),
        ("name", Quoted("supply"), _font(hidden=True)), ("number", Quoted("1"), _font(hidden=True)),
    )  # fmt: skip
    drawn: Node = (
        "polyline", ("pts", ("xy", 0, 0), ("xy", 0, 1.27), ("xy", -1.27, 2.54), ("xy", 1.27, 2.54), ("xy", 0, 1.27)),
        ("stroke", ("width", 0.15), ("type", "default")), ("fill", ("type", "none")),
    )  # fmt: skip
    return (
        "symbol", Quoted(f"{prefix}{_FLAG}"), ("power",), ("pin_names", ("hide", "yes")), ("exclude_from_sim", "no"),
        ("in_bom", "no"), ("on_board", "no"),
        _property("Reference", "#FLG", 0, 3.81, hidden=True), _property("Value", _FLAG, 0, 5.08),
        ("symbol", Quoted(f"{_FLAG}_0_1"), drawn), ("symbol", Quoted(f"{_FLAG}_1_1"), pin), ("embedded_fonts", "no"),
    )  # fmt: skip


def _kinds(table: BoardTable) -> dict[str, tuple[Kind, str]]:
    return {place.part.part: (place.kind, place.part.ref.rstrip("0123456789")) for place in table.places}


def symbol_library(tables: list[BoardTable]) -> str:
    """Return the library of all boards' symbols."""
    kinds = {name: each for table in tables for name, each in _kinds(table).items()}
    symbols = (_symbol("", name, *kinds[name]) for name in sorted(kinds))
    return written(("kicad_symbol_lib", ("version", "20241209"), *_HEAD[1:], *symbols, _flag(""))) + "\n"


def _label(table: BoardTable, net: str, x_mm: float, y_mm: float, turn: int, what: str) -> Node:
    justify = "right" if turn == 180 else "left"
    return (
        "global_label", Quoted(net), ("shape", "passive"), ("at", x_mm, y_mm, turn), ("fields_autoplaced", "yes"),
        _font(justify=justify), identity(table.name, "label", what),
        ("property", Quoted("Intersheetrefs"), Quoted("${INTERSHEET_REFS}"), ("at", x_mm, y_mm, 0), _font(hidden=True)),
    )  # fmt: skip


def _instance(table: BoardTable, ref: str) -> Node:
    root = Quoted("/" + str(identity(table.name, "sheet")[1]))
    path: Node = ("path", root, ("reference", Quoted(ref)), ("unit", "1"))
    return ("instances", ("project", Quoted(table.name), path))


def _part(table: BoardTable, place: Place, x_mm: float, y_mm: float) -> Iterator[Node]:
    """Yield a part's box and a label at each pin."""
    part, kind = place.part, place.kind
    at = _pins_at(kind)
    top = max(y for _x, y, _turn in at.values()) + _STEP
    bottom = min(y for _x, y, _turn in at.values()) - _STEP
    yield (
        "symbol", ("lib_id", Quoted(f"{LIBRARY}:{part.part}")), ("at", x_mm, y_mm, 0), ("unit", "1"),
        ("exclude_from_sim", "no"), ("in_bom", "yes"), ("on_board", "yes"), ("dnp", "no"),
        identity(table.name, "symbol", part.ref),
        _property("Reference", part.ref, x_mm, y_mm - top - 1.27), _property("Value", part.part, x_mm, y_mm - bottom + 1.27),
        _property("Footprint", f"{LIBRARY}:{kind.footprint}", x_mm, y_mm, hidden=True),
        _property("Maker", f"{kind.maker} {kind.number}", x_mm, y_mm, hidden=True),
        *(("pin", Quoted(number), identity(table.name, "pin", part.ref, number)) for number, *_rest in kind.pins),
        _instance(table, part.ref),
    )  # fmt: skip
    for number, (across, up, turn) in at.items():
        net = next((net for net, pins in table.nets.items() if f"{part.ref}.{number}" in pins), None)
        where = x_mm + across, y_mm - up
        if net is None:
            yield ("no_connect", ("at", *where), identity(table.name, "open", part.ref, number))
        else:
            yield _label(table, net, *where, 180 - turn, f"{part.ref}.{number}")


def _supply(table: BoardTable, index: int, net: str) -> Iterator[Node]:
    x_mm, y_mm = _FIRST + index * 25.4, 25.4
    ref = f"#FLG{index + 1:02d}"
    yield (
        "symbol", ("lib_id", Quoted(f"{LIBRARY}:{_FLAG}")), ("at", x_mm, y_mm, 0), ("unit", "1"),
        ("exclude_from_sim", "no"), ("in_bom", "no"), ("on_board", "no"), ("dnp", "no"),
        identity(table.name, "symbol", ref),
        _property("Reference", ref, x_mm, y_mm - 3.81, hidden=True), _property("Value", _FLAG, x_mm, y_mm - 5.08),
        ("pin", Quoted("1"), identity(table.name, "pin", ref)), _instance(table, ref),
    )  # fmt: skip
    yield _label(table, net, x_mm, y_mm, 0, ref)


def _needs_supply(table: BoardTable) -> list[str]:
    kinds = {
        f"{place.part.ref}.{number}": electrical
        for place in table.places
        for number, _n, electrical in place.kind.pins
    }
    return [
        net
        for net, pins in table.nets.items()
        if any(kinds[pin] == "power_in" for pin in pins)
        and not any(kinds[pin] == "power_out" for pin in pins)
    ]


def _arranged(table: BoardTable) -> tuple[str, list[tuple[Place, float, float]]]:
    """Return the smallest paper on which all parts stand in columns, and where each stands.

    Raises:
        ValueError: they are too many for any.
    """
    for paper, columns, end_mm in _SHEETS:
        tops, found = [_TOP] * columns, []
        for place in table.places:
            column = tops.index(min(tops))
            rows = (len(place.kind.pins) + 1) // 2
            found.append((place, _FIRST + column * _COLUMN, tops[column] + rows // 2 * _STEP))
            tops[column] += (rows + 5) * _STEP
        if max(tops) < end_mm:
            return paper, found
    raise ValueError(f"{table.name}: its parts do not fit on any sheet")


def schematic_file(table: BoardTable) -> str:
    """Return the sheet: boxes in columns, joined by the names of their nets."""
    kinds = _kinds(table)
    symbols = (_symbol(f"{LIBRARY}:", name, *kinds[name]) for name in sorted(kinds))
    paper, places = _arranged(table)
    nodes = [node for place, x_mm, y_mm in places for node in _part(table, place, x_mm, y_mm)]
    for index, net in enumerate(_needs_supply(table)):
        nodes += _supply(table, index, net)
    return (
        written(
            (
                "kicad_sch", *_HEAD, identity(table.name, "sheet"), ("paper", Quoted(paper)),
                ("title_block", ("title", Quoted(f"hextraction: {table.title}")), ("rev", Quoted("1"))),
                ("lib_symbols", *symbols, _flag(f"{LIBRARY}:")), *nodes,
                ("sheet_instances", ("path", Quoted("/"), ("page", Quoted("1")))), ("embedded_fonts", "no"),
            )
        )
        + "\n"
    )  # fmt: skip
