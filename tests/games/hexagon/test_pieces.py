"""What a board sees of pieces is held against what was declared; nothing is guessed."""

from hextraction.controller.games.hexagon.pieces import believed, declared, noted, told, watching

LIES = ("A1", "B2")


def seeing(*slots):
    """Return a watch of a board that sees, with pieces in these slots that were declared."""
    watch = watching((), sees=True)
    for slot in slots:
        watch = noted(watch, slot, present=True)
    return watch


def test_a_board_that_sees_nothing_looks_as_declared():
    """Without sensors, or with the board switched off, a declared act is done."""
    blind = declared(watching((), sees=False), LIES, ["A1"], on=True)
    assert not blind.differs(LIES)
    off = declared(watching((), sees=True), LIES, ["A1"], on=False)
    assert not off.differs(LIES)


def test_a_declared_act_waits_for_hands():
    """What was declared is to be lifted and put; it is no surprise, and over once the sensors say so."""
    watch = declared(seeing("A1", "C3"), LIES, ["B2", "C3"], on=True)
    assert (watch.lift(LIES), watch.put(LIES)) == (("C3",), ("B2",))
    assert watch.undeclared(LIES) == ((), ())
    watch = noted(noted(watch, "C3", present=False), "B2", present=True)
    assert not watch.differs(LIES)


def test_what_nobody_declared_is_asked():
    """A piece that was lifted or put without a word is told apart from what hands have to do."""
    watch = declared(seeing("A1"), LIES, ["B2"], on=True)
    watch = noted(noted(watch, "A1", present=False), "E3", present=True)
    assert watch.undeclared(LIES) == (("A1",), ("E3",))
    assert told(watch, ["A1", "E3"]).undeclared(LIES) == ((), ())


def test_hands_that_are_not_done_stay_busy_with_the_next_act():
    """An act that follows before the board looks right makes no surprise of the one before."""
    watch = declared(seeing(), LIES, ["A1", "B2"], on=True)
    watch = declared(noted(watch, "A1", present=True), (*LIES, "D4"), ["D4"], on=True)
    assert watch.undeclared((*LIES, "D4")) == ((), ())
    assert watch.busy == ("B2", "D4")


def test_a_sensor_that_people_call_wrong_is_not_asked_any_more():
    """Its slot looks as declared from then on, whatever it says."""
    watch = believed(noted(seeing(*LIES), "E3", present=True), ["E3"])
    assert not watch.differs(LIES)
    assert not noted(watch, "E3", present=False).differs(LIES)
    assert noted(watch, "A1", present=False).differs(LIES)


def test_the_same_again_changes_nothing():
    """A sensor that repeats itself is no news."""
    watch = seeing("A1")
    assert noted(watch, "A1", present=True) is watch
