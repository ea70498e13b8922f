"""A Hypothesis machine for any game on the hexagon: what is offered, hands, sensors, talk and nonsense, in any order.

A game's own machine says how it begins, what nonsense is, and what always holds; the rest is here.
"""

import random

import msgspec
from helpers.tiers import nightly
from hextraction.controller.games.protocol import (
    Acted,
    Paused,
    PowerSet,
    Refused,
    Renamed,
    Seated,
    TileSeen,
)
from hextraction.controller.games.scene import acts_of
from hextraction.controller.games.strategy import amounts_by
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

__all__ = ["NUMBERS", "SEATS", "Evening", "long", "short"]

SEATS = ("red", "blue", "green", "yellow", "violet", "white")
NUMBERS = st.integers(0, 2**40)
ANYBODY = st.sampled_from(SEATS)
_QUIET = {"deadline": None, "suppress_health_check": list(HealthCheck)}
_MOST_HANDS = 40
"""More than hands ever have to do before the game goes on."""


class Evening(RuleBasedStateMachine):
    """One game, from :meth:`begins` on. ``nonsense`` draws acts that may be anything."""

    nonsense = st.nothing()

    def begins(self, game, setup):
        """Start a game that a machine has set up."""
        assert game.problems(setup) == []
        self.game, self.setup = game, setup
        self.state, self.events = game.start(setup), []

    def moved_on(self, before, event, refused):
        """Say what one event may change, and no more."""

    def declared(self):
        """Return what no sensor may ever change."""
        raise NotImplementedError

    def chosen(self, option, number):
        """Return an offered act with everything that it leaves open."""
        acts = acts_of(option, amounts_by(option, random.Random(number)))
        return acts[number % len(acts)]

    def tell(self, event):
        """Let something happen, twice the same; a refusal has a reason and changes nothing."""
        before = self.state
        step = self.game.step(before, event)
        assert self.game.step(before, event) == step
        refused = [one for one in step.effects if isinstance(one, Refused)]
        assert not refused or (step.state == before and refused[0].reason and refused[0].clause)
        self.events.append(event)
        self.state = step.state
        self.moved_on(before, event, step.effects)
        return refused

    def act(self, seat, act, chance=7):
        """Let somebody do something; return the refusals."""
        return self.tell(Acted(at_us=len(self.events), seat=seat, act=dict(act), chance=chance))

    def do_one_of(self, seat, offered, number):
        """Let somebody do one of the things that are offered: none of them is refused."""
        one = offered[number // 7 % len(offered)]
        assert self.act(seat, self.chosen(one, number), number) == []

    @staticmethod
    def seated(count):
        """Return so many people at the table."""
        return tuple(Seated(seat, seat) for seat in SEATS[:count])

    @property
    def playing(self):
        """Whether somebody could play."""
        return not (self.state.over or self.state.paused)

    # --- what happens ---

    @precondition(lambda self: self.playing)
    @rule(number=NUMBERS)
    def somebody_does_what_is_offered(self, number):
        """Whoever it is; what is offered or asked is never refused."""
        seats = [one.seat for one in self.state.players]
        first = number % len(seats)
        for seat in seats[first:] + seats[:first]:
            view = self.game.private(self.state, seat)
            offered = [*view.options, *(one for prompt in view.prompts for one in prompt.options)]
            if offered:
                self.do_one_of(seat, offered, number)
                return

    @precondition(lambda self: self.playing)
    @rule()
    def hands_do_what_is_awaited(self):
        """All of it, and the sensors see it."""
        for _piece in range(_MOST_HANDS):
            awaited = self.game.awaited(self.state)
            if awaited.lift:
                self.tell(TileSeen(at_us=0, slot=awaited.lift[0], present=False))
            elif awaited.lay is not None:
                self.tell(TileSeen(at_us=0, slot=awaited.lay.slot, present=True))
            else:
                return

    @rule(slot=st.sampled_from(["A1", "A2", "C3", "D2", "E3"]), present=st.booleans())
    def a_sensor_says_something(self, slot, present):
        """It moves nothing in the game."""
        before = self.declared()
        self.tell(TileSeen(at_us=0, slot=slot, present=present))
        assert self.declared() == before

    @rule(seat=ANYBODY, data=st.data(), chance=NUMBERS)
    def somebody_talks_nonsense(self, seat, data, chance):
        """Heard or refused, in any phase."""
        self.act(seat, data.draw(self.nonsense), chance)

    @rule(on=st.booleans(), what=st.sampled_from([PowerSet, Paused]))
    def switch_or_break(self, on, what):
        """The board's switch, or a break."""
        self.tell(what(at_us=0, on=on))

    @rule(seat=ANYBODY)
    def a_new_name(self, seat):
        """Somebody else sits down in a seat."""
        self.tell(Renamed(at_us=0, seat=seat, name=f"{seat} again"))

    @rule(seat=ANYBODY, really=st.integers(0, 40))
    def somebody_leaves(self, seat, really):
        """Now and then, for good."""
        if not really:
            self.act(seat, {"do": "leave"})

    # --- what always holds ---

    @invariant()
    def it_can_be_shown(self):
        """Whatever happened; and only the hexagon has lamps."""
        scene = self.game.scene(self.state)
        assert msgspec.json.encode(scene)
        for slot in self.game.lamps(scene):
            assert slot.partition(".")[2] in self.game.field.cells

    def teardown(self):
        """The same events lead to the same state."""
        if hasattr(self, "state"):
            state = self.game.start(self.setup)
            for event in self.events:
                state = self.game.step(state, event).state
            assert state == self.state


def short(machine, examples, steps):
    """Return the test of a machine that everybody runs."""
    machine.TestCase.settings = settings(max_examples=examples, stateful_step_count=steps, **_QUIET)
    return machine.TestCase


def long(machine):
    """Return the same for the long run: 10,000 steps."""

    class LongEvening(machine):
        """The same machine with settings of its own."""

    LongEvening.TestCase.settings = settings(max_examples=50, stateful_step_count=200, **_QUIET)
    return nightly("ten thousand steps", meanwhile="TestEvening")(LongEvening.TestCase)
