"""The sentences about what is wrong with a board: what it is, and what to look at. Each stands here only.

The first of a pair says what was found, the second where to look, with what, and what to expect there.
"""
# ruff: noqa: E501 - one sentence for people is one line here

from collections.abc import Iterable, Mapping
from typing import Final

from hextraction.controller.workshop.bring_up.deducing.assembly import Assembly
from hextraction.controller.workshop.bring_up.deducing.causes import Cause, Kind

__all__ = ["BY_HAND", "SENTENCES", "cause_lines", "look_of", "says_of"]

SENTENCES: Final[Mapping[Kind, tuple[str, str]]] = {
    Kind.ESTOP: (
        "The emergency stop is pressed, or the 12 V are missing: no coil fires.",
        "Turn the e-stop to release it. Measure 10.8 to 12.6 V at the coils' supply, and 2.3 to 3.3 V at pin 29 of the Pico.",
    ),
    Kind.NO_HALLS: (
        "No linear Hall gives a voltage.",
        "Measure 3.2 to 3.4 V of the Halls' own supply (3V3A, pin 36 of the Pico) against its ground, pin 33.",
    ),
    Kind.SWAPPED: (
        "{board} and {other} are swapped: {board} is in {to}, {other} in {at}.",
        "Power off, and change the two plugs over: {board} into {at}, {other} into {to}.",
    ),
    Kind.MOVED: (
        "{board} is in the wrong connector: it answers in {to}, and belongs in {at}.",
        "Power off, pull it out of {to}, and put it into {at}.",
    ),
    Kind.SHIFTED: (
        "Some plugs are not where they belong: {row}.",
        "Power off, pull all of them, and plug them in anew by the marks: {belongs}.",
    ),
    Kind.COLUMN_MUTE: (
        "Nothing on {board} answers.",
        "Ribbon at {at}: is it in, and not aside by one row? Measure on {board} 3.2 to 3.4 V at pins 7 and 20 of J30; LATCH is its pin 12.",
    ),
    Kind.UNLATCHED: (
        "No chip of {board} takes its inputs, and its linear Halls are read.",
        "LATCH: power off, below 1 Ω from pin 12 of J30 on {board} to pin 1 of its U1, U2 and U3, and through the ribbon to {at}.",
    ),
    Kind.BARS_MUTE: (
        "No Hall on a bar of {board} answers, and its beams do.",
        "Measure on {board} 3.2 to 3.4 V between 3V3A and AGND (pins 8 and 6 of J1 to J7); then pin 20 of the ribbon at {at}, and its joint.",
    ),
    Kind.BEAMS_MUTE: (
        "No beam of {board} answers, and the Halls of its bars do.",
        "Measure on {board} 4.3 to 5.2 V between pins 2 and 1 of J11 to J20; then pins 1 and 2 of the ribbon at {at}, and their joints.",
    ),
    Kind.CHIP_MUTE: (
        "None of the sensors that {about} reads answers: {names}. The chips behind it do.",
        "Look at {about}: pin 1 (LATCH) soldered, 3.2 to 3.4 V between pins 16 and 8, pin 15 at 0 V. Else the chip is dead: change it.",
    ),
    Kind.MUX_MUTE: (
        "None of the linear Halls that {about} reads answers: {names}.",
        "Look at {about}: its supply 3.2 to 3.4 V, its enable pin 0 V while it is read, its common pin joined with the hub's analog input. Then the Halls' own supply, 3.2 to 3.4 V. Else change it.",
    ),
    Kind.ADDRESS: (
        "Address line {line} does not reach {about}: {names} {are} never read, and another Hall answers twice.",
        "Power off: below 1 Ω from {line} of {about} to that line of the hub; look for a cold joint there and in the ribbon.",
    ),
    Kind.BAR_MUTE: (
        "Nothing on {board} answers: {names}.",
        "Its cable at {at}: press both plugs in. Measure at the bar 3.2 to 3.4 V between pins 8 (3V3A) and 6 (AGND) of its J1; if they are there on {into} and not on the bar, the cable is broken or a pin is cold.",
    ),
    Kind.BAR_HALLS: (
        "Neither Hall of {board} answers ({names}), and its beam does.",
        "Measure at the bar 3.2 to 3.4 V between pins 8 (3V3A) and 6 (AGND) of its J1: if they are not there, a core of the cable at {at} is broken or a pin cold. Else cores 7 (BALL) and 9 (TILE), and the joints of U1 and U2.",
    ),
    Kind.BALL: (
        "No Hall sees this ball: {names}.",
        "Try another ball: it must be of steel that a magnet pulls (AISI 420 or 440C, not 304 or 316).",
    ),
    Kind.TILE: (
        "No slot sees this tile: {names}.",
        "Try another tile: do six magnets lie in its underside, north and south in turns?",
    ),
    Kind.SHORT: (
        "{names} always answer together: their lines touch.",
        "Power off: a bridge of solder or a strand between {at} and {other_at}; between the two signals more than 1 kΩ.",
    ),
    Kind.BRIDGE: (
        "{names}, neighbours on {about}, both stay clear with a ball in them: their lines touch.",
        "Power off: a bridge of solder or a strand between the pins of {about}, or between {at} and {other_at}; between the two signals more than 1 kΩ.",
    ),
    Kind.DARK: (
        "{names} counts as covered all the time: no light arrives, or its line is open.",
        "Cable at {at}: is it in, and at the right end? A phone's camera shows whether the emitter glows; if not, 1.0 to 1.3 V across it with power, and 4.3 to 5.2 V between pins 2 and 1 of J1: its diode may be reversed. If it glows: is something in the beam, is it aimed? OUT (pin 3) below 0.6 V when clear.",
    ),
    Kind.DEAF: (
        "{names} counts as clear, also with a ball in it.",
        "Does the ball cross the beam? OUT (pin 3 of J1 of {board}) above 2.4 V with a ball in it; if it stays low the receiver is bridged, if it goes up, core 3 of the cable at {at} or its joint is open.",
    ),
    Kind.NO_MAGNET: (
        "{names} gives {about}, half of its supply: no magnet is beside its Hall.",
        "Look under {board}: a magnet belongs into its carrier, 6 mm beside the Hall. BALL then rests more than 0.25 V from 1.65 V.",
    ),
    Kind.UNPOWERED: (
        "{names} gives {about}, which no Hall does that has power.",
        "Cable at {at}: core 7 (BALL), and 3.2 to 3.4 V between cores 8 and 6. If they are there on the bar, look at the joints of U1: its output between 0.4 and 2.9 V; else the Hall is dead.",
    ),
    Kind.WEAK: (
        "{names} does not see a ball, though its Hall has power{measured}.",
        "A ball over it must move BALL (pin 7 of {at}) by 27 mV or more: is the magnet of {board} all the way in, and the ball of steel that a magnet pulls? Less: `hextraction calibrate --live`.",
    ),
    Kind.NO_TILE: (
        "{names} does not see a tile.",
        "Turn the tile by a sixth and try another one: a magnet may be missing or turned over. TILE (pin 9 of {at}) above 3 V, below 0.3 V with a tile; if the bar has that and the column board has not, core 9 or a joint is open; else U2 of {board} is dead.",
    ),
    Kind.TILE_STUCK: (
        "{names} counts a tile all the time.",
        "Does a tile lie there? If not: TILE (pin 9 of {at}) above 3 V without a tile; low there and high on the bar: core 9 or a joint is open; low on the bar, too: a bridge of solder, or U2 of {board} is dead.",
    ),
    Kind.NO_PRESS: (
        "{names} does not answer when it is pressed.",
        "Cable at {at}; pressed the button must join its two pins (below 1 Ω).",
    ),
    Kind.PRESSED: (
        "{names} counts as pressed all the time.",
        "Cable at {at}: let go, the button must part its two pins; then look for a bridge of solder.",
    ),
    Kind.INVERTED: (
        "{names} is the wrong way round: it counts as active at rest, and not when something is there.",
        "Is something lying in it, or held? If not, its level is upside down: an inverter missing or one too many at {at}, or `active` in the wiring file.",
    ),
    Kind.LOOSE: (
        "{names} changes by itself or chatters: a loose contact, or too little light.",
        "Move the cable at {at} while you watch `hextraction hub log`: the joint or plug that makes it change is the one. If none does, aim the beam again, or use another part.",
    ),
    Kind.STAYED: (
        "{names} went one way and stayed so.",
        "Is something still there? If not, look at {at}: its signal must come back to what it was at rest.",
    ),
    Kind.ALL_LAMPS: (
        "No lamp does what it should, from the first one ({first}) on.",
        "Wrong colours on all: `pixels.order` in the wiring file. Dark: 4.9 to 5.2 V at the first lamp, its fuse, and the level shifter's output. {where} One of the first lamps may be turned round, or cold at DIN.",
    ),
    Kind.LAMPS_END: (
        "From lamp {first} on all lamps are wrong; {before} still is well.",
        "{where} The first lamp that is dark may be turned round, dead, or cold at DIN; the last one that shines cold at DOUT. Measure 4.5 V or more across it, in a kit 3.7 V.",
    ),
    Kind.LAMP: (
        "Lamp {first} is not what it should be, and those after it are.",
        "{where} Look at its three colours: one that is missing is a dead part; another order of colours another kind of part.",
    ),
    Kind.COILS_SWAPPED: (
        "{first} let a ball go at another ramp: it is swapped with {before}.",
        "Power off, and change over the two coils in their terminals: {first} and {before}.",
    ),
    Kind.COIL: (
        "{first} fired, and no ball came.",
        "Did it click? If not, power off and measure its resistance in its terminal (about 12 Ω for 12 V and 1 A); open: wire, PPTC or joint. If it did: rocker, spring, and whether a ball lay there.",
    ),
    Kind.NOT_FIRED: (
        "{first} was not fired: {why}.",
        "Turn the e-stop to release it, and measure 10.8 to 12.6 V at the coils' supply.",
    ),
}  # fmt: skip

BY_HAND: Final[Mapping[Kind, tuple[str, str]]] = {  # where a build without boards has other places to look at
    Kind.SWAPPED: (
        "The wires of {board} and {other} are swapped: {board} is at {to}, {other} at {at}.",
        "Power off, and change the two wires over: {board} to {at}, {other} to {to}.",
    ),
    Kind.MOVED: (
        "The wire of {board} is at the wrong pin: it answers at {to}, and belongs at {at}.",
        "Power off, take it off {to}, and put it to {at}.",
    ),
    Kind.SHIFTED: (
        "Some wires took each other's places: {row}.",
        "Power off, and put them where they belong: {belongs}.",
    ),
    Kind.CHIP_MUTE: (
        "None of the sensors that {about} reads answers: {names}.",
        "If all count as covered, the emitters' supply first (4.6 to 5.2 V; a phone's camera shows whether they glow), then the receivers' supply (3.2 to 3.4 V, their inverters' too). Else {about}: pin 1 (LATCH) joined with the hub's, 3.2 to 3.4 V between pins 16 and 8, pin 15 at 0 V.",
    ),
    Kind.TILE_STUCK: (
        "{names} counts a tile all the time.",
        "Does a tile lie there? If not: {at} above 3 V without a tile; else its Hall switch, its 10 kΩ to 3.3 V, or a bridge of solder.",
    ),
    Kind.EMITTERS: (
        "{about} count as covered all the time.",
        "Emitters that share a resistor, two in a row, go dark together: one of the two is reversed, dead or cold. A phone's camera shows which glow; measure 1.0 to 1.3 V across each, and 4.6 to 5.2 V at their supply. If all glow: their receivers' supply, 3.2 to 3.4 V.",
    ),
    Kind.DARK: (
        "{names} counts as covered all the time: no light arrives, or its wire is off.",
        "A phone's camera shows whether its emitter glows; if not, 1.0 to 1.3 V across it: it may be reversed. If it glows: is something in the beam, is it aimed, is the receiver the right way round? Its collector below 0.7 V when clear, {level} at {at}; if it is there and not at the pin, the wire or joint is open.",
    ),
    Kind.DEAF: (
        "{names} counts as clear, also with a ball in it.",
        "Does the ball cross the beam? The receiver's collector above 2.4 V with a ball in it; then the output of its inverter, and the wire from there to {at}: that pin must change.",
    ),
    Kind.NO_MAGNET: (
        "{names} gives {about}, half of its supply: no magnet is beside its Hall.",
        "Look beside the chip of {names}: the magnet belongs 5.5 mm aside and 4.4 mm deeper. Its output then rests more than 0.25 V from 1.65 V.",
    ),
    Kind.UNPOWERED: (
        "{names} gives {about}, which no Hall does that has power.",
        "The three wires of {names}: 3.2 to 3.4 V at its supply, its output between 0.4 and 2.9 V, and the same at {at}.",
    ),
    Kind.WEAK: (
        "{names} does not see a ball, though its Hall has power{measured}.",
        "A ball over it must move the voltage at {at} by 27 mV or more: is its magnet in place, and the ball of steel that a magnet pulls? Less: `hextraction calibrate --live`.",
    ),
    Kind.NO_TILE: (
        "{names} does not see a tile.",
        "Turn the tile by a sixth and try another one: a magnet may be missing or turned over. At {at} above 3 V, below 0.3 V with a tile; else its Hall switch, or its 10 kΩ to 3.3 V.",
    ),
}  # fmt: skip


def says_of(assembly: Assembly, cause: Cause) -> str:
    """Return what was found, in one sentence or two."""
    return _sentence(assembly, cause, 0)


def look_of(assembly: Assembly, cause: Cause) -> str:
    """Return what to look at, with what, and what to expect there."""
    return _sentence(assembly, cause, 1)


def cause_lines(assembly: Assembly, causes: Iterable[Cause]) -> tuple[str, ...]:
    """Return a report of causes for a terminal: each with what to look at below it."""
    return tuple(
        line
        for number, cause in enumerate(causes, 1)
        for line in (f"{number}. {says_of(assembly, cause)}", f"   -> {look_of(assembly, cause)}")
    )


def _sentence(assembly: Assembly, cause: Cause, which: int) -> str:
    if cause.kind in {Kind.CHAIN, Kind.LOOP}:
        return _chain(assembly, cause)[which]
    kind = cause.kind
    pair = SENTENCES[kind] if assembly.is_kit or kind not in BY_HAND else BY_HAND[kind]
    return pair[which].format_map(_terms(assembly, cause))


def _terms(assembly: Assembly, cause: Cause) -> dict[str, str]:
    """Return all that the sentences of a cause may name."""
    names = sorted(name for name in cause.explains if ":" not in name)
    first, _bar, before = cause.about.partition("|")
    terms = {
        "names": _listed(names),
        "are": "is" if len(names) == 1 else "are",
        "about": before or first,
        "line": first,
        "first": first,
        "before": before,
        "why": before,
        "measured": f", and gives {cause.about}" if cause.about else "",
        "where": _between(assembly, cause),
    }
    if cause.plugs:
        plug, last = cause.plugs[0], cause.plugs[-1]
        terms |= {"board": plug.name, "at": assembly.at_words(plug), "into": plug.into}
        terms |= {"other": last.name, "other_at": assembly.at_words(last), "level": _clear(assembly, names)}
    if cause.at:
        terms["to"] = assembly.at_words(cause.plugs[0], cause.at[0])
        pairs = list(zip(cause.plugs, cause.at, strict=True))
        terms["row"] = ", ".join(f"{plug.name} is in {assembly.at_words(plug, at)}" for plug, at in pairs)
        terms["belongs"] = ", ".join(f"{plug.name} into {assembly.at_words(plug)}" for plug in cause.plugs)
    return terms


def _listed(names: list[str]) -> str:
    return ", ".join(names[:-1]) + f" and {names[-1]}" if len(names) > 1 else "".join(names)


def _clear(assembly: Assembly, names: list[str]) -> str:
    """Return what level a clear beam has at its chip."""
    wire = assembly.wires.get(names[0]) if names else None
    return "below 0.3 V" if getattr(wire, "active_high", False) else "above 3 V"


def _between(assembly: Assembly, cause: Cause) -> str:
    """Return which cables the lamps' data passes between the last that shines and the first that does not."""
    plugs = list(dict.fromkeys(plug.name for plug in cause.plugs))
    if not plugs:
        return "The wires from lamp to lamp."
    first = assembly.plugs[plugs[0]]
    words = f"{first.name}: cable at {assembly.at_words(first)}, core 3 (LAMP_IN)."
    if len(plugs) > 1:
        last = assembly.plugs[plugs[1]]
        words += f" {last.name}: cable at {assembly.at_words(last)}, core 4 (LAMP_OUT)."
        words += " Jumper LAMP at each empty place between them."
    return words


def _chain(assembly: Assembly, cause: Cause) -> tuple[str, str]:
    """Return the sentences about a chain that is open, which depend much on where."""
    pico = "GP3 of the Pico"
    if cause.kind is Kind.LOOP:
        says = f"All shift registers answer, and the mark does not come back: the loop from {pico} to the last chip is open."
        return says, f"The wire from {pico} (pin 5) to pin 10 of {cause.about}: below 1 Ω."
    chips, before, loop = cause.about.split("|")
    says = f"The chain of shift registers is open: nothing comes from {chips.split(', ')[0]} on" + (
        f"; {before} is the last that surely answers." if before else "."
    )
    look = [f"One of these is at fault: {chips}."]
    if cause.plugs:
        ribbons = "; ".join(f"{assembly.at_words(plug)}, to {plug.name}" for plug in cause.plugs)
        look.append(f"First look at the ribbon: {ribbons}: in, and not aside by one row.")
    behind = "GP4 of the Pico (pin 6)" if not before else f"pin 10 of {before}"
    look.append(
        f"Then measure on each chip 3.2 to 3.4 V between pins 16 and 8, and its clock and latch, pins 2 and 1, below 1 Ω to the next chip's; "
        f"from its pin 9 to {behind} at most 1.1 kΩ. Else the chip is dead: change it."
    )
    if loop:
        look.append(f"It may also be only the loop from {pico} (pin 5) to pin 10 of the last chip.")
    return says, " ".join(look)
