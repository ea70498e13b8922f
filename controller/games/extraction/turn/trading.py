"""Trades: with the bank, three for one; and with other players, by offers on phones (1.4)."""

from hextraction.controller.games.extraction.land.goods import (
    NOBODY,
    RESOURCES,
    covers,
    less,
    more,
    one,
    total,
    words,
)
from hextraction.controller.games.extraction.land.possible import BANK_RATE, may_offer
from hextraction.controller.games.extraction.land.state import Offer, State
from hextraction.controller.games.extraction.turn.doing import (
    US,
    Doing,
    cards_of,
    given,
    paid,
    tell,
    with_player,
)
from hextraction.controller.games.hexagon.acts import Refusal
from hextraction.controller.games.protocol import Effect
from msgspec.structs import replace

__all__ = ["answer_offer", "lapse", "offer", "with_bank", "withdraw", "without_stale_offers"]


def with_bank(state: State, doing: Doing) -> State:
    """Give the bank three cards of one resource for one of another."""
    give, want = cards_of(doing.act.give), cards_of(doing.act.want)
    mine = [name for name, count in zip(RESOURCES, give, strict=True) if count]
    wanted = [name for name, count in zip(RESOURCES, want, strict=True) if count]
    if len(mine) != 1 or len(wanted) != 1 or mine == wanted or (total(give), total(want)) != (BANK_RATE, 1):
        raise Refusal("The bank gives one card for three equal ones of another resource.", "1.4")
    if not covers(state.players[doing.who].hand, give):
        raise Refusal(f"You do not have {words(give)}.", "1.4")
    if not covers(state.bank, want):
        raise Refusal(f"The bank has no {wanted[0]}.", "1.4")
    one_ = state.players[doing.who]
    text = f"{one_.name} gives the bank {words(give)} for {words(want)}."
    tell(doing.said, "bank", text, "1.4", seat=one_.seat)
    traded = given(paid(state, doing.who, one(mine[0], BANK_RATE)), doing.who, want)
    return replace(traded, active_turn=True)


def offer(state: State, doing: Doing) -> State:
    """Offer a trade: whose turn it is to anybody, the others only to them."""
    give, want = cards_of(doing.act.give), cards_of(doing.act.want)
    who, active = state.players[doing.who], state.active
    to = _asked(state, doing)
    if not total(give) or not total(want) or any(a and b for a, b in zip(give, want, strict=True)):
        raise Refusal("Offer cards of one kind for cards of another.", "1.4")
    if not covers(who.hand, give):
        raise Refusal(f"You do not have {words(give)}.", "1.4")
    why_not = may_offer(state, doing.who)
    if why_not:
        raise Refusal(why_not, "1.4")
    number = state.asked + 1
    until_us = state.at_us + state.setup.offer_s * US
    made = tuple(count + (at == doing.who) for at, count in enumerate(state.made))
    asked = " and ".join(state.players[number].name for number in to) if who != active else "everybody"
    if who == active and len(to) == 1:
        asked = state.players[to[0]].name
    text = f"{who.name} offers {asked} {words(give)} for {words(want)}."
    tell(doing.said, "offer", text, "1.4", seat=who.seat)
    offered = Offer(number=number, by=doing.who, to=to, give=give, want=want, until_us=until_us)
    return replace(state, offers=(*state.offers, offered), refused=None, asked=number, made=made)


def _asked(state: State, doing: Doing) -> tuple[int, ...]:
    """Return to whom an offer goes."""
    others = tuple(
        number for number, one_ in enumerate(state.players) if not one_.out and number != doing.who
    )
    if state.players[doing.who].out:
        raise Refusal("A player who is out cannot trade.", "1.4")
    wanted = state.number(doing.act.to) if doing.act.to else NOBODY
    if doing.who != state.mover:
        if doing.act.to and wanted != state.mover:
            raise Refusal(
                f"In {state.active.name}'s turn you can only trade with {state.active.name}.", "1.4"
            )
        return (state.mover,)
    if doing.act.to and wanted not in others:
        raise Refusal("Nobody in the game sits there.", "1.4")
    to = (wanted,) if doing.act.to else others
    if not to:
        raise Refusal("There is nobody to trade with.", "1.4")
    return to


def answer_offer(state: State, doing: Doing, open_offer: Offer) -> State:
    """Say yes or no to an offer; yes trades at once."""
    name = state.players[doing.who].name
    if doing.act.choice == "no":
        changed = replace(open_offer, no=(*open_offer.no, doing.who))
        tell(doing.said, "declined", f"{name} declines.", "1.4", seat=state.players[doing.who].seat)
        offers = tuple(changed if one_ == open_offer else one_ for one_ in state.offers)
        return replace(state, offers=offers)
    if not covers(state.players[doing.who].hand, open_offer.want):
        raise Refusal(f"You do not have {words(open_offer.want)}.", "1.4")
    by = open_offer.by
    offerer, give, want = state.players[by].name, words(open_offer.give), words(open_offer.want)
    text = f"{name} takes the offer of {offerer}: {give} for {want}."
    tell(doing.said, "trade", text, "1.4", seat=state.players[doing.who].seat)
    theirs = more(less(state.players[by].hand, open_offer.give), open_offer.want)
    mine = more(less(state.players[doing.who].hand, open_offer.want), open_offer.give)
    state = with_player(with_player(state, by, hand=theirs), doing.who, hand=mine)
    return replace(state, active_turn=True, offers=tuple(one_ for one_ in state.offers if one_ != open_offer))


def withdraw(state: State, doing: Doing) -> State:
    """Take an own offer back."""
    kept = tuple(
        one_ for one_ in state.offers if one_.by != doing.who or doing.act.offer not in {0, one_.number}
    )
    if kept == state.offers:
        raise Refusal("You have no open offer.", "1.4")
    one_ = state.players[doing.who]
    tell(doing.said, "withdrawn", f"{one_.name} takes the offer back.", "1.4", seat=one_.seat)
    return replace(state, offers=kept)


def lapse(state: State, said: list[Effect]) -> State:
    """Take silence for a no, from everybody alike: nobody can tell who could not have paid."""
    late = [one_ for one_ in state.offers if one_.until_us <= state.at_us]
    if not late:
        return state
    tell(said, "withdrawn", "Nobody has taken the offer in time.", "1.4")
    offers = tuple(
        replace(one_, no=(*one_.no, *one_.waits)) if one_ in late else one_ for one_ in state.offers
    )
    return without_stale_offers(replace(state, offers=offers))


def without_stale_offers(state: State) -> State:
    """Forget offers whose cards are gone, or that everybody declined; the last such one stays in sight."""
    if not state.offers:
        return state
    kept = tuple(one for one in state.offers if one.waits and covers(state.players[one.by].hand, one.give))
    refused = [one for one in state.offers if one.no and not one.waits]
    if kept == state.offers:
        return state
    return replace(state, offers=kept, refused=refused[-1] if refused else state.refused)
