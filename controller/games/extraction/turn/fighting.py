"""Attacks on buildings that own roads reach: stakes, throws, and what becomes of the building (1.5)."""

from hextraction.controller.games.extraction.land import places
from hextraction.controller.games.extraction.land.corners import corner_place
from hextraction.controller.games.extraction.land.goods import (
    covers,
    is_city,
    less,
    more,
    owner,
    total,
    words,
)
from hextraction.controller.games.extraction.land.names import at_corner
from hextraction.controller.games.extraction.land.state import Attack, State
from hextraction.controller.games.extraction.land.wagers import dice_of, least_stake, succeeds
from hextraction.controller.games.extraction.turn.doing import (
    Doing,
    a_corner,
    cards_of,
    tell,
    thrown,
    with_player,
)
from hextraction.controller.games.extraction.turn.flow import settle_route
from hextraction.controller.games.hexagon.acts import Refusal
from msgspec.structs import replace

__all__ = ["attack", "drop_attack", "throw"]


def attack(state: State, doing: Doing) -> State:
    """Stake cards, and attack a building at which an own road ends."""
    at = a_corner(doing.act.at)
    why_not = places.why_no_attack(state.buildings, state.roads, doing.who, at)
    if why_not:
        raise Refusal(why_not, "1.5")
    if at in state.attacked:
        raise Refusal("That building was attacked in this turn; once is enough.", "1.5")
    stake = cards_of(doing.act.stake)
    least = least_stake(state.setup.attack)
    if total(stake) < least:
        raise Refusal("Stake one card or more." if least == 1 else "Stake two cards or more.", "1.5")
    if not covers(state.players[doing.who].hand, stake):
        raise Refusal(f"You do not have {words(stake)}.", "1.5")
    one, other = state.players[doing.who], state.players[owner(state.buildings[at])]
    what = "city" if is_city(state.buildings[at]) else "settlement"
    slots, count = doing.field.slots, total(stake)
    where = at_corner(state.hexes, at)
    text = f"{one.name} stakes {_cards(count)} and attacks {other.name}'s {what} {where}."
    tell(doing.said, "attack", text, "1.5", seat=one.seat, slot=corner_place(at, slots))
    state = with_player(state, doing.who, hand=less(one.hand, stake))
    return replace(
        state,
        phase="attack",
        attack=Attack(by=doing.who, at=at, stake=stake),
        attacked=(*state.attacked, at),
        active_turn=True,
    )


def _cards(count: int) -> str:
    return f"{count} card{'' if count == 1 else 's'}"


def throw(state: State, doing: Doing) -> State:
    """Throw for the attacker, then for the defender; that decides."""
    going = state.attack
    if going is None:
        raise Refusal("Nobody attacks.", "1.5")
    dice = thrown(state, doing, dice_of(state.setup.attack))
    name = state.players[doing.who].name
    tell(doing.said, "throw", f"{name} throws {sum(dice)}.", "1.5", seat=state.players[doing.who].seat)
    if not going.thrown:
        return replace(state, attack=replace(going, thrown=dice), dice=dice)
    state = replace(state, attack=None, phase="act", dice=dice)
    won = succeeds(state.setup.attack, sum(going.thrown), sum(dice), total(going.stake))
    return _taken(state, doing, going) if won else _held(state, doing, going)


def _taken(state: State, doing: Doing, going: Attack) -> State:
    """Put the attacker's building in the place of the defender's, at no cost; the stake comes back."""
    defender = state.players[owner(state.buildings[going.at])]
    attacker = state.players[going.by]
    mine = places.fitting(state.buildings, state.roads, going.by, going.at)
    buildings = list(state.buildings)
    buildings[going.at] = mine
    state = with_player(state, going.by, hand=more(attacker.hand, going.stake))
    state = replace(state, buildings=tuple(buildings))
    what = "city" if is_city(mine) else "settlement"
    text = f"The attack succeeds: {attacker.name} has a {what} in the place of {defender.name}'s building."
    at = corner_place(going.at, doing.field.slots)
    tell(doing.said, "taken", text, "1.5", seat=attacker.seat, slot=at)
    return settle_route(state, doing.said)


def _held(state: State, doing: Doing, going: Attack) -> State:
    """Give the stake to the defender, or to the bank if they have left."""
    number = owner(state.buildings[going.at])
    defender = state.players[number]
    gets = "the bank" if defender.left else defender.name
    text = f"The attack fails: {gets} gets the stake, {words(going.stake)}."
    tell(doing.said, "held", text, "1.5", seat=defender.seat)
    if defender.left:
        return replace(state, bank=more(state.bank, going.stake))
    return with_player(state, number, hand=more(defender.hand, going.stake))


def drop_attack(state: State) -> State:
    """Forget an attack whose attacker leaves: the stake goes to the bank."""
    if state.attack is None:
        return state
    return replace(state, attack=None, phase="act", bank=more(state.bank, state.attack.stake))
