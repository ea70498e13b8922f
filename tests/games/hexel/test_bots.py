"""Bots of Hex'el: they see no more than a person, think in slices, and the stronger win more often."""

import random
from collections import Counter

import pytest
from helpers.hexagon.middles import HEXEL as MIDDLE
from helpers.tiers import nightly
from hextraction.board.profile import load_board
from hextraction.controller.games.hexel import Hexel
from hextraction.controller.games.hexel.cards import deck_named, least
from hextraction.controller.games.hexel.position import affordable
from hextraction.controller.games.hexel.sampling import best, openings, seen
from hextraction.controller.games.hexel.scenario import LANGUAGE
from hextraction.controller.games.hexel.state import Setup
from hextraction.controller.games.hexel.strategy import Player
from hextraction.controller.games.protocol import Acted, Seated
from hextraction.controller.games.strategy import Sight, Temper
from hextraction.controller.study.table import StudyTable

CALM = Temper(whim=0.0, talk=0.0)
SEATS = ("red", "blue", "green")


def at(text):
    """Return a game and its state in the middle, as a scenario sets it up."""
    (script,) = LANGUAGE.read(f"game hexel\n{text}", "x")
    table = LANGUAGE.table(script.case)
    return table.game, table.state


def chosen(game, state, seat, strength="strong", temper=CALM, tries=40):
    """Return what a bot in a seat does, and in how many slices it thought."""
    player, view = Player(strength, tries), game.private(state, seat)
    sight = Sight(dict, lambda: game.scene(state))
    acts = list(player.ponder(view, player.choices(view, None), sight, random.Random(1), temper))
    assert acts[:-1] == [None] * (len(acts) - 1)
    return acts[-1], len(acts)


def test_a_bot_knows_what_a_person_in_its_seat_knows():
    """From scene and view alone it has the field, its hand and the chips; all else is among the unseen."""
    game, state = at(MIDDLE)
    scene, view = game.scene(state), game.private(state, "red")
    here = seen(view, scene, scene.detail)
    was = state.position
    assert (here.position.stocks, here.position.hedges, here.position.last) == (
        was.stocks,
        was.hedges,
        was.last,
    )
    assert [one.cell for one in here.position.laid] == [one.cell for one in was.laid]
    offered = [
        Counter((least(position.faces[one.card - 1]), one.fit.cell, one.owes) for one in affordable(position))
        for position in (was, here.position)
    ]
    assert offered[0] == offered[1]
    unseen = Counter(here.position.faces[card - 1] for card in here.unseen)
    hidden = [*was.deck, *was.hands[1]]
    assert unseen == Counter(least(was.faces[card - 1]) for card in hidden)


def test_a_bot_deals_the_unseen_at_random():
    """Its own hand stays, everybody holds as many cards as they do, and each try is another one."""
    game, state = at(MIDDLE)
    scene, view = game.scene(state), game.private(state, "red")
    here = seen(view, scene, scene.detail)
    tries = [here.dealt(random.Random(seed)) for seed in range(5)]
    assert len({one.hands for one in tries}) > 1
    for one in tries:
        assert one.hands[0] == here.position.hands[0]
        assert (len(one.hands[1]), len(one.deck)) == (2, len(state.position.deck))
        cards = [*one.deck, *one.hands[1]]
        assert sorted(cards) == sorted(here.unseen)


def test_what_a_bot_cannot_see_changes_nothing():
    """With other cards in the other hand it does the same."""
    game, state = at(MIDDLE)
    _other, swapped = at(MIDDLE.replace("hand of Blue BBBBBB YBYBBY", "hand of Blue YYYYYY RRRRBB"))
    assert chosen(game, state, "red") == chosen(game, swapped, "red")


def test_a_bot_takes_a_hoxla():
    """At once, whatever else it could do."""
    game, state = at(
        "line BBRRBR RBBRBB RRYRYY\nb1 shows YYRYYR\nb2 shows YBBYYY\nhand of Red RRRRRR BYYBBB\nhand of Blue BBBBBB"
    )
    act, _slices = chosen(game, state, "red")
    assert act["to"] in {"a1", "a2"}
    done = game.step(state, Acted(at_us=1, seat="red", act=act))
    assert done.state.position.ended == "hoxla"


def test_a_corner_that_one_card_would_finish_is_seen():
    """Two cards with the same symbol round a corner, the third cell empty: that is an opening."""
    there = {(0, 0): "RRBBBB", (0, -1): "BBRRBB"}
    assert openings(there, (0, 0)) == 1
    assert openings({(0, 0): "RBBBBB", (0, -1): "BBBRBB"}, (0, 0)) == 0


def test_a_bot_thinks_in_slices():
    """A turn in the middle of a game is thought over in many; how long they take `bench.thinking` measures."""
    game, state = at(MIDDLE)
    scene, view = game.scene(state), game.private(state, "red")
    here = seen(view, scene, scene.detail)
    assert sum(1 for _slice in best(here, affordable(here.position), random.Random(1))) > 20


def test_a_bot_sets_stake_and_hedge_by_its_stock():
    """A tenth of the stock an edge, and enough aside for four."""
    game, state = at("line BBRRBR RBBRBB RRYRYY\nphase stake\nhand of Red RRRRRR\nhand of Blue BBBBBB")
    assert chosen(game, state, "red")[0] == {"do": "stake", "chips": 3}
    game, state = at(
        "line BBRRBR RBBRBB RRYRYY\nphase hedge\nhedge of Red 3\nhand of Red RRRRRR\nhand of Blue BBBBBB"
    )
    assert chosen(game, state, "red")[0] == {"do": "hedge", "chips": 9}


@pytest.mark.parametrize("strength", ["weak", "strong"])
def test_a_bot_lays_a_card_that_it_is_offered_even_in_a_mood(strength):
    """On a field without end as well."""
    for text in (MIDDLE, f"field open\n{MIDDLE}"):
        game, state = at(text)
        offered = [one for one in game.private(state, "red").options if one.group == "place"]
        for temper in (CALM, Temper(whim=1.0)):
            act, _slices = chosen(game, state, "red", strength, temper, tries=4)
            found = next(one for one in offered if act == {**one.act, "turns": act["turns"]})
            assert act["turns"] in found.turns


def wins(players, games):
    """Return how many games a single strong bot wins among weak ones, sitting everywhere equally often."""
    found = 0
    game = Hexel(load_board("fx-19"))
    for number in range(games):
        at_seat, luck = number % players, random.Random(number)
        seats = tuple(Seated(seat, seat) for seat in SEATS[:players])
        setup = Setup(
            board="fx-19",
            seats=seats,
            deck=deck_named("d46"),
            stocks=(30,) * players,
            dealer=number // players % players,
        )
        strengths = tuple("strong" if seat == at_seat else "weak" for seat in range(players))
        table = StudyTable(game, setup, luck, strengths, CALM)
        while not table.over:
            assert table.go_on()
        assert (table.tally.refusals, table.tally.failures) == ([], {})
        found += table.state.position.winner == at_seat
    return found


@nightly("dozens of games", meanwhile="test_a_corner_that_one_card_would_finish_is_seen")
@pytest.mark.slow
def test_the_better_bot_wins_more_often():
    """Against one weaker in three of five games at least."""
    assert wins(2, 20) >= 12
