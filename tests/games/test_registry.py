"""Games are found by their kind, and imported only then."""

import subprocess
import sys

import msgspec
import pytest
from helpers.tabletop import setup
from hextraction.controller.games import registry
from hextraction.controller.games.hextraction import Hextraction


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
