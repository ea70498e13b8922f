"""Agreements: what the table decides by the consent of several players (0.0, R-14, R-49)."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Literal, TypeVar

from hextraction.controller.games.hextraction.state.move import Move, Refusal
from hextraction.controller.games.hextraction.state.questions import (
    Heir,
    QuestionKind,
    Stands,
    Undo,
    kind_of,
    pass_to,
)
from hextraction.controller.games.hextraction.state.state import Ask, Matter
from msgspec.structs import replace

__all__ = ["Proposal", "agree_again", "agreement", "judge_left", "judges_for", "propose"]

_YES_OR_NO = [("yes", "Agreed"), ("no", "No")]

M = TypeVar("M", bound=Matter)
Settle = Callable[[Move, Ask, M, bool], None]
"""Acts on the outcome: the last question answered, what it is about, and whether it was agreed."""


class Proposal(Matter, frozen=True, kw_only=True):
    """A seat's proposal, the judges still to be asked, and those who have answered.

    ``need`` says how many of them must agree: ``any`` one, or ``all``.
    """

    need: Literal["any", "all"]
    proposer: str
    judges: tuple[str, ...]
    matter: Matter
    heard: tuple[str, ...] = ()


def agreement(
    word: str,
    matter: type[M],
    settle: Settle[M],
    *,
    lasts: bool = True,
    ended_by: tuple[str, ...] = (),
    stands: Stands = Stands.ANYHOW,
    claim: bool = False,
) -> QuestionKind[Proposal]:
    """Return a kind of question that asks one judge after another, until ``settle`` can act.

    If it ``lasts``, the agreement is applied again when an earlier action is undone. ``ended_by`` are acts
    that leave nothing to agree on.
    """

    def act_on(move: Move, ask: Ask, proposal: Proposal, *, agreed: bool) -> None:
        if not isinstance(proposal.matter, matter):
            raise TypeError(f"{word} is about {matter.__name__}, found {proposal.matter!r}")
        settle(move, ask, proposal.matter, agreed)

    def hear(move: Move, ask: Ask, proposal: Proposal, choice: str) -> None:
        agreed = choice == "yes"
        order = [judge for judge in proposal.judges if judge in move.staying()]
        if order and agreed == (proposal.need == "all"):
            left = replace(proposal, judges=tuple(order[1:]), heard=(*proposal.heard, ask.seat))
            kind.ask(move, order[0], ask.text, ask.clause, ask.choices, left, slots=ask.slots)
            return
        if not agreed:
            proposer = move.name(proposal.proposer)
            said = f"{move.name(ask.seat)} does not agree with {proposer}."
            if ask.seat not in move.staying():  # the question has ended with its last judge
                said = f"Nobody is left to agree with {proposer}."
            move.say("correct", said, clause=ask.clause)
        act_on(move, ask, proposal, agreed=agreed)
        if agreed and lasts and move.state.last is not None:
            move.set(agreed_since=(*move.state.agreed_since, ask))

    kind = QuestionKind(
        word=word,
        about=Proposal,
        hear=hear,
        stands=stands,
        undo=Undo.AS_BEFORE,
        heir=Heir.JUDGE,
        answers=("yes", "no"),
        ended_by=ended_by,
        claim=claim,
        again=partial(act_on, agreed=True) if lasts else None,
    )
    return kind


def agree_again(move: Move, asks: Sequence[Ask]) -> None:
    """Apply agreements again that undoing an action would have lost; the table has heard of them already."""
    trial = Move(move.rules, move.state)
    for ask in asks:
        again = kind_of(ask).again
        if again is not None:
            again(trial, ask, ask.about)
    move.state = trial.state


def judges_for(move: Move, seat: str) -> tuple[str, ...]:
    """Return who can agree to a seat's proposal: it takes the active player and one other (R-14)."""
    others = tuple(other for other in move.playing() if other != seat)
    active = move.state.active
    return (active,) if active in others else others


def propose(
    move: Move,
    kind: QuestionKind[Proposal],
    seat: str,
    text: str,
    clause: str,
    *,
    matter: Matter,
    judges: tuple[str, ...] = (),
    need: Literal["any", "all"] = "any",
    slots: tuple[str, ...] = (),
) -> None:
    """Put a proposal to the first of its judges."""
    order = judges or judges_for(move, seat)
    if not order:
        raise Refusal("Nobody is there who could agree.", clause)
    if kind.is_open(move):
        raise Refusal("One question at a time: the table has not answered the last one yet.", clause)
    proposal = Proposal(need=need, proposer=seat, judges=tuple(order[1:]), matter=matter)
    kind.ask(move, order[0], text, clause, _YES_OR_NO, proposal, slots=slots)


def judge_left(move: Move, ask: Ask, proposal: Proposal, staying: list[str]) -> str:
    """Ask the next judge, or else anybody else who was not asked yet; somebody leaving blocks nothing.

    Returns:
        The answer that holds if nobody is left; empty if somebody was asked.
    """
    judges = [judge for judge in proposal.judges if judge in staying]
    asked = (proposal.proposer, *proposal.heard)
    others = [] if proposal.need == "all" else [seat for seat in staying if seat not in asked]
    heirs = judges or others
    if not heirs:
        return "yes" if proposal.need == "all" else "no"
    pass_to(move, ask, heirs[0], replace(proposal, judges=tuple(judges[1:])))
    return ""
