"""Games are found by their kind, and imported only then."""

import re
import subprocess
import sys

import msgspec
import pytest
from helpers.installed_example import somebodys_game
from helpers.tabletop import setup
from hextraction.board.profile import STANDARD, load_board
from hextraction.controller.app import main
from hextraction.controller.config import read_config
from hextraction.controller.games import registry
from hextraction.controller.games.hextraction import Hextraction
from hextraction.controller.workshop.bring_up.checkup.computer import games
from hextraction.controller.workshop.bring_up.checkup.machine import Case, Machine
from hextraction.settings import SettingsError


def test_every_kind_names_its_own_class():
    """What a game is registered as is what it writes into journals."""
    assert [registry.game_type(kind).kind for kind in registry.kinds()] == list(registry.kinds())
    assert registry.game_type("hextraction") is Hextraction


def test_a_kind_that_nobody_has_installed_is_refused_with_those_there_are():
    """The message is for whoever opens somebody else's journal."""
    with pytest.raises(registry.UnknownGameError, match="no game 'ludo' is installed; there are hextraction"):
        registry.game_type("ludo")


def test_a_set_up_reads_back_equal():
    """As a journal's header needs it."""
    assert registry.read_setup("hextraction", msgspec.json.encode(setup())) == setup()


def test_knowing_the_kinds_imports_no_game():
    """A list of games stays quick however many there are."""
    look = (
        "import sys\n"
        "from hextraction.controller.games import registry\n"
        "registry.kinds()\n"
        "print('hextraction.controller.games.hextraction' in sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, check=True)
    assert told.stdout == "False\n"


# --- games of somebody else's that are broken -------------------------------------------------------------------

RING = "from light_the_ring.game import LightTheRing\n"
BROKEN = {
    "raises": ("1 / 0", "ZeroDivisionError"),
    "leaves": ("import sys; sys.exit(3)", "SystemExit"),
    "lacks a module": ("import no_such_module", "No module named 'no_such_module'"),
    "lacks its class": ("", "no attribute 'Theirs'"),
    "no class": ("Theirs = 7", "want a class, found 7"),
    "no game": ("class Theirs:\n    kind = 'odd'", "lacks read_rules, demo_rules, on"),
    "a promise only": (
        "from hextraction.controller.games.protocol import Game\nclass Theirs(Game):\n    kind = 'odd'",
        "step",
    ),
    "of another kind": (
        f"{RING}class Theirs(LightTheRing):\n    kind = 'even'",
        "'even', the entry point 'odd'",
    ),
    "for nobody": (
        f"{RING}class Theirs(LightTheRing):\n    kind = 'odd'\n    seats = range(0)",
        "range(0, 0)",
    ),
    "without a title": (f"{RING}class Theirs(LightTheRing):\n    kind = 'odd'\n    title = None", "title"),
    "without a set-up": (
        f"{RING}class Theirs(LightTheRing):\n    kind = 'odd'\n    setup_type = dict",
        "setup_type",
    ),
    "fails at once": (
        f"{RING}class Theirs(LightTheRing):\n    kind = 'odd'\n    @classmethod\n    def on(cls, *_): 1 / 0",
        "ZeroDivisionError",
    ),
}


@pytest.fixture(params=BROKEN.values(), ids=BROKEN)
def broken(request, tmp_path):
    """Let a package be installed whose game ``odd`` is broken; return what is wrong with it."""
    code, wrong = request.param
    with somebodys_game(tmp_path, "odd", code):
        yield wrong


def test_a_broken_game_is_named_with_its_package_and_what_is_wrong(broken):
    """Whoever asks for it is told; who lists games or asks for another one is not troubled."""
    with pytest.raises(registry.BrokenGameError, match=re.escape(broken)) as told:
        registry.open_game("odd", load_board(STANDARD))

    assert "'odd' of somebodys-game 0.1" in str(told.value)
    assert registry.kinds()[-1] == "odd"
    assert registry.open_game("hextraction", load_board(STANDARD)).kind == "hextraction"
    assert len(registry.page_folders()) == 1


def test_no_command_ends_in_a_traceback_over_a_broken_game(broken, capsys):
    """What plays it refuses with one line and status 2; ``games`` lists the others, and says what is wrong."""
    assert main(["demo", "--game", "odd", "--no-page", "--games", "1", "--journal", ":memory:"]) == 2
    assert "'odd' of somebodys-game" in capsys.readouterr().err
    main(["games"])
    listed = capsys.readouterr().out
    assert listed.startswith("hextraction ")
    assert "odd " in listed


def test_a_package_is_looked_at_but_not_imported_for_its_page(tmp_path):
    """A game that cannot even be imported takes no page with it."""
    with somebodys_game(tmp_path, "odd", "1 / 0"):
        assert registry.page_folders() == (tmp_path / "theirs_odd" / "page",)


def test_a_name_that_can_be_no_kind_is_left_out_and_told(tmp_path):
    """It would stand in topics, addresses and files."""
    with somebodys_game(tmp_path, "Odd Game", RING):
        assert registry.kinds() == tuple(registry.SHIPPED)
        assert "a-z" in registry.broken_games()["Odd Game"]


def test_the_doctor_names_a_broken_game(tmp_path):
    """The table plays the others all the same."""
    with somebodys_game(tmp_path, "odd", "1 / 0"):
        finding = games(Case(machine=Machine()))

    assert finding.state == "problem"
    assert "somebodys-game 0.1" in finding.says


def test_a_configuration_that_wants_a_broken_game_is_a_mistake_with_its_line(tmp_path):
    """The game that is played first, and house rules of another."""
    path = tmp_path / "hextraction.toml"
    path.write_text('[table]\ngame = "odd"\n\n[odd]\nlong = true\n')
    with somebodys_game(tmp_path, "odd", "1 / 0"), pytest.raises(SettingsError) as told:
        read_config(path)

    assert {problem.line for problem in told.value.problems} == {2, 5}
