"""Sensors and coils on the hub and on expanders, and what the supplies deliver."""

import math

import pytest
from hextraction.hal.wiring.coil_limits import CoilLimits
from hextraction.hal.wiring.file import draft_wiring, wiring_from_text
from hextraction.hal.wiring.wires import CurrentWire, ExpanderInput, HubCoil, HubInput, HubLinear
from hextraction.settings import SettingsError

HEAD = '[board]\nprofile = "standard-22"\ninstruments = "partial"\n'
SPARE = "spare = [1, 2, 3, 4, 5, 6, 7]\n"


def problems(body: str) -> list[str]:
    """Return the messages about a wrong file, without the file's name."""
    with pytest.raises(SettingsError) as caught:
        wiring_from_text(HEAD + body, "w.toml")
    return [str(problem).removeprefix("w.toml:") for problem in caught.value.problems]


def test_a_build_may_mix_header_hub_and_expander() -> None:
    """Four sensors in four kinds of places, one line each, and a coil on the hub."""
    wiring = wiring_from_text(
        "sensor = [\n"
        '  { name = "a", pin = 17 },\n'
        '  { name = "b", hub = 9, active = "high", debounce_ms = 2.5 },\n'
        '  { name = "c", linear = 17, threshold_mv = 30, side = "above" },\n'
        '  { name = "d", expander = "0x21.B3", pull = "none", debounce_ms = 20 },\n'
        "]\n"
        + HEAD
        + "[hub]\nchips = 2\nmultiplexers = 2\nspare = [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15]\n"
        "spare_linears = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31]\n"
        '[expander]\nint_pin = 6\n[[solenoid]]\nname = "g"\nhub = 3\npulse_ms = 40\ncurrent_ma = 1000\n',
        "w.toml",
    )
    assert wiring.sensor_names == ("a", "b", "c", "d")
    assert wiring.hubs
    assert wiring.hubs[0].port == "auto"
    assert wiring.hub_inputs == (HubInput(name="b", number=9, active_high=True, debounce_scans=5),)
    assert wiring.hub_linears == (
        HubLinear(name="c", number=17, side="above", threshold_mv=30.0, hysteresis_mv=10.0, debounce_ms=2),
    )
    limits = CoilLimits(max_pulse_ms=50, min_off_ms=250, duty_percent=10)
    assert wiring.hub_coils == (HubCoil(name="g", number=3, pulse_ms=40, limits=limits, current_ma=1_000),)
    assert wiring.expander is not None
    assert (wiring.expander.bus, wiring.expander.int_pin, wiring.expander.addresses) == (1, 6, (0x21,))
    assert wiring.expander.inputs == (
        ExpanderInput(name="d", address=0x21, bit=11, active_high=False, pull_up=False, debounce_us=20_000),
    )


@pytest.mark.parametrize("key", ["max_pulse_ms", "min_off_ms", "duty_percent"])
@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_limit_is_a_finite_number(key: str, value: float) -> None:
    """A comparison with NaN is never true, so a careless check would let it pass."""
    with pytest.raises(ValueError, match=key):
        CoilLimits(**{key: value})


def test_coils_on_the_hub_need_no_arm_pin_of_the_pi() -> None:
    """The hub's own scan feeds the charge pump of their 12 V."""
    wiring = wiring_from_text(HEAD + '[hub]\n[[solenoid]]\nname = "g"\nhub = 0\n', "w.toml")
    assert [coil.name for coil in wiring.all_coils] == ["g"]


@pytest.mark.parametrize(
    ("body", "messages"),
    [
        ('[[sensor]]\nname = "a"\nhub = 3\n', ["6: sensor[1].hub: want a table [hub] for it, found none"]),
        ('[[sensor]]\nname = "a"\nlinear = 3\n', ["6: sensor[1].linear: want a table [hub] for it, found none"]),
        ('[[sensor]]\nname = "a"\nexpander = "0x20.A0"\n', ["6: sensor[1].expander: want a table [expander] for it, found none"]),
        ('[expander]\nint_pin = 6\n[[sensor]]\nname = "a"\nexpander = "0x28.A0"\n', ["8: sensor[1].expander: want a place such as '0x20.A0', found '0x28.A0'"]),
        ('[expander]\nint_pin = 6\n[[sensor]]\nname = "a"\nexpander = "0x20.B7"\n', ["8: sensor[1].expander: want A0..A6 or B0..B6, found B7: the last pin of a port of an MCP23017 is an output only (data sheet, revision D)"]),
        ('[supply]\npi = "6"\nbuck = 1\n', ["5: supply.pi: want one of zero-2w, 3b, 4b, 5, own, laptop, found '6'", "6: supply.buck: want true or false, found 1"]),
        ("[hub]\nchips = 1\n" + SPARE + '[[sensor]]\nname = "a"\nhub = 8\n', ["9: sensor[1].hub: want a whole number 0..7, found 8", "6: hub.spare: want a sensor on every input, or its number here; without either: 0"]),
        ('[hub]\n[[sensor]]\nname = "a"\nhub = 0\n[[solenoid]]\nname = "g"\nhub = 0\n', ["7: sensor[1].hub: want hub.chips of 1 or more for it, found 0"]),
        ("[hub]\nchips = 1\n" + SPARE + '[[sensor]]\nname = "a"\nhub = 0\npin = 17\n', ["9: sensor[1].hub: want one of pin, hub, linear and expander, found pin and hub"]),
        ('[current]\nbus = 3\n[[solenoid]]\nname = "g"\npin = 23\n[power]\narm_pin = 17\n', ["5: current.bus: want 1, the bus on GPIO2 and GPIO3, found 3"]),
        ('[expander]\nbus = 0\nint_pin = 6\n[[sensor]]\nname = "s"\nexpander = "0x20.A0"\n', ["5: expander.bus: want 1, the bus on GPIO2 and GPIO3, found 0"]),
        ('[hub]\n[[solenoid]]\nname = "g"\nhub = 0\n[power]\narm_pin = 17\n', ["9: power.arm_pin: want none beside coils on the hub, which feeds the charge pump itself, found 17"]),
        ('[hub]\n[[solenoid]]\nname = "g"\nhub = 0\n[[solenoid]]\nname = "h"\npin = 23\n', ["10: solenoid[2].pin: want hub = NUMBER as for the others, or a coil of at most 6 W, found 12 W on a pin of the Pi: the charge pump of the hub does not guard coils of the Pi"]),
        ("[hub]\nchips = 1\nspare = [1, 2, 3, 4, 4, 5, 6, 7]\n" + '[[sensor]]\nname = "a"\nhub = 0\n', ["6: hub.spare: 4 is written twice; take one of them off this list"]),
        ("[hub]\nspare = [1]\n" + '[[solenoid]]\nname = "g"\nhub = 0\n', ["5: hub.spare: want a list of whole numbers 0..0, found [1]"]),
        ("[supply]\nfive_volt_ma = 2000\nothers_ma = 2001\n", ["6: supply.others_ma: want at most supply.five_volt_ma (2000), of which it is a part, found 2001"]),
        ("[hub]\n", ["4: hub: want sensors or solenoids with hub = NUMBER, found none"]),
        ('[hub]\nchips = 1\nspare = [1, 2]\n[[sensor]]\nname = "a"\nhub = 0\n', ["6: hub.spare: want a sensor on every input, or its number here; without either: 3..7"]),
        ('[hub]\nchips = 1\nspare = [0, 1, 2, 3, 4, 5, 6, 7]\n[[sensor]]\nname = "a"\nhub = 0\n', ["6: hub.spare: 0 is not spare: sensor 'a' (line 9) uses it"]),
        ('[hub]\nport = "ttyACM0"\n[[solenoid]]\nname = "g"\nhub = 0\n', ["5: hub.port: want 'auto', a hub's serial number, or a path such as '/dev/hextraction-hub', found 'ttyACM0'"]),
        ("[pixels]\ncount = 3\nhub = true\n", ["6: pixels.hub: want a table [hub] for the lamps' data, found none"]),
        ('[hub]\n[[solenoid]]\nname = "g"\nhub = 0\n[pixels]\ncount = 341\nhub = true\npin = 10\n', ["9: pixels.count: want a whole number 1..340, found 341", "11: pixels.pin: want one of pin and hub, found both"]),
        ('[hub]\n[[solenoid]]\nname = "g"\nhub = 0\npull_in_ms = 20\nhold_percent = 60\n', ["9: solenoid[1].hold_percent: want 25, 50, 75 or 100, found 60"]),
        ('[hub]\n[[solenoid]]\nname = "g"\nhub = 0\nhold_percent = 50\n', ["5: solenoid[1].pull_in_ms: want 1..29, before the pulse is over, found 0"]),
        ('[hub]\n[[solenoid]]\nname = "g"\nhub = 0\npull_in_ms = 20\nhold_percent = 25\n[current]\n', ["9: solenoid[1].hold_percent: want 50, 75 or 100 beside a table [current]: less would look like an unplugged coil, found 25"]),
        ('[hub]\n[[solenoid]]\nname = "g"\nhub = 0\npull_in_ms = 20\n', ["5: solenoid[1].hold_percent: want 25, 50 or 75 beside pull_in_ms, found none"]),
        ('[hub]\n[[solenoid]]\nname = "g"\nhub = 8\n', ["7: solenoid[1].hub: want a whole number 0..7, found 8"]),
        ('[hub]\n[[solenoid]]\nname = "g"\nhub = 0\nmax_pulse_ms = 201\n', ["8: solenoid[1].max_pulse_ms: want a whole number 1..200, found 201"]),
        ('[hub]\n[[solenoid]]\nname = "g"\nhub = 0\npin = 23\n', ["8: solenoid[1].pin: want one of pin and hub, found both"]),
        ('[expander]\nint_pin = 6\n[[sensor]]\nname = "s"\npin = 2\n', ['4: expander: want sensors with expander = "0x20.A0" or the like, found none', "4: expander: GPIO2 is wanted as the expanders' SDA, but sensor 's' (line 8) uses it: move that"]),
        ('[current]\n[[sensor]]\nname = "s"\npin = 3\n', ["4: current: GPIO3 is wanted as the current meter's SCL, but sensor 's' (line 7) uses it: move that", "4: current: want solenoids whose current it measures, found none"]),
        ('[hub]\n[[solenoid]]\nname = "g"\nhub = 0\ncurrent_ma = 3000\nduty_percent = 3\n[current]\naddress = 64\nshunt_ohm = 0\n', ["11: current.address: want an address 0x40..0x4f, found 64", "12: current.shunt_ohm: want a number 0.001..10, found 0", "10: current.max_ma: want at least the strongest coil's 3000, found 2500"]),
        ("[pixels]\ncount = 1\npin = 10\nbudget_ma = 4000\n", ["7: pixels.budget_ma: want at most 3500, what supply.five_volt_ma leaves beside supply.others_ma, found 4000"]),
        ('[hub]\n[[solenoid]]\nname = "g"\nhub = 0\ncurrent_ma = 900\n[supply]\ncoil_ma = 800\n', ["8: solenoid[1].current_ma: want at most supply.coil_ma (800), found 900"]),
    ],
)  # fmt: skip
def test_each_mistake_is_named_with_its_line(body: str, messages: list[str]) -> None:
    """Every wrong place, missing table and overdrawn supply is told, once."""
    assert sorted(problems(body)) == sorted(messages)


def test_a_meter_shares_its_bus_with_expanders() -> None:
    """The pins of the bus are taken once."""
    coil = '[[solenoid]]\nname = "g"\npin = 23\n[power]\narm_pin = 17\n'
    shared = '[expander]\nint_pin = 6\n[[sensor]]\nname = "s"\nexpander = "0x20.A0"\n'
    meter = '[current]\naddress = "0x4A"\nshunt_ohm = 0.05\nmax_ma = 3000\n'
    wiring = wiring_from_text(HEAD + coil + shared + meter, "w.toml")
    assert wiring.current == CurrentWire(bus=1, address=0x4A, shunt_ohm=0.05, max_ma=3_000)
    assert wiring_from_text(HEAD + coil, "w.toml").current is None


def test_coils_of_five_volts_may_hang_on_hub_and_pi() -> None:
    """They need no supply that drops by itself."""
    body = '[hub]\n[[solenoid]]\nname = "g"\nhub = 0\n[[solenoid]]\nname = "h"\npin = 23\n[power]\ncoil_volts = 5\n'
    assert [coil.name for coil in wiring_from_text(HEAD + body, "w.toml").all_coils] == ["h", "g"]


@pytest.mark.parametrize(("count", "parts", "kind"), [(25, "chips", "hub"), (9, "multiplexers", "linear")])
def test_a_count_that_is_refused_hides_and_accuses_no_sensor(count: int, parts: str, kind: str) -> None:
    """A wrong number of chips is one mistake; the sensors' own are named beside it."""
    body = f"[hub]\n{parts} = {count}\n"
    for name, place in (("a", "8"), ("b", "8"), ("c", '"x"'), ("d", "0")):
        body += f'[[sensor]]\nname = "{name}"\n{kind} = {place}\n'
    most, highest = (24, 191) if kind == "hub" else (8, 127)
    assert problems(body) == [
        f"5: hub.{parts}: want a whole number 0..{most}, found {count}",
        f"11: sensor[2].{kind}: {kind} 8 is already taken by sensor 'a' (line 8); move one of the two",
        f"14: sensor[3].{kind}: want a whole number 0..{highest}, found 'x'",
    ]


@pytest.mark.parametrize(("kind", "places"), [("hub", "0"), ("linear", "0"), ("expander", '"0x20.A1"')])
def test_a_place_holds_one_wire(kind: str, places: str) -> None:
    """The second sensor on the same input is told who has it."""
    body = f"[hub]\nchips = 1\nmultiplexers = 1\n{SPARE}spare_linears = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]\n[expander]\nint_pin = 6\n"
    body += f'[[sensor]]\nname = "a"\n{kind} = {places}\n[[sensor]]\nname = "b"\n{kind} = {places}\n'
    spelled = "0x20.A1" if kind == "expander" else f"{kind} 0"
    assert (
        f"16: sensor[2].{kind}: {spelled} is already taken by sensor 'a' (line 13); move one of the two"
        in problems(body)
    )


def test_a_linear_needs_less_hysteresis_than_threshold() -> None:
    """Otherwise it would never become inactive again."""
    body = "[hub]\nmultiplexers = 1\nspare_linears = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]\n"
    body += '[[sensor]]\nname = "a"\nlinear = 0\nthreshold_mv = 20\nhysteresis_mv = 20\n'
    assert problems(body) == ["11: sensor[1].hysteresis_mv: want less than threshold_mv (20), found 20"]


def test_a_draft_keeps_what_can_be_understood(tmp_path: object) -> None:
    """A file with mistakes still says which sensors it has, beside its problems."""
    path = tmp_path / "w.toml"
    path.write_text(
        HEAD + '[[sensor]]\nname = "a"\npin = 99\n[[sensor]]\nname = "b"\n[wheels]\n', encoding="utf-8"
    )
    wiring, found = draft_wiring(path)
    assert wiring.sensor_names == ("a", "b")
    assert [problem.line for problem in found] == [6, 7, 9]
