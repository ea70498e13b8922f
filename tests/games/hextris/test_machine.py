"""A Hypothesis machine plays Hextris: legal plies, hands, sensors, talk and nonsense, in any order."""

import msgspec
import pytest
from hextraction.board.profile import board_names, load_board
from hextraction.controller.games.hexagon.cells import CELLS
from hextraction.controller.games.hextris import Hextris
from hextraction.controller.games.hextris.position import READINGS, SIZES, bit_of, groups, legal
from hextraction.controller.games.hextris.state import Setup
from hextraction.controller.games.protocol import (
    Acted,
    Paused,
    PowerSet,
    Refused,
    Renamed,
    Seated,
    TileSeen,
)
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

SEATS = ("red", "blue", "green")
NUMBERS = st.integers(0, 10**6)
ACTS = st.fixed_dictionaries(
    {
        "do": st.sampled_from(
            ["drop", "slide", "swap", "pass", "pick", "laid", "lifted", "answer", "draw", "leap"]
        )
    },
    optional={
        "at": st.sampled_from([*CELLS, "z9"]),
        "to": st.sampled_from([*CELLS, "a4"]),
        "size": st.sampled_from([*SIZES, "X"]),
        "slot": st.sampled_from(["A1", "C3", "E5"]),
        "choice": st.sampled_from(["yes", "no", "back"]),
    },
)


class Evening(RuleBasedStateMachine):
    """One game on any board, by any reading, with or without sensors."""

    @initialize(
        board=st.sampled_from(board_names()),
        players=st.integers(2, 3),
        reading=st.sampled_from(READINGS),
        sees=st.booleans(),
    )
    def sits_down(self, board, players, reading, sees):
        self.game = Hextris(load_board(board))
        seats = tuple(Seated(seat, seat) for seat in SEATS[:players])
        self.setup = Setup(board=board, seats=seats, reading=reading, sees=sees)
        self.state = self.game.start(self.setup)
        self.events = []

    def tell(self, event):
        before = self.state
        step = self.game.step(before, event)
        assert self.game.step(before, event) == step
        refused = [one for one in step.effects if isinstance(one, Refused)]
        assert not refused or (step.state == before and refused[0].reason and refused[0].clause)
        self.events.append(event)
        self.state = step.state
        self.moved_on(before, refused)
        return refused

    def act(self, seat, act):
        return self.tell(Acted(at_us=len(self.events), seat=seat, act=dict(act)))

    def moved_on(self, before, refused):
        """What one event may change, and no more (2.8)."""
        was, now = before.position, self.state.position
        back = self.state.turn < before.turn
        left = [one.out for one in before.players] != [one.out for one in self.state.players]
        if now == was or back or left or refused:
            return
        made = self.state.made
        assert made in legal(was, self.state.setup.reading)
        for player in range(was.players):
            assert all(now.hands[player][size] <= was.hands[player][size] for size in range(3))
            assert 0 <= now.home[player] - was.home[player] <= 1
        passed = self.state.turn - before.turn
        assert passed >= 1
        assert now.mover == (was.mover + passed) % was.players

    # --- what happens ---

    @property
    def playing(self):
        """Whether somebody could play."""
        return not (self.state.over or self.state.paused)

    @precondition(lambda self: self.playing)
    @rule(number=NUMBERS)
    def somebody_does_what_is_offered(self, number):
        for seat in SEATS[: len(self.state.players)]:
            view = self.game.private(self.state, seat)
            offered = [*view.options, *(one for prompt in view.prompts for one in prompt.options)]
            if offered:
                assert self.act(seat, offered[number % len(offered)].act) == []
                return

    @precondition(lambda self: self.playing)
    @rule(number=NUMBERS)
    def the_mover_plays(self, number):
        seat = self.state.active.seat
        plies = [
            one
            for one in self.game.private(self.state, seat).options
            if one.group in {"drop", "slide", "swap"}
        ]
        if plies:
            assert self.act(seat, plies[number % len(plies)].act) == []

    @precondition(lambda self: self.playing)
    @rule()
    def hands_do_what_is_awaited(self):
        awaited = self.game.awaited(self.state)
        lifts = [(slot, False) for slot in awaited.lift]
        puts = [] if awaited.lay is None else [(awaited.lay.slot, True)]
        for slot, present in lifts + puts:
            self.tell(TileSeen(at_us=0, slot=slot, present=present))

    @rule(slot=st.sampled_from(["A1", "A2", "C3", "D2", "E3"]), present=st.booleans())
    def a_sensor_says_something(self, slot, present):
        before = self.state.position
        self.tell(TileSeen(at_us=0, slot=slot, present=present))
        assert self.state.position == before

    @rule(seat=st.sampled_from([*SEATS, "white"]), act=ACTS)
    def somebody_talks_nonsense(self, seat, act):
        self.act(seat, act)

    @rule(on=st.booleans(), what=st.sampled_from([PowerSet, Paused]))
    def switch_or_break(self, on, what):
        self.tell(what(at_us=0, on=on))

    @rule(seat=st.sampled_from(SEATS))
    def a_new_name(self, seat):
        self.tell(Renamed(at_us=0, seat=seat, name=f"{seat} again"))

    @rule(seat=st.sampled_from(SEATS), really=st.integers(0, 30))
    def somebody_leaves(self, seat, really):
        if not really:
            self.act(seat, {"do": "leave"})

    # --- what always holds (2.8) ---

    @invariant()
    def pieces_are_all_there(self):
        if not hasattr(self, "state"):
            return
        position, ended = self.state.position, self.state.ended == "third group"
        for player, mine in enumerate(position.own):
            if self.state.players[player].out:
                assert (mine, position.hands[player]) == (0, (0, 0, 0))
                continue
            on_board = mine.bit_count()
            fives = sum(group.bit_count() == 5 for group in groups(mine))
            home = position.home[player] - (fives if ended else 0)
            assert on_board + sum(position.hands[player]) + 5 * home == 15
            for size in range(3):
                assert (mine & position.sizes[size]).bit_count() + position.hands[player][size] <= 5
            assert position.home[player] <= 3

    @invariant()
    def no_cell_holds_two(self):
        if not hasattr(self, "state"):
            return
        position = self.state.position
        assert sum(one.bit_count() for one in position.own) == position.taken.bit_count()
        assert sum(one.bit_count() for one in position.sizes) == position.taken.bit_count()
        assert position.taken & ~sum(bit_of(cell) for cell in CELLS) == 0

    @invariant()
    def groups_are_small(self):
        if not hasattr(self, "state"):
            return
        most = 5 if self.state.over else 4
        for mine in self.state.position.own:
            assert all(group.bit_count() <= most for group in groups(mine))

    @invariant()
    def it_can_be_shown(self):
        if not hasattr(self, "state"):
            return
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


class LongEvening(Evening):
    """The same for the long run."""


SHORT = {"deadline": None, "suppress_health_check": list(HealthCheck)}
Evening.TestCase.settings = settings(max_examples=12, stateful_step_count=60, **SHORT)
TestEvening = Evening.TestCase
LongEvening.TestCase.settings = settings(max_examples=50, stateful_step_count=200, **SHORT)
TestLongEvening = pytest.mark.slow(LongEvening.TestCase)
