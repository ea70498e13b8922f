"""The two buttons at the table: what a press means, and when it means nothing."""

import pytest
from helpers.simulated import begin, entries, now_us, play, state, table
from hextraction.board.profile import load_board
from hextraction.controller.games.hextraction import Phase
from hextraction.controller.games.scene import Option, PrivateView, Prompt
from hextraction.controller.rig import match_rig
from hextraction.controller.table.buttons import Buttons, meant
from hextraction.hal.ports import Edge
from msgspec.structs import replace

YES, NO = "button.yes", "button.no"


def option(group, **act):
    """One thing that may be done."""
    return Option(group=group, label=group, act={"do": group, **act})


def marked(word, **more):
    """An option that the game has marked for the button."""
    return replace(option(word, **more), by_button=True)


def question(*choices):
    """A question to somebody, with these answers."""
    options = tuple(option("answer", prompt="q1", choice=choice) for choice in choices)
    return Prompt(id="q1", seat="red", kind="k", text="?", clause="0.0", options=options)


def view(*options, prompts=(), others=()):
    """What the active player sees."""
    return PrivateView(seat="red", hand=(), options=options, prompts=prompts, others=others)


@pytest.mark.parametrize("whose", ["prompts", "others"])
@pytest.mark.parametrize(("button", "choice"), [(YES, "yes"), (NO, "no")])
def test_a_question_of_yes_and_no_is_answered(whose, button, choice):
    """Each button gives its own answer, also where the question is for another seat."""
    asked = view(option("end"), **{whose: (question("yes", "no"),)})
    assert meant(button, asked) == ({"do": "answer", "prompt": "q1", "choice": choice},)


@pytest.mark.parametrize("button", [YES, NO])
def test_a_question_with_other_answers_is_left_to_the_phones(button):
    """Which tile or which slot no button can say; and nothing else is done meanwhile."""
    assert meant(button, view(option("end"), prompts=(question("A1", "B2"),))) == ()


def test_yes_goes_on_and_no_does_not():
    """While the game settles yes speaks for all who are silent; else it ends the turn; no does neither."""
    settling = view(marked("agree"), marked("agree", seat="blue"), option("concede"))
    assert meant(YES, settling) == ({"do": "agree"}, {"do": "agree", "seat": "blue"})
    assert meant(YES, view(option("roll"), marked("end"))) == ({"do": "end"},)
    assert meant(YES, view(option("roll"), option("concede"))) == ()
    assert meant(NO, settling) == ()


def test_a_press_while_the_game_settles_ends_the_wait():
    """In a real game one press does for everybody, and the journal has it as acts of the active player."""
    made = begin(3, config={"grace_us": 1_500_000})
    play(made, steps=20_000, until=lambda runtime: runtime.referee.state.phase is Phase.SETTLING)
    assert state(made).phase is Phase.SETTLING
    active, before = state(made).active, len(entries(made))

    Buttons(made.host).edge(Edge(YES, active=True, at_us=now_us(made)))

    acts = [entry.what for entry in entries(made)[before:] if type(entry.what).__name__ == "Acted"]
    assert acts
    assert {(act.seat, act.act["do"]) for act in acts} == {(active, "agree")}
    assert state(made).phase is not Phase.SETTLING


def test_a_press_counts_when_it_goes_down_and_only_in_a_game():
    """Letting go does nothing; in a break, and before a game, neither button does anything."""
    made = begin(3, config={"grace_us": 1_500_000})
    play(made, steps=20_000, until=lambda runtime: runtime.referee.state.phase is Phase.SETTLING)
    buttons, before = Buttons(made.host), len(entries(made))
    buttons.edge(Edge(YES, active=False, at_us=now_us(made)))
    made.host.lobby.paused = True
    assert buttons.press(YES, now_us(made)) == 0
    assert len(entries(made)) == before
    assert Buttons(table(4).host).press(YES, 0) == 0


def test_buttons_are_no_sensors_of_the_board():
    """The rig knows them by themselves: nobody waits for a ball there, and other names stay mistakes."""
    rig, problems = match_rig(load_board("standard-22"), ["ramp.L1", YES, NO, "button.maybe"], [])
    assert (rig.sensors, rig.buttons) == (("ramp.L1",), (YES, NO))
    assert set(problems) == {"button.maybe"}
