"""Golden games of bots: a seed draws the set-up, and bots and balls do in it, what they once did.

They tell that bots play otherwise, not that they play worse: ``pytest --update-golden``, once that is meant.
"""

from random import Random
from zlib import crc32

import msgspec
import pytest
from helpers.evenings import Evening
from helpers.places import TESTS
from hextraction.board.profile import board_names, load_board
from hextraction.controller.games.hextraction import Hextraction, Phase
from hextraction.controller.games.hextraction.cards.tilebook import load_tiles
from hextraction.controller.games.protocol import Seated
from hextraction.controller.games.strategy import Temper

GOLDEN = TESTS / "golden" / "bots.txt"
SEATS = [Seated(seat=name.lower(), name=name) for name in ("Red", "Blue", "Green", "Yellow")]
GAMES, EVENTS, DRAWN = 24, 80, 200


def drawn(seed):
    """Return the set-up that a study draws for a seed, on one board after another, empty or half full."""
    board = load_board(board_names()[seed % len(board_names())])
    game = Hextraction(board, load_tiles())
    return game.draw(SEATS[: 2 + seed % 3], Random(seed), ("basic", "fixture")[: 1 + seed % 2], seed % 4 * 8)


class BotEvening(Evening):
    """An evening at which bots choose what people do."""

    def __init__(self, seed):
        self.seed, self.temper = seed, Temper(whim=0.1, kindness=0.7, looks_at=4)
        super().__init__(seed)
        self.table.game = Hextraction(self.table.board, load_tiles())
        self.table.state = self.table.game.start(self.table.setup)
        self.strategy = self.table.game.strategy()

    def set_up(self):
        return drawn(self.seed)

    def somebody_acts(self, offers):
        table, chance = self.table, self.chance
        for seat in chance.sample(table.seats, len(table.seats)):
            view = table.view(seat)
            if choices := self.strategy.choices(view, None):
                lies = table.game.physical(table.state).tiles
                act = self.strategy.pick(view, choices, lambda lies=lies: lies, chance, self.temper)
                table.act(seat, act, chance=chance.getrandbits(64))
                return True
        said = self.strategy.talk(table.view(chance.choice(table.seats)), chance)
        return super().somebody_acts([one for one in offers if one[1] == said])


def number(*things):
    """Return a short number for some things."""
    return f"{crc32(msgspec.json.encode(things, order='deterministic')):08x}"


def kept(line, found, *, update):
    """Return what a line of the golden file says; write it first if that is asked for."""
    lines = GOLDEN.read_text(encoding="utf-8").splitlines() if GOLDEN.exists() else []
    if update:
        lines[line:] = [found, *lines[line + 1 :]]
        GOLDEN.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return lines[line]


@pytest.mark.parametrize("seed", range(GAMES))
def test_bots_play_as_they_played(seed, update_golden):
    """In a set-up that was drawn by a seed, bots still do the same while balls and chance do the same."""
    evening = BotEvening(seed)
    while evening.table.state.phase is not Phase.OVER and len(evening.table.events) < EVENTS:
        evening.goes_on()
    found = number(evening.table.events)
    assert kept(seed, found, update=update_golden) == found


def test_a_seed_draws_the_set_up_that_it_drew(update_golden):
    """So a study can be repeated, as long as the catalogue is the same."""
    found = number([drawn(seed) for seed in range(DRAWN)])
    assert kept(GAMES, found, update=update_golden) == found
