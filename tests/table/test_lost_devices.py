"""What a table does without devices that have stopped answering."""

import pytest
from helpers.simulated import begin, now_us, replayed, state
from hextraction.controller.play.journal import Broken
from hextraction.controller.table.lost_devices import LostDevices
from hextraction.hal.ports import Edge


@pytest.fixture
def table():
    """Return a game on a simulated board, and its absences."""
    made = begin(7, players=2)
    yield made, LostDevices(made.host, made.rig.sensors)
    made.close()


def declared(made):
    """Return what the journal says of sensors: name, broken, by the machine."""
    game = made.host.runtime.game
    told = [entry.what for entry in made.host.journal.entries(game) if isinstance(entry.what, Broken)]
    return [(each.sensor, each.broken, each.lost) for each in told]


def told(made):
    """Return a list that grows with what everybody is told of devices."""
    texts, say = [], made.host.runtime.say
    made.host.runtime.say = lambda said: (texts.append(said.text), say(said))
    return texts


def test_one_lost_sensor_is_not_believed_and_believed_again(table):
    """Journalled as the machine's word; the game goes on with the rest."""
    made, absence = table
    absence.lost("drain.A1", "the cable is out")
    absence.settle(now_us(made))
    absence.settle(now_us(made))
    assert declared(made) == [("drain.A1", True, True)]
    assert state(made).power
    absence.found("drain.A1")
    absence.settle(now_us(made))
    assert declared(made)[1:] == [("drain.A1", False, True)]


def test_a_muted_sensor_is_not_believed_until_it_is_quiet_and_then_it_is(table):
    """Whatever the tracker thought of it while it chattered is forgiven; the table is told what is the matter."""
    made, absence = table
    texts, tracker = told(made), made.host.runtime.referee.tracker
    for number in range(60):
        made.host.edge(Edge("drain.A1", number % 2 == 0, now_us(made) + number * 2_000))
    assert tracker.doubted == {"drain.A1": "noisy"}
    absence.lost("drain.A1", "it changes far too often", muted=True)
    absence.settle(now_us(made))
    assert declared(made) == [("drain.A1", True, True)]
    assert (absence.sensors, absence.muted) == ((), ("drain.A1",))
    absence.found("drain.A1")
    absence.settle(now_us(made))
    assert declared(made)[1:] == [("drain.A1", False, True)]
    assert tracker.doubted == {}
    assert absence.muted == ()
    assert texts == [
        "Sensor drain.A1: changes far too often, and does not count until it is quiet.",
        "Sensor drain.A1: back again.",
    ]


def test_half_of_the_board_lost_is_as_good_as_dark(table):
    """The players tell what balls do, until the sensors are back."""
    made, absence = table
    for sensor in made.rig.sensors:
        absence.lost(sensor, "the sensor hub is away")
    absence.settle(now_us(made))
    assert absence.blind
    assert not state(made).power
    for sensor in made.rig.sensors:
        absence.found(sensor)
    absence.settle(now_us(made))
    assert state(made).power


def test_beside_a_lost_hub_the_board_goes_on_seeing_with_the_others(table):
    """Also where the lost one had more than half of all sensors; dark it is when none sees half of its own."""
    made, _one_hub = table
    sensors = made.rig.sensors
    right, left = ([name for name in sensors if (name[-1] in "12") is small] for small in (True, False))
    absence = LostDevices(made.host, sensors, parts=[left, right])
    for sensor in right:
        absence.lost(sensor, "the sensor hub right is away")
    absence.settle(now_us(made))
    assert {name for name, _broken, _lost in declared(made)} == set(right)
    assert state(made).power
    for sensor in left:
        absence.lost(sensor, "the sensor hub left is away")
    absence.settle(now_us(made))
    assert not state(made).power
    for sensor in left:
        absence.found(sensor)
    absence.settle(now_us(made))
    assert state(made).power


def test_a_switched_off_board_stays_off_whatever_returns(table):
    """Both the switch and the sensors must be there."""
    made, absence = table
    absence.switched(False)
    absence.settle(now_us(made))
    assert not state(made).power
    absence.lost("drain.A1", "gone")
    absence.found("drain.A1")
    absence.settle(now_us(made))
    assert not state(made).power
    absence.switched(True)
    absence.settle(now_us(made))
    assert state(made).power


def test_what_people_declared_broken_is_left_to_them(table):
    """A device that goes and returns does not make a doubted sensor believed."""
    made, absence = table
    assert made.host.runtime.declare("drain.A1", now_us(made), broken=True)
    absence.lost("drain.A1", "gone")
    absence.settle(now_us(made))
    absence.found("drain.A1")
    absence.settle(now_us(made))
    assert declared(made) == [("drain.A1", True, False)]


def test_another_run_of_the_game_finds_its_losses_in_the_journal(table):
    """A sensor that was lost before a restart and answers now is believed again, and was never people's word."""
    made, absence = table
    absence.lost("drain.A1", "gone")
    absence.settle(now_us(made))
    again = LostDevices(made.host, made.rig.sensors)
    assert replayed(made).lost == {"drain.A1"}
    assert made.host.broken == frozenset()
    again.settle(now_us(made))
    assert declared(made)[-1] == ("drain.A1", False, True)


def test_what_is_no_sensor_is_nobodys_loss(table):
    """A coil that is lost darkens nothing."""
    made, absence = table
    absence.lost("gate.L1", "gone")
    absence.settle(now_us(made))
    assert declared(made) == []


def test_lamps_that_are_gone_are_told_and_stop_nothing(table):
    """Once, with the reason; so is their return. Nothing is journalled, and the board sees as before."""
    made, _absence = table
    absence = LostDevices(made.host, made.rig.sensors, others={"pixels": "The lamps"})
    said = told(made)
    absence.lost("pixels", "no DMA")
    for _ in range(2):
        absence.settle(now_us(made))
    assert [(one.sensor, one.state, one.why) for one in absence.troubles] == [("pixels", "lost", "no DMA")]
    absence.found("pixels")
    absence.settle(now_us(made))
    assert said == [
        "The lamps: no answer, no DMA. The game goes on without that.",
        "The lamps: back again.",
    ]
    assert declared(made) == []
    assert absence.troubles == ()
    assert state(made).power
