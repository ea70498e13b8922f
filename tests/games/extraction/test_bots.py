"""Bots of Extraction: what they imagine agrees with what they see, the stronger does better, none lets the table wait."""

import random
from collections import Counter

import pytest
from helpers.hexagon.secrets import leaks
from hextraction.board.profile import load_board
from hextraction.controller.games.extraction import Extraction
from hextraction.controller.games.extraction.bots.policy import (
    best_disc,
    best_swap,
    hand_worth,
    helps,
    next_act,
)
from hextraction.controller.games.extraction.bots.search import imagined
from hextraction.controller.games.extraction.land.goods import DECK, EACH
from hextraction.controller.games.extraction.land.house import HouseRules
from hextraction.controller.games.extraction.land.state import Ask
from hextraction.controller.games.extraction.scenario.language import LANGUAGE
from hextraction.controller.games.protocol import Acted, Refused, Seated
from hextraction.controller.games.strategy import Sight, Temper
from hextraction.controller.study.table import StudyTable
from msgspec.structs import replace

CALM = Temper(whim=0.0, kindness=1.0)
SEATS = tuple(Seated(seat, seat.title()) for seat in ("red", "blue", "green"))
MIDDLE = "hex c3 ore 8 5\nhex d2 wood 3 2\nsettlement Red c3.12\n"


def at(text):
    """Return a game and its state in the middle, as a scenario sets it up."""
    (script,) = LANGUAGE.read(f"game extraction\n{MIDDLE}{text}", "x")
    table = LANGUAGE.table(script.case)
    return table.game, table.state


def says(game, state, seat, strength="strong", temper=CALM, luck=1):
    """Return what a bot in a seat does, and how many slices it took."""
    player, view = game.strategy(strength), game.private(state, seat)
    thinking = player.ponder(
        view, player.choices(view, None), Sight(dict, lambda: game.scene(state)), random.Random(luck), temper
    )
    return next((act, slices) for slices, act in enumerate(thinking) if act is not None)


def played(seed, strengths, most_tokens=5, temper=CALM):
    """Return a whole game by bots."""
    luck = random.Random(seed)
    game = Extraction(load_board("fx-19"), HouseRules(most_tokens=most_tokens))
    table = StudyTable(game, game.draw(SEATS, luck, (), 0), luck, strengths, temper)
    going = True
    while going and not table.over:
        going = table.go_on()
    assert table.over
    assert (table.tally.refusals, table.tally.failures) == ([], {})
    return table


@pytest.mark.slow
def test_what_a_bot_imagines_agrees_with_what_it_sees():
    """At every fourth moment of a game the imagined one shows the same to everybody, and the same cards to the bot."""
    table = played(3, ("weak",), 2)
    game, state = table.game, table.game.start(table.setup)
    luck, looked = random.Random(1), 0
    for number, event in enumerate(table.events):
        state = game.step(state, event).state
        if state.over or state.offers or number % 4:
            continue
        for seat in ("red", "blue"):
            view, scene = game.private(state, seat), game.scene(state)
            guess = imagined(scene, view, luck)
            again = game.scene(
                replace(
                    guess,
                    setup=state.setup,
                    watch=state.watch,
                    made=state.made,
                    gains=state.gains,
                    refused=state.refused,
                )
            )
            assert again.detail == scene.detail
            assert game.private(guess, seat).hand == view.hand
            staked = [guess.attack.stake] if guess.attack is not None else []
            held = [*(one.hand for one in guess.players), guess.bank, *staked]
            assert [sum(cards) for cards in zip(*held, strict=True)] == [EACH] * 5
            developed = [card for one in guess.players for card, _turn in one.cards]
            assert Counter([*guess.deck, *guess.spent, *developed]) == Counter(DECK)
            looked += 1
    assert looked > 50


def test_what_is_hidden_is_imagined_in_more_ways_than_one():
    """The hands of others differ from guess to guess, and are not those that they really hold."""
    game, state = at("hand Blue 5 ore\nhand Green 5 wood")
    scene, view = game.scene(state), game.private(state, "red")
    guesses = {imagined(scene, view, random.Random(seed)).players[1].hand for seed in range(20)}
    assert len(guesses) > 3


@pytest.mark.slow
def test_the_better_bot_beats_the_weaker():
    """One strong bot against two weak ones wins more than its third of the games; docs tell of many more."""
    shares, games = 0.0, 4
    for seed in range(games):
        strengths = ["weak"] * 3
        strengths[seed % 3] = "strong"
        table = played(seed, strengths, 1)
        won = table.state.winners
        shares += (SEATS[seed % 3].seat in won) / len(won)
    assert shares / games >= 0.5


@pytest.mark.slow
def test_many_games_end_and_tell_nothing_hidden():
    """By any settings: nothing is refused, no rule fails, and what everybody sees does not hang on hands or the deck."""
    endings, looked = Counter(), 0
    for number in range(10):
        luck = random.Random(f"many/{number}")
        game = Extraction(load_board(luck.choice(["fx-19", "large-32", "standard-22"])))
        seats = (*SEATS, Seated("yellow", "Yellow"))[: luck.choice([3, 4])]
        table = StudyTable(game, game.draw(seats, luck, (), 0), luck, ("weak",))
        going = True
        while going and not table.over:
            going = table.go_on()
            if len(table.events) % 10 == 0 and not table.over:
                assert leaks(game, table.state) == []
                looked += 1
        assert table.over
        assert (table.tally.refusals, table.tally.failures) == ([], {})
        endings[table.state.ended] += 1
    assert looked > 200
    assert endings["all out"] > 2


@pytest.mark.slow
def test_weak_bots_end_a_game():
    """A short one; studies play thousands."""
    assert played(7, ("weak",), 1).state.ended


def test_a_strong_bot_builds_its_city_and_thinks_in_slices():
    """It finds what is plainly best; how long slices take `bench.thinking` measures."""
    game, state = at("hand Red 3 ore 2 grain\nsettlement Blue c3.56\n")
    act, slices = says(game, state, "red")
    assert act == {"do": "city", "at": "c2.34"}
    assert slices > 5


def test_a_bot_attacks_when_it_can():
    """One card against a building is worth it; with the milder rule two are staked, and one alone is no attack."""
    _game, state = at("mover Blue\nroads Blue c3:2\nhand Blue 1 ore\n")
    assert next_act(state, random.Random(1)) == {"do": "attack", "at": "c2.34", "stake": {"ore": 1}}
    milder = "setting attack two_more\nmover Blue\nroads Blue c3:2\n"
    _game, state = at(f"{milder}hand Blue 3 ore 1 wool\n")
    assert next_act(state, random.Random(1))["stake"] == {"ore": 2}
    _game, state = at(f"{milder}hand Blue 1 ore\n")
    assert next_act(state, random.Random(1)) == {"do": "end"}


def test_a_bot_builds_before_it_attacks():
    """The cards of a city are not staked."""
    _game, state = at("mover Blue\nroads Blue c3:2\nsettlement Blue a1.61\nhand Blue 3 ore 2 grain\n")
    assert next_act(state, random.Random(1))["do"] == "city"


@pytest.mark.slow
def test_a_bot_offers_what_somebody_is_likely_to_take():
    """Who lacks one wool for a settlement offers what it has to spare, and to nobody who has nothing."""
    lacks = (
        "mover Blue\nsettlement Blue e1.12\nroads Blue e1:1 e1:2\nhand Blue 1 wood 1 brick 1 grain 2 ore\n"
    )
    game, state = at(f"{lacks}hand Red 3 wool 2 grain 2 ore\n")
    acts = [says(game, state, "blue", luck=luck)[0] for luck in range(12)]
    offers = [act for act in acts if act["do"] == "offer"]
    assert len(offers) >= 3
    assert all(act["want"] == {"wool": 1} and "ore" in act["give"] for act in offers)
    game, state = at(lacks)
    assert not [
        act for luck in range(12) if (act := says(game, state, "blue", luck=luck)[0])["do"] == "offer"
    ]


def test_a_bot_ends_a_game_in_which_it_would_do_nothing():
    """Asked whether the game is over, who could attack yet plays on; who has no use for anything agrees."""
    idle = "hand Red 1 wood 1 brick\nhand Green 1 wood 1 brick\nsettlement Green e3.34\nmover Green\n"
    for hand, answer in (("1 ore", "no"), ("nothing", "yes")):
        (script,) = LANGUAGE.read(f"game extraction\nsettlement Red c3.12\nroads Blue c3:2\n{idle}", "x")
        table = LANGUAGE.table(script.case)
        ask = Ask(number=1, about=2, kind="end", until_us=1)
        blue = replace(table.state.players[1], hand=(0, 0, 0, 0, int(hand == "1 ore")))
        players = (table.state.players[0], blue, table.state.players[2])
        assert says(table.game, replace(table.state, players=players, ask=ask), "blue")[0]["choice"] == answer


def test_a_bot_takes_a_trade_that_helps_and_no_other():
    """What completes a settlement is taken; what breaks a city up is not."""
    game, state = at("hand Blue 1 wood 1 brick 1 wool 2 ore\nhand Red 1 grain\n")
    offered = Acted(at_us=1, seat="red", act={"do": "offer", "give": {"grain": 1}, "want": {"ore": 1}})
    assert says(game, game.step(state, offered).state, "blue")[0]["choice"] == "yes"
    game, state = at("hand Blue 3 ore 2 grain\nhand Red 1 wood\n")
    offered = Acted(at_us=1, seat="red", act={"do": "offer", "give": {"wood": 1}, "want": {"ore": 1}})
    assert says(game, game.step(state, offered).state, "blue")[0]["choice"] == "no"


def test_a_bot_throws_real_dice_as_dice_fall():
    """A table with real dice and bots is still fair: it names every sum, seven most often."""
    game, state = at("setting dice table\nbefore the throw\n")
    player, view = game.strategy("weak"), game.private(state, "red")
    luck = random.Random(2)
    thrown = Counter(
        player.pick(view, player.choices(view, None), dict, luck, CALM)["total"] for _throw in range(400)
    )
    assert set(thrown) == set(range(2, 13))
    assert thrown[7] == max(thrown.values())


def test_discs_and_swaps_favour_ones_own_hexes():
    """Many dots on own hexes, few on those of others."""
    game, state = at("settlement Blue a1.61\nhex a1 wool 8 5\nhex e3 ore 2 1\nsupply 6\n")
    assert best_swap(state, 0)["at"] in {"c3", "d2", "a1"}
    swapped = game.step(replace(state, phase="swap"), Acted(at_us=1, seat="red", act=best_swap(state, 0)))
    assert not any(isinstance(one, Refused) for one in swapped.effects)
    bare = replace(
        state,
        hexes=tuple(replace(one, disc=0, tokens=0, start=0) for one in state.hexes),
        unplaced=(2, 6),
        phase="discs",
    )
    laid = best_disc(bare, 0)
    assert (laid["disc"], laid["at"] in {"c3", "d2", "c2"}) == (6, True) or laid["disc"] == 2


def test_a_hand_is_worth_more_the_nearer_it_is_to_a_building():
    """Three ore and two grain are more than five wool."""
    assert hand_worth((0, 0, 0, 2, 3)) > hand_worth((0, 0, 5, 0, 0))
    assert helps((1, 1, 1, 0, 1), (0, 0, 0, 0, 1), (0, 0, 0, 1, 0)) > 0


def test_a_bot_waits_while_its_own_offer_is_open():
    """It does nothing until somebody has answered, or the offer has lapsed."""
    game, state = at("hand Red 2 wood\n")
    offered = Acted(at_us=1, seat="red", act={"do": "offer", "give": {"wood": 1}, "want": {"ore": 1}})
    state = game.step(state, offered).state
    player = game.strategy()
    assert player.choices(game.private(state, "red"), None) == ()
    assert game.awaited(state).seat == "blue"
    assert player.talk(game.private(state, "red"), random.Random(1))["do"] == "withdraw"
