"""One page for each build that ships, and their table in the guide; written by ``make docs``.

What is drawn, bought, soldered and installed for a build stands on its page, in that order, and nowhere in
another one; prices and hours come from its list of parts.
"""

# ruff: noqa: E501 - one line of the page is one line here

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hextraction.board.design import load_design
from hextraction.board.instruments import instruments
from hextraction.board.profile import load_board
from hextraction.controller.workshop.bring_up.measurements import steps_for
from hextraction.controller.workshop.plans.budget import budget_of, rail_loads
from hextraction.controller.workshop.plans.build import read_build
from hextraction.controller.workshop.plans.checklist import checklist_page
from hextraction.controller.workshop.plans.effort import acts_of, hours_of
from hextraction.controller.workshop.plans.kit import (
    boards_of,
    first_parts,
    house_euro,
    load_kit,
    orders_euro,
)
from hextraction.controller.workshop.plans.parts import joints_of, price_of
from hextraction.hal.wiring.wires import Wiring

__all__ = [
    "BUILDS",
    "acts_table",
    "build_pages",
    "builds_table",
    "effort_table",
    "light_table",
    "orders_sentence",
    "rails_table",
    "sets_sentence",
    "sets_table",
    "test_points",
    "unseen_table",
]

ROOT: Final = Path(__file__).parents[1]
FOLDER: Final = ROOT / "docs" / "builds"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Build:
    """What no wiring file says of a build: whom it is for, what it asks, and its drawings."""

    name: str
    title: str
    sees: str
    asks: str
    why: str
    drawings: tuple[str, ...]
    sensors: str = ""
    """The set of sensors by which its asking was measured, where ``asks`` says nothing."""


_PRECISE_BELOW_H: Final = 10.0
_BOARD: Final = ("section", "tile", "drain", "gate")
BUILDS: Final = (
    _Build(
        name="starter",
        title="an afternoon, and the board knows who won",
        sees="balls that leave a ramp, and balls that win",
        asks="where every other ball ended, with one tap; tiles and ramps are tapped as on an unpowered board",
        why="No Raspberry Pi: a Pico on a laptop's USB, three chips, eight beams. Chips and resistors are plugged into a breadboard; only the beams' "
        "own legs are soldered. Its Pico, chips and beams go on into `hub-lean`; a kit takes the Pico.",
        drawings=(),
    ),
    _Build(
        name="bench-demo",
        title="three buttons and a gate on a table",
        sees="three buttons in the place of sensors, ten lamps, one gate",
        asks="everything: balls are tapped in",
        why="An evening that shows whether Pi, lamps and one coil do what they should, before a board is drilled. "
        "Buttons play the part of beams; the gate has a 5 V supply of its own.",
        drawings=("gate",),
    ),
    _Build(
        name="pi-only",
        title="a board without a hub",
        sees="*basic*: tiles, balls that fall, ramps, end zones, all as switches and beams",
        asks="where balls rest, and which way one left the board",
        why="No second computer: four MCP23017 on the Pi's own bus. An expander keeps one change until it is read, so it "
        "has the slow sensors, and the header the quick ones.",
        drawings=_BOARD,
    ),
    _Build(
        name="hub-lean",
        title="the one that we would build",
        sees="*lean*: also balls at rest, and every way off the board",
        asks="",
        sensors="lean",
        why="A Raspberry Pi Pico reads everything two thousand times a second, stamps it, guards the coils, and notices when "
        "its chain of chips is open; the smallest Pi suffices beside it.",
        drawings=_BOARD,
    ),
    _Build(
        name="kit-lean",
        title="circuit boards to order, everything plugged",
        sees="*lean*, as `hub-lean`",
        asks="as `hub-lean`",
        why="What `hub-lean` sees, on circuit boards that a house makes and fits: a bar in each slot, a beam board for each beam, five column boards, a hub "
        "board. The [guide for the kit](../kit.md) says how it is ordered and put together, [parts to print](../printed-parts.md) what holds it; files for the house are in [hardware/boards](../../hardware/boards/).",
        drawings=("section", "gate"),
    ),
    _Build(
        name="hub-rich",
        title="a Hall in every wall",
        sees="*rich*: also every crossing from slot to slot, two kickers, a current meter",
        asks="",
        sensors="rich",
        why="Experimental: 49 linear Halls in the walls, beside each other, were calculated and never tried. Build *lean* first; "
        "the walls may follow.",
        drawings=_BOARD,
    ),
)
_DRAWN: Final = {
    "section": "A cut through two slots",
    "tile": "A tile from below",
    "drain": "A funnel under a slot",
    "gate": "The gate of a ramp",
}


def builds_table() -> str:
    """Return the builds side by side, in Markdown: what they see, ask, cost and take."""
    rows = [
        "| build | sees | asks the phones | parts | at the table |",
        "| --- | --- | --- | ---: | ---: |",
    ]
    for build in BUILDS:
        wiring = _wiring(build.name)
        costs = f"€ {price_of(wiring):.0f}", f"{_hours(wiring)} h"
        cells = f"[`{build.name}`](builds/{build.name}.md)", build.sees, _asks(build), *costs
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


@dataclass(frozen=True, slots=True)
class _Tracked:
    """How right the tracker is with a set of sensors and so many balls, in per cent of rolls."""

    right: float
    asks: int


def _tracked() -> Mapping[tuple[str, int], _Tracked]:
    """Return the first table of the page about the evaluation, the one place for these figures."""
    found, sensors = {}, ""
    for line in (ROOT / "docs" / "evaluation.md").read_text("utf-8").splitlines():
        row = re.match(r"\| (?:\[?\*(\w+)\*\S* )?\| (\d) \| ([\d.]+) % \| (\d+) % \|", line)
        if row is not None:
            sensors = (row[1] or sensors).lower()
            found[sensors, int(row[2])] = _Tracked(float(row[3]), int(row[4]))
    return found


def _asks(build: _Build) -> str:
    if build.asks:
        return build.asks
    one, four = (_tracked()[build.sensors, balls].asks for balls in (1, 4))
    return f"in {one} of a hundred rolls with one ball, in {four} with four"


_SETS: Final = {
    "starter": (
        "*starter*",
        "balls that leave a ramp, balls that win; one tap tells where any other ball ended",
    ),
    "basic": ("*basic*", "tiles, balls that fall or rest, ramps, end zones"),
    "lean": ("***lean***", "also every ball that leaves the board"),
    "rich": ("*rich* (experimental)", "also every crossing from slot to slot"),
}


def sets_table() -> str:
    """Return the sets of sensors side by side, in Markdown: what they see, want, get right and ask."""
    rows = [
        "| set | sees | inputs | right after one question: one ball, four | asks: one ball, four |",
        "| --- | --- | ---: | ---: | ---: |",
        "| none | nothing: you tap in what balls do (`hextraction run --no-electronics`) | 0 | | |",
    ]
    for name, (title, sees) in _SETS.items():
        tracked = [_tracked()[name, balls] for balls in (1, 4) if (name, balls) in _tracked()]
        right = ", ".join(f"{one.right:g} %" for one in tracked)
        asks = ", ".join(f"{one.asks} %" for one in tracked)
        rows.append(f"| {title} | {sees} | {len(instruments(load_board(), name))} | {right} | {asks} |")
    return "\n".join(rows)


def sets_sentence() -> str:
    """Return in one sentence how right each set is with one ball, and how often it asks."""
    one_ball = [(name, _tracked()[name, 1]) for name in ("basic", "lean", "rich")]
    told = ", ".join(f"*{name}* is right in {one.right:g} and asks in {one.asks}" for name, one in one_ball)
    return f"Of a hundred rolls of one ball, once people have answered, {told}, in simulated worlds that the tracker was not made with."


def effort_table() -> str:
    """Return the builds side by side, in Markdown: joints, hours at the table, and prices at three quantities."""
    rows = [
        "| build | sees | joints by hand | hours at the table | € one set | € each of two | € each of five |",
        "| --- | --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for build in BUILDS:
        wiring = _wiring(build.name)
        for fitted in (True, False) if wiring.plugs else (True,):
            name = f"`{build.name}`" if fitted else f"`{build.name}`, boards bare"
            prices = (f"{price_of(wiring, sets, fitted=fitted):.0f}" for sets in (1, 2, 5))
            cells = (
                name,
                build.sees,
                f"{joints_of(wiring, fitted=fitted)}",
                _hours(wiring, fitted=fitted),
                *prices,
            )
            rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


def acts_table(name: str) -> str:
    """Return what a build takes at the table, act by act, in Markdown."""
    wiring = _wiring(name)
    rows = ["| what | how many | minutes each | hours |", "| --- | ---: | ---: | ---: |"]
    acts = [act for act in acts_of(wiring, len(steps_for(wiring))) if act.count]
    rows += [
        f"| {act.what} | {act.count} | {act.minutes:g} | {act.count * act.minutes / 60:.1f} |" for act in acts
    ]
    rows.append(f"| **together** | | | **{sum(act.count * act.minutes for act in acts) / 60:.1f}** |")
    return "\n".join(rows)


def rails_table(name: str) -> str:
    """Return what hangs on each rail of a kit, in Markdown."""
    rows = ["| rail | from | feeds | mA at most | gives |", "| --- | --- | --- | ---: | ---: |"]
    for rail in rail_loads(_wiring(name)):
        feeds = ", ".join(f"{count} of {kind}" for kind, count in rail.feeds.items())
        rows.append(f"| {rail.name} | {rail.source} | {feeds} | {rail.ma:.0f} | {rail.most_ma} |")
    return "\n".join(rows)


def orders_sentence(name: str) -> str:
    """Return what a kit's boards cost in two orders, how much more that is than one, and what else the first one takes."""
    wiring, kit = _wiring(name), load_kit()
    first, rest = orders_euro(wiring)
    boards = {kind: count for kind, count in boards_of(wiring).items() if kind in kit.board}
    at_once = sum(house_euro(kind, count) for kind, count in boards.items())
    at_once += kit.house.parcel_euro * (1 + kit.house.tax)
    beside = sum(part.count * part.euro for part in first_parts(wiring))
    return (
        f"The house asks about **€ {first:.0f} for the boards of the first order** and € {rest:.0f} for the rest, with tax and a parcel each: together "
        f"€ {first + rest - at_once:.0f} more than the one order of € {at_once:.0f} that the table above reckons with, for its fees come twice. That is the price of not ordering "
        f"all of them with a mistake; once somebody has built a kit it can go. What the first order takes from the list besides costs about € {beside:.0f}."
    )


def unseen_table() -> str:
    """Return what is still to be looked up of the circuit boards' parts, and how much has been seen, in Markdown."""
    parts = tomllib.loads((ROOT / "hardware" / "parts.toml").read_text("utf-8"))
    bought = [part for part in parts.values() if part["maker"] != "none"]
    shipped, listed = (sum(part.get("seen") == where for part in bought) for where in ("KiCad", "lists"))
    rows = [
        f"Of {len(bought)} kinds of parts {shipped} have a maker's number that KiCad's libraries name, and {listed} one that parts lists of others name beside the same words. Not seen anywhere:",
        "",
        "| part | maker's number | second source |",
        "| --- | --- | --- |",
    ]
    for part in bought:
        seen = part.get("seen"), part.get("second_seen")
        if not all(seen):
            number, second = (
                text if found else f"**{text}**"
                for text, found in zip(
                    (f"{part['maker']} {part['number']}", part["second"]), seen, strict=True
                )
            )
            rows.append(f"| {part['use']}, {part['package']} | {number} | {second} |")
    return "\n".join(rows)


_SUPPLY_V, _CLEAR_V, _COVERED_V = 3.3, 0.6, 2.4
"""A column board's, and between which levels its SN74HCS165 may not decide."""
_BESIDE_KOHM: Final = 22.0
"""Whoever holds it from OUT to 3V3 asks three times as much light of a beam, which the usual grades give."""


def light_table() -> str:
    """Return what margins of light rest on that nobody has read in a data sheet, and how a first board shows it."""
    beam = load_design().beam
    board = tomllib.loads((ROOT / "hardware" / "boards.toml").read_text("utf-8"))["beam_board"]
    need_v, pull_kohm = _SUPPLY_V - _CLEAR_V, beam.pull_up_kohm
    harder = f"below {_CLEAR_V:g} V also with {_BESIDE_KOHM:g} kΩ from OUT to 3V3 ({need_v / pull_kohm * (1 + pull_kohm / _BESIDE_KOHM) * 1e3:.0f} µA)"
    bears_ua = (_SUPPLY_V - _COVERED_V) / pull_kohm * 1e3
    rows = (
        (
            "light of the beam board's diode D1 at 20 mA, and of it the poorest grade",
            f"{board['emitter_mw_sr']:g} mW/sr, {100 * beam.worst_emitter:g} %",
            f"OUT, clear: below {_CLEAR_V:g} V ({need_v / pull_kohm * 1e3:.0f} µA); with usual grades {harder}",
            "R1 of the beam board 220 Ω in place of 330: half as much light again, 6 mA more for each. For a few boards: close ZONE (27 mA more)",
        ),
        (
            "what its transistor Q1 makes of it, and the poorest grade",
            f"{board['receiver_ma_cm2_mw']:g} mA for each mW/cm², {100 * beam.worst_receiver:g} %",
            "the same; D1 and Q1 of two boards changed over show which of both is weak",
            "the weak one by a better grade, before the other boards are ordered",
        ),
        (
            "volts across D1",
            f"{beam.forward_v:g} V",
            "at D1: 1.0 to 1.5 V; 5 V: it is turned round, or broken",
            "D1 turned, in the order too; R1 follows the volts",
        ),
        (
            "diode and transistor of an end zone, 3 mm",
            f"{beam.emitter_mw_sr:g} mW/sr and {beam.receiver_ma_cm2_mw:g} mA, {100 * beam.worst_emitter:g} % of each",
            f"OUT across the gutter, ZONE closed: below {_CLEAR_V:g} V; {harder}",
            "aim them; a better grade; the converter at 5.1 V; at that input of the column board 68 kΩ for its 47 kΩ",
        ),
        (
            "daylight and dark current through a covered receiver",
            f"{beam.leak_ua:g} µA",
            f"OUT with a ball in the beam, in the brightest light of the room: above {_COVERED_V:g} V ({bears_ua:.0f} µA)",
            "shade, or a transistor with a filter: XL-PT908-7C has none",
        ),
    )
    head = ("assumed", "reckoned with", "on the first board", "otherwise"), ("---", "---", "---", "---")
    return "\n".join(f"| {' | '.join(row)} |" for row in (*head, *rows))


def test_points(name: str) -> str:
    """Return what a meter shows at the test points of a kit."""
    wiring, design = _wiring(name), load_design()
    rail, volts = design.coil_supply, wiring.power.coil_volts
    ohms = volts * 1_000 / wiring.all_coils[0].current_ma
    least_v, most_v = design.hall.rest_v
    drawn = budget_of(wiring)
    rows = (
        ("12V OUT of the hub board (J7)", f"{rail.volts[0]:g} to {rail.volts[1]:g} V", "brick, fuse F2"),
        ("5V IN (J8)", "4.9 to 5.2 V", "converter, its leads"),
        ("5V PI (J9)", "as 5V IN", "fuse F3"),
        ("pads 3V3 and 3V3A", "3.2 to 3.4 V", "regulator U4; the Pico's own 3.3 V for 3V3A"),
        (
            "pin 29 of the Pico, e-stop released",
            f"{rail.sense_v:g} V; pressed 0 V",
            "fuse F1; wires of the e-stop in J10 and J11",
        ),
        (
            "BALL of a bar, no ball",
            f"{least_v:.1f} to {most_v:.1f} V; a ball moves it by {design.hall.ball_mv:.0f} mV or more",
            "0 or 3.3 V: the Hall or its line; nothing moves: its magnet",
        ),
        ("TILE of a bar", "above 3 V; with a tile below 0.3 V", "poles of the tile's magnets"),
        (
            "OUT of a beam",
            f"clear below {_CLEAR_V:g} V, covered above {_COVERED_V:g} V",
            "emitter dark or aside, other light; [what was assumed](#light-that-was-assumed)",
        ),
        ("pad ARMED, not armed", "below 0.5 V", "pull the brick: charge pump or P-MOSFET"),
        ("a gate's coil", f"about {ohms:.0f} Ω", "a shorted winding"),
        ("5 V, lamps dark, all plugged", f"at most {drawn.others_ma} mA", "pull ribbons one by one"),
        (f"{volts:g} V, lamps white", f"at most {drawn.buck_ma} mA", "`pixels.budget_ma`"),
    )
    head = ("test point", "expected", "otherwise look at"), ("---", "---", "---")
    return "\n".join(f"| {' | '.join(row)} |" for row in (*head, *rows))


def build_pages() -> Mapping[Path, str]:
    """Return the page of each build."""
    return {FOLDER / f"{build.name}.md": "\n".join(_page(build)) for build in BUILDS}


def _wiring(name: str) -> Wiring:
    return read_build(ROOT / "wiring" / f"{name}.toml")[0]


def _hours(wiring: Wiring, *, fitted: bool = True) -> str:
    """Return the hours at the table, as every page tells them."""
    hours = hours_of(wiring, len(steps_for(wiring)), fitted=fitted)
    return f"{hours:.1f}" if hours < _PRECISE_BELOW_H else f"{hours:.0f}"


def _page(build: _Build) -> Iterator[str]:
    wiring = _wiring(build.name)
    solder = f"../../wiring/{build.name}"
    yield f"# {build.name}: {build.title}"
    yield ""
    yield f"Made by `make docs` from [`wiring/{build.name}.toml`](../../wiring/{build.name}.toml). The [guide](../build.md) says how each step is done;"
    yield "this page says what this build needs, in order."
    yield ""
    yield build.why
    yield ""
    yield f"- **Sees**: {build.sees}."
    yield f"- **Asks the phones**: {_asks(build)}."
    yield f"- **Parts**: € {price_of(wiring):.0f}, spares included; the board, tiles and solder come on top ([list]({solder}/parts.md), [for a spreadsheet]({solder}/parts.csv))."
    if wiring.plugs:
        yield f"- **At the table**: {_hours(wiring)} h with about {joints_of(wiring)} joints if the house fits the boards; {_hours(wiring, fitted=False)} h with {joints_of(wiring, fitted=False)} if it does not."
    else:
        yield f"- **At the table**: {_hours(wiring)} h with about {joints_of(wiring)} joints."
    yield ""
    yield from _made(build)
    yield from _soldered(build, wiring, solder)
    yield from _installed(build, wiring)


def _made(build: _Build) -> Iterator[str]:
    if _hangs_on_a_laptop(build.name):
        yield from _fixed_beams(build)
        return
    yield "## 1. Drill and print"
    yield ""
    sensors = {"pi-only": "basic", "hub-lean": "lean", "kit-lean": "lean", "hub-rich": "rich"}.get(build.name)
    if sensors is not None:
        yield f"    hextraction template standard-22 --sensors {sensors} --out template.svg"
        yield ""
    for drawing in build.drawings:
        yield f"![{_DRAWN[drawing]}](../build/{drawing}.svg)"
        yield ""
    yield from _photo(
        build, "the board from below, drilled" if sensors is not None else "the gate on its plank"
    )


def _hangs_on_a_laptop(name: str) -> bool:
    """Whether a build hangs on a laptop."""
    return _wiring(name).supply.from_usb


def _fixed_beams(build: _Build) -> Iterator[str]:
    yield "## 1. The program, and where the beams go"
    yield ""
    yield "On a laptop with Linux or macOS; nothing is installed for all users:"
    yield ""
    yield "    make demo ARGS=--help       # sets up .venv; then, in each new terminal: `. .venv/bin/activate`"
    yield "    hextraction template standard-22 --sensors starter --out template.svg"
    yield ""
    yield "Print the template at 100 %, measure its ruler, and lay it on the board ([how](../build.md#4-template))."
    yield "Nothing needs to be drilled for good: tape or hot glue holds a beam while you try. An emitter and a receiver look at each other across the"
    yield "ball's way, their middle 5 mm above what it rolls on: at each **ramp** 10 mm before its slot, about 14 mm apart; at each **end zone** across the whole"
    yield "outlet, so that no ball gets past. The receiver looks away from window and lamp. A hand that lets a ball go stays behind the ramp's beam."
    yield ""
    yield "Who has a printer prints two holders for each ramp, in a checkout with the extra `parts` ([parts to print](../printed-parts.md)):"
    yield ""
    yield "    python -m hardware.printed --starter --out build/starter"
    yield ""
    yield from _photo(build, "a beam on a ramp, and one across an end zone")


def _soldered(build: _Build, wiring: Wiring, solder: str) -> Iterator[str]:
    if wiring.plugs:
        yield "## 2. Plug together"
        yield ""
        yield f"By the [checklist]({solder}/checklist.md), with the [table of cables]({solder}/plugs.md) beside it."
        yield ""
        yield from _photo(build, "the board from below, all cables in")
        return
    yield "## 2. Solder"
    yield ""
    yield f"By the [checklist]({solder}/checklist.md), with the [pin tables]({solder}/pins.md) beside it; all circuits are on [one page](../../wiring/circuits.svg)."
    yield ""
    yield f"![The harness]({solder}/harness.svg)"
    yield ""
    chapters = re.findall(r"(?m)^## \d+\. (.+)$", checklist_page(wiring, build.name))
    for number, chapter in enumerate(chapters, 1):
        yield f"{number}. {chapter}."
    yield ""
    yield from _photo(build, "each chapter of the checklist, done")


def _installed(build: _Build, wiring: Wiring) -> Iterator[str]:
    if wiring.supply.from_usb:
        yield from _on_a_laptop(build)
        return
    yield "## 3. Install, look, measure"
    yield ""
    yield f"    sudo make install BUILD={build.name}"
    yield "    hextraction doctor"
    yield "    sudo systemctl stop hextraction      # the walk wants the board for itself"
    yield "    sudo hextraction check-board --config /etc/hextraction/hextraction.toml"
    yield "    sudo systemctl start hextraction"
    yield ""
    if wiring.hubs:
        yield "Before the walk, once and after every `make upgrade` that names new firmware: `hextraction hub flash`."
        yield ""
    gates = [coil for coil in wiring.all_coils if coil.name.startswith("gate.")]
    if gates:
        pulse_ms, cap_ms = gates[0].pulse_ms, gates[0].limits.max_pulse_ms
        yield f"**Gates** get {pulse_ms} ms, at most {cap_ms}: what lets exactly one ball go from 8 to 30°, warm, with a weak supply"
        yield "([figures](../hardware-tests.md)). A longer pulse lets no second ball go; a shorter one lets none. `hextraction check` refuses what is too short."
        yield ""
    yield "The walk asks for those of the [ten measurements](../bring-up.md) that this build has. Make them before the first game."
    yield ""
    yield from _photo(build, "the finished board from above, lamps on")


def _on_a_laptop(build: _Build) -> Iterator[str]:
    yield "## 3. Look, play"
    yield ""
    yield "The Pico has its firmware since the first line of the checklist. In the same terminal:"
    yield ""
    yield "    hextraction check-board --starter     # one reading with the meter, then a ball past each of the eight beams"
    yield "    hextraction run --starter             # finds the Pico, prints the page's address and a QR code"
    yield ""
    yield "A ball that leaves a ramp begins the roll of whoever is on turn; one that goes into an end zone ends it, and wins if the rules say so. For every other"
    yield "ball somebody taps once where it ended. Whoever tapped the ramp first has told the same thing: it counts once. A hand in an end zone while nobody rolls"
    yield "says nothing; one in the middle of a roll is taken back by whoever rolls, for a minute. A beam that lies is called broken on any phone, and tapped instead."
    yield ""
    yield "If Linux says that you may not use the port: add yourself to the group `dialout`, and log in again."
    yield ""
    yield from _photo(build, "the breadboard beside the laptop")


def _photo(build: _Build, what: str) -> Iterator[str]:
    yield f"> **Photo missing**: {what}. Nobody has built {build.name} yet; whoever does first, please send one."
    yield ""
