"""The ladder: Glicko-2 as Glickman's paper works it out, and how a table's games become results."""

import pytest
from hextraction.controller.history.chronicle import Player, Summary
from hextraction.controller.history.ladder import Rating, climb, rated
from msgspec.structs import replace


def game(day, **won):
    """Return a game of this day; who has True has won."""
    players = tuple(Player(seat=name, name=name, colour="red", won=one) for name, one in won.items())
    return Summary(
        game=f"{day}-{'-'.join(won)}", kind="hextris", title="Hextris", wall=f"2026-11-{day:02}T20:00:00+0100",
        outcome="", players=players, turns=9, minutes=20,
    )  # fmt: skip


def test_the_example_of_the_paper_comes_out():
    """A player of 1500 ± 200 beats 1400 ± 30 and loses to 1550 ± 100 and 1700 ± 300."""
    results = [(Rating(1400, 30), 1.0), (Rating(1550, 100), 0.0), (Rating(1700, 300), 0.0)]
    after = rated(Rating(1500, 200, 0.06), results)

    assert after.rating == pytest.approx(1464.06, abs=0.02)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def test_who_does_not_play_keeps_the_rating_and_grows_less_certain():
    """By the volatility, and never less certain than a stranger."""
    after = rated(Rating(1600, 50, 0.06), [])
    assert after.rating == 1600
    assert after.deviation == pytest.approx((50**2 + (0.06 * 173.7178) ** 2) ** 0.5)
    assert rated(Rating(1600, 350, 0.06), []).deviation == 350


def test_a_great_surprise_makes_a_player_more_volatile():
    """Ten wins against much stronger players: the step of the paper with a large difference."""
    steady = rated(Rating(1500, 80, 0.06), [(Rating(1500, 80), 0.5)] * 10)
    surprise = rated(Rating(1500, 80, 0.06), [(Rating(2200, 80), 1.0)] * 10)
    assert surprise.volatility > 0.06 > steady.volatility


def test_the_winner_of_a_game_of_several_has_beaten_each_of_them():
    """The others have played nothing among themselves: they stand alike."""
    rungs = climb([game(1, Ada=True, Bo=False, Cy=False)])
    assert [rung.name for rung in rungs] == ["Ada", "Bo", "Cy"]
    assert rungs[1].rating == rungs[2].rating < 1500 < rungs[0].rating
    assert (rungs[0].wins, rungs[0].games) == (1, 1)


def test_games_of_one_day_count_together_and_days_as_the_journal_has_them():
    """Within a day no game is before another; the next day begins with the ratings of the one before."""
    one = [game(1, Ada=True, Bo=False), game(1, Ada=False, Bo=True)]
    assert {rung.rating for rung in climb(one)} == {1500}
    days = [game(1, Ada=True, Bo=False), game(2, Ada=False, Bo=True)]
    assert climb(days)[0].name == "Bo"


@pytest.mark.parametrize(
    "wrong", ["1970-01-01T00:01:00+0000", "2099-01-01T00:00:00+0000", "", "nobody knows"]
)
def test_an_evening_whose_clock_was_not_set_counts_where_it_was_played(wrong):
    """Whatever the clock said in the middle of three evenings, the ladder is the same."""
    evenings = [game(1, Ada=False, Bo=True), game(4, Ada=True, Bo=False), game(8, Ada=True, Bo=False)]
    unset = [evenings[0], replace(evenings[1], wall=wrong), evenings[2]]
    assert climb(unset) == climb(evenings)


def test_a_clock_that_starts_anew_begins_another_day():
    """A machine without a clock says the same morning at each start."""
    evenings = [game(1, Ada=True, Bo=False), game(2, Ada=True, Bo=False)]
    times = ("1970-01-01T00:09:00+0000", "1970-01-01T00:01:00+0000")
    unset = [replace(one, wall=wall) for one, wall in zip(evenings, times, strict=True)]
    assert climb(unset) == climb(evenings)


def test_a_name_is_a_name_however_it_is_written():
    """Case does not make two players; the newest spelling stands."""
    rungs = climb([game(1, ada=True, Bo=False), game(2, Ada=True, Bo=False)])
    assert [(rung.name, rung.games) for rung in rungs] == [("Ada", 2), ("Bo", 2)]


def test_nobody_wins_a_game_without_winners():
    """It is counted as played, and moves nobody."""
    rungs = climb([game(1, Ada=False, Bo=False)])
    assert {(rung.rating, rung.games, rung.wins) for rung in rungs} == {(1500, 1, 0)}
