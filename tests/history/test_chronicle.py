"""A chronicle: a finished game told again from its journal alone, moment by moment, and nothing that was secret."""

import msgspec
import pytest
from helpers.simulated import begin, entries, game, play
from hextraction.controller.games.marked_names import plain
from hextraction.controller.history.chronicle import Chronicle, Summary, retell
from hextraction.controller.play.journal import Entry


class Played:
    """A whole game of bots, its journal, and its chronicle."""

    def __init__(self):
        self.made = begin(9)
        assert play(self.made)
        self.referee = self.made.host.runtime.referee
        self.entries = entries(self.made)
        self.chronicle = self.told()

    def told(self, some=None):
        """Tell it again, or only some entries of it."""
        header = self.made.host.journal.header(self.made.host.runtime.game)
        return retell(game(), header, self.entries if some is None else some, {"board": "standard-22"})


@pytest.fixture(scope="module")
def played():
    """Play one game for all tests."""
    return Played()


def rebuilt(chronicle):
    """Return the scene at each moment, put together as the page does it."""
    scene, places = {}, {}
    for moment in chronicle.moments:
        scene |= moment.scene
        places |= moment.places
        yield {**scene, "places": [place for place in places.values() if place is not None]}


@pytest.mark.slow
def test_the_last_moment_is_how_the_table_saw_the_end(played):
    """All changes together give the scene that the running game showed, with its last roll."""
    shown = msgspec.to_builtins(played.made.host.runtime.scene())
    last = list(rebuilt(played.chronicle))[-1]

    order = {one["place"]: one for one in last.pop("places")}
    assert order == {one["place"]: one for one in shown.pop("places")}
    assert last == shown


def test_everything_that_was_told_is_in_it_once_and_in_order(played):
    """The events of the evening are the last of the chronicle's."""
    told = [one.text for moment in played.chronicle.moments for one in moment.told]
    heard = [event.text for event in played.made.host.evening.events]

    assert told[-len(heard) :] == heard
    assert [moment.at_ms for moment in played.chronicle.moments] == sorted(
        moment.at_ms for moment in played.chronicle.moments
    )


def test_the_summary_says_who_played_who_won_and_what_balls_did(played):
    """Names, the winner, and each ball with the tiles that it came over."""
    summary = played.chronicle.summary
    standing = played.made.host.runtime.standing

    assert summary.outcome == plain(standing.outcome)
    assert [one.name for one in summary.players if one.won] == [
        plain(one.name) for one in standing.players if one.name in standing.outcome
    ]
    assert summary.turns == standing.turn
    assert summary.balls
    names = {one.name for one in summary.players}
    assert {ball.roller for ball in summary.balls} <= names
    assert any(crossing.touch for ball in summary.balls for crossing in ball.crossed)
    assert any((ball.fate or "").startswith("zone.") for ball in summary.balls)


def test_no_hand_and_no_private_view_is_in_a_chronicle(played):
    """What only one seat was shown is not even a word of it; a scene has no such field."""
    text = msgspec.json.encode(played.chronicle).decode()

    for word in ('"hand"', '"options"', '"prompts"', '"pool":[', '"chance"', '"act"'):
        assert word not in text


def test_an_entry_that_failed_is_skipped_as_it_was_then(played):
    """The rest of the game is told."""
    first = next(
        number for number, entry in enumerate(played.entries) if type(entry.what).__name__ == "Acted"
    )
    failed = [
        Entry(seq=entry.seq, what=entry.what, failed="then" if number == first else entry.failed)
        for number, entry in enumerate(played.entries)
    ]
    chronicle = played.told(failed)

    assert isinstance(chronicle, Chronicle)
    assert played.entries[first].seq not in {moment.seq for moment in chronicle.moments}


def test_a_chronicle_is_small_and_comes_back_from_json(played):
    """Only what changes is told; phones and the archive read it as it was written."""
    text = msgspec.json.encode(played.chronicle)
    whole = sum(len(msgspec.json.encode(scene)) for scene in rebuilt(played.chronicle))

    assert len(text) < whole / 5
    assert msgspec.json.encode(msgspec.json.decode(text, type=Chronicle)) == text
    assert msgspec.json.decode(msgspec.json.encode(played.chronicle.summary), type=Summary)


def test_who_was_likely_to_win_is_told_at_each_change(played):
    """Shares that are one together, the same each time; at the end the winner has all of it."""
    told = [moment for moment in played.chronicle.moments if moment.chances]

    assert len(told) > 5
    assert all(abs(sum(one.chances.values()) - 1) < 0.01 for one in told)
    assert all(one.next_ball is not None and 0 <= one.next_ball <= 1 for one in told)
    winners = {player.seat for player in played.chronicle.summary.players if player.won}
    assert {seat for seat, share in told[-1].chances.items() if share == 1.0} == winners
    assert played.told().moments == played.chronicle.moments
