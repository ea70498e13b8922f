"""A Hypothesis machine plays Hex'el: cards, chips, hands, sensors, talk and nonsense, in any order."""

import re

from helpers.hexagon.evening import NUMBERS, long, short
from helpers.hexagon.evening import Evening as AnyEvening
from helpers.hexagon.secrets import leaks
from hextraction.board.profile import board_names, load_board
from hextraction.controller.games.hexagon.cells import CELLS
from hextraction.controller.games.hexel import Hexel
from hextraction.controller.games.hexel.cards import DECKS, deck_named, least, turned
from hextraction.controller.games.hexel.mosaic import AROUND, corners_of_hoxla, name_of
from hextraction.controller.games.hexel.position import affordable, choices
from hextraction.controller.games.hexel.state import FIELDS, Setup
from hextraction.controller.games.protocol import Said
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule
from msgspec.structs import replace

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


class Evening(AnyEvening):
    """One game on any board, with any deck and field, with or without sensors."""

    nonsense = ACTS

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
        wanted = Setup(
            board=board,
            seats=self.seated(players),
            deck=deck_named(deck),
            stocks=(stock,) * players,
            field=field,
            dealer=dealer % players,
            sees=sees,
        )
        self.chips = stock * players
        self.begins(Hexel(load_board(board)), wanted)

    def declared(self):
        return self.state.position

    def moved_on(self, before, event, effects):
        """What one event may change, and no more (3.8); what is told has no card in it that nobody has shown."""
        was, now = before.position, self.state.position
        for said in (one for one in effects if isinstance(one, Said)):
            assert said.kind in {"announce", "discarded"} or not re.search("[RBY]{6}", said.text), said
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

    @precondition(lambda self: self.playing)
    @rule(number=NUMBERS)
    def the_mover_goes_on(self, number):
        seat = self.state.active.seat
        forward = {"shuffle", "deal", "stake", "hedge", "place", "discard"}
        options = [one for one in self.game.private(self.state, seat).options if one.group in forward]
        if options:
            self.do_one_of(seat, options, number)

    # --- what always holds (3.8) ---

    @invariant()
    def every_card_is_somewhere_once(self):
        position = self.state.position
        hands = [card for hand in position.hands for card in hand]
        lie = [one.card for one in position.laid]
        cards = [*position.deck, *hands, *lie, *position.discards]
        assert sorted(cards) == list(range(1, len(position.faces) + 1))
        assert set(position.face_up) <= set(position.discards)

    @invariant()
    def chips_are_all_there(self):
        position = self.state.position
        assert sum(position.stocks) + sum(position.hedges) == self.chips
        assert min((*position.stocks, *position.hedges)) >= 0

    @invariant()
    def touching_edges_are_equal_and_there_is_no_hoxla_before_the_end(self):
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
        position = self.state.position
        sizes = {len(position.hands[player]) for player in position.inside}
        assert all(size <= 3 for size in sizes)
        assert max(sizes, default=0) - min(sizes, default=0) <= 1
        assert all(not position.hands[player] for player in range(position.players) if position.out[player])

    @invariant()
    def a_turned_field_offers_the_same(self):
        """By 60 degrees: as many placements, with as many edges, as many of them a Hoxla."""
        if self.state.position.phase != "place":
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
    def nothing_hidden_is_seen(self):
        if self.state.position.phase not in {"shuffle", "over"}:
            assert leaks(self.game, self.state) == []

    @invariant()
    def the_deck_is_the_one_of_the_set_up(self):
        faces = {least(face) for face in self.state.position.faces}
        assert faces == {least(face) for face in self.setup.deck.faces}


TestEvening = short(Evening, 4, 25)
TestLongEvening = long(Evening)
