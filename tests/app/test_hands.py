"""Whatever people tap, and however fast, simulated board, game and every phone agree."""

import random
from collections import Counter

import msgspec
import pytest
from helpers.audience import PhonesOnTheWire, on_the_wire
from helpers.simulated import begin, entries, now_us, play, state, table
from helpers.tiers import first_by_day
from hextraction.board.grid import turned
from hextraction.board.tiles import UNKNOWN_SHAPE
from hextraction.controller.games.hextraction import Phase
from hextraction.controller.games.protocol import Acted
from hextraction.controller.payloads.messages import Command, State, View
from hextraction.controller.play.journal import Journal
from hextraction.controller.table.proxies import seen_by

SAID_BY_THE_TABLE = {"concede", "vote", "flag", "jammed"}
"""What would end the random game at once, or keep a tile in its slot for good."""
MOMENT_STEPS = 150
"""Longer than hands need for what they were asked to do."""
LOOKS = 0.02
"""How often people stop tapping and look, when nothing is going on."""


class FastThumbs:
    """People without bots, who tap anything that their phones offer, at any moment."""

    def __init__(self, seed, journal=None, **settings):
        self.chance = random.Random(seed)
        self.journal = journal or Journal(":memory:")
        self.settings = {"players": 2, "journal": self.journal, "people": True, **settings}
        self.seed = seed
        self.phones = PhonesOnTheWire()
        self.at = begin(seed, **self.settings)
        self.at.host.audience = self.phones
        self.looked = self.sent = 0
        for seat in self.seats:
            self.comes(seat)

    @property
    def seats(self):
        """Who plays."""
        return [player.seat for player in self.at.host.runtime.standing.players]

    def says(self, seat, **said):
        """Let a phone send a command; return the answer to it."""
        self.sent += 1
        command = Command(id=f"{seat}-{self.sent}", game=self.at.host.runtime.game, **said)
        on_its_way = msgspec.json.decode(msgspec.json.encode(command), type=Command)
        self.at.host.command(seat, on_its_way, now_us(self.at))
        return self.phones.replies.pop()[1]

    def tap(self, seat, act):
        """Let a phone send an act; return why it was refused, or nothing."""
        answer = self.says(seat, act=act)
        return None if answer.ok else answer.reason

    def tap_anything(self):
        """Tap one of the things that a phone shows: as it was sent them, however long ago."""
        seat = self.chance.choice(self.seats)
        if seat not in self.phones.own:
            return
        view = self.phones.own[seat].view
        shown = [(one.act, one.turns) for one in view.options if one.act["do"] not in SAID_BY_THE_TABLE]
        shown += [(one.act, ()) for prompt in view.prompts for one in prompt.options] * 3
        if shown:
            act, turns = self.chance.choice(shown)
            self.tap(seat, {**act, "turns": self.chance.choice(turns)} if turns else act)

    def comes(self, seat):
        """Let a phone connect: it says hello, and the table hears that it is there."""
        self.phones.comes(seat)
        self.at.host.seats_changed(now_us(self.at))
        self.says(seat, hello=True)

    def loads_its_page(self, seat):
        """Let a phone that is there load its page anew, so that it knows nothing."""
        self.phones.own.pop(seat, None)
        self.says(seat, hello=True)

    def somebody_comes_or_goes(self):
        """Let a phone be gone, for a moment or for so long that others may answer, come back, or load its page."""
        seat = self.chance.choice(self.seats)
        if self.phones.here[seat] and self.chance.random() < 0.5:
            self.loads_its_page(seat)
        elif self.phones.here[seat]:
            self.phones.goes(seat, self.chance.choice([0.0, 60.0]))
            self.at.host.seats_changed(now_us(self.at))
        else:
            self.comes(seat)

    def take_a_break(self):
        """Let the table pause and go on."""
        for word in ("pause", "resume"):
            self.says(self.chance.choice(self.seats), table={"do": word})
            for _step in range(self.chance.randrange(20)):
                self.step()

    def pull_the_plug(self):
        """Start the whole table anew from its journal."""
        name = self.at.host.runtime.game
        self.phones.state = None  # the table's own broker is started anew, too
        for seat in self.seats:
            self.phones.goes(seat)
        self.at = table(self.seed, **self.settings)
        self.at.host.audience = self.phones
        self.at.resume(name)
        self.at.host.bots.clear()

    def step(self):
        """Let simulated time go on, and phones be shown what is new."""
        self.at.step()
        self.at.show()

    def play(self, steps, *, hurry=0.05, breaks=0.0, cuts=0.0, gaps=0.0):
        """Tap for so many steps of simulated time, and look at the board whenever all is quiet."""
        for _step in range(steps):
            if self.at.host.runtime.over:
                return
            self.step()
            if self.chance.random() < hurry:
                self.tap_anything()
            if self.chance.random() < gaps:
                self.somebody_comes_or_goes()
            if self.chance.random() < breaks:
                self.take_a_break()
            if self.chance.random() < cuts:
                self.pull_the_plug()
            if self.is_quiet() and self.chance.random() < LOOKS:
                self.look()

    def look(self):
        """Wait a moment; if all is still quiet, board and phones have to be as the game has it."""
        for _step in range(MOMENT_STEPS):
            self.step()
        if self.is_quiet():
            self.looked += 1
            assert_that_the_board_lies_as_the_game_has_it(self.at)
            assert_that_phones_show_the_board_and_the_game(self.at, self.phones)
            for seat in self.seats:
                if not self.phones.here[seat]:
                    self.comes(seat)
            self.at.host.refresh(now_us(self.at))
            for seat in self.seats:
                self.loads_its_page(seat)
            assert_that_phones_show_the_board_and_the_game(self.at, self.phones)

    def is_quiet(self):
        """Whether nothing moves, is asked, or is in anybody's hands."""
        now, awaited = state(self.at), self.at.host.runtime.referee.game.awaited(state(self.at))
        waits = awaited.in_hands or awaited.decision
        return now.phase is Phase.CHOOSING and not waits and not self.at.devices.world.moving


def tiles_by_the_game(at):
    """Return the tiles that should lie on the board, as the world tells those that do."""
    runtime, board = at.host.runtime, at.host.game.board
    drawn = {one.place for one in runtime.scene().places if one.piece is not None}
    lie = {slot: tile for slot, tile in runtime.referee.lies.tiles.items() if f"slot.{slot}" in drawn}
    under = {
        board.neighbour(slot, turned(edge, turns)): (UNKNOWN_SHAPE, turns)
        for slot, (tile, turns) in lie.items()
        for edge in tile.covers
    }
    return {**lie, **under}


def assert_that_the_board_lies_as_the_game_has_it(at):
    """The tiles lie as they should; no ball lies where none counts, and where a tile holds them none is missing."""
    world, believed = at.devices.world, Counter(at.host.runtime.referee.lies.resting.values())
    assert world.tiles == tiles_by_the_game(at)
    seen = at.devices.inputs.levels()
    for slot in world.board.slot_names:
        assert seen[f"tile.{slot}"] is (slot in world.tiles)
        there = len(world.contents.slots.get(slot, ()))
        holds = world.tiles[slot][0].holds if slot in world.tiles else 0
        assert min(believed[slot], holds) <= there <= believed[slot], slot


def assert_that_phones_show_the_board_and_the_game(at, phones):
    """What each phone was sent last is what the game says now, and its drawing what lies on the board."""
    runtime, world = at.host.runtime, at.devices.world
    referee = runtime.referee
    assert phones.state.game == runtime.game
    assert phones.state.view == on_the_wire(State(game="", seq=0, at_us=0, view=runtime.scene())).view
    for player in runtime.standing.players:
        if phones.here[player.seat]:
            away = frozenset(seat for seat, away_s in phones.away_s.items() if away_s >= 20)
            view = seen_by(referee.game.private(referee.state, player.seat), away)
            sent = phones.own[player.seat]
            assert sent.game == runtime.game
            assert sent.view == on_the_wire(View(game="", seq=0, view=view)).view
    places = {one.place.removeprefix("slot."): one for one in phones.state.view.places}
    for slot in world.board.slot_names:
        drawn = places[slot].piece is not None or bool(places[slot].part_of)
        assert drawn is (slot in world.tiles), slot
        if places[slot].piece is not None:
            assert places[slot].piece.turns == world.tiles[slot][1], slot
        assert places[slot].balls >= len(world.contents.slots.get(slot, ())), slot


def option(at, seat, **wanted):
    """Return what a phone sends for the option with these words, or None if it is not offered."""
    referee = at.host.runtime.referee
    acts = [one.act for one in referee.game.private(referee.state, seat).options]
    return next((act for act in acts if wanted.items() <= act.items()), None)


def lay(thumbs):
    """Play a tile of whose turn it is, and choose the first slot; return seat and slot."""
    seat = state(thumbs.at).active
    thumbs.tap(seat, option(thumbs.at, seat, do="play"))
    place = option(thumbs.at, seat, do="place")
    thumbs.tap(seat, {**place, "turns": 0})
    return seat, place["slot"]


def test_a_tile_that_was_let_go_at_once_lies_on_the_board():
    """“It sits flat” before the hands were there is as true as after it."""
    thumbs = FastThumbs(11, laid=0)
    seat, slot = lay(thumbs)
    assert thumbs.tap(seat, {"do": "seated"}) is None
    thumbs.at.step()
    assert slot in thumbs.at.devices.world.tiles
    assert_that_the_board_lies_as_the_game_has_it(thumbs.at)


def asked_of_hands(thumbs):
    """Return what phones show now that only hands can do or have done."""
    told = {"lifted", "laid", "unfit"}
    shown = [one.wants for one in thumbs.phones.state.view.places if one.wants in {"lift", "put"}]
    for sent in thumbs.phones.own.values():
        shown += [one.label for one in sent.view.options if one.tells.split(" ")[0] in told]
        shown += [one.text for one in sent.view.prompts if one.watched]
    return shown


@pytest.mark.slow
@pytest.mark.parametrize("seed", [11, 17])
def test_nobody_is_asked_for_what_the_tables_own_hands_do(seed):
    """No phone ever shows that a tile is to be lifted or laid, nor asks whether hands have done something."""
    thumbs = FastThumbs(seed)
    shown = []
    for _step in range(1_500):
        thumbs.step()
        if thumbs.chance.random() < 0.1:
            thumbs.tap_anything()
            shown += asked_of_hands(thumbs) if state(thumbs.at).power else []
    assert {one.what.act["do"] for one in entries(thumbs.at) if isinstance(one.what, Acted)} >= {"place"}
    assert shown == []


def test_where_no_sensor_sees_tiles_people_are_asked_what_lies():
    """The table's own hands have no mouth: with a broken tile sensor somebody has to say that a tile lies."""
    thumbs = FastThumbs(11, laid=0)
    thumbs.says("red", table={"do": "broken", "sensor": "tile.A1"})
    lay(thumbs)
    for _step in range(15):
        thumbs.step()
    assert "put" in asked_of_hands(thumbs)


def test_a_tile_that_was_told_to_be_out_at_once_is_out():
    """“Out of D1” before the hands were there leaves no ghost of it."""
    thumbs = FastThumbs(11, laid=0, config={"let_go_us": 1_500_000})
    seat, slot = lay(thumbs)
    assert play(thumbs.at, until=lambda _now: slot in thumbs.at.devices.world.tiles, steps=200)
    thumbs.tap(seat, {"do": "no_fit"})
    for _step in range(3):
        thumbs.at.step()
    thumbs.tap(seat, {"do": "lifted", "slot": slot})
    thumbs.at.step()
    assert slot not in thumbs.at.devices.world.tiles


def test_a_thumb_that_taps_a_gate_twice_gets_one_ball():
    """Neither the board nor the game knows of a second one."""
    thumbs = FastThumbs(11, laid=0, config={"grace_us": 1_500_000})
    seat = state(thumbs.at).active
    roll = option(thumbs.at, seat, do="roll")
    assert [thumbs.tap(seat, roll) for _tap in range(3)] == [None] * 3
    assert play(thumbs.at, until=lambda _now: state(thumbs.at).phase is Phase.ROLLING, steps=200)
    assert play(thumbs.at, until=lambda _now: state(thumbs.at).phase is Phase.SETTLING, steps=4000)
    assert state(thumbs.at).strays + len(state(thumbs.at).roll.record.fell) == 1


def test_no_second_gate_opens_while_the_first_ones_ball_may_come():
    """Another ramp tapped too early is refused with what to do; a little later its gate opens."""
    thumbs = FastThumbs(11, laid=0)
    seat = state(thumbs.at).active
    thumbs.tap(seat, {"do": "roll", "ramp": "L1"})
    assert (
        thumbs.tap(seat, {"do": "roll", "ramp": "R1"})
        == "The gate of ramp L1 has just opened: watch its ball."
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "seed",
    [
        17,
        *first_by_day(range(8), "more orders of taps", by_day=0),
    ],
)
def test_board_game_and_phones_agree_after_any_order_of_taps(seed):
    """At each quiet, after taps, breaks, restarts and lost connections at any moment."""
    thumbs = FastThumbs(seed)
    thumbs.play(4_000 if seed == 17 else 20_000, hurry=0.1, breaks=0.001, cuts=0.0005, gaps=0.005)
    assert thumbs.at.host.runtime.failures == 0
    assert thumbs.looked or thumbs.at.host.runtime.over


@pytest.mark.slow
@pytest.mark.parametrize("seed", [7, 31])
def test_a_ball_that_a_card_has_hands_let_go_is_followed_to_its_end(seed):
    """The sensors' account of it ends the roll soon: nobody waits for a ball that the board does not see."""
    at = begin(seed, players=2)
    referee = at.host.runtime.referee
    assert play(at, until=lambda _now: referee.lies.let_go, steps=20_000)
    (ball,) = referee.lies.let_go
    assert play(at, until=lambda _now: state(at).phase is Phase.ROLLING, steps=1000)
    began_us = now_us(at)
    assert play(at, until=lambda _now: state(at).phase is not Phase.ROLLING, steps=1500)
    roll = state(at).roll
    assert now_us(at) - began_us < 10_000_000
    assert roll is None or ball in {*roll.record.trails, *roll.record.fell, *roll.record.on}
