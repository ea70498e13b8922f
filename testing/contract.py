"""What every game promises to tables, journals, lamps, phones and bots, as a suite of tests.

The states come from whole games by bots, some of them disturbed by events that make no sense at that moment.
A test module of your own takes them all in, and says for which games::

    from hextraction.testing.contract import *

    KINDS = ["mine"]

``NUMBERS`` may name more evenings than the first few. See docs/your-own-game.md.
"""

import copy
import functools
import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hextraction.board.instruments import lamps
from hextraction.board.profile import board_names, load_board
from hextraction.controller.games import registry
from hextraction.controller.games.protocol import (
    Acted,
    Occasion,
    Paused,
    PowerSet,
    Renamed,
    Said,
    Seated,
    Senses,
    Woke,
)
from hextraction.controller.games.scene import Option, PrivateView
from hextraction.controller.study.game import study_table
from hextraction.controller.study.settings import StudySettings
from hextraction.controller.table.lobby import SEATS
from hextraction.testing.evenings import EVENTS, LAID, Evening, evening, events, offers, refusal, seats_of
from hypothesis import assume, given, settings
from hypothesis import strategies as st

NUMBERS = (0, 1)
"""The evenings that are looked at, unless a module that takes these tests in says otherwise."""
MOST_BYTES = 64 * 1024
MOST_WAKES = 100
# No property below has a deadline: how long an example takes says how busy the machine is, and nothing else.


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run each test for the games that the module names in KINDS, over its NUMBERS and its LONG ones.

    Those of LONG, and each type of event by itself, bear the marks of the module's SLOW.
    """
    said = vars(metafunc.module)
    kinds, marks = said.get("KINDS", ()), said.get("SLOW", ())
    quick, long = said.get("NUMBERS", NUMBERS), said.get("LONG", ())
    wanted = set(metafunc.fixturenames)
    if "kind" in wanted:
        metafunc.parametrize("kind", kinds)
    if "number" in wanted:
        metafunc.parametrize("number", [*quick, *(pytest.param(one, marks=marks) for one in long)])
    if "numbers" in wanted:
        more = [pytest.param(tuple(long), id="long", marks=marks)] if long else []
        metafunc.parametrize("numbers", [pytest.param(tuple(quick), id="quick"), *more])
    if "type_of_event" in wanted:
        each = [pytest.param(event, id=event.__name__, marks=marks) for event in EVENTS]
        metafunc.parametrize("type_of_event", [pytest.param(None, id="any"), *each])


@st.composite
def moments(
    draw: st.DrawFn,
    kind: str,
    numbers: tuple[int, ...] = NUMBERS,
    *,
    most_nonsense: int = 4,
    strange: bool = True,
) -> tuple[Evening, int, Any]:
    """Draw an evening and a state of it, after which a few senseless things may have happened as well.

    Without ``strange`` they happened at places of this board.
    """
    played = evening(kind, draw(st.sampled_from(numbers)))
    number = draw(st.integers(0, len(played.states) - 1))
    state = played.states[number]
    for event in draw(st.lists(events(played, number, strange=strange), max_size=most_nonsense)):
        state = played.game.step(state, event).state
    return played, number, state


def later(played: Evening, number: int) -> int:
    """Return a time a little after a state."""
    return played.at_us(number) + 1_000


# --- pure and total ---------------------------------------------------------------------------------------


def test_the_same_set_up_gives_the_same_first_state(kind: str, number: int) -> None:
    """What a game starts from is the set-up alone, and that goes through the journal unharmed."""
    played = evening(kind, number)
    again = registry.open_game(kind, played.board, type(played.game).demo_rules(LAID))
    read = registry.read_setup(kind, msgspec.json.encode(played.setup))
    assert read == played.setup
    assert again.start(read) == played.states[0]


def test_the_events_alone_lead_to_every_state(kind: str, number: int) -> None:
    """Another object of the same game, told the same events, goes through the same states."""
    played = evening(kind, number)
    again = type(played.game).on(played.board, type(played.game).demo_rules(LAID))
    state = again.start(played.setup)
    for before, event in zip(played.states, played.events, strict=False):
        assert state == before
        step = again.step(state, event)
        assert step.effects == played.game.step(before, event).effects
        state = step.state
    assert state == played.table.state


@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_any_event_at_any_moment_gives_one_step_and_spoils_nothing(
    kind: str, type_of_event: type[Any] | None, data: st.DataObject
) -> None:
    """No event raises, twice the same one gives the same step, and neither it nor the state is changed."""
    played, number, state = data.draw(moments(kind))
    event = data.draw(events(played, number, type_of_event))
    before = copy.deepcopy((state, event))
    step = played.game.step(state, event)
    assert played.game.step(state, event) == step
    assert (state, event) == before


@settings(max_examples=50, deadline=None)
@given(data=st.data())
def test_a_refused_act_changes_nothing(kind: str, numbers: tuple[int, ...], data: st.DataObject) -> None:
    """The journal leaves refused acts out, so the game must not have moved on with them."""
    played, number, state = data.draw(moments(kind, numbers))
    step = played.game.step(state, data.draw(events(played, number, Acted)))
    why_not = refusal(step)
    assume(why_not is not None)
    assert step.state == state
    assert why_not is None or why_not.reason
    assert not any(isinstance(effect, Said) for effect in step.effects)


@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_whatever_happened_a_table_gets_its_answers(
    kind: str, type_of_event: type[Any] | None, data: st.DataObject
) -> None:
    """Standing, what is awaited, what lies, scene, lamps and every view can be asked for at any moment."""
    played, number, state = data.draw(moments(kind))
    game = played.game
    state = game.step(state, data.draw(events(played, number, type_of_event))).state
    assert isinstance(game.standing(state).over, bool)
    assert game.awaited(state).seat in {*played.seats, ""}
    assert set(game.physical(state).tiles) <= set(played.board.slot_names)
    assert game.physical(state).tiles is game.physical(state).tiles
    assert game.wake_at_us(state) is None or isinstance(game.wake_at_us(state), int)
    assert set(game.lamps(game.scene(state))) <= {name for name, _count in lamps(played.board)}
    assert [game.private(state, seat).seat for seat in played.seats] == played.seats


# --- options ----------------------------------------------------------------------------------------------


def test_whatever_is_offered_in_a_game_is_accepted(kind: str, number: int) -> None:
    """Every option, each of its turns, and every answer to a question is heard at every moment of a game."""
    played = evening(kind, number)
    for at in range(0, len(played.states), max(1, len(played.states) // 60)):
        assert refused(played, played.states[at], later(played, at)) == []


@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_whatever_is_offered_after_nonsense_is_accepted(
    kind: str, numbers: tuple[int, ...], data: st.DataObject
) -> None:
    """The same holds after events that came at the wrong moment."""
    played, number, state = data.draw(moments(kind, numbers, strange=False))
    assert refused(played, state, later(played, number)) == []


def refused(played: Evening, state: Any, at_us: int) -> list[tuple[str, dict[str, Any], str]]:
    """Return what is offered and yet refused."""
    wrong = []
    for seat, act in offers(played.game, state):
        why_not = refusal(played.game.step(state, Acted(at_us=at_us, seat=seat, act=act, chance=5)))
        wrong += [] if why_not is None else [(seat, act, why_not.reason)]
    return wrong


def test_everybody_who_plays_may_leave_for_good(kind: str, number: int) -> None:
    """The act of leaving is heard from whoever is still in the game, on a break as well."""
    played = evening(kind, number)
    for at in range(0, len(played.states) - 1, max(1, len(played.states) // 20)):
        game, state = played.game, played.states[at]
        paused = game.step(state, Paused(at_us=later(played, at), on=True)).state
        inside = [one.seat for one in game.scene(state).seats if not one.out and not one.leaving]
        assert inside
        for seat in inside:
            for here in (state, paused):
                left = Acted(at_us=later(played, at), seat=seat, act=dict(game.leaving), chance=5)
                assert refusal(game.step(here, left)) is None


# --- secrets ----------------------------------------------------------------------------------------------


def test_a_held_piece_is_nobody_elses_to_see(kind: str, number: int) -> None:
    """A piece that a seat holds, and that never lay in sight, is in no scene and in nobody else's view."""
    played = evening(kind, number)
    game, known = played.game, set()
    for at, state in enumerate(played.states):
        scene = json_of(game.scene(state))
        known |= pieces_in(scene["places"])
        if at % max(1, len(played.states) // 120):
            continue
        views = {seat: json_of(game.private(state, seat)) for seat in played.seats}
        held = {seat: pieces_in(view["hand"]) - known for seat, view in views.items()}
        assert not any(held[seat] & pieces_in(scene) for seat in held), (at, "in the scene")
        for seat, view in views.items():
            others = set().union(*(held[other] for other in held if other != seat))
            assert not others & pieces_in(view), (at, seat)
            assert not {number for number, *_words in others} & named_in(view), (at, seat)


def test_what_only_one_player_is_asked_is_heard_from_nobody_else(kind: str, number: int) -> None:
    """Another player's answer, which no view of one's own offers, is refused: guessing does nothing."""
    played = evening(kind, number)
    for at in range(0, len(played.states), max(1, len(played.states) // 60)):
        game, state = played.game, played.states[at]
        views = {seat: game.private(state, seat) for seat in played.seats}
        for seat, view in views.items():
            for option in (option for prompt in view.prompts for option in prompt.options):
                for other in (one for one in views if one != seat and not offers_to(views[one], option)):
                    sent = Acted(at_us=later(played, at), seat=other, act=option.act, chance=5)
                    assert refusal(game.step(state, sent)) is not None, (at, seat, other, option.act)


def offers_to(view: PrivateView, option: Option) -> bool:
    """Whether a view offers the same act."""
    prompts = (*view.prompts, *view.others)
    return any(one.act == option.act for one in (*view.options, *(o for p in prompts for o in p.options)))


def json_of(view: object) -> Any:
    """Return what a phone is sent, as it reads it."""
    return msgspec.json.decode(msgspec.json.encode(view))


def nodes(value: Any) -> Iterator[dict[str, Any]]:
    """Yield every object in it."""
    if isinstance(value, dict):
        yield value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from nodes(part)


def pieces_in(value: Any) -> set[tuple[Any, ...]]:
    """Return every piece that is described in it: its number, its name and its title."""
    wanted = ("id", "name", "title")
    found = [node for node in nodes(value) if all(key in node for key in wanted)]
    return {tuple(node[key] for key in wanted) for node in found if node["name"]}


def named_in(view: Any) -> set[int]:
    """Return the numbers of the pieces that its options and answers are about."""
    return {node["tile"] for node in nodes(view) if "act" in node and "tile" in node}


def test_whatever_is_dealt_everybody_sees_the_same(kind: str) -> None:
    """From what everybody sees of the first turn, lamps included, nobody can tell what a seat was dealt."""
    made = registry.game_type(kind)
    game = made.on(load_board(), made.demo_rules(0))
    seats = tuple(Seated(seat, seat.title()) for seat in SEATS[: made.seats[0]])
    scenes: set[str] = set()
    hands: dict[str, set[str]] = {one.seat: set() for one in seats}
    for seed in range(60):
        occasion = Occasion(seats, Senses(tiles=True), random.Random(seed), 0)
        state = game.start(game.preparation(None).set_up(occasion))
        scene = game.scene(state)
        scenes.add(str((json_of(scene), sorted(game.lamps(scene).items()))))
        for seat, seen in hands.items():
            seen.add(str(json_of(game.private(state, seat).hand)))
    assert all(len(scenes) < len(seen) or len(seen) == 1 for seen in hands.values())


# --- what goes out ----------------------------------------------------------------------------------------


def test_what_phones_are_sent_is_small(kind: str, number: int) -> None:
    """Scene and views are JSON of less than 64 KiB, at every moment of a game."""
    played = evening(kind, number)
    for state in played.states[:: max(1, len(played.states) // 60)]:
        sent = [played.game.scene(state), *(played.game.private(state, seat) for seat in played.seats)]
        assert max(len(msgspec.json.encode(one)) for one in sent) < MOST_BYTES


def test_lamps_are_lamps_of_the_board(kind: str, number: int) -> None:
    """A game lights only places that have lamps, with colours that lamps have."""
    played = evening(kind, number)
    there = {name for name, _count in lamps(played.board)}
    for state in played.states:
        glows = played.game.lamps(played.game.scene(state))
        assert set(glows) <= there
        assert all(0 <= part <= 255 for glow in glows.values() for part in (*glow.colour, *glow.rest))


def test_the_scene_says_what_the_table_knows(kind: str, number: int) -> None:
    """Kind, seats, turn, switch, break and outcome in the scene are those by which the table goes."""
    played = evening(kind, number)
    for state in played.states:
        scene, standing = played.game.scene(state), played.game.standing(state)
        assert scene.kind == kind
        assert [one.seat for one in scene.seats] == seats_of(played.game, state) == played.seats
        assert (scene.active, scene.turn, scene.power, scene.paused, scene.outcome) == (
            standing.active,
            standing.turn,
            standing.power,
            standing.paused,
            standing.outcome,
        )
        assert standing.active in played.seats
        assert standing.over == (standing.outcome is not None)


def test_what_is_left_out_of_payloads_is_empty(kind: str, number: int) -> None:
    """Who reads a payload takes an absent field for nothing: no default that is left out is anything else."""
    played = evening(kind, number)
    game = played.game
    for state in played.states[:: max(1, len(played.states) // 120)]:
        shown = [game.scene(state), *(game.private(state, seat) for seat in played.seats)]
        assert [field for one in shown for field in _left_out(one, json_of(one))] == []


def _left_out(value: Any, sent: Any) -> Iterator[str]:
    """Yield the fields that a payload leaves out of what is sent of it though they say something."""
    if isinstance(value, msgspec.Struct):
        for name, encoded in _fields(type(value)):
            field = getattr(value, name)
            if encoded in sent:
                yield from _left_out(field, sent[encoded])
            elif field:
                yield f"{type(value).__name__}.{encoded}"
    elif isinstance(value, dict):
        for one, sent_one in zip(value.values(), sent.values(), strict=True):
            yield from _left_out(one, sent_one)
    elif isinstance(value, tuple | list):
        for one, sent_one in zip(value, sent, strict=True):
            yield from _left_out(one, sent_one)


@functools.cache
def _fields(kind: type[msgspec.Struct]) -> list[tuple[str, str]]:
    """Return the fields of a payload: how they are called here, and how as JSON."""
    return [(one.name, one.encode_name) for one in msgspec.structs.fields(kind)]


# --- what happens at a table ------------------------------------------------------------------------------


@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_on_a_break_no_time_passes(kind: str, numbers: tuple[int, ...], data: st.DataObject) -> None:
    """A game on a break asks for nothing, and wakes by so much later as the break was long."""
    played, number, state = data.draw(moments(kind, numbers, most_nonsense=0))
    game, at_us, minute = played.game, played.at_us(number), 60_000_000
    due_us = game.wake_at_us(state)
    assume(not game.standing(state).paused and not game.standing(state).over)
    paused = game.step(state, Paused(at_us=at_us, on=True)).state
    assert (game.standing(paused).paused, game.wake_at_us(paused)) == (True, None)
    on = game.step(paused, Paused(at_us=at_us + minute, on=False)).state
    later_us = None if due_us is None else due_us + minute
    assert (game.standing(on).paused, game.wake_at_us(on)) == (False, later_us)


@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_a_game_that_is_woken_goes_on_and_does_not_ask_at_once_again(
    kind: str, numbers: tuple[int, ...], data: st.DataObject
) -> None:
    """At any one time a game asks to be woken a few times at most."""
    played, number, state = data.draw(moments(kind, numbers, most_nonsense=0))
    game = played.game
    now_us = max(played.at_us(number), game.wake_at_us(state) or 0)
    for _wake in range(MOST_WAKES):
        due_us = game.wake_at_us(state)
        if due_us is None or due_us > now_us:
            return
        state = game.step(state, Woke(at_us=now_us)).state
    pytest.fail("it asks to be woken without end")


def test_the_switch_and_names_are_taken_up(kind: str, number: int) -> None:
    """While it is on, a game knows whether the board is on, and who plays a seat from now on."""
    played = evening(kind, number)
    game = played.game
    for at in range(0, len(played.states) - 1, max(1, len(played.states) // 20)):
        state, at_us = played.states[at], later(played, at)
        for on in (False, True):
            state = game.step(state, PowerSet(at_us=at_us, on=on, lost=on)).state
            assert game.standing(state).power is on
        for seat in played.seats:
            named = game.step(state, Renamed(at_us=at_us, seat=seat, name="Somebody Else")).state
            names = {player.seat: player.name for player in game.standing(named).players}
            assert names[seat] == "Somebody Else"
            assert "Somebody Else" in [one.name for one in game.scene(named).seats]


@pytest.mark.parametrize("board", board_names())
def test_a_lobby_can_start_the_game_on_any_board(kind: str, board: str) -> None:
    """What a table makes without a word from anybody has no problem, and names board, seats and time."""
    made = registry.game_type(kind)
    game = made.on(load_board(board), made.demo_rules(0))
    for senses in (Senses(), Senses(balls=True, tiles=True, gates=True)):
        for players in made.seats:
            seats = tuple(Seated(seat, seat.title()) for seat in SEATS[:players])
            setup = game.preparation(None).set_up(Occasion(seats, senses, random.Random(1), 77))
            assert list(game.problems(setup)) == []
            assert (setup.board, setup.at_us, len(setup.seats)) == (board, 77, players)
            assert seats_of(game, game.start(setup)) == [one.seat for one in seats]


def test_nobody_plays_alone(kind: str) -> None:
    """A set-up for fewer than may play has a problem, in words."""
    made = registry.game_type(kind)
    game = made.on(load_board(), made.demo_rules(0))
    few = tuple(Seated(seat, seat.title()) for seat in SEATS[: made.seats[0] - 1])
    setup = game.preparation(None).set_up(Occasion(few, Senses(), random.Random(1), 0))
    assert [what for what, _clause in game.problems(setup) if what]


def test_bots_finish_a_game(kind: str, number: int) -> None:
    """Bots play to an end; nothing that they do is refused, and no rule fails."""
    played = evening(kind, number)
    assert played.table.over
    assert (played.table.tally.refusals, played.table.tally.failures) == ([], {})
    assert played.game.ending(played.table.state, played.table.tally.last_clause)


def test_a_game_ends_in_a_turn_that_was_played(kind: str, number: int) -> None:
    """Turns are counted for statistics: what follows the last act is not one more."""
    played = evening(kind, number)
    *_before, last, over = (played.game.standing(state) for state in played.states)
    assert over.over
    assert 1 <= over.turn <= last.turn


def test_a_study_seats_as_many_as_may_play(kind: str) -> None:
    """Whatever numbers of players a study asks for."""
    wanted = StudySettings(game=kind, players=(1, 6))
    seated = {len(study_table(wanted, number).setup.seats) for number in range(30)}
    assert seated <= set(registry.game_type(kind).seats)
