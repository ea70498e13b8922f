"""How many rounds a deck lasts, and where all its cards are in the end."""

import random

import pytest
from hextraction.controller.games.hexel import position as game
from hextraction.controller.games.hexel.cards import deck_named

ROUNDS = {1: (14, 1), 2: (7, 1), 3: (4, 7), 4: (3, 7), 5: (2, 13), 6: (2, 7)}
"""By players: full rounds with the usual deck, and cards left in it then (3.5)."""


def to_the_end(players, seed):
    """Play on an open field, with chips for everything, and without a Hoxla as long as there is another way."""
    luck, told = random.Random(seed), []
    now = game.new(deck_named("d46").faces, (2_000,) * players, bounded=False)
    now = game.dealt(game.shuffled(now, seed, told), told)
    while now.phase != "over":
        if now.phase == "stake":
            now = game.staked(now, 1, told)
        elif now.phase == "hedge":
            now = game.hedged(now, 100, told)
        elif game.must_discard(now):
            now = game.discarded(now, now.hands[now.mover][0], told)
        else:
            choices = game.affordable(now)
            calm = [one for one in choices if not one.fit.hoxla]
            now = game.placed(now, luck.choice(calm or choices), told)
    return now, told


@pytest.mark.parametrize("players", ROUNDS)
def test_so_many_rounds_are_dealt(players):
    """Then too few cards are left for everybody, and who laid the last card takes all hedges."""
    ends = (to_the_end(players, seed) for seed in range(200))
    now, told = next((now, told) for now, told in ends if now.ended == "deck out")
    assert (now.round, len(now.deck)) == ROUNDS[players]
    assert [one.number for one in told if one.what == "dealt"] == list(range(1, now.round + 1))
    thrown = sum(one.what == "discarded" for one in told)
    assert len(now.laid) - 3 + thrown == 3 * players * now.round
    assert sum(now.stocks) == 2_000 * players
    assert now.winner == (game.NOBODY if players == 1 else now.laid[-1].player)
