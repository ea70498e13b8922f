"""The time of a scenario: the balls lie still, the grace passes, the game is woken."""

from typing import Final

from hextraction.board.facts import Answer, BallEntered, BallLeft, Question, RollSettled
from hextraction.controller.games.hextraction import Phase, State
from hextraction.controller.games.protocol import Woke
from hextraction.controller.scenario_driver import Driver, Unmet

__all__ = ["commit", "quiet", "wait"]

_SECOND_US: Final = 1_000_000


def _question(driver: Driver) -> Question | None:
    """Return what the board asks about a ball that lies on one of several slots."""
    if driver.unsure is None or driver.state.roll is None:
        return None
    (ball, slots), driver.unsure = driver.unsure, None
    on = driver.state.roll.record.on.get(ball, ())
    answers = []
    for slot in slots:
        left = [BallLeft(at_us=driver.now(), ball=ball, slot=old) for old in on if slot not in on]
        entered = [] if slot in on else [BallEntered(at_us=driver.now(), ball=ball, slot=slot)]
        counts = tuple(int(other == slot) for other in slots)
        facts = (*driver.facts, *left, *entered)
        answers.append(Answer(counts=counts, facts=facts, likelihood=1 / len(slots), probability=1.0))
    return Question(kind="rests", slots=slots, answers=tuple(answers))


def quiet(driver: Driver, _fields: dict[str, str]) -> None:
    """Nothing moves any more: the account of everything since the last quiet, or the people's word."""
    question = _question(driver)
    facts, missing = tuple(driver.facts), tuple(driver.missing)
    driver.facts, driver.missing = [], []
    if driver.attests() and driver.state.roll is not None:
        driver.act(driver.teller(), do="attest", saw="still")
    else:
        driver.feed(RollSettled(at_us=driver.now(), facts=facts, missing=missing, question=question))


def commit(driver: Driver, _fields: dict[str, str]) -> None:
    """The grace passes, if the game is settling.

    Raises:
        Unmet: something moves, waits or is asked.
    """
    state = driver.state
    asked = state.vote is not None or bool(state.asks)
    if state.phase in {Phase.CHOOSING, Phase.OVER} and not asked:
        return  # all is committed already
    if state.phase is not Phase.SETTLING or asked:
        raise Unmet("the game to be settling", _stand(state))
    driver.at_us = max(driver.now(), driver.state.deadline_us or 0)
    driver.feed(Woke(at_us=driver.at_us))


def _stand(state: State) -> str:
    asked = "".join(f", {ask.seat} is asked {ask.kind}" for ask in state.asks)
    return f"phase {state.phase.value}{', a vote is open' if state.vote else ''}{asked}"


def wait(driver: Driver, fields: dict[str, str]) -> None:
    """Time passes; the game is woken whenever it asked for it."""
    until = driver.at_us + round(float(fields["N"]) * _SECOND_US)
    wake = driver.game.wake_at_us(driver.state)
    while wake is not None and wake <= until:
        driver.at_us = max(driver.at_us, wake)
        before = driver.state
        driver.feed(Woke(at_us=driver.at_us))
        wake = driver.game.wake_at_us(driver.state)
        if driver.state == before:
            break
    driver.at_us = until
