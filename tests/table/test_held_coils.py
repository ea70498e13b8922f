"""Coils that wait for a person: what the table is told, what it answers, what the journal keeps."""

import pytest
from helpers.simulated import begin, entries, now_us, play, replayed, state, table
from hextraction.controller.games.hextraction import Phase
from hextraction.controller.payloads.messages import Command
from hextraction.controller.play.journal import CoilsHeld
from hextraction.controller.table.held_coils import HeldCoils
from hextraction.hal.ports import PulseResult

CLEAR = {"do": "coils", "say": "clear"}


class Audience:
    """People with phones at a table, and what they were shown."""

    def __init__(self):
        self.here = {}
        self.replies, self.events, self.tables = [], [], []

    def reply(self, seat, reply):
        self.replies.append((seat, reply))

    def publish_table(self, shown):
        self.tables.append(shown)

    def publish_event(self, event):
        self.events.append(event)

    def __getattr__(self, name):
        return lambda *_words, **_more: None


class Table:
    """A game on a simulated board with gates, its coils' supply, and the consent for it."""

    def __init__(self, made):
        self.made, self.host = made, made.host
        self.supply = made.devices.power.supply
        self.host.audience = self.people = Audience()
        self.coils = HeldCoils(self.host, self.supply, made.devices.solenoids.names)
        self.supply.listen(self.coils.changed)

    def stop(self, pressed):
        """Press or release the emergency stop, and let some moments pass."""
        self.supply.seen("hub", good=not pressed)
        self.coils.settle(now_us(self.made))

    def say(self, words, seat="red"):
        """Tell the table something from a phone; return the answer."""
        self.host.command(seat, Command(id=f"c{len(self.people.replies)}", table=words), now_us(self.made))
        return self.people.replies[-1][1]

    def run(self, steps):
        """Let time pass, with the consent at work."""
        for _step in range(steps):
            self.made.step()
            self.coils.settle(now_us(self.made))

    def until_ramp(self):
        """Play until somebody asks for a ramp; return it."""
        play(self.made, until=lambda runtime: runtime.referee.state.phase is Phase.RELEASING)
        return state(self.made).intent[1]

    @property
    def pulses(self):
        """How often a coil was fired."""
        return self.made.devices.solenoids.results[PulseResult.DONE]

    @property
    def shown(self):
        """What phones see of the coils."""
        return self.people.tables[-1].coils

    def told(self, kind="coils"):
        """Return the texts of that kind that phones have been told."""
        self.host.refresh(now_us(self.made))
        return [event.text for event in self.people.events if event.kind == kind]

    def journalled(self):
        """Return what the journal says of coils."""
        return [entry.what for entry in entries(self.made) if isinstance(entry.what, CoilsHeld)]


@pytest.fixture
def game():
    """A game of two on a board with gates."""
    made = begin(7, players=2)
    yield Table(made)
    made.close()


def test_a_pressed_stop_is_shown_and_journalled(game):
    """Phones say what to do; nothing can be confirmed while it is pressed."""
    game.stop(pressed=True)
    assert game.shown.state == "stopped"
    assert "by hand" in game.shown.say
    assert game.shown.says == ()
    assert [(entry.held, entry.seat) for entry in game.journalled()] == [(True, "")]
    assert not game.say(CLEAR).ok


def test_the_release_asks_and_any_phone_may_answer(game):
    """Who said it is in the journal and told to all; then the question is gone."""
    game.stop(pressed=True)
    game.stop(pressed=False)
    assert game.shown.state == "asks"
    assert game.shown.say == "The emergency stop was released. Is everybody's hand clear of the board?"
    assert game.shown.says == ("clear",)
    assert not game.say({"do": "coils", "say": "what"}).ok
    assert game.say(CLEAR, seat="blue").ok
    assert game.shown is None
    assert [(entry.held, entry.seat) for entry in game.journalled()] == [(True, ""), (False, "blue")]
    assert game.told()[-1].endswith("says that all hands are clear. Gates open again.")
    assert game.supply.may_arm
    assert not game.say(CLEAR).ok


def test_the_button_yes_answers_only_that_question(game):
    """No other button, and at no other time."""
    assert not game.coils.pressed("button.yes", now_us(game.made))
    game.stop(pressed=True)
    assert not game.coils.pressed("button.yes", now_us(game.made))
    game.stop(pressed=False)
    assert not game.coils.pressed("button.no", now_us(game.made))
    assert game.coils.pressed("button.yes", now_us(game.made))
    assert game.supply.may_arm
    assert (game.journalled()[-1].held, game.journalled()[-1].seat) == (False, "")


def test_a_gate_that_was_asked_for_opens_when_hands_are_clear(game):
    """Not before, however long it takes; half a second afterwards, once."""
    game.stop(pressed=True)
    game.until_ramp()
    game.host.bots.clear()  # nobody asks for it again
    game.stop(pressed=False)
    before = game.pulses
    game.run(200)
    assert (game.pulses, state(game.made).phase) == (before, Phase.RELEASING)
    game.say(CLEAR)
    freed_us = now_us(game.made)
    while game.pulses == before:
        game.run(1)
    assert 500_000 <= now_us(game.made) - freed_us <= 600_000
    game.run(30)
    assert state(game.made).phase is not Phase.RELEASING
    assert game.host.performer.held_gate is None


def test_a_ball_that_was_let_go_by_hand_is_followed_by_no_second_one(game):
    """Nobody has answered, the game went on by hand: the gate that was asked for stays shut."""
    game.stop(pressed=True)
    ramp = game.until_ramp()
    game.stop(pressed=False)
    before = game.pulses
    game.made.devices.world.release(ramp)
    game.run(100)
    assert state(game.made).phase is not Phase.RELEASING
    game.say(CLEAR)
    game.run(100)
    assert (game.pulses, game.host.performer.held_gate) == (before, None)


def test_a_game_that_was_interrupted_goes_on_with_coils_held(game):
    """Another start of the controller does not take the place of a person."""
    game.stop(pressed=True)
    assert replayed(game.made).state == state(game.made)
    game.supply.seen("hub", good=True)
    game.supply.confirm()
    again = HeldCoils(game.host, game.supply)
    again.settle(now_us(game.made))
    assert not game.supply.may_arm
    assert again.view.state == "asks"
    assert game.say(CLEAR).ok


def test_before_a_game_the_question_is_asked_too():
    """Nothing is journalled then."""
    made = table(7, players=2)
    lobby = Table(made)
    lobby.stop(pressed=True)
    lobby.stop(pressed=False)
    assert lobby.shown.state == "asks"
    assert lobby.say(CLEAR).ok
    assert lobby.supply.may_arm
    made.close()


def test_a_fault_is_told_until_the_next_start(game):
    """Nothing can be confirmed; what is noticed afterwards is told, too."""
    fault = "900 mA flow although no coil is on: a stuck transistor"
    game.supply.failed(fault)
    game.coils.lost("coil supply", fault)
    game.coils.settle(now_us(game.made))
    assert game.shown.state == "off"
    assert fault in game.shown.say
    assert game.shown.say.count(fault) == 1
    assert not game.say(CLEAR).ok
    game.coils.lost("coil supply", "900 mA flow though the supply is switched off: pull its plug now")
    game.coils.settle(now_us(game.made))
    assert "pull its plug now" in game.shown.say
    assert sum("pull its plug now" in text for text in game.told()) == 1


def test_a_coil_that_draws_nothing_is_told_once_and_listed(game):
    """With what the table does without it; sensors are not the consent's."""
    game.coils.lost("gate.L1", "it drew 0 mA of 1000: the coil is open")
    game.coils.lost("drain.A1", "no answer")
    game.run(3)
    assert game.told() == ["Gate L1: it drew 0 mA of 1000: the coil is open. Let balls go by hand."]
    assert [(one.sensor, one.state) for one in game.coils.troubles] == [("gate.L1", "lost")]
    game.coils.found("gate.L1")
    game.run(3)
    assert game.coils.troubles == ()


def test_a_lost_meter_and_many_coils_are_told_in_one_line_each(game):
    """Eight gates that are away with their hub are one loss."""
    for name in ("gate.L1", "gate.L2", "gate.R1"):
        game.coils.lost(name, "the sensor hub is away: the cable is out")
    game.coils.lost("current meter", "it does not answer: Remote I/O error")
    game.run(1)
    hub, meter = game.told()
    assert hub == "3 coils: the sensor hub is away: the cable is out. Let balls go by hand."
    assert meter.startswith("The current meter: it does not answer: Remote I/O error. The coils still work")


def test_a_gate_from_which_no_ball_comes_is_told_with_what_to_do(game):
    """Its pulse was too short for a ball: a moment later the table says so, once, and the roll waits."""
    game.made.devices.solenoids._usual_ms = dict.fromkeys(game.made.devices.solenoids.names, 30)
    ramp = game.until_ramp()
    opened_us = now_us(game.made)
    while not game.told() and now_us(game.made) < opened_us + 5_000_000:
        game.run(1)

    assert 800_000 <= now_us(game.made) - opened_us <= 1_000_000
    (told,) = game.told()
    assert told.startswith(f"The gate of ramp {ramp} opened, but no ball came.")
    assert "let it go by hand" in told
    game.run(5)
    assert len(game.told()) == 1
    assert state(game.made).phase is Phase.RELEASING
    game.made.devices.world.release(ramp)
    game.run(100)
    assert state(game.made).phase is not Phase.RELEASING


def test_a_gate_that_lets_its_ball_go_is_not_mentioned(game):
    """The usual pulse, and nobody hears of the gate."""
    game.until_ramp()
    game.run(400)

    assert state(game.made).phase is not Phase.RELEASING
    assert game.told() == []
