"""A Hypothesis machine plays Hex'el: cards, chips, hands, sensors, talk and nonsense, in any order."""

import re

import msgspec
import pytest
from hextraction.board.profile import board_names, load_board
from hextraction.controller.games.hexagon.cells import CELLS
from hextraction.controller.games.hexel import Hexel
from hextraction.controller.games.hexel.cards import DECKS, deck_named, least, turned
from hextraction.controller.games.hexel.mosaic import AROUND, corners_of_hoxla, name_of
from hextraction.controller.games.hexel.position import affordable, choices
from hextraction.controller.games.hexel.state import FIELDS, Setup
from hextraction.controller.games.protocol import (
    Acted,
    Paused,
    PowerSet,
    Refused,
    Renamed,
    Said,
    Seated,
    TileSeen,
)
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from msgspec.structs import replace

SEATS = ("red", "blue", "green", "yellow", "violet", "white")
NUMBERS = st.integers(0, 10**6)
WORDS = [
    "shuffle",
    "another",
    "deal",
    "stake",
    "hedge",
    "announce",
    "keep",
    "place",
    "discard",
    "pay",
    "laid",
    "leap",
]
ACTS = st.fixed_dictionaries(
    {"do": st.sampled_from(WORDS)},
    optional={
        "card": st.integers(-1, 50),
        "to": st.sampled_from([*CELLS, "x9", "3,-3", "99,0"]),
        "turns": st.integers(-7, 7),
        "chips": st.integers(-3, 40),
        "slot": st.sampled_from(["A1", "C3", "E5"]),
        "choice": st.sampled_from(["back", "wrong", "place 1 c1 0"]),
    },
)


def symbols_of(position):
    """Return what each cell shows, from the cards' faces alone."""
    return {one.cell: turned(position.faces[one.card - 1], one.turns) for one in position.laid}


class Evening(RuleBasedStateMachine):
    """One game on any board, with any deck and field, with or without sensors."""

    @initialize(
        board=st.sampled_from(board_names()),
        players=st.integers(1, 6),
        deck=st.sampled_from(DECKS),
        field=st.sampled_from(FIELDS),
        stock=st.sampled_from([0, 5, 30]),
        dealer=st.integers(0, 5),
        sees=st.booleans(),
    )
    def sits_down(self, board, players, deck, field, stock, dealer, sees):
        self.game = Hexel(load_board(board))
        seats = tuple(Seated(seat, seat) for seat in SEATS[:players])
        self.setup = Setup(
            board=board,
            seats=seats,
            deck=deck_named(deck),
            stocks=(stock,) * players,
            field=field,
            dealer=dealer % players,
            sees=sees,
        )
        assert self.game.problems(self.setup) == []
        self.state = self.game.start(self.setup)
        self.chips = stock * players
        self.events = []

    def tell(self, event):
        before = self.state
        step = self.game.step(before, event)
        assert self.game.step(before, event) == step
        refused = [one for one in step.effects if isinstance(one, Refused)]
        assert not refused or (step.state == before and refused[0].reason and refused[0].clause)
        for said in (one for one in step.effects if isinstance(one, Said)):
            assert said.kind in {"announce", "discarded"} or not re.search("[RBY]{6}", said.text), said
        self.events.append(event)
        self.state = step.state
        self.moved_on(before.position, self.state.position)
        return refused

    def act(self, seat, act, chance=7):
        return self.tell(Acted(at_us=len(self.events), seat=seat, act=dict(act), chance=chance))

    def moved_on(self, was, now):
        """What one event may change, and no more (3.8)."""
        if now.phase == "over" or was.round == 0:
            return
        for player in range(was.players):
            gave = was.hedges[player] - now.hedges[player]
            if gave > 0:
                assert gave % was.stake == 0 or now.out[player]
                assert now.stocks[player] >= was.stocks[player]
            if gave < 0:
                assert was.phase == "hedge"
                assert now.stocks[player] == was.stocks[player] + gave
            if now.round == was.round and not now.out[player]:
                assert len(was.hands[player]) - len(now.hands[player]) in {0, 1}
        if len(now.laid) == len(was.laid) + 1 and was.phase == "place":
            last = now.laid[-1]
            there = symbols_of(was)
            beside = sum((last.cell[0] + a, last.cell[1] + d) in there for a, d in AROUND)
            assert last.matched == beside
            assert 1 <= beside <= 6

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
                one = offered[number % len(offered)]
                turns = {"turns": one.turns[number % len(one.turns)]} if one.turns else {}
                assert self.act(seat, {**one.act, **turns}, number) == []
                return

    @precondition(lambda self: self.playing)
    @rule(number=NUMBERS)
    def the_mover_goes_on(self, number):
        seat = self.state.active.seat
        forward = {"shuffle", "deal", "stake", "hedge", "place", "discard"}
        options = [one for one in self.game.private(self.state, seat).options if one.group in forward]
        if options:
            one = options[number % len(options)]
            turns = {"turns": one.turns[number % len(one.turns)]} if one.turns else {}
            assert self.act(seat, {**one.act, **turns}, number) == []

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

    @rule(seat=st.sampled_from(SEATS), act=ACTS)
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

    # --- what always holds (3.8) ---

    @invariant()
    def every_card_is_somewhere_once(self):
        if not hasattr(self, "state"):
            return
        position = self.state.position
        hands = [card for hand in position.hands for card in hand]
        lie = [one.card for one in position.laid]
        cards = [*position.deck, *hands, *lie, *position.discards]
        assert sorted(cards) == list(range(1, len(position.faces) + 1))
        assert set(position.face_up) <= set(position.discards)

    @invariant()
    def chips_are_all_there(self):
        if not hasattr(self, "state"):
            return
        position = self.state.position
        assert sum(position.stocks) + sum(position.hedges) == self.chips
        assert min((*position.stocks, *position.hedges)) >= 0

    @invariant()
    def touching_edges_are_equal_and_there_is_no_hoxla_before_the_end(self):
        if not hasattr(self, "state"):
            return
        position = self.state.position
        there = symbols_of(position)
        assert len(there) == len(position.laid)
        for (across, down), symbols in there.items():
            for edge, (more_across, more_down) in enumerate(AROUND):
                other = there.get((across + more_across, down + more_down))
                assert other is None or other[(edge + 3) % 6] == symbols[edge]
        corners = [cell for cell, symbols in there.items() if corners_of_hoxla(there, cell, symbols)]
        assert bool(corners) == (position.ended == "hoxla")
        assert not position.bounded or all(name_of(cell) in CELLS for cell in there)

    @invariant()
    def hands_are_of_this_round(self):
        if not hasattr(self, "state"):
            return
        position = self.state.position
        sizes = {len(position.hands[player]) for player in position.inside}
        assert all(size <= 3 for size in sizes)
        assert max(sizes, default=0) - min(sizes, default=0) <= 1
        assert all(not position.hands[player] for player in range(position.players) if position.out[player])

    @invariant()
    def a_turned_field_offers_the_same(self):
        """By 60 degrees: as many placements, with as many edges, as many of them a Hoxla."""
        if not hasattr(self, "state") or self.state.position.phase != "place":
            return
        position = self.state.position
        turned_laid = tuple(
            one._replace(cell=(-one.cell[1], one.cell[0] + one.cell[1]), turns=(one.turns + 1) % 6)
            for one in position.laid
        )
        other = replace(position, laid=turned_laid)
        for find in (choices, affordable):
            found = [
                sorted((one.card, one.fit.matched, one.fit.hoxla, one.owes) for one in find(here))
                for here in (position, other)
            ]
            assert found[0] == found[1]

    @invariant()
    def it_can_be_shown_and_tells_no_secret(self):
        if not hasattr(self, "state"):
            return
        scene = self.game.scene(self.state)
        assert msgspec.json.encode(scene)
        for slot in self.game.lamps(scene):
            assert slot.partition(".")[2] in self.game.field.cells
        position = self.state.position
        hidden = (*position.deck, *(card for hand in position.hands for card in hand))
        if hidden and not self.state.announced and position.phase != "shuffle":
            same = replace(
                position,
                deck=hidden[-len(position.deck) :] if position.deck else (),
                hands=_dealt(position, hidden),
            )
            assert self.game.scene(replace(self.state, position=same)) == scene

    def teardown(self):
        """The same events lead to the same state."""
        if hasattr(self, "state"):
            state = self.game.start(self.setup)
            for event in self.events:
                state = self.game.step(state, event).state
            assert state == self.state
            assert {least(face) for face in state.position.faces} == {
                least(face) for face in self.setup.deck.faces
            }


def _dealt(position, hidden):
    """Return hands of the same sizes out of other cards."""
    left = list(hidden)
    hands = []
    for hand in position.hands:
        hands.append(tuple(left[: len(hand)]))
        left = left[len(hand) :]
    return tuple(hands)


class LongEvening(Evening):
    """The same for the long run."""


SHORT = {"deadline": None, "suppress_health_check": list(HealthCheck)}
Evening.TestCase.settings = settings(max_examples=4, stateful_step_count=25, **SHORT)
TestEvening = Evening.TestCase
LongEvening.TestCase.settings = settings(max_examples=50, stateful_step_count=200, **SHORT)
TestLongEvening = pytest.mark.slow(LongEvening.TestCase)
