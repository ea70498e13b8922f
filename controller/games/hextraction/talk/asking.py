"""Answering questions: each answer goes to the rule that asked; and what happens if nobody answers."""

from hextraction.controller.games.hextraction.effects import effects
from hextraction.controller.games.hextraction.state import actions as act
from hextraction.controller.games.hextraction.state.agreeing import Proposal, judge_left
from hextraction.controller.games.hextraction.state.deeds import OfEffect
from hextraction.controller.games.hextraction.state.move import Move, Refusal
from hextraction.controller.games.hextraction.state.questions import QUESTIONS, Heir, kind_of, pass_to
from hextraction.controller.games.hextraction.state.state import Ask
from msgspec.structs import replace

__all__ = ["QUESTIONS", "answer", "answer_defaults", "questions_table", "tells_a_hand"]


def tells_a_hand(ask: Ask) -> bool:
    """Whether its choices are the tiles of a hand, as its kind or what it is about declares."""
    return kind_of(ask).of_hand or (isinstance(ask.about, OfEffect) and ask.about.about_hand)


def answer(move: Move, seat: str, action: act.Answer) -> None:
    """Answer an open question from any phone ("pass the phone"), but for what only the one asked may see."""
    ask = next((ask for ask in move.state.asks if ask.id == action.prompt), None)
    if ask is None or (ask.seat != seat and tells_a_hand(ask)):
        # In the same words: who tries numbers shall not hear which question there is.
        raise Refusal("That question is no longer open.", "2.3.2")
    if action.choice not in [word for word, _label in ask.choices]:
        raise Refusal(f"{action.choice!r} is not one of the choices.", ask.clause)
    _give(move, ask, action.choice)


def _give(move: Move, ask: Ask, choice: str) -> None:
    move.set(asks=tuple(other for other in move.state.asks if other.id != ask.id))
    kind_of(ask).answered(move, ask, choice)


def answer_defaults(move: Move) -> bool:
    """Give the default answer to a question whose time is up, or pass on that of a player who left.

    Return whether there was one: another may be left.
    """
    for ask in move.state.asks:
        if _too_late(move, ask) and ask.default is not None:
            _give(move, ask, ask.choices[ask.default][0])
            return True
        if move.player(ask.seat).conceded or move.player(ask.seat).out:
            _pass_on(move, ask)
            return True
    return False


def _too_late(move: Move, ask: Ask) -> bool:
    """Whether the time for an answer is up; during a break none passes."""
    late_us = ask.deadline_us
    return late_us is not None and late_us <= move.state.at_us and move.state.paused_us is None


def _pass_on(move: Move, ask: Ask) -> None:
    staying = [player.seat for player in move.state.players if not player.out and not player.conceded]
    heir, about = kind_of(ask).heir, ask.about
    choice = ""
    if isinstance(about, Proposal):
        choice = judge_left(move, ask, about, staying)
    elif staying and heir is Heir.ANYBODY:
        pass_to(move, ask, staying[0])
        return
    elif (
        staying
        and heir is Heir.ANYBODY_IF_SEEN
        and isinstance(about, OfEffect)
        and effects.all_can_see(move, about)
    ):
        pass_to(move, ask, staying[0], replace(about, seat=about.seat or ask.seat))
        return
    else:
        choice = ask.choices[_by_itself(move, ask)][0]
    if choice:
        _give(move, ask, choice)


def _by_itself(move: Move, ask: Ask) -> int:
    """Return the answer to a question that nobody is left to answer: what goes without saying, or chance."""
    if ask.default is not None:
        return ask.default
    absent = kind_of(ask).absent
    if isinstance(ask.about, OfEffect):
        absent = effects.goes_without_saying(move, ask.about)
    return move.luck(len(ask.choices)) if absent is None else absent


def questions_table() -> str:
    """Return all kinds of questions as Markdown: what each is about, and what happens without an answer."""
    rows = ["| Question | About | If who was asked leaves | When the time is over |\n", "|---|---|---|---|\n"]
    for word, kind in sorted(QUESTIONS.items()):
        fields = ", ".join(f"`{name}`" for name in kind.about.__struct_fields__) or "nothing more"
        late = "it waits" if kind.default is None else f"choice {kind.default + 1} stands"
        rows.append(f"| `{word}` | {fields} | {kind.heir.value} | {late} |\n")
    return "".join(rows)
