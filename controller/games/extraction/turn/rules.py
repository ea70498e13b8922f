"""The rules of Extraction as a function: :func:`step` makes the next state from an event.

A person's act is heard by the row of :data:`ACTS` that belongs to it, if it is one of the row's phases.
Section numbers are those of docs/extraction.md.
"""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from hextraction.controller.games.extraction.land.goods import NOBODY, NOTHING, more
from hextraction.controller.games.extraction.land.standing import (
    PLACING,
    board_question,
    hands_todo,
    lies,
    must_answer,
    table_question,
    thrower,
)
from hextraction.controller.games.extraction.land.state import Act, State
from hextraction.controller.games.extraction.turn import by_chance, fighting, setting_up, trading, turning
from hextraction.controller.games.extraction.turn.doing import Doing, tell, with_player
from hextraction.controller.games.extraction.turn.flow import (
    ended_idle,
    finish,
    goes_out,
    next_turn,
    play_on,
    settle_army,
    settle_route,
    without_turns_of,
)
from hextraction.controller.games.extraction.turn.setting_up import SETTING_UP
from hextraction.controller.games.hexagon.acts import Refusal, read_act
from hextraction.controller.games.hexagon.events import Events, stepped
from hextraction.controller.games.hexagon.field import Field
from hextraction.controller.games.hexagon.pieces import answered, attested
from hextraction.controller.games.hexagon.telling import disbelieved
from hextraction.controller.games.protocol import Acted, Effect, Step, WorldEvent
from msgspec.structs import replace

__all__ = [
    "ACTS",
    "Rule",
    "rules_table",
    "step",
    "wake_at_us",
]


# --- events ---


def step(field: Field, state: State, event: WorldEvent) -> Step[State]:
    """Apply one event. What a Hall sees never changes the game: what nobody mentioned is asked (1.8)."""
    return stepped(field, state, event, _EVENTS)


def wake_at_us(state: State) -> int | None:
    """Return when the first open offer lapses, or silence answers what the table is asked."""
    if state.over or state.paused:
        return None
    times = [one.until_us for one in state.offers]
    if state.ask is not None and state.ask.until_us:
        times.append(state.ask.until_us)
    return min(times, default=None)


def _woken(state: State, said: list[Effect]) -> State | None:
    if wake_at_us(state) is None:
        return None
    state = trading.lapse(state, said)
    silent = state.ask is not None and 0 < state.ask.until_us <= state.at_us
    return _SILENCE[state.ask.kind](state, said) if silent and state.ask is not None else state


_SILENCE: Final[Mapping[str, Callable[[State, list[Effect]], State]]] = {
    "end": ended_idle,
    "deal": setting_up.lay_by_hand,
}
"""What follows if nobody has answered in time."""


def _break(state: State, on: bool) -> State:  # noqa: FBT001 - as the event has it
    """Begin or end a break; offers and questions stay open for so much longer."""
    if on:
        return replace(state, paused=True, paused_at_us=state.at_us)
    rest_us = state.at_us - state.paused_at_us
    offers = tuple(replace(one, until_us=one.until_us + rest_us) for one in state.offers)
    ask = state.ask
    if ask is not None and ask.until_us:
        ask = replace(ask, until_us=ask.until_us + rest_us)
    return replace(state, paused=False, offers=offers, ask=ask)


# --- what people do ---


def _person(field: Field, state: State, event: Acted, said: list[Effect]) -> State:
    act = read_act(event.act, Act, "1.4")
    doing = Doing(field, state.number(event.seat), act, event.chance, said)
    return trading.without_stale_offers(_with_chance(_hear(state, doing), doing))


def _with_chance(state: State, doing: Doing) -> State:
    """Take all steps of the set-up that are chance's now."""
    chance = doing.chance
    while by_chance.is_due(state):
        chance += 1
        act = by_chance.next_act(state, chance)
        state = ACTS[act.do].hear(state, doing._replace(who=state.mover, act=act, chance=chance))
    return state


_EVENTS: Final = Events[State](
    hear=_person,
    lies=lies,
    lifted="Somebody turned over the hex on {slot} and has not said why.",
    put="Somebody laid the hex on {slot} and has not said why.",
    clause="1.8",
    pause=_break,
    phase=lambda state: state.phase,
    woken=_woken,
)


class Rule(NamedTuple):
    """Who hears an act, by which section, in which phases, and from whom.

    ``who`` is ``mover`` (whose turn it is), ``thrower`` (who throws dice now) or ``anybody``. ``hands`` says
    that it waits until hands have turned over what they should; ``asked`` that it is heard while the table
    decides whether somebody is out.
    """

    hear: Callable[[State, Doing], State]
    section: str
    phases: frozenset[str]
    who: str = "mover"
    hands: bool = False
    asked: bool = False


def _hear(state: State, doing: Doing) -> State:
    rule = ACTS[doing.act.do]
    if doing.who == NOBODY or state.players[doing.who].left:
        raise Refusal("You do not play in this game.", "1.1")
    if state.over:
        raise Refusal("The game is over.", "1.6")
    if state.paused and doing.act.do != "leave":
        raise Refusal("The game is paused. Until it goes on, you can only leave.", "1.4")
    if state.ask is not None and not rule.asked:
        raise Refusal(_DECIDES[state.ask.kind], _SECTIONS[state.ask.kind])
    may = {"mover": state.mover, "thrower": thrower(state)}.get(rule.who, doing.who)
    if doing.who != may:
        name = state.players[may].name if may != NOBODY else "nobody"
        raise Refusal(f"That is up to {name} now.", rule.section)
    if state.phase not in rule.phases:
        raise Refusal(f"That is not possible now: {_AWAITS[state.phase]}.", rule.section)
    todo = hands_todo(doing.field, state) if rule.hands else ""
    if todo:
        raise Refusal(f"The board has to look right first. {todo}", "1.8")
    return rule.hear(state, doing)


_DECIDES: Final = {
    "keep": "The table decides first whether somebody is out.",
    "end": "The table decides first whether the game is over.",
    "deal": "The table decides first who lays the discs.",
}
_SECTIONS: Final = {"keep": "1.6", "end": "1.6", "deal": "1.3"}
"""The section by which the table is asked."""
_AWAITS: Final = {
    "first": "first throw the dice to see who begins",
    "settlement": "first place a settlement",
    "road": "first place the road beside the new settlement",
    "collect": "first take your starting cards",
    "discs": "first lay the number discs",
    "before": "first throw the dice",
    "swap": "first swap two discs",
    "roads": "first build the free roads",
    "act": "the dice are thrown already",
    "attack": "first throw the dice for the attack",
}


def _throw(state: State, doing: Doing) -> State:
    if state.phase == "first":
        return setting_up.throw_for_first(state, doing)
    return fighting.throw(state, doing) if state.phase == "attack" else turning.throw(state, doing)


def _settlement(state: State, doing: Doing) -> State:
    return (
        setting_up.settle(state, doing) if state.phase == "settlement" else turning.settlement(state, doing)
    )


def _road(state: State, doing: Doing) -> State:
    return setting_up.road(state, doing) if state.phase == "road" else turning.road(state, doing)


# --- questions ---


def _answer(state: State, doing: Doing) -> State:
    prompt, choice = doing.act.prompt, doing.act.choice
    if prompt and prompt == table_question(state):
        return _keep(state, doing)
    for offer in state.offers:
        if prompt == f"offer-{offer.number}" and doing.who in offer.waits:
            if choice not in {"yes", "no"}:
                raise Refusal("Answer yes or no.", "1.4")
            return trading.answer_offer(state, doing, offer)
    asked = board_question(doing.field, state)
    if not asked or prompt != asked or doing.who != state.mover:
        about = prompt.partition("-")[0]
        raise Refusal(
            "Nobody asks you that now.",
            {"board": "1.8", **_SECTIONS}.get(about, "1.4"),
        )
    answer = answered(state.watch, lies(doing.field, state), choice)
    if answer is None:
        raise Refusal("That is not one of the answers.", "1.8")
    watch, wrong = answer
    if wrong:
        doing.said.append(disbelieved(wrong, "1.8"))
    return replace(state, watch=watch)


def _keep(state: State, doing: Doing) -> State:
    """Keep a player in for this turn, end the game, or deal the discs, if everybody who is asked agrees."""
    ask = state.ask
    section = _SECTIONS[ask.kind] if ask is not None else "1.6"
    if ask is None or doing.who not in must_answer(state):
        raise Refusal("That question is not for you.", section)
    if doing.act.choice not in {"yes", "no"}:
        raise Refusal("Answer yes or no.", section)
    if doing.act.choice == "no":
        return _OBJECTION[ask.kind](state, doing.said)
    return _kept(replace(state, ask=replace(ask, agreed=(*ask.agreed, doing.who))), doing)


_OBJECTION: Final[Mapping[str, Callable[[State, list[Effect]], State]]] = {
    "keep": lambda state, said: goes_out(replace(state, ask=None), said),
    "end": play_on,
    "deal": setting_up.lay_by_hand,
}
"""What follows if somebody says no."""


def _kept(state: State, doing: Doing) -> State:
    if must_answer(state) or state.ask is None:
        return state
    if state.ask.kind == "end":
        return ended_idle(state, doing.said)
    if state.ask.kind == "deal":
        return setting_up.deal(state, doing)
    tell(doing.said, "kept", f"{state.active.name} stays in.", "1.6", seat=state.active.seat)
    return replace(state, ask=None)


def _laid(state: State, doing: Doing) -> State:
    """Believe what people say where sensors say nothing (1.8)."""
    watch = attested(state.watch, lies(doing.field, state), doing.act.slot, laid=doing.act.do == "laid")
    if watch is None:
        raise Refusal("There is no hex to lay or turn over there.", "1.8")
    return replace(state, watch=watch)


# --- leaving ---


def _leave(state: State, doing: Doing) -> State:
    """Who leaves gives all resource cards back; buildings and roads stay and can be attacked (1.6)."""
    who, said = doing.who, doing.said
    one = state.players[who]
    text = f"{one.name} leaves. The cards go to the bank, the buildings stay."
    tell(said, "left", text, "1.6", seat=one.seat)
    if state.attack is not None and state.attack.by == who:
        state = fighting.drop_attack(state)
    if state.phase not in SETTING_UP:
        state = without_turns_of(state, who)
    state = replace(state, bank=more(state.bank, one.hand))
    state = with_player(state, who, left=True, out=True, hand=NOTHING)
    state = replace(
        state,
        army=NOBODY if state.army == who else state.army,
        offers=tuple(
            replace(offer, to=tuple(player for player in offer.to if player != who))
            for offer in state.offers
            if offer.by != who
        ),
    )
    state = settle_army(settle_route(state, said), said)
    staying = [number for number, other in enumerate(state.players) if not other.left]
    if len(staying) == 1:
        return finish(state, "Nobody else is left.", "left alone", said)
    if state.phase in SETTING_UP:
        return setting_up.left_while_setting_up(state, doing)
    if state.ask is not None:
        about_them = state.ask.kind == "keep" and state.ask.about == who
        return next_turn(replace(state, ask=None), said) if about_them else _kept(state, doing)
    return next_turn(state, said) if state.mover == who else state


# --- the table of acts ---

_TURN: Final = frozenset({"before", "swap", "roads", "act", "attack"})
_ALWAYS: Final = _TURN | SETTING_UP
_ACT: Final = frozenset({"act"})

ACTS: Final[dict[str, Rule]] = {
    "roll": Rule(_throw, "1.4", frozenset({"first", "before", "attack"}), who="thrower", hands=True),
    "settlement": Rule(_settlement, "1.4", frozenset({"settlement", "act"}), hands=True),
    "road": Rule(_road, "1.4", frozenset({"road", "roads", "act"})),
    "collect": Rule(setting_up.collect, "1.3", frozenset({"collect"})),
    "pick": Rule(turning.pick, "1.8", frozenset({"discs", "swap"})),
    "unpick": Rule(turning.unpick, "1.8", frozenset({"discs", "swap"})),
    "disc": Rule(setting_up.lay_disc, "1.3", frozenset({"discs"})),
    "deal": Rule(setting_up.ask_to_deal, "1.3", frozenset({"discs"}), who="anybody"),
    "by_chance": Rule(by_chance.leave_to_it, "1.3", PLACING, who="anybody", hands=True),
    "swap": Rule(turning.swap, "1.4", frozenset({"swap"})),
    "city": Rule(turning.city, "1.4", _ACT),
    "buy": Rule(turning.buy, "1.4", _ACT),
    "play": Rule(turning.play, "1.4", frozenset({"before", "act"})),
    "done": Rule(turning.done, "1.4", frozenset({"roads"})),
    "bank": Rule(trading.with_bank, "1.4", _ACT),
    "offer": Rule(trading.offer, "1.4", _ACT, who="anybody"),
    "withdraw": Rule(trading.withdraw, "1.4", _TURN, who="anybody"),
    "attack": Rule(fighting.attack, "1.5", _ACT),
    "end": Rule(turning.end, "1.4", _ACT),
    "answer": Rule(_answer, "1.4", _ALWAYS, who="anybody", asked=True),
    "laid": Rule(_laid, "1.8", _ALWAYS, who="anybody", asked=True),
    "lifted": Rule(_laid, "1.8", _ALWAYS, who="anybody", asked=True),
    "leave": Rule(_leave, "1.6", _ALWAYS, who="anybody", asked=True),
}
"""Who hears each act, by which section, in which phases, and from whom."""


def rules_table() -> str:
    """Return the table of acts as Markdown: from whom, in which phases, and what it waits for."""
    rows = ["| Act | Section | From whom | In which phases | Waits for hands |\n", "|---|---|---|---|---|\n"]
    for act, rule in ACTS.items():
        phases = "all" if rule.phases == _ALWAYS else ", ".join(sorted(rule.phases))
        who = {"mover": "whose turn it is", "thrower": "who throws now"}.get(rule.who, "anybody")
        rows.append(f"| `{act}` | {rule.section} | {who} | {phases} | {'yes' if rule.hands else ''} |\n")
    return "".join(rows)
