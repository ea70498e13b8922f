"""A Hypothesis machine plays Extraction: what is offered, dice, sensors, talk and nonsense, in any order (1.10)."""

import random
from collections import Counter

from helpers.hexagon.evening import NUMBERS, long, short
from helpers.hexagon.evening import Evening as AnyEvening
from helpers.hexagon.secrets import leaks
from hextraction.board.profile import board_names, load_board
from hextraction.controller.games.extraction import Extraction
from hextraction.controller.games.extraction.bots.policy import next_act
from hextraction.controller.games.extraction.land.corners import CORNERS, ROADS
from hextraction.controller.games.extraction.land.goods import (
    CITIES,
    DECK,
    DISCS,
    EACH,
    NOBODY,
    ROADS_EACH,
    SETTLEMENTS,
    dots,
)
from hextraction.controller.games.extraction.land.house import HouseRules, set_up
from hextraction.controller.games.extraction.land.places import built, stock
from hextraction.controller.games.extraction.land.standing import points
from hextraction.controller.games.extraction.land.state import ATTACKS
from hextraction.controller.games.protocol import Acted, Woke
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule

GOODS = st.dictionaries(
    st.sampled_from(["wood", "brick", "wool", "grain", "ore", "gold"]), st.integers(-1, 4), max_size=2
)
ACTS = st.fixed_dictionaries(
    {
        "do": st.sampled_from(
            [
                "roll",
                "settlement",
                "road",
                "city",
                "collect",
                "pick",
                "disc",
                "swap",
                "buy",
                "play",
                "bank",
                "offer",
                "attack",
                "end",
                "answer",
                "done",
            ]
        )
    },
    optional={
        "at": st.sampled_from([*CORNERS[:9], *ROADS[:9], "a1", "c3", "z9"]),
        "to": st.sampled_from(["c3", "blue", "white"]),
        "disc": st.integers(0, 13),
        "card": st.sampled_from(["knight", "plenty", "joker"]),
        "give": GOODS,
        "want": GOODS,
        "stake": GOODS,
        "take": GOODS,
        "total": st.integers(-1, 13),
    },
)
HOUSES = st.builds(
    HouseRules,
    real_dice=st.booleans(),
    roll_first=st.booleans(),
    attack=st.sampled_from(ATTACKS),
    discs=st.sampled_from(tuple(DISCS)),
    leftover=st.sampled_from(["supply", "box"]),
    disc_order=st.sampled_from(["clockwise", "snake"]),
    overtake=st.booleans(),
    most_tokens=st.integers(1, 5),
    keep_in=st.booleans(),
)


class Evening(AnyEvening):
    """One game on any board, by any settings, with or without sensors."""

    nonsense = ACTS

    @initialize(
        board=st.sampled_from(board_names()),
        count=st.integers(3, 4),
        house=HOUSES,
        sees=st.booleans(),
        seed=NUMBERS,
        settled=st.booleans(),
    )
    def sits_down(self, board, count, house, sees, seed, settled):
        self.luck = random.Random(seed)
        wanted = set_up(house, board, self.seated(count), self.luck, sees=sees)
        self.begins(Extraction(load_board(board)), wanted)
        while settled and self.state.phase not in {"before", "act"}:
            self.hands_do_what_is_awaited()
            self.plays_on()

    def declared(self):
        return self.state.hexes, self.state.bank

    def moved_on(self, before, event, effects):
        """What one event may change, and no more (1.10)."""
        now = self.state
        lost = [
            was.tokens - one.tokens for was, one in zip(before.hexes, now.hexes, strict=True) if was.start
        ]
        assert all(0 <= one <= 1 for one in lost)
        assert all(now.hexes[at].start == was.start for at, was in enumerate(before.hexes) if was.start)
        if isinstance(event, Acted) and event.act.get("do") == "swap":
            assert [one.tokens for one in now.hexes] == [one.tokens for one in before.hexes]
            assert [one.hand for one in now.players] == [one.hand for one in before.players]
        if any(lost):
            gained = sum(map(sum, (one.hand for one in now.players))) - sum(
                map(sum, (one.hand for one in before.players))
            )
            assert gained >= sum(lost)
            assert event.act["do"] == "roll"
        assert all(one.out or not was.out for was, one in zip(before.players, now.players, strict=True))

    def plays_on(self):
        """Let whoever acts do what plain sense says."""
        waits = self.game.awaited(self.state).seat
        view = self.game.private(self.state, waits)
        if view.prompts:
            self.act(waits, self.luck.choice(view.prompts[0].options).act)
            return
        assert self.act(waits, next_act(self.state, self.luck), self.luck.getrandbits(32)) == []

    # --- what happens ---

    @precondition(lambda self: self.playing)
    @rule(times=st.integers(1, 12))
    def sensible_players_go_on(self, times):
        for _time in range(times):
            self.hands_do_what_is_awaited()
            if self.playing and not self.state.watch.differs(self.game.physical(self.state).tiles):
                self.plays_on()

    @rule(later=st.sampled_from([0, 10**8]))
    def time_passes(self, later):
        self.tell(Woke(at_us=self.state.at_us + later))

    # --- what always holds (1.10) ---

    @invariant()
    def cards_are_all_there(self):
        state = self.state
        held = [*(one.hand for one in state.players), state.bank]
        held += [state.attack.stake] if state.attack is not None else []
        assert [sum(cards) for cards in zip(*held, strict=True)] == [EACH] * 5
        assert all(count >= 0 for cards in held for count in cards)
        developed = Counter(
            [*state.deck, *state.spent, *(card for one in state.players for card, _t in one.cards)]
        )
        assert developed == Counter(DECK)

    @invariant()
    def pieces_are_all_there(self):
        state = self.state
        for number in range(len(state.players)):
            there = built(state.buildings, state.roads, number)
            left = stock(state.buildings, state.roads, number)
            assert [a + b for a, b in zip(there, left, strict=True)] == [SETTLEMENTS, CITIES, ROADS_EACH]
            assert min(left) >= 0

    @invariant()
    def discs_and_tokens_are_all_there(self):
        state, box = self.state, []
        on_board = [one.disc for one in state.hexes if one.disc]
        begun = any(one.start for one in state.hexes)
        if begun and self.setup.leftover == "box" and self.setup.discs == "nineteen":
            box = list((Counter(DISCS["nineteen"]) - Counter([*on_board, *state.supply])).elements())
            assert len(box) == 1
        assert Counter([*on_board, *state.supply, *state.unplaced, *box]) == Counter(DISCS[self.setup.discs])
        for one in state.hexes:
            assert 0 <= one.tokens <= max(one.start, 0) <= self.setup.most_tokens
            if begun:
                assert (one.disc > 0) is one.live is (one.tokens > 0)
                assert one.disc == 0 or dots(one.disc)

    @invariant()
    def points_are_what_stands_there(self):
        state = self.state
        for number, one in enumerate(state.players):
            settlements, cities, _roads = built(state.buildings, state.roads, number)
            tiles = (state.route == number) + (state.army == number)
            hidden = sum(card == "point" for card, _turn in one.cards)
            assert points(state, number) == settlements + 2 * cities + 2 * tiles + hidden
        if state.army != NOBODY:
            assert state.players[state.army].knights >= 3
        if state.over and state.ended != "left alone":
            best = max(points(state, number) for number, one in enumerate(state.players) if not one.left)
            assert all(points(state, state.number(seat)) == best for seat in state.winners)

    @invariant()
    def nothing_hidden_is_seen(self):
        if not self.state.over:
            assert leaks(self.game, self.state) == []


TestEvening = short(Evening, 6, 20)
TestLongEvening = long(Evening)
