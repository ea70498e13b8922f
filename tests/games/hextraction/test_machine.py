"""A Hypothesis machine plays Hextraction: legal moves, likely ball facts, and nonsense, in any order."""

import random

from helpers.tabletop import MIXED, TALK, Table, boxed, random_fact, setup, survives_json
from helpers.tiers import nightly
from hextraction.board.facts import Doubt
from hextraction.board.profile import board_names
from hextraction.controller.clauses import load_clauses
from hextraction.controller.games.hextraction import Phase
from hextraction.controller.games.hextraction.cards.tilebook import load_tiles
from hextraction.controller.games.hextraction.state.state import Depth
from hextraction.controller.games.protocol import Paused, PowerSet, Refused, Renamed, Said, TileSeen
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from msgspec.structs import replace

SEEDS = st.integers(0, 2**32)
MARKS = ("harms", "hurts", "items", "meta", "no_draw", "no_seat", "printed")
WORDS = TALK - {"concede", "vote"}
CLAUSES = frozenset(load_clauses())
KINDS = sorted(tile.name for tile in load_tiles().values() if tile.effects)


def said_by(step):
    """Return what everybody is told by a step."""
    return [effect for effect in step.effects if isinstance(effect, Said)]


def with_other_names(state, copies):
    """Return the same game, but for what these tiles are."""
    named = {
        copy: replace(state.copies[copy], name="plain" if state.copies[copy].name != "plain" else "bell")
        for copy in copies
        if state.copies[copy].name and not state.copies[copy].whole
    }
    return replace(state, copies={**state.copies, **named})


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
        config["depth"] = Depth.FULL if sensors else chance.choice(list(Depth))
        more = chance.sample(KINDS, 6)
        marks = [(word, chance.choice(plain)) for word in MARKS if chance.random() < 0.1]
        unseen = chance.random() < 0.2
        self.table = Table(
            setup(
                board=board,
                players=players,
                tiles=(*MIXED, *(name for name in more if name not in MIXED)),
                laid=laid,
                seed=seed,
                unseen=unseen,
                marks=marks,
                **config,
            )
        )
        self.tiles = boxed(self.table.state)
        self.compared = None

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

    @precondition(lambda self: self.table.state.laid)
    @rule(last=st.booleans(), seed=SEEDS)
    def a_tile_falls_out(self, last, seed):
        """The one laid last, be it a part of a Combo that is not laid completely, or any other (2.4.3, 2.4.6)."""
        state = self.table.state
        laid = state.laid[-1] if last else random.Random(seed).choice(state.laid)
        self.table.feed(TileSeen(at_us=self.table.later(), slot=laid.slots[0], present=False))
        for ask in self.table.state.asks:
            if ask.kind == "lifted" and laid.slots[0] in ask.slots:
                self.tries(ask.seat, {"do": "answer", "prompt": ask.id, "choice": "fell"})

    @rule(on=st.booleans(), lost=st.booleans())
    def the_switch_is_flipped(self, on, lost):
        self.table.feed(PowerSet(at_us=self.table.later(), on=on, lost=lost))

    @rule(on=st.booleans())
    def the_table_has_a_break(self, on):
        self.table.feed(Paused(at_us=self.table.later(3_000_000), on=on))

    @rule(seed=SEEDS)
    def a_seat_is_taken_over(self, seed):
        chance = random.Random(seed)
        seat = chance.choice([*self.table.seats, "nobody"])
        self.table.feed(Renamed(at_us=self.table.later(), seat=seat, name=f"Guest {seed % 7}"))

    @rule()
    def the_time_comes(self):
        self.table.wakes()

    @rule(seed=SEEDS)
    def balls_tell_nothing_of_hands(self, seed):
        """What everybody is told about balls does not depend on any tile that nobody has shown."""
        chance = random.Random(seed)
        event = random_fact(chance, self.table.board, self.table.later())
        state = self.table.state
        hidden = self.hidden(chance.choice(state.players))
        other = self.table.game.step(with_other_names(state, hidden), event)
        self.table.feed(event)
        assert [effect for effect in self.table.effects if isinstance(effect, Said)] == said_by(other)

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
                self.another_board(chance),
                self.arranged(chance),
            ]
        )
        self.tries(seat, act)

    def another_board(self, chance):
        """Return a position to enter after the dark: some of the tiles that lie there, and balls anywhere."""
        state = self.table.state
        kept = [one for one in state.laid if chance.random() < 0.9]
        tiles = {one.slots[0]: (state.copies[one.copy].name, one.turns) for one in kept}
        balls = [chance.choice([*tiles, "Z1"]) for _ball in range(chance.randrange(3))]
        return {"do": "reenter", "tiles": tiles, "balls": balls, "active": chance.choice(self.table.seats)}

    def arranged(self, chance):
        """Return what lies where, told after a card that people carried out."""
        told = self.another_board(chance)
        kept = {"tiles": told["tiles"], "balls": told["balls"]}
        gone = [one.slots[0] for one in self.table.state.laid if one.slots[0] not in told["tiles"]]
        where = ["pool", "away", "destroyed", f"hand.{chance.choice(self.table.seats)}"]
        choice = {slot: chance.choice(where) for slot in gone}
        return {"do": "arrange", **kept, "gone": choice, "draw": chance.random() < 0.3}

    @rule(seed=SEEDS)
    def somebody_does_what_is_another_s_to_do(self, seed):
        """What is offered to one seat is accepted from another, or refused with a clause and nothing else."""
        chance = random.Random(seed)
        offers = self.table.offers()
        if offers:
            self.tries(chance.choice(self.table.seats), chance.choice(offers)[1])

    def tries(self, seat, act):
        before = self.table.state
        refused = self.table.act(seat, act)
        if refused is not None:
            assert self.table.state == before
            assert isinstance(refused, Refused)
            assert refused.clause in CLAUSES, refused
            assert refused.reason.endswith((".", "?")), refused

    def hidden(self, player):
        play = self.table.state.play
        shown = () if play is None else (play.copy, *play.pieces)
        return [copy for copy in player.hand if copy not in shown]

    @invariant()
    def every_clause_that_is_cited_exists(self):
        said = [effect.clause for effect in self.table.effects if isinstance(effect, Said) and effect.clause]
        said += [ask.clause for ask in self.table.state.asks]
        assert set(said) <= CLAUSES, said

    @invariant()
    def no_hand_shows_anywhere_else(self):
        """Whatever tiles a hand holds, everybody else sees and may do the same (1.2.1, R-65)."""
        state, game = self.table.state, self.table.game
        if state is self.compared:
            return  # nothing has happened
        self.compared = state
        player = state.players[state.next_id % len(state.players)]
        other = with_other_names(state, self.hidden(player))
        if other.copies == state.copies:
            return
        assert game.scene(other) == self.table.view()
        others = [seat for seat in self.table.seats if seat != player.seat]
        seat = others[state.next_id % len(others)]
        assert game.private(other, seat) == self.table.view(seat)

    @invariant()
    def every_ball_is_in_one_place(self):
        state = self.table.state
        now = state.rest if state.roll is None else state.roll.record
        places = [*now.on, *now.ramps, *now.zones]
        assert len(places) == len(set(places))

    @invariant()
    def no_tile_is_lost(self):
        assert boxed(self.table.state) == self.tiles

    @invariant()
    def there_is_a_way_on(self):
        state = self.table.state
        if state.phase is Phase.OVER or state.paused_us is not None:
            return
        offered = (act["do"] for seat in self.table.seats for _seat, act in self.table.offers_to(seat))
        assert any(word != "lifted" for word in offered) or self.table.awaits_world(), state

    @invariant()
    def views_can_be_drawn(self):
        view = self.table.view()
        shown = [one.count for seat in view.seats for one in seat.counters]
        held = [len(p.hand) for p in self.table.state.players]
        assert shown == ([] if self.table.state.depth is Depth.SCORE else held)

    def teardown(self):
        if hasattr(self, "table"):
            assert self.table.replayed() == self.table.state
            assert survives_json(self.table.state)


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


TestLongEvening = nightly("the same evening with more and longer examples", meanwhile="TestEvening")(
    LongEvening.TestCase
)
TestLongEvening.settings = LONG
