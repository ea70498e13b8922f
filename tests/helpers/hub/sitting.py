"""Somebody in front of a board that was put together: a look at rest, then a walk, through the hub's own logic.

The firmware's logic is compiled for this machine, the protocol is the program's own, and the walk is fed with what
comes out. Time is a number.
"""

import random

from helpers.hub.host_port import HostPort
from hextraction.board.profile import load_board
from hextraction.controller.rig import BUTTONS
from hextraction.controller.workshop.bring_up.deducing.assembly import Assembly, with_spares
from hextraction.controller.workshop.bring_up.deducing.causes import deduce
from hextraction.controller.workshop.bring_up.deducing.causes_told import look_of, says_of
from hextraction.controller.workshop.bring_up.walk import LightLamp, advance, begin, heard, said, steps_of
from hextraction.hal.hub.events import Sample
from hextraction.hal.hub.link import HubLink
from hextraction.hal.hub.look import look_at_hub
from hextraction.hal.hub.question import HubQuestion
from hextraction.hal.mock import ManualClock

__all__ = ["Sitting"]

BOARD = load_board()
SCAN_US = 500
TOUCH_US, AFTER_US, CHATTER_US = 40_000, 30_000, 100_000
MINUTE_US = 61_000_000
SEEDING_SCANS, ROUND_SCANS = 2_000, 12


class Sitting:
    """A board that was put together, its hub, and who tries it. ``luck`` chooses what else a ball passes."""

    def __init__(self, library, wiring, model, *, luck: random.Random | None = None) -> None:
        self.wiring, self.model, self._luck = wiring, model, luck
        self.assembly = Assembly(wiring)
        self.clock = ManualClock(5_000_000)
        self.port = HostPort(library, self.clock)
        self._scans = 0
        self._levels: dict[object, tuple[list[int], bool, dict[int, int]]] = {}
        self._shown: object = None
        self._bytes: list[int] = [0] * 24
        self._fresh = SEEDING_SCANS

    # --- the electronics, scan by scan ---

    def _scan(self):
        """Let half a millisecond pass, and the hub read what the nets give it."""
        self.clock.advance(SCAN_US)
        self._scans += 1
        model = self.model
        model.flip = bool(model.chatters) and self._scans // 12 % 2 == 1
        state = (frozenset(model.world.tiles), frozenset(model.world.touched), model.flip)
        if state not in self._levels:
            self._levels[state] = (*model.chain(), model.halls())
        data, whole, halls = self._levels[state]
        if state != self._shown:
            self._shown, self._fresh = state, max(self._fresh, ROUND_SCANS)
            self._show(data, whole)
        if self._fresh:  # what a linear Hall gives counts when it is converted; the newest value stays
            self._fresh -= 1
            for channel, counts in halls.items() if self._scans % 2 else ():
                self.port.hub.linear(channel, counts)

    def _show(self, data, whole):
        self.port.hub.set_chain(not whole)
        for chip, byte in enumerate(data):
            for bit in range(8):
                if (byte ^ self._bytes[chip]) >> bit & 1:
                    self.port.hub.set_input(8 * chip + bit, bool(byte >> bit & 1))
        self._bytes[: len(data)] = data

    # --- the look ---

    def look(self):
        """Return what a look at rest finds."""
        self._fresh = SEEDING_SCANS
        question = HubQuestion(_Looked(self), lambda: self.clock.now_us() / 1e6)
        with question:
            found = look_at_hub(question, self.wiring.hubs[0])
        assert found is not None
        return {"": found}

    # --- the walk ---

    def walk(self, looks):
        """Return the findings of a walk over all sensors, then the lamps."""
        restless = [number for look in looks.values() for number in look.restless]
        self._link = HubLink(with_spares(self.wiring, but=restless).hubs[0])
        self.port.open()
        self._link.opened(self.clock.now_us())
        self._fresh = SEEDING_SCANS
        self._pass(500_000)
        sensors = [name for name in self.assembly.sensors if name not in BUTTONS]
        buttons = [name for name in self.assembly.sensors if name in BUTTONS]
        steps = steps_of(BOARD, sensors, [lamp.name for lamp in self.wiring.lamps], (), buttons)
        outcome = begin(steps, 0, self._active)
        self._walk, self._now_us = outcome.walk, 0
        lit = outcome.deeds
        while not self._walk.over:
            step = self._walk.step
            if step.kind == "lamp":
                lamp = next(deed.lamp for deed in lit if isinstance(deed, LightLamp))
                pixels = next(each.pixels for each in self.wiring.lamps if each.name == lamp)
                is_right = self.model.looks_right(lamp, pixels)
                outcome = said(self._walk, "yes" if is_right else "no", self._now_us)
            else:
                outcome = self._try(step)
            self._walk, lit = outcome.walk, outcome.deeds
        return self._walk.findings

    def _try(self, step):
        """Do what a step asks for, then wait as somebody does who sees whether it was heard."""
        for sensor in self._on_the_way(step.sensor):
            self.model.world.put(sensor)
            self._hear(CHATTER_US if self.model.chatters else TOUCH_US, step)
            self.model.world.take(sensor)
            self._hear(AFTER_US, step)
        if self._walk.step is not step:
            return advance(self._walk, self._now_us)
        self._now_us += MINUTE_US
        return advance(self._walk, self._now_us)

    def _hear(self, for_us, step):
        for sample in self._pass(for_us):
            if self._walk.step is step:
                self._now_us += 1_000
                self._walk = heard(self._walk, sample.sensor, sample.active, self._now_us).walk
        if self._walk.step is step:
            self._now_us += for_us

    def _pass(self, for_us):
        """Let time pass at both ends; return what the hub told."""
        told = []
        for _scan in range(for_us // SCAN_US):
            self._scan()
            self._link.advance(self.clock.now_us())
            self.port.write(self._link.take_out())
            self._link.receive(self.port.read(), self.clock.now_us())
            told += [each for each in self._link.take_news() if isinstance(each, Sample)]
        for sample in told:
            self._active = self._active - {sample.sensor} | ({sample.sensor} if sample.active else set())
        return told

    _active: frozenset[str] = frozenset()

    def _on_the_way(self, sensor):
        """Return what a ball or a hand does at a step: what is asked for, and by luck what lies behind it."""
        if self._luck is None or self._luck.random() < 0.4:
            return [sensor]
        kind, _dot, place = sensor.partition(".")
        drains = [name for name in self.assembly.sensors if name.startswith("drain.")]
        behind = {
            "ramp": [self._luck.choice([*drains, "zone.L", "zone.R"])],
            "ball": [f"drain.{place}"],
            "zone": [f"rest.{place}"],
        }.get(kind, [])
        before = [f"ball.{place}"] if kind == "drain" else []
        return [name for name in (*before, sensor, *behind) if name in self.assembly.sensors]

    # --- what is concluded ---

    def told(self, *, walked=True):
        """Return the causes as texts, what and where to look in one, after a look and a whole walk."""
        looks = self.look()
        findings = self.walk(looks) if walked else {}
        self.causes = deduce(self.assembly, looks, findings)
        return [f"{says_of(self.assembly, each)} {look_of(self.assembly, each)}" for each in self.causes]


class _Looked:
    """The hub's port while nobody but a question uses it: each reading lets a scan pass."""

    def __init__(self, sitting: Sitting) -> None:
        self._sitting = sitting
        sitting.port.open()

    def read(self):
        self._sitting._scan()
        return self._sitting.port.read()

    def write(self, data):
        self._sitting.port.write(data)

    def close(self):
        self._sitting.port.close()
