"""``hextraction run``: a real table, with the electronics of a wiring file or with none."""

import argparse
import asyncio
import logging
import os
import secrets
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hextraction.board.instruments import halls_around
from hextraction.board.profile import Board, load_board
from hextraction.controller.app.process import (
    be_prompt,
    board_info,
    go_on_in_spite_of_pause,
    posting,
    senses_of,
    stop_on_signals,
)
from hextraction.controller.config import ControllerConfig, PageConfig, config_from, read_config
from hextraction.controller.games.protocol import Game
from hextraction.controller.games.registry import open_game
from hextraction.controller.logs import set_up_logs
from hextraction.controller.notify import Supervisor
from hextraction.controller.play.journal import Header, Journal, JournalError, JournalLostError
from hextraction.controller.play.performer import Lights, Performer
from hextraction.controller.rig import Rig, match_rig, reflexes
from hextraction.controller.table.buttons import Buttons
from hextraction.controller.table.health import Health, in_short, tell_health
from hextraction.controller.table.host import Host, Plan
from hextraction.controller.table.hung_game import HungGame
from hextraction.controller.table.lobby import Lobby
from hextraction.controller.table.lost_devices import LostDevices
from hextraction.controller.version import software
from hextraction.controller.workshop import plans
from hextraction.hal.clock import MonotonicClock
from hextraction.hal.errors import DeviceLost
from hextraction.hal.handover import Handover
from hextraction.hal.ports import Edge
from hextraction.settings import Document

if TYPE_CHECKING:
    from hextraction.controller.table.held_coils import HeldCoils
    from hextraction.hal.opening.factory import Devices
    from hextraction.hal.wiring.wires import Wiring

__all__ = [
    "FIND_THE_PICO",
    "STARTER",
    "OpenDevices",
    "TableClock",
    "find_hub",
    "open_table",
    "real_plan",
    "run",
    "starter_config",
]

# --- How games start at a real table ---


def real_plan(
    rig: Rig,
    boot: str,
    journal: Path,
    page: PageConfig,
    games: Mapping[str, Callable[[], Game[Any, Any]]],
) -> Plan:
    """Return the plan for a table with this rig; what people make on phones is kept beside the journal."""
    return Plan(
        header=lambda setup: _header(setup, rig, boot),
        luck=secrets.SystemRandom(),
        answer_for_after_s=page.answer_for_after_s,
        senses=senses_of(rig),
        keep=journal.with_suffix(".tiles"),
        games=games,
    )


def _header(setup: Any, rig: Rig, boot: str) -> Header:
    return Header(
        game=f"{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(2)}",
        boot=boot,
        wall=time.strftime("%Y-%m-%dT%H:%M:%S%z"),
        software=software(),
        setup=setup,
        sensors=rig.sensors,
    )


# --- The clock of a real table ---


class TableClock:
    """The real clock, never behind the journal: after a reboot it continues from the last entry."""

    def __init__(self) -> None:
        self._clock = MonotonicClock()
        self._offset_us = 0
        self.boot = self._clock.boot_id or f"started-{time.time_ns()}"

    def now_us(self) -> int:
        """Return monotonic microseconds that continue where the journal ends."""
        return self._clock.now_us() + self._offset_us

    def stay_ahead_of(self, at_us: int) -> None:
        """From now on return only times after ``at_us``, the journal's last."""
        self._offset_us = max(0, at_us + 1 - self._clock.now_us())

    def of_device(self, at_us: int) -> int:
        """Convert a device's time to this clock."""
        return at_us + self._offset_us


# --- The command ---

_log = logging.getLogger(__name__)
_HOUSE_S = 0.1
_DIAG_S = 10.0
_READ_AGAIN_S = 1.0
_LEAVING_S = 2.0

OpenDevices = Callable[["Wiring"], "Devices"]
"""Opens the devices of a wiring."""


def _open(wiring: "Wiring") -> "Devices":
    from hextraction.hal.opening.factory import open_devices  # noqa: PLC0415 - not for a table without devices

    return open_devices(wiring, clock=MonotonicClock())


def find_hub(wanted: str) -> str:
    """Return the port of a hub on this computer's USB.

    Raises:
        HubNotFound: there is none, or more than one.
    """
    from hextraction.hal.hub.port import find_port  # noqa: PLC0415 - as above

    return find_port(wanted)


STARTER = Path(plans.__file__).parent / "starter.toml"
"""The wiring of the starter, which comes with the program."""
FIND_THE_PICO = "auto"
"""The port of whatever hub is there."""


def run(
    options: argparse.Namespace, *, opened: OpenDevices = _open, find: Callable[[str], str] = find_hub
) -> int:
    """Host a table until somebody stops it; return the exit status.

    Raises:
        HubNotFound: the starter is wanted, and its Pico is not on this computer's USB.
    """
    config = read_config(options.config) if options.config is not None else ControllerConfig()
    if options.starter:
        config = starter_config()
        print(f"The Pico is {find(FIND_THE_PICO)}.", flush=True)
    # A configuration without a wiring is that of an ordinary board; without one nobody has said what it is.
    if config.wiring is None and options.config is None and not options.no_electronics:
        told = (
            "no wiring is configured. Name one in the configuration, play the starter with --starter, or an"
        )
        print(f"hextraction run: {told} ordinary board with --no-electronics.", file=sys.stderr)
        return 2
    set_up_logs(config.log.level, config.log.format)
    be_prompt()
    return asyncio.run(open_table(config, options, opened=opened).host())


def starter_config() -> ControllerConfig:
    """Return the configuration of the starter: its wiring, and few taps for what it does not see."""
    few_taps = Document.from_text('[game]\ndepth = "light"\n', "--starter")
    return replace(config_from(few_taps, STARTER.parent), wiring=STARTER)


def open_table(
    config: ControllerConfig,
    options: argparse.Namespace,
    *,
    opened: OpenDevices = _open,
    read_again_s: float = _READ_AGAIN_S,
) -> "_Table":
    """Open the devices and journal of a real table, which rereads its sensors every ``read_again_s``.

    If the caller does not run ``host``, it must close the table.
    """
    return _Table(config, options, opened=opened, read_again_s=read_again_s)


class _Table:
    """A real table: opens devices, journal and page, and lets the real clock drive the host."""

    def __init__(
        self,
        config: ControllerConfig,
        options: argparse.Namespace,
        *,
        opened: OpenDevices = _open,
        read_again_s: float = _READ_AGAIN_S,
    ) -> None:
        self.config = config
        self.options = options
        self._read_again_s = read_again_s
        self.clock = TableClock()
        self.board: Board = load_board(config.board)
        self.devices, self.rig = self._open_devices(opened)
        self.journal = Journal(options.journal or config.journal, alone=True)
        self.health = Health(self.rig.sensors)
        self.host_ = self._make_host()
        self.buttons = Buttons(self.host_)
        self.coils = self._held_coils()
        on = self.devices is None or self.devices.power.on
        others = {"pixels": "The lamps"} | {name: f"The button {name[7:]}" for name in self.rig.buttons}
        wires = [hub.wire for hub in self.devices.hubs] if self.devices is not None else []
        parts = [wire.sensor_names for wire in wires if wire.name]
        others |= {wire.lamps_name: f"The lamps of the hub {wire.name}" for wire in wires if wire.name}
        self.absence = LostDevices(self.host_, self.rig.sensors, switched_on=on, others=others, parts=parts)
        self.supervisor = Supervisor()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._handover: Handover | None = None
        self._done = asyncio.Event()
        self._thinking: asyncio.Handle | None = None
        self._alarm: asyncio.TimerHandle | None = None
        self.host_.on_input = self._set_alarm
        self._broken = False
        self._hung: tuple[str, ...] = ()
        self._hung_game: HungGame | None = None

    def _open_devices(self, opened: OpenDevices) -> "tuple[Devices | None, Rig]":
        if self.options.no_electronics or self.config.wiring is None:
            return None, match_rig(self.board, (), ())[0]
        from hextraction.controller.workshop.plans.build import read_build  # noqa: PLC0415 - as above

        wiring, _board, rig = read_build(self.config.wiring, self.board.name)
        devices = opened(wiring)
        board = self.board
        devices.disturbs({f"tile.{slot}": halls_around(board, slot) for slot in board.slot_names})
        return devices, rig

    def _held_coils(self) -> "HeldCoils | None":
        devices = self.devices
        if devices is None:
            return None
        from hextraction.controller.table.held_coils import HeldCoils  # noqa: PLC0415 - as above

        return HeldCoils(self.host_, devices.power.supply, devices.solenoids.names)

    def _make_host(self) -> Host:
        devices = self.devices
        lights = None
        if devices is not None:
            # The limit of the wiring's supply holds, whatever the settings allow.
            budget_ma = min(self.config.lights.budget_ma, devices.lamps_ma or self.config.lights.budget_ma)
            lights = Lights(devices.lamps, devices.pixels.count, self.config.lights.brightness, budget_ma)
        performer = Performer(
            devices.pixels if devices is not None else None,
            devices.solenoids if devices is not None else None,
            lights,
            reflexes(self.board, self.rig.sensors),
        )
        game = open_game(self.config.game, self.board, self.config.rules)
        return Host(
            game=game,
            journal=self.journal,
            performer=performer,
            lobby=Lobby(bots=False, grace_s=self.config.page.seat_grace_s, least=game.seats.start),
            plan=real_plan(
                self.rig, self.clock.boot, Path(self.journal.path), self.config.page, self._games()
            ),
        )

    def _games(self) -> dict[str, Callable[[], Game[Any, Any]]]:
        """Return what makes each game that this table offers, under its house rules."""
        rules = self.config.house_rules
        return {kind: partial(open_game, kind, self.board, rules.get(kind)) for kind in self.config.games}

    # --- running ---

    async def host(self) -> int:
        """Keep the table open until it is asked to stop (status 0); a bug or another signal: status 1."""
        stop_on_signals(self._done, self._on_signal)
        if self.devices is not None:
            go_on_in_spite_of_pause()
        self._loop = asyncio.get_running_loop()
        self._hung_game = HungGame(self.host_, self._leave_at_once)
        self._hung_game.start()
        self._loop.set_exception_handler(self._on_mistake)
        try:
            # Listen first: changes from now on wait in the loop until the game is there.
            self._listen()
            self._resume()
            if self.options.no_page:
                print("Ready.", flush=True)
                await self._until_done()
            else:
                await self._serve()
        finally:
            self._hung_game.close()
            self.close()
        return 1 if self._broken else 0

    def _on_signal(self, name: str) -> None:
        """Stop, outputs off, by a signal that nobody sends to stop a program: the service starts again."""
        _log.error("stopping: ended by %s", name)
        self._broken = True

    def _leave_at_once(self) -> None:
        """End the program from another thread, outputs off if that goes: the loop does not come back."""
        threading.Timer(_LEAVING_S, os._exit, (1,)).start()
        try:
            self._outputs_off()
        finally:
            os._exit(1)

    def _on_mistake(self, _loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Stop, outputs off, as nothing may go on half done; the next start replays the journal."""
        error = context.get("exception")
        if isinstance(error, JournalLostError):
            return self._on_lost(error)
        _log.error("stopping: %s", context["message"], exc_info=error)
        self._broken = True
        return self.stop()

    def _on_lost(self, error: JournalLostError) -> None:
        """Stop because nothing can be journalled: no mistake of ours, so one line says it all."""
        if not self._broken:
            _log.error("stopping: %s", error)
        self._broken = True
        self.stop()

    async def _serve(self) -> None:
        # Only here: what the page needs takes time and memory.
        from hextraction.controller.app.hosting import listening  # noqa: PLC0415
        from hextraction.controller.app.page import open_page, welcome  # noqa: PLC0415

        async with open_page(
            self.host_,
            self.config.page.at(self.options.host, self.options.port),
            board_id=self.config.table,
            info=board_info(
                self.board,
                drawn=self.host_.game.drawn,
                electronics=self.devices is not None,
                simulated=False,
                sensors=self.rig.sensors,
                game=self.host_.game.kind,
            ),
            broker=self.config.broker,
            house=self.config.house,
            webhook=self.config.webhook,
            keep=Path(self.journal.path).with_suffix(".seats"),
            now_us=self.clock.now_us,
            problems=self.problems,
            coils=self._coils_spent,
            lost=self._on_lost,
        ) as companion:  # fmt: skip
            print(welcome(companion), flush=True)
            async with listening(Path(self.journal.path), self.host_, companion, self.clock.now_us):
                await self._until_done()

    async def _until_done(self) -> None:
        self.supervisor.ready(f"The table is open: {self.board.title}.")
        if self.options.exit_when_ready:
            return
        tasks: list[asyncio.Task[object]] = [
            asyncio.create_task(self._diagnose()),
            asyncio.create_task(self._keep_house()),
        ]
        if self.devices is not None:
            tasks.append(asyncio.create_task(self._read_again(self.devices)))
        done = asyncio.create_task(self._done.wait())
        try:
            await asyncio.wait([*tasks, done], return_when=asyncio.FIRST_COMPLETED)
            for task in tasks:
                if task.done():
                    task.result()  # a task never ends by itself: this raises what went wrong
        finally:
            self._outputs_off()
            for task in (*tasks, done):
                task.cancel()

    def _coils_spent(self) -> Mapping[str, float]:
        """Return what share of its duty each coil has used up."""
        return {} if self.devices is None else self.devices.solenoids.spent

    def problems(self) -> Iterator[str]:
        """Say what keeps the board from seeing or doing what it should, for ``/health``."""
        for name in self._hung:
            yield f"{name}: not responding"
        lost = self.absence.sensors
        if lost:
            yield f"{len(lost)} of {len(self.rig.sensors)} sensors do not answer: {in_short(lost)}"
        muted = self.absence.muted
        if muted:
            yield f"do not count, for they change far too often: {in_short(muted)}"
        if self.devices is not None:
            yield from _wrong_clocks(self.devices)
        if self.coils is not None:
            yield from (f"{one.sensor}: {one.why}" for one in self.coils.troubles)

    def _resume(self) -> None:
        """Resume an interrupted game. One that cannot be read stays in the journal, and the table is free."""
        game = self.journal.open_game()
        if game is None:
            return
        try:
            self.host_.recall(game)
        except JournalError as error:
            _log.error("the interrupted game cannot go on: %s", error)
            return
        runtime = self.host_.runtime
        self.clock.stay_ahead_of(0 if runtime is None else runtime.referee.at_us)
        said = self.devices.inputs.levels() if self.devices is not None else {}
        levels = {name: said[name] for name in self.rig.sensors if name in said}
        self.host_.resume(levels, self.clock.now_us(), boot=self.clock.boot)
        _log.info("resumed game %s", game)

    def _listen(self) -> None:
        if self.devices is None or self._loop is None:
            return
        self._handover = Handover(self._edge, partial(posting, self._loop))
        self.devices.inputs.listen(self._handover.put)
        self.devices.power.listen(posting(self._loop, self._power))
        self.devices.lost.listen(posting(self._loop, self._lost), posting(self._loop, self._found))
        if self.coils is not None:
            self.devices.power.supply.listen(posting(self._loop, self.coils.changed))
            self.coils.changed()
        for lost in self.devices.lost.now:
            self._lost(lost)
        # A sensor that is on before anything has changed may be stuck: only its edges would show otherwise.
        for name, active in self.devices.inputs.levels().items():
            if active and name in self.rig.sensors:
                self.health.edge(name, active, self.clock.now_us())

    def _lost(self, lost: DeviceLost) -> None:
        if lost.muted and self._handover is not None:
            self._handover.calm(lost.device)
        self.health.lost(lost.device, lost.reason)
        self.absence.lost(lost.device, lost.reason, muted=lost.muted)
        if self.coils is not None:
            self.coils.lost(lost.device, lost.reason)

    def _found(self, device: str) -> None:
        self.health.found(device)
        self.absence.found(device)
        if self.coils is not None:
            self.coils.found(device)

    def _edge(self, edge: Edge) -> None:
        if edge.sensor in self.rig.buttons:
            self._button(Edge(edge.sensor, edge.active, self.clock.of_device(edge.at_us)))
            return
        at_us = self.clock.of_device(edge.at_us)
        self.host_.edge(Edge(edge.sensor, edge.active, at_us))
        self.health.edge(edge.sensor, edge.active, at_us)
        self._think()

    def _button(self, edge: Edge) -> None:
        if not (self.coils is not None and edge.active and self.coils.pressed(edge.sensor, edge.at_us)):
            self.buttons.edge(edge)
        self._set_alarm()

    def _think(self) -> None:
        """Prepare for the next edge, a little at a time, so that edges waiting in the loop come first."""
        runtime = self.host_.runtime
        if self._thinking is not None:
            self._thinking.cancel()
            self._thinking = None
        if runtime is not None and self._loop is not None and runtime.think_ahead():
            self._thinking = self._loop.call_soon(self._think)

    def _power(self, on: bool, at_us: int) -> None:  # noqa: FBT001 - the hal calls back like this
        self.absence.switched(on)
        self.host_.advance(self.clock.of_device(at_us))
        self.absence.settle(self.clock.of_device(at_us))

    def _set_alarm(self) -> None:
        """Plan what is due next: showing what has changed, or what the game waits for."""
        runtime, loop = self.host_.runtime, self._loop
        if runtime is None or loop is None or self._done.is_set():
            return
        due = [at_us for at_us in (self.host_.show_at_us(), runtime.wake_at_us) if at_us is not None]
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        if due and not (runtime.over and not runtime.changed):
            delay_s = max(0, min(due) - self.clock.now_us()) / 1_000_000
            self._alarm = loop.call_later(delay_s, self._go_on)

    def _go_on(self) -> None:
        """Let happen what is due, show what has changed, and plan what comes next."""
        now_us = self.clock.now_us()
        self.host_.advance(now_us)
        due_us = self.host_.show_at_us()
        if due_us is not None and due_us <= now_us:
            self.host_.refresh(now_us, blink=_blinks(now_us))
        self._think()
        self._set_alarm()

    async def _keep_house(self) -> None:
        """A few times a second, see after devices, let lamps blink, and tell systemd that we live.

        We do only while the devices' threads come round as well: with one that hangs the board neither sees
        nor does anything, and to start again is the only cure. The journal is written on this thread: if that
        hangs, so does this.
        """
        while True:
            now_us = self.clock.now_us()
            if self._hung_game is not None:
                self._hung_game.beat()
            hung = () if self.devices is None else self.devices.hung
            if not hung:
                self.supervisor.alive(now_us)
            elif hung != self._hung:
                _log.error("not responding: %s; systemd will start us again", ", ".join(hung))
            self._hung = hung
            self.absence.settle(now_us)
            if self.coils is not None:
                self.coils.settle(now_us)
            self.host_.refresh(now_us, blink=_blinks(now_us))
            self._go_on()
            await asyncio.sleep(_HOUSE_S)

    async def _read_again(self, devices: "Devices") -> None:
        """Catch changes without an edge: a burst may overrun the kernel's queue and lose edges."""
        while True:
            devices.resync()
            await asyncio.sleep(self._read_again_s)

    async def _diagnose(self) -> None:
        while True:
            inputs = None if self.devices is None else self.devices.inputs
            more = () if self.coils is None else self.coils.troubles
            more += self.absence.troubles
            muted, misdated = self.absence.muted, {} if self.devices is None else self.devices.misdated
            now_us = self.clock.now_us()
            tell_health(self.host_, self.health, now_us, inputs, more, muted=muted, misdated=misdated)
            await asyncio.sleep(_DIAG_S)

    def _outputs_off(self) -> None:
        """Turn off coils, their supply and lamps before anything waits for phones. Nothing comes on again."""
        self.supervisor.stopping()
        self.host_.performer.dark()
        self.host_.performer.power = False
        if self.devices is not None:
            self.devices.close()

    def stop(self) -> None:
        """Make :meth:`host` return."""
        self._done.set()

    def close(self) -> None:
        """Turn outputs off first, then close everything else. May be called twice."""
        self._outputs_off()
        self.journal.close()


def _wrong_clocks(devices: "Devices") -> Iterator[str]:
    """Say which devices' clocks are not believed."""
    yield from (f"{hub.wire.title}: {hub.trouble}" for hub in devices.hubs if hub.trouble)
    misdated = devices.misdated
    if misdated:
        yield f"times that cannot be true, taken as now: {in_short(tuple(misdated))}"


def _blinks(now_us: int) -> bool:
    """Return whether blinking lamps are lit now: every other half second."""
    return now_us // 500_000 % 2 == 0
