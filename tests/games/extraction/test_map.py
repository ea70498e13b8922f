"""The net of the map, what discs and dice promise, and where things may be built: facts that can be counted by hand."""

import itertools
import random
import re
from fractions import Fraction

import pytest
from hextraction.board.profile import load_board
from hextraction.controller.games.extraction.land.corners import (
    CELL_CORNERS,
    CORNER_CELLS,
    CORNER_EDGES,
    CORNER_NAMES,
    CORNERS,
    EDGE_ENDS,
    EDGE_NAMES,
    ROADS,
    corner_place,
)
from hextraction.controller.games.extraction.land.goods import DECK, DISCS, NOBODY, TERRAIN, affordable, dots
from hextraction.controller.games.extraction.land.places import longest, why_no_settlement
from hextraction.controller.games.extraction.land.state import ATTACKS
from hextraction.controller.games.extraction.land.wagers import TOLD, least_stake, succeeds
from hextraction.controller.games.extraction.scenario.language import LANGUAGE
from hextraction.controller.games.extraction.turn.doing import a_cell, a_corner, an_edge
from hextraction.controller.games.extraction.turn.setting_up import SETTING_UP
from hextraction.controller.games.hexagon.acts import Refusal
from hextraction.controller.games.hexagon.cells import AROUND, CELLS
from hextraction.controller.games.hexagon.field import field_on

EMPTY = (NOBODY,) * len(CORNERS)
DICE = tuple(itertools.product(range(1, 7), repeat=2))


def test_the_net_is_whole():
    """54 intersections, of which 24 touch three hexes, 12 two and 18 one; 72 edges."""
    touching = [len(cells) for cells in CORNER_CELLS]
    assert (len(CORNERS), len(ROADS)) == (54, 72)
    assert [touching.count(number) for number in (3, 2, 1)] == [24, 12, 18]
    assert sum(len(edges) for edges in CORNER_EDGES) == 2 * 72
    assert {len(edges) for edges in CORNER_EDGES} == {2, 3}
    assert all(len(set(around)) == 6 for around in CELL_CORNERS)


def test_places_have_one_number_whatever_they_are_called():
    """c3.12 is where c3, c2 and d2 meet; the name whose cell comes first is the one that is shown."""
    number = CORNER_NAMES["c3.12"]
    assert {CELLS[cell] for cell in CORNER_CELLS[number]} == {"c3", "c2", "d2"}
    assert CORNER_NAMES["c2.34"] == CORNER_NAMES["d2.56"] == CORNER_NAMES["c3.21"] == number
    assert CORNERS[number] == "c2.34"
    assert EDGE_NAMES["c3:1"] == EDGE_NAMES["c2:4"]
    assert ROADS[EDGE_NAMES["c3:1"]] == "c2:4"
    assert corner_place(number, field_on(load_board("fx-19")).slots) == "corner.C2.3"
    assert CORNER_NAMES["a1.61"] == CORNER_NAMES["a1.16"]


@pytest.mark.parametrize(
    ("look_up", "name", "number", "other", "says"),
    [
        (
            a_corner,
            "c3.21",
            CORNERS.index("c2.34"),
            "c3:1",
            "There is no intersection 'c3:1'; they are named as c3.12.",
        ),
        (an_edge, "c3:1", ROADS.index("c2:4"), "c3", "There is no edge 'c3'; they are named as c3:2."),
        (a_cell, "c3", CELLS.index("c3"), "c3.12", "There is no hex 'c3.12'; they are a1 to e3."),
    ],
)
def test_a_place_of_another_kind_is_refused_with_how_its_kind_is_named(look_up, name, number, other, says):
    """Whoever names an edge where an intersection is wanted is told what intersections are called (1.1)."""
    assert look_up(name) == number
    with pytest.raises(Refusal, match=re.escape(says)) as refused:
        look_up(other)
    assert refused.value.section == "1.1"


def test_neighbours_share_an_edge():
    """Each edge joins the two intersections at its ends, and both know it."""
    for edge, ends in enumerate(EDGE_ENDS):
        assert all(edge in CORNER_EDGES[end] for end in ends)
        assert len(set(ends)) == 2


def test_discs_hexes_and_cards_add_up():
    """19 discs with 59 dots, 18 with 58; 18 resource hexes and a desert; 25 development cards."""
    assert (len(DISCS["nineteen"]), sum(map(dots, DISCS["nineteen"]))) == (19, 59)
    assert (len(DISCS["catan18"]), sum(map(dots, DISCS["catan18"]))) == (18, 58)
    assert (sum(TERRAIN.values()), sum(DECK.values())) == (19, 25)
    assert [sum(sum(throw) == disc for throw in DICE) for disc in range(2, 13) if disc != 7] == [
        dots(disc) for disc in range(2, 13) if disc != 7
    ]


def chance(model, stake=1):
    """Return how likely an attack succeeds, counted over all throws."""
    throws = [(die,) for die in range(1, 7)] if model == "opposed_1d6" else DICE
    pairs = list(itertools.product(throws, repeat=2))
    return Fraction(sum(succeeds(model, sum(mine), sum(theirs), stake) for mine, theirs in pairs), len(pairs))


@pytest.mark.parametrize(
    ("model", "stake", "share"),
    [
        ("opposed_2d6", 1, Fraction(575, 1296)),
        ("opposed_2d6", 5, Fraction(575, 1296)),
        ("opposed_1d6", 1, Fraction(15, 36)),
        ("two_tests", 1, Fraction(21 * 21, 36 * 36)),
        ("stake_bonus", 1, Fraction(575, 1296)),
        ("stake_bonus", 2, Fraction(721, 1296)),
        ("stake_bonus", 3, Fraction(861, 1296)),
        ("two_more", 2, Fraction(435, 1296)),
        ("two_more", 6, Fraction(435, 1296)),
    ],
)
def test_attacks_succeed_as_often_as_they_should(model, stake, share):
    """44.4, 41.7, 34.0 %, and 44.4, 55.6, 66.4 % with one, two, three cards staked; the milder rule 33.6 %."""
    assert chance(model, stake) == share


def test_every_way_to_attack_has_its_words():
    """No model without a sentence."""
    assert tuple(TOLD) == ATTACKS


@pytest.mark.parametrize("model", ATTACKS)
def test_the_odds_that_people_are_told_are_those_of_the_dice(model):
    """How many of a hundred attacks succeed, and what a building costs in cards that were staked in vain."""
    least, told = least_stake(model), TOLD[model]
    stakes = range(1, 5) if model == "stake_bonus" else [least]
    shares = [chance(model, stake) for stake in stakes]
    said = re.search(r"([\d, ]+) of 100", told)
    assert [int(one) for one in said[1].split(",")] == [round(100 * share) for share in shares]
    costs = re.search(r"costs ([\d.]+) cards", told)
    assert costs is None or abs(float(costs[1]) - least * (1 - shares[0]) / shares[0]) < 0.05


def roads(*names):
    """Return roads of player 0."""
    mine = {EDGE_NAMES[name] for name in names}
    return tuple(0 if edge in mine else NOBODY for edge in range(len(ROADS)))


def test_chance_lays_no_six_or_eight_beside_another():
    """Whatever the chance; every resource hex has a disc of those there are, the desert none."""
    script = "new game\nsetting first seat\nsetting disc_order dealt\n"
    for chance in range(40):
        (read,) = LANGUAGE.read(f"game extraction\n{script}", "x")
        table = LANGUAGE.table(read.case)
        luck = random.Random(chance)
        while table.state.phase in SETTING_UP:
            seat = table.state.active.seat
            options = table.options(seat)
            assert table.act(seat, luck.choice(options).act, chance=luck.getrandbits(64)) is None
        discs = {cell: one.disc for cell, one in zip(CELLS, table.state.hexes, strict=True)}
        assert sorted((*discs.values(), *table.state.supply)) == [0, *DISCS["nineteen"]]
        hot = {cell for cell, disc in discs.items() if disc in {6, 8}}
        assert not any(hot.intersection(AROUND[cell]) for cell in hot)


def test_a_route_may_fork_and_run_in_a_circle():
    """The longest way counts each road once: six round a hex and one more are seven; a fork takes the longer arm."""
    ring = [f"c3:{edge}" for edge in range(1, 7)]
    assert longest(EMPTY, roads(*ring), 0) == 6
    assert longest(EMPTY, roads(*ring, "c4:2"), 0) == 7
    assert longest(EMPTY, roads("c3:1", "c3:2", "c2:3", "c2:2"), 0) == 3
    assert longest(EMPTY, roads("a1:1", "c3:1", "c3:2"), 0) == 2
    assert longest(EMPTY, roads(), 0) == 0


def test_a_foreign_building_cuts_a_ring_but_not_at_its_end():
    """Cut at one corner a ring of six is still six from there round to there."""
    ring = roads(*(f"c3:{edge}" for edge in range(1, 7)))
    cut = tuple(1 if corner == CORNER_NAMES["c3.12"] else NOBODY for corner in range(len(CORNERS)))
    twice = tuple(1 if corner == CORNER_NAMES["c3.45"] else building for corner, building in enumerate(cut))
    assert longest(cut, ring, 0) == 6
    assert longest(twice, ring, 0) == 3


def test_settling_at_first_needs_no_road_and_later_it_does():
    """The same intersection, in the set-up and after it."""
    corner = CORNER_NAMES["c3.12"]
    assert why_no_settlement(EMPTY, roads(), 0, corner, first=True) == ""
    assert "touch one of your roads" in why_no_settlement(EMPTY, roads(), 0, corner)
    assert why_no_settlement(EMPTY, roads("c3:1"), 0, corner) == ""


@pytest.mark.parametrize(
    ("hand", "bank", "can"),
    [
        ((1, 1, 0, 0, 0), (0, 0, 0, 0, 0), True),
        ((4, 0, 0, 0, 0), (0, 1, 0, 0, 0), True),
        ((4, 0, 0, 0, 0), (9, 0, 9, 9, 9), False),
        ((3, 0, 0, 0, 0), (9, 9, 9, 9, 9), False),
        ((0, 0, 6, 0, 0), (1, 1, 0, 0, 0), True),
        ((0, 0, 3, 0, 3), (1, 1, 0, 0, 0), True),
        ((0, 0, 5, 0, 2), (9, 9, 9, 9, 9), False),
    ],
)
def test_what_trades_with_the_bank_can_reach(hand, bank, can):
    """A road for a hand, after any sequence of trades of three for one."""
    assert affordable(hand, bank, (1, 1, 0, 0, 0)) is can
    assert reachable(hand, bank, (1, 1, 0, 0, 0)) is can


def reachable(hand, bank, cost):
    """Try all sequences of trades: a second way to the same answer."""
    seen, todo = set(), [(hand, bank)]
    while todo:
        now, stock = todo.pop()
        if all(a >= b for a, b in zip(now, cost, strict=True)):
            return True
        for give, want in itertools.permutations(range(5), 2):
            if now[give] >= 3 and stock[want]:
                delta = [0] * 5
                delta[give], delta[want] = -3, 1
                after = tuple(a + b for a, b in zip(now, delta, strict=True))
                left = tuple(a - b for a, b in zip(stock, delta, strict=True))
                if (after, left) not in seen:
                    seen.add((after, left))
                    todo.append((after, left))
    return False
