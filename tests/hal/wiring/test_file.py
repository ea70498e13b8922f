"""Reading wiring files."""

import pytest
from hextraction.hal.wiring.coil_limits import CoilLimits
from hextraction.hal.wiring.file import read_wiring, wiring_from_text
from hextraction.hal.wiring.wires import CoilWire, LampWire, PixelWire, SensorWire
from hextraction.settings import SettingsError

HEAD = '[board]\nprofile = "standard-22"\ninstruments = "basic"\n'


def problems(body: str, head: str = HEAD) -> list[str]:
    """Return the messages about a wrong file, without the file's name."""
    with pytest.raises(SettingsError) as caught:
        wiring_from_text(head + body, "w.toml")
    return [str(problem).removeprefix("w.toml:") for problem in caught.value.problems]


def test_a_whole_build_becomes_frozen_values() -> None:
    """Every table is read; times become microseconds."""
    wiring = wiring_from_text(
        HEAD + '[gpio]\nfactory = "rpigpio"\n'
        '[[sensor]]\nname = "ramp.L1"\npin = 5\nactive = "high"\npull = "down"\ndebounce_ms = 0.5\n'
        '[pixels]\ncount = 8\npin = 10\norder = "RGB"\nbrightness = 0.25\nbudget_ma = 900\n'
        '[[lamp]]\nname = "slot.A1"\nfirst = 2\ncount = 3\n'
        '[[solenoid]]\nname = "gate.L1"\npin = 23\npulse_ms = 40\nmax_pulse_ms = 80\nmin_off_ms = 400\nduty_percent = 5\n'
        '[power]\npin = 20\nactive = "low"\npull = "up"\narm_pin = 17\n',
        "w.toml",
    )
    assert (wiring.profile, wiring.instruments, wiring.gpio_factory) == ("standard-22", "basic", "rpigpio")
    assert wiring.sensors == (
        SensorWire(name="ramp.L1", pin=5, active_high=True, pull="down", debounce_us=500),
    )
    assert wiring.pixels == PixelWire(count=8, pin=10, order="RGB", brightness=0.25, budget_ma=900)
    assert wiring.lamps == (LampWire(name="slot.A1", first=2, count=3),)
    limits = CoilLimits(max_pulse_ms=80, min_off_ms=400, duty_percent=5)
    assert wiring.coils == (CoilWire(name="gate.L1", pin=23, pulse_ms=40, limits=limits),)
    assert wiring.power.switch == SensorWire(
        name="power", pin=20, active_high=False, pull="up", debounce_us=1_000
    )
    assert wiring.power.arm_pin == 17


def test_a_board_without_electronics_is_a_wiring_too() -> None:
    """Only the board's name and instruments are needed."""
    wiring = wiring_from_text(HEAD, "w.toml")
    assert (wiring.sensors, wiring.pixels, wiring.coils, wiring.power.switch) == ((), None, (), None)


def test_a_pin_is_taken_once_across_everything() -> None:
    """The message names who has it and on which line."""
    body = (
        '[[sensor]]\nname = "a"\npin = 17\n[[sensor]]\nname = "b"\npin = 17\n'
        '[pixels]\ncount = 1\npin = 17\n[[solenoid]]\nname = "c"\npin = 17\n[power]\npin = 17\narm_pin = 17\n'
    )
    taken = "GPIO17 is already taken by sensor 'a' (line 6); move one of the two"
    assert problems(body) == [
        f"9: sensor[2].pin: {taken}",
        f"12: pixels.pin: {taken}",
        "12: pixels.pin: want 10 (SPI): on this Pi no other pin drives lamps without root, found 17",
        f"15: solenoid[1].pin: {taken}",
        f"17: power.pin: {taken}",
        f"18: power.arm_pin: {taken}",
    ]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ('[[sensor]]\nname = "a"\npin = 28\n', "6: sensor[1].pin: want a whole number 0..27, found 28"),
        ('[[sensor]]\nname = "a"\npin = true\n', "6: sensor[1].pin: want a whole number 0..27, found true"),
        ('[[sensor]]\nname = "a"\n', "4: sensor[1]: sensor 'a' is not connected: want one of pin, hub, linear and expander, found none"),
        ('[[sensor]]\nname = "a"\npin = 2\npull = "down"\n', "7: sensor[1].pull: want 'up' (GPIO2 has a pull-up soldered on), found 'down'"),
        ('[[sensor]]\nname = "a"\npin = 3\npull = "none"\n', "7: sensor[1].pull: want 'up' (GPIO3 has a pull-up soldered on), found 'none'"),
        ('[[sensor]]\nname = "a b"\npin = 4\n', "5: sensor[1].name: want a name such as 'ramp.L1', found 'a b'"),
        ('[[sensor]]\nname = "a"\npin = 4\ndebounce_ms = 1001\n', "7: sensor[1].debounce_ms: want a number 0..1000, found 1001"),
        ('[[sensor]]\nname = "a"\npin = 4\nactve = "low"\n', "7: sensor[1].actve: unknown key; did you mean 'active'?"),
        ('[gpio]\nfactory = "lgpoi"\n', "5: gpio.factory: want one of lgpio, rpigpio, mock, found 'lgpoi'; did you mean 'lgpio'?"),
        ("[pixels]\ncount = 0\npin = 10\n", "5: pixels.count: want a whole number 1..1000, found 0"),
        ('[pixels]\ncount = 1\npin = 10\norder = "GRBW"\n', "7: pixels.order: want one of GRB, RGB, RBG, GBR, BRG, BGR, found 'GRBW'; did you mean 'GRB'?"),
        ('[[lamp]]\nname = "a"\nfirst = 0\n', "4: lamp[1]: want a table [pixels] for these lamps, found none"),
        ('[pixels]\ncount = 4\npin = 10\n[[lamp]]\nname = "a"\nfirst = 2\ncount = 3\n', "10: lamp[1].count: want pixels 0..3, found 2..4"),
        ('[power]\ncoil_volts = 5\n[[solenoid]]\nname = "g"\npin = 23\npulse_ms = 60\n', "9: solenoid[1].pulse_ms: want at most max_pulse_ms (50), found 60"),
        ('[power]\ncoil_volts = 5\n[[solenoid]]\nname = "g"\npin = 23\nmax_pulse_ms = 201\n', "9: solenoid[1].max_pulse_ms: want a whole number 1..200, found 201"),
        ('[power]\ncoil_volts = 5\n[[solenoid]]\nname = "g"\npin = 23\nmin_off_ms = 100\n', "9: solenoid[1].min_off_ms: want a whole number 250..60000, found 100"),
        ('[power]\ncoil_volts = 5\n[[solenoid]]\nname = "g"\npin = 23\nduty_percent = 20\n', "9: solenoid[1].duty_percent: want a number 0.1..10, found 20"),
    ],
)  # fmt: skip
def test_each_mistake_is_named_with_its_line(body: str, message: str) -> None:
    """One wrong value gives exactly one problem."""
    assert problems(body) == [message]


@pytest.mark.parametrize("pin", [2, 3, 4, 5, 6])
def test_a_gate_must_be_low_while_the_pi_boots(pin: int) -> None:
    """Pins 2 to 6 are high before any software runs: a coil there would fire or burn."""
    body = f'[power]\ncoil_volts = 5\n[[solenoid]]\nname = "g"\npin = {pin}\n'
    assert problems(body) == [
        f"8: solenoid[1].pin: want a pin that is low while the Pi boots (9..13, 16..25, 27), found GPIO{pin}, which is high"
    ]


@pytest.mark.parametrize(
    ("pin", "why"),
    [
        (0, "is reserved for an add-on board's identity"),
        (1, "is reserved for an add-on board's identity"),
        (7, "is a chip select of the SPI bus, which the installer turns on"),
        (8, "is a chip select of the SPI bus, which the installer turns on"),
        (14, "belongs to the serial console"),
        (15, "belongs to the serial console"),
        (26, "belongs to the power button"),
    ],
)
def test_what_the_installer_and_the_pi_use_themselves_is_free_for_nothing(pin: int, why: str) -> None:
    """No sensor, coil, lamp, switch, pump or INT line may hang there; the other pins are named."""
    body = (
        f'[supply]\npi = "5"\n[[sensor]]\nname = "a"\npin = {pin}\n[pixels]\ncount = 1\npin = {pin}\n'
        f'[[solenoid]]\nname = "g"\npin = {pin}\n[power]\npin = {pin}\narm_pin = {pin}\n'
        f'[expander]\nint_pin = {pin}\n[[sensor]]\nname = "b"\nexpander = "0x20.A0"\n'
    )
    told = f"want a free pin (2..6, 9..13, 16..25, 27), found GPIO{pin}, which {why}"
    assert problems(body) == [
        f"8: sensor[1].pin: {told}",
        f"11: pixels.pin: {told}",
        f"14: solenoid[1].pin: {told}",
        f"16: power.pin: {told}",
        f"17: power.arm_pin: {told}",
        f"19: expander.int_pin: {told}",
    ]


@pytest.mark.parametrize("model", ["zero-2w", "3b", "4b"])
def test_lamps_hang_on_gpio10_wherever_another_pin_would_need_root(model: str) -> None:
    """PWM and PCM need root, which the service does not have; a Pi 5 drives lamps on any pin."""
    body = '[pixels]\ncount = 1\npin = 18\n[supply]\npi = "{}"\n'
    why = "on this Pi no other pin drives lamps without root"
    assert problems(body.format(model)) == [f"6: pixels.pin: want 10 (SPI): {why}, found 18"]
    for free in ("5", "own"):
        assert wiring_from_text(HEAD + body.format(free), "w.toml").pixels == PixelWire(
            count=1, pin=18, order="GRB", brightness=0.5, budget_ma=2_000
        )


def test_rpi_gpio_drives_no_pi_5() -> None:
    """The older library knows only the models before it."""
    body = '[gpio]\nfactory = "rpigpio"\n[supply]\npi = "{}"\n'
    assert problems(body.format("5")) == ["5: gpio.factory: want lgpio on a Pi 5, found 'rpigpio'"]
    assert wiring_from_text(HEAD + body.format("4b"), "w.toml").gpio_factory == "rpigpio"


@pytest.mark.parametrize("kind", ["sensor", "solenoid", "lamp"])
def test_a_name_is_used_once_among_its_kind(kind: str) -> None:
    """The second one is reported with the line of the first."""
    rest = {"sensor": "pin = {}", "solenoid": "pin = {}", "lamp": "first = {}"}[kind]
    body = "[pixels]\ncount = 30\npin = 10\n[power]\ncoil_volts = 5\n"
    for number in (23, 24):
        body += f'[[{kind}]]\nname = "x"\n{rest.format(number)}\n'
    assert problems(body) == [f"13: {kind}[2].name: want a new name, found 'x' (as on line 10)"]


def test_a_pixel_belongs_to_one_lamp() -> None:
    """Overlapping lamps are reported with the other's line."""
    body = '[pixels]\ncount = 9\npin = 10\n[[lamp]]\nname = "a"\nfirst = 0\ncount = 4\n[[lamp]]\nname = "b"\nfirst = 3\ncount = 4\n'
    assert problems(body) == ["13: lamp[2].first: pixel 3 is already part of lamp 'a' (line 7)"]


def test_lamps_on_gpio10_have_the_spi_bus_to_themselves() -> None:
    """Whichever comes first in the file, the other pins of that bus are not free."""
    before = '[[sensor]]\nname = "a"\npin = 9\n[pixels]\ncount = 1\npin = 10\n'
    after = "[pixels]\ncount = 1\npin = 10\n[power]\npin = 11\n"
    why = "belongs to the SPI bus, which the pixels on GPIO10 need for themselves"
    assert problems(before) == [f"9: pixels.pin: GPIO9 {why}, but sensor 'a' (line 6) uses it: move that"]
    assert problems(after) == [f"8: power.pin: GPIO11 {why}"]


def test_strong_coils_need_a_supply_that_can_be_disarmed() -> None:
    """Without an arm pin only coils of up to 6 W are allowed; 12 V and 1 A are assumed."""
    body = '[[solenoid]]\nname = "g"\npin = 23\n'
    assert problems(body) == [
        "4: solenoid[1]: want power.arm_pin, or a coil of at most 6 W, found 12 W that nothing can disarm"
    ]
    assert wiring_from_text(HEAD + body + "[power]\narm_pin = 24\n", "w.toml").power.arm_pin == 24


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ("current_ma = 1500\nmax_pulse_ms = 200\nduty_percent = 5\n", "6: solenoid[1].max_pulse_ms: want at most 138: a pulse of 18 W may take 2.5 J, found 200"),
        ("current_ma = 1500\n", "2: solenoid[1].duty_percent: want at most 6.6: a coil may take 1.2 W in the mean, found 10 % of 18 W"),
    ],
)  # fmt: skip
def test_a_coil_is_limited_by_joules_and_watts(keys: str, message: str) -> None:
    """A coil of 18 W may not have what one of 12 W may: what heats is power, not voltage."""
    body = f'[[solenoid]]\nname = "g"\npin = 23\n{keys}[power]\narm_pin = 24\n'
    assert [text.split(": ", 1)[1] for text in problems(body)] == [message.split(": ", 1)[1]]


def test_all_mistakes_are_reported_at_once() -> None:
    """Three mistakes in three tables are one error with three lines."""
    body = '[gpio]\nfactory = 3\n[[sensor]]\nname = "a"\npin = 99\n[wheels]\ncount = 4\n'
    assert [text.partition(":")[0] for text in problems(body)] == ["5", "8", "9"]


def test_a_missing_file_is_an_operators_mistake(tmp_path: object) -> None:
    """It is reported like any other."""
    with pytest.raises(SettingsError, match="cannot read this file"):
        read_wiring(tmp_path / "nowhere.toml")
