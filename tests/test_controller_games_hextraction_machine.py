"""A Hypothesis machine plays Hextraction: legal moves, likely ball facts, and nonsense, in any order."""

import random

import msgspec
import pytest
from hextraction.board.facts import Doubt
from hextraction.board.profile import board_names
from hextraction.controller.games.hextraction import Phase, State
from hextraction.controller.games.protocol import PowerSet, Refused, TileSeen
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from tabletop import MIXED, TALK, Table, boxed, random_fact, setup

SEEDS = st.integers(0, 2**32)
MARKS = ("harms", "hurts", "items", "meta", "no_draw", "no_seat", "printed")
WORDS = TALK - {"concede", "vote"}


class Evening(RuleBasedStateMachine):
    """One game on any board, by any number of players, with a mix of all test tiles."""

    @initialize(
        board=st.sampled_from(board_names()), players=st.integers(2, 6), sensors=st.booleans(), seed=SEEDS
    )
    def sits_down(self, board, players, sensors, seed):
        chance = random.Random(seed)
        slots = list(Table(setup(board=board)).board.slot_names)
        plain = [name for name in MIXED if name != "wide" and not name.startswith(("pair", "vduo"))]
        laid = [(slot, chance.choice(plain), 0) for slot in slots if chance.random() < 0.6]
        config = {"sensors": sensors, "grace_us": chance.choice([0, 5_000_000])}
        config["launcher"] = chance.random() < 0.2
        marks = [(word, chance.choice(plain)) for word in MARKS if chance.random() < 0.1]
        unseen = chance.random() < 0.2
        self.table = Table(
            setup(board=board, players=players, laid=laid, seed=seed, unseen=unseen, marks=marks, **config)
        )
        self.tiles = boxed(self.table.state)
        self.parting = 0

    @precondition(lambda self: self.table.state.phase is not Phase.OVER)
    @rule(seed=SEEDS)
    def somebody_does_something_legal(self, seed):
        """An option that is offered is accepted."""
        chance = random.Random(seed)
        offers = self.table.offers(parting=chance.random() < 0.05)
        if offers:
            seat, act = chance.choice(offers)
            assert self.table.act(seat, act, chance=seed) is None

    @precondition(lambda self: self.table.state.phase is not Phase.OVER)
    @rule(seed=SEEDS)
    def somebody_has_something_to_say(self, seed):
        """Disputes, cards, taking back and reclaiming that are offered are accepted."""
        chance = random.Random(seed)
        talk = [(seat, act) for seat, act in self.table.offers(parting=True) if act["do"] in WORDS]
        words = sorted({act["do"] for _seat, act in talk})
        if words:
            word = chance.choice(words)
            seat, act = chance.choice([one for one in talk if one[1]["do"] == word])
            assert self.table.act(seat, act, chance=seed) is None

    @rule(seed=SEEDS)
    def a_ball_does_something(self, seed):
        chance = random.Random(seed)
        self.table.feed(random_fact(chance, self.table.board, self.table.later()))

    @precondition(lambda self: self.table.state.intent is not None and self.table.state.intent[1])
    @rule(ball=st.integers(1, 4))
    def a_ball_is_released(self, ball):
        self.table.releases(self.table.state.intent[1], ball=ball)

    @rule(missing=st.booleans(), seed=SEEDS)
    def all_is_quiet(self, missing, seed):
        chance = random.Random(seed)
        facts = [
            random_fact(chance, self.table.board, self.table.at_us) for _fact in range(chance.randrange(5))
        ]
        self.table.quiet(*facts, missing=(Doubt(ball=1),) if missing else ())

    @rule(seed=SEEDS, present=st.booleans())
    def a_tile_hall_changes(self, seed, present):
        slot = random.Random(seed).choice(self.table.board.slot_names)
        self.table.feed(TileSeen(at_us=self.table.later(), slot=slot, present=present))

    @rule(on=st.booleans(), lost=st.booleans())
    def the_switch_is_flipped(self, on, lost):
        self.table.feed(PowerSet(at_us=self.table.later(), on=on, lost=lost))

    @rule()
    def the_time_comes(self):
        self.table.wakes()

    @rule(seed=SEEDS)
    def somebody_tries_something_stale(self, seed):
        """What was legal for somebody before may be refused now, and then changes nothing."""
        chance = random.Random(seed)
        seat = chance.choice(self.table.seats)
        act = chance.choice(
            [
                {"do": "end"},
                {"do": "seated"},
                {"do": "break_loop"},
                {"do": "ballot", "yea": False},
                {"do": "undo"},
                {"do": "flick"},
                {"do": "adjust"},
                {"do": "rules", "tile": chance.randrange(90)},
                {"do": "reclaim", "what": "tiles"},
                {"do": "contend", "ball": 1, "place": "off"},
                {"do": "overrule", "tile": chance.randrange(90), "to": "pool"},
            ]
        )
        before = self.table.state
        refused = self.table.act(seat, act)
        assert refused is None or self.table.state == before
        assert refused is None or isinstance(refused, Refused)

    @invariant()
    def no_tile_is_lost(self):
        assert boxed(self.table.state) == self.tiles

    @invariant()
    def there_is_a_way_on(self):
        state = self.table.state
        if state.phase is Phase.OVER:
            return
        offers = [act for _seat, act in self.table.offers() if act["do"] != "lifted"]
        assert offers or self.table.awaits_world(), state

    @invariant()
    def views_can_be_drawn(self):
        view = self.table.game.public(self.table.state)
        assert sum(seat.hand for seat in view.seats) == sum(len(p.hand) for p in self.table.state.players)

    def teardown(self):
        if hasattr(self, "table"):
            assert self.table.replayed() == self.table.state
            assert msgspec.json.decode(msgspec.json.encode(self.table.state), type=State) == self.table.state


QUICK = settings(
    max_examples=25,
    stateful_step_count=30,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
LONG = settings(QUICK, max_examples=300, stateful_step_count=120)

TestEvening = Evening.TestCase
TestEvening.settings = QUICK


class LongEvening(Evening):
    pass


TestLongEvening = pytest.mark.slow(LongEvening.TestCase)
TestLongEvening.settings = LONG
