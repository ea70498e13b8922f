"""``hextraction check-board``: a guided walk through a board, on terminal and phones, with a report."""

import argparse
import asyncio
import contextlib
import secrets
import sys
import time
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Protocol

from hextraction.board.instruments import coils, instruments, lamps, middle_slots
from hextraction.board.profile import Board, load_board
from hextraction.controller.app.live import FIND_THE_PICO, find_hub, starter_config
from hextraction.controller.app.process import board_info, go_on_in_spite_of_pause, posting, stop_on_signals
from hextraction.controller.config import PageConfig, read_config
from hextraction.controller.games.registry import STANDARD, open_game
from hextraction.controller.payloads.health import CheckView
from hextraction.controller.play.journal import Header, Journal
from hextraction.controller.play.performer import Performer
from hextraction.controller.rig import BUTTONS
from hextraction.controller.table.health import Health, health_lines
from hextraction.controller.table.held_coils import coils_view
from hextraction.controller.table.host import Host, Plan
from hextraction.controller.table.lobby import Lobby
from hextraction.controller.table.words import Answer, Asked
from hextraction.controller.workshop.bring_up.checker import Checked, Checker
from hextraction.controller.workshop.bring_up.deducing.assembly import Assembly, with_spares
from hextraction.controller.workshop.bring_up.deducing.causes import deduce
from hextraction.controller.workshop.bring_up.deducing.causes_told import cause_lines
from hextraction.controller.workshop.bring_up.measurements import steps_for
from hextraction.controller.workshop.bring_up.report import (
    SIMULATED,
    ReportError,
    read_findings,
    report_json,
    report_lines,
)
from hextraction.controller.workshop.bring_up.walk import SPARE, Finding, Step, Walk, begin, steps_of
from hextraction.controller.workshop.plans.build import build_file, read_build
from hextraction.hal.clock import MonotonicClock
from hextraction.hal.hub.look import HubLook, look_at_hubs
from hextraction.hal.opening.factory import Devices, open_devices
from hextraction.hal.ports import Edge, SupplyState
from hextraction.hal.wiring.wires import Wiring

if TYPE_CHECKING:
    from hextraction.simulator.backend import SimulatedBoard

__all__ = ["CheckHand", "Hands", "OpenDevices", "Toucher", "checking_host", "open_check_page", "run"]

# --- A tester's hand for the simulated board ---

_SEEN_US: Final = 80_000
_AFTER_US: Final = 500_000
_ROLL_US: Final = 2_000_000
_LOOK_US: Final = 100_000
_TRIED_US: Final = 16_000_000
"""Whoever skips a silent sensor earlier has not tried it."""


class CheckHand:
    """Touches each sensor, looks at lamps, measures, waits at each gate. What is ``dead`` does not respond.

    ``pass_time`` advances the board's time by some microseconds.
    """

    def __init__(
        self,
        board: "SimulatedBoard",
        checker: Checker,
        dead: Collection[str],
        pass_time: Callable[[int], None],
    ) -> None:
        self._board, self._checker, self._dead, self._pass = board, checker, frozenset(dead), pass_time

    def do(self, step: Step) -> None:
        """Do what a step asks for, and say what happened."""
        if step.kind == "sensor":
            self._touch(step.sensor)
        elif step.kind in {"lamp", "measure"}:
            self._pass(_LOOK_US)
            self._checker.say("no" if {step.name, step.device} & self._dead else "yes")
        else:
            self._wait_for_ball(step)

    def _touch(self, sensor: str) -> None:
        if sensor in self._dead:
            self._pass(_TRIED_US)
            self._checker.say("skip")
            return
        self._board.inputs.stick(sensor, not self._board.inputs.levels()[sensor])
        self._pass(_SEEN_US)
        self._board.inputs.stick(sensor, None)
        self._pass(_AFTER_US)

    def _wait_for_ball(self, step: Step) -> None:
        self._checker.say("fire")
        self._pass(_ROLL_US)
        if self._checker.walk.step == step:
            self._checker.say("no" if step.device in self._dead or step.sensor else "yes")


# --- The phone page beside the walk ---


def checking_host(board: Board, say: Callable[[str], None]) -> Host:
    """Return a table where no game can start; words for the walk are passed to ``say``."""
    lobby = Lobby(bots=False)
    lobby.say = "The board is being checked."
    plan = Plan(
        header=_header,
        luck=secrets.SystemRandom(),
        answer_for_after_s=PageConfig().answer_for_after_s,
        no_games="The board is being checked. Games come afterwards.",
    )
    host = Host(
        game=open_game(STANDARD, board),
        journal=Journal(":memory:"),
        performer=Performer(None, None, None),
        lobby=lobby,
        plan=plan,
    )

    def hear(asked: Asked) -> Answer:
        view = host.notices.check if asked.do == "check" else host.notices.coils
        if view is None or asked.words.get("say") not in view.says:
            return Answer.no("That is no answer at this step.")
        say(asked.words["say"])
        return Answer()

    host.words.add(("check", "coils"), hear)
    return host


def _header(setup: Any) -> Header:
    return Header(game="check", boot="", wall="", software="", setup=setup, sensors=())


@contextlib.asynccontextmanager
async def open_check_page(
    host: Host, *, port: int | None, simulated: bool, sensors: tuple[str, ...], code: str = ""
) -> AsyncIterator[str]:
    """Serve the page while the block runs; yields the welcome with address, code and QR code.

    ``code`` is the join code that the table will have too; empty: a new one.
    """
    from hextraction.controller.app.page import open_page, welcome  # noqa: PLC0415 - big

    info = board_info(host.game.board, electronics=True, simulated=simulated, sensors=sensors)
    async with open_page(
        host,
        PageConfig(show_code=True, code=code).at(None, port),
        board_id="check",
        info=info,
        now_us=MonotonicClock().now_us,
    ) as companion:
        yield welcome(companion)


# --- The command ---

_TICK_S: Final = 0.05
_TICK_US: Final = 20_000
_KEYS: Final = {
    "y": "yes",
    "n": "no",
    "f": "fire",
    "s": "skip",
    "a": "again",
    "b": "back",
    "q": "stop",
    "c": "clear",
}


@dataclass(frozen=True, kw_only=True)
class _Build:
    """A board to be checked."""

    board: Board
    devices: Checked
    sensors: tuple[str, ...]
    lamps: Mapping[str, range]
    coils: tuple[str, ...]
    wiring: str
    buttons: tuple[str, ...] = ()
    code: str = ""
    measured: tuple[Step, ...] = ()
    assembly: Assembly | None = None
    looks: Mapping[str, HubLook] = field(default_factory=dict)
    simulated: "SimulatedBoard | None" = None

    def causes(self, findings: Mapping[str, Finding]) -> tuple[str, ...]:
        """Return what is likely wrong, by the look at rest and these findings of a walk, line by line."""
        if self.assembly is None:
            return ()
        return cause_lines(self.assembly, deduce(self.assembly, self.looks, findings))

    def dead(self, names: Collection[str]) -> Collection[str]:
        """Return what does not work if these do not: of a circuit board all that hangs on it."""
        if self.assembly is None:
            return names
        plugs = [self.assembly.plugs[name] for name in names if name in self.assembly.plugs]
        sensors = (name for plug in plugs for name in self.assembly.below(plug))
        lamps = (f"lamp:{name}" for plug in plugs for name in self.assembly.lamps_below(plug))
        return {*names, *sensors, *lamps}

    @property
    def steps(self) -> tuple[Step, ...]:
        """Return all steps of the walk."""
        walked = steps_of(self.board, self.sensors, self.lamps, self.coils, self.buttons)
        return (*self.measured, *walked)


class Toucher(Protocol):
    """Does what the steps of a walk ask for."""

    def do(self, step: Step) -> None:
        """Do what one step asks for."""
        ...


Hands = Callable[["SimulatedBoard", Checker, Collection[str], Callable[[int], None]], Toucher]
"""Makes a hand for a simulated board, as :class:`CheckHand` is one."""
OpenDevices = Callable[[Wiring], Devices]
LookAt = Callable[[Wiring], Mapping[str, HubLook]]


def _open_real(wiring: Wiring) -> Devices:
    return open_devices(wiring, clock=MonotonicClock())


def _look_at_real(wiring: Wiring) -> Mapping[str, HubLook]:
    return look_at_hubs(wiring.hubs)


def run(
    options: argparse.Namespace,
    *,
    opened: OpenDevices = _open_real,
    looked: LookAt = _look_at_real,
    hands: Hands = CheckHand,
    find: Callable[[str], str] = find_hub,
) -> int:
    """Walk through a board; return 0 if everything works, 1 if something does not, 2 for a user's mistake.

    ``looked`` looks at the board's hubs at rest, before ``opened`` opens its devices.

    Raises:
        HubNotFound: the starter is to be checked, and its Pico is not on this computer's USB.
    """
    if options.starter:
        find(FIND_THE_PICO)
    try:
        return asyncio.run(_check(options, opened, looked, hands))
    except ReportError as error:
        print(f"hextraction check-board: {error}", file=sys.stderr)
        return 2


async def _check(options: argparse.Namespace, opened: OpenDevices, looked: LookAt, hands: Hands) -> int:
    done = asyncio.Event()
    stop_on_signals(done)  # before the first question: whoever reads it may stop, and keeps the report
    go_on_in_spite_of_pause()
    with contextlib.ExitStack() as closing:
        build = _open(options, closing, opened, looked)
        kept = _kept(options, build)
        steps = _wanted(options.only, build.steps)
        if not steps:
            print(f"hextraction check-board: this board has nothing named {options.only!r}", file=sys.stderr)
            return 2
        walk = _Walk(build, steps, kept, options, hands)
        async with walk.shown():
            await walk.until_over(done)
        return walk.report()


def _kept(options: argparse.Namespace, build: _Build) -> Mapping[str, Finding]:
    """Return the findings of earlier walks that still count: all of them, unless a full walk starts over.

    Raises:
        ReportError: a partial walk would replace a report of another board.
    """
    if not (options.resume or options.only) or not options.report.exists():
        return {}
    return read_findings(options.report, build.board.name, build.wiring)


def _wanted(only: Sequence[str], steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """Return the steps whose names begin with one of the words, or all steps."""
    return tuple(step for step in steps if not only or step.name.startswith(tuple(only)))


def _open(
    options: argparse.Namespace, closing: contextlib.ExitStack, opened: OpenDevices, looked: LookAt
) -> _Build:
    """Open the simulated board, or the one that the configuration names.

    Raises:
        SettingsError: its configuration or wiring is wrong.
        HalError: a device cannot be opened.
    """
    if options.simulated:
        return _simulated_build(options, closing) if options.build else _simulated(options, closing)
    config = starter_config() if options.starter else read_config(options.config)
    if config.wiring is None:
        raise ReportError(f"{options.config}: no wiring is configured: want table.wiring, or --simulated")
    wiring, board, rig = read_build(config.wiring, config.board)
    looks = looked(wiring)
    restless = [number for look in looks.values() for number in look.restless]
    devices = closing.enter_context(opened(with_spares(wiring, but=restless)))
    return _Build(
        board=board,
        devices=devices,
        sensors=rig.sensors,
        lamps=devices.lamps,
        coils=tuple(coil.name for coil in wiring.all_coils),
        wiring=str(config.wiring),
        buttons=rig.buttons,
        code=config.page.code,
        measured=steps_for(wiring),
        assembly=Assembly(wiring),
        looks=looks,
    )


def _simulated(options: argparse.Namespace, closing: contextlib.ExitStack) -> _Build:
    from hextraction.simulator.backend import SimulatedBoard  # noqa: PLC0415 - not for a real board

    board = load_board(options.board)
    devices = SimulatedBoard(board, which=options.sensors)
    closing.callback(devices.close)
    ranges, first = {}, 0
    for name, count in lamps(board):
        ranges[name], first = range(first, first + count), first + count
    return _Build(
        board=board,
        devices=devices,
        sensors=tuple(one.name for one in instruments(board, options.sensors)),
        lamps=ranges,
        coils=coils(board, middle_slots(board)),
        wiring=SIMULATED,
        simulated=devices,
    )


def _simulated_build(options: argparse.Namespace, closing: contextlib.ExitStack) -> _Build:
    """Return a build as its wiring says: its own sensors, buttons, lamps, coils and plugs, simulated."""
    from hextraction.simulator.backend import SimulatedBoard  # noqa: PLC0415 - not for a real board

    wiring, board, rig = read_build(build_file(options.build))
    names = tuple(coil.name for coil in wiring.all_coils)
    devices = SimulatedBoard(
        board,
        sensors=(*rig.sensors, *rig.buttons),
        pixels=max((lamp.pixels.stop for lamp in wiring.lamps), default=0),
        kickers=tuple(name.partition(".")[2] for name in names if name.startswith("kicker.")),
    )
    closing.callback(devices.close)
    return _Build(
        board=board,
        devices=devices,
        sensors=rig.sensors,
        lamps={lamp.name: lamp.pixels for lamp in wiring.lamps},
        coils=names,
        wiring=SIMULATED,
        buttons=rig.buttons,
        measured=steps_for(wiring),
        assembly=Assembly(wiring),
        simulated=devices,
    )


class _Walk:
    """One walk, from its first step to its report."""

    def __init__(
        self,
        build: _Build,
        steps: tuple[Step, ...],
        kept: Mapping[str, Finding],
        options: argparse.Namespace,
        hands: Hands,
    ) -> None:
        self._build, self._options, self._kept, self._hands = build, options, kept, hands
        self._health = Health(build.sensors)
        self._host: Host | None = None
        self._edges: asyncio.Queue[Edge] = asyncio.Queue()
        self._last: CheckView | None = None
        self._told = False
        now_us = build.devices.clock.now_us()
        on = [name for name, active in build.devices.inputs.levels().items() if active]
        start = begin(steps, now_us, on, kept if options.resume else {})
        title = build.board.title
        self.checker = Checker(
            build.devices, build.lamps, start, title=title, show=self._show, judge=self._judged
        )
        build.devices.inputs.listen(self._posting(self._edge))
        build.devices.power.supply.listen(self._posting(self._supply))

    def _posting(self, call: Callable[..., None]) -> Callable[..., None]:
        if self._build.simulated is not None:
            return call
        return posting(asyncio.get_running_loop(), call)

    def _judged(self, walk: Walk) -> tuple[str, ...]:
        """Return what is likely wrong, under a heading, if anything is."""
        lines = self._build.causes({**self._kept, **walk.findings})
        return ("What is likely wrong, the first things first:", *lines) if lines else ()

    def _edge(self, edge: Edge) -> None:
        if edge.sensor not in BUTTONS and not edge.sensor.startswith(SPARE):
            self._health.edge(edge.sensor, edge.active, edge.at_us)
        self.checker.edge(edge)

    def _supply(self, state: SupplyState) -> None:
        """Report coils that may not fire; after an emergency stop somebody confirms that hands are clear."""
        view = coils_view(state)
        if view is not None:
            print(f"           {view.say}{' (c: yes)' if view.says else ''}", flush=True)
        if self._host is not None:
            self._host.notify(coils=view)

    # --- terminal and page ---

    @contextlib.asynccontextmanager
    async def shown(self) -> AsyncIterator[None]:
        """Open the page, unless it is disabled, and listen to the terminal."""
        async with contextlib.AsyncExitStack() as stack:
            if not self._options.no_page:
                self._host = checking_host(self._build.board, self._word)
                simulated = self._build.simulated is not None
                page = open_check_page(
                    self._host,
                    port=self._options.port,
                    simulated=simulated,
                    sensors=self._build.sensors,
                    code=self._build.code,
                )
                print(await stack.enter_async_context(page), flush=True)
            self._tell_at_rest()
            self._listen_to_keys(stack)
            first, self._last, self._told = self._last, None, True
            if first is not None:
                self._show(first)
            yield

    def _tell_at_rest(self) -> None:
        """Say what a look at rest has shown: much of it is quicker mended than walked over."""
        if self._build.looks:
            lines = self._build.causes({})
            print("At rest the board looks well." if not lines else "Before anything is tried:", flush=True)
            print("\n".join(lines), end="\n" if lines else "", flush=True)

    def _listen_to_keys(self, stack: contextlib.AsyncExitStack) -> None:
        loop = asyncio.get_running_loop()
        if sys.stdin is None or not sys.stdin.isatty():
            return
        print(
            "Keys, then Enter: y yes, n no, f fire, s skip, a again, b back, q stop, c hands are clear",
            flush=True,
        )
        loop.add_reader(sys.stdin, self._key)
        stack.callback(loop.remove_reader, sys.stdin)

    def _key(self) -> None:
        self._word(_KEYS.get(sys.stdin.readline().strip().lower()[:1], ""))

    def _word(self, word: str) -> None:
        if word == "clear":
            self._build.devices.power.supply.confirm()
        else:
            self.checker.say(word)

    def _show(self, view: CheckView) -> None:
        new, self._last = self._last is None or view.name != self._last.name, view
        if not self._told:
            return  # the page's address is printed first
        if new and view.last:
            print(f"           {view.last}", flush=True)
        if new and view.ask:
            print(f"[{view.number + 1}/{view.steps}] {view.ask}", flush=True)
        elif view.hint:
            print(f"           {view.hint}", flush=True)
        if self._host is not None:
            self._host.notify(check=view)

    # --- time ---

    async def until_over(self, done: asyncio.Event) -> None:
        """Walk until the end, or until somebody stops it, which sets ``done``."""
        board = self._build.simulated
        hand = None if board is None else self._hand(board)
        while not self.checker.walk.over and not done.is_set():
            step = self.checker.walk.step
            if hand is not None and step is not None:
                await asyncio.sleep(self._options.pace)
                hand.do(step)
            else:
                await asyncio.sleep(_TICK_S)
                self.checker.tick()

    def _hand(self, board: "SimulatedBoard") -> Toucher:
        def pass_time(us: int) -> None:
            end_us = board.clock.now_us() + us
            while board.clock.now_us() < end_us:
                board.advance(min(end_us, board.clock.now_us() + _TICK_US))
                self.checker.tick()

        return self._hands(board, self.checker, self._build.dead(self._options.dead), pass_time)

    def report(self) -> int:
        """Print and save the findings; return the exit status."""
        walk, build = self.checker.walk, self._build
        print("\n" + "\n".join(report_lines(walk, build.board.title)))
        for line in health_lines(self._health.conditions(build.devices.clock.now_us())):
            print(line)
        causes = self._judged(walk)
        if causes:
            print("\n" + "\n".join(causes))
        text = report_json(
            build.steps,
            {**self._kept, **walk.findings},
            board=build.board.name,
            wiring=build.wiring,
            wall=time.strftime("%Y-%m-%dT%H:%M:%S%z"),
            causes=causes[1:],
        )
        self._options.report.write_text(text, encoding="utf-8")
        print(f"The report is in {self._options.report}. To try again what is not well yet, add --resume.")
        results = [walk.findings.get(step.name) for step in walk.steps]
        return 0 if not causes and all(each is not None and each.result == "ok" for each in results) else 1
