"""The look for secrets finds one that leaks, and none in the games as they are."""

import random

import pytest
from helpers.hexagon.secrets import exchanged, leaks, telling_answers
from hextraction.board.profile import load_board
from hextraction.controller.games.extraction import Extraction
from hextraction.controller.games.hexel import Hexel
from hextraction.controller.games.protocol import Refused, Seated, Step
from hextraction.controller.study.table import StudyTable
from msgspec.structs import replace

SEATS = tuple(Seated(seat, seat.title()) for seat in ("red", "blue", "green"))


def some_way_on(kind, events=60):
    """Return a game and its state in the middle, when hands hold something."""
    luck = random.Random(4)
    game = kind(load_board("fx-19"))
    table = StudyTable(game, game.draw(SEATS, luck, (), 0), luck, ("weak",))
    while len(table.events) < events:
        assert table.go_on()
    return game, table.state


class Talking(Extraction):
    """Tells everybody what the first player holds, and the second one what the deck is."""

    def scene(self, state):
        return replace(super().scene(state), headline=str(state.players[0].hand))

    def private(self, state, seat):
        view = super().private(state, seat)
        return replace(view, headline=state.deck[0]) if seat == "blue" else view


@pytest.mark.parametrize(("kind", "events"), [(Extraction, 60), (Hexel, 9)])
def test_nobody_sees_what_is_hidden(kind, events):
    """Scene, lamps and private views are the same with other secrets, and there were secrets."""
    game, state = some_way_on(kind, events)
    assert exchanged(game.kind, state) != state
    assert exchanged(game.kind, state, "red") not in {state, exchanged(game.kind, state)}
    assert leaks(game, state) == []


@pytest.mark.parametrize(("kind", "events"), [(Extraction, 60), (Extraction, 140), (Hexel, 5), (Hexel, 9)])
def test_no_answer_depends_on_what_is_hidden(kind, events):
    """Whatever is offered to anybody, said by anybody: it is refused for the same reason with other secrets."""
    game, state = some_way_on(kind, events)

    assert telling_answers(game, state) == []


class Refusing(Extraction):
    """Says in a refusal what the first player holds."""

    def step(self, state, event):
        reason = str(state.players[0].hand)
        return Step(state, (Refused(seat=event.seat, reason=reason, clause="1"),))


def test_a_refusal_that_talks_is_found():
    """To everybody but whose hand it is."""
    _game, state = some_way_on(Extraction)

    assert {seat for seat, _act in telling_answers(Refusing(load_board("fx-19")), state)} == {"blue", "green"}


def test_a_game_that_talks_is_found():
    """Everybody sees a hand, and one seat the deck."""
    _game, state = some_way_on(Extraction)
    assert {"everybody", "blue"} <= set(leaks(Talking(load_board("fx-19")), state))
