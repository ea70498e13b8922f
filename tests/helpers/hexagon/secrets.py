"""What nobody may see of a game on the hexagon: with other hands and another deck everything looks the same.

``exchanged`` is the game as it might be as well, for all that a seat knows (an empty seat: a watcher, the lamps,
the big screen); ``leaks`` are the views that tell the two apart.
"""

from hextraction.controller.games.protocol import Acted, Refused
from msgspec.structs import replace

__all__ = ["exchanged", "leaks", "telling_answers"]


def exchanged(kind, state, seat=""):
    """Return the state with everything exchanged that a seat cannot see; counts stay as they are."""
    return _EXCHANGED[kind](state, seat)


def leaks(game, state):
    """Return who could tell a game from one with other secrets: seats, ``everybody``, ``lamps``."""
    other, scene = exchanged(game.kind, state), game.scene(state)
    found = []
    if game.scene(other) != scene:
        found.append("everybody")
    if game.lamps(game.scene(other)) != game.lamps(scene):
        found.append("lamps")
    seats = [one.seat for one in state.players]
    return found + [
        seat
        for seat in seats
        if game.private(exchanged(game.kind, state, seat), seat) != game.private(state, seat)
    ]


def telling_answers(game, state):
    """Return what a seat could try to learn a secret by whether or why it is refused, as (seat, act)."""
    views = [game.private(state, one.seat) for one in state.players]
    shown = [option for view in views for option in view.options]
    shown += [option for view in views for asked in view.prompts for option in asked.options]
    acts = [{**option.act, **({"turns": option.turns[0]} if option.turns else {})} for option in shown]
    return [
        (one.seat, act)
        for one in state.players
        for act in acts
        if _refusals(game, state, one.seat, act)
        != _refusals(game, exchanged(game.kind, state, one.seat), one.seat, act)
    ]


def _refusals(game, state, seat, act):
    step = game.step(state, Acted(at_us=10**9, seat=seat, act=act, chance=3))
    return [(effect.reason, effect.clause) for effect in step.effects if isinstance(effect, Refused)]


def _extraction(state, seat):
    """Other cards in hands and stakes, point cards for all development cards, the deck turned round."""
    players = tuple(
        one
        if one.seat == seat
        else replace(
            one, hand=tuple(reversed(one.hand)), cards=tuple(("point", turn) for _card, turn in one.cards)
        )
        for one in state.players
    )
    attack = state.attack
    if attack is not None and state.players[attack.by].seat != seat:
        attack = replace(attack, stake=tuple(reversed(attack.stake)))
    return replace(state, players=players, deck=tuple(reversed(state.deck)), attack=attack)


def _hexel(state, seat):
    """The cards of the deck and of hands dealt otherwise; what was announced stays where it is."""
    position = state.position
    known = {state.announced, *(card for one, hand in _hands(state) if one == seat for card in hand)}
    held = (*position.deck, *(card for _one, hand in _hands(state) for card in hand))
    pool = [card for card in held if card not in known]

    def others(cards):
        return tuple(card if card in known else pool.pop() for card in cards)

    deck = others(position.deck)
    return replace(
        state, position=replace(position, deck=deck, hands=tuple(others(hand) for hand in position.hands))
    )


def _hands(state):
    return [(one.seat, hand) for one, hand in zip(state.players, state.position.hands, strict=True)]


_EXCHANGED = {"hextris": lambda state, _seat: state, "extraction": _extraction, "hexel": _hexel}
"""Hextris hides nothing."""
