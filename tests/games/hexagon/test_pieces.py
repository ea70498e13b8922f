"""What a board sees of pieces is held against what was declared; nothing is guessed."""

from hextraction.controller.games.hexagon.pieces import (
    answered,
    attested,
    believed,
    declared,
    noted,
    seen,
    told,
    watching,
)

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


def test_what_a_sensor_says_is_told_once_and_only_if_nobody_declared_it():
    """The same piece twice is one surprise; what hands should do is none."""
    watch, how = seen(seeing("A1"), LIES, "E3", present=True)
    assert how == "put"
    assert seen(watch, LIES, "E3", present=True)[1] == ""
    assert seen(watch, LIES, "A1", present=False)[1] == "lifted"
    busy = declared(seeing("A1"), LIES, ["B2"], on=True)
    assert seen(busy, LIES, "B2", present=True)[1] == ""


def test_hands_have_to_do_what_was_declared_and_not_what_was_a_surprise():
    """A piece that nobody mentioned is asked about; it is not on the list of what to do."""
    watch = noted(declared(seeing("A1", "C3"), LIES, ["B2", "C3"], on=True), "E3", present=True)
    assert watch.todo(LIES) == (("C3",), ("B2",))
    assert (watch.question(LIES), seeing(*LIES).question(LIES)) == ("board--E3", "")
    assert [watch.wants(LIES, slot) for slot in ("A1", "B2", "C3")] == ["", "put", "lift"]


def test_people_are_believed_only_where_something_should_be_done():
    """Who laid a piece may leave out where; who lifted one says it."""
    watch = declared(seeing("A1", "C3"), LIES, ["B2", "C3"], on=True)
    assert attested(watch, LIES, "", laid=True).taken == ("A1", "B2", "C3")
    assert attested(watch, LIES, "C3", laid=False).taken == ("A1",)
    assert attested(watch, LIES, "", laid=False) is None
    assert attested(watch, LIES, "A1", laid=True) is None


def test_a_surprise_is_put_back_or_the_sensor_is_wrong():
    """Any other answer is the game's own."""
    watch = noted(seeing(*LIES), "E3", present=True)
    put_back, nobody = answered(watch, LIES, "back")
    assert (put_back.busy, nobody) == (("E3",), ())
    unbelieved, wrong = answered(watch, LIES, "wrong")
    assert (unbelieved.wrong, wrong) == (("E3",), ("E3",))
    assert answered(watch, LIES, "drop S a1") is None
