"""Statistics of players and tiles: plain counts, and luck that wants more than one lucky ball."""

from hextraction.controller.history.chronicle import Crossing, Player, RollTold, Summary
from hextraction.controller.history.statistics import players_of, tiles_of


def ball(roller, fate, *tiles):
    """Return a ball that touched these tiles; one in brackets was crossed without a touch."""
    crossed = tuple(Crossing(tile=tile.strip("()"), touch=not tile.startswith("(")) for tile in tiles)
    return RollTold(roller=roller, crossed=crossed, fate=fate)


BALLS = (
    *(ball("Ada", "zone.L", "Peace", "Peace", "(Z)") for _ in range(4)),
    *(ball("Ada", "hole.C3", "Peace", "X") for _ in range(2)),
    ball("Bo", "zone.R", "Lucky"),
    ball("Bo", None, "X"),
)


def test_tiles_are_counted_once_a_ball_and_touches_each_time():
    """Four of six balls over Peace came into an end zone; a tile that was crossed twice by one ball counts once."""
    peace = next(tile for tile in tiles_of(BALLS) if tile.title == "Peace")
    assert (peace.balls, peace.touches, peace.zone, peace.fell) == (6, 10, 4, 2)


def test_one_lucky_ball_is_not_the_most_luck():
    """Wilson's lower bound: four of four are worth more than one of one."""
    order = [tile.title for tile in tiles_of(BALLS)]
    assert order[0] == "Z"
    assert order.index("Peace") < order.index("Lucky") or order[1] == "Peace"
    assert order[-1] == "X"
    assert all(0 <= tile.luck <= 1 for tile in tiles_of(BALLS))


def test_a_player_has_a_luckiest_tile_if_enough_balls_came_over_it():
    """Three balls at least, one of them into an end zone."""
    players = tuple(Player(seat=name, name=name, colour="red", won=name == "Ada") for name in ("Ada", "Bo"))
    game = Summary(
        game="g", kind="hextraction", title="", wall="2026-11-23T20:00:00+0100", outcome="",
        players=players, turns=9, minutes=20, balls=BALLS,
    )  # fmt: skip
    ada, bo = players_of([game])
    assert (ada.name, ada.wins, ada.balls, ada.zone, ada.touches) == ("Ada", 1, 6, 4, 12)
    assert ada.luckiest.title == "Z"
    assert (bo.balls, bo.luckiest) == (2, None)


def test_nothing_played_is_nothing_counted():
    """Empty lists, and no division by nothing."""
    assert (tiles_of([]), players_of([])) == ([], [])
