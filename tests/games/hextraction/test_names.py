"""Names of seats and numbers of tiles mean nothing: the same evening with others goes the same way."""

import random

import msgspec
import pytest
from helpers.tabletop import MIXED, TALK, Table, boxed, random_fact, setup, ways_to
from hextraction.board.facts import BallInZone, Doubt, RollSettled
from hextraction.board.profile import load_board
from hextraction.controller.games.hextraction import Phase
from hextraction.controller.games.hextraction.cards.tilebook import load_tiles

SLOTS = load_board("fx-19").slot_names
OTHER_SEATS = {"red": "a", "blue": "d", "green": "c", "yellow": "b"}
"""In the alphabet they come the other way round."""


def renamed(what):
    """Return something as text, with the other names of seats."""
    text = msgspec.json.encode(what).decode()
    for seat, other in OTHER_SEATS.items():
        text = text.replace(f'"{seat}"', f'"{other}"')
    return text


def renumbered(state):
    """Return a first state in which every tile has another number, the last one the first."""
    most = max(state.copies) + 1

    def anew(copies):
        return tuple(most - copy for copy in copies)

    copies = {
        most - number: msgspec.structs.replace(copy, id=most - number, whole=copy.whole and most - copy.whole)
        for number, copy in state.copies.items()
    }
    return msgspec.structs.replace(
        state,
        copies=copies,
        pool=anew(state.pool),
        virtual=anew(state.virtual),
        taken=anew(state.taken),
        laid=tuple(msgspec.structs.replace(laid, copy=most - laid.copy) for laid in state.laid),
        players=tuple(msgspec.structs.replace(one, hand=anew(one.hand)) for one in state.players),
        rest=msgspec.structs.replace(
            state.rest, last={ball: most - copy for ball, copy in state.rest.last.items()}
        ),
    )


class Twins:
    """One evening at two tables, where seats and tiles are called otherwise at the second one."""

    def __init__(self, wanted):
        self.one = Table(wanted)
        self.other = Table(msgspec.json.decode(renamed(wanted), type=type(wanted)))
        self.other.state = renumbered(self.other.state)

    def both(self, do):
        """Let the same happen at both."""
        do(self.one)
        do(self.other)

    def acts(self, chance):
        """Let somebody do at both tables what is offered in the same place."""
        offers, others = (list(offered(table)) for table in (self.one, self.other))
        assert [group for _seat, group, _act in offers] == [group for _seat, group, _act in others]
        if not offers:
            return False
        groups = dict.fromkeys(group for _seat, group, _act in offers)
        played = [group for group in groups if group not in TALK]
        group = chance.choice(played if played and chance.random() < 0.93 else list(groups))
        index = chance.choice([at for at, offer in enumerate(offers) if offer[1] == group])
        luck = chance.getrandbits(64)
        for table, (seat, _group, act) in ((self.one, offers[index]), (self.other, others[index])):
            assert table.act(seat, act, chance=luck) is None
        return True

    def go_on(self, chance):
        """Let something likely happen."""
        state = self.one.state
        if state.phase is Phase.ROLLING and chance.random() < 0.8:
            self.rolls(chance)
        elif state.phase is Phase.RELEASING and state.intent and state.intent[1]:
            ball = chance.randrange(1, 4)
            self.both(lambda table: table.releases(state.intent[1], ball=ball))
        elif not self.acts(chance):
            self.both(lambda table: table.wakes())

    def rolls(self, chance):
        """Let a ball do something, or all lie still."""
        if chance.random() < 0.25:
            missing = (Doubt(ball=1, slot=None),) if chance.random() < 0.1 else ()
            self.both(lambda table: table.quiet(*seen_in_this_roll(table), missing=missing))
            return
        seen = random_fact(chance, self.one.board, self.one.at_us + 10_000)
        if not isinstance(seen, BallInZone) or chance.random() < 0.1:
            self.both(lambda table: (table.later(), table.feed(seen)))

    def views(self):
        """Return what everybody sees and is told at the two tables, in the names of the second."""
        return tuple(shown(table) for table in (self.one, self.other))


def seen_in_this_roll(table):
    """Return what balls have done since they last lay still."""
    told = next(
        (at for at, event in enumerate(reversed(table.events)) if isinstance(event, RollSettled)), None
    )
    events = table.events if told is None else table.events[len(table.events) - told :]
    return [event for event in events if hasattr(event, "ball")]


def offered(table):
    """Return everything that may be done, as (seat, what it is, act)."""
    for seat in table.seats:
        view = table.game.private(table.state, seat)
        for option in (*view.options, *(option for prompt in view.prompts for option in prompt.options)):
            if option.group not in TALK or option.group in {"vote", "flag", "overrule", "undo", "flick"}:
                yield from ((seat, option.group, act) for act in ways_to(option))


def shown(table):
    """Return the public view and what was told, without the numbers of tiles."""
    view = msgspec.to_builtins(table.game.scene(table.state))
    for place in view["places"]:
        if place.get("piece"):
            del place["piece"]["id"]
    return renamed([view, [effect for effect in table.effects if hasattr(effect, "text")]])


def evening(seed, chance):
    """Return a set-up with some of the test tiles or of all that ship, some of them on the board already."""
    small = [name for name, tile in load_tiles().items() if not tile.covers]
    tiles = MIXED if seed % 2 else tuple(chance.sample(small, 25))
    single = [name for name in tiles if name in small]  # a larger one might lie on another
    laid = tuple((slot, chance.choice(single), chance.randrange(6)) for slot in chance.sample(SLOTS, 8))
    grace_us = (seed % 3 == 1) * 5_000_000
    return setup(
        seed=seed, players=2 + seed % 3, tiles=tiles, count=2 + 2 * (seed % 2), laid=laid,
        sensors=seed % 7 != 3, grace_us=grace_us,
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.mutants
@pytest.mark.parametrize("seed", range(12))
def test_an_evening_goes_the_same_way_whatever_seats_and_tiles_are_called(seed):
    """No rule compares a seat or a tile with another one but to see whether it is the same; none is lost."""
    chance = random.Random(seed * 31)
    twins = Twins(evening(seed, chance))
    boxes = [boxed(table.state) for table in (twins.one, twins.other)]
    for _step in range(180):
        if twins.one.state.phase is Phase.OVER:
            break
        twins.go_on(chance)
        one, other = twins.views()
        assert one == other
        assert [boxed(table.state) for table in (twins.one, twins.other)] == boxes
