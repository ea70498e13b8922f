"""The lean build with two hubs: what is left of the board's middle on one, the rest on the other."""

import re

from helpers.places import ROOT

__all__ = ["LEFT_SERIAL", "RIGHT_SERIAL", "two_hubs"]

LEAN = ROOT / "wiring" / "hub-lean.toml"
LEFT_SERIAL, RIGHT_SERIAL = "E661410403112233", "E6614104031122FF"
INPUTS, LINEARS, COILS = 40, 16, 3
"""How many places of each kind go to the left hub: five chips, a multiplexer, the gates of the left ramps."""


def two_hubs(left: str = LEFT_SERIAL, right: str = RIGHT_SERIAL) -> str:
    """Return the wiring file, with these ports."""
    text = LEAN.read_text(encoding="utf-8")
    sensors, rest = text.split("solenoid = [", 1)
    coils, rest = rest.split("]\n", 1)
    sensors = re.sub(r"\bhub = (\d+)", lambda found: _place("hub", found, INPUTS), sensors)
    sensors = re.sub(r"\blinear = (\d+)", lambda found: _place("linear", found, LINEARS), sensors)
    coils = re.sub(r"\bhub = (\d+)", lambda found: _place("hub", found, COILS), coils)
    before, after = rest.split("[hub]\n", 1)
    _one, after = after.split("[pixels]\n", 1)
    hub = "chips = 5\nloop = true\nmultiplexers = 1\n"
    tables = (
        f'[[hub]]\nname = "left"\nport = "{left}"\n{hub}spare_linears = [14, 15]\n'
        f'[[hub]]\nname = "right"\nport = "{right}"\n{hub}spare_linears = [10, 11, 12, 13, 14, 15]\n'
    )
    return f"{sensors}solenoid = [{coils}]\n{before}{tables}[pixels]\n{after}"


def _place(key: str, found: re.Match[str], on_left: int) -> str:
    number = int(found[1])
    hub, number = ("left", number) if number < on_left else ("right", number - on_left)
    return f'{key} = "{hub}.{number}"'
