"""At the table people choose which game is played, and whatever belongs to it follows."""

from dataclasses import replace

import pytest
from helpers.audience import Phones
from helpers.installed_example import example_is_installed
from helpers.simulated import BOARD, table
from hextraction.controller.games import registry
from hextraction.controller.games.marked_names import marked
from hextraction.controller.payloads.messages import Command
from hextraction.controller.table.host import Host
from hextraction.controller.table.lobby import SEATS, Lobby


@pytest.fixture(scope="module", autouse=True)
def _installed(tmp_path_factory):
    """Have the example among the games."""
    with example_is_installed(tmp_path_factory.mktemp("example")):
        yield


def choosing():
    """Return a table that may play two games, with a person at red, and its phones."""
    made = table(9)
    other = registry.open_game("ring", BOARD)
    host = Host(
        game=made.host.game,
        journal=made.host.journal,
        performer=made.host.performer,
        lobby=Lobby(SEATS[:4], bots_fill=True, wanted=4),
        plan=replace(made.host.plan, games={"hextraction": lambda: made.host.game, "ring": lambda: other}),
    )
    host.lobby.join("Ann", "red", {})
    phones = host.audience = Phones()
    return host, phones


def chooses(host, kind, number=1):
    """Let red choose a game."""
    host.command("red", Command(id=f"g{number}", table={"do": "game", "kind": kind}), 1_000)
    return host.audience.replies[-1][1]


def test_the_table_chooses_its_game_in_the_lobby():
    """Everybody is told which is played and which can be; words, seats and board follow."""
    host, phones = choosing()
    changed = []
    host.on_game = lambda: changed.append(host.game.kind)
    assert chooses(host, "ring").ok
    shown = phones.tables[-1]
    assert (shown.kind, shown.say) == ("ring", f"{marked('Ann')} chose {marked('Light the ring')}.")
    assert [one.kind for one in shown.games] == ["hextraction", "ring"]
    assert changed == ["ring"]
    host.lobby.fill()
    assert host.start(2_000) == []
    assert (host.runtime.referee.game.kind, host.runtime.referee.header.kind) == ("ring", "ring")
    assert host.lobby.wanted == 3


def test_a_game_is_not_changed_while_it_is_on_nor_to_one_that_is_not_there():
    """Both are refused in words, and the table plays on."""
    host, _phones = choosing()
    assert not chooses(host, "chess").ok
    assert not chooses(host, ["ring"], 2).ok
    host.lobby.fill()
    assert host.start(2_000) == []
    assert chooses(host, "ring", 3).reason.startswith("You can choose another game when")
    assert host.game.kind == "hextraction"


def test_an_interrupted_game_of_another_kind_is_gone_on_with():
    """What lies in the journal decides what the table plays after a restart."""
    host, _phones = choosing()
    chooses(host, "ring")
    host.lobby.fill()
    assert host.start(2_000) == []
    game = host.runtime.game
    again = Host(
        game=host.plan.games["hextraction"](),
        journal=host.journal,
        performer=host.performer,
        lobby=Lobby(SEATS[:4], bots_fill=True, wanted=4),
        plan=host.plan,
    )
    again.recall(game)
    assert (again.game.kind, again.runtime.game) == ("ring", game)
