"""Every game that comes with the board keeps its promises, and so does the example; and a game cut off goes on.

One evening of the example is looked at in the fast suite; one of each game that comes with the board in the
slow one; three more evenings of each, and every type of event by itself, by night.
"""

import pytest
from helpers.installed_example import KIND as EXAMPLE
from helpers.installed_example import example_is_installed
from helpers.tiers import nightly
from hextraction.board.profile import load_board
from hextraction.controller.app.simulation import Simulation, SimulationSettings
from hextraction.controller.games import registry
from hextraction.controller.play.journal import Journal
from hextraction.controller.play.referee import replay
from hextraction.controller.table.lobby import SEATS, Lobby
from hextraction.testing.contract import *  # noqa: F403 - as authors of games do it

SLOW = nightly("three more evenings of each game, and every type of event")
INSTALLED = tuple(dict.fromkeys((*registry.kinds(), EXAMPLE)))
"""Every game that is installed, and the example."""
KINDS = [
    pytest.param(kind, marks=() if kind == EXAMPLE else (pytest.mark.slow, pytest.mark.mutants))
    for kind in INSTALLED
]
NUMBERS, LONG = (0,), (1, 2, 3)
ENDLESS = 200_000


@pytest.fixture(scope="module", autouse=True)
def _installed(tmp_path_factory):
    """Have the example among the games."""
    with example_is_installed(tmp_path_factory.mktemp("example")):
        yield


# --- the journal --------------------------------------------------------------------------------------------------


def table(kind, journal, seed=3):
    """Return a simulated table whose bots sit already."""
    made = registry.game_type(kind)
    seats = max(2, made.seats[0])
    lobby = Lobby(SEATS[:3], bots_fill=True, wanted=seats)
    game = made.on(load_board(), made.demo_rules(18))
    at = Simulation(game, journal, lobby, SimulationSettings(seed=seed, speed=0, bots="weak"))
    lobby.fill()
    return at


def goes_on(at, until):
    """Let a table play until something holds; return its runtime."""
    for _step in range(ENDLESS):
        if until(at.host.runtime):
            return at.host.runtime
        at.step()
    pytest.fail("it never came to that")


@pytest.mark.parametrize(
    "played", [pytest.param(kind, marks=() if kind == EXAMPLE else pytest.mark.slow) for kind in INSTALLED]
)
def test_a_game_cut_off_is_the_same_in_the_journal_and_goes_on(played, tmp_path):
    """Thrice what is read back from the file is the very state in which the table was, and from there it goes on to an end."""
    journal = Journal(tmp_path / "games.db")
    at = table(played, journal)
    assert at.begin() == []
    for turn in (1, 2, 3):
        was = goes_on(at, lambda now, turn=turn: now.standing.turn >= turn and now.referee.seq >= 2 * turn)
        journal.close()

        journal = Journal(tmp_path / "games.db")
        assert journal.open_game() == was.game
        header = journal.header(was.game)
        assert header.kind == played
        assert replay(at.host.game, header, journal.entries(was.game)).state == was.referee.state
        at = table(played, journal)
        at.resume(was.game)
        assert at.host.runtime.standing == was.standing
    over = goes_on(at, lambda runtime: runtime.over)
    assert over.failures == 0
    assert replay(at.host.game, header, journal.entries(was.game)).state == over.referee.state
    assert journal.games() == [(was.game, over.standing.outcome)]
    journal.close()
