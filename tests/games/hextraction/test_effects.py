"""Facts about the effects of all shipped tiles: no deed is dead, no tile gets lost, kickers fire where they are."""

import random
from collections import Counter

import pytest
from helpers.tabletop import Table, boxed, play_a_bit, setup
from hextraction.board.profile import load_board
from hextraction.controller.games.hextraction import Phase
from hextraction.controller.games.hextraction.cards.tilebook import load_tiles
from hextraction.controller.games.hextraction.cards.tiles import When
from hextraction.controller.games.hextraction.cards.vocabulary import VOCABULARY
from hextraction.controller.games.protocol import KickBalls, Said

NAMES = tuple(load_tiles())


@pytest.mark.parametrize("seed", range(8))
def test_games_with_any_shipped_tiles_lose_no_tile_and_come_to_no_dead_end(seed):
    """Every offer is accepted, every tile of the box is somewhere, and somebody can always go on (R-38)."""
    chance = random.Random(seed)
    board = load_board("fx-19")
    small = [name for name in NAMES if not load_tiles()[name].covers]
    laid = tuple((slot, chance.choice(small), 0) for slot in chance.sample(board.slot_names, 8))
    wanted = setup(tiles=tuple(chance.sample(NAMES, 25)), count=3, laid=laid, seed=seed, grace_us=0)
    table = Table(wanted)
    box = boxed(table.state)

    for _step in range(120):
        if table.state.phase is Phase.OVER:
            break
        assert play_a_bit(table, chance)
        assert boxed(table.state) == box

    assert table.replayed() == table.state


def test_every_deed_of_the_vocabulary_is_used_by_a_tile_or_a_scenario():
    """A word that nothing uses would be dead: shipped tiles or those of the scenarios have each but the bans."""
    used = Counter(effect.deed.word for tile in load_tiles().values() for effect in tile.effects)
    scenarios = {"instead_to_hand", "instead_to_pool", "no_draw", "discard_other"}

    assert set(VOCABULARY.words()) - set(used) - scenarios == {"ban_ramps", "extra_play"}


def test_what_a_pick_offers_is_only_there_to_be_picked():
    """A tile with a pick has at least two effects to pick, and none of them happens by itself."""
    for tile in load_tiles().values():
        picks = [effect for effect in tile.effects if effect.deed.picks]
        assert not picks or len(tile.effects_when(When.PICKED)) > 1


def test_clone_asks_for_one_more_ball_on_its_own_ramp():
    """Whoever rolls is told how many balls to let go, and where (3.Rolling.2)."""
    table = Table(setup(laid=(("C1", "clone", 0),)))
    seat = table.state.active
    table.act(seat, {"do": "roll", "ramp": "c"})
    table.releases("c")
    table.enters("C1")
    table.quiet(*table.events[-2:])
    (area,) = table.view(seat).prompts
    table.act(seat, area.options[0].act)
    (prompt,) = table.view(seat).prompts

    assert prompt.text == "Clone at C1: let one more ball go on the ramp at C1."


def test_what_an_effect_does_is_told_with_its_slot():
    """The page marks the tile whose effect it is (2.6.4)."""
    table = Table(setup(laid=(("C2", "bell", 0),)))
    table.act(table.state.active, {"do": "roll", "ramp": "c"})
    table.releases("c")
    table.enters("C2")
    table.quiet(*table.events[-2:])

    told = [(one.text, one.slot) for one in table.effects if isinstance(one, Said) and one.kind == "effect"]
    assert told == [("BELL at C2: The chime rings once.", "C2")]


@pytest.mark.parametrize("kickers", [("C2",), (), ("D4",)])
def test_a_kick_fires_the_kicker_of_its_slot_or_is_asked_for(kickers):
    """KICK at C2 pulses the coil of C2; where the rig has none there, people are asked and nothing is pulsed (R-51)."""
    table = Table(setup(laid=(("C2", "kick", 0),), kickers=kickers, grace_us=0))
    seat = table.state.active
    table.act(seat, {"do": "roll", "ramp": "c"})
    table.releases("c")
    table.enters("C2")
    table.quiet(*table.events[-2:])

    fired = [effect.slot for effect in table.effects if isinstance(effect, KickBalls)]
    asked = [prompt.kind for prompt in table.game.private(table.state, seat).prompts]
    assert (fired, asked) == ((["C2"], []) if kickers == ("C2",) else ([], ["effect"]))
    assert table.state.phase is (Phase.ROLLING if fired else Phase.RESOLVING)
