"""Words for tests that play whole games on the simulated board, in memory and without a real clock."""

from hextraction.board.profile import load_board
from hextraction.controller.app.simulation import Simulation, SimulationSettings
from hextraction.controller.games.hextraction import Hextraction
from hextraction.controller.games.hextraction.cards.tilebook import load_catalogue
from hextraction.controller.play.journal import Journal
from hextraction.controller.play.referee import replay
from hextraction.controller.table.lobby import SEATS, Lobby
from msgspec.structs import replace

BOARD = load_board("standard-22")
TILES = load_catalogue(None)
LONGEST_STEPS = 150_000
OWN_TILES = "".join(
    f'[[tile]]\nname = "{name}"\ntitle = "Mine {name}"\nchannels = [[1, 4], [2, 5], [3, 6]]\n'
    for name in ("dc", "dic", "j", "s", "x")
)
"""A file of tiles of one's own, in the place of those that lie on the board from the start."""


def game(laid=18, board=BOARD, own=None, **config):
    """Return the rules of a demonstration: so many tiles laid, a folder of ``own`` ones, and other settings."""
    rules = Hextraction.demo_rules(laid, own)
    return Hextraction.on(board, replace(rules, config=replace(rules.config, **config)))


def table(
    seed=7, *, players=3, laid=18, journal=None, board=BOARD, people=False, config=None, own=None, **settings
):
    """Return a simulated table with bots, or as many ``people``; ``config`` changes its game's."""
    lobby = Lobby(SEATS[:players], bots_fill=True, wanted=players)
    chosen = SimulationSettings(seed=seed, speed=0, **settings)
    made = Simulation(game(laid, board, own, **(config or {})), journal or Journal(":memory:"), lobby, chosen)
    for seat in lobby.chairs if people else ():
        lobby.join("", seat.seat, {})
    lobby.fill()
    return made


def begin(seed=7, **settings):
    """Return a simulated table at which a game has begun."""
    made = table(seed, **settings)
    assert made.begin() == []
    return made


def play(made, *, steps=LONGEST_STEPS, until=None, show_every=0):
    """Let a game run until it is over, or until something holds; return whether it did."""
    for step in range(steps):
        runtime = made.host.runtime
        if until(runtime) if until is not None else runtime.over:
            return True
        made.step()
        if show_every and step % show_every == 0:
            made.show()
    return False


def now_us(made):
    """Return the time on a simulated table."""
    return made.devices.clock.now_us()


def state(made):
    """Return the state of the game that is on."""
    return made.host.runtime.referee.state


def entries(made):
    """Return the journal's entries of the game that is on."""
    return list(made.host.journal.entries(made.host.runtime.game))


def replayed(made):
    """Return the referee that the journal alone leads to."""
    header = made.host.journal.header(made.host.runtime.game)
    return replay(made.host.game, header, entries(made))
