"""What is wrong with a board's assembly, concluded from a look at rest and from the answers of a walk. Pure.

:func:`deduce` goes from the large to the small: the chain of shift registers, cables that are in the wrong
connector, what is lost together with a board or chip, and what is left over one by one. What a larger cause
explains no smaller one is sought for. The sentences stand in ``causes_told.py``.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final

from hextraction.controller.workshop.bring_up.deducing.assembly import COLUMN, WIRE, Assembly, At, Spot
from hextraction.controller.workshop.bring_up.deducing.evidence import Evidence
from hextraction.controller.workshop.bring_up.walk import Finding
from hextraction.hal.hub.look import HubLook
from hextraction.hal.wiring.plugs import HUB_BOARD
from hextraction.hal.wiring.wires import HubInput, HubWire, PlugWire

__all__ = ["Cause", "Kind", "deduce"]

_CHATTER: Final = 12
_GROUP: Final = 3
"""So many that fail alike, and none that does not, have a reason in common."""
_ADDRESS_LINES: Final = 4
_ON_A_CHIP: Final = 8


class Kind(Enum):
    """The kinds of causes; each has its sentences in ``causes_told.py``."""

    CHAIN = "chain"
    LOOP = "loop"
    ESTOP = "e-stop"
    NO_HALLS = "no Halls"
    SWAPPED = "swapped"
    MOVED = "moved"
    SHIFTED = "shifted"
    COLUMN_MUTE = "column mute"
    UNLATCHED = "unlatched"
    BARS_MUTE = "bars mute"
    BEAMS_MUTE = "beams mute"
    CHIP_MUTE = "chip mute"
    MUX_MUTE = "multiplexer mute"
    ADDRESS = "address line"
    BAR_MUTE = "bar mute"
    BAR_HALLS = "bar's Halls"
    EMITTERS = "emitters"
    TILE = "the tile"
    BALL = "the ball"
    SHORT = "short"
    BRIDGE = "bridge"
    DARK = "dark"
    DEAF = "deaf"
    NO_MAGNET = "no magnet"
    UNPOWERED = "unpowered"
    WEAK = "weak"
    NO_TILE = "no tile"
    TILE_STUCK = "tile stuck"
    NO_PRESS = "no press"
    PRESSED = "pressed"
    INVERTED = "inverted"
    LOOSE = "loose"
    STAYED = "stayed"
    ALL_LAMPS = "all lamps"
    LAMPS_END = "lamps end"
    LAMP = "lamp"
    COILS_SWAPPED = "coils swapped"
    COIL = "coil"
    NOT_FIRED = "not fired"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """One reason for what was found. ``explains`` are the sensors, and ``lamp:`` and ``coil:`` steps.

    ``plugs`` are the boards (or wires) that it is about, ``at`` the connectors where they are instead, or
    the chip; ``about`` is whatever else its sentences name.
    """

    kind: Kind
    explains: frozenset[str]
    plugs: tuple[PlugWire, ...] = ()
    at: tuple[At, ...] = ()
    about: str = ""


def deduce(
    assembly: Assembly, looks: Mapping[str, HubLook], findings: Mapping[str, Finding]
) -> tuple[Cause, ...]:
    """Return what is wrong, the largest causes first; nothing for a board that is well.

    ``looks`` are those at each hub, by name, ``findings`` those of a walk so far; either may be empty.
    """
    case, causes = Evidence(assembly, looks, findings), []
    for seek in _ORDER:
        for cause in seek(case):
            causes.append(cause)
            case.explained |= cause.explains
    return tuple(causes)


# --- The chain, and what a whole hub has in common ---


def _broken_chains(case: Evidence) -> Iterator[Cause]:
    for hub in case.assembly.wiring.hubs:
        look = case.looks.get(hub.name)
        if look is None or not look.chain_open or any(map(case.is_right, hub.sensor_names)):
            continue  # mended meanwhile
        blind = _all_of(case, hub)  # whatever the walk says of this hub, it has read nothing
        first, last = _break(case, hub.name, hub.chips, look.high)
        if first >= hub.chips:
            yield Cause(kind=Kind.LOOP, explains=blind, about=_chip(case, hub.name, hub.chips - 1))
            continue
        suspects = [_chip(case, hub.name, number) for number in range(first, min(last, hub.chips - 1) + 1)]
        before = _chip(case, hub.name, first - 1) if first else ""
        ribbons = _ribbons(case, range(first, min(last, hub.chips - 1) + 1))
        about = "|".join((", ".join(suspects), before, "loop" if last >= hub.chips else ""))
        yield Cause(kind=Kind.CHAIN, explains=blind, plugs=ribbons, about=about)


def _all_of(case: Evidence, hub: HubWire) -> frozenset[str]:
    """Return all that a hub reads and drives."""
    lamps = case.assembly.wiring.lamps if hub.lamps else ()
    return frozenset({
        *hub.sensor_names,
        *(f"lamp:{lamp.name}" for lamp in lamps),
        *(f"coil:{coil.name}" for coil in hub.coils),
    })  # fmt: skip


def _break(case: Evidence, hub: str, chips: int, high: frozenset[int]) -> tuple[int, int]:
    """Return the first chip that may be behind the break, and the first that surely is.

    Behind it every input reads like the last one. A chip with any other level is before it; one whose sensors
    should rest at the other level is behind it. A number beyond the last chip means the wire from there.
    """
    last = 8 * chips - 1
    stuck = last in high
    alive = [number // _ON_A_CHIP for number in range(last + 1) if (number in high) is not stuck]
    first = max(alive, default=-1) + 1
    wires = (each for each in case.assembly.wires.values() if isinstance(each, HubInput) and each.hub == hub)
    telling = {each.number // _ON_A_CHIP for each in wires if each.active_high is stuck}
    return first, min((number for number in telling if number >= first), default=chips)


def _chip(case: Evidence, hub: str, number: int) -> str:
    return case.assembly.chip_words(Spot(hub, is_linear=False, number=number * _ON_A_CHIP))


def _ribbons(case: Evidence, chips: range) -> tuple[PlugWire, ...]:
    """Return the column boards whose first chip is among those chips, those without power first."""
    boards = [
        plug
        for plug in case.assembly.plugs.values()
        if plug.chips and min(chip for _mark, chip in plug.chips) in chips
    ]
    return tuple(sorted(boards, key=lambda plug: not _is_dead(case, plug)))


def _is_dead(case: Evidence, column: PlugWire) -> bool:
    """Whether all linear Halls of a column board are at a rail."""
    halls = [name for name in case.assembly.below(column) if case.millivolts(name) is not None]
    return bool(halls) and all(case.is_at_rail(name) for name in halls)


def _open_stops(case: Evidence) -> Iterator[Cause]:
    for hub in case.assembly.wiring.hubs:
        look = case.looks.get(hub.name)
        coils = frozenset(f"coil:{each.name}" for each in hub.coils)
        if look is not None and coils and not look.estop_good and not any(map(case.is_right, coils)):
            yield Cause(kind=Kind.ESTOP, explains=coils)


def _lost_halls(case: Evidence) -> Iterator[Cause]:
    """All linear Halls of a hub are at a rail, on several multiplexers."""
    for hub in case.assembly.wiring.hubs:
        halls = [each.name for each in hub.linears]
        if _beyond_a_chip(case, halls) and all(map(case.is_at_rail, halls)):
            yield Cause(kind=Kind.NO_HALLS, explains=frozenset(halls))


# --- Cables in the wrong connector ---


def _misplaced(case: Evidence) -> Iterator[Cause]:
    """Follow each plug to the connector where its sensors answer; columns first, then what hangs on them."""
    for kinds in ({COLUMN}, {"bar"}, {"beam", "button"}, {WIRE}):
        found = {
            plug.name: ways
            for plug in case.assembly.plugs.values()
            if plug.kind in kinds and (ways := _ways(case, plug))
        }
        yield from _told_together(case, _chosen(case, found))


def _ways(case: Evidence, plug: PlugWire) -> tuple[At, ...]:
    """Return the connectors that explain all that a plug's sensors did, the best first."""
    if not any(case.is_open(one) and case.heard(one) for one in case.assembly.below(plug)):
        return ()  # nothing answered in the place of its sensors: no connector explains that
    rows = []
    for at in case.assembly.fitting(plug):
        if at != At(plug.into, plug.at):
            hits, misses = _matches(case, plug, at)
            if hits and not misses:
                rows.append((-hits, at))
    return tuple(at for _hits, at in sorted(rows))


def _matches(case: Evidence, plug: PlugWire, at: At) -> tuple[int, int]:
    """Count the answers that a plug in this connector explains, and those that it contradicts."""
    hits = misses = 0
    for sensor in case.assembly.below(plug):
        if case.is_right(sensor):  # it is where it belongs
            misses += 1
        spot = case.assembly.spot_in(sensor, plug, at)
        if spot is None or case.is_right(sensor) or case.is_untried(sensor) or not case.is_open(sensor):
            continue
        name = case.assembly.name(spot)
        if case.heard(sensor).get(name) and not case.heard(sensor).get(sensor):
            misses += case.is_right(name)
            hits += 1
        elif not spot.is_linear or name in case.assembly.wires:
            misses += case.is_silent(sensor)
    return hits, misses


def _chosen(case: Evidence, ways: Mapping[str, tuple[At, ...]]) -> dict[str, At]:
    """Choose a connector for each plug, no two in one: rather where two have changed places."""
    plugs = case.assembly.plugs
    chosen: dict[str, At] = {}
    for name, found in ways.items():
        for at in found:
            other = case.assembly.occupant(at)
            if other is not None and At(plugs[name].into, plugs[name].at) in ways.get(other.name, ()):
                chosen.setdefault(name, at)
    for name, found in ways.items():
        free = [at for at in found if at not in chosen.values()]
        if name not in chosen and free:
            chosen[name] = free[0]
    return chosen


def _told_together(case: Evidence, chosen: Mapping[str, At]) -> Iterator[Cause]:
    """Yield pairs that changed places, then rows that are shifted, then single plugs."""
    left = dict(chosen)
    while left:
        row = _row(case, next(iter(left)), left)
        for name in row:
            del left[name]
        plugs = tuple(case.assembly.plugs[name] for name in row)
        at = tuple(chosen[name] for name in row)
        swapped = len(row) == 2 and {At(each.into, each.at) for each in plugs} == set(at)
        kind = Kind.SWAPPED if swapped else Kind.MOVED if len(row) == 1 else Kind.SHIFTED
        yield Cause(kind=kind, explains=_on(case, plugs, at), plugs=plugs, at=at)


def _row(case: Evidence, name: str, chosen: Mapping[str, At]) -> list[str]:
    """Return the plugs that took each other's places, in order: from one to the one whose place it took."""
    plugs = case.assembly.plugs
    takers = {at: each for each, at in chosen.items()}
    row = [name]
    while (other := case.assembly.occupant(chosen[row[-1]])) is not None:
        if other.name not in chosen or other.name in row:
            break
        row.append(other.name)
    while (before := takers.get(At(plugs[row[0]].into, plugs[row[0]].at))) is not None and before not in row:
        row.insert(0, before)
    return row


def _on(case: Evidence, plugs: Collection[PlugWire], at: Collection[At]) -> frozenset[str]:
    """Return all sensors and lamps of some plugs, and of those whose connectors they took."""
    taken = (case.assembly.occupant(each) for each in at)
    every = (*plugs, *(each for each in taken if each is not None))
    sensors = {name for plug in every for name in case.assembly.below(plug)}
    boards = {*(case.assembly.column(plug).name for plug in every), *(each.board for each in at)}
    return frozenset({*sensors, *(_lamps_between(case, boards) if _has_lamps(case, every) else ())})


def _has_lamps(case: Evidence, plugs: Iterable[PlugWire]) -> bool:
    return any(case.assembly.lamps_below(plug) for plug in plugs)


def _lamps_between(case: Evidence, boards: Collection[str]) -> Iterator[str]:
    """Yield the lamps from the first to the last of some column boards: a bar more or less shifts them."""
    lamps = sorted(case.assembly.wiring.lamps, key=lambda lamp: lamp.first)
    carriers = [case.assembly.lamp_carrier(lamp.name) for lamp in lamps]
    there = [
        number
        for number, plug in enumerate(carriers)
        if plug is not None and case.assembly.column(plug).name in boards
    ]
    for lamp in lamps[min(there, default=0) : max(there, default=-1) + 1]:
        yield f"lamp:{lamp.name}"


# --- What is lost together ---


def _mute_columns(case: Evidence) -> Iterator[Cause]:
    for column in case.assembly.inside(HUB_BOARD):
        sensors = case.assembly.below(column)
        if case.all_lost(sensors, _GROUP) and not case.any_fine_beam(sensors):
            yield Cause(kind=Kind.COLUMN_MUTE, explains=frozenset(sensors), plugs=(column,))


def _unlatched_columns(case: Evidence) -> Iterator[Cause]:
    """Binary sensors on all chips of a column board are lost, and its linear Halls are not."""
    for column in case.assembly.inside(HUB_BOARD):
        sensors = [name for name in case.assembly.below(column) if not case.assembly.spot(name).is_linear]
        known = [name for name in sensors if case.is_known(name)]
        if case.all_lost(sensors, _GROUP) and _beyond_a_chip(case, known):
            yield Cause(kind=Kind.UNLATCHED, explains=frozenset(sensors), plugs=(column,))


def _mute_boards(case: Evidence) -> Iterator[Cause]:
    """All Halls of a column board are lost and its beams are not, or the other way round: two supplies."""
    for column in case.assembly.inside(HUB_BOARD):
        below = case.assembly.below(column)
        beams = [name for name in below if case.assembly.is_beam(name)]
        halls = [name for name in below if not case.assembly.is_beam(name) and not name.startswith("button.")]
        for kind, sensors, others in ((Kind.BARS_MUTE, halls, beams), (Kind.BEAMS_MUTE, beams, halls)):
            known = [name for name in sensors if case.is_known(name)]
            if (
                case.all_lost(sensors, _GROUP)
                and any(map(case.is_fine, others))
                and _beyond_a_chip(case, known)
            ):
                yield Cause(kind=kind, explains=frozenset(sensors), plugs=(column,))


def _beyond_a_chip(case: Evidence, sensors: Iterable[str]) -> bool:
    spots = [case.assembly.spot(name) for name in sensors]
    return len({(spot.is_linear, spot.chip) for spot in spots}) > 1


def _mute_chips(case: Evidence) -> Iterator[Cause]:
    """A shift register that never takes its inputs passes on what is behind it, and itself reads low."""
    by_chip: dict[str, list[str]] = {}
    for name in case.assembly.sensors:
        by_chip.setdefault(case.assembly.chip_words(case.assembly.spot(name)), []).append(name)
    for chip, sensors in by_chip.items():
        is_linear = case.assembly.spot(sensors[0]).is_linear
        is_low = is_linear or all(map(case.reads_low, sensors))
        plugs = {case.assembly.carrier(name).name for name in sensors}
        if is_low and case.all_lost(sensors, min(_GROUP, len(sensors))) and len(plugs) > 1:
            kind = Kind.MUX_MUTE if is_linear else Kind.CHIP_MUTE
            yield Cause(kind=kind, explains=frozenset(sensors), about=chip)


def _address_lines(case: Evidence) -> Iterator[Cause]:
    """A multiplexer that misses an address line reads one channel twice, and its neighbour never."""
    halls: dict[str, list[str]] = {}
    for name in case.assembly.sensors:
        if case.assembly.spot(name).is_linear:
            halls.setdefault(case.assembly.chip_words(case.assembly.spot(name)), []).append(name)
    for chip, names in halls.items():
        for line in range(_ADDRESS_LINES):
            silent = [name for name in names if case.is_open(name) and case.is_silent(name)]
            doubled = [name for name in silent if _partner_answers(case, name, names, line)]
            if doubled and len({case.assembly.spot(name).number >> line & 1 for name in silent}) == 1:
                yield Cause(kind=Kind.ADDRESS, explains=frozenset(silent), about=f"S{line}|{chip}")
                break


def _partner_answers(case: Evidence, silent: str, names: Collection[str], line: int) -> bool:
    """Whether a silent channel answers whenever the one that differs in this address line is asked for."""
    spot = case.assembly.spot(silent)
    other = case.assembly.name(Spot(spot.hub, is_linear=True, number=spot.number ^ 1 << line))
    return other in names and case.is_right(other) and bool(case.heard(other).get(silent))


def _mute_bars(case: Evidence) -> Iterator[Cause]:
    for plug in case.assembly.plugs.values():
        if plug.kind != "bar":
            continue
        sensors = case.assembly.below(plug)
        lost = [name for name in sensors if case.is_known(name)]
        powered = any(case.is_centred(name) for name in lost) and len(lost) < _GROUP
        if case.all_lost(sensors, 2) and not powered:
            yield Cause(kind=Kind.BAR_MUTE, explains=frozenset(sensors), plugs=(plug,))
        elif len(plug.sensors) > 1 and case.all_lost(plug.sensors, 2):
            yield Cause(kind=Kind.BAR_HALLS, explains=frozenset(plug.sensors), plugs=(plug,))


def _dark_pairs(case: Evidence) -> Iterator[Cause]:
    """Beams of a build by hand have emitters that share a supply, two of them in a row."""
    if case.assembly.is_kit:
        return
    beams = [name for name in case.assembly.sensors if case.assembly.is_beam(name)]
    dark = [name for name in beams if case.is_open(name) and _is_dark(case, name)]
    if len(dark) > 1:
        yield Cause(kind=Kind.EMITTERS, explains=frozenset(dark), about=", ".join(dark))


def _is_dark(case: Evidence, beam: str) -> bool:
    """Whether a beam counts as covered although nothing is in it."""
    found = case.findings.get(beam)
    if found is not None and not case.is_untried(beam):
        return case.is_silent(beam) and found.on
    return case.rests_active(beam)


def _wrong_things(case: Evidence) -> Iterator[Cause]:
    """No sensor of a kind answers on any board: what is laid on them is to blame."""
    for kind, what in ((Kind.TILE, "tile"), (Kind.BALL, "ball")):
        asked = [
            name
            for name in case.assembly.sensors
            if name.partition(".")[0] == what and case.is_open(name) and not case.is_untried(name)
        ]
        if case.all_lost(asked, _GROUP) and _beyond_a_chip(case, asked):
            yield Cause(kind=kind, explains=frozenset(asked), about=", ".join(asked))


def _shorts(case: Evidence) -> Iterator[Cause]:
    """Two that answer together, whichever of them is asked for."""
    for name in case.assembly.sensors:
        for other in case.heard(name):
            both = name < other and other in case.assembly.wires and case.heard(other).get(name)
            if both and case.heard(name).get(name) and case.heard(other).get(other) and _alike(name, other):
                plugs = (case.assembly.carrier(name), case.assembly.carrier(other))
                yield Cause(kind=Kind.SHORT, explains=frozenset({name, other}), plugs=plugs)


def _bridges(case: Evidence) -> Iterator[Cause]:
    """Two beams beside each other on one chip stay clear: each holds the other's line down."""
    deaf = {
        case.assembly.spot(name): name
        for name in case.assembly.sensors
        if case.assembly.is_beam(name)
        and case.is_open(name)
        and case.is_silent(name)
        and not _is_dark(case, name)
    }
    for spot, name in deaf.items():
        beside = Spot(spot.hub, is_linear=False, number=spot.number + 1)
        if beside in deaf and beside.chip == spot.chip and case.is_open(name):
            both = (name, deaf[beside])
            plugs = tuple(map(case.assembly.carrier, both))
            yield Cause(
                kind=Kind.BRIDGE, explains=frozenset(both), plugs=plugs, about=case.assembly.chip_words(spot)
            )


def _alike(name: str, other: str) -> bool:
    """Whether one thing cannot be seen by both: a ball at a slot is seen by several kinds of its sensors."""
    return name.partition(".")[0] == other.partition(".")[0]


# --- One by one ---


def _singles(case: Evidence) -> Iterator[Cause]:
    for name in case.assembly.sensors:
        kind = _single(case, name) if case.is_open(name) else None
        if kind is not None:
            yield Cause(
                kind=kind,
                explains=frozenset({name}),
                plugs=(case.assembly.carrier(name),),
                about=_measured(case, name),
            )


def _measured(case: Evidence, name: str) -> str:
    found = case.millivolts(name)
    return "" if found is None else f"{found / 1_000:.2f} V"


def _single(case: Evidence, name: str) -> Kind | None:
    """Return what is wrong with one sensor for itself."""
    found = case.findings.get(name)
    if case.is_restless(name) or case.heard(name).get(name, 0) >= _CHATTER:
        return Kind.LOOSE
    if found is None or case.is_untried(name):
        return _at_rest(case, name)
    if found.result == "ok":
        is_still = case.assembly.is_beam(name) or name.startswith("button.")
        return Kind.INVERTED if found.on and is_still else None
    if found.heard.get(name):
        return Kind.STAYED
    return _silent(case, name, found) if case.is_silent(name) else None


def _at_rest(case: Evidence, name: str) -> Kind | None:
    """Judge a sensor that nobody has tried yet; a tile or a ball may well lie there."""
    if case.assembly.spot(name).is_linear:
        if case.is_at_rail(name):
            return Kind.UNPOWERED
        return Kind.NO_MAGNET if case.is_centred(name) and _has_magnet(name) else None
    if not case.rests_active(name):
        return None
    if case.assembly.is_beam(name):
        return Kind.DARK
    return Kind.PRESSED if name.startswith("button.") else None


def _silent(case: Evidence, name: str, found: Finding) -> Kind:
    if case.assembly.spot(name).is_linear:
        if case.is_at_rail(name):
            return Kind.UNPOWERED
        return Kind.NO_MAGNET if case.is_centred(name) and _has_magnet(name) else Kind.WEAK
    if case.assembly.is_beam(name):
        return Kind.DARK if found.on else Kind.DEAF
    if name.startswith("button."):
        return Kind.PRESSED if found.on else Kind.NO_PRESS
    return Kind.TILE_STUCK if found.on else Kind.NO_TILE


def _has_magnet(name: str) -> bool:
    """Whether a Hall's magnet is so near that its field is far from none: not in a wall."""
    return name.partition(".")[0] in {"ball", "rest"}


# --- Lamps and coils: what people saw ---


def _lamps(case: Evidence) -> Iterator[Cause]:
    order = [f"lamp:{lamp.name}" for lamp in sorted(case.assembly.wiring.lamps, key=lambda lamp: lamp.first)]
    tried = [name for name in order if name in case.findings and case.findings[name].result != "skipped"]
    wrong = [name for name in tried if case.findings[name].result == "failed" and case.is_open(name)]
    if not wrong:
        return
    rest = tried[tried.index(wrong[0]) :]
    if len(wrong) >= _GROUP and len(wrong) == len(tried):
        plugs = _carriers(case, wrong[:1])
        yield Cause(kind=Kind.ALL_LAMPS, explains=frozenset(wrong), plugs=plugs, about=_lamp_words(wrong[0]))
    elif len(wrong) > 1 and wrong == rest:
        before = order[order.index(wrong[0]) - 1] if order.index(wrong[0]) else ""
        plugs = _carriers(case, [wrong[0], *([before] if before else [])])
        about = f"{_lamp_words(wrong[0])}|{_lamp_words(before)}"
        yield Cause(kind=Kind.LAMPS_END, explains=frozenset(wrong), plugs=plugs, about=about)
    else:
        for name in wrong:
            plugs, about = _carriers(case, [name]), _lamp_words(name)
            yield Cause(kind=Kind.LAMP, explains=frozenset({name}), plugs=plugs, about=about)


def _lamp_words(name: str) -> str:
    return name.removeprefix("lamp:")


def _carriers(case: Evidence, lamps: Iterable[str]) -> tuple[PlugWire, ...]:
    found = (case.assembly.lamp_carrier(_lamp_words(name)) for name in lamps)
    return tuple(plug for plug in found if plug is not None)


def _coils(case: Evidence) -> Iterator[Cause]:
    gates = {f"coil:{each.name}": each for each in case.assembly.wiring.all_coils}
    for step in gates:
        found = case.findings.get(step)
        if found is None or found.result == "ok" or not case.is_open(step):
            continue
        gate = step.removeprefix("coil:")
        own = f"ramp.{gate.partition('.')[2]}"
        other = next((name for name in found.heard if name.startswith("ramp.") and name != own), "")
        if other and not found.heard.get(own):
            about = f"{gate}|gate.{other.partition('.')[2]}"
            yield Cause(kind=Kind.COILS_SWAPPED, explains=frozenset({step}), about=about)
        elif "not fired" in found.why:
            why = found.why.partition(": ")[2] or found.why
            yield Cause(kind=Kind.NOT_FIRED, explains=frozenset({step}), about=f"{gate}|{why}")
        elif not found.heard.get(own) and (found.waited or found.result == "failed"):
            yield Cause(kind=Kind.COIL, explains=frozenset({step}), about=gate)


_ORDER: Final = (
    _broken_chains,
    _open_stops,
    _lost_halls,
    _misplaced,
    _mute_columns,
    _unlatched_columns,
    _mute_boards,
    _mute_chips,
    _address_lines,
    _mute_bars,
    _dark_pairs,
    _wrong_things,
    _shorts,
    _bridges,
    _singles,
    _lamps,
    _coils,
)
