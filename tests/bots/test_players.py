"""A bot chooses among exactly what a person in its seat would be shown."""

import pytest
from helpers.simulated import BOARD, TILES, begin, play
from hextraction.controller.bots.players import Bot
from hextraction.controller.games.hextraction.shown.strategy import HexStrategy
from hextraction.controller.games.scene import Option, PrivateView, Prompt
from hextraction.controller.games.strategy import Sight

STRATEGY = HexStrategy(BOARD, TILES)
SECOND_US = 1_000_000


def option(group, label="", **more):
    """Return an option."""
    return Option(group=group, label=label or group, act={"do": group, "word": label}, **more)


def view(*options, prompts=()):
    """Return what the red seat may see."""
    return PrivateView(seat="red", hand=(), options=tuple(options), prompts=tuple(prompts))


def bot(seed=1, knows=None):
    """Return a bot in the red seat."""
    return Bot("red", seed, strategy=STRATEGY, knows=knows)


def decides(player, seen, layout=None):
    """Let a bot think until it acts; return what it does and how long that took."""
    for tenth in range(40):
        act = player.think(seen, Sight(lambda: layout or {}, lambda: None), tenth * SECOND_US // 10)
        if act is not None:
            return act, tenth / 10
    return None, 4.0


def test_a_bot_thinks_before_it_acts():
    """Between half a second and one pass from the question to the answer."""
    _act, seconds = decides(bot(), view(option("end")))
    assert 0.5 <= seconds <= 1.0


def test_a_bot_with_nothing_to_do_does_nothing():
    """Without options there is no act, and groups that are not a bot's business are left alone."""
    assert decides(bot(), view())[0] is None
    assert decides(bot(), view(option("concede"), option("vote"), option("break_loop")))[0] is None


def test_a_bot_lays_its_tile_before_it_rolls_and_ends_last():
    """Of several things that are possible it does the first in that order."""
    assert decides(bot(), view(option("end"), option("roll", ramp="L1"), option("play")))[0]["do"] == "play"
    assert decides(bot(), view(option("end"), option("roll", ramp="L1")))[0]["do"] == "roll"


def test_a_question_comes_first_and_gets_its_default_or_what_somebody_saw():
    """A bot answers with what it knows, else with the default, else with any of the answers."""
    answers = tuple(
        Option(group="answer", label=word, act={"do": "answer", "choice": word}) for word in ("off", "fell")
    )
    open_question = Prompt(id="q1", seat="red", kind="missing", text="?", clause="R-34", options=answers)
    with_default = Prompt(id="q2", seat="red", kind="x", text="?", clause="R-34", options=answers, default=1)
    assert (
        decides(bot(knows=lambda _prompt: "fell"), view(option("end"), prompts=[open_question]))[0]["choice"]
        == "fell"
    )
    assert decides(bot(), view(option("end"), prompts=[with_default]))[0]["choice"] == "fell"
    assert decides(bot(), view(prompts=[open_question]))[0]["choice"] in {"off", "fell"}


def test_a_bot_waits_while_the_hands_lay_its_tile():
    """Once the slot is chosen the tile is on its way: the bot does nothing meanwhile."""
    assert decides(bot(), view(option("seated"), option("end")))[0] is None


def test_a_bot_votes_for_itself_only():
    """A ballot that names another seat is not its own."""
    other = Option(group="ballot", label="for blue", act={"do": "ballot", "seat": "blue", "yes": True})
    own = Option(group="ballot", label="yes", act={"do": "ballot", "yes": True})
    assert decides(bot(), view(other, own))[0] == own.act


def test_the_same_seed_decides_the_same():
    """Two bots of one seed do the same; their seats make them differ."""
    many = view(*(option("roll", f"{number}", ramp=ramp.name) for number, ramp in enumerate(BOARD.ramps)))
    choices = [[decides(bot(seed), many)[0]["word"] for seed in range(9)] for _time in range(2)]
    assert choices[0] == choices[1]


@pytest.mark.slow
@pytest.mark.mutants
def test_everything_that_bots_choose_is_accepted(caplog):
    """In a whole game no bot is refused anything."""
    table = begin(7)
    assert play(table)
    assert "was refused" not in caplog.text
