"""The rules of Hextraction as one function: total, honest about what is legal, silent about hands."""

import ast
import random
from dataclasses import replace
from itertools import product
from pathlib import Path

import msgspec
import pytest
from helpers import strategies
from helpers.places import ROOT
from helpers.tabletop import MIXED, Table, boxed, play_a_bit, setup, survives_json
from helpers.tiers import nightly
from hextraction.board.facts import BallEntered, RollSettled
from hextraction.board.profile import load_board
from hextraction.controller.games.hextraction import Phase, game
from hextraction.controller.games.hextraction.game import ACTIONS
from hextraction.controller.games.hextraction.state import actions
from hextraction.controller.games.hextraction.state.questions import QuestionKind
from hextraction.controller.games.hextraction.state.state import Depth, Matter
from hextraction.controller.games.hextraction.talk.asking import QUESTIONS
from hextraction.controller.games.protocol import Acted, Ignored, PowerSet, Refused, TileSeen, Woke
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from docs.actions_table import rules_table

DOCS = ROOT / "docs" / "rules.md"
FX = load_board("fx-19")
DEPTHS = tuple(Depth)


def played(seed, steps, **wanted):
    """Return a table after some random legal play."""
    chance = random.Random(seed)
    table = Table(setup(seed=seed, **wanted))
    for _step in range(steps):
        if table.state.phase is Phase.OVER or not play_a_bit(table, chance):
            break
    return table


def acts():
    """Any action in form, mostly not legal."""
    place = st.sampled_from([*FX.slot_names, "a", "c", "Z1", "", "nowhere"])
    number = st.integers(-2, 40)
    one = {
        "roll": {"ramp": place}, "play": {"tile": st.none() | number, "name": st.none() | st.sampled_from(MIXED)},
        "place": {"slot": place, "turns": number}, "seated": {}, "no_fit": {},
        "activate": {"tile": number, "effect": st.integers(-1, 99)}, "end": {}, "break_loop": {},
        "vote": {"slot": place}, "concede": {}, "lifted": {"slot": place},
        "fallen": {"slot": place},
        "ballot": {"yea": st.booleans(), "seat": st.none() | st.sampled_from(["red", "blue", "nobody"])},
        "answer": {"prompt": st.sampled_from(["q1", "q120", ""]), "choice": st.sampled_from(["yes", "C3", "off"])},
        "attest": {"saw": st.sampled_from(["released", "touched", "left", "fell", "zone", "off", "stuck", "still"]),
                   "place": place, "ball": st.none() | number},
        "correct": {"slot": place, "touches": number}, "undo": {}, "flick": {}, "adjust": {},
        "contend": {"ball": number, "place": place | st.sampled_from(["off", "fell"])},
        "overrule": {"tile": number, "to": place | st.sampled_from(["pool", "hand.red"]), "turns": number},
        "flag": {"slot": place, "item": st.sampled_from(["harms", "hurts", "no_star", ""])},
        "jammed": {"slot": place}, "rules": {"tile": number},
        "reenter": {"tiles": st.dictionaries(place, st.tuples(st.sampled_from(MIXED), number), max_size=3),
                    "balls": st.lists(place, max_size=3), "active": st.sampled_from(["red", "nobody"])},
        "arrange": {"tiles": st.dictionaries(place, st.tuples(st.sampled_from(MIXED), number), max_size=3),
                    "balls": st.lists(place, max_size=3), "draw": st.booleans(),
                    "gone": st.dictionaries(place, st.sampled_from(["pool", "hand.red", ""]), max_size=1),
                    "away": st.lists(st.sampled_from(MIXED), max_size=2)},
        "reclaim": {"what": st.sampled_from(["leave", "tiles", "ball", "draw", ""]), "slot": place},
    }  # fmt: skip
    return st.one_of(
        *(st.fixed_dictionaries({"do": st.just(word), **fields}) for word, fields in one.items()),
        st.dictionaries(st.text(max_size=4), st.none() | st.integers() | st.text(max_size=4), max_size=3),
    )


def events(board=FX):
    """Any event that the world or a person may send, mostly out of place."""
    at_us = st.integers(0, 10**12)
    slot = st.sampled_from([*board.slot_names, "nowhere"])
    return st.one_of(
        strategies.facts(board),
        strategies.settlements(board),
        st.builds(TileSeen, at_us=at_us, slot=slot, present=st.booleans()),
        st.builds(PowerSet, at_us=at_us, on=st.booleans(), lost=st.booleans()),
        st.builds(Woke, at_us=at_us),
        st.builds(
            Acted, at_us=at_us, seat=st.sampled_from(["red", "blue", "green", "nobody", ""]), act=acts(),
            chance=st.integers(0, 2**64 - 1),
        ),
    )  # fmt: skip


def try_anything(seed, steps, tried):
    """Feed any events after some play, and look at everything that changes."""
    table = played(seed, steps)
    for event in tried:
        before = table.state
        effects = table.feed(event)
        if any(isinstance(effect, Refused) for effect in effects):
            assert table.state == before
        for seat in (None, *table.seats):
            table.view(seat)
    assert table.replayed() == table.state
    assert boxed(table.state) == boxed(table.game.start(table.setup))


@pytest.mark.slow
@pytest.mark.mutants
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 10**6), steps=st.integers(0, 40), tried=st.lists(events(), max_size=12))
def test_no_event_ever_fails_and_a_refusal_changes_nothing(seed, steps, tried):
    """Any event in any position gives a state; replaying gives the same one; no tile is lost."""
    try_anything(seed, steps, tried)


@nightly("more and longer examples", meanwhile="test_no_event_ever_fails_and_a_refusal_changes_nothing")
@settings(max_examples=600, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 10**6), steps=st.integers(0, 300), tried=st.lists(events(), max_size=40))
def test_no_event_ever_fails_at_length(seed, steps, tried):
    """The same on many more positions."""
    try_anything(seed, steps, tried)


def options_are_accepted(seed, steps, **wanted):
    """Try each option of a position on its own."""
    table = played(seed, steps, **wanted)
    for seat, act in table.offers(parting=True):
        step = table.game.step(table.state, Acted(at_us=table.at_us + 1, seat=seat, act=act, chance=seed))
        assert not [effect for effect in step.effects if isinstance(effect, Refused)], (seat, act)


@pytest.mark.parametrize("seed", range(40))
def test_every_option_shown_is_accepted(seed):
    """What a phone offers, step accepts: an option that is refused would be a lie."""
    options_are_accepted(
        seed, 15 + 7 * seed % 60, unseen=seed % 3 == 0, sensors=seed % 5 > 1, depth=DEPTHS[seed % 3]
    )


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1060))
def test_every_option_shown_is_accepted_at_length(seed):
    """The same on many more positions."""
    options_are_accepted(
        seed,
        seed % 400,
        unseen=seed % 3 == 0,
        sensors=seed % 5 > 1,
        players=2 + seed % 5,
        depth=DEPTHS[seed % 3],
    )


def only_offered_ends_are_accepted(table):
    """Whoever may not do one of the plain things is not offered it, and is refused."""
    for seat, word in product(table.seats, ("end", "break_loop", "seated", "no_fit", "concede")):
        offered = {"do": word} in [option.act for option in table.view(seat).options]
        step = table.game.step(table.state, Acted(at_us=table.at_us + 1, seat=seat, act={"do": word}))
        assert offered is not any(isinstance(effect, Refused) for effect in step.effects), (seat, word)


@pytest.mark.parametrize("seed", range(30))
def test_what_is_not_offered_is_refused(seed):
    """The plain actions are accepted exactly when they are offered."""
    only_offered_ends_are_accepted(played(seed, 10 + 11 * seed % 70))


@pytest.mark.parametrize("seed", range(25))
def test_no_view_of_another_seat_depends_on_a_hand(seed):
    """Other people's views and the public one are the same whatever a hand holds (1.2.1)."""
    table = played(seed, 5 + 9 * seed % 60)
    shown = {table.state.play.copy} if table.state.play is not None else set()
    for player in table.state.players:
        copies = dict(table.state.copies)
        for copy in set(player.hand) - shown:
            copies[copy] = msgspec.structs.replace(copies[copy], name="wide")
        other = msgspec.structs.replace(table.state, copies=copies)
        if player.seat != table.state.active:
            assert table.game.scene(other) == table.view()
        for seat in table.seats:
            if seat != player.seat:
                assert table.game.private(other, seat) == table.view(seat)


@pytest.mark.parametrize("seed", range(12))
def test_tiles_are_conserved_and_a_state_survives_json(seed):
    """Through a whole game no tile appears or vanishes, and the state goes through JSON unharmed."""
    chance = random.Random(seed)
    table = Table(setup(seed=seed, count=6))
    all_tiles = boxed(table.state)
    for step in range(250):
        if table.state.phase is Phase.OVER or not play_a_bit(table, chance):
            break
        assert boxed(table.state) == all_tiles
        if step % 25 == 0:
            assert survives_json(table.state)
    assert table.replayed() == table.state


@pytest.mark.parametrize("seed", range(12))
def test_there_is_never_a_dead_end(seed):
    """Somebody can go on, or a ball, a tile or the clock is awaited, or the game is over."""
    chance = random.Random(seed * 77)
    table = Table(setup(seed=seed, sensors=seed % 4 != 0, players=2 + seed % 4))
    for _step in range(250):
        if table.state.phase is Phase.OVER:
            break
        offers = [act for _seat, act in table.offers() if act["do"] != "lifted"]
        assert offers or table.awaits_world(), table.state
        play_a_bit(table, chance)


@pytest.mark.slow
@pytest.mark.mutants
def test_balls_are_conserved():
    """A ball is in one place: in contact with slots, on a ramp, in a zone, or gone."""
    for seed in range(8):
        chance = random.Random(seed)
        table = Table(setup(seed=seed))
        for _step in range(150):
            if table.state.phase is Phase.OVER or not play_a_bit(table, chance):
                break
            now = table.state.rest if table.state.roll is None else table.state.roll.record
            places = [*now.on, *now.ramps, *now.zones]
            assert len(places) == len(set(places))


def test_an_action_out_of_its_phase_is_refused_with_the_table_s_clause():
    """The table of actions alone says where an action is heard."""
    table = Table(setup(laid=(("C3", "plain", 0),)))
    samples = {
        actions.ChooseRamp: {"do": "roll", "ramp": "a"}, actions.Play: {"do": "play", "tile": 1},
        actions.Place: {"do": "place", "slot": "C3"}, actions.LetGo: {"do": "seated"},
        actions.NoFit: {"do": "no_fit"}, actions.Activate: {"do": "activate", "tile": 1},
        actions.End: {"do": "end"}, actions.BreakLoop: {"do": "break_loop"}, actions.CallVote: {"do": "vote"},
        actions.Ballot: {"do": "ballot", "yea": True}, actions.Concede: {"do": "concede"},
        actions.Answer: {"do": "answer", "prompt": "q", "choice": "c"}, actions.Attest: {"do": "attest", "saw": "off"},
        actions.Correct: {"do": "correct", "slot": "C3", "touches": 1}, actions.Lifted: {"do": "lifted", "slot": "C3"},
        actions.Fallen: {"do": "fallen", "slot": "C3"},
        actions.Contend: {"do": "contend", "ball": 1, "place": "off"}, actions.Flick: {"do": "flick"},
        actions.Overrule: {"do": "overrule", "tile": 1, "to": "C3"}, actions.Undo: {"do": "undo"},
        actions.Flag: {"do": "flag", "slot": "C3", "item": "harms"}, actions.Adjust: {"do": "adjust"},
        actions.Reenter: {"do": "reenter", "tiles": {}, "active": "red"},
        actions.Arrange: {"do": "arrange", "tiles": {}},
        actions.Jammed: {"do": "jammed", "slot": "C3"}, actions.Rules: {"do": "rules", "tile": 1},
        actions.Reclaim: {"do": "reclaim", "what": "leave"}, actions.Agree: {"do": "agree"},
        actions.Object: {"do": "object"},
    }  # fmt: skip
    assert set(samples) == set(ACTIONS)
    for (kind, rule), phase in product(ACTIONS.items(), Phase):
        if phase in rule.phases:
            continue
        state = msgspec.structs.replace(table.state, phase=phase)
        step = table.game.step(state, Acted(at_us=1, seat="red", act=samples[kind]))
        assert step.state == state
        (refused,) = step.effects
        assert isinstance(refused, Refused)
        over = phase is Phase.OVER and not rule.otherwise
        assert refused.seat == "red"
        assert refused.reason == (rule.otherwise or refused.reason) != ""
        assert refused.clause == ("2.9.1" if over else rule.clause)


def test_the_world_is_ignored_when_the_game_is_over():
    """After the end facts change nothing and are noted as out of place."""
    table = Table(setup(players=2))
    table.act("blue", {"do": "concede"})
    before = table.state
    assert table.feed(BallEntered(at_us=9, ball=1, slot="C3")) == (Ignored(reason="over/BallEntered"),)
    assert table.state == before


def test_nonsense_from_a_phone_is_refused():
    """An action that is none of ours is refused, not an error."""
    table = Table()
    assert table.act("red", {"do": "jump"}).clause == "2.0.1"
    assert table.act("red", {"do": "roll", "ramp": 7}).clause == "2.0.1"
    assert table.act("stranger", {"do": "end"}).clause == "2.0.1"


def test_a_tile_in_another_hand_or_on_the_board_cannot_be_played():
    """Whatever number a phone sends, only a tile of one's own hand is revealed (2.2.1)."""
    table = Table(setup(laid=(("C3", "plain", 0),)))
    held = {player.seat: player.hand for player in table.state.players}
    for copy in (*held["blue"], table.state.laid[0].copy, *table.state.pool[:1]):
        assert table.act("red", {"do": "play", "tile": copy}).clause == "2.2.1"
    assert table.act("red", {"do": "play", "tile": held["red"][0]}) is None


def test_conceding_twice_is_refused():
    """Who has conceded has left; saying so again is refused."""
    table = Table()
    table.act("red", {"do": "roll", "ramp": "a"})
    table.releases("a")
    assert table.act("blue", {"do": "concede"}) is None
    assert table.act("blue", {"do": "concede"}).clause == "2.8.4"


def test_names_of_copies_are_read_as_people_write_them():
    """A copy called BAN(a,c) bans those ramps though no catalogue lists it."""
    table = Table(setup(laid=(("C3", "BAN(a,c)", 0),)))
    banned = [one.place[5:] for one in table.game.scene(table.state).places if one.shut]
    assert banned == ["a", "c"]


@pytest.mark.slow
def test_no_rule_knows_another_rules_question_by_its_word():
    """What a rule has to know of a question is a column of its kind: nowhere is there a list of words."""
    room = Path(game.__file__).parent
    named = [
        f"{path.relative_to(room)}:{node.lineno}"
        for path in room.rglob("*.py")
        if path.parent.name != "scenario"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Compare)
        and ast.unparse(node.left) == "ask.kind"
        and not ast.unparse(node.comparators[0]).endswith(".word")
    ]
    assert named == []


def test_a_new_question_says_what_undoes_it():
    """No kind of question comes about without saying whether a void roll and an undone act withdraw it."""
    with pytest.raises(TypeError, match="'stands' and 'undo'"):
        QuestionKind(word="new", about=Matter, hear=print)
    with pytest.raises(ValueError, match="two kinds of questions are called effect"):
        replace(QUESTIONS["effect"], default=0)


def test_the_document_shows_the_table_of_actions():
    """docs/rules.md holds the table as the code has it."""
    assert rules_table() in DOCS.read_text(encoding="utf-8")


def test_a_settlement_replaces_what_was_provisional():
    """A touch that the settlement does not know never happened."""
    table = Table(setup(laid=(("C1", "bell", 0), ("C2", "bell", 0))))
    table.act("red", {"do": "roll", "ramp": "c"})
    table.releases("c")
    table.enters("C1")
    released, seen = table.events[-2], BallEntered(at_us=table.later(), ball=1, slot="C2")
    table.feed(RollSettled(at_us=table.later(), facts=(released, seen)))
    touches = {one.place[5:]: one.count for one in table.game.scene(table.state).places if one.count}
    assert (touches, table.state.chime) == ({"C2": 1}, 1)


def test_a_broken_loop_stands_after_a_settlement():
    """Acts already taken stand: a tile destroyed early stays destroyed, and its touches count nowhere."""
    table = Table(setup(laid=(("C1", "plain", 0), ("C2", "plain", 0))))
    table.act("red", {"do": "roll", "ramp": "c"})
    table.releases("c")
    for _turn in range(3):
        table.enters("C1")
        table.leaves("C1")
    assert table.act("red", {"do": "break_loop"}) is None
    facts = tuple(event for event in table.events if not isinstance(event, Acted))
    table.quiet(*facts)
    table.wakes()
    assert [laid.slots for laid in table.state.laid] == [("C2",)]
    assert table.state.phase is Phase.CHOOSING


@pytest.mark.parametrize("seed", range(3))
def test_what_one_event_owes_is_soon_carried_out(monkeypatch, seed):
    """The loop after an event ends within 25 rounds, whatever is played."""
    monkeypatch.setattr(game, "MOST_ROUNDS", 25)

    assert played(seed, 250, count=6).state.turn > 1


def test_an_effect_without_an_end_stops_its_event_alone(monkeypatch):
    """What would go round for ever is an error of that event, which the table leaves out, and no hang."""
    monkeypatch.setattr(game, "MOST_ROUNDS", 0)
    table = Table(setup())

    with pytest.raises(RuntimeError, match="does not come to rest"):
        table.act(table.state.active, table.offers()[0][1])
