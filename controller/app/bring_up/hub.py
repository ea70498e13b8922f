"""``hextraction hub``: what the sensor hub says of itself, and new firmware for it."""

import argparse
import sys
from collections.abc import Callable
from typing import Final

from hextraction.controller.app.bring_up.hub_firmware import flash
from hextraction.hal.hub.flash import FirmwareError, shipped_sources
from hextraction.hal.hub.framing import Frame
from hextraction.hal.hub.port import PortBusy, find_port, open_serial
from hextraction.hal.hub.question import HubQuestion
from hextraction.hal.hub.words import BOOT_REASONS, LINEAR, MAJOR, Greeting, State, read_edges, read_warning

__all__ = ["run"]

_STOPPED: Final = 130
_SERVICE: Final = """If it is the service, let it rest meanwhile:
  sudo systemctl stop hextraction
  sudo systemctl start hextraction"""


def run(options: argparse.Namespace) -> int:
    """Do what is asked; return the exit status."""
    try:
        doing: Callable[[argparse.Namespace], int] = {"info": _info, "log": _log, "flash": flash}[
            options.doing
        ]
        return doing(options)
    except KeyboardInterrupt:
        return 0 if options.doing == "log" else _STOPPED
    except BrokenPipeError:
        raise
    except (OSError, FirmwareError) as error:
        print(f"hextraction hub {options.doing}: {_sentence(error)}", file=sys.stderr)
        if isinstance(error, PortBusy):
            print(_SERVICE, file=sys.stderr)
        return 2


def _sentence(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error)


def _mute(options: argparse.Namespace, port: str) -> int:
    return _failed(
        options,
        f"what is at {port} does not answer as our hub: "
        "other firmware may be on it; hextraction hub flash puts ours there",
    )


def _refused(options: argparse.Namespace, port: str, greeting: Greeting) -> int:
    """Of a hub with another protocol only its version is understood; a table refuses it."""
    return _failed(
        options,
        f"the hub at {port} speaks protocol {greeting.major}.{greeting.minor}, want {MAJOR}; "
        "hextraction hub flash puts the firmware there that speaks it",
    )


def _failed(options: argparse.Namespace, why: str) -> int:
    print(f"hextraction hub {options.doing}: {why}", file=sys.stderr)
    return 1


# --- how it is ---


def _info(options: argparse.Namespace) -> int:
    port = find_port(options.port)
    with HubQuestion(open_serial(port)) as hub:
        greeting = hub.greet()
        if greeting is None:
            return _mute(options, port)
        if greeting.major != MAJOR:
            return _refused(options, port, greeting)
        print(f"Sensor hub {greeting.unique_id} at {port}")
        _introduce(greeting)
        state = hub.state()
        counts = {} if state is None else hub.diagnosis()
    if state is not None:
        _tell_state(state)
    if not counts:
        return _failed(
            options,
            f"the hub at {port} said who it is, and then nothing more: unplug it, plug it in; "
            "if that is no better: hextraction hub flash",
        )
    print("Since it started, or (times) since it was last asked:")
    for name, count in counts.items():
        print(f"  {name.replace('_us', ', us').replace('_', ' '):28}{count:12}")
    return 0


def _introduce(greeting: Greeting) -> None:
    reason = BOOT_REASONS[greeting.boot_reason] if greeting.boot_reason < len(BOOT_REASONS) else "unknown"
    serves = f"{greeting.inputs} inputs, {greeting.linears} linear Halls, {greeting.coils} coils"
    _line(
        "firmware", f"{'.'.join(map(str, greeting.firmware))}, sources {greeting.sources}{_whose(greeting)}"
    )
    _line("protocol", f"{greeting.major}.{greeting.minor}")
    _line("serves", f"{serves}; looks every {greeting.scan_us} us")
    _line("last start", f"{reason}; restarts by its watchdog since it has power: {greeting.bites}")


def _whose(greeting: Greeting) -> str:
    shipped = shipped_sources()
    if shipped is None:
        return ""
    same = shipped == greeting.sources
    return ", as shipped" if same else ", not the one shipped; hextraction hub flash puts that there"


def _tell_state(state: State) -> None:
    loaded = f"{state.config_crc:08x}" if state.config_crc else "none yet: the controller loads it"
    _line("configuration", loaded)
    _line("e-stop", "released, and 12 V there" if state.flags.estop_good else "pressed, or no 12 V")
    _line("coils", "armed" if state.flags.armed else f"not armed: {state.reason}")


def _line(what: str, says: str) -> None:
    print(f"  {what:14}{says}")


# --- what it reports ---


def _log(options: argparse.Namespace) -> int:
    port = find_port(options.port)
    with HubQuestion(open_serial(port)) as hub:
        greeting = hub.greet()
        if greeting is None:
            return _mute(options, port)
        if greeting.major != MAJOR:
            return _refused(options, port, greeting)
        if not greeting.config_crc:
            print(
                "The hub has no configuration, so it reports no sensor. It gets one when a table opens: "
                "start hextraction run or check-board once, then come back.",
                file=sys.stderr,
            )
        print(f"Listening for {options.seconds:g} s; Ctrl-C ends it.", flush=True)
        for frame in hub.listen(options.seconds):
            _show(frame)
    return 0


def _show(frame: Frame) -> None:
    for edge in read_edges(frame.body) if frame.type == "e" else ():
        kind = f"linear {edge.number - LINEAR}" if edge.number >= LINEAR else f"input {edge.number}"
        print(f"{edge.low_us / 1e6:12.6f} s  {kind:10} {'active' if edge.active else 'idle'}", flush=True)
    state = State.read(frame.body) if frame.type == "t" else None
    if state is not None:
        print(f"{state.low_us / 1e6:12.6f} s  {_changed(state)}", flush=True)
    elif frame.type == "w":
        print(f"{'':14}  warning: {read_warning(frame.body)}", flush=True)


def _changed(state: State) -> str:
    estop = "e-stop released" if state.flags.estop_good else "e-stop pressed, or no 12 V"
    return f"{estop}; coils {'armed' if state.flags.armed else 'not armed'}"
