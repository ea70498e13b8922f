"""A Hypothesis machine plays Hextris: legal plies, hands, sensors, talk and nonsense, in any order."""

from helpers.hexagon.evening import NUMBERS, long, short
from helpers.hexagon.evening import Evening as AnyEvening
from hextraction.board.profile import board_names, load_board
from hextraction.controller.games.hexagon.cells import CELLS
from hextraction.controller.games.hextris import Hextris
from hextraction.controller.games.hextris.position import READINGS, SIZES, bit_of, groups, legal
from hextraction.controller.games.hextris.state import Setup
from hextraction.controller.games.protocol import Refused
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule

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


class Evening(AnyEvening):
    """One game on any board, by any reading, with or without sensors."""

    nonsense = ACTS

    @initialize(
        board=st.sampled_from(board_names()),
        players=st.integers(2, 3),
        reading=st.sampled_from(READINGS),
        sees=st.booleans(),
    )
    def sits_down(self, board, players, reading, sees):
        wanted = Setup(board=board, seats=self.seated(players), reading=reading, sees=sees)
        self.begins(Hextris(load_board(board)), wanted)

    def declared(self):
        return self.state.position

    def moved_on(self, before, event, effects):
        """What one event may change, and no more (2.8)."""
        was, now = before.position, self.state.position
        back = self.state.turn < before.turn
        left = [one.out for one in before.players] != [one.out for one in self.state.players]
        refused = any(isinstance(one, Refused) for one in effects)
        if now == was or back or left or refused:
            return
        made = self.state.made
        assert made in legal(was, self.state.setup.reading)
        for player in range(was.players):
            assert all(now.hands[player][size] <= was.hands[player][size] for size in range(3))
            assert 0 <= now.home[player] - was.home[player] <= 1
        passed = self.state.turn - before.turn
        assert passed >= 1
        inside = [player for player, one in enumerate(before.players) if not one.out]
        assert now.mover == inside[(inside.index(was.mover) + passed) % len(inside)]

    # --- what happens ---

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
            self.do_one_of(seat, plies, number)

    # --- what always holds (2.8) ---

    @invariant()
    def pieces_are_all_there(self):
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
        position = self.state.position
        assert sum(one.bit_count() for one in position.own) == position.taken.bit_count()
        assert sum(one.bit_count() for one in position.sizes) == position.taken.bit_count()
        assert position.taken & ~sum(bit_of(cell) for cell in CELLS) == 0

    @invariant()
    def groups_are_small(self):
        most = 5 if self.state.over else 4
        for mine in self.state.position.own:
            assert all(group.bit_count() <= most for group in groups(mine))


TestEvening = short(Evening, 12, 60)
TestLongEvening = long(Evening)
