"""Two buttons at the table, yes and no, for players without a phone.

In a wiring file they are sensors named ``button.yes`` and ``button.no``. They belong to the table, not to a
seat: they act for the active player. Yes answers an open question with yes; if there is none it does what the
game has marked for it (:attr:`Option.by_button`: that nobody objects, say, or ending the turn). No only
answers a question with no. A press that means nothing at the moment does nothing, and no press can reveal a
hand. A file of its own because it is a way to play, beside the phones.
"""

from typing import Any

from hextraction.controller.games.protocol import Acted
from hextraction.controller.games.scene import PrivateView
from hextraction.controller.table.host import Host
from hextraction.hal.ports import Edge

__all__ = ["Buttons", "meant"]


def meant(button: str, view: PrivateView) -> tuple[dict[str, Any], ...]:
    """Return the acts that a press of ``button`` stands for now, for the seat that has this view."""
    word = button.removeprefix("button.")
    questions = (*view.prompts, *view.others)
    for question in questions:
        answers = {option.act.get("choice"): option.act for option in question.options}
        if {"yes", "no"} <= set(answers):
            return (answers[word],)
    if questions or word == "no":
        return ()
    return tuple(option.act for option in view.options if option.by_button)


class Buttons:
    """Turns button presses at a table into acts in its game."""

    def __init__(self, host: Host) -> None:
        self._host = host

    def edge(self, edge: Edge) -> None:
        """Handle an edge of a button's sensor: a press counts when the button goes down."""
        if edge.active:
            self.press(edge.sensor, edge.at_us)

    def press(self, button: str, at_us: int) -> int:
        """Do what a button means now; return how many acts that was."""
        host, runtime = self._host, self._host.playing
        if runtime is None or host.lobby.paused:
            return 0
        seat = runtime.standing.active
        acts = meant(button, runtime.referee.game.private(runtime.referee.state, seat))
        for act in acts:
            runtime.act(Acted(at_us=at_us, seat=seat, act=act, chance=host.plan.luck.getrandbits(64)))
        return len(acts)
