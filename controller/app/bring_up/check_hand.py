"""A hand for the simulated board: does what a walk asks for, so that the walk runs without hardware."""

from collections.abc import Callable, Collection
from typing import Final

from hextraction.controller.app.bring_up.checker import Checker
from hextraction.controller.check_steps import Step
from hextraction.simulator.backend import SimulatedBoard

__all__ = ["CheckHand"]

_SEEN_US: Final = 80_000
_AFTER_US: Final = 500_000
_ROLL_US: Final = 2_000_000
_LOOK_US: Final = 100_000


class CheckHand:
    """Touches each sensor, looks at each lamp, waits at each gate. What is ``dead`` does not answer it.

    ``pass_time`` lets so many microseconds of the board's time pass.
    """

    def __init__(
        self, board: SimulatedBoard, checker: Checker, dead: Collection[str], pass_time: Callable[[int], None]
    ) -> None:
        self._board, self._checker, self._dead, self._pass = board, checker, frozenset(dead), pass_time

    def do(self, step: Step) -> None:
        """Do what a step asks for, and say what was seen."""
        if step.kind == "sensor":
            self._touch(step.sensor)
        elif step.kind == "lamp":
            self._pass(_LOOK_US)
            self._checker.say("no" if step.device in self._dead else "yes")
        else:
            self._wait_for_ball(step)

    def _touch(self, sensor: str) -> None:
        if sensor in self._dead:
            self._checker.say("skip")
            return
        self._board.inputs.stick(sensor, not self._board.inputs.levels()[sensor])
        self._pass(_SEEN_US)
        self._board.inputs.stick(sensor, None)
        self._pass(_AFTER_US)

    def _wait_for_ball(self, step: Step) -> None:
        self._checker.say("fire")
        self._pass(_ROLL_US)
        if self._checker.walk.step == step:
            self._checker.say("no" if step.device in self._dead or step.sensor else "yes")
