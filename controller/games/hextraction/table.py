"""The transition table: which action or fact is possible in which phase. The one source of what is possible.

``ACTIONS`` maps what a person does to the phases in which the rules hear it and the chapter that does; an
action outside them is refused with the clause. ``docs`` and tests read the same table.
"""

from collections.abc import Callable
from typing import Any

from hextraction.controller.games.hextraction import actions as act
from hextraction.controller.games.hextraction import (
    activating,
    asking,
    attesting,
    cards,
    correcting,
    flagging,
    leaving,
    looping,
    overruling,
    playing,
    preparing,
    reclaiming,
    reentry,
    revealing,
    rolling,
    seating,
    settling,
    turns,
    voting,
)
from hextraction.controller.games.hextraction.move import Move
from hextraction.controller.games.hextraction.state import Phase

__all__ = ["ACTIONS", "ALWAYS", "ASKED_OK", "FROZEN_OK", "OUT_OK", "Rule"]


class Rule:
    """One row: the phases in which an action is heard, who hears it, and why it is refused elsewhere."""

    def __init__(
        self, phases: frozenset[Phase], hear: Callable[[Move, str, Any], None], otherwise: str, clause: str
    ) -> None:
        self.phases = phases
        self.hear = hear
        self.otherwise = otherwise
        self.clause = clause


ALWAYS = frozenset(Phase) - {Phase.OVER}
_ROLLING = frozenset({Phase.RELEASING, Phase.ROLLING, Phase.RESOLVING, Phase.SETTLING})

_IN_A_ROLL = _ROLLING | {Phase.PLACING, Phase.SEATING}
"""An effect of a roll may have a tile laid, and the roll still goes on (2.1.4)."""

ACTIONS: dict[type[act.Action], Rule] = {
    act.Roll: Rule(
        frozenset({Phase.CHOOSING, Phase.RELEASING}), rolling.choose_ramp, "Nobody can roll now.", "2.3.2"
    ),
    act.Play: Rule(frozenset({Phase.CHOOSING}), revealing.reveal, "Nobody can play a tile now.", "2.3.2"),
    act.Place: Rule(
        frozenset({Phase.PLACING, Phase.SEATING}), playing.place, "No tile is being placed.", "2.2.4"
    ),
    act.Seated: Rule(frozenset({Phase.SEATING}), playing.seated, "No tile is being placed.", "2.2.4.1"),
    act.NoFit: Rule(frozenset({Phase.SEATING}), playing.no_fit, "No tile is being placed.", "2.2.4.3"),
    act.Activate: Rule(
        frozenset({Phase.CHOOSING}), activating.activate, "Effects cannot be activated now.", "2.7.4.5"
    ),
    act.End: Rule(frozenset({Phase.CHOOSING}), turns.end_turn, "The turn cannot end now.", "2.3.2"),
    act.BreakLoop: Rule(_IN_A_ROLL, looping.break_loop, "Nobody is rolling.", "2.1.4.3"),
    act.CallVote: Rule(ALWAYS, voting.call_vote, "The game is over.", "2.9.1"),
    act.Ballot: Rule(ALWAYS, voting.cast, "The game is over.", "2.9.1"),
    act.Concede: Rule(ALWAYS, leaving.concede, "The game is over.", "2.9.1"),
    act.Answer: Rule(ALWAYS, asking.answer, "The game is over.", "2.9.1"),
    act.Attest: Rule(
        _ROLLING | {Phase.CHOOSING, Phase.PLACING, Phase.SEATING},
        attesting.attest,
        "Nobody is rolling.",
        "2.11.1",
    ),
    act.Correct: Rule(
        _IN_A_ROLL, correcting.correct, "What was committed can no longer be re-opened.", "R-20"
    ),
    act.Lifted: Rule(ALWAYS, seating.lifted, "The game is over.", "2.9.1"),
    act.Contend: Rule(
        ALWAYS - {Phase.ROLLING}, correcting.contend, "Wait until the balls lie still.", "R-14"
    ),
    act.Flick: Rule(_ROLLING, correcting.flick, "There is no roll to dispute.", "2.1.1.1"),
    act.Overrule: Rule(ALWAYS, overruling.overrule, "The game is over.", "2.9.1"),
    act.Undo: Rule(ALWAYS, overruling.undo, "The game is over.", "2.9.1"),
    act.Flag: Rule(ALWAYS, flagging.flag, "The game is over.", "2.9.1"),
    act.Jammed: Rule(ALWAYS, flagging.jammed, "The game is over.", "2.9.1"),
    act.Rules: Rule(ALWAYS, cards.ask_rules, "The game is over.", "2.9.1"),
    act.Reclaim: Rule(
        frozenset({Phase.CHOOSING}),
        reclaiming.reclaim,
        "That is for later: while the game goes on and is stable.",
        "R-61",
    ),
    act.Reenter: Rule(
        ALWAYS - {Phase.TIDYING},
        reentry.reenter,
        "That is for later: the commit comes first.",
        "R-49",
    ),
    act.Agree: Rule(
        frozenset({Phase.SETTLING}), settling.agree, "Nothing is settling that one could agree to.", "R-20"
    ),
    act.Adjust: Rule(ALWAYS, preparing.adjust, "The game is over.", "2.9.1"),
}

FROZEN_OK = frozenset({act.Ballot, act.Concede, act.Attest, act.Lifted})
"""What is still heard while a vote is open: leaving, voting, and what balls do (0.5.1, R-05)."""

_TALK = {act.Contend, act.Correct, act.Flag, act.Flick, act.Jammed, act.Overrule, act.Rules, act.Undo}
ASKED_OK = FROZEN_OK | _TALK | {act.Reenter, act.Adjust, act.Answer, act.BreakLoop, act.CallVote}
"""What is still heard while a question is open; all else waits for its answer (2.3.2)."""

OUT_OK = frozenset({act.Reclaim})
"""What is still heard from a player who has lost (2.8.3)."""
