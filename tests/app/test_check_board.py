"""``hextraction check-board`` walks through a board without hardware, on the terminal and for phones."""

import asyncio
import functools
import io
import json
import os
import signal
import sys

import pytest
from gpiozero.pins.mock import MockFactory
from helpers.places import ROOT
from hextraction.board.profile import load_board
from hextraction.controller.app.check_board import CheckHand, checking_host
from hextraction.controller.app.command_line import main
from hextraction.controller.payloads.health import CheckView, CoilsView
from hextraction.controller.payloads.messages import Command
from hextraction.controller.table.words import Asked
from hextraction.controller.workshop.bring_up.checker import Checker
from hextraction.controller.workshop.bring_up.walk import begin, steps_of
from hextraction.hal.hub.look import HubLook
from hextraction.hal.mock import ManualClock, MockInputs, MockPixels
from hextraction.hal.opening.factory import open_devices, open_mock_devices
from hextraction.hal.ports import PulseResult


class Coils:
    """Coils that only remember."""

    def __init__(self):
        self.fired = []

    def pulse(self, name, pulse_ms=None):
        """Remember a pulse; one in a row of four is refused."""
        self.fired.append((name, pulse_ms))
        return PulseResult.REFUSED_DUTY if len(self.fired) > 3 else PulseResult.DONE


class Bench:
    """A few mock devices with a walk over them."""

    def __init__(self):
        self.clock = ManualClock()
        self.inputs = MockInputs(["ramp.L1"], clock=self.clock)
        self.pixels, self.solenoids = MockPixels(4), Coils()
        steps = steps_of(load_board(), ["ramp.L1"], ["slot.A1"], ["kicker.C3"])
        self.shown = []
        lamps = {"slot.A1": range(1, 3)}
        self.checker = Checker(self, lamps, begin(steps, 0), title="bench", show=self.shown.append)
        self.inputs.listen(self.checker.edge)

    def passes(self, us):
        """Let time pass."""
        self.clock.advance(us)
        self.checker.tick()


def walk(tmp_path, *words, **parts):
    """Run the command on the simulated board; return its status and its report."""
    path = tmp_path / "report.json"
    base = ["check-board", "--simulated", "--no-page", "--pace", "0", "--sensors", "basic"]
    status = main([*base, "--report", str(path), *words], **parts)
    return status, json.loads(path.read_text())


def test_a_whole_simulated_board_is_well(tmp_path, capsys):
    """Every sensor, lamp and coil of the basic board passes, and gates really let balls go."""
    status, report = walk(tmp_path)
    assert (status, report["well"], report["steps"], report["complete"]) == (0, 114, 114, True)
    assert "Standard board, 22 slots: 114 of 114 well." in capsys.readouterr().out


def test_a_builds_own_wiring_is_walked_without_hardware(tmp_path, capsys):
    """What hangs on a bar that is dead is silent, and the walk says which cable to look at; a measurement that fails is told."""
    only = [
        word
        for name in ("B1", "B2")
        for kind in ("tile", "ball", "drain")
        for word in ("--only", f"{kind}.{name}")
    ]
    words = ["--build", "kit-lean", *only, "--only", "button", "--only", "measure:beam"]
    status, report = walk(tmp_path, *words, "--dead", "bar B2", "--dead", "beam's light")
    results = {row["name"]: row["result"] for row in report["findings"]}
    assert (status, report["steps"]) == (1, 152)
    assert [name for name, result in results.items() if result == "ok"] == [
        "tile.B1", "drain.B1", "ball.B1", "button.yes", "button.no",
    ]  # fmt: skip
    assert results["measure:beam's light"] == "failed"
    told = "\n".join(report["causes"])
    assert "Nothing on bar B2 answers" in told
    assert "Its cable at J2 of column B" in told


def test_what_does_not_work_is_reported_and_tried_again(tmp_path, capsys):
    """A dead sensor makes status 1 and a line in the report; --resume tries only that one again."""
    status, report = walk(tmp_path, "--only", "tile.A", "--dead", "tile.A3")
    assert (status, report["well"], report["steps"]) == (1, 3, 114)
    capsys.readouterr()
    status, report = walk(tmp_path, "--only", "tile.A", "--resume")
    assert (status, report["well"]) == (0, 4)
    out = capsys.readouterr().out
    assert "slot A3" in out
    assert "slot A2" not in out


def test_walks_over_parts_make_one_report(tmp_path):
    """What an earlier walk found stays, with or without --resume, and only all parts are complete."""
    status, report = walk(tmp_path, "--only", "zone", "--dead", "zone.L")
    assert (status, report["well"], report["complete"]) == (1, 1, False)
    status, report = walk(tmp_path, "--only", "coil:kicker", "--resume")
    assert (status, report["well"], report["complete"]) == (0, 3, False)
    status, report = walk(tmp_path, "--only", "lamp:ramp")
    results = {row["name"]: row["result"] for row in report["findings"]}
    assert (status, report["steps"], report["complete"]) == (0, 114, False)
    assert (results["zone.L"], results["zone.R"], results["tile.A1"]) == ("skipped", "ok", "not tried")
    status, report = walk(tmp_path, "--resume")
    assert (status, report["well"], report["complete"]) == (0, 114, True)


def test_a_walk_over_a_part_does_not_replace_a_report_of_another_board(tmp_path, capsys):
    """It would be lost; another file can be named."""
    path = tmp_path / "report.json"
    path.write_text('{"board": "small-18", "findings": []}')
    words = ["check-board", "--simulated", "--no-page", "--only", "zone", "--report", str(path)]
    assert main(words) == 2
    assert "found one of small-18: name another with --report" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "one of --config FILE, --starter and --simulated"),
        (["--simulated", "--board", "moon"], "want a board of"),
        (
            ["--simulated", "--build", "kit-leen"],
            "--build: want one of bench-demo, hub-lean, hub-rich, kit-lean,",
        ),
        (["--starter", "--build", "kit-lean"], "--build: want it beside --simulated"),
        (["--simulated", "--pace", "-1"], "--pace: want 0 to 60, found -1"),
        (["--simulated", "--no-page", "--only", "sneeze"], "has nothing named ['sneeze']"),
        (["--config", "none.toml"], "none.toml:1: cannot read this file"),
    ],
)
def test_mistakes_are_told(words, says, capsys, tmp_path):
    """A user's mistake is a sentence and status 2."""
    assert main(["check-board", "--report", str(tmp_path / "report.json"), *words]) == 2
    assert says in capsys.readouterr().err


def test_the_lamp_that_is_tried_shines_in_three_colours_and_no_other():
    """Red, green and blue by turns on the lamp's own pixels; all are dark again afterwards."""
    bench = Bench()
    bench.inputs.set("ramp.L1", True)
    bench.inputs.set("ramp.L1", False)
    bench.passes(400_000)
    for _turn in range(3):
        bench.passes(700_000)
    lit = {frame[1] for frame in bench.pixels.frames if any(map(any, frame))}
    assert lit == {(90, 0, 0), (0, 90, 0), (0, 0, 90)}
    assert all(frame[0] == frame[3] == (0, 0, 0) for frame in bench.pixels.frames)
    bench.checker.say("yes")
    assert bench.pixels.frames[-1] == ((0, 0, 0),) * 4


def test_a_coil_is_pulsed_once_for_each_wish_and_judged_only_if_it_fired():
    """The guard refuses the fourth: that is said, and the walk waits for another `fire`."""
    bench = Bench()
    for word in ("skip", "yes", "fire", "fire", "fire", "fire"):
        bench.checker.say(word)
    assert bench.solenoids.fired == [("kicker.C3", None)] * 4
    assert bench.checker.walk.says == ("fire", "back", "skip", "stop")
    assert (
        bench.checker.walk.hint == "It did not fire: too soon or too often. Wait some seconds and try again."
    )
    assert not bench.checker.walk.over
    bench.checker.say("skip")
    assert bench.shown[-1].report == (
        "bench: 1 of 3 well.",
        "skipped    ramp.L1: it said nothing and is off",
        "skipped    coil:kicker.C3: it did not fire: too soon or too often",
    )


class Audience:
    """Keeps what phones would get."""

    def __init__(self):
        self.tables, self.replies, self.here = [], [], {}

    def publish_table(self, table):
        """Keep a table."""
        self.tables.append(table)

    def reply(self, _seat, reply):
        """Keep a reply."""
        self.replies.append(reply)


def test_phones_say_the_words_of_the_walk():
    """A seat's word goes to the walk if it may be said now; no game can start meanwhile."""
    heard = []
    host = checking_host(load_board(), heard.append)
    host.audience = audience = Audience()
    host.notify(check=CheckView(number=0, steps=2, name="tile.A1", says=("skip",)))
    words = [{"do": "check", "say": "skip"}, {"do": "check", "say": "yes"}, {"do": "start"}]
    for number, table in enumerate(words):
        host.command("red", Command(id=str(number), table=table), 0)
    assert heard == ["skip"]
    assert [reply.ok for reply in audience.replies] == [True, False, False]
    assert audience.replies[2].reason == "The board is being checked. Games come afterwards."
    assert audience.tables[-1].check.name == "tile.A1"


class StopsAtTheFirstQuestion(io.StringIO):
    """A terminal whose reader presses Ctrl-C as soon as the first question is there."""

    def write(self, text):
        """Take what is printed, and press Ctrl-C at the first question."""
        written = super().write(text)
        if text.startswith("[1/"):
            os.kill(os.getpid(), signal.SIGINT)
        return written


@pytest.mark.slow
def test_a_wired_board_is_checked_and_ctrl_c_keeps_what_was_found(tmp_path, monkeypatch):
    """With a wiring the walk is over its own devices; a signal ends it with a report to go on from."""
    wiring = (ROOT / "wiring" / "bench-demo.toml").read_text()
    (tmp_path / "wiring.toml").write_text(wiring.replace('factory = "lgpio"', 'factory = "mock"'))
    (tmp_path / "den.toml").write_text('[table]\nwiring = "wiring.toml"\n')
    reader = StopsAtTheFirstQuestion()
    monkeypatch.setattr(sys, "stdout", reader)
    report = tmp_path / "report.json"
    words = ["--config", str(tmp_path / "den.toml"), "--no-page", "--report", str(report)]
    assert main(["check-board", *words]) == 1
    kept = json.loads(report.read_text())
    assert (kept["complete"], kept["steps"], kept["well"]) == (False, 13, 0)
    assert "[1/13] Measure. One gate's coil" in reader.getvalue()


class Stopped:
    """A hand that presses and releases the emergency stop, and goes on when somebody has said ``c``."""

    def __init__(self, keys, board, checker, *how):
        self.keys, self.board, self.checker = keys, board, checker
        self.hand = CheckHand(board, checker, *how)
        self.said = False

    def do(self, step):
        """Do what a step asks for, once coils may fire again."""
        supply = self.board.power.supply
        if not self.said:
            self.said = True
            supply.seen("hub", good=False)
            supply.seen("hub", good=True)
            assert not supply.may_arm
            self.checker.tick()
            os.write(self.keys, b"c\n")
        elif supply.may_arm:
            self.hand.do(step)


@pytest.fixture
def keys(monkeypatch):
    """A terminal: what is written to it is what somebody types."""
    master, slave = os.openpty()
    with os.fdopen(slave) as terminal:
        monkeypatch.setattr("sys.stdin", terminal)
        yield master
    os.close(master)


def test_an_emergency_stop_in_a_walk_is_told_and_asked_about(tmp_path, capsys, keys):
    """The terminal says what phones say; its key c is a person's word, after which the coil fires."""
    status, report = walk(tmp_path, "--only", "coil:gate.L1", hands=functools.partial(Stopped, keys))
    assert (status, report["well"]) == (0, 1)
    out = capsys.readouterr().out
    assert "The emergency stop is pressed, or the coils have no power. Let balls go by hand." in out
    assert "Is everybody's hand clear of the board? (c: yes)" in out


def test_a_phone_may_say_that_hands_are_clear_only_when_asked():
    """The walk hears the same word as from the terminal."""
    heard = []
    host = checking_host(load_board(), heard.append)
    words = Asked(seat="red", words={"do": "coils", "say": "clear"}, at_us=0)
    assert not host.words.hear(words).ok
    host.notify(coils=CoilsView(state="asks", say="?", says=("clear",)))
    assert host.words.hear(words).ok
    assert heard == ["clear"]


class Presser:
    """Opens a wiring on pins of its own, and presses the button that the terminal asks for, by its pin."""

    def __init__(self, read, buttons):
        self.read, self.buttons = read, buttons
        self.clock, self.pins = ManualClock(), MockFactory()

    def opened(self, wiring):
        """Open the devices; from then on somebody reads the terminal."""
        self.pressing = asyncio.get_running_loop().create_task(self.press())
        return open_devices(
            wiring, clock=self.clock, scheduler=lambda _name: self.clock, pin_factory=self.pins
        )

    async def press(self):
        """Press each button once for a tenth of a second when it is asked for."""
        asked = ""
        for name, pin in self.buttons.items():
            while f"Press the button {name!r}" not in asked:
                asked += self.read()
                await asyncio.sleep(0)
            self.pins.pin(pin).drive_low()
            self.clock.advance(100_000)
            self.pins.pin(pin).drive_high()
            self.clock.advance(400_000)


class Swapped:
    """A starter on mock devices whose beams of ramps L1 and L2 are swapped, with somebody who rolls balls."""

    def __init__(self, read):
        self.read, self.clock = read, ManualClock()

    def looked(self, wiring):
        """See nothing wrong at rest: all beams are clear."""
        wires = wiring.hub_inputs
        high = frozenset(each.number for each in wires)
        return {
            "": HubLook(chain_open=False, estop_good=True, high=high, restless=frozenset(), millivolts={})
        }

    def opened(self, wiring):
        """Open the devices; from then on somebody reads the terminal."""
        self.devices = open_mock_devices(wiring, clock=self.clock)
        self.rolling = asyncio.get_running_loop().create_task(self.roll())
        return self.devices

    async def roll(self):
        """Let a ball pass each beam when it is asked for; wait a minute if nothing is heard."""
        swapped = {"ramp.L1": "ramp.L2", "ramp.L2": "ramp.L1"}
        asked = ""
        ramps = [f"ramp {side}{number}" for side in "LR" for number in "123"]
        for words in (*ramps, "end zone L", "end zone R"):
            while words not in asked:
                asked += self.read()
                await asyncio.sleep(0)
            name = words.replace("end zone ", "zone.").replace("ramp ", "ramp.")
            for active in (True, False):
                self.devices.inputs.set(swapped.get(name, name), active)
                self.clock.advance(50_000)
            await asyncio.sleep(0)
            self.clock.advance(400_000 if name not in swapped else 61_000_000)


@pytest.mark.slow
def test_the_walk_ends_with_what_is_likely_wrong(tmp_path, capsys):
    """Two wires that are swapped are named with their pins, on the terminal and in the report; the status is 1."""
    report, hand = tmp_path / "report.json", Swapped(lambda: capsys.readouterr().out)
    words = ["--only", "ramp", "--only", "zone", "--no-page", "--report", str(report)]
    assert main(["check-board", "--starter", *words], opened=hand.opened, looked=hand.looked, find=str) == 1
    says, look = json.loads(report.read_text())["causes"]
    assert says.startswith("1. The wires of ramp.L1 and ramp.L2 are swapped: ramp.L1 is at pin 12 (D1)")
    assert look.startswith("   -> Power off, and change the two wires over")
    assert "What is likely wrong, the first things first:\n1. The wires" in capsys.readouterr().out


def test_player_buttons_of_a_wiring_are_checked(tmp_path, capsys):
    """`--only button` asks for each, and a press and a release are heard."""
    wiring = (ROOT / "wiring" / "bench-demo.toml").read_text()
    for name, pin in (("button.yes", 5), ("button.no", 6)):
        wiring += f'[[sensor]]\nname = "{name}"\npin = {pin}\nactive = "low"\npull = "up"\npart = "button"\n'
    (tmp_path / "wiring.toml").write_text(wiring.replace('"lgpio"', '"mock"'))
    (tmp_path / "den.toml").write_text('[table]\nwiring = "wiring.toml"\n')
    report = tmp_path / "report.json"
    words = ["--config", str(tmp_path / "den.toml"), "--no-page", "--report", str(report)]
    presser = Presser(lambda: capsys.readouterr().out, {"yes": 5, "no": 6})
    assert main(["check-board", "--only", "button", *words], opened=presser.opened) == 0
    results = {row["name"]: row["result"] for row in json.loads(report.read_text())["findings"]}
    assert (results["button.yes"], results["button.no"]) == ("ok", "ok")
