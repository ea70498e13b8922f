"""No answer depends on what another hand holds: whatever a seat asks for or says, and whatever is there (1.2.1)."""

import random

import pytest
from helpers.tabletop import MIXED, Table, play_a_bit, setup
from hextraction.controller.games.protocol import Acted, PowerSet, Refused
from msgspec.structs import replace

MOMENTS = range(4, 161, 6)
SOME = 240


def otherwise(table, seat, chance, *, whole_bag):
    """Return the state with other tiles in the other hands: of the same bag, or of any kind at all.

    What has been revealed stays what it is. ``whole_bag``: hands and pool together hold what they held.
    """
    state = table.state
    shown = () if state.play is None else (state.play.copy, *state.play.pieces)
    hidden = [copy for player in state.players if player.seat != seat for copy in player.hand]
    hidden = [copy for copy in (*hidden, *(state.pool if whole_bag else ())) if copy not in shown]
    names = [state.copies[copy].name for copy in hidden]
    if whole_bag:
        chance.shuffle(names)
    else:
        kinds = [
            name for name, tile in table.game.rules.tiles.items() if not tile.parts and not tile.keywords
        ]
        names = [chance.choice(kinds) if name else "" for name in names]
    new = {copy: replace(state.copies[copy], name=name) for copy, name in zip(hidden, names, strict=True)}
    return replace(state, copies={**state.copies, **new})


def anything(table, seat):
    """Return what somebody might try: what anybody is offered, and words about every tile, kind and slot."""
    state, slots = table.state, table.board.slot_names
    lies = {one.slot: (state.copies[one.copy].name, one.turns) for one in state.laid}
    free = next((slot for slot in slots if slot not in lies), slots[0])
    for other in table.seats:
        view = table.view(other)
        prompts = (*view.prompts, *view.others)
        yield from (
            option.act for option in (*view.options, *(one for asked in prompts for one in asked.options))
        )
    for copy in (*state.copies, 0, 9_999):
        yield from ({"do": do, "tile": copy} for do in ("play", "activate", "rules"))
        yield {"do": "correct", "slot": free, "touches": 1, "tile": copy}
        yield from ({"do": "overrule", "tile": copy, "to": to} for to in ("pool", f"hand.{seat}", free))
    for name in table.game.rules.tiles:
        yield from ({"do": do, "name": name} for do in ("play", "activate"))
        yield {"do": "arrange", "tiles": lies, "away": [name]}
        for do in ({"do": "arrange"}, {"do": "reenter", "active": seat}):
            yield {**do, "tiles": {**lies, free: (name, 0)}}
    for slot in slots:
        yield from ({"do": do, "slot": slot} for do in ("place", "vote", "lifted", "fallen", "jammed"))
    yield from ({"do": "reclaim", "what": what} for what in ("leave", "tiles", "ball", "draw"))
    yield from (
        {"do": do} for do in ("seated", "no_fit", "end", "break_loop", "undo", "flick", "adjust", "agree")
    )


def answered(table, state, seat, act):
    """Return whether it is refused, and why."""
    step = table.game.step(state, Acted(at_us=table.at_us + 1, seat=seat, act=act, chance=5))
    return [(effect.reason, effect.clause) for effect in step.effects if isinstance(effect, Refused)]


@pytest.mark.slow
@pytest.mark.mutants
@pytest.mark.parametrize("whole_bag", [True, False], ids=["the bag is known", "nobody knows the bag"])
@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_nothing_that_a_seat_says_is_answered_by_anothers_hand(seed, whole_bag):
    """Same refusal, same view, same scene, whatever the others hold; in the dark, too."""
    chance = random.Random(seed)
    tiles = MIXED if whole_bag else ("plain",)
    table = Table(setup(players=3, seed=seed, tiles=tiles, unseen=not whole_bag))
    told = []
    for moment in range(MOMENTS.stop):
        if moment == 100:
            table.feed(PowerSet(at_us=table.later(), on=False))
        if moment == 130:
            table.feed(PowerSet(at_us=table.later(), on=True, lost=True))
        if moment in MOMENTS:
            seat = chance.choice(table.seats)
            other = otherwise(table, seat, chance, whole_bag=whole_bag)
            assert table.game.private(other, seat) == table.view(seat)
            assert table.game.scene(other) == table.view()
            tries = list(anything(table, seat))
            for act in chance.sample(tries, min(SOME, len(tries))):
                here = answered(table, table.state, seat, act)
                assert answered(table, other, seat, act) == here, act
                told.append(bool(here))
        if not play_a_bit(table, chance):
            break

    assert {True, False} <= set(told)


def test_a_tile_told_to_be_away_is_asked_about_whoever_holds_it():
    """In a game with a bag that nobody knows, a tile in another hand and one that nobody has get one answer."""
    table = Table(setup(players=3, tiles=("plain",), unseen=True))
    hand = table.state.players[1].hand
    asked = {"do": "arrange", "tiles": {}, "away": ["bell"]}
    holds = {hand[0]: replace(table.state.copies[hand[0]], name="bell")}
    told = [answered(table, state, "red", asked) for state in (
        table.state, replace(table.state, copies={**table.state.copies, **holds}),
    )]  # fmt: skip

    assert told == [[], []]
