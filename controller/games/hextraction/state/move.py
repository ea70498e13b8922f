"""A move: one event being processed. Chapters read ``move.state`` and change it through these few verbs.

A move lives only within one ``step``: it starts from a frozen state and ends with one, so the chapters can be
written imperatively while the game stays a pure function.
"""

import dataclasses
from collections.abc import Mapping, Sequence
from copy import copy as duplicate
from typing import Any

from hextraction.board.profile import Board
from hextraction.controller.games.hextraction.cards.checklist import striking_clause
from hextraction.controller.games.hextraction.cards.tiles import (
    UNKNOWN,
    Catalogue,
    Effect,
    Tile,
    When,
    tile_named,
)
from hextraction.controller.games.hextraction.state.installed import Installed, indexed
from hextraction.controller.games.hextraction.state.kinds import Kind
from hextraction.controller.games.hextraction.state.record import Record
from hextraction.controller.games.hextraction.state.state import (
    MOST_PLAYED,
    Copy,
    Laid,
    Phase,
    Player,
    Roll,
    State,
    Waiting,
)
from hextraction.controller.games.marked_names import marked
from hextraction.controller.games.protocol import Effect as Consequence
from hextraction.controller.games.protocol import Ignored, Said
from msgspec.structs import replace

__all__ = ["Move", "Refusal", "Rules"]

# --- What does not change during a game, and how a rule refuses ---


class Refusal(Exception):  # noqa: N818 - a person requested something illegal; not an error of ours
    """Raised by a rule to refuse an action; the state stays as it was.

    ``clause`` is that of the reason; ``also`` are those of whatever else the same sentence names.
    """

    def __init__(self, reason: str, clause: str, *also: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.clause = clause
        self.also = also


class _Kinds(dict[str, Tile]):
    """Kinds of tiles by any name that people have written so far; the unknown tile for a wrong one."""

    def __init__(self, tiles: Catalogue) -> None:
        super().__init__(tiles)
        self._tiles = tiles

    def __missing__(self, name: str) -> Tile:
        try:
            found = tile_named(self._tiles, name)
        except KeyError:
            found = UNKNOWN
        if len(self) < _MOST_NAMES:  # names come from people: limit how many are remembered
            self[name] = found
        return found


_MOST_NAMES = 10_000


class Rules:
    """The board and the kinds of tiles. Names are looked up as people write them (``BAN(a,c)``)."""

    def __init__(self, board: Board, tiles: Catalogue) -> None:
        self.board = board
        self.tiles = dict(tiles)
        self.kinds = _Kinds(self.tiles)
        self.last_installed = indexed((), {}, self.tile, board.slot_names)
        self._guises: dict[str, Tile] = {}

    def learn(self, tile: Tile) -> None:
        """Add a kind of tile that somebody has described; its name must be new."""
        self.tiles[tile.name] = self.kinds[tile.name] = tile

    def installed(self, laid: tuple[Laid, ...], copies: Mapping[int, Copy]) -> Installed:
        """Return the index of these tiles on the board."""
        found = self.last_installed
        if found.laid is not laid or found.copies is not copies:
            found = self.last_installed = found.changed(laid, copies)
        return found

    def apart(self) -> "Rules":
        """Return the same rules, which forget the tiles on the board only for themselves: for trials."""
        return duplicate(self)

    def tile(self, copy: Copy) -> Tile:
        """Return the kind of a copy; the unknown tile if nobody has described it."""
        return self._guised(copy) if copy.guise else self.kinds[copy.name]

    def _guised(self, copy: Copy) -> Tile:
        """Return a kind of tile with the effects and the trigger of another one."""
        key = f"{copy.name} as {copy.guise}"
        if key not in self._guises:
            own, guise = self.named(copy.name), self.named(copy.guise)
            self._guises[key] = dataclasses.replace(own, effects=guise.effects, trigger=guise.trigger)
        return self._guises[key]

    def named(self, name: str) -> Tile:
        """Return the kind of tile that a name means, or the unknown tile."""
        return self.kinds[name]


# --- A move ---

_MIX = 0x9E3779B97F4A7C15
_MASK = (1 << 64) - 1


class Move:
    """The state in the making, and the effects on the world; ``teller`` is whose tap says how it lies now."""

    __slots__ = ("effects", "rules", "state", "teller")

    def __init__(self, rules: Rules, state: State) -> None:
        self.rules = rules
        self.state = state
        self.teller = ""
        self.effects: list[Consequence] = []

    # --- reading ---

    @property
    def board(self) -> Board:
        """The board of the game."""
        return self.rules.board

    def tile(self, copy: int) -> Tile:
        """Return the kind of tile that a copy is."""
        known = self.state.copies[copy]
        return self.rules.tile(known) if known.guise else self.rules.kinds[known.name]

    @property
    def installed(self) -> Installed:
        """The tiles on the board, indexed in several ways."""
        found, state = self.rules.last_installed, self.state
        if found.laid is state.laid and found.copies is state.copies:
            return found
        return self.rules.installed(state.laid, state.copies)

    def captive(self, laid: Laid) -> int:
        """Return how many balls of its own an installed tile still has."""
        captive = self.tile(laid.copy).captive
        return captive - laid.part if self.supplies(laid) else captive

    def supplies(self, laid: Laid) -> bool:
        """Whether balls of its own are rolled: its part then counts those that have been let go."""
        tile = self.tile(laid.copy)
        return tile.captive > 0 and any(effect.deed.supplies for effect in tile.effects)

    def has_switch(self, copy: int) -> bool:
        """Whether a tile has a switch that works: its part then says that it is off."""
        return any(
            effect.deed.switches and self.struck(effect, copy) is None for effect in self.tile(copy).effects
        )

    def on_board(self, when: When) -> Sequence[tuple[Laid, int, Effect]]:
        """Return the effects of one occasion on the board, as (tile, number of the effect, effect)."""
        return self.installed.effects.get(when, ())

    def title(self, copy: int) -> str:
        """Return what people call a copy."""
        tile = self.tile(copy)
        return tile.title if tile is not UNKNOWN else marked(self.state.copies[copy].name) or tile.title

    def called(self, copy: int, slot: str = "") -> str:
        """Return what people call a copy, and where it lies: ``BELL at C1``; ``slot`` if it has left that."""
        laid = self.laid_copy(copy)
        where = slot or (laid.slot if laid is not None else "")
        return f"{self.title(copy)} at {where}" if where else self.title(copy)

    def called_whole(self, copy: int) -> str:
        """Return what people call a copy, which is the whole Combo as long as none of it lies (R-04)."""
        whole, play = self.state.copies[copy].whole, self.state.play
        begun = play is not None and bool(play.done)
        lies = self.laid_copy(copy) is not None
        return self.title(whole) if whole and not begun and not lies else self.called(copy)

    def player(self, seat: str) -> Player:
        """Return a player by seat."""
        for player in self.state.players:  # a plain loop: every event asks this several times
            if player.seat == seat:
                return player
        raise KeyError(seat)

    def name(self, seat: str) -> str:
        """Return what people call a player."""
        return self.player(seat).name

    def playing(self) -> tuple[str, ...]:
        """Return the seats that have not lost, in turn order."""
        return tuple([player.seat for player in self.state.players if not player.out])

    def staying(self) -> tuple[str, ...]:
        """Return the seats that have neither lost nor conceded, in turn order."""
        return tuple([player.seat for player in self.state.players if not player.out and not player.conceded])

    def electorate(self, seat: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return who votes, in turn order from a seat on, and who of them leaves: nobody waits for those."""
        order, staying = self.playing(), self.staying()
        first = order.index(seat) if seat in order else 0
        return order[first:] + order[:first], tuple([one for one in order if one not in staying])

    def next_seat(self, seat: str, *, staying: bool = False) -> str:
        """Return the next player in turn order who has not lost; if ``staying``, nor conceded."""
        players = self.state.players
        start = players.index(self.player(seat)) + 1
        for player in (*players[start:], *players[:start]):
            if not player.out and not (staying and player.conceded):
                return player.seat
        return seat

    def laid_at(self, slot: str) -> Laid | None:
        """Return the installed tile that covers a slot."""
        lying = self.installed
        copy = lying.layout.get(slot)
        return None if copy is None else lying.by_copy[copy]

    def laid_copy(self, copy: int) -> Laid | None:
        """Return where a copy is installed."""
        return self.installed.by_copy.get(copy)

    def layout(self) -> dict[str, int]:
        """Return the copy that covers each slot, without open slots."""
        roll = self.state.roll
        return self.installed.layout if roll is None else roll.layouts[-1][1]

    def open_slots(self) -> tuple[str, ...]:
        """Return the slots without a tile."""
        if self.state.roll is None:
            return self.installed.opened
        layout = self.layout()
        return tuple([slot for slot in self.board.slot_names if slot not in layout])

    def is_full(self) -> bool:
        """Whether every slot has a tile."""
        layout, slots = self.layout(), self.board.by_name
        return len(layout) >= len(slots) and slots.keys() <= layout.keys()

    def record(self) -> Record:
        """Return where the balls are now."""
        return self.state.rest if self.state.roll is None else self.state.roll.record

    def in_zones(self) -> dict[int, str]:
        """Return the balls in end zones, but those that people have been told to take out (R-24)."""
        now = self.record()
        out = self.state.taken_out.difference(now.entered_zone)
        return {ball: zone for ball, zone in now.zones.items() if ball not in out}

    def enabled(self, effect: Effect, laid: Laid | None = None) -> bool:
        """Whether an effect works now: Offline and Overdrive as last sampled (R-46, R-48), ballots (R-09)."""
        if effect.forbidden and laid is not None and laid.silenced:
            return False
        if laid is not None and not effect.deed.switches and self.hushed(laid.copy):
            return False
        if laid is not None and self.state.marks and self.struck(effect, laid.copy) is not None:
            return False
        return not (effect.offline and not self.state.offline) and not (
            effect.overdrive and not self.state.overdrive
        )

    def enabled_in_hand(self, effect: Effect, copy: int) -> bool:
        """Whether an effect of a tile in a hand works now; a switch that is off keeps it from that, too."""
        if self.silencers or (self.state.marks and self.struck(effect, copy) is not None):
            return False
        return self.enabled(effect)

    def hushed(self, copy: int) -> bool:
        """Whether a switch that is off keeps a tile from having effects; a ball turns any switch."""
        silencers = self.silencers
        return bool(silencers) and silencers != (copy,)

    @property
    def silencers(self) -> tuple[int, ...]:
        """The tiles whose switch is off, but for those whose effects the table has struck since."""
        known = self.state.silencers
        return tuple(copy for copy in known if self.has_switch(copy)) if known and self.state.marks else known

    def keyword_struck(self, copy: int) -> bool:
        """Whether a copy's keywords are struck too, since keywords are effects (3.TileKeyword)."""
        return bool(self.state.marks) and striking_clause(self.state.marks, self.tile(copy).name) is not None

    def struck(self, effect: Effect, copy: int) -> str | None:
        """Return the clause that strikes an effect, because people found it invalid (0.1).

        An effect that a tile has taken over is struck with those of the tile that it has it from.
        """
        clause = striking_clause(self.state.marks, self.tile(copy).name, effect)
        guise = self.state.copies[copy].guise
        if clause is None and guise:
            return striking_clause(self.state.marks, self.rules.named(guise).name, effect)
        return clause

    # --- changing ---

    def set(self, **changes: Any) -> None:
        """Change fields of the state."""
        self.state = replace(self.state, **changes)

    def set_player(self, seat: str, **changes: Any) -> None:
        """Change fields of one player."""
        known = self.state.players
        self.set(
            players=tuple([replace(player, **changes) if player.seat == seat else player for player in known])
        )

    def set_roll(self, **changes: Any) -> None:
        """Change fields of the running roll."""
        if self.state.roll is not None:
            self.set(roll=replace(self.state.roll, **changes))

    def set_laid(self, laid: tuple[Laid, ...]) -> None:
        """Change what is installed; a roll records when, as settlements are judged by it.

        What waits on a tile that moves goes along: its trigger area is where the tile is now.
        """
        if self.state.waiting:
            self.set(waiting=_carried_along(self.state.waiting, self.state.laid, laid))
        self.set(laid=laid)
        roll = self.state.roll
        if roll is not None:
            self.set_roll(layouts=(*roll.layouts, (self.state.at_us, self.installed.layout)))

    def take(self, seat: str, copy: int) -> None:
        """Take a copy out of a hand or the pools, wherever it is."""
        hand = self.player(seat).hand
        if copy in hand:
            self.set_player(seat, hand=tuple([other for other in hand if other != copy]))
        elif copy in self.state.pool:
            self.set(pool=tuple([other for other in self.state.pool if other != copy]))
        elif copy in self.state.virtual:
            self.set(virtual=tuple(other for other in self.state.virtual if other != copy))

    def demand(self, seat: str, count: int, ramps: tuple[str, ...] = (), *, by: int = 0) -> None:
        """Order releases inside the current roll or effect, unless Break the Loop forbids them (R-32)."""
        if self.state.roll is not None and self.state.roll.locked:
            self.say("effect", "No new ball until all is quiet.", clause="3.BreakTheLoop.2")
            return
        if self.player(seat).conceded:
            self.say("effect", f"{self.name(seat)} leaves and rolls no ball.", seat=seat, clause="2.8.4")
            return
        if by and self.lacks_balls(seat):
            return
        owed = self.state.demanded + count
        self.set(demanded=owed, demanded_ramps=ramps, demanded_by=by, intent=(seat, ""))
        if by:
            self.set(ignored_bans=())  # bans are ignored for one release only

    def count_anew(self, at_us: int) -> None:
        """Begin to count anew, as one more ball is let go inside the roll (R-12).

        What was corrected before, and what touches did before, can no longer be disputed (R-14).
        """
        self.set_roll(since_us=at_us, adjusted={}, done=())

    def awaits_release(self) -> bool:
        """Whether somebody has to let a ball go; what an effect ordered ends if there is none (R-40)."""
        state = self.state
        if state.demanded_by and state.intent is not None and self.lacks_balls(state.intent[0]):
            self.forget_demand()
        return self.state.demanded > 0

    def lacks_balls(self, seat: str) -> bool:
        """Whether no ball is left for a roll that an effect orders, which is told (R-40)."""
        if self.spare_balls() >= 1:
            return False
        self.say("effect", f"{self.name(seat)} has no ball left to roll.", seat=seat, clause="2.0.1.1")
        return True

    def call_unseen(self, copy: int, name: str) -> None:
        """Give a tile that the board has not seen its name, as its holder says it."""
        named = replace(self.state.copies[copy], name=name)
        played = (name, *(one for one in self.state.played if one != name))
        self.set(copies={**self.state.copies, copy: named}, played=played[:MOST_PLAYED])

    def unseen_in_hand(self, seat: str) -> int:
        """Return a tile of a hand that only its holder has seen; 0 if the board knows all of them."""
        hand = self.player(seat).hand
        return next((copy for copy in hand if not self.state.copies[copy].name), 0)

    def sources(self, seat: str) -> dict[str, tuple[int, ...]]:
        """Return the tiles among which somebody may search for one to Create, by where they are (R-58)."""
        return {"virtual": self.state.virtual, "hand": self.player(seat).hand, "pool": self.state.pool}

    def is_nameless(self) -> bool:
        """Whether a tile is being played of which only its holder knows which one it is (2.2.1)."""
        play = self.state.play
        return play is not None and not self.state.copies[play.copy].name

    def people_tell(self) -> bool:
        """Whether people report what balls do, as no sensor sees all of it (R-49, R-50)."""
        return self.state.people_tell

    def sees_tiles(self) -> bool:
        """Whether tile Halls see what is laid and lifted; otherwise people say it (2.4.3, R-50)."""
        return self.state.config.sensors and self.state.config.tile_sensors and self.state.power

    def under_grave(self, slot: str) -> tuple[str, ...]:
        """Return the slots that the tile destroyed last in a slot had covered; it alone, if none is known."""
        graves = (*self.state.old_graves, *self.state.graves)
        return next((grave.slots for grave in reversed(graves) if slot in grave.slots), (slot,))

    def spare_balls(self) -> float:
        """Return how many balls are left to roll: neither on the board nor taken back (R-40).

        It is unknown if the table has not counted its balls (1.0.3); balls in end zones are free.
        """
        brought = sum(player.balls for player in self.state.players)
        took = sum(player.reclaimed.count("ball") for player in self.state.players)
        now = self.record()
        return brought - took - len({*now.on, *now.ramps}) if brought else float("inf")

    def survives(self, copy: int) -> bool:
        """Whether the tile that ordered or granted a roll still exists; 0 is the turn itself (R-08)."""
        whole = (self.state.copies[copy].whole if copy else 0) or copy
        return whole not in self.state.destroyed and whole not in self.state.virtual

    def owe_again(self, roll: Roll) -> None:
        """Owe a roll again that does not count: in the turn, or by whoever ordered it (R-06, R-08)."""
        if roll.loose or (not roll.due and self.player(roll.began).out):
            return
        if not roll.due:
            self.demand(roll.began, 1, roll.ramps, by=roll.by)
            return
        grants = (roll.by, *self.state.grants) if roll.by else self.state.grants
        self.set(rolls_owed=self.state.rolls_owed + 1, grants=grants)

    def forget_demand(self) -> None:
        """Cancel all demands: nobody has to release a ball any more, so nobody is waited for either."""
        state = self.state
        if state.demanded:
            phase = Phase.RESOLVING if state.phase is Phase.RELEASING else state.phase
            self.set(demanded=0, demanded_ramps=(), demanded_by=0, intent=None, phase=phase)

    def set_record(self, record: Record) -> None:
        """Replace the record of the balls."""
        if self.state.roll is None:
            self.set(rest=record)
        else:
            self.set_roll(record=record)

    def new_id(self) -> int:
        """Return an unused number."""
        number = self.state.next_id
        self.set(next_id=number + 1)
        return number

    def luck(self, below: int) -> int:
        """Return a number in ``0..below-1`` from the chance that came with the event."""
        mixed = (self.state.chance + _MIX) & _MASK
        self.set(chance=mixed)
        mixed ^= mixed >> 30
        mixed = (mixed * 0xBF58476D1CE4E5B9) & _MASK
        mixed ^= mixed >> 27
        mixed = (mixed * 0x94D049BB133111EB) & _MASK
        return (mixed ^ (mixed >> 31)) % below

    # --- telling ---

    def say(
        self,
        kind: Kind,
        text: str,
        *,
        seat: str | None = None,
        slot: str | None = None,
        ball: int | None = None,
        clause: str | None = None,
    ) -> None:
        """Tell everybody what happened. The text must not name a tile that is still hidden."""
        self.effects.append(Said(kind=kind, text=text, seat=seat, slot=slot, ball=ball, clause=clause))

    def do(self, effect: Consequence) -> None:
        """Ask the world for something."""
        self.effects.append(effect)

    def ignore(self, reason: str) -> None:
        """Note that a world event means nothing now."""
        self.effects.append(Ignored(reason=reason))

    def hand_choices(self, seat: str) -> list[tuple[str, str]]:
        """Return one choice for each tile in a hand."""
        hand = self.player(seat).hand
        return [(str(copy), self.title(copy) if self.state.copies[copy].name else "a tile") for copy in hand]


def _carried_along(
    waiting: tuple[Waiting, ...], before: tuple[Laid, ...], after: tuple[Laid, ...]
) -> tuple[Waiting, ...]:
    """Return what waits, in the slots where its tiles lie now; last acts stay where their tiles were."""
    was, now = ({one.copy: one.slots for one in laid} for laid in (before, after))
    return tuple(
        replace(one, slot=now[one.copy][was[one.copy].index(one.slot)])
        if one.copy in now and one.slot in was.get(one.copy, ())
        else one
        for one in waiting
    )
