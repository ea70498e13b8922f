"""The same seed gives the same game, however its time is cut up and whoever watches."""

import asyncio
import math
import statistics

import pytest
from helpers.audience import Phones
from helpers.simulated import begin, entries, now_us, play, replayed, state, table
from hextraction.controller.games.hextraction import Phase
from hextraction.controller.play.journal import Boot, encode
from hextraction.controller.table.lobby import SEATS
from hextraction.simulator.noise import Noise

SEEDS = [7, pytest.param(9, marks=pytest.mark.slow)]


class Watcher:
    """An audience that takes everything and says nothing."""

    def __init__(self):
        self.here = dict.fromkeys(SEATS, True)
        self.shown = []

    def __getattr__(self, word):
        if word.startswith(("publish", "reply", "revoke")):
            return lambda *words: self.shown.append((word, *words))
        raise AttributeError(word)


def bytes_of(made):
    """Return a game's journal, byte for byte after its header."""
    return [encode(entry.what) for entry in entries(made)]


def played(seed, **settings):
    """Return the bytes of a whole game."""
    made = begin(seed, **settings)
    assert play(made)
    return bytes_of(made)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_the_same_seed_gives_the_same_journal_byte_for_byte(seed):
    """Two tables with one seed journal the same bytes; watching, lamps and private views change none."""
    plain = played(seed)
    watched = begin(seed)
    watched.host.audience = Watcher()
    assert play(watched, show_every=3)
    assert bytes_of(watched) == plain
    assert watched.host.audience.shown


@pytest.mark.slow
def test_another_seed_another_number_of_players_or_another_sensor_set_gives_another_journal():
    """The comparison can fail: whatever belongs to the game changes the journal."""
    journals = [played(11), played(9), played(11, players=2), played(11, which="basic")]
    assert len({tuple(lines) for lines in journals}) == 4


@pytest.mark.slow
def test_noise_is_part_of_the_seed():
    """A noisy board, too, plays the same game twice."""
    noise = Noise(miss=0.05, ghosts_per_s=0.2)
    assert played(9, noise=noise) == played(9, noise=noise)


@pytest.mark.slow
@pytest.mark.parametrize(
    "pace", [3.0, *(pytest.param(pace, marks=pytest.mark.slow) for pace in (0.0, 10_000.0))]
)
def test_the_pace_of_the_wall_clock_changes_nothing(pace, monkeypatch):
    """Whatever speed is asked for, pacing never lets time pass in the game."""

    async def no_wait(_seconds):
        return

    monkeypatch.setattr(asyncio, "sleep", no_wait)
    made = begin(7)
    object.__setattr__(made.settings, "speed", pace)
    done = asyncio.Event()
    asyncio.run(made.until(done))
    assert bytes_of(made) == played(7)


@pytest.mark.slow
def test_a_second_game_at_the_table_is_the_same_again_too():
    """A whole evening follows from its seed, the pause between games included."""
    evenings = []
    for _evening in range(2):
        made = begin(9)
        assert play(made)
        first = bytes_of(made)
        for _tick in range(50):
            made.devices.advance(made.devices.clock.now_us() + 10_000)
        assert made.begin() == []
        assert play(made, steps=3_000) in {True, False}
        evenings.append((first, bytes_of(made)))
    assert evenings[0] == evenings[1]
    assert evenings[0][0] != evenings[0][1]


@pytest.mark.slow
@pytest.mark.parametrize("phase", [Phase.ROLLING, Phase.RELEASING, Phase.SEATING])
def test_an_interrupted_game_goes_on_in_its_state_and_ends(phase):
    """Taken up by a new table in any phase, balls on their way included, the game is won in the end."""
    made = begin(3)
    assert play(made, until=lambda runtime: runtime.referee.state.phase is phase)
    journal, game, before = made.host.journal, made.host.runtime.game, state(made)
    again = table(3, journal=journal)
    again.host.lobby.__init__(SEATS[:3], bots_fill=True, wanted=3)
    count = len(entries(made))
    again.resume(game)
    assert replayed(again).state == state(again)
    later = entries(again)[count:]
    assert isinstance(later[0].what, Boot)
    assert later[0].what.same
    assert state(again).turn == before.turn
    assert play(again)
    assert state(again).outcome
    assert replayed(again).state == state(again)


@pytest.mark.slow
def test_a_board_in_play_is_lit():
    """While a game is on some lamps shine; at the end they have the winner's colour."""
    made = begin(2)
    made.show()
    assert any(colour != (0, 0, 0) for colour in made.devices.pixels.frame)
    assert play(made)
    made.show()
    assert len(set(made.devices.pixels.frame)) == 1


def rolls_as_seen(made):
    """Let a game be played; return of each roll (people's seconds that it took, those after the last motion)."""
    seen, rolls, near = 0.0, [], {}
    began = moved = None
    while not made.host.runtime.over:
        before_us = now_us(made)
        made.step()
        seen += (now_us(made) - before_us) / 1e6 / made.haste
        rolling = state(made).phase is Phase.ROLLING
        for ball, *place in made.devices.world.positions():
            if math.dist(near.get(ball, (-99, -99)), place) > 3:
                near[ball], moved = place, seen
        if rolling and began is None:
            began = seen
        elif not rolling and began is not None:
            rolls.append((seen - began, seen - moved))
            began = None
    return rolls


@pytest.mark.slow
def test_a_roll_can_be_followed_and_is_over_when_its_balls_lie():
    """In people's time a usual roll takes seconds, one that goes round and round no minutes; then no second is lost."""
    made = begin(3)
    object.__setattr__(made.settings, "speed", 1.0)
    rolls = rolls_as_seen(made)
    assert max(dead for _took, dead in rolls) <= 1
    assert 2 < statistics.median(took for took, _dead in rolls) < 8
    assert max(took for took, _dead in rolls) < 30


def rested(made, steps):
    """Let a table rest between two games for at most so many steps of its time; return whether the rest is over."""

    async def rest():
        done, over = asyncio.Event(), asyncio.Event()
        waits = asyncio.ensure_future(made.rest(20, done))
        waits.add_done_callback(lambda _ended: over.set())
        until_us = now_us(made) + steps * 10_000
        while not over.is_set() and now_us(made) < until_us:  # noqa: ASYNC110 - its time passes as the loop turns
            await asyncio.sleep(0)
        rested = over.is_set()
        done.set()
        await waits
        return rested

    return asyncio.run(rest())


def test_bots_say_how_long_their_winner_is_shown():
    """Twenty seconds, told one by one; then the next game may begin, and nothing is told any more."""
    made = table(7)
    made.host.audience = Phones()
    assert rested(made, 2_100)
    told = [shown.next_s for shown in made.host.audience.tables]
    assert [one for one in told if one] == [*range(20, 0, -1)]
    assert told[-1] is None


@pytest.mark.slow
def test_no_game_begins_without_a_person_who_sits_there():
    """As long as their phone is there the table waits; once it is gone, for three more minutes."""
    made = table(7, people=True)
    made.host.audience = Phones()
    assert not rested(made, 40_000)
    assert all(shown.next_s is None for shown in made.host.audience.tables)
    for chair in made.host.lobby.players:
        made.host.audience.goes(chair.seat, 1.0)
    assert rested(made, 20_000)
    assert made.host.audience.tables[0].next_s == 180


def watched(runtime):
    """Return the seats that are asked what only somebody who watched the balls knows."""
    game, state = runtime.referee.game, runtime.referee.state
    return [
        prompt.seat for seat in SEATS[:3] for prompt in game.private(state, seat).prompts if prompt.watched
    ]


@pytest.mark.slow
def test_people_at_a_simulated_table_are_not_asked_what_only_the_simulator_knows():
    """A ball that no sensor saw is found by the simulator before a phone could ask where it went."""
    made = begin(9, which="lean", noise=Noise(miss=0.15))
    assert play(made, until=watched, steps=60_000)
    for seat in SEATS[:3]:
        made.host.bots.pop(seat)
    asked = watched(made.host.runtime)
    made.step()
    assert asked
    assert watched(made.host.runtime) == []
