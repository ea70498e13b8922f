"""The machine that Mission Pinball Framework runs here: as many switches and lights as our board has slots.

One folder, written anew for each run: 22 switches, 22 RGB lights, 6 coils, and for the rules a counter a
switch.
"""

from pathlib import Path

__all__ = ["COILS", "SLOTS", "write_machine"]

SLOTS = 22
COILS = 6

_STOPPER = '''"""Stops the machine as soon as it is ready."""
from mpf.core.custom_code import CustomCode


class Stopper(CustomCode):
    """Waits for the reset to be complete."""

    def on_load(self):
        """Listen."""
        self.machine.events.add_handler("reset_complete", self.ready)

    def ready(self, **kwargs):
        """Stop."""
        self.machine.stop("ready")
'''


def write_machine(folder: Path, *, counters: bool = False, stops: bool = False) -> Path:
    """Write a machine folder; ``counters`` adds one a switch, ``stops`` ends it when it is ready."""
    (folder / "config").mkdir(parents=True)
    (folder / "modes").mkdir()
    lines = ["#config_version=6", "hardware:", "  platform: virtual"]
    lines += ["playfields:", "  playfield:", "    tags: default", "    default_source_device: None"]
    lines += [
        "bcp:",
        "  servers:",
        "    url_style:",
        "      port: 0",
    ]  # any free one: two machines run at once
    if stops:
        (folder / "stopper.py").write_text(_STOPPER)
        lines.append("custom_code: stopper.Stopper")
    lines += _devices()
    if counters:
        lines += ["counters:"]
        for slot in range(1, SLOTS + 1):
            lines += [
                f"  touches_{slot}:",
                f"    count_events: s_{slot}_active",
                f"    events_when_hit: touched_{slot}",
                "    start_enabled: true",
            ]
    (folder / "config" / "config.yaml").write_text("\n".join(lines) + "\n")
    return folder


def _devices() -> list[str]:
    lines = ["switches:"]
    for slot in range(1, SLOTS + 1):
        lines += [f"  s_{slot}:", f"    number: {slot}"]
    lines += ["lights:"]
    for slot in range(1, SLOTS + 1):
        lines += [f"  l_{slot}:", f"    number: {slot}", "    type: rgb", "    subtype: led"]
    lines += ["coils:"]
    for coil in range(1, COILS + 1):
        lines += [f"  c_{coil}:", f"    number: {coil}", "    default_pulse_ms: 30"]
    return lines
