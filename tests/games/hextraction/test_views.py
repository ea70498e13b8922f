"""What is shown: slots, ramps, balls, votes, cards and hands, each by what the table sees."""

import msgspec
from helpers.tabletop import Table, setup
from hextraction.board.facts import BallInZone, BallOffBoard, BallReleased, BallStuckOnRamp, RollSettled
from hextraction.controller.games.hextraction import Phase
from hextraction.controller.games.hextraction.cards.face import card
from hextraction.controller.games.hextraction.cards.tilebook import load_tiles
from hextraction.controller.games.hextraction.state.move import Rules
from hextraction.controller.games.hextraction.state.state import Seat
from hextraction.controller.games.protocol import TileSeen


def table(*laid, **wanted):
    """Return a table at which Red is the first to move."""
    return Table(setup(laid=tuple((*place, 0)[:3] for place in laid), **wanted))


def holding(hand, *laid, **wanted):
    """Return a table at which Red holds these tiles; an empty name is one that only Red has seen."""
    given = setup(laid=tuple((slot, name, 0) for slot, name in laid), tiles=("plain",), count=40, **wanted)
    red = Seat(seat="red", name="Red", hand=tuple(hand))
    return Table(msgspec.structs.replace(given, seats=(red, *given.seats[1:])))


def seen(one):
    """Return what everybody sees."""
    return one.game.scene(one.state)


def slot_of(one, name):
    """Return what everybody sees of a slot."""
    return next(place for place in seen(one).places if place.place == f"slot.{name}")


def wanted(one, word):
    """Return the places at which hands should do something."""
    return [place.place for place in seen(one).places if place.wants == word]


def ramps_of(one):
    """Return what everybody sees of the ramps."""
    return [place for place in seen(one).places if place.place.startswith("ramp.")]


def rolls(one, *slots, ball=1, ramp="c", seat="red"):
    """Let a ball run over slots, in contact with the last one."""
    one.act(seat, {"do": "roll", "ramp": ramp})
    one.releases(ramp, ball=ball)
    for before, slot in zip((None, *slots), slots, strict=False):
        if before:
            one.leaves(before, ball=ball)
        one.enters(slot, ball=ball)


def test_only_the_chosen_ramp_is_open_and_only_until_the_ball_is_released():
    """A ramp is chosen, its ball released: the gate that the page shows open is that one, and then none."""
    one = table()

    assert wanted(one, "release") == []
    one.act("red", {"do": "roll", "ramp": "b"})
    assert wanted(one, "release") == ["ramp.b"]
    one.releases("b")
    assert wanted(one, "release") == []


def test_the_option_of_the_chosen_ramp_says_again():
    """Whoever has chosen a ramp may choose another, or the same again."""
    one = table()
    one.act("red", {"do": "roll", "ramp": "b"})

    labels = [option.label for option in one.game.private(one.state, "red").options if option.group == "roll"]
    assert labels == [
        "Open the gate of ramp a", "Open the gate of ramp b again", "Open the gate of ramp c",
        "Open the gate of ramp d", "Open the gate of ramp e",
    ]  # fmt: skip


def test_balls_stuck_on_a_ramp_are_counted_there():
    """Two that stuck on ramp c are two, on the others there is none (2.1.3)."""
    one = table()
    one.act("red", {"do": "roll", "ramp": "c"})
    one.releases("c", ball=1)
    one.releases("c", ball=2)
    at_us = one.later()
    facts = [BallReleased(at_us=at_us, ball=ball, ramp="c") for ball in (1, 2)]
    facts += [BallStuckOnRamp(at_us=at_us, ball=ball, ramp="c") for ball in (1, 2)]
    one.feed(RollSettled(at_us=at_us, facts=tuple(facts)))

    assert [ramp.balls for ramp in ramps_of(one)] == [0, 0, 2, 0, 0]


def test_a_larger_tile_is_shown_once_and_its_other_slots_say_where():
    """The first slot holds the tile and what it covers, the other one only refers to it."""
    one = table(("B2", "wide"), ("E3", "plain"))
    (laid, _other) = one.state.laid
    second = next(slot for slot in laid.slots if slot != "B2")

    assert slot_of(one, "B2").piece.covers == ("B2", second)
    assert slot_of(one, "B2").part_of == ""
    assert (slot_of(one, second).piece, slot_of(one, second).part_of) == (None, "slot.B2")
    assert slot_of(one, "E3").piece.covers == ()
    assert (slot_of(one, "A1").piece, slot_of(one, "A1").part_of) == (None, "")


def test_touches_balls_and_waiting_effects_are_counted_slot_by_slot():
    """Two balls on the one, one on the other; the touches are those of the tile, and end with the roll."""
    one = table(("C1", "bell"), ("C2", "hammer"))
    rolls(one, "C1", "C2", "C1")
    one.enters("C1", ball=2)
    one.enters("C2", ball=3)

    shown = {one.place: (one.balls, one.count) for one in seen(one).places if one.balls or one.count}
    assert shown == {"slot.C1": (2, 3), "slot.C2": (1, 2)}
    one.quiet(*[event for event in one.events if not hasattr(event, "act")])
    waiting = {one.place: (one.badge, one.note) for one in seen(one).places if one.badge}
    assert waiting == {
        "slot.C1": ("!", "3 touches, 3 effects wait"), "slot.C2": ("!", "2 touches, 2 effects wait"),
    }  # fmt: skip


def test_one_touch_and_one_waiting_effect_are_told_in_the_singular():
    """What the marks on a slot mean is read aloud, too."""
    one = table(("C1", "bell"), moment_us=2_000_000)
    rolls(one, "C1")
    assert slot_of(one, "C1").note == "1 touch"
    one.quiet(*[event for event in one.events if not hasattr(event, "act")])
    assert slot_of(one, "C1").note == "1 touch, 1 effect waits"


def test_balls_are_shown_where_they_are_and_moving_only_while_they_roll():
    """On a ramp, on a tile, in a zone or gone: with the way each has come."""
    one = table(("C1", "plain"))
    rolls(one, "C1", "C2", ball=4)
    one.releases("a", ball=2)

    found = {ball.ball: (ball.place, ball.trail, ball.moving) for ball in seen(one).balls}
    assert found == {4: ("slot.C2", ("C1", "C2"), True), 2: ("ramp.a", (), False)}


def test_a_ball_that_is_gone_does_not_move():
    """It is told as gone until the roll is over, and then not at all."""
    one = table(("C1", "plain"), grace_us=0)
    rolls(one, "C1")
    one.feed(_off(one, 1))

    assert [(ball.ball, ball.place, ball.moving) for ball in seen(one).balls] == [(1, "gone", False)]
    one.quiet(*[event for event in one.events if not hasattr(event, "act")])
    assert one.state.phase is Phase.CHOOSING
    assert seen(one).balls == ()


def _off(one, ball):
    return BallOffBoard(at_us=one.later(), ball=ball, slot=None)


def test_a_vote_is_shown_with_the_slot_of_an_installed_tile():
    """Whose tile, where it lies, who has said what, and who is next (0.5.2)."""
    one = table(("C3", "bell"))
    one.act("blue", {"do": "vote", "slot": "C3"})
    one.act("blue", {"do": "ballot", "yea": False})

    vote = seen(one).detail.vote
    assert (vote.kind, vote.title, vote.slot) == ("destroy", "BELL", "C3")
    assert (vote.ballots, vote.awaited) == ({"blue": False}, "green")
    assert seen(one).headline == "Vote: Does BELL stay?"


def test_while_a_vote_is_open_whoever_votes_next_is_waited_for():
    """Not the one whose turn it is; after the last vote that one again (0.5.2)."""
    one = table(("C3", "bell"))
    awaited = [one.game.awaited(one.state).seat]
    one.act("blue", {"do": "vote", "slot": "C3"})
    for seat in ("blue", "green", "red"):
        awaited.append(one.game.awaited(one.state).seat)
        one.act(seat, {"do": "ballot", "yea": True})
    awaited.append(one.game.awaited(one.state).seat)

    assert awaited == ["red", "blue", "green", "red", "red"]


def test_what_lies_on_the_board_is_told_as_it_lies_now():
    """A tile laid and a ball come to rest are there at once for whoever asks, and what has left is not."""
    one = table(("C1", "hammer"), ("D1", "bell"))
    lay = [one.game.physical(one.state)]
    rolls(one, "C1")
    lay.append(one.game.physical(one.state))
    one.quiet(*[event for event in one.events if not hasattr(event, "act")])
    (prompt,) = one.game.private(one.state, "red").prompts
    one.act("red", {"do": "answer", "prompt": prompt.id, "choice": "D1"})
    lay.append(one.game.physical(one.state))

    assert [sorted(each.tiles) for each in lay] == [["C1", "D1"], ["C1", "D1"], ["C1"]]
    assert [(dict(each.resting), each.rolling) for each in lay] == [
        ({}, False),
        ({1: "C1"}, True),
        ({1: "C1"}, True),
    ]


def test_the_roller_alone_may_end_a_long_roll_and_only_from_the_third_touch_on():
    """A tile that has been touched three times is what the roller breaks the loop for (2.1.4.3)."""
    one = table(("C1", "plain"), ("C2", "plain"))
    awaited = [one.game.awaited(one.state).long_roll]
    rolls(one, "C1", "C2", "C1", "C2")
    awaited.append(one.game.awaited(one.state).long_roll)
    one.leaves("C2")
    one.enters("C1")
    awaited.append(one.game.awaited(one.state).long_roll)

    assert awaited == ["", "", "red"]


def test_hands_wait_for_a_decision_while_a_vote_or_a_question_is_open():
    """Before it is made nobody knows what is to be laid or released (0.5.1)."""
    one = table(("C1", "hammer"), ("D1", "bell"))
    waits = [one.game.awaited(one.state).decision]
    one.act("blue", {"do": "vote", "slot": "D1"})
    waits.append(one.game.awaited(one.state).decision)
    for seat in ("blue", "green", "red"):
        one.act(seat, {"do": "ballot", "yea": True})
    waits.append(one.game.awaited(one.state).decision)
    rolls(one, "C1")
    one.quiet(*[event for event in one.events if not hasattr(event, "act")])
    waits.append(one.game.awaited(one.state).decision)

    assert waits == [False, True, False, True]


def test_of_all_seats_only_the_rollers_is_said_to_roll():
    """From the release to the commit, and nobody's before and after (R-12)."""
    one = table(("C1", "plain"), grace_us=0)
    noted = [[seat.note for seat in seen(one).seats]]
    rolls(one, "C1")
    noted.append([seat.note for seat in seen(one).seats])
    one.quiet(*[event for event in one.events if not hasattr(event, "act")])
    noted.append([seat.note for seat in seen(one).seats])

    assert noted == [["", "", ""], ["rolls", "", ""], ["", "", ""]]


def test_a_question_about_a_tile_over_two_slots_points_at_its_first():
    """There the tile is drawn; the other slot only refers to it."""
    one = table(("B2", "wide"))
    one.act("red", {"do": "roll", "ramp": "c"})
    one.releases("c")
    one.feed(TileSeen(at_us=one.later(), slot="B2", present=False))
    (prompt,) = one.game.private(one.state, "red").prompts

    assert (prompt.kind, prompt.slot) == ("lifted", "B2")


def test_a_ballot_on_a_tile_in_the_hand_has_no_slot():
    """A Forbidden tile is voted on before it lies anywhere (0.4.1)."""
    one = holding(("taboo", "bell", "star"))
    taboo = one.state.players[0].hand[0]
    one.act("red", {"do": "play", "tile": taboo})

    vote = seen(one).detail.vote
    assert (vote.kind, vote.title, vote.slot, vote.awaited) == ("forbidden", "TABOO", None, "red")
    assert seen(one).headline == "Vote: Enable TABOO?"


def test_a_card_has_the_badges_of_its_keywords_and_of_what_is_forbidden():
    """Each badge once, in order of the alphabet; a plain tile has none."""
    rules = Rules(Table().board, load_tiles())

    badges = {name: card(rules.named(name)).keywords for name in ("plain", "taboo", "vstar", "vduo", "star")}
    assert badges == {
        "plain": (), "taboo": ("forbidden",), "vstar": ("unique", "virtual"), "vduo": ("combo", "virtual"),
        "star": ("unique",),
    }  # fmt: skip


def test_a_tile_on_the_board_has_the_badges_of_its_card():
    """What lies there tells the same about itself as its card."""
    one = table(("C1", "taboo"), ("C2", "vstar"), ("C3", "plain"))

    assert slot_of(one, "C1").piece.keywords == ("forbidden",)
    assert slot_of(one, "C2").piece.keywords == ("unique", "virtual")
    assert slot_of(one, "C3").piece.keywords == ()


def test_effects_that_do_nothing_now_are_told_with_the_tile():
    """With power on an Offline effect sleeps, and an Overdrive one while a slot is open."""
    one = table(("C1", "offbell"), ("C2", "odbell"), ("C3", "bell"))

    asleep = {slot: len(slot_of(one, slot).piece.disabled) for slot in ("C1", "C2", "C3")}
    assert asleep == {"C1": 1, "C2": 1, "C3": 0}


def test_a_hand_that_is_known_offers_its_tiles_and_no_names():
    """Three known tiles are three plays, by number (2.2.1)."""
    one = holding(("plain", "bell", "star"))
    hand = one.state.players[0].hand

    plays = [option.act for option in one.game.private(one.state, "red").options if option.group == "play"]
    assert plays == [{"do": "play", "tile": copy} for copy in hand]


def test_one_unknown_tile_in_a_hand_offers_names_beside_the_known_ones():
    """Two known tiles by number, and every kind that the third may turn out to be (R-65)."""
    one = holding(("plain", "", "star"))
    hand = one.state.players[0].hand

    plays = [option.act for option in one.game.private(one.state, "red").options if option.group == "play"]
    assert [act["tile"] for act in plays if "tile" in act] == [hand[0], hand[2]]
    names = [act["name"] for act in plays if "name" in act]
    assert {"plain", "bell", "wide", "fence"} <= set(names)
    assert len(names) == len(set(names))


def test_headlines_name_who_the_table_waits_for():
    """Red's turn, Red's choice of a ramp, Red's roll, the settling, Red's slot, Red's tile."""
    one = holding(("plain", "bell", "star"), ("C1", "plain"))
    heads = [seen(one).headline]
    one.act("red", {"do": "roll", "ramp": "c"})
    heads.append(seen(one).headline)
    one.releases("c")
    heads.append(seen(one).headline)
    one.enters("C1")
    one.quiet(*one.events[-2:])
    heads.append(seen(one).headline)
    one.wakes()
    one.act("red", {"do": "play", "tile": one.state.players[0].hand[1]})
    heads.append(seen(one).headline)
    one.act("red", {"do": "place", "slot": "A1"})
    heads.append(seen(one).headline)

    assert heads == [
        "Red's turn", "Red releases a ball on ramp c", "Red is rolling", "Anything wrong?",
        "Red looks for a slot", "Red lays a tile",
    ]  # fmt: skip
    assert wanted(one, "put") == ["slot.A1"]


def test_zones_count_the_balls_that_are_in_them():
    """Two balls in the left one, one in the right one."""
    one = table()
    one.act("red", {"do": "roll", "ramp": "c"})
    for ball, zone in ((1, "Z1"), (2, "Z2"), (3, "Z1")):
        one.releases("c", ball=ball)
        one.feed(BallInZone(at_us=one.later(), ball=ball, zone=zone))

    zones = [place for place in seen(one).places if place.place.startswith("zone.")]
    assert [(zone.place, zone.balls) for zone in zones] == [("zone.Z1", 2), ("zone.Z2", 1)]


def test_your_turn_is_said_to_the_active_player_while_only_their_move_is_waited_for():
    """Not to the others, and not while the ball rolls or settles."""
    one = table(("C1", "plain"))
    heads = [[one.view(seat).headline for seat in one.seats]]
    one.act("red", {"do": "roll", "ramp": "c"})
    heads.append([one.view(seat).headline for seat in one.seats])
    one.releases("c")
    heads.append([one.view(seat).headline for seat in one.seats])

    assert heads == [["Your turn", "", ""], ["", "", ""], ["", "", ""]]


def test_how_a_game_ended_tells_those_who_left_from_those_who_lost():
    """Who wins because all others conceded has not outlived them (2.8.1.2, 2.9.1.3)."""
    left, lost = table(players=2, grace_us=0), table(("C1", "skull"), players=2, grace_us=0)
    left.act("blue", {"do": "concede"})
    rolls(lost, "C1")
    lost.quiet(*[event for event in lost.events if not hasattr(event, "act")])

    assert [one.state.phase for one in (left, lost)] == [Phase.OVER, Phase.OVER]
    assert [one.game.ending(one.state, "2.9.1.3") for one in (left, lost)] == [
        "others conceded",
        "last standing",
    ]
    assert left.game.ending(left.state, "R-27") == "everybody lost"
