"""Several hubs on one table: which is which, what hangs on each, and what cannot be."""

import pytest
from hextraction.hal.wiring.file import wiring_from_text
from hextraction.settings import SettingsError

HEAD = '[board]\nprofile = "standard-22"\ninstruments = "partial"\n'
LEFT, RIGHT = "E661410403112233", "E6614104031122FF"
ON_BOTH = """
[[sensor]]
name = "a"
hub = "left.0"
[[sensor]]
name = "b"
hub = "right.0"
[[sensor]]
name = "c"
linear = "right.3"
[[solenoid]]
name = "g"
hub = "left.2"
[[solenoid]]
name = "h"
hub = "right.2"
"""


def hubs(left: str = LEFT, right: str = RIGHT, *, more: str = "") -> str:
    """Return the tables of two hubs."""
    spare = "spare = [1, 2, 3, 4, 5, 6, 7]\n"
    linears = "multiplexers = 1\nspare_linears = [0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]\n"
    return (
        f'[[hub]]\nname = "left"\nport = "{left}"\nchips = 1\n{spare}{more}'
        f'[[hub]]\nname = "right"\nport = "{right}"\nchips = 1\n{spare}{linears}'
    )


def problems(body: str) -> list[str]:
    """Return the messages about a wrong file, without the file's name and line."""
    with pytest.raises(SettingsError) as caught:
        wiring_from_text(HEAD + body, "w.toml")
    return [str(problem).split(": ", 1)[1] for problem in caught.value.problems]


def test_every_place_says_on_which_hub_it_is() -> None:
    """Numbers count anew on each hub; names of sensors and coils are one list for all."""
    wiring = wiring_from_text(HEAD + hubs() + ON_BOTH, "w.toml")
    left, right = wiring.hubs
    assert (left.name, left.port, left.title) == ("left", LEFT, "the sensor hub left")
    assert [(each.name, each.number, each.hub) for each in (*left.inputs, *left.coils)] == [
        ("a", 0, "left"),
        ("g", 2, "left"),
    ]
    assert [each.name for each in (*right.inputs, *right.linears, *right.coils)] == ["b", "c", "h"]
    assert wiring.sensor_names == ("a", "b", "c")
    assert [coil.name for coil in wiring.all_coils] == ["g", "h"]


@pytest.mark.parametrize(
    ("lamps", "shares"),
    [('"right"', (("right", 60),)), ("{ left = 40, right = 20 }", (("left", 40), ("right", 20)))],
)
def test_lamps_hang_on_one_hub_or_on_several(lamps: str, shares: tuple[tuple[str, int], ...]) -> None:
    """The first so many on one chain, the rest on the next, in the order that is written."""
    wiring = wiring_from_text(HEAD + hubs() + ON_BOTH + f"[pixels]\ncount = 60\nhub = {lamps}\n", "w.toml")
    assert wiring.pixels is not None
    assert wiring.pixels.hubs == shares
    assert {hub.name: hub.lamps for hub in wiring.hubs if hub.lamps} == dict(shares)


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        (hubs(right=LEFT) + ON_BOTH, ["hub[2].port: want a hub of its own, found that of 'left'"]),
        (hubs(left="/dev/ttyACM0") + ON_BOTH, ["hub[1].port: want the hub's serial number (`hextraction hub info` says it), or a lasting path, found '/dev/ttyACM0', which is another hub after the next start"]),
        (hubs(left="auto") + ON_BOTH, ["hub[1].port: want the hub's serial number (`hextraction hub info` says it), or a lasting path, found 'auto'"]),
        (hubs().replace('"right"', '"left"') + ON_BOTH.replace("right", "left").replace("left.0", "left.1", 1), ["hub[2].name: want a new name, found 'left' (as the hub on line 4)"]),
        (hubs() + ON_BOTH + '[[sensor]]\nname = "d"\nhub = 0\n', ["sensor[4].hub: want a text HUB.NUMBER with a hub of left, right, found 0"]),
        (hubs() + ON_BOTH + '[[sensor]]\nname = "d"\nhub = "middle.0"\n', ["sensor[4].hub: want a text HUB.NUMBER with a hub of left, right, found 'middle.0'"]),
        (hubs() + ON_BOTH + '[[sensor]]\nname = "d"\nhub = "right.8"\n', ["sensor[4].hub: want 'right.0'..'right.7', found 'right.8'"]),
        (hubs() + ON_BOTH + '[[sensor]]\nname = "d"\nhub = "right.0"\n', ["sensor[4].hub: hub 0 of hub right is already taken by sensor 'b' (line 22); move one of the two"]),
        (hubs() + ON_BOTH + '[[sensor]]\nname = "d"\nlinear = "left.0"\n', ["sensor[4].linear: want hub.multiplexers of 1 or more for it, found 0"]),
        (hubs() + ON_BOTH + "[pixels]\ncount = 60\nhub = true\n", ["pixels.hub: want 'left' or 'right', or { left = COUNT, right = COUNT }, found True"]),
        (hubs() + ON_BOTH + "[pixels]\ncount = 60\nhub = { left = 40, right = 30 }\n", ["pixels.hub: want 60 lamps together, as count says, found 70"]),
        (hubs() + ON_BOTH + '[pixels]\ncount = 341\nhub = "left"\n', ["pixels.count: want at most 340 on one hub, found 341"]),
        (hubs() + ON_BOTH + "[power]\narm_pin = 17\n", ["power.arm_pin: want none beside coils on the hub, which feeds the charge pump itself, found 17"]),
        (hubs() + ON_BOTH + '[[hub]]\nname = "idle"\nport = "E661410403112200"\n', ['hub[3]: want sensors or solenoids with hub = "idle.NUMBER", found none']),
    ],
)  # fmt: skip
def test_what_cannot_be_is_told(body: str, wanted: list[str]) -> None:
    """Two hubs that are one, a port that changes, a place without its hub, a hub with nothing on it."""
    found = problems(body)
    assert [each for each in found if each.split(": ")[0] == wanted[0].split(": ")[0]] == wanted
